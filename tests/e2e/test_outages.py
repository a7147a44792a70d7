"""Discord is away for a while: one line at each end, few logins, and what needs no Discord goes on."""

import asyncio
import logging
import re
import sqlite3
import time
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from bot.practice.person import Person
from bot.ui import following
from tests.e2e.answers import press_own
from tests.e2e.evening import Evening
from tests.sizes import sample

pytestmark = pytest.mark.thorough

SCALE = 0.01
"""How much faster pauses pass here."""
BETWEEN_TRIES = (0.5, 120.0)
"""The seconds of pauses between tries; others gather changes, or are for what is seldom done."""
EVERY = 1_000_000


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between tries so far, which pass faster."""
    paused: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float, result: Any = None) -> Any:
        task = asyncio.current_task()
        # What looks again and again does, whether Discord is away or not.
        is_repeated = task is None or "again_and_again" in repr(task.get_coro())
        if not is_repeated and BETWEEN_TRIES[0] <= seconds <= BETWEEN_TRIES[1]:
            paused.append(seconds)
            seconds *= SCALE
        return await real(seconds, result)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    for module in ("bot.wire.gateway", "bot.wire.client"):
        monkeypatch.setattr(f"{module}.sleep", sleep)
    return paused


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = caplog.get_records("call")
    assert not any(one.exc_info for one in records if one.levelno >= logging.INFO), "a traceback is logged"
    return [one.getMessage() for one in records if one.levelno >= logging.WARNING]


def seconds_away(line: str) -> int:
    """How long Discord was away, as the line says that tells that it is back."""
    lasted = re.match(r"Discord is back after (\d+):(\d\d):(\d\d); ", line)
    assert lasted is not None, line
    hours, minutes, seconds = map(int, lasted.groups())
    return (hours * 60 + minutes) * 60 + seconds


def growing(pauses: list[float]) -> bool:
    """Whether these pauses double, with some chance in it, up to a minute."""
    bounds = [min(60.0, 2.0**number) for number in range(1, len(pauses) + 1)]
    return all(bound / 2 <= pause <= bound for pause, bound in zip(pauses, bounds, strict=True))


async def test_a_gateway_that_refuses_every_login_is_asked_less_and_less(
    pauses: list[float], evening: Evening
) -> None:
    gateway = evening.discord.gateway
    before, gateway.welcome = gateway.logins, "invalid"
    pauses.clear()
    gateway.invalidate_sessions()
    await evening.until(lambda: before - gateway.logins >= 10, "the bot has logged in ten times")
    assert growing(pauses[:10])
    gateway.welcome = "session"
    await evening.until(lambda: evening.discord.bot_connected, "the bot is back")
    await evening.open_table(evening.person("Mei"))


async def test_a_gateway_that_closes_after_ready_is_resumed_less_and_less(
    pauses: list[float], evening: Evening
) -> None:
    gateway, alice = evening.discord.gateway, evening.person("Alice")
    await evening.stop_bot()
    gateway.welcome = "closed"
    before = gateway.logins
    pauses.clear()
    starting = asyncio.create_task(evening.start_bot())
    await evening.until(lambda: len(pauses) >= 10, "the bot has tried ten times")
    assert growing(pauses[:10])
    assert before - gateway.logins == 1, "a session that can be resumed costs no login"
    gateway.welcome = "session"
    await starting
    assert (await alice.slash(evening.channel, "wallet")).kind == "message"


async def test_few_logins_are_not_spent_and_tables_go_on_meanwhile(
    evening: Evening, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord counts: a process that is started again and again must not use them up."""
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 2, "arranging_seconds": 1})
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.stop_bot()
    gateway = evening.discord.gateway
    gateway.logins, gateway.logins_in = 20, 40_000.0
    asked = asyncio.Event()
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds >= 40_000:
            await asked.wait()
        else:
            await real(seconds)

    monkeypatch.setattr("bot.wire.gateway.sleep", sleep)
    starting = asyncio.create_task(evening.start_bot())
    evening.expect_haste()
    await evening.board_says(board, "-# 🧾 receipt 1")
    assert (gateway.logins, evening.discord.bot_connected) == (20, False)
    await evening.until(lambda: any("logins" in one for one in warnings(caplog)), "it waits")
    (line,) = (one for one in warnings(caplog) if "logins" in one)
    assert line.startswith(
        "20 of the 1000 logins that Discord allows a day are left: the next one waits 11:06:40"
    )
    gateway.logins = 1000
    asked.set()
    await starting
    assert gateway.logins == 999
    assert (await alice.slash(evening.channel, "wallet")).kind == "message"


async def test_minutes_without_discord_are_a_line_at_each_end(
    pauses: list[float], evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    alice, began = evening.person("Alice"), time.monotonic()
    pauses.clear()
    await evening.discord.stop()
    await evening.until(lambda: len(pauses) >= 12, "the bot has tried often")
    assert max(pauses) <= 60.0
    evening.bot.outage._outage._began_at -= 240
    await evening.until(lambda: warnings(caplog), "it is said that Discord is away")
    await evening.discord.start()
    await evening.until(lambda: evening.discord.bot_connected, "the bot is back")
    assert (await alice.slash(evening.channel, "wallet")).kind == "message"
    away, back = warnings(caplog)
    assert away.startswith("Discord is away: Cannot connect to host 127.0.0.1:")
    assert 240 <= seconds_away(back) <= 240 + time.monotonic() - began + 1
    assert "requests that failed: " in back


async def test_a_minute_of_failing_requests_is_a_line_at_each_end(
    pauses: list[float], evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.expect_fault(503, 404)
    mei, *others = evening.persons("Mei", "Alice", "Bob", "Chan")
    started = time.monotonic()
    board = await evening.open_table(mei)
    evening.discord.limits.reply_seconds = 0.2
    failing = evening.discord.faults.respond(503, times=EVERY)
    began = evening.bot.outage._outage
    for number, person in enumerate(others):
        await person.slash(evening.channel, "wallet")
        await evening.until(lambda: began._failures, "a request has failed")
        began._began_at -= 20
        await evening.press(person, board, "Join")
        await evening.until(lambda: not evening.bot.arrivals.handled, f"{person.name}'s press is given up")
        assert len(warnings(caplog)) == (1 if number else len(warnings(caplog)))
    evening.discord.faults.cancel(failing)
    evening.discord.limits.reply_seconds = 8
    await evening.settle_down()
    assert (await others[0].slash(evening.channel, "wallet")).kind == "message"
    away, back = warnings(caplog)
    assert away == "Discord is away: it answers with status 503"
    assert 60 <= seconds_away(back) <= 60 + time.monotonic() - started + 1
    assert int(back.rpartition(" ")[2]) >= 2 * len(others)


async def test_a_board_catches_up_after_an_outage_though_nothing_changes_then(
    pauses: list[float], evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "RETRY_SECONDS", (0.05,))
    monkeypatch.setattr("bot.ui.board.message.BUDGET_SECONDS", 0.1)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    own = await evening.panel(alice, board)
    await evening.settle_down()
    failing = evening.discord.faults.drop_connection(times=EVERY, method="PATCH")
    await press_own(alice, own, "Sit out")
    await evening.until(lambda: EVERY - failing.times >= 20, "the board was tried often")
    assert "deciding…" in board.text
    evening.discord.faults.cancel(failing)
    await evening.until(lambda: "deciding…" not in board.text, "the board says who sits out")


async def test_an_edit_that_a_broken_connection_took_does_not_end_a_token(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.expect_fault(0)
    caplog.set_level(logging.DEBUG)
    alice = evening.person("Alice")
    board = await evening.open_table(alice)
    await evening.press(alice, board, "Join")
    evening.discord.faults.drop_connection(times=EVERY, method="PATCH")
    evening.bot.boards.refresh(evening.table().table_id)
    await evening.until(
        lambda: any(one.name == "bot.ui.board.message" for one in caplog.records), "an edit failed"
    )
    # On a slow machine the next try may have failed too by now.
    line, *_ = (one.getMessage() for one in caplog.records if one.name == "bot.ui.board.message")
    assert line.startswith(
        f"the board of table {evening.table().table_id} could not be edited by the token of"
    )
    evening.discord.faults.clear()


# Steps at the start that tables do not need

FAILURES = ("403", "404", "429", "500", "malformed", "no answer", "cut")


def fail(evening: Evening, failure: str, method: str, route: str) -> None:
    """Lets every request of a kind fail in a way."""
    faults = evening.discord.faults
    if failure == "no answer":
        faults.hold(600, times=EVERY, method=method, route=route)
    elif failure == "cut":
        faults.drop_connection(times=EVERY, method=method, route=route)
    else:
        status = 200 if failure == "malformed" else int(failure)
        faults.respond(status, times=EVERY, method=method, route=route, retry_after=600)


STEPS = [
    ("PUT", "/applications/{application_id}/commands"),
    ("GET", "/applications/@me"),
    ("POST", "/channels/{channel_id}/messages"),
    ("POST", "/users/@me/channels"),
]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the start wait less long for what it can go on without."""
    monkeypatch.setattr("bot.ui.bot.REGISTERING_SECONDS", 0.2)
    monkeypatch.setattr("bot.wire.client.ANSWER_SECONDS", 0.5)


async def dealt(evening: Evening) -> tuple[Any, Person, Person]:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    await evening.settle_down()
    return board, alice, mei


@pytest.mark.parametrize("failure", sample(FAILURES, 3))
@pytest.mark.parametrize(("method", "route"), STEPS)
async def test_no_optional_step_of_the_start_keeps_a_button_from_working(
    evening: Evening,
    caplog: pytest.LogCaptureFixture,
    hurried: None,
    method: str,
    route: str,
    failure: str,
) -> None:
    evening.expect_fault(0, 403, 404, 429, 500)
    board, alice, mei = await dealt(evening)
    await evening.stop_bot()
    fail(evening, failure, method, route)
    await evening.start_bot()
    await evening.reveal(board, alice, mei)
    warnings(caplog)
    evening.discord.faults.clear()


@pytest.mark.parametrize("where", sample(["/users/@me", "/gateway/bot", "the gateway"]))
async def test_deadlines_wait_while_discord_is_away_and_their_time_runs_again(
    pauses: list[float], evening: Evening, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.wire.traffic.PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr("bot.croupier.croupier.RETRY_SECONDS", 0.1)
    evening.expect_fault(0, 500)
    evening.rules = evening.rules.model_copy(update={"arranging_seconds": 4})
    # No time is up before the bot is stopped, also on a slow machine.
    evening.bot.croupier.now = partial(float, time.time())
    board, alice, mei = await dealt(evening)
    deadline = evening.table().deadline
    assert deadline is not None
    await evening.stop_bot()
    if where == "the gateway":
        evening.discord.gateway.welcome = "invalid"
    else:
        evening.discord.faults.drop_connection(times=EVERY, route=where)
    starting = asyncio.create_task(evening.start_bot())
    await evening.until(lambda: time.time() > deadline + 1, "the time would be up")
    assert not _rounds_settled(evening)
    assert not starting.done()
    back_at = time.time()
    evening.discord.gateway.welcome = "session"
    evening.discord.faults.clear()
    await starting
    await evening.board_says(board, "-# 🧾 receipt 1")
    assert time.time() - back_at >= 4
    assert sum((await evening.chips(alice, mei)).values()) == 2000


def _rounds_settled(evening: Evening) -> int:
    """How many rounds are settled, on disk: the bot that settles them is not connected yet."""
    path = evening.settings.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        query = "SELECT count(*) FROM events WHERE kind = 'round_settled'"
        return int(connection.execute(query).fetchone()[0])
