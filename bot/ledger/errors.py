"""Every way in which the ledger says no, as one tree of exceptions.

LedgerError
├── AlreadyDone          the key was committed before: nothing is done again
├── InsufficientChips    an account would go below zero
├── StaleTable           the events do not follow those that are stored
├── StaleHouse           the house rules were changed meanwhile
├── LedgerUnsound        the audit or SQLite finds faults in a file that should be whole
├── Unstorable           the change breaks another rule of the schema, such as one open table a channel
└── LedgerUnavailable    the storage does not work: full, locked, broken, closed
    └── LedgerInUse      another process has it

Whatever is raised, nothing of the change was done; but of LedgerUnavailable that is only as far as is known.
They carry facts; words for members are made elsewhere.
"""

from collections.abc import Sequence

from bot.table.money import Account


class LedgerError(Exception):
    """The ledger did not do what was asked."""


class AlreadyDone(LedgerError):
    """The key was committed before.

    Attributes:
        key: that key.
        answer: what was stored with it then, as JSON text, if anything.
    """

    def __init__(self, key: str, answer: str | None) -> None:
        super().__init__(f"{key} was done before")
        self.key = key
        self.answer = answer


class InsufficientChips(LedgerError):
    """An account would have gone below zero.

    Attributes:
        account: which one.
        balance: what it has, in chips.
        missing: how many chips more it would have needed.
    """

    def __init__(self, account: Account, balance: int, missing: int) -> None:
        super().__init__(f"{account} has {balance} chips, {missing} too few")
        self.account = account
        self.balance = balance
        self.missing = missing


class StaleTable(LedgerError):
    """The change was made from another state of the table than the one stored.

    Attributes:
        table_id: which table.
        stored: how many events it has.
        offered: what number the first event of the change would have had to follow.
    """

    def __init__(self, table_id: int, stored: int, offered: int) -> None:
        super().__init__(f"table {table_id} has {stored} events, the change follows number {offered}")
        self.table_id = table_id
        self.stored = stored
        self.offered = offered


class StaleHouse(LedgerError):
    """The change was made from other house rules than those stored.

    Attributes:
        server_id: whose house.
        stored: the number of its last change.
        offered: what number the change would have had to follow.
    """

    def __init__(self, server_id: int, stored: int, offered: int) -> None:
        super().__init__(f"the house of server {server_id} had {stored} changes, this one follows {offered}")
        self.server_id = server_id
        self.stored = stored
        self.offered = offered


class Unstorable(LedgerError):
    """The change breaks a rule of the schema: a number used twice, two open tables in one channel.

    Attributes:
        key: the key of the change.
        rule: which rule, in the words of the database.
    """

    def __init__(self, key: str, rule: str) -> None:
        super().__init__(f"{key} cannot be stored: {rule}")
        self.key = key
        self.rule = rule


class LedgerUnsound(LedgerError):
    """A file that was to be kept, or put back, is not what a ledger should be.

    Attributes:
        faults: what is wrong with it, entry by entry; at least one.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class LedgerUnavailable(LedgerError):
    """The storage does not work: disk full, file locked, an I/O error, a damaged page, or closed.

    Nothing was acknowledged. Where the disk failed in the very moment of a commit, the change may yet be
    found after a restart: asking again with the same key is safe in every case.
    """


class LedgerInUse(LedgerUnavailable):
    """Another process has the ledger open."""
