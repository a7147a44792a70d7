"""*How to play*: one screen on a phone, and a button for each page of details, which replaces it."""

from typing import Final

import discord

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.ui.components import Component, Layout, button, picture, row, text
from bot.ui.guide.lesson import lesson_button
from bot.ui.press.custom_ids import GuidePage, Press, PressAction
from bot.wire.requests import Attachment
from bot.words.rules import (
    Chances,
    banker_words,
    knob_list_words,
    overview_words,
    payout_words,
    ranking_words,
    terms_words,
)
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
        *_rows([*_buttons(GuidePage.OVERVIEW, rules.game, table_id), learn]),
    ]


def page_view(
    page: GuidePage, rules: HouseRules, odds: Chances | None, table_id: int | None = None
) -> Layout:
    """A page of details.

    Args:
        page: which page; not the first.
        odds: the odds of the rules, for the page about payouts; None if they are not known.
        table_id: the table that it is about, if any.
    """
    return [text(_words(page, rules, odds)), *_rows(_buttons(page, rules.game, table_id))]


def _words(page: GuidePage, rules: HouseRules, odds: Chances | None) -> str:
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


def _rows(buttons: list[Component]) -> list[Component]:
    """The buttons in rows that fit the width of a phone."""
    return [row(*buttons[start : start + _IN_ROW]) for start in range(0, len(buttons), _IN_ROW)]
