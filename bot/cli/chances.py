"""The commands about chances: what rules are worth exactly, and what comes of playing by them."""

import json
from typing import Annotated, Final

import typer

from bot.cli.answers import odds_answer, simulation_answer
from bot.cli.complaints import GaveUpError, complaining
from bot.cli.rules_asked import (
    DEFAULT_PRESET,
    DecksOption,
    JsonOption,
    PresetOption,
    SetOption,
    rules_asked,
)
from bot.rules.quote import quote

MOST_ROUNDS: Final = 100_000_000
"""The most rounds in one simulation: some minutes' work."""


def odds(
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Work out exactly how often a player wins, and what the bank keeps, over every pair of hands."""
    rules = rules_asked(preset, settings, decks)
    # NumPy takes longer to import than a hand to answer for: only who asks for odds waits for it.
    from bot.odds.odds import odds_of

    with complaining():
        worth = odds_of(rules, rules.decks)
    if as_json:
        typer.echo(json.dumps(odds_answer(worth)))
        return
    from bot.cli.tables import show_odds

    show_odds(worth, rules)


def simulate(
    rounds: Annotated[
        int, typer.Option(metavar="N", help=f"How many rounds to play: 1 to {MOST_ROUNDS:,}.")
    ] = 100_000,
    seats: Annotated[
        int | None,
        typer.Option(help="So many players bet, one chip each; if not said, as few as can."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same rounds; told where not given.")
    ] = None,
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play whole rounds by chance, and set what came of them beside the exact odds."""
    rules = rules_asked(preset, settings, decks)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise GaveUpError(f"--rounds is 1 to {MOST_ROUNDS:,}, not {quote(str(rounds))}")
    from bot.cli.tables import progress, show_simulation
    from bot.odds.simulation import check_seats, simulate_rounds, some_seed
    from bot.rules.games import game_of

    seats = game_of(rules).fewest_players if seats is None else seats
    with complaining():
        check_seats(rules, seats)
    with progress(rounds, hidden=as_json) as played:
        simulation = simulate_rounds(rules, rounds, seats, some_seed() if seed is None else seed, played)
    if as_json:
        typer.echo(json.dumps(simulation_answer(simulation)))
    else:
        show_simulation(simulation)
