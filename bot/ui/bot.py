"""The bot: the Discord client with the services its cogs work with, as typed attributes."""

import asyncio
import importlib
import logging
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any, ClassVar, Final

import discord
from cachetools import TTLCache
from discord import app_commands
from discord.ext import commands

from bot.config import SettingError, Settings
from bot.croupier.croupier import Croupier
from bot.croupier.houses import Houses
from bot.croupier.open_tables import ChannelNotAllowedError, ChannelTakenError
from bot.croupier.privacy import Privacy
from bot.ledger.changes import Identity, OwnApplication
from bot.log_context import add_log_context
from bot.rules.knobs import GameName, Play
from bot.shards import shard_of
from bot.table.betting import chips_left, gave_way
from bot.table.commands import MemberCommand, PlaceBet
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from bot.ui.absences import channels_there
from bot.ui.admin_acts import AdminActs
from bot.ui.awards import Awards
from bot.ui.board.boards import Boards
from bot.ui.board.results import own_result
from bot.ui.board.text import bets_to_return, house_can_bank
from bot.ui.chips import NextChips
from bot.ui.emojis import LOOK_SECONDS as EMOJI_SECONDS
from bot.ui.emojis import PieceEmojis
from bot.ui.hand.delivery import HandDelivery
from bot.ui.hand.panels import HandPanels
from bot.ui.house.notices import HouseNotices
from bot.ui.leaderboard import Membership
from bot.ui.podium import Podium
from bot.ui.press.arrivals import Arrivals, not_after, user_of
from bot.ui.press.commands import CommandTranslator, CommandTree, command_name
from bot.ui.press.errors import DONE, SENDING_FAILED, MemberError, RefusedError
from bot.ui.press.next_steps import is_so_already, next_steps
from bot.ui.press.replies import reply
from bot.ui.press.router import Router, finish
from bot.ui.press.table_choice import choose_table, game_here, missing_permissions, server_of, suggest_tables
from bot.ui.processes import LOOK_SECONDS, NOTIFIED_SECONDS, OtherProcesses
from bot.ui.readers import Names, Readers
from bot.ui.schedules import Schedules
from bot.ui.services import BackgroundTasks, Services
from bot.ui.tournaments import TournamentBoards
from bot.wire.client import DiscordClient
from bot.wire.gateway import UNANSWERED
from bot.wire.intake import Intake, thread_parent
from bot.wire.requests import WRITTEN, Interaction
from bot.wire.traffic import DiscordOutage, reason
from bot.words.translation import set_reader, translate

log = logging.getLogger(__name__)

COGS: Final = "cogs"
"""The package whose modules have the cogs."""
NAMES_KEPT: Final = 1_000
NAMES_SECONDS: Final = 3600.0
"""How many names of servers of other processes are remembered, and for how long."""
REGISTERING_SECONDS: Final = 5.0
"""How long the gateway waits at most until the commands are registered."""
AGAIN_SECONDS: Final = (60.0, 300.0, 3600.0)
"""The pauses before they are registered again; the last one again and again."""


def cog_classes() -> Iterator[Callable[["GnauBot"], commands.Cog]]:
    """The cogs: every one that a module of their package defines, in order."""
    for found in pkgutil.iter_modules(importlib.import_module(COGS).__path__):
        module = importlib.import_module(f"{COGS}.{found.name}")
        for made in vars(module).values():
            is_cog = isinstance(made, type) and issubclass(made, commands.Cog)
            if is_cog and made.__module__ == module.__name__:
                yield made


def refuse_other_application(own: int | None, noted: int | None) -> None:
    """Raises SettingError if the database belongs to another application than the token."""
    if noted not in (None, own):
        raise SettingError(
            f"DISCORD_TOKEN is of application {own}, but the database belongs to application {noted}: "
            "use the token of that one, or another DATABASE_URL. If the bot has moved to a new "
            "application, run gnau db new-application first"
        )


class GnauBot(DiscordClient):
    """The bot on Discord.

    Attributes:
        past_names: how they are shown where the past is told.
    """

    def __init__(self, settings: Settings, croupier: Croupier, houses: Houses) -> None:
        self.tasks = BackgroundTasks()
        self.readers = Readers(self, croupier.identities, houses.house_of)
        outage = DiscordOutage()
        self.arrivals = Arrivals(outage, self.tasks, self.readers)
        self.arrivals.on_begun = self._note_presence
        tree = partial(CommandTree, arrivals=self.arrivals, join=lambda: self.intake.join())
        self.others = OtherProcesses(
            croupier.ledger.processes,
            croupier,
            houses,
            settings.hosts,
            lambda name: self._means_table(name),
            lambda data: self.intake.take_handed_on(data),
            self.tasks,
        )
        super().__init__(settings, tree, outage=outage, take_turn=self.others.take_turn)
        self.croupier = croupier
        croupier.is_away = lambda server_id: outage.keeps_away(shard_of(server_id, self.shard_count or 1))
        self.houses = houses
        self._names_elsewhere: TTLCache[int, str] = TTLCache(NAMES_KEPT, NAMES_SECONDS)
        self.names = Names(croupier.identities)
        self.next_chips = NextChips(croupier, self.names)
        self.past_names = Names(croupier.identities, of_past=True)
        self.privacy = Privacy(croupier)
        self.privacy.on_erased(self.others.notify_forgotten)
        hand_on = self.others.hand_on if self.others.can_be else None
        self.intake: Intake = Intake(self, lambda press: self.router.route(press), hand_on)
        self.intake.install()
        with_links = self.arrivals.links.in_text
        services = Services(
            self,
            croupier,
            self.names,
            self.next_chips,
            self.readers,
            self.tasks,
            self.stand_back,
            with_links,
        )
        self.piece_emojis = PieceEmojis(self, self.stand_back, may_upload=settings.is_first)
        self.boards = Boards(services)
        self.panels = HandPanels(services, self.boards)
        self.delivery = HandDelivery(services, self.boards, self.panels)
        self.notices = HouseNotices(services)
        self.admin_acts = AdminActs(services, self.delivery, self.server_name)
        self.schedules = Schedules(services, self.boards, self.delivery, self.notices, settings.hosts)
        self.tournaments = TournamentBoards(services, settings.hosts)
        self.awards = Awards(services, self.notices)
        self.privacy.take_roles = self.awards.take_from_erased
        self.membership = Membership(self, croupier.identities, self.tasks)
        self.podium = Podium(services, self.membership)
        self.boards.on_refused = self.notices.not_posted
        self.router: Router = Router(
            croupier, self.arrivals, self.panels.menu_used, self._result_at, self.panels.is_old_hand
        )
        croupier.identities.on_forget(self._forget)

    async def prepare(self) -> None:
        """Loads the cogs and resumes the tables: what is overdue does not wait for Discord."""
        await self.boards.open()
        await self.load_cogs()
        self.router.open([*self.cogs.values(), self.admin_acts])
        await self.tree.set_translator(CommandTranslator())
        # Every task of the bot begins from here, and sends by it.
        WRITTEN.set(self.piece_emojis.in_text)
        if self.settings.piece_emojis:
            self.tasks.repeat(self.piece_emojis.look, EMOJI_SECONDS, "emojis")
        await self.croupier.go_on()
        if self.others.can_be:
            self.tasks.repeat(self.others.look, LOOK_SECONDS, "other-processes")
            self.tasks.repeat(self.others.read_notifications, NOTIFIED_SECONDS, "notifications")

    async def load_cogs(self) -> None:
        """Adds every cog; discord.py knows command groups only within one, so some commands then move."""
        for cog in cog_classes():
            await self.add_cog(cog(self))
        for added in self.cogs.values():
            if isinstance(added, BotCog) and added.within:
                group = self.tree.get_command(added.within)
                assert isinstance(group, app_commands.Group)
                for command in added.get_app_commands():
                    self.tree.remove_command(command.name)
                    group.add_command(command)

    def _result_at(self, interaction: Interaction, closed: TableState) -> str:
        """What the last round of a closed table brought the member; empty if they were not in it."""
        party = self.croupier.identities.known(closed.server_id, interaction.user.id)
        return (closed.last and own_result(closed.last, self.names, party)) or ""

    def _means_table(self, name: str) -> bool:
        """Whether a command has an option that names a table."""
        command = self.tree.get_command(name)
        return isinstance(command, app_commands.Command) and command.get_parameter("table") is not None

    async def setup_hook(self) -> None:
        """Registers the commands, once it is known which application this is; nothing waits long for that."""
        registering = self.tasks.start(self._register_commands(), "command-registering")
        await asyncio.wait([registering], timeout=REGISTERING_SECONDS)

    async def _register_commands(self) -> None:
        """Registers the commands, again until Discord takes them; members can use those it has already."""
        server = None if self.settings.sync_guild is None else discord.Object(self.settings.sync_guild)
        if server is not None:
            self.tree.copy_global_to(guild=server)
        for tries, pause in enumerate(chain(AGAIN_SECONDS, repeat(AGAIN_SECONDS[-1]))):
            try:
                # Of several processes, the one with shard 0 registers them, and the others learn their ids.
                known = self.tree.sync if self.settings.is_first else self.tree.fetch_commands
                self.arrivals.links.learn(await known(guild=server))
                return
            except (*UNANSWERED, app_commands.AppCommandError) as failed:
                if tries:
                    pass
                elif server is not None and isinstance(failed, discord.Forbidden):
                    log.error(
                        "SYNC_GUILD is %s, but the bot is not in that server, or may not add commands there: "
                        "invite it, with the scope applications.commands",
                        server.id,
                    )
                else:
                    log.warning(
                        "the commands could not be registered, and are tried again: %s", reason(failed)
                    )
            await asyncio.sleep(pause)

    async def stand_back(self) -> None:
        """Waits until requests can be sent, and a little while presses wait."""
        await self.signed_in.wait()
        await self.intake.until_nobody_waits()

    async def accept_application(self) -> None:
        """Notes in the database which application it belongs to.

        To another application, all servers would seem to have been left, and all members to be erased.

        Raises:
            SettingError: if it belongs to another one.
            LedgerError: if the database cannot be read, or if this could not be noted: nothing is served
                that a wrong token could undo later.
        """
        ledger, own = self.croupier.ledger, self.application_id
        noted = await ledger.application_id()
        if noted == own:
            return
        refuse_other_application(own, noted)
        await ledger.record(OwnApplication(own))
        # Members who have chips already may be another bot's.
        level = logging.WARNING if await ledger.server_ids() else logging.INFO
        log.log(level, "the database belongs to application %s from now on", own)

    async def close(self) -> None:
        """Waits a little for replies that are being made, cancels what waits, and disconnects."""
        await self.intake.close()
        self.arrivals.close()
        await self.notices.close()
        await self.tasks.close()
        await super().close()

    async def on_app_command_completion(
        self, interaction: Interaction, command: app_commands.Command[Any, ..., Any]
    ) -> None:
        """Logs that a command succeeded, and how long it took."""
        finish(interaction, command_name(interaction), DONE)

    async def server_name(self, server_id: int) -> str | None:
        """What a server is called, also one that another process hosts; None if the bot is not in it."""
        server = self.get_guild(server_id)
        if server is not None or self.settings.hosts(server_id):
            return None if server is None else server.name
        if server_id not in self._names_elsewhere:
            try:
                described = await self.http.get_guild(server_id, with_counts=False)
            except SENDING_FAILED as failed:
                log.info("the name of server %s is not known: %s", server_id, failed)
                return None
            self._names_elsewhere[server_id] = described["name"]
        return self._names_elsewhere[server_id]

    def _note_presence(self, interaction: Interaction) -> None:
        """Notes that who asks for anything in the channel of a table is not away from it."""
        table = self.croupier.tables.in_channel(interaction.channel_id)
        if table is not None:
            party = self.croupier.identities.known(table.server_id, interaction.user.id)
            self.croupier.attention.note_press(table.table_id, party)

    async def party_in(self, interaction: Interaction, server_id: int) -> int:
        """The party of the member who pressed or typed, in a server; a new one is stored."""
        return await self.croupier.identities.party_of(server_id, user_of(interaction))

    async def choose_table(
        self, interaction: Interaction, wanted: str | None, *, only_here: bool = False
    ) -> TableState:
        """The table that a command means; from now on, the answer is in the words of its server.

        Args:
            only_here: as of the function.
        """
        if self.others.can_be and interaction.guild_id is not None and interaction.channel_id is not None:
            # Another process may just have opened one here.
            await self.croupier.table_in(interaction.channel_id)
        elsewhere = await self._tables_elsewhere(interaction)
        table = choose_table(interaction, self.croupier, wanted, elsewhere, only_here=only_here)
        set_reader(self.readers.of_interaction(interaction, table.server_id))
        add_log_context(server=table.server_id, table=table.table_id, round=table.round_number)
        return table

    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that a command could mean and that fit what is typed."""
        elsewhere = await self._tables_elsewhere(interaction)
        return suggest_tables(interaction, self.croupier, typed, elsewhere)

    async def _tables_elsewhere(self, interaction: Interaction) -> dict[TableState, str]:
        """By direct message: the member's tables at other processes, and what their servers are called."""
        if interaction.guild_id is not None or not self.others.can_be:
            return {}
        tables = await self.others.tables_elsewhere(interaction.user.id)
        return {table: await self.server_name(table.server_id) or "" for table in tables}

    async def open_table(self, interaction: Interaction, game: GameName | None, play: Play) -> TableState:
        """Opens a table here; returns the one that is open, if there is one.

        Args:
            game: None for the one of the channel, as `game_here` has it.
        """
        server_id = server_of(interaction)
        if game is None:
            game = await game_here(interaction, self.croupier)
        party = await self.check_may_open(interaction, game, play)
        assert interaction.channel_id is not None
        try:
            return await self.croupier.open_table(
                server_id,
                interaction.channel_id,
                party,
                interaction.id,
                game,
                play,
                parent_id=thread_parent(interaction),
                waits=not interaction.permissions.manage_guild,
                not_after=await not_after(interaction),
            )
        except ChannelTakenError as taken:
            return taken.table

    async def check_may_open(self, interaction: Interaction, game: GameName, play: Play) -> int:
        """The party of the member, if such a table may be opened here; else it raises why not."""
        server_id = server_of(interaction)
        if missing := missing_permissions(interaction):
            raise MemberError("reply.missing_permissions", permissions=missing)
        party = await self.party_in(interaction, server_id)
        await self.croupier.barred.refuse(party)
        parent_id = thread_parent(interaction)
        try:
            self.croupier.rules_to_open(server_id, interaction.channel_id or 0, game, play, parent_id)
        except ChannelNotAllowedError as elsewhere:
            there = await channels_there(self, server_id, elsewhere.channels)
            if not there:
                self.notices.channels_gone(server_id)
            raise ChannelNotAllowedError(tuple(there)) from None
        return party

    def _forget(self, identity: Identity) -> None:
        """Drops what messages know of an erased member, and refreshes the boards that name them."""
        self.panels.forget_party(identity.party)
        self.boards.unreachable.discard(identity.party)
        self.boards.refresh_naming(identity.server_id, identity.party)

    async def ask(self, interaction: Interaction, table_id: int, command: MemberCommand) -> TableState:
        """Asks a table to do something for the member who pressed or typed; returns the table afterwards.

        What has happened automatically meanwhile is not refused.
        """
        until = await not_after(interaction)
        decided = await self.croupier.ask(table_id, command, command.party, str(interaction.id), until)
        if isinstance(decided, Refused):
            table = self.croupier.tables.get(table_id)
            if table is None or command.party is None:
                raise RefusedError(self.names.in_refusal(decided))
            if is_so_already(command, decided, table):
                return table
            raise await self.refused(interaction, decided, table, command.party, command)
        return decided

    async def refused(
        self,
        interaction: Interaction,
        refused: Refused,
        table: TableState,
        party: int,
        asked: MemberCommand | None = None,
    ) -> RefusedError:
        """The error for a table's refusal, with what the member can press instead."""
        outside = interaction.guild_id is None
        error = await self.next_chips.refused(refused, table, party, outside=outside)
        if refused.code is Refusal.BETS_ARE_DOWN:
            error.more = bets_to_return([table], self.names)
        house_banks = False
        if refused.code in (Refusal.NO_BANK, Refusal.DICE_PICK_BANKER):
            house_chips = await self.croupier.wallets.house_chips(table.server_id)
            house_banks = house_can_bank(table, house_chips)
            error.more = translate("help.play_house_here") if house_banks else ""
        left = None
        if isinstance(asked, PlaceBet) and error.refused.code is Refusal.PLAYER_CANNOT_COVER:
            stack = await self.croupier.wallets.stack(table.server_id, party)
            most = int(error.refused.facts["most"])
            left = chips_left(table, party, most, stack.beside(table.table_id))
        steps = next_steps(error.refused, table, party, asked, left=left, house_banks=house_banks)
        error.next_steps += tuple(steps)
        return error

    async def carry_out(self, interaction: Interaction, table_id: int, command: MemberCommand) -> None:
        """Asks a table to do something, and updates the message that was pressed."""
        before, party = self.croupier.tables.get(table_id), command.party
        if party is not None:
            self.panels.note_press(interaction, table_id, party)
        table = await self.ask(interaction, table_id, command)
        await self.panels.update(interaction, table)
        if party is not None and before is not None and gave_way(before, table, party):
            await reply(interaction, translate("reply.side_bets_returned"))


class BotCog(commands.Cog):
    """A part of the bot's commands and buttons.

    Attributes:
        within: the command group of another cog that has its commands; empty if they are in none.
    """

    within: ClassVar[str] = ""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot


class AdminCog(BotCog):
    """Commands for members who may manage the server; a server can give them to others, who are refused."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether the member may use these commands."""
        return interaction.guild_id is not None and interaction.permissions.manage_guild
