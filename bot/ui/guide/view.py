"""*How to play*, and what `/help` says.

The first is one screen on a phone, with a button for each page of details, which replaces it. The other says
what somebody can do now, where they stand.
"""

from collections.abc import Iterator
from typing import Final

import discord

from bot.games.hands import hand_of
from bot.odds.odds import Odds
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, HouseBank
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.components import Component, Layout, button, picture, rows, text
from bot.ui.guide.lesson import lesson_button
from bot.ui.press.custom_ids import GuidePage, Press, PressAction
from bot.wire.requests import Attachment
from bot.words.hands import my_hand, rule_words
from bot.words.rules import (
    banker_words,
    knob_list_words,
    overview_words,
    payout_words,
    ranking_words,
    terms_words,
)
from bot.words.tables import refusal
from bot.words.translation import translate

_IN_ROW: Final = 3
_PRIMARY, _SECONDARY = discord.ButtonStyle.primary, discord.ButtonStyle.secondary


def overview_view(
    rules: HouseRules, server_id: int, examples: Attachment, table_id: int | None = None
) -> Layout:
    """The first page, with a picture of example hands."""
    above, below = overview_words(rules)
    learn = lesson_button(server_id, rules.game)
    return [
        text(above),
        picture(examples.name, examples.description or ""),
        text(below),
        *rows([*_buttons(GuidePage.OVERVIEW, rules.game, table_id), learn], _IN_ROW),
    ]


def page_view(page: GuidePage, rules: HouseRules, odds: Odds | None, table_id: int | None = None) -> Layout:
    """A page of details.

    Args:
        page: which page; not the first.
        odds: the odds of the rules, for the page about payouts; None if they are not known.
    """
    return [text(_words(page, rules, odds)), *rows(_buttons(page, rules.game, table_id), _IN_ROW)]


def _words(page: GuidePage, rules: HouseRules, odds: Odds | None) -> str:
    match page:
        case GuidePage.RANKING:
            return ranking_words(rules)
        case GuidePage.ODDS:
            return payout_words(rules, odds)
        case GuidePage.BANKER:
            return banker_words(rules)
        case GuidePage.WORDS:
            return terms_words(rules)
        case GuidePage.KNOBS:
            return knob_list_words(rules)
        case GuidePage.OVERVIEW:
            return "\n".join(overview_words(rules))


def guide_press(page: GuidePage, game: GameName, table_id: int | None = None) -> Press:
    """What shows a page, by the rules of the table if there is one."""
    table = () if table_id is None else (str(table_id),)
    return Press(PressAction.TURN, arguments=(page, game, *table))


def _buttons(shown: GuidePage, game: GameName, table_id: int | None) -> list[Component]:
    """A button for every page but the one that is shown."""
    return [
        button(
            guide_press(page, game, table_id),
            translate(f"guide.button.{page}"),
            style=_PRIMARY if page is GuidePage.OVERVIEW else _SECONDARY,
        )
        for page in GuidePage
        if page is not shown
    ]


def table_lines(state: TableState, party: int, *, house_covers: bool) -> Iterator[str]:
    """What a member can do at an open table.

    Args:
        party: who; `NOBODY` is a newcomer.
        house_covers: whether the house has the chips to bank.
    """
    bank, seat = state.bank, state.seat_of(party)
    if bank is not None and state.is_banker(party):
        yield from _bankers_lines(state, bank)
    elif seat is not None:
        yield _players_line(state, seat)
    elif (full := unmet_precondition(state, Action.JOIN)) is not None:
        yield refusal(full)
        if unmet_precondition(state, Action.SIDE_BET) is None:
            yield translate("help.side_bet")
    else:
        yield translate(_to_join(state, house_covers=house_covers))
    if house_covers and unmet_precondition(state, Action.PLAY_HOUSE) is None:
        yield translate("help.play_house")


def _bankers_lines(state: TableState, bank: Bank) -> Iterator[str]:
    if state.phase is Phase.DEALT:
        yield _hand_line(state, bank)
        return
    if unmet_precondition(state, Action.DEAL) is None:
        yield translate("help.bank_deals")
    else:
        yield translate("help.bank_waits_points" if state.for_points else "help.bank_waits")
    yield translate("help.bank_stops")


def _players_line(state: TableState, seat: Seat) -> str:
    if state.phase is Phase.DEALT:
        return _hand_line(state, seat) if seat.pieces else translate("help.next_round")
    if state.bank is None:
        return _to_get_a_banker(state)
    if seat.stake is not None:
        return translate("help.is_in" if state.for_points else "help.has_bet", stake=seat.stake)
    return translate("help.play" if state.for_points else "help.bet", seat=seat.number)


def _hand_line(state: TableState, place: Seat | Bank) -> str:
    if place.revealed:
        hand = hand_of(place.pieces, place.declared_ox, state.rules)
        return f"{translate('help.revealed')}\n-# {rule_words(hand, state.rules)}"
    return translate("help.reveal", button=my_hand(state.rules.game))


def _to_get_a_banker(state: TableState) -> str:
    """What makes somebody banker: the dice, or taking the bank."""
    rolls = state.game.rolls_for_bank and state.rules.house_bank is not HouseBank.ONLY
    unmet = unmet_precondition(state, Action.ROLL if rolls else Action.BET)
    return translate("help.roll") if unmet is None else refusal(unmet)


def _to_join(state: TableState, *, house_covers: bool) -> str:
    match state.phase:
        case Phase.DEALT:
            return "help.join_later"
        case Phase.BETTING:
            return "help.join_for_points" if state.for_points else "help.join_with_bet"
        case _:
            if state.rules.house_bank is HouseBank.ONLY and house_covers:
                return "help.join_for_house"
            return "help.join_for_roll" if state.game.rolls_for_bank else "help.join"
