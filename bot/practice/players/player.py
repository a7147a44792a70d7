"""A computer player: a member who plays by pressing buttons, over the wire like everybody."""

import asyncio
import contextlib
import random
from collections.abc import Collection, Iterator
from typing import Final

from bot.practice.person import Person
from bot.practice.players.board_reader import Board, boards_seen_by
from bot.practice.players.multi_step_moves import arrange_hand, back_somebody
from bot.practice.players.pace import Pace
from bot.practice.players.strategy import Habit, Move, Occasion, Strategy, TableMemory
from bot.practice.replies import NotPossibleError, Reply
from bot.practice.servers import Channel

MODEST: Final = 3
"""Bets one of this many smallest amounts, so that the bank can cover the others too."""


class ComputerPlayer:
    """A member who plays at the first open table, or watches all, following its `Strategy`.

    Wakes up when the world changes. Repeats a refused move only after the board has changed, and not often.

    Args:
        person: the member.
        pace: how fast it acts.
        habit: what kind of player it is.
        channels: where it looks for tables; None means everywhere.
        computers: the ids of all computer players; None means it waits for no humans.
        chance: the source of random choices.
    """

    def __init__(
        self,
        person: Person,
        pace: Pace,
        *,
        habit: Habit = Habit.PLAYS,
        channels: Collection[Channel] | None = None,
        computers: Collection[int] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.person = person
        self._pace = pace
        self._habit = habit
        self._channels = channels
        self._chance = chance or random.Random()
        self._strategy = Strategy(person.id, habit, pace, computers)
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
        spread = self._pace.spread
        return move.delay * self._chance.uniform(1 - spread, 1 + spread)

    def _moves(self) -> Iterator[Move]:
        """Every move it would make now, at its own table or at any it could join or watch."""
        boards = boards_seen_by(self.person, self._channels)
        self._tables = {table: self._tables.get(table, TableMemory()) for table in boards}
        seated = {table for table, memory in self._tables.items() if memory.joined}
        for table in seated or boards:
            memory, board = self._tables[table], boards[table]
            for move in self._strategy.moves(board, memory, self._bet_button(board)):
                if not memory.is_refused(move):
                    yield move

    def _bet_button(self, board: Board) -> str:
        bets = board.buttons.get("bet", ())
        return self._chance.choice(bets[:MODEST]) if bets else ""

    async def _make(self, move: Move) -> None:
        memory = self._tables[move.board.table]
        self._due.pop(move.occasion, None)
        try:
            refused = await self._do(move)
        except NotPossibleError:
            # The board has changed in the meantime.
            refused = True
        if move.action == "join":
            # A refusal means that the player already has a seat.
            memory.joined = True
        if refused:
            memory.note_refused(move)
        else:
            memory.note_done(move)

    async def _do(self, move: Move) -> bool:
        """Makes the move; returns whether it was refused."""
        person, message = self.person, move.board.message
        match move.action:
            case "arrange":
                await arrange_hand(person, move.board, self._chance, self._pace.chance_of_own_three)
                return False
            case "side_bets":
                if self._chance.random() < self._pace.chance_to_back:
                    await back_somebody(person, move.board, self._chance)
                return False
            case "give_up":
                reply = await person.choose(message, move.custom_id, move.action)
            case _:
                reply = await person.click(message, move.custom_id)
        if reply.modal is not None:
            # The bank's modal proposes limits that the banker can pay.
            reply = await person.submit(reply.modal)
        return await self._is_refusal(reply)

    async def _is_refusal(self, reply: Reply) -> bool:
        """Whether the reply is ephemeral or missing; dismisses the reply."""
        private = reply.message is not None and reply.message.ephemeral
        if private and reply.message is not None:
            await self.person.dismiss(reply.message)
        return private or reply.error is not None
