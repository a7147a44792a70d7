"""Tables for layouts to show: all states of random evenings, and one where everything is at its longest."""

import random
from collections.abc import Iterator
from dataclasses import replace

from bot.rules.cards import Card, parse_cards
from bot.rules.knobs import HouseRules
from bot.rules.shuffle import shuffled_pack
from bot.table.clock import Due, due
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberGone,
    OpenTable,
    PlaceBet,
    ShowDown,
    ShowHand,
    SitOut,
    TakeBank,
    WindUp,
    WithdrawBet,
)
from bot.table.decide import decide
from bot.table.evolve import fold
from bot.table.farewell import Farewell
from bot.table.play import hands_to_deal
from bot.table.refusals import Refused
from bot.table.state import Member, Phase, TableState

NOON = 1_790_000_000.0
MOST_SEATS = 19
LAST_ID = (1 << 63) - 1
"""The largest id that Discord can give: 19 digits."""
PURSE = 10**12
HIGHEST = 999_999_999
RULES = HouseRules(seats=MOST_SEATS, multiple_five_dukes=20, arranging_seconds=3600)
LONG_NAME = "*_`~|" * 6 + "🐂牛"
"""As long as Discord lets a name be, and all of it markdown or wide."""
MEMBERS = tuple(Member(LAST_ID - number, LONG_NAME) for number in range(MOST_SEATS + 4))
BANKER, PLAYERS = MEMBERS[0], MEMBERS[1 : MOST_SEATS + 1]
STRANGER = Member(LAST_ID - 100, LONG_NAME)
NENKU = parse_cards("10C 10D 10H AC KD")
"""The hand with the longest name."""


class Table:
    """A table that remembers each state in which a command left it."""

    def __init__(self, rules: HouseRules = RULES) -> None:
        self.rules = rules
        self.now = NOON
        opening = OpenTable(LAST_ID, LAST_ID - 1, LAST_ID - 2, 9_999, MEMBERS[0], rules)
        opened = decide(None, opening, self.now, {})
        assert not isinstance(opened, Refused)
        self.states = [fold(None, opened)]

    @property
    def state(self) -> TableState:
        """The table as it is."""
        return self.states[-1]

    def ask(self, command: Command) -> bool:
        """Has it do something, and says whether it did."""
        wallets = {member.member_id: PURSE for member in MEMBERS}
        decided = decide(self.state, command, self.now, wallets)
        if isinstance(decided, Refused):
            return False
        self.states.append(fold(self.state, decided))
        return True

    def do(self, *commands: Command) -> None:
        """Has it do what it does not refuse."""
        for command in commands:
            assert self.ask(command), command

    def go_on(self) -> None:
        """What it does by itself."""
        while (what := due(self.state, self.now)) is not None:
            match what:
                case Due.DEAL:
                    self.do(Deal(None, shuffled_pack(hands_to_deal(self.state), self.state.rules)))
                case Due.SHOW_DOWN:
                    self.do(ShowDown(self.rules))
                case Due.WIND_UP:
                    self.do(WindUp(Farewell.DESERTED))


def random_evening(seed: int, length: int = 150) -> list[TableState]:
    """Every state of an evening when members do whatever comes to their mind."""
    rng, states = random.Random(seed), list[TableState]()
    while len(states) < length:
        table = Table(RULES.model_copy(update={"seats": rng.choice([1, 3, 9, MOST_SEATS])}))
        while table.state.phase is not Phase.CLOSED and len(table.states) < length:
            table.ask(_something(rng, table.state, rng.choice(MEMBERS)))
            table.now += rng.choice([0, 0, 0, 1, 10])
            table.go_on()
        states += table.states
    return states


def _something(rng: random.Random, state: TableState, member: Member) -> Command:
    who = member.member_id
    anything: list[Command] = [Join(member), Leave(who), GiveUpBank(who), WithdrawBet(who), SitOut(who)]
    if rng.random() < 0.01:
        endings: list[Command] = [CloseTable(who, manages=True), MemberGone(who)]
        return rng.choice(endings)
    if rng.random() < 0.2:
        return rng.choice(anything)
    match state.phase:
        case Phase.OPEN:
            lowest = rng.choice([1, 5, 1_000_000])
            return TakeBank(member, lowest, lowest * rng.choice([1, 2, 500]), state.rules)
        case Phase.DEALT:
            return ShowHand(who)
        case _ if state.bank is not None and rng.random() < 0.1:
            return Deal(state.bank.member.member_id, shuffled_pack(hands_to_deal(state), state.rules))
        case _:
            highest = state.bank.highest if state.bank else 1
            return PlaceBet(member, rng.randint(max(highest // 3, 1), highest))


def crowded_evening() -> Iterator[TableState]:
    """The states of two rounds in which all that is shown is as long as it can be, each state once."""
    table = Table()
    table.do(TakeBank(BANKER, HIGHEST - 1, HIGHEST, RULES))
    for _ in range(2):
        table.do(*(PlaceBet(player, HIGHEST) for player in PLAYERS))
        table.do(Deal(BANKER.member_id, _everybody(NENKU)))
        table.do(*(Leave(player.member_id) for player in PLAYERS), GiveUpBank(BANKER.member_id))
        table.do(*(ShowHand(player.member_id) for player in PLAYERS))
        yield from table.states
        # As if nobody had wanted to go: the next round shows the last one, and everybody is there again.
        table.states[:] = [_all_stay(table.state)]
        table.do(ShowHand(BANKER.member_id))
        table.go_on()
    table.do(*(PlaceBet(player, HIGHEST) for player in PLAYERS))
    yield from table.states
    table.do(*(MemberGone(player.member_id) for player in PLAYERS))
    yield from table.states


def _everybody(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards that make this hand for everybody when they are dealt round the table."""
    return tuple(card for card in hand for _ in range(MOST_SEATS + 1))


def _all_stay(state: TableState) -> TableState:
    assert state.bank is not None
    seats = tuple(replace(seat, leaving=False) for seat in state.seats)
    return replace(state, seats=seats, bank=replace(state.bank, leaving=False))
