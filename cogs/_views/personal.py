"""What one member sees of a table, by direct message or behind "My hand": his cards, his bet, his chips."""

from typing import Any, Final

import discord

from bot.ledger.records import Purse
from bot.rules.hands import evaluate
from bot.table.obstacles import Action, obstacle
from bot.table.state import Bank, Phase, PlayerResult, RoundResult, Seat, TableState
from bot.words import chips, hand_name, hand_words, signed
from cogs._views.board_text import mention
from cogs._views.presses import ANY_ROUND, Press, PressAction, new_layout, table_button

CARDS_BELOW: Final = "The cards are out: yours are in the message below."


def hand_picture_name(round_number: int) -> str:
    """The file of a hand's picture, as a message carries it."""
    return f"hand-{round_number}.png"


def personal_view(
    state: TableState,
    member_id: int,
    purse: Purse,
    *,
    picture_text: str | None = None,
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
    if picture_text is not None:
        name = hand_picture_name(state.round_number)
        box.add_item(
            discord.ui.MediaGallery(
                discord.MediaGalleryItem(f"attachment://{name}", description=picture_text)
            )
        )
    box.add_item(discord.ui.TextDisplay(CARDS_BELOW if hidden else _standing(state, member_id)))
    if state.phase is not Phase.DEALT and (line := _last_round(state, member_id)):
        box.add_item(discord.ui.TextDisplay(line))
    held = f" · {chips(purse.total - purse.wallet)} held" if purse.held else ""
    box.add_item(discord.ui.TextDisplay(f"-# Wallet: {chips(purse.wallet)} free{held}"))
    view.add_item(box)
    if state.phase is not Phase.CLOSED:
        view.add_item(_buttons(state, member_id))
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
        return "You do not sit at this table. Bet an amount, or press **Join** on the board, to take a seat."
    if state.phase is Phase.DEALT:
        return _hand(state, seat) if seat.pieces else "You are not in this round."
    if bank is None:
        return "Nobody holds the bank yet."
    if seat.stake is not None:
        return f"You have bet **{chips(seat.stake)}** against {mention(bank.member.member_id)}."
    if seat.out:
        return "You sit this round out."
    return f"Bets are open: from {bank.lowest:,} to {chips(bank.highest)}."


def _bankers_standing(state: TableState, bank: Bank) -> str:
    if state.phase is Phase.DEALT:
        return _hand(state, bank)
    bets = len(state.bets)
    return (
        f"You hold the bank: {bets} {'bet stands' if bets == 1 else 'bets stand'} against you, "
        f"{chips(state.staked)} in all."
    )


def _hand(state: TableState, place: Seat | Bank) -> str:
    hand = evaluate(place.pieces, state.rules)
    stake = f"You have bet **{chips(place.stake or 0)}**. " if isinstance(place, Seat) else ""
    wins = f" · wins ×{hand.multiple}" if hand.multiple else ""
    until = f"<t:{int(state.deadline)}:R>" if state.deadline is not None else "soon"
    turned = "It is turned up for all to see." if place.shown else f"It is turned up by itself {until}."
    return f"**{hand_name(hand)}** · {hand_words(hand)}{wins}\n{stake}{turned}"


def _last_round(state: TableState, member_id: int) -> str | None:
    """How the last round went for the member; None where he was not in it."""
    result = state.last
    if result is None:
        return None
    if result.banker.member_id == member_id:
        return f"Round {result.round_number}: your bank made **{signed(result.bank_chips)}**."
    player = next((one for one in result.players if one.member.member_id == member_id), None)
    return _result(result, player) if player else None


def _result(result: RoundResult, player: PlayerResult) -> str:
    own = hand_name(evaluate(player.pieces, result.rules))
    bankers = hand_name(evaluate(result.pieces, result.rules))
    verb = {"player": "beats", "banker": "loses to", "draw": "draws with"}[player.outcome]
    return (
        f"Round {result.round_number}: your {own} {verb} {mention(result.banker.member_id)}'s {bankers}: "
        f"**{signed(player.chips)}**."
    )


def _buttons(state: TableState, member_id: int) -> discord.ui.ActionRow[Any]:
    """What the member can do from here.

    The message may be read rounds later, and a bet from it is meant for whichever round is on by then.
    """
    seat = state.seat_of(member_id)
    row: discord.ui.ActionRow[Any] = discord.ui.ActionRow()

    def add(action: PressAction, label: str, **looks: Any) -> None:
        row.add_item(table_button(Press(state.table_id, ANY_ROUND, action), label, **looks))

    place = state.bank if state.is_banker(member_id) else seat
    if place is not None and place.pieces and not place.shown and obstacle(state, Action.SHOW) is None:
        row.add_item(
            table_button(
                Press(state.table_id, state.round_number, PressAction.SHOW),
                "Turn up",
                style=discord.ButtonStyle.success,
            )
        )
    if not state.is_banker(member_id):
        usual = f" ({seat.usual:,})" if seat and seat.usual else ""
        add(PressAction.AGAIN, f"Same again{usual}", emoji="🔁")
        add(PressAction.BET, "Other amount…")
        add(PressAction.OUT, "Sit out")
    add(PressAction.HAND, "Look again", emoji="🃏")
    return row
