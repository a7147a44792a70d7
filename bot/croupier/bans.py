"""Bans: an admin lets a member not play in a server, until a time or without an end.

They leave every table and queue: bets before the deal go back to them, and what is dealt is played out.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass

from bot.croupier.croupier import Croupier
from bot.croupier.identities import User
from bot.croupier.open_tables import MemberErasedError, NoSuchTableError
from bot.ledger.changes import Ban, NotAfter, refuse_late
from bot.ledger.errors import LedgerError, MemberErased
from bot.table.commands import MemberLeft
from bot.table.state import LeaveReason

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Banned:
    """A ban that was carried out.

    Attributes:
        plays_out: whether the member still plays out a round.
    """

    party: int
    plays_out: bool


async def ban(
    croupier: Croupier,
    server_id: int,
    admin: int,
    member: User,
    reason: str,
    until: float | None,
    key: str,
    not_after: NotAfter | None = None,
) -> Banned:
    """Bans a member, who may not be stored yet; a ban that they have is replaced."""
    digest = await croupier.ledger.opening_digest(server_id, member.user_id)
    refuse_late(not_after, key)
    try:
        party = await croupier.identities.party_of(server_id, member)
        await croupier.barred.ban(Ban(server_id, digest, croupier.now(), until, party, admin, reason))
    except MemberErased:
        raise MemberErasedError from None
    await croupier.bank_queue.leave_all(party)
    # What was asked for before is decided by now.
    await croupier.nothing_in_progress(server_id)
    removed = MemberLeft(party, LeaveReason.REMOVED)
    for table in croupier.tables.concerning(server_id, party):
        try:
            with suppress(NoSuchTableError):
                await croupier.ask(table.table_id, removed, None, f"{key}:{table.table_id}")
        except LedgerError as failed:
            # Nothing new can be bet all the same, and who presses nothing loses the seat.
            log.warning("party %s is banned, but may still have a seat: %s", party, failed)
    return Banned(party, bool(croupier.tables.concerning(server_id, party)))


async def lift(croupier: Croupier, server_id: int, user_id: int) -> Ban | None:
    """Lets a banned user play again; returns the ban that is lifted, or None if they have none."""
    return await lift_by_digest(croupier, server_id, await croupier.ledger.opening_digest(server_id, user_id))


async def lift_by_digest(croupier: Croupier, server_id: int, digest: bytes) -> Ban | None:
    """Lifts the ban with this hash, also of a member who was erased; returns it, or None if there is none."""
    for one in await croupier.barred.bans(server_id):
        if one.digest == digest:
            await croupier.barred.lift_ban(server_id, digest)
            return one
    return None
