from bot.rules.shuffle import ClientSeed, commitment_to
from bot.table.round_proof import Mismatch
from bot.table.round_result import Opening
from bot.words import (
    mixed_words,
    opened_words,
    own_words,
    revealed_words,
    rolled_words,
    sealed_words,
    verdict_words,
)

SECRET = "ab" * 32
DRAW = Opening(SECRET, (ClientSeed(1, "1100220033"),))


def test_a_seal_is_shown_whole() -> None:
    for dealt in (False, True):
        assert f"`{commitment_to(SECRET)}`" in sealed_words(commitment_to(SECRET), dealt=dealt)
    assert f"`{commitment_to(SECRET)}`" in sealed_words(commitment_to(SECRET), dice=True)
    assert f"`{SECRET}`" in opened_words(DRAW)


def test_a_secret_is_shown_with_its_seal() -> None:
    for words in (revealed_words(DRAW), rolled_words(DRAW)):
        assert f"`{SECRET}`" in words
        assert f"`{commitment_to(SECRET)}`" in words
    assert "by 1 bettor" in revealed_words(DRAW)
    assert "by 0 bettors" in revealed_words(Opening(SECRET, ()))


def test_words_that_bettors_chose_are_shown_as_they_are_and_ids_are_not() -> None:
    said = (ClientSeed(1, "1573730205422321677"), ClientSeed(2, "**8** <@3> `8`"), ClientSeed(3, "777"))

    assert own_words(Opening(SECRET, said), lambda member_id: f"<@{member_id}>") == [
        r"<@2> mixed in: \*\*8\*\* \<@3\> \`8\`",
        "<@3> mixed in: 777",
    ]


def test_words_that_count_only_with_a_bet_say_so() -> None:
    assert "if you bet" in mixed_words("eight", counts=False)
    assert "if you bet" not in mixed_words("eight", counts=True)
    for counts in (False, True):
        for dice in (False, True):
            assert r"\*eight\*" in mixed_words("*eight*", counts=counts, dice=dice)


def test_a_verdict_is_verified_or_the_first_thing_that_does_not_fit() -> None:
    assert verdict_words(None).startswith("verified")
    assert (
        verdict_words(Mismatch("opening.seal", "", "b"))
        == "not verified: opening.seal is nothing, and should be b"
    )
    assert len(verdict_words(Mismatch("x", "y" * 5000, "z" * 5000))) < 400
