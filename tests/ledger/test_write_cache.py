"""The writer's cache equals what is on disk; if that is uncertain, it starts empty."""

import random
import sqlite3

import pytest

from bot.ledger import batch
from bot.ledger.audit import audit
from bot.ledger.batch import CacheMisses, WriteCache
from bot.ledger.errors import InsufficientChips, StaleTable
from bot.ledger.ledger import Ledger
from bot.ledger.store import Store
from bot.table.accounts import HOUSE, wallet
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import SERVER, at_table, bet, opening, pay, row


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[CacheMisses]:
    """What each batch looked up."""
    asked: list[CacheMisses] = []
    fill = Store.fill

    def noting(self: Store, connection: sqlite3.Connection, names: CacheMisses, what: WriteCache) -> None:
        asked.append(names)
        fill(self, connection, names, what)

    monkeypatch.setattr(Store, "fill", noting)
    return asked


async def test_written_values_are_not_looked_up_again(ledger: Ledger, looked_up: list[CacheMisses]) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(at_table(row(1), bet(7, 30)))
    await ledger.commit(at_table(row(2), bet(7, 40), key="the second bet"))
    assert looked_up[-1] == CacheMisses({"the second bet"})
    with pytest.raises(InsufficientChips) as refused:
        await ledger.commit(at_table(row(3), bet(7, 931)))
    assert refused.value.balance == 930
    with pytest.raises(StaleTable):
        await ledger.commit(at_table(row(2), bet(7, 1)))


async def test_a_cache_that_grew_too_large_starts_empty_again(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, looked_up: list[CacheMisses]
) -> None:
    monkeypatch.setattr(batch, "MAX_CACHED", 6)
    members, chips = range(10, 30), random.Random(5)
    await all_of(ledger, *(opening(member) for member in members))
    for _ in range(40):
        payer, payee = chips.sample(members, 2)
        await all_of(ledger, pay(wallet(payer), wallet(payee), 1), pay(wallet(payee), HOUSE, 1))
    assert sum(bool(names.accounts) for names in looked_up) > 10
    assert sum((await ledger.wallets(SERVER, members)).values()) == 20 * 1000 - 40
    assert await audit(ledger) == []
