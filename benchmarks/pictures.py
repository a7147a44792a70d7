"""The time and size of a picture: composed from sprites, and written as PNG in several ways.

Run it with `uv run python benchmarks/pictures.py`. The contestants take turns within one run, so that other
load on the machine slows all of them. Compare the ratios, not the milliseconds.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Final

from PIL import Image
from rich.console import Console
from rich.table import Table

from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.register import game_of
from bot.games.settle import settle
from bot.pictures.compose import hand_picture, showdown_picture
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.png import png
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE

_QUICK: Final = 1
_DEFAULT: Final = 6
"""The default compression level of Pillow and zlib."""
_TURNS: Final = 200
_BIG_TURNS: Final = 40


def _hands(count: int, rules: HouseRules) -> tuple[PicturedHand, ...]:
    """A random round, the same in every run."""
    pieces = list(game_of(rules).pack(count, rules))
    random.Random(1).shuffle(pieces)
    dealt = [
        evaluate(pieces[first : first + HAND_SIZE], rules) for first in range(0, count * HAND_SIZE, HAND_SIZE)
    ]
    bank, *players = dealt
    return PicturedHand.face_up(bank), *(
        replace(PicturedHand.face_up(hand), seat=seat, outcome=settle(hand, bank, rules).outcome)
        for seat, hand in enumerate(players, start=1)
    )


def _medians(ways: dict[str, Callable[[], object]], turns: int) -> dict[str, float]:
    """The median time of each way in milliseconds. All ways take turns, `turns` times."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            before = time.perf_counter()
            way()
            spent[name].append((time.perf_counter() - before) * 1000)
    return {name: statistics.median(times) for name, times in spent.items()}


def by_pillow(picture: Image.Image, level: int) -> bytes:
    """The picture as Pillow writes it."""
    written = BytesIO()
    picture.save(written, "PNG", compress_level=level)
    return written.getvalue()


def _compare(title: str, hands: tuple[PicturedHand, ...], turns: int) -> Table:
    def made() -> bytes:
        return hand_picture(hands[0]) if len(hands) == 1 else showdown_picture(hands)

    indexed = Image.open(BytesIO(made()))
    indexed.load()
    full = indexed.convert("RGB")
    written: dict[str, Callable[[], bytes]] = {
        "indexed, ISA-L (ours)": lambda: png(indexed),
        "indexed, zlib level 1": lambda: by_pillow(indexed, _QUICK),
        "indexed, zlib level 6": lambda: by_pillow(indexed, _DEFAULT),
        "RGB, zlib level 1": lambda: by_pillow(full, _QUICK),
        "RGB, zlib level 6 (Pillow's default)": lambda: by_pillow(full, _DEFAULT),
    }
    medians = _medians({"made": made, **written}, turns)
    ours, our_size = medians["indexed, ISA-L (ours)"], len(written["indexed, ISA-L (ours)"]())
    table = Table(title=f"{title}, {indexed.width} × {indexed.height}, median of {turns}")
    for column in ("", "ms", "× ours", "kB", "× ours"):
        table.add_column(column, justify="right" if column else "left")
    table.add_row("composed from sprites, and written", f"{medians['made']:.2f}", "", "", "")
    for name, way in written.items():
        size = len(way())
        table.add_row(
            name,
            f"{medians[name]:.2f}",
            f"{medians[name] / ours:.1f}",
            f"{size / 1000:.1f}",
            f"{size / our_size:.1f}",
        )
    return table


def main() -> int:
    """Prints two tables for each game: for one hand, and for the largest round."""
    console = Console()
    for rules in (PRESETS["wikipedia"], PRESETS["tau-ngau"]):
        game = game_of(rules)
        most = 1 + game.most_players
        console.print(_compare(f"One hand of {game.pieces.name}s", _hands(1, rules), _TURNS))
        console.print(_compare(f"{most} hands of {game.pieces.name}s", _hands(most, rules), _BIG_TURNS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
