"""Why somebody is no longer at a table, or a table no longer open: the one list of such reasons."""

from enum import StrEnum


class LeaveReason(StrEnum):
    """Why somebody is no longer at the table, or the table no longer open."""

    ASKED = "asked"
    """He, or somebody who may, wanted it so."""
    IDLE = "idle"
    """Nothing was heard of him for some rounds."""
    CANNOT_COVER = "cannot_cover"
    """The banker's chips no longer cover the lowest stake."""
    NO_SUCCESSOR = "no_successor"
    """The bank was to pass on, and no player could take it (B05)."""
    DESERTED = "deserted"
    """Nobody sat at the table any more (B06)."""
    GONE = "gone"
    """The member, the channel or the server is gone (B06)."""
