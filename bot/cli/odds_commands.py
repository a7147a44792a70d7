"""The commands `odds` and `simulate`: exact odds of rules, and random rounds under them."""

import json
from typing import Annotated, Final

import typer

from bot.cli.errors import CommandError, bad_input_refused
from bot.cli.json_output import odds_json, simulation_json
from bot.cli.rules_options import (
    DEFAULT_PRESET,
    DecksOption,
    JsonOption,
    PresetOption,
    SetOption,
    rules_from_options,
)
from bot.games.hands import decks_in_play
from bot.rules.typed_text import quote

MOST_ROUNDS: Final = 100_000_000
"""The most rounds in one simulation: they take some minutes."""


def odds(
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count exactly how often a player wins, and the edge of the bank, over every pair of hands."""
    rules = rules_from_options(preset, settings, decks)
    # NumPy is slow to import: only commands about odds wait for it.
    from bot.odds.odds import odds_of

    with bad_input_refused():
        counted = odds_of(rules, decks_in_play(rules))
    if as_json:
        typer.echo(json.dumps(odds_json(counted)))
        return
    from bot.cli.text_output import print_odds

    print_odds(counted, rules)


def simulate(
    rounds: Annotated[
        int, typer.Option(metavar="N", help=f"How many rounds to play: 1 to {MOST_ROUNDS:,}.")
    ] = 100_000,
    seats: Annotated[
        int | None,
        typer.Option(help="How many players bet, one chip each; by default the fewest possible."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same rounds; by default a random one.")
    ] = None,
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play random rounds, and show the results beside the exact odds."""
    rules = rules_from_options(preset, settings, decks)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise CommandError(f"--rounds is 1 to {MOST_ROUNDS:,}, not {quote(str(rounds))}")
    from bot.cli.text_output import print_simulation, progress
    from bot.games.register import game_of
    from bot.odds.simulation import check_seats, simulate_rounds, some_seed

    seats = game_of(rules).fewest_players if seats is None else seats
    with bad_input_refused():
        check_seats(rules, seats)
    with progress(rounds, hidden=as_json) as played:
        simulation = simulate_rounds(rules, rounds, seats, some_seed() if seed is None else seed, played)
    if as_json:
        typer.echo(json.dumps(simulation_json(simulation)))
    else:
        print_simulation(simulation)
