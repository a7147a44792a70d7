"""What commands of admins about members share: a reason, a question first, and what the member is told."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
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
from bot.ui.press.router import handles
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


@dataclass(frozen=True, slots=True)
class Question:
    """What an admin is asked before an act.

    Attributes:
        costs: what the act costs now; if that is something else at the yes, they are asked again.
    """

    words: str
    costs: str = ""


Ask = Callable[[Interaction], Awaitable[Question | None]]
"""Returns what to ask now; None if the act needs no question."""


@dataclass(slots=True)
class _Asked:
    """A question that was asked, what follows a yes, and the buttons' texts.

    Attributes:
        done: what the admin is told, once the act is done: also if they press again.
    """

    question: Question
    ask: Ask
    act: Act
    yes: str
    no: str
    done: Layout | None = None
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)


class AdminActs:
    """Asks admins before their commands act, and tells members what they did."""

    def __init__(
        self, services: Services, delivery: HandDelivery, server_name: Callable[[int], Awaitable[str | None]]
    ) -> None:
        self._services = services
        self._delivery = delivery
        self._server_name = server_name
        self._asked: LRUCache[str, _Asked] = LRUCache(QUESTIONS_KEPT)

    async def carry_out(self, interaction: Interaction, act: Act, ask: Ask, yes: str, no: str = "") -> None:
        """Does what a command asks for, and tells the admin alone; asks first if there is a question.

        Args:
            yes: what the button below the question says.
            no: what the other one says; without it, *Cancel*.
        """
        if (question := await ask(interaction)) is None:
            layout = await act(interaction)
        else:
            layout = self._view(interaction, _Asked(question, ask, act, yes, no))
        await reply_layout(interaction, layout, kind=None)

    def _view(self, interaction: Interaction, asked: _Asked) -> Layout:
        """Keeps a question, and returns how it is asked."""
        key = str(interaction.id)
        self._asked[key] = asked
        confirm = Press(PressAction.CARRY_OUT, arguments=(key,))
        buttons = row(
            button(confirm, asked.yes, style=discord.ButtonStyle.danger),
            button(Press(PressAction.CANCEL), asked.no or translate("house.leave")),
        )
        return [*text_view(asked.question.words), buttons]

    @handles(PressAction.CARRY_OUT)
    async def confirmed(self, interaction: Interaction, press: Press) -> None:
        """Does what an admin was asked about, and says so in place of the question.

        If it costs something else by now, the admin is asked again instead.
        """
        (key,) = press.arguments
        if (asked := self._asked.get(key)) is None:
            raise MemberError("reply.question_outdated")
        async with asked.one_at_a_time:
            if asked.done is None:
                question = await asked.ask(interaction)
                if question is not None and question.costs != asked.question.costs:
                    # The button before it goes on to mean what it meant: it may be pressed twice.
                    again = replace(asked, question=question, one_at_a_time=asyncio.Lock())
                    await replace_pressed(interaction, Content(self._view(interaction, again)))
                    return
                asked.done = await asked.act(interaction)
        await replace_pressed(interaction, Content(asked.done))

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
