"""What admins do for members, and what they read in their log channel."""

import asyncio
import re
import time
from typing import Any

import pytest

from bot.croupier.gifts import Gift
from bot.croupier.grants import Grant
from bot.croupier.houses import Altered
from bot.croupier.identities import User
from bot.ledger.changes import Season
from bot.ledger.errors import LedgerUnavailable
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import Phase
from bot.ui.house.notices import News
from cogs.seasons import SeasonsCog
from tests.e2e.answers import OPENS, form_of, id_of, message_of, said
from tests.e2e.evening import MENU, Evening

MESSAGES = "/channels/{channel_id}/messages"
TIME = re.compile(r"^<t:\d+:T> ")


def logged(evening: Evening, reader: Person) -> list[str]:
    """The lines in the log channel, without the code of the books and without their times."""
    messages = reader.sees(evening.other_channel)
    lines = [line for one in messages if "books" not in one.text for line in one.text.splitlines()]
    return [TIME.sub("", line) for line in lines]


def with_log(evening: Evening, **settings: object) -> None:
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    evening.chip_settings = settings
    evening.bot.notices.gather_seconds = 0.2


async def test_an_admin_gives_and_takes_free_chips_with_a_reason_that_the_member_reads(
    evening: Evening,
) -> None:
    with_log(evening)
    board, _, (alice,) = await evening.seated_table("gnau", "Mei", "Alice")
    dora = evening.person("Dora", manage_server=True)
    await evening.press(alice, board, "20")

    async def bank(name: str, amount: int, reason: str) -> str:
        return said(
            await dora.slash(evening.channel, f"bank {name}", member=alice, amount=amount, reason=reason)
        )

    found = (
        f"-# Chips that admins give or take are in <#{evening.other_channel.id}> and in the member's ledger."
    )
    granted = rf"<@{alice.id}> gets **100 chips**: “a \*prize\*”. They have **1,100** now."
    assert await bank("grant", 100, "a *prize*") == f"{granted}\n{found}"
    stack = await evening.bot.croupier.wallets.stack(evening.server.id, evening.party(alice))
    assert stack.held
    refused = f"<@{alice.id}> has {stack.free} chips free. Chips held at a table can't be taken."
    assert await bank("take", 1100, "all") == refused
    taken = f"**50 chips** taken from <@{alice.id}>: “a slip”. They have **1,050** left.\n{found}"
    assert await bank("take", 50, "a slip") == taken
    assert await bank("take", 1, " \u200b ") == "Give a reason in a few words: the member reads it."
    assert said(await dora.slash(evening.channel, "house history")).endswith(found)
    assert await evening.chips(alice) == {"Alice": 1050}

    def told() -> list[str]:
        return [one.text for one in alice.sees(alice.dm()) if "An admin of" in one.text]

    await evening.until(lambda: len(told()) == 2, "the member is told of both")
    assert any(r"gave you **100 chips**: “a \*prize\*”. You have **1,100** now." in one for one in told())
    newest, before, *_ = said(await alice.slash(evening.channel, "ledger")).splitlines()
    assert "**−50** Taken by an admin: “a slip” → **1,050**" in newest
    assert r"**+100** From an admin: “a \*prize\*” → **1,100**" in before
    await evening.until(lambda: len(logged(evening, dora)) == 2, "the admins are told of both")
    assert sorted(logged(evening, dora)) == [
        rf"🪙 <@{dora.id}> gave <@{alice.id}> **100 chips**: “a \*prize\*”",
        rf"🪙 <@{dora.id}> took **50 chips** from <@{alice.id}>: “a slip”",
    ]


async def test_an_admin_is_asked_before_they_give_very_much_or_themselves_or_take_all(
    evening: Evening,
) -> None:
    alice, dora = evening.person("Alice"), evening.person("Dora", manage_server=True)
    await alice.slash(evening.channel, "wallet")

    async def bank(name: str, amount: int) -> Message:
        answer = await dora.slash(evening.channel, f"bank {name}", member=alice, amount=amount, reason="why")
        return message_of(answer)

    assert "They have **11,000** now" in (await bank("grant", 10_000)).text
    asked = await bank("grant", 1_000_000_000)
    assert asked.text == (
        f"Give <@{alice.id}> **1,000,000,000 chips**? They have 11,000 now, and all members together 11,000."
    )
    own = await dora.slash(evening.channel, "bank grant", member=dora, amount=5, reason="why")
    assert said(own) == (
        "Give yourself **5 chips**? You have 1,000 now, and all members together 12,000. "
        "`/bank audit` shows admins who gave whom."
    )
    left = await bank("grant", 500_000_000)
    await dora.click(left, "Cancel")
    assert left.text == "Nothing was changed."
    # Others may get chips meanwhile, but what the member has was asked about.
    await bank("grant", 500)
    await dora.click(asked, "Give 1,000,000,000 chips")
    assert asked.text.endswith("They have 11,500 now, and all members together 11,500.")
    await bank("take", 500)
    await evening.person("Bob").slash(evening.channel, "wallet")
    await dora.click(asked, "Give 1,000,000,000 chips")
    assert asked.text.endswith("They have 11,000 now, and all members together 12,000.")
    await evening.person("Zed").slash(evening.channel, "wallet")
    assert await evening.chips(alice) == {"Alice": 11_000}
    # Pressed twice, it happens once.
    twice = [dora.press_raw(asked, id_of(asked, "Give 1,000,000,000 chips")) for _ in range(2)]
    await asyncio.gather(*twice)
    assert f"<@{alice.id}> gets **1,000,000,000 chips**: “why”" in asked.text
    assert await evening.chips(alice) == {"Alice": 1_000_011_000}
    everything = await bank("take", 1_000_000_000)
    assert "taken from" in everything.text
    asked = await bank("take", 11_000)
    assert asked.text == f"Take **11,000 chips** from <@{alice.id}>? That is all they have free."
    await evening.restart()
    assert said(await dora.click(asked, "Take 11,000 chips")).startswith("That question is too old.")
    await dora.click(await bank("take", 11_000), "Take 11,000 chips")
    assert await evening.chips(alice) == {"Alice": 0}


async def test_what_an_admin_reads_stays_when_they_ask_for_more(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    commands = ("bank audit", "house history", "house bans", "house export", "house show", "ledger")
    read = [message_of(await dora.slash(evening.channel, command)) for command in commands]
    bob = evening.person("Bob")
    grant = {"member": bob, "reason": "why", "amount": 5}
    for command, options in (
        ("house ban", {"member": bob, "reason": "why"}),
        ("house unban", {"member": bob}),
        ("bank grant", grant),
        ("bank take", grant),
        ("house bankroll", {"chips": 5000}),
    ):
        read.append(message_of(await dora.slash(evening.channel, command, **options)))
    # What is left of a question that changed nothing makes room.
    question = message_of(await dora.slash(evening.channel, "bank grant", **grant | {"amount": 20_000}))
    await dora.click(question, "Cancel")
    assert question.text == "Nothing was changed."
    read.append(message_of(await dora.slash(evening.channel, "house bankroll")))
    await evening.until(lambda: dora.sees(evening.channel) == read, "all of it stays, and nothing else")


async def test_of_two_exports_at_once_one_is_refused(evening: Evening) -> None:
    dora, zed = evening.person("Dora", manage_server=True), evening.person("Zed", manage_server=True)
    exports = [
        said(one)
        for one in await asyncio.gather(
            *(person.slash(evening.channel, "house export") for person in (dora, zed))
        )
    ]
    refused = "An export of this server is being made. Try again when it is done."
    assert sorted(one == refused for one in exports) == [False, True]
    assert refused != said(await zed.slash(evening.channel, "house export"))


async def test_the_log_tells_what_admins_do_to_tables_seasons_and_the_schedule(evening: Evening) -> None:
    with_log(evening)
    board, mei, _ = await evening.seated_table("gnau", "Mei", "Alice")
    dora = evening.person("Dora", manage_server=True)
    (*_, day) = await dora.suggest(evening.channel, "house season schedule", "day", "")
    for command, options in (
        ("house season start", {"name": "Winter"}),
        ("house season schedule", {"day": day.value}),
        ("house season schedule", {}),
        ("house season schedule", {"repeat": "no_date"}),
        ("house export", {}),
        ("tournament open", {"entry": 50}),
    ):
        await dora.slash(evening.channel, command, **options)
    await dora.click(message_of(await dora.slash(evening.channel, "tournament cancel")), "Cancel it")
    asked = message_of(await evening.press(dora, board, "Close the table"))
    assert asked.text == "Close table 1? It isn't yours, and 2 members are there."
    await evening.press(dora, board, "How to play")
    await evening.settle_down()
    assert (evening.table().phase, asked.deleted) == (Phase.BETTING, False), "a question waits for its answer"
    await dora.click(asked, "Close the table")
    await evening.board_says(board, "An admin closed this table.")
    planned = message_of(await dora.slash(evening.channel, "table schedule", time="20:00", zone="Asia/Tokyo"))
    await dora.click(planned, "Cancel")
    await evening.open_table(mei, evening.channel)
    await mei.slash(evening.channel, "table close")
    await dora.click(message_of(await dora.slash(evening.channel, "house season end")), "End season")
    cog = evening.bot.get_cog("Seasons")
    assert isinstance(cog, SeasonsCog)
    await cog.look_at_seasons()
    who, here = f"<@{dora.id}>", f"<#{evening.channel.id}>"
    wanted = [
        f"🏁 {who} started the season **Winter**",
        f"🏁 {who} set the end of the season **Winter**: <t:",
        f"🏁 {who} removed the end date of the season **Winter**",
        f"📦 {who} exported the data of this server",
        f"🏆 {who} opened a tournament in {here}: entry 50 chips, starts <t:",
        f"🏆 {who} cancelled the tournament in {here}: 0 chips went back",
        f"🚪 {who} closed table 1 in {here}",
        f"📅 {who} scheduled a table in {here}: ",
        f"📅 {who} cancelled a scheduled table in {here}",
        f"🏁 {who} ended the season **Winter**",
        "🏁 The season **Winter** is over",
    ]
    await evening.until(lambda: len(logged(evening, dora)) >= len(wanted), "the admins are told of all")
    lines = logged(evening, dora)
    assert [line for line, begins in zip(lines, wanted, strict=True) if not line.startswith(begins)] == []


async def test_chips_go_to_members_only_and_what_is_not_done_stores_nothing_of_them(
    evening: Evening,
) -> None:
    dora, zoe = evening.person("Dora", manage_server=True), evening.person("Zoë")
    bot = evening.discord.world.bot
    granted = {"amount": 5, "reason": "why"}
    nowhere = "Choose a log channel with </house set:"
    own = message_of(await dora.slash(evening.channel, "bank grant", member=dora, **granted))
    await dora.click(own, "Give 5 chips")
    assert nowhere in own.text
    assert nowhere in said(await dora.slash(evening.channel, "house history"))
    assert "Bots have no wallet" in said(
        await dora.slash(evening.channel, "bank grant", member=bot, **granted)
    )
    evening.discord.world.leave(evening.server, zoe.user)
    for command in ("grant", "take"):
        refused = said(await dora.slash(evening.channel, f"bank {command}", member=zoe, **granted))
        assert "Chips stay in this server" in refused
    assert not evening.party(zoe)
    new = evening.person("Yan")
    taken = said(await dora.slash(evening.channel, "bank take", member=new, **granted))
    assert taken.startswith(f"**5 chips** taken from <@{new.id}>: “why”. They have **995** left.")
    ken = evening.person("Ken")

    async def bank(name: str, amount: int) -> Message:
        answer = await dora.slash(evening.channel, f"bank {name}", member=ken, amount=amount, reason="x")
        return message_of(answer)

    everything = await bank("take", 1_000)
    assert "That is all they have free." in everything.text
    await dora.click(everything, "Cancel")
    assert f"<@{ken.id}> has 1,000 chips free." in (await bank("take", 1_001)).text
    asked = await bank("grant", 20_000)
    assert "They have 1,000 now, and all members together 3,000." in asked.text
    assert not evening.party(ken)
    await dora.click(asked, "Give 20,000 chips")
    assert "They have **21,000** now" in asked.text
    await evening.bot.privacy.erase(evening.server.id, ken.id)
    assert f"<@{ken.id}> has 0 chips free." in (await bank("take", 5)).text
    assert "They have 0 now, and all members together 2,000." in (await bank("grant", 20_000)).text
    assert not evening.party(ken)
    assert f"<@{ken.id}> gets **5 chips**: “x”. They have **5** now." in (await bank("grant", 5)).text


async def test_the_log_gathers_what_comes_within_a_minute(evening: Evening) -> None:
    with_log(evening, relief_chips=0, log_gifts=20)
    dora, alice, bob = evening.person("Dora", manage_server=True), *evening.persons("Alice", "Bob")
    evening.bot.notices.gather_seconds = 2.0
    for amount in (20, 19, 21, 22):
        await alice.slash(evening.channel, "give", member=bob, amount=amount)
    preview = await dora.slash(evening.channel, "house set", rule="log_gifts", value="off")
    assert isinstance(preview.message, Message)
    await dora.click(preview.message, "Confirm")
    await alice.slash(evening.channel, "give", member=bob, amount=23)
    gifts = [f"🎁 <@{alice.id}> gave <@{bob.id}> **{amount} chips**" for amount in (20, 21, 22)]
    rules = f"📋 <@{dora.id}> changed the house rules: **Log: gifts from** 20 → off"
    await evening.until(lambda: len(logged(evening, dora)) == 4, "everything is told")
    assert logged(evening, dora) == [*gifts, rules]
    posts = [one for one in dora.sees(evening.other_channel) if "books" not in one.text]
    assert [one.text.count("\n") for one in posts] == [0, 2]
    timed = [[bool(TIME.match(line)) for line in one.text.splitlines()] for one in posts]
    assert timed == [[False], [True] * 3], "a message of one line has its own time"


async def test_a_line_whose_answer_got_lost_is_in_the_log_once(evening: Evening) -> None:
    evening.expect_fault(0, 400)
    with_log(evening, relief_chips=0, log_gifts=1)
    alice, bob = evening.persons("Alice", "Bob")
    evening.bot.notices.gather_seconds, log_id = 1.0, str(evening.other_channel.id)
    cut = evening.discord.faults.drop_connection(
        carried_out=True, method="POST", route=MESSAGES, when=lambda _, path: log_id in path
    )
    await alice.slash(evening.channel, "give", member=bob, amount=20)
    await evening.until(lambda: not cut.times, "the bot cannot know that it is there")
    await alice.slash(evening.channel, "give", member=bob, amount=21)
    await evening.until(lambda: len(logged(evening, alice)) > 1, "the next line is there")
    await evening.settle_down()
    gifts = [f"🎁 <@{alice.id}> gave <@{bob.id}> **{amount} chips**" for amount in (20, 21)]
    assert logged(evening, alice) == gifts


async def test_a_line_that_discord_refuses_holds_up_no_other_and_one_that_it_may_take_later_is_sent_again(
    evening: Evening,
) -> None:
    evening.expect_fault(400, 503)
    with_log(evening, relief_chips=0, log_gifts=1)
    alice, bob = evening.persons("Alice", "Bob")
    log_id = str(evening.other_channel.id)
    for amount, status in ((20, 400), (30, 503)):
        refused = evening.discord.faults.respond(
            status, method="POST", route=MESSAGES, when=lambda _, path: log_id in path
        )
        await alice.slash(evening.channel, "give", member=bob, amount=amount)
        await evening.until(lambda: not refused.times, "Discord has not taken it")  # noqa: B023 - at once
        await alice.slash(evening.channel, "give", member=bob, amount=amount + 1)
    gifts = [f"🎁 <@{alice.id}> gave <@{bob.id}> **{amount} chips**" for amount in (21, 30, 31)]
    await evening.until(lambda: len(logged(evening, alice)) == len(gifts), "the other lines are there")
    assert logged(evening, alice) == gifts


async def test_nobody_turns_the_log_or_a_part_of_it_off_unseen(evening: Evening) -> None:
    with_log(evening)
    dora, alice = evening.person("Dora", manage_server=True), evening.person("Alice")
    evening.bot.notices.gather_seconds = 60.0

    async def change(rule: str, value: str) -> None:
        preview = message_of(await dora.slash(evening.channel, "house set", rule=rule, value=value))
        await dora.click(preview, "Confirm")

    async def grant() -> None:
        await dora.slash(evening.channel, "bank grant", member=alice, amount=5, reason="why")

    await grant()
    await evening.until(lambda: logged(evening, dora), "the first line is posted")
    evening.bot.notices.gather_seconds = 0.2
    for rule in ("log_rules", "log_grants"):
        await change(rule, "off")
    await grant()
    await change("daily_chips", "60")
    await change("log_channel", f"<#{evening.channel.id}>")
    await change("log_channel", "off")
    await grant()
    await evening.restart()
    said_by, here = f"📋 <@{dora.id}> changed the house rules: **Log", f"<#{evening.channel.id}>"
    old, off = f"<#{evening.other_channel.id}>", f"{said_by} channel** {here} → off"
    assert logged(evening, dora)[1:] == [
        f"{said_by}: rules, seasons, exports** on → off",
        f"{said_by}: chips from admins** on → off",
        (moved := f"{said_by} channel** {old} → {here}"),
    ]
    posted = [line for one in dora.sees(evening.channel) for line in one.text.splitlines()]
    assert [line for line in posted if line.startswith(said_by)] == [moved, off]


SIGNS = {
    News.GRANTS: ["🪙"],
    News.KICKS: ["⛔", "✅", "🚪", "🚪"],
    News.GIFTS: ["🎁"],
    News.RULES: ["🏁", "🏁", "📋", "📦"],
    News.HOUSE: ["The house is out of chips"],
    News.BOARDS: ["The channels for tables", "⚠️ I can't give", "⚠️ Table"],
}
"""How the lines of the log begin, by what turns them off."""


@pytest.mark.parametrize("off", News)
async def test_each_kind_of_news_can_be_turned_off(evening: Evening, off: News) -> None:
    with_log(evening, **{off: 0})
    mei, dora = evening.person("Mei"), evening.person("Dora", manage_server=True)
    await evening.open_table(mei)
    await dora.slash(evening.channel, "wallet")
    table, notices, server_id = evening.table(), evening.bot.notices, evening.server.id
    who, admin, user = evening.party(mei), evening.party(dora), User(mei.id, "Mei", "en-US")
    season = Season(
        server_id, 1, "Winter", resets=False, channel_id=evening.channel.id, role_id=None, started_at=0.0
    )
    notices.granted(Grant(server_id, admin, user, 5, "why"), who, "granted")
    notices.removed(table, admin, who, "", "removed")
    notices.closed(table, admin)
    notices.banned(server_id, admin, who, "why", None, "banned")
    notices.unbanned(server_id, admin, who, "unbanned")
    notices.given(Gift(server_id, admin, user, 250), who, "given")
    notices.acted(server_id, News.RULES, "log.season_started", admin, "acted", name="Winter")
    notices.acted(server_id, News.RULES, "log.exported", admin, "exported")
    notices.season_over(season, 0)
    # The second knob is one of another version.
    changes = [Altered(None, "daily_chips", "20", "0"), Altered(None, "trumps", "on", "off")]
    notices.announce(server_id, 1, admin, changes)
    notices.out_of_chips(server_id)
    notices.not_posted(table)
    notices.role_refused(server_id, 7)
    notices.channels_gone(server_id)
    signs = sorted(sign for news, some in SIGNS.items() if news is not off for sign in some)
    await evening.until(lambda: len(logged(evening, dora)) >= len(signs), "the admins read the rest")
    await evening.settle_down()
    lines = sorted(logged(evening, dora))
    assert len(lines) == len(signs), lines
    assert all(line.startswith(sign) for line, sign in zip(lines, signs, strict=True)), lines


async def test_a_bot_that_stops_first_posts_the_lines_that_wait_for_the_log(evening: Evening) -> None:
    with_log(evening, relief_chips=0, log_gifts=1)
    alice, bob = evening.persons("Alice", "Bob")
    evening.bot.notices.gather_seconds = 60.0
    # The first message is on its way while the others wait, and while the bot stops.
    on_its_way = evening.discord.faults.hold(0.5, method="POST", route=MESSAGES)
    for amount in (20, 21, 22):
        await alice.slash(evening.channel, "give", member=bob, amount=amount)
    assert not on_its_way.times
    await evening.restart()
    gifts = [f"🎁 <@{alice.id}> gave <@{bob.id}> **{amount} chips**" for amount in (20, 21, 22)]
    assert logged(evening, alice) == gifts


async def test_the_admins_are_told_where_no_board_can_be_posted_once(evening: Evening) -> None:
    evening.expect_fault(403)
    with_log(evening)
    board, _, (alice,) = await evening.seated_table("gnau", "Mei", "Alice")
    channel = str(evening.channel.id)
    evening.discord.faults.respond(
        403, times=99, method="POST", route=MESSAGES, when=lambda _, path: channel in path
    )
    evening.discord.world.delete_message(board)
    await evening.until(lambda: logged(evening, alice), "the admins are told")
    await alice.slash(evening.channel, "bet", amount=20)
    await evening.settle_down()
    told = f"⚠️ Table 1: I can't post its board in <#{channel}>. Check my permissions there."
    assert logged(evening, alice) == [told]


async def test_a_removed_member_gets_bets_back_before_the_deal_and_plays_out_what_is_dealt(
    evening: Evening,
) -> None:
    with_log(evening)
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    dora, yan, zoe = evening.person("Dora", manage_server=True), *evening.persons("Yan", "Zoë")

    async def kick(member: Person, *losses: str, by: Person = dora, reason: str | None = None) -> str:
        """What the admin reads in the end, who is asked first if the member loses something."""
        options = {} if reason is None else {"reason": reason}
        answer = message_of(await by.slash(evening.channel, "table kick", member=member, **options))
        assert answer.ephemeral
        if losses:
            assert answer.text == " ".join([f"Remove <@{member.id}> from table 1?", *losses])
            assert evening.table().concerns(evening.party(member))
            await by.click(answer, "Remove")
        return answer.text

    assert await kick(alice, by=mei) == "You need the permission **Manage Server** for this."
    assert await kick(zoe) == f"<@{zoe.id}> isn't at table 1."
    await yan.submit(form_of(await yan.choose(board, MENU, "Bank next")), lowest="5", highest="20")
    await evening.board_says(board, f"next: <@{yan.id}>")
    assert await kick(yan) == f"<@{yan.id}> is removed from table 1. They may come back.", (
        "who only waits for the bank"
    )
    await evening.until(lambda: "next:" not in board.text, "the board names nobody next")
    assert evening.bot.croupier.bank_queue.waiting(evening.table().table_id) == []
    await evening.press(alice, board, "20")
    await evening.back(zoe, board, alice, 5)
    asked = message_of(await dora.slash(evening.channel, "table kick", member=zoe))
    assert asked.text == f"Remove <@{zoe.id}> from table 1? These bets go back: <@{zoe.id}> (5)."
    await dora.click(asked, "Cancel")
    assert asked.text == "Nothing was changed."
    assert evening.table().side_bets
    late = message_of(await dora.slash(evening.channel, "table kick", member=zoe))
    both = f"These bets go back: <@{alice.id}> (20), <@{zoe.id}> (5)."
    reason = r"The reason: “\*noise\*”."
    removed = f"<@{alice.id}> is removed from table 1. {reason} They may come back."
    assert await kick(alice, both, reason="*noise*") == removed
    assert not evening.table().held
    assert said(await dora.click(late, "Remove")) == f"<@{zoe.id}> is no longer at table 1."
    told = f"An admin of **{evening.server.name}** removed you from table 1. {reason} You may come back."
    await evening.until(lambda: told in [one.text for one in alice.sees(alice.dm())], "she is told why")
    await evening.board_says(board, f"<@{alice.id}> was removed from the table by an admin.")
    await evening.press(bob, board, "20")
    await evening.have_cards(bob, mei)
    for one, losses in ((bob, ()), (mei, ("They lose the bank of table 1.",))):
        later = f"<@{one.id}> plays this round out, and is then removed from table 1. They may come back."
        assert await kick(one, *losses) == later
    await evening.reveal(board, bob, mei)
    await evening.board_says(board, f"<@{mei.id}> was removed by an admin, so the bank is free.")
    assert {(one.party, one.stake) for one in evening.last_round().players} == {(evening.party(bob), 20)}
    assert evening.table().empty
    await evening.until(lambda: len(logged(evening, dora)) == 4, "the admins are told of each")
    lines = {one: f"🚪 <@{dora.id}> removed <@{one.id}> from table 1" for one in (alice, bob, mei, yan)}
    lines[alice] += r": “\*noise\*”"
    assert sorted(logged(evening, dora)) == sorted(lines.values())


@pytest.mark.parametrize("command", ["table kick", "house ban"])
async def test_an_old_question_asks_again_once_it_costs_something_else(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, command: str
) -> None:
    # Bob is still deciding, so nothing is dealt.
    board, mei, (alice, _) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    dora = evening.person("Dora", manage_server=True)

    async def asked(member: Person) -> Message:
        answer = await dora.slash(evening.channel, command, member=member, reason="noise")
        return message_of(answer)

    question = await asked(mei)
    assert question.text.endswith("? They lose the bank of table 1.")
    old = question.buttons()[0].custom_id
    await evening.press(alice, board, "20")
    # A second press came before they could read it.
    await asyncio.gather(*(dora.press_raw(question, old) for _ in range(2)))
    costs = f"? They lose the bank of table 1. These bets go back: <@{alice.id}> (20)."
    assert question.text.endswith(costs)
    assert [seat.stake for seat in evening.table().bets] == [20]
    assert evening.table().is_banker(evening.party(mei))
    yes = question.buttons()[0].custom_id
    await dora.press_raw(question, yes)
    assert evening.table().bank is None
    done = question.text
    assert done.startswith(f"<@{mei.id}> is ")
    await dora.press_raw(question, yes)
    assert question.text == done, "who did not get the answer reads it"
    if command == "house ban":
        return
    zoe = evening.person("Zoë")
    await evening.take_bank(zoe, board)
    await evening.press(alice, board, "20")
    question, ask = await asked(alice), evening.bot.croupier.ask

    async def committed(*asking: Any) -> None:
        await ask(*asking)
        raise LedgerUnavailable("it is on disk, but nobody says so")

    with monkeypatch.context() as lost:
        lost.setattr(evening.bot.croupier, "ask", committed)
        await dora.click(question, "Remove")
    await dora.click(question, "Remove")
    assert question.text == f"<@{alice.id}> is no longer at table 1."
    assert "nobody says so" in caplog.text
    caplog.clear()


async def test_members_wait_before_they_open_another_table_and_managers_do_not(evening: Evening) -> None:
    evening.chip_settings = {"table_minutes": 10}
    alice, bob = evening.persons("Alice", "Bob")
    dora = evening.person("Dora", manage_server=True)
    rooms = [evening.discord.add_channel(evening.server, f"room-{number}") for number in range(4)]
    board = await evening.open_table(alice)
    await alice.slash(evening.channel, "table close")
    asked = [await alice.slash(rooms[0], command) for command in ("table open", "play")]
    for told in map(said, [*asked, *[await alice.press_raw(board, opens) for opens in OPENS]]):
        assert told.startswith("You opened a table a short while ago. You can open the next one <t:"), told
    await evening.restart()
    assert "a short while ago" in said(await alice.slash(rooms[0], "table open"))
    await evening.open_table(bob, rooms[0])
    await evening.open_table(dora, rooms[1])
    await evening.open_table(dora, rooms[2])
    soon, now = time.time() + 601, evening.bot.croupier.now
    evening.bot.croupier.now = lambda: soon
    await evening.open_table(alice, rooms[3])
    evening.bot.croupier.now = now
