"""Tables for layouts: all states of random evenings, and one where every text is at its longest."""

import random
from collections.abc import Iterator
from dataclasses import replace

from bot.games.gnau.rules import GnauRules
from bot.games.hands import shuffled_pack
from bot.games.niu_niu.rules import NiuNiuRules
from bot.rules.cards import Card, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, Dealing, Play, SuitedBonus
from bot.table.bank import dice_needed
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    OpenTable,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    Showdown,
    SitOut,
    TakeBank,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.deadlines import DueAction, due_action
from bot.table.dealing import hands_to_deal
from bot.table.decide import decide
from bot.table.refusals import Refused
from bot.table.state import THE_HOUSE, LeaveReason, Phase, TableState
from tests.games.presets import TAU_NGAU_PRESET
from tests.sizes import sized
from tests.table.trial_table import SEALED
from tests.ui.sample_names import names

NOON = 1_790_000_000.0
MOST_SEATS = 19
LAST_ID = (1 << 63) - 1
"""The largest id that Discord can give: 19 digits."""
PURSE = 10**12
HIGHEST = 999_999_999
RULES = GnauRules(seats=MOST_SEATS, multiple_five_dukes=20, arranging_seconds=3600)
TAU_NGAU_RULES = TAU_NGAU_PRESET.model_copy(update={"arranging_seconds": 3600})
NIU_NIU_RULES = NiuNiuRules(seats=MOST_SEATS, multiple_niu_niu=20, arranging_seconds=3600)
HOUSES = (
    RULES,
    RULES.model_copy(update={"arrange": ArrangedBy.ASSISTED, "suited_bonus": SuitedBonus.OX}),
    RULES.model_copy(update={"play": Play.POINTS, "bank_passes": BankPasses.EVERY_ROUND}),
    RULES.model_copy(update={"computer_players": 3}),
    TAU_NGAU_RULES,
    TAU_NGAU_RULES.model_copy(update={"computer_players": 2}),
    TAU_NGAU_RULES.model_copy(update={"arrange": ArrangedBy.STRICT, "bank_passes": BankPasses.AFTER_NO_OX}),
    TAU_NGAU_RULES.model_copy(update={"play": Play.POINTS, "dealing": Dealing.MY_HAND}),
    NIU_NIU_RULES,
    NIU_NIU_RULES.model_copy(update={"arrange": ArrangedBy.STRICT, "bank_passes": BankPasses.AFTER_OX}),
)
"""Rules that differ as much as possible."""
LONG_NAME = "*_`~|" * 6 + "🐂牛"
"""The longest names that Discord allows, all markdown or wide characters."""
NAMES = names(LONG_NAME)
MEMBERS = tuple(LAST_ID - number for number in range(MOST_SEATS + 4))
BANKER, PLAYERS = MEMBERS[0], MEMBERS[1 : MOST_SEATS + 1]
ON_LOOKERS = tuple(LAST_ID - 200 - number for number in range(30))
LONG_RULES = RULES.model_copy(
    update={
        "suited_bonus": SuitedBonus.OX,
        "arrange": ArrangedBy.STRICT,
        "bank_passes": BankPasses.AFTER_NO_OX,
    }
)
"""The rules with the longest description."""
STRANGER = LAST_ID - 100
NENKU = parse_cards("10S QS KS AC KD")
"""The hand with the longest name: its ox is of one suit."""


class Table:
    """A table that remembers its state after each command."""

    def __init__(self, rules: HouseRules = RULES) -> None:
        self.rules = rules
        self.now = NOON
        opening = OpenTable(LAST_ID, LAST_ID - 1, LAST_ID - 2, 9_999, MEMBERS[0], rules)
        opened = decide(None, opening, self.now, {}, SEALED)
        assert not isinstance(opened, Refused)
        self.states = [opened.state]

    @property
    def state(self) -> TableState:
        """The current state."""
        return self.states[-1]

    def ask(self, command: Command) -> bool:
        """Sends a command, and returns whether the table took it."""
        wallets = dict.fromkeys((*MEMBERS, *ON_LOOKERS, THE_HOUSE), PURSE)
        decided = decide(self.state, command, self.now, wallets, SEALED)
        if isinstance(decided, Refused):
            return False
        self.states.append(decided.state)
        return True

    def do(self, *commands: Command) -> None:
        """Sends a command that the table must take."""
        for command in commands:
            assert self.ask(command), command

    def go_on(self) -> None:
        """Carries out everything that happens automatically."""
        while (what := due_action(self.state, self.now)) is not None:
            match what:
                case DueAction.DEAL:
                    self.do(Deal(None, shuffled_pack(hands_to_deal(self.state), self.state.rules)))
                case DueAction.SHOWDOWN:
                    self.do(Showdown(self.rules))
                case DueAction.WIND_UP:
                    self.do(WindUp(LeaveReason.DESERTED))
                case DueAction.SHORTEN_WAIT:
                    raise AssertionError("its clock is never set back")


def random_evening(seed: int, length: int = 150) -> list[TableState]:
    """Every state of an evening in which members do random things; every sixth by default."""
    rng, states = random.Random(seed), list[TableState]()
    while len(states) < length:
        table = Table(rng.choice(HOUSES).model_copy(update={"seats": rng.choice([1, 3, 9, MOST_SEATS])}))
        while table.state.phase is not Phase.CLOSED and len(table.states) < length:
            table.ask(_something(rng, table.state, rng.choice(MEMBERS)))
            table.now += rng.choice([0, 0, 0, 1, 10])
            table.go_on()
        states += table.states
    return states[:: sized(6, 1)]


def _something(rng: random.Random, state: TableState, member: int) -> Command:
    who = member
    anything: list[Command] = [Join(member), Leave(who), GiveUpBank(who), WithdrawBet(who), SitOut(who)]
    if rng.random() < 0.01:
        endings: list[Command] = [CloseTable(who, manages=True), MemberLeft(who)]
        return rng.choice(endings)
    if rng.random() < 0.2:
        return rng.choice(anything)
    match state.phase:
        case Phase.OPEN if rng.random() < 0.3:
            return PlayHouse(member, state.rules)
        case Phase.OPEN if state.game.rolls_for_bank:
            dice = tuple(rng.choices(range(1, 7), k=dice_needed(state)))
            return Join(member) if rng.random() < 0.5 else RollForBank(who, dice, state.rules)
        case Phase.OPEN:
            lowest = rng.choice([1, 5, 1_000_000])
            return TakeBank(member, lowest, lowest * rng.choice([1, 2, 500]), state.rules)
        case Phase.DEALT if rng.random() < 0.3:
            return Arrange(who, rng.choice([None, tuple(rng.sample(range(5), 3))]))
        case Phase.DEALT:
            return RevealHand(who)
        case _ if state.house_banks and rng.random() < 0.05:
            return TakeBank(member, 1, 100, state.rules)
        case _ if state.bank is not None and not state.house_banks and rng.random() < 0.2:
            return _something_of_the_bankers(rng, state)
        case _ if state.bets and rng.random() < 0.4:
            return _something_on_the_side(rng, state, member)
        case _:
            highest = state.bank.highest if state.bank else 1
            return PlaceBet(member, rng.randint(max(highest // 3, 1), highest))


def _something_of_the_bankers(rng: random.Random, state: TableState) -> Command:
    assert state.bank is not None
    banker_id = state.bank.party
    if rng.random() < 0.5:
        return Deal(banker_id, shuffled_pack(hands_to_deal(state), state.rules))
    lowest = rng.choice([1, 5, 50])
    return SetLimits(banker_id, lowest, lowest * rng.choice([1, 20]))


def _something_on_the_side(rng: random.Random, state: TableState, member: int) -> Command:
    assert state.bank is not None
    backed = rng.choice(state.bets).party
    if rng.random() < 0.2:
        return WithdrawSideBet(member, backed)
    return PlaceSideBet(member, backed, rng.randint(state.bank.lowest, state.bank.highest))


def crowded_evening() -> Iterator[TableState]:
    """All states of two rounds in which every text is as long as possible."""
    table = Table(LONG_RULES)
    table.do(TakeBank(BANKER, HIGHEST - 1, HIGHEST, LONG_RULES))
    for _ in range(2):
        table.do(*(PlaceBet(player, HIGHEST) for player in PLAYERS))
        table.do(*(PlaceSideBet(backer, PLAYERS[-1], HIGHEST) for backer in ON_LOOKERS))
        table.do(Deal(BANKER, _everybody(NENKU)))
        table.do(*(Leave(player) for player in PLAYERS), GiveUpBank(BANKER))
        table.do(*(RevealHand(player) for player in PLAYERS))
        yield from table.states
        # Nobody leaves, so that the next round shows everybody again, and the last round too.
        table.states[:] = [_all_stay(table.state)]
        table.do(RevealHand(BANKER))
        table.go_on()
    table.do(*(PlaceBet(player, HIGHEST) for player in PLAYERS))
    table.do(*(PlaceSideBet(backer, PLAYERS[-1], HIGHEST) for backer in ON_LOOKERS))
    yield from table.states
    table.do(*(MemberLeft(player) for player in PLAYERS))
    yield from table.states


def _everybody(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards that give everybody this hand when they are dealt round the table."""
    return tuple(card for card in hand for _ in range(MOST_SEATS + 1))


def _all_stay(state: TableState) -> TableState:
    assert state.bank is not None
    seats = tuple(replace(seat, leaves_after_round=False) for seat in state.seats)
    return replace(state, seats=seats, bank=replace(state.bank, leaves_after_round=False))
