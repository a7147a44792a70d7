"""What the ledger answers with, as frozen values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """Chips of a member that are held at a table.

    Attributes:
        table_id: at which table.
        number: what members call it by.
        channel_id: Discord's id of its channel or thread.
        chips: how many.
    """

    table_id: int
    number: int
    channel_id: int
    chips: int


@dataclass(frozen=True, slots=True)
class Purse:
    """What a member has in a server.

    Attributes:
        wallet: chips free to be staked.
        held: chips held, by table; tables where none are held are left out.
        score: points won less points lost, where these were played for; may be below zero (G22).
    """

    wallet: int
    held: tuple[Held, ...]
    score: int = 0

    @property
    def total(self) -> int:
        """All of the member's chips; points are none."""
        return self.wallet + sum(held.chips for held in self.held)


@dataclass(frozen=True, slots=True)
class Entry:
    """A transfer that changed what a member owns.

    Attributes:
        sequence: its number in the server's chain.
        at: when, in seconds since the epoch, UTC.
        chips: what he gained; below zero where he lost.
        reason: why, as `bot.table.money.Reason` has it.
        table_id: at which table, if at any.
        table_number: what members call that table by.
        round_number: in which round of it, if in any.
        other_id: the member who lost what he gained, or gained what he lost, if any did.
    """

    sequence: int
    at: float
    chips: int
    reason: str
    table_id: int | None
    table_number: int | None
    round_number: int | None
    other_id: int | None


@dataclass(frozen=True, slots=True)
class Rank:
    """A member's place among all of a server.

    Attributes:
        place: from 1 on; who has as much as another has the same place, and the next place stays empty.
        member_id: who.
        chips: all he has, held chips too.
    """

    place: int
    member_id: int
    chips: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's place among all of a server who won or lost points (G22).

    Attributes:
        place: from 1 on; who has as many as another has the same place, and the next place stays empty.
        member_id: who.
        points: his running score, which may be below zero.
    """

    place: int
    member_id: int
    points: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored.

    Attributes:
        table_id: its identity for good.
        server_id: Discord's id of the server.
        number: what members call it by.
        channel_id: Discord's id of the channel or thread.
        is_open: whether it goes on.
        is_playing: whether chips may be held for it.
        state: the state, as JSON text.
        sequence: the number of its last event.
        opened_at: in seconds since the epoch, UTC.
        closed_at: likewise; None while it is open.
        message_id: Discord's id of the board's message; None where there is none.
        posted_at: when that was posted, in seconds since the epoch, UTC.
    """

    table_id: int
    server_id: int
    number: int
    channel_id: int
    is_open: bool
    is_playing: bool
    state: str
    sequence: int
    opened_at: float
    closed_at: float | None
    message_id: int | None
    posted_at: float | None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event of a table's record, as it is stored.

    Attributes:
        sequence: its number at the table.
        round_number: the round it belongs to, if any.
        kind: what kind of event.
        body: the event, as JSON text.
        command_key: the key of the command that made it happen.
        at: when, in seconds since the epoch, UTC.
    """

    sequence: int
    round_number: int | None
    kind: str
    body: str
    command_key: str
    at: float


@dataclass(frozen=True, slots=True)
class StoredHouse:
    """A change of a server's house rules, as it is stored.

    Attributes:
        server_id: Discord's id of the server.
        number: of the change, counted from 1 without a gap.
        member_id: who made it.
        at: when, in seconds since the epoch, UTC.
        what: what was changed, as JSON text.
        house: the whole house after it, as JSON text.
    """

    server_id: int
    number: int
    member_id: int
    at: float
    what: str
    house: str
