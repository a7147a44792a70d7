"""Forged records, and changed copies: some fit again, since everything after the change is computed again."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from pydantic import TypeAdapter

from bot.games.hands import hand_of, shuffled_pack
from bot.games.register import AnyHouseRules, game_of
from bot.games.settle import settle
from bot.rules.hashing import canonical
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange, Direction
from bot.rules.shuffle import Use, deal, roll, seal_of, seeded_random, words_code
from bot.table.round_proof import NOTHING_NOTED, Mismatch, Noted, first_mismatch
from bot.table.round_record import receipt_in, rules_on_sheet
from bot.table.state import COMPUTERS, THE_HOUSE, is_computer
from tests.proof.random_rounds import random_rules

_RULES: TypeAdapter[HouseRules] = TypeAdapter(AnyHouseRules)
HOUSE = str(THE_HOUSE)
NO_MEMBERS = (HOUSE, *map(str, COMPUTERS))
_ODD_VALUES: tuple[Any, ...] = (None, True, False, 0, -1, 1, 2, 1.5, "", "0", "00", "x", [], {}, [0, 1, 2])
_WORDS = (
    "player",
    "banker",
    "push",
    "off",
    "ox",
    "power",
    "five",
    "cards",
    "strict",
    "assisted",
    "automatic",
)
_SURROUNDINGS = ("clockwise", "counter-clockwise", "chips", "points", "gnau", "tau-ngau", "niu-niu", "gnau/1")
Place = tuple[Any, Any]
"""An object or list, and a name or index in it."""


def proof(told: Any, noted: Noted = NOTHING_NOTED) -> Mismatch | None:
    """The first mismatch in a record, as JSON values."""
    return first_mismatch(json.dumps(told), noted)


def with_new_codes(told: dict[str, Any]) -> dict[str, Any]:
    """The record with the seals and the receipt that fit its content."""
    remade = deepcopy(told)
    _seal_again(remade)
    with suppress(KeyError, TypeError):
        _seal_again(remade["sheet"]["dice"])
    with suppress(ValueError):
        remade["receipt"] = receipt_in(remade)
    return remade


def _seal_again(opened: dict[str, Any]) -> None:
    """Makes the seal that fits a secret, if there is one."""
    with suppress(KeyError, TypeError, ValueError):
        sheet = opened["sheet"]
        opened["seal"] = seal_of(opened["secret"], Use(sheet["purpose"]), int(sheet["table"]), sheet["round"])


def forged(told: dict[str, Any]) -> Mismatch | None:
    """The first mismatch in a changed record, with new codes."""
    return proof(with_new_codes(told))


def dealt_again(told: dict[str, Any]) -> dict[str, Any]:
    """The record with the hands that its sheet deals; what they win is not made again."""
    told = with_new_codes(told)
    for hand in _deal_again(told, _RULES.validate_python(told["sheet"]["rules"])):
        hand["declared_ox"] = None
    return with_new_codes(told)


def variant(record: dict[str, Any], chance: Random) -> dict[str, Any]:
    """A copy of a record with one change, and perhaps with everything after it computed again."""
    told: dict[str, Any] = json.loads(json.dumps(record))
    chance.choice((_leaf, _leaf, _leaf, _rule, _ox, _structure, _member, _words))(told, chance)
    depth = chance.choice((0, 1, 2, 2))
    try:
        if depth == 2:
            replay(told)
        if depth >= 1:
            reseal(told)
    except Exception:
        pass
    return told


def reshuffled(record: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The members of a record in another round, which fits: other rules, bets, hands and declared oxen."""
    told: dict[str, Any] = json.loads(json.dumps(record))
    sheet, result = told["sheet"], told["result"]
    rules = random_rules(chance)
    while game_of(rules).most_players < len(sheet["players"]):
        rules = random_rules(chance)
    told["secret"] = chance.randbytes(32).hex()
    sheet["rules"] = rules_on_sheet(rules) | {"play": chance.choice(("chips", "points"))}
    for bet in (*sheet["players"], *sheet["side_bets"]):
        bet["stake"] = chance.randint(1, chance.choice((10, 1000, 10**12)))
    backed = {side["backed"] for side in sheet["side_bets"]}
    free = [
        hand
        for player, hand in zip(sheet["players"], result["players"], strict=True)
        if player["party"] not in backed and not is_computer(int(player["party"]))
    ]
    for hand in (*result["players"], result["banker"]):
        hand["declared_ox"] = None
    if rules.arrange is Arrange.STRICT:
        house = sheet["banker"]["party"] == HOUSE
        for hand in free if house else (*free, result["banker"]):
            hand["declared_ox"] = chance.choice((None, sorted(chance.sample(range(5), 3))))
    replay(told)
    return told


def reseal(told: dict[str, Any]) -> None:
    """Makes the codes of seals and of the receipt fit again."""
    sheet = told["sheet"]
    told["seal"] = seal_of(told["secret"], Use.DEAL, int(sheet["table"]), sheet["round"])
    told["receipt"] = receipt_in(told)


def replay(told: dict[str, Any]) -> None:
    """Rolls, deals and settles again, and makes all codes fit."""
    sheet, result = told["sheet"], told["result"]
    rules = _RULES.validate_python(sheet["rules"])
    if not game_of(rules).rolls_for_bank:
        sheet["dice"] = None
    if sheet["dice"] is not None:
        _roll_again(sheet["dice"])
    pieces = game_of(rules).pieces
    hands = _deal_again(told, rules)
    ranked = [
        hand_of(
            [pieces.parse(text) for text in hand["pieces"]],
            None if hand["declared_ox"] is None else tuple(hand["declared_ox"]),
            rules,
        )
        for hand in hands
    ]
    bank = 0
    duels = {}
    for player, hand, own in zip(sheet["players"], result["players"], ranked, strict=False):
        duels[player["party"]] = duel = settle(own, ranked[-1], rules)
        hand.update(outcome=duel.outcome.value, chips=duel.units * player["stake"])
        bank -= hand["chips"]
    for side, own in zip(sheet["side_bets"], result["side_bets"], strict=True):
        duel = duels[side["backed"]]
        own.update(outcome=duel.outcome.value, chips=duel.units * side["stake"])
        bank -= own["chips"]
    result["banker"]["chips"] = bank
    reseal(told)


def _deal_again(told: dict[str, Any], rules: HouseRules) -> list[dict[str, Any]]:
    """Gives everybody the hand that the sheet deals; returns the hands, the banker's last."""
    hands = [*told["result"]["players"], told["result"]["banker"]]
    served = hands if rules.direction is Direction.CLOCKWISE else [*hands[-2::-1], hands[-1]]
    pack = shuffled_pack(len(served), rules, seeded_random(told["secret"], canonical(told["sheet"])))
    for hand, dealt in zip(served, deal(pack, len(served)), strict=True):
        hand["pieces"] = [game_of(rules).pieces.text(piece) for piece in dealt]
    return hands


def _roll_again(dice: dict[str, Any]) -> None:
    """Makes the first throws of each fit; ties are thrown again only where they were."""
    sheet = dice["sheet"]
    dice["seal"] = seal_of(dice["secret"], Use.DICE, int(sheet["table"]), sheet["round"])
    rolled = roll(2 * len(dice["throws"]), seeded_random(dice["secret"], canonical(sheet)))
    for at, throw in enumerate(dice["throws"]):
        throw["dice"] = list(rolled[2 * at : 2 * at + 2])


def _places(value: Any) -> Iterator[Place]:
    """Every place in a value, leaves and all that has some."""
    names: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for name in names:
        yield value, name
        yield from _places(value[name])


def _is_leaf(place: Place) -> bool:
    return not isinstance(place[0][place[1]], dict | list)


def _leaf(told: dict[str, Any], chance: Random) -> None:
    """Changes one value: a little, to the value of another place, or to something odd."""
    leaves = list(filter(_is_leaf, _places(told)))
    within, name = chance.choice(leaves)
    value = within[name]
    kind = chance.randrange(4)
    if kind == 0:
        within[name] = chance.choice(_ODD_VALUES)
    elif kind == 1:
        alike = [there[at] for there, at in leaves if type(there[at]) is type(value)]
        within[name] = chance.choice(alike)
    elif isinstance(value, bool):
        within[name] = not value
    elif isinstance(value, int):
        within[name] = chance.choice((value + 1, value - 1, -value, 2**53 - 1))
    elif isinstance(value, str) and value:
        at = chance.randrange(len(value))
        within[name] = value[:at] + chance.choice("0123456789abcdefABCDEFKQJSHDC-") + value[at + 1 :]
    else:
        within[name] = chance.choice(([0, 1, 2], [2, 3, 4], [1, 0, 2], [0, 0, 1], [0, 1, 5]))


def _rule(told: dict[str, Any], chance: Random) -> None:
    """Changes a knob to another value that it, or some other knob, can have."""
    rules = told["sheet"]["rules"]
    name = chance.choice(list(rules))
    value = rules[name]
    if isinstance(value, bool):
        rules[name] = not value
    elif isinstance(value, int):
        rules[name] = chance.randint(0, 21)
    else:
        rules[name] = chance.choice((*_WORDS, *_SURROUNDINGS))


def _ox(told: dict[str, Any], chance: Random) -> None:
    """Declares some ox, or none."""
    hand = chance.choice([*told["result"]["players"], told["result"]["banker"]])
    hand["declared_ox"] = chance.choice(
        (None, sorted(chance.sample(range(5), 3)), sorted(chance.sample(range(5), 3)))
    )


def _structure(told: dict[str, Any], chance: Random) -> None:
    """Removes, adds, doubles or swaps something."""
    holders = [told, *(there[at] for there, at in _places(told) if not _is_leaf((there, at)))]
    within = chance.choice(holders)
    if isinstance(within, dict):
        if chance.random() < 0.5 and within:
            del within[chance.choice(list(within))]
        else:
            within[chance.choice(("extra", "names", "seat", "__proto__", "dice"))] = chance.choice(
                _ODD_VALUES
            )
    elif within:
        one, other = chance.randrange(len(within)), chance.randrange(len(within))
        match chance.randrange(3):
            case 0:
                del within[one]
            case 1:
                within.insert(other, json.loads(json.dumps(within[one])))
            case _:
                within[one], within[other] = within[other], within[one]


def _member(told: dict[str, Any], chance: Random) -> None:
    """Adds a player or a side bet; each fits, or clashes with one who is there."""
    sheet, result = told["sheet"], told["result"]
    parties = [place["party"] for place in (sheet["banker"], *sheet["players"], *sheet["side_bets"])]
    others = [str(chance.getrandbits(60)), chance.choice(parties)]
    party = chance.choice(NO_MEMBERS) if chance.random() < 0.1 else chance.choice(others)
    seed = str(chance.getrandbits(60))
    if chance.random() < 0.5:
        last = sheet["players"][-1]
        seat = last["seat"] + chance.choice((0, 1, 1, 2))
        sheet["players"].append(
            {"seat": seat, "party": party, "stake": chance.randint(1, 999), "client_seed": seed}
        )
        result["players"].append(json.loads(json.dumps(result["players"][-1])))
    else:
        backed = chance.choice([player["party"] for player in sheet["players"]] * 4 + parties)
        stake = chance.randint(1, 999)
        sheet["side_bets"].append({"party": party, "backed": backed, "stake": stake, "client_seed": seed})
        result["side_bets"].append({"outcome": "push", "chips": 0})


def _words(told: dict[str, Any], chance: Random) -> None:
    """Gives members names and words of their own; some words do not make their code."""
    sheet = told["sheet"]
    words, salt = (
        chance.choice(("my dog", "", "牛牛 🐂", '"\\\n\t\x01\x7f/', "<b>")),
        chance.randbytes(8).hex(),
    )
    place = chance.choice([sheet["banker"], *sheet["players"]])
    place["client_seed"] = words_code(salt, words)
    told["names"] = {place["party"]: "Eve <img src=x onerror=alert(1)>"}
    told["words"] = {place["client_seed"]: {"salt": salt, "words": words}}
    if chance.random() < 0.2:
        told["words"][place["client_seed"]]["words"] += "."
    if chance.random() < 0.1:
        told["words"][words_code(salt, "others")] = {"salt": salt, "words": "others"}
