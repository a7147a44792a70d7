"""The answers of commands as text, for people: tables and sentences on the terminal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

from bot.games.settle import Duel, Outcome
from bot.odds.odds import Odds
from bot.odds.simulation import Estimate, Simulation
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Hand, HandRank
from bot.words.hands import hand_name, hand_words, name_against, rank_name, row_of
from bot.words.translation import translate

_PLACES: Final = 6
"""Decimal places of a share or a chip."""
_FIGURES: Final = {"Win": "win", "Lose": "lose", "Push": "push", "The bank's edge": "bank_edge"}
"""What a player can expect, and its name in `Odds` and `Simulation`."""


def print_hand(best: Hand, every: Sequence[Hand]) -> None:
    """Prints a hand, and below it every arrangement of its pieces, strongest first."""
    _print(f"{hand_words(best)}   {hand_name(best)}, {_wins(best)}")
    table = _table(translate(f"alt.ox.{best.game}").capitalize(), "Left over", "Hand", ">Wins", ">Strength")
    ranked = sorted(every, key=lambda hand: (hand.strength, hand.suited, hand.ox == best.ox), reverse=True)
    printed = set()
    for one in ranked:
        split = one.hand_class, tuple(sorted(one.ox)), tuple(sorted(one.power))
        if split in printed:
            # It only swaps equal pieces of an arrangement above.
            continue
        printed.add(split)
        table.add_row(
            row_of(one.ox, one.game) or "–",
            row_of(one.power, one.game) or "–",
            hand_name(one),
            f"{one.multiple} ×" if one.multiple else "–",
            str(one.strength),
        )
    _print(table)


def print_duel(player: Hand, banker: Hand, duel: Duel) -> None:
    """Prints two hands, and who wins."""
    for who, hand, other in (("Player", player, banker), ("Banker", banker, player)):
        _print(f"{who}   {hand_words(hand)}   {name_against(hand, other)}")
    match duel.outcome:
        case Outcome.PLAYER:
            _print(f"The player wins {_count(duel.units, 'chip')} for each chip bet.")
        case Outcome.BANKER:
            _print(f"The banker wins: the player loses {_count(-duel.units, 'chip')} for each chip bet.")
        case Outcome.PUSH:
            _print("A push: nothing moves.")


def print_odds(odds: Odds, rules: HouseRules) -> None:
    """Prints how often each hand comes, and the odds of a player."""
    classes = _table("Hand, weakest first", ">Hands", ">Share")
    for count in odds.classes:
        name = rank_name(HandRank(count.hand_class, count.value), rules.game)
        classes.add_row(name, f"{count.hands:,}", _percent(count.hands / odds.hands))
    classes.add_section()
    classes.add_row("All", f"{odds.hands:,}", _percent(1))
    _print(classes)
    _print(f"Of {odds.pairs:,} pairs of a player's hand and a banker's:")
    result = _table("For the player", ">Decimal", ">Exactly")
    for name, figure in _FIGURES.items():
        exact = getattr(odds, figure)
        result.add_row(name, _percent(exact), str(exact))
    result.add_row("Standard deviation", f"{odds.standard_deviation:.{_PLACES}f}", "")
    _print(result)


def print_simulation(simulation: Simulation) -> None:
    """Prints the results of a simulation, beside the exact odds, and how far off they are."""
    settings = [
        _count(simulation.rounds, "round"),
        _count(simulation.seats, "seat"),
        _count(simulation.decks, "deck"),
        f"seed {simulation.seed}",
    ]
    _print(", ".join(settings))
    table = _table("For the player", ">Simulated", ">Standard error", ">Exactly", ">Errors off")
    for name, figure in _FIGURES.items():
        table.add_row(name, *_estimated(getattr(simulation, figure)))
    _print(table)


@contextmanager
def progress(total: int, doing: str = "Playing", *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar while the block runs, if stderr is a terminal.

    Yields:
        A function to call with how much was done since the last call.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    is_hidden = hidden or not console.is_terminal
    with Progress(*columns, console=console, disable=is_hidden, transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done: bar.advance(task, done)


def _print(output: str | Table) -> None:
    # The brackets of a tile are not markup. The terminal breaks long lines.
    Console(highlight=False, markup=False).print(output, soft_wrap=isinstance(output, str))


def _table(*columns: str) -> Table:
    """A table with these columns. A name that begins with `>` is a column of numbers."""
    table = Table(box=box.SIMPLE)
    for column in columns:
        table.add_column(
            column.removeprefix(">"), justify="right" if column.startswith(">") else "left", no_wrap=True
        )
    return table


def _estimated(estimate: Estimate) -> tuple[str, str, str, str]:
    error, off = estimate.standard_error, estimate.standard_errors_off
    return (
        _percent(estimate.mean),
        "–" if error is None else _percent(error),
        _percent(estimate.exact),
        "–" if off is None else f"{off:+.2f}",
    )


def _wins(hand: Hand) -> str:
    return f"wins {hand.multiple} × the stake" if hand.multiple else "never wins"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _percent(share: Fraction | float) -> str:
    return f"{float(share):.{_PLACES - 2}%}"
