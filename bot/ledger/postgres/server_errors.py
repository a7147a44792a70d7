"""Errors of the server and of the way to it as the ledger's own: can it pass, or must somebody mend it?"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors
from sqlalchemy.exc import DBAPIError

from bot.ledger.errors import (
    LedgerError,
    LedgerUnavailable,
    LedgerUnreachable,
    LedgerUnusable,
    Overtaken,
    Unstorable,
)
from bot.ledger.postgres.address import name_of

_TO_MEND: Final[dict[type[psycopg.Error], str]] = {
    errors.InvalidPassword: "the server refuses the password",
    errors.InvalidAuthorizationSpecification: "the server refuses this user",
    errors.InvalidCatalogName: "the server has no database of this name",
    errors.InsufficientPrivilege: "the user has no right to do this: it must own the database",
    errors.UndefinedTable: "a table is missing: gnau db check says more",
    errors.UndefinedColumn: "a column is missing: gnau db check says more",
    errors.DataCorrupted: "the server says that the database is damaged",
    errors.IndexCorrupted: "the server says that an index is damaged",
}
"""What stays as it is until somebody changes it."""
_PASSES: Final[dict[type[psycopg.Error], str]] = {
    errors.DiskFull: "the server's disk is full",
    errors.OutOfMemory: "the server has no memory left",
    errors.TooManyConnections: "the server has too many connections",
    errors.AdminShutdown: "the server is stopping or restarting",
    errors.CrashShutdown: "the server has crashed and restarts",
    errors.CannotConnectNow: "the server is starting",
    errors.ReadOnlySqlTransaction: "the server only reads: it is a standby",
    errors.SerializationFailure: "another process writes the same servers",
    errors.DeadlockDetected: "another process writes the same servers",
}
"""What may pass without anybody doing something."""
MOVED_ON: Final = (Overtaken, errors.SerializationFailure, errors.DeadlockDetected)
"""After these, another process has written what this one did not know of, and this one nothing."""


def failure_of(error: BaseException, key: str = "") -> LedgerError | None:
    """What an error means; as `Reading.failure`."""
    original = error.orig if isinstance(error, DBAPIError) else error
    match original:
        case LedgerUnavailable():
            return original
        case errors.IntegrityError() | errors.DataError() if key:
            return Unstorable(key, _first_line(original))
        case psycopg.Error():
            for kind, why in _TO_MEND.items():
                if isinstance(original, kind):
                    return LedgerUnusable(why)
            for kind, why in _PASSES.items():
                if isinstance(original, kind):
                    return LedgerUnavailable(why)
            if original.sqlstate is None and isinstance(original, psycopg.OperationalError):
                return _unreachable(original)
            return LedgerUnavailable(_first_line(original))
    return None


def _unreachable(error: psycopg.OperationalError) -> LedgerUnavailable:
    """The refusal for an error without a code: libpq's own, or the server's at a login."""
    text = str(error)
    for words, why in (
        ("password authentication failed", "the server refuses the password"),
        ("no password supplied", "the server wants a password"),
        ("does not exist", "the server has no such user or database"),
        ("not permitted to log in", "the server refuses this user"),
        ("no pg_hba.conf entry", "the server refuses connections of this user from here"),
    ):
        if words in text:
            return LedgerUnusable(why)
    for words, why in (
        ("starting up", "the server is starting"),
        ("shutting down", "the server is stopping or restarting"),
        ("recovery mode", "the server has crashed and restarts"),
        ("too many", "the server has too many connections"),
    ):
        if words in text:
            return LedgerUnavailable(why)
    return LedgerUnreachable("the server cannot be reached, or the connection to it broke")


@contextmanager
def as_ledger_errors() -> Iterator[None]:
    """Turns the server's errors inside the context into the ledger's own."""
    try:
        yield
    except psycopg.Error as error:
        raise failure_of(error) or error from error


@contextmanager
def explained(address: str) -> Iterator[None]:
    """The same, with the name of the database."""
    try:
        yield
    except LedgerError:
        raise
    except Exception as error:
        if (failure := failure_of(error)) is None:
            raise
        raise type(failure)(f"{name_of(address)}: {failure}") from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
