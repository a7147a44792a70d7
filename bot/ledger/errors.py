"""Every way in which the ledger refuses, and what the log says while its storage does not work.

After any of them nothing of the change is stored, except that after LedgerUnavailable this is not certain.
They carry facts. Sentences for members are made elsewhere.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from bot.clock import Outage, steady_time
from bot.table.accounts import Account

log = logging.getLogger(__name__)


class LedgerError(Exception):
    """The ledger did not do what was asked."""


class AlreadyDone(LedgerError):
    """The key was already committed, with this answer: JSON text, or None."""

    def __init__(self, key: str, answer: str | None) -> None:
        super().__init__(f"{key} was already done")
        self.answer = answer


class InsufficientChips(LedgerError):
    """An account would have gone below zero: it has this balance, and needs this many more."""

    def __init__(self, account: Account, balance: int, missing: int) -> None:
        super().__init__(f"{account} has {balance} chips, {missing} too few")
        self.balance = balance


class StaleTable(LedgerError):
    """The change starts from another state of the table than the stored one."""

    def __init__(self, table_id: int, stored: int, offered: int) -> None:
        follows = "another" if stored == offered else "number"
        super().__init__(f"table {table_id} has {stored} events, the change follows {follows} {offered}")


class StaleHouse(LedgerError):
    """The change starts from other house rules than the stored ones."""

    def __init__(self, server_id: int, stored: int, offered: int) -> None:
        super().__init__(f"the house of server {server_id} has {stored} changes, this one follows {offered}")


class StaleGifts(LedgerError):
    """Another process made a gift in the server since this one was decided."""

    def __init__(self, server_id: int) -> None:
        super().__init__(f"there was another gift in server {server_id}")


class StaleBalance(LedgerError):
    """The account that gets chips has others than those for which it was decided."""

    def __init__(self, account: str, stored: int, offered: int) -> None:
        super().__init__(f"{account} has {stored} chips, this was decided for {offered}")


class ChipsHeld(LedgerError):
    """Everybody gets the opening chips again only while none are held in the server."""

    def __init__(self, server_id: int) -> None:
        super().__init__(f"chips are held in server {server_id}")


class MoreToReset(LedgerError):
    """More members have other chips than one transaction resets."""

    def __init__(self, server_id: int) -> None:
        super().__init__(f"more chips are to be reset in server {server_id}")


class MemberErased(LedgerError):
    """The change is of, or for, a member who was erased."""

    def __init__(self, party: int) -> None:
        super().__init__(f"party {party} was erased")
        self.party = party


class ChipsLeft(LedgerError):
    """A member to be erased would keep chips, which came after they were counted."""

    def __init__(self, party: int, chips: int) -> None:
        super().__init__(f"party {party} would be erased with {chips} chips left")


class TooLate(LedgerError):
    """Who asked for the change is told by now that it failed."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} came too late")


class Unstorable(LedgerError):
    """The change breaks a rule of the schema: a fraction of a chip, two open tables in one channel."""

    def __init__(self, key: str, rule: str) -> None:
        super().__init__(f"{key} cannot be stored: {rule}")


class LedgerCorrupt(LedgerError):
    """A file that was to be backed up or restored is not an intact ledger: a sentence for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class LedgerUnavailable(LedgerError):
    """The storage does not work: disk full, file locked, an I/O error, a damaged page, or closed.

    Nothing was acknowledged. If the disk failed during the commit, the change may still be there after a
    restart. It is always safe to ask again with the same key.
    """

    is_logged = False


class LedgerUnreachable(LedgerUnavailable):
    """The server cannot be reached, or is silent: the next try would only wait again."""


class Overtaken(LedgerUnavailable):
    """Another process wrote to the chain of a server meanwhile, so nothing was written."""

    def __init__(self) -> None:
        super().__init__("another process writes to the same servers")


class Reconnected(LedgerUnavailable):
    """The connection broke while nothing was written: the server may lack the last commits now."""

    def __init__(self) -> None:
        super().__init__("the connection to the server broke")


class LedgerUnusable(LedgerUnavailable):
    """Somebody must change something first, such as a permission: trying again does not help."""


class LedgerDamaged(LedgerUnusable):
    """The file is damaged: only a backup helps."""

    def __init__(self, database: Path, damage: str) -> None:
        super().__init__(f"{database} is damaged: {damage}")
        self.database = database
        self.damage = damage


class LedgerForeign(LedgerUnusable):
    """The file is no SQLite database, and nothing beside it says that it ever was one."""

    def __init__(self, database: Path) -> None:
        super().__init__(f"{database} is no SQLite database")
        self.database = database


class LedgerLost(LedgerUnusable):
    """The file is missing or empty, but has backups, which those of a new one would replace."""

    def __init__(self, database: Path, backups: Path) -> None:
        super().__init__(f"{database} is missing or empty, but it has backups")
        self.database = database
        self.backups = backups


class LedgerInUse(LedgerUnavailable):
    """Another process has the ledger open."""


class StorageOutage:
    """The log's lines about an outage of the database: one when it begins, one when it is over.

    Args:
        name: what the log calls the database.
        quiet_seconds: how long nothing may have failed before it is taken to work again. One read may work
            beside others that fail, because what it needs is in memory.

    Attributes:
        why: why the last one failed; empty while it works.
        failures: how many have failed.
    """

    def __init__(
        self, name: str, of: Literal["changes", "reads"] = "changes", quiet_seconds: float = 0.0
    ) -> None:
        self._name = name
        self._of = of
        self.why = ""
        self.failures = 0
        self._outage = Outage(quiet_seconds=quiet_seconds, clock=steady_time)

    @property
    def count(self) -> int:
        """How many outages there were."""
        return self._outage.count

    def refused(self, failure: LedgerUnavailable) -> None:
        """Counts what could not be done; the first is logged."""
        why = str(failure)
        self.failures += 1
        self.why = why if self._name in why else f"{self._name}: {why}"
        if self._outage.failed():
            log.error("nothing can be %s: %s", "written" if self._of == "changes" else "read", self.why)
        failure.is_logged = True

    def over(self) -> None:
        """Notes that the storage works; logs it if it did not before."""
        if (over := self._outage.worked()) is not None:
            self.why = ""
            log.warning(
                "%s works again after %s; %s that were refused: %s",
                self._name,
                over.lasted,
                self._of,
                over.failures,
            )
