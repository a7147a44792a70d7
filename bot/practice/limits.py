"""Discord's limits in numbers, which a test can change, and the buckets that count requests."""

import hashlib
import time
from dataclasses import dataclass, field
from typing import Final

_MOST_BUCKETS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Window:
    """How many requests fit in how many seconds; None for `requests` means no limit."""

    requests: int | None
    seconds: float


@dataclass(slots=True)
class Limits:
    """What Discord allows, how often and how long.

    Attributes:
        reply_seconds: time for the first reply to an interaction (10062 after).
        token_seconds: how long an interaction's token lives (50027 after).
        old_message_seconds: the age from which a message's edits are capped.
        old_edits: how many edits of old messages a channel allows (30046 beyond).
        nonce_seconds: how long a nonce prevents a second message.
        rate_limits: whether requests are limited at all.
        all_requests: the bot's global limit; interaction replies do not count.
        messages: the bucket of a channel, one each for sending, editing and deleting.
        webhook: the bucket of one interaction's token.
        heartbeat_seconds: how often the gateway expects a heartbeat.
        silence_seconds: how long it waits for one (4009 after).
        attachment_bytes: the largest file; the bot gets it as `attachment_size_limit`.
    """

    reply_seconds: float = 3.0
    token_seconds: float = 15 * 60.0
    old_message_seconds: float = 60 * 60.0
    old_edits: Window = field(default_factory=lambda: Window(3, 20.0))
    nonce_seconds: float = 5 * 60.0
    rate_limits: bool = True
    all_requests: Window = field(default_factory=lambda: Window(50, 1.0))
    messages: Window = field(default_factory=lambda: Window(5, 5.0))
    webhook: Window = field(default_factory=lambda: Window(5, 2.0))
    heartbeat_seconds: float = 41.25
    silence_seconds: float = 60.0
    attachment_bytes: int = 10 * 1024 * 1024


@dataclass(slots=True)
class Bucket:
    """One bucket: its limit, when the current window ends, and the requests in it so far."""

    window: Window
    ends: float = 0.0
    used: int = 0

    def take(self, now: float) -> float:
        """Counts one request. Returns 0, or the seconds to wait if the bucket is empty."""
        if self.window.requests is None:
            return 0.0
        if now >= self.ends:
            self.ends, self.used = now + self.window.seconds, 0
        if self.used >= self.window.requests:
            return self.ends - now
        self.used += 1
        return 0.0


class RateLimits:
    """All buckets, by name."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}

    def take(self, name: str, window: Window) -> float:
        """Counts a request in the bucket of this name; returns 0 if it may pass, or the seconds to wait."""
        bucket = self._buckets.get(name)
        if bucket is None or bucket.window != window:
            bucket = self._buckets[name] = Bucket(window)
        now = time.monotonic()
        if len(self._buckets) > _MOST_BUCKETS:
            # Every interaction's token gets a bucket, so old ones are dropped.
            running = {key: other for key, other in self._buckets.items() if other.ends > now}
            self._buckets = running | {name: bucket}
        return bucket.take(now)

    def headers(self, name: str, route: str) -> dict[str, str]:
        """The `X-RateLimit-…` headers of a response; empty if the bucket has no limit.

        The route names the bucket to the bot; it has one name in all channels.
        """
        bucket = self._buckets.get(name)
        if bucket is None or bucket.window.requests is None:
            return {}
        left = max(0.0, bucket.ends - time.monotonic())
        return {
            "X-RateLimit-Limit": str(bucket.window.requests),
            "X-RateLimit-Remaining": str(bucket.window.requests - bucket.used),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": hashlib.blake2s(route.encode(), digest_size=16).hexdigest(),
        }
