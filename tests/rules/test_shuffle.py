import inspect
import random
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.hands import shuffled_pack
from bot.rules.cards import deck
from bot.rules.house_rules import decks_for
from bot.rules.shuffle import deal, shuffled


def fisher_yates(pieces: Sequence[int], draws: Sequence[int]) -> tuple[int, ...]:
    """Another way to shuffle: takes pieces from those left, and puts them in from the back."""
    left = list(pieces)
    from_the_back = []
    for draw in draws:
        from_the_back.append(left[draw])
        left[draw] = left[-1]
        left.pop()
    return tuple(reversed([*from_the_back, *left]))


@given(st.lists(st.integers()))
def test_a_shuffle_is_a_permutation_and_does_not_change_its_input(pieces: list[int]) -> None:
    before = tuple(pieces)

    assert Counter(shuffled(pieces, random.Random(1).randrange)) == Counter(before)
    assert tuple(pieces) == before


@given(st.data(), st.integers(min_value=1, max_value=60))
def test_a_shuffle_follows_fisher_and_yates_step_by_step(data: st.DataObject, size: int) -> None:
    draws: list[int] = []

    def below(bound: int) -> int:
        draws.append(data.draw(st.integers(min_value=0, max_value=bound - 1)))
        return draws[-1]

    order = shuffled(range(size), below)

    assert order == fisher_yates(range(size), draws)
    assert len(draws) == size - 1


def _told(draws: Iterator[int], _below: int) -> int:
    return next(draws)


def test_the_random_numbers_give_every_order_exactly_once() -> None:
    every_draw = product(range(4), range(3), range(2))
    orders = [shuffled("ABCD", partial(_told, iter(draws))) for draws in every_draw]

    assert Counter(orders) == Counter(permutations("ABCD"))


def test_every_card_takes_each_place_about_equally_often() -> None:
    """Pearson's statistic of card by place: 51 × 51 degrees of freedom, so 2601 on average, deviation 72."""
    stream = random.Random(20_260_101)
    times = 10_000
    seen = Counter(pair for _ in range(times) for pair in enumerate(shuffled(deck(), stream.randrange)))
    expected = times / 52

    statistic = sum((seen[place, card] - expected) ** 2 / expected for place in range(52) for card in deck())

    assert abs(statistic - 51 * 51) < 3 * 72


def test_cards_are_dealt_with_the_systems_generator_by_default() -> None:
    assert inspect.signature(shuffled_pack).parameters["below"].default is secrets.randbelow


@pytest.mark.parametrize(
    ("hands", "fewest", "decks"),
    [(2, 1, 1), (10, 1, 1), (11, 1, 2), (20, 1, 2), (21, 1, 3), (2, 3, 3), (11, 2, 2), (31, 2, 4)],
)
def test_g02_one_deck_serves_ten_hands_and_the_eleventh_brings_another(
    hands: int, fewest: int, decks: int
) -> None:
    assert decks_for(hands, GnauRules(decks=fewest)) == decks
    assert Counter(shuffled_pack(hands, GnauRules(decks=fewest))) == Counter(deck(decks))


def test_g03_the_cards_go_round_one_at_a_time() -> None:
    assert deal(range(52), 3) == ((0, 3, 6, 9, 12), (1, 4, 7, 10, 13), (2, 5, 8, 11, 14))


@given(st.integers(min_value=1, max_value=20))
def test_g01_every_hand_has_five_cards_and_shares_none(hands: int) -> None:
    pieces = range(52 * decks_for(hands, GnauRules()))
    dealt = deal(pieces, hands)

    assert [len(hand) for hand in dealt] == [5] * hands
    assert sorted(piece for hand in dealt for piece in hand) == list(range(5 * hands))


def test_g02_more_hands_than_the_cards_allow_are_refused() -> None:
    assert len(deal(deck(), 10)) == 10
    assert deal(range(10), 2) == ((0, 2, 4, 6, 8), (1, 3, 5, 7, 9))
    with pytest.raises(ValueError, match="11 hands of 5 need 55 pieces, not 52"):
        deal(deck(), 11)
