"""A practice player: a member who plays by pressing buttons, over the wire like everybody."""

import asyncio
import contextlib
import random
from collections.abc import Collection, Iterator

from bot.practice.person import Person
from bot.practice.players.board_reader import Action, Board, boards_seen_by, own_hand
from bot.practice.players.moves import make_move
from bot.practice.players.strategy import (
    TEMPERAMENTS,
    Habit,
    Move,
    Occasion,
    Pace,
    Strategy,
    TableMemory,
    Temperament,
)
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel


class PracticePlayer:
    """A member who plays at the first open table, or watches all, following its `Strategy`.

    Wakes up when the world changes. Repeats a refused move only after the board has changed, and not often.
    It looks for tables in `channels`; None means everywhere.
    """

    def __init__(
        self,
        person: Person,
        pace: Pace,
        *,
        habit: Habit = Habit.PLAYS,
        temperament: Temperament = TEMPERAMENTS[0],
        channels: Collection[Channel] | None = None,
        practice_players: Collection[int] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.person = person
        self._pace = pace
        self._habit = habit
        self._temperament = temperament
        self._channels = channels
        self._chance = chance or random.Random()
        self._strategy = Strategy(person.id, habit, pace, practice_players)
        self._tables: dict[str, TableMemory] = {}
        self._due: dict[Occasion, float] = {}

    async def play(self) -> None:
        """Plays until it is cancelled."""
        changed = asyncio.Event()
        stop = self.person.world.on_change(lambda _: changed.set())
        clock = asyncio.get_running_loop().time
        try:
            while True:
                changed.clear()
                move, wait = self._next(clock())
                if move is not None:
                    await self._make(move)
                    continue
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await changed.wait()
        finally:
            stop()

    def _next(self, now: float) -> tuple[Move | None, float | None]:
        """The move that is due, or the seconds until the next one; None waits for a change."""
        moves = list(self._moves())
        # A move that is no longer possible starts its delay again when it comes back.
        self._due = {move.occasion: self._due.get(move.occasion, now + self._delay(move)) for move in moves}
        if not moves:
            return None, None
        first = min(moves, key=lambda move: self._due[move.occasion])
        left = self._due[first.occasion] - now
        return (first, None) if left <= 0 else (None, left)

    def _delay(self, move: Move) -> float:
        pace, board = self._pace, move.board
        is_new = board.round <= 1 and not board.counts_down
        delay = move.delay * self._temperament.slowness * (pace.at_first if is_new else 1)
        return delay * self._chance.uniform(1 - pace.spread, 1 + pace.spread)

    def _moves(self) -> Iterator[Move]:
        """Every move it would make now, at its own table or at any it could join or watch."""
        boards = boards_seen_by(self.person, self._with_threads())
        self._tables = {table: self._tables.get(table, TableMemory()) for table in boards}
        for table, board in boards.items():
            # Players of a tournament are seated without asking.
            self._tables[table].joined |= self.person.id in board.undecided
        seated = {table for table, memory in self._tables.items() if memory.joined}
        for table in seated or boards:
            memory, board = self._tables[table], boards[table]
            hand = own_hand(self.person, board) if Action.REVEAL in board.buttons else None
            for move in self._strategy.moves(board, memory, self._bet_button(board), hand):
                if not memory.is_refused(move):
                    yield move

    def _with_threads(self) -> list[Channel] | None:
        """The channels where they look for tables, and the threads there."""
        if self._channels is None:
            return None
        return [
            one for one in self.person.channels() if one in self._channels or one.parent in self._channels
        ]

    def _bet_button(self, board: Board) -> str:
        bets, habit = board.buttons.get(Action.BET, ()), self._temperament.bets
        return bets[min(habit[board.round % len(habit)], len(bets) - 1)] if bets else ""

    async def _make(self, move: Move) -> None:
        memory = self._tables[move.board.table]
        self._due.pop(move.occasion, None)
        try:
            refused = await make_move(self.person, move, self._chance, self._pace)
        except NotPossibleError:
            # The board has changed in the meantime.
            refused = True
        if move.action == Action.JOIN:
            # A refusal means that the player already has a seat.
            memory.joined = True
        if refused:
            memory.note_refused(move)
        else:
            memory.note_done(move)
