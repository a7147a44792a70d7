"""Breaks that members take and bans that admins give: they hold by every way in, and end as they should."""

import re
import time
from dataclasses import dataclass
from typing import cast, get_args

from bot.croupier.barred import ENDING, PLAYING
from bot.croupier.plans import PlanKind
from bot.practice.component_tree import Kind
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal
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
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction, Shape
from cogs.reminders import RemindersCog
from tests.e2e.answers import OPENS, form_of, id_of, message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_admins import logged, with_log
from tests.e2e.test_tournaments import tournament
from tests.ui.test_custom_ids import FORMS

BARRED = "You are taking a break. You can play again "
DAY = 86_400


async def pause(evening: Evening, person: Person, label: str = "Pause a day") -> str:
    """Takes a break by two presses, as nobody can undo it; returns the answer's text."""
    asked = message_of(await person.slash(evening.channel, "break"))
    assert said(await person.click(asked, label)).startswith("**You won't be able to play until <t:")
    return said(await person.click(asked, label))


def test_each_command_of_a_member_is_play_or_none() -> None:
    ends = {
        *(Arrange, CloseTable, Deal, GiveUpBank, KeepOpen, Leave, RevealHand, SetClientSeed),
        *(SetLimits, SitOut, WithdrawBet, WithdrawSideBet),
    }
    assert ends.isdisjoint(PLAYING)
    assert ends | set(PLAYING) == set(get_args(MemberCommand))
    # A banned member ends nothing for others.
    assert ends - set(ENDING) == {CloseTable, Deal, KeepOpen, SetClientSeed, SetLimits}


BEGINS = {
    *(PressAction.JOIN, PressAction.BANK, PressAction.BANK_MODAL, PressAction.BANK_NEXT, PressAction.ROLL),
    *(PressAction.PLAY_HOUSE, PressAction.PLAY, PressAction.BET, PressAction.BET_MOST, PressAction.BET_MODAL),
    *(PressAction.BACK, PressAction.BACK_MODAL, PressAction.GIVE, PressAction.ENTER),
    *(PressAction.OPEN, PressAction.PLAY_NOW),
}
"""What begins or adds to play, which is refused to who is barred."""
ASKS = {
    *(PressAction.OTHER_BET, PressAction.SIDE_BETS, PressAction.BACK_MENU, PressAction.OTHER_BACK),
    *(PressAction.LEAVE_TO_BACK, PressAction.MORE, PressAction.AGAIN),
}
"""What leads to one of those for who has no seat."""
AT_TABLE = {
    *(PressAction.LEAVE, PressAction.LEAVE_QUEUE, PressAction.GIVE_UP, PressAction.WITHDRAW),
    *(PressAction.SIT_OUT, PressAction.UNBACK, PressAction.UNBACK_ANY, PressAction.CLOSE),
    *(PressAction.CLOSE_NOW, PressAction.KEEP_OPEN, PressAction.DEAL, PressAction.REVEAL),
    *(PressAction.FIND_OX, PressAction.SHOW_OX, PressAction.NO_OX),
    *(PressAction.ARRANGE, PressAction.STRONGEST, PressAction.LIMITS, PressAction.LIMITS_MODAL),
    *(PressAction.HAND, PressAction.SEE_LAST, PressAction.SQUEEZE, PressAction.DONT_SQUEEZE),
    *(PressAction.WHY, PressAction.FAIRNESS, PressAction.VERIFY, PressAction.MESSAGES, PressAction.RULES),
    PressAction.DAILY,
}
"""What ends play, shows something, or is for the banker alone."""
NO_PLAY = {"house", "privacy", "leaders", "profile", "wallet", "ledger", "remind", "schedule"} | {
    *("break", "loss", "guide", "learn", "achievements"),
}
"""What is no play, whatever is done with it."""
ELSEWHERE = {
    *(PressAction.WITHDRAW_ENTRY, PressAction.START_EARLY, PressAction.CALL_OFF, PressAction.CALL_OFF_NOW),
    PressAction.HOUSE_RULES,
}
LASTS = {PressAction.ERASE, PressAction.BREAK_NOW}
"""What would change who is barred."""
SAMPLES = {action: custom_id for custom_id, action in FORMS.items()}


def test_each_action_begins_play_or_may_be_pressed_by_who_is_barred() -> None:
    free = ASKS | AT_TABLE | ELSEWHERE
    assert free.isdisjoint(BEGINS)
    assert free | BEGINS == {action for action in PressAction if action.subject not in NO_PLAY}


@dataclass(frozen=True)
class Ways:
    """All ways in which somebody could begin to play at a table where Mei banks and Bob has bet."""

    evening: Evening
    table_id: int
    mei: Person
    alice: Person
    bob: Person
    zed: Person
    board: Message
    form: Modal
    bank: Modal
    view: Message
    backing: Modal
    tournament: Message
    gift: Message

    async def refused(self, starts: str, *, restarted: bool = False) -> None:
        """Walks what begins play."""
        evening, alice, zed, board = self.evening, self.alice, self.zed, self.board
        walked = {
            PressAction.BET_MODAL: await alice.submit(self.form, amount="20"),
            PressAction.BANK_MODAL: await alice.submit(self.bank, lowest="5", highest="100"),
            PressAction.BACK: await zed.press_raw(self.view, self.id_of(PressAction.BACK)),
            PressAction.BACK_MODAL: await zed.submit(self.backing, amount="10"),
            PressAction.ENTER: await alice.click(self.tournament, "Enter"),
        }
        for action, opens in zip((PressAction.OPEN, PressAction.PLAY_NOW), OPENS, strict=True):
            walked[action] = await alice.press_raw(self.tournament, opens)
        for action in BEGINS - walked.keys() - {PressAction.GIVE}:
            walked[action] = await alice.press_raw(board, self.id_of(action))
        more = Press(PressAction.MORE, self.table_id, ANY_ROUND).custom_id
        answers = [
            *walked.items(),
            ("menu", await alice.press_raw(board, more, kind=Kind.STRING_SELECT, values=["join"])),
            # A restart forgets what a giver was asked.
            *([] if restarted else [("give", await alice.click(self.gift, "Give 840 chips"))]),
            ("/play", await alice.slash(evening.channel, "play")),
            ("/bet", await alice.slash(evening.channel, "bet", amount=10)),
            ("/table open", await alice.slash(evening.other_channel, "table open")),
            ("/play elsewhere", await alice.slash(evening.other_channel, "play")),
            ("/give", await alice.slash(evening.channel, "give", member=self.mei, amount=5)),
        ]
        for way, answer in answers:
            assert said(answer).startswith(starts), (way, said(answer))
        await self.nothing_begun()

    async def press_everything(self) -> None:
        """Presses all there is, here and by direct message; no answer may begin to play."""
        alice, board = self.alice, self.board
        by_message = message_of(await alice.slash(alice.dm(), "help"))
        for action in set(PressAction) - LASTS:
            kind = Kind.STRING_SELECT if action.shape is Shape.MENU else Kind.BUTTON
            for message in (board, by_message):
                await alice.press_raw(message, self.id_of(action), kind=kind, values=["1"])
        await self.nothing_begun()

    def id_of(self, action: PressAction) -> str:
        """The custom_id of an action about this table and Bob, or a made-up one of another."""
        if action.subject != "table":
            return SAMPLES[action]
        return Press(action, self.table_id, ANY_ROUND, 20, self.evening.party(self.bob)).custom_id

    async def nothing_begun(self) -> None:
        """Checks that who is barred plays nowhere, and is about to play nowhere."""
        evening = self.evening
        for person in (self.alice, self.zed):
            assert not evening.table().concerns(evening.party(person))
        assert evening.bot.croupier.bank_queue.waiting(self.table_id) == []
        assert len(evening.bot.croupier.tables.all()) == 1
        assert (await tournament(evening)).entrants == ()


async def ways_in(evening: Evening) -> Ways:
    evening.chip_settings = {**evening.chip_settings, "gifts_per_day": 10_000}
    mei, alice, bob, chan, zed = evening.persons("Mei", "Alice", "Bob", "Chan", "Zed")
    admin = evening.person("Tess", manage_server=True)
    entry = message_of(await admin.slash(evening.other_channel, "tournament open", entry=10, minutes=600))
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (alice, bob, chan):
        await evening.press(person, board, "Join")
    form = form_of(await alice.click(board, "Other…"))
    queue = Press(PressAction.BANK_NEXT, evening.table().table_id, ANY_ROUND).custom_id
    bank = form_of(await alice.press_raw(board, queue))
    await bob.click(board, "20")
    await alice.click(board, "20")
    view = await evening.back(zed, board, bob, 5)
    backing = form_of(await zed.click(view, "Other…"))
    gift = message_of(await alice.slash(evening.channel, "give", member=mei, amount=840))
    table_id = evening.table().table_id
    return Ways(evening, table_id, mei, alice, bob, zed, board, form, bank, view, backing, entry, gift)


async def test_a_break_holds_by_every_way_in_until_it_ends(evening: Evening) -> None:
    ways = await ways_in(evening)
    mei, alice, zed = ways.mei, ways.alice, ways.zed
    # Before the deal, what is bet goes back.
    asked = message_of(await zed.slash(evening.channel, "break"))
    await zed.click(asked, "Pause a month")
    assert said(await zed.click(asked, "Cancel")) == "Nothing was changed."
    assert (await pause(evening, zed)).startswith("Your break has begun.")
    await pause(evening, alice)
    assert evening.table().side_bets == ()
    assert await evening.chips(alice, zed) == {"Alice": 1000, "Zed": 1000}
    await ways.press_everything()
    await ways.refused(BARRED)
    await evening.restart()
    await ways.refused(BARRED, restarted=True)
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
    kept = await evening.bot.croupier.ledger.plans_of(evening.party(alice))
    assert PlanKind.BREAK not in {plan.kind for plan in kept}
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
    # No midnight in UTC, with which a day of losses ends, comes in between.
    noon = (time.time() // DAY + 0.5) * DAY
    evening.bot.croupier.now = lambda: noon
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
        r"By your own limit, you can lose \d+ chips more before <t:\d+:t> \(a bet can lose 7\xa0× "
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
    evening.bot.croupier.now = lambda: noon
    told = await limited(evening, alice, "")
    assert "It ends <t:" in told
    assert (await limited(evening, alice, "60")).startswith("**Your limit**: you can lose 60 chips a day")
    assert said(await zed.slash(evening.channel, "break")).startswith("**Take a break?**")
    evening.bot.croupier.now = lambda: noon + DAY
    assert "It ends" not in await limited(evening, alice, "60")


BANNED = "You are banned from playing here"


async def test_a_ban_holds_by_every_way_in_outlives_an_erasure_and_ends_when_it_is_lifted(
    evening: Evening,
) -> None:
    with_log(evening)
    ways = await ways_in(evening)
    mei, alice, zed = ways.mei, ways.alice, ways.zed
    dora = evening.person("Dora", manage_server=True)

    async def ban(person: Person, question: str = "", **options: object) -> str:
        """What the admin reads in the end, who is asked this first if the member loses something."""
        answer = message_of(await dora.slash(evening.channel, "house ban", member=person, **options))
        if question:
            assert re.sub(r" <t:\d+:f>", "", answer.text) == f"Ban <@{person.id}> from playing here{question}"
            await dora.click(answer, "Ban")
        return answer.text

    # She waits for the bank.
    await alice.submit(ways.bank, lowest="5", highest="100")
    assert evening.bot.croupier.bank_queue.waiting(ways.table_id) == [evening.party(alice)]
    assert (await ban(dora, reason="why")).startswith("You can't ban yourself.")
    assert await ban(alice, reason=" ") == "Give a reason in a few words: the member reads it."
    assert evening.table().side_bets
    question = f" until? These bets go back: <@{zed.id}> (5)."
    assert (await ban(zed, question, reason="*noise*", days=2)).startswith(
        f"<@{zed.id}> is banned from playing here until <t:"
    )
    banned_for = f"<@{alice.id}> is banned from playing here. The reason: “dumping”."
    question = f"? These bets go back: <@{alice.id}> (20)."
    assert await ban(alice, question, reason="dumping") == banned_for
    assert evening.table().side_bets == ()
    assert await evening.chips(alice, zed) == {"Alice": 1000, "Zed": 1000}
    await ways.press_everything()
    await ways.refused(BANNED)
    gift = said(await mei.slash(evening.channel, "give", member=alice, amount=5))
    assert gift == f"<@{alice.id}> can't get chips here."
    for place in (evening.channel, alice.dm()):
        assert f"{BANNED}. " in said(await alice.slash(place, "daily"))
    # What else she pressed may have come before it.
    banned = f"You are banned from playing in **{evening.server.name}**"
    (told,) = [one.text for one in alice.sees(alice.dm()) if banned in one.text]
    assert ". The reason: “dumping”. " in told
    assert f"ask <@{dora.id}>" in told
    assert r"“\*noise\*”" in zed.sees(zed.dm())[-1].text
    stored = message_of(await alice.slash(evening.channel, "privacy show")).text
    assert "That you are banned" in stored
    # Erasing is no way back, and the reason is erased.
    await evening.bot.privacy.erase(evening.server.id, alice.id)
    await evening.restart()
    assert said(await alice.slash(evening.channel, "bet", amount=10)) == (
        f"{BANNED}. Ask an admin of this server about it."
    )
    await ways.refused(BANNED, restarted=True)
    assert said(await mei.slash(evening.channel, "give", member=alice, amount=5)) == gift
    bans = message_of(await dora.slash(evening.channel, "house bans"))
    listed = bans.text.splitlines()
    assert re.match(r"- Deleted member since <t:\d+:f>$", listed[1]), listed
    assert re.match(rf"- <@{zed.id}> since <t:\d+:f> · until <t:\d+:f> · by <@{dora.id}> · “", listed[2])
    (menu,) = bans.selects()
    assert [one.label.partition(" · ")[0] for one in menu.options] == ["Deleted member", "Zed"]
    for answer, left in (
        ("Keep the ban", listed),
        ("Let play again", ["Deleted member can play here again.", listed[0], listed[2]]),
    ):
        await dora.choose(bans, menu, menu.options[0].value)
        assert bans.text.splitlines() == ["Let this member play again?", listed[1]]
        late = id_of(bans, "Let play again")
        await dora.click(bans, answer)
        assert bans.text.splitlines() == left
    await dora.press_raw(bans, late)
    assert bans.text.splitlines() == [listed[0], listed[2]]
    again = said(await dora.slash(evening.channel, "house unban", member=alice))
    assert again == f"<@{alice.id}> isn't banned."
    await evening.press(alice, ways.board, "Join")
    evening.bot.croupier.now = lambda: time.time() + 2 * DAY + 60
    assert not said(await zed.slash(evening.channel, "bet", amount=10)).startswith(BANNED)
    assert said(await dora.slash(evening.channel, "house bans")) == "Nobody is banned."
    await evening.bot.privacy.delete_outdated_hashes()
    assert await evening.bot.croupier.ledger.bans() == []


async def test_a_ban_during_a_round_lets_it_be_played_out_and_nothing_more(evening: Evening) -> None:
    with_log(evening)
    dora = evening.person("Dora", manage_server=True)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    for person in (alice, bob):
        await evening.press(person, board, "20")
    await evening.have_cards(mei, alice, bob)
    # Only the bank would be lost: bets that are dealt are played out.
    asked = message_of(await dora.slash(evening.channel, "house ban", member=mei, reason="why"))
    assert asked.text == f"Ban <@{mei.id}> from playing here? They lose the bank of table 1."
    await dora.click(asked, "Ban")
    for told in (
        asked.text,
        said(await dora.slash(evening.channel, "house ban", member=alice, reason="why")),
    ):
        assert told.endswith("They play out their dealt hand first.")
    for answer in (
        await alice.slash(alice.dm(), "bet", amount=10),
        await alice.slash(alice.dm(), "seed", words="mine"),
        await mei.slash(evening.channel, "table close"),
    ):
        assert said(answer).startswith(BANNED), said(answer)
    await evening.reveal(board, alice, bob, mei)
    table = evening.table()
    assert table.bank is None
    assert [seat.party for seat in table.seats] == [evening.party(bob)]
    lifted = f"<@{mei.id}> can play here again."
    assert said(await dora.slash(evening.channel, "house unban", member=mei)) == lifted
    await evening.until(lambda: len(logged(evening, dora)) == 3, "the admins are told")
    assert logged(evening, dora) == [
        f"⛔ <@{dora.id}> banned <@{mei.id}> from playing: “why”",
        f"⛔ <@{dora.id}> banned <@{alice.id}> from playing: “why”",
        f"✅ <@{dora.id}> lets <@{mei.id}> play again",
    ]
    # With the server, its bans are erased too.
    await evening.bot.privacy.erase_server(evening.server.id)
    assert await evening.bot.croupier.ledger.bans() == []
    assert await evening.bot.croupier.barred.ban_of(evening.server.id, alice.id) is None
