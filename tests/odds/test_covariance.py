"""How two bets on one banker's hand hang together: in every deal of a small pack, and in rounds at random."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isclose, sqrt
from statistics import fmean

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.games.register import GAMES
from bot.games.settle import settle
from bot.games.tau_ngau.rules import TauNgauRules
from bot.odds.chances import chances_under
from bot.odds.covariance import covariance_among, covariance_of
from bot.odds.odds import odds_of
from bot.odds.simulation import dealt_hands, gains_of
from bot.rules.cards import parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, SuitedBonus, Ties
from bot.rules.pieces import Piece
from bot.rules.tiles import parse_tiles
from bot.table.standings import EVERY, Chances, Luck, Standing, luck_of
from bot.table.state import NOBODY
from tests.sizes import sample, sized

FOUR_KINGS = tuple(parse_cards("KS KS KS KS QS QS QH QD JS JS 9S 9S 9H 9D 8S"))
"""Cards of which three hands can have the same highest one, in more ways than one, as in many decks."""
SMALL: list[tuple[HouseRules, tuple[Piece, ...]]] = [
    (GnauRules(), tuple(parse_cards("AS AS AD 3C 3C 6D 6D KH KH QS JS 7C 9D 10C 2H"))),
    (NiuNiuRules(), tuple(parse_cards("AS AS 2H 3C 3C 7D 7D KH KS KS QS JS 8C 9D 10C"))),
    (TauNgauRules(), tuple(parse_tiles("4-2 2-1 6-6 6-6 1-1 1-1 5-5 5-5 6-4 6-1 5-2 4-1 3-1 6-3 5-4"))),
    (GnauRules(ties=Ties.PUSH), tuple(parse_cards("AS AC AD 3C 3H 6D 6S KC KH QS JS JD JH QC QD"))),
    (NiuNiuRules(niu_ties=NiuTies.CARDS), FOUR_KINGS),
    (NiuNiuRules(niu_ties=NiuTies.BANKER), FOUR_KINGS),
]


@pytest.mark.parametrize(("rules", "pack"), SMALL, ids=range(len(SMALL)))
def test_it_is_what_every_deal_of_a_small_pack_brings(rules: HouseRules, pack: tuple[Piece, ...]) -> None:
    """With three hands of five, the banker's and two players' hands are the whole pack."""
    pieces = {1 << place: piece for place, piece in enumerate(pack)}
    hands = {sum(five): evaluate([pieces[bit] for bit in five], rules) for five in combinations(pieces, 5)}
    facts = {five: (hand.strength, hand.tie_break) for five, hand in hands.items()}
    ranked = {facts[five]: hand for five, hand in hands.items()}
    units = {
        (one, other): settle(ranked[one], ranked[other], rules).units for one in ranked for other in ranked
    }
    each, both, deals = 0, 0, 0
    for banker, of_banker in facts.items():
        first, *others = [bit for bit in pieces if not bit & banker]
        for four in combinations(others, 4):
            player = first + sum(four)
            gains = [units[facts[one], of_banker] for one in (player, first + sum(others) - player)]
            each += sum(gains)
            both += gains[0] * gains[1]
            deals += 1
    mean = each / deals / 2
    assert isclose(covariance_among(pack, rules, mean), both / deals - mean**2, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("game", "decks", "covariance"),
    [
        ("gnau", 1, "312867211/250000000"),
        pytest.param("gnau", 8, "141224911/100000000", marks=pytest.mark.thorough),
        ("niu-niu", 1, "411503989/200000000"),
        ("tau-ngau", 1, "325327077/1000000000"),
    ],
)
def test_of_each_game_it_is_what_a_second_count_found(game: GameName, decks: int, covariance: str) -> None:
    """That count told apart whether a piece is lower than the banker's highest one, as high, or higher."""
    assert chances_under(GAMES[game].rules(), decks, several_hands=True)[2] == Fraction(covariance)


def test_where_suits_pay_it_is_not_known() -> None:
    assert covariance_of(GnauRules(suited_bonus=SuitedBonus.OX), 1) is None


@pytest.mark.parametrize("game", sample(GAMES, 1))
def test_the_band_of_luck_holds_as_often_as_it_says(game: str) -> None:
    """Within 1.96 standard deviations are 95 of 100 evenings, of players and of banks."""
    evenings, rounds, seats = sized(150, 400), 100, 3
    rules: HouseRules = GAMES[game].rules()
    odds = odds_of(rules)
    chances = Chances(-odds.bank_edge, odds.variance, covariance_of(rules, 1))
    chance, pack = random.Random(30), GAMES[game].pack(seats + 1, rules)
    none = Standing(1, EVERY, EVERY, NOBODY, 0, None, None, None, None, 0.0)
    lucks: dict[str, list[float]] = {"player": [], "bank": []}
    for _ in range(evenings):
        counted: dict[str, list[Luck]] = {who: [] for who in lucks}
        for _ in range(rounds):
            stakes = [chance.randrange(1, 20) for _ in range(seats)]
            gains = gains_of(dealt_hands(pack, seats + 1, chance), rules)
            gained = [gain * stake for gain, stake in zip(gains, stakes, strict=True)]
            counted["player"].append(luck_of(gained[0], stakes[:1], chances))
            counted["bank"].append(luck_of(-sum(gained), [-stake for stake in stakes], chances))
        for who, brought in counted.items():
            of_all = Luck(*map(sum, zip(*brought, strict=True)))
            deviations = none.plus(replace(none, **of_all._asdict())).deviations
            assert deviations is not None
            lucks[who].append(deviations)
    for who, luck in lucks.items():
        inside = fmean(abs(one) <= 1.96 for one in luck)
        assert abs(inside - 0.95) < 3.5 * sqrt(0.95 * 0.05 / evenings), (who, inside)
        assert abs(fmean(one**2 for one in luck) - 1) < 3.5 * sqrt(2.5 / evenings), who
