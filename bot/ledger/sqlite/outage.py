"""Logs when the storage begins to fail and when it works again: one line each, however often it fails."""

import logging
from pathlib import Path
from typing import Literal

from bot import outage
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.not_after import steady_time
from bot.ledger.sqlite.storage_errors import in_words

log = logging.getLogger(__name__)


class Outage:
    """Whether the database can be used, and how often it could not since that began.

    Args:
        path: the database.
        of: what is asked of it, "changes" or "reads".
        quiet_seconds: how long nothing may have failed before it is taken to work again. One read may work
            beside others that fail, because its pages are in memory.
    """

    def __init__(
        self, path: Path, of: Literal["changes", "reads"] = "changes", quiet_seconds: float = 0.0
    ) -> None:
        self._path = path
        self._of = of
        self._outage = outage.Outage(quiet_seconds=quiet_seconds, clock=steady_time)

    def refused(self, failure: LedgerUnavailable) -> None:
        """Counts what could not be done; the first is logged."""
        if self._outage.failed():
            cause = failure.__cause__
            why = str(failure) if cause is None else f"{self._path}: {in_words(self._path, cause)}"
            log.error("nothing can be %s: %s", "written" if self._of == "changes" else "read", why)
        failure.is_logged = True

    def over(self) -> None:
        """Notes that the storage works; logs it if it did not before."""
        if (over := self._outage.worked()) is not None:
            log.warning(
                "%s works again after %s; %s that were refused: %s",
                self._path,
                over.lasted,
                self._of,
                over.failures,
            )
