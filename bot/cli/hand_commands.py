"""The commands `hand` and `duel`: reading hands from text, evaluating one, or settling two."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from io import TextIOWrapper
from typing import Annotated, Any, Final, TextIO

import typer

from bot.cli.errors import BAD_INPUT, CommandError, bad_input_refused
from bot.cli.json_output import JsonObject, duel_json, hand_json
from bot.cli.rules_options import (
    DEFAULT_PRESET,
    DecksOption,
    JsonOption,
    PresetOption,
    SetOption,
    rules_from_options,
)
from bot.games.contract import Game
from bot.games.hands import arrangements, evaluate
from bot.games.register import GAMES, game_of
from bot.games.settle import settle
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Piece
from bot.rules.typed_text import parse_list, quote

_TIMES: Final = {1: "once", 2: "twice"}


class HandReader:
    """Reads the hands of one round under one rule set."""

    def __init__(self, rules: HouseRules, hands: int = 1) -> None:
        """Prepares to read hands; `hands` is how many are dealt from the pack."""
        self._game = game_of(rules)
        self._in_play = Counter(self._game.pack(hands, rules))
        # A long file repeats the same few words in every line.
        self._parse = lru_cache(maxsize=256)(self._game.pieces.parse)

    def read(self, *texts: str) -> list[tuple[Piece, ...]]:
        """Reads the hands of one deal, each five pieces separated by blanks or commas.

        Raises:
            ValueError: if a word is not a piece, a hand is not five pieces, or a piece appears more often
                than it is in play. The message is one sentence.
        """
        hands = [self._pieces(parse_list(text)) for text in texts]
        for hand in hands:
            if len(hand) != HAND_SIZE:
                raise ValueError(f"a hand is {HAND_SIZE} {self._game.pieces.name}s, not {len(hand)}")
        dealt = [piece for hand in hands for piece in hand]
        if len(set(dealt)) < len(dealt):
            self._check(Counter(dealt))
        return hands

    def _pieces(self, words: list[str]) -> tuple[Piece, ...]:
        try:
            return tuple(map(self._parse, words))
        except ValueError:
            other = self._other_game(words)
            if other is None:
                raise
            preset = other.default_preset
            fix = "leave out --preset" if preset == DEFAULT_PRESET else f"add --preset {preset}"
            raise ValueError(
                f'"{quote(words[0])}" is not a {self._game.pieces.name}; '
                f"this looks like {other.pieces.name}s: {fix}"
            ) from None

    def _other_game(self, words: list[str]) -> Game[Any, Any] | None:
        """A game that can read all these words, or None."""
        return next((game for game in GAMES.values() if all(_reads(game, word) for word in words)), None)

    def _check(self, dealt: Counter[Piece]) -> None:
        for piece, times in dealt.items():
            if times > self._in_play[piece]:
                game, pieces = self._game, self._game.pieces
                hint = "; use --decks for more decks" if game.most_sets > 1 else ""
                there = self._in_play[piece]
                raise ValueError(
                    f"{pieces.text(piece)} appears {_often(times)}, but is only {_often(there)} "
                    f"among {self._in_play.total()} {pieces.name}s{hint}"
                )


def _often(times: int) -> str:
    return _TIMES.get(times, f"{times} times")


def _reads(game: Game[Any, Any], word: str) -> bool:
    try:
        game.pieces.parse(word)
    except ValueError:
        return False
    return True


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
