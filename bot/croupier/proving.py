"""Each round proved: its hands from the sealed secret, and once it is settled, all of it from its record."""

import json
from typing import Final

from bot.croupier.chance import with_chance
from bot.croupier.rounds import PastRound
from bot.table.commands import Deal
from bot.table.decide import Decision, decide
from bot.table.events import DiceRolled, HandsDealt
from bot.table.round_proof import first_mismatch
from bot.table.round_result import RoundResult
from bot.table.showdown import round_result
from bot.table.state import TableState

LONGEST: Final = 120
"""So much is told of a value, in characters."""
NO_KEY: Final = ""
"""Who has hands dealt mixes nothing into them, unlike who has dice thrown."""


def is_drawn(before: TableState, dealt: HandsDealt, at: float) -> bool:
    """Whether hands are what the table's sealed secret deals; so are all at a table that never had one.

    Args:
        before: the table before.
        dealt: the hands.
        at: when they were dealt, in seconds since the epoch, UTC.
    """
    if before.secret is None:
        return True
    command = with_chance(before, Deal(dealt.asked_by), NO_KEY)
    assert isinstance(command, Deal)
    decided = decide(before, command, at, {})
    return isinstance(decided, Decision) and decided.events[0] == dealt


def unproved(before: TableState, result: RoundResult, rolled: DiceRolled | None) -> str | None:
    """The first thing that does not fit in a settled round; None where it is proved, and is what was played.

    Args:
        before: the table when it was settled: its bets, its hands, its sealed secret.
        result: what the round brought, as it was told.
        rolled: the dice that picked its banker; None where none did.

    Raises:
        Exception: of any kind, where the table cannot have come to a showdown.
    """
    # Rounds of before shuffles were sealed have no record to prove: they are only settled again.
    if result.opening is not None:
        record = PastRound(before.table_id, before.number, result, rolled).record()
        if (found := first_mismatch(json.dumps(record))) is not None:
            return f"{found.where} is {_short(found.says)}, and should be {_short(found.should)}"
    if result != round_result(before):
        return "what it brought is not what the bets, the hands and the sealed secret of its table come to"
    return None


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
