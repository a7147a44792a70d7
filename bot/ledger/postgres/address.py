"""The address of a PostgreSQL database, as libpq takes it.

What needs psycopg imports it inside a function: it is an extra, and the settings can be read without it.
"""

import re
from itertools import zip_longest
from typing import Any, Final

SCHEMES: Final = ("postgresql", "postgres")
_PORT: Final = re.compile("[1-9][0-9]{0,4}")
_EXAMPLE: Final = "postgresql://gnau@db.example/gnau"


def is_postgres(url: str) -> bool:
    """Whether this is the address of a PostgreSQL database."""
    return url.partition("://")[0] in SCHEMES


def check_address(url: str) -> None:
    """Raises ValueError for what cannot be an address; the text repeats nothing of it: it has a password."""
    try:
        import psycopg  # noqa: F401 - whether it is there, with libpq
    except ImportError:
        raise ValueError(
            "PostgreSQL needs psycopg, which is not installed here: in a clone of the repository, run "
            "pip install '.[postgres]'"
        ) from None
    given = _parts(url)
    is_whole = given.get("dbname") and (given.get("host") or given.get("hostaddr") or given.get("service"))
    # The rest of a password that has one of the characters / or @, which libpq takes for more of the address.
    has_rest = any("@" in str(given.get(part) or "") for part in ("host", "dbname"))
    ports = str(given.get("port") or "").split(",")
    if not is_whole or has_rest or not all(port == "" or _PORT.fullmatch(port) for port in ports):
        raise ValueError(
            f"a PostgreSQL address has a host and a name, as in {_EXAMPLE}; write special characters of a "
            "password as % codes"
        )


def name_of(url: str) -> str:
    """What log lines call the database: its address without user, password and options."""
    given = _parts(url)
    hosts = str(given.get("host") or given.get("hostaddr") or "").split(",")
    ports = str(given.get("port") or "").split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    named = (
        (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        for host, port in zip_longest(hosts, ports, fillvalue="")
        # A folder of sockets is no name of a machine.
        if not host.startswith("/")
    )
    return f"postgresql://{','.join(named)}/{given.get('dbname', '')}"


def _parts(url: str) -> dict[str, Any]:
    """The address as libpq reads it; empty if it cannot."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        return dict(conninfo_to_dict(url))
    except psycopg.Error:
        return {}
