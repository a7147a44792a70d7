"""Deals pieces and rolls dice: adds to a command what the table's secret determines."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from bot.games.pack import shuffled_pack
from bot.rules.shuffle import RandomBelow, roll, seeded_random, system_random
from bot.table.commands import Command, Deal, RollForBank, SetClientSeed
from bot.table.dealing import hands_to_deal
from bot.table.dice_roll import dice_needed, rolling
from bot.table.sheets import deal_sheet, dice_sheet
from bot.table.state import TableState

SALT_DIGITS: Final = 32
"""The hexadecimal digits of a salt: 128 bits."""


def with_pieces_and_dice(
    state: TableState, command: Command, key: str, wallets: Mapping[int, int] = MappingProxyType({})
) -> Command:
    """The command with the pieces or dice that it needs; replaces any that it has.

    Args:
        state: the table.
        command: the command; only `Deal` and `RollForBank` need something.
        key: the command's unique key, which a member who deals or rolls contributes as their client seed.
        wallets: free chips of everybody at the table, by member; only `RollForBank` needs them.
    """
    match command:
        case Deal(party) if state.bank is not None:
            below = _below(state, deal_sheet(state, party, key))
            pieces = shuffled_pack(hands_to_deal(state), state.rules, below)
            return replace(command, pieces=pieces, client_seed=key)
        case RollForBank(party, _, rules):
            sheet = dice_sheet(state, party, key, rolling(state, rules, wallets))
            return replace(command, dice=roll(dice_needed(state), _below(state, sheet)), client_seed=key)
        case _:
            return command


def with_salt(command: Command, secret: Callable[[], str]) -> Command:
    """The command with random text that keeps chosen words from being guessed; replaces any that it has.

    Args:
        command: the command; only `SetClientSeed` needs a salt.
        secret: makes a new secret, in hexadecimal.
    """
    return replace(command, salt=secret()[:SALT_DIGITS]) if isinstance(command, SetClientSeed) else command


def _below(state: TableState, sheet: str | None) -> RandomBelow:
    """Random numbers from the table's secret; from the system's generator at a table without one."""
    if state.secret is None or sheet is None:
        return system_random
    return seeded_random(state.secret, sheet)
