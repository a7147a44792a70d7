"""The cuts: how large a game's pieces are, and how far apart they lie; not what is drawn on them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One size of a game's pieces; all lengths in pixels.

    Attributes:
        width: of a piece.
        height: of a piece.
        below: what its picture shows below it: a shadow, an index.
        gap: between two pieces of a group.
        group_gap: between the trays of two groups.
        padding: between a group and the rim of its tray.
        tray_radius: of the tray's corners; small enough that the pieces' corners stay clear of its rim.
        badge: the size of the badge beside a hand.
    """

    width: int
    height: int
    below: int
    gap: int
    group_gap: int
    padding: int
    tray_radius: int
    badge: int
