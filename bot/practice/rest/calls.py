"""One request on its way through the REST API: the route it came by, what it carries, what is recorded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bot.practice.drafts import Upload
from bot.practice.errors import no_such_route

Answer = tuple[int, Any]
"""HTTP status and JSON; None for no body at all."""

BucketKind = Literal["messages", "webhook", "others", "none"]


@dataclass(frozen=True, slots=True)
class Call:
    """A request, read and let in.

    Attributes:
        params: the parts of the path that vary, by name.
        query: the query string.
        body: the JSON that came; an empty object where there was none.
        uploads: the files that came along, by the number of their part.
        afterwards: what shall happen when the answer has been sent.
    """

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: dict[int, Upload]
    afterwards: list[Callable[[], object]] = field(default_factory=list)

    def snowflake(self, name: str) -> int:
        """A part of the path as an id.

        Raises:
            DiscordError: 404, where it is none; then no route is like that.
        """
        text = self.params[name]
        if not text.isdecimal():
            raise no_such_route()
        return int(text)


@dataclass(frozen=True, slots=True)
class Route:
    """A way in.

    Attributes:
        method: `GET` and so on.
        template: the path, with the parts that vary in braces, as in Discord's own description.
        handle: what carries it out.
        by_token: whether an interaction's token in the path is the key, and not the bot's own; such
            requests do not count against the budget of the whole bot.
        bucket: which of the limits its bucket has.
    """

    method: str
    template: str
    handle: Callable[[Call], Awaitable[Answer]]
    by_token: bool = False
    bucket: BucketKind = "others"


@dataclass(slots=True)
class RecordedRequest:
    """What is kept of every request, for tests to look at.

    Attributes:
        method: `GET` and so on.
        path: as it came, after `/api/v10`.
        route: the template that it matched; None where no route is like that.
        query: the query string.
        body: the JSON that came, of a multipart request its `payload_json`; None where there was none.
        files: the names of the files that came along.
        status: the HTTP status of the answer; 0 where the connection was dropped without one.
        response: the JSON of the answer.
        budgeted: whether it counts against the budget of the whole bot.
        at: when it came (UTC).
        fault: what was done to it on purpose, in words.
    """

    method: str
    path: str
    route: str | None
    query: dict[str, str]
    body: Any
    files: list[str]
    status: int
    response: Any
    budgeted: bool
    at: datetime
    fault: str | None = None
