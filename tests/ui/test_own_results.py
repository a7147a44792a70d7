"""What players, bankers and backers read of a round: who won how many times the bet, what counted most."""

from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.cards import parse_cards
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Play, Ties
from bot.table.commands import Arrange, Deal, PlaceBet, PlaceSideBet, RevealHand, TakeBank
from bot.table.state import RoundResult
from bot.ui.board.results import ResultText, own_result, side_result
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, NAMES, ON_LOOKERS, PLAYERS, Table

ALICE, BOB, CHAN = PLAYERS[:3]
ZED, YAN = ON_LOOKERS[:2]
OX_OF_7, NO_OX, OX_OF_2, NGAU_TONKU = (
    "KH QS JD 2C 5D",
    "KC QD 2H 4S 7D",
    "KS QH JC 4C 8D",
    "10H JH 10C AS KD",
)
DOUBLE_8, ALSO_DOUBLE_8, DOUBLE_2 = "KC 9D AC 8H 8S", "QC 9H AD 8D 8C", "JH QS 10D 2D 2S"


def settled(banker: str, *players: str) -> RoundResult:
    """A round in which Alice, Bob and Chan bet 20 each; Zed backs all of them with 5 each, and Yan Alice."""
    return played(GnauRules(), banker, *players)


def played(rules: GnauRules, banker: str, *players: str, mistaken: int | None = None) -> RoundResult:
    """The same under these rules; `mistaken` declares three pieces that are no ox."""
    table = Table(rules)
    members = (ALICE, BOB, CHAN)[: len(players)]
    table.do(TakeBank(BANKER, 5, 100, rules), *(PlaceBet(member, 20) for member in members))
    if mistaken is None:
        table.do(*(PlaceSideBet(ZED, member, 5) for member in members), PlaceSideBet(YAN, ALICE, 10))
    hands = [parse_cards(hand) for hand in (*players, banker)]
    table.do(Deal(BANKER, tuple(hand[place] for place in range(5) for hand in hands)))
    if mistaken is not None:
        table.do(Arrange(mistaken, (0, 1, 3)))
    table.do(*(RevealHand(member) for member in (BANKER, *members)))
    table.go_on()
    assert table.state.last is not None
    return table.state.last


@pytest.mark.parametrize("ties", Ties)
def test_g20_a_push_says_that_nobody_wins_it_even_where_the_banker_wins_other_ties(ties: Ties) -> None:
    told = own_result(played(GnauRules(ties=ties), NO_OX, NO_OX.replace("7D", "7H")), NAMES, ALICE)
    tie = f"Round 1: your No Ox ties with {mention(BANKER)}'s No Ox"
    assert told == f"{tie}, and nobody wins this tie: **±0**."


def test_g17_only_a_hand_that_won_says_how_many_times_the_bet() -> None:
    result = played(GnauRules(), DOUBLE_8, NGAU_TONKU, DOUBLE_2, ALSO_DOUBLE_8)
    board = "\n".join(ResultText(result, NAMES).lines(with_hands=True))
    for hand in (
        "Double-Ox 8 ×3 (wins ties) **−25**",
        "Ngau Tonku ×5 **+100**",
        f"{mention(BOB)} Double-Ox 2 **−60**",
        f"{mention(CHAN)} Double-Ox 8 (tie) **−60**",
    ):
        assert hand in board
    bankers = f"{mention(BANKER)}'s Double-Ox 8"
    wins = "and the banker wins ties"
    for member, told in (
        (ALICE, f"your Ngau Tonku beats {bankers}: **20\xa0× 5 = +100**."),
        (BOB, f"your Double-Ox 2 loses to {bankers}: **−20\xa0× 3 = −60**."),
        (CHAN, f"your Double-Ox 8 ties with {bankers}, {wins}: **−20\xa0× 3 = −60**. So close!"),
    ):
        assert own_result(result, NAMES, member) == f"Round 1: {told}"
    points = replace(result, rules=GnauRules(play=Play.POINTS))
    for_points = [*ResultText(points, NAMES).lines(with_hands=True), own_result(points, NAMES, ALICE)]
    assert not [line for line in for_points if line is None or "×" in line]


def test_a_banker_reads_how_many_they_beat_and_whose_hand_counted_most() -> None:
    lost = settled(OX_OF_7, NGAU_TONKU, NO_OX, OX_OF_2)
    assert own_result(lost, NAMES, BANKER) == (
        "Round 1: as the banker, you beat 2 of 3 with your Ox of 7: **−125**. "
        f"That includes −65 from side bets. {mention(ALICE)}'s Ngau Tonku counted most: −100."
    )
    all_lost = settled(NO_OX, OX_OF_7, OX_OF_2.replace("4C", "3C"), OX_OF_2)
    assert own_result(all_lost, NAMES, BANKER) == (
        "Round 1: as the banker, you beat 0 of 3 with your No Ox: **−85**. That includes −25 from side bets."
    ), "none of three equal amounts counted most"
    tied = own_result(settled(OX_OF_7, OX_OF_7.replace("10H", "10S"), NO_OX, OX_OF_2), NAMES, BANKER) or ""
    assert "you beat 3 of 3 with your Ox of 7 (1 tie included): **" in tied
    pushed = settled(NO_OX, NO_OX.replace("7D", "7H"), NO_OX.replace("7D", "7C"), OX_OF_2)
    told = own_result(pushed, NAMES, BANKER) or ""
    assert "you beat 0 of 3 with your No Ox (2 pushes: those bets go back): **" in told
    one, other, third = all_lost.players
    most_lost = (replace(one, chips=30), replace(other, chips=20), replace(third, chips=5))
    against_all = own_result(replace(all_lost, players=most_lost, side_bets=()), NAMES, BANKER) or ""
    assert against_all.endswith("counted most: −30."), "without it, they would have lost all the same"
    two = settled(NO_OX, OX_OF_7, NO_OX.replace("7D", "7H"), OX_OF_2)
    most = f"{mention(ALICE)}'s and {mention(CHAN)}'s hands counted most: −20 each."
    two = replace(
        two, players=tuple(replace(player, chips=20 - 10 * (player.party == BOB)) for player in two.players)
    )
    assert (own_result(two, NAMES, BANKER) or "").endswith(most)
    one, other, third = lost.players
    dear = (replace(one, chips=30), replace(other, chips=-20), replace(third, chips=-20))
    against_one = own_result(replace(lost, players=dear, side_bets=()), NAMES, BANKER) or ""
    assert "**+10**. " in against_one
    assert against_one.endswith(f"{mention(ALICE)}'s Ngau Tonku counted most: −30."), "who cost them most"
    both = (replace(one, chips=30), replace(other, chips=-30), replace(third, chips=-20))
    assert "counted most" not in (own_result(replace(lost, players=both, side_bets=()), NAMES, BANKER) or "")
    alone = settled(OX_OF_7, NO_OX)
    assert own_result(alone, NAMES, BANKER) == (
        f"Round 1: as the banker, your Ox of 7 against {mention(ALICE)}'s No Ox: **+35**. "
        "That includes +15 from side bets."
    )


def test_b04_who_picked_a_weaker_way_reads_what_the_hand_could_have_been() -> None:
    strict = GnauRules(arrange=ArrangedBy.STRICT)
    result = played(strict, OX_OF_2, OX_OF_7, mistaken=ALICE)
    assert own_result(result, NAMES, ALICE) == (
        f"Round 1: your No Ox loses to {mention(BANKER)}'s Ox of 2: **−20**. The strongest way was Ox of 7."
    )


def test_a_backer_reads_both_hands_or_the_one_that_counted_most() -> None:
    result = settled(OX_OF_7, NGAU_TONKU, NO_OX, OX_OF_2)
    assert own_result(result, NAMES, YAN) == (
        f"Round 1: you backed {mention(ALICE)}: Ngau Tonku against {mention(BANKER)}'s Ox of 7, "
        "**10\xa0× 5 = +50**."
    )
    assert side_result(result, NAMES, YAN) == own_result(result, NAMES, YAN)
    assert side_result(result, NAMES, ALICE) is None, "the view of side bets tells no other result"
    assert own_result(result, NAMES, ZED) == (
        f"Round 1: **+15** on your 3 side bets. {mention(ALICE)}'s Ngau Tonku counted most: +25."
    )
    tied = settled(OX_OF_2, "KC QD JS 4H 8C")
    assert own_result(tied, NAMES, YAN) == (
        f"Round 1: you backed {mention(ALICE)}: Ox of 2 ties with {mention(BANKER)}'s Ox of 2, "
        "and the banker wins ties: **−10**."
    )
    nobody = settled(NO_OX, NO_OX.replace("7D", "7H"), NO_OX.replace("7D", "7S"))
    assert own_result(nobody, NAMES, ZED) == "Round 1: **±0** on your 2 side bets."
