"""The attention that members pay, which decides how long a table waits; a restart forgets it."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.croupier.open_tables import TableChanged
from bot.table.deadlines import (
    NOTHING_NOTED,
    Attention,
    awaited_banker,
    is_cut_short,
    is_last_call,
    seconds_to_choose,
    seconds_to_read,
)
from bot.table.events import (
    BankPassed,
    BankTaken,
    DiceRolled,
    HandsDealt,
    RoundOpened,
    RoundSettled,
    SideBetPlaced,
    TableClosed,
)
from bot.table.evolve import fold
from bot.table.state import Phase, TableState


@dataclass(slots=True)
class _Noted:
    """What is noted of a table.

    Attributes:
        present: who has pressed something since the last deal.
        left_hands: who did not reveal their hand in the last round.
        choosing: the spectators who look at side bets, or did in the last round, and have placed none since.
        choose_until: until when they have time to.
        waited_for: for whom among them the last call was put off, until they place one.
        betting_ends: when the whole time to bet is over; 0 while none runs.
        left_to_back: those among them who gave up a seat for it.
        seconds_to_read: how long the banker has to read the last round, or to give up a bank that
            came to them.
        reads_until: until when they have.
        bank_came_to: to whom the bank came in this round, by dice or by rule.
        is_cut_short: whether the time to arrange was cut short, which it stays if somebody is back then.
    """

    present: set[int] = field(default_factory=set)
    left_hands: frozenset[int] = frozenset()
    choosing: set[int] = field(default_factory=set)
    choose_until: float = 0.0
    waited_for: int | None = None
    betting_ends: float = 0.0
    left_to_back: set[int] = field(default_factory=set)
    seconds_to_read: int = 0
    reads_until: float = 0.0
    bank_came_to: int | None = None
    is_cut_short: bool = False


class AttentionKeeper:
    """Notes what members press, and what they leave undone.

    Args:
        now: the clock.
        on_heard: is told at which table a banker to whom the bank came presses something at last.
    """

    def __init__(self, now: Callable[[], float], on_heard: Callable[[int], object]) -> None:
        self._now = now
        self._on_heard = on_heard
        self._noted: defaultdict[int, _Noted] = defaultdict(_Noted)

    def of(self, table_id: int) -> Attention:
        """What is noted of a table now."""
        noted = self._noted.get(table_id)
        if noted is None:
            return NOTHING_NOTED
        return Attention(
            present=frozenset(noted.present),
            left_hands=noted.left_hands,
            left_to_back=frozenset(noted.left_to_back),
            reads_until=noted.reads_until,
            choosing=frozenset(noted.choosing),
            choose_until=noted.choose_until,
            bank_came_to=noted.bank_came_to,
        )

    def is_last_call(self, table: TableState) -> bool:
        """Whether all who are waited for have bet or revealed their hands, so that the deadline is near."""
        noted = self._noted.get(table.table_id)
        is_cut_short = noted is not None and noted.is_cut_short and table.phase is Phase.DEALT
        return is_cut_short or is_last_call(table, self.of(table.table_id))

    def awaited_banker(self, table: TableState) -> int | None:
        """The banker to whom the bank came, if they have pressed nothing since the last deal."""
        return awaited_banker(table, self.of(table.table_id))

    def note_press(self, table_id: int, party: int) -> None:
        """Notes that a member pressed something, even if it is refused: they are not away."""
        noted = self._noted[table_id]
        is_heard_now = noted.bank_came_to == party and party not in noted.present
        noted.present.add(party)
        if is_heard_now:
            # They may be about to give the bank up: that their press ends the wait must not deal before.
            noted.reads_until = self._now() + noted.seconds_to_read
            self._on_heard(table_id)

    def note_choosing(self, table: TableState, party: int, now: float) -> bool:
        """Notes that a spectator looks at side bets; returns whether the deal must be put off for them.

        A last call that runs is put off once a round, and never beyond the whole time to bet, so that nobody
        can hold up a table. A side bet ends the wait, and then another spectator can have one.
        """
        noted = self._noted[table.table_id]
        noted.choosing.add(party)
        if table.deadline is None or table.phase is not Phase.BETTING or table.side_bets_of(party):
            return False
        if self.is_last_call(table):
            if noted.waited_for is not None:
                return False
            noted.waited_for = party
        choose_until = max(noted.choose_until, now + seconds_to_choose(table))
        noted.choose_until = min(choose_until, noted.betting_ends)
        return noted.choose_until > table.deadline

    def note_leaving_to_back(self, table_id: int, party: int) -> None:
        """Notes that a member is about to leave their seat to back a player, so that this deals nothing."""
        self._noted[table_id].left_to_back.add(party)

    def follow(self, change: TableChanged) -> None:
        """Notes what a change at a table means."""
        table_id, is_by_dice = change.after.table_id, False
        for place, event in enumerate(change.events):
            match event:
                case SideBetPlaced(party):
                    noted = self._noted[table_id]
                    noted.choosing.discard(party)
                    noted.waited_for = None if noted.waited_for == party else noted.waited_for
                case DiceRolled():
                    is_by_dice = True
                case BankTaken(party):
                    self._noted[table_id].bank_came_to, is_by_dice = party if is_by_dice else None, False
                case BankPassed(party):
                    self._noted[table_id].bank_came_to = party
                case RoundOpened():
                    # The one before was called off, or is over.
                    noted = self._noted[table_id]
                    noted.left_to_back.clear()
                    noted.seconds_to_read = seconds_to_read(change.before, change.after)
                    noted.reads_until = self._now() + noted.seconds_to_read
                    noted.choose_until = self._now() + seconds_to_choose(change.after)
                case HandsDealt():
                    noted = self._noted[table_id]
                    # Who is still at the page for side bets, and not gone, has time in the next round too.
                    looked = noted.choosing | {side.party for side in change.after.side_bets}
                    self._noted[table_id] = _Noted(
                        left_hands=noted.left_hands, choosing=looked & noted.present
                    )
                case RoundSettled():
                    # What another process wrote comes all at once: the reveals, and what came of them.
                    table = fold(change.before, change.events[:place]) if place else change.before
                    seats = () if table is None else (*table.seats, table.bank)
                    self._noted[table_id].left_hands = frozenset(
                        seat.party for seat in seats if seat is not None and seat.pieces and not seat.revealed
                    )
                case TableClosed():
                    self._noted.pop(table_id, None)
        if change.after.phase is Phase.DEALT and is_cut_short(change.before, change.after, self._now()):
            self._noted[table_id].is_cut_short = True
        self._note_betting_time(change.after)

    def _note_betting_time(self, table: TableState) -> None:
        noted = self._noted.get(table.table_id)
        if table.phase is not Phase.BETTING or table.deadline is None:
            if noted is not None:
                noted.betting_ends = 0.0
        elif noted is None or not noted.betting_ends:
            # The deadline may be that of the last call.
            self._noted[table.table_id].betting_ends = self._now() + table.rules.betting_seconds
