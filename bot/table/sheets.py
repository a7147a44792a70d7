"""The sheet of a shuffle: everything that is fixed before it, as canonical text.

A shuffle is mixed with its sheet, so nothing on it can be changed later without changing the cards. It has
numbers of 64 bits as strings. `round_record` has its fields as types.
"""

import json
from collections.abc import Collection
from typing import Any, Final

from bot.games.knob_list import knobs_of
from bot.rules.canonical import canonical
from bot.rules.house_rules import HouseRules
from bot.rules.shuffle import FORMAT, Use, seal_of
from bot.table.round_result import Opening
from bot.table.state import TableState, Throw

NO_SEED: Final = "0"
"""The client seed of somebody who adds nothing."""


def deal_sheet(state: TableState, asked_by: int | None, client_seed: str) -> str | None:
    """What the hands of the round are mixed with; None at a table without a secret.

    Args:
        state: the table, with bets and a banker.
        asked_by: the banker who asks for the deal; None if the table deals.
        client_seed: what the banker adds by asking, unless they chose words; empty for nothing.
    """
    if state.secret is None:
        return None
    assert state.bank is not None
    seeds = _seeds(state, asked_by if asked_by == state.bank.party else None, client_seed)
    sheet = _sheet(state, Use.DEAL) | {
        "rules": rules_on_sheet(state.rules),
        "banker": {"party": str(state.bank.party), "client_seed": seeds.get(state.bank.party, NO_SEED)},
        "players": [
            {
                "seat": seat.number,
                "party": str(seat.party),
                "stake": seat.stake,
                "client_seed": seeds.get(seat.party, NO_SEED),
            }
            for seat in state.bets
        ],
        "side_bets": [
            {
                "party": str(side.party),
                "backed": str(side.backed),
                "stake": side.stake,
                "client_seed": seeds.get(side.party, NO_SEED),
            }
            for side in state.side_bets
        ],
        "dice": _dice_of(state),
    }
    return canonical(sheet)


def dice_sheet(
    state: TableState, asked_by: int | None, client_seed: str, rolling: Collection[int]
) -> str | None:
    """What the dice for the bank are mixed with; None at a table without a secret.

    Args:
        state: the table.
        asked_by: the member who asks for the dice; None if it is somebody who chose words.
        client_seed: what that member adds by asking, unless they chose words; empty for nothing.
        rolling: who rolls: the members at the table who can cover the lowest bet.
    """
    if state.secret is None:
        return None
    seeds = _seeds(state, asked_by, client_seed)
    seats = [
        {
            "seat": seat.number,
            "party": str(seat.party),
            "client_seed": seeds.get(seat.party, NO_SEED),
            "rolls": seat.party in rolling,
        }
        for seat in state.seats
    ]
    return canonical(_sheet(state, Use.DICE) | {"seats": seats})


def recorded_dice(opening: Opening, throws: Collection[Throw]) -> dict[str, Any]:
    """Dice that were rolled for the bank, as they stand in records."""
    return {
        "sheet": json.loads(opening.sheet),
        "seal": seal_in(opening),
        "secret": opening.secret,
        "throws": [{"party": str(throw.party), "dice": list(throw.dice)} for throw in throws],
    }


def seal_in(opening: Opening) -> str:
    """The seal that was shown before."""
    sheet = json.loads(opening.sheet)
    return seal_of(opening.secret, Use(sheet["purpose"]), int(sheet["table"]), sheet["round"])


def dice_seal(opening: Opening) -> str | None:
    """The seal of the dice that picked the banker; None without dice."""
    dice = json.loads(opening.sheet)["dice"]
    return None if dice is None else str(dice["seal"])


def rules_on_sheet(rules: HouseRules) -> dict[str, Any]:
    """The rules that hands and results depend on: the game, its version, and every knob that decides."""
    told = rules.model_dump(mode="json")
    names = ["game", "game_version", *(knob.name for knob in knobs_of(rules.game) if knob.decides)]
    return {name: told[name] for name in names}


def seeds_on(sheet: str) -> list[tuple[int, str]]:
    """Who brought which client seed to a shuffle, and then to the dice for its bank."""
    return _seeds_in(json.loads(sheet))


def client_seed_of(state: TableState, party: int) -> str | None:
    """What a member brings to the round, or brought to its hands; None if they bring nothing."""
    if state.sheet is not None:
        return next((seed for who, seed in seeds_on(state.sheet) if who == party), None)
    return next((seed.text for seed in state.client_seeds if seed.party == party), None)


def parties_on(sheet: str) -> frozenset[int]:
    """Everybody who is on a sheet, also those who only rolled the dice."""
    return frozenset(party for party, _ in seeds_on(sheet))


def _seeds_in(told: dict[str, Any]) -> list[tuple[int, str]]:
    banker = [told["banker"]] if "banker" in told else []
    places = [*banker, *(place for part in ("players", "side_bets", "seats") for place in told.get(part, ()))]
    dice = told.get("dice")
    before = [] if dice is None else _seeds_in(dice["sheet"])
    return [*((int(place["party"]), place["client_seed"]) for place in places), *before]


def _sheet(state: TableState, use: Use) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "purpose": use.value,
        "table": str(state.table_id),
        "number": state.number,
        "round": state.round_to_deal,
    }


def _seeds(state: TableState, asked_by: int | None, client_seed: str) -> dict[int, str]:
    """The client seeds by member; that of the member who asks is new, unless they chose words."""
    seeds = {seed.party: seed.text for seed in state.client_seeds}
    chose = any(seed.chosen and seed.party == asked_by for seed in state.client_seeds)
    if asked_by is not None and client_seed and not chose:
        seeds[asked_by] = client_seed
    return seeds


def _dice_of(state: TableState) -> dict[str, Any] | None:
    """The dice that picked the round's banker; None without dice."""
    if state.dice is None:
        return None
    dice = recorded_dice(state.dice, state.throws)
    # Others were rolled for a round that was called off.
    return dice if dice["sheet"]["round"] == state.round_to_deal else None
