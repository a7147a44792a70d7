"""Random rounds of every game and knob, with their records."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Knob
from bot.rules.pieces import HAND_SIZE, OX_SIZE
from bot.rules.shuffle import words_code
from bot.table.commands import Arrange, Deal, Join, PlaceBet, PlaceSideBet, RollForBank, SetClientSeed
from bot.table.commitment import Entropy, with_pieces_and_dice
from bot.table.events import RoundSettled
from bot.table.round_record import record_of, seeds_on
from bot.table.state import COMPUTERS, THE_HOUSE
from tests.table.trial_table import TrialTable, wallets_for

THREES = tuple(combinations(range(HAND_SIZE), OX_SIZE))
MOST_PLAYERS = 12
"""With the banker, so that a second deck comes in (G02)."""
BACKERS = 3
CHIPS = 10_000_000


def random_rules(chance: Random) -> HouseRules:
    """Rules of any game, with any value of each knob that a round depends on."""
    game = chance.choice(list(GAMES))
    while True:
        chosen: dict[str, Any] = {
            knob.name: _value(knob, chance)
            for knob in knobs_of(game)
            if knob.decides and knob.name != "play" and chance.random() < 0.5
        }
        try:
            rules: HouseRules = GAMES[game].rules(**chosen, seats=19)
            return rules
        except ValueError:
            # Not all knobs go together.
            continue


def random_record(seed: int) -> dict[str, Any]:
    """The record of a random round, as JSON values; the same for the same seed."""
    return _record(Random(seed))


def house_record(seed: int) -> dict[str, Any]:
    """The record of a random round in which the house banks (B07); the same for the same seed."""
    return _record(Random(seed), house=True)


def computers_record(seed: int) -> dict[str, Any]:
    """The record of a random round with computer players (B07); the same for the same seed."""
    chance = Random(seed)
    return _record(chance, house=chance.random() < 0.5, computers=True)


def random_records(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """The records of this many random rounds."""
    return map(random_record, range(seed, seed + count))


def _value(knob: Knob, chance: Random) -> Any:
    if knob.kind == "on or off":
        return chance.random() < 0.5
    if knob.choices:
        return chance.choice(knob.choices)
    assert knob.least is not None
    assert knob.most is not None
    return chance.randint(knob.least, knob.most)


def _record(chance: Random, *, house: bool = False, computers: bool = False) -> dict[str, Any]:
    while (record := _played(random_rules(chance), chance, house=house, computers=computers)) is None:
        pass
    told: dict[str, Any] = json.loads(json.dumps(record))
    return told


def _played(rules: HouseRules, chance: Random, *, house: bool, computers: bool) -> dict[str, Any] | None:
    """The record of a round by these rules, with a member or the house as banker; None if not dealt.

    If `computers`, there is none without computer players either.
    """

    def number() -> str:
        return str(chance.getrandbits(63))

    chosen: dict[str, tuple[str, str]] = {}
    members = chance.sample(range(1, 1 << 62), MOST_PLAYERS + BACKERS)
    chips = dict.fromkeys(members, CHIPS)
    if computers:
        rules = rules.model_copy(update={"computer_players": len(COMPUTERS)})
        chips[THE_HOUSE] = CHIPS
    if chance.random() < 0.3:
        # Somebody who cannot bank, and so does not roll.
        chips[members[1]] = 0
    table = TrialTable(rules, chips, lambda: Entropy(chance.randbytes(32).hex(), number()))
    table.state = replace(table.state, round_number=chance.randrange(200))
    game = GAMES[rules.game]
    players = members[: chance.randint(game.fewest_players + 1, min(game.most_players + 1, MOST_PLAYERS))]
    if house:
        players = players[1 + chance.randrange(len(players) - 1) :]
        if computers:
            players = players[: max(1, game.most_players - 2)]
        table.play_house(players[0], CHIPS)
    elif game.rolls_for_bank:
        for member in players:
            table.do(Join(member))
        asked = RollForBank(players[0], (), rules)
        wallets = wallets_for(table.state, asked, table.accounts)
        table.do(with_pieces_and_dice(table.state, asked, number(), wallets))
    else:
        table.bank(players[0], 1, 1000)
    banker, highest = table.bank_now.party, table.bank_now.highest
    for member in players:
        if member != banker:
            table.ask(PlaceBet(member, chance.randint(1, highest)))
    for backer in members[-BACKERS:]:
        for seat in table.state.bets:
            if chance.random() < 0.2:
                table.ask(PlaceSideBet(backer, seat.party, chance.randint(1, 500)))
    for member in members if house else (*members, banker):
        if chance.random() < 0.2:
            words, salt = f"words of 旺 {chance.random()}", chance.randbytes(16).hex()
            table.ask(SetClientSeed(member, words, salt))
            chosen[words_code(salt, words)] = (salt, words)
    if not table.state.can_be_dealt or (computers and not any(seat.stake for seat in table.state.computers)):
        return None
    asks = not house and chance.random() < 0.7
    table.wait(0 if asks else 3600)
    table.do(with_pieces_and_dice(table.state, Deal(banker if asks else None), number()))
    if rules.arrange is not ArrangedBy.AUTOMATIC:
        for member in players if house else (*players, banker):
            if table.state.pieces_of(member) and chance.random() < 0.7:
                table.ask(Arrange(member, chance.choice(THREES)))
    result = next(event.result for event in table.showdown() if isinstance(event, RoundSettled))
    seeds = {seed for _, seed in seeds_on(result.opening.sheet)}
    names = {party: f"Member {party} 旺" for party in result.parties if chance.random() < 0.7}
    return record_of(result, names, {seed: words for seed, words in chosen.items() if seed in seeds})
