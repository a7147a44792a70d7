"""What the ledger's queries return, as frozen values, and whether a stored time is recent."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.rules.knobs import GameName
from bot.table.standings import Measure


@dataclass(frozen=True, slots=True)
class Held:
    """A member's chips that are held at a table."""

    table_id: int
    number: int
    channel_id: int
    chips: int


@dataclass(frozen=True, slots=True)
class Purse:
    """What a member has in a server.

    Attributes:
        wallet: chips free to bet.
        held: chips held, by table; tables without a hold are omitted.
        score: points won minus points lost at tables that play for points; may be below zero (G22).
        has_score: whether they ever won or lost a point.
    """

    wallet: int = 0
    held: tuple[Held, ...] = ()
    score: int = 0
    has_score: bool = field(default=False, compare=False)

    @property
    def total(self) -> int:
        """All of the member's chips; points do not count."""
        return self.wallet + sum(held.chips for held in self.held)


@dataclass(frozen=True, slots=True)
class ResetPreview:
    """What it would change if every member of a server had the same chips.

    Attributes:
        members: those who have a wallet.
        losers, gainers: how many have more chips than that, and how many have less.
        lost, gained: how many chips that would be in all.
    """

    members: int
    losers: int
    lost: int
    gainers: int
    gained: int


@dataclass(frozen=True, slots=True)
class Stack:
    """A member's chips in a server, as a press needs them; fields of `Purse` mean the same.

    Attributes:
        wallet: None without one.
        no_opening_before: when they can get opening chips; infinity if they had them, 0 if unknown.
    """

    wallet: int | None = None
    holds: Mapping[int, int] = field(default_factory=dict)
    score: int = 0
    no_opening_before: float = 0.0

    @property
    def free(self) -> int:
        """Chips free to bet."""
        return self.wallet or 0

    @property
    def held(self) -> int:
        """Chips held at all tables."""
        return sum(self.holds.values())

    def beside(self, table_id: int) -> int:
        """Chips beside what a table holds; what other tables hold is the member's too."""
        return self.free + self.held - self.holds.get(table_id, 0)


@dataclass(frozen=True, slots=True)
class DaysPlayed:
    """The days on which a member played, since 1970 in UTC, as far as their rounds are counted.

    Attributes:
        first: the first of them.
        won: how many rounds brought them something.
        in_a_row: how many days in a row they have played up to now, or yesterday.
        most_in_a_row: the longest run of days in a row.
        best: the day that brought most, and its chips; None if no day brought any.
    """

    first: int
    won: int
    in_a_row: int
    most_in_a_row: int
    best: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A transfer that changed what a member owns.

    Attributes:
        chips: what they gained; negative if they lost.
        table_number: what members call that table by.
        other: the party on the other side, or None.
        note: why an admin gave or took these chips; None for other reasons, or if that is erased.
    """

    link: int
    at: float
    chips: int
    reason: str
    table_id: int | None
    table_number: int | None
    round_number: int | None
    other: int | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer by which somebody gained or lost chips.

    Attributes:
        source, target: the accounts; those of a member name their party.
        loser, gainer: the parties; None for the house and the mint.
        table_number: what members call its table by.
        admin, note: who gave or took these chips as an admin, and why; None for other reasons, or if erased.
    """

    at: float
    chips: int
    reason: str
    source: str
    target: str
    loser: int | None
    gainer: int | None
    table_number: int | None
    round_number: int | None
    admin: int | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A handout that a member took.

    Attributes:
        number: how many times they took some, this one included.
        answer: what was stored with it, as JSON text, or None.
    """

    number: int
    at: float
    answer: str | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """An order of a server's members.

    Attributes:
        period: as `period_name` calls it.
        game: or `EVERY`.
        since: who has not played since then is left out.
    """

    server_id: int
    measure: Measure
    period: str
    game: str
    since: float

    @property
    def values(self) -> dict[str, object]:
        """What its queries ask for."""
        return {
            "server": self.server_id,
            "period": self.period,
            "game": self.game,
            "since": self.since,
        }


@dataclass(frozen=True, slots=True)
class Rank:
    """A member's place on a leaderboard.

    Attributes:
        place: from 1; equals share a place, and the next place stays empty.
        amount: what the leaderboard ranks by, such as chips, or how strong a hand is; whole except for luck.
    """

    place: int
    party: int
    amount: float


@dataclass(frozen=True, slots=True)
class OwnRank(Rank):
    """The place of a member who asks; `above` is how many are above them on the pages, equals too."""

    above: int


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A settled round, by its event.

    Attributes:
        table: the number that members call its table by.
        given_up: the event with which its command gave up the bank, as JSON; None without one.
    """

    link: int
    table_id: int
    table: int
    at: float
    body: str
    given_up: str | None


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A stored table; a field that `TableRow` has too means the same."""

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
    game: GameName


@dataclass(frozen=True, slots=True)
class TableHead:
    """An open table, and the last link of its server's chain: its number and hash."""

    server_id: int
    table_id: int
    last_link: int
    head: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A stored event of a table; a field that `EventRow` has too means the same."""

    sequence: int
    round_number: int | None
    kind: str
    body: str
    command_key: str
    at: float
    hash: bytes


@dataclass(frozen=True, slots=True)
class StoredHouse:
    """A stored change of a server's house rules; a field that `HouseRow` has too means the same."""

    server_id: int
    number: int
    party: int
    at: float
    what: str
    house: str
    hash: bytes = field(default=b"", compare=False)


def is_recent(at: float, seconds: float, now: float) -> bool:
    """Whether a stored time lies in the last seconds; one in the future does not."""
    return 0 <= now - at < seconds
