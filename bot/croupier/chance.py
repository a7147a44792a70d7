"""What chance brings to a table: the pieces and dice that are drawn from its secret."""

from dataclasses import replace

from bot.rules.shuffle import Purpose, RandomBelow, roll, seeded_random, shuffled_pack, system_random
from bot.table.commands import Command, Deal, RollForBank
from bot.table.commitment import deal_opening, roll_opening
from bot.table.dealing import hands_to_deal
from bot.table.dice_roll import dice_needed
from bot.table.round_result import Opening
from bot.table.state import TableState


def with_chance(state: TableState, command: Command, key: str) -> Command:
    """The command with the pieces or the dice that the table needs for it, whatever it brought.

    Args:
        state: the table.
        command: what is asked.
        key: what makes the command unique: who has dice thrown contributes it.
    """
    match command:
        case Deal():
            below = _below(deal_opening(state), Purpose.DEAL)
            return replace(command, pieces=shuffled_pack(hands_to_deal(state), state.rules, below))
        case RollForBank():
            below = _below(roll_opening(state, command.member_id, key), Purpose.DICE)
            return replace(command, dice=roll(dice_needed(state), below), client_seed=key)
        case _:
            return command


def _below(opening: Opening | None, purpose: Purpose) -> RandomBelow:
    """Draws numbers; at a table of before shuffles were sealed, from the system's generator."""
    return system_random if opening is None else seeded_random(opening.secret, opening.client_seeds, purpose)
