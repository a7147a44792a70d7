"""A computer player: a member who plays by pressing what the boards offer, over the wire like anyone."""

import asyncio
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.practice.person import Person
from bot.practice.players.boards import Board, boards_seen_by
from bot.practice.replies import NotPossibleError, Reply

MOST_REFUSALS: Final = 3
"""How often one button may be refused to a player before he lets it be."""

MODEST: Final = 3
"""From how many of the smallest stakes on offer a player chooses, so that the bank can cover others' too."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a player thinks before he does something, in seconds since he could first do it.

    Attributes:
        join: before he sits down.
        bank: before he takes a bank that nobody holds; long enough for a human to take it.
        bet: before he bets.
        deal: before he deals as the banker; long enough for a human to bet.
        show: before he turns up his hand.
        give_up: how long he keeps a bank against which nobody bets.
        spread: by how much of it a time differs from one occasion to the next, from 0 to 1.
    """

    join: float = 0.7
    bank: float = 3.0
    bet: float = 1.2
    deal: float = 10.0
    show: float = 1.0
    give_up: float = 60.0
    spread: float = 0.3


AT_ONCE: Final = Pace(join=0, bank=0, bet=0, deal=1, show=0, give_up=2, spread=0)
"""For tests, and where no human plays along. The banker still leaves the others the time to bet."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something a player would do now.

    Attributes:
        board: on which board.
        action: what it does.
        custom_id: the button; for a choice of the menu, the menu.
        delay: how long he thinks about it, in seconds.
    """

    board: Board
    action: str
    custom_id: str
    delay: float

    @property
    def occasion(self) -> tuple[str, int, str]:
        """What makes it the same move, though the board be drawn anew."""
        return self.board.table, self.board.round, self.action


@dataclass(slots=True)
class _Memory:
    """What a player knows of a table by what he did there himself.

    Attributes:
        joined: whether he has asked for a seat.
        banks: whether he holds the bank; None where he does not know.
        done: the actions he has done, by round.
        refused: for each button how often it was refused, and what the board looked like then.
    """

    joined: bool = False
    banks: bool | None = None
    done: set[tuple[int, str]] = field(default_factory=set)
    refused: dict[str, tuple[int, str]] = field(default_factory=dict)


class ComputerPlayer:
    """A member who sits at the first open table there is, bets each round, turns up his hand, and may bank.

    He wakes when the world changes, and does nothing meanwhile. What was refused to him he tries again only
    when the board has changed, and not often.

    Args:
        person: whom he plays as.
        pace: how long he thinks.
        may_bank: whether he takes a bank that nobody holds.
        chance: where his choices come from.
    """

    def __init__(
        self,
        person: Person,
        pace: Pace,
        *,
        may_bank: bool = False,
        chance: random.Random | None = None,
    ) -> None:
        self.person = person
        self._pace = pace
        self._may_bank = may_bank
        self._chance = chance or random.Random()
        self._tables: dict[str, _Memory] = {}
        self._due: dict[tuple[str, int, str], float] = {}

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
        """All that he would do now, at the table where he sits or at any that he might join."""
        boards = boards_seen_by(self.person)
        self._tables = {table: self._tables.get(table, _Memory()) for table in boards}
        seated = {table for table, memory in self._tables.items() if memory.joined}
        for table in seated or boards:
            memory = self._tables[table]
            for move in self._wishes(boards[table], memory):
                if not _is_refused(move, memory):
                    yield move

    def _wishes(self, board: Board, memory: _Memory) -> Iterator[Move]:
        pace, here = self._pace, board.pressable

        def fresh(action: str) -> bool:
            return action in here and (board.round, action) not in memory.done

        if not memory.joined:
            if "join" in here:
                yield Move(board, "join", here["join"][0], pace.join)
            return
        if "bank" in here:
            memory.banks = False
            if self._may_bank:
                yield Move(board, "bank", here["bank"][0], pace.bank)
        if fresh("show"):
            yield Move(board, "show", here["show"][0], pace.show)
        # After the practice was started anew he may hold a bank that he does not know of.
        if self._may_bank and memory.banks is not False and fresh("deal"):
            yield Move(board, "deal", here["deal"][0], pace.deal)
        if not fresh("bet"):
            return
        if memory.banks:
            if "deal" not in here and "giveup" in board.menu:
                yield Move(board, "giveup", board.menu["giveup"], pace.give_up)
        elif not any(chip in memory.refused for chip in here["bet"]):
            yield Move(board, "bet", self._chance.choice(here["bet"][:MODEST]), pace.bet)
        elif here["bet"][0] not in memory.refused:
            yield Move(board, "bet", here["bet"][0], pace.bet)
        elif fresh("out"):
            yield Move(board, "out", here["out"][0], pace.bet)

    async def _make(self, move: Move) -> None:
        memory = self._tables[move.board.table]
        self._due.pop(move.occasion, None)
        try:
            reply = await self._act(move)
        except NotPossibleError:
            # The board has changed under his finger.
            _refuse(move, memory)
            return
        if move.action == "join":
            # Whoever is refused a seat because he has one has one.
            memory.joined = True
        private = reply.message is not None and reply.message.ephemeral
        if private and reply.message is not None:
            await self.person.dismiss(reply.message)
        if private or reply.error is not None:
            _refuse(move, memory)
            return
        memory.done.add((move.board.round, "bet" if move.action == "out" else move.action))
        if move.action in {"bank", "deal"}:
            memory.banks = True

    async def _act(self, move: Move) -> Reply:
        message = move.board.message
        if move.action == "giveup":
            return await self.person.choose(message, move.custom_id, move.action)
        reply = await self.person.click(message, move.custom_id)
        if reply.modal is not None:
            # The form of the bank proposes limits that the banker can pay: he takes them.
            reply = await self.person.submit(reply.modal)
        return reply


def _is_refused(move: Move, memory: _Memory) -> bool:
    """Whether it was refused as things stand, or so often that it is of no use."""
    times, look = memory.refused.get(move.custom_id, (0, ""))
    return times >= MOST_REFUSALS or look == move.board.look


def _refuse(move: Move, memory: _Memory) -> None:
    times, _ = memory.refused.get(move.custom_id, (0, ""))
    memory.refused[move.custom_id] = times + 1, move.board.look
    if move.action == "deal" and memory.banks is None:
        memory.banks = False
