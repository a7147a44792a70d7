"""What `/play` answers at a table whose board is posted already: the amounts of a first bet."""

from bot.table.state import TableState
from bot.ui.custom_ids import ANY_ROUND, TableAction, TablePress
from bot.ui.views.components import Component, Layout, button, row, text
from bot.ui.views.stakes import quick_stakes
from bot.words import translate


def first_bet_view(state: TableState, most: int, link: str) -> Layout:
    """Amounts to bet, of which each takes a seat.

    Args:
        state: the table; its bets are open.
        most: the largest bet that the member can place, in chips.
        link: to the board; empty without one.
    """
    code = "play.first_round" if state.for_points else "play.first_bet"
    return [text(translate(code, number=state.number, link=link)), row(*_bets(state, most))]


def _bets(state: TableState, most: int) -> list[Component]:
    if state.for_points:
        press = TablePress(state.table_id, ANY_ROUND, TableAction.PLAY)
        return [button(press, translate("button.play"), emoji="✋")]
    assert state.bank is not None
    return [
        button(
            TablePress(state.table_id, ANY_ROUND, TableAction.BET, stake),
            translate("button.bet", stake=stake),
            emoji="🪙",
        )
        for stake in quick_stakes(state.bank.lowest, most)
    ]
