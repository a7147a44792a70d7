"""Shuffles that anybody can check: the algorithm written again from its description, and its test vectors."""

import hashlib
import hmac
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules import shuffle
from bot.rules.cards import Card, cards_text, deck
from bot.rules.presets import TAU_NGAU_PRESET, WIKIPEDIA
from bot.rules.shuffle import (
    Contribution,
    Purpose,
    drawing,
    fits,
    new_secret,
    seal_of,
    shuffled,
    shuffled_pack,
    thrown,
)
from bot.rules.tiles import Tile, tiles_text

SECRET = bytes(range(32)).hex()
CONTRIBUTIONS = (Contribution(2, "1234567890"), Contribution(10, "旺 wong: 888\n"), Contribution(3, ""))

DECK = (
    "9H 9C 3D 3H 4H 7D 3C 7S 9S 10S KS QH AC 7C AH 6D 10H 8C 6C 9D 5S 2H 2D AD 5D 4S 4D 10C KD "
    "5C QC 10D JD KH 8S 6H 6S 4C JC 8D JH 5H KC 8H 7H 2S QS AS 3S QD 2C JS"
)
WOODPILE = (
    "6-1 6-3 3-1 6-6 6-4 4-3 3-2 2-2 6-6 3-1 6-1 6-5 4-4 5-2 5-3 5-1 6-4 3-3 4-2 6-5 5-5 3-3 "
    "1-1 5-5 5-4 4-4 1-1 6-2 2-2 2-1 5-1 4-1"
)
DICE = (1, 4, 2, 3, 2, 3, 4, 5, 1, 1, 2, 4)
"""What the description makes of `SECRET` and `CONTRIBUTIONS`; of the woodpile, without contributions."""

secrets_drawn = st.binary(min_size=32, max_size=32).map(bytes.hex)
contributions_made = st.lists(
    st.builds(Contribution, st.integers(1, 2**64), st.text(st.characters(exclude_categories=["Cs"])))
)


def plain_numbers(secret: str, told: list[tuple[int, str]], purpose: str, bounds: list[int]) -> list[int]:
    """The numbers that are drawn below these bounds, by the description alone."""
    message = b"gnau/1\n"
    for member, text in sorted(told):
        message += (
            str(member).encode() + b":" + str(len(text.encode())).encode() + b":" + text.encode() + b"\n"
        )
    seed = hmac.new(bytes.fromhex(secret), message, hashlib.sha256).digest()
    numbers: list[int] = []
    stream, block = b"", 0
    for bound in bounds:
        while True:
            if len(stream) < 4:
                counter = block.to_bytes(8, "big")
                stream += hmac.new(seed, purpose.encode() + counter, hashlib.sha256).digest()
                block += 1
            drawn, stream = int.from_bytes(stream[:4], "big"), stream[4:]
            if drawn < 2**32 // bound * bound:
                numbers.append(drawn % bound)
                break
    return numbers


@given(
    secrets_drawn,
    contributions_made,
    st.sampled_from(Purpose),
    st.lists(st.integers(1, 2**32), max_size=30),
)
def test_what_is_drawn_follows_the_description(
    secret: str, told: list[Contribution], purpose: Purpose, bounds: list[int]
) -> None:
    below = drawing(secret, told, purpose)
    plain = [(each.member_id, each.text) for each in told]

    assert [below(bound) for bound in bounds] == plain_numbers(secret, plain, purpose.value, bounds)


def test_the_seal_of_the_vectors() -> None:
    assert seal_of(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_vector_of_a_deck() -> None:
    order = shuffled(deck(), drawing(SECRET, CONTRIBUTIONS, Purpose.DEAL))

    assert cards_text(order) == DECK


def test_the_vector_of_the_woodpile_without_contributions() -> None:
    order = shuffled_pack(4, TAU_NGAU_PRESET, drawing(SECRET, (), Purpose.DEAL))

    assert tiles_text(map(Tile, order)) == WOODPILE


def test_the_vector_of_dice() -> None:
    assert thrown(12, drawing(SECRET, CONTRIBUTIONS, Purpose.DICE)) == DICE


@given(secrets_drawn, contributions_made, st.randoms(use_true_random=False))
def test_the_order_in_which_contributions_came_does_not_matter(
    secret: str, told: list[Contribution], chance: random.Random
) -> None:
    otherwise = list(told)
    chance.shuffle(otherwise)

    assert thrown(20, drawing(secret, told, Purpose.DICE)) == thrown(
        20, drawing(secret, otherwise, Purpose.DICE)
    )


@pytest.mark.parametrize(
    "told",
    [
        (),
        CONTRIBUTIONS[:2],
        (Contribution(2, "1234567891"), *CONTRIBUTIONS[1:]),
        (Contribution(1, "1234567890"), *CONTRIBUTIONS[1:]),
    ],
)
def test_every_contribution_changes_the_shuffle(told: tuple[Contribution, ...]) -> None:
    pack = shuffled_pack(10, WIKIPEDIA, drawing(SECRET, CONTRIBUTIONS, Purpose.DEAL))

    assert shuffled_pack(10, WIKIPEDIA, drawing(SECRET, told, Purpose.DEAL)) != pack


def test_dice_and_cards_of_one_seed_have_nothing_in_common() -> None:
    deal, dice = (drawing(SECRET, CONTRIBUTIONS, purpose) for purpose in Purpose)

    assert [deal(1 << 32) for _ in range(8)] != [dice(1 << 32) for _ in range(8)]


def test_secrets_are_fresh_and_fit_their_seals() -> None:
    drawn = {new_secret() for _ in range(100)}

    assert len(drawn) == 100
    assert all(fits(secret, seal_of(secret)) for secret in drawn)
    assert not fits(SECRET, seal_of(drawn.pop()))
    assert not fits(SECRET, "é")


@pytest.mark.parametrize("secret", ["", "zz" * 32, SECRET[:-2], SECRET + "00", SECRET[:-1]])
def test_what_is_no_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="32 bytes in hexadecimal"):
        seal_of(secret)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_number_is_drawn_below_what_four_bytes_hold(bound: int) -> None:
    with pytest.raises(ValueError, match="drawn below 1 to"):
        drawing(SECRET, (), Purpose.DEAL)(bound)


def test_a_number_that_would_favour_some_is_thrown_away() -> None:
    """Below 3 · 2³⁰ a quarter of all numbers are thrown away; were they kept, the first third came twice."""
    below = drawing(SECRET, (), Purpose.DEAL)
    thirds = Counter(below(3 << 30) >> 30 for _ in range(3000))

    assert all(abs(thirds[third] - 1000) < 5 * 26 for third in range(3))


def test_the_first_number_that_is_thrown_away_is_the_multiple_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """2³² - 1 is the largest multiple of 3 that 2³² holds; the number before it is kept."""
    stream = [2**32 - 1, 2**32 - 2, 2**32 - 1, 0]
    monkeypatch.setattr(shuffle, "_stream", lambda _seed, _purpose: iter(stream))
    below = drawing(SECRET, (), Purpose.DEAL)

    assert [below(3), below(3)] == [2, 0]


def test_a_fair_die_shows_each_face_about_equally_often() -> None:
    faces = Counter(thrown(6000, drawing(SECRET, (), Purpose.DICE)))

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(abs(times - 1000) < 5 * 29 for times in faces.values())


def test_every_card_of_the_pack_is_dealt_from() -> None:
    assert sorted(shuffled_pack(11, WIKIPEDIA, drawing(SECRET, (), Purpose.DEAL))) == sorted(deck(2))
    assert Card(shuffled_pack(2, WIKIPEDIA)[0]) in deck()
