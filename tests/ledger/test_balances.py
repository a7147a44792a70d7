"""What a profile says of a member's days: their chips day by day, days in a row, and the best one."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from itertools import count

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.clock import DAY_SECONDS
from bot.ledger.changes import Change, RoundsCounted
from bot.ledger.ledger import Ledger, open_ledger
from bot.ledger.records import DaysPlayed
from bot.table.accounts import HOUSE, MINT, OF_PLAY, OF_TOURNAMENTS, Move, Reason, hold, pot, wallet
from bot.table.standings import BY_DAY, Tally
from tests.ledger.sample_changes import fresh_key, identity

FIRST = 20_000
RICH = 2_000
"""What members have at first: no more than they may lose in all."""
EVERYTHING = 1 << 20
_servers = count(1)


@dataclass(frozen=True)
class Step:
    """Chips that move some days after the ones before; before them, where the clock was set back."""

    why: Reason
    chips: int
    days: int
    seconds: float
    is_gain: bool


def move(step: Step, one: int, other: int) -> Move:
    """What a step moves from or to the member."""
    mine, theirs = wallet(one), wallet(other)
    match step.why:
        case Reason.BET_HELD:
            return Move(mine, hold(1, one), step.chips, step.why, 1)
        case Reason.ERASED:
            # The other one, who may have had gifts from the member.
            return Move(theirs, HOUSE, step.chips, step.why)
        case Reason.ENTRY | Reason.ENTRY_RETURNED | Reason.PRIZE:
            ends = (pot(1), mine)
            return Move(*(ends if step.is_gain else ends[::-1]), step.chips, step.why)
        case Reason.GIFT | Reason.PLAYER_WON | Reason.SIDE_BET_LOST:
            number = None if step.why is Reason.GIFT else 1
            between = (theirs, mine) if step.is_gain else (mine, theirs)
            return Move(*between, step.chips, step.why, number)
        case _:
            return Move(*((MINT, mine) if step.is_gain else (mine, MINT)), step.chips, step.why)


OF_ROUNDS = OF_PLAY - OF_TOURNAMENTS
_steps = st.builds(
    Step,
    st.sampled_from(
        [
            *(Reason.DAILY, Reason.GRANTED, Reason.TAKEN, Reason.SEASON, Reason.GIFT, Reason.ERASED),
            *(Reason.ENTRY, Reason.ENTRY_RETURNED, Reason.PRIZE),
            *(Reason.BET_HELD, Reason.PLAYER_WON, Reason.SIDE_BET_LOST),
        ]
    ),
    st.integers(1, 100),
    st.integers(-2, 40),
    st.sampled_from([0.0, 0.25, DAY_SECONDS / 2, DAY_SECONDS - 0.001]),
    st.booleans(),
)


async def live(ledger: Ledger, before: list[Step], history: list[Step]) -> tuple[int, int, int]:
    """Lives through this before a member's first round, and after; server, member and last day."""
    server_id = next(_servers)
    one, other = 10 * server_id + 1, 10 * server_id + 2
    await ledger.record(identity(one, server_id))
    day, steps = FIRST, [*before, Step(Reason.PLAYER_WON, 5, 0, 0.0, is_gain=True), *history]
    opening = tuple(Move(MINT, wallet(party), RICH, Reason.OPENING_CHIPS) for party in (one, other))
    chips_of_others = Move(MINT, pot(1), RICH, Reason.ENTRY)
    await ledger.commit(
        Change(fresh_key(), server_id, FIRST * DAY_SECONDS - 0.5, (*opening, chips_of_others))
    )
    for step in steps:
        day += step.days
        moved = move(step, one, other)
        change = Change(fresh_key(), server_id, day * DAY_SECONDS + step.seconds, (moved,))
        await ledger.commit(change)
        if step.why in OF_ROUNDS:
            net = step.chips if step.is_gain else -step.chips
            tally = Tally(server_id, one, BY_DAY, day, 1, int(net > 0), net)
            await ledger.record(RoundsCounted(server_id, (), (), (tally,)))
    return server_id, one, day


async def check(ledger: Ledger, before: list[Step], history: list[Step], most: int) -> None:
    """The balances are what all transfers say, and so are the days on which the member played."""
    server_id, party, today = await live(ledger, before, history)
    played, won = Counter[int](), 0
    moved = Counter[int]()
    entries = await ledger.entries(server_id, party, EVERYTHING)
    for entry in entries:
        day = int(entry.at // DAY_SECONDS)
        if entry.round_number is not None:
            played[day] += entry.chips
            won += entry.chips > 0
        moved[day] += entry.chips
    first, owned = min(played), (await ledger.purse(server_id, party)).total
    last = max(first, today)
    of_days = [sum(chips for at, chips in moved.items() if at <= day) for day in range(first, last)]
    of_days.append(moved.total())
    assert owned == moved.total()
    purse, every = await ledger.balances(server_id, party, first, today, EVERYTHING)
    assert purse == await ledger.purse(server_id, party)
    in_order = entries[::-1]
    first_round = next(at for at, entry in enumerate(in_order) if entry.round_number is not None)
    assert every == [sum(entry.chips for entry in in_order[:first_round]), *of_days]
    assert every[0] >= 0
    assert every[-1] == owned
    _, some = await ledger.balances(server_id, party, first, today, most)
    assert len(some) <= most
    together = -(-len(of_days) // (most - 1))
    assert some[1:] == [*of_days[together - 1 : -1 : together], owned]
    row_of: list[list[int]] = []
    for day in sorted(played):
        if row_of and row_of[-1][-1] == day - 1:
            row_of[-1].append(day)
        else:
            row_of.append([day])
    now = [len(row) for row in row_of if row[-1] >= today - 1]
    best = max(played, key=lambda day: (played[day], -day))
    assert await ledger.days_played(server_id, party, today) == DaysPlayed(
        first,
        won,
        max(now, default=0),
        max(map(len, row_of)),
        (best, played[best]) if played[best] > 0 else None,
    )
    assert await ledger.days_played(server_id, party + 1, today) is None
    # A round that is settled but not counted yet changes no day before.
    won_now = move(Step(Reason.PLAYER_WON, 3, 0, 0.0, is_gain=True), party, party + 1)
    await ledger.commit(Change(fresh_key(), server_id, today * DAY_SECONDS, (won_now,)))
    purse, line = await ledger.balances(server_id, party, first, today, EVERYTHING)
    assert (line, purse.total) == ([*every[:-1], owned + 3], owned + 3)


def test_each_days_chips_are_what_all_transfers_say(either: str) -> None:
    with asyncio.Runner() as runner:
        opening = open_ledger(either)
        ledger = runner.run(opening.__aenter__())

        @settings(suppress_health_check=[HealthCheck.too_slow])
        @given(
            st.lists(_steps.filter(lambda step: step.why not in OF_ROUNDS), max_size=3),
            st.lists(_steps, max_size=20),
            st.integers(2, 30),
        )
        @example([], [Step(Reason.TAKEN, 100, 0, 0.25, is_gain=False)], 9)
        def hold_for(before: list[Step], history: list[Step], most: int) -> None:
            runner.run(check(ledger, before, history, most))

        try:
            hold_for()
        finally:
            runner.run(opening.__aexit__(None, None, None))
