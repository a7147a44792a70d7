"""Both engines store the same values: a change with anything else is refused and leaves no trace."""

from dataclasses import replace
from typing import Any, Final

import pytest

from bot.ledger.changes import BoardPosted, Change, DirectChannel, EventRow, Fact, HouseDraft, SeedWords
from bot.ledger.errors import Unstorable
from bot.ledger.ledger import Ledger
from bot.ledger.schema import LARGEST
from bot.table.accounts import MINT, Move, Reason, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import (
    SERVER,
    TABLE,
    at_table,
    bet,
    change,
    failures,
    identity,
    opening,
    row,
)
from tests.sizes import sample


def unchecked(move: Move, **differing: Any) -> Move:
    """A move past the checks that the domain makes itself."""
    bad = Move(move.source, move.target, move.chips, move.reason, move.round_number)
    for name, value in differing.items():
        object.__setattr__(bad, name, value)
    return bad


def betting(**differing: Any) -> Change:
    return at_table(row(1), unchecked(bet(7, 5), **differing))


def no_integer(bad: Any) -> list[Change | Fact]:
    return [
        replace(at_table(row(1)), table=replace(row(1), channel_id=bad)),
        HouseDraft(900, SERVER, 0.0, bad, "{}"),
        betting(round_number=bad),
        betting(chips=bad),
    ]


def no_time(bad: float) -> list[Change | Fact]:
    return [
        replace(at_table(row(1)), at=bad),
        at_table(row(1), deadline=bad),
        DirectChannel(700, 701, bad),
        BoardPosted(TABLE, 900, bad),
    ]


def no_text(bad: str) -> list[Change | Fact]:
    return [
        change(key=bad),
        replace(change(), answer=bad),
        at_table(row(1, state=bad)),
        replace(at_table(row(1)), events=(EventRow(1, "happened", bad, 1),)),
        replace(identity(7), name=bad),
    ]


UNSTORABLE: Final = {
    "a fraction": no_integer(10.5),
    "true": no_integer(True),
    "too large": no_integer(LARGEST + 1),
    "too small": no_integer(-LARGEST - 2),
    "no number": no_time(float("nan")),
    "never": no_time(float("inf")),
    "always": no_time(float("-inf")),
    "an end of text": no_text("牛\0"),
    "half a character": no_text("\ud83d"),
    "no yes or no": [at_table(row(1, is_open=1))],
    "too long": [
        change(key="牛" * 129),
        replace(at_table(row(1)), events=(EventRow(1, "k" * 33, "{}", 1),)),
        replace(change(), words=(SeedWords("c" * 65, 7, "salt", "words"),)),
        replace(change(), words=(SeedWords("c", 7, "s" * 33, "words"),)),
    ],
}


@pytest.mark.parametrize("wrong", sample(UNSTORABLE.values(), 4, ids=UNSTORABLE))
async def test_what_an_engine_cannot_store_is_refused_alone(
    ledger: Ledger, wrong: list[Change | Fact]
) -> None:
    outcomes = await all_of(ledger, opening(7), *wrong, opening(8))
    assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * len(wrong)
    assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}, "the rest of the batch is stored"
    assert await ledger.open_tables() == []
    assert await ledger.direct_channel(700) is None
    assert await ledger.identities([7]) == {}


async def test_the_most_that_can_be_stored_comes_back_unchanged(ledger: Ledger) -> None:
    key, times = "牛" * 128, (5e-324, -1.7976931348623157e308)
    await ledger.commit(replace(change(key=key), answer="\x01🐂"))
    await ledger.record(identity(7))
    await ledger.record(DirectChannel(700, -LARGEST - 1, times[0]))
    await ledger.commit(at_table(row(1, LARGEST, number=LARGEST, channel_id=5), deadline=times[1]))
    assert await ledger.answer(key) == "\x01🐂"
    assert await ledger.direct_channel(700) == DirectChannel(700, -LARGEST - 1, times[0])
    assert await ledger.deadlines() == {LARGEST: times[1]}


async def test_a_refused_change_can_be_made_again_with_the_same_key(ledger: Ledger) -> None:
    good = betting()
    await ledger.commit(opening(7))
    with pytest.raises(Unstorable):
        await ledger.commit(replace(good, moves=(unchecked(good.moves[0], chips=2.5),)))
    await ledger.commit(good)
    assert await ledger.holds(TABLE) == {7: 5}


async def test_a_balance_past_64_bits_is_refused_alone(ledger: Ledger) -> None:
    await ledger.commit(opening(7, LARGEST))
    outcomes = await all_of(ledger, opening(7, 1), opening(8, 1), opening(9, 1))
    assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * 2, "a wallet, and the mint"
    assert await ledger.wallets(SERVER, [7, 8, 9]) == {7: LARGEST, 8: 1}


def test_the_domain_makes_no_move_of_a_fraction() -> None:
    for bad in (10.5, 10.0, True):
        with pytest.raises(ValueError, match="whole number of chips"):
            Move(MINT, wallet(7), bad, Reason.OPENING_CHIPS)  # type: ignore[arg-type]
