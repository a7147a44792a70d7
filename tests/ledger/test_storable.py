"""The ledger stores whole numbers of 64 bits: a change with anything else is refused and leaves no trace."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.ledger.changes import Change, Fact, HouseDraft
from bot.ledger.errors import Unstorable
from bot.ledger.ledger import Ledger
from bot.ledger.schema import LARGEST
from bot.table.accounts import MINT, Move, Reason, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import NOW, SERVER, TABLE, at_table, bet, failures, opening, row


def unchecked(move: Move, **differing: Any) -> Move:
    """A move past the checks that the domain makes itself."""
    bad = Move(move.source, move.target, move.chips, move.reason, move.round_number)
    for name, value in differing.items():
        object.__setattr__(bad, name, value)
    return bad


def betting(**differing: Any) -> Change:
    return at_table(row(1), unchecked(bet(7, 5), **differing))


@pytest.mark.parametrize(
    "made",
    [
        lambda bad: replace(at_table(row(1)), table=replace(row(1), channel_id=bad)),
        lambda bad: HouseDraft(900, SERVER, NOW, bad, "{}"),
    ],
    ids=["a table", "a fact"],
)
async def test_only_whole_numbers_of_64_bits_are_stored(
    ledger: Ledger, made: Callable[[Any], Change | Fact]
) -> None:
    wrong = [10.5, LARGEST + 1, -LARGEST - 2]
    outcomes = await all_of(ledger, opening(7), *map(made, wrong), opening(8))
    assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * len(wrong)
    assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}, "the rest of the batch is stored"
    assert await ledger.open_tables() == []


async def test_no_time_that_is_no_number_is_stored(ledger: Ledger) -> None:
    with pytest.raises(Unstorable):
        await ledger.commit(replace(at_table(row(1)), at=float("nan")))
    assert await ledger.open_tables() == []


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
