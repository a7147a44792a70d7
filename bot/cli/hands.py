"""The commands about hands: what one is worth, and what comes of two."""

import json
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Annotated, Final, TextIO

import typer

from bot.cli.answers import Answer, duel_answer, hand_answer
from bot.cli.complaints import BAD_INPUT, GaveUpError, complaining
from bot.cli.hand_reader import HandReader
from bot.cli.rules_asked import (
    DEFAULT_PRESET,
    DecksOption,
    JsonOption,
    PresetOption,
    SetOption,
    rules_asked,
)
from bot.rules.hands import arrangements, evaluate
from bot.rules.knobs import HouseRules
from bot.rules.settle import settle

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
            help="Read one hand a line, and answer each with one line of JSON, in order. "
            'A line that is no hand, an empty one too, is answered with {"error": "…"}, '
            "and in the end the status is 2.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell what five cards or tiles are worth, and every way to arrange them."""
    if from_stdin and pieces:
        raise GaveUpError("a hand and --stdin do not go together: give the one or the other")
    rules = rules_asked(preset, settings, decks)
    if from_stdin:
        # Python has none where the process was started without one.
        if sys.stdin is None:  # type: ignore[unreachable, unused-ignore]
            raise GaveUpError("--stdin reads hands from stdin, which is closed")
        if not _answer_lines(sys.stdin, sys.stdout, rules):
            raise typer.Exit(BAD_INPUT)
        return
    if not pieces:
        raise GaveUpError('which hand? Give five pieces, such as "3S 6D 8C 4H 8D", or --stdin')
    with complaining():
        (five,) = HandReader(rules).read(" ".join(pieces))
    best = evaluate(five, rules)
    if as_json:
        typer.echo(json.dumps(hand_answer(best)))
        return
    from bot.cli.tables import show_hand

    show_hand(best, list(arrangements(five, rules)))


def duel(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help=f"The player's {_WRITTEN}")],
    banker: Annotated[str, typer.Argument(metavar="BANKER", help="The banker's, written likewise.")],
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell who wins, the first hand being a player's, the second the banker's."""
    rules = rules_asked(preset, settings, decks)
    with complaining():
        read = HandReader(rules, hands=2).read(player, banker)
    players, bankers = (evaluate(five, rules) for five in read)
    came = settle(players, bankers, rules)
    if as_json:
        typer.echo(json.dumps(duel_answer(came)))
        return
    from bot.cli.tables import show_duel

    show_duel(players, bankers, came)


def _answer_lines(lines: TextIO, answers: TextIO, rules: HouseRules) -> bool:
    """Answers each line when it comes, so that a program may ask, wait, and ask again.

    Returns:
        Whether every line was a hand.
    """
    if isinstance(lines, TextIOWrapper):
        # What is no UTF-8 is no hand either: that is for its line to say, and not the end of all others.
        lines.reconfigure(encoding="utf-8-sig", errors="replace")
    all_good = True
    for answer in _answers(lines, rules):
        all_good = all_good and "error" not in answer
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return all_good


def _answers(lines: TextIO, rules: HouseRules) -> Iterator[Answer]:
    reader = HandReader(rules)
    for line in lines:
        try:
            (five,) = reader.read(line)
        except ValueError as wrong:
            yield {"error": str(wrong)}
        else:
            yield hand_answer(evaluate(five, rules))
