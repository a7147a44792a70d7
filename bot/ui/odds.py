"""The odds of house rules, worked out off the event loop, one set of rules at a time."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Final

from bot.odds.odds import Odds, most_decks, odds_of
from bot.rules.knobs import HouseRules

log = logging.getLogger(__name__)

BOARD_SECONDS: Final = 1.0
"""A board waits no longer for its edge: whoever clicked must be answered within three seconds."""
_COUNTING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")
"""A single thread: who asks for rules that are being counted finds them remembered when it is his turn."""


async def odds_for(rules: HouseRules) -> Odds | None:
    """The odds of rules, with the fewest decks in play; None where they cannot be worked out.

    The first asking may take some seconds, asking again takes none.
    """
    decks = min(rules.decks, most_decks(rules.game))
    try:
        return await asyncio.get_running_loop().run_in_executor(_COUNTING, odds_of, rules, decks)
    except Exception:
        log.warning("the odds of %s cannot be worked out", rules, exc_info=True)
        return None


async def bank_edge(rules: HouseRules) -> Fraction | None:
    """The bank's expected gain for each chip staked, against one player; None where not known in time."""
    counting = asyncio.ensure_future(odds_for(rules))
    await asyncio.wait({counting}, timeout=BOARD_SECONDS)
    odds = counting.result() if counting.done() else None
    return None if odds is None else odds.bank_edge
