"""What an audit says: it follows from the ledger, finds chips lost on purpose, and names no honest play.

How many of a hundred audits named a pair, with the first hundred seeds. Each is of 12 members and their 66
pairs, in 300 rounds with four players, besides those of the planted pair.

| how they play | an honest pair | the planted pair |
| --- | --- | --- |
| hands automatic, bets of 5 to 100 | 0 | |
| hands automatic, the bet doubled after each loss, up to 320 | 0 | |
| members arrange, a wrong ox in one hand of ten | 0 | |
| the same, and one lays a wrong ox on purpose against one banker, in 10 more rounds of 50 chips | 0 | 33 |
| in 20 more | 0 | 91 |
| in 50 more | 0 | 100 |
"""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from bot.clock import WEEK_SECONDS
from bot.croupier.standings import Standings
from bot.games.gnau.rules import GnauRules
from bot.games.hands import decks_in_play, hand_of, shuffled_pack
from bot.games.settle import settle
from bot.ledger.audit_queries import MOST_ROUNDS, flows_in
from bot.odds.chances import chances_under
from bot.rules.knobs import Arrange
from bot.rules.pieces import HAND_SIZE, Piece
from bot.table.accounts import OF_PLAY, Reason
from bot.table.audit import Flow, FlowKey, Hands, Pair, flows_of, is_beyond_chance, is_beyond_mistakes
from bot.table.standings import Chances
from bot.table.state import Opening, PlayerResult, RoundResult
from tests.croupier.croupier_house import SERVER, House
from tests.croupier.test_house_bank import against_the_house, settled
from tests.croupier.test_standings import WHO, counted
from tests.croupier.test_standings import played as played
from tests.sizes import sized

MEMBERS = range(1, 13)
PLANTED = (3, 8)
"""Who loses on purpose, and to whom, or the other way round."""
AUTOMATIC, STRICT = GnauRules(), GnauRules(arrange=Arrange.STRICT)
PLAYERS = 4
SPLITS = tuple(combinations(range(HAND_SIZE), 3))


class Evening:
    """Rounds of many members, and what an audit says of each pair."""

    def __init__(self, rules: GnauRules, seed: int) -> None:
        self.rules = rules
        self.random = Random(seed)
        self.chances = {
            players: Chances(*chances_under(rules, decks_in_play(rules, players + 1), several_hands=False))
            for players in (1, PLAYERS)
        }
        self.flows: dict[FlowKey, Flow] = {}

    def round(self, banker: int, bets: dict[int, int], mistakes: dict[int, float]) -> RoundResult:
        """Plays a round; each of these members lays a wrong ox as often as it says."""
        pack = shuffled_pack(len(bets) + 1, self.rules, self.random.randrange)
        hands = {party: pack[at * HAND_SIZE :][:HAND_SIZE] for at, party in enumerate((banker, *bets))}
        declared = {
            party: self._weakest(hand) if self.random.random() < mistakes.get(party, 0.0) else None
            for party, hand in hands.items()
        }
        bankers = hand_of(hands[banker], declared[banker], self.rules)
        players = []
        for seat, (party, stake) in enumerate(bets.items(), 1):
            duel = settle(hand_of(hands[party], declared[party], self.rules), bankers, self.rules)
            players.append(
                PlayerResult(
                    seat, party, stake, hands[party], duel.outcome, duel.units * stake, declared[party]
                )
            )
        result = RoundResult(
            1,
            self.rules,
            banker,
            hands[banker],
            tuple(players),
            declared_ox=declared[banker],
            opening=Opening("", ""),
        )
        for flow in flows_of(SERVER, 0.0, result, self.chances[len(bets)]):
            before = self.flows.get(flow.key)
            self.flows[flow.key] = flow if before is None else before.plus(flow)
        return result

    def _weakest(self, hand: tuple[Piece, ...]) -> tuple[int, ...]:
        return min(SPLITS, key=lambda ox: hand_of(hand, ox, self.rules).strength)

    def named(self) -> set[tuple[int, int]]:
        """The pairs beyond chance."""
        flows, hands = self.flows.values(), dict.fromkeys(MEMBERS, Hands())
        for flow in flows:
            for party, arranged, weaker in (
                (flow.one, flow.hands_one, flow.weaker_one),
                (flow.other, flow.hands_other, flow.weaker_other),
            ):
                before = hands[party]
                hands[party] = Hands(before.arranged + arranged, before.weaker + weaker)
        pairs = [Pair.of(flow, 0, hands) for flow in flows]
        return {
            (one.one, one.other)
            for one in pairs
            if is_beyond_chance(one, len(pairs)) or is_beyond_mistakes(one, len(pairs))
        }


def honest(rules: GnauRules, seed: int, rounds: int, mistakes: float, *, doubling: bool = False) -> Evening:
    """An evening on which nobody loses on purpose."""
    evening = Evening(rules, seed)
    bets = dict.fromkeys(MEMBERS, 5)
    for _ in range(rounds):
        banker, *players = evening.random.sample(MEMBERS, PLAYERS + 1)
        if not doubling:
            bets = {party: evening.random.choice((5, 10, 20, 50, 100)) for party in players}
        result = evening.round(
            banker, {party: bets[party] for party in players}, dict.fromkeys(MEMBERS, mistakes)
        )
        for one in result.players:
            bets[one.party] = min(2 * one.stake, 320) if one.chips < 0 else 5
    return evening


AUDITS, ROUNDS = sized(3, 20), sized(150, 300)


@pytest.mark.parametrize(
    ("rules", "mistakes", "doubling"), [(AUTOMATIC, 0.0, False), (AUTOMATIC, 0.0, True), (STRICT, 0.1, False)]
)
def test_honest_play_is_not_named(rules: GnauRules, mistakes: float, doubling: bool) -> None:
    named = [honest(rules, seed, ROUNDS, mistakes, doubling=doubling).named() for seed in range(AUDITS)]
    assert sum(map(bool, named)) <= AUDITS // 100


def test_who_loses_on_purpose_is_found() -> None:
    for seed in range(AUDITS):
        evening = honest(STRICT, seed, ROUNDS, 0.1)
        # Either of the two may have the smaller party.
        loser, winner = PLANTED if seed % 2 else PLANTED[::-1]
        for _ in range(50):
            evening.round(winner, {loser: 50}, {loser: 1.0})
        assert evening.named() == {PLANTED}, seed


async def flowed(house: House) -> dict[FlowKey, Flow]:
    """Every flow."""
    found: dict[FlowKey, Flow] = {}
    async with house.ledger.reading() as connection:
        for server_id in set(WHO.values()):
            found |= await flows_in(connection, server_id)
    return found


async def test_weeks_are_the_same_before_their_rounds_are_counted(
    played: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.croupier.standings.AT_ONCE", 1)
    table_id, gains = await against_the_house(played), list[int]()
    # After ties, and after as much won as lost, the house would have nothing of the week.
    while not sum(gains):
        result = (await settled(played, table_id)).last
        assert result is not None
        gains.append(dict(result.gains)[result.banker])
    for _ in range(2):
        played.now += WEEK_SECONDS
        await settled(played, table_id)
    standings = Standings(played.ledger)
    weeks = [await played.ledger.supplies(SERVER, 5, played.now)]
    while not await standings.count(SERVER, most=1, at_leisure=True):
        weeks.append(await played.ledger.supplies(SERVER, 5, played.now))
    assert weeks == [weeks[0]] * len(weeks)
    assert [bool(week.owned) for week in weeks[0]] == [False, False, True, True, True]
    assert any(week.house for week in weeks[0][:-1])


async def test_an_audit_follows_from_the_ledger_and_the_record(played: House) -> None:
    await counted(played)
    for server_id in set(WHO.values()):
        net, gifts, handed = Counter[tuple[int, int]](), Counter[tuple[int, int]](), Counter[str]()
        owned = 0
        for party in WHO:
            owned += (await played.ledger.purse(server_id, party)).total
            for entry in await played.ledger.entries(server_id, party, 1 << 20):
                if entry.other is None:
                    handed[entry.reason] += entry.chips
                elif entry.other in WHO and entry.other < party:
                    (net if entry.reason in OF_PLAY else gifts)[entry.other, party] += entry.chips
        pairs, of = await played.ledger.pairs(server_id, 4, played.now)
        assert {(one.one, one.other): one.net for one in pairs if one.net} == {
            pair: chips for pair, chips in net.items() if chips
        }
        assert {(one.one, one.other): one.gifts for one in pairs if one.gifts} == gifts
        assert of == sum(one.luck_rounds > 0 for one in pairs) > 0
        for pair in (one.turned() for one in pairs):
            rounds = await played.ledger.rounds_between(server_id, pair.one, pair.other, 0.0)
            # Of more rounds, only those in which most went are shown.
            assert len(rounds) == MOST_ROUNDS or sum(one.chips for one in rounds) >= pair.net
            given = await played.ledger.gifts_between(server_id, pair.one, pair.other, 0.0)
            assert len(given) == MOST_ROUNDS or sum(one.chips for one in given) >= pair.gifts
            assert all(0 < one.at <= played.now for one in given)
        *before, last = await played.ledger.supplies(server_id, 4, played.now)
        assert (last.change, last.owned, [one.owned for one in before]) == (owned, owned, [0, 0, 0])
        assert last.changes[Reason.OPENING_CHIPS] == handed[Reason.OPENING_CHIPS]
    found = await flowed(played)
    assert any(one.side for one in found.values())
    await Standings(played.ledger).clear()
    assert await flowed(played) == {}
    await counted(played)
    assert await flowed(played) == found
