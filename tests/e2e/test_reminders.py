"""Reminders as members use them: each comes once, and ends by its button or where messages are closed."""

import time
from functools import partial
from typing import cast

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from cogs import reminders
from cogs.reminders import RemindersCog
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_breaks import pause

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
        told = said(await person.click(answer, "Remind me of chips"))
        assert told == "I'll message you each time your daily chips are ready."
    await look(evening, 19)
    assert not got(alice, READY)
    evening.expect_fault(403)
    await look(evening, 21)
    await evening.restart()
    await look(evening, 21)
    (reminder,) = got(alice, READY)
    assert await evening.bot.croupier.ledger.plans_of(evening.party(bob)) == [], "that ends quietly"
    assert said(await alice.click(reminder, "Take chips")).startswith("🎁 You get **110 chips**")
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
    assert answer.button("Remind me of chips")


async def test_who_is_banned_or_on_a_break_gets_reminders_only_afterwards(evening: Evening) -> None:
    alice, bob, chan = evening.persons("Alice", "Bob", "Chan")
    dora, zed = evening.person("Dora", manage_server=True), evening.person("Zed")
    board = await evening.open_table(zed)
    for person in (alice, bob):
        answer = message_of(await person.slash(evening.channel, "daily"))
        await person.click(answer, "Remind me of chips")
        await person.click(board, "Tell me of tables here")
    await chan.click(board, "Tell me of tables here")
    await dora.slash(evening.channel, "house ban", member=alice, reason="why")
    await pause(evening, bob)
    await evening.press(zed, board, "Join")
    await evening.until(partial(got, chan, "There is a table"), "who may play is told")
    await look(evening, 21)
    await evening.settle_down()
    for words in (READY, "There is a table"):
        assert not got(alice, words)
        assert not got(bob, words)
    await dora.slash(evening.channel, "house unban", member=alice)
    await look(evening, 25)
    assert got(bob, READY)
    await look(evening, 46)
    assert got(alice, "Your daily chips")
    await zed.slash(evening.channel, "table close")
    await evening.open_table(zed)
    for person in (alice, bob):
        await evening.until(partial(got, person, "There is a table"), "who may play again is told")


async def test_who_waits_for_a_table_is_told_once_in_six_hours_and_not_before_all_else_is_sent(
    evening: Evening,
) -> None:
    mei, alice, zed = evening.persons("Mei", "Alice", "Zed")
    board = await evening.open_table(mei)
    on = message_of(await alice.click(board, "Tell me of tables here"))
    assert on.text == (
        "I'll message you when a table opens in this channel, or somebody starts to play at an empty one: "
        "at most once in 6 hours."
    )
    # It comes to nobody who is there, and not for another channel.
    await mei.click(board, "Tell me of tables here")
    await evening.open_table(zed, evening.other_channel)
    now = evening.bot.croupier.now

    def is_telling() -> bool:
        # One task looks for what is due.
        return sum(task.get_name() == "reminders" for task in evening.bot.tasks._tasks) > 1

    evening.bot.budget.waiting += 1
    await evening.press(mei, board, "Join")
    await evening.settle_down()
    assert not got(alice, "There is a table"), "other requests wait"
    assert is_telling()
    evening.bot.croupier.now = lambda: time.time() + reminders.LATEST_TABLE_SECONDS
    evening.bot.budget.waiting -= 1
    await evening.until(lambda: not is_telling(), "it is dropped")
    await evening.settle_down()
    assert not got(alice, "There is a table"), "the table may be full by now"
    evening.bot.croupier.now = now
    await mei.press_raw(board, Press(PressAction.LEAVE, evening.table().table_id, ANY_ROUND).custom_id)
    await evening.press(mei, board, "Join")
    await evening.until(lambda: got(alice, "There is a table"), "Alice is told")
    await evening.settle_down()
    (told,) = got(alice, "There is a table")
    assert f"/{evening.channel.id}/{board.id}" in told.text
    assert not got(mei, "There is a table")
    await mei.slash(evening.channel, "table close")
    await evening.until(lambda: board.button("Tell me of tables here"), "the table is closed")
    await zed.click(board, "Tell me of tables here")
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
