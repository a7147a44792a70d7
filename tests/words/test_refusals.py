import re

import pytest

from bot.table.refusals import FACTS, Refusal, Refused, refuse
from bot.words import held_elsewhere_words, refusal
from bot.words.catalogue import MESSAGES

MEMBERS = {"banker", "opener"}
"""The facts that are a member's name; all others are whole numbers."""


def example(code: Refusal, number: int) -> Refused:
    return refuse(code, **{fact: "Mei" if fact in MEMBERS else number for fact in FACTS[code]})


def used(code: Refusal) -> set[str]:
    """The placeholders of the sentence for a code, those of its plural included."""
    return set(MESSAGES[f"refusal.{code.value}"].placeholders)


def test_there_is_a_sentence_for_every_code_and_no_other() -> None:
    said = {code.removeprefix("refusal.") for code in MESSAGES if code.startswith("refusal.")}

    assert said == {code.value for code in Refusal}


@pytest.mark.parametrize("code", Refusal)
def test_a_sentence_uses_only_the_facts_of_its_code(code: Refusal) -> None:
    assert used(code) <= set(FACTS[code])


@pytest.mark.parametrize("code", Refusal)
@pytest.mark.parametrize("number", [0, 1, 70, 12_345])
def test_every_refusal_is_one_whole_sentence(code: Refusal, number: int) -> None:
    sentence = refusal(example(code, number))

    assert re.fullmatch(r"[A-Z][^.{}]*\.", sentence)
    assert "None" not in sentence
    assert len(sentence) <= 200


@pytest.mark.parametrize("code", [code for code in Refusal if "most" in FACTS[code]])
def test_a_refused_stake_is_told_the_largest_that_would_do(code: Refusal) -> None:
    facts = {fact: place for place, fact in enumerate(FACTS[code], start=101)}

    assert f"{facts['most']} chips" in refusal(refuse(code, **facts))


def test_the_sentences_tell_codes_apart() -> None:
    assert len({refusal(example(code, 5)) for code in Refusal}) == len(Refusal)


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (
            refuse(Refusal.PLAYER_TOO_POOR, lowest=5, needed=35, wallet=34),
            (
                "Even the lowest stake here, 5 chips, can lose 35 chips, and you have 34 chips free; "
                "look for a table with lower stakes."
            ),
        ),
        (
            refuse(Refusal.BANK_CANNOT_COVER, stake=100, most=1),
            "The bank cannot cover a stake of 100 chips; the largest that would do is 1 chip.",
        ),
        (
            refuse(Refusal.STAKE_BELOW_LOWEST, stake=1, lowest=5, highest=100),
            "A stake of 1 chip is too small: this table takes from 5 to 100 chips.",
        ),
        (
            refuse(Refusal.NOT_AN_OX, totals="11, 14"),
            (
                "These three total 11 or 14, which is no multiple of 10; choose another three, or have your "
                "hand arranged for you."
            ),
        ),
        (
            refuse(Refusal.TOO_FEW_BETS, fewest=2, bets=1),
            "At least 2 players must bet before the deal, and so far 1 has; wait for another bet.",
        ),
        (
            refuse(Refusal.TABLE_FULL, seats=1),
            "The only seat is taken; wait until it is free, or open a table with `/table open`.",
        ),
        (
            refuse(Refusal.TABLE_FULL, seats=9),
            "All 9 seats are taken; wait until one is free, or open a table with `/table open`.",
        ),
    ],
    ids=str,
)
def test_what_a_refusal_says(refused: Refused, sentence: str) -> None:
    assert refusal(refused) == sentence


@pytest.mark.parametrize(
    ("name", "shown"), [("Mei", "Mei"), ("_Mei_", r"\_Mei\_"), ("**M**", r"\*\*M\*\*"), ("<@7>", r"\<@7\>")]
)
def test_a_members_name_is_shown_as_it_is(name: str, shown: str) -> None:
    sentence = refusal(refuse(Refusal.NOT_BANKER, banker=name))

    assert sentence == f"Only the banker can do this, and the banker is {shown}."


def test_b06_who_may_not_open_a_table_here_is_told_where_he_may() -> None:
    assert held_elsewhere_words([12, 7]) == (
        "This house holds no tables in this channel; open one in <#12> or <#7> instead."
    )
