from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauClass, GnauRules
from bot.games.hands import arrangements, evaluate
from bot.games.settle import largest_multiple
from bot.rules.cards import Card
from bot.rules.pieces import Hand

from .plain_gnau import ORDER, plain_ox, plain_power, plain_verdict, plain_word
from .strategies import hands, house_rules

NEEDS_AN_OX = {GnauClass.SINGLE_OX, GnauClass.DOUBLE_OX, GnauClass.NGAU_TONKU}


@given(hands(decks=2), house_rules())
def test_any_hand_under_any_rules_matches_the_plain_evaluator(
    cards: tuple[Card, ...], rules: GnauRules
) -> None:
    best = evaluate(cards, rules)

    name, number = plain_verdict(tuple(plain_word(card) for card in cards), rules)
    assert (best.hand_class, best.value) == (ORDER.index(name), number)


@given(st.data(), hands(), house_rules())
def test_the_order_of_the_cards_does_not_matter(
    data: st.DataObject, cards: tuple[Card, ...], rules: GnauRules
) -> None:
    one = evaluate(cards, rules)
    other = evaluate(data.draw(st.permutations(cards)), rules)

    assert (one.hand_class, one.value, one.multiple) == (other.hand_class, other.value, other.multiple)
    assert (set(one.ox), set(one.power)) == (set(other.ox), set(other.power))


@given(hands(), house_rules())
def test_ox_and_power_keep_the_order_dealt(cards: tuple[Card, ...], rules: GnauRules) -> None:
    best = evaluate(cards, rules)

    assert best.ox == tuple(card for card in cards if card in best.ox)
    assert best.power == tuple(card for card in cards if card in best.power)


@given(hands(decks=2), house_rules())
def test_g06_ox_and_power_are_the_five_cards_and_give_the_rank(
    cards: tuple[Card, ...], rules: GnauRules
) -> None:
    for made in arrangements(cards, rules):
        assert made.pieces == cards
        if made.hand_class in NEEDS_AN_OX:
            assert (len(made.ox), len(made.power)) == (3, 2)
            assert sorted([*made.ox, *made.power]) == sorted(cards)
            assert plain_ox([plain_word(Card(card)).removesuffix("♠") for card in made.ox], rules)
            said = (ORDER[made.hand_class], made.value)
            assert said in list(plain_power([plain_word(Card(card)) for card in made.power], rules))
        else:
            assert (made.ox, made.power) == ((), ())


@given(hands(), house_rules())
def test_g06_the_hand_is_the_strongest_arrangement(cards: tuple[Card, ...], rules: GnauRules) -> None:
    best = evaluate(cards, rules)
    made = list(arrangements(cards, rules))

    assert best in made
    assert max(one.strength for one in made) == best.strength


@given(st.lists(hands(), min_size=2, max_size=8), house_rules())
def test_g16_strength_orders_hands_by_class_and_then_by_value(
    several: list[tuple[Card, ...]], rules: GnauRules
) -> None:
    def by_class(hand: Hand) -> tuple[int, int]:
        return hand.hand_class, hand.value

    made = [evaluate(cards, rules) for cards in several]
    for one in made:
        for other in made:
            assert (one.strength > other.strength) == (by_class(one) > by_class(other))
            assert (one.strength == other.strength) == (by_class(one) == by_class(other))


@given(hands(decks=2), house_rules())
def test_b02_no_hand_wins_more_than_the_largest_multiple_in_force(
    cards: tuple[Card, ...], rules: GnauRules
) -> None:
    assert all(made.multiple <= largest_multiple(rules) for made in arrangements(cards, rules))
