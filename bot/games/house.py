"""The rules of one house: a preset for each game, the knobs that the house has changed, and its settings."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from bot.games.knobs import KNOBS, PRESETS, SETTINGS, checked, knob_named, knobs_of, parse_knob, preset_named
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules, PassedOver
from bot.rules.knobs import OF_ALL_GAMES, About, GameName, Knob, Language, Play, WrongRule, WrongRuleError
from bot.rules.server_settings import ROLE_SETTINGS, SERVER_EMOJI, Currency, ServerSettings

_PARTS: Final = ("versions", "presets", "overrides", "hosting")
"""The keys of a stored house."""

Overrides = Mapping[str, Any]
Values = HouseRules | ServerSettings
"""What has values of knobs: the rules of a game, or the settings of a server."""


@dataclass(frozen=True)
class House:
    """What a house has chosen. Its knobs never contradict each other in any game.

    Attributes:
        presets: the preset of each game, by the game's name; a missing game plays by its default preset.
        overrides: by the game's name, the knobs that differ from its preset, as in JSON.
        hosting: the knobs about hosting and the server, which are the same for all games, as in JSON.
    """

    presets: Mapping[GameName, str] = field(default_factory=dict)
    overrides: Mapping[GameName, Overrides] = field(default_factory=dict)
    hosting: Overrides = field(default_factory=dict)

    def preset(self, game: GameName) -> str:
        """The name of the preset of a game."""
        return self.presets.get(game, GAMES[game].default_preset)

    def rules(self, game: GameName = DEFAULT_GAME, play: Play = Play.CHIPS) -> HouseRules:
        """The rules of a game. If played for points, hands score by its scoring preset (G19, G22)."""
        scores = scores_of(game) if play is Play.POINTS else {}
        known = GAMES[game].rules.model_fields
        hosting = {name: value for name, value in self.hosting.items() if name in known}
        chosen = {"play": play, **hosting, **self.overrides.get(game, {}), **scores}
        return checked(self.preset(game), chosen)

    @cached_property
    def server(self) -> ServerSettings:
        """The settings of the server that are no rules of a table."""
        known = ServerSettings.model_fields
        return ServerSettings(**{name: value for name, value in self.hosting.items() if name in known})

    @property
    def language(self) -> Language:
        """The language of what a whole channel reads."""
        return Language(self.hosting.get("language", Language.AUTO))

    @property
    def currency(self) -> Currency:
        """What the server calls its chips."""
        return Currency(self.hosting.get("currency_name", ""), self.hosting.get("currency_emoji", ""))

    def values(self, knob: Knob, game: GameName) -> Values:
        """What has the value of a knob: the rules of this game, or the server's settings."""
        return self.server if knob in SETTINGS else self.rules(game)

    def defaults(self, knob: Knob, game: GameName) -> Values:
        """What has the default of a knob: the preset of this game, or the server's settings."""
        return ServerSettings() if knob in SETTINGS else PRESETS[self.preset(game)]

    def is_set(self, knob: Knob, game: GameName) -> bool:
        """Whether the house has set this knob for this game."""
        return knob.name in (self.hosting if knob.about in OF_ALL_GAMES else self.overrides.get(game, {}))

    def with_preset(self, preset: str) -> "House":
        """The house with this preset for the preset's game; the game's overrides are gone."""
        game = preset_named(preset).game
        presets = {**self.presets, game: preset}
        return replace(self, presets=presets, overrides={**self.overrides, game: {}})._checked()

    def with_knob(self, name: str, text: str, game: GameName | None = None) -> "House":
        """The house with a knob set.

        Args:
            game: the game to set it for; None for every game that has it. A knob about hosting or the server
                is set for all games anyway.

        Raises:
            WrongRuleError: if the knob does not exist, the value is not allowed, the game does not have the
                knob, or knobs contradict each other.
        """
        name, value = parse_knob(name, text)
        knob = KNOBS[name]
        if game is not None and game not in knob.games:
            raise WrongRuleError(WrongRule.OTHER_GAME, knob=name, game=game)
        if knob.about in OF_ALL_GAMES:
            return replace(self, hosting={**self.hosting, name: value})._checked()
        overrides = dict(self.overrides)
        for of in (game,) if game is not None else knob.games:
            overrides[of] = {**overrides.get(of, {}), name: value}
        return replace(self, overrides=overrides)._checked()

    def without_knob(self, name: str, game: GameName | None = None) -> "House":
        """The house with a knob reset to its presets; `game` as in `with_knob`."""
        wanted = knob_named(name).name
        overrides = {
            of: {knob: value for knob, value in own.items() if knob != wanted or game not in (None, of)}
            for of, own in self.overrides.items()
        }
        hosting = {knob: value for knob, value in self.hosting.items() if knob != wanted}
        return replace(self, overrides=overrides, hosting=hosting)._checked()

    def with_taken_back(self, before: "House", after: "House") -> "House":
        """This house with what a change had set as it was before it; everything else stays as it is now.

        Args:
            before, after: the house before and after the change, which need not be the newest.

        Raises:
            WrongRuleError: if knobs contradict each other then.
        """
        three = self, before, after
        overrides = {game: _restored(*(one.overrides.get(game, {}) for one in three)) for game in GAMES}
        house = House(
            _restored(*(one.presets for one in three)), overrides, _restored(*(one.hosting for one in three))
        )
        for game in GAMES:
            now, was, became, then = (one.rules(game).model_dump() for one in (*three, house))
            # Without an override, a knob has the value of a preset that may be another one now.
            for knob in knobs_of(game, About.WORTH, About.ROUND):
                wanted = (now if was[knob.name] == became[knob.name] else was)[knob.name]
                if then[knob.name] != wanted:
                    overrides[game][knob.name] = wanted
        return replace(house, overrides={game: own for game, own in overrides.items() if own})._checked()

    def _checked(self) -> "House":
        """This house."""
        for game in GAMES:
            self.rules(game)
        return self


def scores_of(game: GameName) -> Overrides:
    """What hands score at a table for points, by knob, whatever the house has set (G19)."""
    scoring = PRESETS[GAMES[game].scoring_preset]
    return {knob.name: getattr(scoring, knob.name) for knob in knobs_of(game) if knob.pays}


def _restored(now: Overrides, before: Overrides, after: Overrides) -> dict[str, Any]:
    """What is now, with each key that differs between `before` and `after` as it is in `before`."""
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    kept = {key: value for key, value in now.items() if key not in changed}
    return kept | {key: before[key] for key in changed & before.keys()}


UNCHANGED: Final = House()
"""A house that has chosen nothing."""


def house_json(house: House) -> str:
    """The house as JSON, to store it, with the versions of the games that its knobs are of."""
    versions = {game.name: game.version for game in GAMES.values()}
    parts = (versions, house.presets, house.overrides, house.hosting)
    return json.dumps(dict(zip(_PARTS, parts, strict=True)), sort_keys=True)


def read_house(text: str) -> tuple[House, tuple[str, ...]]:
    """Reads a stored house, and skips everything unknown or outdated.

    Returns:
        The house, and a sentence for each thing that was skipped.
    """
    notes: list[str] = []
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return UNCHANGED, ("the house's rules are not JSON",)
    parts = _known(stored, "the house's rules", _PARTS, notes)
    versions = _known(parts.get("versions", {}), "versions", tuple(GAMES), notes)
    presets = _known(parts.get("presets", {}), "presets", tuple(GAMES), notes)
    overrides = _known(parts.get("overrides", {}), "overrides", tuple(GAMES), notes)
    hosting = _known(parts.get("hosting", {}), "hosting", None, notes)
    house = UNCHANGED
    for game in GAMES:
        default = GAMES[game].default_preset
        preset = presets.get(game, default) if _is_current(versions, game, notes) else default
        if not isinstance(preset, str) or preset not in GAMES[game].presets:
            notes.append(f"{preset!r} is not a preset of {game} (any more)")
            continue
        if preset != default:
            house = house.with_preset(preset)
    for name, value in _readable(hosting, OF_ALL_GAMES, tuple(GAMES), notes):
        house = _with(house, replace(house, hosting={**house.hosting, name: value}), name, notes)
    for game in (game for game in GAMES if versions.get(game) == GAMES[game].version):
        own = _known(overrides.get(game, {}), f"overrides of {game}", None, notes)
        for name, value in _readable(own, [About.WORTH, About.ROUND], (game,), notes):
            mine = {**house.overrides.get(game, {}), name: value}
            house = _with(house, replace(house, overrides={**house.overrides, game: mine}), name, notes)
    return house, tuple(notes)


def house_from_elsewhere(text: str, here: House) -> tuple[House, tuple[str, ...]]:
    """The stored house of another server with the channels, roles, and maybe the emoji, of the house here.

    Returns:
        The house, and a sentence for each thing that was skipped.

    Raises:
        ValueError: it is no stored house.
    """
    stored = json.loads(text)
    if not isinstance(stored, dict) or not stored.keys() >= set(_PARTS):
        raise ValueError("it is no stored house")
    house, notes = read_house(text)

    def is_of_a_server(name: str, value: object) -> bool:
        is_named = KNOBS[name].kind == "channels" or name in ROLE_SETTINGS
        return is_named or bool(SERVER_EMOJI.fullmatch(str(value)))

    # Another server has none of them.
    moved = {name: value for name, value in house.hosting.items() if not is_of_a_server(name, value)}
    own = {name: value for name, value in here.hosting.items() if is_of_a_server(name, value)}
    return replace(house, hosting={**own, **moved})._checked(), notes


def _is_current(versions: Mapping[str, Any], game: GameName, notes: list[str]) -> bool:
    """Whether a game's choices were made for this version of it; notes it if not, since they are skipped."""
    stored, version = versions.get(game), GAMES[game].version
    if stored != version:
        notes.append(f"the rules of {game} are of its version {stored!r}, which is version {version} now")
    return bool(stored == version)


def _known(stored: object, what: str, names: tuple[str, ...] | None, notes: list[str]) -> Mapping[str, Any]:
    """A part of a stored house, or {} if it is not an object. Notes the keys that are not in `names`.

    If `names` is None, every key is fine.
    """
    if not isinstance(stored, Mapping):
        notes.append(f"{what}: not a JSON object")
        return {}
    notes.extend(f"{what}: {name} is unknown (or outdated)" for name in stored if names and name not in names)
    return stored


def _readable(
    stored: Overrides, about: Collection[About], games: tuple[GameName, ...], notes: list[str]
) -> Iterator[tuple[str, Any]]:
    """The stored knobs that are about these things and that one of these games has."""
    passed_over = PassedOver()
    having = {knob.name: GAMES[game].rules for game in games for knob in knobs_of(game, *about)}
    having |= {knob.name: ServerSettings for knob in SETTINGS if knob.about in about}
    for name, value in stored.items():
        if name in KNOBS and name not in having:
            passed_over.notes.append(f"{name} cannot be set here (any more)")
        elif passed_over.reads(having.get(name, GAMES[DEFAULT_GAME].rules), name, value):
            yield name, value
    notes.extend(passed_over.notes)


def _with(house: House, changed: House, name: str, notes: list[str]) -> House:
    """The changed house, or the old one if the changed one's knobs contradict each other."""
    try:
        return changed._checked()
    except WrongRuleError as wrong:
        notes.append(f"{name} contradicts the other knobs: {wrong}")
        return house
