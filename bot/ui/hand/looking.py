"""What members have not yet seen of the hands that they hold: a last piece face down, an ox to be found."""

from dataclasses import dataclass, field
from typing import Final

from cachetools import LRUCache

from bot.croupier.identities import Identities
from bot.games.lesson import Three
from bot.rules.pieces import OX_SIZE
from bot.table.state import TableState
from bot.ui.hand.own_hand import Unseen, is_to_arrange, may_arrange

HANDS_KEPT: Final = 10_000
"""Of how many members it is known what they have seen of their newest hand."""


@dataclass(slots=True)
class _Look:
    """What a member has seen of a hand.

    Attributes:
        run: how many hands in a row they have found at the first try.
        picked: the places that they have picked for its ox; None for those that they have declared.
        has_missed: whether an answer about this one was wrong.
        found: the places of the ox that they found themselves, none if they found that there is none; None
            before that.
    """

    round_number: int
    run: int = 0
    picked: frozenset[int] | None = None
    seen: set[Unseen] = field(default_factory=set)
    has_missed: bool = False
    found: Three | None = None


class Looks:
    """Knows what each member has seen of their hand, as they chose to look at it; in memory only."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._looks: LRUCache[tuple[int, int], _Look] = LRUCache(HANDS_KEPT)

    def unseen(self, table: TableState, party: int) -> Unseen | None:
        """What a member has to see next of the hand that they hold; None if they see all, or hold none."""
        place = table.place_of(party)
        if place is None or not place.pieces or place.revealed:
            return None
        look, who = self._of(table, party), self._identities.get(party)
        if who is not None and who.squeezes and Unseen.LAST not in look.seen:
            return Unseen.LAST
        finds = who is not None and who.finds_ox
        to_find = is_to_arrange(table, place) if may_arrange(table, place) else finds
        return Unseen.OX if to_find and Unseen.OX not in look.seen else None

    def see(self, table: TableState, party: int, part: Unseen) -> None:
        """Shows a member a part of their hand; an ox that is shown ends their run."""
        look = self._kept(table, party)
        look.seen.add(part)
        if part is Unseen.OX:
            look.picked, look.run = None, 0 if look.found is None else look.run

    def keep_seen(self, table: TableState, party: int) -> None:
        """Notes what a member has seen, so that another choice begins with what they have not."""
        unseen, look = self.unseen(table, party), self._kept(table, party)
        for part in Unseen:
            if part is unseen:
                break
            look.seen.add(part)

    def picked(self, table: TableState, party: int) -> frozenset[int]:
        """The places that a member has picked for the ox of the hand that they hold, or has declared."""
        picked, place = self._of(table, party).picked, table.place_of(party)
        if picked is not None or place is None:
            return picked or frozenset()
        return frozenset(place.declared_ox or ())

    def pick(self, table: TableState, party: int, at: int) -> tuple[int, ...] | None:
        """Picks a place for the ox, or takes it back; returns the three if there are three, for an answer."""
        picked = self.picked(table, party) ^ {at}
        if len(picked) == OX_SIZE:
            return tuple(sorted(picked))
        self._kept(table, party).picked = picked
        return None

    def found(self, table: TableState, party: int) -> Three | None:
        """The places of the ox that a member found in the hand that they hold; None if they found none."""
        return self._of(table, party).found or None

    def answer(self, table: TableState, party: int, three: Three, *, is_right: bool) -> int | None:
        """Notes an answer about a hand, after which the member picks afresh.

        Returns:
            How many in a row the member has found at the first try; None if they see already what it is.
        """
        look = self._kept(table, party)
        look.picked = None
        if self.unseen(table, party) is not Unseen.OX:
            # The second of two presses at once says the same as the first.
            return look.run if look.found is not None and is_right else None
        if is_right:
            look.run += not look.has_missed
            look.found = three
            look.seen.add(Unseen.OX)
        else:
            look.run, look.has_missed = 0, True
        return look.run

    def _kept(self, table: TableState, party: int) -> _Look:
        """As `_of`, to be changed."""
        look = self._looks[table.table_id, party] = self._of(table, party)
        return look

    def _of(self, table: TableState, party: int) -> _Look:
        look = self._looks.get((table.table_id, party))
        if look is None or look.round_number != table.round_number:
            return _Look(table.round_number, 0 if look is None else look.run)
        return look
