"""What a game must be to be registered: what this lets through can be played, and its odds counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from bot.games.contract import MOST_PLAYERS, Game
from bot.rules.hand import HAND_SIZE, MOST_VALUE
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, SuitedBonus

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
    pieces = sorted(set(game.pack(game.most_players + 1, rules)))
    faces = sorted({game.face(piece) for piece in pieces})
    if len(faces) > MOST_FACES:
        yield f"has {len(faces)} faces, and odds are counted for {MOST_FACES}"
    if any(game.face(face) != face for face in faces):
        yield "has a face that stands for another one"
    if len(game.pack(game.most_players + 1, rules)) < HAND_SIZE * (game.most_players + 1):
        yield f"has too few pieces for {game.most_players + 1} hands"
    if len(game.example) != HAND_SIZE or not set(game.example) <= set(pieces):
        yield "has no example of five of its pieces"
    yield from _problems_of_ranking(game, rules, faces)
    order = game.tie_order(rules)
    if order is not None:
        if game.suited_bonus(rules) is not SuitedBonus.OFF or "suited_bonus" in game.rules.model_fields:
            yield "pays double for suits and breaks ties by pieces, and odds count only one of the two"
        faces_in_order = [game.face(piece) for piece in sorted(pieces, key=order)]
        if len(list(groupby(faces_in_order))) != len(faces):
            yield "breaks ties by an order that mixes faces, and odds are counted face by face"


def _problems_of_ranking(game: Game[Any, Any], rules: HouseRules, faces: Sequence[Any]) -> Iterator[str]:
    rows = list(game.ranking(rules))
    wins = {(row.hand_class, value): row.multiple for row in rows for value in row.values}
    strengths = [(row.hand_class, value) for row in rows for value in sorted(row.values, reverse=True)]
    if strengths != sorted(set(strengths), reverse=True):
        yield "does not rank its hands from strong to weak, each once"
    if any(not 0 <= value <= MOST_VALUE for _, value in wins):
        yield f"has a value outside 0 to {MOST_VALUE}"
    power = {game.power(one, other, rules) for one in faces for other in faces}
    for rank in (game.no_ox, *power):
        if (rank.hand_class, rank.value) not in wins:
            yield f"does not rank {rank.hand_class.name} {rank.value}"
    if min(wins) != (game.no_ox.hand_class, game.no_ox.value):
        yield "has a hand that is weaker than one without an ox"
    if any(multiple < 1 for rank, multiple in wins.items() if rank != min(wins)):
        yield "has a hand that can win and wins nothing"
