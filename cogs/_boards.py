"""Keeps the board of each table true: posts it, answers clicks with it, edits it when the clock moves.

A click is answered with the board's new state, which costs nothing. Clicks that come while an edit is on its
way are only acknowledged, and the last state wins. What nobody clicked goes by the newest click's token,
which is free for fifteen minutes, and by the channel only where there is none.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any, Final

import discord

from bot.client import GnauBot
from bot.croupier import News
from bot.ledger.changes import BoardPosted
from bot.table.events import RoundOpened, RoundSettled, TableClosed
from bot.table.state import Phase, TableState
from cogs._answers import Interaction
from cogs._drawing import Drawing, draw_showdown
from cogs._sending import SENDING_FAILED, TOO_OLD_TO_EDIT, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, is_code, nonce
from cogs._views.board import board_view, picture_name, shows_picture
from cogs._views.board_text import BoardFacts

log = logging.getLogger(__name__)

GATHER_SECONDS: Final = 0.15
"""Changes are gathered so long before an edit of their own."""
TOKEN_SECONDS: Final = 14 * 60
"""An interaction's token is used so long; Discord takes it for a minute more."""
FRESH_SECONDS: Final = 50 * 60
"""A board as old as this is posted anew with the next round: Discord caps edits after an hour."""
FRESH_MESSAGES: Final = 25
"""So many messages below it, and a board is posted anew with the next round: nobody should scroll up."""
RETRY_SECONDS: Final = (1.0, 5.0, 30.0)


@dataclass(slots=True)
class Board:
    """The message that shows a table.

    Attributes:
        state: the table as it is now.
        message_id: the message; None before it is posted.
        posted_at: when it was, in seconds since the epoch, UTC.
        shown: the table's sequence that the message shows.
        attached: the name of the picture it has attached; None for none, and where that is not known.
        click: the newest interaction whose token edits the message.
        messages_below: how many messages have come after it in its channel.
        wants_fresh: whether it is posted anew at the next edit.
        editing: held while an edit is on its way.
    """

    state: TableState
    message_id: int | None = None
    posted_at: float = 0.0
    shown: int = 0
    attached: str | None = None
    click: Interaction | None = None
    messages_below: int = 0
    wants_fresh: bool = False
    editing: asyncio.Lock = field(default_factory=asyncio.Lock)


class Boards:
    """Posts and edits the boards."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._boards: dict[int, Board] = {}
        self._flushing: dict[int, asyncio.Task[None]] = {}
        self.closed_messages: set[int] = set()

    async def open(self) -> None:
        """Takes up the boards of the tables that are open, and listens to the croupier."""
        for row in await self.bot.croupier.ledger.open_tables():
            if state := self.bot.croupier.tables.get(row.table_id):
                self._boards[row.table_id] = Board(state, row.message_id, row.posted_at or 0.0)
        self.bot.croupier.listen(self._on_news)

    async def close(self) -> None:
        """Gives up edits that wait."""
        for task in list(self._flushing.values()):
            task.cancel()
        await asyncio.gather(*self._flushing.values(), return_exceptions=True)

    def edit_all(self) -> None:
        """Brings every board up to date: much may have become due while the bot was away."""
        for board in self._boards.values():
            self._edit_soon(board)

    def message_came(self, channel_id: int, message_id: int) -> None:
        """Counts what pushes a board up its channel."""
        for board in self._boards.values():
            if board.state.channel_id == channel_id and message_id != board.message_id:
                board.messages_below += 1

    def message_went(self, message_id: int) -> None:
        """Posts a board anew that somebody deleted."""
        for board in self._boards.values():
            if board.message_id == message_id:
                board.message_id, board.click, board.wants_fresh = None, None, True
                self._edit_soon(board)

    def link(self, table_id: int) -> str | None:
        """The address of a table's board; None before it is posted."""
        board = self._boards.get(table_id)
        if board is None or board.message_id is None:
            return None
        state = board.state
        return f"https://discord.com/channels/{state.server_id}/{state.channel_id}/{board.message_id}"

    def is_board(self, interaction: Interaction, table_id: int) -> bool:
        """Whether the interaction comes from the message that shows the table now."""
        board = self._boards.get(table_id)
        return (
            board is not None
            and interaction.message is not None
            and interaction.message.id == board.message_id
        )

    async def post(self, interaction: Interaction, state: TableState) -> None:
        """Answers a command with the new board of a table."""
        board = self._boards.setdefault(state.table_id, Board(state))
        async with board.editing:
            view, _ = await self._drawn(board)
            shown = board.state.sequence
            message_id = await self._respond(interaction, view)
            if message_id is None:
                board.wants_fresh = True
            else:
                await self._posted(board, message_id, interaction)
                board.shown = shown
        self._edit_soon(board)

    async def answer(self, interaction: Interaction, table_id: int) -> None:
        """Answers a click on the board with what it now shows."""
        board = self._boards.get(table_id)
        if board is None:
            await interaction.response.defer()
            return
        if board.editing.locked():
            await interaction.response.defer()
            board.click = interaction
            self._edit_soon(board)
            return
        async with board.editing:
            view, drawing = await self._drawn(board)
            shown = board.state.sequence
            await interaction.response.edit_message(view=view, **self._attachments(board, drawing))
            self._edited(board, shown, drawing)
            board.click = interaction

    def refresh(self, table_id: int) -> None:
        """Edits a board soon, though its table has not changed: something beside it has."""
        if board := self._boards.get(table_id):
            board.shown = -1
            self._edit_soon(board)

    async def _respond(self, interaction: Interaction, view: discord.ui.LayoutView) -> int | None:
        """The id of the message that answers; None where there is none, and the channel has to do."""
        try:
            return (await interaction.response.send_message(view=view)).message_id
        except SENDING_FAILED as failed:
            log.warning("a board was not taken as an answer: %s", failed)
        try:
            # Discord may have taken it all the same, and only its answer been lost.
            return (await interaction.original_response()).id
        except (*SENDING_FAILED, discord.ClientException):
            return None

    def _on_news(self, news: News) -> None:
        board = self._boards.setdefault(news.after.table_id, Board(news.after))
        board.state = news.after
        kinds = {type(event) for event in news.events}
        if RoundSettled in kinds or RoundOpened in kinds:
            old = self.bot.croupier.now() - board.posted_at > FRESH_SECONDS
            board.wants_fresh |= bool(board.message_id) and (old or board.messages_below > FRESH_MESSAGES)
        self._edit_soon(board)
        if TableClosed in kinds:
            board.wants_fresh = False

    def _edit_soon(self, board: Board) -> None:
        table_id = board.state.table_id
        if table_id not in self._flushing:
            self._flushing[table_id] = asyncio.create_task(self._edit_after_a_moment(board))

    async def _edit_after_a_moment(self, board: Board) -> None:
        try:
            await asyncio.sleep(GATHER_SECONDS)
            await self._edit_until_true(board)
        except Exception:
            log.exception("the board of table %s could not be edited", board.state.table_id)
        finally:
            # Nothing is awaited after the last look at the table: what changes from here on starts anew.
            self._flushing.pop(board.state.table_id, None)

    async def _edit_until_true(self, board: Board) -> None:
        """Edits until the message shows the table as it is; after some failures waits until more happens."""
        failures = 0
        while self._is_behind(board):
            try:
                async with board.editing:
                    if self._is_behind(board):
                        await self._edit(board)
            except SENDING_FAILED as failed:
                log.warning("the board of table %s could not be edited: %s", board.state.table_id, failed)
                if failures == len(RETRY_SECONDS):
                    return
                await asyncio.sleep(RETRY_SECONDS[failures])
                failures += 1
        if board.state.phase is Phase.CLOSED:
            self._boards.pop(board.state.table_id, None)

    def _is_behind(self, board: Board) -> bool:
        """Whether the message does not show the table as it is, and there is one, or should be."""
        posted = board.message_id is not None
        return board.wants_fresh or (posted and board.shown < board.state.sequence)

    async def _edit(self, board: Board) -> None:
        if board.message_id is None or board.wants_fresh:
            await self._post_anew(board)
            return
        view, drawing = await self._drawn(board)
        shown = board.state.sequence
        changes = {"view": view, **self._attachments(board, drawing)}
        if not await self._edit_by_click(board, changes):
            message = self._channel(board).get_partial_message(board.message_id)
            try:
                await message.edit(**changes)
            except SENDING_FAILED as failed:
                if is_code(failed, UNKNOWN_CHANNEL):
                    await self.bot.croupier.wind_up([board.state])
                    board.shown = board.state.sequence
                    return
                if not is_code(failed, UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT):
                    raise
                await self._post_anew(board)
                return
        self._edited(board, shown, drawing)

    async def _edit_by_click(self, board: Board, changes: dict[str, Any]) -> bool:
        """Edits by the newest click's token, and says whether that could be done."""
        click = board.click
        if click is None or self._age(click) > TOKEN_SECONDS:
            return False
        try:
            await click.edit_original_response(**changes)
        except SENDING_FAILED as failed:
            log.info("the token of interaction %s edits no more: %s", click.id, failed)
            board.click = None
            return False
        return True

    async def _post_anew(self, board: Board) -> None:
        old, board.message_id, board.click, board.attached = board.message_id, None, None, None
        view, drawing = await self._drawn(board)
        shown = board.state.sequence
        try:
            message = await self._channel(board).send(
                view=view,
                files=[drawing.file()] if drawing else [],
                nonce=nonce("board", board.state.table_id, shown),
            )
        except SENDING_FAILED as failed:
            if not is_code(failed, UNKNOWN_CHANNEL):
                board.message_id = old
                raise
            await self.bot.croupier.wind_up([board.state])
            board.wants_fresh, board.shown = False, board.state.sequence
            return
        await self._posted(board, message.id, None)
        self._edited(board, shown, drawing)
        if old is not None:
            try:
                await self._channel(board).get_partial_message(old).delete()
            except SENDING_FAILED as failed:
                log.info("the old board of table %s stays: %s", board.state.table_id, failed)

    async def _posted(self, board: Board, message_id: int, click: Interaction | None) -> None:
        board.message_id, board.click = message_id, click
        board.posted_at = self.bot.croupier.now()
        board.messages_below, board.wants_fresh = 0, False
        await self.bot.croupier.ledger.keep(BoardPosted(board.state.table_id, message_id, board.posted_at))

    def _edited(self, board: Board, shown: int, drawing: Drawing | None) -> None:
        board.shown = shown
        board.attached = drawing.name if drawing else None

    def _attachments(self, board: Board, drawing: Drawing | None) -> dict[str, Any]:
        """What an edit says of attachments: nothing where the right picture is there already."""
        if drawing is None:
            return {"attachments": []}
        if drawing.name == board.attached:
            return {}
        return {"attachments": [drawing.file()]}

    async def _drawn(self, board: Board) -> tuple[discord.ui.LayoutView, Drawing | None]:
        state = board.state
        drawing = None
        if state.last is not None and shows_picture(state) is not None:
            drawing = await draw_showdown(state.last, picture_name(state.last.round_number))
        bank = [state.bank.member.member_id] if state.bank else []
        wallets = await self.bot.croupier.ledger.wallets(state.server_id, bank)
        facts = BoardFacts(wallets, self.closed_messages)
        return board_view(state, facts, drawing.text if drawing else None), drawing

    def _channel(self, board: Board) -> discord.PartialMessageable:
        return self.bot.get_partial_messageable(board.state.channel_id, guild_id=board.state.server_id)

    def _age(self, interaction: Interaction) -> float:
        """Seconds since the interaction."""
        return (discord.utils.utcnow() - interaction.created_at).total_seconds()


def boards_of(bot: GnauBot) -> Boards:
    """The boards of this bot: the same for every cog."""
    return bot.shared(Boards, lambda: Boards(bot))
