"""Backers for tests: their commands, and a table with a side bet."""

from bot.rules.knobs import HouseRules
from bot.table.commands import PlaceSideBet
from bot.table.state import Member

from .trial_table import ALICE, CHAN, MEI, TrialTable

MOST = 7
"""The largest multiple of these house rules."""


def backed(stake: int = 20, *, rules: HouseRules | None = None) -> TrialTable:
    """A table where Mei is banker, Alice has bet 10, and Chan backs her."""
    table = TrialTable(rules or HouseRules())
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, stake)
    return table


def back(member: Member, player: Member, stake: int) -> PlaceSideBet:
    """The command to back a player."""
    return PlaceSideBet(member, player.member_id, stake)


def wallets(table: TrialTable, *members: Member) -> dict[int, int]:
    """The free chips of these members, by id."""
    return {member.member_id: table.wallet(member) for member in members}
