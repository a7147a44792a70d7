import ast
from collections.abc import Iterator
from pathlib import Path

from bot.rules.hashing import canonical
from bot.rules.shuffle import Use, seal_of
from bot.table import round_proof
from bot.table.round_proof import Mismatch
from bot.table.state import Opening
from bot.words.proofs import (
    mixed_words,
    opened_words,
    own_words,
    verdict_words,
)
from bot.words.translation import Reader, speaking_to

SECRET = "ab" * 32
SEAL = seal_of(SECRET, Use.DEAL, 70, 12)


def opening(*seeds: tuple[int, str]) -> Opening:
    """A round of which only these contributions are known; the first is the banker's."""
    (banker, first), *others = seeds
    players = [{"party": str(party), "client_seed": seed} for party, seed in others]
    sheet = {
        "purpose": "deal",
        "table": "70",
        "round": 12,
        "banker": {"party": str(banker), "client_seed": first},
        "players": players,
        "dice": None,
    }
    return Opening(SECRET, canonical(sheet))


def test_a_result_has_its_seal_and_its_receipt() -> None:
    words = opened_words(opening((1, "1100220033"), (2, "5")), "RECEIPT")
    assert f"`{SEAL}`" in words
    assert "`RECEIPT`" in words
    assert SECRET not in words


def test_words_that_members_chose_are_shown_as_they_are_and_ids_are_not() -> None:
    brought = opening((1, "1573730205422321677"), (2, "code of 2"), (3, "code of 3"))

    words = {"code of 2": "**8** <@3> `8`", "code of 3": "777"}
    assert own_words(brought, words, lambda party: f"<@{party}>") == [
        r"<@2> added: \*\*8\*\* \<@3\> \`8\`",
        "<@3> added: 777",
    ]


def test_words_that_count_only_with_a_bet_say_so() -> None:
    assert "if you bet" in mixed_words("eight", "CODE", counts=False)
    assert "if you bet" not in mixed_words("eight", "CODE", counts=True)
    for counts in (False, True):
        for dice in (False, True):
            words = mixed_words("*eight*", "CODE", counts=counts, dice=dice)
            assert r"\*eight\*" in words
            assert "`CODE`" in words


def test_a_verdict_is_verified_or_the_first_thing_that_does_not_fit() -> None:
    assert verdict_words(None).startswith("Verified")
    assert (
        verdict_words(Mismatch("seal", "", "b"))
        == "Not verified: the seal should be “b”, but the record says “nothing”"
    )
    unlike = verdict_words(Mismatch("seal", "a", "b", is_noted=True))
    assert unlike == "Not the round that you noted: you noted the seal b, but the record has a"
    assert len(verdict_words(Mismatch("x", "y" * 5000, "z" * 5000))) < 400


def test_a_verdict_is_in_the_readers_language() -> None:
    with speaking_to(Reader("de")):
        told = verdict_words(Mismatch("the ox of seat 3", "10♠ 4♥ 6♣", "three that make an ox"))
    assert told.startswith("Nicht bestätigt (der Ochse von Platz 3)")
    assert "10♠ 4♥ 6♣" in told
    assert "three" not in told


def phrases(source: str) -> Iterator[str]:
    """What a module passes to `Mismatch` and `_differ`, with 7 for every fact."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Mismatch", "_differ"):
            for said in node.args:
                if isinstance(said, ast.Constant):
                    yield str(said.value)
                elif isinstance(said, ast.JoinedStr):
                    parts = [getattr(part, "value", "") for part in said.values]
                    yield "".join(part if isinstance(part, str) else "7" for part in parts)


def test_every_reader_has_words_for_all_that_can_be_wrong() -> None:
    said = {text for text in phrases(Path(round_proof.__file__).read_text(encoding="utf-8")) if " " in text}
    assert len(said) > 20
    for text in said - {"7 on 7", "the hand of 7", "the ox of 7"}:
        with speaking_to(Reader("ja")):
            assert text not in verdict_words(Mismatch("x", "y", text))
