"""A house for each test, audited at its end, and a ledger that fails on demand."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from bot.croupier import stored_tables
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from tests.croupier.arena import Arena
from tests.croupier.croupier_house import FailAt, House
from tests.croupier.forger import Forger
from tests.croupier.long_evening import LongEvening, play_long_evening


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with House(tmp_path / "gnau.db") as house:
        yield house
        await house.check()


@pytest.fixture(scope="package")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, LongEvening]:
    """A finished long evening, and its database."""
    path = tmp_path_factory.mktemp("evening") / "gnau.db"
    return path, asyncio.run(play_long_evening(path))


@pytest.fixture
def evening(played: tuple[Path, LongEvening]) -> LongEvening:
    return played[1]


@pytest.fixture
def forger(played: tuple[Path, LongEvening], tmp_path: Path) -> Forger:
    """Forges a separate copy of that evening's database."""
    path = tmp_path / "forged.db"
    shutil.copy(played[0], path)
    return Forger(path)


@pytest.fixture(params=[False, True], ids=["before the disk has it", "after the disk has it"])
def kept(request: pytest.FixtureRequest) -> bool:
    """Whether the change is on disk although the ledger reports a failure."""
    return bool(request.param)


@pytest.fixture
def fail_at(house: House, kept: bool, monkeypatch: pytest.MonkeyPatch) -> FailAt:
    def arrange(which: int) -> None:
        commit, changes = house.ledger.commit, count(1)

        async def failing(change: Change) -> bytes | None:
            fails = change.table is not None and next(changes) == which
            last_hash = await commit(change) if not fails or kept else None
            if fails:
                raise LedgerUnavailable("disk I/O error")
            return last_hash

        monkeypatch.setattr(house.ledger, "commit", failing)

    return arrange


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries almost immediately, not after seconds."""
    monkeypatch.setattr(stored_tables, "RETRY_SECONDS", 0.01)


@pytest.fixture
def arena(house: House) -> Arena:
    return Arena(house)
