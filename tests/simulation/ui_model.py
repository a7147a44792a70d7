"""Stands between a modelled Discord and the croupier, as the cogs do."""

import asyncio
from dataclasses import replace
from random import Random
from typing import Final

from bot.croupier import (
    ChannelNotAllowedError,
    ChannelTakenError,
    Croupier,
    ErasureRefused,
    Gift,
    GiftRefused,
    Gifts,
    Houses,
    MemberErasedError,
    NoSuchTableError,
    Privacy,
)
from bot.croupier.house_changes import HouseChange
from bot.croupier.houses import HouseChangedError, NoSuchDraftError
from bot.ledger.errors import LedgerError, LedgerUnavailable, MemberErased, TooLate, Unstorable
from bot.ledger.not_after import NotAfter
from bot.rules.wrong_rules import WrongRuleError
from bot.table.commands import MemberCommand, MemberLeft, PlayHouse, RollForBank, TakeBank
from bot.table.refusals import Refused
from bot.table.state import TableState
from bot.ui.press.late_interactions import LAST_SECONDS, TOKEN_SECONDS, YOUNG_SECONDS
from tests.simulation.discord_model import DiscordModel, Member, Press
from tests.simulation.disk import Trouble
from tests.simulation.erasure_check import ErasureCheck
from tests.simulation.event_check import EventCheck
from tests.simulation.messages_model import MessagesModel
from tests.simulation.press_replies import AllReplies, PressReplies, Reply
from tests.simulation.trace import Trace

DISCORD_SECONDS: Final = 3.0
"""How long Discord waits for a first response."""
TRUE: Final = (
    *(trouble.words for trouble in Trouble),
    "was deleted or replaced while it was open. Put it back, or restart the bot",
    "the ledger is closed",
    "the ledger's writer is gone",
)
"""How the errors of a ledger end that cannot be written: SQLite's, a lost file, or the end of the process."""


class UiModel:
    """Takes presses.

    Args:
        discord: Discord.
        trace: records what happens.
        replies: records the replies.
        random: decides who leaves before the reply.
        croupier: hosts the tables.
        houses: the house rules of every server.
        event_check: knows what happened at each table.
        erasure_check: knows who was erased.
        messages: sends boards and hands.

    Attributes:
        broken: what should not have happened.
        croupier: as given.
        event_check: as given.
    """

    def __init__(
        self,
        discord: DiscordModel,
        trace: Trace,
        replies: AllReplies,
        random: Random,
        croupier: Croupier,
        houses: Houses,
        event_check: EventCheck,
        erasure_check: ErasureCheck,
        messages: MessagesModel,
    ) -> None:
        self.broken: list[str] = []
        self.event_check = event_check
        self.croupier = croupier
        self._discord = discord
        self._trace = trace
        self._replies = replies
        self._random = random
        self._houses = houses
        self._erasures = erasure_check
        self._messages = messages
        self._do = messages.do
        self._gifts = Gifts(croupier)
        self._privacy = Privacy(croupier)

    async def ready(self) -> None:
        """Goes on where the bot stopped, as after every reconnect."""
        await self.croupier.go_on()
        await self.look_around()

    async def look_around(self) -> None:
        """Sends every board again, and winds up tables whose channel is gone."""
        for table in self.croupier.tables.all():
            if table.channel_id in self._discord.channels:
                self._messages.show(table)
            else:
                await self._do(self.croupier.wind_up([table]))

    async def take(self, press: Press, patience: int | None = None) -> None:
        """Carries out a press.

        Args:
            press: what was pressed.
            patience: the steps of the loop after which the member stops waiting; None to wait for the answer,
                except now and then.
        """
        replies = self._replies.to(press)
        asking = asyncio.create_task(self._ask(press, replies))
        if patience is None and self._discord.trouble and self._random.random() < 0.05:
            patience = self._random.randrange(150)
        if patience is not None:
            for _ in range(patience):
                await asyncio.sleep(0)
            asking.cancel()
        try:
            await asyncio.wait([asking])
        except asyncio.CancelledError:
            self._reply(replies, Reply.UNKNOWN, "process gone")
            raise
        if asking.cancelled():
            self._reply(replies, Reply.UNKNOWN, "gone away")
        elif error := asking.exception():
            self.broken.append(f"{press} failed with {error!r}")

    async def channel_gone(self, channel_id: int) -> None:
        """Handles the deletion of a channel."""
        gone = [table for table in self.croupier.tables.all() if table.channel_id == channel_id]
        await self._do(self.croupier.wind_up(gone))

    async def server_gone(self, server_id: int) -> None:
        """Handles the removal of the bot from a server."""
        await self._do(self.croupier.wind_up(self.croupier.tables.of_server(server_id)))

    async def member_left(self, member: Member, key: str) -> None:
        """Handles the departure of a member."""
        party = self.croupier.identities.known(*member)
        for table in self.croupier.tables.concerning(member[0], party):
            asked = self.croupier.ask(table.table_id, MemberLeft(party), None, f"{key}:{table.table_id}")
            await self._do(asked)

    async def change_house(
        self, draft_id: int, member: Member, change: HouseChange, confirmed: list[int]
    ) -> None:
        """Changes house rules: draft, preview, and a confirmation that may come twice."""
        try:
            await self._houses.draft(draft_id, member[0], change)
            await asyncio.sleep(self._random.uniform(0.5, 10))
            for _ in range(self._random.choice([0, 1, 1, 1, 2])):
                await self._houses.confirm(draft_id, member[0], await self.party_of(member))
                confirmed += [draft_id]
        except (
            LedgerError,
            MemberErasedError,
            HouseChangedError,
            NoSuchDraftError,
            WrongRuleError,
        ) as failed:
            self._trace.note("house stays", draft_id, type(failed).__name__)

    async def show_wallet(self, member: Member) -> None:
        """Shows a member their chips, as `/wallet` does."""
        try:
            await self.croupier.purse(member[0], await self.party_of(member))
        except (LedgerError, MemberErasedError) as failed:
            self._trace.note("no wallet", failed)

    async def erase(self, member: Member) -> None:
        """Erases a member who asks for it, as `/privacy erase` does."""
        with self._erasures.request(member) as request:
            try:
                done = await self._privacy.erase(*member)
            except LedgerError as failed:
                self._trace.note("not erased", *member, failed)
                self._erasures.uncertain(request)
                return
            if isinstance(done, ErasureRefused):
                self._trace.note(done.code.value, *member)
                self._erasures.refused(request, done, self.croupier)
            else:
                self._trace.note("erased", *member, done)
                self._erasures.acknowledged(request, done, self.croupier)

    async def erase_noted(self) -> None:
        """Finishes erasures that failed, as the bot does every hour."""
        await self._do(self._privacy.erase_noted())

    async def party_of(self, member: Member) -> int:
        """The party of a member, who is new or is seen under another name now and then."""
        with self._erasures.press_by(member) as user:
            party = await self.croupier.identities.party_of(member[0], user)
        self._erasures.met(member, party)
        self._discord.parties[member] = party
        return party

    async def _ask(self, press: Press, replies: PressReplies) -> None:
        try:
            if press.receiver is not None:
                await self._give(press, press.receiver, replies)
                return
            if press.table_id is None or press.command is None:
                await self._open(press, replies)
                return
            known = self.croupier.tables.get(press.table_id)
            if known is None:
                raise NoSuchTableError
            party = await self.party_of((known.server_id, press.user_id))
            command = self._with_rules(replace(press.command, party=party), known)
            replies.met(command, self.event_check.past(press.table_id), self.croupier.now())
            until = self._not_after(press)
            answer = await self.croupier.ask(press.table_id, command, party, str(press.key), until)
            if isinstance(answer, Refused):
                self._reply(replies, Reply.REFUSED, answer.code.value)
                return
            self._reply(replies, Reply.DONE, type(press.command).__name__)
        except (
            NoSuchTableError,
            ChannelTakenError,
            ChannelNotAllowedError,
            MemberErasedError,
            MemberErased,
        ) as refused:
            self._reply(replies, Reply.REFUSED, type(refused).__name__)
            if isinstance(refused, NoSuchTableError):
                self._discord.boards.pop(press.channel_id, None)
        except TooLate as late:
            self._reply(replies, Reply.LATE, type(late).__name__)
        except LedgerError as failed:
            # A table whose failed write is on disk is known some seconds later.
            hidden = press.table_id is None and isinstance(failed, Unstorable)
            if not hidden and (not isinstance(failed, LedgerUnavailable) or not str(failed).endswith(TRUE)):
                self.broken.append(f"{press} failed with {failed!r}")
            self._reply(replies, Reply.UNKNOWN, str(failed))

    async def _open(self, press: Press, replies: PressReplies) -> None:
        server_id = self._discord.channels.get(press.channel_id)
        if server_id is None:
            return
        opener = await self.party_of((server_id, press.user_id))
        await self.croupier.open_table(
            server_id,
            press.channel_id,
            opener,
            press.key,
            press.game,
            press.play,
            not_after=self._not_after(press),
        )
        self._reply(replies, Reply.DONE, "OpenTable")

    async def _give(self, press: Press, receiver: int, replies: PressReplies) -> None:
        server_id = self._discord.channels.get(press.channel_id)
        if server_id is None:
            return
        giver = await self.party_of((server_id, press.user_id))
        gift = Gift(server_id, giver, await self.party_of((server_id, receiver)), press.chips)
        made = await self._gifts.give(gift, str(press.key), self._not_after(press))
        if isinstance(made, GiftRefused):
            self._reply(replies, Reply.REFUSED, "GiftRefused")
        else:
            self._reply(replies, Reply.DONE, "Gift")

    def _not_after(self, press: Press) -> NotAfter | None:
        """Until when a press may be carried out. Discord lets most be deferred that come in time.

        Raises:
            TooLate: at once, because Discord lets nothing be deferred any more.
        """
        if press.made is None:
            return None
        loop, made = asyncio.get_running_loop(), press.made
        until = NotAfter(made + LAST_SECONDS, loop.time)

        def defer() -> None:
            if loop.time() <= made + DISCORD_SECONDS and self._random.random() < 0.7:
                until.at = made + TOKEN_SECONDS

        if loop.time() > made + YOUNG_SECONDS:
            defer()
            if until.is_over:
                raise TooLate(str(press.key))
        else:
            loop.call_at(made + YOUNG_SECONDS, defer)
        return until

    def _with_rules(self, command: MemberCommand, known: TableState) -> MemberCommand:
        match command:
            case TakeBank() | RollForBank() | PlayHouse():
                return replace(command, rules=self.croupier.rules_for(known))
            case _:
                return command

    def _reply(self, replies: PressReplies, reply: Reply, what: str) -> None:
        replies.replies.append(reply)
        self._trace.note(reply.value, replies.press.key, what)
        self._trace.counts[what] += 1
