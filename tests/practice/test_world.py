"""The world: ids and time, permissions and visibility, and changes."""

from datetime import UTC, datetime, timedelta

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.servers import Channel, Permission, User
from bot.practice.world import SnowflakeGenerator, World, created_at
from tests.stand_in import ChangingWorld


def post(world: World, channel: Channel, author: User, words: str, only: User | None = None) -> Message:
    return world.post(Message(world.new_id(), channel, author, world.now(), words, ephemeral_for=only))


def test_ids_increase_and_contain_their_time() -> None:
    mint, now = SnowflakeGenerator(), datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
    first, second = mint.next_id(now), mint.next_id(now)
    assert first < second
    assert created_at(first) == created_at(second) == now
    # Even if the clock goes back.
    assert mint.next_id(now - timedelta(hours=1)) > second


def test_who_sees_which_messages_and_changes() -> None:
    world = World()
    alice, bob = world.add_user("Alice"), world.add_user("Bob")
    server = world.add_server("Oxford", alice)
    channel = world.add_channel(server, "general")
    world.join(server, bob)
    seen: list[Change] = []
    world.on_change(seen.append)
    public = post(world, channel, world.bot, "all")
    private = post(world, channel, world.bot, "alice", alice)
    post(world, world.dm_with(bob), world.bot, "bob")
    assert world.messages_seen_by(alice, channel) == [public, private]
    assert world.messages_seen_by(bob, channel) == [public]
    to_all, to_alice, _, in_dm = seen
    assert [[change.visible_to(one) for one in (alice, bob)] for change in (to_all, to_alice, in_dm)] == [
        [True, True],
        [True, False],
        [False, True],
    ]
    channel.denied[bob.id] = Permission.VIEW_CHANNEL
    assert world.messages_seen_by(bob, channel) == []
    channel.denied.clear()
    world.leave(server, bob)
    assert world.messages_seen_by(bob, channel) == []


def test_permissions_come_from_the_server_its_roles_and_the_channel() -> None:
    world = ChangingWorld()
    server = world.add_server("Oxford")
    channel = world.add_channel(server, "general")
    thread = world.add_thread(channel, "aside")
    member, boss = world.add_user("Member"), world.add_user("Boss")
    world.join(server, member)
    world.join(server, boss, Permission.ADMINISTRATOR)
    assert channel.can_write(member)
    channel.denied[member.id] = Permission.SEND_MESSAGES
    assert not channel.can_write(member)
    # A thread has its own permission and its parent's overwrites.
    assert thread.can_write(member)
    channel.denied[member.id] = Permission.SEND_MESSAGES_IN_THREADS
    assert not thread.can_write(member)
    channel.denied[boss.id] = Permission.SEND_MESSAGES
    assert channel.can_write(boss)
    assert channel.permissions_of(server.owner) == Permission.EVERYTHING
    assert channel.permissions_of(world.add_user("Stranger")) == Permission(0)
