"""What a member can press on their own panel: only what they can do now."""

from collections.abc import Iterator

import discord

from bot.table.preconditions import Action, unmet_precondition
from bot.table.seats import Seat
from bot.table.state import Phase, TableState
from bot.ui.components import Component, button, row
from bot.ui.hand.own_hand import OwnHand
from bot.ui.press.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.ui.stakes import quick_stakes
from bot.words.translation import translate

_SUCCESS = discord.ButtonStyle.success


def panel_rows(
    state: TableState,
    party: int,
    most: int,
    own: OwnHand | None,
    *,
    offers_why: bool,
    outside: bool,
    unreachable: bool,
) -> list[Component]:
    """The rows of buttons below a member's panel; none once the table is closed.

    The message may be read rounds later: a bet from it is meant for whichever round is on by then.

    Args:
        state: the table.
        party: whose panel.
        most: the largest bet that they could place now, in chips; 0 if none.
        own: the hand that the panel shows; None if it shows none.
        offers_why: whether *Why this hand* is offered also before the hand is arranged.
        outside: whether the message is not in the table's server, where nobody can take a seat.
        unreachable: whether direct messages to them fail, so that a button to try again is useful.
    """
    if state.phase is Phase.CLOSED:
        return []
    seat = state.seat_of(party)
    bets: list[Component] = []
    if state.is_banker(party):
        moves = [*_bankers(state), _button(state, TableAction.GIVE_UP)]
    elif seat is not None:
        moves = [*_players(state, seat), _button(state, TableAction.LEAVE)]
        bets = [] if seat.stake is not None else _bets(state, seat.last_stake, most)
    else:
        moves = [*_onlookers(state, outside=outside)]
        bets = [] if outside else _bets(state, None, most)
    look: list[Component] = []
    if not outside or state.phase is Phase.DEALT:
        # A message with a hand keeps it and its result, where a look would show what is on now.
        look.append(_button(state, TableAction.HAND, "button.look_again", emoji=state.game.pieces.emoji))
    if own is not None and (offers_why or own.hand is not None):
        look.append(_why(state, own))
    if unreachable:
        look.append(_button(state, TableAction.MESSAGES, emoji="✉️"))
    return [row(*buttons) for buttons in (bets, moves, look) if buttons]


def resting_rows(state: TableState) -> list[Component]:
    """The row of a panel that is edited no more: what is pressed there shows how things are by then."""
    return [row(_button(state, TableAction.HAND, "button.look_again", emoji=state.game.pieces.emoji))]


def played_hand_rows(state: TableState, party: int, most: int, own: OwnHand | None) -> list[Component]:
    """The rows below a hand whose round is over: what works in any round while the member stays.

    Args:
        state: the table.
        party: whose hand.
        most: the largest bet that they could place now, in chips; 0 if none.
        own: the hand; None if the round was called off.
    """
    if state.phase is Phase.CLOSED:
        return []
    seat, bets, moves = state.seat_of(party), [], []
    if seat is not None:
        bets = _bets(state, seat.stake or seat.last_stake, most)
        moves.append(_button(state, TableAction.LEAVE))
    elif state.is_banker(party):
        moves.append(_button(state, TableAction.GIVE_UP))
    if own is not None:
        moves.append(_why(state, own))
    return [row(*buttons) for buttons in (bets, moves) if buttons]


def _why(state: TableState, own: OwnHand) -> Component:
    why = TablePress(state.table_id, own.round_number, TableAction.WHY)
    return button(why, translate("button.why"), emoji="❔")


def _bankers(state: TableState) -> Iterator[Component]:
    assert state.bank is not None
    if _can_reveal(state, revealed=state.bank.revealed):
        yield _reveal(state)
    if unmet_precondition(state, Action.DEAL) is None:
        deal = TablePress(state.table_id, state.round_number, TableAction.DEAL)
        yield button(deal, translate("button.deal"), style=discord.ButtonStyle.primary)
    if unmet_precondition(state, Action.LIMITS) is None:
        yield _button(state, TableAction.LIMITS)


def _players(state: TableState, seat: Seat) -> Iterator[Component]:
    if seat.pieces and _can_reveal(state, revealed=seat.revealed):
        yield _reveal(state)
    if state.phase is not Phase.BETTING:
        return
    if seat.stake is not None:
        yield _button(state, TableAction.WITHDRAW, "button.withdraw_points" if state.for_points else None)
        if not state.for_points:
            yield _button(state, TableAction.OTHER_BET)
    elif not seat.sitting_out:
        yield _button(state, TableAction.SIT_OUT)


def _onlookers(state: TableState, *, outside: bool) -> Iterator[Component]:
    if not outside and unmet_precondition(state, Action.JOIN) is None:
        yield _button(state, TableAction.JOIN)


def _bets(state: TableState, last_stake: int | None, most: int) -> list[Component]:
    """Bets to press: the same again and twice as much, or a few to begin with, and any other amount.

    Args:
        state: the table.
        last_stake: what the member bet last here, in chips; None if they have not bet yet.
        most: the largest bet that they could place now, in chips; 0 if none.
    """
    if not most or state.bank is None:
        return []
    if state.for_points:
        return [_button(state, TableAction.PLAY, emoji="✋")]
    if last_stake is None:
        stakes = quick_stakes(state.bank.lowest, most)
    else:
        stakes = tuple(one for one in (last_stake, 2 * last_stake) if state.bank.lowest <= one <= most)
    return [*(_bet(state, stake) for stake in stakes), _button(state, TableAction.OTHER_BET)]


def _bet(state: TableState, stake: int) -> Component:
    press = TablePress(state.table_id, ANY_ROUND, TableAction.BET, stake)
    return button(press, translate("button.bet_this", stake=stake), style=_SUCCESS)


def _can_reveal(state: TableState, *, revealed: bool) -> bool:
    return not revealed and unmet_precondition(state, Action.REVEAL) is None


def _reveal(state: TableState) -> Component:
    press = TablePress(state.table_id, state.round_number, TableAction.REVEAL)
    return button(press, translate("button.reveal"), style=_SUCCESS)


def _button(
    state: TableState, action: TableAction, label: str | None = None, *, emoji: str | None = None
) -> Component:
    """A button that works in any round."""
    press = TablePress(state.table_id, ANY_ROUND, action)
    return button(press, translate(label or f"button.{action}"), emoji=emoji)
