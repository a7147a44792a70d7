"""What commands of admins about members share: a reason, a question first, and what the member is told."""

from collections.abc import Awaitable, Callable
from typing import Final

import discord
from cachetools import LRUCache

from bot.rules.typed_text import PLACEHOLDER, clean
from bot.table.state import TableState
from bot.ui.board.text import bets_to_return
from bot.ui.components import Layout, button, row, text_view
from bot.ui.hand.delivery import HandDelivery
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError, nonce
from bot.ui.press.replies import replace_pressed, reply_layout
from bot.ui.readers import Names
from bot.ui.services import Services
from bot.wire.requests import Content, Interaction
from bot.words.translation import sentences, speaking_to, translate

LONGEST_REASON: Final = 200
"""The most characters of a reason."""
QUESTIONS_KEPT: Final = 1_000
"""How many questions are kept; a restart forgets them."""

Act = Callable[[Interaction], Awaitable[Layout]]
"""Does what an admin asked for, and returns what they are told; done twice, it has happened once."""


class AdminActs:
    """Asks admins before their commands act, and tells members what they did."""

    def __init__(
        self, services: Services, delivery: HandDelivery, server_name: Callable[[int], Awaitable[str | None]]
    ) -> None:
        self._services = services
        self._delivery = delivery
        self._server_name = server_name
        self._asked: LRUCache[str, Act] = LRUCache(QUESTIONS_KEPT)

    async def carry_out(
        self, interaction: Interaction, act: Act, question: str, yes: str, no: str = ""
    ) -> None:
        """Does what a command asks for, and tells the admin alone; asks first if there is a question.

        Args:
            yes: what the button below the question says.
            no: what the other one says; without it, *Cancel*.
        """
        if not question:
            await reply_layout(interaction, await act(interaction), kind=None)
            return
        key = str(interaction.id)
        self._asked[key] = act
        confirm = Press(PressAction.CARRY_OUT, arguments=(key,))
        buttons = row(
            button(confirm, yes, style=discord.ButtonStyle.danger),
            button(Press(PressAction.CANCEL), no or translate("house.leave")),
        )
        await reply_layout(interaction, [*text_view(question), buttons], kind=None)

    async def confirmed(self, interaction: Interaction, press: Press) -> None:
        """Does what an admin was asked about, and says so in place of the question."""
        (key,) = press.arguments
        if (act := self._asked.get(key)) is None:
            raise MemberError("reply.question_outdated")
        await replace_pressed(interaction, Content(await act(interaction)))

    def tell(self, server_id: int, party: int, code: str, key: str, **facts: int | str) -> None:
        """Tells a member soon by direct message what an admin did.

        Args:
            code: the sentence; it may name the `server`.
            key: of the command; of two messages with the same code and key, the first is sent.
        """
        self._services.tasks.start(self._tell(server_id, party, code, key, facts), "admin-message")

    async def _tell(
        self, server_id: int, party: int, code: str, key: str, facts: dict[str, int | str]
    ) -> None:
        server = await self._server_name(server_id) or ""
        identity = (await self._services.croupier.ledger.identities([party])).get(party)
        if identity is None:
            return
        with speaking_to(self._services.readers.of_member(identity)):
            words = translate(code, server=server, **facts)
        await self._delivery.send_message(identity, Content(text_view(words)), nonce(code, key))


def checked_reason(typed: str) -> str:
    """The reason as others read it.

    Raises:
        MemberError: nothing of it can be seen.
    """
    words = clean(typed, LONGEST_REASON)
    if words == PLACEHOLDER:
        raise MemberError("bank.no_reason")
    return words


def losses_words(tables: list[TableState], party: int, names: Names) -> str:
    """What a member loses who is removed from these tables; empty if it is only a seat without a bet."""
    banks = [translate("removal.bank", number=table.number) for table in tables if table.is_banker(party)]
    return sentences([*banks, bets_to_return(tables, names, party)])


def entry_words(channel_id: int, returned: int) -> str:
    """What becomes of the entry of a member who is out of a tournament.

    Args:
        channel_id: of the tournament, or the thread of the table.
        returned: the chips that go back; 0 once it has started.
    """
    code = "ban.entry_back" if returned else "ban.entry_stays"
    return translate(code, channel=channel_id, chips=returned)
