"""Who reads what the current task writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from bot.rules.currency import CHIPS, Currency
from bot.words.locale import DEFAULT_LOCALE


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads, or everybody in a channel.

    Attributes:
        locale: their language and number format, as `closest_locale` returned it; any other is English.
        currency: what their server calls its chips.
    """

    locale: str = DEFAULT_LOCALE
    currency: Currency = CHIPS


_READER: Final[ContextVar[Reader]] = ContextVar("reader", default=Reader())  # noqa: B039 - it is frozen


def reader() -> Reader:
    """Who reads what the current task writes."""
    return _READER.get()


def set_reader(one: Reader) -> None:
    """Sets the reader of the current task, and of tasks that it starts from now on."""
    _READER.set(one)


@contextmanager
def speaking_to(one: Reader) -> Iterator[None]:
    """Sets the reader inside a `with` block, and restores the one before."""
    token = _READER.set(one)
    try:
        yield
    finally:
        _READER.reset(token)
