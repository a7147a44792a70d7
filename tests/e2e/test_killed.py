"""The bot in its own process, killed without warning: its tables and boards work on after that."""

import asyncio
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.games.multiples import largest_multiple
from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from bot.practice import stand_in
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.practice.stand_in import StandIn
from bot.table.state import Phase, TableState, parse_state

GNAU = Path(sys.executable).parent / "gnau"
TOKEN = "MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
"""Not a real token: `gnau run` only needs its format."""
PATIENCE = 20.0
TELLTALE = 12
"""This number of characters of a secret in a row can't be chance."""


class KilledBot:
    """Runs `gnau run` with its most detailed log, and kills it.

    Attributes:
        log: the log of all finished runs.
    """

    def __init__(self, discord: StandIn, folder: Path) -> None:
        self.log = ""
        self.database = folder / "gnau.db"
        self._discord = discord
        self._folder = folder
        self._process: Process | None = None

    async def start(self) -> None:
        environment = os.environ | {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": self._discord.api_url,
            "DISCORD_GATEWAY_URL": self._discord.gateway_url,
            "DATABASE_URL": f"sqlite:///{self.database}",
            "LOG_LEVEL": "DEBUG",
            # A wide line, so that no line break splits a text that a test looks for in the log.
            "COLUMNS": "10000",
        }
        self._process = await asyncio.create_subprocess_exec(
            GNAU, "run", cwd=self._folder, env=environment, stdout=PIPE, stderr=PIPE
        )
        await until(lambda: self._discord.bot_connected, "the bot is connected")

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Kills the bot if it runs."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.send_signal(how)
        async with asyncio.timeout(PATIENCE):
            stdout, stderr = await process.communicate()
        self.log += stdout.decode() + stderr.decode()
        await until(lambda: not self._discord.bot_connected, "the bot is gone")

    def table(self) -> TableState:
        """The only table, as it is on disk."""
        with sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True) as connection:
            (text,) = connection.execute("SELECT state FROM tables").fetchone()
        return parse_state(text)


async def until(condition: Callable[[], object], what: str) -> None:
    """Waits until a condition holds; if it never does, fails with its name."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - no event is set for it
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"timed out: waited until {what}") from None


async def answer(person: Person, channel: Channel, command: str) -> str:
    reply = await person.slash(channel, command)
    assert reply.message is not None, reply
    return reply.message.text


async def press(person: Person, message: Message, label: str) -> Message | None:
    """Presses a button as soon as it is enabled; returns what only this person sees."""

    def can() -> bool:
        button = message.button(label)
        return button is not None and not button.disabled

    await until(can, f"{label!r} can be pressed")
    reply = await person.click(message, label)
    assert reply.kind != "failed", (label, reply)
    return reply.message


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    monkeypatch.setattr(stand_in, "TOKEN", TOKEN)
    async with StandIn() as discord:
        yield discord


@pytest.fixture
async def bot(discord: StandIn, tmp_path: Path) -> AsyncIterator[KilledBot]:
    bot = KilledBot(discord, tmp_path)
    await bot.start()
    yield bot
    await bot.end()


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["gnau", "niu-niu"])
async def test_a_kill_costs_nobody_a_chip_a_card_or_a_button_and_no_log_tells_a_secret(
    discord: StandIn, bot: KilledBot, game: str
) -> None:
    server = discord.add_server("Ox and friends")
    channel = discord.add_channel(server, "table-one")
    alice, bob, mei = (discord.add_person(name, [server]) for name in ("Alice", "Bob", "Mei"))
    bob.dms_open = False
    await until(lambda: mei.commands(channel), "there are commands")
    board = (await mei.slash(channel, "table open", game=game)).message
    assert board is not None
    form = (await mei.click(board, "Take the bank")).modal
    assert form is not None
    await mei.submit(form, lowest="5", highest="100")
    await press(alice, board, "Join")
    await press(bob, board, "20")
    betting = bot.table()
    assert betting.phase is Phase.BETTING

    await bot.end()
    assert (await alice.click(board, "50")).kind == "failed", "the bot should not be running"
    await bot.start()

    assert bot.table() == betting
    held = 20 * largest_multiple(betting.rules)
    assert f"{1000 - held} chips** free" in await answer(bob, channel, "wallet")
    await press(alice, board, "50")
    await press(mei, board, "Deal")
    await until(lambda: alice.sees(alice.dm()), "Alice has her cards")
    await until(lambda: "press **My hand**" in board.text, "the board tells Bob where to look")
    dealt = bot.table()

    await bot.end()
    await bot.start()

    assert bot.table() == dealt
    own = await press(bob, board, "My hand")
    assert own is not None
    assert all(dealt.game.pieces.shown(piece) in own.text for piece in dealt.pieces_of(bob.id))
    (hand,) = alice.sees(alice.dm())
    await press(alice, hand, "Reveal")
    await press(bob, own, "Reveal")
    await press(mei, board, "Reveal")
    await until(lambda: "### Round 1\n" in board.text, "the round is settled")
    assert "verified" in await answer(alice, channel, "round verify")
    following = bot.table()

    await bot.end(signal.SIGTERM)
    async with open_ledger(f"sqlite:///{bot.database}") as ledger:
        assert not await audit(ledger)
    assert "DEBUG" in bot.log, "the log should have the most detailed level"
    for secret in (dealt.secret, following.secret):
        assert secret is not None
        assert not any(secret[at : at + TELLTALE] in bot.log for at in range(len(secret) - TELLTALE + 1))
    hands = [piece for member in (alice, bob, mei) for piece in dealt.pieces_of(member.id)]
    assert len(hands) == 15
    assert not [piece for piece in hands if dealt.game.pieces.shown(piece) in bot.log]
