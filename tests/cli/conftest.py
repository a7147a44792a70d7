from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice import stand_in
from tests.cli.shell import TOKEN, Shell
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
    async with StandIn() as discord:
        discord.add_channel(discord.add_server("Ox and friends"), "table-one")
        yield discord
