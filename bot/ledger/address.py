"""Reads the address of a database, as the setting DATABASE_URL has it."""

from pathlib import Path
from typing import Final

_PREFIX: Final = "sqlite:///"
_RIGHT: Final = "sqlite:///data/gnau.db (relative) or sqlite:////srv/gnau/gnau.db (absolute)"


def database_path(url: str) -> Path:
    """The SQLite file that an address means.

    Args:
        url: `sqlite:///relative/path` or `sqlite:////absolute/path`.

    Raises:
        ValueError: where it is any other; in one line that says what would be right, and repeats nothing of
            the address, since there may be a password in it.
    """
    scheme = url.partition(":")[0]
    if scheme.startswith(("postgres", "postgresql")):
        raise ValueError(f"PostgreSQL is not supported yet; give {_RIGHT}")
    name = url.removeprefix(_PREFIX)
    if name == url or name in ("", ":memory:") or "?" in name or name.endswith("/"):
        raise ValueError(f"the address of a database is {_RIGHT}")
    if name.startswith("~"):
        raise ValueError(f"the address of a database has no ~ for somebody's home; give {_RIGHT}")
    return Path(name)
