"""Hand panels as Discord receives them, and a table whose members look at theirs."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.ledger.records import Stack
from bot.rules.cards import parse_cards
from bot.table.commands import Deal, Join, PlaceBet, TakeBank
from bot.table.state import TableState
from bot.ui.hand.own_hand import PanelFacts, PanelMemory, Unseen, is_to_arrange, own_hand
from bot.ui.hand.view import panel_view
from tests.sizes import sample
from tests.ui.messages import MOST_ALT_TEXT, Components, sent
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS, PURSE, Table

ALICE, BOB, CHAN = PLAYERS[:3]
RICH = Stack(PURSE, dict.fromkeys(range(1, 4), PURSE))
DOUBLE_8, NO_OX, SINGLE_9 = map(parse_cards, ("10H JS QC 8C 8D", "4C 4D 3H 8S 5D", "10C JD QH 4S 5S"))
evenings = pytest.mark.parametrize("seed", sample(range(3)))
LONG_NAME = "*" * 100
"""The longest server name, with every character escaped."""
NO_FACTS = PanelFacts(
    memory=PanelMemory(ALICE),
    stack=RICH,
    own=None,
    most=0,
    chips_left=None,
    evening=None,
    server_name=None,
    picture_text=None,
    note=None,
    unreachable=False,
    squeezes=False,
    feat=None,
)


def unseen(state: TableState, member: int) -> Unseen | None:
    """What somebody without choices of their own has to see next of their hand."""
    place = state.place_of(member)
    return Unseen.OX if place is not None and is_to_arrange(state, place) else None


def own(
    state: TableState,
    member: int,
    stack: Stack = RICH,
    *,
    server_name: str | None = LONG_NAME,
    **others: Any,
) -> Components:
    """The hand panel as Discord receives it, with a picture if the member has cards to see."""
    remembered = {field.name for field in fields(PanelMemory)} - {"note"}
    memory = PanelMemory(
        member,
        **{
            "tells_deadline": state.deadline is not None,
            **{name: others.pop(name) for name in remembered & set(others)},
        },
    )
    hand = others.pop("hand", None) or own_hand(
        state, memory, unseen=unseen(state, member), framed="feat" in others
    )
    text = None if hand is None else "牛" * MOST_ALT_TEXT
    return sent(
        panel_view(
            state,
            NAMES,
            replace(
                NO_FACTS,
                memory=memory,
                stack=stack,
                own=hand,
                picture_text=text,
                server_name=server_name,
                **others,
            ),
        )
    )


def dealt() -> Table:
    """A table where Alice has bet and has cards, and Bob sits out."""
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(BOB), PlaceBet(ALICE, 20))
    together = zip(DOUBLE_8, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    return table
