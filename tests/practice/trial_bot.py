"""A small bot on the real discord.py with one of everything that the stand-in supports."""

import io
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63f8cfc0f01f00050001ff56c72f0d0000000049454e44ae426082"
)
"""A PNG of one pixel."""


class Raise(discord.ui.DynamicItem[discord.ui.Button[discord.ui.LayoutView]], template=r"raise:(?P<by>\d+)"):
    """A dynamic button, which still works after a restart."""

    def __init__(self, by: int) -> None:
        super().__init__(discord.ui.Button(label=f"Raise {by}", custom_id=f"raise:{by}"))
        self.by = by

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any, /) -> Self:
        return cls(int(match["by"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        view = Board(f"raised by {self.by}")
        await interaction.response.edit_message(view=view)


class Stake(discord.ui.Modal, title="Your stake"):
    """A modal with a text input inside a label."""

    amount: discord.ui.Label[Any] = discord.ui.Label(
        text="Amount",
        description="in chips",
        component=discord.ui.TextInput(custom_id="amount", default="10", min_length=1, max_length=4),
    )

    def __init__(self) -> None:
        super().__init__(custom_id="stake")

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        assert isinstance(self.amount.component, discord.ui.TextInput)
        await interaction.response.send_message(f"staked {self.amount.component.value}", ephemeral=True)


class Board(discord.ui.LayoutView):
    """A board: a text, buttons, a select menu, and optionally a picture."""

    def __init__(self, text: str, *, picture: str | None = None) -> None:
        super().__init__(timeout=None)
        box: discord.ui.Container[Self] = discord.ui.Container(accent_colour=0x2F6F4F)
        box.add_item(discord.ui.TextDisplay(text))
        box.add_item(discord.ui.Separator())
        if picture is not None:
            box.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem(picture, description="one pixel")))
        self.add_item(box)
        greyed: discord.ui.Button[Self] = discord.ui.Button(label="Greyed", custom_id="greyed", disabled=True)
        buttons: list[discord.ui.Item[Any]] = [Raise(5), StakeButton(), Quiet(), greyed]
        self.add_item(discord.ui.ActionRow(*buttons))
        self.add_item(discord.ui.ActionRow(Menu()))


class StakeButton(discord.ui.Button[Board]):
    """Opens the modal."""

    def __init__(self) -> None:
        super().__init__(label="Stake", custom_id="stake", style=discord.ButtonStyle.primary)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_modal(Stake())


class Quiet(discord.ui.Button[Board]):
    """Acknowledges the press without a message."""

    def __init__(self) -> None:
        super().__init__(label="Quiet", custom_id="quiet")

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()


class Menu(discord.ui.Select[Board]):
    """A select of two animals."""

    def __init__(self) -> None:
        super().__init__(
            custom_id="pick",
            placeholder="Pick an animal",
            options=[discord.SelectOption(label=name, value=name.lower()) for name in ("Ox", "Horse")],
        )

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"picked {self.values[0]}", ephemeral=True)


class TrialBot(commands.AutoShardedBot):
    """The bot. Its events are in `heard`, its errors in `errors`."""

    def __init__(self, **settings: Any) -> None:
        intents = settings.pop("intents", discord.Intents(guilds=True, guild_messages=True, dm_messages=True))
        super().__init__(
            command_prefix=commands.when_mentioned, intents=intents, guild_ready_timeout=0.01, **settings
        )
        self.heard: list[str] = []
        self.errors: list[Exception] = []
        self.tree.error(self._note)
        self.tree.add_command(Table())
        every: list[app_commands.Command[Any, ..., Any]]
        every = [tell, think, slow, write_to, pay, secret, rename]
        for command in every:
            self.tree.add_command(command)

    async def _note(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        self.errors.append(error)

    async def setup_hook(self) -> None:
        self.add_view(Board(""))
        self.add_dynamic_items(Raise)
        await self.tree.sync()

    async def on_message(self, message: discord.Message, /) -> None:
        self.heard.append(f"message {message.content}")

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.heard.append(f"deleted {event.message_id}")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.heard.append(f"removed from {guild.name}")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.heard.append(f"added to {guild.name}")

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self.heard.append(f"no channel {channel.name}")

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.heard.append(f"thread {thread.name}")

    async def on_member_remove(self, member: discord.Member) -> None:
        self.heard.append(f"left {member.name}")

    async def on_resumed(self) -> None:
        self.heard.append("resumed")

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.heard.append("resumed")


class Table(app_commands.Group):
    """A group of commands."""

    def __init__(self) -> None:
        super().__init__(name="table", description="Tables", guild_only=True)

    @app_commands.command(description="Opens a table")
    async def open(
        self, interaction: discord.Interaction[Any], seats: app_commands.Range[int, 1, 9] = 4
    ) -> None:
        await interaction.response.send_message(view=Board(f"a table for {seats}"))

    @app_commands.command(description="Opens a table with a picture")
    async def show(self, interaction: discord.Interaction[Any]) -> None:
        picture = discord.File(io.BytesIO(PIXEL), "pixel.png", description="one pixel")
        view = Board("a picture", picture="attachment://pixel.png")
        await interaction.response.send_message(view=view, file=picture)


@app_commands.command(description="Tells one person something")
async def tell(interaction: discord.Interaction[Any], words: str) -> None:
    await interaction.response.send_message(words, ephemeral=True)
    await interaction.followup.send(f"{words}, again", ephemeral=True)


@app_commands.command(description="Thinks first")
async def think(interaction: discord.Interaction[Any], alone: app_commands.Range[int, 0, 1] = 0) -> None:
    await interaction.response.defer(thinking=True, ephemeral=bool(alone))
    await interaction.edit_original_response(view=Board("thought"))


@app_commands.command(description="Does not answer")
async def slow(interaction: discord.Interaction[Any]) -> None:
    return


@app_commands.command(description="Writes to a person")
async def write_to(interaction: discord.Interaction[Any], who: discord.User) -> None:
    try:
        await who.send("a word with you")
    except discord.Forbidden as error:
        await interaction.response.send_message(f"refused {error.code}")
    else:
        await interaction.response.send_message("written")


@app_commands.command(description="Pays")
@app_commands.choices(
    what=[app_commands.Choice(name=name, value=name.lower()) for name in ("Chips", "Points")]
)
async def pay(interaction: discord.Interaction[Any], what: app_commands.Choice[str], amount: int) -> None:
    await interaction.response.send_message(f"{amount} {what.value}")


@pay.autocomplete("amount")
async def amounts(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[int]]:
    return [
        app_commands.Choice(name=f"{typed}{zeros}", value=int(f"{typed}{zeros}")) for zeros in ("", "0", "00")
    ]


@app_commands.command(description="For those who manage the server")
@app_commands.default_permissions(manage_guild=True)
async def secret(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message("psst", ephemeral=True)


@app_commands.command(description="Answers, and then changes the answer")
async def rename(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message("first")
    message = await interaction.original_response()
    await message.edit(content="second")
