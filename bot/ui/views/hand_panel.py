"""What one member sees of a table, by direct message or behind "My hand": his hand, his bet, his chips."""

from typing import Any, Final

import discord

from bot.ledger.records import Purse
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.views.arranging import arranging_rows, hand_lines, hand_picture_name
from bot.ui.views.mentions import mention
from bot.ui.views.presses import ANY_ROUND, Press, PressAction, new_layout, table_button
from bot.ui.views.result_text import own_result, played_by
from bot.words import chips, signed_points

PIECES_BELOW: Final = "The {piece}s are out: yours are in the message below."


def personal_view(
    state: TableState,
    member_id: int,
    purse: Purse,
    *,
    picture_text: str | None = None,
    note: str | None = None,
    server_name: str | None = None,
    hidden: bool = False,
    unreachable: bool = False,
) -> discord.ui.LayoutView:
    """One member's own view of a table.

    Args:
        state: the table.
        member_id: whose view.
        purse: his chips.
        picture_text: the alternative text of the picture of his hand, which the message has attached under
            `hand_picture_name`; None where it has none.
        note: what he is told of what he just did, if anything.
        server_name: of the table's server, where the message does not stand in it.
        hidden: whether his cards are not to be seen here, as they come in a message of their own.
        unreachable: whether direct messages to him fail, so that a button to try again is of use.
    """
    view = new_layout()
    box: discord.ui.Container[Any] = discord.ui.Container(accent_colour=discord.Colour(0x5865F2))
    on = f" · Round {state.round_number}" if state.round_number else ""
    where = f" · {discord.utils.escape_markdown(server_name)}" if server_name else ""
    heading = f"### Table {state.number}{on} · <#{state.channel_id}>{where}"
    box.add_item(discord.ui.TextDisplay(heading))
    place = state.place_of(member_id)
    if picture_text is not None and place is not None:
        name = hand_picture_name(state, place)
        box.add_item(
            discord.ui.MediaGallery(
                discord.MediaGalleryItem(f"attachment://{name}", description=picture_text)
            )
        )
    below = PIECES_BELOW.format(piece=state.game.piece_word)
    box.add_item(discord.ui.TextDisplay(below if hidden else _standing(state, member_id)))
    if note is not None:
        box.add_item(discord.ui.TextDisplay(note))
    last = own_result(state.last, member_id) if state.last is not None else None
    if state.phase is not Phase.DEALT and last is not None:
        box.add_item(discord.ui.TextDisplay(last))
    box.add_item(discord.ui.TextDisplay(_purse(state, purse)))
    view.add_item(box)
    if state.phase is not Phase.CLOSED:
        if place is not None and not hidden:
            for row in arranging_rows(state, place):
                view.add_item(row)
        view.add_item(_buttons(state, member_id))
        if (explained := _explained(state, member_id)) is not None and not hidden:
            why = Press(state.table_id, explained, PressAction.WHY)
            view.add_item(discord.ui.ActionRow(table_button(why, "Why this hand", emoji="❔")))
        if unreachable:
            again = Press(state.table_id, ANY_ROUND, PressAction.MESSAGES)
            view.add_item(discord.ui.ActionRow(table_button(again, "Message me again", emoji="✉️")))
    return view


def _standing(state: TableState, member_id: int) -> str:
    """Where the member stands in the round that is on."""
    bank, seat = state.bank, state.seat_of(member_id)
    if state.phase is Phase.CLOSED:
        return "This table is closed."
    if bank is not None and state.is_banker(member_id):
        return _bankers_standing(state, bank)
    if seat is None:
        return _beside(state, member_id)
    if state.phase is Phase.DEALT:
        return _hand(state, seat) if seat.pieces else "You are not in this round."
    if bank is None:
        return "Nobody holds the bank yet."
    if seat.stake is not None and state.for_points:
        return f"You are in, against {mention(bank.member.member_id)}."
    if seat.stake is not None:
        return f"You have bet **{chips(seat.stake)}** against {mention(bank.member.member_id)}."
    if seat.sitting_out:
        return "You sit this round out."
    if state.for_points:
        return "Press **I'm in** to be dealt a hand."
    return f"Bets are open: from {bank.lowest:,} to {chips(bank.highest)}."


def _beside(state: TableState, member_id: int) -> str:
    """Where an on-looker stands, who may have backed players (B01)."""
    backs = [
        f"You back {mention(side.backed)} with **{chips(side.stake)}**."
        for side in state.side_bets_of(member_id)
    ]
    if state.for_points:
        how = "Press **I'm in** or **Join** on the board to take a seat."
    else:
        how = "Bet an amount, or press **Join** on the board, to take a seat."
    return "\n".join(backs) or f"You do not sit at this table. {how}"


def _bankers_standing(state: TableState, bank: Bank) -> str:
    if state.phase is Phase.DEALT:
        return _hand(state, bank)
    bets = len(state.bets)
    if state.for_points:
        return f"You hold the bank: {bets} {'plays' if bets == 1 else 'play'} against you."
    return (
        f"You hold the bank: {bets} {'bet stands' if bets == 1 else 'bets stand'} against you, "
        f"{chips(state.staked)} in all."
    )


def _hand(state: TableState, place: Seat | Bank) -> str:
    stake = ""
    if isinstance(place, Seat) and not state.for_points:
        stake = f"You have bet **{chips(place.stake or 0)}**. "
    until = f"<t:{int(state.deadline)}:R>" if state.deadline is not None else "soon"
    turned = "It is turned up for all to see." if place.revealed else f"It is turned up by itself {until}."
    return f"{hand_lines(state, place)}\n{stake}{turned}"


def _purse(state: TableState, purse: Purse) -> str:
    """What the member has to play with: chips, or the running score (G22)."""
    if state.for_points:
        return f"-# Your score: {signed_points(purse.score)}"
    held = f" · {chips(purse.total - purse.wallet)} held" if purse.held else ""
    return f"-# Wallet: {chips(purse.wallet)} free{held}"


def _explained(state: TableState, member_id: int) -> int | None:
    """The round of the member's newest hand here; None where he had none."""
    if state.pieces_of(member_id):
        return state.round_number
    last = state.last
    return last.round_number if last is not None and played_by(last, member_id) else None


def _buttons(state: TableState, member_id: int) -> discord.ui.ActionRow[Any]:
    """What the member can do from here.

    The message may be read rounds later, and a bet from it is meant for whichever round is on by then.
    """
    seat = state.seat_of(member_id)
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()

    def add(action: PressAction, label: str, **looks: Any) -> None:
        row.add_item(table_button(Press(state.table_id, ANY_ROUND, action), label, **looks))

    place = state.bank if state.is_banker(member_id) else seat
    if (
        place is not None
        and place.pieces
        and not place.revealed
        and unmet_precondition(state, Action.REVEAL) is None
    ):
        row.add_item(
            table_button(
                Press(state.table_id, state.round_number, PressAction.SHOW),
                "Turn up",
                style=discord.ButtonStyle.success,
            )
        )
    if state.for_points and not state.is_banker(member_id):
        add(PressAction.BET, "I'm in", emoji="✋")
        add(PressAction.OUT, "Sit out")
    elif not state.is_banker(member_id):
        last_stake = f" ({seat.last_stake:,})" if seat and seat.last_stake else ""
        add(PressAction.AGAIN, f"Same again{last_stake}", emoji="🔁")
        add(PressAction.BET, "Other amount…")
        add(PressAction.OUT, "Sit out")
    add(PressAction.HAND, "Look again", emoji="🃏")
    return row
