"""Rounds with committed secrets, dealt as the croupier deals them, and their records."""

import json
from itertools import count
from typing import Any

from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Direction, Play
from bot.rules.pieces import HAND_SIZE
from bot.rules.shuffle import new_secret
from bot.table.accounts import wallet
from bot.table.commands import Arrange, Deal, Join, RollForBank, SetClientSeed
from bot.table.commitment import Entropy, with_pieces_and_dice
from bot.table.events import DiceRolled, RoundSettled
from bot.table.round_record import record_of
from bot.table.state import THE_HOUSE
from tests.games.presets import TAU_NGAU_PRESET
from tests.table.trial_table import ALICE, BOB, CHAN, MEI, TrialTable, wallets_for

ASSISTED = GnauRules(arrange=ArrangedBy.ASSISTED, direction=Direction.COUNTER_CLOCKWISE)


def sealed_table(rules: HouseRules) -> TrialTable:
    return TrialTable(rules, entropy=lambda: Entropy(new_secret(), "1100220033"))


def numbered_table(rules: HouseRules) -> TrialTable:
    """A table where every command has a number of its own, from 1100."""
    interactions = map(str, count(1100))
    return TrialTable(rules, entropy=lambda: Entropy(new_secret(), next(interactions)))


def dealt(table: TrialTable, key: str = "888") -> None:
    """Deals from the committed secret, as the croupier does when the banker asks."""
    table.do(with_pieces_and_dice(table.state, Deal(table.bank_now.party), key))


def rolled(table: TrialTable, key: str = "777") -> DiceRolled:
    """Has Alice roll dice from the committed secret."""
    table.join(ALICE, BOB, CHAN)
    asked = RollForBank(ALICE, (), table.house)
    wallets = wallets_for(table.state, asked, table.accounts)
    roll = with_pieces_and_dice(table.state, asked, key, wallets)
    return next(event for event in table.do(roll) if isinstance(event, DiceRolled))


def settled(table: TrialTable) -> dict[str, Any]:
    """Plays the round to its end, and returns its exported record."""
    events = table.showdown()
    result = next(event.result for event in events if isinstance(event, RoundSettled))
    told: dict[str, Any] = json.loads(json.dumps(record_of(result)))
    return told


def round_of_gnau() -> dict[str, Any]:
    table = sealed_table(ASSISTED)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 20)
    table.back(CHAN, ALICE, 5)
    table.do(SetClientSeed(BOB, "  my lucky\n words 旺 "))
    dealt(table)
    for member in (MEI, ALICE, BOB):
        for first in range(HAND_SIZE):
            three = tuple(sorted({first, (first + 1) % HAND_SIZE, (first + 2) % HAND_SIZE}))
            table.ask(Arrange(member, three))
    return settled(table)


def round_of_tau_ngau() -> dict[str, Any]:
    table = sealed_table(TAU_NGAU_PRESET)
    rolled(table)
    for seat in table.state.seats:
        table.bet(seat.party, 10)
    dealt(table)
    return settled(table)


def round_of_niu_niu() -> dict[str, Any]:
    table = sealed_table(NiuNiuRules(arrange=ArrangedBy.STRICT))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 20)
    dealt(table)
    for member in (MEI, ALICE):
        table.do(Arrange(member, (0, 1, 2)))
    return settled(table)


def round_for_points() -> dict[str, Any]:
    table = sealed_table(GnauRules(play=Play.POINTS))
    table.bank(MEI)
    table.bet(ALICE, 1)
    dealt(table)
    return settled(table)


def round_of_the_house() -> dict[str, Any]:
    table = sealed_table(TAU_NGAU_PRESET)
    table.play_house(ALICE, 1000)
    table.bet(ALICE, 10)
    table.do(with_pieces_and_dice(table.state, Deal(None), "888"))
    return settled(table)


def round_with_computers() -> dict[str, Any]:
    table = sealed_table(TauNgauRules(computer_players=2, arrange=ArrangedBy.STRICT))
    table.accounts[wallet(THE_HOUSE)] = 1000
    table.do(Join(ALICE))
    asked = RollForBank(ALICE, (), table.house)
    table.do(with_pieces_and_dice(table.state, asked, "777", {ALICE: 1000}))
    dealt(table)
    return settled(table)


ROUNDS = {
    "gnau": round_of_gnau,
    "tau-ngau": round_of_tau_ngau,
    "niu-niu": round_of_niu_niu,
    "points": round_for_points,
    "house": round_of_the_house,
    "computers": round_with_computers,
}
