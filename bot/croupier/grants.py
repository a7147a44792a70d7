"""Chips that an admin gives a member, or takes from one, with a reason.

Given chips come from the mint, and taken ones go back there. Held chips cannot be taken.
The reason is in no hash, so that it can be erased with either of the two.
"""

from contextlib import suppress
from dataclasses import dataclass

from bot.croupier.croupier import Croupier
from bot.croupier.identities import User
from bot.croupier.open_tables import ChipsMoved, MemberErasedError
from bot.ledger.changes import AdminNote, Change, NotAfter, refuse_late
from bot.ledger.errors import AlreadyDone, InsufficientChips, MemberErased
from bot.ledger.records import Stack
from bot.table.accounts import MINT, Move, Reason, check_chips, wallet


@dataclass(frozen=True, slots=True)
class Grant:
    """Chips that an admin gives a member, or takes from them.

    Attributes:
        member: who may not be stored yet.
        chips: how many.
        takes: whether they are taken.
    """

    server_id: int
    admin: int
    member: User
    chips: int
    reason: str
    takes: bool = False

    def __post_init__(self) -> None:
        check_chips(self.chips)


@dataclass(frozen=True, slots=True)
class Granted:
    """A grant that was carried out.

    Attributes:
        after: what the member has now.
    """

    party: int
    after: Stack


async def grant(
    croupier: Croupier, wanted: Grant, key: str, not_after: NotAfter | None = None
) -> Granted | Stack:
    """Gives or takes chips once; the same key again moves nothing more.

    First opens a wallet for the member if they have none. If nothing moves, nothing is stored of a newcomer.

    Returns:
        What was done; what the member has, if they have fewer free chips than should be taken.
    """
    server_id, chips, ledger = wanted.server_id, wanted.chips, croupier.ledger
    party = await croupier.identities.find(server_id, wanted.member.user_id)
    if wanted.takes and (await ledger.stacks.of((server_id, party))).wallet is None:
        opening = await croupier.wallets.opening_due(server_id, wanted.member.user_id)
        if opening < chips:
            return Stack(opening)
    try:
        refuse_late(not_after, key)
        party = await croupier.identities.party_of(server_id, wanted.member)
        await croupier.wallets.open(server_id, party)
        if wanted.takes:
            move = Move(wallet(party), MINT, chips, Reason.TAKEN)
        else:
            move = Move(MINT, wallet(party), chips, Reason.GRANTED)
        note = AdminNote(party, wanted.admin, wanted.reason)
        now = croupier.now()
        change = Change(f"{move.reason}:{key}", server_id, now, (move,), note=note, not_after=not_after)
        with suppress(AlreadyDone):
            await ledger.commit(change)
    except MemberErased:
        raise MemberErasedError from None
    except InsufficientChips:
        return await ledger.stacks.of((server_id, party))
    croupier.listeners.notify_of_chips(ChipsMoved(server_id, {party: -chips if wanted.takes else chips}))
    return Granted(party, await ledger.stacks.of((server_id, party)))
