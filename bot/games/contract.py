"""The contract that every game fulfils.

All games here are of one family. Everybody gets five pieces and plays against a banker. Three of the five
make an ox, and the two left over decide; some hands need no ox. Each game's package declares in a `Game` what
differs. What follows from that for every game is beside this file.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Final, Generic, TypeAlias, TypeVar

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, SuitedBonus, Ties
from bot.rules.pieces import HandClass, HandRank, Piece, PieceSet

Fact: TypeAlias = "int | str | Phrase"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code of the word catalogue, with the facts that its text names; a fact may be a phrase itself."""

    code: str
    facts: Mapping[str, Fact]


def phrase(code: str, **facts: Fact) -> Phrase:
    """The phrase with this code and these facts."""
    return Phrase(code, facts)


MOST_PLAYERS: Final = 19
"""As many players as one board can show, not counting the banker."""

P = TypeVar("P", bound=Piece)
R = TypeVar("R", bound=HouseRules)


@dataclass(frozen=True, slots=True)
class RankedHands:
    """Hands of one class that win the same: a row in the ranking of a game.

    Attributes:
        multiple: what they win, in stakes; 0 if they never win.
        values: the values within the class that this row is about.
    """

    hand_class: HandClass
    multiple: int
    title: Phrase
    takes: Phrase
    values: range = range(1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Display(Generic[R]):
    """How people read a game: codes with facts, never sentences.

    Attributes:
        goal: what wins in this game, for who has never played it, without what is rare.
        what_is_ox: which three pieces are an ox, exactly.
        how_to_play: who plays, and what else there is to know beside the goal.
        ties: who wins between equal hands, exactly.
        also_ox: what else is an ox than a sum, for beginners: a code; None for nothing.
        tips: what helps beginners by some rules only: codes.
        why_no_ox: why three pieces with the `totals` of `three` are no ox: a code.
    """

    emoji: str
    hand_name: Callable[[HandRank], Phrase]
    goal: Phrase
    what_is_ox: Callable[[R], Phrase]
    how_to_play: Callable[[R], Iterable[Phrase]]
    ties: Callable[[R], Phrase]
    also_ox: Callable[[R], str | None] = lambda _rules: None
    tips: Callable[[R], Sequence[str]] = lambda _rules: ()
    why_no_ox: Callable[[R], str] = lambda _rules: "why.wrong"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Game(Generic[P, R]):
    """The declaration of one game.

    Hands rank by the faces of their pieces alone, and by the knobs about what hands are worth: so the exact
    odds can count hands of the same faces together. Faces come in ascending order. Only the double pay of a
    suited hand and the order that breaks ties look at the pieces themselves; a game has one of them at most.

    Attributes:
        presets: how each preset differs from `rules`, by name, the default preset first.
        scoring_preset: the preset by which hands score at a table for points (G19).
        example: a hand with several arrangements, for the rule book.
        examples: a hand for each row of its ranking, strongest first, for beginners; under any rules that
            have the row it is in it.
        first_hands: the hands that show a beginner what the game is about: the plain case, a better one, and
            something special.
        sets: how many sets of them a number of hands (the banker's included) is dealt from.
        most_sets: the most sets that are ever in play.
        fewest_players: how many must bet before the deal, not counting the banker.
        most_players: how many may sit at a table, not counting the banker.
        face: the piece that stands for all pieces that count the same.
        points: the points that a piece may count, its own first.
        is_ox: whether three faces are an ox.
        power: the rank of the two faces that an ox leaves over.
        digit: the last digit of what these two count; None if a rank does not follow from that.
        whole_hands: the ranks that five faces reach without an ox, if the ranking has them; None if the game
            has no such ranks.
        no_ox: the rank of a hand that has neither.
        ranking: the ranks in force, strongest first, with what each wins; every hold follows from it.
        tie: who wins if two hands of this class are equally strong.
        tie_order: the order of the pieces by which the higher highest piece wins between equal ranks; None if
            equal ranks are always a tie.
        breaks_ties: whether the house lets that order decide.
        suited_bonus: which pieces must be of one suit for a hand with an ox to pay double (G21); None if no
            hand ever does.
    """

    rules: type[R]
    presets: Mapping[str, Mapping[str, Any]]
    scoring_preset: str
    example: Sequence[P]
    examples: Sequence[Sequence[P]]
    first_hands: Sequence[Sequence[P]]
    pieces: PieceSet[P]
    sets: Callable[[int, R], int]
    most_sets: int
    fewest_players: int
    most_players: int
    rolls_for_bank: bool = False
    face: Callable[[P], P]
    points: Callable[[P, R], tuple[int, ...]]
    is_ox: Callable[[Sequence[P], R], bool]
    power: Callable[[P, P, R], HandRank]
    digit: Callable[[HandRank], int | None]
    whole_hands: Callable[[Sequence[P], R], Iterable[HandRank]] | None = None
    no_ox: HandRank
    ranking: Callable[[R], Iterable[RankedHands]]
    tie: Callable[[HandClass, R], Ties]
    tie_order: Callable[[P], int] | None = None
    breaks_ties: Callable[[R], bool] = lambda _rules: True
    suited_bonus: Callable[[R], SuitedBonus] | None = None
    display: Display[R]

    @property
    def name(self) -> GameName:
        """Its name in settings and in what is stored."""
        name: GameName = self.rules.model_fields["game"].default
        return name

    @property
    def version(self) -> int:
        """Its version, which is stored with its rules."""
        version: int = self.rules.model_fields["game_version"].default
        return version

    @property
    def faces(self) -> tuple[P, ...]:
        """The faces of its pieces, ascending."""
        return tuple(sorted({self.face(piece) for piece in self.pieces.pieces}))

    def power_ranks(self, rules: R) -> set[HandRank]:
        """Every rank that a hand with an ox can have under these rules."""
        pairs = combinations_with_replacement(self.faces, 2)
        return {self.power(low, high, rules) for low, high in pairs}

    def pack(self, hands: int, rules: R) -> tuple[P, ...]:
        """The pieces for a number of hands (the banker's included), in order."""
        return self.pieces.pieces * self.sets(hands, rules)

    def order_in_ties(self, rules: R) -> Callable[[P], int] | None:
        """The order of the pieces that decides between equal ranks under these rules; None if none does."""
        return self.tie_order if self.breaks_ties(rules) else None

    def bonus(self, rules: R) -> SuitedBonus:
        """Which pieces must be of one suit for a hand with an ox to pay double under these rules (G21)."""
        return SuitedBonus.OFF if self.suited_bonus is None else self.suited_bonus(rules)

    @property
    def default_preset(self) -> str:
        """The preset of a house that has chosen none."""
        return next(iter(self.presets))
