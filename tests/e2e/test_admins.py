"""What admins do for members, and what they read in their log channel."""

import time

from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.answers import said
from tests.e2e.evening import Evening

MESSAGES = "/channels/{channel_id}/messages"


def logged(evening: Evening, reader: Person) -> list[str]:
    """The lines in the log channel, without the code of the books."""
    messages = reader.sees(evening.other_channel)
    return [line for one in messages if "books" not in one.text for line in one.text.splitlines()]


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
    stack = await evening.bot.croupier.stack(evening.server.id, evening.party(alice))
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


async def test_chips_go_to_members_only_and_who_has_none_keeps_none(evening: Evening) -> None:
    dora, zoe = evening.person("Dora", manage_server=True), evening.person("Zoë")
    bot = evening.discord.world.bot
    granted = {"amount": 5, "reason": "why"}
    nowhere = "Choose a log channel with </house set:"
    assert nowhere in said(await dora.slash(evening.channel, "bank grant", member=dora, **granted))
    assert nowhere in said(await dora.slash(evening.channel, "house history"))
    assert "Bots have no wallet" in said(
        await dora.slash(evening.channel, "bank grant", member=bot, **granted)
    )
    taken = said(await dora.slash(evening.channel, "bank take", member=zoe, **granted))
    assert taken == f"<@{zoe.id}> has 0 chips free. Chips held at a table can't be taken."
    assert not evening.party(zoe)
    evening.discord.world.leave(evening.server, zoe.user)
    assert "Chips stay in this server" in said(
        await dora.slash(evening.channel, "bank grant", member=zoe, **granted)
    )


async def test_the_log_gathers_what_comes_within_a_minute_and_each_kind_can_be_turned_off(
    evening: Evening,
) -> None:
    with_log(evening, relief_chips=0, log_gifts=20, log_grants=False)
    dora, alice, bob = evening.person("Dora", manage_server=True), *evening.persons("Alice", "Bob")
    evening.bot.notices.gather_seconds = 2.0
    for amount in (20, 19, 21, 22):
        await alice.slash(evening.channel, "give", member=bob, amount=amount)
    await dora.slash(evening.channel, "bank grant", member=bob, amount=5, reason="not told")
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
    dora, zoe = evening.person("Dora", manage_server=True), evening.person("Zoë")

    async def kick(member: Person, by: Person = dora) -> str:
        return said(await by.slash(evening.channel, "table kick", member=member))

    assert await kick(alice, by=mei) == "You need the permission **Manage Server** for this."
    assert await kick(zoe) == f"<@{zoe.id}> isn't at table 1."
    await evening.press(alice, board, "20")
    await evening.back(zoe, board, alice, 5)
    assert await kick(zoe) == f"<@{zoe.id}> is removed from table 1."
    assert await kick(alice) == f"<@{alice.id}> is removed from table 1."
    assert not evening.table().bets
    await evening.board_says(board, f"<@{alice.id}> was removed from the table by an admin.")
    await evening.press(bob, board, "20")
    await evening.have_cards(bob, mei)
    for one in (bob, mei):
        later = f"<@{one.id}> plays this round out, and is then removed from table 1."
        assert await kick(one) == later
    await evening.reveal(board, bob, mei)
    await evening.board_says(board, f"<@{mei.id}> was removed by an admin, so the bank is free.")
    assert {(one.party, one.stake) for one in evening.last_round().players} == {(evening.party(bob), 20)}
    assert evening.table().empty
    await evening.until(lambda: len(logged(evening, dora)) == 4, "the admins are told of each")
    names = [alice, bob, mei, zoe]
    assert sorted(logged(evening, dora)) == sorted(
        f"🚪 <@{dora.id}> removed <@{one.id}> from table 1" for one in names
    )


async def test_members_wait_before_they_open_another_table_and_managers_do_not(evening: Evening) -> None:
    evening.chip_settings = {"table_minutes": 10}
    alice, bob = evening.persons("Alice", "Bob")
    dora = evening.person("Dora", manage_server=True)
    rooms = [evening.discord.add_channel(evening.server, f"room-{number}") for number in range(4)]
    await evening.open_table(alice)
    await alice.slash(evening.channel, "table close")
    for command in ("table open", "play"):
        told = said(await alice.slash(rooms[0], command))
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
