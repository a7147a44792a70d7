"""Reminders as members use them: each comes once, and ends by its button or where messages are closed."""

import time
from typing import cast

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from cogs import reminders
from cogs.reminders import RemindersCog
from tests.e2e.answers import message_of, said
from tests.e2e.evening import MENU, Evening

HOUR = 3600
READY = "Your daily chips in **Ox and friends** are ready: 110 chips."


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reminders, "PAUSE_SECONDS", 0.0)


async def look(evening: Evening, hours: float) -> None:
    """Has the bot look for what is due a number of hours from now."""
    evening.bot.croupier.now = lambda: time.time() + hours * HOUR
    await cast("RemindersCog", evening.bot.get_cog("Reminders")).look()


def got(person: Person, words: str) -> list[Message]:
    """The direct messages that say something."""
    return [one for one in person.sees(person.dm()) if words in one.text]


async def test_daily_chips_are_told_of_once_each_time_until_that_is_switched_off(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    bob.user.dms_open = False
    for person in (alice, bob):
        answer = message_of(await person.slash(evening.channel, "daily"))
        told = said(await person.click(answer, "Remind me"))
        assert told == "I'll message you each time your daily chips are ready."
    await look(evening, 19)
    assert not got(alice, READY)
    evening.expect_fault(403)
    await look(evening, 21)
    await evening.restart()
    await look(evening, 21)
    (reminder,) = got(alice, READY)
    assert await evening.bot.croupier.ledger.plans_of(evening.party(bob)) == [], "that ends quietly"
    assert said(await alice.click(reminder, "Take chips")).startswith("You get **110 chips**")
    await look(evening, 42)
    assert len(again := got(alice, "Your daily chips")) == 2, "the next ones are told of too"
    # Taken before the bot looks, or long ago, they are no news.
    await alice.slash(evening.channel, "daily")
    await look(evening, 63 + 7)
    await alice.slash(evening.channel, "daily")
    assert said(await alice.click(again[-1], "Stop reminders")) == "You get no more of these messages."
    await look(evening, 92)
    assert len(got(alice, "Your daily chips")) == 2
    answer = message_of(await alice.slash(alice.dm(), "daily"))
    assert answer.button("Remind me")


async def test_who_waits_for_a_table_is_told_once_in_six_hours(evening: Evening) -> None:
    mei, alice, zed = evening.persons("Mei", "Alice", "Zed")
    board = await evening.open_table(mei)
    on = message_of(await alice.choose(board, MENU, "tell"))
    assert on.text == (
        "I'll message you when a table opens in this channel, or somebody starts to play at an empty one: "
        "at most once in 6 hours."
    )
    # It comes to nobody who is there, and not for another channel.
    await mei.choose(board, MENU, "tell")
    await evening.open_table(zed, evening.other_channel)
    await evening.press(mei, board, "Join")
    await evening.until(lambda: got(alice, "There is a table"), "Alice is told")
    await evening.settle_down()
    (told,) = got(alice, "There is a table")
    assert f"/{evening.channel.id}/{board.id}" in told.text
    assert not got(mei, "There is a table")
    await mei.slash(evening.channel, "table close")
    await evening.until(lambda: board.button("Tell me"), "the table is closed")
    await zed.click(board, "Tell me")
    board = await evening.open_table(mei)
    await evening.until(lambda: got(zed, "There is a table"), "Zed is told")
    await evening.settle_down()
    assert len(got(alice, "There is a table")) == 1, "Alice was told a minute ago"
    await mei.slash(evening.channel, "table close")
    evening.bot.croupier.now = lambda: time.time() + 7 * HOUR
    await zed.click(got(zed, "There is a table")[0], "Stop messages")
    await evening.open_table(mei)
    await evening.until(lambda: len(got(alice, "There is a table")) == 2, "Alice is told again")
    await evening.settle_down()
    assert len(got(zed, "There is a table")) == 1
    shown = (await evening.told_alone(alice, "privacy show")).text
    assert "What you asked me for" in shown
