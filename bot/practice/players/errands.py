"""What takes a player several steps, in messages that he alone sees: arranging a hand, backing a player."""

import random
from typing import Final

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.boards import Board, own_view, read_board
from bot.practice.replies import Reply

WRONG: Final = "✖"
"""What stands before the words that tell why three pieces are no ox."""


async def arrange_hand(person: Person, board: Board, chance: random.Random, own_three: float) -> None:
    """Arranges the hand that was dealt: three of the player's own choice, or as the bot does it for him.

    Three that are no ox are thought better of. Who was dealt no hand has nothing to arrange.

    Args:
        person: the player.
        board: the table's board.
        chance: where the choice comes from.
        own_three: how many hands of all he tries himself, from 0 to 1.

    Raises:
        NotPossibleError: where there is nothing to press any more.
    """
    own = own_view(person, board)
    if own is not None:
        await _arrange(person, own, chance, own_three)
        return
    reply = await person.click(board.message, board.pressable["hand"][0])
    own = _shown(reply)
    if own is not None and "arrange" in own.picks:
        await _arrange(person, own, chance, own_three)
    await _put_away(person, reply.message)


async def back_somebody(person: Person, board: Board, chance: random.Random) -> None:
    """Backs one of the players who have bet, with the smallest amount on offer.

    Args:
        person: the on-looker.
        board: the table's board.
        chance: where the choice comes from.

    Raises:
        NotPossibleError: where there is nothing to press any more.
    """
    reply = await person.click(board.message, board.pressable["side_bets"][0])
    message = reply.message
    own = _shown(reply)
    if own is not None and message is not None and "back_menu" in own.picks:
        pick = own.picks["back_menu"]
        await person.choose(message, pick.custom_id, chance.choice(pick.values))
        amounts = [button.custom_id for button in message.buttons() if _names_amount(button.custom_id)]
        if amounts and amounts[0] is not None:
            await person.click(message, amounts[0])
    await _put_away(person, message)


async def _arrange(person: Person, own: Board, chance: random.Random, own_three: float) -> None:
    pick, message = own.picks["arrange"], own.message
    if chance.random() < own_three:
        three = chance.sample(pick.values, pick.count)
        await person.choose(message, pick.custom_id, *three)
        if WRONG not in message.text:
            return
        own = read_board(message) or own
    if strongest := own.pressable.get("strongest"):
        await person.click(message, strongest[0])


def _names_amount(custom_id: str | None) -> bool:
    """Whether a button backs somebody with an amount that it names."""
    parts = (custom_id or "").partition("@")[0].split(":")
    return parts[3:4] == ["back"] and len(parts) > 4


def _shown(reply: Reply) -> Board | None:
    """What a player was shown of a table in an answer to himself; None where he was shown none."""
    message = reply.message
    return read_board(message) if message is not None and message.ephemeral else None


async def _put_away(person: Person, message: Message | None) -> None:
    if message is not None and message.ephemeral:
        await person.dismiss(message)
