"""The log of a bot that does well: what was played each day, and all of it at the end."""

import logging
from pathlib import Path

import pytest

from bot.run.activity import Activity
from bot.table.commands import RevealHand
from tests.croupier.croupier_house import ALICE, MEI, House

DAYS = [(2, 30), (0, 30), (1, 35)]
"""Rounds of a day, and presses since the start."""


async def test_each_day_has_its_own_summary_and_the_end_has_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with House(tmp_path / "gnau.db") as house:
        table_id = await house.open_with_bank()
        pressed = [0]
        activity = Activity(house.croupier, lambda: pressed[-1])
        with caplog.at_level(logging.INFO, "bot.run.activity"):
            for rounds, presses in DAYS:
                for _ in range(rounds):
                    await house.bet(table_id, ALICE, 5)
                    for party in (ALICE, MEI):
                        await house.do(table_id, RevealHand(party), party)
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
