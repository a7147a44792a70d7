"""The channels that a house chooses are checked when it does, and may be gone later."""

import time
from typing import cast

import pytest

from bot.practice.messages import Message
from bot.practice.payloads import channel_json
from bot.practice.person import Person
from bot.practice.servers import Channel, ChannelKind, Permission
from bot.rules.hashing import read_code, short_code
from cogs.fairness import Fairness
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening


@pytest.fixture
def admin(evening: Evening) -> Person:
    return evening.person("Ada", manage_server=True)


async def asked(evening: Evening, admin: Person, knob: str, channel: Channel | str) -> Message:
    """What the admin is shown who chooses a channel, or types its name."""
    value = channel if isinstance(channel, str) else f"<#{channel.id}>"
    shown = message_of(await admin.slash(evening.channel, "house set", rule=knob, value=value))
    await evening.until(lambda: shown.text, "there is an answer")
    return shown


def posts(evening: Evening, channel: Channel) -> int:
    """How often the bot has tried to write there."""
    path = f"/channels/{channel.id}/messages"
    return sum((one.method, one.path) == ("POST", path) for one in evening.discord.requests)


async def test_a_channel_that_cannot_serve_is_refused(evening: Evening, admin: Person) -> None:
    world, bot = evening.discord.world, evening.discord.world.bot
    for knob, kind, says in (
        ("channels", ChannelKind.CATEGORY, "is a category. Choose its channels instead."),
        ("log_channel", ChannelKind.CATEGORY, "is a category. Choose its channels instead."),
        ("log_channel", ChannelKind.FORUM, "doesn't take messages. Choose a text channel."),
    ):
        channel = world.add_channel(evening.server, "a-place", kind)
        shown = await asked(evening, admin, knob, channel)
        assert shown.text == f"<#{channel.id}> {says}"
        assert not shown.buttons()
    for lacking in (Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL):
        evening.other_channel.denied[bot.id] = lacking
        evening.discord.gateway.send_raw("CHANNEL_UPDATE", channel_json(evening.other_channel))
        shown = await asked(evening, admin, "log_channel", evening.other_channel)
        assert f"I can't post in <#{evening.other_channel.id}>" in shown.text
        assert not shown.buttons()
    quiet = world.add_channel(evening.server, "quiet")
    everyone = f"⚠️ Everyone here can read <#{quiet.id}>, and so what admins do."
    for is_hidden in (False, True):
        if is_hidden:
            sees = str(int(Permission.VIEW_CHANNEL))
            hidden = {"id": str(evening.server.everyone.id), "type": 0, "allow": "0", "deny": sees}
            shown_to_bot = {"id": str(bot.id), "type": 1, "allow": sees, "deny": "0"}
            overwrites = {"permission_overwrites": [hidden, shown_to_bot]}
            evening.discord.gateway.send_raw("CHANNEL_UPDATE", channel_json(quiet) | overwrites)
        shown = await asked(evening, admin, "log_channel", quiet)
        assert shown.button("Confirm")
        assert (everyone in shown.text) is not is_hidden


async def test_a_channel_is_chosen_by_its_name_if_no_other_has_it(evening: Evening, admin: Person) -> None:
    world = evening.discord.world
    world.add_channel(evening.server, "Quiet", ChannelKind.CATEGORY)
    quiet = world.add_channel(evening.server, "quiet")
    for typed in ("#quiet", "Quiet"):
        shown = await asked(evening, admin, "log_channel", typed)
        assert f"<#{quiet.id}>" in shown.text
        assert shown.button("Confirm")
    world.add_channel(evening.server, "quiet")
    for is_second in (False, True):
        world.add_channel(evening.server, "Area", ChannelKind.CATEGORY)
        shown = await asked(evening, admin, "log_channel", "area")
        assert ("channels from the list, or off, not “area”" if is_second else "is a category") in shown.text
    shown = await asked(evening, admin, "log_channel", "quiet")
    assert "channels from the list, or off, not “quiet”" in shown.text


async def test_an_archived_thread_can_be_chosen_and_a_forum_for_its_posts(
    evening: Evening, admin: Person
) -> None:
    forum = evening.discord.world.add_channel(evening.server, "a-forum", ChannelKind.FORUM)
    thread = evening.discord.add_thread(evening.channel, "a thread")
    evening.discord.world.archive(thread)
    server = evening.bot.get_guild(evening.server.id)
    assert server is not None
    await evening.until(lambda: server.get_thread(thread.id) is None, "the bot has heard of it")
    for channel in (forum, thread):
        shown = await asked(evening, admin, "channels", channel)
        assert shown.button("Confirm"), shown.text


async def test_a_code_that_could_not_be_posted_is_posted_later(evening: Evening) -> None:
    evening.expect_fault(403)
    alice = evening.person("Alice")
    await alice.slash(evening.channel, "wallet")
    # The bot itself looks once at its start.
    await evening.settle_down()
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    evening.other_channel.denied[evening.discord.world.bot.id] = Permission.SEND_MESSAGES
    books = cast("Fairness", evening.bot.get_cog("Fairness"))
    await books.post_codes()
    evening.other_channel.denied.clear()
    tries = posts(evening, evening.other_channel)
    await books.post_codes()
    assert posts(evening, evening.other_channel) == tries, "Discord is not asked every five minutes"
    evening.bot.croupier.now = lambda: time.time() + 3700
    await books.post_codes()
    (posted,) = alice.sees(evening.other_channel)
    head = await evening.bot.croupier.ledger.head(evening.server.id)
    assert head is not None
    assert f"`{short_code(head[1])}`" in posted.text
    assert f"after {head[0]:,} entr" in posted.text
    assert read_code(short_code(head[1])) == short_code(head[1])
    tries = posts(evening, evening.other_channel)
    await books.post_codes()
    assert posts(evening, evening.other_channel) == tries


async def test_where_all_channels_for_tables_are_gone_it_is_said_who_can_mend_that(evening: Evening) -> None:
    evening.expect_fault(404)
    alice = evening.person("Alice")
    gone, other = (evening.discord.add_channel(evening.server, name) for name in ("gone", "other"))
    evening.rules = evening.rules.model_copy(
        update={"channels": (gone.id, other.id), "log_channel": (evening.other_channel.id,)}
    )
    evening.discord.world.delete_channel(gone)
    server = evening.bot.get_guild(evening.server.id)
    assert server is not None
    await evening.until(lambda: server.get_channel(gone.id) is None, "the bot has heard of it")
    told = said(await alice.slash(evening.channel, "table open"))
    assert told == f"Tables can't be opened here. Open one in <#{other.id}>."
    evening.discord.world.delete_channel(other)
    await evening.until(lambda: server.get_channel(other.id) is None, "the bot has heard of it")
    for command in ("table open", "play", "help"):
        told = said(await alice.slash(evening.channel, command))
        assert "The channels for tables have been deleted. A server manager can choose others" in told
        assert "/house set" in told
        assert "<#" not in told
    assert not evening.bot.croupier.tables.all()
    await evening.until(lambda: alice.sees(evening.other_channel), "the admins are told")
    (alarm,) = alice.sees(evening.other_channel)
    assert "The channels for tables have been deleted." in alarm.text


async def test_an_archived_thread_for_tables_is_named(evening: Evening) -> None:
    alice = evening.person("Alice")
    thread = evening.discord.add_thread(evening.other_channel, "a thread")
    evening.rules = evening.rules.model_copy(update={"channels": (thread.id,)})
    evening.discord.world.archive(thread)
    told = said(await alice.slash(evening.channel, "table open"))
    assert told == f"Tables can't be opened here. Open one in <#{thread.id}>."
