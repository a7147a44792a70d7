"""The list of all knobs: those of all games, and the settings of a server."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from bot.games.declared_knobs import Knob as Knob
from bot.games.declared_knobs import declared_knobs
from bot.games.register import GAMES
from bot.rules.knobs import About, GameName
from bot.rules.server_settings import ServerSettings


def _every_knob() -> dict[GameName, tuple[Knob, ...]]:
    declared = {game.name: declared_knobs(game.rules) for game in GAMES.values()}
    sharing: dict[str, list[GameName]] = {}
    for game, knobs in declared.items():
        for knob in knobs:
            sharing.setdefault(knob.name, []).append(game)
    return {
        game: tuple(replace(knob, games=tuple(sharing[knob.name])) for knob in knobs)
        for game, knobs in declared.items()
    }


def _by_name() -> dict[str, Knob]:
    """The knobs as the first game that has them declares them, by what they are about."""
    named: dict[str, Knob] = {}
    for about in About:
        for knobs in (*_OF_GAME.values(), SETTINGS):
            for knob in knobs:
                if knob.about is about:
                    named.setdefault(knob.name, knob)
    return named


_OF_GAME: Final = _every_knob()

SETTINGS: Final = tuple(replace(knob, games=tuple(GAMES)) for knob in declared_knobs(ServerSettings))
"""The settings of a server that are in no game's rules, in order."""

KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(_by_name())
"""Every knob and setting by its name, as the first game that has it declares it."""


def knob_of(name: str, game: GameName) -> Knob:
    """The knob of a game, or the setting of the server, with this name.

    Raises:
        KeyError: if the game has none.
    """
    for knob in (*_OF_GAME[game], *SETTINGS):
        if knob.name == name:
            return knob
    raise KeyError(name)


def knobs_of(game: GameName, *about: About) -> tuple[Knob, ...]:
    """The knobs of a game's rules, in order: all of them, or only those about these things."""
    return tuple(knob for knob in _OF_GAME[game] if not about or knob.about in about)
