"""Sends hands by direct message, and notes whose messages are closed.

A message that fails never holds up a round: hands are on disk before the first is sent, and *My hand* shows
them at any time.
"""

import asyncio
import logging
from typing import Final

import discord

from bot.croupier import Croupier, TableChanged
from bot.ledger.changes import DirectChannel
from bot.rules.knobs import Dealing
from bot.table.commands import MemberLeft
from bot.table.events import (
    BetPlaced,
    BetWithdrawn,
    HandsDealt,
    RoundSettled,
    SideBetPlaced,
    SideBetWithdrawn,
    TableClosed,
)
from bot.table.state import Member, Phase, TableState
from bot.ui.background_tasks import BackgroundTasks
from bot.ui.boards import Boards
from bot.ui.discord_errors import (
    MESSAGES_CLOSED,
    NO_SHARED_SERVER,
    SENDING_FAILED,
    UNKNOWN_CHANNEL,
    is_code,
    nonce,
)
from bot.ui.hand_panels import HandPanels
from bot.ui.replies import Interaction
from bot.words import DEFAULT_LOCALE, speaking

log = logging.getLogger(__name__)

UNKNOWN_MEMBER: Final = 10007
CLOSED_SECONDS: Final = 24 * 60 * 60
"""How long a member with closed messages is not tried again, unless they ask for it."""
RETRY_SECONDS: Final = (1.0, 4.0)
"""The pauses before a hand that could not be sent is tried again."""
_BETS: Final = (BetPlaced, BetWithdrawn, SideBetPlaced, SideBetWithdrawn)


class HandDelivery:
    """Sends hands.

    Args:
        client: the connection to Discord.
        croupier: hosts the tables.
        boards: show whose direct messages are closed.
        panels: show the hands.
    """

    def __init__(
        self, client: discord.Client, croupier: Croupier, boards: Boards, panels: HandPanels
    ) -> None:
        self._client = client
        self._croupier = croupier
        self._boards = boards
        self._panels = panels
        self._tasks = BackgroundTasks()
        self._sent: dict[tuple[int, int], int] = {}

    def open(self) -> None:
        """Listens to the croupier."""
        self._croupier.listen(self._on_change)

    async def close(self) -> None:
        """Cancels messages that wait."""
        await self._tasks.close()

    def send_again(self) -> None:
        """Sends the hands that were dealt when the bot stopped; Discord drops those it has already."""
        for table in self._croupier.tables.all():
            if table.phase is Phase.DEALT:
                self._send_hands(table)

    async def retry(self, interaction: Interaction, table: TableState) -> None:
        """Forgets that the member's messages were closed: the next deal tries again."""
        self._boards.unreachable.discard(interaction.user.id)
        await self._croupier.ledger.record(DirectChannel(interaction.user.id))
        self._boards.refresh(table.table_id)
        await self._panels.show(interaction, table)

    def _on_change(self, change: TableChanged) -> None:
        kinds = {type(event) for event in change.events}
        if HandsDealt in kinds and change.after.phase is Phase.DEALT:
            self._send_hands(change.after)
        if RoundSettled in kinds or TableClosed in kinds:
            self._panels.edit_all(change.after)
        elif change.after.bank is not None and not kinds.isdisjoint(_BETS):
            # The banker's panel counts the bets.
            self._panels.edit_soon(change.after, change.after.bank.member.member_id)
        if change.after.phase is Phase.CLOSED:
            for key in [key for key in self._sent if key[0] == change.after.table_id]:
                del self._sent[key]

    def _send_hands(self, table: TableState) -> None:
        """Shows all members their hands: by message, or on the panel they have open."""
        members = [seat.member for seat in table.seats if seat.pieces]
        if table.bank is not None and table.bank.pieces:
            members.append(table.bank.member)
        for member in members:
            if table.rules.dealing is Dealing.MY_HAND:
                self._panels.edit(table, member.member_id)
            elif self._sent.get((table.table_id, member.member_id)) != table.round_number:
                self._tasks.start(self._send_hand(table, member), "hand-delivery")

    async def _send_hand(self, table: TableState, member: Member) -> None:
        """Sends one member their hand, or has the board point them to *My hand*."""
        ledger, now = self._croupier.ledger, self._croupier.now()
        key = table.table_id, member.member_id
        known = (await ledger.direct_channels([member.member_id])).get(member.member_id)
        if known is not None and known.closed_since is not None and now - known.closed_since < CLOSED_SECONDS:
            self._mark(table, member, reached=False)
            self._panels.edit(table, member.member_id)
            return
        self._panels.forget(*key)
        channel_id = known.channel_id if known is not None else None
        for pause in (*RETRY_SECONDS, None):
            try:
                if channel_id is None:
                    channel_id = (await self._client.create_dm(discord.Object(member.member_id))).id
                    await ledger.record(DirectChannel(member.member_id, channel_id))
                await self._send(channel_id, table, member)
            except SENDING_FAILED as failed:
                closed = is_code(failed, *MESSAGES_CLOSED)
                if closed or pause is None or not self._is_still_dealt(table):
                    log.info("no hand could be sent to %s: %s", member.member_id, failed)
                    self._mark(table, member, reached=False)
                    if closed:
                        await ledger.record(DirectChannel(member.member_id, channel_id, now))
                        await self._check_membership(table, member, failed)
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

    async def _send(self, channel_id: int, table: TableState, member: Member) -> None:
        """One try to send a hand; by the nonce, Discord drops the second if the first arrived."""
        # The deal is somebody else's click: this message is not in their language.
        with speaking(DEFAULT_LOCALE):
            view, attachments = await self._panels.render(table, member.member_id, set(), outside=True)
        await self._client.get_partial_messageable(channel_id).send(
            view=view,
            files=attachments.get("attachments", []),
            nonce=nonce("hand", table.table_id, table.round_number, member.member_id),
        )

    def _mark(self, table: TableState, member: Member, *, reached: bool) -> None:
        """Notes on the board who must use *My hand*, and who need not any more."""
        unreachable = self._boards.unreachable
        if reached == (member.member_id in unreachable):
            (unreachable.discard if reached else unreachable.add)(member.member_id)
            self._boards.refresh(table.table_id)

    def _is_still_dealt(self, table: TableState) -> bool:
        """Whether the hands of that round are still face down."""
        now = self._croupier.tables.get(table.table_id)
        return now is not None and now.phase is Phase.DEALT and now.round_number == table.round_number

    async def _check_membership(self, table: TableState, member: Member, failed: Exception) -> None:
        """Takes a member who left the server from its tables (B06): no event tells of it."""
        left = is_code(failed, NO_SHARED_SERVER)
        if not left:
            try:
                await self._client.http.get_member(table.server_id, member.member_id)
            except SENDING_FAILED as missing:
                left = is_code(missing, UNKNOWN_MEMBER)
        if left:
            await self._member_left(table.server_id, member.member_id)

    async def _member_left(self, server_id: int, member_id: int) -> None:
        for table in self._croupier.tables.concerning(server_id, member_id):
            key = f"{table.table_id}:{table.sequence}:gone:{member_id}"
            await self._croupier.ask(table.table_id, MemberLeft(member_id), None, key)
