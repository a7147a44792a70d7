"""Greets a server once: when the bot joins it, or at the next start if it was down then, within a day.

A channel with the name of a game is greeted with that game first.

A server that anything is stored of is not greeted: the bot has been there before. So somebody who invites it
again gets no second welcome, and `/help` is there for them. Which servers these are is read once, when the
bot is ready, and then kept in memory. Servers are greeted one after another, with a pause.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import discord
from discord.ext import commands

from bot.games.register import DEFAULT_GAME, GAMES
from bot.ledger.changes import ServerGreeted
from bot.ledger.errors import LedgerError
from bot.rules.knobs import GameName, Play
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import Layout, button, row, text
from bot.ui.guide.lesson import learn_button
from bot.ui.guide.view import overview_view
from bot.ui.house.view import house_view
from bot.ui.odds import odds_for
from bot.ui.pictures import render_examples
from bot.ui.press.arrivals import CommandLinks, Kind
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.ui.press.replies import fill_reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import game_named, server_of
from bot.wire.requests import Content, Interaction, defer, post
from bot.words.rules import game_title
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

JUST_JOINED: Final = timedelta(days=1)
"""How long after the bot has joined a server it is greeted: a new database must not greet all old ones."""
PAUSE_SECONDS: Final = 1.0
"""The pause after a greeting."""
RETRY_SECONDS: Final = 60.0
"""The pause before servers are greeted again that could not be."""


class Welcome(BotCog):
    """Posts the welcome, and has its button for the house rules."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self.pause_seconds = PAUSE_SECONDS
        self._one_at_a_time = asyncio.Lock()
        # The servers that are not greeted any more; None while that is to be read.
        self._known: set[int] | None = None

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Greets the servers that the bot joined while it was down."""
        self.bot.tasks.start(self._greet(*self.bot.guilds), "welcome")

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greets a server that the bot has joined."""
        self.bot.tasks.start(self._greet(guild), "welcome")

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Greets a server that was out of reach when the bot was ready."""
        # Before, discord.py says this of every server: one read for each would be in the way of presses.
        if self._known is not None:
            self.bot.tasks.start(self._greet(guild), "welcome")

    @handles(PressAction.HOUSE_RULES)
    async def show_rules(self, interaction: Interaction, press: Press) -> None:
        """Shows the house rules: to change for those who manage the server, to read for others."""
        server_id = server_of(interaction)
        house = self.bot.houses.house_of(server_id)
        game, _ = press.arguments
        rules = house.rules(game)
        if interaction.permissions.manage_guild:
            await defer(interaction)
            await fill_reply(interaction, house_view(house, game, await odds_for(rules)))
            return
        examples = await render_examples(rules)
        view = overview_view(rules, server_id, examples)
        await reply_layout(interaction, view, [examples], Kind.GUIDE)

    async def _greet(self, *servers: discord.Guild) -> None:
        """Greets those of these servers that the bot has just joined, and not been in before."""
        while True:
            try:
                async with self._one_at_a_time:
                    return await self._greet_once(servers)
            except LedgerError as failed:
                # What was to be written may be on disk or not.
                self._known = None
                log_failure(log, failed, "servers could not be greeted yet")
            await asyncio.sleep(RETRY_SECONDS)
            # Some may have come into reach meanwhile.
            servers = tuple(self.bot.guilds)

    async def _greet_once(self, servers: Sequence[discord.Guild]) -> None:
        known = self._known
        if known is None:
            known = self._known = await self.bot.croupier.ledger.known_servers()
        blocked = self.bot.croupier.operation.blocked
        for server in servers:
            if server.id not in known and server.id not in blocked and _has_just_joined(server):
                # First, so that a server is never greeted twice, whatever happens in between.
                await self.bot.croupier.ledger.record(ServerGreeted(server.id))
                known.add(server.id)
                await self._post(server)
                await asyncio.sleep(self.pause_seconds)

    async def _post(self, server: discord.Guild) -> None:
        if writable_channel(server) is None:
            log.info("server %s has no channel for a welcome", server.id)
        for channel, game in _games_by_channel(server).items():
            with speaking_to(self.bot.readers.of_server(server.id)):
                view = _welcome(self.bot.arrivals.links, game)
            try:
                await post(self.bot, channel.id, Content(view), nonce("welcome", channel.id))
            except SENDING_FAILED as failed:
                log_failure(log, failed, "server %s could not be greeted", server.id)


def _has_just_joined(server: discord.Guild) -> bool:
    """Whether the bot joined a server lately; False too if Discord does not say, as in an outage."""
    joined_at = None if server.me is None else server.me.joined_at
    return joined_at is not None and discord.utils.utcnow() - joined_at < JUST_JOINED


def writable_channel(server: discord.Guild) -> discord.TextChannel | None:
    """The system channel if the bot may write there, else the first text channel where it may."""
    return next(_writable_channels(server), None)


def _writable_channels(server: discord.Guild) -> Iterator[discord.TextChannel]:
    first = [] if server.system_channel is None else [server.system_channel]
    for channel in (*first, *server.text_channels):
        allowed = channel.permissions_for(server.me)
        if allowed.view_channel and allowed.send_messages:
            yield channel


def _games_by_channel(server: discord.Guild) -> dict[discord.TextChannel, GameName]:
    """Where the bot greets, and with which game: in one channel, and in the first that names each game."""
    channels = list(_writable_channels(server))
    named = {game_named(channel.name): channel for channel in reversed(channels)}
    greeted = {channel: game_named(channel.name) or DEFAULT_GAME for channel in channels[:1]}
    return greeted | {channel: game for game, channel in named.items() if game is not None}


def _welcome(links: CommandLinks, game: GameName) -> Layout:
    """What the bot is, in a few lines, with buttons for a table of a game, a lesson and the house rules."""
    games = translate("amount.comma").join(map(game_title, dict.fromkeys([game, *GAMES])))
    table = Press(PressAction.OPEN, arguments=(game, Play.CHIPS))
    rules = Press(PressAction.HOUSE_RULES, arguments=(game, Play.CHIPS))
    return [
        text(links.in_text(translate("welcome.text", games=games, first=game_title(game)))),
        row(
            button(table, translate("welcome.button.open"), style=discord.ButtonStyle.primary),
            learn_button(),
            button(rules, translate("welcome.button.house")),
        ),
    ]
