"""The bot in its own process, killed without warning: its tables and boards work on after that."""

import signal
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.games.settle import largest_multiple
from bot.ledger.audit import audit
from bot.ledger.ledger import open_ledger
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.rules.pieces import Piece
from bot.table.state import Phase, TableState, parse_state
from tests.e2e.answers import form_of, message_of
from tests.e2e.conftest import PATIENCE
from tests.e2e.patient_process import PatientProcess
from tests.gnau_process import until
from tests.stand_in import StandIn

TELLTALE = 12
"""This number of characters of a secret in a row can't be chance."""


class KilledBot(PatientProcess):
    """The bot with its most detailed log, to be killed."""

    def table(self) -> TableState:
        """The only table, as it is on disk."""
        with sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True) as connection:
            (text,) = connection.execute("SELECT state FROM tables").fetchone()
        return parse_state(text)

    def hand_of(self, person: Person) -> tuple[Piece, ...]:
        """A person's hand at the only table, as it is on disk."""
        with sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True) as connection:
            query = "SELECT party FROM parties WHERE user_id = ?"
            (party,) = connection.execute(query, (person.id,)).fetchone()
        return self.table().pieces_of(party)


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
async def discord() -> AsyncIterator[StandIn]:
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        yield discord


@pytest.fixture
async def bot(discord: StandIn, tmp_path: Path) -> AsyncIterator[KilledBot]:
    bot = KilledBot(discord, tmp_path, log_level="DEBUG")
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
    bob.user.dms_open = False
    await until(lambda: mei.commands(channel), "there are commands")
    board = message_of(await mei.slash(channel, "table open", game=game))
    await press(alice, board, "Join")
    form = form_of(await mei.click(board, "Take the bank"))
    await mei.submit(form, lowest="5", highest="100")
    await press(bob, board, "20")
    for following in (bob, alice):
        form = form_of(await following.choose(board, "More…", "bank_next"))
        await following.submit(form, lowest="10", highest="50")
    betting = bot.table()
    assert betting.phase is Phase.BETTING

    await bot.end()
    discord.limits.reply_seconds = 0.5
    assert (await alice.click(board, "20")).kind == "failed", "the bot should not be running"
    discord.limits.reply_seconds = PATIENCE
    await bot.start()

    assert bot.table() == betting
    held = 20 * largest_multiple(betting.rules)
    assert f"{1000 - held} chips** free" in await answer(bob, channel, "wallet")
    await press(alice, board, "20")
    panel = message_of(await mei.choose(board, "More…", "hand"))
    await press(mei, panel, "Deal")
    await until(lambda: alice.sees(alice.dm()), "Alice has cards")
    await until(lambda: "press **My hand**" in board.text, "the board tells Bob where to look")
    dealt = bot.table()
    hands = {person.name: bot.hand_of(person) for person in (alice, bob, mei)}

    await bot.end()
    await bot.start()

    assert bot.table() == dealt
    own = await press(bob, board, "My hand")
    assert own is not None
    await until(own.gallery, "Bob sees the cards, also on a busy machine")
    assert all(dealt.game.pieces.shown(piece) in str(own.gallery()) for piece in hands["Bob"])
    (hand,) = alice.sees(alice.dm())
    await press(alice, hand, "Reveal")
    await press(bob, own, "Reveal")
    await press(mei, board, "Reveal")
    await until(lambda: "-# 🧾 receipt 1" in board.text, "the round is settled")
    assert "Verified: " in await answer(alice, channel, "round verify")
    after = bot.table()
    await mei.press_raw(board, f"gnau:{after.table_id}:0:give_up")
    await until(lambda: f"👑 <@{bob.id}> banks · next: <@{alice.id}>" in board.text, "Bob was first to ask")

    await bot.end(signal.SIGTERM)
    async with open_ledger(f"sqlite:///{bot.database}") as ledger:
        assert not await audit(ledger)
    assert "DEBUG" in bot.log, "the log should have the most detailed level"
    for secret in (dealt.secret, after.secret):
        assert not any(secret[at : at + TELLTALE] in bot.log for at in range(len(secret) - TELLTALE + 1))
    pieces = [piece for hand in hands.values() for piece in hand]
    assert len(pieces) == 15
    assert not [piece for piece in pieces if dealt.game.pieces.shown(piece) in bot.log]


@pytest.mark.thorough
async def test_a_tournament_ends_once_when_its_process_is_killed_in_every_phase(
    discord: StandIn, bot: KilledBot
) -> None:
    server = discord.add_server("Ox and friends")
    channel = discord.add_channel(server, "cups")
    dora = discord.add_person("Dora", [server], manage_server=True)
    alice, bob = (discord.add_person(name, [server]) for name in ("Alice", "Bob"))
    await until(lambda: alice.commands(channel), "there are commands")
    # Nobody bets or reveals, so each phase lasts as long as it may.
    for rule, seconds in (("betting_seconds", "15"), ("arranging_seconds", "15")):
        preview = message_of(await dora.slash(channel, "house set", rule=rule, value=seconds))
        await dora.click(preview, "Confirm")
    board = message_of(await dora.slash(channel, "tournament open", entry=100, minutes=1, rounds=1))
    for player in (alice, bob):
        await player.click(board, "Enter")
    for words in ("Entered (2)", "Final", "round 1 of 1", "wins **200 chips**"):
        await until(partial(_says, board, words), f"the board says {words}", 300)
        await bot.end()
        await bot.start()

    def results() -> list[Message]:
        return [one for one in alice.sees(channel) if one.attachments]

    await until(results, "the result is posted")
    told = [message_of(await one.slash(channel, "wallet")).text for one in (alice, bob)]
    assert sorted(("1,100 chips" in text, "900 chips" in text) for text in told) == [
        (False, True),
        (True, False),
    ]
    assert len(results()) == 1
    (thread,) = (one for one in server.channels.values() if one.parent is channel)
    assert len([one for one in alice.sees(thread) if "this is your table" in one.text]) == 1


def _says(message: Message, words: str) -> bool:
    return words in message.text
