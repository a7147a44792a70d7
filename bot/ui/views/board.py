"""A table's board: one message that is worth watching, with a button for all that can be done at a table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.table.betting import largest_for_anybody
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Phase, TableState
from bot.ui.views.board_text import (
    BoardFacts,
    bank_line,
    footer,
    happenings,
    rules_line,
    seat_lines,
    title,
)
from bot.ui.views.presses import ANY_ROUND, Press, PressAction, new_layout, table_button, table_menu
from bot.ui.views.result_text import length, opened_line, result_lines
from bot.ui.views.stakes import quick_stakes

ACCENTS: Final[Mapping[Phase, discord.Colour]] = MappingProxyType(
    {
        Phase.OPEN: discord.Colour(0x80848E),
        Phase.BETTING: discord.Colour(0xF0B232),
        Phase.DEALT: discord.Colour(0x5865F2),
        Phase.CLOSED: discord.Colour(0x4E5058),
    }
)
DEFAULT_LIMITS: Final = (5, 100)
"""The stakes offered before a banker has set his own, in chips."""

LONGEST_TEXT: Final = 4_000
"""The most characters that the texts of a message may total."""

Row = discord.ui.ActionRow[Any]


def picture_name(round_number: int) -> str:
    """The file of a showdown's picture, as the board's message carries it."""
    return f"round-{round_number}.png"


def shows_picture(state: TableState) -> int | None:
    """The number of the round whose picture the board shows; None where it shows none."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return None
    return state.last.round_number


def board_view(state: TableState, facts: BoardFacts, picture_text: str | None) -> discord.ui.LayoutView:
    """The board of a table.

    Args:
        state: the table.
        facts: what is shown beside it.
        picture_text: the alternative text of the last showdown's picture, which the message has attached
            under `picture_name`; None where there is no picture.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=ACCENTS[state.phase])
    head = [f"{title(state)}\n{rules_line(state, facts)}"]
    seats, happened, foot = "", happenings(state), footer(state, facts)
    if state.phase is not Phase.CLOSED:
        head.append(bank_line(state, facts))
        seats = seat_lines(state, facts)
    for text in head:
        box.add_item(discord.ui.TextDisplay(text))
    if state.phase is not Phase.CLOSED:
        box.add_item(discord.ui.Separator())
    if seats:
        box.add_item(discord.ui.TextDisplay(seats))
    if state.last is not None and state.phase is not Phase.DEALT:
        box.add_item(discord.ui.Separator())
        if picture_text is not None:
            name = picture_name(state.last.round_number)
            box.add_item(
                discord.ui.MediaGallery(
                    discord.MediaGalleryItem(f"attachment://{name}", description=picture_text)
                )
            )
        opened = opened_line(state.last)
        room = LONGEST_TEXT - sum(map(length, (*head, seats, happened, foot, opened)))
        box.add_item(discord.ui.TextDisplay(f"{result_lines(state.last, room=room)}\n{opened}".rstrip()))
    if happened:
        box.add_item(discord.ui.TextDisplay(happened))
    box.add_item(discord.ui.Separator())
    box.add_item(discord.ui.TextDisplay(foot))
    view.add_item(box)
    if state.phase is not Phase.CLOSED:
        for row in _rows(state, facts):
            view.add_item(row)
    return view


@dataclass(frozen=True, slots=True)
class _Offer:
    """A button that the board has for everybody.

    Attributes:
        action: what it does.
        label: what it says.
        barred_by: what a table refuses to everybody while it is greyed; None where it never is.
        for_this_round: whether it does nothing any more once its round is over, however late a click arrives.
        style: how it looks.
        emoji: what stands before the label.
    """

    action: PressAction
    label: str
    barred_by: Action | None = None
    for_this_round: bool = False
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    emoji: str | None = None


_JOIN: Final = _Offer(PressAction.JOIN, "Join", Action.JOIN, style=discord.ButtonStyle.success)
_TAKE: Final = _Offer(PressAction.BANK, "Take the bank", Action.TAKE_BANK, style=discord.ButtonStyle.primary)
_ROLL: Final = _Offer(
    PressAction.ROLL, "Roll for the bank", Action.ROLL, style=discord.ButtonStyle.primary, emoji="🎲"
)
_HANDS: Final = (
    _Offer(PressAction.DEAL, "Deal", Action.DEAL, for_this_round=True, style=discord.ButtonStyle.primary),
    _Offer(PressAction.HAND, "My hand", emoji="🃏"),
    _Offer(
        PressAction.SHOW, "Turn up", Action.REVEAL, for_this_round=True, style=discord.ButtonStyle.success
    ),
)
_OUT: Final = _Offer(PressAction.OUT, "Sit out", Action.BET, for_this_round=True)
_CHIPS: Final = (
    _Offer(PressAction.AGAIN, "Same again", Action.BET, for_this_round=True, emoji="🔁"),
    _Offer(PressAction.BET, "Other amount…", Action.BET, for_this_round=True),
    _OUT,
    _Offer(PressAction.SIDE, "Side bet…", Action.SIDE_BET, for_this_round=True),
    _Offer(PressAction.LIMITS, "Set limits…", Action.LIMITS),
)
_POINTS: Final = (
    _Offer(
        PressAction.BET,
        "I'm in",
        Action.BET,
        for_this_round=True,
        style=discord.ButtonStyle.success,
        emoji="✋",
    ),
    _OUT,
)


def _rows(state: TableState, facts: BoardFacts) -> Iterator[Row]:
    """Everything that can be pressed; where points are played for, nobody is asked for chips (G22)."""
    bank = _ROLL if state.game.rolls_for_bank else _TAKE
    yield _row(state, (_JOIN, bank, *_HANDS))
    if state.for_points:
        yield _row(state, _POINTS)
    else:
        yield _stake_row(state, facts)
        yield _row(state, _CHIPS)
    yield _menu(state)


def _row(state: TableState, offers: Iterable[_Offer]) -> Row:
    return Row(*(_button(state, offer) for offer in offers))


def _button(state: TableState, offer: _Offer) -> discord.ui.Button[Any]:
    round_number = state.round_number if offer.for_this_round else ANY_ROUND
    return table_button(
        Press(state.table_id, round_number, offer.action),
        offer.label,
        style=offer.style,
        emoji=offer.emoji,
        disabled=offer.barred_by is not None and _barred(state, offer.barred_by),
    )


def _barred(state: TableState, action: Action) -> bool:
    return unmet_precondition(state, action) is not None


def _stake_row(state: TableState, facts: BoardFacts) -> Row:
    """Stakes to press; greyed where the table takes none, or the bank covers that one for nobody (B02)."""
    lowest, highest = (state.bank.lowest, state.bank.highest) if state.bank else DEFAULT_LIMITS
    most = 0 if _barred(state, Action.BET) else highest
    if state.bank is not None and state.bank.member.member_id in facts.wallets:
        most = min(most, largest_for_anybody(state, facts.wallets))
    row = Row()
    for stake in quick_stakes(lowest, highest):
        row.add_item(
            table_button(
                Press(state.table_id, state.round_number, PressAction.BET, stake),
                f"{stake:,}",
                emoji="🪙",
                disabled=stake > most,
            )
        )
    return row


def _menu(state: TableState) -> Row:
    on_the_side = (PressAction.UNBACK, "Take my side bet back", "Until the hands are out")
    choices = (
        (PressAction.WITHDRAW, "Take my bet back", "Until the hands are out"),
        *(() if state.for_points else (on_the_side,)),
        (PressAction.WHY, "Why this hand", "Every way to arrange your newest hand, and what each is worth"),
        (PressAction.LEAVE, "Leave the table", "Your seat goes free; with hands out, after the round"),
        (PressAction.GIVE_UP, "Give up the bank", "Bets go back; with hands out, after the round"),
        (PressAction.RULES, "How to play", "The rules in force here"),
        (PressAction.CLOSE, "Close the table", "For whoever opened it, its banker, and moderators"),
    )
    options = [
        discord.SelectOption(label=label, value=action, description=description)
        for action, label, description in choices
    ]
    return Row(table_menu(Press(state.table_id, state.round_number, PressAction.MORE), "More…", options))
