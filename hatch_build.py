"""Ships the built installation script, and the one that uninstalls, in the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # there it is read from the tree
            return
        root = Path(self.root)
        subprocess.run([sys.executable, root / "scripts" / "build.py"], cwd=root, check=True)
        core = root / "sql" / "dist" / "pg_tool_recall.core.sql"
        build_data["force_include"][str(core)] = "pg_tool_recall/sql/pg_tool_recall.core.sql"
        uninstall = root / "sql" / "uninstall.sql"
        build_data["force_include"][str(uninstall)] = "pg_tool_recall/sql/uninstall.sql"
