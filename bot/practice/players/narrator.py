"""Reports rounds in plain lines, as a spectator sees them: the banker, the bets, the result."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bot.practice.changes import Change
from bot.practice.component_tree import texts
from bot.practice.page.markdown import plain_text
from bot.practice.page.viewer import Viewer
from bot.practice.person import Person
from bot.practice.players.board_reader import MENTION, Action, Board, lines_now, read_board, result_of

SMALL_PRINT: Final = "-# "
"""The start of a line in small print."""
_ROLLED: Final = re.compile("[⚀-⚅] banks")


class Narrator:
    """Reports the rounds of every table that a spectator sees, line by line.

    `settled` is called with table and round number once a result is reported.
    """

    def __init__(
        self, spectator: Person, report: Callable[[str], None], settled: Callable[[str, int], None]
    ) -> None:
        self._spectator = spectator
        self._report = report
        self._settled = settled
        self._last_dealt: dict[str, int] = {}
        self._last_ended: dict[str, int] = {}
        self._reported: set[tuple[str, int, str]] = set()

    def on_change(self, change: Change) -> None:
        """Reports what a change shows; a listener for `world.on_change`."""
        message = change.message
        if message is None or message.deleted or not change.visible_to(self._spectator.user):
            return
        board = None if message.channel.is_dm or message.ephemeral else read_board(message)
        if board is None:
            return
        viewer = Viewer(self._spectator, message.channel)
        if Action.REVEAL in board.buttons and board.round > self._last_dealt.get(board.table, 0):
            self._last_dealt[board.table] = board.round
            self._report(f"Round {board.round} · {' | '.join(_bank_and_bets(board, viewer))}")
        if (result := result_of(message)) is not None:
            self._report_result(board.table, *result, viewer)
        self._report_small_print(board, viewer)

    def _report_small_print(self, board: Board, viewer: Viewer) -> None:
        """Reports how the banker got the bank, and small print about members, such as who left."""
        for line in _lines_with_mentions(board):
            told = line.startswith(SMALL_PRINT) or _ROLLED.search(line)
            if told and (board.table, board.round, line) not in self._reported:
                self._reported.add((board.table, board.round, line))
                self._report(f"Round {board.round} · {plain_text(line, viewer)}")

    def _report_result(self, table: str, number: int, lines: list[str], viewer: Viewer) -> None:
        if number <= self._last_ended.get(table, 0):
            return
        self._last_ended[table] = number
        shown = (plain_text(line, viewer) for line in lines)
        self._report(f"Round {number} ended · {' | '.join(shown)}")
        self._settled(table, number)


def _bank_and_bets(board: Board, viewer: Viewer) -> Iterator[str]:
    """The lines with the banker and the bets."""
    return (
        plain_text(line, viewer) for line in _lines_with_mentions(board) if not line.startswith(SMALL_PRINT)
    )


def _lines_with_mentions(board: Board) -> Iterator[str]:
    """The lines of a board that mention somebody, without the last result."""
    for text in texts(board.message.components):
        yield from (line for line in lines_now(text) if MENTION.search(line))
