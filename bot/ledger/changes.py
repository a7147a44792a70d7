"""What can be asked of the writer, and until when: changes (links of the chain), facts beside it, keys.

JSON is text here, which only the croupier reads.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bot.clock import steady_time
from bot.ledger.errors import TooLate
from bot.rules.knobs import GameName
from bot.table.accounts import Move
from bot.table.audit import Flow
from bot.table.standings import SEASON, Standing, Tally


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
    game: GameName


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a table: its number there, from 1 without gaps, and the event as JSON."""

    sequence: int
    kind: str
    body: str
    round_number: int | None = None


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A server's house rules after a command: its number, from 1, and the change and all rules as JSON.

    Attributes:
        last_hash: the hash of the change before it, or None if only its number is known.
    """

    number: int
    party: int
    what: str
    house: str
    last_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class SeedWords:
    """Words that a member chose. The rest of the ledger has only the client seed, the code of both texts."""

    client_seed: str
    party: int
    salt: str
    words: str


@dataclass(frozen=True, slots=True)
class AdminNote:
    """Why an admin gives a member chips, or takes some, in words that are in no hash."""

    party: int
    admin: int
    words: str


@dataclass(frozen=True, slots=True)
class Ban:
    """A member who may not play in a server.

    Attributes:
        digest: the keyed hash of their user id in the server, by which they are known also once erased.
        until: None if it has no end.
        party, admin, words: who it is, who banned them, and why; None and empty once that is erased.
    """

    server_id: int
    digest: bytes
    at: float
    until: float | None
    party: int | None
    admin: int | None
    words: str


@dataclass(frozen=True, slots=True)
class BanLifted:
    """A member may play in a server again."""

    server_id: int
    digest: bytes


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
class Season:
    """A season of a server: the rounds between two links of its chain.

    Attributes:
        number: of the server's seasons, from 1.
        resets: whether every member has the opening chips after it.
        channel_id: where its first three are posted; None for nowhere.
        role_id: the role that they get; None for none.
        ends_at: when it ends, or ended; None while nobody has said when. From then on no round begins, until
            those that are on are settled and it is over.
        repeat_day: the day of the month on which the next one ends; None if none follows.
        is_posted: whether its first three are posted, or about to be.
        is_crowned: whether they have their role, and nobody else of an earlier season has it.
        winners: who gets it, as a JSON list of parties; empty until that is known.
        first_link: the last link before it. None stands for the end of the chain when this is stored.
        last_link: the same for its last one; None also until it is over.
    """

    server_id: int
    number: int
    name: str
    resets: bool
    channel_id: int | None
    role_id: int | None
    started_at: float
    ends_at: float | None = None
    repeat_day: int | None = None
    is_over: bool = False
    is_posted: bool = False
    is_crowned: bool = False
    winners: str = ""
    first_link: int | None = None
    last_link: int | None = None

    @property
    def period(self) -> str:
        """What standings call it."""
        return f"{SEASON}{self.number}"

    def has(self, link: int) -> bool:
        """Whether the round counts that was settled by the event with this link."""
        after = self.first_link is not None and link > self.first_link
        return after and (self.last_link is None or link <= self.last_link)


@dataclass(frozen=True, slots=True)
class SeasonChanged:
    """A season takes the place of itself, None being none, and another one may begin with that.

    Refused (Overtaken) if the one before is not stored as it is said to be, and (Unstorable) if another one
    has the number, or is on.
    """

    before: Season | None
    after: Season
    following: Season | None = None
    not_after: NotAfter | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ServerCleared:
    """Deletes a server's seasons, their standings, and its tournaments."""

    server_id: int


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament after a change; a channel has one at most that is not over."""

    tournament_id: int
    server_id: int
    channel_id: int
    is_over: bool
    state: str


@dataclass(frozen=True, slots=True)
class TournamentChanged:
    """A tournament takes the place of itself; None being none.

    Refused (Overtaken) if the one before is not stored as it is said to be, and (Unstorable) if the channel
    has another one.
    """

    before: TournamentRow | None
    after: TournamentRow


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done later for a member.

    Attributes:
        name: what identifies it, of one kind.
        at: when it is due; None if something must happen first.
        what: what belongs to it, as JSON text.
    """

    name: str
    server_id: int
    party: int
    kind: str
    channel_id: int | None = None
    at: float | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """A plan takes the place of another; None is none.

    Refused (Overtaken) if the one before is not stored as it is said to be.
    """

    before: Plan | None
    after: Plan | None


@dataclass(frozen=True, slots=True)
class Change:
    """The whole effect of one command; stored completely or not at all.

    Attributes:
        key: identifies the command, such as a Discord interaction's id; each key happens once.
        moves: the chips that move. Only the balances after all of them must be covered.
        table: the table after the command, or None if the command concerns no table.
        deadline: when the table continues automatically; None clears it. Ignored without a table.
        answer: what to return when the key comes again, as JSON text.
        target_has: the chips of the account that the first move goes to, before it; refused (StaleBalance)
            if it has others.
        no_gift_since: a link of the server's chain; refused if another process wrote a gift after it.
        last_hash: the hash of the table's last event before it, or None if only its number is known.
        newcomer: a member who is not at the table before it; refused if they are erased.
        plan: what was planned for a member, and is done by it: it is deleted. Refused (Overtaken) if it is
            not stored as it is said to be.
        reset_to: what members' wallets have after it, by moves that the writer adds; None leaves all chips
            where they are. It is refused (ChipsHeld) while chips are held. With a season it is refused
            (MoreToReset) unless it resets all; without one, it resets as many as one transaction takes.
        unreadable: tables where chips may stay held meanwhile, because nobody can go on at them.
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
    target_has: int | None = None
    last_hash: bytes | None = None
    newcomer: int | None = None
    note: AdminNote | None = None
    season: SeasonChanged | None = None
    tournament: TournamentChanged | None = None
    plan: Plan | None = None
    reset_to: int | None = None
    unreadable: frozenset[int] = frozenset()
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
        is_hidden: whether they have chosen to be on no leaderboard of the server.
        has_left: whether they were no member of the server any more when Discord was last asked.
        finds_ox: whether they find the ox of their hands themselves.
    """

    party: int
    server_id: int
    user_id: int
    name: str
    locale: str
    squeezes: bool = False
    is_hidden: bool = False
    has_left: bool = False
    finds_ox: bool = False


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
class WeekPosted:
    """The week whose leaderboard was last posted in a server, in place of the one before; None is none.

    Refused (Overtaken) if the one before is not stored as it is said to be, or the server is not greeted.
    """

    server_id: int
    before: str | None
    week: str | None


@dataclass(frozen=True, slots=True)
class ServerGreeted:
    """The bot has greeted a server, or is about to."""

    server_id: int


@dataclass(frozen=True, slots=True)
class OpeningsOutdated:
    """The hashes of erased members are deleted whose time is over, and bans that are over.

    Attributes:
        latest: when the last of them is deleted; one that would stay longer was stored by a wrong clock.
    """

    at: float
    latest: float


@dataclass(frozen=True, slots=True)
class RoundsCounted:
    """Settled rounds of a server are in its standings from now on.

    Attributes:
        links: of the events that settled them; none is counted yet.
        standings, tallies, flows: what these rounds add.
        progress: how far their members have come with them, as JSON, by party.
    """

    server_id: int
    links: tuple[int, ...]
    standings: tuple[Standing, ...]
    tallies: tuple[Tally, ...] = ()
    progress: tuple[tuple[int, str], ...] = ()
    flows: tuple[Flow, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsCleared:
    """All standings are deleted, and every settled round is to be counted again."""


@dataclass(frozen=True, slots=True)
class OwnApplication:
    """The application of Discord's that the database belongs to; None lets the next start note another."""

    application_id: int | None


@dataclass(frozen=True, slots=True)
class OwnerNote:
    """What the owner of the bot decided, under a name; None deletes it."""

    name: str
    text: str | None


Fact = (
    BoardPosted
    | Ban
    | BanLifted
    | DirectChannel
    | HouseDraft
    | Identity
    | LocaleChosen
    | ServerErasure
    | HeadPosted
    | ServerGreeted
    | WeekPosted
    | OpeningsOutdated
    | RoundsCounted
    | StandingsCleared
    | OwnApplication
    | OwnerNote
    | PlanChanged
    | SeasonChanged
    | ServerCleared
    | TournamentChanged
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


TOURNAMENT_KEY: Final = "tournament:"
"""What the keys of a tournament's commands begin with; its id follows."""


def tournament_key(tournament_id: int, what: str) -> str:
    """The key of a command by which a tournament takes or pays chips."""
    return f"{TOURNAMENT_KEY}{tournament_id}:{what}"


def opening_key(server_id: int, party: int) -> str:
    """The key of the command that gives a member their opening chips, once."""
    return f"opening:{server_id}:{party}"
