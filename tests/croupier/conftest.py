"""A house for each test, whose books are checked when it is over."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.croupier.forger import Forger
from tests.croupier.house import House
from tests.croupier.long_evening import LongEvening, play_long_evening


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with House(tmp_path / "gnau.db") as house:
        yield house
        await house.check()


@pytest.fixture(scope="package")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, LongEvening]:
    """A long evening that is over, and its database."""
    path = tmp_path_factory.mktemp("evening") / "gnau.db"
    return path, asyncio.run(play_long_evening(path))


@pytest.fixture
def evening(played: tuple[Path, LongEvening]) -> LongEvening:
    return played[1]


@pytest.fixture
def forger(played: tuple[Path, LongEvening], tmp_path: Path) -> Forger:
    """Has a copy of that evening's database to himself."""
    path = tmp_path / "forged.db"
    shutil.copy(played[0], path)
    return Forger(path)
