"""Whether the bot lives and is ready, and if not, why not.

It *lives* while its event loop turns and its writer runs: if not, only a restart helps. It is *ready* while
Discord's gateway and the database do their part too: a restart brings neither of them back.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot.ledger.changes import OwnApplication
from bot.ledger.errors import LedgerError
from bot.ui.bot import GnauBot

BEAT_SECONDS: Final = 0.5
"""How often the loop shows that it turns."""
SILENT_SECONDS: Final = 5.0
"""A loop that has not turned for so long does not live."""
TRY_SECONDS: Final = 10.0
"""How often a database is tried that could not be read or written: maybe nobody else asks for anything."""
MOST_NAMED: Final = 5
"""How many shards a reason names."""


class Health:
    """How the bot is. Another thread may ask: the answer must come also if the event loop does not turn.

    Attributes:
        bot: None until it is made.
        on_beat: called at each turn that is measured, with the seconds by which it was late.
    """

    def __init__(self) -> None:
        self.bot: GnauBot | None = None
        self.on_beat: Callable[[float], object] = lambda _: None
        self._turned_at = time.monotonic()

    def why_not_live(self) -> list[str]:
        """Why it does not live; empty if it does."""
        reasons = []
        if (silent := time.monotonic() - self._turned_at) > SILENT_SECONDS:
            reasons.append(f"the event loop has not turned for {silent:.0f} seconds")
        if self.bot is not None and self.bot.croupier.ledger.writer.has_stopped:
            reasons.append("the ledger's writer has stopped")
        return reasons

    def why_not_ready(self) -> list[str]:
        """Why it is not ready; empty if it is."""
        if self.bot is None:
            return [*self.why_not_live(), "the bot is starting"]
        reasons = self.why_not_live()
        shards = list(self.bot.connections.shards.items())
        if not shards:
            reasons.append("Discord was not reached yet")
        elif down := [number for number, shard in shards if shard.socket is None]:
            more = f" and {len(down) - MOST_NAMED} more" if len(down) > MOST_NAMED else ""
            named = ", ".join(map(str, down[:MOST_NAMED]))
            reasons.append(f"not connected to Discord's gateway: shard {named}{more}")
        if trouble := self.bot.croupier.ledger.writer.outage.why:
            reasons.append(f"nothing can be written: {trouble}")
        return reasons

    async def beat(self) -> None:
        """Shows again and again that the loop turns, until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self._turned_at = time.monotonic()
            self.on_beat(max(0.0, loop.time() - due))

    async def keep_trying(self) -> None:
        """Tries again and again to write, while that or reading fails, until it is cancelled."""
        while True:
            await asyncio.sleep(TRY_SECONDS)
            # Before the bot has signed in, it is not certain that the database is this application's.
            if self.bot is not None and self.bot.signed_in.is_set():
                ledger = self.bot.croupier.ledger
                if ledger.writer.outage.why or ledger.reads_fail:
                    with suppress(LedgerError):
                        # What is stored already.
                        await ledger.record(OwnApplication(self.bot.application_id))
