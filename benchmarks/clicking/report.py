"""What is printed: plain tables of figures, and what to know about them."""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from clicking.load import Measured
from clicking.side import BARE, LOADS, OURS, SINGLE, Side

STARVED: Final = 0.7
"""Where no process reaches this share of a core, other programs had the machine."""
SWAMPED: Final = 0.1
"""From this share of late clicks on, a load says little of a bot but that it is too much."""
BUSY: Final = 0.85
"""From this share of a core on, a process is what holds up the others."""
_COLUMNS: Final = (
    "clicks",
    "bot",
    "clicks/s",
    "late %",
    "p50 ms",
    "p99 ms",
    "CPU ms a click",
    "bot's core",
    "stand-in's core",
)


def figures(sides: dict[str, Side]) -> Table:
    """The medians of all repeats, and how far the single ones lie apart."""
    table = plain(*_COLUMNS)
    for load in LOADS:
        for name, side in sides.items():
            table.add_row(load, name, *_row(side.measured[load]))
    return table


def ratios(sides: dict[str, Side]) -> Table:
    """Our bot beside the bare one, measured one after the other."""
    table = plain("ratio, ours to bare", "clicks/s", "CPU a click")
    for load in LOADS:
        pairs = list(zip(sides[OURS].measured[load], sides[BARE].measured[load], strict=True))
        rates = [ours.rate / bare.rate for ours, bare in pairs if bare.rate]
        costs = [bare.cpu_per_click / ours.cpu_per_click for ours, bare in pairs if ours.cpu]
        table.add_row(load, spread(rates, 3), spread(costs, 3))
    return table


def profile(load: str, measured: Measured, report: dict[str, Any]) -> Table:
    """Where the CPU time of our bot went, in milliseconds for each click, by part and by module."""
    clicks, every = len(measured.tally.seconds), sum(report["parts"].values()) or 1.0
    table = plain(f"CPU of our bot: {load}", "share", "ms a click")
    for part, seconds in report["parts"].items():
        table.add_row(part, f"{seconds / every:.0%}", f"{seconds * 1000 / clicks:.2f}")
    table.add_row("all", "100%", f"{every * 1000 / clicks:.2f}")
    table.add_section()
    for module, seconds in report["modules"].items():
        table.add_row(f"  {module}", f"{seconds / every:.0%}", f"{seconds * 1000 / clicks:.2f}")
    return table


def remarks(sides: dict[str, Side]) -> list[str]:
    """What to know before believing the figures."""
    found = []
    mix = sum((one.tally.pressed for one in sides[OURS].measured[SINGLE]), Counter[str]())
    if every := mix.total():
        shares = ", ".join(f"{name} {count / every:.0%}" for name, count in mix.most_common())
        found.append(f"Single clicks were: {shares}.")
    for name, side in sides.items():
        answers = sum((one.tally.kinds for load in LOADS for one in side.measured[load]), Counter[str]())
        told = ", ".join(f"{kind} {count:,}" for kind, count in answers.most_common())
        found.append(f"Answers of the bot {name}: {told}.")
    held_up = [load for load in LOADS if any(one.own_share > BUSY for one in sides[BARE].measured[load])]
    if held_up:
        limit = median(one.own_limit for load in held_up for one in sides[BARE].measured[load])
        found.append(
            f"Under the bare bot the stand-in and the clickers filled a core ({', '.join(held_up)}): they "
            f"carry about {limit:,.0f} clicks/s. There the ratio of clicks/s flatters ours; CPU does not."
        )
    starved = [
        name
        for name, side in sides.items()
        if any(max(one.bot_share, one.own_share) < STARVED for one in side.measured[SINGLE])
    ]
    if starved:
        found.append(
            f"Under single clicks no process filled a core ({', '.join(starved)}): other programs had the "
            "machine. Believe the CPU a click, and not the clicks/s."
        )
    for name, side in sides.items():
        swamped = [load for load in LOADS if _late(side.measured[load]) > SWAMPED]
        if swamped:
            found.append(
                f"The bot {name} was swamped ({', '.join(swamped)}): a late click counts as one too, so its "
                "CPU a click looks too small there. Try fewer --clickers, or a quieter machine."
            )
    for name, side in sides.items():
        faults = sum((one.faults for load in LOADS for one in side.measured[load]), Counter[int]())
        if faults:
            statuses = ", ".join(f"{status}: {count}" for status, count in sorted(faults.items()))
            found.append(f"Discord answered the bot {name} with errors: {statuses}.")
        if logged := side.bot.logged():
            found.append(f"The bot {name} logged, at last: {logged.splitlines()[-1]}")
    return found


def show(console: Console, *tables: Table | str) -> None:
    """Prints them, each apart, in lines as long as they need be."""
    for table in tables:
        console.print(table, soft_wrap=isinstance(table, str), highlight=False)


def _row(measured: Sequence[Measured]) -> list[str]:
    return [
        spread([one.rate for one in measured], 0),
        f"{_late(measured):.1%}",
        *(_milliseconds(median(one.tally.milliseconds(share) for one in measured)) for share in (0.5, 0.99)),
        spread([one.cpu_per_click for one in measured], 2),
        f"{median(one.bot_share for one in measured):.0%}",
        f"{median(one.own_share for one in measured):.0%}",
    ]


def _late(measured: Sequence[Measured]) -> float:
    """The share of all clicks that were late."""
    return sum(one.tally.late for one in measured) / max(1, sum(len(one.tally.seconds) for one in measured))


def _milliseconds(value: float) -> str:
    return "late" if math.isinf(value) else f"{value:,.0f}"


def spread(values: Sequence[float], digits: int) -> str:
    """The median, and the smallest and the largest."""
    if not values:
        return "-"
    least, middle, most = (f"{value:,.{digits}f}" for value in (min(values), median(values), max(values)))
    return middle if len(values) == 1 else f"{middle} ({least}-{most})"


def plain(*columns: str) -> Table:
    """A table without lines; all columns but the first are of numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table
