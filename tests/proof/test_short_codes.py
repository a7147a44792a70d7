"""Short codes are the first 125 bits of a hash in Crockford's base 32, however somebody types them."""

from base64 import b32encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.hashing import read_code, short_code

CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
"""From the digits of RFC 4648 to those of Crockford."""
EXAMPLE = "ABCDE-FGHJK-MNPQR-STVWX-YZ012"
digests = st.binary(min_size=16, max_size=32)


@given(digests)
def test_a_code_is_the_start_of_the_hash_in_base_32(digest: bytes) -> None:
    digits = b32encode(digest).decode().translate(CROCKFORD)[:25]
    assert short_code(digest) == "-".join(digits[start : start + 5] for start in range(0, 25, 5))


def test_codes_of_known_hashes() -> None:
    assert short_code(bytes(32)) == "00000-00000-00000-00000-00000"
    assert short_code(b"\xff" * 32) == "ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ"
    # printf abc | sha256sum | xxd -r -p | base32 | tr A-Z2-7 0-9A-HJKMNP-TV-Z
    assert short_code(sha256(b"abc").digest()) == "Q9W1D-FWF07-7YMGA-183F5-VBH24"


@given(digests, st.integers(0, 127))
def test_only_the_first_125_bits_count(digest: bytes, bit: int) -> None:
    number = int.from_bytes(digest[:16]) ^ 1 << 127 - bit
    differs = short_code(number.to_bytes(16) + digest[16:]) != short_code(digest)
    assert differs == (bit < 125)
    assert short_code(digest[:16]) == short_code(digest)


@given(digests, st.data())
def test_a_code_reads_back_however_it_is_typed(digest: bytes, data: st.DataObject) -> None:
    code = short_code(digest)
    look_alikes = {"0": "0Oo", "1": "1IiLl", "-": ["-", "", " ", "\t", "\n", "\N{NO-BREAK SPACE}", " - "]}
    typed = "".join(
        data.draw(st.sampled_from(look_alikes.get(letter, letter + letter.lower()))) for letter in code
    )
    assert read_code(typed) == read_code(f"  {typed}\n") == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        EXAMPLE[:-1],
        EXAMPLE + "3",
        EXAMPLE[:-1] + "U",
        EXAMPLE[:-1] + "!",
        EXAMPLE[:-1] + "_",
        EXAMPLE[:-1] + "Ä",
        EXAMPLE[:-1] + "２",
        f"`{EXAMPLE}`",
        sha256(b"abc").hexdigest(),
    ],
)
def test_a_text_that_is_not_a_code_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="25 letters and digits, such as 7K2Q9-XMD40-"):
        read_code(text)


@given(st.text(max_size=40))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        code = read_code(text)
    except ValueError:
        return
    assert read_code(code) == code
    assert len(code) == 29


def test_the_example_in_the_refusal_is_a_code() -> None:
    with pytest.raises(ValueError, match="such as") as refused:
        read_code("?")
    example = str(refused.value).rpartition(" ")[2]
    assert read_code(example) == example
