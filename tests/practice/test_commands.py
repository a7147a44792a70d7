"""Logging in, registering commands, and typing them."""

import discord
import pytest

from bot.practice.replies import Choice, NotPossibleError
from tests.practice.conftest import Scene, Start
from tests.practice.trial_bot import TrialBot

pytestmark = pytest.mark.thorough


async def test_bot_logs_in_and_knows_its_server(scene: Scene, bot: TrialBot) -> None:
    assert bot.user is not None
    assert bot.user.id == scene.stand_in.world.bot.id
    assert [guild.name for guild in bot.guilds] == ["Oxford"]
    assert [channel.name for channel in bot.guilds[0].text_channels] == ["general"]
    assert bot.guilds[0].me.guild_permissions.send_messages
    assert scene.stand_in.bot_connected


async def test_wrong_token_is_refused(scene: Scene) -> None:
    async with TrialBot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.login("guessed")
    assert scene.stand_in.requests[-1].status == 401


async def test_slash_command_gets_a_reply_that_everybody_sees(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "table open", seats=6)
    assert reply.kind == "message"
    assert reply.message is not None
    assert reply.message.text == "a table for 6"
    assert [button.label for button in reply.message.buttons()] == ["Raise 5", "Stake", "Quiet", "Greyed"]
    assert reply.message.interaction is not None
    assert reply.message.interaction.command == "table open"
    assert scene.bob.sees(scene.channel) == [reply.message]


@pytest.mark.parametrize(
    ("command", "options", "reason"),
    [
        ("table shut", {}, "/table shut is not a command; /table has: .*open"),
        ("tables open", {}, "There is no command /tables. Is it /table?"),
        ("zzz", {}, "There is no command /zzz. Type / to see them all."),
        ("table open", {"chairs": 3}, "no option chairs"),
        ("table open", {"seats": 10}, "at most 9"),
        ("table open", {"seats": "six"}, "a whole number"),
        ("tell", {}, "needs the option words"),
        ("pay", {"what": "Shells", "amount": 1}, "one of Chips, Points"),
        ("write_to", {"who": "Bob"}, "a person"),
        ("secret", {}, "may not use /secret"),
    ],
)
async def test_client_does_not_send_what_does_not_fit(
    scene: Scene, bot: TrialBot, command: str, options: dict[str, object], reason: str
) -> None:
    with pytest.raises(NotPossibleError, match=reason):
        await scene.alice.slash(scene.channel, command, **options)
    assert not scene.stand_in.world.interactions


async def test_a_command_can_need_a_permission(scene: Scene, bot: TrialBot) -> None:
    boss = scene.stand_in.add_person("Boss", [scene.server], manage_server=True)
    reply = await boss.slash(scene.channel, "secret")
    assert reply.message is not None
    assert reply.message.text == "psst"


async def test_server_only_command_is_not_offered_in_a_dm(scene: Scene, bot: TrialBot) -> None:
    offered = {command["name"] for command in scene.alice.commands(scene.alice.dm())}
    assert "tell" in offered
    assert "table open" not in offered
    with pytest.raises(NotPossibleError, match="Alice may not use /table in direct messages"):
        await scene.alice.slash(scene.alice.dm(), "table open")


async def test_command_in_a_dm_gets_its_reply_there(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.alice.dm(), "pay", what="Points", amount=3)
    assert reply.message is not None
    assert reply.message.channel is scene.alice.dm()
    assert reply.message.text == "3 points"


async def test_suggestions_depend_on_the_typed_text(scene: Scene, bot: TrialBot) -> None:
    choices = await scene.alice.suggest(scene.channel, "pay", "amount", "7", what="Chips")
    assert choices == [Choice("7", 7), Choice("70", 70), Choice("700", 700)]
    with pytest.raises(NotPossibleError, match="suggests nothing"):
        await scene.alice.suggest(scene.channel, "pay", "what", "C")


async def test_commands_keep_their_ids_when_registered_again(scene: Scene, bot: TrialBot) -> None:
    before = {raw["name"]: number for number, raw in scene.stand_in.world.commands.items()}
    bot.tree.remove_command("slow")
    await bot.tree.sync()
    after = {raw["name"]: number for number, raw in scene.stand_in.world.commands.items()}
    assert before.pop("slow")
    assert after == before


async def test_one_server_can_have_commands_of_its_own(scene: Scene, bot: TrialBot) -> None:
    guild = discord.Object(scene.server.id)

    @discord.app_commands.command(description="Only here")
    async def here(interaction: discord.Interaction[TrialBot]) -> None:
        await interaction.response.send_message("here")

    bot.tree.add_command(here, guild=guild)
    await bot.tree.sync(guild=guild)
    elsewhere = scene.stand_in.add_server("Cambridge")
    away = scene.stand_in.add_channel(elsewhere, "general")
    guest = scene.stand_in.add_person("Guest", [scene.server, elsewhere])
    reply = await guest.slash(scene.channel, "here")
    assert reply.message is not None
    assert reply.message.text == "here"
    with pytest.raises(NotPossibleError, match="may not use"):
        await guest.slash(away, "here")


async def test_locale_and_permissions_come_with_the_interaction(scene: Scene, start: Start) -> None:
    bot = await start()
    scene.alice.locale = "de"
    came: list[discord.Interaction[TrialBot]] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction[TrialBot]) -> None:
        came.append(interaction)

    await scene.alice.slash(scene.channel, "table open")
    await scene.bob.slash(scene.bob.dm(), "tell", words="hi")
    in_server, in_dm = came
    assert in_server.locale is discord.Locale.german
    assert in_server.guild_locale is discord.Locale.american_english
    assert in_server.permissions.send_messages
    assert not in_server.permissions.manage_guild
    assert in_server.app_permissions.embed_links
    assert in_server.context.guild
    assert in_dm.context.dm_channel
    assert in_dm.guild is None
    assert in_dm.user.id == scene.bob.id
    assert in_server.filesize_limit == scene.stand_in.limits.attachment_bytes
