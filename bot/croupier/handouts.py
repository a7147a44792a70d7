"""Chips from the mint: handouts to members, and the bankroll of the house (B02, B07).

Daily chips come once in some hours. So does relief: it brings a member with few chips back to a number that
the server sets. What they gave away in the last day comes off it: a second account must not be worth having.

Each time that a member takes some has a number, which is in the key of its command. A key happens once, so of
two requests at the same time the ledger carries out one.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from typing import Final

from bot.clock import HOUR_SECONDS
from bot.croupier.croupier import Croupier
from bot.croupier.decisions import TRIES
from bot.croupier.open_tables import ChipsMoved, MemberErasedError
from bot.ledger.changes import Change, NotAfter, claim_key
from bot.ledger.errors import AlreadyDone, InsufficientChips, LedgerError, MemberErased, StaleBalance
from bot.ledger.ledger import Ledger
from bot.ledger.records import Claim
from bot.rules.server_settings import ServerSettings
from bot.table.accounts import MINT, Move, Reason, wallet
from bot.table.state import COMPUTERS, THE_HOUSE

log = logging.getLogger(__name__)

SAME_SECONDS: Final = 3.0
"""Of two processes that give the same handout at once, so much later the second one comes at most."""
STREAK_SECONDS: Final = 24 * HOUR_SECONDS
"""How long the next daily chips wait for a member before their streak ends."""
GIFT_SECONDS: Final = 24 * HOUR_SECONDS
"""How long a member's gift comes off their relief."""
BONUS_STEPS: Final = 6
"""How often the bonus grows: up to the seventh time in a row."""


@dataclass(frozen=True, slots=True)
class Handout:
    """Chips that a member got now.

    Attributes:
        streak: how many times in a row they took daily chips; 0 for relief.
        daily_at: when they can take daily chips again; None if never.
        streak_until: until when it goes on; None for relief.
        given_away: how many chips a relief is less, because its member gave them away.
    """

    kind: Reason
    chips: int
    bonus: int
    streak: int
    daily_at: float | None
    next_bonus: int = 0
    streak_until: float | None = None
    given_away: int = 0


@dataclass(frozen=True, slots=True)
class Due:
    """What a member can get, and from when on; None if never. Nothing moved.

    Attributes:
        relief_at: when they can get relief if they have few enough then; None also while a tournament of the
            server cannot be read.
        relief_to: how many chips they would have with it, less what they gave away.
        relief_chips: how many it brings them with the chips that they have now; 0 if they have enough, or
            some in play or in a tournament.
        in_play: how many of theirs are held at tables.
        in_tournaments: how many of theirs are in the pots of tournaments.
        waits_for_gift: whether relief would come earlier if they had given nothing.
    """

    daily_at: float | None
    daily_chips: int
    relief_at: float | None
    relief_to: int
    relief_chips: int
    in_play: int = 0
    in_tournaments: int = 0
    waits_for_gift: bool = False


async def gifts_of_a_day(ledger: Ledger, server_id: int, party: int, now: float) -> list[tuple[float, int]]:
    """When a member gave chips away in the last day, and how many, the oldest first."""
    gifts = await ledger.gifts_of(server_id, party, now - GIFT_SECONDS, now)
    return [(at, chips) for at, chips in gifts if now < at + GIFT_SECONDS]


def given_away(gifts: Sequence[tuple[float, int]], relief: int, at: float) -> tuple[int, float]:
    """How many chips come off a member's relief, and from when on some of it is left.

    Args:
        gifts: when they gave chips away in the last day, and how many, the oldest first.
        relief: how many chips it would bring if they had given nothing.
        at: when they can take it but for that.
    """
    still_off = [
        (given_at + GIFT_SECONDS, chips) for given_at, chips in gifts if at < given_at + GIFT_SECONDS
    ]
    off = sum(chips for _, chips in still_off)
    for until, chips in still_off:
        if off < relief:
            break
        off, at = off - chips, until
    return off, at


def streak_now(last: Claim | None, settings: ServerSettings, now: float) -> int:
    """How many times in a row daily chips are taken, if they are taken now."""
    if last is None or now > _after(last, settings.daily_hours) + STREAK_SECONDS:
        return 1
    return int(json.loads(last.answer or "{}").get("streak", 0)) + 1


def bonus_of(streak: int, settings: ServerSettings) -> int:
    """The bonus for the daily chips that are taken this many times in a row."""
    return settings.daily_bonus * min(streak - 1, BONUS_STEPS)


class Handouts:
    """Gives daily chips and relief, as the settings of the server say."""

    def __init__(self, croupier: Croupier) -> None:
        self._croupier = croupier
        self._ledger = croupier.ledger

    async def take(self, server_id: int, party: int, not_after: NotAfter | None = None) -> Handout | Due:
        """Gives a member their daily chips if these are due; else relief, if they have few chips.

        First opens their wallet if they have none. Raises BarredError if they are banned.
        """
        await self._croupier.barred.refuse_banned(party)
        try:
            await self._croupier.wallets.open(server_id, party)
            for _ in range(TRIES):
                if (done := await self._take(server_id, party, not_after)) is not None:
                    return done
        except MemberErased:
            raise MemberErasedError from None
        raise LedgerError(f"another request took the chips of party {party} at each of {TRIES} tries")

    async def coming(self, server_id: int, party: int) -> Due:
        """What a member can get now or later."""
        return (await self._dues(server_id, party, self._croupier.now()))[0]

    async def _take(self, server_id: int, party: int, not_after: NotAfter | None) -> Handout | Due | None:
        """One attempt; None means retry."""
        now, settings = self._croupier.now(), self._croupier.house_of(server_id).server
        due, free, daily, relief = await self._dues(server_id, party, now)
        if due.daily_at is not None and now >= due.daily_at:
            last, target_has, given = daily, None, _daily(streak_now(daily, settings, now), settings, now)
        elif due.relief_at is not None and now >= due.relief_at and due.relief_chips:
            last, target_has, off = relief, free, settings.relief_chips - due.relief_to
            given = Handout(Reason.RELIEF, due.relief_chips, 0, 0, due.daily_at, given_away=off)
        else:
            return due
        key = claim_key(given.kind, server_id, party, 1 if last is None else last.number + 1)
        move = Move(MINT, wallet(party), given.chips, given.kind)
        answer = json.dumps({"streak": given.streak})
        try:
            await self._ledger.commit(
                Change(
                    key, server_id, now, (move,), answer=answer, target_has=target_has, not_after=not_after
                )
            )
        except StaleBalance:
            # They got chips meanwhile, such as an entry in a tournament that came back.
            return None
        except AlreadyDone:
            if self._ledger.processes is None:
                return None
            # In a deploy that overlaps, the other process has the same request, and has just given this.
            done = await self._ledger.last_claim(given.kind, server_id, party, now)
            return given if done is not None and now - done.at < SAME_SECONDS else None
        self._croupier.listeners.notify_of_chips(ChipsMoved(server_id, {party: given.chips}))
        return given

    async def _dues(
        self, server_id: int, party: int, now: float
    ) -> tuple[Due, int, Claim | None, Claim | None]:
        """What a member can get with these free chips, and what they took last of each kind, if anything."""
        settings = self._croupier.house_of(server_id).server
        # Before gifts are read: one that is made meanwhile comes off twice, rather than not at all.
        stack = await self._ledger.stacks.of((server_id, party))
        in_tournaments = await self._croupier.stored_tournaments.chips_in_pots(server_id, party)
        first_at = 0.0
        if not isinf(stack.no_opening_before):
            # They have no opening chips yet. For how long, memory may have forgotten.
            first_at = await self._ledger.no_opening_before(server_id, party)
        daily = await self._ledger.last_claim(Reason.DAILY, server_id, party, now)
        relief = await self._ledger.last_claim(Reason.RELIEF, server_id, party, now)
        daily_at = _due(daily, settings.daily_hours, first_at) if settings.daily_chips else None
        has_relief = settings.relief_chips and in_tournaments is not None
        relief_at = _due(relief, settings.relief_hours, first_at) if has_relief else None
        lacking = settings.relief_chips - stack.free
        is_entitled = stack.free < settings.relief_below and not stack.held and in_tournaments == 0
        off, waits = 0, False
        if relief_at is not None:
            gifts = await gifts_of_a_day(self._ledger, server_id, party, now)
            but_for_gifts = max(relief_at, now)
            off, left_at = given_away(gifts, lacking if is_entitled else settings.relief_chips, but_for_gifts)
            waits = left_at > but_for_gifts
            relief_at = left_at if waits else relief_at
        due = Due(
            daily_at,
            _daily(streak_now(daily, settings, max(now, daily_at or now)), settings, now).chips,
            relief_at,
            settings.relief_chips - off,
            lacking - off if is_entitled else 0,
            stack.held,
            in_tournaments or 0,
            waits,
        )
        return due, stack.free, daily, relief


def _daily(streak: int, settings: ServerSettings, now: float) -> Handout:
    bonus, again = bonus_of(streak, settings), now + settings.daily_hours * HOUR_SECONDS
    next_bonus = bonus_of(streak + 1, settings)
    chips = settings.daily_chips + bonus
    return Handout(Reason.DAILY, chips, bonus, streak, again, next_bonus, again + STREAK_SECONDS)


def _due(last: Claim | None, hours: int, first_at: float) -> float:
    """When the next handout of a kind is due; the first one at `first_at`.

    An erased member who comes back waits for it as for new opening chips: erasing brings none.
    """
    return first_at if last is None else _after(last, hours)


def _after(last: Claim, hours: int) -> float:
    return last.at + hours * HOUR_SECONDS


_CHIPS: Final = wallet(THE_HOUSE)


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The chips of a house."""

    free: int
    held: int

    @property
    def total(self) -> int:
        """All chips of the house."""
        return self.free + self.held


async def bankroll(croupier: Croupier, server_id: int) -> Bankroll:
    """What the house of a server has; opens its bankroll first."""
    await croupier.wallets.open(server_id, THE_HOUSE)
    stacks = await croupier.ledger.stacks.of_all(server_id, (THE_HOUSE, *COMPUTERS))
    return Bankroll(stacks[THE_HOUSE].free, sum(stack.held for stack in stacks.values()))


async def set_bankroll(
    croupier: Croupier, server_id: int, chips: int, key: str, not_after: NotAfter | None = None
) -> Bankroll:
    """Brings the house of a server to this many chips, once; held ones count, and stay held.

    Args:
        chips: how many it has afterwards; if more are held, those are all that it has.
    """
    for _ in range(TRIES):
        has = await bankroll(croupier, server_id)
        more = max(chips - has.held, 0) - has.free
        if not more:
            return has
        source, target = (MINT, _CHIPS) if more > 0 else (_CHIPS, MINT)
        move = Move(source, target, abs(more), Reason.BANKROLL)
        change = Change(f"bankroll:{key}", server_id, croupier.now(), (move,), not_after=not_after)
        try:
            await croupier.ledger.commit(change)
        except InsufficientChips as short:
            log.info("setting the bankroll again: %s", short)
            continue
        except AlreadyDone:
            log.info("the bankroll of server %s was set by %s before", server_id, key)
        croupier.listeners.notify_of_chips(ChipsMoved(server_id, {THE_HOUSE: more}))
        return await bankroll(croupier, server_id)
    raise LedgerError(f"the bankroll of server {server_id} changed at each of {TRIES} tries to set it")
