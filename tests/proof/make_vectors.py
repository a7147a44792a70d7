"""Makes the test vectors: `uv run python -m tests.proof.make_vectors`.

They are part of the format, which is frozen: a change of them is a change of the format.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bot.rules.hashing import LARGEST, canonical
from bot.rules.shuffle import Use, code_of, seal_of, seeded_random, words_code
from bot.table.state import THE_HOUSE
from tests.proof.random_rounds import computers_record, house_record, random_record

VECTORS: Final = Path(__file__).parents[2] / "docs" / "vectors.json"
SECRET: Final = bytes(range(32)).hex()
BOUNDS: Final = (52, 6, 2**31 + 1, 2**31 + 1, 2**31 + 1, 2**31 + 1, 2**32, 1, 3)
"""Below 2³¹ + 1, nearly every second number is taken again."""
Record = dict[str, Any]
FIRST_SEED: Final = 100_000


def _dice(told: Record) -> Record | None:
    dice: Record | None = told["sheet"]["dice"]
    return dice


def _rolling(told: Record) -> int:
    dice = _dice(told)
    return 0 if dice is None else sum(seat["rolls"] for seat in dice["sheet"]["seats"])


def _declared(told: Record) -> bool:
    hands = [told["result"]["banker"], *told["result"]["players"]]
    return any(hand["declared_ox"] for hand in hands)


def _is(told: Record, **rules: object) -> bool:
    found: dict[str, object] = told["sheet"]["rules"]
    return rules.items() <= found.items()


RECORDS: Final[dict[str, Callable[[Record], bool]]] = {
    "Gnau, dealt clockwise": lambda told: _is(told, game="gnau", direction="clockwise"),
    "Gnau, dealt counter-clockwise, with side bets": lambda told: (
        _is(told, game="gnau", direction="counter-clockwise") and len(told["sheet"]["side_bets"]) > 1
    ),
    "Gnau, a second deck for eleven hands": lambda told: (
        _is(told, game="gnau", decks=1) and len(told["sheet"]["players"]) > 9
    ),
    "Gnau, eight decks": lambda told: _is(told, game="gnau", decks=8),
    "Gnau, oxen declared with help": lambda told: (
        _is(told, game="gnau", arrange="assisted") and _declared(told)
    ),
    "Gnau, any three declared": lambda told: _is(told, game="gnau", arrange="strict") and _declared(told),
    "Gnau, suited hands pay double": lambda told: _is(told, game="gnau", suited_bonus="power"),
    "Niu Niu, the highest card decides": lambda told: _is(told, game="niu-niu", niu_ties="cards"),
    "Niu Niu, several decks, dealt counter-clockwise": lambda told: (
        _is(told, game="niu-niu", direction="counter-clockwise") and told["sheet"]["rules"]["decks"] > 2
    ),
    "Tau Ngau, dice without a tie": lambda told: (
        _dice(told) is not None and len(_dice(told)["throws"]) == _rolling(told) > 2  # type: ignore[index]  # there are some
    ),
    "Tau Ngau, dice thrown again": lambda told: (
        _dice(told) is not None and len(_dice(told)["throws"]) > _rolling(told)  # type: ignore[index]
    ),
    "Tau Ngau, a member who may not roll": lambda told: (
        _dice(told) is not None and _rolling(told) < len(_dice(told)["sheet"]["seats"])  # type: ignore[index]
    ),
}
"""What each record shows, and whether one does."""


HOUSE_RECORDS: Final[dict[str, Callable[[Record], bool]]] = {
    "Gnau, the house banks for one player": lambda told: (
        _is(told, game="gnau") and len(told["sheet"]["players"]) == 1
    ),
    "Tau Ngau, the house banks for one player": lambda told: (
        _is(told, game="tau-ngau") and len(told["sheet"]["players"]) == 1
    ),
    "Niu Niu, the house banks, with side bets": lambda told: (
        _is(told, game="niu-niu") and len(told["sheet"]["side_bets"]) > 1
    ),
}
"""The same for rounds in which the house banks (B07); they were added to the others."""


COMPUTER_RECORDS: Final[dict[str, Callable[[Record], bool]]] = {
    "Gnau, computer players, the house banks": lambda told: (
        _is(told, game="gnau") and told["sheet"]["banker"]["party"] == str(THE_HOUSE)
    ),
    "Tau Ngau, a computer player, who never rolls": lambda told: _dice(told) is not None,
}
"""The same for rounds with computer players (B07); they were added later."""


def made() -> dict[str, Any]:
    """The vectors, as JSON values."""
    values: list[Any] = [
        {"b": 1, "a": [True, False, None], "A": {}, "aa": []},
        {"largest": LARGEST, "least": -LARGEST, "id": "9223372036854775807"},
        'quote " slash / backslash \\ \b\t\n\f\r\x00\x1f\x7f',
        "旺 🐂 \u2028",
    ]
    sheet = {"purpose": "a vector", "words": "旺"}
    below = seeded_random(SECRET, canonical(sheet))
    seeds = iter(range(FIRST_SEED, FIRST_SEED + 100_000))
    return {
        "canonical": [
            {"value": value, "text": canonical(value), "code": code_of(canonical(value))} for value in values
        ],
        "seals": [
            {
                "secret": SECRET,
                "use": use.value,
                "table": "70",
                "round": 12,
                "seal": seal_of(SECRET, use, 70, 12),
            }
            for use in Use
        ],
        "words": {"salt": "5a17", "words": "旺 wong: 888", "client_seed": words_code("5a17", "旺 wong: 888")},
        "numbers": {
            "secret": SECRET,
            "sheet": sheet,
            "numbers": [{"below": bound, "number": below(bound)} for bound in BOUNDS],
        },
        "records": [
            {"shows": shows, "record": next(told for told in map(record, seeds) if fits(told))}
            for record, all_fit in (
                (random_record, RECORDS),
                (house_record, HOUSE_RECORDS),
                (computers_record, COMPUTER_RECORDS),
            )
            for shows, fits in all_fit.items()
        ],
    }


def main() -> None:
    """Replaces the vectors."""
    VECTORS.write_text(json.dumps(made(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
