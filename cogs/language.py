"""`/language`: the language in which the bot answers a member, in every server and by direct message."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.rules.knobs import Language
from bot.ui.bot import GnauBot
from bot.ui.press.command_texts import choices, command_text
from bot.ui.press.late_interactions import not_after
from bot.ui.press.replies import Interaction, reply
from bot.ui.readers import translated_languages
from bot.words.translation import set_reader, translate

_OFFERED: Final = choices("setting.language", (Language.AUTO, *translated_languages()))


class LanguageCog(commands.Cog, name="Language"):
    """The command with which members choose their language."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="language", description=command_text("command.language"))
    @app_commands.describe(language=command_text("option.language"))
    @app_commands.choices(language=_OFFERED)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def language(self, interaction: Interaction, language: app_commands.Choice[str]) -> None:
        """Stores the language, and answers in it."""
        chosen = Language(language.value)
        if interaction.guild_id is not None:
            await self.bot.party_in(interaction, interaction.guild_id)
        own = None if chosen is Language.AUTO else chosen.value
        stored = await self.bot.croupier.identities.choose(
            interaction.user.id, own, interaction.locale.value, await not_after(interaction)
        )
        set_reader(self.bot.readers.of_interaction(interaction))
        if not stored:
            await reply(interaction, translate("language.unknown"))
            return
        await reply(interaction, translate("language.auto" if own is None else "language.set"))


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(LanguageCog(bot))
