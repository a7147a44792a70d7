"""The rules of one house: for each game a preset, and the knobs that the house has set otherwise."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.rules.declarations import KNOBS, Knob, knobs_of
from bot.rules.knob_text import WrongRuleError, checked, knob_named, parse_knob, preset_named
from bot.rules.knobs import About, GameName, HouseRules, PassedOver, Play
from bot.rules.presets import POINTS, PRESETS, USUAL

_PRICES: Final = "multiple_"
"""What the names of the knobs begin with that say what a hand wins."""
_BY_POINTS: Final = {knob: getattr(POINTS, knob) for knob in KNOBS if knob.startswith(_PRICES)}
_PARTS: Final = ("presets", "overrides", "hosting")
"""What a house is stored as."""

Overrides = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class House:
    """What a house has chosen; it never contradicts itself, whichever game is played.

    Attributes:
        presets: the preset of each game, by the game's name; the usual one where none is named.
        overrides: by the game's name, the knobs it has otherwise than its preset, as JSON has them.
        hosting: the knobs about how tables are run, the same for every game, as JSON has them.
    """

    presets: Mapping[GameName, str] = field(default_factory=dict)
    overrides: Mapping[GameName, Overrides] = field(default_factory=dict)
    hosting: Overrides = field(default_factory=dict)

    def preset(self, game: GameName) -> str:
        """The name of the preset that the house plays a game by."""
        return self.presets.get(game, USUAL[game])

    def rules(self, game: GameName = GameName.GNAU, play: Play = Play.CHIPS) -> HouseRules:
        """The house's rules for a game; played for points, hands score as in casual play (G19, G22)."""
        scores = _BY_POINTS if play is Play.POINTS else {}
        hosting = {name: value for name, value in self.hosting.items() if game in KNOBS[name].games}
        chosen = {"play": play, **hosting, **self.overrides.get(game, {}), **scores}
        return checked(self.preset(game), chosen)

    def is_set(self, knob: Knob, game: GameName) -> bool:
        """Whether the house has set this knob itself, for this game."""
        return knob.name in (self.hosting if knob.about is About.HOSTING else self.overrides.get(game, {}))

    def with_preset(self, preset: str) -> "House":
        """The house with this preset for its game, whose own knobs then are as the preset has them.

        Raises:
            WrongRuleError: where there is no such preset.
        """
        game = preset_named(preset).game
        presets = {**self.presets, game: preset}
        return replace(self, presets=presets, overrides={**self.overrides, game: {}})._sound()

    def with_knob(self, name: str, text: str, game: GameName | None = None) -> "House":
        """The house with a knob set.

        Args:
            name: the knob.
            text: its value, as it is written.
            game: for which game alone; None for each that knows the knob. What is about how tables are run is
                the same for all games, whichever is named.

        Raises:
            WrongRuleError: where the knob or the value cannot be, the game does not know it, or knobs
                contradict one another.
        """
        name, value = parse_knob(name, text)
        knob = KNOBS[name]
        if game is not None and game not in knob.games:
            raise WrongRuleError(f"{name} is no knob of the game {game}")
        if knob.about is About.HOSTING:
            return replace(self, hosting={**self.hosting, name: value})._sound()
        overrides = dict(self.overrides)
        for of in (game,) if game is not None else knob.games:
            overrides[of] = {**overrides.get(of, {}), name: value}
        return replace(self, overrides=overrides)._sound()

    def without_knob(self, name: str, game: GameName | None = None) -> "House":
        """The house with a knob as the presets have it again; `game` as in `with_knob`.

        Raises:
            WrongRuleError: where there is no such knob, or knobs contradict one another then.
        """
        wanted = knob_named(name).name
        overrides = {
            of: {knob: value for knob, value in own.items() if knob != wanted or game not in (None, of)}
            for of, own in self.overrides.items()
        }
        hosting = {knob: value for knob, value in self.hosting.items() if knob != wanted}
        return replace(self, overrides=overrides, hosting=hosting)._sound()

    def _sound(self) -> "House":
        """Itself.

        Raises:
            WrongRuleError: where it contradicts itself in one of the games.
        """
        for game in GameName:
            self.rules(game)
        return self


UNCHANGED: Final = House()
"""A house that has chosen nothing."""


def house_json(house: House) -> str:
    """The house as it is stored."""
    return json.dumps(
        {"presets": house.presets, "overrides": house.overrides, "hosting": house.hosting}, sort_keys=True
    )


def read_house(text: str) -> tuple[House, tuple[str, ...]]:
    """Reads a stored house as far as it can be read.

    Returns:
        The house, and a sentence for whatever of it was passed over, being unknown or outdated.
    """
    notes: list[str] = []
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return UNCHANGED, ("the house's rules are no JSON",)
    parts = _known(told, "the house's rules", _PARTS, notes)
    presets = _known(parts.get("presets", {}), "presets", tuple(GameName), notes)
    overrides = _known(parts.get("overrides", {}), "overrides", tuple(GameName), notes)
    hosting = _known(parts.get("hosting", {}), "hosting", None, notes)
    house = UNCHANGED
    for game in GameName:
        preset = presets.get(game, USUAL[game])
        if not isinstance(preset, str) or preset not in PRESETS or PRESETS[preset].game is not game:
            notes.append(f"{preset!r} is no preset of {game} (any more)")
            continue
        if preset != USUAL[game]:
            house = house.with_preset(preset)
    for name, value in _readable(hosting, [About.HOSTING], tuple(GameName), notes):
        house = _with(house, replace(house, hosting={**house.hosting, name: value}), name, notes)
    for game in GameName:
        own = _known(overrides.get(game, {}), f"overrides of {game}", None, notes)
        for name, value in _readable(own, [About.WORTH, About.ROUND], (game,), notes):
            mine = {**house.overrides.get(game, {}), name: value}
            house = _with(house, replace(house, overrides={**house.overrides, game: mine}), name, notes)
    return house, tuple(notes)


def _known(told: object, what: str, names: tuple[str, ...] | None, notes: list[str]) -> Mapping[str, Any]:
    """A part of a stored house, nothing where it is no object; notes what has none of these names.

    Any name will do where None is given.
    """
    if not isinstance(told, Mapping):
        notes.append(f"{what}: no JSON object")
        return {}
    notes.extend(
        f"{what}: {name} is nothing known (any more)" for name in told if names and name not in names
    )
    return told


def _readable(
    told: Overrides, about: list[About], games: tuple[GameName, ...], notes: list[str]
) -> Iterator[tuple[str, Any]]:
    """What is told of knobs about these things, which one of these games knows."""
    passed_over = PassedOver()
    known = {knob.name for game in games for knob in knobs_of(game, *about)}
    for name, value in passed_over.readable(told).items():
        if name in known:
            yield name, value
        else:
            passed_over.notes.append(f"{name} is no such knob (any more)")
    notes.extend(passed_over.notes)


def _with(house: House, changed: House, name: str, notes: list[str]) -> House:
    """The changed house; the one before where that would contradict itself."""
    try:
        return changed._sound()
    except WrongRuleError as wrong:
        notes.append(f"{name} does not go with the rest (any more): {wrong}")
        return house
