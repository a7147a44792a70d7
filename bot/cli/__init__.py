"""The `gnau` command: run the bot, practise without Discord, manage its database, and evaluate hands."""

import sys
from typing import Final

ABORTED: Final = 130
"""The exit status after an interrupt: the one that shells use for SIGINT."""


def main() -> None:
    """Runs the command line."""
    try:
        # The import takes a moment. An interrupt during it must not print a traceback either.
        from bot.cli.app import app
    except KeyboardInterrupt:
        sys.exit(ABORTED)
    app()
