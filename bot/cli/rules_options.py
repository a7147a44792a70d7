"""The options that choose rules for a command: --preset, --set, --decks."""

from typing import Annotated, Final

import typer

from bot.cli.errors import CommandError, bad_input_refused
from bot.games.knobs import PRESETS, parse_knob, rules_with
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.typed_text import quote

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
