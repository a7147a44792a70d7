"""The buttons below a refusal: what works instead, and nothing that is refused too."""

import pytest

from bot.table.commands import Join, MemberCommand, PlaceBet, PlaceSideBet
from bot.table.refusals import Refused
from bot.ui.press.next_steps import next_steps
from tests.games.presets import TAU_NGAU_PRESET
from tests.table.trial_table import ALICE, BOB, CHAN, MEI, TrialTable, banked


def dice_table(*members: int) -> TrialTable:
    table = TrialTable(TAU_NGAU_PRESET)
    table.join(*members)
    return table


@pytest.mark.parametrize(
    ("table", "asked", "offered"),
    [
        (banked(), Join(MEI), ["My panel", "Give up the bank"]),
        (banked(bets={ALICE: 10}), PlaceSideBet(CHAN, ALICE, 200), ["Bet 100", "Other…"]),
        (banked(), PlaceBet(ALICE, 10, 7), ["Bet 10", "My panel"]),
        (TrialTable(), PlaceBet(ALICE, 10, 7), ["My panel"]),
        (TrialTable(), PlaceBet(ALICE, 10), ["Take the bank"]),
        (dice_table(ALICE), PlaceBet(ALICE, 10), []),
        (dice_table(ALICE, BOB, CHAN), PlaceBet(ALICE, 10), ["Roll for the bank"]),
    ],
)
def test_a_refusal_offers_only_what_is_possible(
    table: TrialTable, asked: MemberCommand, offered: list[str]
) -> None:
    refused = table.ask(asked)
    assert isinstance(refused, Refused)
    steps = list(next_steps(refused, table.state, asked))
    assert [step["label"] for step in steps] == offered
    backs = {step["custom_id"].endswith(f"@{ALICE}") for step in steps}
    assert backs <= {isinstance(asked, PlaceSideBet)}
