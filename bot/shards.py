"""The shards into which Discord divides the servers of a bot."""

from dataclasses import dataclass
from typing import Final

SHARD_SHIFT: Final = 22
"""The lower bits of an id, which say nothing about the shard: those after the time of its making."""


def shard_of(server_id: int, count: int) -> int:
    """The shard of a server, of `count`, by Discord's formula."""
    return (server_id >> SHARD_SHIFT) % count


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the `count` shards."""

    count: int
    ids: frozenset[int]

    def __str__(self) -> str:
        """Such as `0, 1 of 4`, or `all`."""
        return "all" if self == EVERY_SHARD else f"{', '.join(map(str, sorted(self.ids)))} of {self.count}"

    def __call__(self, server_id: int) -> bool:
        """Whether a server is in one of them."""
        return shard_of(server_id, self.count) in self.ids


EVERY_SHARD: Final = Shards(1, frozenset({0}))
