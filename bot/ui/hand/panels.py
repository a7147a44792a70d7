"""The messages that show members their own hands, and what makes them follow their table.

A member has at most four at a table: a panel in its channel, one for side bets there, a panel in direct
messages, and the direct message with the newest hand. A hand is sent unless they surely see one of
them: Discord does not say that they have dismissed a panel, or that their client has forgotten it.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import discord

from bot.croupier.open_tables import ChipsMoved, TableChanged
from bot.table.deadlines import is_cut_short
from bot.table.state import Departure, Phase, TableState
from bot.ui.board.boards import Boards
from bot.ui.components import texts_below, without_buttons
from bot.ui.following import GATHER_SECONDS, CostlyEdits, Following
from bot.ui.hand.content import NO_FILES, PanelContent
from bot.ui.hand.looking import Looks
from bot.ui.hand.message import Panel
from bot.ui.hand.own_hand import PanelMemory, WhySent, round_of_picture
from bot.ui.hand.pressed_message import (
    Place,
    SentHand,
    attached,
    is_old,
    is_older,
    is_on_panel,
    is_private,
    is_told_by,
    place_of,
    pressed_hand,
    rounds_in,
)
from bot.ui.press.arrivals import Arrival, Kind, note_private_reply, token_seconds_left, user_of
from bot.ui.press.custom_ids import Press
from bot.ui.press.errors import SENDING_FAILED, is_invalid_body, log_failure
from bot.ui.press.replies import replace_pressed, reply
from bot.ui.services import Services
from bot.wire.intake import PressedMessage
from bot.wire.requests import Content, Interaction, Response, defer_update, edit, respond
from bot.words.translation import translate

log = logging.getLogger(__name__)

QUIET_SECONDS: Final = 2.0
"""How long changes are gathered that the member does not wait for, such as somebody else's bet."""
TURN_SECONDS: Final = 1.5
"""How long after a round the bank's hand is turned on panels; nobody waits for it, and a press turns it.

The board, which members have beside their panel, tells the result once no panel hides it.
"""
REST_SECONDS: Final = 20.0
"""How long before its token ends a panel is given a form that stays true."""

Key = tuple[int, int | Place]
"""A party, and where its panel is."""


class HandPanels:
    """Shows members their panels, and keeps them true.

    Attributes:
        looks: what members have seen of the hands that they hold; `refresh` shows a change.
        on_lost: is told of a member who holds a hand, and whose panel cannot show it any more.
    """

    def __init__(self, services: Services, boards: Boards) -> None:
        self._services = services
        self._croupier = services.croupier
        self._boards = boards
        self.looks = Looks(services.croupier.identities)
        self._content = PanelContent(services, self.looks, boards.unreachable)
        self._costly = CostlyEdits()
        self._following = Following[Panel]("panel", services, self._idle)
        # Members who lost their place without asking to, until they have one again or back a player.
        self._departed: defaultdict[int, dict[int, Departure]] = defaultdict(dict)
        self._panels: dict[int, dict[Key, Panel]] = {}
        self.on_lost: Callable[[TableState, int], None] = lambda table, party: None
        self._croupier.listeners.add(self._on_change, self._on_chips)
        boards.on_moved = self._on_board_moved
        boards.until_result_may_show = self._until_turned

    async def update(self, interaction: Interaction, table: TableState) -> None:
        """Updates the message that was pressed: the board, or the member's own panel."""
        if self._boards.is_board(interaction, table.table_id):
            await self._boards.reply(interaction, table.table_id)
            # Now the board tells everybody what the round brought.
            for panel in list(self._of(table).values()):
                self._turn_bank(panel)
        elif is_private(interaction):
            await self.show(interaction, table)
        elif link := self._boards.link(table.table_id):
            await reply(interaction, translate("reply.done_board_moved", link=link))
        else:
            await reply(interaction, translate("reply.done"))

    async def show(
        self,
        interaction: Interaction,
        table: TableState,
        *,
        note: str | None = None,
    ) -> None:
        """Answers with the member's panel, in place of the panel that was pressed, if any.

        Args:
            note: a sentence about what the member just did, if any.
        """
        party = await self._croupier.identities.party_of(table.server_id, user_of(interaction))
        panels = self._panels.setdefault(table.table_id, {})
        newest, other = self._newest_hand(table, party), panels.get((party, Place.OTHER))
        earlier = ""
        is_other = other is not None and other.is_in(interaction)
        # A panel stays one, though a file in it is named like that of a hand.
        hand, message = (None, None) if is_other else pressed_hand(interaction, newest)
        if hand is not None and message is not None:
            if is_old(hand, newest, table):
                # Its result stays, without buttons, and a panel of its own follows.
                await replace_pressed(interaction, Content(without_buttons(message.components)))
                panel = self._new(table, party)
                panel.note(note)
                await self._show(interaction, table, panel, Place.OTHER, is_new=True)
                return
            earlier = texts_below(message.components)
        before = panels.get((party, place_of(interaction, hand)))
        if before is not None and before.replaces_pressed(interaction):
            before.note(note)
            await self._put_pressed_away(interaction, before)
            return
        is_there = is_on_panel(interaction) and before is not None and before.hand == hand
        if before is other:
            # Direct messages keep every panel.
            is_there = is_other
        panel = before if is_there and before is not None else self._new(table, party, hand)
        if earlier:
            panel.earlier = (earlier,)
        panel.about_side_bets = False
        panel.note(note)
        await self._show(interaction, table, panel, place_of(interaction, hand))

    async def show_side_bets(self, interaction: Interaction, table: TableState, backed: int | None) -> None:
        """Answers with the side bets on the member's panel, in place of the panel that was pressed, if any.

        Args:
            backed: the player whom they picked; None before they picked one.
        """
        party = await self._croupier.identities.party_of(table.server_id, user_of(interaction))
        place = place_of(interaction, None)
        before = self._of(table).get((party, place))
        is_replaced = before is not None and before.replaces_pressed(interaction)
        is_there = before is not None and (is_on_panel(interaction) or is_replaced)
        if place is Place.OTHER:
            # Direct messages keep every panel.
            is_there = before is not None and before.is_in(interaction)
        panel = before if is_there and before is not None else self._new(table, party)
        panel.about_side_bets, panel.backed = not table.has(party), backed
        if is_replaced:
            await self._put_pressed_away(interaction, panel)
            return
        await self._show(interaction, table, panel, place)

    async def _put_pressed_away(self, interaction: Interaction, newer: Panel) -> None:
        """Shows on the newer panel what a press on the one before it brought, and takes that one's buttons.

        They are still there because the press has just brought its member the bank, and that panel is put
        away once the newer one is there; or because Discord refused that, or got the press before.
        """
        is_left_over = newer.is_open
        self._note(newer, self._croupier.tables.get(newer.table_id) or newer.table)
        self._following.edit_soon(newer)
        if is_left_over:
            # The one before tells the result at once.
            newer.turn_bank()
            await replace_pressed(interaction, newer.moved())
        else:
            await defer_update(interaction)

    async def _show(
        self,
        interaction: Interaction,
        table: TableState,
        panel: Panel,
        place: int | Place,
        *,
        is_new: bool = False,
    ) -> None:
        """Answers with a panel, which follows its table from then on in place of the one that was there."""
        table = self._croupier.tables.get(table.table_id) or table
        panels, key = self._panels.setdefault(table.table_id, {}), (panel.party, place)
        private, before = is_private(interaction) and not is_new, panels.get(key)
        self._note(panel, table)
        panel.note_press(Arrival.of(interaction).at)
        if panel.bank_hidden and panel.was_over_before(interaction):
            panel.turn_bank()
        # From here on it is told of changes, also while it is rendered.
        panels[key], response = panel, None
        try:
            response = await self._answer(interaction, panel, private=private)
        finally:
            if response is None:
                self._put_back(panel, key, before)
        if response is None:
            return
        self._rest_in_time(interaction, panel)
        if panels.get(key) is panel:
            self._edit_soon(panel)
        elif interaction.guild_id is None:
            # Another answer came in between, and is the one that follows the table.
            self._let_rest(panel)
        if place is Place.HAND:
            if before is not None and before is not panel:
                before.is_newest = False
                self._change(before, table)
        elif interaction.guild_id is None:
            if before is not None and before is not panel:
                self._let_rest(before)
        else:
            # The panel that follows the table stays, though an older press may have asked for it.
            note_private_reply(response, Kind.PANEL, panel.put_away, is_newest=panels.get(key) is panel)

    def _put_back(self, panel: Panel, key: Key, before: Panel | None) -> None:
        """Lets the panel that was there follow its table again, since another could not be shown."""
        panels = self._of(panel.table)
        if panels.get(key) is panel:
            self._forget(panel)
            if before is not None:
                panels[key] = before

    async def _answer(self, interaction: Interaction, panel: Panel, *, private: bool) -> Response | None:
        """Answers with a panel; returns None if what was pressed is not changed."""
        changes = panel.changes
        present = attached(interaction) if private else NO_FILES
        content = await panel.render(interaction, present)
        # No lock is waited for before the first answer, which has 3 seconds.
        if private:
            try:
                is_there = await replace_pressed(interaction, content)
            except discord.HTTPException as failed:
                # An edit since the press may have taken the picture from the message.
                if not present or not is_invalid_body(failed):
                    raise
                is_there = await replace_pressed(interaction, await panel.render(interaction))
            if not is_there:
                return None
            response = Response(interaction)
        else:
            response = await respond(interaction, content)
        panel.answered(response, content, changes)
        return response

    async def render_hand(self, table: TableState, party: int, why_sent: WhySent | None) -> Content:
        """A member's hand as a direct message to send, in the words of the reader.

        Args:
            why_sent: what it says about why it is sent, if anything.
        """
        return await self._content.panel(table, PanelMemory(party, why_sent=why_sent), outside=True)

    def sent(
        self,
        table: TableState,
        party: int,
        hand: SentHand,
        content: Content | None,
        why_sent: WhySent | None = None,
    ) -> None:
        """Lets a direct message with a hand follow its table; the messages before it get their last form.

        Args:
            content: what it says; None if that is not known.
            why_sent: what it says about why it was sent, if anything.
        """
        panels = self._panels.setdefault(table.table_id, {})
        panel = self._new(table, party, hand)
        panel.why_sent = why_sent
        # Its round may be over.
        panel.change(table)
        if content is not None:
            panel.shows(content, panel.changes)
        now = self._croupier.tables.get(table.table_id) or table
        newest = panels.get((party, Place.HAND))
        if newest is not None and newest.hand is not None and newest.hand.message_id == hand.message_id:
            # Its member pressed something in it before Discord said that it is there.
            return
        if is_older(hand, self._newest_hand(table, party)):
            # It took longer than the one after it.
            panel.is_newest = False
            self._change(panel, now)
            return
        if newest is not None:
            # A round that was settled meanwhile is added below, as a change.
            added = now.last if now.last != table.last else None
            panel.earlier = tuple(
                one for one in newest.beyond if one.round_number != hand.round_number and one != added
            )
        for place in (Place.HAND, Place.OTHER):
            if (older := panels.pop((party, place), None)) is not None:
                older.is_newest = False
                self._change(older, table)
        panels[party, Place.HAND] = panel
        self._change(panel, now)

    def find(
        self, table: TableState, party: int, channel_id: int, messages: Iterable[PressedMessage]
    ) -> None:
        """Takes up the newest of these direct messages that has this hand or the last, if none is known.

        The others lose their buttons.

        Args:
            messages: the newest first.
        """
        panels, found = self._panels.setdefault(table.table_id, {}), False
        for message in messages:
            hands = [SentHand(number, channel_id, message.id) for number in rounds_in(message)]
            # Its heading names the channel, where there was another table before this one opened.
            of_table = message.id > table.table_id and f"<#{table.channel_id}>" in str(message.components)
            if not of_table or not hands:
                continue
            if found or not is_told_by(table, hands[0]):
                # It may be a panel, which shows a hand too.
                if (party, Place.OTHER) not in panels:
                    self._services.tasks.start(self._take_buttons(channel_id, message), "old-hand")
                continue
            found = True
            panel = self._new(table, party, hands[0])
            if earlier := texts_below(message.components):
                panel.earlier = (earlier,)
            panel.change(table)
            panels.setdefault((party, Place.HAND), panel)

    async def _take_buttons(self, channel_id: int, message: PressedMessage) -> None:
        """Takes the buttons from a direct message with an old hand, unless too many edits wait."""
        layout = without_buttons(message.components)
        if len(layout) == len(message.components) or not await self._costly.turn():
            return
        try:
            await edit(self._services.client, channel_id, message.id, Content(layout))
        except SENDING_FAILED as failed:
            log_failure(log, failed, "an old hand keeps its buttons")

    async def bring_in_place(self, table: TableState, party: int) -> bool:
        """Brings a member their hand in the direct message with the one before, in the words of the reader.

        Returns:
            Whether there is such a message; else the hand takes a new one.

        Raises:
            One of `SENDING_FAILED`: if it may work another time.
        """
        panel = self._of(table).get((party, Place.HAND))
        if panel is None or not panel.can_bring(table) or not await panel.bring(table):
            return False
        # Its round may be over by now.
        self._change(panel, self._croupier.tables.get(table.table_id) or table)
        return True

    def shows_hand(self, table: TableState, party: int) -> bool:
        """Whether a member sees the hand that they hold: on a panel in use, or in a direct message.

        A panel that they used in the last round is still in use: a banker has nothing to press between two
        rounds, and a player may bet on the board. If they have put it away, `doubt` says so.
        """

        def is_seen(panel: Panel) -> bool:
            if panel.hand is not None:
                return panel.has_hand_of(table) and not panel.is_stuck
            return panel.is_in_use or (panel.is_open and panel.was_in_use)

        return any(is_seen(panel) for (whose, _), panel in self._of(table).items() if whose == party)

    def doubt(self, table: TableState, party: int) -> None:
        """Notes that a member may not see their panels, until they press something on one."""
        for panel in self._of(table).values():
            if panel.party == party:
                panel.pressed_at, panel.was_in_use = 0.0, False

    def has_shown_hand(self, interaction: Interaction, table: TableState, party: int) -> bool:
        """Whether a member has seen the hand that they hold: in the pressed message, or elsewhere."""
        pressed_hands = map(round_of_picture, attached(interaction))
        is_shown = table.round_number in pressed_hands or self.shows_hand(table, party)
        return is_shown and bool(table.pieces_of(party))

    def is_old_hand(self, interaction: Interaction, table_id: int) -> bool:
        """Whether a direct message was pressed whose hand is not the newest."""
        if (table := self._croupier.tables.get(table_id)) is None:
            return False
        party = self._croupier.identities.known(table.server_id, interaction.user.id)
        newest = self._newest_hand(table, party)
        hand, message = pressed_hand(interaction, newest)
        return hand is not None and message is not None and is_old(hand, newest, table)

    def begin_hand(self, table: TableState, party: int) -> None:
        """Lets a member's direct message with the hand before bring this one, if edits of it are free."""
        panel = self._of(table).get((party, Place.HAND))
        if panel is not None and panel.is_open and panel.can_bring(table):
            panel.begin_hand(table)

    def note_press(self, interaction: Interaction, table_id: int, party: int) -> None:
        """Notes what a member presses something on, before that is carried out: it may deal, or settle."""
        # The two in direct messages are beside each other.
        is_direct, is_panel = interaction.guild_id is None, is_on_panel(interaction)
        places = {Place.HAND, Place.OTHER} if is_direct else {interaction.channel_id}
        for (whose, place), panel in self._panels.get(table_id, {}).items():
            if whose == party and is_panel and place in places:
                panel.note_press(Arrival.of(interaction).at)
            elif whose == party:
                panel.note_press_elsewhere()

    def count_message(self, channel_id: int) -> None:
        """Counts a message that pushes the panels in its channel up; a hand that nobody looks at goes below.

        Who has pressed something since the deal may be about to press again, and their panel stays.
        """
        if (table := self._croupier.tables.in_channel(channel_id)) is None:
            return
        present = self._croupier.attention.of(table.table_id).present
        for (party, place), panel in list(self._of(table).items()):
            if place == channel_id and panel.count_message() and party not in present:
                self._services.tasks.start(panel.post_again(), "panel-below-chat")

    def refresh(self, table: TableState, party: int) -> None:
        """Edits a member's panels soon because something beside their table has changed."""
        for panel in list(self._of(table).values()):
            if panel.party == party:
                self._change(panel, table)

    def menu_used(self, interaction: Interaction, press: Press) -> Callable[[], None]:
        """Has the next edit reset the menu that was used, on the board or on the member's own panel.

        Returns:
            Edits that soon.
        """
        if not is_private(interaction):
            self._boards.menu_used(press.table_id)
            return partial(self._boards.refresh, press.table_id)
        of_table = self._panels.get(press.table_id, {}).items()
        panels = [panel for (party, _), panel in of_table if party == press.presser]
        for panel in panels:
            panel.menu_used()

        def edit_soon() -> None:
            for panel in panels:
                self._following.edit_soon(panel)

        return edit_soon

    def forget_party(self, party: int) -> None:
        """Stops editing every panel of an erased member."""
        self._content.forget_party(party)
        for panels in self._panels.values():
            for key in [key for key in panels if key[0] == party]:
                panels.pop(key).is_over = True

    def _on_change(self, change: TableChanged) -> None:
        table = change.after
        self._content.follow(change)
        departed = self._departed[table.table_id]
        departed.update((gone.party, gone) for gone in table.departures)
        for party in filter(table.concerns, list(departed)):
            del departed[party]
        for panel in list(self._of(table).values()):
            self._change(panel, table)
            if panel.is_open and is_cut_short(change.before, table, self._croupier.now()):
                self._following.edit_soon(panel)
        if change.before is None or change.before.deadline != table.deadline:
            self._wait_for_deadline(table)
        if table.phase is Phase.CLOSED:
            self._panels.pop(table.table_id, None)
            del self._departed[table.table_id]

    def _wait_for_deadline(self, table: TableState) -> None:
        """Lets panels say when betting closes to who has not bet once half of the time is over."""
        if table.phase is Phase.BETTING and table.deadline is not None and self._of(table):
            seconds = table.deadline - self._croupier.now() - table.rules.betting_seconds / 2
            asyncio.get_running_loop().call_later(
                max(0.0, seconds), self._deadline_near, table.table_id, table.deadline
            )

    def _deadline_near(self, table_id: int, deadline: float) -> None:
        table = self._croupier.tables.get(table_id)
        if table is None or table.deadline != deadline:
            # It has moved, or betting is closed.
            return
        undecided = {seat.party for seat in table.undecided}
        for panel in list(self._of(table).values()):
            if panel.party in undecided and panel.is_open:
                panel.deadline_near_in = table.round_number
                self._change(panel, table)

    def _on_chips(self, moved: ChipsMoved) -> None:
        """Edits the panels soon that depend on chips that moved: the member's own, and those of the bank.

        Those of the table that moved them have been told of its change. Who gives chips, or takes some, reads
        elsewhere at once what they have left.
        """
        for table in self._croupier.tables.of_server(moved.server_id):
            of_bank, of_table = moved.concerns_bank(table), table.table_id == moved.table_id
            for panel in [] if of_table else list(self._of(table).values()):
                is_own = panel.party in moved.more
                if of_bank or is_own:
                    self._change(panel, panel.table)
                if is_own and moved.table_id is None and panel.is_live:
                    self._following.edit_soon(panel)

    def _on_board_moved(self, table: TableState) -> None:
        """Posts panels again below the board: the banker's, so that *Deal* is there, and those in use."""
        for (party, place), panel in list(self._of(table).items()):
            shown = panel.was_in_use or panel.is_in_use or table.is_banker(party)
            if place == table.channel_id and panel.is_open and shown:
                self._services.tasks.start(panel.post_again(), "panel-below-board")

    async def _until_turned(self, table: TableState) -> None:
        """Returns once no panel of a table hides the bank's hand."""
        for panel in list(self._of(table).values()):
            await panel.until_turned()

    def _change(self, panel: Panel, table: TableState) -> None:
        self._note(panel, table)
        self._edit_soon(panel)

    def _note(self, panel: Panel, table: TableState) -> None:
        """Notes a change on a panel; if it hides the bank's hand, that is turned soon."""
        was_hidden, was_dealt = panel.bank_hidden, panel.table.phase is Phase.DEALT
        panel.change(table)
        has_hand = table.phase is Phase.DEALT and bool(table.pieces_of(panel.party))
        is_new = was_dealt is not (table.phase is Phase.DEALT)
        if is_new and (was_dealt or has_hand):
            panel.go_below(with_board=self._boards.goes_below(table.table_id))
        if panel.bank_hidden and not was_hidden:
            asyncio.get_running_loop().call_later(TURN_SECONDS, self._turn_bank, panel)

    def _turn_bank(self, panel: Panel) -> None:
        if panel.bank_hidden:
            panel.turn_bank()
            self._edit_soon(panel)

    def _edit_soon(self, panel: Panel) -> None:
        if panel.is_behind:
            # Without a token, an edit is made only for what is awaited.
            is_urgent = (panel.is_watched or not panel.is_live) and panel.is_awaited
            self._following.edit_soon(panel, GATHER_SECONDS if is_urgent else QUIET_SECONDS)
        else:
            self._idle(panel)

    def _rest_in_time(self, interaction: Interaction, panel: Panel) -> None:
        """Lets a panel rest before its token ends, unless it is pressed again."""
        if panel.rest_timer is not None:
            panel.rest_timer.cancel()
        seconds = token_seconds_left(interaction) - REST_SECONDS
        panel.rest_timer = asyncio.get_running_loop().call_later(seconds, self._let_rest, panel)

    def _let_rest(self, panel: Panel) -> None:
        panel.is_resting, panel.is_watched = True, False
        self._change(panel, panel.table)
        self._tell_if_lost(panel)

    def _idle(self, panel: Panel) -> None:
        """Forgets a panel that is edited no more, or that was given up until the next change."""
        if panel.is_over or panel.is_lost or panel.table.phase is Phase.CLOSED:
            self._forget(panel)
        panel.is_stuck = panel.is_behind
        if panel.is_over or panel.is_stuck:
            self._tell_if_lost(panel)

    def _tell_if_lost(self, panel: Panel) -> None:
        """Tells of a member who waits for a hand that their panel does not show."""
        table = self._croupier.tables.get(panel.table_id)
        if table is not None and table.phase is Phase.DEALT and table.pieces_of(panel.party):
            self.on_lost(table, panel.party)

    def _forget(self, panel: Panel) -> None:
        panels = self._of(panel.table)
        for key in [key for key, one in panels.items() if one is panel]:
            del panels[key]
        if not panels and panel.table.phase is Phase.CLOSED:
            self._panels.pop(panel.table_id, None)

    def _new(
        self,
        table: TableState,
        party: int,
        hand: SentHand | None = None,
    ) -> Panel:
        return Panel(
            self._services,
            self._content,
            self._costly,
            table,
            party,
            hand,
            departed=self._departed[table.table_id].get(party),
        )

    def _newest_hand(self, table: TableState, party: int) -> SentHand | None:
        """The newest hand that a direct message has brought a member, as far as that is known."""
        panel = self._of(table).get((party, Place.HAND))
        return None if panel is None else panel.hand

    def _of(self, table: TableState) -> dict[Key, Panel]:
        """The panels of a table."""
        return self._panels.get(table.table_id, {})
