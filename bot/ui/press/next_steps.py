"""What a member can do next where a table refuses what they asked for: the buttons below a refusal."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.table.commands import MemberCommand, PlaceBet, PlaceSideBet
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from bot.ui.components import Component, button
from bot.ui.press.custom_ids import Press, PressAction
from bot.words.translation import translate

_WAYS_ON: Final = {
    Refusal.HOLDS_THE_BANK: (PressAction.HAND, PressAction.GIVE_UP),
    Refusal.SITS_AT_TABLE: (PressAction.LEAVE,),
    Refusal.BETS_ARE_DOWN: (PressAction.CLOSE_NOW,),
    Refusal.ROUND_IS_OVER: (PressAction.HAND,),
    Refusal.NO_BANK: (PressAction.BANK, PressAction.ROLL),
    Refusal.HOUSE_DOES_NOT_BANK: (PressAction.BANK, PressAction.ROLL),
}
"""What helps against a refusal; left out where it is not possible either."""
_NEEDS: Final = {PressAction.BANK: Action.TAKE_BANK, PressAction.ROLL: Action.ROLL}
_POSSIBLE_AMOUNT: Final = {
    Refusal.STAKE_BELOW_LOWEST: "lowest",
    Refusal.STAKE_ABOVE_HIGHEST: "highest",
    Refusal.PLAYER_CANNOT_COVER: "most",
    Refusal.BANK_CANNOT_COVER: "most",
}
"""The fact of a refused amount that says which one is possible."""
_LABELS: Final = {PressAction.HAND: "menu.hand", PressAction.CLOSE_NOW: "menu.close"}


def next_steps(
    refused: Refused, table: TableState, asked: MemberCommand | None = None, *, has_chips: bool = False
) -> Iterator[Component]:
    """The buttons for what works in this round.

    Args:
        asked: what was refused, if the table was asked.
        has_chips: whether the member can take free chips now.
    """

    def step(action: PressAction, label: str, stake: int | None = None) -> Component:
        backed = asked.backed if isinstance(asked, PlaceSideBet) else None
        press = Press(action, table.table_id, table.round_number, stake, backed)
        returns_bets = action is PressAction.CLOSE_NOW
        style = discord.ButtonStyle.danger if returns_bets else discord.ButtonStyle.primary
        return button(press, translate(label, stake=stake or 0), style=style)

    is_late = refused.code is Refusal.ROUND_IS_OVER and not table.for_points
    if is_late and isinstance(asked, PlaceBet) and unmet_precondition(table, Action.BET) is None:
        yield step(PressAction.BET, "button.bet_this", asked.stake)
    if refused.code is Refusal.PLAYER_TOO_POOR and has_chips:
        yield step(PressAction.DAILY, "button.daily")
    for action in _WAYS_ON.get(refused.code, ()):
        needs = _NEEDS.get(action)
        if needs is None or unmet_precondition(table, needs) is None:
            yield step(action, _LABELS.get(action, f"button.{action}"))
    if refused.code in _POSSIBLE_AMOUNT:
        backs = isinstance(asked, PlaceSideBet)
        possible = int(refused.facts[_POSSIBLE_AMOUNT[refused.code]])
        yield step(PressAction.BACK if backs else PressAction.BET, "button.bet_this", possible)
        yield step(PressAction.OTHER_BACK if backs else PressAction.OTHER_BET, "button.other_bet")
