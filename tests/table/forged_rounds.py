"""Forged records, each with a digest that fits its content."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from bot.rules.shuffle import Purpose, roll, seeded_random
from bot.table.commands import Join, RollForBank
from bot.table.commitment import roll_opening
from bot.table.dice_roll import DICE, dice_needed
from bot.table.events import DiceRolled
from bot.table.round_proof import Mismatch, first_mismatch
from tests.games.presets import TAU_NGAU_PRESET

from .committed_rounds import dealt, sealed_table, settled
from .trial_table import ALICE, BOB, CHAN, TrialTable

CALL = "777"
"""Alice's client seed when she asks for the dice."""


def proof(told: Any) -> Mismatch | None:
    """The first mismatch in a record, as JSON values."""
    return first_mismatch(json.dumps(told))


def with_new_digest(told: dict[str, Any]) -> dict[str, Any]:
    """The record with the digest of its content."""
    rest = {name: value for name, value in told.items() if name != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return rest | {"digest": sha256(text.encode()).hexdigest()}


def forged(told: dict[str, Any]) -> Mismatch | None:
    """The first mismatch in a changed record, with a new digest."""
    return proof(with_new_digest(told))


def dice_of(table: TrialTable) -> tuple[int, ...]:
    """The dice from a table's committed secret when Alice asks for them."""
    opening = roll_opening(table.state, ALICE.member_id, CALL)
    assert opening is not None
    return roll(dice_needed(table.state), seeded_random(opening.secret, opening.client_seeds, Purpose.DICE))


def table_whose_dice(fit: Callable[[list[int]], bool]) -> TrialTable:
    """A table of Tau Ngau with three players, whose first totals by seat fit."""
    while True:
        table = sealed_table(TAU_NGAU_PRESET)
        for member in (ALICE, BOB, CHAN):
            table.do(Join(member))
        dice = dice_of(table)
        if fit([sum(dice[DICE * at : DICE * (at + 1)]) for at in range(3)]):
            return table


def two_tie(totals: list[int]) -> bool:
    """Whether two of these totals are the highest."""
    return totals.count(max(totals)) == 2


def round_with_dice(table: TrialTable, dice: tuple[int, ...]) -> dict[str, Any]:
    """The record of a round whose banker was picked by these dice."""
    events = table.do(RollForBank(ALICE.member_id, dice, table.house, CALL))
    for seat in table.state.seats:
        table.bet(seat.member, 10)
    dealt(table)
    return settled(table, next(event for event in events if isinstance(event, DiceRolled)))
