"""What kinds of components carry an action."""

from enum import Enum, auto


class Shape(Enum):
    """What kind of component carries an action."""

    BUTTON = auto()
    MENU = auto()
    MODAL = auto()
