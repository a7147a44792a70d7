"""Brings everybody his cards, and keeps the messages that show one member his own view of a table.

A message that fails never holds up a round: the cards are on disk before the first is sent, and everybody may
look at his own behind "My hand" at any time.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final
from weakref import WeakValueDictionary

import discord

from bot.client import GnauBot
from bot.croupier import News
from bot.ledger.changes import DirectChannel
from bot.rules.knobs import Dealing
from bot.table.commands import MemberGone
from bot.table.events import HandsDealt, RoundSettled, TableClosed
from bot.table.state import Member, Phase, TableState
from cogs._answers import Interaction, say
from cogs._board import TOKEN_SECONDS
from cogs._boards import boards_of
from cogs._drawing import draw_hand
from cogs._sending import (
    MESSAGES_CLOSED,
    NO_SHARED_SERVER,
    SENDING_FAILED,
    UNKNOWN_CHANNEL,
    age_of,
    is_code,
    nonce,
)
from cogs._views.arranging import is_hand_picture
from cogs._views.personal import personal_view

log = logging.getLogger(__name__)

UNKNOWN_MEMBER: Final = 10007
CLOSED_SECONDS: Final = 24 * 60 * 60
"""Who could not be written to is not tried again for so long, unless he asks for it."""
RETRY_SECONDS: Final = (1.0, 4.0)
"""The pauses before a hand that could not be sent is tried again."""


class Hands:
    """Sends hands, and shows them to who asks."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self._tasks: set[asyncio.Task[None]] = set()
        self._own: dict[tuple[int, int], Interaction] = {}
        self._sent: dict[tuple[int, int], int] = {}
        self._closed = False
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    def open(self) -> None:
        """Listens to the croupier."""
        self.bot.croupier.listen(self._on_news)

    async def close(self) -> None:
        """Gives up messages that wait."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def send_again(self) -> None:
        """Sends the hands that were out when the bot stopped; Discord drops those it has already."""
        for table in self.bot.croupier.tables.all():
            if table.phase is Phase.DEALT:
                self._send_hands(table)

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
            await say(interaction, f"Done.{moved}")

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
        view, attachments = await self._own_view(
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
            self._spawn(self._show_again(table, member_id))

    async def try_messages(self, interaction: Interaction, table: TableState) -> None:
        """Forgets that the member could not be written to: with the next deal it is tried again."""
        boards_of(self.bot).unreachable.discard(interaction.user.id)
        await self.bot.croupier.ledger.keep(DirectChannel(interaction.user.id))
        boards_of(self.bot).refresh(table.table_id)
        await self.show_own(interaction, table)

    async def member_gone(self, server_id: int, member_id: int) -> None:
        """Gets a member up at every table of a server he has left (B06), and gives back his side bets."""
        for table in self.bot.croupier.tables.concerning(server_id, member_id):
            key = f"{table.table_id}:{table.sequence}:gone:{member_id}"
            await self.bot.croupier.ask(table.table_id, MemberGone(member_id), None, key)

    def _on_news(self, news: News) -> None:
        if self._closed:
            return
        kinds = {type(event) for event in news.events}
        if HandsDealt in kinds and news.after.phase is Phase.DEALT:
            self._send_hands(news.after)
        if RoundSettled in kinds or TableClosed in kinds:
            for member_id in [member for table, member in self._own if table == news.after.table_id]:
                self._spawn(self._show_again(news.after, member_id))
        if news.after.phase is Phase.CLOSED:
            for key in [key for key in self._sent if key[0] == news.after.table_id]:
                del self._sent[key]

    def _send_hands(self, table: TableState) -> None:
        """Has everybody see his hand: by message, or, where the house sends none, where he looks already."""
        members = [seat.member for seat in table.seats if seat.pieces]
        if table.bank is not None and table.bank.pieces:
            members.append(table.bank.member)
        for member in members:
            if table.rules.dealing is Dealing.MY_HAND:
                self._spawn(self._show_again(table, member.member_id))
            elif self._sent.get((table.table_id, member.member_id)) != table.round_number:
                self._spawn(self._send_hand(table, member))

    async def _send_hand(self, table: TableState, member: Member) -> None:
        """Sends one member his cards, or has the board tell him where to look."""
        ledger, now = self.bot.croupier.ledger, self.bot.croupier.now()
        key = table.table_id, member.member_id
        known = (await ledger.direct_channels([member.member_id])).get(member.member_id)
        if known is not None and known.closed_since is not None and now - known.closed_since < CLOSED_SECONDS:
            self._mark(table, member, reached=False)
            await self._show_again(table, member.member_id)
            return
        self._own.pop(key, None)
        channel_id = known.channel_id if known is not None else None
        for pause in (*RETRY_SECONDS, None):
            try:
                if channel_id is None:
                    channel_id = (await self.bot.create_dm(discord.Object(member.member_id))).id
                    await ledger.keep(DirectChannel(member.member_id, channel_id))
                await self._write(channel_id, table, member)
            except SENDING_FAILED as failed:
                closed = is_code(failed, *MESSAGES_CLOSED)
                if closed or pause is None or not self._is_still_out(table):
                    log.info("no hand could be sent to %s: %s", member.member_id, failed)
                    self._mark(table, member, reached=False)
                    if closed:
                        await ledger.keep(DirectChannel(member.member_id, channel_id, now))
                        await self._see_who_is_gone(table, member, failed)
                    return
                if is_code(failed, UNKNOWN_CHANNEL):
                    channel_id = None
                await asyncio.sleep(pause)
            else:
                self._sent[key] = table.round_number
                self._mark(table, member, reached=True)
                if known is not None and known.closed_since is not None:
                    await ledger.keep(DirectChannel(member.member_id, channel_id))
                return

    async def _write(self, channel_id: int, table: TableState, member: Member) -> None:
        """One try to send a hand: Discord drops the second of two by their nonce, if the first arrived."""
        view, attachments = await self._own_view(table, member.member_id, set(), outside=True)
        await self.bot.get_partial_messageable(channel_id).send(
            view=view,
            files=attachments.get("attachments", []),
            nonce=nonce("hand", table.table_id, table.round_number, member.member_id),
        )

    def _mark(self, table: TableState, member: Member, *, reached: bool) -> None:
        """Has the board tell who must look behind "My hand", and who need not any more."""
        boards = boards_of(self.bot)
        if reached == (member.member_id in boards.unreachable):
            (boards.unreachable.discard if reached else boards.unreachable.add)(member.member_id)
            boards.refresh(table.table_id)

    def _is_still_out(self, table: TableState) -> bool:
        """Whether the cards that were dealt are still looked at."""
        now = self.bot.croupier.tables.get(table.table_id)
        return now is not None and now.phase is Phase.DEALT and now.round_number == table.round_number

    def _comes_by_message(self, interaction: Interaction, table: TableState, there: set[str]) -> bool:
        """Whether the cards reach the member in another message than the one he pressed on."""
        member_id = interaction.user.id
        return (
            interaction.guild_id is None
            and bool(table.pieces_of(member_id))
            and not any(is_hand_picture(name, table.round_number) for name in there)
            and table.rules.dealing is Dealing.MESSAGES
            and member_id not in boards_of(self.bot).unreachable
        )

    async def _see_who_is_gone(self, table: TableState, member: Member, failed: Exception) -> None:
        """Gets up who cannot be written to because he left the server (B06): no event tells of it."""
        gone = is_code(failed, NO_SHARED_SERVER)
        if not gone:
            try:
                await self.bot.http.get_member(table.server_id, member.member_id)
            except SENDING_FAILED as missing:
                gone = is_code(missing, UNKNOWN_MEMBER)
        if gone:
            await self.member_gone(table.server_id, member.member_id)

    async def _show_again(self, table: TableState, member_id: int) -> None:
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
            view, attachments = await self._own_view(table, member_id, set(), outside=outside)
            try:
                await interaction.edit_original_response(view=view, **attachments)
            except SENDING_FAILED as failed:
                log.info("the own view of %s is not edited any more: %s", member_id, failed)
                self._own.pop(key, None)

    async def _own_view(
        self,
        table: TableState,
        member_id: int,
        there: set[str],
        *,
        outside: bool,
        hidden: bool = False,
        note: str | None = None,
    ) -> tuple[discord.ui.LayoutView, dict[str, Any]]:
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
            unreachable=member_id in boards_of(self.bot).unreachable,
        )
        if drawing is None:
            return view, {"attachments": []}
        return view, {} if drawing.name in there else {"attachments": [drawing.file()]}

    def _lock(self, table_id: int, member_id: int) -> asyncio.Lock:
        """Held while a member's own view of a table is edited by its token: one edit after another."""
        lock = self._locks.get((table_id, member_id))
        if lock is None:
            lock = self._locks[table_id, member_id] = asyncio.Lock()
        return lock

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("a message about a hand failed")


def _is_own(interaction: Interaction) -> bool:
    """Whether what was pressed on is a member's own view: a direct message, or one only he sees."""
    message = interaction.message
    return message is not None and (interaction.guild_id is None or message.flags.ephemeral)


def _attached(interaction: Interaction) -> set[str]:
    """The names of the files that the pressed message has."""
    return {file.filename for file in interaction.message.attachments} if interaction.message else set()


def hands_of(bot: GnauBot) -> Hands:
    """The hands of this bot's tables: the same for every cog."""
    return bot.shared(Hands, lambda: Hands(bot))
