"""Discord's rate limits: a bucket for each route, and what is left of it."""

import hashlib
import time
from dataclasses import dataclass
from typing import Final

from bot.practice.limits import Window

_MOST_BUCKETS: Final = 1_000


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
        """Counts a request in the bucket of this name.

        Args:
            name: such as "POST messages 4711".
            window: the bucket's limit; a changed limit starts a new window.

        Returns:
            0 if the request may pass, or the seconds to wait.
        """
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

        Args:
            name: the bucket.
            route: what the bucket's hash is made of; a route has one hash in all channels.
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
