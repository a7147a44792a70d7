"""The messages that show members their own hands: in a direct message, or behind *My hand*."""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.croupier import Croupier
from bot.ledger.errors import LedgerUnavailable
from bot.rules.knobs import Dealing
from bot.table.betting import largest_stake
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.boards import Boards
from bot.ui.discord_errors import INVALID_BODY, SENDING_FAILED, is_code
from bot.ui.errors import RefusedError
from bot.ui.hand_pictures import HandPictures
from bot.ui.late_interactions import token_lives
from bot.ui.names import Names
from bot.ui.private_replies import Kind, note_private_reply
from bot.ui.readers import Readers
from bot.ui.replies import Interaction, replace_pressed, reply, user_of
from bot.ui.views.hand_panel import panel_view
from bot.ui.views.own_hand import is_hand_picture, own_hand
from bot.wire.intake import StandBack
from bot.wire.press_interaction import pressed
from bot.wire.requests import Content, Response, edit_response, respond
from bot.words import speaking_to, translate

log = logging.getLogger(__name__)

GATHER_SECONDS: Final = 2.0
"""How long changes are gathered before a panel is edited for them."""


@dataclass(slots=True)
class _Panel:
    """A member's newest panel.

    Attributes:
        response: the message.
        shown: when what it shows was read; the larger, the later.
        changed: when something last changed that it is to show; 0 if nothing has.
    """

    response: Response
    shown: int
    changed: int = 0


class HandPanels:
    """Shows members their panels, and keeps the newest of each up to date while that is free.

    Args:
        client: the connection to Discord.
        croupier: hosts the tables.
        boards: know which message is a board, and whose direct messages are closed.
        names: how members are shown.
        readers: know the language of each member.
        stand_back: waits a little while presses wait for an answer.
    """

    def __init__(
        self,
        client: discord.Client,
        croupier: Croupier,
        boards: Boards,
        names: Names,
        readers: Readers,
        stand_back: StandBack,
    ) -> None:
        self._client = client
        self._stand_back = stand_back
        self._croupier = croupier
        self._boards = boards
        self._names = names
        self._readers = readers
        self._pictures = HandPictures()
        self._tasks = BackgroundTasks()
        self._newest: dict[tuple[int, int], _Panel] = {}
        self._gathering: set[tuple[int, int]] = set()
        self._moments = count(1)
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
        self,
        interaction: Interaction,
        table: TableState,
        *,
        asked: bool = True,
        note: str | None = None,
        offers_why: bool = False,
    ) -> None:
        """Answers with the member's panel, in place of the panel that was pressed, if any.

        Args:
            interaction: the press or the command.
            table: which table.
            asked: whether the member asked to see their cards. If not, and the cards are on their way in a
                message of their own, they are not shown here too.
            note: a sentence about what the member just did, if any.
            offers_why: whether *Why this hand* is offered also before the hand is arranged.
        """
        party = await self._croupier.identities.party_of(table.server_id, user_of(interaction))
        key = table.table_id, party
        shown = next(self._moments)
        # What changes from here on is shown by an edit.
        table = self._croupier.tables.get(table.table_id) or table
        private = _is_private(interaction)
        present = _attached(interaction) if private else frozenset()
        elsewhere = not asked and self._comes_by_message(interaction, table, party, present)
        render = partial(
            self.render,
            table,
            party,
            hidden=elsewhere,
            outside=interaction.guild_id is None,
            note=note,
            offers_why=offers_why,
        )
        panel = await render(present)
        # No lock is waited for before the first answer, which has 3 seconds.
        if private:
            try:
                await replace_pressed(interaction, panel)
            except discord.HTTPException as failed:
                # An edit since the press may have taken the picture from the message.
                if not present or not is_code(failed, INVALID_BODY):
                    raise
                await replace_pressed(interaction, await render(()))
            response = Response(interaction)
        else:
            response = await respond(interaction, panel)
        if not elsewhere:
            before = self._newest.get(key)
            self._newest[key] = _Panel(response, shown, before.changed if before is not None else 0)
        lock = self._lock(*key)
        if lock.locked():
            # An edit on its way may arrive after this answer, and show less: another follows it.
            self.edit(table, party)
        if not private:
            # The panel before this one is deleted, but not under an edit on its way to it.
            async with lock:
                note_private_reply(response, Kind.PANEL)

    def edit_all(self, table: TableState) -> None:
        """Edits every panel of this table that can be edited."""
        for table_id, party in list(self._newest):
            if table_id == table.table_id:
                self.edit(table, party)

    def has_in(self, table_id: int, party: int, message_id: int) -> bool:
        """Whether the member's newest panel is this message, and is edited for free."""
        panel = self._newest.get((table_id, party))
        return (
            panel is not None
            and (message := pressed(panel.response.interaction)) is not None
            and message.id == message_id
            and token_lives(panel.response.interaction)
        )

    def edit_soon(self, table: TableState, party: int) -> None:
        """Edits a member's panel after a moment, once for all changes until then.

        If the panel is shown or edited for another reason before that, it is not edited twice.
        """
        key = table.table_id, party
        panel = self._newest.get(key)
        if panel is None:
            return
        panel.changed = next(self._moments)
        if key not in self._gathering:
            self._gathering.add(key)
            self._tasks.start(self._edit_after_gathering(table, party), "hand-panel-edit")

    def edit(self, table: TableState, party: int) -> None:
        """Edits a member's panel by its token, which is free, while that lives."""
        self._tasks.start(self._edit(table, party), "hand-panel-edit")

    def forget(self, table_id: int, party: int) -> None:
        """Stops editing the member's panel: a newer one is on its way."""
        self._newest.pop((table_id, party), None)

    def forget_party(self, party: int) -> None:
        """Stops editing every panel of an erased member."""
        for key in [key for key in self._newest if key[1] == party]:
            del self._newest[key]

    async def render(
        self,
        table: TableState,
        party: int,
        present: Collection[str],
        *,
        outside: bool,
        hidden: bool = False,
        note: str | None = None,
        offers_why: bool = False,
    ) -> Content:
        """A member's panel.

        Args:
            table: which table.
            party: whose panel.
            present: the names of the files that the message has already.
            outside: whether the message is not in the table's server.
            hidden: whether the cards come in a message of their own.
            note: a sentence about what the member just did, if any.
            offers_why: whether *Why this hand* is offered also before the hand is arranged.
        """
        picture = None
        if not hidden and (own := own_hand(table, party)) is not None:
            picture = await self._pictures.of(table.table_id, party, own)
        server = self._client.get_guild(table.server_id)
        chips = await self._croupier.free_chips(table, party)
        most = largest_stake(table, party, chips)
        layout = panel_view(
            table,
            self._names,
            party,
            await self._croupier.stack(table.server_id, party),
            most=0 if isinstance(most, Refused) else most,
            picture_text=picture.description if picture else None,
            note=note or self._why_no_bet(table, party, most),
            offers_why=offers_why,
            server_name=server.name if server is not None and outside else None,
            hidden=hidden,
            evening=await self._evening(table, party),
            unreachable=_is_dealt_by_message(table) and party in self._boards.unreachable,
        )
        if picture is None:
            return Content(layout, files=[])
        return Content(layout, files=None if picture.name in present else [picture])

    def _why_no_bet(self, table: TableState, party: int, most: int | Refused) -> str | None:
        """Why a player who is to bet cannot, such as for too few chips; None if that is not so."""
        seat = table.seat_of(party)
        is_to_bet = table.phase is Phase.BETTING and seat is not None and seat.undecided
        if not is_to_bet or not isinstance(most, Refused):
            return None
        gives = self._croupier.house_of(table.server_id).server.gives_handouts
        return RefusedError(most, handouts=gives).sentence

    async def _evening(self, table: TableState, party: int) -> int | None:
        """What the evening has brought a member so far, between rounds for chips; None if nothing yet."""
        if table.phase is Phase.DEALT or table.for_points:
            return None
        try:
            evening = await self._croupier.ledger.evenings.of((table.server_id, party))
        except LedgerUnavailable:
            return None
        return None if evening.is_over(self._croupier.now()) else evening.chips

    async def _edit_after_gathering(self, table: TableState, party: int) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        key = table.table_id, party
        self._gathering.discard(key)
        panel = self._newest.get(key)
        if panel is not None and panel.changed > panel.shown:
            await self._edit(table, party)

    async def _edit(self, table: TableState, party: int) -> None:
        key = table.table_id, party
        await self._stand_back()
        async with self._lock(*key):
            panel = self._newest.get(key)
            if panel is None:
                return
            interaction = panel.response.interaction
            shown = next(self._moments)
            table = self._croupier.tables.get(table.table_id) or table
            alive = token_lives(interaction)
            if not alive or table.phase is Phase.CLOSED:
                self._drop(key, panel)
            if not alive:
                return
            outside = interaction.guild_id is None
            # This may run for somebody else's click, so the reader is set here.
            try:
                with speaking_to(self._readers.of_interaction(interaction, table.server_id)):
                    content = await self.render(table, party, (), outside=outside)
                await edit_response(panel.response, content)
                panel.shown = shown
            except LedgerUnavailable as failed:
                log.warning("the panel of %s stays as it is until the next change: %s", party, failed)
            except SENDING_FAILED as failed:
                log.info("the panel of %s is not edited any more: %s", party, failed)
                self._drop(key, panel)

    def _drop(self, key: tuple[int, int], panel: _Panel) -> None:
        """Stops editing this panel; one that has taken its place meanwhile stays."""
        if self._newest.get(key) is panel:
            del self._newest[key]

    def _comes_by_message(
        self, interaction: Interaction, table: TableState, party: int, present: Collection[str]
    ) -> bool:
        """Whether the cards reach the member in another message than the pressed one."""
        return (
            interaction.guild_id is None
            and bool(table.pieces_of(party))
            and not any(is_hand_picture(name, table.round_number) for name in present)
            and _is_dealt_by_message(table)
            and party not in self._boards.unreachable
        )

    def _lock(self, table_id: int, party: int) -> asyncio.Lock:
        """Held while a panel is edited by its token: one edit after another."""
        lock = self._locks.get((table_id, party))
        if lock is None:
            lock = self._locks[table_id, party] = asyncio.Lock()
        return lock


def _is_dealt_by_message(table: TableState) -> bool:
    return table.rules.dealing is Dealing.MESSAGES


def _is_private(interaction: Interaction) -> bool:
    """Whether what was pressed is a message that only the member sees."""
    message = pressed(interaction)
    return message is not None and (interaction.guild_id is None or message.is_private)


def _attached(interaction: Interaction) -> frozenset[str]:
    """The names of the pressed message's files."""
    message = pressed(interaction)
    return frozenset() if message is None else message.files
