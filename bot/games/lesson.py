"""A lesson: five hands for beginners, of varied kinds, with a question about each. Chips never move.

Nothing is remembered between the questions: whether an answer is right follows from the hand.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations
from random import Random
from typing import Final

from bot.games.hands import arrangements, declared, evaluate, is_ox, is_worse, odd_counts
from bot.games.register import game_of
from bot.games.settle import ranked_as, ranked_hands
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Hand, HandRank, Piece

MOST_SHOWN: Final = 4
"""How many answers a question offers at most, besides the one that there is no ox."""
_TRIES: Final = 100
"""How many hands are drawn at most until one fits the question."""

Three = tuple[int, ...]
"""The places of the three pieces that somebody takes for the ox; empty: there is none."""


class Kind(Enum):
    """What a hand of the lesson is for."""

    FIND = auto()
    """A hand with an ordinary ox, to be found."""
    NAME = auto()
    """A hand with an ox, to be named."""
    SPECIAL = auto()
    """A hand that wins more than most, or has a piece that counts in several ways; to be named."""
    NO_OX = auto()
    """A hand without an ox, in which three are looked for."""
    ANY = auto()
    """Any hand, to be named."""


LESSON: Final = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Exercise:
    """A hand, and the answers to choose from: three pieces or names, never both.

    Attributes:
        threes: the threes to choose from, that there is none among them; empty if the hand is to be named.
        ranks: the ranks to choose from, strongest first; empty if three are looked for.
    """

    pieces: tuple[Piece, ...]
    threes: tuple[Three, ...] = ()
    ranks: tuple[HandRank, ...] = ()


def exercise(number: int, plan: int, rules: HouseRules, random: Random) -> Exercise:
    """A question of a lesson about a hand of the game's own deck.

    Args:
        number: which question, from 1.
        plan: decides the order of the kinds, so that each lesson has every kind once. An ox to be found
            comes first, as in the examples.
    """
    first, *others = LESSON
    kind = [first, *Random(plan).sample(others, len(others))][number - 1]
    hand = _hand_for(kind, rules, random)
    if kind in (Kind.FIND, Kind.NO_OX):
        return Exercise(hand.pieces, threes=_threes(hand, rules, random))
    return Exercise(hand.pieces, ranks=_ranks(hand, rules, random))


class Verdict(Enum):
    """What is to be said of the three that somebody takes for the ox."""

    RIGHT = auto()
    WEAKER = auto()
    """They are an ox, and another three make a better hand."""
    NOT_AN_OX = auto()
    MISSED = auto()
    """They said that there is none, and there is."""


def verdict(pieces: Sequence[Piece], three: Three, rules: HouseRules) -> Verdict:
    """Whether these three are the ox of the strongest arrangement; without any, whether there is no ox."""
    strongest = evaluate(pieces, rules)
    if not three:
        return Verdict.MISSED if strongest.ox else Verdict.RIGHT
    if not is_ox([pieces[place] for place in three], rules):
        return Verdict.NOT_AN_OX
    return Verdict.WEAKER if is_worse(declared(pieces, three, rules), strongest) else Verdict.RIGHT


def is_right_three(pieces: Sequence[Piece], three: Three, rules: HouseRules) -> bool:
    """Whether the verdict is that they are right."""
    return verdict(pieces, three, rules) is Verdict.RIGHT


def is_right_rank(pieces: Sequence[Piece], strength: int, rules: HouseRules) -> bool:
    """Whether a hand has the rank of this strength."""
    return evaluate(pieces, rules).strength == strength


def rank_of_strength(strength: int, rules: HouseRules) -> HandRank | None:
    """The rank of this strength; None if these rules have none."""
    return next((rank for rank in _every_rank(rules) if rank.strength == strength), None)


def example_hands(rules: HouseRules) -> tuple[Hand, ...]:
    """A hand for each row of the ranking in force, strongest first; some rows may have several."""
    game = game_of(rules)
    hands = ((evaluate(pieces, rules), evaluate(pieces, game.rules())) for pieces in game.examples)
    # An example of a row that is not in force is another hand, and shows nothing.
    return tuple(hand for hand, meant in hands if hand.rank == meant.rank)


def _hand_for(kind: Kind, rules: HouseRules, random: Random) -> Hand:
    """A hand that suits a question."""
    match kind:
        case Kind.FIND:
            return _drawn(lambda hand: _is_ordinary(hand, rules), rules, random)
        case Kind.NAME:
            return _drawn(lambda hand: bool(hand.ox), rules, random)
        case Kind.NO_OX:
            none = game_of(rules).no_ox
            return _drawn(lambda hand: hand.rank == none, rules, random)
        case Kind.SPECIAL:
            return _special(rules, random)
        case Kind.ANY:
            return _drawn(lambda _hand: True, rules, random)


def _is_ordinary(hand: Hand, rules: HouseRules) -> bool:
    """Whether a hand has an ox that is a sum of what its pieces look like, and no three of one face (G07)."""
    is_sum = bool(hand.ox) and not any(odd_counts(hand, rules)[:OX_SIZE])
    return is_sum and not has_three_alike(hand.pieces, rules)


def has_three_alike(pieces: Sequence[Piece], rules: HouseRules) -> bool:
    """Whether three of the pieces have one face, such as three cards of a rank (G07)."""
    return max(Counter(map(game_of(rules).face, pieces)).values()) >= OX_SIZE


def _special(rules: HouseRules, random: Random) -> Hand:
    multiples = [row.multiple for row in ranked_hands(rules) if row.multiple]
    rows = [row for row in ranked_hands(rules) if row.multiple > min(multiples)]
    if rows:
        # A hand that needs no ox answers itself: what its name means stands below the question.
        with_ox = [ranked_as(hand.rank, rules) for hand in example_hands(rules) if hand.ox]
        wanted = random.choice([row for row in rows if row in with_ox] or rows)
        return _drawn(lambda hand: ranked_as(hand.rank, rules) == wanted, rules, random)
    points = game_of(rules).points
    return _drawn(lambda hand: any(len(points(piece, rules)) > 1 for piece in hand.pieces), rules, random)


def _drawn(fits: Callable[[Hand], bool], rules: HouseRules, random: Random) -> Hand:
    """A random hand that fits; one with the faces of an example if such hands are rare."""
    pack = game_of(rules).pack(2, rules)
    for _ in range(_TRIES):
        hand = evaluate(random.sample(pack, HAND_SIZE), rules)
        if fits(hand):
            return hand
    examples = [example.pieces for example in example_hands(rules) if fits(example)]
    return evaluate(
        _in_other_suits(random.choice(examples), rules, random) if examples else hand.pieces, rules
    )


def _in_other_suits(pieces: Sequence[Piece], rules: HouseRules, random: Random) -> list[Piece]:
    """A hand that counts the same, of other pieces if there are any, in another order."""
    face, pack = game_of(rules).face, list(game_of(rules).pack(2, rules))
    random.shuffle(pack)
    found = []
    for piece in random.sample(pieces, HAND_SIZE):
        found.append(next(other for other in pack if face(other) == face(piece)))
        pack.remove(found[-1])
    return found


def _threes(hand: Hand, rules: HouseRules, random: Random) -> tuple[Three, ...]:
    """The ox if there is one, and some threes that are none, in any order; last, that there is none."""
    by_pieces = {
        tuple(sorted(hand.pieces[place] for place in three)): three
        for three in combinations(range(HAND_SIZE), OX_SIZE)
    }
    right = [three for three in by_pieces.values() if is_right_three(hand.pieces, three, rules)][:1]
    wrong = [
        three for three in by_pieces.values() if not is_ox([hand.pieces[place] for place in three], rules)
    ]
    # As many answers with an ox as without: their number gives nothing away.
    shown = right + random.sample(wrong, min(MOST_SHOWN - len(right), len(wrong)))
    return (*random.sample(shown, len(shown)), ())


def _ranks(hand: Hand, rules: HouseRules, random: Random) -> tuple[HandRank, ...]:
    """The rank of the hand among others, such as it could be taken for, strongest first."""
    weaker = [other.rank for other in arrangements(hand.pieces, rules)]
    of_each_row = [HandRank(row.hand_class, random.choice(row.values)) for row in ranked_hands(rules)]
    others = weaker + random.sample(of_each_row, len(of_each_row))
    others += random.sample(list(_every_rank(rules)), 2 * MOST_SHOWN)
    wrong = {rank.strength: rank for rank in others if rank.strength != hand.strength}
    shown = [hand.rank, *list(wrong.values())[: MOST_SHOWN - 1]]
    return tuple(sorted(shown, key=lambda rank: rank.strength, reverse=True))


def _every_rank(rules: HouseRules) -> Iterator[HandRank]:
    """Every rank in force, strongest first."""
    for row in ranked_hands(rules):
        yield from (HandRank(row.hand_class, value) for value in sorted(row.values, reverse=True))
