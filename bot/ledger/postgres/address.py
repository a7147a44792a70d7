"""The address of a PostgreSQL database, as libpq takes it."""

from typing import Final
from urllib.parse import unquote, urlsplit

SCHEMES: Final = ("postgresql", "postgres")
_EXAMPLE: Final = "postgresql://gnau@db.example/gnau"


def is_postgres(url: str) -> bool:
    """Whether this is the address of a PostgreSQL database."""
    return url.partition(":")[0] in SCHEMES


def check_address(url: str) -> None:
    """Raises ValueError for what cannot be an address; the text repeats nothing of it: it has a password."""
    try:
        parts = urlsplit(url)
        whole = bool(parts.hostname or "host=" in parts.query) and parts.port != 0 and len(parts.path) > 1
    except ValueError:
        whole = False
    if not whole:
        raise ValueError(
            f"the address of a PostgreSQL database has a host and a name, such as {_EXAMPLE}; write the "
            "special characters of a password as % codes"
        )


def name_of(url: str) -> str:
    """What log lines call the database: its address without user, password and options."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{parts.hostname or ''}{port}{unquote(parts.path)}"
