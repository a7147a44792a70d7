"""The messages that show members their own hands: in a direct message, or behind *My hand*."""

import asyncio
import logging
from typing import Any, Final
from weakref import WeakValueDictionary

import discord

from bot.croupier import Croupier
from bot.rules.knobs import Dealing
from bot.table.state import Phase, TableState
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.board_message import TOKEN_SECONDS
from bot.ui.boards import Boards
from bot.ui.discord_errors import SENDING_FAILED, age_of
from bot.ui.hand_pictures import render_hand
from bot.ui.replies import Interaction, reply
from bot.ui.views.arranging import is_hand_picture
from bot.ui.views.hand_panel import panel_view
from bot.words import closest_locale, speaking, translate

log = logging.getLogger(__name__)

GATHER_SECONDS: Final = 2.0
"""How long changes are gathered before a panel is edited for them."""

Attachments = dict[str, Any]
"""What a message sends about its attachments; empty if the right picture is there already."""


class HandPanels:
    """Shows members their panels, and keeps the newest of each up to date while that is free.

    Args:
        client: the connection to Discord.
        croupier: hosts the tables.
        boards: know which message is a board, and whose direct messages are closed.
    """

    def __init__(self, client: discord.Client, croupier: Croupier, boards: Boards) -> None:
        self._client = client
        self._croupier = croupier
        self._boards = boards
        self._tasks = BackgroundTasks()
        self._newest: dict[tuple[int, int], Interaction] = {}
        self._waiting: set[tuple[int, int]] = set()
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    async def close(self) -> None:
        """Cancels edits that wait."""
        await self._tasks.close()

    async def update(self, interaction: Interaction, table: TableState) -> None:
        """Updates the message that was pressed: the board, or the member's own panel."""
        if self._boards.is_board(interaction, table.table_id):
            await self._boards.reply(interaction, table.table_id)
        elif _is_private(interaction):
            await self.show(interaction, table, asked=False)
        elif link := self._boards.link(table.table_id):
            await reply(interaction, translate("reply.done_board_moved", link=link))
        else:
            await reply(interaction, translate("reply.done"))

    async def show(
        self, interaction: Interaction, table: TableState, *, asked: bool = True, note: str | None = None
    ) -> None:
        """Answers with the member's panel, in place of the panel that was pressed, if any.

        Args:
            interaction: the press or the command.
            table: which table.
            asked: whether the member asked to see their cards. If not, and the cards are on their way in a
                message of their own, they are not shown here too.
            note: a sentence about what the member just did, if any.
        """
        member_id = interaction.user.id
        private = _is_private(interaction)
        present = _attached(interaction) if private else set()
        elsewhere = not asked and self._comes_by_message(interaction, table, present)
        view, attachments = await self.render(
            table, member_id, present, hidden=elsewhere, outside=interaction.guild_id is None, note=note
        )
        # No lock is waited for before the first answer, which has 3 seconds.
        if private:
            await interaction.response.edit_message(view=view, **attachments)
        else:
            files = attachments.get("attachments", [])
            await interaction.response.send_message(view=view, files=files, ephemeral=True)
        if not elsewhere:
            self._newest[table.table_id, member_id] = interaction
        if self._lock(table.table_id, member_id).locked():
            # An edit on its way may arrive after this answer, and show less: another follows it.
            self.edit(table, member_id)

    def edit_all(self, table: TableState) -> None:
        """Edits every panel of this table that can be edited."""
        for table_id, member_id in list(self._newest):
            if table_id == table.table_id:
                self.edit(table, member_id)

    def edit_soon(self, table: TableState, member_id: int) -> None:
        """Edits a member's panel after a moment, once for all changes until then."""
        key = table.table_id, member_id
        if key in self._newest and key not in self._waiting:
            self._waiting.add(key)
            self._tasks.start(self._edit_after_gathering(table, member_id), "hand-panel-edit")

    def edit(self, table: TableState, member_id: int) -> None:
        """Edits a member's panel by its token, which is free, while that lives."""
        self._tasks.start(self._edit(table, member_id), "hand-panel-edit")

    def forget(self, table_id: int, member_id: int) -> None:
        """Stops editing the member's panel: a newer one is on its way."""
        self._newest.pop((table_id, member_id), None)

    async def render(
        self,
        table: TableState,
        member_id: int,
        present: set[str],
        *,
        outside: bool,
        hidden: bool = False,
        note: str | None = None,
    ) -> tuple[discord.ui.LayoutView, Attachments]:
        """A member's panel, and what its message sends about attachments.

        Args:
            table: which table.
            member_id: whose panel.
            present: the names of the files that the message has already.
            outside: whether the message is not in the table's server.
            hidden: whether the cards come in a message of their own.
            note: a sentence about what the member just did, if any.
        """
        picture = None
        place = table.place_of(member_id)
        if place is not None and place.pieces and not hidden:
            picture = await render_hand(table, place)
        server = self._client.get_guild(table.server_id)
        view = panel_view(
            table,
            member_id,
            await self._croupier.purse(table.server_id, member_id),
            picture_text=picture.text if picture else None,
            note=note,
            server_name=server.name if server is not None and outside else None,
            hidden=hidden,
            unreachable=_is_dealt_by_message(table) and member_id in self._boards.unreachable,
        )
        if picture is None:
            return view, {"attachments": []}
        return view, {} if picture.name in present else {"attachments": [picture.file()]}

    async def _edit_after_gathering(self, table: TableState, member_id: int) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._waiting.discard((table.table_id, member_id))
        await self._edit(table, member_id)

    async def _edit(self, table: TableState, member_id: int) -> None:
        key = table.table_id, member_id
        async with self._lock(*key):
            interaction = self._newest.get(key)
            if interaction is None:
                return
            table = self._croupier.tables.get(table.table_id) or table
            alive = age_of(interaction) < TOKEN_SECONDS
            if not alive or table.phase is Phase.CLOSED:
                self._newest.pop(key, None)
            if not alive:
                return
            outside = interaction.guild_id is None
            # This may run for somebody else's click, so the reader is set here.
            with speaking(closest_locale(interaction.locale.value)):
                view, attachments = await self.render(table, member_id, set(), outside=outside)
            try:
                await interaction.edit_original_response(view=view, **attachments)
            except SENDING_FAILED as failed:
                log.info("the panel of %s is not edited any more: %s", member_id, failed)
                self._newest.pop(key, None)

    def _comes_by_message(self, interaction: Interaction, table: TableState, present: set[str]) -> bool:
        """Whether the cards reach the member in another message than the pressed one."""
        member_id = interaction.user.id
        return (
            interaction.guild_id is None
            and bool(table.pieces_of(member_id))
            and not any(is_hand_picture(name, table.round_number) for name in present)
            and _is_dealt_by_message(table)
            and member_id not in self._boards.unreachable
        )

    def _lock(self, table_id: int, member_id: int) -> asyncio.Lock:
        """Held while a panel is edited by its token: one edit after another."""
        lock = self._locks.get((table_id, member_id))
        if lock is None:
            lock = self._locks[table_id, member_id] = asyncio.Lock()
        return lock


def _is_dealt_by_message(table: TableState) -> bool:
    return table.rules.dealing is Dealing.MESSAGES


def _is_private(interaction: Interaction) -> bool:
    """Whether what was pressed is a message that only the member sees."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)


def _attached(interaction: Interaction) -> set[str]:
    """The names of the pressed message's files."""
    return {file.filename for file in interaction.message.attachments} if interaction.message else set()
