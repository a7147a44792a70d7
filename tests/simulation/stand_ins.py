"""Stand-ins for what of the machine is neither disk nor clock: random numbers, notes, measured time."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch

from bot.ledger import ledger
from bot.ledger.sqlite import traces
from tests.simulation.disk import Disk


@contextmanager
def stand_ins(random: Random, disk: Disk, time: Callable[[], float]) -> Iterator[None]:
    """Replaces them during the block.

    Args:
        random: makes the parties of members, and all other random numbers.
        disk: where erasures are noted, beside the database.
        time: the virtual time, in seconds.
    """
    with ExitStack() as stack:
        stack.enter_context(patch.object(secrets, "randbits", random.getrandbits))
        stack.enter_context(patch.object(secrets, "token_hex", lambda size: random.randbytes(size).hex()))
        stack.enter_context(patch.object(secrets, "token_bytes", random.randbytes))
        stack.enter_context(patch.object(ledger, "note_erasures", disk.note_erasures))
        stack.enter_context(patch.object(traces, "monotonic", time))
        yield
