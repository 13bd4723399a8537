"""What a command reports and gives up on."""

from __future__ import annotations

import psycopg


class CommandError(Exception):
    """What went wrong and what to do about it, for the terminal."""


def explained(error: Exception) -> str:
    """The message, with the database's detail and hint."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary:
        parts = [error.diag.message_primary, error.diag.message_detail, error.diag.message_hint]
        return "\n".join(part for part in parts if part)
    return str(error).strip()
