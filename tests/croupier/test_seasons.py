"""Seasons: which rounds count, how one ends, and that no chip is lost whatever comes between."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import pytest

from bot.croupier.privacy import Privacy
from bot.croupier.season_ends import end_seasons
from bot.croupier.seasons import SeasonEndsError, next_name
from bot.croupier.standings import Standings
from bot.croupier.stored_tables import StoredTables
from bot.games.gnau.rules import GnauRules
from bot.games.tau_ngau.rules import TauNgauRules
from bot.ledger.changes import Change, Identity, NotAfter, Season, SeasonChanged
from bot.ledger.errors import LedgerUnavailable, TooLate
from bot.ledger.records import Leaderboard, ResetPreview
from bot.rules.knobs import Arrange, Play
from bot.table.accounts import MINT, Move, Reason, wallet
from bot.table.commands import Deal, GiveUpBank, Leave, PlaceBet, RevealHand, RollForBank, TakeBank
from bot.table.standings import EVERY, Measure, Standing, StandingKey
from bot.table.state import COMPUTERS, NOBODY, Phase, parse_state
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, failing
from tests.databases import new_postgres_database

CHANNEL = 77


@pytest.fixture(params=["sqlite", "postgres"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """Four members, on both engines; at the end the books and standings are checked, counted again too."""
    async with House(tmp_path / "gnau.db" if request.param == "sqlite" else new_postgres_database()) as house:
        for party in (MEI, ALICE, BOB, CHAN):
            await house.ledger.record(Identity(party, SERVER, party, f"Member {party}", "en-US"))
        await house.croupier.identities.load([MEI, ALICE, BOB, CHAN])
        yield house
        standings = Standings(house.ledger)
        assert await standings.count(SERVER, at_leisure=True)
        await house.check()
        before = await every_standing(house)
        await standings.clear()
        assert await standings.count(SERVER, at_leisure=True)
        assert await every_standing(house) == before


async def every_standing(house: House) -> dict[StandingKey, Standing]:
    found = [await house.ledger.standings_of(party) for party in (MEI, ALICE, BOB, CHAN)]
    return {one.key: one for some in found for one in some}


async def begun(house: House, *, resets: bool = True) -> Season:
    season = await house.croupier.seasons.start(SERVER, "Winter", CHANNEL, resets=resets)
    assert season is not None
    return season


async def play_round(house: House, table_id: int, stake: int = 10) -> None:
    """A round of Alice against Mei."""
    await house.bet(table_id, ALICE, stake)
    await dealt_out(house, table_id)


async def dealt_out(house: House, table_id: int) -> None:
    if house.table(table_id).phase is Phase.BETTING:
        await house.do(table_id, Deal(MEI), MEI)
    for party in (ALICE, MEI):
        if house.table(table_id).phase is Phase.DEALT:
            await house.do(table_id, RevealHand(party), party)


async def wins(house: House, season: Season) -> dict[int, float]:
    """What rounds of a season brought each member."""
    assert await Standings(house.ledger).count(SERVER, at_leisure=True)
    board = Leaderboard(SERVER, Measure.ROUNDS, season.period, EVERY, 0.0)
    return {one.party: one.amount for one in await house.ledger.leaders(board, 0, 9)}


async def chips(house: House) -> list[int]:
    return [(await house.ledger.purse(SERVER, party)).total for party in (MEI, ALICE, BOB, CHAN)]


async def over(house: House) -> list[bool]:
    """Whether each season is over, the newest first."""
    await end_seasons(house.croupier)
    return [one.is_over for one in await house.ledger.seasons(SERVER)]


async def test_rounds_between_its_start_and_its_end_count_and_chips_start_again(house: House) -> None:
    table_id = await house.open_with_bank(players=[ALICE])
    await play_round(house, table_id)
    first = await begun(house)
    assert await house.croupier.seasons.start(SERVER, "Another", None, resets=False) is None
    with pytest.raises(TooLate):
        await house.croupier.seasons.set_end(first, house.now, None, NotAfter(-inf))
    assert house.croupier.seasons.running(SERVER) == first
    for _ in range(2):
        await play_round(house, table_id)
    await house.give(ALICE, BOB, 50)
    other = await house.open_with_bank(CHAN, players=[BOB])
    # It ends in the middle of a round, which counts still; nobody begins another one.
    await house.bet(table_id, ALICE, 10)
    seasons = house.croupier.seasons
    ending = await seasons.set_end(first, house.now)
    assert ending is not None
    assert await seasons.set_end(first, None) is None, "it has changed meanwhile"
    assert await over(house) == [False]
    with pytest.raises(SeasonEndsError):
        await house.bet(other, BOB, 5)
    await house.restart()
    with pytest.raises(SeasonEndsError):
        await house.bet(other, BOB, 5)
    await dealt_out(house, table_id)
    await asyncio.gather(end_seasons(house.croupier), end_seasons(house.croupier))
    assert await over(house) == [True]
    assert await chips(house) == [1000] * 4
    assert (await house.ledger.entries(SERVER, BOB, 1))[0].reason == Reason.SEASON
    await play_round(house, table_id)
    assert await wins(house, first) == {MEI: 3, ALICE: 3}
    # The next one goes by what comes after it.
    second = await begun(house, resets=False)
    assert (second.number, await wins(house, second)) == (2, {})
    await play_round(house, table_id)
    had = await chips(house)
    assert await house.croupier.seasons.set_end(second, house.now) is not None
    assert await over(house) == [True, True]
    assert (await chips(house), await wins(house, second)) == (had, {MEI: 1, ALICE: 1})
    assert await wins(house, first) == {MEI: 3, ALICE: 3}


async def test_one_ends_by_date_and_the_next_one_a_month_later(house: House) -> None:
    january = datetime(2027, 1, 31, tzinfo=UTC).timestamp()
    season = await begun(house, resets=False)
    assert await house.croupier.seasons.set_end(season, january, 31) is not None
    assert await over(house) == [False]
    house.now = january + 60
    assert await over(house) == [False, True]
    following = house.croupier.seasons.running(SERVER)
    assert following is not None
    assert (following.name, following.number, following.started_at) == ("Winter 2", 2, house.now)
    assert following.ends_at == datetime(2027, 2, 28, tzinfo=UTC).timestamp()
    # After months without the bot, one ends and one begins.
    house.now = datetime(2027, 5, 2, tzinfo=UTC).timestamp()
    assert await over(house) == [False, True, True]
    last = house.croupier.seasons.running(SERVER)
    assert last is not None
    assert last.ends_at == datetime(2027, 5, 31, tzinfo=UTC).timestamp()


def test_the_next_one_has_the_next_number() -> None:
    assert [next_name(name) for name in ("Winter", "Winter 9", "2026")] == ["Winter 2", "Winter 10", "2026 2"]


@pytest.mark.parametrize("is_done", [False, True])
async def test_an_end_that_fails_or_of_which_nobody_knows_happens_once(house: House, is_done: bool) -> None:
    table_id = await house.open_with_bank(players=[ALICE])
    season = await begun(house)
    await play_round(house, table_id)
    # No round brings her that, so she has other chips than at the beginning.
    await house.give(ALICE, BOB, 3)
    await house.croupier.seasons.set_end(season, house.now)
    with failing(house.ledger, "commit", done=is_done), pytest.raises(LedgerUnavailable):
        await end_seasons(house.croupier)
    assert await chips(house) != [1000] * 4 or is_done
    await house.restart()
    assert await over(house) == [True]
    assert (await chips(house))[:2] == [1000, 1000]
    ended = [one for one in await house.ledger.entries(SERVER, ALICE, 9) if one.reason == Reason.SEASON]
    assert len(ended) == 1


@contextmanager
def behind(house: House, before: Callable[[], Awaitable[object]]) -> Iterator[None]:
    """Does something when a season's end is decided, and not written yet."""
    commit, is_done = house.ledger.commit, False

    async def commit_later(change: Change) -> bytes | None:
        nonlocal is_done
        if change.season is not None and not is_done:
            is_done = True
            await before()
        return await commit(change)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.ledger, "commit", commit_later)
        yield
    assert is_done


async def test_chips_that_move_with_the_end_of_a_season_do_not_delay_it(house: House) -> None:
    for party in (ALICE, BOB):
        await house.croupier.wallets.open(SERVER, party)
    await house.croupier.seasons.set_end(await begun(house), house.now)
    moves = [
        Change(
            f"opening:{SERVER}:{CHAN}",
            SERVER,
            house.now,
            (Move(MINT, wallet(CHAN), 1000, Reason.OPENING_CHIPS),),
        ),
        Change("1", SERVER, house.now, (Move(wallet(ALICE), wallet(BOB), 8, Reason.GIFT),)),
        Change("2", SERVER, house.now, (Move(wallet(BOB), wallet(CHAN), 9, Reason.GIFT),)),
    ]
    waiting: list[asyncio.Task[object]] = []

    async def in_one_batch() -> None:
        waiting.extend(asyncio.create_task(house.ledger.commit(one)) for one in moves)
        await asyncio.sleep(0)

    with behind(house, in_one_batch):
        assert await over(house) == [True]
    await asyncio.gather(*waiting)
    assert (await chips(house))[1:] == [1000] * 3


async def test_chips_of_many_members_are_reset_in_parts(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ledger.batch.MOST_RESET", 1)
    for party in (MEI, ALICE, BOB, CHAN):
        await house.croupier.wallets.open(SERVER, party)
    await house.croupier.seasons.set_end(await begun(house), house.now)
    for other in (ALICE, BOB, CHAN):
        await house.give(MEI, other, 5)
    assert await house.ledger.reset_preview(SERVER, 1000) == ResetPreview(4, 3, 15, 1, 15)
    commit, parts = house.ledger.commit, 0

    async def commit_twice(change: Change) -> bytes | None:
        nonlocal parts
        parts += change.reset_to is not None and change.season is None
        if parts > 2:
            raise LedgerUnavailable("killed")
        return await commit(change)

    with monkeypatch.context() as patch:
        patch.setattr(house.ledger, "commit", commit_twice)
        with pytest.raises(LedgerUnavailable):
            await end_seasons(house.croupier)
    assert sorted(await chips(house)).count(1000) == 2
    await house.restart()
    assert await over(house) == [True]
    assert await chips(house) == [1000] * 4


async def test_no_season_resets_chips_while_a_bet_is_on_its_way(house: House) -> None:
    table_id = await house.open_with_bank(players=[ALICE])
    await house.give(ALICE, BOB, 8)
    await house.croupier.seasons.set_end(await begun(house), house.now)

    async def bet() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(house.croupier.seasons, "refuse_new_round", lambda _: None)
            await house.bet(table_id, ALICE, 10)

    with behind(house, bet):
        assert await over(house) == [False]
    await dealt_out(house, table_id)
    assert await over(house) == [True]
    assert (await chips(house))[:3] == [1000] * 3


async def test_who_is_erased_has_no_line_and_gets_no_chips(house: House) -> None:
    table_id = await house.open_with_bank(players=[ALICE])
    season = await begun(house)
    await play_round(house, table_id)
    await house.give(MEI, BOB, 5)
    await Privacy(house.croupier).erase(SERVER, BOB)
    await house.croupier.seasons.set_end(season, house.now)
    assert await over(house) == [True]
    assert (await house.ledger.purse(SERVER, BOB)).total == 0
    await house.do(table_id, Leave(ALICE), ALICE)
    await house.do(table_id, GiveUpBank(MEI), MEI)
    await Privacy(house.croupier).erase(SERVER, ALICE)
    assert await wins(house, season) == {MEI: 1}


async def test_it_waits_for_points_and_computer_players_bet_no_more(house: House) -> None:
    # Where members arrange their hands, no chances are counted, which takes long for many hands.
    house.rules = GnauRules(computer_players=2, last_call_seconds=0, arrange=Arrange.STRICT)
    points = await house.open(MEI, play=Play.POINTS)
    rules = house.rules.model_copy(update={"play": Play.POINTS, "computer_players": 0})
    await house.do(points.table_id, TakeBank(MEI, 1, 9, rules), MEI)
    await house.join(points.table_id, ALICE)
    await house.bet(points.table_id, ALICE, 1)
    table_id = await house.open_with_bank(CHAN)
    assert [seat.party for seat in house.table(table_id).bets] == [*COMPUTERS[:2]]
    season = await begun(house)
    await house.croupier.seasons.set_end(season, house.now)
    assert await over(house) == [False]
    await dealt_out(house, points.table_id)
    for _ in range(2):
        house.now += 600
        await house.croupier.go_on()
    assert not house.table(table_id).bets
    assert await over(house) == [True]
    assert house.croupier.rules_for(house.table(table_id)).computer_players == 2


async def test_it_does_not_wait_for_a_table_that_cannot_be_read(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Holds at two tables are not counted among the wallets that one transaction resets.
    monkeypatch.setattr("bot.ledger.batch.MOST_RESET", 1)
    table_id = await house.open_with_bank(players=[ALICE])
    other_id = await house.open_with_bank(CHAN, players=[ALICE])
    await house.give(ALICE, BOB, 8)
    for one in (table_id, other_id):
        await house.bet(one, ALICE, 10)
    held = (await house.ledger.purse(SERVER, ALICE)).held
    assert len(held) == 2
    await house.croupier.seasons.set_end(await begun(house), house.now)

    async def read(*_: object) -> object:
        return parse_state("{}")

    with monkeypatch.context() as unreadable:
        unreadable.setattr(StoredTables, "_read", read)
        await house.restart()
        assert await over(house) == [True]
    assert f"held at tables that cannot be read: {table_id}, {other_id}" in caplog.text
    purse = await house.ledger.purse(SERVER, ALICE)
    assert (purse.wallet, purse.held) == (1000, held)
    await house.restart()
    await dealt_out(house, table_id)


async def test_a_server_that_is_erased_has_no_season(house: House) -> None:
    await house.croupier.seasons.set_end(await begun(house, resets=False), house.now)
    assert await over(house) == [True]
    table_id = await house.open_with_bank(players=[ALICE])
    season = await begun(house)
    await play_round(house, table_id)
    assert await wins(house, season) == {MEI: 1, ALICE: 1}
    await house.do(table_id, Leave(ALICE), ALICE)
    await house.do(table_id, GiveUpBank(MEI), MEI)
    await Privacy(house.croupier).erase_server(SERVER)
    assert await house.ledger.seasons(SERVER) == []
    assert house.croupier.seasons.running(SERVER) is None
    again = await begun(house)
    assert (again.number, await wins(house, again)) == (1, {})
    assert await house.ledger.standing(SERVER, NOBODY, again.period, EVERY) is None
    await house.croupier.seasons.set_end(again, house.now)
    assert await over(house) == [True]


async def test_bets_that_wait_for_another_player_go_back(house: House) -> None:
    house.rules = TauNgauRules(last_call_seconds=0)
    table_id = (await house.open(MEI, game="tau-ngau")).table_id
    await house.join(table_id, MEI, ALICE, BOB)
    await house.do(table_id, RollForBank(MEI, (), house.rules), MEI)
    bank = house.table(table_id).bank
    assert bank is not None
    bettor = ALICE if bank.party != ALICE else BOB
    await house.do(table_id, PlaceBet(bettor, 5), bettor)
    assert house.table(table_id).deadline is None
    await house.croupier.seasons.set_end(await begun(house), house.now)
    assert await over(house) == [True]
    assert not house.table(table_id).bets


async def test_a_season_is_changed_as_it_is_stored_or_not_at_all(house: House) -> None:
    season = await begun(house)
    ledger, seasons = house.ledger, house.croupier.seasons
    posted = replace(season, is_posted=True)
    assert await seasons.note(season, posted)
    assert not await seasons.note(season, posted)
    assert [one.is_posted for one in await ledger.seasons(SERVER)] == [True]
    changed = SeasonChanged(None, Season(SERVER, 2, "Another", False, None, None, house.now))
    with pytest.raises(Exception, match=r"UNIQUE|unique"):
        await ledger.record(changed)
