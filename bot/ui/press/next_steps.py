"""What a member can do next where a table refuses what they asked for: the buttons below a refusal."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.rules.knobs import Play
from bot.table.betting import backed_without
from bot.table.commands import (
    Deal,
    GiveUpBank,
    Leave,
    MemberCommand,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal, Refused
from bot.table.state import Phase, TableState
from bot.ui.components import Component, button
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.stakes import ALL_IN_LABEL, bet_words, label_of_most
from bot.words.translation import translate

_WAYS_ON: Final = {
    Refusal.HOLDS_THE_BANK: (PressAction.HAND, PressAction.GIVE_UP),
    Refusal.SITS_AT_TABLE: (PressAction.LEAVE_TO_BACK,),
    Refusal.HAS_OWN_BET: (PressAction.LEAVE_TO_BACK,),
    Refusal.BETS_ARE_DOWN: (PressAction.CLOSE_NOW,),
    Refusal.ROUND_IS_OVER: (PressAction.HAND,),
    Refusal.NO_BANK: (PressAction.BANK, PressAction.ROLL),
    Refusal.HOUSE_DOES_NOT_BANK: (PressAction.BANK, PressAction.ROLL),
    Refusal.HOUSE_ALWAYS_BANKS: (PressAction.PLAY_HOUSE,),
    Refusal.DICE_PICK_BANKER: (PressAction.ROLL,),
    Refusal.NO_DICE_FOR_BANK: (PressAction.BANK,),
    Refusal.NOT_SEATED: (PressAction.JOIN,),
    Refusal.NOT_PLAYING: (PressAction.JOIN,),
}
"""What helps against a refusal; left out where it is not possible either."""
_WAYS_IN: Final = {
    Refusal.NOT_SEATED,
    Refusal.ALREADY_SEATED,
    Refusal.BANK_TAKEN,
    Refusal.NO_BET_OF_YOURS,
    Refusal.NO_HAND,
}
"""What *I'm in* helps against at a table for points."""
_NEEDS: Final = {
    PressAction.BANK: Action.TAKE_BANK,
    PressAction.ROLL: Action.ROLL,
    PressAction.PLAY_HOUSE: Action.PLAY_HOUSE,
    PressAction.JOIN: Action.JOIN,
}
_POSSIBLE_AMOUNT: Final = {
    Refusal.STAKE_BELOW_LOWEST: "lowest",
    Refusal.STAKE_ABOVE_HIGHEST: "highest",
    Refusal.PLAYER_CANNOT_COVER: "most",
    Refusal.BANK_CANNOT_COVER: "most",
}
"""The fact of a refused amount that says which one is possible."""
_LABELS: Final = {
    PressAction.HAND: "menu.hand",
    PressAction.CLOSE_NOW: "menu.close",
}


_SO_ALREADY: Final[dict[type[object], frozenset[Refusal]]] = {
    RevealHand: frozenset({Refusal.ALREADY_REVEALED}),
    Deal: frozenset({Refusal.ALREADY_DEALT}),
    WithdrawBet: frozenset({Refusal.NO_BET_OF_YOURS}),
    WithdrawSideBet: frozenset({Refusal.NO_SIDE_BET_OF_YOURS}),
    Leave: frozenset({Refusal.NOT_SEATED}),
    GiveUpBank: frozenset({Refusal.NO_BANK, Refusal.NOT_BANKER}),
}
"""Why a table refuses what is true already, such as a reveal of a hand that was revealed automatically."""
_ROUND_IS_PLAYED: Final = frozenset(
    {Refusal.NOT_DEALT, Refusal.ROUND_IS_OVER, Refusal.STRONGEST_COUNTED, Refusal.CHOICE_COUNTED}
)
"""Why a table refuses a deal or a reveal once its round is over; one that was called off was never played."""


def tell_button() -> Component:
    """The button to be told of tables in the channel of its message."""
    return button(Press(PressAction.TELL), translate("button.tell"))


def wallet_button() -> Component:
    """The button to the member's chips, and back to them from what leads on from there."""
    return button(Press(PressAction.WALLET), translate("button.wallet"))


def points_button(table: TableState) -> Component:
    """The button that closes this table, and opens one for points in its place."""
    press = Press(PressAction.OPEN, arguments=(table.rules.game, Play.POINTS, str(table.table_id)))
    return button(press, translate("button.play_points"))


def is_so_already(asked: MemberCommand, refused: Refused, table: TableState) -> bool:
    """Whether a table refuses what a member asked for because it is true already."""
    if isinstance(asked, Deal | RevealHand) and refused.code in _ROUND_IS_PLAYED:
        # After the next deal, a member who reads "Done" would believe that their new hand is revealed.
        is_last = table.last is not None and table.last.round_number == asked.round_number
        return is_last and table.phase is not Phase.DEALT
    return refused.code in _SO_ALREADY.get(type(asked), ())


def next_steps(
    refused: Refused,
    table: TableState,
    party: int,
    asked: MemberCommand | None = None,
    *,
    left: int | None = None,
    house_banks: bool = False,
) -> Iterator[Component]:
    """The buttons for what works in this round.

    Args:
        party: who is refused.
        asked: what was refused, if the table was asked.
        left: the chips of their own that the largest bet leaves a member who cannot cover the refused one.
        house_banks: whether it is refused for want of a banker, and the house can bank.
    """

    def step(action: PressAction, label: str, stake: int | None = None) -> Component:
        backed = asked.backed if isinstance(asked, PlaceSideBet) else None
        closes = action is PressAction.CLOSE_NOW
        # Who closes the table reads whether that round was settled before.
        round_number = table.round_to_deal if closes else table.round_number
        press = Press(action, table.table_id, round_number, stake, backed)
        is_grave = closes or label == ALL_IN_LABEL
        style = discord.ButtonStyle.danger if is_grave else discord.ButtonStyle.primary
        return button(press, bet_words(table.rules, label, stake or 0), style=style)

    is_late = refused.code is Refusal.ROUND_IS_OVER and not table.for_points
    if is_late and isinstance(asked, PlaceBet) and unmet_precondition(table, Action.BET) is None:
        yield step(PressAction.BET, "button.bet_this", asked.stake)
    if refused.code in _WAYS_IN and table.for_points and unmet_precondition(table, Action.BET) is None:
        yield step(PressAction.PLAY, "button.play")
    if house_banks:
        yield step(PressAction.PLAY_HOUSE, "button.play_house")
    for action in _WAYS_ON.get(refused.code, ()):
        needs = _NEEDS.get(action)
        is_possible = needs is None or unmet_precondition(table, needs) is None
        if action is PressAction.LEAVE_TO_BACK:
            is_possible = backed_without(table, party)
        if is_possible:
            yield step(action, _LABELS.get(action, f"button.{action}"))
    if refused.code in _POSSIBLE_AMOUNT:
        backs = isinstance(asked, PlaceSideBet)
        possible = int(refused.facts[_POSSIBLE_AMOUNT[refused.code]])
        label = "button.bet_this" if left is None else label_of_most(table.rules, possible, left)
        yield step(PressAction.BACK if backs else PressAction.BET, label, possible)
        most = int(refused.facts.get("highest", possible))
        if table.bank is None or most > table.bank.lowest:
            yield step(PressAction.OTHER_BACK if backs else PressAction.OTHER_BET, "button.other_bet")
