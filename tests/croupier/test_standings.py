"""Standings: what counted rounds brought members, by game and period, and who leads by them."""

import asyncio
import re
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.croupier.identities import User
from bot.croupier.privacy import Privacy
from bot.croupier.replay import verify_tables
from bot.croupier.rounds import every_settled_round
from bot.croupier.standings import CHANCES, Standings, chances_of, known
from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import Identity, RoundsCounted
from bot.ledger.rank_queries import LARGE
from bot.ledger.records import Leaderboard, OwnRank, Rank
from bot.odds.chances import chances_under
from bot.rules.knobs import Arrange, Play
from bot.table.accounts import OF_PLAY
from bot.table.achievements import Achievement
from bot.table.audit import week_of
from bot.table.commands import Deal
from bot.table.standings import (
    AS_BANKER,
    BY_DAY,
    EVERY,
    HIGH_PART,
    MILLION,
    Measure,
    Period,
    Standing,
    StandingKey,
    Tally,
    TallyKey,
    period_name,
)
from bot.table.state import NOBODY, hand_in
from bot.ui.profile import Profile, picture_words, profile_words
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, NOON, OTHER_SERVER, SERVER, House
from tests.croupier.long_evening import DORA, LongEvening
from tests.databases import new_postgres_database

WHO = {MEI: SERVER, ALICE: SERVER, BOB: OTHER_SERVER, CHAN: OTHER_SERVER, DORA: SERVER}
"""Members, and the server that knows who they are; in the other one they are as if erased."""
EVERYTHING = 1 << 20


def test_periods_are_months_and_iso_weeks_in_utc() -> None:
    newyear = datetime(2027, 1, 1, 0, 0, tzinfo=UTC).timestamp()
    assert [period_name(period, newyear) for period in Period] == ["all", "2027-01", "2026-W53"]
    assert [period_name(period, newyear - 0.5) for period in Period] == ["all", "2026-12", "2026-W53"]


@pytest.fixture(params=["sqlite", "postgres"])
async def played(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """A long evening at every game, on both engines, of which nothing is counted yet."""
    database = tmp_path / "gnau.db" if request.param == "sqlite" else new_postgres_database()
    async with House(database) as house:
        for party, server_id in WHO.items():
            await house.ledger.record(Identity(party, server_id, party, f"Member {party}", "en-US"))
        await LongEvening(house).play()
        yield house
        assert await verify_tables(house.ledger) == []


async def counted(house: House) -> list[Standing]:
    """Counts every round; returns all standings."""
    async for _ in Standings(house.ledger).count_all():
        pass
    assert await house.ledger.servers_to_count() == {}
    return [one for party in (*WHO, NOBODY) for one in await house.ledger.standings_of(party)]


async def test_every_figure_is_what_the_ledger_and_the_rounds_say(played: House) -> None:
    ledger = played.ledger
    assert sum((await ledger.servers_to_count()).values()) > 12
    assert await verify_tables(ledger) == [], "what is not counted yet is no fault"
    found = {one.key: one for one in await counted(played)}
    assert {key.party for key in found} == {*WHO, NOBODY}
    rounds: defaultdict[int, int] = defaultdict(int)
    best: defaultdict[tuple[int, str], int] = defaultdict(int)
    of_game = partial(ledger.many_entries, limit=EVERYTHING)
    async for server_id, past in every_settled_round(ledger):
        for party in past.result.parties:
            rounds[party] += WHO.get(party) == server_id
        hands = [(one.party, hand_in(past.result, one)) for one in past.result.players]
        for party, hand in [*hands, (past.result.banker, hand_in(past.result, past.result))]:
            if WHO.get(party) == server_id:
                best[party, hand.game] = max(best[party, hand.game], hand.strength)
    for party, server_id in WHO.items():
        entries = await ledger.entries(server_id, party, EVERYTHING)
        won = [one for one in entries if one.reason in OF_PLAY]
        by_round: defaultdict[tuple[int | None, int | None], int] = defaultdict(int)
        for one in won:
            by_round[one.table_id, one.round_number] += one.chips
        purse = await ledger.purse(server_id, party)
        for period in Period:
            standing = found[StandingKey(server_id, period_name(period, played.now), EVERY, party)]
            assert (standing.net or 0) == sum(one.chips for one in won)
            assert standing.biggest == max([chips for chips in by_round.values() if chips > 0], default=None)
            assert (standing.points or 0) == purse.score
            assert (standing.rounds, standing.best) == (rounds[party], None)
            games = [found[key] for key in found if key[1:] == (standing.period, key.game, party)]
            by_game = [one for one in games if one.game not in (EVERY, AS_BANKER)]
            assert sum(one.rounds for one in by_game) == rounds[party]
            assert sum(one.net or 0 for one in by_game) == (standing.net or 0)
            assert {one.game: one.net or 0 for one in by_game} == {
                one.game: sum([line.chips for line in await of_game(server_id, party, part=one.game)])
                for one in by_game
            }
            assert {one.game: one.best for one in by_game if one.best is not None} == {
                game: strength for (whose, game), strength in best.items() if whose == party
            }


async def tallies(house: House) -> dict[TallyKey, Tally]:
    """Every tally of the members."""
    found = [await house.ledger.tallies_of(server_id, party) for party, server_id in WHO.items()]
    return {one.key: one for some in found for one in some}


async def test_every_tally_is_what_the_rounds_say(played: House) -> None:
    await counted(played)
    due: defaultdict[TallyKey, list[tuple[int, int]]] = defaultdict(list)
    async for server_id, past in every_settled_round(played.ledger):
        result, gained = past.result, Counter[int]()
        counts = int(result.rules.play is Play.CHIPS)
        for party, chips in result.gains:
            gained[party] += chips
        own = [(one.party, hand_in(result, one), one.chips) for one in result.players]
        own.append((result.banker, hand_in(result, result), result.bank_chips))
        of_round = [(party, result.rules.game, int(hand.hand_class), chips) for party, hand, chips in own]
        of_round += [(party, BY_DAY, int(past.at // 86_400), chips) for party, chips in gained.items()]
        of_round.append((result.banker, AS_BANKER, 0, result.bank_chips))
        for party, part, item, chips in of_round:
            if WHO.get(party) == server_id:
                due[TallyKey(server_id, party, part, item)].append((chips, chips * counts))
    assert await tallies(played) == {
        key: Tally(*key, len(some), sum(chips > 0 for chips, _ in some), sum(net for _, net in some))
        for key, some in due.items()
    }


async def test_the_lines_of_a_profile_add_up_to_its_total(played: House) -> None:
    await counted(played)
    ledger, by_side_bets = played.ledger, Counter[int]()
    async for server_id, past in every_settled_round(ledger):
        for one in past.result.side_bets if past.result.rules.play is Play.CHIPS else ():
            by_side_bets[one.party] += one.chips * (WHO.get(one.party) == server_id)
    assert by_side_bets, "somebody backed a player for chips"
    for party, server_id in WHO.items():
        standing, days = (
            await ledger.standing(server_id, party),
            await ledger.days_played(server_id, party, 0),
        )
        assert standing is not None
        assert days is not None
        purse, results = await ledger.purse(server_id, party), await ledger.results_of(server_id, party)
        profile = Profile(party, "Mei", standing, results, days, purse, (0, 0))
        line = re.compile(r": won (\d+) of (\d+), ([+−±\d,]+)(?: · |$)", re.MULTILINE)
        of_lines = [
            [int(re.sub("[+±,]", "", figure).replace("−", "-")) for figure in one]
            # The picture has the hands of the game that is named first, and small print says what they are.
            for one in [
                *line.findall(picture_words(profile)),
                *line.findall(re.sub("(?m)^-# .*", "", profile_words(profile)))[bool(profile.games) :],
            ]
        ]
        by_hand = re.findall("(?m)^-# (.+: won .+)$", profile_words(profile))
        assert picture_words(profile).endswith(" · ".join(by_hand))
        total = [sum(figures) for figures in zip(*of_lines, strict=True)]
        assert total == [days.won, standing.rounds, standing.net or 0]
        side_bets = profile.side_bets
        assert (0 if side_bets is None else side_bets.net) == by_side_bets[party]


async def test_luck_is_that_of_a_members_bets_and_a_servers_that_of_all_against_its_banks(
    played: House,
) -> None:
    found = {one.key: one for one in await counted(played)}
    due: defaultdict[StandingKey, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * 3)
    has_several = set[int]()
    async for server_id, past in every_settled_round(played.ledger):
        result, gained = past.result, Counter[int]()
        if result.rules.play is not Play.CHIPS:
            continue
        game, banker = result.rules.game, result.banker
        is_chance = result.rules.arrange is Arrange.AUTOMATIC
        chances = await chances_of(result) if is_chance else None
        on: defaultdict[int, Counter[int]] = defaultdict(Counter)
        bets = [(one.party, one.party, one.stake) for one in result.players]
        for party, hand, stake in [*bets, *((one.party, one.backed, one.stake) for one in result.side_bets)]:
            on[party][hand] += stake
            on[banker][hand] -= stake
        for party, chips in result.gains:
            gained[party] += chips
        against = Counter({hand: -stake for hand, stake in on[banker].items()})
        counts: list[tuple[int, tuple[str, ...], int, Counter[int]]]
        counts = [(NOBODY, (EVERY, game), -gained[banker], against)]
        counts.append((NOBODY, (AS_BANKER,), gained[banker], on[banker]))
        counts += [
            (party, (EVERY, game, AS_BANKER) if party == banker else (EVERY, game), gained[party], on[party])
            for party in gained
            if WHO.get(party) == server_id
        ]
        for party, games, chips, stakes in counts:
            counts_for_luck = chances is not None and (len(stakes) == 1 or chances.covariance is not None)
            for period, of in product(map(partial(period_name, at=past.at), Period), games):
                sums = due[StandingKey(server_id, period, of, party)]
                if chances is not None and counts_for_luck:
                    sums[0] += 1
                    sums[1] += chips - stakes.total() * chances.mean
                    for (hand, stake), (other, more) in product(stakes.items(), repeat=2):
                        together = chances.variance if hand == other else chances.covariance
                        sums[2] += stake * more * (together or 0)
            if counts_for_luck and len(stakes) > 1:
                has_several.add(party)
    assert {key for key in found if key.party == NOBODY} == {key for key in due if key.party == NOBODY}
    assert due.keys() <= found.keys()
    for key, stored in found.items():
        rounds, ahead, variance = due[key]
        assert stored.luck_rounds == rounds <= stored.rounds
        assert stored.ahead == pytest.approx(float(ahead * MILLION), abs=float(rounds)), key
        of_all = stored.variance_high * HIGH_PART + stored.variance_low
        assert of_all == pytest.approx(float(variance * MILLION), abs=float(rounds)), key
    assert max(rounds for rounds, *_ in due.values()) > 2
    assert has_several > {NOBODY}, "several hands of a round hang together, for a banker too"
    for measure in (Measure.ROUNDS, Measure.LUCK, Measure.CHIPS):
        board = Leaderboard(SERVER, measure, EVERY, EVERY, 0.0)
        assert NOBODY not in {one.party for one in await played.ledger.leaders(board, 0, 99)}


async def test_counting_again_from_the_record_gives_the_same(played: House) -> None:
    before, tallied = await counted(played), await tallies(played)
    again = Standings(played.ledger)
    left = sum((await played.ledger.servers_to_count()).values())
    assert (left, await again.clear() > 12) == (0, True)
    assert [one for party in WHO for one in await played.ledger.standings_of(party)] == []
    assert await tallies(played) == {}
    assert await counted(played) == before
    assert await tallies(played) == tallied


async def test_who_is_erased_is_in_no_standing_and_stays_out(played: House) -> None:
    before = await counted(played)
    await Standings(played.ledger).clear()
    for table in played.croupier.tables.all():
        await played.croupier.wind_up([table])
    assert isinstance(await Privacy(played.croupier).erase(SERVER, ALICE), int)
    assert await counted(played) == [one for one in before if one.party != ALICE]
    assert isinstance(await Privacy(played.croupier).erase(OTHER_SERVER, BOB), int)
    assert await played.ledger.standings_of(BOB) == []
    assert not {ALICE, BOB} & {key.party for key in await tallies(played)}


async def test_each_round_counts_once_also_if_others_count_at_the_same_time(played: House) -> None:
    one, other = Standings(played.ledger), Standings(played.ledger)
    await asyncio.gather(*(counting.count(SERVER, 9) for counting in (one, other, one)))
    assert await verify_tables(played.ledger) == []
    await counted(played)


async def test_who_needs_no_new_chances_does_not_wait_and_new_ones_are_counted_once(
    played: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await counted(played)
    asked = list[object]()

    def note(*bets: Any) -> tuple[Fraction, Fraction, Fraction | None]:
        asked.append(bets)
        return chances_under(*bets)

    monkeypatch.setattr("bot.croupier.standings.chances_under", note)
    standings, over = Standings(played.ledger), threading.Event()
    await standings.clear()
    counting = CHANCES.submit(over.wait)
    try:
        monkeypatch.setattr("bot.croupier.standings.PATIENCE_SECONDS", 20)
        assert await standings.count(OTHER_SERVER, EVERYTHING)
        known.clear()
        monkeypatch.setattr("bot.croupier.standings.PATIENCE_SECONDS", 0.1)
        for _ in range(3):
            assert not await standings.count(SERVER)
        at_leisure = asyncio.create_task(standings.count(SERVER, EVERYTHING, at_leisure=True))
        await asyncio.sleep(0)
        assert not await asyncio.wait_for(standings.count(SERVER), 60)
    finally:
        over.set()
    assert counting.result()
    assert await at_leisure
    assert len(asked) == len(set(asked)) > 0


async def test_what_is_not_as_the_rounds_say_is_a_fault(tmp_path: Path) -> None:
    async with House(tmp_path / "gnau.db") as house:
        await house.ledger.record(Identity(ALICE, SERVER, ALICE, "Alice", "en-US"))
        await LongEvening(house).play()
        await counted(house)
        with closing(sqlite3.connect(tmp_path / "gnau.db")) as connection, connection:
            whose = f"WHERE party = {ALICE} AND period ="
            connection.execute(f"UPDATE standings SET rounds = rounds + 1 {whose} 'all' AND game = 'all'")
            connection.execute(f"DELETE FROM standings {whose} '2026-09' AND game = 'gnau'")
            connection.execute(f"UPDATE tallies SET won = 99 WHERE party = {ALICE} AND part = 'day'")
            connection.execute(
                f"UPDATE flows SET net = 99 WHERE one = {MEI} AND other = {ALICE} AND server_id = {SERVER}"
            )
        found = [str(one) for one in await verify_tables(house.ledger)]
    assert [one.partition(" is ")[0] for one in found] == [
        f"server {SERVER}: the standing of party {ALICE} (2026-09, gnau)",
        f"server {SERVER}: the standing of party {ALICE} (all, all)",
        f"server {SERVER}: the tally of party {ALICE} (day, {int(NOON // 86_400)})",
        f"server {SERVER}: what flowed between parties {MEI} and {ALICE} in week {week_of(NOON)}",
    ]


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_who_breaks_a_bank_has_achieved_that(engine: str, tmp_path: Path) -> None:
    async with House(tmp_path / "gnau.db" if engine == "sqlite" else new_postgres_database()) as house:
        for party in (MEI, ALICE):
            await house.ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
        house.rules = GnauRules(opening_chips=35)
        table_id = await house.open_with_bank()
        brought, rounds = 0, 0
        while brought >= 0:
            if brought:
                await house.give(MEI, ALICE, brought)
            await house.bet(table_id, ALICE, 5)
            await house.do(table_id, Deal(MEI), MEI)
            house.now += house.rules.arranging_seconds
            await house.croupier.go_on()
            last = house.table(table_id).last
            assert last is not None
            brought, rounds = last.bank_chips, rounds + 1
        await counted(house)
        progress = await house.ledger.progress_of(SERVER, [MEI, ALICE])
        of_alice = {one.achievement: one.round_number for one in progress[ALICE].reached}
        assert of_alice[Achievement.BANK_BROKEN] == rounds
        assert progress[MEI].banked == 0
        assert await verify_tables(house.ledger) == []


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_months_are_found_among_all_periods_the_newest_first(engine: str, tmp_path: Path) -> None:
    async with House(tmp_path / "gnau.db" if engine == "sqlite" else new_postgres_database()) as house:
        assert await house.ledger.months_counted(SERVER, 9) == []
        for period in ("all", "2026-W01", "2026-11", "2025-12", "2025-W50", "season-1", "2026-01"):
            one = Standing(SERVER, period, EVERY, NOBODY, 1, None, None, None, None, NOON)
            await house.ledger.record(RoundsCounted(SERVER, (), (one, replace(one, game="gnau"))))
        assert await house.ledger.months_counted(SERVER, 9) == ["2026-11", "2026-01", "2025-12"]
        assert await house.ledger.months_counted(SERVER, 1) == ["2026-11"]
        assert await house.ledger.months_counted(OTHER_SERVER, 9) == []


async def leaders(house: House, board: Leaderboard) -> tuple[list[Rank], list[Rank]]:
    """The members of a leaderboard on two pages of two."""
    first, second = [await house.ledger.leaders(board, offset, 2) for offset in (0, 2)]
    return first, second


@pytest.mark.parametrize("large", [LARGE, 2], ids=["counted", "kept"])
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_equals_share_a_place_and_those_who_are_hidden_left_or_away_have_none(
    engine: str, large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.rank_queries.LARGE", large)
    address = new_postgres_database()
    async with House(tmp_path / "gnau.db" if engine == "sqlite" else address) as house:
        ledger, identities = house.ledger, house.croupier.identities
        rows = [(ALICE, 5, 30.0), (BOB, 9, 10.0), (CHAN, 5, 20.0), (MEI, -4, 40.0), (DORA, 7, 5.0)]
        for party, net, at in rows:
            await ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
            standing = Standing(SERVER, EVERY, EVERY, party, 1, net, None, None, None, at)
            await ledger.record(RoundsCounted(SERVER, (), (standing,)))
            await ledger.ensure_wallet(SERVER, party, 100 + net, NOON)
        by_net = Leaderboard(SERVER, Measure.NET, EVERY, EVERY, 10.0)
        assert await leaders(house, by_net) == (
            [Rank(1, BOB, 9), Rank(2, ALICE, 5)],
            [Rank(2, CHAN, 5), Rank(4, MEI, -4)],
        )
        assert await ledger.rank(by_net, CHAN) == OwnRank(2, CHAN, 5, 2)
        assert await ledger.rank(by_net, DORA) is None, "who has not played for long is not listed"
        assert await ledger.rank(by_net, 99) is None
        by_chips = replace(by_net, measure=Measure.CHIPS)
        for board in (by_net, replace(by_net, period="season-1"), by_chips):
            kept = set(ledger._orders)
            first = await ledger.first_leaders(board, 3)
            assert set(ledger._orders) == kept, "a site is not to read all of each list"
            assert first == await ledger.leaders(board, 0, 3)
        assert [rank.amount for page in await leaders(house, by_chips) for rank in page] == [
            109,
            105,
            105,
            96,
        ]
        assert await ledger.rank(by_chips, ALICE) == OwnRank(2, ALICE, 105, 2)
        assert await ledger.rank(by_chips, DORA) is None
        ledger._orders.clear()
        for board in (by_chips, by_net):
            ever = replace(board, since=0.0)
            assert [await ledger.has_rank(ever, party) for party in (DORA, 99)] == [True, False]
            assert not await ledger.has_rank(board, DORA)
        assert not ledger._orders, "an order with those who are away is not kept for others"
        assert await leaders(house, replace(by_net, measure=Measure.POINTS)) == ([], [])
        await identities.load(WHO)
        await identities.set_hidden(BOB, is_hidden=True)
        await identities.set_left(CHAN)
        assert await ledger.rank(by_net, BOB) == OwnRank(1, BOB, 9, 0), "who hides sees their place"
        for board in (by_net, by_chips):
            pages = await leaders(house, board)
            assert not {BOB, CHAN} & {rank.party for page in pages for rank in page}, "without delay"
            await ledger.read_order(board)
            first, second = await leaders(house, board)
            assert [(rank.place, rank.party) for rank in first] == [(1, ALICE), (2, MEI)]
            assert not second
            own = await ledger.rank(board, MEI)
            assert own == OwnRank(2, MEI, first[1].amount, 1)
        await identities.party_of(SERVER, User(CHAN, "Chan", "en-US"))
        await identities.set_hidden(BOB, is_hidden=False)
        await ledger.read_order(by_net)
        assert [rank.party for rank in await ledger.leaders(by_net, 0, 9)] == [BOB, ALICE, CHAN, MEI]
        assert not ledger.is_outdated(by_net)
        monkeypatch.setattr("bot.ledger.rank_queries.ORDER_SECONDS", -1.0)
        assert ledger.is_outdated(by_net)
        assert not ledger.is_outdated(replace(by_net, game="gnau")), "nobody has asked for it"
