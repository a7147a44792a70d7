"""The versions of gnau and of what it runs on, which every report of a fault needs."""

import platform
import sqlite3
from importlib.metadata import version


def versions() -> str:
    """The versions in one line, gnau's first."""
    others = [
        f"Python {platform.python_version()}",
        f"discord.py {version('discord.py')}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
    return f"gnau {version('gnau')} ({', '.join(others)})"
