"""Tells in plain lines what a spectator sees on a board: who banks, the bets when hands are out, the end."""

from collections.abc import Callable, Iterator
from typing import Final

from bot.practice.changes import Change
from bot.practice.component_tree import texts
from bot.practice.page.markdown import plain
from bot.practice.page.reader import Reader
from bot.practice.person import Person
from bot.practice.players.boards import MENTION, RESULT, Board, read_board

SMALL: Final = "-# "
"""What a line in small print begins with."""


class Narrator:
    """Tells of the rounds at every table that a spectator sees.

    Args:
        spectator: through whose eyes.
        tell: what to do with each line.
        settled: called with a table and the number of its round when that is settled and told.
    """

    def __init__(
        self, spectator: Person, tell: Callable[[str], None], settled: Callable[[str, int], None]
    ) -> None:
        self._spectator = spectator
        self._tell = tell
        self._settled = settled
        self._dealt: dict[str, int] = {}
        self._ended: dict[str, int] = {}
        self._happened: set[tuple[str, int, str]] = set()

    def hear(self, change: Change) -> None:
        """Looks at what has changed; to be given to `world.on_change`."""
        message = change.message
        if message is None or message.deleted or not change.visible_to(self._spectator.user):
            return
        board = None if message.channel.is_dm or message.ephemeral else read_board(message)
        if board is None:
            return
        reader = Reader(self._spectator, message.channel)
        if "reveal" in board.pressable and board.round > self._dealt.get(board.table, 0):
            self._dealt[board.table] = board.round
            self._tell(f"Round {board.round} · {' | '.join(_who(board, reader))}")
        for text in texts(message.components):
            if result := RESULT.fullmatch(text):
                self._tell_end(board.table, int(result["round"]), result["lines"], reader)
        self._tell_happenings(board, reader)

    def _tell_happenings(self, board: Board, reader: Reader) -> None:
        """How the bank came to who holds it, and who went: what stands of people in the small print."""
        for line in _lines_about(board):
            if line.startswith(SMALL) and (board.table, board.round, line) not in self._happened:
                self._happened.add((board.table, board.round, line))
                self._tell(f"Round {board.round} · {plain(line, reader)}")

    def _tell_end(self, table: str, number: int, lines: str, reader: Reader) -> None:
        if number <= self._ended.get(table, 0):
            return
        self._ended[table] = number
        told = (plain(line, reader) for line in lines.splitlines() if not line.startswith(SMALL))
        self._tell(f"Round {number} ended · {' | '.join(told)}")
        self._settled(table, number)


def _who(board: Board, reader: Reader) -> Iterator[str]:
    """Who banks, and who bets how much."""
    return (plain(line, reader) for line in _lines_about(board) if not line.startswith(SMALL))


def _lines_about(board: Board) -> Iterator[str]:
    """The lines of a board that are about somebody, but for those on how the last round ended."""
    for text in texts(board.message.components):
        if not RESULT.fullmatch(text):
            yield from (line for line in text.splitlines() if MENTION.search(line))
