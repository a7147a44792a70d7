"""What the values of settings look like: each function reads one, or raises ValueError.

The text of an error is what is said after the setting's name; without one, its declaration says that. It
never has the value, which may be or contain a password.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, AnyUrl, BeforeValidator, TypeAdapter, UrlConstraints

from bot.ledger.database import check_url

Read = TypeVar("Read")
_SECONDS: Final = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_PART: Final = "[0-9]{1,5}(-[0-9]{1,5})?"


def plain_value(value: Any) -> Any:
    """The value, if it is text without blanks and one pair of quotation marks around it."""
    if not isinstance(value, str):
        return value
    quoted = re.fullmatch(r"""(["'])(.*)\1""", value.strip(), re.DOTALL)
    return value.strip() if quoted is None else quoted[2].strip()


def refuse_leftovers(value: str) -> str:
    """The value; what Docker takes for a part of it, and `.env` and a shell do not, is refused."""
    if re.search(r"(^|\s)#", value):
        raise ValueError(
            "has a comment after it: give the comment a line of its own, because docker's --env-file "
            "takes it for a part of the value"
        )
    if value.startswith(("'", '"')) or value.endswith(("'", '"')):
        raise ValueError("begins or ends with a quotation mark: leave it out")
    if not value.isprintable():
        raise ValueError("contains invisible characters")
    return value


def _of_text(read: Callable[[str], Read]) -> BeforeValidator:
    """Reads text; other values are those of code, and stay."""
    return BeforeValidator(lambda value: read(value) if isinstance(value, str) else value)


def url(*schemes: str) -> AfterValidator:
    """Takes a URL of one of these schemes, and returns it without a slash at its end."""
    return AfterValidator(_url(*schemes))


def _url(*schemes: str) -> Callable[[str], str]:
    whole = Annotated[AnyUrl, UrlConstraints(allowed_schemes=[*schemes])]
    adapter: TypeAdapter[AnyUrl] = TypeAdapter(whole)
    return lambda value: str(adapter.validate_python(value)).rstrip("/")


@AfterValidator
def proxy(value: str) -> str:
    """The URL of a proxy; others take a host and a port too."""
    found = _url("http", "https")(value if "://" in value or ":" not in value else f"http://{value}")
    if "%3a" in (urlsplit(found).username or "").lower():
        # No name of a user may have a colon (RFC 7617).
        raise ValueError
    return found


@AfterValidator
def database_url(value: str) -> str:
    """The address of a database."""
    try:
        check_url(value)
    except ValueError as wrong:
        raise ValueError(f"cannot be used: {wrong}") from None
    return value


def read_duration(value: str) -> float:
    """A duration such as `30m`, `6h` or `1d` in seconds; 0 for `off`.

    Raises:
        ValueError: it is none.
    """
    parts = re.fullmatch("(off)|(?!0+[mhd])([0-9]{1,4})([mhd])", value.lower())
    if parts is None:
        raise ValueError
    return 0.0 if parts[1] else int(parts[2]) * _SECONDS[parts[3]]


duration: Final = _of_text(read_duration)


@_of_text
def command(value: str) -> tuple[str, ...]:
    """A command and its words, as a shell divides them."""
    return tuple(shlex.split(value))


@_of_text
def listening(value: str) -> tuple[str, int] | None:
    """A host and a port; the host is this machine if there is none. None for `off`."""
    if value.lower() == "off":
        return None
    parts = re.fullmatch(r"(?a:([\w.-]+|\[[\da-fA-F:.]+\]):)?([0-9]{1,5})", value)
    if parts is None or not 0 < int(parts[2]) < 1 << 16:
        raise ValueError
    return (parts[1] or "127.0.0.1").strip("[]"), int(parts[2])


@_of_text
def shard_ids(value: str) -> frozenset[int]:
    """Numbers of shards, such as `0-3` or `1,5`."""
    if not re.fullmatch(f"{_PART}( *, *{_PART})*", value):
        raise ValueError
    parts = [part.partition("-") for part in value.replace(" ", "").split(",")]
    ranges = [range(int(first), int(last or first) + 1) for first, _, last in parts]
    if not all(ranges):
        raise ValueError("has no shard, as 5-2 has none")
    return frozenset().union(*ranges)


@AfterValidator
def content(value: str) -> str:
    """What is in a file."""
    try:
        return Path(value).read_text("utf-8", "replace").strip()
    except OSError as failed:
        raise ValueError(f"names a file that cannot be read: {failed.strerror}") from None
