"""The one place where buttons, menus and modals arrive: each action goes to exactly one handler."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeVar, overload

import discord

from bot.croupier.croupier import Croupier
from bot.ui.board.boards import Boards
from bot.ui.press.component_shape import Shape
from bot.ui.press.custom_ids import (
    IN_MENU,
    Action,
    ChannelAction,
    ChannelPress,
    HouseAction,
    HousePress,
    Press,
    PrivacyAction,
    PrivacyPress,
    TableAction,
    TablePress,
    parse_custom_id,
)
from bot.ui.press.errors import MemberError
from bot.ui.press.guide_ids import GuideAction, GuidePress, LessonAction, LessonPress
from bot.ui.press.interactions import Reception
from bot.ui.press.replies import Interaction, user_of
from bot.ui.press.table_choice import table_or_raise

Handler = Callable[[Interaction, Any], Awaitable[None]]
TableMethod = TypeVar("TableMethod", bound=Callable[[Any, Any, TablePress], Awaitable[None]])
HouseMethod = TypeVar("HouseMethod", bound=Callable[[Any, Any, HousePress], Awaitable[None]])
PrivacyMethod = TypeVar("PrivacyMethod", bound=Callable[[Any, Any, PrivacyPress], Awaitable[None]])
GuideMethod = TypeVar("GuideMethod", bound=Callable[[Any, Any, GuidePress], Awaitable[None]])
LessonMethod = TypeVar("LessonMethod", bound=Callable[[Any, Any, LessonPress], Awaitable[None]])
ChannelMethod = TypeVar("ChannelMethod", bound=Callable[[Any, Any, ChannelPress], Awaitable[None]])

_ACTIONS: Final = "__handled_actions__"


class RoutingError(Exception):
    """An action has no handler, or two; the text names it."""


@overload
def handles(action: TableAction) -> Callable[[TableMethod], TableMethod]: ...
@overload
def handles(action: HouseAction) -> Callable[[HouseMethod], HouseMethod]: ...
@overload
def handles(action: PrivacyAction) -> Callable[[PrivacyMethod], PrivacyMethod]: ...
@overload
def handles(action: ChannelAction) -> Callable[[ChannelMethod], ChannelMethod]: ...
@overload
def handles(action: GuideAction) -> Callable[[GuideMethod], GuideMethod]: ...
@overload
def handles(action: LessonAction) -> Callable[[LessonMethod], LessonMethod]: ...
def handles(action: Action) -> Callable[[Any], Any]:
    """Marks a cog's method as the handler of an action: `async def join(self, interaction, press)`."""

    def mark(method: Any) -> Any:
        setattr(method, _ACTIONS, (*getattr(method, _ACTIONS, ()), action))
        return method

    return mark


class Router:
    """Passes each press to its handler.

    Args:
        croupier: knows the open tables.
        boards: whose menus are reset after use.
        reception: receives every interaction.
    """

    def __init__(self, croupier: Croupier, boards: Boards, reception: Reception) -> None:
        self._croupier = croupier
        self._boards = boards
        self._reception = reception
        self._handlers: dict[Action, Handler] = {}

    def add(self, cog: object) -> None:
        """Registers all handlers of a cog, or none if it raises.

        Raises:
            RoutingError: if one of its actions has a handler already.
        """
        added: dict[Action, Handler] = {}
        for action, handler in _handlers_of(cog):
            if action in self._handlers or action in added:
                raise RoutingError(f"the action {action!r} has two handlers")
            added[action] = handler
        self._handlers |= added

    def remove(self, cog: object) -> None:
        """Forgets the handlers of a cog."""
        for action, _ in _handlers_of(cog):
            self._handlers.pop(action, None)

    def check(self) -> None:
        """Checks that every action has a handler.

        Raises:
            RoutingError: if not, naming those without.
        """
        every: list[Action] = [
            *TableAction,
            *HouseAction,
            *PrivacyAction,
            *ChannelAction,
            *GuideAction,
            *LessonAction,
        ]
        missing = [action for action in every if action not in self._handlers and action != TableAction.MORE]
        if missing:
            raise RoutingError(f"no handler for {', '.join(map(repr, missing))}")

    async def route(self, interaction: Interaction) -> None:
        """Handles a button, a menu or a modal; leaves every other interaction alone."""
        if interaction.type not in (
            discord.InteractionType.component,
            discord.InteractionType.modal_submit,
        ):
            return
        data: Any = interaction.data or {}
        press = parse_custom_id(str(data.get("custom_id", "")))
        about = press if isinstance(press, TablePress) else None
        async with self._reception.handling(
            interaction,
            "unknown-component" if press is None else press.action,
            table_id=None if about is None else about.table_id,
            round_number=None if about is None else about.meant_round,
        ):
            if press is None or _shape(interaction) is not press.action.shape:
                raise MemberError("reply.outdated_component")
            await self._handle(interaction, _filled(press, data))

    async def _handle(self, interaction: Interaction, press: Press) -> None:
        if isinstance(press, HousePress):
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                raise MemberError("reply.not_allowed")
        elif isinstance(press, TablePress):
            press = replace(press, presser=await self._presser(interaction, press))
        if press.action != TableAction.MORE:
            await self._handler(press.action)(interaction, press)
            return
        assert isinstance(press, TablePress)
        if press.values[0] not in IN_MENU:
            raise MemberError("reply.outdated_component")
        action = TableAction(press.values[0])
        chosen = TablePress(press.table_id, press.round_number, action, presser=press.presser)
        try:
            await self._handler(chosen.action)(interaction, chosen)
        finally:
            if interaction.response.type is not discord.InteractionResponseType.message_update:
                self._boards.reset_menu(press.table_id)

    def _handler(self, action: Action) -> Handler:
        handler = self._handlers.get(action)
        if handler is None:
            # Its cog is being reloaded.
            raise MemberError("reply.try_again")
        return handler

    async def _presser(self, interaction: Interaction, press: TablePress) -> int:
        """The party of the member who pressed.

        Raises:
            MemberError: the press is from another server, or by direct message from who is not at the table.
        """
        table = table_or_raise(self._croupier, press.table_id)
        identities = self._croupier.identities
        if interaction.guild_id is None:
            if not table.has(identities.known(table.server_id, interaction.user.id)):
                raise MemberError("reply.not_at_that_table")
            self._reception.answer_in(interaction, table.server_id)
        elif interaction.guild_id != table.server_id:
            raise MemberError("reply.other_server")
        return await identities.party_of(table.server_id, user_of(interaction))


def _handlers_of(cog: object) -> Iterator[tuple[Action, Handler]]:
    for name in dir(type(cog)):
        for action in getattr(getattr(type(cog), name), _ACTIONS, ()):
            yield action, getattr(cog, name)


def _shape(interaction: Interaction) -> Shape:
    if interaction.type is discord.InteractionType.modal_submit:
        return Shape.MODAL
    data: Any = interaction.data
    is_button = data.get("component_type") == discord.ComponentType.button.value
    return Shape.BUTTON if is_button else Shape.MENU


def _filled(press: Press, data: Any) -> Press:
    """The press with what was picked or entered.

    Raises:
        MemberError: if nothing was picked.
    """
    if isinstance(press, PrivacyPress | ChannelPress | GuidePress | LessonPress):
        return press
    match press.action.shape:
        case Shape.MENU:
            values = tuple(str(value) for value in data.get("values") or ())
            if not values:
                raise MemberError("reply.nothing_picked")
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
