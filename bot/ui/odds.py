"""The odds of house rules, counted off the event loop, one rule set at a time."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Final

from bot.games.hands import decks_in_play
from bot.odds.odds import Odds, odds_of
from bot.rules.house_rules import HouseRules

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 1.0
"""How long what is told of a change of rules waits for the edge."""
_COUNTING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")
"""A single thread: a second request for the same rules waits, and finds them remembered."""


async def odds_for(rules: HouseRules) -> Odds | None:
    """The odds of these rules with the fewest decks in play, or None if they cannot be counted.

    The first call may take some seconds, later calls take none.
    """
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _COUNTING, odds_of, rules, decks_in_play(rules)
        )
    except Exception:
        log.warning("the odds of %s cannot be counted", rules, exc_info=True)
        return None


async def bank_edge(rules: HouseRules) -> Fraction | None:
    """The bank's expected gain for each chip bet, against one player; None if not known in time."""
    counting = asyncio.ensure_future(odds_for(rules))
    await asyncio.wait({counting}, timeout=WAIT_SECONDS)
    odds = counting.result() if counting.done() else None
    return None if odds is None else odds.bank_edge
