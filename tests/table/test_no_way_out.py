"""After the deal nobody can change or escape the result of the round."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import CloseTable, Command, GiveUpBank, Leave, MemberLeft, SetClientSeed, Showdown
from bot.table.commitment import Entropy
from bot.table.events import RoundSettled
from bot.table.state import RoundResult

from .strategies import anything, members
from .trial_table import (
    ALICE,
    BOB,
    CHAN,
    COMPANY,
    DOUBLE_8,
    FIVE_DUKES,
    MEI,
    NO_OX,
    TrialTable,
    banked,
)

RULES = GnauRules(arranging_seconds=30)


def out() -> TrialTable:
    """Mei, the banker, owes Alice and her backer Chan seven times their bets; Bob owes Mei."""
    table = banked(
        RULES, entropy=lambda: Entropy("ab" * SECRET_SIZE, "1100220033"), bets={ALICE: 20, BOB: 20}
    )
    table.back(CHAN, ALICE, 5)
    table.deal(FIVE_DUKES, NO_OX, DOUBLE_8)
    return table


def outcome(table: TrialTable) -> tuple[RoundResult, dict[int, int]]:
    """The result of the round, and everybody's chips after it."""
    events = table.showdown()
    result = next(event.result for event in events if isinstance(event, RoundSettled))
    return result, {member: table.wallet(member) + table.held(member) for member in COMPANY}


attempts: st.SearchStrategy[Command] = st.one_of(
    anything(st.none(), RULES).filter(lambda command: not isinstance(command, Showdown)),
    st.builds(CloseTable, members, st.booleans()),
    st.builds(SetClientSeed, members, st.text(min_size=1, max_size=5)),
)
"""Everything that a member can ask for; only the table itself settles the round."""


@settings(deadline=None)
@given(st.lists(attempts, max_size=12))
def test_no_command_after_the_deal_changes_the_result(
    asked: list[Command],
) -> None:
    table = out()
    for command in asked:
        table.ask(command)

    assert outcome(table) == outcome(out())


def test_a_losing_banker_pays_however_they_leave() -> None:
    table = out()
    for command in (GiveUpBank(MEI), Leave(MEI), MemberLeft(MEI), CloseTable(MEI, manages=True)):
        table.ask(command)
    lost = 7 * (20 + 5)

    _, chips = outcome(table)

    assert chips[MEI] == 1000 - lost + 3 * 20
    assert chips[ALICE] == 1000 + 7 * 20
    assert not table.state.has(MEI), "the banker leaves, but only then"
