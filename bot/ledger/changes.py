"""What can be asked of the writer, and until when: changes (links of the chain), facts beside it, keys.

JSON is text here, which only the croupier reads.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.clock import steady_time
from bot.ledger.errors import TooLate
from bot.table.accounts import Move


class NotAfter:
    """Until when a change may be made, in seconds of a clock that is never set.

    It can be put off while the change waits to be written.
    """

    __slots__ = ("_clock", "at")

    def __init__(self, at: float, clock: Callable[[], float] = steady_time) -> None:
        self.at = at
        self._clock = clock

    @property
    def is_over(self) -> bool:
        """Whether it is too late."""
        return self._clock() > self.at


def refuse_late(not_after: NotAfter | None, what: str) -> None:
    """Raises TooLate if something may no longer be written."""
    if not_after is not None and not_after.is_over:
        raise TooLate(what)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table after a command.

    Attributes:
        channel_id: Discord's id of the channel or thread, which has at most one open table.
        number: what members call it by; unique in a server, closed tables included.
        is_playing: whether chips may be held for it.
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
    """One event of a table: its number there, from 1 without gaps, and the event as JSON."""

    sequence: int
    kind: str
    body: str
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A server's house rules after a command: its number, from 1, and the change and all rules as JSON."""

    number: int
    party: int
    what: str
    house: str


@dataclass(frozen=True, slots=True)
class SeedWords:
    """Words that a member chose. The rest of the ledger has only the client seed, the code of both texts."""

    client_seed: str
    party: int
    salt: str
    words: str


@dataclass(frozen=True, slots=True)
class Erasure:
    """A member to be erased: their identity, their words, and the way to reach them.

    Attributes:
        opening: the keyed hash that is kept until then if they had opening chips.
    """

    party: int
    user_id: int
    opening: bytes
    until: float


@dataclass(frozen=True, slots=True)
class Change:
    """The whole effect of one command; stored completely or not at all.

    Attributes:
        key: identifies the command, such as a Discord interaction's id; each key happens once.
        moves: the chips that move. Only the balances after all of them must be covered.
        table: the table after the command, or None if the command concerns no table.
        deadline: when the table continues automatically; None clears it. Ignored without a table.
        answer: what to return when the key comes again, as JSON text.
        no_gift_since: a link of the server's chain; refused if another process wrote a gift after it.
        last_hash: the hash of the table's last event before it, or None if only its number is known.
        newcomer: a member who is not at the table before it; refused if they are erased.
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
    words: tuple[SeedWords, ...] = ()
    erasures: tuple[Erasure, ...] = ()
    no_gift_since: int | None = None
    last_hash: bytes | None = None
    newcomer: int | None = None
    not_after: NotAfter | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.key:
            raise ValueError("a change needs a key")
        if self.table is None:
            if self.events:
                raise ValueError(f"{self.key}: events need a table")
            return
        if self.table.server_id != self.server_id:
            raise ValueError(f"{self.key}: table {self.table.table_id} belongs to another server")
        first = self.table.sequence - len(self.events) + 1
        if [event.sequence for event in self.events] != list(range(first, self.table.sequence + 1)):
            raise ValueError(f"{self.key}: the events do not lead to number {self.table.sequence}")


@dataclass(frozen=True, slots=True)
class BoardPosted:
    """Which message a table's board is now, and when it was posted; None of both if it is gone."""

    table_id: int
    message_id: int | None
    at: float | None


@dataclass(frozen=True, slots=True)
class DirectChannel:
    """How to reach a user by direct message, and when one to them was refused; None if none was."""

    user_id: int
    channel_id: int | None = None
    closed_since: float | None = None


@dataclass(frozen=True, slots=True)
class HouseDraft:
    """A previewed change of house rules, which may still be confirmed.

    Attributes:
        draft_id: the id of the command that asked for it.
        based_on: the number of the house's last change at the preview; 0 if there was none.
    """

    draft_id: int
    server_id: int
    at: float
    based_on: int
    what: str


@dataclass(frozen=True, slots=True)
class Identity:
    """The member behind a party, with their name in the server and the locale when they were last seen.

    Attributes:
        squeezes: whether they see the last piece of their hands by a press of their own.
    """

    party: int
    server_id: int
    user_id: int
    name: str
    locale: str
    squeezes: bool = False


@dataclass(frozen=True, slots=True)
class LocaleChosen:
    """The locale that is stored of a user in every server, because they chose a language."""

    user_id: int
    locale: str
    not_after: NotAfter | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ServerErasure:
    """When a server is erased; None if the bot is in it."""

    server_id: int
    at: float | None


@dataclass(frozen=True, slots=True)
class HeadPosted:
    """When the head of a server's chain was last posted."""

    server_id: int
    at: float


@dataclass(frozen=True, slots=True)
class ServerGreeted:
    """The bot has greeted a server, or is about to."""

    server_id: int


@dataclass(frozen=True, slots=True)
class OpeningsOutdated:
    """The hashes of erased members are deleted whose time is over.

    Attributes:
        latest: when the last of them is deleted; one that would stay longer was stored by a wrong clock.
    """

    at: float
    latest: float


@dataclass(frozen=True, slots=True)
class OwnApplication:
    """The application of Discord's that the database belongs to; None lets the next start note another."""

    application_id: int | None


Fact = (
    BoardPosted
    | DirectChannel
    | HouseDraft
    | Identity
    | LocaleChosen
    | ServerErasure
    | HeadPosted
    | ServerGreeted
    | OpeningsOutdated
    | OwnApplication
)
"""Something recorded outside of any command: no chips, no key. The newest one counts."""


def claim_key(kind: str, server_id: int, party: int, number: int) -> str:
    """The key of the command that gives a member free chips of a kind for this time, from 1.

    These keys sort by their numbers.
    """
    return f"{claims_of(kind, server_id, party)}{number:06}"


def claims_of(kind: str, server_id: int, party: int) -> str:
    """What the keys of a member's claims of a kind begin with."""
    return f"{kind}:{server_id}:{party}:"


def opening_key(server_id: int, party: int) -> str:
    """The key of the command that gives a member their opening chips, once."""
    return f"opening:{server_id}:{party}"
