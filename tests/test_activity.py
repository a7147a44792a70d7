"""The log of a bot that does well: what was played each day, and all of it at the end."""

import logging
from pathlib import Path

import pytest

from bot.croupier.open_tables import TableChanged
from bot.run.activity import Activity
from bot.table.events import RoundSettled
from tests.croupier.croupier_house import House

DAYS = [(2, 30), (0, 30), (1, 35)]
"""Rounds of a day, and presses since the start."""


async def test_each_day_has_its_own_summary_and_the_end_has_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with House(tmp_path / "gnau.db") as house:
        table = house.croupier.tables.get(await house.open_with_bank())
        assert table is not None
        pressed = [0]
        activity = Activity(house.croupier, lambda: pressed[-1])
        settled = RoundSettled(None)  # type: ignore[arg-type]  # only its kind counts
        with caplog.at_level(logging.INFO, "bot.run.activity"):
            for rounds, presses in DAYS:
                for _ in range(rounds):
                    house.croupier._listeners.notify(TableChanged(table, (settled,), table))
                pressed.append(presses)
                await activity.log_day()
            activity.log_all()
    *daily, last = [record.getMessage() for record in caplog.records if record.name == "bot.run.activity"]
    assert daily == [
        "played in a day, rounds: 2, presses: 30, open tables: 1",
        "played in a day, rounds: 0, presses: 0, open tables: 1",
        "played in a day, rounds: 1, presses: 5, open tables: 1",
    ]
    assert last.endswith(", rounds: 3, presses: 35, open tables: 1")
