"""`/leaderboard`: who leads in a server, by what, in which game and since when."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.croupier.standings import Standings
from bot.ledger.errors import LedgerError
from bot.table.standings import EVERY, Measure
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import text
from bot.ui.hand.panels import is_private
from bot.ui.leaderboard import (
    ON_PAGE,
    Leaders,
    Membership,
    Shown,
    leaderboard_controls,
    leaderboard_words,
    own_words,
)
from bot.ui.press.arrivals import with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.replies import replace_pressed, reply_layout, reply_publicly
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_here, server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import speaking_to

log = logging.getLogger(__name__)

COUNT_SECONDS: Final = 60.0
"""How often rounds are counted that nobody has asked about."""
PAUSE_SECONDS: Final = 0.1
"""The pause between two transactions that count rounds, so that presses do not wait."""
LOOKS: Final = 3
"""How often a page is read again because somebody on it has left the server."""


class LeaderboardCog(BotCog):
    """Counts rounds, and shows who leads."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._standings = Standings(bot.croupier.ledger)
        self._membership = Membership(bot, bot.croupier.identities, bot.tasks)

    async def cog_load(self) -> None:
        """Starts to count."""
        self.bot.tasks.repeat(self._count, COUNT_SECONDS, "standings", later=True)

    async def _count(self) -> None:
        try:
            async for _ in self._standings.count_all(self.bot.settings.hosts):
                await asyncio.sleep(PAUSE_SECONDS)
        except LedgerError as failed:
            log.info("rounds are counted later: %s", failed)

    @app_commands.command(name="leaderboard", description=command_text("command.leaderboard"))
    @app_commands.describe(of=command_text("option.leaderboard.of"))
    @app_commands.choices(of=choices("choice", Measure))
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, of: app_commands.Choice[str] | None = None) -> None:
        """Shows everybody in the channel who leads; what they press answers them alone."""
        shown = Shown(Measure.CHIPS if of is None else Measure(of.value))
        with speaking_to(self.bot.readers.of_server(server_of(interaction))):
            content = await self._page(interaction, shown, is_private=False)
        await reply_publicly(interaction, content)

    @handles(PressAction.LEADERS, PressAction.LEADERS_WHEN, PressAction.LEADERS_BY, PressAction.LEADERS_GAME)
    async def show_other(self, interaction: Interaction, press: Press) -> None:
        """Shows the member another page, or another leaderboard."""
        content = await self._page(interaction, Shown.of(press), is_private=True)
        if is_private(interaction):
            await replace_pressed(interaction, content)
        else:
            await reply_layout(interaction, list(content.layout))

    @handles(PressAction.LEADERS_HIDE)
    async def hide(self, interaction: Interaction, press: Press) -> None:
        """Takes the member off all leaderboards of the server, or puts them back."""
        party = await self.bot.party_in(interaction, server_of(interaction))
        await self.bot.croupier.identities.set_hidden(party, is_hidden=press.arguments == ("on",))
        await replace_pressed(interaction, await self._page(interaction, Shown(), is_private=True))

    async def _page(self, interaction: Interaction, shown: Shown, *, is_private: bool) -> Content:
        """A page of a leaderboard; one that is private says whether the member is hidden."""
        croupier, server_id = self.bot.croupier, server_of(interaction)
        identities, ledger = croupier.identities, croupier.ledger
        party = await self.bot.party_in(interaction, server_id)
        if shown.measure is Measure.CHIPS:
            await croupier.open_wallet(server_id, party)
        elif shown.measure is Measure.BEST and shown.game == EVERY:
            shown = replace(shown, game=await game_here(interaction, croupier))
        is_counted = await self._standings.count(server_id)
        ranked = shown.ranked(server_id, croupier.now())
        for _ in range(LOOKS):
            own = await ledger.rank(ranked, party)
            page = shown.page
            if page is None:
                page = 0 if own is None else own.above // ON_PAGE
            found = await ledger.leaders(ranked, page * ON_PAGE, ON_PAGE + 1)
            ranks = found[:ON_PAGE]
            await identities.load([party, *(rank.party for rank in ranks)])
            if not await self._membership.look(rank.party for rank in ranks):
                break
        identity = identities.get(party)
        is_hidden = identity is not None and identity.is_hidden
        who = self.bot.names.mention(party)
        leaders = Leaders(
            [(rank, self.bot.past_names.mention(rank.party)) for rank in ranks],
            "" if is_hidden and not is_private else own_words(shown, who, own),
            is_hidden if is_private else None,
            len(found) > ON_PAGE,
            is_counted,
        )
        shown = replace(shown, page=page)
        words = with_links(interaction, leaderboard_words(shown, leaders))
        return Content([text(words), *leaderboard_controls(shown, leaders)])
