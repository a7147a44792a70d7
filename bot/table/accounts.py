"""Accounts, and the moves of chips between them.

Double entry in whole chips, per server. A move takes chips from one account and gives them to another, so the
sum over a server stays zero. Points have accounts of their own, and never mix with chips.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.table.state import THE_HOUSE, is_computer


class AccountKind(StrEnum):
    """What an account is for."""

    WALLET = "wallet"
    """The chips that a member has free to bet; the house's, for it as banker and for computer players."""
    HOLD = "hold"
    """The exposure of a member, the house or a computer player at a table in this round (B02)."""
    HOUSE = "house"
    """The server's own chips."""
    MINT = "mint"
    """Where chips come from; goes below zero."""
    POT = "pot"
    """The entries of a tournament, until its prizes are paid."""
    SCORE = "score"
    """A member's running score at tables for points; may go below zero (G22)."""


OVERDRAWN: Final = frozenset({AccountKind.MINT, AccountKind.SCORE})
"""The kinds of accounts that may go below zero."""
OF_CHIPS: Final = frozenset({AccountKind.WALLET, AccountKind.HOLD})
"""The kinds of accounts that have a member's chips."""


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a server.

    Attributes:
        party: its member, computer player, or the house as banker; None for `HOUSE`, `MINT` and `POT`.
        table_id: the table of a hold, or the tournament of a pot; None for other kinds.
    """

    kind: AccountKind
    party: int | None = None
    table_id: int | None = None

    def __str__(self) -> str:
        """Its name in the ledger: `wallet:7`, `hold:3:7`, `pot:5`, `score:7`, `house`, `mint`."""
        # Not `kind.value`: that property takes as long as the rest.
        kind, party, table_id = self.kind._value_, self.party, self.table_id
        if party is None:
            return kind if table_id is None else f"{kind}:{table_id}"
        return f"{kind}:{party}" if table_id is None else f"{kind}:{table_id}:{party}"


HOUSE = Account(AccountKind.HOUSE)
MINT = Account(AccountKind.MINT)


def payer(party: int) -> int:
    """Whose chips a party plays with: computer players have the house's, others their own."""
    return THE_HOUSE if is_computer(party) else party


def wallet(party: int) -> Account:
    """The chips that a party has free to bet."""
    return Account(AccountKind.WALLET, party=payer(party))


def hold(table_id: int, party: int) -> Account:
    """The chips held at that table, of a member, the house as banker or a computer player."""
    return Account(AccountKind.HOLD, party=party, table_id=table_id)


def pot(tournament_id: int) -> Account:
    """The entries of a tournament."""
    return Account(AccountKind.POT, table_id=tournament_id)


def score(party: int) -> Account:
    """The member's running score in points."""
    return Account(AccountKind.SCORE, party=party)


class Reason(StrEnum):
    """Why chips or points moved, as the ledger stores it."""

    OPENING_CHIPS = "opening_chips"
    BANKROLL = "bankroll"
    """An admin sets what the house banks with (B07)."""
    DAILY = "daily"
    """A handout that a member takes once in some hours."""
    RELIEF = "relief"
    """A handout for a member who has few chips."""
    GRANTED = "granted"
    """An admin gives a member chips, with a reason."""
    TAKEN = "taken"
    """An admin takes chips from a member, with a reason."""
    SEASON = "season"
    """A season is over, after which every member has the opening chips."""
    GIFT = "gift"
    ERASED = "erased"
    """What a member had who was erased goes to the house."""
    BET_HELD = "bet_held"
    BANK_HELD = "bank_held"
    BET_RETURNED = "bet_returned"
    BANK_RETURNED = "bank_returned"
    PLAYER_WON = "player_won"
    BANKER_WON = "banker_won"
    SIDE_BET_WON = "side_bet_won"
    SIDE_BET_LOST = "side_bet_lost"
    ENTRY = "entry"
    """A member enters a tournament."""
    ENTRY_RETURNED = "entry_returned"
    """They leave it before it starts, or it is cancelled."""
    PRIZE = "prize"
    """What a tournament brings one of the first; its whole pot goes to the house if nobody is left."""
    POINTS_WON = "points_won"
    POINTS_LOST = "points_lost"


HANDOUTS: Final = frozenset({Reason.DAILY, Reason.RELIEF})
"""Why a member gets chips for which they do nothing."""
OF_TOURNAMENTS: Final = frozenset({Reason.ENTRY, Reason.ENTRY_RETURNED, Reason.PRIZE})
"""Why chips go into the pot of a tournament, or out of it."""
OF_PLAY: Final = OF_TOURNAMENTS | {
    Reason.PLAYER_WON,
    Reason.BANKER_WON,
    Reason.SIDE_BET_WON,
    Reason.SIDE_BET_LOST,
}
"""Why a member gained or lost chips by playing."""


class LedgerPart(StrEnum):
    """Which gains and losses of a member are listed."""

    ALL = "all"
    PLAY = "play"
    GIFTS = "gifts"
    HANDOUTS = "handouts"
    """Opening chips, what the member takes now and then, what admins gave and took, and ends of seasons."""


def check_chips(chips: int) -> None:
    """Returns if this is a number of chips that can move."""
    if type(chips) is not int:
        raise ValueError(f"a move is of a whole number of chips, not of {chips!r}")
    if chips <= 0:
        raise ValueError(f"a move is of one chip or more, not of {chips}")


@dataclass(frozen=True, slots=True)
class Move:
    """Chips that go from one account to another; points, where both are scores."""

    source: Account
    target: Account
    chips: int
    reason: Reason
    round_number: int | None = None

    def __post_init__(self) -> None:
        check_chips(self.chips)
        if self.source == self.target:
            raise ValueError(f"a move goes from one account to another, not from {self.source} to itself")
        if (self.source.kind is AccountKind.SCORE) != (self.target.kind is AccountKind.SCORE):
            raise ValueError(f"points and chips never mix, as they would from {self.source} to {self.target}")


def chips_after(wallets: Mapping[int, int], moves: Iterable[Move]) -> dict[int, int]:
    """The free chips of each payer after these moves."""
    chips = Counter(wallets)
    for move in moves:
        for account, change in ((move.source, -move.chips), (move.target, move.chips)):
            if account.kind is AccountKind.WALLET and account.party is not None:
                chips[account.party] += change
    return dict(chips)


def owner_of(account: Account) -> int | None:
    """Whose chips are in an account; None for scores, the house's own and the mint's."""
    return payer(account.party) if account.kind in OF_CHIPS and account.party is not None else None


def owner_by_name(account: str) -> int | None:
    """The same for an account's stored name; None also if no account can have that name."""
    kind, _, ids = account.partition(":")
    party = ids.rpartition(":")[2]
    return payer(int(party)) if kind in OF_CHIPS and party.isdecimal() else None


def loser_and_gainer(source: int | None, target: int | None) -> tuple[int | None, int | None]:
    """The parties that have fewer and more chips after a transfer between accounts of these owners.

    Both are None if a member's chips only move between their own accounts.
    """
    return (None, None) if source == target else (source, target)
