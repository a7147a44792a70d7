"""Hands of the same rank: the board and the players' messages name the card that decided (N09)."""

import pytest

from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.rules.cards import parse_cards
from bot.table.commands import Deal, PlaceBet, RevealHand, TakeBank
from bot.table.state import RoundResult
from bot.ui.board.results import ResultText, own_result
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS, Table

ALICE, BOB = PLAYERS[:2]
NIU_5_WITH_A_KING, NIU_5_WITH_A_NINE = "2S 8D KH 7C 8C", "4S 7D 9H 6C 9C"
NIU_NIU = "5S 5D KC 10H 10D"


def settled(banker: str, *players: str, ties: NiuTies = NiuTies.CARDS) -> RoundResult:
    """The result of a round of Niu Niu with these hands."""
    rules = NiuNiuRules(niu_ties=ties)
    table = Table(rules)
    members = (ALICE, BOB)[: len(players)]
    table.do(TakeBank(BANKER, 5, 100, rules), *(PlaceBet(member, 20) for member in members))
    hands = [parse_cards(hand) for hand in (*players, banker)]
    pieces = tuple(hand[place] for place in range(5) for hand in hands)
    table.do(Deal(BANKER, pieces))
    table.do(*(RevealHand(member) for member in (BANKER, *members)))
    table.go_on()
    assert table.state.last is not None
    return table.state.last


def test_n09_the_cards_that_decide_a_tie_are_named() -> None:
    result = settled(NIU_5_WITH_A_NINE, NIU_5_WITH_A_KING, NIU_NIU)
    bankers, alices, bobs = ResultText(result, NAMES).within(4000).splitlines()

    assert "Niu 5\xa09♥ **" in bankers
    assert "Niu 5\xa0K♥ **" in alices
    assert "**+20**" in alices
    assert "Niu Niu ×4 **" in bobs
    told = own_result(result, NAMES, ALICE)
    assert told is not None
    assert "your Niu 5 (K♥ high) beats" in told
    assert "Niu 5 (9♥ high)" in told
    assert "♥ beats" not in told, "the rank decides"


def test_n09_where_only_the_suits_decide_a_tie_the_result_says_which_beats_which() -> None:
    hearts, spades = "2S 8D JH 7C 8C", "4S 7D JS 6C 8H"
    for alices, bankers in ((hearts, spades), (spades, hearts)):
        one, both = settled(bankers, alices), settled(bankers, alices, NIU_NIU)
        for told in (own_result(result, NAMES, ALICE) for result in (one, both)):
            assert told is not None
            assert told.endswith("**. ♠ beats ♥.")
        told = own_result(one, NAMES, BANKER)
        assert told is not None
        assert told.endswith("**. ♠ beats ♥.")
    for result in (settled(NIU_NIU, hearts), settled(spades, hearts, ties=NiuTies.BANKER)):
        assert "beats ♥" not in (own_result(result, NAMES, ALICE) or "")


def test_n09_no_card_is_named_where_no_tie_is_to_decide() -> None:
    result = settled(NIU_5_WITH_A_NINE, NIU_NIU)

    assert "Niu 5 **" in ResultText(result, NAMES).within(4000)


@pytest.mark.parametrize(
    ("ties", "told", "lines"),
    [
        (
            NiuTies.BANKER,
            "and the banker wins ties: **−20**",
            ("Niu 5 (wins ties) **−60**", "Niu 5 (tie) **−20**", "Niu Niu ×4 **+80**"),
        ),
        (
            NiuTies.PUSH,
            "your Niu 5 ties with",
            ("Niu 5 **−80**", "Niu 5 (tie) **±0**", "Niu Niu ×4 **+80**"),
        ),
    ],
)
def test_n09_a_player_and_the_board_say_why_a_tie_is_lost_or_a_push(
    ties: NiuTies, told: str, lines: tuple[str, ...]
) -> None:
    result = settled(NIU_5_WITH_A_NINE, NIU_5_WITH_A_KING, NIU_NIU, ties=ties)
    words = own_result(result, NAMES, ALICE)
    assert words is not None
    assert told in words
    assert "high" not in words
    board = ResultText(result, NAMES).lines(with_hands=True)
    assert all(line.endswith(told) for line, told in zip(board, lines, strict=True)), board
