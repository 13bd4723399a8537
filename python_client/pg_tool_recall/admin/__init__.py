"""What a DBA does with the command ``pg-tool-recall``: look first, install, look after it."""
