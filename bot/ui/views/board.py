"""A table's board: one message that is worth watching, with a button for everything at a table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import discord

from bot.rules.clean_text import text_length
from bot.table.betting import largest_for_anybody
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Phase, TableState
from bot.ui.custom_ids import ANY_ROUND, IN_MENU, ChannelAction, ChannelPress, TableAction, TablePress
from bot.ui.names import Names
from bot.ui.views.board_text import (
    BoardFacts,
    bank_line,
    footer,
    happenings,
    rules_line,
    seat_lines,
    title,
)
from bot.ui.views.components import (
    LONGEST_TEXT,
    Component,
    Layout,
    box,
    button,
    menu,
    option,
    picture,
    row,
    separator,
    text,
)
from bot.ui.views.result_text import ResultText, receipt_line
from bot.ui.views.stakes import DEFAULT_LIMITS, quick_stakes
from bot.words import translate

ACCENTS: Final[Mapping[Phase, int]] = MappingProxyType(
    {
        Phase.OPEN: 0x80848E,
        Phase.BETTING: 0xF0B232,
        Phase.DEALT: 0x5865F2,
        Phase.CLOSED: 0x4E5058,
    }
)
"""The limits offered before a banker sets their own, in chips."""


def picture_name(round_number: int) -> str:
    """The file name of a showdown's picture."""
    return f"round-{round_number}.png"


def shows_picture(state: TableState) -> int | None:
    """The number of the round whose picture the board shows; None if it shows none."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return None
    return state.last.round_number


def board_view(
    state: TableState,
    names: Names,
    facts: BoardFacts,
    picture_text: str | None,
    *,
    last: ResultText | None = None,
    menu_uses: int = 0,
) -> Layout:
    """The board of a table.

    Args:
        state: the table.
        names: how members are shown.
        facts: what is shown beside it.
        picture_text: the alternative text of the last showdown's picture, which the message has attached as
            `picture_name`; None if there is no picture.
        last: the text of its last result; None to write it now.
        menu_uses: how often the menu was used: another number resets it in Discord's client.
    """
    head = [f"{title(state)}\n{rules_line(state, facts)}"]
    seats, happened, foot = "", happenings(state, names), footer(state, names, facts)
    if state.phase is not Phase.CLOSED:
        head.append(bank_line(state, names, facts))
        seats = seat_lines(state, names, facts)
    parts = [text(words) for words in head]
    if state.phase is not Phase.CLOSED:
        parts.append(separator())
    if seats:
        parts.append(text(seats))
    if state.last is not None and state.phase is not Phase.DEALT:
        parts.append(separator())
        if picture_text is not None:
            parts.append(picture(picture_name(state.last.round_number), picture_text))
        opened = receipt_line(state.last)
        last = last or ResultText(state.last, names)
        room = LONGEST_TEXT - sum(map(text_length, (*head, seats, happened, foot, opened)))
        parts.append(text(f"{last.within(room)}\n{opened}".rstrip()))
    if happened:
        parts.append(text(happened))
    parts += [separator(), text(foot)]
    rows = [_open_again(state)] if state.phase is Phase.CLOSED else _rows(state, facts, menu_uses)
    return [box(parts, ACCENTS[state.phase]), *rows]


@dataclass(frozen=True, slots=True)
class _Offer:
    """A button that the board has for everybody; `button.<action>` is its label.

    Attributes:
        action: what it does.
        needs: what must be possible at the table, or the button is greyed out; None for nothing.
        for_this_round: whether a click that arrives after the round does nothing.
        style: how it looks.
        emoji: what stands before the label.
    """

    action: TableAction
    needs: Action | None = None
    for_this_round: bool = False
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    emoji: str | None = None


_PRIMARY, _SUCCESS = discord.ButtonStyle.primary, discord.ButtonStyle.success
_JOIN: Final = _Offer(TableAction.JOIN, Action.JOIN, style=_SUCCESS)
_TAKE: Final = _Offer(TableAction.BANK, Action.TAKE_BANK, style=_PRIMARY)
_ROLL: Final = _Offer(TableAction.ROLL, Action.ROLL, style=_PRIMARY, emoji="🎲")
_HANDS: Final = (
    _Offer(TableAction.DEAL, Action.DEAL, for_this_round=True, style=_PRIMARY),
    _Offer(TableAction.HAND, emoji="🃏"),
    _Offer(TableAction.REVEAL, Action.REVEAL, for_this_round=True, style=_SUCCESS),
)
_SIT_OUT: Final = _Offer(TableAction.SIT_OUT, Action.BET, for_this_round=True)
_CHIPS: Final = (
    _Offer(TableAction.AGAIN, Action.BET, for_this_round=True, emoji="🔁"),
    _Offer(TableAction.OTHER_BET, Action.BET, for_this_round=True),
    _SIT_OUT,
    _Offer(TableAction.SIDE_BETS, Action.SIDE_BET, for_this_round=True),
    _Offer(TableAction.LIMITS, Action.LIMITS),
)
_POINTS: Final = (
    _Offer(TableAction.PLAY, Action.BET, for_this_round=True, style=_SUCCESS, emoji="✋"),
    _SIT_OUT,
)


def _rows(state: TableState, facts: BoardFacts, menu_uses: int) -> Iterator[Component]:
    """Everything that can be pressed; a table for points asks nobody for chips (G22)."""
    bank = _ROLL if state.game.rolls_for_bank else _TAKE
    yield _row(state, (_JOIN, bank, *_HANDS))
    if state.for_points:
        yield _row(state, _POINTS)
    else:
        yield _stake_row(state, facts)
        yield _row(state, _CHIPS)
    yield _menu(state, menu_uses)


def _open_again(state: TableState) -> Component:
    """The one button of a closed table; the channel may have another table by now."""
    press = ChannelPress(ChannelAction.OPEN, state.rules.game, state.rules.play)
    return row(button(press, translate("button.open_again"), style=_SUCCESS))


def _row(state: TableState, offers: Iterable[_Offer]) -> Component:
    return row(*(_button(state, offer) for offer in offers))


def _button(state: TableState, offer: _Offer) -> Component:
    round_number = state.round_number if offer.for_this_round else ANY_ROUND
    return button(
        TablePress(state.table_id, round_number, offer.action),
        translate(f"button.{offer.action}"),
        style=offer.style,
        emoji=offer.emoji,
        disabled=offer.needs is not None and _is_barred(state, offer.needs),
    )


def _is_barred(state: TableState, action: Action) -> bool:
    return unmet_precondition(state, action) is not None


def _stake_row(state: TableState, facts: BoardFacts) -> Component:
    """Amounts to bet; greyed out if the table takes none, or the bank cannot cover that one (B02)."""
    lowest, highest = (state.bank.lowest, state.bank.highest) if state.bank else DEFAULT_LIMITS
    most = 0 if _is_barred(state, Action.BET) else highest
    if state.bank is not None and state.bank.party in facts.wallets:
        most = min(most, largest_for_anybody(state, facts.wallets))
    stakes = []
    for stake in quick_stakes(lowest, highest):
        press = TablePress(state.table_id, state.round_number, TableAction.BET, stake)
        label = translate("button.bet", stake=stake)
        stakes.append(button(press, label, emoji="🪙", disabled=stake > most))
    return row(*stakes)


def _menu(state: TableState, menu_uses: int) -> Component:
    options = [
        option(translate(f"menu.{action}"), action, translate(f"menu.{action}.what"))
        for action in IN_MENU
        if not (state.for_points and action is TableAction.UNBACK_ANY)
    ]
    press = TablePress(state.table_id, state.round_number, TableAction.MORE, menu_uses or None)
    return row(menu(press, translate("menu.more"), options))
