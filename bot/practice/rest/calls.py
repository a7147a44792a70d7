"""One API call: its route, its content, and what is recorded of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bot.practice.errors import no_such_route
from bot.practice.validation.messages import Upload

JsonResponse = tuple[int, Any]
"""HTTP status and JSON; None for an empty body."""

BucketKind = Literal["messages", "webhook", "others", "none"]


@dataclass(frozen=True, slots=True)
class Call:
    """A request that has been read and authorised.

    Attributes:
        params: the variable parts of the path, by name.
        query: the query string.
        body: the JSON body; an empty object if there was none.
        uploads: the uploaded files, by part number.
        after_response: what to call once the response is sent.
    """

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    uploads: dict[int, Upload]
    after_response: list[Callable[[], object]] = field(default_factory=list)

    def snowflake(self, name: str) -> int:
        """A part of the path as an id.

        Raises:
            DiscordError: 404 if it is not an id.
        """
        text = self.params[name]
        if not text.isdecimal():
            raise no_such_route()
        return int(text)


@dataclass(frozen=True, slots=True)
class Route:
    """A route.

    Attributes:
        method: the HTTP method.
        template: the path with its variable parts in braces, as in Discord's API description.
        handle: carries out a call.
        by_token: whether an interaction's token in the path authorises it, instead of the bot's own. Such
            requests do not count against the bot's global limit.
        bucket: which rate limit its bucket has.
    """

    method: str
    template: str
    handle: Callable[[Call], Awaitable[JsonResponse]]
    by_token: bool = False
    bucket: BucketKind = "others"


@dataclass(slots=True)
class RecordedRequest:
    """What is kept of every request, for tests.

    Attributes:
        method: the HTTP method.
        path: after `/api/v10`.
        route: the template that it matched, or None.
        query: the query string.
        body: the JSON body, for multipart its `payload_json`; None if there was none.
        files: the names of the uploaded files.
        status: the HTTP status of the response; 0 if the connection was dropped.
        response: the JSON of the response.
        budgeted: whether it counts against the bot's global limit.
        at: when it came (UTC).
        fault: the fault that was applied, as text.
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
