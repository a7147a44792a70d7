"""What a round achieves for its members, and what many in a row do."""

from functools import reduce

import pytest

from bot.clock import DAY_SECONDS
from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.settle import Outcome
from bot.rules.cards import parse_cards
from bot.table.achievements import (
    Achievement,
    Part,
    Progress,
    Settled,
    parse_progress,
    parts_of,
    progress_json,
)
from bot.table.state import Opening, PlayerResult, RoundResult, SideResult

ALICE, BOB, CHAN, DORA, MEI, ZED = 7, 8, 9, 10, 11, 12
DUKES, NOTHING, LESS, OX = "KS QH JD JC QC", "2C 5H 7D 9S KD", "2D 5S 7C 9H QD", "10S JH QD 4S 5H"
WON, LOST = Part(frozenset(), 1, None, "gnau"), Part(frozenset(), -1, None, None)
BANKED, BUST = Part(frozenset(), None, True, None), Part(frozenset(), None, False, None)


def round_of(
    bankers: str, *hands: tuple[int, str, int], sides: tuple[SideResult, ...] = (), niu: bool = False
) -> RoundResult:
    """A round that Mei banks: each player's party, hand and gain."""
    players = tuple(
        PlayerResult(seat, party, 10, parse_cards(hand), Outcome.PLAYER, chips)
        for seat, (party, hand, chips) in enumerate(hands, 1)
    )
    rules = NiuNiuRules() if niu else GnauRules()
    opening = Opening("", "")
    return RoundResult(1, rules, MEI, parse_cards(bankers), players, sides, opening=opening)


def reached(result: RoundResult, party: int, *, is_bust: bool = False) -> set[Achievement]:
    return set(parts_of(result, is_bust=is_bust)[party].reached)


def test_a_hand_achieves_what_it_wins_with_and_against() -> None:
    one = Achievement
    assert reached(round_of(NOTHING, (ALICE, DUKES, 70)), ALICE) == {one.FIRST_WIN, one.FIVE_DUKES}
    assert reached(round_of(NOTHING, (ALICE, DUKES, 70)), MEI) == set()
    of_bank = round_of(DUKES, (ALICE, NOTHING, -70))
    assert (reached(of_bank, MEI), reached(of_bank, ALICE)) == ({one.FIRST_WIN, one.FIVE_DUKES}, set())
    higher = round_of(LESS, (ALICE, NOTHING, 10), niu=True)
    assert reached(higher, ALICE) == {one.FIRST_WIN, one.NO_OX}
    assert one.NO_OX in reached(round_of(NOTHING, (ALICE, LESS, -10), niu=True), MEI)
    small = round_of(DUKES, (ALICE, "AH 2S 2D 4C AD", 80), niu=True)
    assert reached(small, ALICE) == {one.FIRST_WIN, one.FIVE_SMALL, one.GIANT}
    numbers = {hand: reached(round_of(NOTHING, (ALICE, hand, 10), niu=True), ALICE) for hand in (OX,)}
    assert not numbers[OX] & {one.BEST_NUMBER, one.LOWEST_NUMBER}


def test_who_wins_alone_beats_all_breaks_a_bank_or_backs_well_achieves_something() -> None:
    others = [(party, LESS, -10) for party in (BOB, CHAN, DORA)]
    side = SideResult(ZED, ALICE, 10, Outcome.PLAYER, 50)
    result = round_of(NOTHING, (ALICE, DUKES, 70), *others, sides=(side,))
    assert Achievement.ONLY_WINNER in reached(result, ALICE)
    assert Achievement.BANK_BROKEN in reached(result, ALICE, is_bust=True)
    assert reached(result, BOB, is_bust=True) == set()
    assert reached(result, ZED) == {Achievement.GOOD_NOSE}
    assert Achievement.SWEEP in reached(round_of(DUKES, (ALICE, LESS, -70), *others), MEI)
    assert Achievement.SWEEP not in reached(round_of(DUKES, *others), MEI), "three are not many"


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ([WON] * 10, Achievement.STREAK),
        ([LOST] * 7 + [WON], Achievement.STUBBORN),
        ([BANKED] * 100, Achievement.STEADY_BANK),
    ],
)
def test_what_takes_many_rounds_is_reached_with_the_last_of_them_and_once(
    parts: list[Part], what: Achievement
) -> None:
    broken = [parts[0], BUST if what is Achievement.STEADY_BANK else Part(frozenset(), 0, None, None)]
    rounds = [*broken, *parts, *parts]
    progress = reduce(
        lambda before, place: before.after(rounds[place], Settled(0.0, 3, place)),
        range(len(rounds)),
        Progress(),
    )
    (one,) = [one for one in progress.reached if one.achievement is what]
    assert (one.table, one.round_number) == (3, len(broken) + len(parts) - 1)
    assert parse_progress(progress_json(progress)) == progress


def test_seven_days_in_a_row_and_a_win_in_each_game_count_and_a_missed_day_begins_again() -> None:
    progress = Progress()
    for day in (0, 1, 3, 4, 4, 5, 6, 7, 8):
        assert not progress.reached
        progress = progress.after(LOST, Settled(day * DAY_SECONDS + 5.0, 1, day))
    assert not progress.reached
    progress = progress.after(LOST, Settled(9 * DAY_SECONDS + 0.0, 1, 9))
    assert [one.achievement for one in progress.reached] == [Achievement.EVERY_DAY]
    for game in ("gnau", "niu-niu", "gnau", "tau-ngau"):
        progress = progress.after(Part(frozenset(), None, None, game), Settled(9 * DAY_SECONDS + 1.0, 1, 10))
    assert [one.achievement for one in progress.reached][1:] == [Achievement.EVERY_GAME]
