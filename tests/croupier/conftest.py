"""A house for each test, whose books are checked when it is over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.croupier.house import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with House(tmp_path / "gnau.db") as house:
        yield house
        await house.check()
