"""Which rules a command is asked for: the options that say so, and what they come to."""

from typing import Annotated, Final

import typer

from bot.cli.complaints import GaveUpError, complaining
from bot.rules.knob_text import parse_knob, rules_with
from bot.rules.knobs import HouseRules
from bot.rules.presets import PRESETS
from bot.rules.quote import quote

DEFAULT_PRESET: Final = "wikipedia"

PresetOption = Annotated[
    str,
    typer.Option(
        "--preset",
        metavar="NAME",
        help=f"The rules, and so the game: {', '.join(PRESETS)}.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KNOB=VALUE",
        help="A knob that is otherwise than in the preset, such as ties=push; as often as you like.",
    ),
]
DecksOption = Annotated[
    str | None,
    typer.Option("--decks", metavar="N", help="So many decks are in play: as --set decks=N."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]


def rules_asked(preset: str, settings: list[str] | None, decks: str | None) -> HouseRules:
    """The rules that the options name.

    Args:
        preset: the name of a preset.
        settings: `knob=value`, each.
        decks: how many decks, as it is written; None where nothing is said of them.

    Raises:
        GaveUpError: where there are no such rules.
    """
    texts: dict[str, str] = {}
    for setting in (settings or []) + ([f"decks={decks}"] if decks is not None else []):
        name, equals, text = setting.partition("=")
        if not equals:
            raise GaveUpError(f'"{quote(setting)}" sets nothing: write a knob and a value, such as ties=push')
        with complaining():
            knob, _ = parse_knob(name, text)
        if knob in texts:
            raise GaveUpError(f"{knob} is set twice: to {quote(texts[knob])}, and to {quote(text)}")
        texts[knob] = text
    with complaining():
        return rules_with(preset, texts)
