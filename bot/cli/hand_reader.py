"""Reading hands from text, and checking them against the pieces in play."""

from collections import Counter
from functools import lru_cache
from typing import Any, Final

from bot.cli.rules_options import DEFAULT_PRESET
from bot.games.contract import Game
from bot.games.register import GAMES, game_of
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
