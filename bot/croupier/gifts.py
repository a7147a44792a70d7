"""Gifts: chips that one member of a server gives another, for nothing and at no table.

No wallet is looked at first: the ledger itself takes the chips or says how many there are, so whatever else
wants them in the same moment, they go one way. What is held at a table is in no wallet, and stays there.
"""

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from weakref import WeakValueDictionary

from bot.croupier.answers import Answers
from bot.croupier.hosting import Croupier
from bot.ledger.changes import Change
from bot.ledger.errors import AlreadyDone, InsufficientChips
from bot.table.money import Move, Reason, wallet


@dataclass(frozen=True, slots=True)
class Gift:
    """Chips that somebody gives.

    Attributes:
        server_id: in which server; chips never leave it.
        giver_id: who gives.
        receiver_id: who gets them.
        chips: how many, one or more.
    """

    server_id: int
    giver_id: int
    receiver_id: int
    chips: int


class NoGift(StrEnum):
    """Why a gift is not made; `words` has a sentence for each."""

    TO_ONESELF = "to_oneself"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class GiftRefused:
    """A gift that moves nothing.

    Attributes:
        code: why.
        free: the chips that the giver has free to give; 0 where it is not for want of chips.
    """

    code: NoGift
    free: int = 0


class Gifts:
    """Makes gifts.

    Args:
        croupier: who opens wallets; its ledger moves the chips.
    """

    def __init__(self, croupier: Croupier) -> None:
        self._croupier = croupier
        self._answers: Answers[Gift | GiftRefused] = Answers()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def give(self, gift: Gift, key: str) -> Gift | GiftRefused:
        """Makes a gift, once; asked again with the same key, it answers the same.

        Giver and receiver get their wallets with the opening chips first, where they have none.

        Args:
            gift: what is given.
            key: what makes the request unique, such as Discord's interaction id.

        Returns:
            The gift as it was made, or why it was not.

        Raises:
            ValueError: where it is of no chips, or fewer.
            LedgerError: where it could not be written, as far as is known; with the same key it is safe to
                ask again.
        """
        if gift.giver_id == gift.receiver_id:
            return GiftRefused(NoGift.TO_ONESELF)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            answer = self._answers.get(key)
            if answer is None:
                answer = await self._carry_out(gift, key)
                self._answers.keep(key, answer)
            return answer

    async def _carry_out(self, gift: Gift, key: str) -> Gift | GiftRefused:
        giver, receiver = wallet(gift.giver_id), wallet(gift.receiver_id)
        given = Move(giver, receiver, gift.chips, Reason.GIFT)
        # His opening chips first: the gift is then the second line that a newcomer finds in his ledger.
        for member_id in (gift.giver_id, gift.receiver_id):
            await self._croupier.open_wallet(gift.server_id, member_id)
        try:
            await self._croupier.ledger.commit(Change(key, gift.server_id, self._croupier.now(), (given,)))
        except AlreadyDone:
            return gift
        except InsufficientChips as short:
            return GiftRefused(NoGift.TOO_LARGE, free=short.balance)
        return gift
