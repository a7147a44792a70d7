"""The buttons below a refusal: what works instead, and nothing that is refused too."""

from typing import Final

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Play
from bot.table.commands import (
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberCommand,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.refusals import Refused
from bot.ui.press.next_steps import is_so_already, next_steps
from tests.games.presets import TAU_NGAU_PRESET
from tests.table.trial_table import ALICE, BOB, CHAN, MEI, NO_OX, TrialTable, banked

FOR_POINTS: Final = GnauRules(play=Play.POINTS)


def dice_table(*members: int) -> TrialTable:
    table = TrialTable(TAU_NGAU_PRESET)
    table.join(*members)
    return table


@pytest.mark.parametrize(
    ("table", "asked", "offered"),
    [
        (banked(), Join(MEI), ["My panel", "Give up the bank"]),
        (banked(bets={ALICE: 10}), PlaceSideBet(CHAN, ALICE, 200), ["Bet 100", "Other…"]),
        (banked(bets={ALICE: 10}), PlaceSideBet(ALICE, ALICE, 5), []),
        (banked(bets={ALICE: 10, BOB: 10}), PlaceSideBet(BOB, ALICE, 5), ["Leave, and back a player"]),
        (banked(chips={ALICE: 35}), PlaceBet(ALICE, 10), ["Bet 5"]),
        (banked(chips={ALICE: 42}), PlaceBet(ALICE, 10), ["Bet 6", "Other…"]),
        (banked(), PlaceBet(ALICE, 10, 7), ["Bet 10", "My panel"]),
        (TrialTable(), PlaceBet(ALICE, 10, 7), ["My panel"]),
        (TrialTable(), PlaceBet(ALICE, 10), ["Take the bank"]),
        (dice_table(ALICE), PlaceBet(ALICE, 10), []),
        (dice_table(ALICE, BOB, CHAN), TakeBank(ALICE, 5, 100, TAU_NGAU_PRESET), ["Roll for the bank"]),
        (banked(), SitOut(CHAN), ["Join"]),
        (dice_table(ALICE, BOB, CHAN), PlaceBet(ALICE, 10), ["Roll for the bank"]),
        (banked(FOR_POINTS), SitOut(CHAN), ["I'm in", "Join"]),
        (banked(FOR_POINTS), WithdrawBet(ALICE), ["I'm in"]),
    ],
)
def test_a_refusal_offers_only_what_is_possible(
    table: TrialTable, asked: MemberCommand, offered: list[str]
) -> None:
    refused = table.ask(asked)
    assert isinstance(refused, Refused)
    assert asked.party is not None
    steps = list(next_steps(refused, table.state, asked.party, asked))
    assert [step["label"] for step in steps] == offered
    backs = {step["custom_id"].endswith(f"@{ALICE}") for step in steps}
    assert backs <= {isinstance(asked, PlaceSideBet)}


@pytest.mark.parametrize(
    ("chips", "left", "label"),
    [(56, 0, "All in: bet 8, risk 56"), (56, 949, "Max: 8"), (42, 0, "All in: bet 6, risk 42")],
)
def test_b02_a_refusal_offers_all_in_only_to_who_has_nothing_elsewhere(
    chips: int, left: int, label: str
) -> None:
    table, asked = banked(chips={ALICE: chips}), PlaceBet(ALICE, 10)
    refused = table.ask(asked)
    assert isinstance(refused, Refused)
    most, _ = next_steps(refused, table.state, ALICE, asked, left=left)
    assert most["label"] == label


def dealt(table: TrialTable) -> TrialTable:
    table.bet(ALICE, 10)
    table.deal(NO_OX, NO_OX)
    return table


def revealed() -> TrialTable:
    table = dealt(banked())
    table.do(RevealHand(ALICE))
    return table


def played() -> TrialTable:
    """After round 1, which was played."""
    table = dealt(banked())
    table.showdown()
    return table


def without_banker() -> TrialTable:
    """The same, and the bank is free."""
    table = dealt(banked())
    table.do(GiveUpBank(MEI))
    table.showdown()
    return table


def called_off() -> TrialTable:
    """In round 2, after round 1 ended without a deal."""
    table = banked()
    table.do(GiveUpBank(MEI))
    table.bank()
    return table


@pytest.mark.parametrize(
    ("table", "asked", "is_so"),
    [
        (revealed(), RevealHand(ALICE, 1), True),
        (played(), RevealHand(ALICE, 1), True),
        (without_banker(), RevealHand(ALICE, 1), True),
        (dealt(played()), RevealHand(ALICE, 1), False),
        (called_off(), RevealHand(ALICE, 1), False),
        (banked(), RevealHand(ALICE, 1), False),
        (dealt(banked()), RevealHand(BOB, 1), False),
        (dealt(banked()), Deal(MEI, round_number=1), True),
        (played(), Deal(MEI, round_number=1), True),
        (dealt(played()), Deal(MEI, round_number=1), False),
        (called_off(), Deal(MEI, round_number=1), False),
        (banked(), WithdrawBet(ALICE), True),
        (dealt(banked()), WithdrawBet(ALICE), False),
        (banked(bets={ALICE: 10}), WithdrawSideBet(BOB, ALICE), True),
        (dealt(banked()), WithdrawSideBet(BOB, ALICE), False),
        (banked(), Leave(ALICE), True),
        (TrialTable(), GiveUpBank(MEI), True),
        (banked(), GiveUpBank(ALICE), True),
        (banked(), Join(MEI), False),
    ],
)
def test_what_is_true_already_is_not_refused(table: TrialTable, asked: MemberCommand, is_so: bool) -> None:
    refused = table.ask(asked)
    assert isinstance(refused, Refused)
    assert is_so_already(asked, refused, table.state) is is_so, refused
