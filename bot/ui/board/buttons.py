"""What a board offers to press: what somebody can do now, in at most eight buttons and one menu.

What only some members can do, such as dealing or leaving, is on their own panels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.table.betting import largest_for_anybody
from bot.table.preconditions import Action, can_wait_for_bank, unmet_precondition
from bot.table.state import Phase, TableState
from bot.ui.board.text import BoardFacts, house_can_bank
from bot.ui.components import Component, button, menu, option, row
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.stakes import quick_stakes
from bot.words.hands import my_hand
from bot.words.translation import translate

_PRIMARY, _SUCCESS = discord.ButtonStyle.primary, discord.ButtonStyle.success


@dataclass(frozen=True, slots=True)
class _Offer:
    """A button for everybody; `button.<action>` is its label.

    Attributes:
        needs: what must be possible at the table, or the button is left out; None for nothing.
        for_this_round: whether a click that arrives after the round does nothing.
    """

    action: PressAction
    needs: Action | None = None
    for_this_round: bool = False
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    emoji: str | None = None


_WAITING: Final = (
    _Offer(PressAction.JOIN, Action.JOIN, style=_SUCCESS),
    _Offer(PressAction.BANK, Action.TAKE_BANK, style=_PRIMARY),
    _Offer(PressAction.ROLL, Action.ROLL, style=_PRIMARY, emoji="🎲"),
)
_PLAY_HOUSE: Final = _Offer(PressAction.PLAY_HOUSE, style=_SUCCESS)
_PLAY: Final = _Offer(PressAction.PLAY, Action.BET, for_this_round=True, style=_SUCCESS, emoji="✋")
_AGAIN: Final = _Offer(PressAction.AGAIN, Action.BET, for_this_round=True, emoji="🔁")
_OTHER_BET: Final = _Offer(PressAction.OTHER_BET, Action.BET, for_this_round=True)
_SIDE_BETS: Final = _Offer(PressAction.SIDE_BETS, Action.SIDE_BET, for_this_round=True)
_REVEAL: Final = _Offer(PressAction.REVEAL, Action.REVEAL, for_this_round=True, style=_SUCCESS)


def board_rows(state: TableState, facts: BoardFacts, menu_uses: int) -> list[Component]:
    """The rows of buttons below a board, and its menu."""
    if state.phase is Phase.CLOSED:
        return [_open_again(state)]
    stakes = [_stake(state, stake) for stake in _stakes(state, facts)]
    offered = [_button(state, offer) for offer in _offers(state, facts, takes_bets=bool(stakes))]
    return [*(row(*buttons) for buttons in (stakes, offered) if buttons), _menu(state, menu_uses)]


def _offers(state: TableState, facts: BoardFacts, *, takes_bets: bool) -> Iterator[_Offer]:
    """The buttons that somebody can press now; a table for points asks nobody for chips (G22)."""
    offers: tuple[_Offer, ...]
    match state.phase:
        case Phase.OPEN:
            offers = (*_WAITING, *((_PLAY_HOUSE,) if house_can_bank(state, facts) else ()))
        case Phase.BETTING if state.for_points:
            offers = (_PLAY,)
        case Phase.BETTING:
            can_repeat = takes_bets and any(seat.last_stake is not None for seat in state.members)
            again = (_AGAIN,) if can_repeat else ()
            offers = (*again, *((_OTHER_BET,) if takes_bets else ()), _SIDE_BETS)
        case _:
            hand = _Offer(PressAction.HAND, emoji=state.game.pieces.emoji)
            offers = (hand, _REVEAL)
    for offer in offers:
        if offer.needs is None or _is_possible(state, offer.needs):
            yield offer


def _is_possible(state: TableState, action: Action) -> bool:
    return unmet_precondition(state, action) is None


def _button(state: TableState, offer: _Offer) -> Component:
    round_number = state.round_number if offer.for_this_round else ANY_ROUND
    is_hand = offer.action is PressAction.HAND
    return button(
        Press(offer.action, state.table_id, round_number),
        my_hand(state.rules.game) if is_hand else translate(f"button.{offer.action}"),
        style=offer.style,
        emoji=offer.emoji,
    )


def _stakes(state: TableState, facts: BoardFacts) -> list[int]:
    """The amounts to bet that the bank can cover, in chips (B02)."""
    bank = state.bank
    if bank is None or state.for_points or not _is_possible(state, Action.BET):
        return []
    most = bank.highest
    if bank.party in facts.wallets:
        most = min(most, largest_for_anybody(state, facts.wallets))
    return [stake for stake in quick_stakes(bank.lowest, bank.highest) if stake <= most]


def _stake(state: TableState, stake: int) -> Component:
    press = Press(PressAction.BET, state.table_id, state.round_number, stake)
    return button(press, translate("button.bet", stake=stake))


def _open_again(state: TableState) -> Component:
    """The one button of a closed table; the channel may have another table by now."""
    press = Press(PressAction.OPEN, arguments=(state.rules.game, state.rules.play))
    return row(button(press, translate("button.open_again"), style=_SUCCESS))


def _menu(state: TableState, menu_uses: int) -> Component:
    options = [_option(state, action) for action in _in_menu(state)]
    press = Press(PressAction.MORE, state.table_id, state.round_number, menu_uses or None)
    return row(menu(press, translate("menu.more"), options))


def _option(state: TableState, action: PressAction) -> dict[str, Any]:
    """An entry of the menu, and what it is for."""
    points = action is PressAction.HAND and state.for_points
    what = translate(f"menu.{action}.what_points" if points else f"menu.{action}.what")
    return option(translate(f"menu.{action}"), action, what)


def _in_menu(state: TableState) -> Iterator[PressAction]:
    """What the menu offers: everything for everybody that is no button now."""
    if state.phase is not Phase.DEALT:
        yield PressAction.HAND
    if state.phase is not Phase.OPEN and _is_possible(state, Action.JOIN):
        yield PressAction.JOIN
    if can_wait_for_bank(state):
        yield PressAction.BANK_NEXT
    elif state.house_banks and _is_possible(state, Action.TAKE_BANK):
        yield PressAction.BANK
    if state.phase is Phase.BETTING:
        yield PressAction.SIT_OUT
        if state.side_bets:
            yield PressAction.UNBACK_ANY
    yield PressAction.RULES
    yield PressAction.CLOSE
