"""The croupier commits a decision as it is: nothing applies its events a second time."""

import sys
from types import FrameType

from bot.table.commands import Command, Join, Leave, PlaceBet, RevealHand, TakeBank
from bot.table.evolve import evolve
from tests.croupier.croupier_house import ALICE, BOB, MEI, House


async def test_each_event_of_a_press_is_applied_once(house: House) -> None:
    table = await house.open()
    presses: tuple[tuple[int, Command], ...] = (
        (MEI, TakeBank(MEI, 5, 100, house.rules)),
        (BOB, Join(BOB)),
        (ALICE, PlaceBet(ALICE, 10)),
        (BOB, PlaceBet(BOB, 20)),
        (ALICE, RevealHand(ALICE)),
        (BOB, RevealHand(BOB)),
        (MEI, RevealHand(MEI)),
        (MEI, Leave(MEI)),
    )
    applied = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal applied
        applied += event == "call" and frame.f_code is evolve.__code__

    for member, press in presses:
        house.changes.clear()
        applied = 0
        sys.setprofile(watch)
        try:
            await house.do(table.table_id, press, member)
        finally:
            sys.setprofile(None)
        assert applied == sum(len(change.events) for change in house.changes) > 0
    assert house.table(table.table_id).round_number == 2
