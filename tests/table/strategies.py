"""Hypothesis strategies for a table: members, house rules, commands, pieces and dice."""

import random
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from bot.games.contract import MOST_PLAYERS
from bot.games.hands import shuffled_pack
from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, Direction, GameName, HouseBank, Play, Ties
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Piece
from bot.table.commands import (
    Arrange,
    BetLowest,
    CloseTable,
    Command,
    Deal,
    FreeBank,
    GiveUpBank,
    Join,
    KeepOpen,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    ShortenWait,
    Showdown,
    SitOut,
    TakeBank,
    WaitAgain,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.deadlines import DueAction
from bot.table.dealing import hands_to_deal
from bot.table.preconditions import Action
from bot.table.state import THE_HOUSE, LeaveReason, TableState

MEMBERS = tuple(number for number in range(1, 6))
STRANGER = 99
PLENTY = {game.name: game.pack(game.most_players + 1, game.rules()) for game in GAMES.values()}
"""Enough pieces for everybody."""
SEATS = {
    game.name: [game.fewest_players + more for more in range(3)] + [MOST_PLAYERS] for game in GAMES.values()
}
"""Numbers of seats that house rules may have."""

PACES = [
    {"betting_seconds": betting, "last_call_seconds": last_call, "arranging_seconds": arranging}
    for betting, last_call, arranging in ((60, 10, 30), (5, 3, 5), (60, 0, 5), (5, 10, 30))
]
"""Seconds that house rules may have; drawn at once, since Hypothesis limits how much an evening draws."""

members = st.sampled_from(MEMBERS)
OWNERS = (*MEMBERS, THE_HOUSE)
"""Everybody who has chips."""
owners = st.sampled_from(OWNERS)
CHIPS_OF_HOUSE = 700
chips_at_first = st.lists(st.sampled_from([34, 140, 700, 3000]), min_size=len(MEMBERS), max_size=len(MEMBERS))
threes = st.none() | st.sampled_from(list(combinations(range(HAND_SIZE), OX_SIZE)))
seeds = st.integers(0, 1000)


there = st.sampled_from([frozenset(), frozenset(MEMBERS[:2]), frozenset(MEMBERS)])
"""Who has pressed something."""


def rules_of_a_house(game: GameName, play: Play) -> st.SearchStrategy[HouseRules]:
    """House rules of a game, for chips or points."""
    knobs = {knob.name for knob in knobs_of(game)}
    values: dict[str, st.SearchStrategy[Any]] = {
        "play": st.just(play),
        "seats": st.sampled_from(SEATS[game]),
        "multiple_five_dukes": st.sampled_from([1, 7, 20]),
        "multiple_double_ox": st.integers(min_value=1, max_value=4),
        "ties": st.sampled_from(Ties),
        "bank_passes": st.sampled_from(BankPasses),
        "house_bank": st.sampled_from(HouseBank),
        "computer_players": st.sampled_from([0, 1, 3]),
        "house_highest": st.sampled_from([5, 100]),
        "arrange": st.sampled_from(ArrangedBy),
        "direction": st.sampled_from(Direction),
        "decks": st.sampled_from([1, 2]),
        "lowest_stake": st.sampled_from([1, 4]),
        "highest_stake": st.sampled_from([8, 1000]),
    }
    return st.builds(
        lambda chosen, pace: GAMES[game].rules.model_validate(chosen | pace),
        st.fixed_dictionaries({knob: value for knob, value in values.items() if knob in knobs}),
        st.sampled_from(PACES),
    )


def anything(rounds: st.SearchStrategy[int | None], house: HouseRules) -> st.SearchStrategy[Command]:
    """Any command of a member or of the table, sensible or not."""
    stakes = st.integers(min_value=-1, max_value=60)
    return st.one_of(
        st.builds(Join, members),
        st.builds(Leave, members),
        st.builds(TakeBank, members, st.integers(0, 20), st.integers(0, 60), st.just(house)),
        st.builds(PlayHouse, members, st.just(house)),
        st.builds(RollForBank, members, seeds.map(dice_for), st.just(house)),
        st.builds(SetLimits, members, st.integers(0, 20), st.integers(0, 60)),
        st.builds(GiveUpBank, members),
        st.builds(PlaceBet, members, stakes, rounds, st.booleans()),
        st.builds(WithdrawBet, members, rounds),
        st.builds(PlaceSideBet, members, members, stakes, rounds),
        st.builds(WithdrawSideBet, members, members, rounds),
        st.builds(SitOut, members, rounds),
        st.builds(Deal, st.none() | members, st.just(PLENTY[house.game]), rounds, present=there),
        st.builds(Arrange, members, threes, rounds),
        st.builds(RevealHand, members, rounds),
        st.builds(Showdown, st.just(house), there),
        st.builds(MemberLeft, members),
        st.builds(KeepOpen, members, st.booleans()),
    )


endings = st.one_of(
    st.builds(CloseTable, members, st.booleans()), st.builds(WindUp, st.sampled_from(LeaveReason))
)


def pieces_for(state: TableState, seed: int) -> tuple[Piece, ...]:
    """Enough shuffled pieces for the round; the same for the same seed."""
    return shuffled_pack(hands_to_deal(state), state.rules, random.Random(seed).randrange)


def dice_for(seed: int) -> tuple[int, ...]:
    """Dice for several rolls of everybody; the same for the same seed."""
    return tuple(random.Random(seed).choices(range(1, 7), k=60))


def own_command(state: TableState, what: DueAction, house: HouseRules, seed: int = 0) -> Command:
    """The command that carries out what is due."""
    match what:
        case DueAction.DEAL:
            return Deal(None, pieces_for(state, seed))
        case DueAction.FREE_BANK:
            assert state.bank is not None
            return FreeBank(state.bank.party)
        case DueAction.SHOWDOWN:
            return Showdown(house)
        case DueAction.WIND_UP:
            return WindUp(LeaveReason.DESERTED)
        case DueAction.BET_LOWEST:
            return BetLowest()
        case DueAction.SHORTEN_WAIT:
            return ShortenWait()
        case DueAction.WAIT_AGAIN:
            return WaitAgain()


def tried_by(action: Action, member: int, state: TableState, house: HouseRules) -> tuple[Command, ...]:
    """Every command that an action's button can stand for, if this member presses it.

    The house banks when it did as betting opened: a change since then is checked at the press only.
    """
    house = house.model_copy(update={"house_bank": state.rules.house_bank})
    match action:
        case Action.JOIN:
            return (Join(member),)
        case Action.TAKE_BANK:
            return (TakeBank(member, house.lowest_stake, house.highest_stake, house),)
        case Action.PLAY_HOUSE:
            return (PlayHouse(member, house),)
        case Action.ROLL:
            return (RollForBank(member, dice_for(0), house),)
        case Action.LIMITS:
            return (SetLimits(member, state.rules.lowest_stake, state.rules.highest_stake),)
        case Action.BET:
            stake = state.bank.lowest if state.bank else 1
            return (PlaceBet(member, stake), PlaceBet(member, stake, state.round_number))
        case Action.SIT_OUT:
            return (SitOut(member),)
        case Action.SIDE_BET:
            backed = state.bets[0].party if state.bets else member
            return (PlaceSideBet(member, backed, state.bank.lowest if state.bank else 1),)
        case Action.DEAL:
            plenty = PLENTY[house.game]
            asked: tuple[Command, ...] = (Deal(member, plenty), Deal(None, plenty, state.round_number))
            return asked[:1] if state.house_banks else asked
        case Action.ARRANGE:
            return (Arrange(member, None), Arrange(member, (0, 1, 2), state.round_number))
        case Action.REVEAL:
            return (RevealHand(member), RevealHand(member, state.round_number))
