"""The commands `hand` and `duel`: evaluate one hand, or settle two."""

import json
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Annotated, Final, TextIO

import typer

from bot.cli.errors import BAD_INPUT, CommandError, bad_input_refused
from bot.cli.hand_reader import HandReader
from bot.cli.json_output import JsonObject, duel_json, hand_json
from bot.cli.rules_options import (
    DEFAULT_PRESET,
    DecksOption,
    JsonOption,
    PresetOption,
    SetOption,
    rules_from_options,
)
from bot.games.hands import arrangements, evaluate
from bot.games.settle import settle
from bot.rules.house_rules import HouseRules

_WRITTEN: Final = 'five pieces, such as "3S 6D 8C 4H 8D". Cards are written 3S, 10H or TH, K♦; tiles 6-5.'


def hand(
    pieces: Annotated[list[str] | None, typer.Argument(metavar="HAND", help=f"The {_WRITTEN}")] = None,
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    from_stdin: Annotated[
        bool,
        typer.Option(
            "--stdin",
            help="Read one hand per line, and answer each with one line of JSON, in order. "
            'The answer to a line that is not a hand is {"error": "…"}; the exit status is then 2.',
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Evaluate five cards or tiles, and show every way to arrange them."""
    if from_stdin and pieces:
        raise CommandError("a hand and --stdin do not go together: use one of them")
    rules = rules_from_options(preset, settings, decks)
    if from_stdin:
        # Python has no stdin if the process was started without one.
        if sys.stdin is None:  # type: ignore[unreachable, unused-ignore]
            raise CommandError("--stdin reads hands from stdin, but stdin is closed")
        if not _answer_lines(sys.stdin, sys.stdout, rules):
            raise typer.Exit(BAD_INPUT)
        return
    if not pieces:
        raise CommandError('which hand? Add five pieces, such as "3S 6D 8C 4H 8D", or --stdin')
    with bad_input_refused():
        (five,) = HandReader(rules).read(" ".join(pieces))
    best = evaluate(five, rules)
    if as_json:
        typer.echo(json.dumps(hand_json(best)))
        return
    from bot.cli.text_output import print_hand

    print_hand(best, list(arrangements(five, rules)))


def duel(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=f"The player's {_WRITTEN}")],
    banker: Annotated[str, typer.Argument(metavar="BANKER", help="The banker's hand, written the same way.")],
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Settle a player's hand (first) against the banker's (second)."""
    rules = rules_from_options(preset, settings, decks)
    with bad_input_refused():
        read = HandReader(rules, hands=2).read(player, banker)
    players, bankers = (evaluate(five, rules) for five in read)
    result = settle(players, bankers, rules)
    if as_json:
        typer.echo(json.dumps(duel_json(result)))
        return
    from bot.cli.text_output import print_duel

    print_duel(players, bankers, result)


def _answer_lines(lines: TextIO, answers: TextIO, rules: HouseRules) -> bool:
    """Answers each line at once, so that a program can write a line, wait for the answer, and go on.

    Returns:
        Whether every line was a hand.
    """
    if isinstance(lines, TextIOWrapper):
        # A line that is not UTF-8 gets an error like any other wrong line; the rest goes on.
        lines.reconfigure(encoding="utf-8-sig", errors="replace")
    all_good = True
    for answer in _answers(lines, rules):
        all_good = all_good and "error" not in answer
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return all_good


def _answers(lines: TextIO, rules: HouseRules) -> Iterator[JsonObject]:
    reader = HandReader(rules)
    for line in lines:
        try:
            (five,) = reader.read(line)
        except ValueError as wrong:
            yield {"error": str(wrong)}
        else:
            yield hand_json(evaluate(five, rules))
