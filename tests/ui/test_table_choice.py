"""Which table a command means: the named one, this channel's, or the one where the member sits."""

import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock

import discord
import pytest

from bot.croupier.identities import User
from bot.table.state import TableState
from bot.ui.press.errors import MemberError, sentence_for
from bot.ui.press.table_choice import choose_table, may_see, suggest_tables
from bot.wire.requests import Interaction
from tests.croupier.conftest import house as house
from tests.croupier.croupier_house import OTHER_SERVER, SERVER, House

ALICE, BOB = User(5001, "Alice", "en-US"), User(5002, "Bob", "en-US")
MOST_SUGGESTIONS, MOST_NAME = 25, 100
NAMES = {700: "ox-and-friends", 800: "牛" * 100} | dict.fromkeys(range(900, 930), "another")


@dataclass
class Asked:
    """A command as `choose_table` sees it: the member, the place, and their permissions there."""

    client: object
    user: object
    channel_id: int
    guild: "Server | None"
    guild_id: int | None
    permissions: discord.Permissions = field(default_factory=discord.Permissions)


@dataclass
class Server:
    """A server as `suggest_tables` sees it: everybody can see its channels."""

    name: str
    channels: dict[int, str] = field(default_factory=dict)

    def get_channel_or_thread(self, channel_id: int) -> object | None:
        name = self.channels.get(channel_id)
        seen = discord.Permissions(view_channel=True)
        return None if name is None else SimpleNamespace(name=name, permissions_for=lambda _member: seen)


async def seat(house: House, table: TableState, user: User = ALICE) -> None:
    """Sits a user down at a table."""
    party = await house.croupier.identities.party_of(table.server_id, user)
    await house.join(table.table_id, party)


def asked(house: House, channel_id: int = 999, *, server_id: int | None = SERVER) -> Interaction:
    servers = {SERVER: Server("Ox and friends", NAMES)}
    client = SimpleNamespace(get_guild=servers.get)
    user = Mock(spec=discord.Member, id=ALICE.user_id)
    server = None if server_id is None else servers.get(server_id)
    return cast("Interaction", Asked(client, user, channel_id, server, server_id))


def sentence(error: pytest.ExceptionInfo[MemberError]) -> str:
    """The sentence that the member reads."""
    told = sentence_for(error.value)
    assert told is not None
    return told


async def test_a_named_table_wins_over_the_channels_and_that_over_the_members(house: House) -> None:
    here, there = await house.open(channel_id=700), await house.open(channel_id=800)
    await seat(house, there)
    assert choose_table(asked(house, 700), house.croupier, None) == here
    for wanted in (f" {there.number} ", str(there.table_id)):
        assert choose_table(asked(house, 700), house.croupier, wanted).table_id == there.table_id
    assert choose_table(asked(house, 999), house.croupier, None).table_id == there.table_id


async def test_a_member_at_several_tables_must_name_one_in_a_direct_message(house: House) -> None:
    old, new = await house.open(), await house.open(server_id=OTHER_SERVER)
    for table in (old, new):
        await seat(house, table)
    for wanted in (None, str(new.number)):
        with pytest.raises(MemberError) as error:
            choose_table(asked(house, server_id=None), house.croupier, wanted)
        assert re.search(f"Table {old.number}.*; Table {new.number}", sentence(error))
    assert (
        choose_table(asked(house, server_id=None), house.croupier, str(old.table_id)).table_id == old.table_id
    )


async def test_a_table_of_another_server_is_out_of_reach(house: House) -> None:
    elsewhere = await house.open(server_id=OTHER_SERVER)
    await seat(house, elsewhere)
    with pytest.raises(MemberError):
        choose_table(asked(house), house.croupier, str(elsewhere.table_id))
    with pytest.raises(MemberError):
        choose_table(asked(house), house.croupier, None)


async def test_only_seated_members_reach_a_table_by_direct_message(house: House) -> None:
    table = await house.open()
    await seat(house, table, BOB)
    with pytest.raises(MemberError) as error:
        choose_table(asked(house, server_id=None), house.croupier, None)
    assert "You aren't at a table" in sentence(error)
    with pytest.raises(MemberError) as error:
        choose_table(asked(house, server_id=None), house.croupier, str(table.table_id))
    assert "There is no table" in sentence(error)


async def test_suggested_tables_match_the_typed_text_and_start_with_the_members_own(house: House) -> None:
    first, second = await house.open(channel_id=700), await house.open(channel_id=800)
    await seat(house, second)
    suggested = suggest_tables(asked(house), house.croupier, "")
    assert [choice.value for choice in suggested] == [str(second.table_id), str(first.table_id)]
    assert suggested[1].name == "Table 1 · #ox-and-friends"
    assert [choice.value for choice in suggest_tables(asked(house), house.croupier, "OX-and")] == [
        str(first.table_id)
    ]
    assert suggest_tables(asked(house), house.croupier, "dominoes") == []
    for choice in suggested:
        assert str(choose_table(asked(house), house.croupier, choice.value).table_id) == choice.value


async def test_suggestions_stay_within_discords_limit(house: House) -> None:
    for channel_id in (800, *range(900, 900 + MOST_SUGGESTIONS)):
        await house.open(channel_id=channel_id)
    suggested = suggest_tables(asked(house), house.croupier, "")
    assert len(suggested) == MOST_SUGGESTIONS
    assert all(0 < len(choice.name) <= MOST_NAME for choice in suggested)


async def test_by_direct_message_a_suggestion_names_the_server(house: House) -> None:
    tables: list[TableState] = [await house.open(channel_id=700), await house.open(server_id=OTHER_SERVER)]
    for table in tables:
        await seat(house, table)
    names = [choice.name for choice in suggest_tables(asked(house, server_id=None), house.croupier, "")]
    assert names == ["Table 1", "Table 1 · #ox-and-friends · Ox and friends"]


@pytest.mark.parametrize(
    ("private", "manages", "parent_known", "seen"),
    [
        (False, False, True, True),
        (True, False, True, False),
        (True, True, True, True),
        (True, True, False, False),
    ],
)
async def test_a_private_thread_is_visible_to_members_who_manage_threads(
    house: House, private: bool, manages: bool, parent_known: bool, seen: bool
) -> None:
    thread = Mock(spec=discord.Thread)
    thread.is_private.return_value = private
    if parent_known:
        thread.permissions_for.return_value = discord.Permissions(view_channel=True, manage_threads=manages)
    else:
        thread.parent = None
        thread.permissions_for.side_effect = discord.ClientException("Parent channel not found")
    server = Mock(get_channel_or_thread=Mock(return_value=thread))
    asking = Asked(house, Mock(spec=discord.Member), 999, server, SERVER)
    assert may_see(cast("Interaction", asking), 555) is seen
