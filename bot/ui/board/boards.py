"""Keeps the boards of all tables up to date: which message shows which table, and when it is edited."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

from bot.croupier.open_tables import ChipsMoved, TableChanged
from bot.table.events import RoundOpened, RoundSettled
from bot.table.state import Phase, TableState
from bot.ui.board.message import Board
from bot.ui.components import link_to
from bot.ui.following import Following
from bot.ui.services import Services
from bot.wire.intake import pressed
from bot.wire.requests import Interaction, TakenElsewhereError, defer_update

UNPOSTED_SECONDS: Final = 5.0
"""How long after its opening a table without a board gets one in its channel."""

GOODBYE_SECONDS: Final = 1.0
"""How long the board of a new table waits at most for the goodbye of the one before it in its channel."""


class Boards:
    """Every board of the bot.

    Attributes:
        unreachable: members whose direct messages are closed, and who must use *My hand*.
        on_moved: is called with a table whose board was posted again below other messages.
        on_refused: is called with a table whose board Discord lets nobody post in its channel.
        until_result_may_show: returns once the board of a table may show what a round brought; no click
            waits for it.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self.unreachable: set[int] = set()
        self.on_moved: Callable[[TableState], object] = lambda table: None
        self.on_refused: Callable[[TableState], object] = lambda table: None
        self.until_result_may_show: Callable[[TableState], Awaitable[None]] = _at_once
        self._boards: dict[int, Board] = {}
        self._tables: dict[int, int] = {}
        self._following = Following[Board]("board", services, self._idle)
        services.croupier.listeners.add(self._on_change, self._on_chips)

    async def open(self) -> None:
        """Loads the boards of the open tables."""
        croupier = self._services.croupier
        servers = {table.server_id for table in croupier.tables.all()}
        for row in await croupier.ledger.open_tables_in(servers):
            if state := croupier.tables.get(row.table_id):
                board = self._board(state, row.message_id, row.posted_at or 0.0)
                board.needs_posting = row.message_id is None
                self._add(board)

    def edit_all(self, server_ids: Collection[int]) -> None:
        """Edits every board of these servers, also one that should show all: it may be gone."""
        for board in self._boards.values():
            if board.state.server_id in server_ids:
                board.doubt()
                self._following.edit_soon(board)

    def count_message(self, channel_id: int, message_id: int) -> None:
        """Counts a message that pushes a board up its channel."""
        board = self._boards.get(self._tables.get(channel_id, 0))
        if board is not None and board.message_id != message_id:
            board.messages_below += 1

    def goes_below(self, table_id: int) -> bool:
        """Whether a board is about to be posted again below other messages."""
        board = self._boards.get(table_id)
        return board is not None and board.needs_posting

    def post_missing(self, table_id: int) -> None:
        """Posts the board of a table that nobody's press or command opened."""
        if board := self._boards.get(table_id):
            self._post_if_missing(board)

    def message_deleted(self, channel_id: int, message_id: int) -> None:
        """Posts a board again that somebody deleted."""
        board = self._boards.get(self._tables.get(channel_id, 0))
        if board is not None and board.message_deleted(message_id):
            self._following.edit_soon(board)

    def thread_opened(self, thread_id: int) -> None:
        """Edits the board of a thread that was archived until now: it may show less than it should."""
        if board := self._boards.get(self._tables.get(thread_id, 0)):
            board.doubt()
            self._following.edit_soon(board)

    def link(self, table_id: int) -> str | None:
        """The link to a table's board; None before it is posted."""
        board = self._boards.get(table_id)
        if board is None or board.message_id is None:
            return None
        state = board.state
        return link_to(state.server_id, state.channel_id, board.message_id)

    def is_board(self, interaction: Interaction, table_id: int) -> bool:
        """Whether the interaction comes from the message that shows the table now."""
        board = self._boards.get(table_id)
        message = pressed(interaction)
        return board is not None and message is not None and message.id == board.message_id

    def had_hands(self, interaction: Interaction, table_id: int) -> bool:
        """Whether this was pressed on the board, but aimed at what it showed before a round ended."""
        return self.is_board(interaction, table_id) and self._boards[table_id].had_hands(interaction)

    async def post(self, interaction: Interaction, state: TableState) -> bool:
        """Answers a command or a press with the board of a table; returns False if it was posted already."""
        await self._until_goodbye_is_posted(state.channel_id)
        board = self._boards.get(state.table_id) or self._add(self._board(state))
        posted = await board.post(interaction)
        self._following.edit_soon(board)
        return posted

    async def reply(self, interaction: Interaction, table_id: int) -> None:
        """Answers a click on the board with the new board, or acknowledges it while an edit is on its way."""
        board = self._boards.get(table_id)
        if board is not None and not board.editing.locked():
            await board.reply(interaction)
            return
        try:
            await defer_update(interaction)
        except TakenElsewhereError:
            # By its token the answer of that process may be edited, and not the board.
            return
        if board is not None and self.is_board(interaction, table_id):
            board.click(interaction)
            self._following.edit_soon(board)

    def refresh(self, table_id: int) -> None:
        """Edits a board soon because something beside its table has changed."""
        if board := self._boards.get(table_id):
            board.change(board.state)
            self._following.edit_soon(board)

    def refresh_server(self, server_id: int) -> None:
        """Edits the boards of a server soon: they may be in another language now."""
        for board in self._boards.values():
            if board.state.server_id == server_id:
                self.refresh(board.state.table_id)

    def refresh_naming(self, server_id: int, party: int) -> None:
        """Edits the boards of a server soon that name this party."""
        for board in self._boards.values():
            if board.state.server_id == server_id and party in board.state.parties:
                board.forget_names()
                self._following.edit_soon(board)

    def menu_used(self, table_id: int) -> None:
        """Has the next edit of the board reset its menu."""
        if board := self._boards.get(table_id):
            board.menu_uses += 1

    def _board(self, state: TableState, message_id: int | None = None, posted_at: float = 0.0) -> Board:
        return Board(
            self._services,
            state,
            self.unreachable,
            lambda moved: self.on_moved(moved),
            lambda refused: self.on_refused(refused),
            lambda settled: self.until_result_may_show(settled),
            message_id,
            posted_at,
        )

    def _on_change(self, change: TableChanged) -> None:
        board = self._boards.get(change.after.table_id)
        if board is None:
            board = self._add(self._board(change.after))
            if change.before is None:
                # The opener is answered with the board, unless that answer is lost.
                loop = asyncio.get_running_loop()
                loop.call_later(UNPOSTED_SECONDS, self._post_if_missing, board)
        board.change(change.after)
        if board.state.phase is Phase.CLOSED:
            board.table_closed()
        elif any(isinstance(event, RoundSettled | RoundOpened) for event in change.events):
            board.round_ended()
        self._following.edit_soon(board)

    def _on_chips(self, moved: ChipsMoved) -> None:
        """Edits the boards soon whose banker has more or fewer free chips, but that of the table itself.

        A board without a banker offers the house (B07): it is edited when the house has more than before, or
        another bankroll.
        """
        for board in self._boards.values():
            elsewhere = board.state.table_id != moved.table_id
            same_chips = board.state.server_id == moved.server_id
            if elsewhere and same_chips and moved.concerns_bank(board.state):
                self.refresh(board.state.table_id)

    async def _until_goodbye_is_posted(self, channel_id: int) -> None:
        """Waits while a closed table says goodbye in a channel: the board of a new one comes below."""
        in_channel = [board for board in self._boards.values() if board.state.channel_id == channel_id]
        for board in in_channel:
            if board.state.phase is Phase.CLOSED and board.editing.locked():
                with suppress(TimeoutError):
                    async with asyncio.timeout(GOODBYE_SECONDS), board.editing:
                        pass

    def _post_if_missing(self, board: Board) -> None:
        if board.message_id is None and board.state.phase is not Phase.CLOSED:
            board.needs_posting = True
            self._following.edit_soon(board)

    def _add(self, board: Board) -> Board:
        self._boards[board.state.table_id] = board
        self._tables[board.state.channel_id] = board.state.table_id
        return board

    def _idle(self, board: Board) -> None:
        """Forgets the board of a closed table once it says so."""
        if board.state.phase is not Phase.CLOSED:
            return
        self._boards.pop(board.state.table_id, None)
        if self._tables.get(board.state.channel_id) == board.state.table_id:
            del self._tables[board.state.channel_id]


async def _at_once(table: TableState) -> None:
    """Lets a board show a result without a wait."""
