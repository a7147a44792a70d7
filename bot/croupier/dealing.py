"""Deals pieces and rolls dice: adds to a command what the table's secret determines."""

from dataclasses import replace

from bot.games.pack import shuffled_pack
from bot.rules.shuffle import Purpose, RandomBelow, roll, seeded_random, system_random
from bot.table.commands import Command, Deal, RollForBank
from bot.table.commitment import deal_opening, roll_opening
from bot.table.dealing import hands_to_deal
from bot.table.dice_roll import dice_needed
from bot.table.round_result import Opening
from bot.table.state import TableState


def with_pieces_and_dice(state: TableState, command: Command, key: str) -> Command:
    """The command with the pieces or dice that it needs; replaces any that it has.

    Args:
        state: the table.
        command: the command; only `Deal` and `RollForBank` need something.
        key: the command's unique key, which a member who rolls contributes as their client seed.
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
