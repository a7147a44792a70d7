from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice.limits import Limits
from bot.practice.stand_in import StandIn
from tests.e2e.evening import Evening

PATIENCE = 8.0
"""Discord waits three seconds for a reply, but a busy machine may stall for longer."""


@pytest.fixture
async def evening(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Evening]:
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        evening = Evening(discord, tmp_path / "gnau.db")
        await evening.start_bot()
        try:
            yield evening
            await evening.end(caplog.get_records("call"))
        finally:
            await evening.stop_bot()
