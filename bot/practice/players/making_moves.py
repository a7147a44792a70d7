"""Carries a move out: presses, picks, fills in the form that opens, and reads whether it was refused."""

import random

from bot.practice.person import Person
from bot.practice.players.multi_step_moves import arrange_hand, back_somebody, press_on_panel
from bot.practice.players.pace import Pace
from bot.practice.players.strategy import Move
from bot.practice.replies import Reply


async def make_move(person: Person, move: Move, chance: random.Random, pace: Pace) -> bool:
    """Makes a move.

    Args:
        person: who makes it.
        move: the move.
        chance: the source of random choices.
        pace: how often optional steps are taken.

    Returns:
        Whether it was refused, or not answered.

    Raises:
        NotPossibleError: if the board has changed in the meantime.
    """
    message = move.board.message
    match move.action:
        case "arrange":
            await arrange_hand(person, move.board, chance, pace.chance_of_own_three)
            return False
        case "side_bets":
            if chance.random() < pace.chance_to_back:
                await back_somebody(person, move.board, chance)
            return False
        case "deal" | "give_up":
            return not await press_on_panel(person, move.board, move.action)
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
    private = reply.message is not None and reply.message.ephemeral
    if private and reply.message is not None:
        await person.dismiss(reply.message)
    return private or reply.error is not None
