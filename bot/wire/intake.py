"""Takes presses in as fast as Discord sends them, and has the newest replied to first.

Discord gives up on a press after three seconds. Carried out in the order of their arrival, presses would all
be late as soon as there are more than the bot can bear. So only some are carried out at once. Of those that
wait, the newest is next. Those that have waited too long are dropped before they cost
anything. A member's own presses keep their order: a bet and its withdrawal must not change places.

Discord sends events again to a connection that is resumed. Of an interaction, only the first is taken.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any, Final

import discord

from bot.wire.events import guarded
from bot.wire.press_interaction import PressInteraction
from bot.wire.slots import Slot, occupy

log = logging.getLogger(__name__)

AT_ONCE: Final = 32
"""How many presses are carried out at once: enough for the ledger to write many together."""
IN_A_TURN: Final = 2
"""How many presses are started in one turn of the event loop."""
MOST_WAITING: Final = 1_000
"""The most presses that wait; of more, the oldest are dropped."""
HOPELESS_SECONDS: Final = 2.5
"""A press that has waited this long is dropped: its reply would be late."""
PATIENCE_SECONDS: Final = 2.0
"""How long other work waits at most until no press waits."""
LOOK_SECONDS: Final = 0.05
"""How often it looks."""
SLOT_SECONDS: Final = 1.0
"""How long a press counts as carried out at once: a slow disk or a slow table must not stop the others."""
CLOSING_SECONDS: Final = 2.0
"""How long closing waits for replies that are being made."""
REMEMBERED: Final = 10_000
"""How many interactions are known again, about 1 MB."""
StandBack = Callable[[], Coroutine[Any, Any, None]]
"""Waits a little while presses wait: everything else may be late."""
_KINDS: Final = frozenset(
    {discord.InteractionType.component.value, discord.InteractionType.modal_submit.value}
)


class Intake:
    """The presses that wait, and the presses and commands that are being carried out.

    Args:
        client: the connection.
        carry_out: carries out a press and replies to it; must not raise.

    Attributes:
        presses: how many were taken in.
    """

    def __init__(
        self,
        client: discord.Client,
        carry_out: Callable[[PressInteraction], Coroutine[Any, Any, None]],
    ) -> None:
        self._state = client._connection
        self._carry_out = carry_out
        self.presses = 0
        self._waiting = Waiting()
        self._occupied = 0
        self._running: set[asyncio.Task[Any]] = set()
        self._turn_is_due = False
        self._closed = False
        self._taken: OrderedDict[str, None] = OrderedDict()

    def join(self) -> bool:
        """Lets `close` wait for this task too, which runs a command; returns False once it is called."""
        if self._closed:
            return False
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return True

    def install(self) -> None:
        """Takes presses out of what discord.py handles; it still handles commands."""
        name = "INTERACTION_CREATE"
        others = self._state.parsers[name]

        def parse(data: Any) -> None:
            if self._is_first(data):
                (self.take if data.get("type") in _KINDS else others)(data)

        self._state.parsers[name] = guarded(name, parse)

    def _is_first(self, data: Any) -> bool:
        """Whether an interaction has not come before."""
        interaction_id = data.get("id")
        if interaction_id is None:
            return True
        if str(interaction_id) in self._taken:
            log.info("interaction %s came again", interaction_id)
            return False
        self._taken[str(interaction_id)] = None
        if len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)
        return True

    def take(self, data: Any) -> None:
        """Takes a press in, as Discord sent it."""
        if self._closed:
            return
        self.presses += 1
        self._waiting.add(_presser(data), asyncio.get_running_loop().time(), data)
        self._go_on_soon()

    async def until_nobody_waits(self) -> None:
        """Returns when no press waits, or after some seconds: work that may be late stands back so long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_SECONDS
        while self._waiting and loop.time() < until:  # noqa: ASYNC110 - an event would wake all at once
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Takes nothing more in, and waits a little for the replies that are being made."""
        self._closed = True
        if dropped := self._waiting.clear():
            log.info("%d presses were dropped: the bot is stopping", dropped)
        if self._running:
            _, unfinished = await asyncio.wait(self._running, timeout=CLOSING_SECONDS)
            for task in unfinished:
                task.cancel()

    def _go_on_soon(self) -> None:
        if not self._turn_is_due:
            self._turn_is_due = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Drops what is hopeless, and starts some presses if there are slots.

        A few in each turn of the event loop: its turns take longer the more it has to do, so no more presses
        are started than it can finish, however quickly they come to wait for Discord.
        """
        self._turn_is_due = False
        if self._closed:
            return
        hopeless = self._waiting.drop_before(asyncio.get_running_loop().time() - HOPELESS_SECONDS)
        if hopeless:
            log.warning("%d presses were dropped: they came faster than they could be carried out", hopeless)
        started = 0
        while self._waiting and self._occupied < AT_ONCE and started < IN_A_TURN:
            started += self._start(self._waiting.next())
        if self._waiting and self._occupied < AT_ONCE:
            self._go_on_soon()

    def _start(self, data: Any) -> bool:
        """Starts a press; returns whether it could be parsed."""
        try:
            press = PressInteraction(data=data, state=self._state)
        except Exception:
            # Raised, it would end the connection.
            log.exception("skipped a press that cannot be parsed")
            return False
        loop = asyncio.get_running_loop()
        context, slot = copy_context(), Slot(self._freed)
        context.run(occupy, slot)
        self._occupied += 1
        task = loop.create_task(self._carry_out(press), name="press", context=context)
        self._running.add(task)
        timer = loop.call_later(SLOT_SECONDS, slot.give_back)

        def ended(task: asyncio.Task[None]) -> None:
            self._running.discard(task)
            timer.cancel()
            if not task.cancelled() and (failed := task.exception()) is not None:
                log.error("a press was not carried out", exc_info=failed)
            slot.give_back()

        task.add_done_callback(ended)
        return True

    def _freed(self) -> None:
        self._occupied -= 1
        if self._waiting:
            self._go_on_soon()


class Waiting:
    """Presses that wait. Of each member the first is next, and of those the newest."""

    def __init__(self) -> None:
        self._by_user: dict[object, deque[tuple[float, Any]]] = {}
        self._arrivals: deque[tuple[float, object]] = deque()
        self._firsts: list[tuple[float, int, object]] = []
        self._numbers = count()
        self._count = 0

    def __len__(self) -> int:
        """How many wait."""
        return self._count

    def add(self, user: object, at: float, data: Any) -> None:
        """Adds a press.

        Args:
            user: who pressed.
            at: when it came, by the clock of the event loop.
            data: the press.
        """
        own = self._by_user.setdefault(user, deque())
        own.append((at, data))
        if len(own) == 1:
            self._push_first(user, at)
        self._arrivals.append((at, user))
        self._count += 1

    def next(self) -> Any:
        """Takes the press that is next."""
        while True:
            negative, _, user = heappop(self._firsts)
            own = self._by_user.get(user)
            # Otherwise it was dropped meanwhile.
            if own is not None and own[0][0] == -negative:
                return self._take_first(user)

    def drop_before(self, at: float) -> int:
        """Drops what came before this time, and the oldest beyond `MOST_WAITING`; returns how many."""
        dropped = 0
        while self._arrivals and (self._arrivals[0][0] < at or self._count > MOST_WAITING):
            came, user = self._arrivals.popleft()
            own = self._by_user.get(user)
            # Otherwise it was taken meanwhile.
            if own is not None and own[0][0] == came:
                self._take_first(user)
                dropped += 1
        return dropped

    def clear(self) -> int:
        """Drops everything; returns how many."""
        dropped, self._count = self._count, 0
        self._by_user.clear()
        self._arrivals.clear()
        self._firsts.clear()
        return dropped

    def _push_first(self, user: object, at: float) -> None:
        if len(self._firsts) > 2 * len(self._by_user) + MOST_WAITING:
            # What was dropped lies below all that came later, and would stay.
            self._firsts = [(-own[0][0], -next(self._numbers), who) for who, own in self._by_user.items()]
            heapify(self._firsts)
        # The number keeps users, who have no order, from being compared; of equals the later comes first.
        heappush(self._firsts, (-at, -next(self._numbers), user))

    def _take_first(self, user: object) -> Any:
        own = self._by_user[user]
        _, data = own.popleft()
        if own:
            self._push_first(user, own[0][0])
        else:
            del self._by_user[user]
        self._count -= 1
        return data


def _presser(data: Any) -> object:
    """Who pressed; None if that cannot be read."""
    user = (data.get("member") or data).get("user") or {}
    return user.get("id")
