"""Faults on demand, for tests: bad, lost or slow responses, and gateway events sent twice or late."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Predicate = Callable[[str, str], bool]
"""Takes the method and the path (after `/api/v10`) of a request."""


@dataclass(slots=True)
class Fault:
    """What happens to the next matching requests.

    Attributes:
        kind: "respond" with a status, "drop" the connection, or "hold" the response.
        times: how many more requests it applies to.
        method: the HTTP method to match; None for any.
        route: a part of the route template to match; None for any.
        when: a further condition; None for any request.
        carried_out: whether the request is carried out first.
        status: the HTTP status, for "respond".
        seconds: the `retry_after` of a 429, or how long the response is held.
        whole_bot: whether a 429 is about the bot's global limit.
    """

    kind: Literal["respond", "drop", "hold"]
    times: int
    method: str | None
    route: str | None
    when: Predicate | None
    carried_out: bool = False
    status: int = 0
    seconds: float = 0.0
    whole_bot: bool = False

    def matches(self, method: str, template: str, path: str) -> bool:
        """Whether the fault applies to this request."""
        return (
            self.times > 0
            and self.method in (None, method)
            and (self.route is None or self.route in template)
            and (self.when is None or self.when(method, path))
        )

    def __str__(self) -> str:
        done = ", carried out first" if self.carried_out else ""
        return f"{self.kind} {self.status or ''}".rstrip() + done


class Faults:
    """The faults to come. Each applies the given number of times and is then over; a latency stays.

    Attributes:
        latency: the least and the most seconds before a request is carried out and answered. Each request
            takes a random time between them. Discord itself takes 0.15 to 0.3.
        interaction_delay: the least and the most seconds until an interaction reaches the bot.
        unlisted: the ids of servers that a new connection does not name, although the bot is in them.
    """

    def __init__(self) -> None:
        self.latency = (0.0, 0.0)
        self.interaction_delay = (0.0, 0.0)
        self.unlisted: set[int] = set()
        self._pending: list[Fault] = []
        self._doubled: dict[str, int] = {}

    # Requests

    def respond(
        self,
        status: int,
        *,
        times: int = 1,
        method: str | None = None,
        route: str | None = None,
        when: Predicate | None = None,
        carried_out: bool = False,
        retry_after: float = 0.05,
        whole_bot: bool = False,
    ) -> Fault:
        """Answers the next matching requests with this status.

        Args:
            status: 429, 500, 502, 504 …
            times: how many requests.
            method: only this HTTP method, such as `POST`.
            route: only if this is part of the route template, such as `/channels/{channel_id}/messages`.
            when: only if this returns True for the method and the path.
            carried_out: carry out the request first, so that the sender can't know it worked.
            retry_after: the wait of a 429, in seconds.
            whole_bot: make a 429 about the bot's global limit.
        """
        fault = Fault("respond", times, method, route, when, carried_out, status, retry_after, whole_bot)
        return self._add(fault)

    def drop_connection(
        self,
        *,
        times: int = 1,
        method: str | None = None,
        route: str | None = None,
        when: Predicate | None = None,
        carried_out: bool = False,
    ) -> Fault:
        """Cuts the connection of the next matching requests, after the work if `carried_out`."""
        return self._add(Fault("drop", times, method, route, when, carried_out))

    def hold(
        self,
        seconds: float,
        *,
        times: int = 1,
        method: str | None = None,
        route: str | None = None,
        when: Predicate | None = None,
    ) -> Fault:
        """Carries out the next matching requests and holds back the responses."""
        return self._add(Fault("hold", times, method, route, when, carried_out=True, seconds=seconds))

    def clear(self) -> None:
        """Cancels the latency, the delay and all faults that have not happened yet."""
        self.latency = self.interaction_delay = (0.0, 0.0)
        self._pending.clear()
        self._doubled.clear()

    def cancel(self, fault: Fault) -> None:
        """Cancels the times that this fault has not happened yet."""
        self._pending = [other for other in self._pending if other is not fault]

    def random_latency(self) -> float:
        """The seconds that the next request takes."""
        return random.uniform(*self.latency)

    def random_interaction_delay(self) -> float:
        """The seconds until the next interaction reaches the bot."""
        return random.uniform(*self.interaction_delay)

    def take(self, method: str, template: str, path: str) -> Fault | None:
        """The fault for this request, or None; uses up one of its times."""
        for fault in self._pending:
            if fault.matches(method, template, path):
                fault.times -= 1
                if not fault.times:
                    self._pending.remove(fault)
                return fault
        return None

    def _add(self, fault: Fault) -> Fault:
        self._pending.append(fault)
        return fault

    # Gateway events

    def duplicate(self, event: str = "INTERACTION_CREATE", *, times: int = 1) -> None:
        """Delivers the next events of this name twice."""
        self._doubled[event] = self._doubled.get(event, 0) + times

    def take_duplicate(self, event: str) -> bool:
        """Whether to deliver this event twice; uses up one of its times."""
        left = self._doubled.get(event, 0)
        self._doubled[event] = max(0, left - 1)
        return left > 0
