"""The attention that members pay, which decides how long a table waits; a restart forgets it."""

from collections import defaultdict
from dataclasses import dataclass, field

from bot.croupier.open_tables import TableChanged
from bot.table.deadlines import Attention
from bot.table.events import HandsDealt, RoundSettled, SideBetPlaced, TableClosed
from bot.table.evolve import fold
from bot.table.state import Phase, TableState


@dataclass(slots=True)
class _Noted:
    """What is noted of a table.

    Attributes:
        present: who has pressed something since the last deal.
        left_hands: who did not reveal their hand in the last round.
        choosing: the spectators who look at side bets, and have placed none since.
        has_waited: whether the deal was put off for them.
    """

    present: set[int] = field(default_factory=set)
    left_hands: frozenset[int] = frozenset()
    choosing: set[int] = field(default_factory=set)
    has_waited: bool = False


class AttentionKeeper:
    """Notes what members press, and what they leave undone."""

    def __init__(self) -> None:
        self._noted: defaultdict[int, _Noted] = defaultdict(_Noted)

    def of(self, table_id: int) -> Attention:
        """What is noted of a table now."""
        noted = self._noted[table_id]
        return Attention(frozenset(noted.present), noted.left_hands)

    def note_press(self, table_id: int, party: int) -> None:
        """Notes that a member pressed something, even if it is refused: they are not away."""
        self._noted[table_id].present.add(party)

    def note_choosing(self, table: TableState, party: int, now: float) -> bool:
        """Notes that a spectator looks at side bets; returns whether the deal must be put off for them.

        It is put off once a round, by no more than the last call.
        """
        noted = self._noted[table.table_id]
        noted.choosing.add(party)
        if noted.has_waited or table.deadline is None or table.phase is not Phase.BETTING:
            return False
        noted.has_waited = table.deadline - now < table.rules.last_call_seconds
        return noted.has_waited

    def is_choosing(self, table: TableState, now: float) -> bool:
        """Whether a spectator looks at side bets, and has time left."""
        has_time = table.deadline is not None and now < table.deadline
        return has_time and any(not table.has(party) for party in self._noted[table.table_id].choosing)

    def follow(self, change: TableChanged) -> None:
        """Notes what a change at a table means."""
        table_id = change.after.table_id
        for place, event in enumerate(change.events):
            match event:
                case SideBetPlaced(party):
                    self._noted[table_id].choosing.discard(party)
                case HandsDealt():
                    self._noted[table_id] = _Noted(left_hands=self._noted[table_id].left_hands)
                case RoundSettled():
                    # What another process wrote comes all at once: the reveals, and what came of them.
                    table = fold(change.before, change.events[:place]) if place else change.before
                    seats = () if table is None else (*table.seats, table.bank)
                    self._noted[table_id].left_hands = frozenset(
                        seat.party for seat in seats if seat is not None and seat.pieces and not seat.revealed
                    )
                case TableClosed():
                    self._noted.pop(table_id, None)
