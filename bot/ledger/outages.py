"""The log's lines about an outage of the database: one when it begins, one when it is over."""

import logging
from typing import Literal

from bot import outage
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.times import steady_time

log = logging.getLogger(__name__)


class Outage:
    """Whether the database can be used, and how often it could not since that began.

    Args:
        name: what the log calls the database.
        quiet_seconds: how long nothing may have failed before it is taken to work again. One read may work
            beside others that fail, because what it needs is in memory.
    """

    def __init__(
        self, name: str, of: Literal["changes", "reads"] = "changes", quiet_seconds: float = 0.0
    ) -> None:
        self._name = name
        self._of = of
        self._outage = outage.Outage(quiet_seconds=quiet_seconds, clock=steady_time)

    def refused(self, failure: LedgerUnavailable) -> None:
        """Counts what could not be done; the first is logged."""
        if self._outage.failed():
            why = str(failure)
            log.error(
                "nothing can be %s: %s",
                "written" if self._of == "changes" else "read",
                why if self._name in why else f"{self._name}: {why}",
            )
        failure.is_logged = True

    def over(self) -> None:
        """Notes that the storage works; logs it if it did not before."""
        if (over := self._outage.worked()) is not None:
            log.warning(
                "%s works again after %s; %s that were refused: %s",
                self._name,
                over.lasted,
                self._of,
                over.failures,
            )
