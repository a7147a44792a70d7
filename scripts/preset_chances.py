"""Writes `bot/odds/preset_chances.py`: the chances of each preset, for the decks at its tables.

`python -m scripts.preset_chances` takes some minutes.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

from bot.games.hands import decks_in_play
from bot.games.knobs import PRESETS, knob_of
from bot.odds.chances import chances_key, counted_chances
from bot.rules.house_rules import HouseRules

FILE: Final = Path(__file__).parents[1] / "bot" / "odds" / "preset_chances.py"
_HEAD: Final = '''\
"""The mean, the variance and the covariance of a chip bet under each preset, by `chances_key`.

`python -m scripts.preset_chances` counts them and writes this file.
"""

from collections.abc import Mapping
from typing import Final

PRESET_CHANCES: Final[Mapping[str, tuple[str, str, str]]] = {
'''


def counted_presets() -> Iterator[tuple[str, HouseRules, int]]:
    """The name of each preset, its rules, and each number of decks that its tables can have."""
    for name, rules in PRESETS.items():
        most = knob_of("seats", rules.game).most
        assert most is not None
        for decks in sorted({decks_in_play(rules, hands) for hands in range(2, most + 2)}):
            yield name, rules, decks


def entry(name: str, decks: int, key: str, chances: tuple[Fraction, Fraction, Fraction | None]) -> str:
    """The lines of one preset and number of decks.

    Raises:
        ValueError: there is no covariance, so the file would not be what the bot can read.
    """
    if None in chances:
        raise ValueError(f"{name} with {decks} decks has no covariance")
    numbers = "".join(f'        "{number}",\n' for number in chances)
    return f'    # {name}, {decks}\n    "{key}": (\n{numbers}    ),\n'


def main() -> None:
    """Counts, and writes the file."""
    entries = [
        entry(name, decks, chances_key(rules, decks), counted_chances(rules, decks, several_hands=True))
        for name, rules, decks in counted_presets()
    ]
    FILE.write_text(_HEAD + "".join(entries) + "}\n", "utf-8")


if __name__ == "__main__":
    main()
