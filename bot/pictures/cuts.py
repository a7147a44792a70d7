"""The cuts: how large a card is, and where on it everything stands."""

from dataclasses import dataclass
from typing import Final

from bot.pictures.outlines import Point


@dataclass(frozen=True, slots=True)
class Cut:
    """One size of the deck; all lengths in pixels.

    Attributes:
        width: of a card.
        height: of a card.
        radius: of its corners.
        shadow: how far its shadow reaches below it.
        index_at: the upper left corner of the rank.
        index_height: the height of the rank's letters.
        index_width: the most that they may take.
        corner_pip_at: the centre of the small suit beside the rank.
        corner_pip: its size; 0 for none.
        pip_at: the centre of the large suit.
        pip: its size.
        court_pip_at: the same on a court card, where headgear stands upon it.
        court_pip: its size there.
        headgear_at: the centre of the headgear.
        headgear: its size.
        ox_head: the size of the ox on the back.
        gap: between two cards of a group.
        group_gap: between the trays of two groups.
        padding: between a group and the rim of its tray.
        tray_radius: of the tray's corners; small enough that the cards' corners stay clear of its rim.
        badge: the size of the badge beside a hand.
    """

    width: int
    height: int
    radius: int
    shadow: int
    index_at: Point
    index_height: float
    index_width: float
    corner_pip_at: Point
    corner_pip: float
    pip_at: Point
    pip: float
    court_pip_at: Point
    court_pip: float
    headgear_at: Point
    headgear: float
    ox_head: float
    gap: int
    group_gap: int
    padding: int
    tray_radius: int
    badge: int


LARGE: Final = Cut(
    width=156,
    height=216,
    radius=14,
    shadow=4,
    index_at=(12, 14),
    index_height=62,
    index_width=84,
    corner_pip_at=(124, 42),
    corner_pip=38,
    pip_at=(78, 145),
    pip=102,
    court_pip_at=(78, 167),
    court_pip=80,
    headgear_at=(78, 109),
    headgear=82,
    ox_head=104,
    gap=8,
    group_gap=28,
    padding=10,
    tray_radius=18,
    badge=84,
)
"""One hand alone in a picture."""

SMALL: Final = Cut(
    width=94,
    height=132,
    radius=9,
    shadow=3,
    index_at=(8, 9),
    index_height=48,
    index_width=62,
    corner_pip_at=(0, 0),
    corner_pip=0,
    pip_at=(56, 92),
    pip=64,
    court_pip_at=(56, 92),
    court_pip=64,
    headgear_at=(73, 23),
    headgear=30,
    ox_head=64,
    gap=4,
    group_gap=12,
    padding=5,
    tray_radius=10,
    badge=50,
)
"""Many hands in a picture: the rank and the suit as large as the card can bear."""
