"""The odds of house rules, worked out off the event loop."""

import asyncio
from fractions import Fraction

from bot.odds.odds import odds_of
from bot.rules.knobs import HouseRules


async def bank_edge(rules: HouseRules) -> Fraction:
    """The bank's expected gain for each chip staked, against one player, with the fewest decks in play."""
    return (await asyncio.to_thread(odds_of, rules, rules.decks)).bank_edge
