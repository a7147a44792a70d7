"""Metrics: what happens is counted, each has a name that the page explains, and none grows without bound."""

import asyncio
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ledger.database import database_at
from bot.ledger.sqlite.integrity import problems_in
from bot.run.backup_command import BackupCommand
from bot.run.monitoring.figures import UNKNOWN, Figures, Tally
from bot.run.monitoring.metrics import ABOUT
from bot.ui.press.errors import DONE, MemberError, outcome_of
from bot.wire import gateway
from tests.e2e.evening import Evening
from tests.pages import watched

OPERATING = Path(__file__).parents[2] / "docs" / "OPERATING.md"
TOKEN = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"


async def test_a_round_is_counted_in_every_part(evening: Evening) -> None:
    async with watched(evening) as (_, pages):
        before = await pages.scrape()
        board, (mei, alice) = await evening.table_of("Mei", "Alice")
        await alice.click(board, "20")
        await evening.have_cards(alice)
        await evening.reveal(board, mei, alice)
        await evening.until(lambda: evening.table().last is not None, "the round is over")
        await evening.settle_down()
        after = await pages.scrape()
    assert after.value("gnau_rounds_total", game="gnau") == 1
    assert after.value("gnau_tables_open", game="gnau") == 1
    assert after.value("gnau_tables_open", game="niu_niu") == 0
    assert after.value("gnau_chips_total", reason="opening_chips") == 2 * 1000
    for name in ("gnau_ledger_batch_size_count", "gnau_presses_total", "gnau_rest_budgeted_total"):
        assert after.value(name) > before.value(name), name
    assert after.total("gnau_interactions_total", outcome="done") > 3
    assert after.total("gnau_interaction_seconds_count") == after.total("gnau_interactions_total")
    assert after.value("gnau_rest_requests_total", route="POST channels/messages", status="200") >= 1
    assert after.value("gnau_shard_sessions_total", shard="0", how="new") == 1
    assert after.value("gnau_shard_up", shard="0") == after.value("gnau_ready") == 1
    assert after.value("gnau_guilds") == 1
    assert after.value("gnau_ledger_bytes") > 0
    assert 0 < after.value("gnau_identify_remaining") <= 1000


async def test_every_metric_is_explained_and_each_that_is_explained_is_there(evening: Evening) -> None:
    async with watched(evening) as (_, pages):
        await evening.table_of("Mei")
        scraped = await pages.scrape()
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in scraped.names}
    ours = {name for name in families if name.startswith("gnau_")}
    rare = {"gnau_shard_latency_seconds"}
    no_backup = {"gnau_backup_last_success_timestamp_seconds", "gnau_backup_copied"}
    assert ours | rare | no_backup >= set(ABOUT)
    assert ours <= set(ABOUT)
    assert {"process_resident_memory_bytes", "process_start_time_seconds"} <= families


async def test_few_logins_are_few_until_the_day_is_over(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watched(evening) as (_, pages):
        asked = evening.bot.connections.logins
        assert asked is not None
        evening.bot.connections.logins = replace(asked, left=60, wait_seconds=3600.0)
        assert (await pages.scrape()).value("gnau_identify_remaining") == 60
        monkeypatch.setattr(gateway, "steady_time", lambda: asked.at + 3601)
        assert (await pages.scrape()).value("gnau_identify_remaining") == asked.a_day


async def test_backups_and_their_failures_are_counted(evening: Evening) -> None:
    database = database_at(evening.settings.database_url)
    folder, copy = evening.database.parent / "backups", evening.database.parent / "elsewhere"
    async with watched(evening) as (monitor, pages):
        folder.write_text("in the way")
        async with database.backed_up(3600.0, 3, monitor.figures.tried_backup):
            await evening.until(lambda: monitor.figures.backups_failed, "a backup could not be made")
        failed = await pages.scrape()
        assert failed.value("gnau_backup_failures_total") == 1
        assert "gnau_backup_last_success_timestamp_seconds" not in failed.names
        folder.unlink()
        command = BackupCommand(["cp", "{}", str(copy)], 3600.0, monitor.figures, evening.bot.tasks)
        async with database.backed_up(3600.0, 3, command.tried):
            await evening.until(lambda: monitor.figures.backup_copied is not None, "a backup is made", 240)
        made = await pages.scrape()
    assert made.value("gnau_backups") == made.value("gnau_backup_copied") == 1
    assert await asyncio.to_thread(problems_in, copy) == []
    assert abs(made.value("gnau_backup_last_success_timestamp_seconds") - time.time()) < 300
    assert made.value("gnau_backup_failures_total") == 1


async def test_what_is_served_names_no_server_no_table_and_no_member(evening: Evening) -> None:
    async with watched(evening) as (_, pages):
        board, (_, alice) = await evening.table_of("Mei", "Alice")
        await alice.click(board, "20")
        await evening.have_cards(alice)
        text = (await pages.scrape()).text
    labels = " ".join(re.findall(r"\{(.*)\}", text))
    assert not re.search(r"\d{5}", labels)
    for word in ("Mei", "Alice", evening.server.name, evening.channel.name, evening.discord.token):
        assert word not in text


def test_the_series_are_as_many_as_there_are_routes_and_codes() -> None:
    figures = Figures()
    for number in range(1_000, 3_000):
        path = f"/api/v10/channels/{number}/messages/{number}"
        figures.answered("PATCH", path, 200, 0.1, "")
        figures.answered("POST", f"/api/v10/interactions/{number}/{TOKEN}{number}/callback", 204, 0.1, "")
        figures.answered("PATCH", f"/webhooks/{number}/{TOKEN}/messages/@original", None, 0.1, "")
        path = f"/{number}/channels/x/commands/y/users/{TOKEN}/@me"
        figures.answered("GET", path, 429, 0.1, f"{number}")
        figures.finished("press", outcome_of(MemberError("reply.not_allowed", number=number)), 0.1)
        figures.finished("press", DONE, 0.1)
    assert set(figures.requests) == {
        ("PATCH channels/messages", 200),
        ("POST interactions/callback", 204),
        ("PATCH webhooks/messages/@original", None),
        ("GET channels/commands/users/@me", 429),
    }
    assert +figures.limits == {UNKNOWN: 2_000}
    assert set(figures.interactions) == {("press", "refused", "reply.not_allowed"), ("press", "done", "")}


@pytest.mark.parametrize(
    ("numbers", "counts"), [([], [0, 0, 0]), ([0.0, 1.0], [2, 0, 0]), ([1.1, 2.0, 9.0], [0, 2, 1])]
)
def test_a_tally_counts_up_to_each_bound(numbers: list[float], counts: list[int]) -> None:
    tally = Tally((1.0, 2.0))
    for number in numbers:
        tally.add(number)
    assert tally.counts == counts
    assert tally.sum == sum(numbers)


def test_the_page_for_hosts_has_every_metric_in_the_same_words() -> None:
    rows = re.findall(
        r"^\| `(gnau_\w+)`(?: by [^|]*)? \| (.*) \|$", OPERATING.read_text("utf-8"), re.MULTILINE
    )
    assert dict(rows) == ABOUT
