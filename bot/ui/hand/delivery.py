"""Sends hands by direct message to those who use no panel, and notes whose messages are closed.

A member who used a panel before the deal and presses nothing after it may have dismissed it, of which
Discord tells nothing: their hand comes by message too, a while later.

A hand takes the place of the one before it, so that few messages are unread. A message that fails never
holds up a round: hands are on disk before the first is sent, and *My hand* shows them at any time. A hand
whose turn has not come when its round is over is not sent any more. No hand or result is sent that its member
has surely seen on a panel: *Fairness* and `/round show` have it too.
"""

import asyncio
import logging
from typing import Any, Final

import discord
from cachetools import LRUCache

from bot.croupier.open_tables import TableChanged
from bot.ledger.changes import DirectChannel, Identity
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import is_recent
from bot.table.commands import MemberLeft
from bot.table.events import BankPassed, DiceRolled, HandsDealt, RoundCalledOff, RoundSettled, TableClosed
from bot.table.state import Phase, TableState
from bot.ui.board.boards import Boards
from bot.ui.components import button, row, text_view
from bot.ui.hand.buttons import keep_bank
from bot.ui.hand.content import is_dealt_by_message
from bot.ui.hand.own_hand import WhySent
from bot.ui.hand.panels import HandPanels
from bot.ui.hand.pressed_message import SentHand
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.errors import (
    GONE,
    LEFT_SERVER,
    MESSAGES_CLOSED,
    NO_SHARED_SERVER,
    SENDING_FAILED,
    is_code,
    log_failure,
    nonce,
)
from bot.ui.services import Services
from bot.wire.intake import message_of
from bot.wire.requests import Content, Interaction, newest_messages, post
from bot.words.translation import speaking_to, translate

log = logging.getLogger(__name__)

CLOSED_SECONDS: Final = 24 * 60 * 60
"""How long a member with closed messages is not tried again, unless they ask for it."""
GRACE_SECONDS: Final = 10.0
"""How long a hand may be on its way to Discord when its round is over."""
LOOK_SECONDS: Final = 20.0
"""How long after the deal the hand of who presses nothing is only on their panel; half the time at most."""
MOST_LOOKED_AT: Final = 10
"""How many direct messages the newest hand is looked for in."""
TOLD_KEPT: Final = 10_000
"""Of how many members and tables it is known what they were told once."""
RETRY_SECONDS: Final = (1.0, 4.0)
"""The pauses before a hand that could not be sent is tried again."""


class HandDelivery:
    """Sends hands."""

    def __init__(self, services: Services, boards: Boards, panels: HandPanels) -> None:
        self._services = services
        self._croupier = services.croupier
        self.stand_back = services.stand_back
        self._boards = boards
        self._panels = panels
        panels.on_lost = self._send_too
        self._on_the_way: dict[tuple[int, int, int], asyncio.Task[None]] = {}
        self._being_posted: set[asyncio.Task[Any]] = set()
        # Whose messages may have hands of these tables from before this process started.
        self._not_looked_at = {
            (table.table_id, party) for table in self._croupier.tables.all() for party in table.parties
        }
        # Who was told that a bank has come to them: once at each table is enough for who is there.
        self._told_of_bank = LRUCache[tuple[int, int], bool](TOLD_KEPT)
        # Whose first message at a table said why it comes.
        self._told_why = LRUCache[tuple[int, int], bool](TOLD_KEPT)
        self._croupier.listeners.add(self._on_dealt, of=(HandsDealt,))
        self._croupier.listeners.add(self._on_bank_came, of=(BankPassed, DiceRolled))
        self._croupier.listeners.add(self._withdraw_hands, of=(RoundSettled, RoundCalledOff, TableClosed))

    def send_again(self) -> None:
        """Sends the hands that were dealt when the bot stopped; Discord drops those it has already."""
        for table in self._croupier.tables.all():
            if table.phase is Phase.DEALT:
                self._send_hands(table)

    async def retry(self, interaction: Interaction, table: TableState) -> None:
        """Forgets that the member's messages were closed: the next deal tries again."""
        party = self._croupier.identities.known(table.server_id, interaction.user.id)
        self._boards.unreachable.discard(party)
        identity = self._croupier.identities.get(party)
        if identity is not None:
            await self._remember(identity, None)
        self._boards.refresh(table.table_id)
        await self._panels.show(interaction, table)

    def _on_dealt(self, change: TableChanged) -> None:
        if change.after.phase is Phase.DEALT:
            self._send_hands(change.after)

    def _on_bank_came(self, change: TableChanged) -> None:
        """Tells whom a bank that goes round comes to for the first time, and who has to press to keep it."""
        table = change.after
        if table.bank is None:
            return
        told = table.table_id, table.bank.party
        has_passed = any(isinstance(event, BankPassed) for event in change.events)
        is_awaited = self._croupier.attention.awaited_banker(table) == table.bank.party
        if is_awaited or (has_passed and told not in self._told_of_bank):
            self._told_of_bank[told] = True
            self._services.tasks.start(self.tell_banker(table, table.bank.party), "bank-handover")

    def _send_hands(self, table: TableState) -> None:
        """Sends all members their hands, where the house does."""
        holders = [seat.party for seat in table.members if seat.pieces]
        if table.bank is not None and table.bank.pieces and not table.house_banks:
            holders.append(table.bank.party)
        for party in holders:
            self._send_if_needed(table, party)
        seconds = min(LOOK_SECONDS, table.rules.arranging_seconds / 2)
        loop = asyncio.get_running_loop()
        loop.call_later(seconds, self._send_to_absent, table.table_id, table.round_number)

    def _send_too(self, table: TableState, party: int) -> None:
        """Sends a hand, if needed, that is on a panel which its member may not see any more.

        Who has pressed something since the deal has seen it.
        """
        if party not in self._croupier.attention.of(table.table_id).present:
            self._send_if_needed(table, party, WhySent.PANEL_UNSEEN)

    def _send_if_needed(self, table: TableState, party: int, why: WhySent = WhySent.FIRST) -> None:
        """Sends a hand in the background, if the house sends hands and its member has it nowhere else."""
        hand = table.table_id, table.round_number, party
        if not is_dealt_by_message(table) or hand in self._on_the_way:
            return
        self._panels.begin_hand(table, party)
        if not self._panels.shows_hand(table, party):
            task = self._services.tasks.start(self._send_hand(table, party, why), "hand-delivery")
            self._on_the_way[hand] = task
            task.add_done_callback(lambda _: self._on_the_way.pop(hand))

    def _send_to_absent(self, table_id: int, round_number: int) -> None:
        """Sends hands that are on panels to those who have pressed nothing since the deal."""
        table = self._croupier.tables.get(table_id)
        if table is None or table.phase is not Phase.DEALT or table.round_number != round_number:
            return
        present = self._croupier.attention.of(table_id).present
        for place in (*table.members, table.bank):
            if place is not None and place.pieces and not place.revealed and place.party not in present:
                was_shown = self._panels.shows_hand(table, place.party)
                self._panels.doubt(table, place.party)
                self._send_if_needed(table, place.party, WhySent.PANEL_UNSEEN if was_shown else WhySent.FIRST)

    def _withdraw_hands(self, change: TableChanged) -> None:
        """Stops sending hands of rounds that are over: they wait for their turn, a retry or a rate limit.

        A request that Discord may have got already is not cut off at once: it says which message to edit.
        """
        table = change.after
        for (table_id, round_number, _), task in self._on_the_way.items():
            over = table.phase is not Phase.DEALT or table.round_number != round_number
            if table_id == table.table_id and over:
                if task in self._being_posted:
                    asyncio.get_running_loop().call_later(GRACE_SECONDS, task.cancel)
                else:
                    task.cancel()

    async def _send_hand(self, table: TableState, party: int, why: WhySent) -> None:
        """Sends one member their hand, or has the board point them to *My hand*."""
        now = self._croupier.now()
        identity = self._croupier.identities.get(party)
        if identity is None:
            log.error("nobody is known as party %s, so their hand was not sent", party)
            return
        await self.stand_back()
        known = await self._known(identity)
        if self._has_closed(known):
            self._mark(table, party, reached=False)
            return
        channel_id = known.channel_id
        for pause in (*RETRY_SECONDS, None):
            try:
                if channel_id is None:
                    channel_id = await self._open_channel(identity)
                if self._panels.shows_hand(table, party):
                    # They looked at it meanwhile.
                    return
                if not await self._send(channel_id, table, identity, why):
                    return
            except (*SENDING_FAILED, LedgerUnavailable) as failed:
                closed = is_code(failed, *MESSAGES_CLOSED)
                if closed or pause is None:
                    log.info("no hand could be sent to party %s: %s", party, failed)
                    self._mark(table, party, reached=False)
                    if closed:
                        await self._remember(identity, channel_id, now)
                        await self._check_membership(identity, failed)
                    return
                if is_code(failed, *GONE):
                    channel_id = None
                await asyncio.sleep(pause)
            else:
                self._mark(table, party, reached=True)
                if known.closed_since is not None:
                    await self._remember(identity, channel_id)
                return

    async def tell_banker(self, table: TableState, party: int) -> None:
        """Tells a member who uses no panel that they bank now, where the house sends hands."""
        identity = self._croupier.identities.get(party)
        if identity is None or not is_dealt_by_message(table) or self._panels.shows_hand(table, party):
            return
        await self.stand_back()
        with speaking_to(self._services.readers.of_member(identity)):
            words = [translate("reply.bank_is_yours", table=table.number), f"<#{table.channel_id}>"]
            look = button(Press(PressAction.HAND, table.table_id, ANY_ROUND), translate("menu.hand"))
            if self._croupier.attention.awaited_banker(table) == party:
                words, look = [*words, translate("panel.keep_bank")], keep_bank(table)
            give_up = button(
                Press(PressAction.GIVE_UP, table.table_id, ANY_ROUND), translate("button.give_up")
            )
            content = Content([*text_view(" ".join(words)), row(look, give_up)])
        await self.send_message(identity, content, nonce("bank", table.table_id, table.sequence, party))

    async def send_message(self, identity: Identity, content: Content, same: str) -> bool:
        """Sends a member a message that may be lost; returns False if theirs are closed.

        Args:
            same: the nonce, by which Discord drops the second of two equal messages.
        """
        known = await self._known(identity)
        if self._has_closed(known):
            return False
        channel_id = known.channel_id
        try:
            channel_id = channel_id or await self._open_channel(identity)
            await post(self._services.client, channel_id, content, same)
        except SENDING_FAILED as failed:
            if is_code(failed, *MESSAGES_CLOSED):
                await self._remember(identity, channel_id, self._croupier.now())
                return False
            log_failure(log, failed, "party %s may not have got a message", identity.party)
        return True

    async def forget_closed(self, identity: Identity) -> None:
        """Forgets that a member's messages were closed: the next one is tried again."""
        if (known := await self._known(identity)).closed_since is not None:
            await self._remember(identity, known.channel_id)

    async def _known(self, identity: Identity) -> DirectChannel:
        """What is known of how to reach a member: nothing if it cannot be read now."""
        nothing = DirectChannel(identity.user_id)
        try:
            return await self._croupier.ledger.direct_channels.of(identity.user_id) or nothing
        except LedgerUnavailable as failed:
            log_failure(log, failed, "how to reach party %s could not be read", identity.party)
            return nothing

    def _has_closed(self, known: DirectChannel) -> bool:
        """Whether a member's messages were closed lately."""
        since = known.closed_since
        return since is not None and is_recent(since, CLOSED_SECONDS, self._croupier.now())

    async def _open_channel(self, identity: Identity) -> int:
        """The channel of direct messages to a member, asked of Discord and stored."""
        channel = await self._services.client.create_dm(discord.Object(identity.user_id))
        await self._remember(identity, channel.id)
        return channel.id

    async def _remember(
        self, identity: Identity, channel_id: int | None, closed_since: float | None = None
    ) -> None:
        """Stores how to reach a member, unless they were erased meanwhile.

        Their hand is sent also if that fails: the next one finds out again.
        """
        if self._croupier.identities.is_closed(identity.party):
            return
        try:
            await self._croupier.ledger.record(DirectChannel(identity.user_id, channel_id, closed_since))
        except LedgerUnavailable as failed:
            log_failure(log, failed, "how to reach party %s could not be stored", identity.party)

    async def _send(self, channel_id: int, table: TableState, identity: Identity, why: WhySent) -> bool:
        """One try to send a hand; by the nonce, Discord drops the second if the first arrived.

        Returns:
            Whether a message has it: not if its member has revealed it elsewhere, such as before a restart.
        """
        party = identity.party
        sending = asyncio.current_task()
        assert sending is not None
        self._being_posted.add(sending)
        try:
            # The deal is somebody else's click, in their language.
            with speaking_to(self._services.readers.of_member(identity)):
                await self._look_for_earlier(channel_id, table, party)
                if await self._panels.bring_in_place(table, party):
                    return True
                if (place := table.place_of(party)) is None or place.revealed:
                    return False
                is_told = why is WhySent.FIRST and (table.table_id, party) in self._told_why
                why_sent = None if is_told else why
                content = await self._panels.render_hand(table, party, why_sent)
            same = nonce("hand", table.table_id, table.round_number, party)
            posted = await post(self._services.client, channel_id, content, same)
        finally:
            self._being_posted.discard(sending)
        hand = SentHand(table.round_number, channel_id, posted.message_id)
        if why is WhySent.FIRST:
            self._told_why[table.table_id, party] = True
        self._panels.sent(table, party, hand, content if posted.is_as_sent else None, why_sent)
        return True

    async def _look_for_earlier(self, channel_id: int, table: TableState, party: int) -> None:
        """Finds the message with the member's newest hand, once for who was at the table at the start.

        The process before this one, or beside it, may have brought this hand there: no nonce tells.
        """
        if (table.table_id, party) not in self._not_looked_at:
            return
        self._not_looked_at.discard((table.table_id, party))
        try:
            messages = await newest_messages(self._services.client, channel_id, MOST_LOOKED_AT)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the messages of party %s could not be read", party)
            return
        self._panels.find(table, party, channel_id, map(message_of, messages))

    def _mark(self, table: TableState, party: int, *, reached: bool) -> None:
        """Notes on board and panel who must use *My hand*, and who need not any more."""
        unreachable = self._boards.unreachable
        if reached == (party in unreachable):
            (unreachable.discard if reached else unreachable.add)(party)
            self._boards.refresh(table.table_id)
            self._panels.refresh(self._croupier.tables.get(table.table_id) or table, party)

    async def _check_membership(self, identity: Identity, failed: Exception) -> None:
        """Takes a member who left the server from its tables (B06): no event tells of it."""
        left = is_code(failed, NO_SHARED_SERVER)
        if not left:
            try:
                await self._services.client.http.get_member(identity.server_id, identity.user_id)
            except SENDING_FAILED as missing:
                left = is_code(missing, *LEFT_SERVER)
        if left:
            await self._member_left(identity.server_id, identity.party)

    async def _member_left(self, server_id: int, party: int) -> None:
        await self._croupier.bank_queue.leave_all(party)
        for table in self._croupier.tables.concerning(server_id, party):
            key = f"{table.table_id}:{table.sequence}:gone:{party}"
            await self._croupier.ask(table.table_id, MemberLeft(party), None, key)
