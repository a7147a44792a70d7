"""What members' own messages show at a moment: their panel, and a hand whose round is over."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from bot.croupier.open_tables import TableChanged
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.memory import Evening
from bot.ledger.records import Stack
from bot.rules.knobs import Dealing
from bot.table.achievements import Achievement
from bot.table.betting import chips_left, largest_side_stake, largest_stake, not_covered, too_poor
from bot.table.deadlines import chooses_until
from bot.table.refusals import Refusal, Refused
from bot.table.state import (
    ROUNDS_MISSED_IN_A_ROW,
    Bank,
    LeaveReason,
    Phase,
    RoundResult,
    Seat,
    TableState,
)
from bot.table.story import Feat, Story
from bot.ui.board.text import betting_closes
from bot.ui.components import Component
from bot.ui.hand.looking import Looks
from bot.ui.hand.own_hand import (
    OwnHand,
    PanelFacts,
    PanelMemory,
    Parting,
    last_hand,
    own_hand,
    wallet_line,
)
from bot.ui.hand.side_bets import backed_hand, backing_view
from bot.ui.hand.view import moved_panel_view, panel_view, played_hand_view, resting_panel_view
from bot.ui.pictures import HandPictures
from bot.ui.services import Services
from bot.wire.requests import Attachment, Content

NO_FILES: Final[frozenset[str]] = frozenset()
PARTINGS_KEPT: Final = 10_000
"""Of how many who gave up a place the bot remembers how, to say it on their panel."""


class PanelContent:
    """Renders members' own messages, in the words of the reader that is set."""

    def __init__(self, services: Services, looks: Looks, unreachable: Collection[int]) -> None:
        self._services = services
        self._croupier = services.croupier
        self._looks = looks
        self._unreachable = unreachable
        self._pictures = HandPictures()
        # The last rounds since a member last revealed a hand, by table; and who has left a place there.
        self._missed: dict[int, dict[int, tuple[RoundResult, ...]]] = {}
        self._partings: LRUCache[tuple[int, int], Parting] = LRUCache(PARTINGS_KEPT)

    def follow(self, change: TableChanged) -> None:
        """Notes what is told to those who lose a place with a change, or give it up."""
        before, after = change.before, change.after
        missed, last = self._missed.pop(after.table_id, {}), after.last
        if before is not None and before.phase is Phase.DEALT and last is not None and last != before.last:
            places: list[Seat | Bank] = [*before.bets, *([before.bank] if before.bank else [])]
            for place in places:
                earlier = missed.pop(place.party, ())
                if not place.revealed:
                    missed[place.party] = (*earlier, last)[-ROUNDS_MISSED_IN_A_ROW:]
        if after.phase is not Phase.CLOSED:
            self._missed[after.table_id] = missed
        turn = self._croupier.stories.of(after.table_id).turn
        if before is not None and before.bank is not None and not after.is_banker(before.bank.party):
            party = before.bank.party
            self._partings[after.table_id, party] = Parting(turn=turn if turn.party == party else None)
        for gone in after.departures:
            if gone.leave_reason is LeaveReason.IDLE and before is not None and before.has(gone.party):
                parting = replace(self.parting(after, gone.party), missed=missed.get(gone.party, ()))
                self._partings[after.table_id, gone.party] = parting

    def parting(self, table: TableState, party: int) -> Parting:
        """What is told to a member of the last place that they had at a table."""
        return self._partings.get((table.table_id, party), Parting())

    def forget_party(self, party: int) -> None:
        """Drops what would be told to an erased member."""
        for key in [key for key in self._partings if key[1] == party]:
            del self._partings[key]

    async def panel(
        self, table: TableState, memory: PanelMemory, present: Collection[str] = NO_FILES, *, outside: bool
    ) -> Content:
        """A member's panel.

        Args:
            present: the names of the files that the message has already.
            outside: whether the message is not in the table's server.
        """
        party, bank_hidden = memory.party, memory.bank_hidden
        feat = None if bank_hidden else self._feat(table, party)
        unseen, picked = self._looks.unseen(table, party), self._looks.picked(table, party)
        found, framed = self._looks.found(table, party), feat is not None
        own = own_hand(table, memory, unseen=unseen, picked=picked, found=found, framed=framed)
        facts, picture = await self._facts(table, memory, own, feat, table, outside=outside)
        return _content(panel_view(table, self._services.names, facts), picture, present)

    async def _facts(
        self,
        table: TableState,
        memory: PanelMemory,
        own: OwnHand | None,
        feat: Feat | None,
        settled: TableState | None,
        *,
        outside: bool,
    ) -> tuple[PanelFacts, Attachment | None]:
        """What a message shows beside the table, and the picture of the hand in it.

        Args:
            settled: the table after the round whose result is shown; None if none is.
        """
        party, left, note = memory.party, None, memory.note
        picture = None if own is None else await self._pictures.of(table.table_id, party, own)
        stack = await self._croupier.wallets.stack(table.server_id, party)
        free = await self._croupier.wallets.free_chips(table, party)
        largest = largest_stake(table, party, free)
        most = 0 if isinstance(largest, Refused) else largest
        more = not_covered(table, party, most + 1, free) if most else None
        is_barred = await self._croupier.barred.is_barred(party)
        poor = None if is_barred else too_poor(table, party, stack.free)
        ways_on: Sequence[Component] = ()
        if poor is not None:
            error = await self._services.next_chips.refused(poor, table, party, outside=outside)
            note, ways_on = note or self._services.with_links(error.sentence), error.next_steps
        elif isinstance(largest, Refused):
            note = note or await self._why_no_bet(table, party, largest)
        elif not table.for_points:
            # Of all that they have: a limit of their own, or a bet elsewhere, makes no bet an all-in.
            left = chips_left(table, party, most, stack.beside(table.table_id))
        queue = self._croupier.bank_queue
        waiting, queued = queue.waiting(table.table_id), queue.place_of(table.table_id, party)
        evening = await self._evening(table, party)
        identity = self._croupier.identities.get(party)
        facts = PanelFacts(
            memory=memory,
            stack=stack,
            own=own,
            most=most,
            in_play=self._in_play(table, stack),
            by_own_limit=free.get(party, 0) < stack.free,
            bank_limits=more is not None and more.code is Refusal.BANK_CANNOT_COVER,
            chips_left=left,
            # Until its end, a round has brought nothing.
            evening=None if table.phase is Phase.DEALT else evening,
            has_played=evening is not None,
            server_name=self._server_name(table, outside=outside),
            picture_text=picture.description if picture else None,
            note=note,
            unreachable=is_dealt_by_message(table) and party in self._unreachable,
            squeezes=identity is not None and identity.squeezes,
            finds_ox=identity is not None and identity.finds_ox,
            feat=feat,
            story=self._story(table),
            achieved=[] if settled is None else self._achieved(settled, party),
            celebrates=self._celebrates(table),
            is_all_in=self._celebrates(table) and party in self._croupier.stories.all_in(table),
            parting=self.parting(table, party),
            is_barred=is_barred,
            bank_turn=waiting.index(party) + 1 if party in waiting else 0,
            bank_turn_ends=None if queued is None else queued.plan.at,
            is_too_poor=poor is not None,
            ways_on=ways_on,
            house_chips=await self._croupier.wallets.house_chips(table.server_id),
            is_last_call=self._croupier.attention.is_last_call(table),
            awaited_banker=self._croupier.attention.awaited_banker(table),
        )
        return facts, picture

    def _in_play(self, table: TableState, stack: Stack) -> dict[int, int]:
        """The chips of a member that are held at other tables, by channel."""
        others = ((self._croupier.tables.get(one), chips) for one, chips in stack.holds.items())
        return {
            other.channel_id: chips
            for other, chips in others
            if other is not None and other.table_id != table.table_id and chips
        }

    async def side_bets(
        self,
        table: TableState,
        party: int,
        chosen: int | None,
        settled: TableState | None,
        present: Collection[str] = NO_FILES,
    ) -> Content:
        """A spectator's panel for side bets.

        Args:
            chosen: the player whom they picked, if any.
            settled: the table after the round of the side bets whose result is shown; None if none is.
            present: the names of the files that the message has already.
        """
        most: int | Refused = 0
        if chosen is not None:
            free = await self._croupier.wallets.free_chips(table, party)
            most = largest_side_stake(table, party, chosen, free)
        why_not = await self._why_not(table, party, most) if isinstance(most, Refused) else None
        most = 0 if isinstance(most, Refused) else most
        backed, picture = None if settled is None else backed_hand(settled, party), None
        if backed is not None:
            picture = await self._pictures.of(table.table_id, *backed)
        is_last_call = self._croupier.attention.is_last_call(table)
        banker = self._croupier.attention.awaited_banker(table)
        awaited = "" if banker is None else self._services.names.mention(banker)
        until = chooses_until(table, party, self._croupier.attention.of(table.table_id))
        until = until if until > self._croupier.now() else 0.0
        closes = betting_closes(table, is_last_call=is_last_call, awaited=awaited, chooses_until=until)
        layout = backing_view(
            table,
            self._services.names,
            party,
            chosen,
            most=most,
            why_not=why_not,
            closes=closes,
            told=None if settled is None else settled.last,
            wallet=await self._wallet(table, party),
            hand=picture,
        )
        return _content(layout, picture, present)

    async def _wallet(self, table: TableState, party: int) -> str:
        """What a backer has to play with, and between rounds how the evening goes."""
        stack = await self._croupier.wallets.stack(table.server_id, party)
        evening = None if table.phase is Phase.DEALT else await self._evening(table, party)
        return wallet_line(table, party, stack, evening)

    def resting(self, table: TableState, party: int, *, outside: bool) -> Content:
        """A panel that is edited no more, and can be refreshed."""
        name = self._server_name(table, outside=outside)
        return Content(resting_panel_view(table, party, name), files=[])

    def moved(self, table: TableState, party: int, *, with_last: bool, outside: bool) -> Content:
        """What stays of a panel that is in a newer message by now.

        Args:
            with_last: whether that tells what the last round brought.
            outside: whether the message is not in the table's server.
        """
        name, story = self._server_name(table, outside=outside), self._story(table)
        last = table.last if with_last else None
        return Content(moved_panel_view(table, last, self._services.names, party, name, story), files=[])

    async def played_hand(
        self,
        table: TableState,
        memory: PanelMemory,
        round_number: int,
        settled: TableState | None,
        present: Collection[str],
        *,
        has_buttons: bool,
    ) -> Content:
        """A direct message with a hand whose round is over.

        Args:
            settled: the table after that round; None if it was called off.
            present: the names of the files that the message has already.
            has_buttons: whether no newer message or panel of theirs has them.
        """
        feat = None if settled is None else self._feat(settled, memory.party)
        own = None if settled is None else last_hand(settled, memory.party, framed=feat is not None)
        facts, picture = await self._facts(table, memory, own, feat, settled, outside=True)
        layout = played_hand_view(
            table, self._services.names, facts, round_number, settled, has_buttons=has_buttons
        )
        return _content(layout, picture, present)

    def _story(self, table: TableState) -> Story:
        """What a table tells of its rounds."""
        story = self._croupier.stories.of(table.table_id)
        return story if self._celebrates(table) else story.quiet()

    def _feat(self, table: TableState, party: int) -> Feat | None:
        """What a member's own message celebrates of the last round; None for nothing."""
        if table.last is None or not self._celebrates(table):
            return None
        return self._croupier.stories.of(table.table_id).own_feat(table.last, party)

    def _achieved(self, table: TableState, party: int) -> list[Achievement]:
        """What a member achieved in the last round, as far as it is counted; also if others do not see it."""
        reached = self._croupier.standings.reached_in(table) if self._celebrates(table) else ()
        return [one for who, one in reached if who == party]

    def _celebrates(self, table: TableState) -> bool:
        return self._croupier.house_of(table.server_id).server.celebrations

    def _server_name(self, table: TableState, *, outside: bool) -> str | None:
        server = self._services.client.get_guild(table.server_id) if outside else None
        return None if server is None else server.name

    async def _why_no_bet(self, table: TableState, party: int, refused: Refused) -> str | None:
        """Why a player who is to bet cannot, such as for too few chips; None for anybody else."""
        seat = table.seat_of(party)
        is_to_bet = table.phase is Phase.BETTING and seat is not None and seat.undecided
        return await self._why_not(table, party, refused) if is_to_bet else None

    async def _why_not(self, table: TableState, party: int, refused: Refused) -> str:
        error = await self._services.next_chips.refused(refused, table, party, only_words=True)
        return self._services.with_links(error.sentence)

    async def _evening(self, table: TableState, party: int) -> Evening | None:
        """What the evening has brought a member so far, for chips; None if nothing yet."""
        if not table.for_chips:
            return None
        try:
            evening = await self._croupier.ledger.evenings.of((table.server_id, party))
        except LedgerUnavailable:
            return None
        return None if evening.is_over(self._croupier.now()) else evening


def is_dealt_by_message(table: TableState) -> bool:
    """Whether the house sends hands by direct message."""
    return table.rules.dealing is Dealing.MESSAGES


def _content(
    layout: list[dict[str, object]], picture: Attachment | None, present: Collection[str]
) -> Content:
    if picture is None:
        return Content(layout, files=[])
    return Content(layout, files=None if picture.name in present else [picture])
