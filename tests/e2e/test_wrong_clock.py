"""The machine's clock is wrong, or was: the log says so once, and nothing waits for it or is erased by it."""

import re
import time
from datetime import datetime
from typing import Any

import pytest
from discord.ext import tasks

from bot.ledger.changes import DirectChannel, HeadPosted, ServerErasure
from bot.rules.knobs import Dealing
from bot.table.state import Phase
from tests.e2e.evening import Evening

pytestmark = pytest.mark.thorough

AHEAD = 172_800.0


def cog(evening: Evening, name: str) -> Any:
    """A cog; its module is loaded again for each bot, so its class is not one that a test could import."""
    return evening.bot.get_cog(name)


@pytest.mark.parametrize(("ahead", "answers_after"), [(AHEAD, 0.0), (20.0, 0.0), (0.0, 0.0), (0.0, 2.5)])
async def test_a_start_with_a_wrong_clock_is_one_warning_and_a_slow_answer_none(
    evening: Evening, caplog: pytest.LogCaptureFixture, ahead: float, answers_after: float
) -> None:
    await evening.stop_bot()
    evening.discord.world.advance_clock(ahead)
    if answers_after:
        # Its date is of before.
        evening.discord.faults.hold(answers_after, route="/applications/@me")
    begins = time.monotonic()
    await evening.start_bot()
    lasted = time.monotonic() - begins
    told = [(one.levelname, one.getMessage()) for one in caplog.records if "the clock of" in one.getMessage()]
    if not ahead:
        assert told == []
        return
    ((level, line),) = told
    ours, discords = map(datetime.fromisoformat, re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", line))
    assert level == "WARNING"
    assert ahead - lasted - 2 <= (discords - ours).total_seconds() <= ahead + 2


async def test_no_server_is_erased_while_the_clock_is_wrong(evening: Evening) -> None:
    # Discord is asked about the server first.
    evening.expect_fault(404)
    departures, croupier = cog(evening, "Departures"), evening.bot.croupier
    # What it does at the start must not be under way.
    await departures.cog_unload()
    elsewhere = evening.server.id + 1
    await croupier.ledger.record(ServerErasure(elsewhere, time.time() + AHEAD / 2))
    croupier.now = lambda: time.time() + AHEAD
    evening.discord.world.advance_clock(-AHEAD)
    await departures.look()
    assert elsewhere in await croupier.ledger.server_erasures()

    croupier.now = time.time
    evening.discord.world.advance_clock(AHEAD)
    await croupier.ledger.record(ServerErasure(elsewhere, time.time() - 1))
    await departures.look()
    assert elsewhere not in await croupier.ledger.server_erasures()


async def test_the_code_of_the_books_is_posted_although_one_was_posted_in_the_future(
    evening: Evening,
) -> None:
    # The bot itself looks once at its start.
    await evening.settle_down()
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    (alice,) = evening.persons("Alice")
    await evening.told_alone(alice, "wallet")
    await evening.bot.croupier.ledger.record(HeadPosted(evening.server.id, time.time() + AHEAD))
    for _ in range(2):
        await cog(evening, "Fairness").post_codes()
    assert len(alice.sees(evening.other_channel)) == 1


async def test_a_hand_is_sent_although_a_message_was_refused_in_the_future(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MESSAGES})
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.bot.croupier.ledger.record(DirectChannel(alice.id, None, time.time() + AHEAD))
    await alice.click(board, "10")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "everybody has bet")
    await evening.have_cards(alice)


async def test_what_the_bot_does_again_and_again_does_not_wait_by_the_machines_clock(
    evening: Evening,
) -> None:
    """Set back by two days, it would stop the loops of discord.py for two days."""
    parts = [vars(type(one)).values() for one in evening.bot.cogs.values()]
    assert not [part for some in parts for part in some if isinstance(part, tasks.Loop)]
