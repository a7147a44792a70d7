"""A break as a member takes it: it holds by every way in, and ends when it ends."""

import re
import time
from typing import cast, get_args

from bot.croupier.barred import PLAYING
from bot.practice.person import Person
from bot.table.commands import (
    Arrange,
    CloseTable,
    Deal,
    GiveUpBank,
    KeepOpen,
    Leave,
    MemberCommand,
    RevealHand,
    SetClientSeed,
    SetLimits,
    SitOut,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from cogs.reminders import RemindersCog
from tests.e2e.answers import form_of, id_of, message_of, said
from tests.e2e.evening import Evening

BARRED = "You are taking a break. You can play again "
DAY = 86_400


async def pause(evening: Evening, person: Person, label: str = "Pause a day") -> str:
    asked = message_of(await person.slash(evening.channel, "break"))
    return said(await person.click(asked, label))


def test_each_command_of_a_member_is_play_or_none() -> None:
    ends = {
        *(Arrange, CloseTable, Deal, GiveUpBank, KeepOpen, Leave, RevealHand, SetClientSeed),
        *(SetLimits, SitOut, WithdrawBet, WithdrawSideBet),
    }
    assert ends.isdisjoint(PLAYING)
    assert ends | set(PLAYING) == set(get_args(MemberCommand))


async def test_a_break_holds_by_every_way_in_until_it_ends(evening: Evening) -> None:
    mei, alice, bob, chan, zed = evening.persons("Mei", "Alice", "Bob", "Chan", "Zed")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (alice, bob, chan):
        await evening.press(person, board, "Join")
    twenty = id_of(board, "20")
    form = form_of(await alice.click(board, "Other…"))
    queue = Press(PressAction.BANK_NEXT, evening.table().table_id, ANY_ROUND).custom_id
    bank = form_of(await alice.press_raw(board, queue))
    await bob.click(board, "20")
    await alice.click(board, "20")
    view = await evening.back(zed, board, bob, 5)
    back = id_of(view, "10")
    # Before the deal, what is bet goes back.
    assert (await pause(evening, zed)).startswith("Your break has begun.")
    await pause(evening, alice)
    assert evening.table().side_bets == ()
    assert not evening.table().has(evening.party(alice))
    assert await evening.chips(alice, zed) == {"Alice": 1000, "Zed": 1000}
    table = evening.table()

    async def refused_everywhere() -> None:
        """Walks what begins play."""
        answers = [
            await alice.slash(evening.channel, "play"),
            await alice.slash(evening.channel, "bet", amount=10),
            await alice.slash(evening.other_channel, "table open"),
            await alice.slash(evening.other_channel, "play"),
            await alice.slash(evening.channel, "give", member=mei, amount=5),
            await alice.press_raw(board, twenty),
            await alice.submit(form, amount="20"),
            await alice.submit(bank, lowest="5", highest="100"),
            await zed.press_raw(view, back),
        ]
        for answer in answers:
            assert said(answer).startswith(BARRED), said(answer)
        assert not evening.table().concerns(evening.party(alice))
        assert evening.bot.croupier.bank_queue.waiting(table.table_id) == []
        assert len(evening.bot.croupier.tables.all()) == 1

    # Any other button may answer what it likes, as long as it does not play.
    for action in PressAction:
        if action.subject == "table" and action is not PressAction.MORE:
            press = Press(action, table.table_id, ANY_ROUND, number=20, backed=evening.party(bob))
            await alice.press_raw(board, press.custom_id)
    await refused_everywhere()
    await evening.restart()
    await refused_everywhere()
    longer = message_of(await alice.slash(evening.channel, "break"))
    assert longer.text.startswith("Your break ends <t:")
    assert [one.label for one in longer.buttons()] == [
        "Pause a day",
        "Pause a week",
        "Pause a month",
        "Limit my losses",
    ]
    # Nobody else is told: chips still come to who takes a break.
    before = await evening.chips(alice)
    await mei.slash(evening.channel, "give", member=alice, amount=5)
    assert await evening.chips(alice) == {"Alice": before["Alice"] + 5}
    evening.bot.croupier.now = lambda: time.time() + DAY + 60
    await cast("RemindersCog", evening.bot.get_cog("Reminders")).look()
    assert await evening.bot.croupier.ledger.plans_of(evening.party(alice)) == []
    await evening.open_table(alice, evening.other_channel)


async def test_a_break_during_a_round_begins_after_it(evening: Evening) -> None:
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (alice, bob):
        await evening.press(person, board, "Join")
    for person in (alice, bob):
        await person.click(board, "20")
    for person in (mei, alice):
        await pause(evening, person, "Pause a week")
    assert evening.table().has(evening.party(alice)), "the hand is played out"
    await evening.reveal(board, alice, bob, mei)
    table = evening.table()
    assert not table.has(evening.party(alice))
    assert table.bank is None
    shorter = message_of(await alice.slash(evening.channel, "break"))
    assert [one.label for one in shorter.buttons()] == ["Pause a week", "Pause a month", "Limit my losses"]


async def limited(evening: Evening, person: Person, chips: str) -> str:
    """Sets a limit of loss by button and modal; returns the answer's text."""
    asked = message_of(await person.slash(evening.channel, "break"))
    form = form_of(await person.click(asked, "Limit my losses"))
    return said(await person.submit(form, amount=chips))


async def test_a_limit_of_loss_holds_by_every_way_in(evening: Evening) -> None:
    mei, alice, bob, zed = evening.persons("Mei", "Alice", "Bob", "Zed")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (alice, bob):
        await evening.press(person, board, "Join")
    await bob.click(board, "20")
    assert await limited(evening, alice, "") == "You have no limit now."
    assert (
        await limited(evening, alice, "x") == "“x” is not a number of chips. Type a whole number, 1 or more."
    )
    told = await limited(evening, alice, "70")
    assert told.startswith("**Your limit**: you can lose 70 chips a day at most, 70 more today.")
    await limited(evening, zed, "30")
    refused = re.compile(
        r"By your own limit, you can lose \d+ chips more before <t:\d+:t> \(a bet can lose 7 × "
    )
    board = evening.board(alice)
    back = Press(PressAction.BACK, evening.table().table_id, ANY_ROUND, number=5, backed=evening.party(bob))
    for answer in (
        await alice.slash(evening.channel, "bet", amount=11),
        await alice.click(board, "20"),
        await zed.slash(evening.channel, "bet", amount=5),
        await alice.press_raw(board, id_of(board, "20")),
        await zed.press_raw(board, back.custom_id),
    ):
        assert refused.match(said(answer)), said(answer)
    await alice.slash(evening.channel, "bet", amount=10)
    seat = evening.table().seat_of(evening.party(alice))
    assert seat is not None
    assert seat.stake == 10
    # Raised only from tomorrow on; until then the answer says both.
    told = await limited(evening, alice, "500")
    assert told.startswith("**Your limit**: you can lose 70 chips a day at most, 0 more today. From <t:")
    assert "500 chips" in told
    await evening.restart()
    told = await limited(evening, alice, "")
    assert "It ends <t:" in told
    assert (await limited(evening, alice, "60")).startswith("**Your limit**: you can lose 60 chips a day")
    assert said(await zed.slash(evening.channel, "break")).startswith("**Take a break?**")
    evening.bot.croupier.now = lambda: time.time() + DAY
    assert "It ends" not in await limited(evening, alice, "60")
