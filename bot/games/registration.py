"""What a game must be to be registered: what this lets through can be played, and its odds counted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from bot.games.contract import MOST_PLAYERS, Game
from bot.games.declared_knobs import with_each_choice
from bot.rules.hand import HAND_SIZE, MOST_VALUE
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName

MOST_FACES: Final = 24
"""Exact odds list every five faces: of 24 there are 98,280, which takes some tenths of a second."""
MOST_PIECES_OF_A_SET: Final = 52
"""Eight decks of as many pieces are what the arithmetic of exact odds is proved for."""


class UnplayableGameError(ValueError):
    """A game that breaks the contract; the text says how."""


def registered(*games: Game[Any, Any]) -> dict[GameName, Game[Any, Any]]:
    """The games by name.

    Raises:
        UnplayableGameError: if one breaks the contract, or two share a name or a preset.
    """
    for game in games:
        if (problem := next(_problems(game), None)) is not None:
            raise UnplayableGameError(f"{game.name} {problem}")
    for what, names in (
        ("game", [game.name for game in games]),
        ("preset", [preset for game in games for preset in game.presets]),
    ):
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise UnplayableGameError(f"there are two {what}s of the name {twice[0]}")
    return {game.name: game for game in games}


def _problems(game: Game[Any, Any]) -> Iterator[str]:
    """What is wrong with a game by itself."""
    if not game.presets:
        yield "has no preset"
    if not 1 <= game.fewest_players <= game.most_players <= MOST_PLAYERS:
        yield f"has {game.fewest_players} to {game.most_players} players, not 1 to {MOST_PLAYERS}"
    if game.pieces.size > MOST_PIECES_OF_A_SET:
        yield f"has sets of {game.pieces.size} pieces, and odds are counted for {MOST_PIECES_OF_A_SET}"
    if game.scoring_preset not in game.presets:
        yield f"scores by {game.scoring_preset}, which is none of its presets"
    for preset, differences in game.presets.items():
        rules = game.rules(**differences)
        yield from (f"as {preset} {problem}" for problem in _problems_under(game, rules))


def _problems_under(game: Game[Any, Any], rules: HouseRules) -> Iterator[str]:
    """What is wrong with a game under the rules of a preset."""
    hands = game.most_players + 1
    pack = game.pack(hands, rules)
    faces = sorted({game.face(piece) for piece in pack})
    if len(faces) > MOST_FACES:
        yield f"has {len(faces)} faces, and odds are counted for {MOST_FACES}"
    if any(game.face(face) != face for face in faces):
        yield "has a face that stands for another one"
    if len(pack) < HAND_SIZE * hands:
        yield f"has too few pieces for {hands} hands"
    if len(game.example) != HAND_SIZE or not set(game.example) <= set(pack):
        yield "has no example of five of its pieces"
    power = {game.power(one, other, rules) for one in faces for other in faces}
    ranked = {(row.hand_class, value) for row in game.ranking(rules) for value in row.values}
    for rank in (game.no_ox, *power):
        if (rank.hand_class, rank.value) not in ranked:
            yield f"does not rank {rank.hand_class.name} {rank.value}"
    for chosen in with_each_choice(rules):
        yield from _problems_of_ranking(game, chosen)
        yield from _problems_of_ties(game, chosen, set(pack))


def _problems_of_ranking(game: Game[Any, Any], rules: HouseRules) -> Iterator[str]:
    rows = list(game.ranking(rules))
    ranks = [(row.hand_class, value) for row in rows for value in sorted(row.values, reverse=True)]
    if ranks != sorted(set(ranks), reverse=True):
        yield "does not rank its hands from strong to weak, each once"
    if any(not 0 <= value <= MOST_VALUE for _, value in ranks):
        yield f"has a value outside 0 to {MOST_VALUE}"
    if min(ranks) != (game.no_ox.hand_class, game.no_ox.value):
        yield "has a hand that is weaker than one without an ox"
    weakest = min(ranks)
    if any(row.multiple < 1 for row in rows if weakest != (row.hand_class, row.values[0])):
        yield "has a hand that can win and wins nothing"


def _problems_of_ties(game: Game[Any, Any], rules: HouseRules, pieces: Iterable[Any]) -> Iterator[str]:
    order = game.tie_order(rules)
    if order is None:
        return
    if "suited_bonus" in game.rules.model_fields:
        yield "pays double for suits and breaks ties by pieces, and odds count only one of the two"
    places: dict[Any, set[int]] = {}
    for piece in pieces:
        places.setdefault(game.face(piece), set()).add(order(piece))
    in_order = sorted(places.values(), key=min)
    if any(max(lower) >= min(higher) for lower, higher in pairwise(in_order)):
        yield "breaks ties by an order that mixes faces, and odds are counted face by face"
