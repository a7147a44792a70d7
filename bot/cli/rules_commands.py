"""The commands about rules: `hand`, `duel`, `odds` and `simulate`, their options and their JSON."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from io import TextIOWrapper
from typing import Annotated, Any, Final, TextIO

import typer

from bot.cli.errors import BAD_INPUT, CommandError, bad_input_refused
from bot.games.contract import Game
from bot.games.hands import arrangements, decks_in_play, evaluate
from bot.games.knobs import PRESETS, parse_knob, rules_with
from bot.games.register import DEFAULT_GAME, GAMES, game_of
from bot.games.settle import Duel, settle
from bot.odds.odds import Odds, odds_of
from bot.odds.simulation import Estimate, Simulation, check_seats, simulate_rounds, some_seed
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, Hand, Piece
from bot.rules.typed_text import parse_list, quote
from bot.words.hands import hand_name

JsonObject = dict[str, Any]
_FIGURES: Final = ("win", "lose", "push", "bank_edge")

DEFAULT_PRESET: Final = GAMES[DEFAULT_GAME].default_preset

PresetOption = Annotated[
    str,
    typer.Option(
        "--preset",
        metavar="NAME",
        help=f"The rules, and with them the game: {', '.join(PRESETS)}.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KNOB=VALUE",
        help="Change a knob of the preset, such as ties=push; repeat it for more knobs.",
    ),
]
DecksOption = Annotated[
    str | None,
    typer.Option("--decks", metavar="N", help="How many decks are in play: the same as --set decks=N."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def rules_from_options(preset: str, settings: list[str] | None, decks: str | None) -> HouseRules:
    """The rules that the options choose; raises CommandError if they are impossible."""
    texts: dict[str, str] = {}
    for setting in (settings or []) + ([f"decks={decks}"] if decks is not None else []):
        name, equals, text = setting.partition("=")
        if not equals:
            raise CommandError(f'"{quote(setting)}" sets nothing: use a knob and a value, such as ties=push')
        with bad_input_refused():
            knob, _ = parse_knob(name, text)
        if knob in texts:
            raise CommandError(f"{knob} is set twice: to {quote(texts[knob])} and to {quote(text)}")
        texts[knob] = text
    with bad_input_refused():
        return rules_with(preset, texts)


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


MOST_ROUNDS: Final = 10_000_000
"""The most rounds in one simulation: they take some minutes."""


def odds(
    preset: PresetOption = DEFAULT_PRESET,
    settings: SetOption = None,
    decks: DecksOption = None,
    as_json: JsonOption = False,
) -> None:
    """Count exactly how often a player wins, and the edge of the bank, over every pair of hands."""
    rules = rules_from_options(preset, settings, decks)
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

    seats = game_of(rules).fewest_players if seats is None else seats
    with bad_input_refused():
        check_seats(rules, seats)
    with progress(rounds, hidden=as_json) as played:
        simulation = simulate_rounds(rules, rounds, seats, some_seed() if seed is None else seed, played)
    if as_json:
        typer.echo(json.dumps(simulation_json(simulation)))
    else:
        print_simulation(simulation)


def hand_json(hand: Hand) -> JsonObject:
    """A hand. `multiple` is in stakes. `strength`, then `tie_break`, order hands under one rule set."""
    text = GAMES[hand.game].pieces.text
    return {
        "class": hand.hand_class.name.lower(),
        "value": hand.value,
        "name": hand_name(hand),
        "ox": [text(piece) for piece in hand.ox],
        "power": [text(piece) for piece in hand.power],
        "multiple": hand.multiple,
        "suited": hand.suited,
        "strength": hand.strength,
        "high": None if hand.high is None else text(hand.high),
        "tie_break": hand.tie_break,
    }


def duel_json(duel: Duel) -> JsonObject:
    """A duel. `units` is the player's gain for each chip bet; negative if they lose."""
    return {"outcome": duel.outcome.value, "units": duel.units}


def odds_json(odds: Odds) -> JsonObject:
    """The odds of one player against the banker; see `Odds`."""
    return {
        "hands": odds.hands,
        "classes": [
            {"class": count.hand_class.name.lower(), "value": count.value, "hands": count.hands}
            for count in odds.classes
        ],
        "pairs": odds.pairs,
        **{name: _fraction(getattr(odds, name)) for name in _FIGURES},
        "standard_deviation": {"decimal": odds.standard_deviation},
    }


def simulation_json(simulation: Simulation) -> JsonObject:
    """The results of a simulation, beside the exact odds; see `Simulation`."""
    return {
        "rounds": simulation.rounds,
        "seats": simulation.seats,
        "decks": simulation.decks,
        "seed": simulation.seed,
        **{name: _estimate(getattr(simulation, name)) for name in _FIGURES},
    }


def _fraction(fraction: Fraction) -> JsonObject:
    return {"exact": str(fraction), "decimal": float(fraction)}


def _estimate(estimate: Estimate) -> JsonObject:
    return {
        "simulated": estimate.mean,
        "standard_error": estimate.standard_error,
        **_fraction(estimate.exact),
        "standard_errors_off": estimate.standard_errors_off,
    }
