"""The `gnau` command: run the bot, practise without Discord, look after its database, and ask about hands."""

import sys
from typing import Final

ABORTED: Final = 130
"""The status where somebody interrupted it: what shells have for SIGINT."""


def main() -> None:
    """Runs the command line."""
    try:
        # Takes its time to import: who interrupts it meanwhile sees no more of it than later.
        from bot.cli.commands import app
    except KeyboardInterrupt:
        sys.exit(ABORTED)
    app()
