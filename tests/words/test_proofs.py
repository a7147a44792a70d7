from bot.rules.shuffle import Contribution, seal_of
from bot.table.results import Draw
from bot.table.round_proof import Misfit
from bot.words import opened_words, revealed_words, rolled_words, sealed_words, verdict_words

SECRET = "ab" * 32
DRAW = Draw(SECRET, (Contribution(1, "1100220033"),))


def test_a_seal_is_shown_whole() -> None:
    for dealt in (False, True):
        assert f"`{seal_of(SECRET)}`" in sealed_words(seal_of(SECRET), dealt=dealt)
    assert f"`{SECRET}`" in opened_words(DRAW)


def test_what_was_sealed_is_revealed_with_its_seal() -> None:
    for words in (revealed_words(DRAW), rolled_words(DRAW)):
        assert f"`{SECRET}`" in words
        assert f"`{seal_of(SECRET)}`" in words
    assert "by 1 bettor" in revealed_words(DRAW)
    assert "by 0 bettors" in revealed_words(Draw(SECRET, ()))


def test_a_verdict_is_verified_or_the_first_thing_that_does_not_fit() -> None:
    assert verdict_words(None).startswith("verified")
    assert (
        verdict_words(Misfit("draw.seal", "", "b")) == "not verified: draw.seal is nothing, and should be b"
    )
    assert len(verdict_words(Misfit("x", "y" * 5000, "z" * 5000))) < 400
