"""Provable shuffles: the algorithm, written again from its description, and test vectors."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.hands import shuffled_pack
from bot.rules import shuffle
from bot.rules.cards import Card, deck
from bot.rules.shuffle import Use, code_of, new_secret, roll, seal_of, seeded_random, ticket_of
from tests.games.presets import WIKIPEDIA

SECRET = bytes(range(32)).hex()
SHEET = '{"dice":null,"players":["旺"]}'

SEAL = "QK0HT-Y9M6W-1AGS0-NE79B-SVEA3"
"""The seal of `SECRET` by the description."""

any_secret = st.binary(min_size=32, max_size=32).map(bytes.hex)
any_sheet = st.text(st.characters(exclude_categories=["Cs"]))


def plain_numbers(secret: str, sheet: str, bounds: list[int]) -> list[int]:
    """The random numbers below these bounds, written from the description alone."""
    seed = hmac.new(bytes.fromhex(secret), sheet.encode(), hashlib.sha256).digest()
    numbers: list[int] = []
    stream, block = b"", 0
    for bound in bounds:
        while True:
            if len(stream) < 4:
                stream += hmac.new(seed, block.to_bytes(8, "big"), hashlib.sha256).digest()
                block += 1
            number, stream = int.from_bytes(stream[:4], "big"), stream[4:]
            if number < 2**32 // bound * bound:
                numbers.append(number % bound)
                break
    return numbers


@given(any_secret, any_sheet, st.lists(st.integers(1, 2**32), max_size=30))
def test_random_numbers_follow_the_description(secret: str, sheet: str, bounds: list[int]) -> None:
    below = seeded_random(secret, sheet)
    assert [below(bound) for bound in bounds] == plain_numbers(secret, sheet, bounds)


def test_the_vector_of_a_seal() -> None:
    text = f'{{"format":"gnau/2","purpose":"seal","round":12,"secret":"{SECRET}","table":"70","use":"deal"}}'
    digest = hashlib.sha256(text.encode()).digest()
    digits = f"{int.from_bytes(digest) >> 131:0125b}"
    code = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(digits[at : at + 5], 2)] for at in range(0, 125, 5))
    assert seal_of(SECRET, Use.DEAL, 70, 12).replace("-", "") == code
    assert seal_of(SECRET, Use.DEAL, 70, 12) == SEAL


def test_the_vector_of_a_ticket() -> None:
    text = f'{{"client_seed":"77","format":"gnau/2","purpose":"ticket","seal":"{SEAL}"}}'
    assert ticket_of(SEAL, "77") == code_of(text)


def test_a_seal_is_of_the_secret_its_use_the_table_and_the_round() -> None:
    seals = [seal_of(SECRET, Use.DEAL, 70, 1), seal_of(SECRET, Use.DICE, 70, 1)]
    seals += [seal_of(SECRET, Use.DEAL, 70, 2), seal_of(SECRET, Use.DEAL, 71, 1)]
    seals += [seal_of(new_secret(), Use.DEAL, 70, 1) for _ in range(100)]

    assert len(set(seals)) == 104


@pytest.mark.parametrize(
    "secret", ["", "zz" * 32, SECRET[:-2], SECRET + "00", SECRET[:-1], SECRET.upper(), f" {SECRET}"]
)
def test_text_that_is_not_a_secret_is_refused(secret: str) -> None:
    """One secret has one text, which is sealed."""
    with pytest.raises(ValueError, match="32 bytes in lower-case hexadecimal"):
        seal_of(secret, Use.DEAL, 70, 1)
    with pytest.raises(ValueError, match="32 bytes in lower-case hexadecimal"):
        seeded_random(secret, SHEET)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_beyond_four_bytes_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound of a random number is 1 to"):
        seeded_random(SECRET, SHEET)(bound)


def test_numbers_that_would_be_more_likely_are_discarded() -> None:
    """Below 3 · 2³⁰, a quarter of all numbers is discarded. Else the first third would come twice."""
    below = seeded_random(SECRET, SHEET)
    thirds = Counter(below(3 << 30) >> 30 for _ in range(3000))

    assert all(abs(thirds[third] - 1000) < 5 * 26 for third in range(3))


def test_the_first_discarded_number_is_the_multiple_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """2³² - 1 is the largest multiple of 3 up to 2³², so it is discarded and 2³² - 2 is not."""
    stream = [2**32 - 1, 2**32 - 2, 2**32 - 1, 0]
    monkeypatch.setattr(shuffle, "_stream", lambda _seed: iter(stream))
    below = seeded_random(SECRET, SHEET)

    assert [below(3), below(3)] == [2, 0]


def test_a_die_shows_each_face_about_equally_often() -> None:
    faces = Counter(roll(6000, seeded_random(SECRET, SHEET)))

    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(abs(times - 1000) < 5 * 29 for times in faces.values())


def test_a_shuffled_pack_has_every_card() -> None:
    assert sorted(shuffled_pack(11, WIKIPEDIA, seeded_random(SECRET, SHEET))) == sorted(deck(2))
    assert Card(shuffled_pack(2, WIKIPEDIA)[0]) in deck()
