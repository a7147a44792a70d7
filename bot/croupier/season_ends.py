"""Ends seasons: their standings stand still from then on, and chips may start again.

What is to be done follows from the stored season and the clock, so a kill between two steps loses nothing. A
season whose end has come lets no round begin, and waits for those that are on. Then one transaction ends it,
gives every member the opening chips if it resets them, and begins the season that follows. In a large server
others give most members their chips before it, so that no write waits for seconds.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from secrets import token_hex

from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import ChipsMoved, MemberErasedError, NoSuchTableError
from bot.croupier.seasons import following
from bot.ledger.changes import Change, Season, SeasonChanged
from bot.ledger.errors import AlreadyDone, ChipsHeld, MoreToReset, Overtaken
from bot.table.commands import WithdrawBet
from bot.table.state import LeaveReason, Phase, TableState

log = logging.getLogger(__name__)


async def end_seasons(croupier: Croupier, hosts: Callable[[int], bool] = bool) -> None:
    """Ends the seasons of these servers whose end has come, where no round is on."""
    await croupier.seasons.load()
    for season in croupier.seasons.ending:
        if hosts(season.server_id) and await _rounds_are_over(croupier, season.server_id):
            await _end(croupier, season)


async def _rounds_are_over(croupier: Croupier, server_id: int) -> bool:
    """Whether nobody has bet at any table of a server; returns bets that wait for others."""
    for table in croupier.tables.of_server(server_id):
        if table.phase is Phase.BETTING and table.bets and not table.can_be_dealt:
            with suppress(NoSuchTableError):
                await _give_back(croupier, table)
    return not any(table.bets or table.phase is Phase.DEALT for table in croupier.tables.of_server(server_id))


async def _give_back(croupier: Croupier, table: TableState) -> None:
    bettors = [seat.party for seat in table.bets if seat in table.members]
    for party in bettors:
        key = f"{table.table_id}:{table.sequence}:season:{party}"
        with suppress(MemberErasedError):
            await croupier.ask(table.table_id, WithdrawBet(party), party, key)
    if not bettors:
        # Computer players would bet again.
        await croupier.wind_up([table], LeaveReason.DESERTED)


async def _end(croupier: Croupier, season: Season) -> None:
    """Ends a season, unless chips are held."""
    ledger, server_id = croupier.ledger, season.server_id
    if await ledger.holds_chips(server_id):
        return
    now = croupier.now()
    chips = croupier.house_of(server_id).rules().opening_chips if season.resets else None
    ended = SeasonChanged(season, replace(season, ends_at=now, is_over=True), following(season, now))
    key = f"season:{server_id}:{season.number}"
    try:
        while True:
            with suppress(MoreToReset):
                await ledger.commit(Change(key, server_id, now, season=ended, reset_to=chips))
                break
            part = f"{key}:{token_hex(8)}"
            await ledger.commit(Change(part, server_id, croupier.now(), reset_to=chips))
    except ChipsHeld:
        return
    except (AlreadyDone, Overtaken) as other:
        log.info("the season of server %s has changed meanwhile: %s", server_id, other)
    else:
        log.info("season %s of server %s is over", season.number, server_id)
    await croupier.seasons.load()
    if season.resets:
        moved = dict.fromkeys(await ledger.parties_of(server_id), 0)
        croupier.listeners.notify_of_chips(ChipsMoved(server_id, moved))
