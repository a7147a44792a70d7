"""How two bets on one banker's hand hang together: in every deal of a small pack, and in rounds at random."""

from itertools import combinations
from math import isclose, sqrt

import numpy as np
import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.games.register import GAMES
from bot.games.tau_ngau.rules import TauNgauRules
from bot.odds.covariance import covariance_among, covariance_of
from bot.odds.evaluator import evaluator_of
from bot.odds.odds import odds_of
from bot.odds.simulation import dealt_rounds, gains_of
from bot.rules.cards import parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SuitedBonus
from bot.rules.pieces import Piece
from bot.rules.tiles import parse_tiles
from tests.sizes import sample, sized

SMALL: list[tuple[HouseRules, tuple[Piece, ...]]] = [
    (GnauRules(), tuple(parse_cards("AS AS AD 3C 3C 6D 6D KH KH QS JS 7C 9D 10C 2H"))),
    (NiuNiuRules(), tuple(parse_cards("AS AS 2H 3C 3C 7D 7D KH KS KS QS JS 8C 9D 10C"))),
    (TauNgauRules(), tuple(parse_tiles("4-2 2-1 6-6 6-6 1-1 1-1 5-5 5-5 6-4 6-1 5-2 4-1 3-1 6-3 5-4"))),
]


@pytest.mark.parametrize(("rules", "pack"), SMALL, ids=lambda one: getattr(one, "game", ""))
def test_it_is_what_every_deal_of_a_small_pack_brings(rules: HouseRules, pack: tuple[Piece, ...]) -> None:
    """With three hands of five, the banker's and two players' hands are the whole pack."""
    places = set(range(len(pack)))
    dealt = [
        (*banker, *player, *sorted(places - {*banker, *player}))
        for banker in combinations(places, 5)
        for player in combinations(sorted(places - {*banker}), 5)
    ]
    hands = np.array(pack, dtype=np.uint8)[np.array(dealt)]
    settled = evaluator_of(rules).settled
    one, two = (settled(hands[:, at : at + 5], hands[:, :5]).astype(float) for at in (5, 10))
    mean = float(one.mean())
    assert isclose(covariance_among(pack, rules, mean), float((one * two).mean()) - mean**2, rel_tol=1e-9)


def test_where_suits_pay_it_is_not_known() -> None:
    assert covariance_of(GnauRules(suited_bonus=SuitedBonus.OX), 1) is None


@pytest.mark.parametrize("game", sample(GAMES, 1))
def test_the_band_of_luck_holds_as_often_as_it_says(game: str) -> None:
    """Within 1.96 standard deviations are 95 of 100 evenings, of players and of banks."""
    evenings, rounds, seats = sized(600, 6_000), 200, 3
    rules: HouseRules = GAMES[game].rules()
    odds, covariance = odds_of(rules), covariance_of(rules, 1)
    assert covariance is not None
    chance = np.random.default_rng(30)
    pack = np.array(GAMES[game].pack(seats + 1, rules), dtype=np.uint8)
    every = dealt_rounds(pack, evenings * rounds, seats + 1, chance)
    gains = np.concatenate([gains_of(hands, evaluator_of(rules)) for hands in every], axis=1)
    stakes = chance.integers(1, 20, size=gains.shape)
    ahead = (gains + float(odds.bank_edge)) * stakes
    squares, total = (stakes**2).sum(axis=0), stakes.sum(axis=0)
    variance = squares * float(odds.variance) + (total**2 - squares) * float(covariance)
    for who, more, spread in (
        ("player", ahead[0], stakes[0] ** 2 * float(odds.variance)),
        ("bank", -ahead.sum(axis=0), variance),
    ):
        of_evenings = [one.reshape(evenings, rounds).sum(axis=1) for one in (more, spread)]
        luck = of_evenings[0] / np.sqrt(of_evenings[1])
        inside = float((np.abs(luck) <= 1.96).mean())
        assert abs(inside - 0.95) < 3.5 * sqrt(0.95 * 0.05 / evenings), (who, inside)
        assert abs(float((luck**2).mean()) - 1) < 3.5 * sqrt(2.5 / evenings), who
