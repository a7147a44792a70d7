"""The register of games, and what a game must be to be in it: playable, and its odds counted."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Union

from pydantic import Field, ValidationError

from bot.games.contract import MOST_PLAYERS, Game
from bot.games.gnau import GNAU
from bot.games.niu_niu import NIU_NIU
from bot.games.tau_ngau import TAU_NGAU
from bot.rules.house_rules import HouseRules, with_each_choice
from bot.rules.knobs import GameName, Knob, Ties, declared_knobs
from bot.rules.pieces import HAND_SIZE, MOST_VALUE, HandRank

MOST_FACES: Final = 24
"""Exact odds list every five faces: of 24 there are 98,280, which takes some tenths of a second."""
MOST_PIECES: Final = 416
"""As many as the arithmetic of exact odds is proved for: eight decks of 52."""


class UnplayableGameError(ValueError):
    """Games that break the contract; the text names everything that is wrong."""


def registered(*games: Game[Any, Any]) -> dict[GameName, Game[Any, Any]]:
    """The games by name.

    Raises:
        UnplayableGameError: if one breaks the contract, two share a name or a preset, or two declare a knob
            of the same name with other values.
    """
    problems = [f"{game.name} {problem}" for game in games for problem in dict.fromkeys(_problems(game))]
    problems += _clashes(games)
    if problems:
        raise UnplayableGameError("; ".join(problems))
    return {game.name: game for game in games}


def _clashes(games: tuple[Game[Any, Any], ...]) -> Iterator[str]:
    """What games have in common that only one of them may have."""
    for what, names in (
        ("game", [game.name for game in games]),
        ("preset", [preset for game in games for preset in game.presets]),
    ):
        yield from (
            f"two {what}s have the name {name}" for name, times in Counter(names).items() if times > 1
        )
    named: dict[str, Knob] = {}
    for game in games:
        for knob in declared_knobs(game.rules):
            first = named.setdefault(knob.name, knob)
            if _values(first) != _values(knob):
                # A house sets a knob for all games that have it at once.
                yield f"{game.name} allows other values for {knob.name} than an earlier game"


def _values(knob: Knob) -> tuple[object, ...]:
    return knob.about, knob.pays, knob.kind, knob.least, knob.most, knob.choices


def _problems(game: Game[Any, Any]) -> Iterator[str]:
    """What is wrong with one game."""
    pieces, faces = game.pieces, game.faces
    if not 1 <= game.fewest_players <= game.most_players <= MOST_PLAYERS:
        yield f"has {game.fewest_players} to {game.most_players} players, not 1 to {MOST_PLAYERS}"
    if set(pieces.pieces) != set(range(max(pieces.pieces) + 1)):
        yield "has pieces that are not numbered from 0 without a gap"
    if pieces.size * game.most_sets > MOST_PIECES:
        yield f"has up to {pieces.size * game.most_sets} pieces, and odds are counted for {MOST_PIECES}"
    if len(faces) > MOST_FACES:
        yield f"has {len(faces)} faces, and odds are counted for {MOST_FACES}"
    if any(game.face(face) != face for face in faces):
        yield "has a face that stands for another one"
    if not game.examples:
        yield "has no examples for beginners"
    for example in (game.example, *game.examples):
        if len(example) != HAND_SIZE or not set(example) <= set(pieces.pieces):
            yield "has no example of five of its pieces"
    yield from _problems_of_suits(game)
    if not game.presets:
        yield "has no preset"
    if game.scoring_preset not in game.presets:
        yield f"scores by {game.scoring_preset}, which is none of its presets"
    for preset, differences in game.presets.items():
        try:
            rules = game.rules(**differences)
        except ValidationError as wrong:
            yield f"has the impossible preset {preset}: {wrong.errors()[0]['msg']}"
        else:
            for chosen in with_each_choice(rules):
                yield from (f"as {preset} {problem}" for problem in _problems_under(game, chosen))


def _problems_of_suits(game: Game[Any, Any]) -> Iterator[str]:
    suit, order = game.pieces.suit, game.tie_order
    if suit is not None:
        suits = set(map(suit, game.pieces.pieces))
        if suits != set(range(len(suits))):
            yield "has suits that are not numbered from 0 without a gap"
    if order is None:
        return
    if game.suited_bonus is not None:
        yield "pays double for suits and breaks ties by pieces, and odds count only one of the two"
    places: dict[Any, set[int]] = {}
    for piece in game.pieces.pieces:
        places.setdefault(game.face(piece), set()).add(order(piece))
    in_order = sorted(places.values(), key=min)
    if any(max(lower) >= min(higher) for lower, higher in pairwise(in_order)):
        yield "breaks ties by an order that mixes faces, and odds are counted face by face"


def _problems_under(game: Game[Any, Any], rules: HouseRules) -> Iterator[str]:
    """What is wrong with a game under some rules."""
    for hands in (game.fewest_players + 1, game.most_players + 1):
        sets = game.sets(hands, rules)
        if not 1 <= sets <= game.most_sets or sets * game.pieces.size < hands * HAND_SIZE:
            yield f"deals {hands} hands from {sets} sets of {game.pieces.size} pieces, of {game.most_sets}"
    rows = list(game.ranking(rules))
    ranks = [
        (HandRank(row.hand_class, value), row.multiple)
        for row in rows
        for value in sorted(row.values, reverse=True)
    ]
    if any(not 0 <= rank.value <= MOST_VALUE for rank, _ in ranks):
        yield f"has a value outside 0 to {MOST_VALUE}"
    strengths = [rank.strength for rank, _ in ranks]
    if strengths != sorted(set(strengths), reverse=True):
        yield "does not rank its hands from strong to weak, each once"
    if strengths[-1:] != [game.no_ox.strength]:
        yield "does not rank a hand without an ox last"
    if any(multiple < 1 for _, multiple in ranks[:-1]):
        yield "has a hand that can win and wins nothing"
    decided = game.tie_order is not None or game.tie(game.no_ox.hand_class, rules) is not Ties.PUSH
    if ranks and ranks[-1][1] < 1 and decided:
        yield "lets a hand win a tie that wins nothing"
    yield from _problems_of_power(game, rules, set(strengths))


def _problems_of_power(game: Game[Any, Any], rules: HouseRules, ranked: set[int]) -> Iterator[str]:
    for rank in sorted(game.power_ranks(rules), key=lambda rank: rank.strength):
        if rank.strength not in ranked:
            yield f"does not rank {rank.hand_class.name} {rank.value}"
        if rank.strength == game.no_ox.strength:
            yield "has an ox that ranks as none"


GAMES: Final[Mapping[GameName, Game[Any, Any]]] = MappingProxyType(
    registered(
        GNAU,
        TAU_NGAU,
        NIU_NIU,
    )
)
"""Every game by its name; the first is played where nobody names one."""

DEFAULT_GAME: Final[GameName] = next(iter(GAMES))

if TYPE_CHECKING:
    AnyHouseRules = HouseRules
else:
    AnyHouseRules = Annotated[
        Union[tuple(game.rules for game in GAMES.values())],  # noqa: UP007 - the games are not known to the parser
        Field(discriminator="game"),
    ]
"""House rules of any game, as a type for pydantic: what is stored says which game it is of."""


def game_of(rules: HouseRules) -> Game[Any, Any]:
    """The game of these rules."""
    return GAMES[rules.game]
