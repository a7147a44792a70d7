"""The rules of Gnau: its knobs and presets, how hands rank, and what they win (G04 to G20)."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, Self

from pydantic import model_validator

from bot.games.contract import RankedHands, phrase
from bot.rules.cards import ACE, JACK, KING, SIX, SPADES, TEN, THREE, Card, card_of, rank_of
from bot.rules.house_rules import CardRules
from bot.rules.knobs import Multiple, SuitedBonus, Ties, WrongRule, WrongRuleError, pay, worth
from bot.rules.pieces import HandClass, HandRank, last_digits


class GnauRules(CardRules):
    """The house rules of Gnau. The defaults are the preset `wikipedia`."""

    fallbacks = MappingProxyType({"multiple_ox_of_ten": "multiple_single_ox"})

    game: Literal["gnau"] = "gnau"
    game_version: Literal[1] = 1

    flex_3_6: bool = worth(True, "G04", "A 3 or a 6 can count as either 3 or 6.")
    triple_ox: bool = worth(True, "G07", "Three cards of the same rank are an ox, whatever they total.")
    five_dukes_tens: bool = worth(False, "G08", "Tens count as dukes for Five Dukes.")
    five_small: bool = worth(True, "G09", "Five cards from ace to 4 are Five Small, which ranks second.")
    ngau_tonku: bool = worth(True, "G10", "The ace of spades and a duke as power cards are Ngau Tonku.")
    tonku_tens: bool = worth(False, "G10", "A ten can be the duke of Ngau Tonku.")
    mixed_double: bool = worth(False, "G13", "3 and 6 count as a pair: Double-Ox 6.")

    multiple_five_dukes: Multiple = pay(7, "G18", "What Five Dukes wins, as a multiple of the bet.")
    multiple_five_small: Multiple = pay(7, "G18", "What Five Small wins, as a multiple of the bet.")
    multiple_ngau_tonku: Multiple = pay(5, "G18", "What Ngau Tonku wins, as a multiple of the bet.")
    multiple_double_ox: Multiple = pay(3, "G18", "What a Double-Ox wins, as a multiple of the bet.")
    multiple_ox_of_ten: Multiple = pay(
        1, "G18", "What an Ox of 10 wins, as a multiple of the bet; if not set, the same as Ox of 9 to 1."
    )
    multiple_single_ox: Multiple = pay(1, "G18", "What Ox of 9 to Ox of 1 win, as a multiple of the bet.")
    suited_bonus: SuitedBonus = pay(
        SuitedBonus.OFF, "G21", "Which cards must have one suit for a hand with an ox to pay double."
    )
    ties: Ties = worth(Ties.BANKER, "G20", "Who wins a tie: the banker, or nobody (a push).")

    @model_validator(mode="after")
    def _tens_need_tonku(self) -> Self:
        if self.tonku_tens and not self.ngau_tonku:
            raise WrongRuleError(WrongRule.TONKU_TENS_ALONE)
        return self


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "wikipedia": {},
        "points": {
            "multiple_five_dukes": 10,
            "multiple_five_small": 10,
            "multiple_ngau_tonku": 5,
            "multiple_double_ox": 2,
            "multiple_single_ox": 1,
        },
        "lodige": {
            "triple_ox": False,
            "five_small": False,
            "five_dukes_tens": True,
            "mixed_double": True,
            "multiple_five_dukes": 10,
            "multiple_ngau_tonku": 5,
            "multiple_double_ox": 2,
            "multiple_single_ox": 1,
        },
    }
)
"""The payouts of the Wikipedia article "Gnau" (G18), the scores of casual play (G19), and lodige.com."""


ACE_OF_SPADES: Final = card_of(ACE, SPADES)
LAST_SMALL: Final = THREE + 1
"""The rank of the highest small card, the 4 (G09)."""
NENKU: Final = "nenku"
"""The name of an ordinary Single-Ox 1 whose power cards are an ace and a duke (G11)."""


class GnauClass(HandClass):
    """The classes of hands, weakest first (G16)."""

    NO_OX = 0
    SINGLE_OX = 1
    DOUBLE_OX = 2
    NGAU_TONKU = 3
    FIVE_SMALL = 4
    FIVE_DUKES = 5


def points_of(card: Card, rules: GnauRules) -> tuple[int, ...]:
    """The Ox points that a card may count, its own first (G04)."""
    rank = rank_of(card)
    if rules.flex_3_6 and rank in (THREE, SIX):
        return (3, 6) if rank == THREE else (6, 3)
    return (min(rank + 1, 10),)


def is_ox(three: Sequence[Card], rules: GnauRules) -> bool:
    """Whether three cards are an ox: a total that is a multiple of ten (G05), or one rank (G07)."""
    if rules.triple_ox and len({rank_of(card) for card in three}) == 1:
        return True
    return 0 in last_digits(points_of(card, rules) for card in three)


def is_duke(card: Card, *, tens: bool) -> bool:
    """Whether a card is a J, Q or K, or a ten if tens count (G08)."""
    return rank_of(card) >= (TEN if tens else JACK)


def power_of(one: Card, other: Card, rules: GnauRules) -> HandRank:
    """The best rank of two power cards (G10 to G14)."""
    low, high = sorted((one, other), key=rank_of)
    has_duke = is_duke(high, tens=rules.tonku_tens)
    if rules.ngau_tonku and has_duke and low == ACE_OF_SPADES:
        return HandRank(GnauClass.NGAU_TONKU)
    ranks = (rank_of(low), rank_of(high))
    if ranks[0] == ranks[1] or (rules.mixed_double and ranks == (THREE, SIX)):
        return HandRank(GnauClass.DOUBLE_OX, ranks[1] + 1)
    value = max(digit or 10 for digit in last_digits(points_of(card, rules) for card in (low, high)))
    is_nenku = has_duke and ranks[0] == ACE and low != ACE_OF_SPADES
    return HandRank(GnauClass.SINGLE_OX, value, NENKU if is_nenku else "")


def whole_hands(cards: Sequence[Card], rules: GnauRules) -> Iterator[HandRank]:
    """The ranks that five cards, the lowest first, reach without an ox (G08, G09)."""
    if is_duke(cards[0], tens=rules.five_dukes_tens):
        yield HandRank(GnauClass.FIVE_DUKES)
    if rank_of(cards[-1]) <= LAST_SMALL:
        yield HandRank(GnauClass.FIVE_SMALL)


def face_of(card: Card) -> Card:
    """The card that counts the same: suits do not matter, except for the ace of spades (G10)."""
    return card if card == ACE_OF_SPADES else card_of(rank_of(card), 0)


def tie(hand_class: HandClass, rules: GnauRules) -> Ties:
    """Who wins a tie: Five Dukes and No Ox are a push even if the banker wins other ties (G20)."""
    return Ties.PUSH if hand_class in (GnauClass.FIVE_DUKES, GnauClass.NO_OX) else rules.ties


def ranking(rules: GnauRules) -> Iterator[RankedHands]:
    """The ranks in force, strongest first, with what each wins (G16, G18)."""
    yield RankedHands(
        GnauClass.FIVE_DUKES,
        rules.multiple_five_dukes,
        phrase("hand.five_dukes"),
        phrase("rules.five_dukes_tens" if rules.five_dukes_tens else "rules.five_dukes"),
    )
    if rules.five_small:
        yield RankedHands(
            GnauClass.FIVE_SMALL,
            rules.multiple_five_small,
            phrase("hand.five_small"),
            phrase("rules.five_small"),
        )
    if rules.ngau_tonku:
        yield RankedHands(
            GnauClass.NGAU_TONKU,
            rules.multiple_ngau_tonku,
            phrase("hand.ngau_tonku"),
            phrase("rules.tonku_tens" if rules.tonku_tens else "rules.ngau_tonku"),
        )
    yield RankedHands(
        GnauClass.DOUBLE_OX,
        rules.multiple_double_ox,
        phrase("hand.double_ox", rank="K–A"),
        phrase("rules.mixed_double" if rules.mixed_double else "rules.double_ox"),
        values=range(ACE + 1, KING + 2),
    )
    yield RankedHands(
        GnauClass.SINGLE_OX,
        rules.multiple_ox_of_ten,
        phrase("hand.single_ox", points=10),
        phrase("rules.ox_of_ten"),
        values=range(10, 11),
    )
    yield RankedHands(
        GnauClass.SINGLE_OX,
        rules.multiple_single_ox,
        phrase("rules.single_name"),
        phrase("rules.single_ox"),
        values=range(1, 10),
    )
    no_ox = phrase("rules.no_ox.triple" if rules.triple_ox else "rules.no_ox")
    yield RankedHands(GnauClass.NO_OX, 0, phrase("hand.no_ox"), no_ox)
