"""What a host of an earlier release has, a database and settings, is what this version goes on with."""

import asyncio
import gzip
import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.config import DECLARED
from bot.ledger.files import OWNER_ONLY
from bot.table.state import Phase, TableState, parse_state
from tests.cli.runner import ask
from tests.e2e.conftest import PATIENCE
from tests.e2e.patient_process import PatientProcess

from .club import Club
from .make import DATABASE, FACTS, RELEASES, settings_of

KEPT = sorted(RELEASES.glob("v*"))


class Upgraded(PatientProcess):
    """The bot with the settings of the file in its folder, beside what only the stand-in can know."""

    @property
    def environment(self) -> dict[str, str]:
        others = {name: value for name, value in os.environ.items() if name not in DECLARED}
        return others | {
            "DISCORD_API_URL": self._discord.api_url,
            "DISCORD_GATEWAY_URL": self._discord.gateway_url,
            "METRICS_ADDRESS": "off",
        }


def facts_of(release: Path) -> dict[str, Any]:
    facts = json.loads((release / FACTS).read_text())
    assert isinstance(facts, dict)
    return facts


def table_in(database: Path, channel_id: int) -> TableState:
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT state FROM tables WHERE is_open AND channel_id = ?"
        ((state,),) = connection.execute(query, [channel_id])
    return parse_state(state)


@pytest.mark.parametrize("release", KEPT, ids=lambda release: release.name)
def test_every_setting_of_an_earlier_release_means_what_it_meant(release: Path) -> None:
    for name, meant in facts_of(release)["settings"].items():
        means = settings_of(release / name)
        assert {setting: means.get(setting) for setting in meant} == meant


@pytest.mark.thorough
@pytest.mark.parametrize("release", KEPT, ids=lambda release: release.name)
async def test_the_round_that_was_open_at_an_upgrade_is_played_out_and_so_is_the_next(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "gnau.db"
    database.touch(OWNER_ONLY)
    database.write_bytes(gzip.decompress((release / DATABASE).read_bytes()))
    (tmp_path / ".env").write_bytes((release / "one.env").read_bytes())
    club = Club()
    club.discord.limits.reply_seconds = PATIENCE
    before = table_in(database, club.chips.id)
    assert before.phase is Phase.DEALT
    async with club.discord:
        bot = Upgraded(club.discord, tmp_path)
        await bot.start()
        # Its time has passed, so that nobody needs to press anything.
        await club.says(club.chips, f"receipt {before.round_number} ")
        played = table_in(database, club.chips.id).last
        await club.play(club.chips, before.round_number + 1, "20", club.mei, club.alice, club.bob)
        assert await bot.end(signal.SIGTERM) == 0
    told = [line["event"] for line in map(json.loads, bot.lines) if line["level"] != "info"]
    # Where the version of the schema is newer, the log says so, and where the old file is.
    assert [event for event in told if not event.startswith("gnau.db upgraded from version ")] == []

    assert played is not None
    assert {player.party: player.pieces for player in played.players} == {
        seat.party: before.pieces_of(seat.party) for seat in before.members
    }
    monkeypatch.chdir(tmp_path)
    for name in DECLARED:
        monkeypatch.delenv(name, raising=False)
    checked = await asyncio.to_thread(ask, "db", "check", "--head", facts_of(release)["head"])
    assert (checked.exit_code, checked.stderr) == (0, ""), checked.stdout
    assert "no faults" in checked.stdout
    assert "is link" in checked.stdout
