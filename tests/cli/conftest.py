from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice import stand_in
from bot.practice.limits import Limits
from tests.cli.shell import TOKEN, Shell
from tests.e2e.conftest import PATIENCE
from tests.stand_in import StandIn


@pytest.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    await shell.close()


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    # `gnau run` wants the form of a real token, which the stand-in's own does not have.
    monkeypatch.setattr(stand_in, "TOKEN", TOKEN)
    # A busy machine may stall for longer than Discord waits.
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        discord.add_channel(discord.add_server("Ox and friends"), "table-one")
        yield discord
