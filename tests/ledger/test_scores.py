"""Running scores: points are separate from chips, and can go below zero (G22)."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.ledger.audit import audit
from bot.ledger.errors import InsufficientChips
from bot.ledger.ledger import Ledger, open_ledger
from bot.table.accounts import HOUSE, MINT, Move, Reason, score, wallet
from tests.ledger.sample_changes import SERVER, at_table, change, identity, opening, pay, row


def won(party: int, banker_id: int, points: int) -> Move:
    """Points that a player won from the banker."""
    return Move(score(banker_id), score(party), points, Reason.POINTS_WON, 1)


async def test_g22_scores_can_go_below_zero_and_chips_cannot(ledger: Ledger) -> None:
    await ledger.commit(opening(7, 5))
    await ledger.commit(at_table(row(1, is_playing=False), won(8, 7, 10)))
    with pytest.raises(InsufficientChips):
        await ledger.commit(pay(wallet(7), HOUSE, 6))

    purse = await ledger.purse(SERVER, 7)
    assert (purse.wallet, purse.held, purse.score, purse.total) == (5, (), -10, 5)
    assert await ledger.wallets(SERVER, [7, 8]) == {7: 5}
    assert [entry.reason for entry in await ledger.entries(SERVER, 7, 10)] == [Reason.OPENING_CHIPS]
    assert await audit(ledger) == []


async def test_g22_scores_are_of_a_server_and_chips_do_not_count(ledger: Ledger) -> None:
    await ledger.commit(opening(8, 9))
    await ledger.commit(change(won(9, 8, 3), won(7, 8, 3), won(10, 8, 1)))
    await ledger.commit(change(won(8, 7, 50), server_id=SERVER + 1))

    scores = [(await ledger.purse(SERVER, party)).score for party in (7, 8, 9, 10)]
    assert scores == [3, -7, 3, 1]
    assert [(await ledger.purse(SERVER, party)).has_score for party in (8, 11)] == [True, False]


@pytest.mark.parametrize(("source", "target"), [(score(7), wallet(7)), (MINT, score(7)), (score(7), HOUSE)])
def test_g22_points_never_turn_into_chips(source: object, target: object) -> None:
    with pytest.raises(ValueError, match="never mix"):
        Move(source, target, 1, Reason.POINTS_WON)  # type: ignore[arg-type]  # each of them is an account


async def test_g22_only_scores_and_the_mint_go_below_zero_in_the_database(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7, 12))
        await ledger.record(identity(8))
        await ledger.commit(change(won(7, 8, 3)))

        assert (await ledger.purse(SERVER, 8)).score == -3
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="covered"):
        connection.execute("UPDATE accounts SET balance = -1 WHERE account = 'wallet:7'")
