"""What a computer player would do at a table, as its board looks, and what he remembers of it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from bot.practice.players.boards import Board
from bot.practice.players.pace import Pace

MOST_REFUSALS: Final = 3
"""How often one button may be refused to a player before he lets it be."""

BETS: Final = ("bet", "sit_out")
"""Whoever has done the one will not do the other in the same round."""


Occasion = tuple[str, int, str, str]
"""A table, a round of it, what is done, and what makes the player think about that anew."""


class Habit(Enum):
    """What kind of player somebody is."""

    PLAYS = auto()
    """He sits down and bets; he throws dice for a bank, and takes none that is not thrown for."""
    BANKS = auto()
    """He does that, and takes a bank that nobody holds."""
    WATCHES = auto()
    """He does not sit down, and backs players now and then."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something a player would do now.

    Attributes:
        board: on which board.
        action: what it does.
        custom_id: the button; for a choice of the menu, the menu.
        delay: how long he thinks about it, in seconds.
        anew: what makes him think about it anew, if anything.
    """

    board: Board
    action: str
    custom_id: str
    delay: float
    anew: str = ""

    @property
    def occasion(self) -> Occasion:
        """What makes it the same move, though the board be drawn anew."""
        return self.board.table, self.board.round, self.action, self.anew


@dataclass(slots=True)
class Memory:
    """What a player knows of a table by what he did there himself.

    Attributes:
        joined: whether he has asked for a seat.
        done: the actions he has done, by round.
        refused: for each button how often it was refused, and what the board looked like then.
    """

    joined: bool = False
    done: set[tuple[int, str]] = field(default_factory=set)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)

    def note_done(self, move: Move) -> None:
        """Remembers that he has done it."""
        self.done.add((move.board.round, "bet" if move.action in BETS else move.action))

    def note_refused(self, move: Move) -> None:
        """Remembers that it was refused to him."""
        times, _ = self.refused.get(move.custom_id, (0, ""))
        self.refused[move.custom_id] = times + 1, move.board.look

    def is_refused(self, move: Move) -> bool:
        """Whether it was refused as things stand, or so often that it is of no use."""
        times, look = self.refused.get(move.custom_id, (0, ""))
        return times >= MOST_REFUSALS or look == move.board.look


class Wishes:
    """What one player would do.

    Args:
        player_id: his account's id.
        habit: what kind of player he is.
        pace: how long he thinks.
        computers: the ids of all computer players; None where nobody has to be waited for.
    """

    def __init__(self, player_id: int, habit: Habit, pace: Pace, computers: Collection[int] | None) -> None:
        self._player_id = player_id
        self._habit = habit
        self._pace = pace
        self._computers = computers

    def at(self, board: Board, memory: Memory, stake: str) -> Iterator[Move]:
        """All that he would do at a table now, were nothing refused.

        Args:
            board: the table's board.
            memory: what he remembers of it.
            stake: the button by which he would bet; empty where the board has none.
        """
        if self._habit is Habit.WATCHES:
            yield from self._fresh(board, memory, "side_bets", self._pace.back)
        elif not memory.joined:
            yield from self._press(board, "join", self._pace.join)
        else:
            yield from self._seated(board, memory)
            if board.banker == self._player_id:
                yield from self._banking(board, memory)
            elif stake and (board.round, "bet") not in memory.done:
                yield from self._betting(board, memory, stake)

    def _seated(self, board: Board, memory: Memory) -> Iterator[Move]:
        """What bankers and players do alike: get a bank, arrange the hand, turn it up."""
        yield from self._press(board, "roll", self._pace.roll)
        if self._habit is Habit.BANKS:
            yield from self._press(board, "bank", self._pace.bank)
        if board.asks and (board.round, "arrange") not in memory.done:
            if "reveal" in board.pressable and "hand" in board.pressable:
                yield Move(board, "arrange", board.pressable["hand"][0], self._pace.arrange)
        else:
            yield from self._fresh(board, memory, "reveal", self._pace.show)

    def _banking(self, board: Board, memory: Memory) -> Iterator[Move]:
        yield from self._fresh(board, memory, "deal", self._pace.deal)
        if "bet" in board.pressable and "deal" not in board.pressable and "give_up" in board.menu:
            yield Move(board, "give_up", board.menu["give_up"], self._pace.give_up)

    def _betting(self, board: Board, memory: Memory, stake: str) -> Iterator[Move]:
        smallest = board.pressable["bet"][0]
        if not any(chip in memory.refused for chip in board.pressable["bet"]):
            waits = self._waits_for_onlookers(board)
            delay = self._pace.among if waits else self._pace.bet
            yield Move(board, "bet", stake, delay, "waits" if waits else "")
        elif smallest not in memory.refused:
            yield Move(board, "bet", smallest, self._pace.bet)
        else:
            yield from self._press(board, "sit_out", self._pace.bet)

    def _waits_for_onlookers(self, board: Board) -> bool:
        """Whether computers alone sit there and one has bet: the others leave humans the time to back him."""
        alone = self._computers is not None and board.named <= set(self._computers)
        return alone and "side_bets" in board.pressable

    def _press(self, board: Board, action: str, delay: float) -> Iterator[Move]:
        if action in board.pressable:
            yield Move(board, action, board.pressable[action][0], delay)

    def _fresh(self, board: Board, memory: Memory, action: str, delay: float) -> Iterator[Move]:
        if (board.round, action) not in memory.done:
            yield from self._press(board, action, delay)
