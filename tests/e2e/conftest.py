from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice.stand_in import StandIn
from tests.e2e.evening import Evening


@pytest.fixture
async def evening(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Evening]:
    async with StandIn() as discord:
        evening = Evening(discord, tmp_path / "gnau.db")
        await evening.start_bot()
        try:
            yield evening
            await evening.end(caplog.get_records("call"))
        finally:
            await evening.stop_bot()
