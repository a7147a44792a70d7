"""Select menus of the kinds that the bot sends, in messages and modals."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.practice.messages import Message
from bot.practice.replies import Modal, NotPossibleError
from tests.practice.conftest import Scene, Start

pytestmark = pytest.mark.thorough

PIECES = [discord.SelectOption(label=f"Piece {number}", value=str(number)) for number in range(5)]


class Menus(discord.ui.LayoutView):
    """A menu of three pieces, and one of any."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        for name, least, most in (("three", 3, 3), ("any", 0, 5)):
            menu = Told(custom_id=name, options=PIECES, min_values=least, max_values=most)
            self.add_item(discord.ui.ActionRow(menu))


class Told(discord.ui.Select[Menus]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"picked {self.values}", ephemeral=True)


class Where(discord.ui.Modal, title="Where"):
    """A modal with optional select menus."""

    def __init__(self, channel: int) -> None:
        super().__init__()
        preset = discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
        self.places: discord.ui.ChannelSelect[Any] = discord.ui.ChannelSelect(
            custom_id="places",
            channel_types=[discord.ChannelType.text],
            min_values=0,
            max_values=3,
            required=False,
            default_values=[preset],
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
        await interaction.response.send_message(view=Menus())

    @bot.tree.command(description="Asks where")
    async def where(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Where(scene.channel.id))

    await bot.tree.sync()
    reply = await scene.alice.slash(scene.channel, "menus")
    assert reply.message is not None
    return reply.message


async def opened(scene: Scene) -> Modal:
    reply = await scene.alice.slash(scene.channel, "where")
    assert reply.modal is not None
    return reply.modal


async def submitted(scene: Scene, modal: Modal, **values: object) -> str:
    reply = await scene.alice.submit(modal, **values)
    assert reply.message is not None
    return reply.message.text


async def test_picks_keep_their_order_and_their_number_is_checked(scene: Scene, menus: Message) -> None:
    for menu, values, told in (
        ("three", ("Piece 4", "0", "2"), "picked ['4', '0', '2']"),
        ("any", ("1",), "picked ['1']"),
        ("any", (), "picked []"),
    ):
        reply = await scene.alice.choose(menus, menu, *values)
        assert reply.message is not None
        assert reply.message.text == told
    for wrong in ((), ("0", "1"), ("0", "1", "2", "3"), ("0", "1", "1")):
        with pytest.raises(NotPossibleError, match="takes 3 to 3 values"):
            await scene.alice.choose(menus, "three", *wrong)


async def test_a_menu_in_a_modal_keeps_its_defaults_unless_cleared(scene: Scene, menus: Message) -> None:
    other = scene.stand_in.add_channel(scene.server, "other")
    assert await submitted(scene, await opened(scene)) == "['general'] []"
    assert await submitted(scene, await opened(scene), places=[], Pair=["1", "3"]) == "[] ['1', '3']"
    assert await submitted(scene, await opened(scene), places=[other, str(scene.channel.id)]) == (
        "['other', 'general'] []"
    )
    with pytest.raises(NotPossibleError, match="takes 2 to 2 values"):
        await scene.alice.submit(await opened(scene), pair="1")
    thread = scene.stand_in.add_thread(scene.channel, "side")
    for value in (thread, scene.bob, "1", "no id"):
        with pytest.raises(NotPossibleError, match="does not take"):
            await scene.alice.submit(await opened(scene), places=[value])
    modal = await opened(scene)
    # A default channel that is deleted meanwhile is not sent.
    scene.stand_in.world.delete_channel(scene.channel)
    assert await submitted(scene, replace(modal, channel=other)) == "[] []"
