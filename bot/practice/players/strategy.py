"""Which moves a practice player would make, given a board and what it remembers."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from bot.practice.players.board_reader import Board
from bot.practice.players.pace import Pace

MOST_REFUSALS: Final = 3
"""How often a button may refuse a player before they stop pressing it."""

BETS: Final = ("bet", "sit_out")
"""Who does one of these in a round does not do the other."""


Occasion = tuple[str, int, str, str]
"""A table, its round, the action, and the move's variant."""


class Habit(Enum):
    """What kind of player it is."""

    PLAYS = auto()
    """Sits down, bets, and rolls dice for the bank."""
    BANKS = auto()
    """The same, and takes a free bank."""
    WATCHES = auto()
    """Does not sit down, but sometimes backs players."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move that a player would make now.

    Attributes:
        board: the board.
        action: what the button or menu does.
        custom_id: the button or menu, or the menu that opens the panel with it.
        delay: how long the player waits first, in seconds.
        variant: a different variant of the move starts its delay again.
    """

    board: Board
    action: str
    custom_id: str
    delay: float
    variant: str = ""

    @property
    def occasion(self) -> Occasion:
        """What identifies the move, even when the board is edited."""
        return self.board.table, self.board.round, self.action, self.variant


@dataclass(slots=True)
class TableMemory:
    """What a player remembers of a table.

    Attributes:
        joined: whether they asked for a seat.
        done: their actions, by round.
        refused: for each button how often it refused them, and the board's content then.
    """

    joined: bool = False
    done: set[tuple[int, str]] = field(default_factory=set)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)

    def note_done(self, move: Move) -> None:
        """Records a move."""
        self.done.add((move.board.round, "bet" if move.action in BETS else move.action))

    def note_refused(self, move: Move) -> None:
        """Records a refusal."""
        times, _ = self.refused.get(move.custom_id, (0, ""))
        self.refused[move.custom_id] = times + 1, move.board.content

    def is_refused(self, move: Move) -> bool:
        """Whether the button refused them on the same board, or too often."""
        times, content = self.refused.get(move.custom_id, (0, ""))
        return times >= MOST_REFUSALS or content == move.board.content


class Strategy:
    """Chooses moves for one player.

    Args:
        player_id: the id of their account.
        habit: what kind of player it is.
        pace: how fast it acts.
        practice_players: the ids of all practice players; None means it waits for no humans.
    """

    def __init__(
        self, player_id: int, habit: Habit, pace: Pace, practice_players: Collection[int] | None
    ) -> None:
        self._player_id = player_id
        self._habit = habit
        self._pace = pace
        self._practice_players = practice_players

    def moves(self, board: Board, memory: TableMemory, bet_button: str) -> Iterator[Move]:
        """Every move they would make at a table now.

        Args:
            board: the table's board.
            memory: what they remember of it.
            bet_button: the button they would bet with; empty if there is none.
        """
        if self._habit is Habit.WATCHES:
            yield from self._once_a_round(board, memory, "side_bets", self._pace.back)
        elif not memory.joined:
            yield from self._press(board, "join", self._pace.join)
        else:
            yield from self._seated(board, memory)
            if board.banker == self._player_id:
                yield from self._banking(board, memory)
            elif bet_button and (board.round, "bet") not in memory.done:
                yield from self._betting(board, memory, bet_button)

    def _seated(self, board: Board, memory: TableMemory) -> Iterator[Move]:
        """What bankers and players both do: get the bank, arrange the hand, reveal it."""
        yield from self._press(board, "roll", self._pace.roll)
        if self._habit is Habit.BANKS and "bank" in board.buttons:
            yield from self._press(board, "bank", self._pace.bank)
        if board.asks_to_arrange and (board.round, "arrange") not in memory.done:
            if "reveal" in board.buttons and "hand" in board.buttons:
                yield Move(board, "arrange", board.buttons["hand"][0], self._pace.arrange)
        else:
            yield from self._once_a_round(board, memory, "reveal", self._pace.reveal)

    def _banking(self, board: Board, memory: TableMemory) -> Iterator[Move]:
        """What only the banker's own panel offers."""
        panel = board.menu_choices.get("hand")
        if "bet" not in board.buttons or panel is None:
            return
        if not board.counts_down:
            on_humans = self._practice_players is not None and not board.undecided <= set(
                self._practice_players
            )
            delay = self._pace.give_up_bank_on_humans if on_humans else self._pace.give_up_bank
            yield Move(board, "give_up", panel, delay, "on humans" if on_humans else "")
        elif (board.round, "deal") not in memory.done and (self._pace.deals_early or not board.undecided):
            yield Move(board, "deal", panel, self._pace.deal)

    def _betting(self, board: Board, memory: TableMemory, bet_button: str) -> Iterator[Move]:
        smallest = board.buttons["bet"][0]
        if not any(chip in memory.refused for chip in board.buttons["bet"]):
            waits = self._waits_for_spectators(board)
            delay = self._pace.bet_among_practice_players if waits else self._pace.bet
            yield Move(board, "bet", bet_button, delay, "waits" if waits else "")
        elif smallest not in memory.refused:
            yield Move(board, "bet", smallest, self._pace.bet)
        else:
            yield from self._press(board, "sit_out", self._pace.bet)

    def _waits_for_spectators(self, board: Board) -> bool:
        """Whether only practice players sit there and one has bet: humans get time to back that one."""
        alone = self._practice_players is not None and board.mentioned <= set(self._practice_players)
        return alone and "side_bets" in board.buttons

    def _press(self, board: Board, action: str, delay: float) -> Iterator[Move]:
        if action in board.buttons:
            yield Move(board, action, board.buttons[action][0], delay)
        elif action in board.menu_choices:
            yield Move(board, action, board.menu_choices[action], delay)

    def _once_a_round(self, board: Board, memory: TableMemory, action: str, delay: float) -> Iterator[Move]:
        if (board.round, action) not in memory.done:
            yield from self._press(board, action, delay)
