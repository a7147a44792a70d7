"""Provable shuffles: the algorithm, written again from its description, and test vectors."""

import hashlib
import hmac
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.pack import shuffled_pack
from bot.rules import shuffle
from bot.rules.cards import Card, cards_text, deck
from bot.rules.shuffle import (
    ClientSeed,
    Purpose,
    commitment_to,
    new_secret,
    opens,
    roll,
    seeded_random,
    shuffled,
)
from bot.rules.tiles import Tile, tiles_text
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA

SECRET = bytes(range(32)).hex()
CLIENT_SEEDS = (ClientSeed(2, "1234567890"), ClientSeed(10, "旺 wong: 888\n"), ClientSeed(3, ""))

DECK = (
    "9H 9C 3D 3H 4H 7D 3C 7S 9S 10S KS QH AC 7C AH 6D 10H 8C 6C 9D 5S 2H 2D AD 5D 4S 4D 10C KD "
    "5C QC 10D JD KH 8S 6H 6S 4C JC 8D JH 5H KC 8H 7H 2S QS AS 3S QD 2C JS"
)
WOODPILE = (
    "6-1 6-3 3-1 6-6 6-4 4-3 3-2 2-2 6-6 3-1 6-1 6-5 4-4 5-2 5-3 5-1 6-4 3-3 4-2 6-5 5-5 3-3 "
    "1-1 5-5 5-4 4-4 1-1 6-2 2-2 2-1 5-1 4-1"
)
DICE = (1, 4, 2, 3, 2, 3, 4, 5, 1, 1, 2, 4)
"""What `SECRET` and `CLIENT_SEEDS` give by the description; the woodpile is without client seeds."""

any_secret = st.binary(min_size=32, max_size=32).map(bytes.hex)
client_seed_lists = st.lists(
    st.builds(ClientSeed, st.integers(1, 2**64), st.text(st.characters(exclude_categories=["Cs"])))
)


def plain_numbers(
    secret: str, client_seeds: list[tuple[int, str]], purpose: str, bounds: list[int]
) -> list[int]:
    """The random numbers below these bounds, written from the description alone."""
    message = b"gnau/1\n"
    for member, text in sorted(client_seeds):
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
            number, stream = int.from_bytes(stream[:4], "big"), stream[4:]
            if number < 2**32 // bound * bound:
                numbers.append(number % bound)
                break
    return numbers


@given(
    any_secret,
    client_seed_lists,
    st.sampled_from(Purpose),
    st.lists(st.integers(1, 2**32), max_size=30),
)
def test_random_numbers_follow_the_description(
    secret: str, client_seeds: list[ClientSeed], purpose: Purpose, bounds: list[int]
) -> None:
    below = seeded_random(secret, client_seeds, purpose)
    plain = [(each.member_id, each.text) for each in client_seeds]

    assert [below(bound) for bound in bounds] == plain_numbers(secret, plain, purpose.value, bounds)


def test_the_vector_of_a_commitment() -> None:
    assert commitment_to(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_vector_of_a_deck() -> None:
    order = shuffled(deck(), seeded_random(SECRET, CLIENT_SEEDS, Purpose.DEAL))

    assert cards_text(order) == DECK


def test_the_vector_of_the_woodpile_without_client_seeds() -> None:
    order = shuffled_pack(4, TAU_NGAU_PRESET, seeded_random(SECRET, (), Purpose.DEAL))

    assert tiles_text(map(Tile, order)) == WOODPILE


def test_the_vector_of_dice() -> None:
    assert roll(12, seeded_random(SECRET, CLIENT_SEEDS, Purpose.DICE)) == DICE


@given(any_secret, client_seed_lists, st.randoms(use_true_random=False))
def test_the_order_of_client_seeds_does_not_matter(
    secret: str, client_seeds: list[ClientSeed], chance: random.Random
) -> None:
    otherwise = list(client_seeds)
    chance.shuffle(otherwise)

    assert roll(20, seeded_random(secret, client_seeds, Purpose.DICE)) == roll(
        20, seeded_random(secret, otherwise, Purpose.DICE)
    )


@pytest.mark.parametrize(
    "client_seeds",
    [
        (),
        CLIENT_SEEDS[:2],
        (ClientSeed(2, "1234567891"), *CLIENT_SEEDS[1:]),
        (ClientSeed(1, "1234567890"), *CLIENT_SEEDS[1:]),
    ],
)
def test_every_client_seed_changes_the_shuffle(client_seeds: tuple[ClientSeed, ...]) -> None:
    pack = shuffled_pack(10, WIKIPEDIA, seeded_random(SECRET, CLIENT_SEEDS, Purpose.DEAL))

    assert shuffled_pack(10, WIKIPEDIA, seeded_random(SECRET, client_seeds, Purpose.DEAL)) != pack


def test_dice_and_cards_of_one_seed_are_independent() -> None:
    deal, dice = (seeded_random(SECRET, CLIENT_SEEDS, purpose) for purpose in Purpose)

    assert [deal(1 << 32) for _ in range(8)] != [dice(1 << 32) for _ in range(8)]


def test_secrets_are_random_and_open_their_commitments() -> None:
    found = {new_secret() for _ in range(100)}

    assert len(found) == 100
    assert all(opens(secret, commitment_to(secret)) for secret in found)
    assert not opens(SECRET, commitment_to(found.pop()))
    assert not opens(SECRET, "é")


@pytest.mark.parametrize("secret", ["", "zz" * 32, SECRET[:-2], SECRET + "00", SECRET[:-1]])
def test_text_that_is_not_a_secret_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="32 bytes in hexadecimal"):
        commitment_to(secret)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_beyond_four_bytes_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound of a random number is 1 to"):
        seeded_random(SECRET, (), Purpose.DEAL)(bound)


def test_numbers_that_would_be_more_likely_are_discarded() -> None:
    """Below 3 · 2³⁰, a quarter of all numbers is discarded. Else the first third would come twice."""
    below = seeded_random(SECRET, (), Purpose.DEAL)
    thirds = Counter(below(3 << 30) >> 30 for _ in range(3000))

    assert all(abs(thirds[third] - 1000) < 5 * 26 for third in range(3))


def test_the_first_discarded_number_is_the_multiple_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """2³² - 1 is the largest multiple of 3 up to 2³², so it is discarded and 2³² - 2 is not."""
    stream = [2**32 - 1, 2**32 - 2, 2**32 - 1, 0]
    monkeypatch.setattr(shuffle, "_stream", lambda _seed, _purpose: iter(stream))
    below = seeded_random(SECRET, (), Purpose.DEAL)

    assert [below(3), below(3)] == [2, 0]


def test_a_die_shows_each_face_about_equally_often() -> None:
    faces = Counter(roll(6000, seeded_random(SECRET, (), Purpose.DICE)))

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(abs(times - 1000) < 5 * 29 for times in faces.values())


def test_a_shuffled_pack_has_every_card() -> None:
    assert sorted(shuffled_pack(11, WIKIPEDIA, seeded_random(SECRET, (), Purpose.DEAL))) == sorted(deck(2))
    assert Card(shuffled_pack(2, WIKIPEDIA)[0]) in deck()
