"""Moves that take several steps in messages only the player sees: arranging a hand, backing a player."""

import random
from typing import Final

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import Board, own_hand_panel, read_board
from bot.practice.replies import Reply

NO_OX_MARK: Final = "✖"
"""The bot's mark before the reason why three pieces are no ox."""


async def arrange_hand(
    person: Person, board: Board, chance: random.Random, chance_of_own_three: float
) -> None:
    """Arranges the player's hand: with three pieces of their own choice, or as the bot suggests.

    If the three pieces are no ox, the bot arranges the hand. Does nothing if the player has no hand.

    Args:
        person: the player.
        board: the table's board.
        chance: the source of random choices.
        chance_of_own_three: how often the player picks three pieces, from 0 to 1.

    Raises:
        NotPossibleError: if the buttons are gone.
    """
    panel = own_hand_panel(person, board)
    if panel is not None:
        await _arrange(person, panel, chance, chance_of_own_three)
        return
    reply = await person.click(board.message, board.buttons["hand"][0])
    panel = _private_board(reply)
    if panel is not None and "arrange" in panel.menus:
        await _arrange(person, panel, chance, chance_of_own_three)
    await _dismiss(person, reply.message)


async def back_somebody(person: Person, board: Board, chance: random.Random) -> None:
    """Backs a random player who has bet, with the smallest amount on offer.

    Args:
        person: the spectator.
        board: the table's board.
        chance: the source of random choices.

    Raises:
        NotPossibleError: if the buttons are gone.
    """
    reply = await person.click(board.message, board.buttons["side_bets"][0])
    message = reply.message
    panel = _private_board(reply)
    if panel is not None and message is not None and "back_menu" in panel.menus:
        menu = panel.menus["back_menu"]
        await person.choose(message, menu.custom_id, chance.choice(menu.values))
        amounts = [button.custom_id for button in message.buttons() if _names_amount(button.custom_id)]
        if amounts and amounts[0] is not None:
            await person.click(message, amounts[0])
    await _dismiss(person, message)


async def press_on_panel(person: Person, board: Board, action: str) -> bool:
    """Opens the player's own panel from the board's menu and presses a button there, if it is there.

    Args:
        person: the player.
        board: the table's board.
        action: what the button does.

    Returns:
        Whether it was there and was not refused.

    Raises:
        NotPossibleError: if the menu or the button is gone.
    """
    reply = await person.choose(board.message, board.menu_choices["hand"], "hand")
    panel, answer = _private_board(reply), None
    if panel is not None and action in panel.buttons:
        answer = await person.click(panel.message, panel.buttons[action][0])
        if answer.message is not None and answer.message is not panel.message:
            await _dismiss(person, answer.message)
    await _dismiss(person, reply.message)
    return answer is not None and answer.kind == "update"


async def _arrange(person: Person, panel: Board, chance: random.Random, chance_of_own_three: float) -> None:
    menu, message = panel.menus["arrange"], panel.message
    if chance.random() < chance_of_own_three:
        three = chance.sample(menu.values, menu.max_values)
        await person.choose(message, menu.custom_id, *three)
        if NO_OX_MARK not in message.text:
            return
        panel = read_board(message) or panel
    if strongest := panel.buttons.get("strongest"):
        await person.click(message, strongest[0])


def _names_amount(custom_id: str | None) -> bool:
    """Whether a button backs a player with a fixed amount."""
    parts = (custom_id or "").partition("@")[0].split(":")
    return parts[3:4] == ["back"] and len(parts) > 4


def _private_board(reply: Reply) -> Board | None:
    """What an ephemeral reply shows of a table, or None."""
    message = reply.message
    return read_board(message) if message is not None and message.ephemeral else None


async def _dismiss(person: Person, message: Message | None) -> None:
    if message is not None and message.ephemeral:
        await person.dismiss(message)
