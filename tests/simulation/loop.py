"""An event loop in virtual time: it jumps to the next timer, and runs steps in random order.

Asyncio only promises that a task goes on some time after what it waits for. So a seeded generator picks each
step among all that are possible: every order that threads, sockets and disks could cause comes with some
seed, and comes again with the same seed.

Everything in the loop belongs to a *process*: a number in the context, which new tasks inherit. A process can
be ended at any instant, as by a kill: nothing that it planned happens.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from itertools import count
from random import Random
from typing import Any, Final, TypeVar, TypeVarTuple, cast

PROCESS: Final[ContextVar[int]] = ContextVar("process", default=0)
"""The process of the current task; 0 is the world outside of all processes."""

Result = TypeVar("Result")
Args = TypeVarTuple("Args")
Step = tuple[asyncio.Handle, Context, Callable[..., object], tuple[Any, ...]]


class NothingLeftToDoError(Exception):
    """The loop waits for something that can never happen: no step and no timer is left."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """Runs tasks in virtual time, one step after another.

    Args:
        random: decides the order of steps.

    Attributes:
        complaints: errors that nobody handled.
    """

    def __init__(self, random: Random) -> None:
        self.complaints: list[str] = []
        self._random = random
        self._now = 0.0
        self._ready: list[Step] = []
        self._timers: list[tuple[float, int, Step]] = []
        self._numbers = count()
        self._tasks: dict[int, dict[asyncio.Task[Any], None]] = {}

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._now

    def run_until_complete(self, future: Generator[Any, None, Result] | Awaitable[Result]) -> Result:
        """Runs until this is done, and returns its result.

        Raises:
            NothingLeftToDoError: if it can never be done.
        """
        main = asyncio.ensure_future(cast("Awaitable[Result]", future), loop=self)
        asyncio._set_running_loop(self)
        try:
            while not main.done():
                self._step()
        finally:
            asyncio._set_running_loop(None)
        return main.result()

    def spawn(
        self, process: int, work: Coroutine[Any, Any, Result], name: str | None = None
    ) -> asyncio.Task[Result]:
        """Starts a task that belongs to a process."""
        context = copy_context()
        context.run(PROCESS.set, process)
        return self.create_task(work, name=name, context=context)

    async def end(self, process: int) -> None:
        """Ends a process: its timers never fire, and its tasks are cancelled until none is left.

        Unlike a real kill this runs the cleanup of cancelled tasks, so that nothing is left open. The caller
        makes sure that the cleanup affects no other process.

        Raises:
            AssertionError: if a task does not end.
        """
        tasks = self._tasks.get(process, {})
        told: set[asyncio.Task[Any]] = set()
        for patience in range(100_000):
            self._timers = [timer for timer in self._timers if _process_of(timer[2]) != process]
            heapq.heapify(self._timers)
            if not tasks:
                return
            for task in list(tasks):
                if task not in told or patience % 1000 == 999:
                    told.add(task)
                    task.cancel()
            for _ in range(20):
                await asyncio.sleep(0)
        raise AssertionError(f"process {process} does not end: {list(tasks)}")

    def call_soon(
        self, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """Calls something now, in any order."""
        context = context or copy_context()
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append((handle, context, callback, args))
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """The same, because there is one thread."""
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Calls something after these seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Calls something at this time of the loop."""
        context = context or copy_context()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), (handle, context, callback, args)))
        return handle

    def run_in_executor(
        self, executor: object, func: Callable[[*Args], Result], *args: *Args
    ) -> asyncio.Future[Result]:
        """Runs at once, in this thread, what would run in another."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def create_future(self) -> asyncio.Future[Any]:
        """A future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: Coroutine[Any, Any, Result] | Generator[Any, None, Result],
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[Result]:
        """Starts a task, in the process of the context."""
        context = context or copy_context()
        task: asyncio.Task[Result] = asyncio.Task(coro, loop=self, name=name, context=context)
        tasks = self._tasks.setdefault(context.get(PROCESS, 0), {})
        tasks[task] = None
        task.add_done_callback(lambda done: tasks.pop(done, None))
        return task

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Records an error that nobody handled."""
        self.complaints.append(f"{context.get('message')}: {context.get('exception')!r}")

    def get_debug(self) -> bool:
        """Never: asyncio's own checks look at the real clock."""
        return False

    def is_running(self) -> bool:
        """Whether the loop runs."""
        return asyncio._get_running_loop() is self

    def is_closed(self) -> bool:
        """Never, because there is nothing to close."""
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Does nothing: a cancelled timer is skipped when its time comes."""

    def _step(self) -> None:
        if not self._ready:
            self._pass_time()
        last = len(self._ready) - 1
        chosen = self._random.randrange(last + 1)
        self._ready[chosen], self._ready[last] = self._ready[last], self._ready[chosen]
        step = self._ready.pop()
        handle, context, callback, args = step
        if not handle.cancelled():
            try:
                context.run(callback, *args)
            except Exception as error:
                self.call_exception_handler({"message": f"{callback} failed", "exception": error})

    def _pass_time(self) -> None:
        """Jumps to the next timer, and everything else at that time."""
        while self._timers and self._timers[0][2][0].cancelled():
            heapq.heappop(self._timers)
        if not self._timers:
            raise NothingLeftToDoError("neither a step nor a timer is left")
        self._now = max(self._now, self._timers[0][0])
        while self._timers and self._timers[0][0] <= self._now:
            self._ready.append(heapq.heappop(self._timers)[2])


def _process_of(step: Step) -> int:
    return step[1].get(PROCESS, 0)
