"""Carries out a move: presses, picks, fills in the form that opens, and reads whether it was refused.

Some take several steps in messages that only the player sees: arranging a hand, backing a player.
"""

import random
from itertools import combinations
from typing import Final

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import Action, Board, own_hand, read_board
from bot.practice.players.strategy import Move, Pace
from bot.practice.replies import Reply

NO_OX_MARK: Final = "✖"
"""The bot's mark before the reason why three pieces are no ox."""
_OF_AN_OX: Final = 3
"""How many pieces make one."""


async def make_move(person: Person, move: Move, chance: random.Random, pace: Pace) -> bool:
    """Makes a move; returns whether it was refused, or not answered.

    Raises:
        NotPossibleError: if the board has changed in the meantime.
    """
    message = move.board.message
    match move.action:
        case Action.ARRANGE:
            await _arrange_hand(person, move.board, chance, pace.chance_of_own_three)
            return False
        case Action.SIDE_BETS:
            if chance.random() < pace.chance_to_back:
                await _back_somebody(person, move.board, chance)
            return False
        case Action.DEAL | Action.GIVE_UP:
            return not await _press_on_panel(person, move.board, move.action)
        case action if action not in move.board.buttons:
            reply = await person.choose(message, move.custom_id, action)
        case _:
            reply = await person.click(message, move.custom_id)
    if reply.modal is not None:
        # The bank's modal proposes limits that the banker can pay.
        reply = await person.submit(reply.modal)
    return await _is_refusal(person, reply)


async def _is_refusal(person: Person, reply: Reply) -> bool:
    """Whether the reply is ephemeral or missing; dismisses the reply."""
    message = reply.message
    await _dismiss(person, message)
    return (message is not None and message.ephemeral) or reply.error is not None


async def _arrange_hand(
    person: Person, board: Board, chance: random.Random, chance_of_own_three: float
) -> None:
    """Looks at the player's hand and arranges it if they can, with three pieces of their own choice or not.

    If the three pieces are no ox, the bot arranges the hand; where mistakes stand, they try others.
    """
    panel, shown = own_hand(person, board), None
    if panel is None:
        reply = await person.click(board.message, board.buttons[Action.HAND][0])
        panel, shown = _private_board(reply), reply.message
    if panel is not None and Action.ARRANGE in panel.buttons:
        await _arrange(person, panel, chance, chance_of_own_three)
    await _dismiss(person, shown)


async def _back_somebody(person: Person, board: Board, chance: random.Random) -> None:
    """Backs a random player who has bet, with the smallest amount on offer."""
    reply = await person.click(board.message, board.buttons[Action.SIDE_BETS][0])
    message = reply.message
    panel = _private_board(reply)
    if panel is not None and message is not None and Action.BACK_MENU in panel.menus:
        menu = panel.menus[Action.BACK_MENU]
        await person.choose(message, menu.custom_id, chance.choice(menu.values))
        picked = read_board(message)
        if picked is not None and Action.BACK in picked.buttons:
            await person.click(message, picked.buttons[Action.BACK][0])
    await _dismiss(person, message)


async def _press_on_panel(person: Person, board: Board, action: str) -> bool:
    """Opens the player's own panel and presses or picks something there; returns whether that worked."""
    reply = await person.choose(board.message, board.menu_choices[Action.HAND], Action.HAND)
    panel, answer = _private_board(reply), None
    if panel is not None and action in panel.buttons:
        answer = await person.click(panel.message, panel.buttons[action][0])
    elif panel is not None and action in panel.menu_choices:
        answer = await person.choose(panel.message, panel.menu_choices[action], action)
    if answer is not None and answer.message is not reply.message:
        await _dismiss(person, answer.message)
    await _dismiss(person, reply.message)
    return answer is not None and answer.kind == "update"


async def _arrange(person: Person, panel: Board, chance: random.Random, chance_of_own_three: float) -> None:
    pieces, message = panel.buttons[Action.ARRANGE], panel.message
    if chance.random() < chance_of_own_three:
        ways, picked = list(combinations(pieces, _OF_AN_OX)), set[str]()
        for three in chance.sample(ways, len(ways)):
            # What is picked already is taken back first.
            for piece in (*sorted(picked.difference(three)), *sorted(set(three) - picked)):
                await person.click(message, piece)
            picked = set(three)
            panel = read_board(message) or panel
            if NO_OX_MARK not in message.text:
                return
            if Action.STRONGEST in panel.buttons:
                break
    if strongest := panel.buttons.get(Action.STRONGEST):
        await person.click(message, strongest[0])


def _private_board(reply: Reply) -> Board | None:
    """What an ephemeral reply shows of a table, or None."""
    message = reply.message
    return read_board(message) if message is not None and message.ephemeral else None


async def _dismiss(person: Person, message: Message | None) -> None:
    if message is not None and message.ephemeral:
        await person.dismiss(message)
