import re
from itertools import product

import pytest

from bot.table.refusals import Refusal, Refused, refuse
from bot.words.catalogue import MESSAGES
from bot.words.tables import held_elsewhere_words, refusal

MEMBERS = {"banker", "opener"}
"""The facts that are a member's name; all others are whole numbers."""


def example(code: Refusal, number: int) -> Refused:
    return refuse(code, **{fact: "Mei" if fact in MEMBERS else number for fact in code.facts})


def used(code: Refusal) -> set[str]:
    """The placeholders of the sentence for a code, those of its plural included."""
    return set(MESSAGES[f"refusal.{code.value}"].placeholders)


def test_there_is_a_sentence_for_every_code_and_no_other() -> None:
    said = {code.removeprefix("refusal.") for code in MESSAGES if code.startswith("refusal.")}
    for_points = {code for code in said if code.endswith("_points")} - {Refusal.PLAYED_FOR_POINTS.value}

    assert said - for_points == {code.value for code in Refusal}
    assert {code.removesuffix("_points") for code in for_points} <= said


NOT_FOR_POINTS = {
    code for code in Refusal if code.value.startswith(("house_", "side_bets_", "stake_", "limits_"))
} | {
    Refusal.BANK_CANNOT_COVER,
    Refusal.BANK_EXHAUSTED,
    Refusal.BANK_TOO_POOR,
    Refusal.BACKED_HAND,
    Refusal.BETS_ALREADY_PLACED,
    Refusal.EVERYBODY_BETS,
    Refusal.TOURNAMENT_TABLE,
    Refusal.BETS_ARE_DOWN,
    Refusal.HAS_OWN_BET,
    Refusal.NO_BET_TO_BACK,
    Refusal.NO_SIDE_BET_OF_YOURS,
    Refusal.NOBODY_CAN_BANK,
    Refusal.OWN_LIMIT,
    Refusal.PLAYED_FOR_POINTS,
    Refusal.PLAYER_CANNOT_COVER,
    Refusal.PLAYER_TOO_POOR,
}
"""What a table for points never says."""


@pytest.mark.parametrize("code", sorted(set(Refusal) - NOT_FOR_POINTS))
def test_g22_a_table_for_points_speaks_of_no_bets_and_chips(code: Refusal) -> None:
    sentence = refusal(example(code, 3), for_points=True)

    assert not re.search(r"\b(bets?|chips)\b", sentence, re.IGNORECASE), (
        f"add a sentence refusal.{code.value}_points, or the code to NOT_FOR_POINTS"
    )


def test_a_sentence_uses_only_the_facts_of_its_code_and_what_follows_from_them() -> None:
    for code in Refusal:
        follows = {"times"} if code is Refusal.PLAYER_CANNOT_COVER else set()

        assert used(code) <= set(code.facts) | follows


def test_every_refusal_is_one_short_line() -> None:
    for code, number in product(Refusal, [0, 1, 70, 12_345]):
        sentence = refusal(example(code, number))

        assert re.fullmatch(r"[A-Z][^{}\n]*\.", sentence)
        assert "None" not in sentence
        assert len(sentence) <= 110


@pytest.mark.parametrize("code", [code for code in Refusal if "most" in code.facts])
def test_a_refused_bet_names_the_largest_that_works(code: Refusal) -> None:
    facts = {fact: place for place, fact in enumerate(code.facts, start=101)}

    assert re.search(rf"\b{facts['most']}\b", refusal(refuse(code, **facts)))


def test_every_code_has_its_own_sentence() -> None:
    assert len({refusal(example(code, 5)) for code in Refusal}) == len(Refusal)


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (
            refuse(Refusal.PLAYER_TOO_POOR, lowest=5, needed=35, wallet=0),
            "You need 35 chips to play here; you have 0 free.",
        ),
        (
            refuse(Refusal.PLAYER_CANNOT_COVER, stake=90, needed=630, wallet=500, most=71),
            "Your maximum bet is 71 (you have 500 chips free, and a bet can lose 7\xa0× its size).",
        ),
        (
            refuse(Refusal.PLAYER_CANNOT_COVER, stake=90, needed=90, wallet=50, most=50),
            "Your maximum bet is 50 (you have 50 chips free).",
        ),
        (
            refuse(Refusal.BANK_TOO_POOR, lowest=5, needed=35, wallet=20, most=2),
            "A lowest bet of 5 needs a bank of 35 chips. You have 20 free: enough for a lowest bet of 2.",
        ),
        (
            refuse(Refusal.BANK_CANNOT_COVER, stake=100, most=1),
            "The banker can cover a bet of 1 chip at most. 100 is too high.",
        ),
        (
            refuse(Refusal.STAKE_BELOW_LOWEST, stake=1, lowest=5, highest=100),
            "You can bet 5 to 100 chips here. 1 is too low.",
        ),
        (
            refuse(Refusal.ROUND_IS_OVER, meant=3, now=21),
            "Those buttons are from round 3. Use these for round 21.",
        ),
        (
            refuse(Refusal.NOT_AN_OX, totals="11, 14"),
            "These three total 11 or 14, not a multiple of 10. Pick others, or let the bot arrange.",
        ),
        (
            refuse(Refusal.TOO_FEW_BETS, fewest=2, bets=1),
            "At least 2 players must bet; 1 has so far. Wait for another bet.",
        ),
        (
            refuse(Refusal.TABLE_FULL, seats=1),
            "The only seat is taken. Wait for it, or use `/table open` in another channel.",
        ),
        (
            refuse(Refusal.TABLE_FULL, seats=9),
            "All 9 seats are taken. Wait for one, or use `/table open` in another channel.",
        ),
    ],
    ids=str,
)
def test_what_a_refusal_says(refused: Refused, sentence: str) -> None:
    assert refusal(refused) == sentence


@pytest.mark.parametrize(
    ("name", "shown"), [("Mei", "Mei"), ("_Mei_", r"\_Mei\_"), ("**M**", r"\*\*M\*\*"), ("<@7>", r"\<@7\>")]
)
def test_a_name_is_shown_without_its_markdown(name: str, shown: str) -> None:
    sentence = refusal(refuse(Refusal.NOT_BANKER, banker=name))

    assert sentence == f"Only the banker, {shown}, can do this."


def test_b06_a_channel_without_tables_names_those_that_hold_them() -> None:
    assert held_elsewhere_words([12, 7]) == ("Tables can't be opened here. Open one in <#12> or <#7>.")
