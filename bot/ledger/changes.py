"""What can be written: a command's whole effect, and the small notes that go with no command."""

from dataclasses import dataclass

from bot.table.money import Move


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as a command leaves it.

    Attributes:
        table_id: its identity for good.
        server_id: Discord's id of the server.
        channel_id: Discord's id of the channel or thread; one open table each.
        number: what members call it by; one table of each number in a server, open or closed.
        is_open: whether it goes on.
        is_playing: whether chips may be held for it.
        state: the state, as JSON text; opaque here.
        sequence: the number of its last event; the first is 1.
    """

    table_id: int
    server_id: int
    channel_id: int
    number: int
    is_open: bool
    is_playing: bool
    state: str
    sequence: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a table's record.

    Attributes:
        sequence: its number at the table, counted from 1 without a gap.
        kind: what kind of event.
        body: the event, as JSON text; opaque here.
        round_number: the round it belongs to, if any.
    """

    sequence: int
    kind: str
    body: str
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A server's house rules as a command leaves them.

    Attributes:
        number: of the change; a server's first is 1.
        member_id: who made it.
        what: what was changed, as JSON text; opaque here.
        house: the whole house after it, as JSON text; opaque here.
    """

    number: int
    member_id: int
    what: str
    house: str


@dataclass(frozen=True, slots=True)
class Change:
    """The whole effect of one command: all of it is stored, or nothing.

    Attributes:
        key: what makes the command unique, such as the id of a Discord interaction: it happens once.
        server_id: in which server.
        at: when, in seconds since the epoch, UTC.
        moves: the chips that move. They move as one: what counts is each account's balance after all of them.
        table: the table it was done at, as it is afterwards; None where it was done at none.
        events: what happened at that table.
        deadline: when the table goes on by itself, in seconds since the epoch, UTC; None clears it. Without a
            table it means nothing.
        answer: what to hand back when the key comes again, as JSON text.
        house: the server's house rules, as they are afterwards; None where they stay.
    """

    key: str
    server_id: int
    at: float
    moves: tuple[Move, ...] = ()
    table: TableRow | None = None
    events: tuple[EventRow, ...] = ()
    deadline: float | None = None
    answer: str | None = None
    house: HouseRow | None = None

    def __post_init__(self) -> None:
        if not self.key:
            raise ValueError("a change has a key")
        if self.table is None:
            if self.events:
                raise ValueError(f"{self.key}: events happen at a table")
            return
        if self.table.server_id != self.server_id:
            raise ValueError(f"{self.key}: table {self.table.table_id} is of another server")
        first = self.table.sequence - len(self.events) + 1
        if [event.sequence for event in self.events] != list(range(first, self.table.sequence + 1)):
            raise ValueError(f"{self.key}: the events do not lead up to number {self.table.sequence}")


@dataclass(frozen=True, slots=True)
class BoardPosted:
    """Where a table's board stands now.

    Attributes:
        table_id: whose board.
        message_id: Discord's id of the message; None where it is gone.
        at: when it was posted, in seconds since the epoch, UTC; None where it is gone.
    """

    table_id: int
    message_id: int | None
    at: float | None


@dataclass(frozen=True, slots=True)
class DirectChannel:
    """How a member is reached by direct message.

    Attributes:
        member_id: Discord's id of the user.
        channel_id: Discord's id of the channel between him and the bot; None where it is not known.
        closed_since: when a message to him was refused, in seconds since the epoch, UTC; None where none was.
    """

    member_id: int
    channel_id: int | None = None
    closed_since: float | None = None


@dataclass(frozen=True, slots=True)
class HouseDraft:
    """A change of house rules that somebody was shown, and may yet confirm.

    Attributes:
        draft_id: its identity, such as the id of the Discord interaction that asked for it.
        server_id: whose house.
        member_id: who asked.
        at: when, in seconds since the epoch, UTC.
        based_on: the number of the house's last change when it was shown; 0 where there was none.
        what: what would be changed, as JSON text; opaque here.
    """

    draft_id: int
    server_id: int
    member_id: int
    at: float
    based_on: int
    what: str


Note = BoardPosted | DirectChannel | HouseDraft
"""A small write of its own: no chips, no key; the last one stands."""
