"""Every way to be refused, and what is possible in each phase."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, HouseBank, Play
from bot.rules.tiles import woodpile
from bot.table.betting import MOST_SIDE_BETS
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    Showdown,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.refusals import Refusal, refuse
from bot.table.state import SideBet
from tests.games.presets import TAU_NGAU_PRESET

from .test_heats import heat_of
from .trial_table import ALICE, BOB, CHAN, DORA, DOUBLE_8, MEI, NO_OX, TrialTable, banked, stacked

TWO_HANDS = stacked(NO_OX, NO_OX)


def betting() -> TrialTable:
    """Mei is banker with room for 15 more, Alice has bet 10, Chan covers 10; one seat is free."""
    return banked(GnauRules(seats=2), {MEI: 175, CHAN: 70, DORA: 1}, bets={ALICE: 10}, limits=(5, 20))


def settled(table: TrialTable) -> TrialTable:
    """The same, after the showdown."""
    table.showdown()
    return table


def seated_beside_a_bet() -> TrialTable:
    """The same, and Bob has a seat."""
    table = betting()
    table.join(BOB)
    return table


def dealt() -> TrialTable:
    """Mei and Alice have hands."""
    table = betting()
    table.deal(NO_OX, NO_OX)
    return table


def shown() -> TrialTable:
    """The same, and Alice has revealed."""
    table = dealt()
    table.do(RevealHand(ALICE))
    return table


def full() -> TrialTable:
    """The same, with no seat free."""
    table = betting()
    table.bet(BOB, 12)
    return table


def closed() -> TrialTable:
    """A closed table."""
    table = betting()
    table.wind_up()
    return table


def bank_without_bets() -> TrialTable:
    """Mei is banker, and nobody has bet."""
    return banked()


def exhausted() -> TrialTable:
    """Mei is banker with room for 4 more; the lowest bet is 5."""
    return banked(GnauRules(), {MEI: 133}, bets={ALICE: 15}, limits=(5, 20))


def for_points() -> TrialTable:
    """Mei is banker and Alice has bet, for points."""
    return banked(GnauRules(play=Play.POINTS), bets={ALICE: 1})


def heat() -> TrialTable:
    """Alice and Chan play at a table of a tournament, and Alice has bet."""
    table = heat_of(ALICE, CHAN)
    table.bet(ALICE, 10)
    return table


def assisted() -> TrialTable:
    """After the deal, at a table that refuses a wrong ox."""
    table = banked(GnauRules(arrange=ArrangedBy.ASSISTED), bets={ALICE: 10})
    table.deal(DOUBLE_8, NO_OX)
    return table


def closing() -> TrialTable:
    """Hands are dealt, and the table closes after the round."""
    table = dealt()
    table.do(CloseTable(MEI, manages=False))
    return table


def backed_by_chan() -> TrialTable:
    """A backed hand that makes an ox of 2, and better ones, at a table that players arrange at."""
    table = banked(GnauRules(arrange=ArrangedBy.ASSISTED), bets={ALICE: 5})
    table.back(CHAN, ALICE, 5)
    table.deal("3S 6D 8C 4H 8D", NO_OX)
    return table


def full_of_side_bets() -> TrialTable:
    """Alice is backed by as many as a round takes."""
    table = betting()
    many = tuple(SideBet(party, ALICE, 1) for party in range(100, 100 + MOST_SIDE_BETS))
    table.state = replace(table.state, side_bets=many)
    return table


def too_late() -> TrialTable:
    """The same, and the time to arrange is up."""
    table = assisted()
    table.wait(table.state.rules.arranging_seconds)
    return table


def arranged() -> TrialTable:
    """Alice has arranged a hand with an ox."""
    table = assisted()
    table.do(Arrange(ALICE, (0, 1, 2)))
    return table


def seated(*members: int) -> TrialTable:
    """Dice pick the banker, and these players sit here."""
    table = TrialTable(TAU_NGAU_PRESET)
    table.join(*members)
    return table


def rolled() -> TrialTable:
    """Mei won the bank, and one of two players has bet."""
    table = seated(MEI, ALICE, BOB)
    table.roll(MEI, 6, 6, 1, 1, 1, 1)
    table.bet(ALICE, 10)
    return table


def against_the_house() -> TrialTable:
    """The house, which had no ox, banks for Alice alone; the bank passes after an ox."""
    table = TrialTable(GnauRules(bank_passes=BankPasses.AFTER_OX))
    table.play_house(ALICE, 700)
    table.bet(ALICE, 10)
    table.deal_when_due(NO_OX, NO_OX)
    table.showdown()
    return table


NO_HOUSE = GnauRules(house_bank=HouseBank.OFF)
HOUSE_ONLY = GnauRules(house_bank=HouseBank.ONLY)
NARROW = GnauRules(lowest_stake=5, highest_stake=50)

WAYS: dict[Refusal, tuple[Callable[[], TrialTable], Command]] = {
    Refusal.TABLE_CLOSED: (closed, Join(BOB)),
    Refusal.TABLE_CLOSES: (closing, Join(CHAN)),
    Refusal.TABLE_FULL: (full, Join(CHAN)),
    Refusal.ALREADY_SEATED: (betting, Join(ALICE)),
    Refusal.HOLDS_THE_BANK: (betting, Join(MEI)),
    Refusal.NOT_SEATED: (betting, Leave(BOB)),
    Refusal.NO_BANK: (TrialTable, PlaceBet(BOB, 10)),
    Refusal.BANK_TAKEN: (betting, TakeBank(BOB, 5, 100, GnauRules())),
    Refusal.NOT_BANKER: (betting, GiveUpBank(BOB)),
    Refusal.LIMITS_CROSSED: (TrialTable, TakeBank(BOB, 100, 5, GnauRules())),
    Refusal.BANK_TOO_POOR: (TrialTable, TakeBank(BOB, 500, 500, GnauRules())),
    Refusal.STAKE_BELOW_LOWEST: (betting, PlaceBet(BOB, 4)),
    Refusal.STAKE_ABOVE_HIGHEST: (bank_without_bets, PlaceBet(BOB, 101)),
    Refusal.PLAYER_CANNOT_COVER: (betting, PlaceBet(CHAN, 11)),
    Refusal.PLAYER_TOO_POOR: (betting, PlaceBet(DORA, 5)),
    Refusal.BANK_CANNOT_COVER: (betting, PlaceBet(BOB, 16)),
    Refusal.BANK_EXHAUSTED: (exhausted, PlaceBet(BOB, 5)),
    Refusal.ALREADY_DEALT: (dealt, WithdrawBet(ALICE)),
    Refusal.NOT_DEALT: (betting, RevealHand(ALICE)),
    Refusal.NOBODY_HAS_BET: (bank_without_bets, Deal(MEI, TWO_HANDS)),
    Refusal.NO_BET_OF_YOURS: (betting, WithdrawBet(BOB)),
    Refusal.SITS_AT_TABLE: (seated_beside_a_bet, PlaceSideBet(BOB, ALICE, 5)),
    Refusal.HAS_OWN_BET: (betting, PlaceSideBet(ALICE, ALICE, 5)),
    Refusal.NO_BET_TO_BACK: (betting, PlaceSideBet(BOB, CHAN, 5)),
    Refusal.SIDE_BETS_FULL: (full_of_side_bets, PlaceSideBet(BOB, ALICE, 5)),
    Refusal.NO_SIDE_BET_OF_YOURS: (betting, WithdrawSideBet(BOB, ALICE)),
    Refusal.TOURNAMENT_TABLE: (heat, PlaceSideBet(BOB, ALICE, 5)),
    Refusal.EVERYBODY_BETS: (heat, SitOut(ALICE)),
    Refusal.TOURNAMENT_GOES_ON: (heat, CloseTable(MEI, manages=True)),
    Refusal.PLAYED_FOR_POINTS: (for_points, PlaceSideBet(BOB, ALICE, 1)),
    Refusal.NO_HAND: (dealt, RevealHand(BOB)),
    Refusal.ALREADY_REVEALED: (shown, RevealHand(ALICE)),
    Refusal.ROUND_IS_OVER: (betting, PlaceBet(BOB, 10, round_number=0)),
    Refusal.MAY_NOT_CLOSE: (betting, CloseTable(BOB, manages=False)),
    Refusal.BETS_ARE_DOWN: (betting, CloseTable(MEI, manages=False, with_bets=False)),
    Refusal.NOT_DUE: (dealt, Showdown(GnauRules())),
    Refusal.ARRANGED_BY_TABLE: (dealt, Arrange(ALICE, (0, 1, 2))),
    Refusal.NOT_AN_OX: (assisted, Arrange(ALICE, (0, 1, 3))),
    Refusal.BACKED_HAND: (backed_by_chan, Arrange(ALICE, (0, 1, 2))),
    Refusal.TIME_IS_UP: (too_late, Arrange(ALICE, (0, 1, 2))),
    Refusal.STRONGEST_COUNTED: (lambda: settled(dealt()), RevealHand(ALICE, 1)),
    Refusal.CHOICE_COUNTED: (lambda: settled(arranged()), Arrange(ALICE, (0, 1, 2), 1)),
    Refusal.DICE_PICK_BANKER: (lambda: seated(MEI, ALICE, BOB), TakeBank(BOB, 5, 100, TAU_NGAU_PRESET)),
    Refusal.NO_DICE_FOR_BANK: (TrialTable, RollForBank(BOB, (1, 1), GnauRules())),
    Refusal.TOO_FEW_SEATED: (
        lambda: seated(MEI, ALICE),
        RollForBank(MEI, (1, 1, 2, 2), TAU_NGAU_PRESET),
    ),
    Refusal.NOBODY_CAN_BANK: (
        lambda: seated(MEI, ALICE, BOB),
        RollForBank(MEI, (1,) * 6, TauNgauRules(lowest_stake=1001)),
    ),
    Refusal.TOO_FEW_BETS: (rolled, Deal(MEI, woodpile())),
    Refusal.LIMITS_OUTSIDE_HOUSE: (TrialTable, TakeBank(BOB, 4, 50, NARROW)),
    Refusal.BETS_ALREADY_PLACED: (betting, SetLimits(MEI, 5, 50)),
    Refusal.CLIENT_SEED_LENGTH: (betting, SetClientSeed(ALICE, " \n ")),
    Refusal.NOT_PLAYING: (betting, SetClientSeed(BOB, "eight eight eight")),
    Refusal.HOUSE_HAS_BANK: (against_the_house, PlayHouse(BOB, GnauRules())),
    Refusal.HOUSE_DOES_NOT_BANK: (lambda: TrialTable(NO_HOUSE), PlayHouse(BOB, NO_HOUSE)),
    Refusal.HOUSE_ALWAYS_BANKS: (lambda: TrialTable(HOUSE_ONLY), TakeBank(BOB, 5, 50, HOUSE_ONLY)),
    Refusal.HOUSE_KEEPS_BANK: (against_the_house, TakeBank(BOB, 5, 50, GnauRules())),
    Refusal.HOUSE_CANNOT_COVER: (TrialTable, PlayHouse(BOB, GnauRules())),
    Refusal.HOUSE_HAS_NO_ROOM: (
        lambda: seated(MEI, ALICE, BOB, CHAN, DORA, 6),
        PlayHouse(BOB, TAU_NGAU_PRESET),
    ),
}


ROLES_AND_LIMITS = {Refusal.OWN_LIMIT, Refusal.BANK_NEEDS_ROLE, Refusal.BANK_ROLE_NOT_KNOWN}


@pytest.mark.parametrize("code", sorted(set(Refusal) - ROLES_AND_LIMITS))
def test_every_refusal_is_met_with_its_facts_and_changes_nothing(code: Refusal) -> None:
    set_up, command = WAYS[code]
    table = set_up()
    state, accounts, events = table.state, table.accounts.copy(), len(table.record)

    refused, facts = table.refused(command)

    assert refused is code
    assert tuple(facts) == code.facts
    assert (table.state, table.accounts, len(table.record)) == (state, accounts, events)


EARLIER: list[tuple[Callable[[], TrialTable], Command]] = [
    (betting, PlaceBet(ALICE, 20, 0)),
    (betting, WithdrawBet(ALICE, 0)),
    (betting, SitOut(ALICE, 0)),
    (betting, PlaceSideBet(CHAN, ALICE, 5, 0)),
    (betting, WithdrawSideBet(CHAN, ALICE, 0)),
    (betting, Deal(MEI, TWO_HANDS, 0)),
    (assisted, Arrange(ALICE, (0, 1, 2), 0)),
    (dealt, RevealHand(ALICE, 0)),
]


@pytest.mark.parametrize(("set_up", "late"), EARLIER)
def test_what_was_meant_for_an_earlier_round_is_refused(
    set_up: Callable[[], TrialTable], late: Command
) -> None:
    assert set_up().refused(late) == (Refusal.ROUND_IS_OVER, {"meant": 0, "now": 1})


def test_b04_who_is_too_late_for_a_hand_reads_how_it_counted_until_the_next_one_is_dealt() -> None:
    table, late = settled(dealt()), RevealHand(ALICE, 1)
    assert table.refused(late) == (Refusal.STRONGEST_COUNTED, {"round": 1})
    assert table.refused(RevealHand(BOB, 1))[0] is Refusal.ROUND_IS_OVER, "they had no hand"
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)
    assert table.refused(late) == (Refusal.ROUND_IS_OVER, {"meant": 1, "now": 2})


@pytest.mark.parametrize("facts", [{}, {"stake": 3}, {"stake": 3, "most": 2, "lowest": 1}])
def test_a_refusal_with_wrong_facts_is_an_error(facts: dict[str, int | str]) -> None:
    with pytest.raises(TypeError, match=r"goes with the facts \('stake', 'most'\)"):
        refuse(Refusal.BANK_CANNOT_COVER, **facts)
