"""`/profile`: what a member's rounds brought them."""

import discord
from discord import app_commands

from bot.clock import DAY_SECONDS
from bot.pictures.profile import MOST_POINTS
from bot.rules.knobs import GameName
from bot.table.standings import EVERY
from bot.table.state import NOBODY
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import button, row, text_view
from bot.ui.hand.pressed_message import is_private
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import replace_pressed, reply_layout, reply_publicly
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.ui.profile import Profile, achievements_words, chips_by_round, profile_press, profile_view
from bot.wire.requests import Content, Interaction
from bot.words.translation import speaking_to, translate


class ProfileCog(BotCog):
    """Shows profiles; who is hidden from leaderboards sees their own alone."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._standings = bot.croupier.standings
        self._of_member = app_commands.ContextMenu(name=command_text("menu.profile"), callback=self.of_member)
        self._of_member.guild_only = True

    async def cog_load(self) -> None:
        """Puts *Profile* into the menu of members."""
        self.bot.tree.add_command(self._of_member)

    async def cog_unload(self) -> None:
        """Takes it away."""
        self.bot.tree.remove_command(self._of_member.name, type=self._of_member.type)

    @app_commands.command(name="profile", description=command_text("command.profile"))
    @app_commands.describe(member=command_text("option.profile.member"))
    @app_commands.guild_only()
    async def profile(
        self,
        interaction: Interaction,
        # A user too: Discord lets a member be named who has left the server.
        member: discord.Member | discord.User | None = None,
    ) -> None:
        """Shows everybody in the channel a profile; what they press answers them alone."""
        await self._reply(interaction, interaction.user if member is None else member)

    async def of_member(self, interaction: Interaction, member: discord.Member) -> None:
        """Shows everybody in the channel the profile of the member whose menu it is."""
        await self._reply(interaction, member)

    async def _reply(self, interaction: Interaction, user: discord.Member | discord.User) -> None:
        server_id = server_of(interaction)
        if user.bot:
            raise MemberError("profile.bot", who=user.display_name)
        profile = await self._profile(interaction, user.id, user.display_name)
        if profile.is_hidden:
            layout, files = await profile_view(profile, is_private=True)
            await reply_layout(interaction, layout, files)
            return
        with speaking_to(self.bot.readers.of_server(server_id)):
            layout, files = await profile_view(profile, is_private=False)
        await reply_publicly(interaction, Content(layout, files=files))

    @handles(PressAction.PROFILE)
    async def show(self, interaction: Interaction, press: Press) -> None:
        """Shows the member alone a profile, with the hands of a game."""
        user_id, game = press.arguments
        name = interaction.user.display_name
        profile = await self._profile(interaction, int(user_id) or interaction.user.id, name, game)
        layout, files = await profile_view(profile, is_private=True)
        # From a leaderboard, it is an answer of its own.
        if is_private(interaction) and int(user_id):
            await replace_pressed(interaction, Content(layout, files=files))
        else:
            await reply_layout(interaction, layout, files)

    @handles(PressAction.ACHIEVEMENTS)
    async def show_achievements(self, interaction: Interaction, press: Press) -> None:
        """Shows the member alone all achievements, and which of them are on a profile."""
        user_id = int(press.arguments[0])
        party, _ = await self._found(interaction, user_id)
        reached = await self.bot.croupier.ledger.reached_by(server_of(interaction), party)
        words = achievements_words(self.bot.names.name(party), reached)
        label = "button.profile" if user_id == interaction.user.id else "menu.profile"
        back = button(profile_press(user_id), translate(label))
        await reply_layout(interaction, [*text_view(words), row(back)])

    async def _found(self, interaction: Interaction, user_id: int) -> tuple[int, bool]:
        """A member, and whether they hide their profile; refused if they hide it from who asks."""
        identities = self.bot.croupier.identities
        party = await identities.find(server_of(interaction), user_id)
        identity = identities.get(party)
        is_hidden = identity is not None and identity.is_hidden
        if is_hidden and user_id != interaction.user.id:
            raise MemberError("profile.is_hidden", who=self.bot.names.name(party))
        return party, is_hidden

    async def _profile(
        self, interaction: Interaction, user_id: int, name: str, game: GameName = EVERY
    ) -> Profile:
        """A member's profile; refused if there is none, or if they hide it from who asks.

        Args:
            name: what they are called if nothing is stored about them.
        """
        croupier, server_id = self.bot.croupier, server_of(interaction)
        ledger = croupier.ledger
        party, is_hidden = await self._found(interaction, user_id)
        is_counted = await self._standings.count(server_id)
        today = int(croupier.now() // DAY_SECONDS)
        standing = None if party == NOBODY else await ledger.standing(server_id, party)
        days = None if standing is None else await ledger.days_played(server_id, party, today)
        if standing is None or days is None:
            raise MemberError("profile.never", who=name) if is_counted else MemberError("profile.counting")
        purse, balances = await ledger.balances(server_id, party, days.first, today, MOST_POINTS)
        if days.first == today:
            # A single day would be a straight line.
            entries = await ledger.entries(server_id, party, MOST_POINTS - 1)
            balances = chips_by_round(purse.total, entries)
        return Profile(
            user_id,
            self.bot.names.name(party),
            standing,
            await ledger.results_of(server_id, party),
            days,
            purse,
            balances,
            game,
            is_counted,
            is_hidden,
            await ledger.reached_by(server_id, party),
        )
