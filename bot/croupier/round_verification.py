"""Verifies rounds: the hands from the sealed secret, and a settled round from its record."""

import json
from typing import Final

from bot.croupier.dealing import with_pieces_and_dice
from bot.rules.shuffle import roll, seeded_random
from bot.table.commands import Deal
from bot.table.decide import Decision, decide
from bot.table.dice_roll import dice_needed, throw
from bot.table.events import DiceRolled, HandsDealt
from bot.table.round_proof import first_mismatch
from bot.table.round_record import record_of
from bot.table.round_result import Opening, RoundResult
from bot.table.sheets import dice_sheet, seeds_on
from bot.table.showdown import round_result
from bot.table.state import TableState

MAX_SHOWN: Final = 120
"""How many characters of a wrong value are shown."""


def is_dealt_from_secret(before: TableState, dealt: HandsDealt, at: float, key: str) -> bool:
    """Whether these hands follow from the table's secret; True for a table without one.

    Args:
        before: the table before.
        dealt: the hands.
        at: when they were dealt, in seconds since the epoch, UTC.
        key: the key of the command that dealt them.
    """
    if before.secret is None:
        return True
    decided = decide(before, with_pieces_and_dice(before, Deal(dealt.asked_by), key), at, {})
    return isinstance(decided, Decision) and decided.events[0] == dealt


def is_rolled_from_secret(before: TableState, rolled: DiceRolled, key: str) -> bool:
    """Whether these dice were rolled from the table's secret and sheet; True for a table without one.

    Who rolls depends on chips, which the table does not have: that is as the sheet says.

    Args:
        before: the table before.
        rolled: the dice.
        key: the key of the command that rolled them.
    """
    if before.secret is None:
        return True
    if rolled.opening is None:
        return False
    sheet = rolled.opening.sheet
    asked_by = next((party for party, seed in seeds_on(sheet) if seed == key), None)
    rolling = [int(seat["party"]) for seat in json.loads(sheet)["seats"] if seat["rolls"]]
    due = Opening(before.secret, dice_sheet(before, asked_by, key, rolling) or "")
    dice = roll(dice_needed(before), seeded_random(before.secret, sheet))
    return rolled == DiceRolled(throw(rolling, dice)[0], due)


def round_mismatch(before: TableState, result: RoundResult) -> str | None:
    """The first thing that is wrong with a settled round; None if it is proved and correct.

    Args:
        before: the table just before the settlement: its bets, hands and secret.
        result: the stored result.

    Raises:
        Exception: of any type, if the table cannot have been settled.
    """
    # Rounds without a sealed shuffle have no record to prove: they are only settled again.
    found = None if result.opening is None else first_mismatch(json.dumps(record_of(result)))
    if found is not None:
        return f"{found.where} is {_short(found.says)}, and should be {_short(found.should)}"
    if result != round_result(before):
        return "its result does not follow from the bets, the hands and the secret of its table"
    return None


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
