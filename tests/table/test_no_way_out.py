"""After the deal nobody can change or escape the result of the round."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.commitment import Entropy
from bot.table.events import RoundSettled
from bot.table.refusals import Refused
from bot.table.round_result import RoundResult

from .trial_table import ALICE, BOB, CHAN, COMPANY, DOUBLE_8, FIVE_DUKES, MEI, NO_OX, TrialTable, stacked

RULES = GnauRules(arranging_seconds=30)


def out() -> TrialTable:
    """Mei, the banker, owes Alice and her backer Chan seven times their bets; Bob owes Mei."""
    table = TrialTable(RULES, entropy=lambda: Entropy("ab" * SECRET_SIZE, "1100220033"))
    table.bank(MEI)
    table.bet(ALICE, 20)
    table.bet(BOB, 20)
    table.back(CHAN, ALICE, 5)
    table.deal(FIVE_DUKES, NO_OX, DOUBLE_8)
    return table


def outcome(table: TrialTable) -> tuple[RoundResult, dict[int, int]]:
    """The result of the round, and everybody's chips after it."""
    events = table.showdown()
    result = next(event.result for event in events if isinstance(event, RoundSettled))
    return result, {member.member_id: table.wallet(member) + table.held(member) for member in COMPANY}


members = st.sampled_from(COMPANY)
member_ids = members.map(lambda member: member.member_id)
stakes = st.integers(1, 200)
pieces = st.just(stacked(NO_OX, DOUBLE_8, FIVE_DUKES))
attempts: st.SearchStrategy[Command] = st.one_of(
    st.builds(Leave, member_ids),
    st.builds(GiveUpBank, member_ids),
    st.builds(CloseTable, member_ids, st.booleans()),
    st.builds(MemberLeft, member_ids),
    st.builds(WithdrawBet, member_ids),
    st.builds(SitOut, member_ids),
    st.builds(WithdrawSideBet, member_ids, member_ids),
    st.builds(PlaceBet, members, stakes),
    st.builds(PlaceSideBet, members, member_ids, stakes),
    st.builds(SetClientSeed, member_ids, st.text(min_size=1, max_size=5)),
    st.builds(Join, members),
    st.builds(TakeBank, members, st.just(5), stakes, st.just(RULES)),
    st.builds(RollForBank, member_ids, st.just((6, 6) * 10), st.just(RULES)),
    st.builds(SetLimits, member_ids, stakes, stakes),
    st.builds(Deal, st.none() | member_ids, pieces),
    st.builds(Arrange, member_ids, st.none() | st.just((0, 1, 2))),
    st.builds(RevealHand, member_ids),
)


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
    assert isinstance(table.ask(CloseTable(MEI.member_id, manages=True)), Refused)
    for command in (GiveUpBank(MEI.member_id), Leave(MEI.member_id), MemberLeft(MEI.member_id)):
        table.ask(command)
    assert table.state.bank is not None
    lost = 7 * (20 + 5)

    _, chips = outcome(table)

    assert chips[MEI.member_id] == 1000 - lost + 3 * 20
    assert chips[ALICE.member_id] == 1000 + 7 * 20
    assert not table.state.has(MEI.member_id), "the banker leaves, but only then"
