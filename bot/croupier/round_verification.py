"""Verifies rounds: the hands from the sealed secret, and a settled round from its record."""

import json
from typing import Final

from bot.croupier.dealing import with_pieces_and_dice
from bot.croupier.rounds import PastRound
from bot.table.commands import Deal
from bot.table.decide import Decision, decide
from bot.table.events import DiceRolled, HandsDealt
from bot.table.round_proof import first_mismatch
from bot.table.round_result import RoundResult
from bot.table.showdown import round_result
from bot.table.state import TableState

MAX_SHOWN: Final = 120
"""How many characters of a wrong value are shown."""
NO_KEY: Final = ""
"""A deal, unlike a roll of dice, does not use its command's key."""


def is_dealt_from_secret(before: TableState, dealt: HandsDealt, at: float) -> bool:
    """Whether these hands follow from the table's secret; True for a table without one.

    Args:
        before: the table before.
        dealt: the hands.
        at: when they were dealt, in seconds since the epoch, UTC.
    """
    if before.secret is None:
        return True
    command = with_pieces_and_dice(before, Deal(dealt.asked_by), NO_KEY)
    assert isinstance(command, Deal)
    decided = decide(before, command, at, {})
    return isinstance(decided, Decision) and decided.events[0] == dealt


def round_mismatch(before: TableState, result: RoundResult, rolled: DiceRolled | None) -> str | None:
    """The first thing that is wrong with a settled round; None if it is proved and correct.

    Args:
        before: the table just before the settlement: its bets, hands and secret.
        result: the stored result.
        rolled: the dice that picked its banker, or None.

    Raises:
        Exception: of any type, if the table cannot have been settled.
    """
    # Rounds without a sealed shuffle have no record to prove: they are only settled again.
    if result.opening is not None:
        record = PastRound(before.table_id, before.number, result, rolled).record()
        if (found := first_mismatch(json.dumps(record))) is not None:
            return f"{found.where} is {_short(found.says)}, and should be {_short(found.should)}"
    if result != round_result(before):
        return "its result does not follow from the bets, the hands and the secret of its table"
    return None


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
