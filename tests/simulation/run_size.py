"""How large a run is, and how much goes wrong in it."""

from dataclasses import dataclass
from random import Random
from typing import Final

from tests.simulation.bot_process import HOUR


@dataclass(frozen=True, slots=True)
class RunSize:
    """How large a run is.

    Attributes:
        servers: the number of servers.
        channels: channels of each server; each may have a table.
        members: members of each server.
        hours: virtual hours of play.
        pause: seconds between the groups in a channel, on average.
        trouble: seconds between troubles of each kind, on average.
    """

    servers: int
    channels: int
    members: int
    hours: float
    pause: float
    trouble: float


GROUPS: Final = (10, 60)
"""The fewest and the most groups of visitors of an ordinary run."""
LARGE: Final = RunSize(servers=10, channels=24, members=40, hours=48, pause=30 * HOUR, trouble=1.5 * HOUR)
"""Hundreds of tables and members, for days."""


def any_size(seed: int) -> RunSize:
    """The size of an ordinary run: small, and full of trouble."""
    random = Random(f"{seed}:size")
    servers, channels, pause = random.randint(1, 3), random.randint(1, 5), random.choice([60.0, 900.0])
    return RunSize(
        servers=servers,
        channels=channels,
        members=random.randint(4, 12),
        hours=random.randint(*GROUPS) * pause / (servers * channels) / HOUR,
        pause=pause,
        trouble=random.choice([60.0, 300.0, 1800.0]),
    )
