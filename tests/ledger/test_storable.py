"""The ledger stores whole numbers only: a change with anything else is refused and leaves no trace."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.ledger.changes import (
    BoardPosted,
    Change,
    DirectChannel,
    Erasure,
    EventRow,
    Fact,
    HeadPosted,
    HouseDraft,
    HouseRow,
    Identity,
    LocaleChosen,
    OwnApplication,
    SeedWords,
    ServerErasure,
    ServerGreeted,
)
from bot.ledger.errors import Unstorable
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.sqlite.integrity import problems_in
from bot.table.accounts import MINT, Account, AccountKind, Move, Reason, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import NOW, SERVER, TABLE, at_table, bet, change, failures, opening, row
from tests.sizes import sample

LARGEST = (1 << 63) - 1


def unchecked(move: Move, **differing: Any) -> Move:
    """A move past the checks that the domain makes itself."""
    bad = Move(move.source, move.target, move.chips, move.reason, move.round_number)
    for name, value in differing.items():
        object.__setattr__(bad, name, value)
    return bad


def betting(**differing: Any) -> Change:
    return at_table(row(1), unchecked(bet(7, 5), **differing))


WHOLE: dict[str, Callable[[Any], Change | Fact]] = {
    "chips": lambda bad: betting(chips=bad),
    "round of a move": lambda bad: betting(round_number=bad),
    "member of an account": lambda bad: betting(target=Account(AccountKind.WALLET, party=bad)),
    "table of an account": lambda bad: betting(target=Account(AccountKind.HOLD, 7, bad)),
    "server": lambda bad: change(server_id=bad),
    "table": lambda bad: replace(at_table(row(1)), table=replace(row(1), table_id=bad)),
    "channel": lambda bad: at_table(row(1, channel_id=bad)),
    "number of a table": lambda bad: at_table(row(1, number=bad)),
    "round of an event": lambda bad: replace(at_table(row(1)), events=(EventRow(1, "bet", "{}", bad),)),
    "number of a house change": lambda bad: replace(change(), house=HouseRow(bad, 7, "[]", "{}")),
    "member of a house change": lambda bad: replace(change(), house=HouseRow(1, bad, "[]", "{}")),
    "message": lambda bad: BoardPosted(TABLE, bad, NOW),
    "table of a board": lambda bad: BoardPosted(bad, 9, NOW),
    "user of an identity": lambda bad: Identity(7, SERVER, bad, "Alice", "en-US"),
    "party of an identity": lambda bad: Identity(bad, SERVER, 700, "Alice", "en-US"),
    "party of words": lambda bad: replace(change(), words=(SeedWords("d", bad, "salt", "words"),)),
    "party of an erasure": lambda bad: replace(change(), erasures=(Erasure(bad, 700, b"hash", NOW),)),
    "user of an erasure": lambda bad: replace(change(), erasures=(Erasure(7, bad, b"hash", NOW),)),
    "user of a locale": lambda bad: LocaleChosen(bad, "ms-x-chosen"),
    "server to erase": lambda bad: ServerErasure(bad, NOW),
    "server of a head": lambda bad: HeadPosted(bad, NOW),
    "server greeted": ServerGreeted,
    "application": OwnApplication,
    "user": lambda bad: DirectChannel(bad, 70),
    "direct channel": lambda bad: DirectChannel(7, bad),
    "draft": lambda bad: HouseDraft(bad, SERVER, NOW, 0, "{}"),
    "base of a draft": lambda bad: HouseDraft(900, SERVER, NOW, bad, "{}"),
}


@pytest.mark.parametrize("field", sample(WHOLE, 4))
async def test_only_whole_numbers_of_64_bits_are_stored(ledger: Ledger, field: str) -> None:
    wrong = [10.5, 10.0, True, "10", LARGEST + 1, -LARGEST - 2]
    outcomes = await all_of(ledger, opening(7), *map(WHOLE[field], wrong), opening(8))
    assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * len(wrong)
    for bad, refused in zip(wrong, outcomes[1:], strict=False):
        assert repr(bad) in str(refused)
    assert await ledger.wallets(SERVER, [7, 8]) == {7: 1000, 8: 1000}, "the rest of the batch is stored"
    assert (await ledger.open_tables(), await ledger.houses()) == ([], [])


@pytest.mark.parametrize("field", ["at", "deadline"])
async def test_only_finite_times_are_stored(ledger: Ledger, field: str) -> None:
    for bad in (float("nan"), float("inf"), "noon", True):
        times: dict[str, Any] = {field: bad}
        with pytest.raises(Unstorable, match=field):
            await ledger.commit(replace(at_table(row(1)), **times))
    assert await ledger.open_tables() == []


async def test_a_refused_change_can_be_made_again_with_the_same_key(ledger: Ledger) -> None:
    good = betting()
    with pytest.raises(Unstorable):
        await ledger.commit(replace(good, moves=(unchecked(good.moves[0], chips=2.5),)))
    await all_of(ledger, opening(7), good)
    assert await ledger.holds(TABLE) == {7: 5}


async def test_a_balance_past_64_bits_is_refused_alone(ledger: Ledger) -> None:
    await ledger.commit(opening(7, LARGEST))
    outcomes = await all_of(ledger, opening(7, 1), opening(8, 1), opening(9, 1))
    assert [type(failure) for failure in failures(outcomes)] == [Unstorable] * 2, "a wallet, and the mint"
    assert await ledger.wallets(SERVER, [7, 8, 9]) == {7: LARGEST, 8: 1}


async def test_the_books_stay_clean_after_a_refused_fraction(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7))
        with pytest.raises(Unstorable):
            await ledger.commit(change(unchecked(Move(wallet(7), wallet(8), 1, Reason.GIFT), chips=10.5)))
    assert await asyncio.to_thread(problems_in, path) == []


def test_the_domain_makes_no_move_of_a_fraction() -> None:
    for bad in (10.5, 10.0, True):
        with pytest.raises(ValueError, match="whole number of chips"):
            Move(MINT, wallet(7), bad, Reason.OPENING_CHIPS)  # type: ignore[arg-type]
