"""The log of a bot that does well: what each day was, and all of it at the end."""

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.run.activity import Activity
from bot.run.monitoring.figures import Figures
from bot.table.commands import RevealHand
from bot.table.events import RoundSettled
from bot.ui.press.errors import DONE, Outcome
from tests.croupier.croupier_house import ALICE, MEI, House

DAYS = [(2, 30), (0, 30), (1, 35)]
"""Rounds of a day, and presses since the start."""


async def test_each_day_has_its_own_summary_and_the_end_has_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with House(tmp_path / "gnau.db") as house:
        table_id = await house.open_with_bank()
        figures, parts = Figures(), SimpleNamespace(presses=0, count=0)
        house.croupier.listeners.add(figures.settled, of=(RoundSettled,))
        bot: Any = SimpleNamespace(croupier=house.croupier, intake=parts, outage=parts)
        activity = Activity(bot, figures)
        with caplog.at_level(logging.INFO, "bot.run.activity"):
            for rounds, presses in DAYS:
                for _ in range(rounds):
                    await house.bet(table_id, ALICE, 5)
                    for party in (ALICE, MEI):
                        await house.do(table_id, RevealHand(party), party)
                    figures.finished("bet", DONE, 0.1)
                    figures.finished("bet", Outcome("refused", "RefusedError too_high"), 0.1)
                parts.presses, parts.count = presses, parts.count + (rounds == 1)
                await activity.log_day()
            activity.log_all()
    *daily, last = [record.getMessage() for record in caplog.records if record.name == "bot.run.activity"]
    assert daily == [
        "in a day, rounds: 2, presses: 30, refusals: 2, outages: 0, members at play: 2, open tables: 1",
        "in a day, rounds: 0, presses: 0, refusals: 0, outages: 0, members at play: 0, open tables: 1",
        "in a day, rounds: 1, presses: 5, refusals: 1, outages: 1, members at play: 2, open tables: 1",
    ]
    assert last.endswith(", rounds: 3, presses: 35, refusals: 3, outages: 1, open tables: 1")
