"""The test vectors of the format: they are as they were once made, and Python agrees with them."""

import json
from typing import Any

import pytest

from bot.rules.hashing import canonical
from bot.rules.shuffle import Use, code_of, seal_of, seeded_random, words_code
from bot.table.round_proof import Noted, first_mismatch
from tests.proof.make_vectors import COMPUTER_RECORDS, HOUSE_RECORDS, RECORDS, VECTORS

BEFORE_COMPUTERS = RECORDS | HOUSE_RECORDS
EVERY = BEFORE_COMPUTERS | COMPUTER_RECORDS

told: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))


def test_canonical_texts_and_their_codes() -> None:
    for one in told["canonical"]:
        assert canonical(one["value"]) == one["text"]
        assert code_of(one["text"]) == one["code"]


def test_seals_and_words() -> None:
    for one in told["seals"]:
        assert seal_of(one["secret"], Use(one["use"]), int(one["table"]), one["round"]) == one["seal"]
    chosen = told["words"]
    assert words_code(chosen["salt"], chosen["words"]) == chosen["client_seed"]


def test_random_numbers() -> None:
    numbers = told["numbers"]
    below = seeded_random(numbers["secret"], canonical(numbers["sheet"]))
    assert [below(one["below"]) for one in numbers["numbers"]] == [
        one["number"] for one in numbers["numbers"]
    ]


def test_each_record_shows_what_it_says() -> None:
    assert [one["shows"] for one in told["records"]] == list(EVERY)
    for one in told["records"]:
        assert EVERY[one["shows"]](one["record"]), one["shows"]


@pytest.mark.parametrize("one", told["records"], ids=[one["shows"] for one in told["records"]])
def test_each_record_is_verified(one: dict[str, Any]) -> None:
    record = one["record"]
    seed = record["sheet"]["banker"]["client_seed"]
    noted = Noted(record["seal"], seed, record["receipt"])
    assert first_mismatch(json.dumps(record), noted) is None


def test_the_vectors_are_not_made_anew() -> None:
    """Their codes: the format is frozen, and a changed one needs another file. Records were added since."""
    first = told | {"records": told["records"][: len(RECORDS)]}
    second = told | {"records": told["records"][: len(BEFORE_COMPUTERS)]}
    assert code_of(canonical(first)) == "839W9-CZVKX-HFQ7T-H20QZ-BCCSG"
    assert code_of(canonical(second)) == "5RW2G-QDS66-CGJFY-VK2CC-6A71M"
    assert code_of(canonical(told)) == "NJ15E-ZN1J5-KAZCK-HTADM-77X65"
