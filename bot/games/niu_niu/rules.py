"""The rules of Niu Niu: its knobs and presets, how hands rank, and what they win (N01 to N10)."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal

from bot.games.contract import RankedHands, phrase
from bot.rules.cards import ACE, JACK, KING, RANKS, SUITS, THREE, Card, card_of, rank_of, suit_of
from bot.rules.house_rules import CardRules
from bot.rules.knobs import Multiple, Ties, pay, worth
from bot.rules.pieces import HandClass, HandRank


class NiuTies(StrEnum):
    """Who wins if two hands are of the same class and number (N09)."""

    CARDS = "cards"
    BANKER = "banker"
    PUSH = "push"


class NiuNiuRules(CardRules):
    """The house rules of Niu Niu. The defaults are the preset `niu-niu`."""

    game: Literal["niu-niu"] = "niu-niu"
    game_version: Literal[1] = 1

    five_small: bool = worth(
        True, "N05", "Five cards from ace to 4 that total 10 or less are Five Small, which ranks first."
    )
    bomb: bool = worth(True, "N06", "Four cards of the same rank are a Bomb, which ranks above Five Flowers.")
    five_flowers: bool = worth(True, "N07", "Five cards that are J, Q or K are Five Flowers.")

    multiple_five_small: Multiple = pay(8, "N08", "What Five Small wins, as a multiple of the bet.")
    multiple_bomb: Multiple = pay(6, "N08", "What a Bomb wins, as a multiple of the bet.")
    multiple_five_flowers: Multiple = pay(5, "N08", "What Five Flowers wins, as a multiple of the bet.")
    multiple_niu_niu: Multiple = pay(4, "N08", "What Niu Niu wins, as a multiple of the bet.")
    multiple_niu_9: Multiple = pay(3, "N08", "What Niu 9 wins, as a multiple of the bet.")
    multiple_niu_8: Multiple = pay(2, "N08", "What Niu 8 wins, as a multiple of the bet.")
    multiple_niu_7: Multiple = pay(2, "N08", "What Niu 7 wins, as a multiple of the bet.")
    multiple_low_niu: Multiple = pay(1, "N08", "What Niu 6 to Niu 1 win, as a multiple of the bet.")
    multiple_no_niu: Multiple = pay(1, "N10", "What No Niu wins, as a multiple of the bet.")
    niu_ties: NiuTies = worth(
        NiuTies.CARDS,
        "N09",
        "Who wins if hands are equal: the highest card, the banker, or nobody.",
    )


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType({"niu-niu": {}})
"""The values that are met most often (N08)."""


HIGHEST_NUMBER: Final = 10
"""The number of a hand whose two cards left total 10 or 20 (N03)."""
LAST_SMALL: Final = THREE + 1
"""The rank of the highest small card, the 4 (N05)."""
MOST_SMALL_POINTS: Final = 10
"""The most that Five Small may total (N05)."""
_SUIT_ORDER: Final = tuple("DCHS".index(suit) for suit in SUITS)
"""The place of each suit between cards of one rank: spades above hearts, clubs and diamonds (N09)."""


class NiuNiuClass(HandClass):
    """The classes of hands, weakest first (N04)."""

    NO_NIU = 0
    NIU = 1
    FIVE_FLOWERS = 2
    BOMB = 3
    FIVE_SMALL = 4


def points_of(card: Card, _rules: NiuNiuRules) -> tuple[int, ...]:
    """The points of a card: an ace 1, 10 to K ten, the others their number (N01)."""
    return (min(rank_of(card) + 1, 10),)


def is_niu(three: Sequence[Card], rules: NiuNiuRules) -> bool:
    """Whether three cards are a niu: they total a multiple of ten (N02)."""
    return sum(points_of(card, rules)[0] for card in three) % 10 == 0


def number_of(one: Card, other: Card, rules: NiuNiuRules) -> HandRank:
    """The number of the two cards left: the last digit of their total; 0 is Niu Niu (N03)."""
    total = points_of(one, rules)[0] + points_of(other, rules)[0]
    return HandRank(NiuNiuClass.NIU, total % 10 or HIGHEST_NUMBER)


def whole_hands(cards: Sequence[Card], rules: NiuNiuRules) -> Iterator[HandRank]:
    """The ranks that five cards, the lowest first, reach without a niu (N05 to N07)."""
    lowest, second, middle, fourth, highest = cards
    if rank_of(highest) <= LAST_SMALL:
        total = sum(points_of(card, rules)[0] for card in cards)
        if total <= MOST_SMALL_POINTS:
            yield HandRank(NiuNiuClass.FIVE_SMALL)
    # Four of a kind are the four lowest or the four highest.
    if rank_of(lowest) == rank_of(fourth) or rank_of(second) == rank_of(highest):
        yield HandRank(NiuNiuClass.BOMB, rank_of(middle) + 1)
    if rank_of(lowest) >= JACK:
        yield HandRank(NiuNiuClass.FIVE_FLOWERS)


def face_of(card: Card) -> Card:
    """The card that counts the same: suits matter only between equal hands (N09)."""
    return card_of(rank_of(card), 0)


def tie(_hand_class: HandClass, rules: NiuNiuRules) -> Ties:
    """Who wins a tie; if the highest cards decide and are equal too, it is a push (N09)."""
    return Ties.BANKER if rules.niu_ties is NiuTies.BANKER else Ties.PUSH


def card_order(card: Card) -> int:
    """The place of a card: by rank, the king high and the ace low, then by suit (N09)."""
    return rank_of(card) * len(SUITS) + _SUIT_ORDER[suit_of(card)]


def ranking(rules: NiuNiuRules) -> Iterator[RankedHands]:
    """The ranks in force, strongest first, with what each wins (N04, N08)."""
    if rules.five_small:
        yield RankedHands(
            NiuNiuClass.FIVE_SMALL,
            rules.multiple_five_small,
            phrase("hand.five_small"),
            phrase("rules.niu_five_small"),
        )
    if rules.bomb:
        yield RankedHands(
            NiuNiuClass.BOMB,
            rules.multiple_bomb,
            phrase("hand.bomb", rank=f"{RANKS[KING]}–{RANKS[ACE]}"),
            phrase("rules.bomb"),
            values=range(ACE + 1, KING + 2),
        )
    if rules.five_flowers:
        yield RankedHands(
            NiuNiuClass.FIVE_FLOWERS,
            rules.multiple_five_flowers,
            phrase("hand.five_flowers"),
            phrase("rules.five_flowers"),
        )
    yield _numbers("hand.niu_niu", "rules.niu_niu", rules.multiple_niu_niu, HIGHEST_NUMBER)
    for number, multiple in ((9, rules.multiple_niu_9), (8, rules.multiple_niu_8), (7, rules.multiple_niu_7)):
        yield _numbers("hand.niu", "rules.niu_number", multiple, number)
    yield _numbers("rules.low_niu_name", "rules.low_niu", rules.multiple_low_niu, 1, 6)
    yield RankedHands(
        NiuNiuClass.NO_NIU,
        rules.multiple_no_niu,
        phrase("hand.no_niu"),
        phrase("rules.no_niu"),
    )


def _numbers(title: str, takes: str, multiple: int, lowest: int, highest: int | None = None) -> RankedHands:
    """The row of some numbers of a niu; of one if there is no `highest`."""
    values = range(lowest, (lowest if highest is None else highest) + 1)
    return RankedHands(
        NiuNiuClass.NIU, multiple, phrase(title, number=lowest), phrase(takes, number=lowest), values=values
    )
