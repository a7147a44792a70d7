"""A computer player: a member who plays by pressing what the boards offer, over the wire like anyone."""

import asyncio
import contextlib
import random
from collections.abc import Collection, Iterator
from typing import Final

from bot.practice.person import Person
from bot.practice.places import Channel
from bot.practice.players.boards import Board, boards_seen_by
from bot.practice.players.errands import arrange_hand, back_somebody
from bot.practice.players.pace import Pace
from bot.practice.players.strategy import Habit, Memory, Move, Occasion, Wishes
from bot.practice.replies import NotPossibleError, Reply

MODEST: Final = 3
"""From how many of the smallest stakes on offer a player chooses, so that the bank can cover others' too."""


class ComputerPlayer:
    """A member who sits at the first open table there is, or watches all, and does as `Wishes` says.

    He wakes when the world changes, and does nothing meanwhile. What was refused to him he tries again only
    when the board has changed, and not often.

    Args:
        person: whom he plays as.
        pace: how long he thinks.
        habit: what kind of player he is.
        channels: where he looks for tables; None is everywhere.
        computers: the ids of all computer players; None where no human has to be waited for.
        chance: where his choices come from.
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
        self._wishes = Wishes(person.id, habit, pace, computers)
        self._tables: dict[str, Memory] = {}
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
        """The move whose time has come, or else how many seconds are left until the next; None for no end."""
        moves = list(self._moves())
        # What can no longer be done is thought about anew when it can be done again.
        self._due = {
            move.occasion: self._due.get(move.occasion, now + self._thinking_time(move)) for move in moves
        }
        if not moves:
            return None, None
        first = min(moves, key=lambda move: self._due[move.occasion])
        left = self._due[first.occasion] - now
        return (first, None) if left <= 0 else (None, left)

    def _thinking_time(self, move: Move) -> float:
        spread = self._pace.spread
        return move.delay * self._chance.uniform(1 - spread, 1 + spread)

    def _moves(self) -> Iterator[Move]:
        """All that he would do now, at the table where he sits or at any that he might join or watch."""
        boards = boards_seen_by(self.person, self._channels)
        self._tables = {table: self._tables.get(table, Memory()) for table in boards}
        seated = {table for table, memory in self._tables.items() if memory.joined}
        for table in seated or boards:
            memory, board = self._tables[table], boards[table]
            for move in self._wishes.at(board, memory, self._stake(board)):
                if not memory.is_refused(move):
                    yield move

    def _stake(self, board: Board) -> str:
        bets = board.pressable.get("bet", ())
        return self._chance.choice(bets[:MODEST]) if bets else ""

    async def _make(self, move: Move) -> None:
        memory = self._tables[move.board.table]
        self._due.pop(move.occasion, None)
        try:
            refused = await self._do(move)
        except NotPossibleError:
            # The board has changed under his finger.
            refused = True
        if move.action == "join":
            # Whoever is refused a seat because he has one has one.
            memory.joined = True
        if refused:
            memory.note_refused(move)
        else:
            memory.note_done(move)

    async def _do(self, move: Move) -> bool:
        """Does it; tells whether it was refused."""
        person, message = self.person, move.board.message
        match move.action:
            case "arrange":
                await arrange_hand(person, move.board, self._chance, self._pace.own_three)
                return False
            case "side_bets":
                if self._chance.random() < self._pace.backs:
                    await back_somebody(person, move.board, self._chance)
                return False
            case "give_up":
                reply = await person.choose(message, move.custom_id, move.action)
            case _:
                reply = await person.click(message, move.custom_id)
        if reply.modal is not None:
            # The form of the bank proposes limits that the banker can pay: he takes them.
            reply = await person.submit(reply.modal)
        return await self._is_refusal(reply)

    async def _is_refusal(self, reply: Reply) -> bool:
        """Whether he was answered to himself alone, or not at all; the answer is put away."""
        private = reply.message is not None and reply.message.ephemeral
        if private and reply.message is not None:
            await self.person.dismiss(reply.message)
        return private or reply.error is not None
