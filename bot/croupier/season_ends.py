"""Ends seasons: their standings stand still from then on, and chips may start again.

What is to be done follows from the stored season and the clock, so a kill between two steps loses nothing. A
season whose end has come lets no round begin, and waits for those that are on, unless their table cannot be
read: chips stay held there, beside those that the end gives. If it resets chips, it also waits until there
are none in the pots of tournaments, unless a tournament cannot be read: its entries stay in its pot. Then one
transaction ends it, gives every member the opening chips if it resets them, and begins the season that
follows. In a large server others give most members their chips before it, so that no write waits for seconds.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from secrets import token_hex

from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import ChipsMoved, MemberErasedError, NoSuchTableError
from bot.croupier.seasons import following
from bot.croupier.tournaments import Tournaments
from bot.ledger.changes import Change, Season, SeasonChanged
from bot.ledger.errors import AlreadyDone, ChipsHeld, MoreToReset, Overtaken
from bot.table.commands import WithdrawBet
from bot.table.state import LeaveReason, Phase, TableState
from bot.table.tournament import CancelReason, Progress

log = logging.getLogger(__name__)


async def end_seasons(croupier: Croupier, hosts: Callable[[int], bool] = bool) -> list[Season]:
    """Ends the seasons of these servers whose end has come, where no round is on; returns them."""
    await croupier.seasons.load()
    return [
        season
        for season in croupier.seasons.ending
        if hosts(season.server_id)
        and await _rounds_are_over(croupier, season.server_id)
        and (not season.resets or await _pots_are_empty(croupier, season.server_id))
        and await _end(croupier, season)
    ]


async def _rounds_are_over(croupier: Croupier, server_id: int) -> bool:
    """Whether nobody has bet at any table of a server; returns bets that wait for others."""
    for table in croupier.tables.of_server(server_id):
        if table.phase is Phase.BETTING and table.bets and not table.can_be_dealt:
            with suppress(NoSuchTableError):
                await _give_back(croupier, table)
    tables = [table for table in croupier.tables.of_server(server_id) if table.heat is None]
    return not any(table.bets or table.phase is Phase.DEALT for table in tables)


async def _pots_are_empty(croupier: Croupier, server_id: int) -> bool:
    """Whether no entry escapes a reset; cancels tournaments before their start, and waits for others.

    It does not wait for those that cannot be read: nobody can play them, and only an admin cancels them.
    """
    tournaments, stored = Tournaments(croupier), croupier.stored_tournaments
    here = await stored.running_in(server_id)
    for one in here:
        if one.progress is Progress.ENTERING:
            await tournaments.cancel(one.tournament_id, CancelReason.SEASON, one.moment)
    pots = (await croupier.ledger.pots(server_id)).keys()
    unreadable = pots & await stored.unreadable_in(server_id) if pots else set()
    if pots - unreadable or any(one.progress is Progress.PLAYING for one in here):
        return False
    if unreadable:
        log.warning(
            "the season of server %s ends while chips are in the pots of tournaments that cannot be read: %s",
            server_id,
            ", ".join(map(str, sorted(unreadable))),
        )
    return True


async def _give_back(croupier: Croupier, table: TableState) -> None:
    bettors = [seat.party for seat in table.bets if seat in table.members]
    for party in bettors:
        key = f"{table.table_id}:{table.sequence}:season:{party}"
        with suppress(MemberErasedError):
            await croupier.ask(table.table_id, WithdrawBet(party), party, key)
    if not bettors:
        # Computer players would bet again.
        await croupier.wind_up([table], LeaveReason.DESERTED)


async def _end(croupier: Croupier, season: Season) -> bool:
    """Ends a season, unless chips are held at a table that goes on; returns whether it did."""
    ledger, server_id = croupier.ledger, season.server_id
    held, unreadable = await ledger.tables_with_holds(server_id), frozenset(croupier.unreadable_tables)
    if held - unreadable:
        return False
    if held:
        log.warning(
            "the season of server %s ends while chips are held at tables that cannot be read: %s",
            server_id,
            ", ".join(map(str, sorted(held))),
        )
    now = croupier.now()
    chips = croupier.house_of(server_id).rules().opening_chips if season.resets else None
    ended = SeasonChanged(season, replace(season, ends_at=now, is_over=True), following(season, now))

    def reset() -> Change:
        # That it ends once is sure by the season's row. Its number comes again in a server that was erased.
        key = f"season:{server_id}:{season.number}:{token_hex(8)}"
        return Change(key, server_id, croupier.now(), reset_to=chips, unreadable=unreadable)

    try:
        while True:
            with suppress(MoreToReset):
                await ledger.commit(replace(reset(), at=now, season=ended))
                break
            await ledger.commit(reset())
    except ChipsHeld:
        return False
    except (AlreadyDone, Overtaken) as other:
        log.info("the season of server %s has changed meanwhile: %s", server_id, other)
        is_ended = False
    else:
        log.info("season %s of server %s is over", season.number, server_id)
        is_ended = True
    await croupier.seasons.load()
    if season.resets:
        moved = dict.fromkeys(await ledger.parties_of(server_id), 0)
        croupier.listeners.notify_of_chips(ChipsMoved(server_id, moved))
    return is_ended
