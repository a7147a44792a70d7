"""Interactions that reach the bot late, or take long: nothing is done that the member is told has failed."""

import asyncio
import logging
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import Stack
from bot.practice.interactions import CallbackKind
from bot.practice.person import Person
from bot.rules.knobs import Dealing
from bot.table.state import TableState
from bot.ui.press import arrivals
from bot.ui.press.arrivals import DEFER_SECONDS, LAST_SECONDS
from bot.wire import intake
from bot.wire.requests import RETRY_SECONDS
from tests.e2e.answers import message_of
from tests.e2e.conftest import DISCORDS_PATIENCE, PATIENCE
from tests.e2e.evening import Evening
from tests.gnau_process import GnauProcess, until
from tests.sizes import sample
from tests.stand_in import StandIn

pytestmark = pytest.mark.late

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
LATE = DISCORDS_PATIENCE + 0.3
HOUR = 3600.0


def is_new_message(method: str, path: str) -> bool:
    """Whether a request sends a message that is no first answer."""
    return method == "POST" and not path.endswith("/callback")


def refusals(evening: Evening) -> int:
    """How many answers Discord took no more."""
    return sum(one.route == CALLBACK and one.status == 404 for one in evening.discord.requests)


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Locks the database meanwhile, as another program may."""
    with closing(sqlite3.connect(database, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        yield
        foreign.execute("ROLLBACK")


async def alice_and_bob(evening: Evening) -> list[Person]:
    """Two members who have chips."""
    people = evening.persons("Alice", "Bob")
    await evening.chips(*people)
    return people


async def deferred(evening: Evening, kind: CallbackKind, since: int = 0) -> None:
    """Waits until the bot has put an answer off, after this number of requests."""
    await evening.until(
        lambda: any(
            one.route == CALLBACK and one.body["type"] == kind for one in evening.discord.requests[since:]
        ),
        "the answer is deferred",
    )


@pytest.mark.parametrize("ahead", [None, pytest.param(HOUR, marks=pytest.mark.thorough)])
async def test_what_reaches_the_bot_too_late_is_not_done(evening: Evening, ahead: float | None) -> None:
    """Also if Discord's clock is an hour ahead of the machine's."""
    evening.expect_fault(404)
    alice, bob = evening.persons("Alice", "Bob")
    if ahead is not None:
        await evening.stop_bot()
        evening.discord.world.advance_clock(ahead)
        await evening.start_bot()
    await evening.told_alone(bob, "wallet")
    evening.discord.limits.reply_seconds = DISCORDS_PATIENCE
    evening.discord.faults.interaction_delay = (LATE, LATE)
    late = await asyncio.gather(
        alice.slash(evening.channel, "give", member=bob, amount=20),
        bob.slash(evening.channel, "daily"),
        bob.slash(evening.channel, "language", language="ms"),
        bob.slash(evening.channel, "table open"),
    )
    assert {reply.kind for reply in late} == {"failed"}
    await evening.until(lambda: refusals(evening) == len(late), "the bot finds out that it is too late")
    evening.discord.faults.interaction_delay = (0.0, 0.0)
    await evening.settle_down()
    assert await evening.chips(bob) == {"Bob": 1000}
    assert evening.bot.croupier.identities.chosen(bob.id) is None
    assert not evening.bot.croupier.tables.all()

    evening.discord.limits.reply_seconds = PATIENCE
    # What seems to come from the future is deferred first, and so is what a slow machine takes long for.
    kinds = {"deferred"} if ahead is not None else {"message", "deferred"}
    assert (await alice.slash(evening.channel, "give", member=bob, amount=20)).kind in kinds
    assert await evening.chips(bob) == {"Bob": 1020}


@pytest.mark.thorough
@pytest.mark.parametrize("way", sample(["smooth", "sent again", "forbidden"]))
async def test_a_gift_that_waits_for_the_disk_is_made_and_told_late(
    evening: Evening, tmp_path: Path, way: str
) -> None:
    evening.expect_fault(403, 500)
    if way != "smooth":
        status = 500 if way == "sent again" else 403
        evening.discord.faults.respond(status, when=is_new_message, carried_out=status == 500)
    alice, bob = await alice_and_bob(evening)
    with locked(tmp_path / "gnau.db"):
        giving = asyncio.create_task(alice.slash(evening.channel, "give", member=bob, amount=20))
        await deferred(evening, CallbackKind.DEFERRED_MESSAGE)
        await asyncio.sleep(LAST_SECONDS - DEFER_SECONDS + 0.1)
    reply = await giving
    assert reply.kind == "deferred"
    assert reply.message is not None
    assert reply.message.text == "Done."

    def tries() -> int:
        return sum(is_new_message(one.method, one.path) for one in evening.discord.requests)

    await evening.until(lambda: tries() >= (1 if way == "smooth" else 2), "everybody sees the gift")
    await evening.settle_down()
    assert sum("**20 chips**" in message.text for message in bob.sees(evening.channel)) == 1
    assert await evening.chips(bob) == {"Bob": 1020}


@pytest.mark.thorough
@pytest.mark.parametrize("has_time", sample([True, False]))
async def test_a_gift_that_waits_for_the_disk_at_a_stop_is_made_and_told_or_not_made(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_time: bool
) -> None:
    monkeypatch.setattr(intake, "CLOSING_SECONDS", PATIENCE if has_time else 0.1)
    alice, bob = await alice_and_bob(evening)
    if not has_time:
        evening.discord.limits.reply_seconds = DISCORDS_PATIENCE
    ledger = evening.bot.croupier.ledger
    commit, changes = ledger.commit, []

    async def noted(change: Change) -> bytes | None:
        changes.append(change)
        return await commit(change)

    monkeypatch.setattr(ledger, "commit", noted)
    with locked(tmp_path / "gnau.db"):
        giving = asyncio.create_task(alice.slash(evening.channel, "give", member=bob, amount=20))
        await evening.until(lambda: changes, "the gift waits for the disk")
        stopping = asyncio.create_task(evening.stop_bot())
        if has_time:
            await asyncio.sleep(0.5)
        else:
            await evening.until(lambda: not evening.bot.arrivals.handled, "the bot gives it up")
    await stopping

    assert (await giving).kind in ({"message", "deferred"} if has_time else {"failed"})
    await evening.start_bot()
    assert await evening.chips(bob) == {"Bob": 1020 if has_time else 1000}


@pytest.mark.thorough
async def test_what_waits_too_long_and_is_not_deferred_is_not_done(evening: Evening, tmp_path: Path) -> None:
    evening.expect_fault(0, 404)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    evening.discord.limits.reply_seconds = DISCORDS_PATIENCE
    evening.discord.faults.drop_connection(times=1 + len(RETRY_SECONDS), route=CALLBACK)
    with locked(tmp_path / "gnau.db"):
        assert (await alice.click(board, "20")).kind == "failed"
    await evening.until(lambda: refusals(evening), "the bot could not say so")
    assert evening.table().staked == 0

    evening.discord.limits.reply_seconds = PATIENCE
    await alice.click(board, "20")
    await evening.until(lambda: evening.table().staked == 20, "the next press is carried out")


@pytest.mark.thorough
async def test_a_form_is_opened_again_if_the_press_was_deferred_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    asked, since = evening.bot.croupier.wallets.free_chips, len(evening.discord.requests)

    async def slowly(table: TableState, party: int) -> object:
        await deferred(evening, CallbackKind.DEFERRED_UPDATE, since)
        return await asked(table, party)

    with monkeypatch.context() as slow:
        slow.setattr(evening.bot.croupier.wallets, "free_chips", slowly)
        await mei.click(board, "Take the bank")
    # On a slow machine the next press must not be deferred too.
    monkeypatch.setattr(arrivals, "DEFER_SECONDS", PATIENCE)
    monkeypatch.setattr(arrivals, "SOON_SECONDS", PATIENCE)
    assert (await mei.click(board, "Take the bank")).modal is not None


@pytest.mark.thorough
async def test_a_hand_that_came_late_is_never_shown_on_the_board(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MY_HAND})
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.can_press(board, "My hand")
    asked, since = evening.bot.croupier.wallets.stack, len(evening.discord.requests)

    async def slowly(server_id: int, party: int) -> Stack:
        await deferred(evening, CallbackKind.DEFERRED_UPDATE, since)
        return await asked(server_id, party)

    with monkeypatch.context() as slow:
        slow.setattr(evening.bot.croupier.wallets, "stack", slowly)
        await alice.click(board, "My hand")
        await evening.until(lambda: alice.sees(evening.channel)[-1].ephemeral, "the hand came")
    evening.bot.panels.refresh(evening.table(), evening.party(alice))
    await evening.settle_down()
    assert "Your hand" not in board.text
    assert board.button("My hand") is not None


async def test_a_panel_stays_as_it_is_while_the_ledger_cannot_be_read(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await evening.panel(mei, board)
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 0.0)

    async def unreadable(*_: object) -> None:
        raise LedgerUnavailable("disk I/O error")

    def told() -> list[logging.LogRecord]:
        return [one for one in caplog.records if "could not be edited" in one.getMessage()]

    with monkeypatch.context() as broken:
        broken.setattr(evening.bot.croupier.wallets, "stack", unreadable)
        evening.bot.panels.refresh(evening.table(), evening.party(mei))
        await evening.until(told, "it is logged")
    assert {(one.levelname, one.exc_info) for one in told()} == {("WARNING", None)}


@pytest.mark.thorough
async def test_a_panel_that_is_replaced_while_its_press_waits_is_no_error(
    evening: Evening, tmp_path: Path
) -> None:
    """An error in the log would fail this test at its end."""
    evening.expect_fault(404)
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    panel = await evening.panel(mei, board)
    with locked(tmp_path / "gnau.db"):
        pressing = asyncio.create_task(mei.click(panel, "Deal"))
        await deferred(evening, CallbackKind.DEFERRED_UPDATE)
        await evening.press(mei, board, "My panel")
        await evening.until(lambda: panel not in mei.sees(evening.channel), "the panel is replaced")
    await pressing
    await evening.board_says(board, "Showdown")
    await evening.settle_down()


@pytest.mark.thorough
@pytest.mark.parametrize("is_resumed", [False, True])
async def test_what_was_asked_of_a_stopped_process_is_not_done_when_it_goes_on(
    tmp_path: Path, is_resumed: bool
) -> None:
    """Also if the gateway drops it meanwhile, and sends the command when its session is resumed."""
    async with StandIn() as discord:
        bot = GnauProcess(discord, tmp_path)
        await bot.start()
        try:
            server = discord.add_server("Ox and friends")
            channel = discord.add_channel(server, "table-one")
            alice, bob = (discord.add_person(name, [server]) for name in ("Alice", "Bob"))
            await until(lambda: alice.commands(channel), "there are commands")
            discord.limits.reply_seconds = PATIENCE
            assert (await bob.slash(channel, "wallet")).kind != "failed"
            discord.limits.reply_seconds = DISCORDS_PATIENCE
            assert bot.pid is not None
            os.kill(bot.pid, signal.SIGSTOP)
            if is_resumed:
                discord.gateway.drop()
            assert (await alice.slash(channel, "give", member=bob, amount=20)).kind == "failed"
            os.kill(bot.pid, signal.SIGCONT)
            await until(lambda: "too late" in bot.log, "the bot finds out that it is too late")
            discord.limits.reply_seconds = PATIENCE
            told = message_of(await bob.slash(channel, "wallet"))
            assert "**1,000 chips** free" in told.text
        finally:
            await bot.end()


@pytest.mark.thorough
@pytest.mark.parametrize("way", sample(["cut", "refused"]))
async def test_while_no_answer_reaches_discord_nothing_is_carried_out(evening: Evening, way: str) -> None:
    """The gateway still sends what members ask for, and each is told that it failed."""
    evening.expect_fault(0, 404, 500)
    alice, bob = await alice_and_bob(evening)
    evening.discord.limits.reply_seconds = DISCORDS_PATIENCE
    faults = evening.discord.faults
    fault = faults.drop_connection(times=1_000) if way == "cut" else faults.respond(500, times=1_000)
    for command in ("wallet", "give", "give"):
        options: dict[str, object] = {} if command == "wallet" else {"member": bob, "amount": 20}
        assert (await alice.slash(evening.channel, command, **options)).kind == "failed"
    faults.cancel(fault)
    await evening.settle_down()
    assert await evening.chips(bob) == {"Bob": 1000}
    evening.discord.limits.reply_seconds = PATIENCE

    assert (await alice.slash(evening.channel, "give", member=bob, amount=20)).kind != "failed"
    await evening.settle_down()
    assert await evening.chips(bob) == {"Bob": 1020}
