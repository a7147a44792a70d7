"""Rounds with committed secrets, dealt as the croupier deals them, and their records."""

import json
from typing import Any

from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.pack import shuffled_pack
from bot.rules.hand import HAND_SIZE
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Direction, Play
from bot.rules.shuffle import Purpose, new_secret, roll, seeded_random
from bot.table.commands import (
    Arrange,
    Deal,
    Join,
    RollForBank,
    SetClientSeed,
)
from bot.table.commitment import Entropy, deal_opening, roll_opening
from bot.table.dealing import hands_to_deal
from bot.table.dice_roll import dice_needed
from bot.table.events import DiceRolled, RoundSettled
from bot.table.round_record import record_of
from tests.games.presets import TAU_NGAU_PRESET

from .trial_table import ALICE, BOB, CHAN, MEI, TrialTable

ASSISTED = GnauRules(arrange=ArrangedBy.ASSISTED, direction=Direction.COUNTER_CLOCKWISE)


def sealed_table(rules: HouseRules) -> TrialTable:
    return TrialTable(rules, entropy=lambda: Entropy(new_secret(), "1100220033"))


def dealt(table: TrialTable) -> None:
    """Deals from the committed secret, as the croupier does."""
    assert table.state.bank is not None
    opening = deal_opening(table.state)
    assert opening is not None
    below = seeded_random(opening.secret, opening.client_seeds, Purpose.DEAL)
    pieces = shuffled_pack(hands_to_deal(table.state), table.state.rules, below)
    table.do(Deal(table.state.bank.member.member_id, pieces))


def rolled(table: TrialTable) -> DiceRolled:
    """Has Alice roll dice from the committed secret."""
    for member in (ALICE, BOB, CHAN):
        table.do(Join(member))
    opening = roll_opening(table.state, ALICE.member_id, "777")
    assert opening is not None
    dice = roll(dice_needed(table.state), seeded_random(opening.secret, opening.client_seeds, Purpose.DICE))
    events = table.do(RollForBank(ALICE.member_id, dice, table.house, "777"))
    return next(event for event in events if isinstance(event, DiceRolled))


def settled(table: TrialTable, dice: DiceRolled | None = None) -> dict[str, Any]:
    """Plays the round to its end, and returns its exported record."""
    events = table.showdown()
    result = next(event.result for event in events if isinstance(event, RoundSettled))
    told: dict[str, Any] = json.loads(json.dumps(record_of(70, 3, result, dice)))
    return told


def round_of_gnau() -> dict[str, Any]:
    table = sealed_table(ASSISTED)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 20)
    table.back(CHAN, ALICE, 5)
    table.do(SetClientSeed(BOB.member_id, "  my lucky\n words 旺 "))
    dealt(table)
    for member in (MEI, ALICE, BOB):
        for first in range(HAND_SIZE):
            three = tuple(sorted({first, (first + 1) % HAND_SIZE, (first + 2) % HAND_SIZE}))
            table.ask(Arrange(member.member_id, three))
    return settled(table)


def round_of_tau_ngau() -> dict[str, Any]:
    table = sealed_table(TAU_NGAU_PRESET)
    dice = rolled(table)
    for seat in table.state.seats:
        table.bet(seat.member, 10)
    dealt(table)
    return settled(table, dice)


def round_of_niu_niu() -> dict[str, Any]:
    table = sealed_table(NiuNiuRules(arrange=ArrangedBy.STRICT))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 20)
    dealt(table)
    for member in (MEI, ALICE):
        table.do(Arrange(member.member_id, (0, 1, 2)))
    return settled(table)


def round_for_points() -> dict[str, Any]:
    table = sealed_table(GnauRules(play=Play.POINTS))
    table.bank(MEI)
    table.bet(ALICE, 1)
    dealt(table)
    return settled(table)


ROUNDS = {
    "gnau": round_of_gnau,
    "tau-ngau": round_of_tau_ngau,
    "niu-niu": round_of_niu_niu,
    "points": round_for_points,
}
