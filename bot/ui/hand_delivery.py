"""Brings everybody his hand by direct message, where the house does, and learns whom that does not reach.

A message that fails never holds up a round: the cards are on disk before the first is sent, and everybody may
look at his own behind "My hand" at any time.
"""

import asyncio
import logging
from typing import Final

import discord

from bot.client import GnauBot
from bot.croupier import TableChanged
from bot.ledger.changes import DirectChannel
from bot.rules.knobs import Dealing
from bot.table.commands import MemberLeft
from bot.table.events import HandsDealt, RoundSettled, TableClosed
from bot.table.state import Member, Phase, TableState
from bot.ui.background_tasks import Chores
from bot.ui.boards import boards_of
from bot.ui.discord_errors import (
    MESSAGES_CLOSED,
    NO_SHARED_SERVER,
    SENDING_FAILED,
    UNKNOWN_CHANNEL,
    is_code,
    nonce,
)
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction

log = logging.getLogger(__name__)

UNKNOWN_MEMBER: Final = 10007
CLOSED_SECONDS: Final = 24 * 60 * 60
"""Who could not be written to is not tried again for so long, unless he asks for it."""
RETRY_SECONDS: Final = (1.0, 4.0)
"""The pauses before a hand that could not be sent is tried again."""


class Hands:
    """Sends hands.

    Attributes:
        views: where members see them.
    """

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot
        self.views = own_views_of(bot)
        self._chores = Chores()
        self._sent: dict[tuple[int, int], int] = {}
        self._closed = False

    def open(self) -> None:
        """Listens to the croupier."""
        self.bot.croupier.listen(self._on_news)

    async def close(self) -> None:
        """Gives up messages that wait."""
        self._closed = True
        await self._chores.close()

    def send_again(self) -> None:
        """Sends the hands that were out when the bot stopped; Discord drops those it has already."""
        for table in self.bot.croupier.tables.all():
            if table.phase is Phase.DEALT:
                self._send_hands(table)

    async def try_messages(self, interaction: Interaction, table: TableState) -> None:
        """Forgets that the member could not be written to: with the next deal it is tried again."""
        boards_of(self.bot).unreachable.discard(interaction.user.id)
        await self.bot.croupier.ledger.record(DirectChannel(interaction.user.id))
        boards_of(self.bot).refresh(table.table_id)
        await self.views.show_own(interaction, table)

    async def member_left(self, server_id: int, member_id: int) -> None:
        """Gets a member up at every table of a server he has left (B06), and gives back his side bets."""
        for table in self.bot.croupier.tables.concerning(server_id, member_id):
            key = f"{table.table_id}:{table.sequence}:gone:{member_id}"
            await self.bot.croupier.ask(table.table_id, MemberLeft(member_id), None, key)

    def _on_news(self, news: TableChanged) -> None:
        if self._closed:
            return
        kinds = {type(event) for event in news.events}
        if HandsDealt in kinds and news.after.phase is Phase.DEALT:
            self._send_hands(news.after)
        if RoundSettled in kinds or TableClosed in kinds:
            self.views.keep_true(news.after)
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
                self._chores.begin(self.views.show_again(table, member.member_id))
            elif self._sent.get((table.table_id, member.member_id)) != table.round_number:
                self._chores.begin(self._send_hand(table, member))

    async def _send_hand(self, table: TableState, member: Member) -> None:
        """Sends one member his cards, or has the board tell him where to look."""
        ledger, now = self.bot.croupier.ledger, self.bot.croupier.now()
        key = table.table_id, member.member_id
        known = (await ledger.direct_channels([member.member_id])).get(member.member_id)
        if known is not None and known.closed_since is not None and now - known.closed_since < CLOSED_SECONDS:
            self._mark(table, member, reached=False)
            await self.views.show_again(table, member.member_id)
            return
        self.views.forget(*key)
        channel_id = known.channel_id if known is not None else None
        for pause in (*RETRY_SECONDS, None):
            try:
                if channel_id is None:
                    channel_id = (await self.bot.create_dm(discord.Object(member.member_id))).id
                    await ledger.record(DirectChannel(member.member_id, channel_id))
                await self._write(channel_id, table, member)
            except SENDING_FAILED as failed:
                closed = is_code(failed, *MESSAGES_CLOSED)
                if closed or pause is None or not self._is_still_out(table):
                    log.info("no hand could be sent to %s: %s", member.member_id, failed)
                    self._mark(table, member, reached=False)
                    if closed:
                        await ledger.record(DirectChannel(member.member_id, channel_id, now))
                        await self._see_who_is_gone(table, member, failed)
                    return
                if is_code(failed, UNKNOWN_CHANNEL):
                    channel_id = None
                await asyncio.sleep(pause)
            else:
                self._sent[key] = table.round_number
                self._mark(table, member, reached=True)
                if known is not None and known.closed_since is not None:
                    await ledger.record(DirectChannel(member.member_id, channel_id))
                return

    async def _write(self, channel_id: int, table: TableState, member: Member) -> None:
        """One try to send a hand: Discord drops the second of two by their nonce, if the first arrived."""
        view, attachments = await self.views.made(table, member.member_id, set(), outside=True)
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

    async def _see_who_is_gone(self, table: TableState, member: Member, failed: Exception) -> None:
        """Gets up who cannot be written to because he left the server (B06): no event tells of it."""
        gone = is_code(failed, NO_SHARED_SERVER)
        if not gone:
            try:
                await self.bot.http.get_member(table.server_id, member.member_id)
            except SENDING_FAILED as missing:
                gone = is_code(missing, UNKNOWN_MEMBER)
        if gone:
            await self.member_left(table.server_id, member.member_id)


def hands_of(bot: GnauBot) -> Hands:
    """The hands of this bot's tables: the same for every cog."""
    return bot.shared(Hands, lambda: Hands(bot))
