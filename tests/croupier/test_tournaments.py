"""Tournaments from the croupier down: who pays, who plays, and where the pot goes whatever happens."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext

import pytest

from bot.clock import DAY_SECONDS
from bot.croupier.handouts import Handout, Handouts
from bot.croupier.operation import NoNewRoundsError
from bot.croupier.privacy import ErasureRefused, Privacy, own_data
from bot.croupier.season_ends import end_seasons
from bot.croupier.seasons import SeasonEndsError
from bot.croupier.tournaments import (
    CLAIM_SECONDS,
    THREAD_SECONDS,
    EntryRefused,
    NotEntered,
)
from bot.ledger.changes import Change
from bot.table.commands import CloseTable, Leave
from bot.table.refusals import Refusal, refuse
from bot.table.state import THE_HOUSE, Phase
from bot.table.tournament import MOST_ENTRANTS, CancelReason, Progress, Tournament
from tests.croupier.arena import CHANNEL, ENTRY, Arena, begin_ending_season, no_thread, thread
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER

Between = Callable[[Callable[[], Awaitable[object]]], None]


def places(over: Tournament) -> list[int]:
    """Who was in the final, the first at the top."""
    return [one.party for one in over.ranking]


async def test_a_tournament_goes_on_after_a_restart_between_any_two_steps(arena: Arena) -> None:
    entrants = range(1, 9)
    await arena.open(*entrants)
    over = await arena.play_out()
    assert (over.progress, over.stage) == (Progress.OVER, 2)
    wallets = await arena.wallets(entrants)
    assert sum(wallets.values()) == 1000 * len(entrants)
    assert [wallets[one.party] for one in over.ranking[:3]] == [1300, 1140, 1060]
    assert await arena.go_on() == over
    assert await arena.tournaments.note(over, over)


async def test_a_tournament_that_is_started_early_takes_who_may_play_and_goes_on_after_a_restart(
    arena: Arena,
) -> None:
    await arena.open(ALICE, BOB)
    await arena.house.croupier.barred.take_break(SERVER, BOB, DAY_SECONDS)
    before = await arena.now()
    assert await arena.tournaments.start_early(arena.id) == EntryRefused(NotEntered.TOO_FEW)
    assert await arena.now() == before
    await arena.know(CHAN)
    await arena.enter(CHAN)
    started = await arena.tournaments.start_early(arena.id)
    assert isinstance(started, Tournament)
    assert (started.entrants, started.starts_at) == ((ALICE, CHAN), arena.house.now)
    assert await arena.wallets([ALICE, BOB, CHAN]) == {ALICE: 1000 - ENTRY, BOB: 1000, CHAN: 1000 - ENTRY}
    assert await arena.tournaments.start_early(arena.id) == EntryRefused(NotEntered.STARTED)
    assert (await arena.play_out()).progress is Progress.OVER
    assert sum((await arena.wallets([ALICE, BOB, CHAN])).values()) == 3 * 1000


async def test_its_chips_are_no_members_and_its_rounds_win_nothing_on_leaderboards(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    before = await arena.wallets([ALICE, BOB])
    assert set(before.values()) == {1000 - ENTRY}
    arena.house.now += 60
    await arena.go_on()
    playing = await arena.go_on()
    assert playing.is_final
    assert await arena.wallets([ALICE, BOB]) == before
    async for _ in arena.house.croupier.standings.count_all(lambda _: True):
        pass
    await arena.play_out()
    async for _ in arena.house.croupier.standings.count_all(lambda _: True):
        pass
    standings = await arena.house.ledger.standings_of(ALICE)
    assert standings
    assert {(one.net, one.points) for one in standings} == {(None, None)}


async def test_nobody_enters_without_the_chips_twice_late_or_beyond_the_limit_of_loss(arena: Arena) -> None:
    await arena.open(ALICE)
    assert (await arena.now()).entrants == (ALICE,)
    assert await arena.enter(ALICE) == await arena.now()
    await arena.know(BOB)
    await arena.house.croupier.barred.set_limit(SERVER, BOB, 99)
    assert await arena.enter(BOB) == EntryRefused(NotEntered.OWN_LIMIT, 99)
    await arena.know(CHAN)
    await arena.house.give(CHAN, MEI, 950)
    assert await arena.enter(CHAN) == EntryRefused(NotEntered.TOO_POOR, 50)
    await arena.enter(MEI)
    arena.house.now += 60
    await arena.go_on()
    assert await arena.enter(CHAN) == EntryRefused(NotEntered.STARTED)
    assert await arena.tournaments.leave(arena.id, MEI, "late") == EntryRefused(NotEntered.STARTED)


@pytest.mark.parametrize("later", [0.0, DAY_SECONDS])
async def test_an_entry_counts_as_lost_and_back_as_no_win(arena: Arena, later: float) -> None:
    async def left() -> int | None:
        stack = await arena.house.croupier.wallets.stack(SERVER, BOB)
        return await arena.house.croupier.barred.left(SERVER, BOB, stack)

    await arena.open()
    await arena.know(BOB)
    await arena.house.croupier.barred.set_limit(SERVER, BOB, ENTRY + 50)
    await arena.enter(BOB)
    assert await left() == 50
    arena.house.now += later
    await arena.tournaments.leave(arena.id, BOB, "away")
    for _ in range(2):
        assert await left() == ENTRY + 50
        arena.house.ledger.days.drop()
    assert (await arena.wallets([BOB]))[BOB] == 1000
    arena.house.now += 1
    await arena.enter(BOB)
    for _ in range(2):
        assert await left() == 50
        arena.house.ledger.days.drop()


async def test_an_entry_that_comes_back_a_day_later_leaves_todays_entry_lost(arena: Arena) -> None:
    other = Arena(arena.house, CHANNEL + 1)
    await arena.open(BOB)
    arena.house.now += DAY_SECONDS
    await other.open(BOB)
    await arena.cancel()
    for _ in range(2):
        day = await arena.house.ledger.days.of((SERVER, BOB))
        assert day.lost(arena.house.now) == ENTRY
        arena.house.ledger.days.drop()


async def test_threads_are_claimed_by_one_process_for_a_minute(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    started = await arena.go_on()
    other, asked = arena.tournaments, []

    async def slow(one: Tournament, number: int) -> int:
        asked.append(number)
        assert await other.go_on(one, unwanted) == started
        arena.house.now += CLAIM_SECONDS
        assert await other.go_on(one, no_thread) == started
        return await thread(one, number)

    async def unwanted(_: Tournament, number: int) -> None:
        raise AssertionError(f"thread {number} is claimed")

    # The other process has claimed it meanwhile, and has it.
    assert await arena.tournaments.go_on(started, slow) == started
    arena.house.now += CLAIM_SECONDS
    (group,) = (await other.go_on(started, thread)).groups
    assert (group.table_id is not None, asked) == (True, [0])


async def test_a_stage_whose_threads_take_minutes_is_made_by_one_process(arena: Arena) -> None:
    await arena.open(*range(1, 9))
    arena.house.now += 60
    started, other = await arena.go_on(), arena.tournaments

    async def slow(one: Tournament, number: int) -> int:
        arena.house.now += CLAIM_SECONDS - 1
        await other.go_on(one, unwanted)
        return await thread(one, number)

    async def unwanted(_: Tournament, number: int) -> None:
        raise AssertionError(f"thread {number} is claimed")

    made = await arena.tournaments.go_on(started, slow)
    assert [group.table_id for group in made.groups] == [await thread(started, number) for number in (0, 1)]


@pytest.mark.parametrize("is_readable", [True, False])
async def test_who_has_all_chips_in_a_pot_gets_no_relief(arena: Arena, is_readable: bool) -> None:
    arena.house.settings |= {"relief_chips": 200, "daily_chips": 0}
    await arena.open(ALICE, entry=1000)
    handouts = Handouts(arena.house.croupier)
    async with nullcontext() if is_readable else arena.unreadable():
        assert not isinstance(await handouts.take(SERVER, ALICE), Handout)
    await arena.tournaments.leave(arena.id, ALICE, "away")
    assert (await arena.wallets([ALICE]))[ALICE] == 1000


async def test_an_entry_that_comes_back_while_relief_is_decided_brings_none(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.house.settings |= {"relief_chips": 200, "daily_chips": 0}
    await arena.open(ALICE, entry=1000)
    stored = arena.house.croupier.stored_tournaments
    read = stored.chips_in_pots

    async def comes_back(server_id: int, party: int) -> int | None:
        await arena.tournaments.leave(arena.id, ALICE, "away")
        return await read(server_id, party)

    monkeypatch.setattr(stored, "chips_in_pots", comes_back)
    assert not isinstance(await Handouts(arena.house.croupier).take(SERVER, ALICE), Handout)
    assert (await arena.wallets([ALICE]))[ALICE] == 1000


@pytest.mark.parametrize("is_played", [False, True])
async def test_no_entry_escapes_the_reset_at_the_end_of_a_season(arena: Arena, is_played: bool) -> None:
    croupier = arena.house.croupier
    await arena.open(ALICE, BOB)
    if is_played:
        arena.house.now += 60
        await arena.go_on()
    await begin_ending_season(arena.house, resets=True)
    with pytest.raises(SeasonEndsError):
        await arena.enter(CHAN)
    assert bool(await end_seasons(croupier)) is not is_played
    if not is_played:
        assert (await arena.now()).progress is Progress.CANCELLED
        assert set((await arena.wallets([ALICE, BOB])).values()) == {1000}


async def test_members_enter_while_a_season_that_keeps_chips_waits_for_its_end(arena: Arena) -> None:
    await arena.open(ALICE)
    await begin_ending_season(arena.house, resets=False)
    await arena.know(BOB)
    assert isinstance(await arena.enter(BOB), Tournament)


async def test_no_more_enter_than_there_is_room_for(arena: Arena) -> None:
    await arena.open(*range(1, MOST_ENTRANTS + 1))
    await arena.know(99)
    assert await arena.enter(99) == EntryRefused(NotEntered.FULL)
    await arena.cancel()
    assert set((await arena.wallets(range(1, MOST_ENTRANTS + 1))).values()) == {1000}


async def test_who_is_banned_or_leaves_the_server_before_the_start_gets_the_entry_back(arena: Arena) -> None:
    await arena.open(ALICE, BOB, CHAN, MEI)
    await arena.ban(CHAN)
    await arena.house.croupier.identities.set_left(MEI)
    arena.house.now += 60
    started = await arena.go_on()
    assert started.entrants == (ALICE, BOB)
    assert set((await arena.wallets([CHAN, MEI])).values()) == {1000}


async def test_who_is_banned_after_the_start_wins_nothing(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    await arena.go_on()
    await arena.go_on()
    await arena.ban(ALICE)
    assert places(await arena.play_out()) == [BOB]
    assert (await arena.wallets([BOB]))[BOB] == 1000 + ENTRY


async def test_the_entry_of_an_erased_member_stays_in_the_pot(arena: Arena) -> None:
    await arena.open(ALICE, BOB, CHAN)
    stored = arena.house.croupier.stored_tournaments
    data = await own_data(arena.house.ledger, stored, [await arena.identity_of(CHAN)])
    (told,) = data["servers"][0]["tournaments"]
    assert (told["entered"], told["entry"]) == (True, ENTRY)
    assert not isinstance(await Privacy(arena.house.croupier).erase(SERVER, CHAN), ErasureRefused)
    over = await arena.play_out()
    assert set(places(over)) == {ALICE, BOB}
    wallets = await arena.wallets([ALICE, BOB])
    assert wallets[over.ranking[0].party] == 1000 - ENTRY + 3 * ENTRY


async def test_the_last_one_who_stays_has_the_pot(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    await arena.go_on()
    (group,) = (await arena.go_on()).groups
    assert group.table_id is not None
    await arena.house.do(group.table_id, Leave(ALICE), ALICE)
    await arena.go_on()
    over = await arena.go_on()
    assert places(over) == [BOB]
    assert (await arena.wallets([BOB]))[BOB] == 1000 + ENTRY


async def test_a_tournament_whose_tables_get_no_threads_is_cancelled_and_pays_everybody_back(
    arena: Arena,
) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    started = await arena.go_on()
    tournaments = arena.tournaments
    assert await tournaments.go_on(started, no_thread) == started
    arena.house.now += THREAD_SECONDS + 1
    arena.house.croupier.is_away = lambda _: True
    assert await tournaments.go_on(started, no_thread) == started
    arena.house.croupier.is_away = lambda _: False
    assert await tournaments.go_on(started, no_thread) == started
    arena.house.now += THREAD_SECONDS + 1
    cancelled = await tournaments.go_on(started, no_thread)
    assert (cancelled.progress, cancelled.cancel_reason) == (Progress.CANCELLED, CancelReason.NO_TABLES)
    assert set((await arena.wallets([ALICE, BOB])).values()) == {1000}


async def test_a_cancelled_tournament_closes_its_tables(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    await arena.go_on()
    await arena.go_on()
    assert [table.phase for table in arena.house.croupier.tables.all()] == [Phase.BETTING]
    await arena.cancel()
    assert arena.house.croupier.tables.all() == []
    assert set((await arena.wallets([ALICE, BOB])).values()) == {1000}


async def test_no_round_of_it_begins_during_maintenance(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    await arena.house.croupier.operation.decide("maintain", 600.0)
    with pytest.raises(NoNewRoundsError):
        arena.house.croupier.operation.refuse_new_round(SERVER)
    arena.house.now += 60
    assert (await arena.go_on()).progress is Progress.ENTERING
    await arena.house.croupier.operation.decide("maintain", 0)
    await arena.go_on()
    (group,) = (await arena.go_on()).groups
    assert group.table_id is not None
    await arena.house.croupier.operation.decide("maintain", 600.0)
    arena.house.now += 300
    await arena.house.croupier.go_on()
    assert arena.house.table(group.table_id).phase is Phase.BETTING
    assert not arena.house.table(group.table_id).bets
    arena.house.now += 301
    await arena.house.croupier.go_on()
    arena.house.now += 61
    await arena.house.croupier.go_on()
    assert arena.house.table(group.table_id).phase is Phase.DEALT


@pytest.fixture
def between(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Between:
    """Has another process do something right before the next commit of a tournament."""
    commit = arena.house.ledger.commit

    def will_act(act: Callable[[], Awaitable[object]]) -> None:
        async def committed(change: Change) -> object:
            monkeypatch.setattr(arena.house.ledger, "commit", commit)
            await act()
            return await commit(change)

        monkeypatch.setattr(arena.house.ledger, "commit", committed)

    return will_act


async def test_who_enters_at_two_processes_at_once_pays_once(arena: Arena, between: Between) -> None:
    await arena.open(BOB)
    await arena.know(ALICE)
    between(lambda: arena.enter(ALICE))
    await arena.enter(ALICE)
    assert (await arena.now()).entrants == (BOB, ALICE)
    assert (await arena.wallets([ALICE]))[ALICE] == 1000 - ENTRY


async def test_who_leaves_at_two_processes_at_once_gets_one_entry_back(
    arena: Arena, between: Between
) -> None:
    await arena.open(BOB, ALICE, CHAN)
    between(lambda: arena.tournaments.leave(arena.id, ALICE, "a"))
    await arena.tournaments.leave(arena.id, ALICE, "b")
    assert (await arena.now()).entrants == (BOB, CHAN)
    assert (await arena.wallets([ALICE]))[ALICE] == 1000


async def test_who_enters_right_before_the_start_plays(arena: Arena, between: Between) -> None:
    await arena.open(BOB, ALICE)
    await arena.know(CHAN)
    between(lambda: arena.enter(CHAN))
    arena.house.now += 60
    (group,) = (await arena.go_on()).groups
    assert set(group.parties) == {ALICE, BOB, CHAN}


@pytest.mark.parametrize("starts", [False, True])
async def test_it_is_not_cancelled_if_somebody_enters_or_it_starts_after_the_question(
    arena: Arena, between: Between, starts: bool
) -> None:
    await arena.open(BOB, ALICE)
    await arena.know(CHAN)
    arena.house.now += 60 if starts else 0
    between(arena.go_on if starts else lambda: arena.enter(CHAN))
    assert (await arena.cancel()).is_running
    assert not (await arena.cancel()).is_running
    assert set((await arena.wallets([ALICE, BOB, CHAN])).values()) <= {1000}


async def test_a_server_that_is_erased_keeps_no_tournament_and_no_entry(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    ledger, privacy = arena.house.ledger, Privacy(arena.house.croupier)
    before = await ledger.wallets(SERVER, [THE_HOUSE])
    for _ in range(2):
        await privacy.erase_server(SERVER)
    assert await ledger.tournaments_in(SERVER) == []
    after = await ledger.wallets(SERVER, [THE_HOUSE])
    assert after[THE_HOUSE] - before.get(THE_HOUSE, 0) == 2 * ENTRY
    await arena.house.check()


async def test_a_table_that_is_gone_cancels_the_tournament_and_nobody_wins(arena: Arena) -> None:
    await arena.open(MEI, *range(1, 9))
    arena.house.now += 60
    await arena.go_on()
    table_id = (await arena.go_on()).groups[0].table_id
    assert table_id is not None
    refused = await arena.house.ask(table_id, CloseTable(MEI, manages=True), MEI)
    assert refused == refuse(Refusal.TOURNAMENT_GOES_ON)
    await arena.house.croupier.wind_up([arena.house.table(table_id)])
    assert (await arena.go_on()).progress is Progress.CANCELLED
    assert set((await arena.wallets(range(1, 9))).values()) == {1000}
    assert not arena.house.croupier.tables.all()


async def test_a_thread_with_a_table_of_members_is_not_the_tournaments(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    taken = await thread(await arena.go_on(), 0)
    await arena.house.open(CHAN, channel_id=taken)
    assert (await arena.go_on()).groups[0].table_id is None

    async def another(tournament: Tournament, number: int) -> int:
        return taken + 1

    (group,) = (await arena.tournaments.go_on(await arena.now(), another)).groups
    assert group.table_id == taken + 1
    assert arena.house.table(taken + 1).heat


async def test_two_processes_at_once_open_one_table(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.now += 60
    one = await arena.go_on()

    async def slow(tournament: Tournament, number: int) -> int:
        await arena.go_on()
        return 777_002

    await arena.tournaments.go_on(one, slow)
    (group,) = (await arena.now()).groups
    assert [table.table_id for table in arena.house.croupier.tables.all()] == [group.table_id]


async def test_its_tables_keep_the_rules_of_the_time_when_it_was_opened(arena: Arena) -> None:
    await arena.open(ALICE, BOB)
    arena.house.settings |= {"betting_seconds": 20}
    assert arena.house.croupier.house_of(SERVER).rules("gnau").betting_seconds == 20
    arena.house.now += 60
    await arena.go_on()
    (group,) = (await arena.go_on()).groups
    assert group.table_id is not None
    assert arena.house.table(group.table_id).rules.betting_seconds != 20


async def test_who_takes_a_break_before_the_next_stage_does_not_go_on(arena: Arena) -> None:
    await arena.open(*range(1, 9))
    arena.house.now += 60
    await arena.go_on()
    await arena.go_on()
    for party in range(1, 6):
        await arena.house.croupier.barred.take_break(SERVER, party, DAY_SECONDS)
    while (one := await arena.go_on()).stage == 1:
        arena.house.now += 61
        await arena.house.restart()
    assert {party for group in one.groups for party in group.parties} == {6, 7, 8}
