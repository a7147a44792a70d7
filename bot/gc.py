"""How often Python looks for garbage that counting references does not free: seldom, in a bot that serves."""

import gc
from typing import Final

YOUNG: Final = 10_000
"""So many new objects are waited for. What the ledger makes for one batch, thousands of rows, all lives until
the batch is on disk: looking through it again and again finds nothing."""


def collect_rarely() -> None:
    """Has the collector leave alone what there is now, such as all that was imported, and look more seldom.

    A full look at what the bot imports takes nearly a tenth of a second, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
