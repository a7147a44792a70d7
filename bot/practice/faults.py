"""Things that go wrong on demand: bad and lost answers, a dropped gateway, doubled events, people leaving."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Predicate = Callable[[str, str], bool]
"""Looks at the method and the path (after `/api/v10`) of a request."""


@dataclass(slots=True)
class Fault:
    """What shall happen to the next requests that match.

    Attributes:
        kind: "answer" with a status, "drop" of the connection, or "hold" of the answer.
        times: how many requests it still waits for.
        method: the method it waits for; None for any.
        route: a part of the route's template it waits for; None for any.
        when: looks further; None for any.
        carried_out: whether the request is carried out first.
        status: the HTTP status, for "answer".
        seconds: the `retry_after` of a 429, or how long the answer is held back.
        whole_bot: whether a 429 is about the budget of the whole bot.
    """

    kind: Literal["answer", "drop", "hold"]
    times: int
    method: str | None
    route: str | None
    when: Predicate | None
    carried_out: bool = False
    status: int = 0
    seconds: float = 0.0
    whole_bot: bool = False

    def matches(self, method: str, template: str, path: str) -> bool:
        """Whether this request is one it waits for."""
        return (
            self.times > 0
            and self.method in (None, method)
            and (self.route is None or self.route in template)
            and (self.when is None or self.when(method, path))
        )

    def __str__(self) -> str:
        done = " after it was carried out" if self.carried_out else ""
        return f"{self.kind} {self.status or ''}".rstrip() + done


class Faults:
    """Orders faults; each happens once or so many times, and is then over."""

    def __init__(self) -> None:
        self._pending: list[Fault] = []
        self._doubled: dict[str, int] = {}

    # Requests

    def answer(
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
        """Has the next requests that match answered with this status.

        Args:
            status: 429, 500, 502, 504 …
            times: how many requests.
            method: only these, such as `POST`.
            route: only where this is part of the route's template, such as `/channels/{channel_id}/messages`.
            when: only where this says so, given the method and the path.
            carried_out: whether each is carried out first, so that its sender can't know that it was.
            retry_after: for 429, the seconds to wait.
            whole_bot: for 429, whether it is about the budget of the whole bot.
        """
        fault = Fault("answer", times, method, route, when, carried_out, status, retry_after, whole_bot)
        return self._order(fault)

    def drop_connection(
        self,
        *,
        times: int = 1,
        method: str | None = None,
        route: str | None = None,
        when: Predicate | None = None,
        carried_out: bool = False,
    ) -> Fault:
        """Has the connection cut under the next requests that match; `carried_out`: when the work is done."""
        return self._order(Fault("drop", times, method, route, when, carried_out))

    def hold(
        self,
        seconds: float,
        *,
        times: int = 1,
        method: str | None = None,
        route: str | None = None,
        when: Predicate | None = None,
    ) -> Fault:
        """Has the next requests that match carried out, and their answers held back."""
        return self._order(Fault("hold", times, method, route, when, carried_out=True, seconds=seconds))

    def clear(self) -> None:
        """Calls off whatever was ordered and has not happened."""
        self._pending.clear()
        self._doubled.clear()

    def due(self, method: str, template: str, path: str) -> Fault | None:
        """What shall happen to this request; each call uses one of its times up."""
        for fault in self._pending:
            if fault.matches(method, template, path):
                fault.times -= 1
                if not fault.times:
                    self._pending.remove(fault)
                return fault
        return None

    def _order(self, fault: Fault) -> Fault:
        self._pending.append(fault)
        return fault

    # The gateway

    def twice(self, event: str = "INTERACTION_CREATE", *, times: int = 1) -> None:
        """Has the next events of this name delivered twice."""
        self._doubled[event] = self._doubled.get(event, 0) + times

    def doubles(self, event: str) -> bool:
        """Whether this event is to be delivered twice; each call uses one of the times up."""
        left = self._doubled.get(event, 0)
        self._doubled[event] = max(0, left - 1)
        return left > 0
