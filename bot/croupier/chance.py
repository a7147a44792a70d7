"""What chance brings to a command: fresh pieces and dice, whatever came with it."""

from dataclasses import replace

from bot.rules.shuffle import shuffled_pack, thrown
from bot.table.commands import Command, Deal, RollForBank
from bot.table.play import hands_to_deal
from bot.table.rolling import dice_needed
from bot.table.state import TableState


def with_chance(state: TableState, command: Command) -> Command:
    """The command with the pieces or the dice that the table needs for it, from the system's generator."""
    match command:
        case Deal():
            return replace(command, pieces=shuffled_pack(hands_to_deal(state), state.rules))
        case RollForBank():
            return replace(command, dice=thrown(dice_needed(state)))
        case _:
            return command
