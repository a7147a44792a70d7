"""A tournament as a frozen value: who entered, the tables of its stages, who goes on, and who wins what.

Everybody has the same chips at the beginning of each stage. They are counted at its tables (`heats.py`), and
are no account's. The entries are chips of members, and wait in a pot.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import ceil
from typing import Final

from pydantic import TypeAdapter

from bot.games.house import House
from bot.games.register import GAMES, AnyHouseRules
from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules, PassedOver
from bot.rules.knobs import BankPasses, GameName, HouseBank, Play
from bot.table.accounts import Move, Reason, pot, wallet
from bot.table.state import THE_HOUSE, Contender, Heat

FEWEST_PLAYERS: Final = 2
"""How many who may play it takes."""
MOST_ENTRANTS: Final = 60
"""How many members can enter."""
AT_A_TABLE: Final = 6
"""The most players of a tournament at one table."""
LOWEST_PART: Final = 20
"""The lowest bet can be lost this often, whatever the hands pay; less often if that would be below 1 chip."""
_SHARES: Final = (50, 30, 20)
"""What the first three get, in percent."""


class Progress(StrEnum):
    """How far a tournament has come."""

    ENTERING = "entering"
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


class CancelReason(StrEnum):
    """Why a tournament was cancelled."""

    TOO_FEW = "too_few"
    """Fewer than two who may play had entered at the start."""
    ADMIN = "admin"
    NO_TABLES = "no_tables"
    """Its tables could not be opened for too long."""
    TABLE_GONE = "table_gone"
    """The thread of one of its tables was deleted."""
    SEASON = "season"
    """The season ended, and with it what members had."""


@dataclass(frozen=True, slots=True)
class Group:
    """Who plays at a table of a stage; it has none before its thread is there."""

    parties: tuple[int, ...]
    table_id: int | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament at one moment.

    Attributes:
        rules: of its tables, as they were when it was opened.
        entry: what it costs to enter, in chips of members.
        chips: what everybody has at the beginning of a stage.
        rounds: of a stage.
        entrants: in the order in which they entered.
        cancel_reason: None unless it is cancelled.
        message_id: of its board; None before it is there.
        stage: from 1 on; 0 before the start.
        ranking: who was left at the end of the last stage that is over, the first at the top.
        ended: the tables that are over, until it is said there who goes on, or why it is cancelled.
        is_told: whether all is posted that it came to.
        threads_claimed_at: when a process last set out to make threads of this stage, or made one; None once
            they are all there.
    """

    tournament_id: int
    server_id: int
    channel_id: int
    opener: int
    rules: AnyHouseRules
    entry: int
    chips: int
    rounds: int
    starts_at: float
    progress: Progress = Progress.ENTERING
    cancel_reason: CancelReason | None = None
    entrants: tuple[int, ...] = ()
    message_id: int | None = None
    stage: int = 0
    groups: tuple[Group, ...] = ()
    ranking: tuple[Contender, ...] = ()
    ended: tuple[Group, ...] = ()
    is_told: bool = False
    threads_claimed_at: float | None = field(default=None, compare=False)

    @property
    def game(self) -> GameName:
        """The game that is played."""
        return self.rules.game

    @property
    def pot(self) -> int:
        """The chips of all entries."""
        return self.entry * len(self.entrants)

    @property
    def prizes(self) -> tuple[int, ...]:
        """What the first of the ranking get, once it is over."""
        return shares(self.pot, len(self.ranking))

    @property
    def is_final(self) -> bool:
        """Whether the first three of this stage win."""
        return len(self.groups) == 1

    @property
    def players(self) -> int:
        """How many began this stage."""
        return sum(len(group.parties) for group in self.groups)

    @property
    def going_on(self) -> int:
        """How many go on after this stage; 0 in the final."""
        return 0 if self.is_final else ceil(self.players / 2)

    @property
    def moment(self) -> tuple[int, int]:
        """Its stage and how many have entered: a question whether to cancel it is about one moment."""
        return self.stage, len(self.entrants)

    @property
    def has_enough(self) -> bool:
        """Whether enough have entered for it to start, if all of them may play then."""
        return len(self.entrants) >= FEWEST_PLAYERS

    @property
    def is_running(self) -> bool:
        """Whether it is neither over nor cancelled."""
        return self.progress in (Progress.ENTERING, Progress.PLAYING)

    def final_place(self, party: int) -> int | None:
        """The place of a player once the tournament is over; None for who was not in the final."""
        if self.progress is not Progress.OVER:
            return None
        return next((at for at, one in enumerate(self.ranking, 1) if one.party == party), None)

    def heat(self, number: int) -> Heat:
        """What one of its tables plays, by its place among `groups`."""
        contenders = tuple(Contender(party, self.chips) for party in self.groups[number].parties)
        return Heat(self.tournament_id, self.stage, number + 1, self.rounds, self.going_on, contenders)


def tournament_rules(house: House, game: GameName, chips: int, computers: int) -> HouseRules:
    """The rules at tables of a tournament: the house banks, and takes all that anybody begins with.

    Limits and seats are the tournament's own, whatever the house has.

    Args:
        chips: what everybody begins with.
        computers: how many computer players may keep each table company; they win nothing.
    """
    rules = house.rules(game, Play.TOURNAMENT)
    highest = max(1, chips // largest_multiple(rules))
    return rules.model_copy(
        update={
            "house_bank": HouseBank.ONLY,
            "bank_passes": BankPasses.STAYS,
            "seats": GAMES[game].most_players,
            "lowest_stake": _round(highest // LOWEST_PART),
            "highest_stake": highest,
            "computer_players": computers,
        }
    )


def _round(chips: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50 and so on that is not above a number; 1 at least."""
    size = int("1" + "0" * (len(str(chips)) - 1))
    return max(1, size * max(step for step in (0, 1, 2, 5) if step * size <= chips))


_ADAPTER: Final = TypeAdapter(Tournament)


def tournament_json(tournament: Tournament) -> str:
    """The tournament as stored JSON."""
    return _ADAPTER.dump_json(tournament).decode()


def parse_tournament(text: str) -> Tournament:
    """Reads a stored tournament.

    Raises:
        ValueError: this version cannot read it.
    """
    return _ADAPTER.validate_json(text, context=PassedOver())


def start(before: Tournament, able: Collection[int]) -> Tournament:
    """Begins the first stage, or cancels a tournament with fewer than two entrants.

    Args:
        able: the entrants who may play.
    """
    players = [party for party in before.entrants if party in able]
    if len(players) < FEWEST_PLAYERS:
        return cancel(before, CancelReason.TOO_FEW)
    return _with_stage(replace(before, progress=Progress.PLAYING), players)


def cancel(before: Tournament, why: CancelReason) -> Tournament:
    """Cancels a tournament; `returns` gives everybody their entry back."""
    ended = (*before.ended, *before.groups)
    return replace(before, progress=Progress.CANCELLED, cancel_reason=why, ended=ended)


def finish_stage(before: Tournament, at_tables: Iterable[Sequence[Contender]]) -> Tournament:
    """Begins the next stage with those who go on; after the final, the first three have won.

    Args:
        at_tables: who is left at each table of the stage, with their chips.
    """
    left = ranked(before, (one for table in at_tables for one in table))
    over = replace(before, ranking=left, ended=before.groups)
    if before.is_final or len(left) < 2:
        return replace(over, progress=Progress.OVER)
    return _with_stage(over, [one.party for one in left[: before.going_on]])


def ranked(one: Tournament, contenders: Iterable[Contender]) -> tuple[Contender, ...]:
    """Players by their chips, the first at the top; with the same chips, in the order they entered."""
    order = {party: place for place, party in enumerate(one.entrants)}
    return tuple(sorted(contenders, key=lambda of: (-of.chips, order[of.party])))


def _with_stage(before: Tournament, players: Sequence[int]) -> Tournament:
    """Deals the players out to as few tables as there must be, as many to one as to another.

    At each table they are in the order in which they entered.
    """
    most = min(AT_A_TABLE, GAMES[before.game].most_players)
    tables = ceil(len(players) / most)
    dealt = (players[first::tables] for first in range(tables))
    groups = tuple(Group(tuple(sorted(at_one, key=before.entrants.index))) for at_one in dealt)
    return replace(before, stage=before.stage + 1, groups=groups)


def shares(chips: int, players: int) -> tuple[int, ...]:
    """What the first three get of a pot: half of it, three and two tenths; of two players, the first all.

    What cannot be divided goes to the first.
    """
    if not players:
        return ()
    others = [chips * share // 100 for share in _SHARES[1:players]] if players > 2 else []
    return (chips - sum(others), *others)


def paid_prizes(over: Tournament) -> tuple[Move, ...]:
    """What the pot pays to the first of the ranking, or to the house if nobody is left."""
    source = pot(over.tournament_id)
    winners = [one.party for one in over.ranking] or [THE_HOUSE]
    paid = zip(winners, over.prizes or (over.pot,), strict=False)
    return tuple(Move(source, wallet(party), chips, Reason.PRIZE) for party, chips in paid if chips)


def returns(cancelled: Tournament, known: Collection[int]) -> tuple[Move, ...]:
    """What goes back of the entries; those of erased members go to the house."""
    source = pot(cancelled.tournament_id)
    back = [party for party in cancelled.entrants if party in known]
    moves = [Move(source, wallet(party), cancelled.entry, Reason.ENTRY_RETURNED) for party in back]
    if stray := cancelled.entry * (len(cancelled.entrants) - len(back)):
        moves.append(Move(source, wallet(THE_HOUSE), stray, Reason.PRIZE))
    return tuple(moves)
