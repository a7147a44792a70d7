"""The `gnau` command: run the bot, practise without Discord, manage its database, and evaluate hands."""

import os
import signal
import sys
from typing import Final

ABORTED: Final = 130
"""The exit status after an interrupt: the one that shells use for SIGINT."""
_ENDED_BY: Final = 128
"""Plus a signal's number: the exit status that shells use for it."""


def main() -> None:
    """Runs the command line."""
    if os.getpid() == 1:
        # The system ignores signals to process 1 that have no handler, such as a container's stop.
        for stop in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(stop, lambda number, _: sys.exit(_ENDED_BY + number))
    try:
        # The import takes a moment. An interrupt during it must not print a traceback either.
        from bot.cli.app import app
    except KeyboardInterrupt:
        sys.exit(ABORTED)
    app()
