"""What an evening has brought a member: gains and losses in play, with no break of six hours."""

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import HOUR_SECONDS
from bot.ledger import chip_queries
from bot.ledger.ledger import Ledger
from bot.ledger.memory import (
    BREAK_SECONDS,
    PAUSE_SECONDS,
    Day,
    Evening,
    Evenings,
    Gain,
    day_number,
    evening_of,
    has_break,
)
from bot.table.accounts import MINT, Move, Reason, score, wallet
from tests.ledger.sample_changes import NOW, SERVER, at_table, bet, change, lost, opening, returned, row
from tests.sizes import sample

ALICE = SERVER, 7
BOB = SERVER, 8
PAUSES = st.one_of(st.floats(0, 2 * BREAK_SECONDS), st.just(float(BREAK_SECONDS)))


async def test_only_play_counts(ledger: Ledger) -> None:
    for party in (7, 8):
        await ledger.commit(opening(party))
    assert await ledger.evenings.of(ALICE) == Evening(0, -inf)
    gift = Move(wallet(8), wallet(7), 50, Reason.GIFT)
    points = Move(score(8), score(7), 5, Reason.POINTS_WON)
    await ledger.commit(change(gift, points, Move(MINT, wallet(7), 1, Reason.BANKROLL), key="not in play"))
    await ledger.commit(at_table(row(1), bet(7, 30)))
    await ledger.commit(at_table(row(2), lost(7, 8, 20), returned(7, 10)))
    assert ledger.evenings.values[ALICE] == Evening(-20, NOW, 1)
    await ledger.commit(change(Move(wallet(8), wallet(7), 6, Reason.SIDE_BET_WON)))
    assert ledger.evenings.values[ALICE] == Evening(-14, NOW, 1)
    assert await ledger.evenings.of(BOB) == Evening(14, NOW, 1)
    assert await ledger.evenings.of((SERVER + 1, 7)) == Evening()


async def test_what_is_in_memory_is_what_is_read_after_a_start(ledger: Ledger) -> None:
    for party in (7, 8):
        await ledger.commit(opening(party))
    await ledger.evenings.load([ALICE, BOB])
    sequence, at = 0, NOW
    for chips, pause in ((5, 1.0), (10, BREAK_SECONDS), (20, BREAK_SECONDS + 1.0), (40, 60.0)):
        at += pause
        for moves in ((bet(7, chips),), (lost(7, 8, chips),)):
            sequence += 1
            await ledger.commit(replace(at_table(row(sequence), *moves), at=at))
    assert ledger.evenings.values[ALICE] == Evening(-60, at, 2, 60.0, 60.0)
    assert ledger.evenings.values[BOB] == Evening(60, at, 2, 60.0, 60.0)
    assert await Evenings(ledger.evenings_of).load([ALICE, BOB]) == dict(ledger.evenings.values)


async def test_a_day_is_what_came_on_it_in_utc_and_in_memory_as_on_disk(ledger: Ledger) -> None:
    for party in (7, 8):
        await ledger.commit(opening(party))
    assert await ledger.days.of(ALICE) == Day()
    number = day_number(NOW)
    midnight = (number + 1) * 86_400.0
    gift = Move(wallet(8), wallet(7), 50, Reason.GIFT)
    for at, chips, day in (
        (midnight - 2, 10, Day(number, 10)),
        (midnight - 1, -25, Day(number, -15)),
        (midnight, -7, Day(number + 1, -7)),
        (midnight + 1, 20, Day(number + 1, 13)),
        (midnight + 2, -40, Day(number + 1, -27)),
    ):
        one, other = (wallet(8), wallet(7)) if chips > 0 else (wallet(7), wallet(8))
        played = Move(one, other, abs(chips), Reason.PLAYER_WON if chips > 0 else Reason.BANKER_WON)
        await ledger.commit(replace(change(gift, played), at=at))
        assert ledger.days.values[ALICE] == day
    assert [day.lost(at) for at in (midnight - 1, midnight, midnight + 86_400)] == [27, 27, 0]
    assert (day.lost(midnight, 7), day.lost(midnight, 30)) == (20, 0)
    # A clock that was set back makes no other day.
    assert day.with_gain(Gain(ALICE, -1, midnight - 1)) == Day(number + 1, -28)
    ledger.days.drop()
    assert await ledger.days.load([ALICE, BOB]) == {ALICE: day, BOB: Day(number + 1, 27)}


@pytest.mark.parametrize("rounds", sample(range(1, 12), 4))
async def test_a_long_evening_is_read_whole(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    monkeypatch.setattr(chip_queries, "GAINS_AT_FIRST", 3)
    monkeypatch.setattr(chip_queries, "GAINS_AT_ONCE", 2)
    for party in (7, 8):
        await ledger.commit(opening(party))
    for number in range(rounds):
        gift = Move(wallet(8), wallet(7), 1, Reason.GIFT)
        # One round on the evening before.
        at = NOW + number + (BREAK_SECONDS if number else -1)
        await ledger.commit(replace(change(gift, Move(wallet(7), wallet(8), 10, Reason.BANKER_WON)), at=at))
    assert (await ledger.evenings.of(ALICE)).chips == -10 * max(rounds - 1, 1)


@pytest.mark.parametrize("enough", [6, 7])
async def test_of_an_evening_without_end_no_more_is_read_than_enough(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, enough: int
) -> None:
    for name, size in (("AT_FIRST", 3), ("AT_ONCE", 2), ("ENOUGH", enough)):
        monkeypatch.setattr(chip_queries, f"GAINS_{name}", size)
    for party in (7, 8):
        await ledger.commit(opening(party))
    for number in range(20):
        lost_to_bank = Move(wallet(7), wallet(8), 10, Reason.BANKER_WON)
        await ledger.commit(replace(change(lost_to_bank), at=NOW + number))
    assert await ledger.evenings.of(ALICE) == Evening(-10 * (3 + 2 + 2), NOW + 19, 7, 6.0, 1.0)


@given(st.lists(st.tuples(st.integers(-100, 100), PAUSES), min_size=1))
def test_an_evening_is_what_came_since_the_last_break(played: list[tuple[int, float]]) -> None:
    at, gains, begun = NOW, [], 0
    for number, (chips, pause) in enumerate(played):
        if number and (at + pause) - at > BREAK_SECONDS:
            begun = number
        at += pause
        gains.append(Gain(ALICE, chips, at))
    evening = evening_of(gains)
    assert (evening.chips, evening.last) == (sum(gain.chips for gain in gains[begun:]), at)
    assert not evening.is_over(at + BREAK_SECONDS)
    assert evening.is_over(at + BREAK_SECONDS + 1)


@pytest.mark.parametrize(("pause", "found"), [(BREAK_SECONDS, False), (BREAK_SECONDS + 1, True)])
def test_no_older_gains_are_read_once_an_evening_begins(pause: float, found: bool) -> None:
    newest_first = [Gain(ALICE, 1, NOW + pause + 1), Gain(ALICE, 1, NOW + pause), Gain(ALICE, 1, NOW)]
    assert has_break(newest_first) is found


def test_the_first_hour_of_play_is_told_after_the_round_that_completes_it() -> None:
    evening, told = Evening(), []
    # Two players at once are one round; of a long pause, ten minutes count.
    for number in range(40):
        at = NOW + 150.0 * number + (HOUR_SECONDS if number >= 10 else 0)
        for chips in (4, -7):
            evening = evening.with_gain(Gain(ALICE, chips, at))
        if evening.is_hour:
            told.append((evening.rounds, evening.chips, evening.played))
    assert told == [(22, -66, 20 * 150.0 + PAUSE_SECONDS)]
