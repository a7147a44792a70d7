"""On-lookers for tests: how they back a player, and a table where one has."""

from bot.rules.knobs import HouseRules
from bot.table.commands import PlaceSideBet
from bot.table.state import Member

from .trial_table import ALICE, CHAN, MEI, TrialTable

MOST = 7
"""The largest multiple of the house's rules here."""


def backed(stake: int = 20, *, rules: HouseRules | None = None) -> TrialTable:
    """Mei has the bank, Alice has bet 10, and Chan, who does not sit here, has backed her."""
    table = TrialTable(rules or HouseRules())
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, stake)
    return table


def back(member: Member, player: Member, stake: int) -> PlaceSideBet:
    """The command by which an on-looker backs a player."""
    return PlaceSideBet(member, player.member_id, stake)


def wallets(table: TrialTable, *members: Member) -> dict[int, int]:
    """The chips that these have free, by their ids."""
    return {member.member_id: table.wallet(member) for member in members}
