"""What the commands answer for people: tables and sentences on the terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.rules.game import Hand
from bot.rules.games import GAMES
from bot.rules.knobs import HouseRules
from bot.rules.settle import Duel, Outcome
from bot.words.hands import hand_name, hand_words, row_of

if TYPE_CHECKING:
    # NumPy, which these stand on, takes longer to import than a hand to answer for.
    from bot.odds.odds import Odds
    from bot.odds.simulation import Estimate, Simulation

_PLACES: Final = 6
"""Decimals of a part or a chip: an edge is known to a ten-thousandth of a percent."""


def show_hand(best: Hand, every: Sequence[Hand]) -> None:
    """Shows a hand, and below it every arrangement of its pieces, the strongest first.

    Args:
        best: what the hand is.
        every: what it can be called, in any order.
    """
    _print(f"{hand_words(best)}   {hand_name(best)}, {_wins(best)}")
    table = _table(GAMES[best.game].ox_word.capitalize(), "Left over", "What it is", ">Wins", ">Strength")
    ranked = sorted(every, key=lambda hand: (hand.strength, hand.suited, hand.ox == best.ox), reverse=True)
    told = set()
    for one in ranked:
        split = one.hand_class, tuple(sorted(one.ox)), tuple(sorted(one.power))
        if split in told:
            # It differs only in which of two equal pieces stands where.
            continue
        told.add(split)
        table.add_row(
            row_of(one.ox, one.game) or "–",
            row_of(one.power, one.game) or "–",
            hand_name(one),
            f"{one.multiple} ×" if one.multiple else "–",
            str(one.strength),
        )
    _print(table)


def show_duel(player: Hand, banker: Hand, duel: Duel) -> None:
    """Shows two hands, and what comes of them."""
    for who, hand in (("Player", player), ("Banker", banker)):
        _print(f"{who}   {hand_words(hand)}   {hand_name(hand)}")
    match duel.outcome:
        case Outcome.PLAYER:
            _print(f"The player wins {_count(duel.units, 'chip')} for each chip staked.")
        case Outcome.BANKER:
            _print(f"The banker wins: the player loses {_count(-duel.units, 'chip')} for each chip staked.")
        case Outcome.PUSH:
            _print("A push: nothing moves.")


def show_odds(odds: "Odds", rules: HouseRules) -> None:
    """Shows how often each hand comes, and what a player may expect."""
    classes = _table("Hand, weakest first", ">Hands", ">Part")
    for count in odds.classes:
        name = hand_name(Hand((), count.hand_class, count.value, game=rules.game))
        classes.add_row(name, f"{count.hands:,}", _percent(count.hands / odds.hands))
    classes.add_section()
    classes.add_row("All", f"{odds.hands:,}", _percent(1))
    _print(classes)
    _print(f"Of {odds.pairs:,} pairs of a player's hand and a banker's:")
    worth = _table("For the player", ">Decimal", ">Exactly")
    worth.add_row("Win", _percent(odds.win), str(odds.win))
    worth.add_row("Lose", _percent(odds.lose), str(odds.lose))
    worth.add_row("Draw", _percent(odds.push), str(odds.push))
    worth.add_row("The bank's edge", _percent(odds.bank_edge), str(odds.bank_edge))
    worth.add_row("Standard deviation", f"{odds.standard_deviation:.{_PLACES}f}", "")
    _print(worth)


def show_simulation(simulation: "Simulation") -> None:
    """Shows what came of the rounds, beside the exact odds, and how far off it is."""
    asked = [
        _count(simulation.rounds, "round"),
        _count(simulation.seats, "seat"),
        _count(simulation.decks, "deck"),
        f"seed {simulation.seed}",
    ]
    _print(", ".join(asked))
    table = _table("For the player", ">Simulated", ">Standard error", ">Exactly", ">Errors off")
    for name, estimate in (
        ("Win", simulation.win),
        ("Lose", simulation.lose),
        ("Draw", simulation.push),
        ("The bank's edge", simulation.bank_edge),
    ):
        table.add_row(name, *_estimated(estimate))
    _print(table)


@contextmanager
def progress(rounds: int, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar while the block runs, if stderr is a terminal.

    Args:
        rounds: how many rounds the block plays.
        hidden: never show the bar.

    Yields:
        A function to call with the number of rounds played since the last call.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("Playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, disable=hidden or not console.is_terminal, transient=True
    ) as bar:
        task = bar.add_task("rounds", total=rounds)
        yield lambda played: bar.advance(task, played)


def _print(shown: str | Table) -> None:
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal without the signs of the suits shows question marks for them, and not a fault of ours.
        sys.stdout.reconfigure(errors="replace")
    # The brackets of a tile are no markup, and a long line is for the terminal to break.
    Console(highlight=False, markup=False).print(shown, soft_wrap=isinstance(shown, str))


def _table(*columns: str) -> Table:
    """A table with these columns; those that begin with `>` are numbers."""
    table = Table(box=box.SIMPLE)
    for column in columns:
        table.add_column(
            column.removeprefix(">"), justify="right" if column.startswith(">") else "left", no_wrap=True
        )
    return table


def _estimated(estimate: "Estimate") -> tuple[str, str, str, str]:
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


def _percent(part: Fraction | float) -> str:
    return f"{float(part):.{_PLACES - 2}%}"
