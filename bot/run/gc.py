"""Settings of the garbage collector for a running bot: it collects rarely."""

import gc
from typing import Final

YOUNG: Final = 10_000
"""New objects before a collection. A batch of the ledger is thousands of rows that all live until they are on
disk, so collecting during a batch finds nothing."""


def collect_rarely() -> None:
    """Freezes all objects that exist now, such as imported modules, and collects less often from then on.

    A full collection over what the bot imports blocks it for nearly a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
