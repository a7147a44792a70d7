"""The one place where buttons, menus and modals arrive: each action goes to exactly one handler.

How every press and every command ends is here too: with one sentence about an error, and its latency.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeVar

import discord

from bot.clock import steady_time
from bot.croupier.croupier import Croupier
from bot.croupier.open_tables import NoSuchTableError
from bot.table.refusals import Refusal, refuse
from bot.table.state import TableState
from bot.ui.components import Component
from bot.ui.press.arrivals import Arrival, Arrivals, user_of
from bot.ui.press.custom_ids import Press, PressAction, Shape, can_be_picked, parse_custom_id
from bot.ui.press.errors import (
    DONE,
    SENDING_FAILED,
    MemberError,
    Outcome,
    RefusedError,
    is_outage,
    log_failure,
    outcome_of,
    sentence_for,
)
from bot.ui.press.replies import reply, reply_below_pressed
from bot.wire.requests import Interaction
from bot.words.translation import set_reader

Handler = Callable[[Interaction, Press], Awaitable[None]]
Method = TypeVar("Method", bound=Callable[[Any, Any, Press], Awaitable[None]])

log = logging.getLogger(__name__)

SLOW_SECONDS: Final = 1.5
"""An interaction that takes longer is logged as a warning: Discord gives up after 3 seconds."""
_ACTIONS: Final = "__handled_actions__"


class RoutingError(Exception):
    """An action has no handler, or two; the text names it."""


def handles(*actions: PressAction) -> Callable[[Method], Method]:
    """Marks a method as the handler of these actions: `async def join(self, interaction, press)`."""

    def mark(method: Method) -> Method:
        setattr(method, _ACTIONS, (*getattr(method, _ACTIONS, ()), *actions))
        return method

    return mark


class Router:
    """Passes each press to its handler.

    Args:
        menu_used: has the next edit reset the menu that was used, and returns what edits that soon: Discord's
            client keeps showing what was picked last.
        result_at: what a member who presses reads of the last round of a table that has just closed.
        is_old_hand: whether a press on a table is on a direct message with a hand that is not the newest.
    """

    def __init__(
        self,
        croupier: Croupier,
        arrivals: Arrivals,
        menu_used: Callable[[Interaction, Press], Callable[[], None]],
        result_at: Callable[[Interaction, TableState], str],
        is_old_hand: Callable[[Interaction, int], bool],
    ) -> None:
        self._croupier = croupier
        self._menu_used = menu_used
        self._result_at = result_at
        self._is_old_hand = is_old_hand
        self._arrivals = arrivals
        self._handlers: dict[PressAction, Handler] = {}

    def open(self, owners: Iterable[object]) -> None:
        """Learns the handlers that are methods of these: of every cog, and others."""
        for owner in owners:
            for action, handler in _handlers_of(owner):
                if action in self._handlers:
                    raise RoutingError(f"the action {action!r} has two handlers")
                self._handlers[action] = handler
        # The menu has no handler: its values are other actions.
        handled = {PressAction.MORE, *self._handlers}
        if missing := [action for action in PressAction if action not in handled]:
            raise RoutingError(f"no handler for {', '.join(map(repr, missing))}")

    async def route(self, interaction: Interaction) -> None:
        """Handles a button, a menu or a modal: what goes wrong becomes one sentence."""
        data: Any = interaction.data or {}
        press = parse_custom_id(str(data.get("custom_id", "")))
        action: str = "unknown-component"
        outcome, answerable = DONE, True
        if press is None:
            self._arrivals.begin(interaction)
        else:
            action, table_id = press.action, press.table_id or None
            self._arrivals.begin(interaction, table_id=table_id, round_number=press.meant_round)
        try:
            if press is None or _shape(interaction) is not press.action.shape:
                raise MemberError("reply.outdated_component")
            await self._handle(interaction, _filled(press, data))
        except Exception as error:
            ends = press is not None and self._ends_buttons(interaction, press, error)
            outcome, answerable = outcome_of(error), await report(interaction, error, ends_buttons=ends)
        finally:
            finish(interaction, action, outcome, answerable=answerable)

    async def _handle(self, interaction: Interaction, press: Press) -> None:
        match press.action.subject:
            case "house" if interaction.guild_id is None or not interaction.permissions.manage_guild:
                raise MemberError("reply.not_allowed")
            case "table":
                press = replace(press, presser=await self._presser(interaction, press))
        if press.action is not PressAction.MORE:
            await self._handlers[press.action](interaction, press)
            return
        chosen = replace(press, action=PressAction(press.values[0]), number=None, values=())
        edit_soon = self._menu_used(interaction, press)
        try:
            await self._handlers[chosen.action](interaction, chosen)
        finally:
            if interaction.response.type is not discord.InteractionResponseType.message_update:
                edit_soon()

    def _ends_buttons(self, interaction: Interaction, press: Press, error: Exception) -> bool:
        """Whether what was pressed is a direct message whose buttons are of no use any more."""
        if interaction.guild_id is not None or press.action.subject != "table":
            return False
        is_closed = isinstance(error, RefusedError) and error.refused.code is Refusal.TABLE_CLOSED
        is_gone = isinstance(error, MemberError) and error.code == "reply.not_at_that_table"
        is_over = is_closed or is_gone or isinstance(error, NoSuchTableError)
        return is_over or self._is_old_hand(interaction, press.table_id)

    async def _presser(self, interaction: Interaction, press: Press) -> int:
        """The party of the member who pressed: in the table's server, or by direct message from the table."""
        try:
            table = await self._croupier.table(press.table_id)
        except NoSuchTableError:
            if press.action is PressAction.VERIFY:
                stored = await self._croupier.ledger.table(press.table_id)
                if stored is not None and interaction.guild_id in (None, stored.server_id):
                    return await self._croupier.identities.party_of(stored.server_id, user_of(interaction))
            closed = self._croupier.tables.closed_lately(press.table_id)
            if closed is None:
                raise
            raise RefusedError(refuse(Refusal.TABLE_CLOSED), self._result_at(interaction, closed)) from None
        identities = self._croupier.identities
        if interaction.guild_id is None:
            if not table.has(identities.known(table.server_id, interaction.user.id)):
                raise MemberError("reply.not_at_that_table")
            set_reader(self._arrivals.readers.of_interaction(interaction, table.server_id))
        elif interaction.guild_id != table.server_id:
            raise MemberError("reply.other_server")
        party = await identities.party_of(table.server_id, user_of(interaction))
        self._croupier.attention.note_press(press.table_id, party)
        return party


def finish(interaction: Interaction, action: str, outcome: Outcome, *, answerable: bool = True) -> None:
    """Logs how long an interaction took and how it ended.

    Args:
        answerable: whether Discord could take an answer; else it took long for that reason.
    """
    arrival = Arrival.of(interaction)
    arrival.ended()
    if interaction.type is not discord.InteractionType.autocomplete:
        arrival.shared.pressed_next(interaction)
    seconds = steady_time() - arrival.at
    level = logging.WARNING if answerable and seconds > SLOW_SECONDS else logging.DEBUG
    log.log(level, "%s: %s after %.3f seconds", action, outcome.name, seconds)
    arrival.shared.on_finished(action, outcome, seconds)


async def report(interaction: Interaction, error: Exception, *, ends_buttons: bool = False) -> bool:
    """Tells the member what went wrong, in one sentence; never raises.

    Args:
        ends_buttons: whether the sentence takes the place of the buttons of the message that was pressed.

    Returns:
        Whether Discord could take an answer: not during an outage.
    """
    if interaction.client.is_closed():
        log.info("the bot was stopping")
        return True
    sentence = sentence_for(error)
    if sentence is None or interaction.type is discord.InteractionType.autocomplete:
        return not is_outage(error)
    next_steps: tuple[Component, ...] = ()
    is_question = False
    if isinstance(error, MemberError | RefusedError):
        next_steps, is_question = error.next_steps, error.is_question
    try:
        if not (ends_buttons and await reply_below_pressed(interaction, sentence, next_steps)):
            await reply(interaction, sentence, next_steps, is_question=is_question)
    except SENDING_FAILED as failed:
        log_failure(log, failed, "an answer could not be sent")
        return not is_outage(failed)
    except Exception:
        log.exception("an answer could not be made")
    return True


def _handlers_of(owner: object) -> Iterator[tuple[PressAction, Handler]]:
    for name in dir(type(owner)):
        for action in getattr(getattr(type(owner), name), _ACTIONS, ()):
            yield action, getattr(owner, name)


def _shape(interaction: Interaction) -> Shape:
    if interaction.type is discord.InteractionType.modal_submit:
        return Shape.MODAL
    data: Any = interaction.data
    is_button = data.get("component_type") == discord.ComponentType.button.value
    return Shape.BUTTON if is_button else Shape.MENU


def _filled(press: Press, data: Any) -> Press:
    """The press with what was picked or entered."""
    match press.action.shape:
        case Shape.MENU:
            values = tuple(str(value) for value in data.get("values") or ())
            if not values:
                raise MemberError("reply.nothing_picked")
            if not all(can_be_picked(press.action, value) for value in values):
                raise MemberError("reply.outdated_component")
            return replace(press, values=values)
        case Shape.MODAL:
            parts = (part.get("component", {}) for part in data.get("components", ()))
            fields = {part["custom_id"]: _entered(part) for part in parts if "custom_id" in part}
            return replace(press, fields=MappingProxyType(fields))
        case Shape.BUTTON:
            return press


def _entered(part: Any) -> tuple[str, ...]:
    """What was entered in an input of a modal: picked values, or one text."""
    return tuple(map(str, part["values"])) if "values" in part else (str(part.get("value", "")),)
