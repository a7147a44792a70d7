"""One message that shows a member their own hand, bet and chips, or their side bets, and how it stays true.

It is edited by the token of its newest press, which is free, whenever it would say something else. Before
that token ends, the message is given a form that stays true. A direct message with a hand is also edited
without a token, which costs: when its round is over, for the next hand, or when its member leaves the table.
"""

import asyncio
import logging
import time
from collections import deque
from dataclasses import replace
from typing import Final

import discord

from bot.clock import steady_time
from bot.ledger.records import is_recent
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Departure, LeaveReason, Phase, PlayerResult, RoundResult, TableState
from bot.ui.board.results import played_by
from bot.ui.components import is_framed
from bot.ui.following import FAR_UP, CostlyEdits
from bot.ui.hand.content import NO_FILES, PanelContent
from bot.ui.hand.own_hand import PanelMemory, WhySent, not_announced, rounds_told
from bot.ui.hand.pressed_message import SentHand
from bot.ui.hand.side_bets import resting_backing_view
from bot.ui.press.arrivals import Arrival, Kind, note_private_reply, put_reply_away, token_lives
from bot.ui.press.errors import (
    SENDING_FAILED,
    TOO_MANY_REQUESTS,
    TOO_OLD_TO_EDIT,
    UNKNOWN_MESSAGE,
    is_code,
    is_invalid_body,
    is_outage,
    log_failure,
)
from bot.ui.services import Services
from bot.wire.intake import PressedMessage, pressed
from bot.wire.requests import Content, Interaction, Response, edit, edit_response, follow_up
from bot.words.translation import Reader, speaking_to

log = logging.getLogger(__name__)

KEPT_ABOVE: Final = 2
"""Of how many messages before it the results stay, above it in the channel. It replies to the last of them:
were that deleted, Discord's client would say so above the panel."""
ROUNDS_IN_A_MESSAGE: Final = 8
"""How many rounds a direct message tells of; a new message has the next one."""
OLDEST_SECONDS: Final = 50 * 60
"""The age up to which a direct message takes another round: Discord caps edits after an hour."""


class Panel:
    """A member's panel in a channel or in direct messages, or the direct message with their hand.

    Args:
        hand: the direct message, if it brought a hand: the newest that it brought.
        departed: how the member lost their last place at the table, if they did.

    Attributes:
        table: the table as it is now.
        editing: held while the message is edited.
        is_newest: whether no newer message has the member's hand; if not, it is edited a last time.
        is_passed: whether the member has played a later hand elsewhere, and its buttons are there.
        about_side_bets: whether it shows the page for side bets, which is for members without a place.
        backed: the player whose hand the member picked to back there.
        earlier: what the message keeps of the rounds of earlier hands; a text, if they were before a restart.
        why_sent: what the message says about why it was sent, if anything.
        beyond: rounds that its member played on another panel, and that the message has no room for.
        is_resting: whether its token ends soon, so that it gets a form that stays true.
        is_over: whether it is edited no more.
        is_stuck: whether edits of it failed, until one works again.
        rest_timer: lets it rest in time.
        pressed_at: when its member pressed something on it, or opened it, by `steady_time`.
        is_watched: whether its member looks at it: they have opened it or pressed something on it, and while
            hands were dealt nothing elsewhere since, such as *Reveal* on the board; until its token ends.
        messages_below: how many messages for everybody have come after it.
        was_in_use: as `is_in_use`, when the last round ended.
        deadline_near_in: the round in which half the time to bet is over, and its member is still to bet.
        changes: counts what it may have to show.
    """

    def __init__(
        self,
        services: Services,
        content: PanelContent,
        costly: CostlyEdits,
        table: TableState,
        party: int,
        hand: SentHand | None = None,
        *,
        departed: Departure | None = None,
    ) -> None:
        self.table = table
        self.party = party
        self.hand = hand
        self.editing = asyncio.Lock()
        self.is_newest = True
        self.is_passed = False
        self.about_side_bets = False
        self.backed: int | None = None
        self.earlier: tuple[RoundResult | str, ...] = ()
        self.beyond: tuple[RoundResult, ...] = ()
        self.is_resting = self.is_over = self.is_stuck = False
        self.why_sent: WhySent | None = None
        self.rest_timer: asyncio.TimerHandle | None = None
        self.changes = 1
        self.was_in_use = self.is_watched = False
        self.messages_below = 0
        self.deadline_near_in: int | None = None
        self._deadline_told_in: int | None = None
        self.pressed_at = self._over_at = 0.0
        self._last_round = None if table.last is None else table.last.round_number
        self._services = services
        self._content = content
        self._costly = costly
        self._response: Response | None = None
        self._note: tuple[object, str | None] = None, None
        self._shown = 0
        self._shown_stage: object = None
        self._layout: object = None
        # The table after the round of the hand that the message brought.
        self._settled: TableState | None = None
        # The table after the round of the side bets whose result the page for them shows.
        self._backed_in: TableState | None = None
        self._left = departed
        self._menu_uses = 0
        self._files = NO_FILES
        self._goes_below = False
        # The round whose result stays where the message was before.
        self._told_above: int | None = None
        # Where it was before, above it in the channel.
        self._above = deque[Response]()
        self._turned = asyncio.Event()
        self._turned.set()

    @property
    def _is_in_server(self) -> bool:
        """Whether it is a private reply in a channel, and no direct message."""
        return self._response is not None and self._response.interaction.guild_id is not None

    @property
    def table_id(self) -> int:
        """Which table it shows."""
        return self.table.table_id

    def change(self, table: TableState) -> None:
        """Notes that the table, or something shown beside it, has changed."""
        gone = not_announced(self.table, self.party)
        is_new_deal = table.phase is Phase.DEALT and self.table.phase is not Phase.DEALT
        departed = next((gone for gone in table.departures if gone.party == self.party), None)
        asked = self._left is not None and self._left.leave_reason in (
            LeaveReason.ASKED,
            LeaveReason.OWN_LIMIT,
        )
        if table.concerns(self.party) or (is_new_deal and asked):
            self._left = None
        elif departed is not None:
            # Who did not ask to go reads why, whenever they look.
            self._left = departed
        elif gone is not None:
            self._left = gone
        if self.table.phase is Phase.DEALT and table.phase is not Phase.DEALT:
            self.was_in_use = self.is_in_use
            self._over_at = steady_time()
        self._note_result(table)
        self.about_side_bets = self.about_side_bets and not table.has(self.party)
        self._note_side_bets(table)
        self.table = table
        self.changes += 1

    def _note_result(self, table: TableState) -> None:
        """Keeps what a round brought; at first the bank's hand is face down, if the member has played.

        Who looks at the board has seen it there.
        """
        last = table.last
        if self.hand is not None and last is not None:
            has_played = last.round_number != self._last_round and played_by(last, self.party) is not None
            if last.round_number == self.hand.round_number:
                self._settled = table
            elif has_played:
                # Its hand was on another panel.
                self.is_passed = True
                if self._has_room(self._earlier_by(table)):
                    self.earlier = (*self.earlier, last)
                else:
                    self.beyond = (*self.beyond, last)[-ROUNDS_IN_A_MESSAGE:]
        if table.phase in (Phase.DEALT, Phase.CLOSED):
            self._turned.set()
        elif table.last is not None and table.last.round_number != self._last_round:
            played = played_by(table.last, self.party)
            is_player = isinstance(played, PlayerResult) and not self.about_side_bets
            if self.is_watched and is_player:
                self._turned.clear()
        self._last_round = None if table.last is None else table.last.round_number

    def _note_side_bets(self, table: TableState) -> None:
        """Keeps what side bets brought until the member places the next one, or leaves the page."""
        if table.side_bets_of(self.party) or not self.about_side_bets:
            self._backed_in = None
        elif table.last is not None and any(side.party == self.party for side in table.last.side_bets):
            self._backed_in = table

    @property
    def bank_hidden(self) -> bool:
        """Whether the bank's hand of the last round is still face down: the member sees it last."""
        return not self._turned.is_set()

    def turn_bank(self) -> None:
        """Shows the bank's hand of the last round, and what it brought."""
        self._turned.set()
        self.changes += 1

    async def until_turned(self) -> None:
        """Returns once the bank's hand is face up."""
        await self._turned.wait()

    def note_press(self, at: float) -> None:
        """Notes that the member has pressed something on it, so that they see it."""
        self.pressed_at, self.is_watched = at, True

    def note_press_elsewhere(self) -> None:
        """Notes that the member has pressed something elsewhere: with hands dealt, they look there."""
        if self.table.phase is Phase.DEALT:
            self.is_watched = False

    def go_below(self, *, with_board: bool) -> None:
        """Lets its next edit be a new message, if many are below; not if it comes below its board."""
        self._goes_below = not with_board and self.messages_below > FAR_UP and self._may_go_below

    def count_message(self) -> bool:
        """Counts a message below it; returns whether a hand is out of sight now that is to be revealed."""
        self.messages_below += 1
        place = self.table.place_of(self.party)
        is_dealt = place is not None and bool(place.pieces) and not place.revealed
        # Once, until it is there.
        return is_dealt and self.messages_below == FAR_UP + 1 and self._may_go_below

    @property
    def _may_go_below(self) -> bool:
        """Whether it is in a channel, and in use: who put it away has it no more."""
        return self._is_in_server and (self.was_in_use or self.is_in_use)

    def was_over_before(self, interaction: Interaction) -> bool:
        """Whether the last round was over before this was pressed."""
        return Arrival.of(interaction).at > self._over_at

    def menu_used(self) -> None:
        """Notes that the menu was used; a new number resets it in Discord's client."""
        self._menu_uses += 1
        self.changes += 1

    def note(self, note: str | None) -> None:
        """Notes what the panel says about the member's last press, until their place at the table changes."""
        self._note = self._stage(), note

    @property
    def is_live(self) -> bool:
        """Whether edits are free."""
        return self._response is not None and token_lives(self._response.interaction)

    @property
    def is_behind(self) -> bool:
        """Whether the message needs an edit, and can be edited."""
        if self.is_over or self._shown == self.changes:
            return False
        return self.is_live or (self.hand is not None and self.is_awaited)

    @property
    def is_lost(self) -> bool:
        """Whether its token has ended before it could be given a form that stays true."""
        return self._response is not None and not self.is_live and self.hand is None

    @property
    def is_awaited(self) -> bool:
        """Whether the member waits for what has changed: it is not only about others."""
        return self._stage() != self._shown_stage

    @property
    def is_open(self) -> bool:
        """Whether it is edited with each change, which is free."""
        return self.is_live and not (self.is_over or self.is_resting or self.is_stuck)

    @property
    def is_in_use(self) -> bool:
        """Whether the member surely sees it: they have pressed something on it since the last round ended."""
        return self.is_open and self.pressed_at > self._over_at

    @property
    def _has_buttons(self) -> bool:
        """Whether no newer message or panel has the buttons."""
        return self.is_newest and not self.is_passed

    def has_hand_of(self, table: TableState) -> bool:
        """Whether the message brought the hand that is being played there."""
        return (
            self.hand is not None
            and table.phase is Phase.DEALT
            and table.round_number == self.hand.round_number
        )

    def can_bring(self, table: TableState) -> bool:
        """Whether the direct message can bring the next hand too, and keep the result of the one before.

        A hand whose round was called off stays: nothing else shows what it was.
        """
        if self.hand is None or not self.is_newest or self.is_over:
            return False
        if self.has_hand_of(table):
            return True
        return self._settled is not None and self._has_room(self._earlier_by(table))

    def _has_room(self, told: tuple[RoundResult | str, ...]) -> bool:
        """Whether the direct message can tell of one more round, and is edited for long enough."""
        assert self.hand is not None
        posted_at = discord.utils.snowflake_time(self.hand.message_id).timestamp()
        return is_recent(posted_at, OLDEST_SECONDS, time.time()) and rounds_told(told) < ROUNDS_IN_A_MESSAGE

    async def bring(self, table: TableState) -> bool:
        """Brings the member the hand that is being played, in place of the one before.

        Returns:
            Whether the message is still there, and Discord takes edits of it.

        Raises:
            One of `SENDING_FAILED`: if it may work another time.
        """
        async with self.editing:
            assert self.hand is not None
            changes = self.changes
            memory = PanelMemory(self.party, earlier=self._earlier_by(table), why_sent=self.why_sent)
            content = await self._content.panel(table, memory, outside=True)
            try:
                await edit(self._services.client, self.hand.channel_id, self.hand.message_id, content)
            except SENDING_FAILED as failed:
                if not is_code(failed, UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT):
                    raise
                log.info("no other hand could be brought to party %s: %s", self.party, failed)
                return False
            self.begin_hand(table)
            self.shows(content, changes)
            if self.table.sequence != table.sequence:
                # What it shows is what was to be awaited before that.
                self._shown_stage = None
        return True

    def begin_hand(self, table: TableState) -> None:
        """Notes that the direct message brings the hand that is being played."""
        assert self.hand is not None
        self.earlier = self._earlier_by(table)
        self.is_passed = False
        if not self.has_hand_of(table):
            self.hand, self._settled = replace(self.hand, round_number=table.round_number), None

    def _earlier_by(self, table: TableState) -> tuple[RoundResult | str, ...]:
        """What the message keeps of rounds that it does not show otherwise, in their order."""
        told = [*self.earlier]
        if self._settled is not None and self._settled.last is not None and not self.has_hand_of(table):
            told.append(self._settled.last)
        # Between rounds the message shows the last one anyway.
        shown = None if table.phase is Phase.DEALT else table.last
        return tuple(sorted((one for one in told if one != shown), key=_number))

    async def wait_for_budget(self) -> None:
        """Waits for a turn if the edit costs; drops the edit if too many wait."""
        if not self.is_live and not await self._costly.turn():
            log.info("too many edits wait: a panel of table %s stays as it is", self.table_id)
            self._note_shown(self.changes, self._stage())

    async def render(
        self, answered: Interaction | None = None, present: frozenset[str] = NO_FILES
    ) -> Content:
        """What the message should show.

        Args:
            answered: the press or command that it answers, in whose language; None for an edit.
            present: the names of the files that the message has already.
        """
        table, hand = self.table, self.hand
        if self.about_side_bets:
            if self.is_resting:
                return Content(resting_backing_view(table))
            return await self._content.side_bets(table, self.party, self.backed, self._backed_in, present)
        response = answered or (self._response.interaction if self._response is not None else None)
        outside = response is None or response.guild_id is None
        follows = not self.is_resting and (answered is not None or self.is_live)
        if self.is_newest and (follows or self.has_hand_of(table)):
            stage, note = self._note
            if stage != self._stage():
                note = None
            memory = PanelMemory(
                self.party,
                left=self._left,
                note=note,
                earlier=self._earlier_by(table),
                menu_uses=self._menu_uses,
                bank_hidden=self.bank_hidden,
                brought_hand=hand is not None,
                why_sent=self.why_sent,
                tells_deadline=self._tells_deadline(is_answer=answered is not None),
                counts_revealed=follows,
            )
            return await self._content.panel(table, memory, present, outside=outside)
        if hand is None or self._is_forgotten(hand):
            if not self.is_newest:
                return self.moved()
            return self._content.resting(table, self.party, outside=outside)
        memory = PanelMemory(self.party, left=self._left, earlier=self.earlier, why_sent=self.why_sent)
        return await self._content.played_hand(
            table, memory, hand.round_number, self._settled, present, has_buttons=self._has_buttons
        )

    def _tells_deadline(self, *, is_answer: bool) -> bool:
        """Whether the message says when betting closes: with what comes anyway, or once that is near.

        So the first bet, which sets the time, costs no edit of every other panel. What is told stays.
        """
        if self.table.deadline is None:
            return False
        told_in = (self._deadline_told_in, self.deadline_near_in)
        return is_answer or self.is_awaited or self.table.round_number in told_in

    def is_in(self, interaction: Interaction) -> bool:
        """Whether it is in the direct message that was pressed."""
        message = pressed(interaction)
        if message is None or interaction.guild_id is not None or self._response is None:
            return False
        if self._response.message_id is not None:
            return message.id == self._response.message_id
        last = pressed(self._response.interaction)
        # The answer to a command, whose id is not known, is younger than the command.
        return message.id > self._response.interaction.id if last is None else message.id == last.id

    def replaces_pressed(self, interaction: Interaction) -> bool:
        """Whether it comes, or has come, in place of the panel in a server that was pressed."""
        message = pressed(interaction)
        if message is None or not message.is_private or interaction.guild_id is None:
            return False
        return not self._shown or (self.is_open and is_framed(message.components) and self._is_below(message))

    def _is_below(self, message: PressedMessage) -> bool:
        """Whether it is a newer private reply in a server than this one."""
        response = self._response
        assert response is not None
        if response.message_id is not None:
            return message.id < response.message_id
        last = pressed(response.interaction)
        # A new message, whose id is not known, is younger than what it answers.
        return message.id < (last.id if last is not None and last.is_private else response.interaction.id)

    def answered(self, response: Response, content: Content, changes: int) -> None:
        """Notes that the message answered a press, by whose token it is edited from now on.

        Args:
            changes: `changes` before it was rendered.
        """
        self._response = response
        # An edit of its last form may have come in between.
        self.is_resting = self.is_over = self.is_passed = False
        if self.table.phase is Phase.DEALT:
            # Who has just pressed it sees it where it is.
            self._goes_below = False
        if self.editing.locked():
            # An edit on its way may arrive after this answer, and show less: another follows it.
            self.changes += 1
        self.shows(content, changes, is_answer=True)

    def shows(self, content: Content, changes: int, *, is_answer: bool = False) -> None:
        """Notes what the message shows; `changes` as it was before that was rendered."""
        if self._tells_deadline(is_answer=is_answer):
            self._deadline_told_in = self.table.round_number
        self._layout, self.is_stuck = content.layout, False
        if content.files is not None:
            self._files = frozenset(file.name for file in content.files)
        self._note_shown(changes, self._stage())

    async def edit(self) -> None:
        """Brings the message up to date."""
        async with self.editing:
            reader = self._reader()
            if reader is None:
                self.is_over = True
            if reader is None or not self.is_behind:
                return
            if not self.is_live:
                # This edit costs, so there is one for the whole result.
                self._turned.set()
            if self._goes_below and await self._post_again():
                return
            # What happens from here on needs another edit.
            changes, stage, rests = self.changes, self._stage(), self.is_resting
            ends = self.table.phase is Phase.CLOSED or not self.is_newest
            # This runs for somebody else's click, so the reader is set here.
            with speaking_to(reader):
                content = await self.render(present=self._files)
            response = self._response
            if content.layout != self._layout and not await self._send(content):
                # A press may have brought a new token meanwhile.
                self.is_over = self._response is response
                return
            self.shows(content, changes)
            self._shown_stage = stage
            if rests and self.is_resting:
                self._response, self.is_resting = None, False
            # It may be put away by now.
            self.is_over |= ends or (self._response is None and self.hand is None)

    async def post_again(self) -> None:
        """Sends it again below what has come after it; of the messages before, the last results stay."""
        async with self.editing:
            await self._post_again()

    async def _post_again(self) -> bool:
        """As `post_again`; returns False if the message before is still to be edited."""
        # The bank's hand is turned where its member looks, before the message there tells the result.
        self._goes_below = self.bank_hidden
        before, reader = self._response, self._reader()
        if before is None or reader is None or not self.is_open or self.bank_hidden:
            return False
        changes, told = self.changes, self._last_round
        with speaking_to(reader):
            content, kept = await self.render(), self.moved()
        try:
            now = await follow_up(before.interaction, content)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the panel of party %s could not be sent again", self.party)
            return False
        if self._response is before:
            self._response, self.messages_below = now, 0
            self.shows(content, changes)
            note_private_reply(now, Kind.PANEL, self.put_away)
            self._told_above = told
            await put_reply_away(before, kept)
            self._above.append(before)
            if len(self._above) > KEPT_ABOVE:
                await put_reply_away(self._above.popleft())
        else:
            # A press on the message before was answered there meanwhile.
            await put_reply_away(now)
        return True

    def moved(self) -> Content:
        """What stays of a message that it is in no longer."""
        table, is_told = self.table, self._last_round == self._told_above
        return self._content.moved(table, self.party, with_last=not is_told, outside=not self._is_in_server)

    async def put_away(self) -> Content | None:
        """Ends its edits, because another panel takes its place; one on its way arrives first.

        Returns:
            What stays of it if it is not deleted; None once its member is erased.
        """
        self.is_over = True
        async with self.editing:
            if (reader := self._reader()) is None:
                return None
            with speaking_to(reader):
                return self.moved()

    async def _send(self, content: Content) -> bool:
        """Edits the message; returns False if Discord takes no edit of it any more."""
        response, hand = self._response, self.hand
        try:
            if response is not None and token_lives(response.interaction):
                await edit_response(response, content)
            elif hand is not None:
                await edit(self._services.client, hand.channel_id, hand.message_id, content)
        except SENDING_FAILED as failed:
            if is_invalid_body(failed) and self._files:
                # The picture that should be there already may be missing: it is sent the next time.
                self._files = NO_FILES
                raise
            if is_outage(failed) or getattr(failed, "status", None) == TOO_MANY_REQUESTS:
                raise
            log.info("the panel of party %s is not edited any more: %s", self.party, failed)
            return False
        return True

    def _reader(self) -> Reader | None:
        """Who reads the message; None once they are erased."""
        if self._response is not None:
            return self._services.readers.of_interaction(self._response.interaction, self.table.server_id)
        identity = self._services.croupier.identities.get(self.party)
        return None if identity is None else self._services.readers.of_member(identity)

    def _is_forgotten(self, hand: SentHand) -> bool:
        """Whether nothing is known of the hand's round any longer: it was dealt before the bot started."""
        last = self.table.last
        return self._settled is None and last is not None and last.round_number > hand.round_number

    def _note_shown(self, changes: int, stage: object) -> None:
        self._shown, self._shown_stage = changes, stage

    def _stage(self) -> object:
        """What the member must not wait for; without a token only what an edit is worth its cost for."""
        table = self.table
        place = table.place_of(self.party)
        if self.hand is not None and not self.is_live:
            over = not self.has_hand_of(table)
            return over, self._has_buttons, over and place is not None, table.phase is Phase.CLOSED
        bank = table.bank and table.bank.party
        can_deal = table.is_banker(self.party) and unmet_precondition(table, Action.DEAL) is None
        # On the page for side bets, members decide by when betting closes.
        closes = table.deadline if self.about_side_bets else None
        what = table.phase, table.round_number, bank, place, can_deal, closes
        return what, self.is_newest, self.bank_hidden


def _number(told: RoundResult | str) -> int:
    """The round of a result; 0 for a text of rounds before a restart."""
    return 0 if isinstance(told, str) else told.round_number
