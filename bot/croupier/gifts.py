"""Gifts: chips that one member of a server gives another.

The ledger itself refuses a gift that is too large, so concurrent gifts and bets cannot spend the same chips.
Held chips are in no wallet, and cannot be given.

A server limits what a member gives in a day, and what a member gets: however many accounts somebody has, they
bring one of them no more than that. A day is one of UTC. A limit of 0 means that there are no gifts.
"""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cachetools import LRUCache

from bot.clock import DAY_SECONDS
from bot.croupier.croupier import RESULTS_KEPT, Croupier
from bot.croupier.decisions import TRIES
from bot.croupier.handouts import gifts_of_a_day
from bot.croupier.identities import User
from bot.croupier.open_tables import ChipsMoved, Locks, MemberErasedError
from bot.ledger.changes import Change, NotAfter, refuse_late
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError, MemberErased, StaleGifts
from bot.table.accounts import Move, Reason, check_chips, wallet
from bot.table.state import NOBODY

NOTICED: Final = 4
"""A gift that takes at least this fraction of a giver's relief, a quarter, is noticeable."""


@dataclass(frozen=True, slots=True)
class Gift:
    """A gift of chips that a member asks for; its receiver may not be stored yet."""

    server_id: int
    giver: int
    receiver: User
    chips: int

    def __post_init__(self) -> None:
        if self.giver == NOBODY:
            raise ValueError("a gift that nobody gives")
        check_chips(self.chips)


class NoGift(StrEnum):
    """Why a gift is refused; `words` has a sentence for each."""

    OFF = "off"
    """The server has no gifts."""
    TO_ONESELF = "to_oneself"
    TO_BANNED = "to_banned"
    TOO_LARGE = "too_large"
    GIVEN_ENOUGH = "given_enough"
    """The giver may give no more than this today."""
    GOT_ENOUGH = "got_enough"
    """The receiver may get no more than this today."""


@dataclass(frozen=True, slots=True)
class GiftRefused:
    """A refused gift; nothing moved.

    Attributes:
        free: the giver's free chips, if the gift is too large; otherwise 0.
        left: how many more chips may be given or got today, if a limit is reached; otherwise 0.
        resets_at: when that day is over, in seconds since the epoch, UTC; otherwise 0.
    """

    code: NoGift
    free: int = 0
    left: int = 0
    resets_at: int = 0


@dataclass(frozen=True, slots=True)
class GiftCosts:
    """What a gift would cost its giver; nothing moved.

    Attributes:
        left: how many chips they would have, held ones included.
        relief: to how many chips relief would bring them in the next day.
        usual_relief: to how many it would bring them if they had given nothing.
    """

    left: int
    relief: int
    usual_relief: int


class Gifts:
    """Makes gifts."""

    def __init__(self, croupier: Croupier) -> None:
        self._croupier = croupier
        self._results: LRUCache[str, int | GiftRefused] = LRUCache(RESULTS_KEPT)
        self._locks: Locks[int] = Locks()

    async def costs(self, gift: Gift, key: str) -> GiftCosts | None:
        """What the giver should know before a gift; None if it costs them little, or is refused.

        They should know if few chips are left, or if their relief for a day is less by a noticeable part.
        """
        croupier, settings = self._croupier, self._croupier.house_of(gift.server_id).server
        usual = settings.relief_chips
        stack = await croupier.wallets.stack(gift.server_id, gift.giver)
        left = stack.free + stack.held - gift.chips
        gifts = await gifts_of_a_day(croupier.ledger, gift.server_id, gift.giver, croupier.now())
        before = max(usual - sum(chips for _, chips in gifts), 0)
        after = max(before - gift.chips, 0)
        is_noticed = NOTICED * (before - after) >= usual > 0
        if stack.free < gift.chips or not (left < settings.relief_below or is_noticed):
            return None
        return None if await self._refused(gift, key) else GiftCosts(left, after, usual)

    async def give(self, gift: Gift, key: str, not_after: NotAfter | None = None) -> int | GiftRefused:
        """Makes a gift once; the same key again returns the same result.

        First opens wallets for the giver and the receiver if they have none. A gift that is not made stores
        nothing of its receiver, and opens no wallet for them.

        Returns:
            The party that got the chips, or why the gift was refused.
        """
        # One gift of a server after another: two at once must not both find room under a limit. Of two at
        # different processes, one is decided again.
        async with self._locks[gift.server_id]:
            result = self._results.get(key)
            if result is None:
                result = await self._make(gift, key, not_after)
                self._results[key] = result
            return result

    async def _make(self, gift: Gift, key: str, not_after: NotAfter | None) -> int | GiftRefused:
        for _ in range(TRIES):
            with suppress(StaleGifts):
                return await self._make_once(gift, key, not_after)
        raise LedgerError(f"another process made a gift at each of {TRIES} tries to make {key}")

    async def _make_once(self, gift: Gift, key: str, not_after: NotAfter | None) -> int | GiftRefused:
        ledger, since = self._croupier.ledger, None
        try:
            if ledger.processes is not None:
                since, _ = await ledger.head(gift.server_id) or (0, None)
            if refused := await self._refused(gift, key):
                return refused
            refuse_late(not_after, key)
            party = await self._croupier.identities.party_of(gift.server_id, gift.receiver)
            given = Move(wallet(gift.giver), wallet(party), gift.chips, Reason.GIFT)
            # Opening chips come first, so that a newcomer's ledger starts with them.
            await self._croupier.wallets.open(gift.server_id, party)
            now = self._croupier.now()
            change = Change(key, gift.server_id, now, (given,), no_gift_since=since, not_after=not_after)
            with suppress(AlreadyDone):
                await ledger.commit(change)
        except MemberErased:
            raise MemberErasedError from None
        except InsufficientChips as short:
            return GiftRefused(NoGift.TOO_LARGE, free=short.balance)
        moved = {gift.giver: -gift.chips, party: gift.chips}
        self._croupier.listeners.notify_of_chips(ChipsMoved(gift.server_id, moved))
        return party

    async def _refused(self, gift: Gift, key: str) -> GiftRefused | None:
        """Why a gift is refused, as far as that is known before its receiver is stored and gets a wallet."""
        receiver = await self._croupier.identities.find(gift.server_id, gift.receiver.user_id)
        if gift.giver == receiver:
            return GiftRefused(NoGift.TO_ONESELF)
        # Who gets chips plays with none of them meanwhile, and nobody else learns why.
        barred = self._croupier.barred
        await barred.refuse(gift.giver)
        if await barred.ban_of(gift.server_id, gift.receiver.user_id):
            return GiftRefused(NoGift.TO_BANNED)
        most = self._croupier.house_of(gift.server_id).server.gifts_per_day
        if not most:
            return GiftRefused(NoGift.OFF)
        free = (await self._croupier.wallets.stack(gift.server_id, gift.giver)).free
        now = self._croupier.now()
        today = now - now % DAY_SECONDS
        sides = (
            (gift.giver, False, NoGift.GIVEN_ENOUGH),
            (receiver, True, NoGift.GOT_ENOUGH),
        )
        for party, gained, code in sides:
            moved = await self._croupier.ledger.gifts_since(
                gift.server_id, party, today, now, gained=gained, besides=key
            )
            if moved + gift.chips > most:
                left = max(most - moved, 0)
                if left > free:
                    # A limit above what the giver has says nothing that they can do.
                    return GiftRefused(NoGift.TOO_LARGE, free=free)
                return GiftRefused(code, left=left, resets_at=int(today) + DAY_SECONDS)
        receivers = await self._croupier.ledger.stacks.of((gift.server_id, receiver))
        # For a receiver with a wallet the ledger decides: the same gift may be made already.
        if receivers.wallet is None and free < gift.chips:
            return GiftRefused(NoGift.TOO_LARGE, free=free)
        return None
