"""A table for tests, with its members' accounts in a plain dict."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from bot.games.contract import Game
from bot.games.gnau import GNAU
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Piece
from bot.rules.shuffle import SECRET_SIZE
from bot.table.accounts import OVERDRAWN, Account, AccountKind, Move, hold, score, wallet
from bot.table.commands import (
    Command,
    Deal,
    Join,
    OpenTable,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RollForBank,
    Showdown,
    TakeBank,
    WindUp,
)
from bot.table.commitment import Entropy
from bot.table.deadlines import Attention, DueAction, due_action
from bot.table.decide import Decision, decide, wallets_needed
from bot.table.events import DeadlineSet, Event, SecretCommitted
from bot.table.refusals import Refusal, Refused
from bot.table.state import THE_HOUSE, Bank, LeaveReason, RoundResult, Seat, TableState
from tests.games.presets import WIKIPEDIA

NOON = 1_790_000_000.0
CHIPS = 1000
SEALED = Entropy("ab" * SECRET_SIZE)
"""A secret, always the same, and no client seed."""
LARGEST_MULTIPLE = 7
"""Of the default house rules."""

MEI = 1
ALICE = 2
BOB = 3
CHAN = 4
DORA = 5
COMPANY = (MEI, ALICE, BOB, CHAN, DORA)

NO_OX = "4C 4D 3H 8S 5D"
SINGLE_9 = "10C JD QH 4S 5S"
SINGLE_1 = "10D JH QS 4C 7C"
DOUBLE_8 = "10H JS QC 8C 8D"
NGAU_TONKU = "10S 9H AD AS KD"
FIVE_DUKES = "JC QD KH KS KC"


def stacked(*hands: str, game: Game[Any, Any] = GNAU) -> tuple[Piece, ...]:
    """The pieces in an order that deals these hands, one piece at a time."""
    parsed = [[game.pieces.parse(word) for word in hand.split()] for hand in hands]
    return tuple(hand[place] for place in range(HAND_SIZE) for hand in parsed)


def wallets_for(state: TableState, command: Command, accounts: Counter[Account]) -> Mapping[int, int]:
    """The wallets that the croupier reads for a command, and no others."""
    needed = wallets_needed(state, command, getattr(command, "party", None))
    return MappingProxyType({party: accounts[wallet(party)] for party in needed})


def moved(accounts: Counter[Account], moves: Iterable[Move]) -> Counter[Account]:
    """The accounts after these moves; checks that none is overdrawn on the way."""
    after = accounts.copy()
    for move in moves:
        after[move.source] -= move.chips
        after[move.target] += move.chips
        assert after[move.source] >= 0 or move.source.kind in OVERDRAWN
    return after


class TrialTable:
    """A table that Mei opened; every member has 1,000 chips unless `chips` says otherwise."""

    def __init__(
        self,
        rules: HouseRules = WIKIPEDIA,
        chips: Mapping[int, int] | None = None,
        entropy: Callable[[], Entropy] = lambda: SEALED,
    ) -> None:
        self.house = rules
        self.entropy = entropy
        self.now = NOON
        self.attention = Attention()
        self.accounts: Counter[Account] = Counter(
            {wallet(member): CHIPS for member in COMPANY}
            | {wallet(member): own for member, own in (chips or {}).items()}
        )
        self.record: list[Event] = []
        opening = OpenTable(table_id=70, server_id=8, channel_id=9, number=3, opener=MEI, rules=rules)
        opened = decide(None, opening, self.now, {}, entropy())
        assert not isinstance(opened, Refused)
        self.state = opened.state
        self.record.extend(opened.events)

    def ask(self, command: Command) -> tuple[Event, ...] | Refused:
        """Decides a command, and carries out what is not refused."""
        decided = self.decided(command)
        if isinstance(decided, Refused):
            return decided
        self.accounts = moved(self.accounts, decided.moves)
        self.state = decided.state
        self.record.extend(decided.events)
        return decided.events

    def decided(self, command: Command) -> Decision | Refused:
        """Decides a command, and carries out nothing."""
        wallets = wallets_for(self.state, command, self.accounts)
        return decide(self.state, command, self.now, wallets, self.entropy(), self.attention)

    def do(self, command: Command) -> tuple[Event, ...]:
        """The events of an accepted command, without new secrets and changes of the deadline."""
        decided = self.ask(command)
        assert not isinstance(decided, Refused), decided
        return tuple(event for event in decided if not isinstance(event, DeadlineSet | SecretCommitted))

    def refused(self, command: Command) -> tuple[Refusal, dict[str, int | str]]:
        """The code and the facts of a refusal; checks that they belong together."""
        decided = self.ask(command)
        assert isinstance(decided, Refused), decided
        assert tuple(decided.facts) == decided.code.facts
        return decided.code, dict(decided.facts)

    def bank(self, member: int = MEI, lowest: int = 5, highest: int = 100) -> None:
        """Has a member take the bank."""
        self.do(TakeBank(member, lowest, highest, self.house))

    def play_house(self, member: int = ALICE, chips: int | None = None) -> None:
        """Has the house bank because a member asks, with these chips or those that it has."""
        if chips is not None:
            self.accounts[wallet(THE_HOUSE)] = chips
        self.do(PlayHouse(member, self.house))

    def roll(self, member: int, *dice: int) -> tuple[Event, ...]:
        """Has a member roll these dice, two for each player."""
        return self.do(RollForBank(member, dice, self.house))

    def join(self, *members: int) -> None:
        """Has members sit down, in this order."""
        for member in members:
            self.do(Join(member))

    def bet_all(self, stake: int, *members: int) -> None:
        """Has members bet the same, in this order."""
        for member in members:
            self.bet(member, stake)

    def bet(self, member: int, stake: int) -> None:
        """Has a member bet."""
        self.do(PlaceBet(member, stake))

    def back(self, member: int, backed: int, stake: int) -> None:
        """Has a spectator bet on a player's hand."""
        self.do(PlaceSideBet(member, backed, stake))

    def deal(self, *hands: str) -> None:
        """Deals these hands, the banker's last."""
        assert self.state.bank is not None
        self.do(Deal(self.state.bank.party, stacked(*hands, game=self.state.game)))

    def deal_when_due(self, *hands: str) -> None:
        """Has the table deal these hands because time is up."""
        self.do(Deal(None, stacked(*hands, game=self.state.game)))

    def wait(self, seconds: float) -> DueAction | None:
        """Lets time pass, and returns what is due then."""
        self.now += seconds
        return due_action(self.state, self.now, self.attention)

    def showdown(self) -> tuple[Event, ...]:
        """Lets the time to arrange run out, and settles."""
        assert self.wait(self.state.rules.arranging_seconds) is DueAction.SHOWDOWN
        return self.do(Showdown(self.house))

    def play(self, bets: Mapping[int, int], *hands: str) -> tuple[Event, ...]:
        """Plays a round with these bets, and these hands in the order of dealing."""
        for member, stake in bets.items():
            self.bet(member, stake)
        self.deal(*hands)
        return self.showdown()

    def wind_up(self, why: LeaveReason = LeaveReason.GONE) -> tuple[Event, ...]:
        """Closes the table."""
        return self.do(WindUp(why))

    @property
    def bank_now(self) -> Bank:
        """The bank, which somebody has."""
        assert self.state.bank is not None
        return self.state.bank

    @property
    def last(self) -> RoundResult:
        """The result of the last round."""
        assert self.state.last is not None
        return self.state.last

    def seat(self, member: int) -> Seat:
        """A member's seat."""
        seat = self.state.seat_of(member)
        assert seat is not None
        return seat

    def wallet(self, member: int) -> int:
        """A member's free chips."""
        return self.accounts[wallet(member)]

    def held(self, member: int) -> int:
        """A member's held chips at this table."""
        return self.accounts[hold(self.state.table_id, member)]

    def score(self, member: int) -> int:
        """A member's points."""
        return self.accounts[score(member)]

    @property
    def holds(self) -> dict[int, int]:
        """The held chips of each member at this table, without zeros."""
        return {
            account.party: chips
            for account, chips in self.accounts.items()
            if account.kind is AccountKind.HOLD and account.party is not None and chips
        }


def banked(
    rules: HouseRules = WIKIPEDIA,
    chips: Mapping[int, int] | None = None,
    *,
    bets: Mapping[int, int] | None = None,
    limits: tuple[int, int] = (5, 100),
    entropy: Callable[[], Entropy] = lambda: SEALED,
) -> TrialTable:
    """A table where Mei is banker, and these members have bet, in this order."""
    table = TrialTable(rules, chips, entropy)
    table.bank(MEI, *limits)
    for member, stake in (bets or {}).items():
        table.bet(member, stake)
    return table


def table_with_side_bet(stake: int = 20, *, rules: HouseRules = WIKIPEDIA) -> TrialTable:
    """A table where Mei is banker, Alice has bet 10, and Chan backs her."""
    table = banked(rules, bets={ALICE: 10})
    table.back(CHAN, ALICE, stake)
    return table


def wallets_of(table: TrialTable, *members: int) -> dict[int, int]:
    """The free chips of these members, by id."""
    return {member: table.wallet(member) for member in members}
