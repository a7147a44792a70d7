"""The messages that show one member his own view of a table: in a direct message, or behind "My hand"."""

import asyncio
import logging
from typing import Any
from weakref import WeakValueDictionary

import discord

from bot.client import GnauBot
from bot.rules.knobs import Dealing
from bot.table.state import Phase, TableState
from bot.ui.background_tasks import Chores
from bot.ui.board_message import TOKEN_SECONDS
from bot.ui.boards import boards_of
from bot.ui.discord_errors import SENDING_FAILED, age_of
from bot.ui.hand_pictures import draw_hand
from bot.ui.replies import Interaction, reply
from bot.ui.views.arranging import is_hand_picture
from bot.ui.views.hand_panel import personal_view

log = logging.getLogger(__name__)

Attachments = dict[str, Any]
"""What a message says of its attachments; nothing where the right picture is there already."""


class OwnViews:
    """Shows members their own views, and keeps the newest of each true for as long as that is free."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._chores = Chores()
        self._own: dict[tuple[int, int], Interaction] = {}
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    async def close(self) -> None:
        """Gives up edits that wait."""
        await self._chores.close()

    async def show(self, interaction: Interaction, table: TableState) -> None:
        """Makes the message new that was pressed on: the board, or the member's own view of the table."""
        boards = boards_of(self.bot)
        if boards.is_board(interaction, table.table_id):
            await boards.answer(interaction, table.table_id)
        elif _is_own(interaction):
            await self.show_own(interaction, table, looks=False)
        else:
            link = boards.link(table.table_id)
            moved = f" The board has moved: {link}" if link else ""
            await reply(interaction, f"Done.{moved}")

    async def show_own(
        self, interaction: Interaction, table: TableState, *, looks: bool = True, note: str | None = None
    ) -> None:
        """Answers with the member's own view of a table, in place of the one that was pressed on, if any.

        Args:
            interaction: the press or the command.
            table: which table.
            looks: whether the member asked to see his cards; if not, and they are on their way to him in a
                message of their own, they are not shown here as well.
            note: what he is told of what he just did, if anything.
        """
        member_id = interaction.user.id
        own = _is_own(interaction)
        there = _attached(interaction) if own else set()
        elsewhere = not looks and self._comes_by_message(interaction, table, there)
        outside = interaction.guild_id is None
        view, attachments = await self.made(
            table, member_id, there, hidden=elsewhere, outside=outside, note=note
        )
        # No lock is waited for before the first answer, which Discord gives three seconds.
        if own:
            await interaction.response.edit_message(view=view, **attachments)
        else:
            files = attachments.get("attachments", [])
            await interaction.response.send_message(view=view, files=files, ephemeral=True)
        if not elsewhere:
            self._own[table.table_id, member_id] = interaction
        if self._lock(table.table_id, member_id).locked():
            # An edit that is on its way may arrive after this answer, and show less: another follows it.
            self._chores.begin(self.show_again(table, member_id))

    def keep_true(self, table: TableState) -> None:
        """Edits every view of this table that can be edited: what it shows has changed."""
        for member_id in [member for table_id, member in self._own if table_id == table.table_id]:
            self._chores.begin(self.show_again(table, member_id))

    def forget(self, table_id: int, member_id: int) -> None:
        """Leaves the member's view as it is from now on: he gets a newer one."""
        self._own.pop((table_id, member_id), None)

    async def show_again(self, table: TableState, member_id: int) -> None:
        """Edits the member's own view by its token, which is free, for as long as that lives."""
        key = table.table_id, member_id
        async with self._lock(*key):
            interaction = self._own.get(key)
            if interaction is None:
                return
            table = self.bot.croupier.tables.get(table.table_id) or table
            alive = age_of(interaction) < TOKEN_SECONDS
            if not alive or table.phase is Phase.CLOSED:
                self._own.pop(key, None)
            if not alive:
                return
            outside = interaction.guild_id is None
            view, attachments = await self.made(table, member_id, set(), outside=outside)
            try:
                await interaction.edit_original_response(view=view, **attachments)
            except SENDING_FAILED as failed:
                log.info("the own view of %s is not edited any more: %s", member_id, failed)
                self._own.pop(key, None)

    async def made(
        self,
        table: TableState,
        member_id: int,
        there: set[str],
        *,
        outside: bool,
        hidden: bool = False,
        note: str | None = None,
    ) -> tuple[discord.ui.LayoutView, Attachments]:
        """A member's view of a table, and what the message says of attachments, given those already there."""
        drawing = None
        place = table.place_of(member_id)
        if place is not None and place.pieces and not hidden:
            drawing = await draw_hand(table, place)
        server = self.bot.get_guild(table.server_id)
        view = personal_view(
            table,
            member_id,
            await self.bot.croupier.purse(table.server_id, member_id),
            picture_text=drawing.text if drawing else None,
            note=note,
            server_name=server.name if server is not None and outside else None,
            hidden=hidden,
            unreachable=_is_written_to(table) and member_id in boards_of(self.bot).unreachable,
        )
        if drawing is None:
            return view, {"attachments": []}
        return view, {} if drawing.name in there else {"attachments": [drawing.file()]}

    def _comes_by_message(self, interaction: Interaction, table: TableState, there: set[str]) -> bool:
        """Whether the cards reach the member in another message than the one he pressed on."""
        member_id = interaction.user.id
        return (
            interaction.guild_id is None
            and bool(table.pieces_of(member_id))
            and not any(is_hand_picture(name, table.round_number) for name in there)
            and _is_written_to(table)
            and member_id not in boards_of(self.bot).unreachable
        )

    def _lock(self, table_id: int, member_id: int) -> asyncio.Lock:
        """Held while a member's own view of a table is edited by its token: one edit after another."""
        lock = self._locks.get((table_id, member_id))
        if lock is None:
            lock = self._locks[table_id, member_id] = asyncio.Lock()
        return lock


def _is_written_to(table: TableState) -> bool:
    """Whether hands of this table come by direct message at all."""
    return table.rules.dealing is Dealing.MESSAGES


def _is_own(interaction: Interaction) -> bool:
    """Whether what was pressed on is a member's own view: a direct message, or one only he sees."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)


def _attached(interaction: Interaction) -> set[str]:
    """The names of the files that the pressed message has."""
    return {file.filename for file in interaction.message.attachments} if interaction.message else set()


def own_views_of(bot: GnauBot) -> OwnViews:
    """The own views of this bot's members: the same for every cog."""
    return bot.shared(OwnViews, lambda: OwnViews(bot))
