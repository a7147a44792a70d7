"""Select menus of every kind, in messages and modals."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.practice.messages import Message
from bot.practice.replies import Modal, NotPossibleError
from tests.practice.conftest import Scene, Start

PIECES = [discord.SelectOption(label=f"Piece {number}", value=str(number)) for number in range(5)]


class Menus(discord.ui.LayoutView):
    """One select menu of each kind."""

    def __init__(self, role: int) -> None:
        super().__init__(timeout=None)
        picked = discord.SelectDefaultValue(id=role, type=discord.SelectDefaultValueType.role)
        every: list[discord.ui.Item[Any]] = [
            Told(custom_id="three", options=PIECES, min_values=3, max_values=3),
            Told(custom_id="any", options=PIECES, min_values=0, max_values=5),
            ToldRole(custom_id="role", default_values=[picked]),
            ToldChannel(custom_id="channel", channel_types=[discord.ChannelType.text]),
            ToldAnybody(custom_id="anybody", max_values=2),
        ]
        for item in every:
            self.add_item(discord.ui.ActionRow(item))


class Told(discord.ui.Select[Menus]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"picked {self.values}", ephemeral=True)


class ToldRole(discord.ui.RoleSelect[Menus]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"role {self.values[0].name}", ephemeral=True)


class ToldChannel(discord.ui.ChannelSelect[Menus]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"channel {self.values[0].name}", ephemeral=True)


class ToldAnybody(discord.ui.MentionableSelect[Menus]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        names = [f"{type(value).__name__} {value.name}" for value in self.values]
        await interaction.response.send_message(", ".join(names), ephemeral=True)


class Where(discord.ui.Modal, title="Where"):
    """A modal with optional select menus."""

    def __init__(self, channel: int) -> None:
        super().__init__()
        preset = discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
        self.places: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
            custom_id="places", min_values=0, max_values=3, required=False, default_values=[preset]
        )
        self.pair: discord.ui.Select[Any] = discord.ui.Select(
            custom_id="pair", options=PIECES, min_values=2, max_values=2, required=False
        )
        self.add_item(discord.ui.Label(text="Places", component=self.places))
        self.add_item(discord.ui.Label(text="Pair", component=self.pair))

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        places = [place.name for place in self.places.values]
        await interaction.response.send_message(f"{places} {self.pair.values}", ephemeral=True)


@pytest.fixture
async def menus(scene: Scene, start: Start) -> Message:
    bot = await start()

    @bot.tree.command(description="Shows the menus")
    async def menus(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(view=Menus(scene.server.id))

    @bot.tree.command(description="Asks where")
    async def where(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Where(scene.channel.id))

    @bot.tree.command(description="Names a role and a text channel")
    async def name(
        interaction: discord.Interaction[Any], role: discord.Role, place: discord.TextChannel
    ) -> None:
        await interaction.response.send_message(f"{role.name} in {place.name}")

    await bot.tree.sync()
    reply = await scene.alice.slash(scene.channel, "menus")
    assert reply.message is not None
    return reply.message


async def text_of(scene: Scene, message: Message, select: str, *values: object) -> str:
    reply = await scene.alice.choose(message, select, *values)
    assert reply.message is not None
    return reply.message.text


async def test_picks_keep_their_order_and_their_number_is_checked(scene: Scene, menus: Message) -> None:
    assert await text_of(scene, menus, "three", "Piece 4", "0", "2") == "picked ['4', '0', '2']"
    for values in ((), ("0", "1"), ("0", "1", "2", "3"), ("0", "1", "1")):
        with pytest.raises(NotPossibleError, match="takes 3 to 3 values"):
            await scene.alice.choose(menus, "three", *values)


async def test_an_optional_menu_can_be_cleared(scene: Scene, menus: Message) -> None:
    assert await text_of(scene, menus, "any", "1") == "picked ['1']"
    assert await text_of(scene, menus, "any") == "picked []"


async def test_roles_channels_and_users_are_picked_as_objects_or_by_id(scene: Scene, menus: Message) -> None:
    assert await text_of(scene, menus, "role", scene.server.everyone) == "role @everyone"
    assert await text_of(scene, menus, "channel", str(scene.channel.id)) == "channel general"
    picked = await text_of(scene, menus, "anybody", scene.bob, scene.server.everyone)
    assert picked == "Member bob, Role @everyone"
    thread = scene.stand_in.add_thread(scene.channel, "side")
    for select, value in (("channel", thread), ("role", scene.bob), ("channel", "1"), ("role", "no id")):
        with pytest.raises(NotPossibleError, match="does not take"):
            await scene.alice.choose(menus, select, value)


async def opened(scene: Scene) -> Modal:
    reply = await scene.alice.slash(scene.channel, "where")
    assert reply.modal is not None
    return reply.modal


async def test_a_menu_in_a_modal_keeps_its_defaults_unless_cleared(scene: Scene, menus: Message) -> None:
    left = await scene.alice.submit(await opened(scene))
    assert left.message is not None
    assert left.message.text == "['general'] []"
    emptied = await scene.alice.submit(await opened(scene), places=[], Pair=["1", "3"])
    assert emptied.message is not None
    assert emptied.message.text == "[] ['1', '3']"


async def test_an_optional_menu_in_a_modal_takes_none_or_enough(scene: Scene, menus: Message) -> None:
    with pytest.raises(NotPossibleError, match="takes 2 to 2 values"):
        await scene.alice.submit(await opened(scene), pair="1")


async def test_a_deleted_default_channel_is_not_sent(scene: Scene, menus: Message) -> None:
    other = scene.stand_in.add_channel(scene.server, "other")
    modal = await opened(scene)
    scene.stand_in.world.delete_channel(scene.channel)
    reply = await scene.alice.submit(replace(modal, channel=other))
    assert reply.message is not None
    assert reply.message.text == "[] []"


async def test_a_command_can_ask_for_a_role_and_a_type_of_channel(scene: Scene, menus: Message) -> None:
    asked = {"role": scene.server.everyone, "place": scene.channel}
    reply = await scene.alice.slash(scene.channel, "name", **asked)
    assert reply.message is not None
    assert reply.message.text == "@everyone in general"
    thread = scene.stand_in.add_thread(scene.channel, "side")
    with pytest.raises(NotPossibleError, match="place must be a channel"):
        await scene.alice.slash(scene.channel, "name", **asked | {"place": thread})
