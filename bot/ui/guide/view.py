"""*How to play*, and what `/help` says.

The first is one screen on a phone, with a button for each page of details, which replaces it. The other says
what somebody can do now, where they stand.
"""

from collections.abc import Iterator
from typing import NamedTuple

import discord

from bot.games.hands import hand_of
from bot.odds.odds import Odds
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, HouseBank
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refused
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.components import Component, Layout, button, picture, rows, text
from bot.ui.guide.lesson import lesson_button
from bot.ui.press.custom_ids import ANY_ROUND, GuidePage, Press, PressAction
from bot.ui.press.next_steps import next_steps
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
        *rows([*_buttons(GuidePage.OVERVIEW, rules.game, table_id), learn]),
    ]


def page_view(page: GuidePage, rules: HouseRules, odds: Odds | None, table_id: int | None = None) -> Layout:
    """A page of details.

    Args:
        page: which page; not the first.
        odds: the odds of the rules, for the page about payouts; None if they are not known.
    """
    return [text(_words(page, rules, odds)), *rows(_buttons(page, rules.game, table_id))]


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


class HelpLine(NamedTuple):
    """A line of what `/help` says, and the buttons that it names."""

    words: str
    buttons: tuple[Component, ...] = ()


def table_lines(state: TableState, party: int, *, house_covers: bool) -> Iterator[HelpLine]:
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
        yield _why_not(state, full, party)
        if unmet_precondition(state, Action.SIDE_BET) is None:
            yield _line(state, "help.side_bet", PressAction.SIDE_BETS)
    else:
        yield _to_join(state, house_covers=house_covers)
    # Where only the house banks, the lines above say so.
    may_choose = house_covers and state.rules.house_bank is not HouseBank.ONLY
    if may_choose and unmet_precondition(state, Action.PLAY_HOUSE) is None:
        yield _line(state, "help.play_house_here", PressAction.PLAY_HOUSE)


def _line(
    state: TableState, code: str, *actions: PressAction, label: str | None = None, **facts: int | str
) -> HelpLine:
    """A line, and buttons that are meant for whichever round is on when they are pressed.

    Args:
        label: what the buttons say; None for what they say on the board.
    """
    labels = [
        label or translate("menu.hand" if action is PressAction.HAND else f"button.{action}")
        for action in actions
    ]
    presses = [Press(action, state.table_id, ANY_ROUND) for action in actions]
    buttons = [button(press, words, style=_PRIMARY) for press, words in zip(presses, labels, strict=True)]
    return HelpLine(translate(code, **facts), tuple(buttons))


def _why_not(state: TableState, refused: Refused, party: int) -> HelpLine:
    return HelpLine(refusal(refused), tuple(next_steps(refused, state, party)))


def _bankers_lines(state: TableState, bank: Bank) -> Iterator[HelpLine]:
    if state.phase is Phase.DEALT:
        yield _hand_line(state, bank)
        return
    if unmet_precondition(state, Action.DEAL) is None:
        yield _line(state, "help.bank_deals")
    else:
        yield _line(state, "help.bank_waits_points" if state.for_points else "help.bank_waits")
    yield _line(state, "help.bank_stops", PressAction.HAND)


def _players_line(state: TableState, seat: Seat) -> HelpLine:
    if state.phase is Phase.DEALT:
        return _hand_line(state, seat) if seat.pieces else _line(state, "help.next_round")
    if state.bank is None:
        return _to_get_a_banker(state, seat.party)
    if seat.stake is not None:
        return _line(state, "help.is_in" if state.for_points else "help.has_bet", stake=seat.stake)
    if state.for_points:
        return _line(state, "help.play", PressAction.PLAY, seat=seat.number)
    return _line(state, "help.bet", PressAction.HAND, seat=seat.number)


def _hand_line(state: TableState, place: Seat | Bank) -> HelpLine:
    if place.revealed:
        hand = hand_of(place.pieces, place.declared_ox, state.rules)
        return HelpLine(f"{translate('help.revealed')}\n-# {rule_words(hand, state.rules)}")
    label = my_hand(state.rules.game)
    return _line(state, "help.reveal", PressAction.HAND, label=label, button=label)


def _to_get_a_banker(state: TableState, party: int) -> HelpLine:
    """What makes somebody banker: the dice, or taking the bank."""
    rolls = state.game.rolls_for_bank and state.rules.house_bank is not HouseBank.ONLY
    unmet = unmet_precondition(state, Action.ROLL if rolls else Action.BET)
    return _line(state, "help.roll", PressAction.ROLL) if unmet is None else _why_not(state, unmet, party)


def _to_join(state: TableState, *, house_covers: bool) -> HelpLine:
    match state.phase:
        case Phase.DEALT:
            return _line(state, "help.join_later", PressAction.JOIN)
        case Phase.BETTING if state.for_points:
            return _line(state, "help.join_for_points", PressAction.PLAY)
        case Phase.BETTING:
            return _line(state, "help.join_with_bet", PressAction.JOIN)
        case _:
            if state.rules.house_bank is HouseBank.ONLY and house_covers:
                return _line(state, "help.join_for_house", PressAction.PLAY_HOUSE, PressAction.JOIN)
            if state.game.rolls_for_bank:
                return _line(state, "help.join_for_roll", PressAction.JOIN)
            return _line(state, "help.join", PressAction.JOIN, PressAction.BANK)
