"""What a table does automatically (B04): at a deadline, when everybody has acted, after a restart."""

import asyncio

import pytest
from structlog.contextvars import get_contextvars

from bot.croupier.open_tables import Tasks, Timers
from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import Identity
from bot.log_context import set_log_context
from bot.rules.knobs import BankPasses
from bot.table.commands import (
    CloseTable,
    Deal,
    GiveUpBank,
    KeepOpen,
    Leave,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    TakeBank,
)
from bot.table.state import EMPTY_TABLE_SECONDS, Departure, LeaveReason, Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, NOON, SERVER, House

SOON = 0.05


async def bets_are_open(house: House) -> int:
    """A table where Alice has bet, and Bob has not."""
    table_id = await house.open_with_bank(players=(BOB,))
    await house.bet(table_id, ALICE, 20)
    assert house.table(table_id).deadline == house.now + house.rules.betting_seconds
    return table_id


async def already_dealt(house: House) -> int:
    """A table where cards are dealt, and nobody has revealed."""
    table_id = await house.open_with_bank()
    dealt = await house.bet(table_id, ALICE, 20)
    assert dealt.deadline == house.now + house.rules.arranging_seconds
    return table_id


def nearly_up(house: House, table_id: int) -> float:
    """Sets the clock just before the deadline, and returns it; timers follow from the next change on."""
    deadline = house.table(table_id).deadline
    assert deadline is not None
    house.now = deadline - SOON
    return deadline


async def test_b04_cards_are_dealt_when_betting_time_ends(house: House) -> None:
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    await house.bet(table_id, ALICE, 30)
    house.now = deadline
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)


async def test_b04_hands_are_settled_when_arranging_time_ends(house: House) -> None:
    table_id = await already_dealt(house)
    deadline = nearly_up(house, table_id)
    await house.do(table_id, RevealHand(ALICE), ALICE)
    house.now = deadline
    await house.until(lambda: house.table(table_id).last)
    assert house.table(table_id).round_number == 2


async def test_b06_an_empty_table_is_wound_up_in_time(house: House) -> None:
    table = await house.open()
    assert table.deadline == NOON + EMPTY_TABLE_SECONDS
    house.now = NOON + EMPTY_TABLE_SECONDS - SOON
    await house.croupier.go_on()
    assert house.table(table.table_id) == table
    house.now = NOON + EMPTY_TABLE_SECONDS
    await house.until(lambda: house.croupier.tables.get(table.table_id) is None)


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALT])
async def test_b04_a_deadline_is_armed_again_after_a_restart(house: House, phase: Phase) -> None:
    table_id = await (bets_are_open(house) if phase is Phase.BETTING else already_dealt(house))
    before = house.table(table_id)
    assert before.phase is phase
    assert before.deadline is not None
    house.now = before.deadline - SOON
    await house.restart()
    assert house.table(table_id) == before, "its time is not up yet"
    house.now = before.deadline
    await house.until(lambda: house.table(table_id).phase is not phase)


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALT])
async def test_b04_overdue_deadlines_run_at_start(house: House, phase: Phase) -> None:
    table_id = await (bets_are_open(house) if phase is Phase.BETTING else already_dealt(house))
    before = house.table(table_id)
    house.now = NOON + 100_000
    await house.restart(go_on=False)
    assert house.table(table_id) == before, "nobody listens yet who could tell of it"
    await house.croupier.go_on()
    after = house.table(table_id)
    if phase is Phase.BETTING:
        assert after.phase is Phase.DEALT
        assert after.deadline == house.now + house.rules.arranging_seconds, "hands are there to be looked at"
    else:
        assert after.phase is Phase.BETTING
        assert after.last is not None


@pytest.mark.parametrize("kept_open", [False, True])
async def test_a_table_that_was_to_close_after_the_round_still_does_after_a_restart(
    house: House, kept_open: bool
) -> None:
    table_id = await already_dealt(house)
    await house.do(table_id, CloseTable(MEI, manages=False), MEI)
    if kept_open:
        await house.do(table_id, KeepOpen(MEI, manages=False), MEI)
    before = house.table(table_id)
    assert before.closes_after_round is not kept_open
    await house.restart()
    assert house.table(table_id) == before
    house.now = NOON + 100_000
    await house.croupier.go_on()
    assert (house.croupier.tables.get(table_id) is not None) is kept_open
    assert sum((await house.ledger.holds(table_id)).values()) == 0


async def test_a_due_deadline_runs_after_an_earlier_request(house: House) -> None:
    table_id = await bets_are_open(house)
    house.now = NOON + 100_000
    await house.restart(go_on=False)
    dealt = await house.bet(table_id, ALICE, 30)
    assert dealt.phase is Phase.DEALT
    assert dealt.staked == 30


async def test_a_timer_that_expires_early_waits_again(house: House) -> None:
    """Timers use another clock than the time of day, which may be set back."""
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    before = await house.bet(table_id, ALICE, 30)
    await asyncio.sleep(4 * SOON)
    assert house.table(table_id) == before
    house.now = deadline
    await house.until(lambda: house.table(table_id).phase is Phase.DEALT)


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.DEALT])
async def test_no_time_runs_out_while_discord_is_away_and_then_all_of_it_runs_again(
    house: House, phase: Phase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.croupier.croupier.RETRY_SECONDS", SOON)
    table_id = await (bets_are_open(house) if phase is Phase.BETTING else already_dealt(house))
    before = house.table(table_id)
    away = {SERVER}
    house.croupier.is_away = away.__contains__
    for _ in range(3):
        house.now += 1200
        await house.croupier.go_on()
        assert house.table(table_id) == before
    seconds = house.rules.betting_seconds if phase is Phase.BETTING else house.rules.arranging_seconds
    away.clear()
    await house.until(lambda: house.table(table_id).deadline == house.now + seconds)
    house.now += seconds
    await house.croupier.go_on()
    assert house.table(table_id).phase is not phase


async def test_hands_that_are_all_revealed_are_settled_while_discord_is_away(house: House) -> None:
    table_id = await already_dealt(house)
    house.croupier.is_away = lambda _: True
    for party in (ALICE, MEI):
        await house.do(table_id, RevealHand(party), party)
    assert house.table(table_id).phase is Phase.BETTING


async def test_nothing_happens_automatically_after_close(house: House) -> None:
    table_id = await bets_are_open(house)
    deadline = nearly_up(house, table_id)
    await house.bet(table_id, ALICE, 30)
    await house.croupier.close()
    house.now = deadline
    await asyncio.sleep(4 * SOON)
    assert house.table(table_id).phase is Phase.BETTING
    assert (await house.bet(table_id, BOB, 20)).phase is Phase.BETTING, "its time is up"
    await house.restart()
    assert house.table(table_id).phase is Phase.DEALT


async def test_what_a_deadline_logs_is_about_its_table_and_not_about_an_old_press(house: House) -> None:
    table_id = await house.open_with_bank(players=(BOB,))
    set_log_context(interaction=4711)
    await house.bet(table_id, ALICE, 20)
    contexts: list[dict[str, int]] = []
    house.croupier.listeners.add(lambda _: contexts.append(get_contextvars()))
    house.now += 3600
    await house.croupier.go_on()
    assert contexts[0] == {"server": SERVER, "table": table_id, "round": 1}


async def test_the_last_timer_set_counts_an_overdue_one_expires_soon_and_none_after_stop() -> None:
    expired: list[int] = []
    timers = Timers(expired.append)
    for table_id, seconds in ((1, SOON), (1, 100), (2, 100), (2, SOON), (3, SOON), (3, None), (4, -100)):
        timers.set(table_id, seconds)
    assert expired == [], "other tasks have their turn first"
    await asyncio.sleep(3 * SOON)
    assert expired == [4, 2]
    timers.set(5, SOON)
    timers.stop()
    timers.set(6, SOON)
    await asyncio.sleep(3 * SOON)
    assert expired == [4, 2]


async def test_finish_waits_for_every_task_even_if_some_fail() -> None:
    tasks, done = Tasks(), list[int]()

    async def fail() -> None:
        raise RuntimeError("a bug")

    async def take_long() -> None:
        await asyncio.sleep(0.02)
        done.append(1)

    failing = tasks.start(fail())
    tasks.start(take_long())
    await tasks.finish()
    assert done == [1]
    with pytest.raises(RuntimeError, match="a bug"):
        await failing


@pytest.mark.parametrize("pressed", [False, True])
async def test_b04_who_missed_a_round_is_waited_for_again_once_they_press_anything(
    house: House, pressed: bool
) -> None:
    table_id = await bets_are_open(house)
    for _ in ("a round in which Bob sat down", "one that they miss"):
        await house.bet(table_id, ALICE, 20)
        await house.do(table_id, Deal(MEI), MEI)
        await house.do(table_id, RevealHand(ALICE), ALICE)
        await house.do(table_id, RevealHand(MEI), MEI)
    if pressed:
        house.croupier.attention.note_press(table_id, BOB)
    await house.bet(table_id, ALICE, 20)
    assert (house.table(table_id).phase is Phase.BETTING) is pressed, "there is no last call here"


async def test_b01_who_left_to_back_a_player_is_waited_for_in_no_later_round(house: House) -> None:
    table_id = await bets_are_open(house)
    attention = house.croupier.attention
    attention.note_leaving_to_back(table_id, BOB)
    await house.do(table_id, Leave(BOB), BOB)
    assert not attention.is_last_call(house.table(table_id)), "Bob is to back Alice"
    await house.do(table_id, GiveUpBank(MEI), MEI)
    house.rules = house.rules.model_copy(update={"last_call_seconds": 10})
    await house.do(table_id, TakeBank(MEI, 5, 100, house.rules), MEI)
    await house.bet(table_id, ALICE, 20)
    assert attention.is_last_call(house.table(table_id))


@pytest.mark.parametrize("pressed", [False, True])
async def test_b04_who_left_their_hand_unrevealed_is_waited_for_again_once_they_press_anything(
    house: House, pressed: bool
) -> None:
    table_id = await house.open_with_bank(players=(ALICE, BOB))
    for number in (1, 2):
        await house.bet(table_id, ALICE, 20)
        await house.bet(table_id, BOB, 20)
        if pressed:
            house.croupier.attention.note_press(table_id, BOB)
        await house.do(table_id, RevealHand(MEI), MEI)
        deadline = house.table(table_id).deadline
        if number == 1:
            nearly_up(house, table_id)
        revealed = await house.do(table_id, RevealHand(ALICE), ALICE)
        if number == 1:
            # Bob does not reveal.
            house.now += SOON
            await house.until(lambda: house.table(table_id).round_number == 2)
    assert (revealed.deadline == deadline) is pressed
    house.croupier.attention.note_press(table_id, BOB)
    assert house.croupier.attention.is_last_call(revealed) is not pressed, "why it is near stays true"


async def test_b01_the_deal_is_put_off_once_a_round_for_who_looks_at_side_bets(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=5)
    table_id = await house.open_with_bank()
    ends = (await house.bet(table_id, ALICE, 20)).deadline
    assert ends == house.now + 5
    for seconds, key in ((2, "first"), (4, "second")):
        house.now += seconds
        await house.croupier.wait_for_backer(house.table(table_id), CHAN, key)
        assert house.table(table_id).deadline == ends + 7, "ten seconds from the first"
    await house.do(table_id, Deal(MEI), MEI)
    await house.check()


async def test_b01_a_spectator_who_backs_a_player_at_once_leaves_the_wait_to_the_next_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.deadlines.LEAST_SECONDS_TO_CHOOSE", 12)
    house.rules = GnauRules(last_call_seconds=5)
    table_id = await house.open_with_bank()
    await house.bet(table_id, ALICE, 20)
    await house.croupier.wait_for_backer(house.table(table_id), BOB, "quick")
    await house.do(table_id, PlaceSideBet(BOB, ALICE, 5), BOB)
    house.now += 4
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "reads")
    assert house.table(table_id).deadline == house.now + 12
    house.now += 11
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "reads on")
    await house.croupier.go_on()
    assert house.table(table_id).deadline == house.now + 1, "once for each"
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 5), CHAN)
    await house.check()


async def test_b01_the_last_call_comes_not_before_who_opened_side_bets_has_had_time(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=5, betting_seconds=20)
    table_id = await house.open_with_bank(players=(ALICE, BOB))
    began = house.now
    await house.bet(table_id, ALICE, 20)
    house.now += 2
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "opens")
    assert (await house.bet(table_id, BOB, 20)).deadline == began + 2 + 10
    house.now += 9
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "picks a player")
    assert house.table(table_id).deadline == began + 20, "never beyond the time to bet"


async def test_b01_a_backer_has_time_in_the_next_round_too_but_not_if_they_are_gone(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=5)
    table_id = (await house.open()).table_id
    await house.do(table_id, PlayHouse(ALICE, house.rules), ALICE)
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "looks")
    await house.bet(table_id, ALICE, 20)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 5), CHAN)
    await house.do(table_id, RevealHand(ALICE), ALICE)
    opened = house.now
    house.now += 3
    assert (await house.bet(table_id, ALICE, 20)).deadline == opened + 10
    house.now = opened + 10
    await house.croupier.go_on()
    await house.do(table_id, RevealHand(ALICE), ALICE)
    assert house.table(table_id).round_number == 3
    assert (await house.bet(table_id, ALICE, 20)).phase is Phase.DEALT, "Chan has pressed nothing"


async def test_b01_the_house_deals_once_who_looked_at_side_bets_has_placed_one(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=5)
    table_id = (await house.open()).table_id
    await house.do(table_id, PlayHouse(ALICE, house.rules), ALICE)
    await house.join(table_id, BOB)
    await house.bet(table_id, ALICE, 20)
    await house.croupier.wait_for_backer(house.table(table_id), CHAN, "looks")
    assert (await house.bet(table_id, BOB, 20)).phase is Phase.BETTING
    backed = await house.do(table_id, PlaceSideBet(CHAN, ALICE, 5), CHAN)
    assert backed.phase is Phase.DEALT


@pytest.mark.parametrize("passes", [BankPasses.STAYS, BankPasses.EVERY_ROUND])
@pytest.mark.parametrize(("last_call", "to_read"), [(5, 10), (0, 5)])
async def test_b05_a_banker_has_time_to_read_the_last_round_and_that_the_bank_came_to_them(
    house: House, passes: BankPasses, last_call: int, to_read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.deadlines.LEAST_SECONDS_TO_READ", 5)
    house.rules = GnauRules(last_call_seconds=last_call, bank_passes=passes)
    table_id = await house.open_with_bank(players=(ALICE, BOB))

    async def all_bet() -> float:
        for seat in house.table(table_id).members:
            await house.bet(table_id, seat.party, 20)
        table = house.table(table_id)
        if table.phase is Phase.DEALT:
            return 0
        assert table.deadline is not None
        return table.deadline - house.now

    assert await all_bet() == last_call, "Mei has just pressed for the bank"
    if house.table(table_id).phase is Phase.BETTING:
        await house.do(table_id, Deal(MEI), MEI)
    for party in (MEI, ALICE, BOB):
        await house.do(table_id, RevealHand(party), party)
    house.now += 1
    assert await all_bet() == to_read - 1


async def bank_came_to_alice(house: House, *, is_there: bool = False, last_call: int = 5) -> int:
    """A table where the bank has passed from Mei to Alice, and Mei and Bob have bet against her."""
    house.rules = GnauRules(last_call_seconds=5, bank_passes=BankPasses.EVERY_ROUND)
    table_id = await house.open_with_bank(players=(BOB, ALICE))
    for party in (BOB, ALICE):
        await house.bet(table_id, party, 20)
    await house.do(table_id, Deal(MEI), MEI)
    house.rules = house.rules.model_copy(update={"last_call_seconds": last_call})
    nearly_up(house, table_id)
    for party in (MEI, BOB, *([ALICE] if is_there else [])):
        await house.do(table_id, RevealHand(party), party)
    house.now += SOON
    await house.until(lambda: house.table(table_id).is_banker(ALICE))
    for party in (MEI, BOB):
        await house.bet(table_id, party, 20)
    return table_id


async def test_b05_a_bank_that_came_to_who_is_away_is_free_for_the_next_in_time(house: House) -> None:
    table_id = await bank_came_to_alice(house)
    await house.ledger.record(Identity(MEI, SERVER, MEI, "Mei", "en-US"))
    assert await house.croupier.bank_queue.ask(table_id, MEI, str(house.fresh()), (5, 50))
    table = house.table(table_id)
    assert table.deadline == house.now + house.rules.betting_seconds, "no last call cuts it short"
    assert house.croupier.attention.awaited_banker(table) == ALICE
    house.now += house.rules.betting_seconds
    await house.croupier.go_on()
    table = house.table(table_id)
    assert table.departures == (Departure(ALICE, LeaveReason.AWAY, was_banker=True),)
    assert (table.is_banker(MEI), table.held, table.phase) == (True, {}, Phase.BETTING)
    await house.check()


@pytest.mark.parametrize("is_there", [False, True])
async def test_b05_a_banker_to_whom_the_bank_came_keeps_it_by_any_press(house: House, is_there: bool) -> None:
    table_id = await bank_came_to_alice(house, is_there=is_there)
    if not is_there:
        notified = len(house.changes)
        house.croupier.attention.note_press(table_id, ALICE)
        await house.until(lambda: len(house.changes) > notified)
    left = (house.table(table_id).deadline or 0) - house.now
    assert left == pytest.approx(10, abs=2 * SOON), "the time to read"
    assert house.croupier.attention.awaited_banker(house.table(table_id)) is None
    house.now += 10
    await house.croupier.go_on()
    assert house.table(table_id).phase is Phase.DEALT


async def test_b05_a_press_that_gives_up_a_bank_that_came_does_not_deal_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.deadlines.LEAST_SECONDS_TO_READ", 5)
    table_id = await bank_came_to_alice(house, last_call=0)
    house.now += 20
    notified = len(house.changes)
    house.croupier.attention.note_press(table_id, ALICE)
    await house.until(lambda: len(house.changes) > notified)
    assert house.table(table_id).deadline == house.now + 5
    table = await house.do(table_id, GiveUpBank(ALICE), ALICE)
    assert (table.phase, table.held) == (Phase.OPEN, {})


async def test_b05_boards_and_panels_hear_of_the_press_of_a_banker_though_nothing_else_changes(
    house: House,
) -> None:
    table_id = await bank_came_to_alice(house)
    house.now += house.rules.betting_seconds - 1
    sequence, notified = house.table(table_id).sequence, len(house.changes)
    house.croupier.attention.note_press(table_id, ALICE)
    await house.until(lambda: len(house.changes) > notified)
    assert [change.events for change in house.changes[notified:]] == [()]
    assert house.table(table_id).sequence == sequence


async def test_t03_a_bank_that_came_by_dice_waits_for_a_press_but_one_that_was_taken_does_not(
    house: House,
) -> None:
    house.rules = GnauRules(last_call_seconds=0)
    opened = await house.open(MEI, game="tau-ngau")
    await house.join(opened.table_id, ALICE, BOB, CHAN)
    await house.restart()
    # Nobody is known to be there but who rolls; the winner is whom the dice pick.
    attention, rules = house.croupier.attention, house.croupier.rules_for(opened)
    table = await house.do(opened.table_id, RollForBank(ALICE, (), rules), ALICE)
    assert table.bank is not None
    banker = table.bank.party
    assert attention.of(table.table_id).bank_came_to == banker
    assert attention.awaited_banker(table) == (None if banker == ALICE else banker)
    taken = await house.open_with_bank(MEI)
    assert attention.of(taken).bank_came_to is None
    await house.restart()
    assert house.croupier.attention.awaited_banker(house.table(opened.table_id)) is None, "dealt as ever"
