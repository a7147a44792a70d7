"""The one message with which the bot greets a server."""

import discord

from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.knobs import Play
from bot.ui.components import Layout, button, row, text
from bot.ui.press.custom_ids import ChannelAction, ChannelPress
from bot.words.rules import game_title
from bot.words.translation import translate


def welcome_words() -> str:
    """What the bot is, in a few lines; commands stand in backticks."""
    games = translate("amount.comma").join(map(game_title, GAMES))
    return translate("welcome.text", games=games)


def welcome_view(words: str) -> Layout:
    """The message, with buttons for a table and the house rules.

    Args:
        words: the text, with links in place of commands.
    """
    table = ChannelPress(ChannelAction.OPEN, DEFAULT_GAME, Play.CHIPS)
    rules = ChannelPress(ChannelAction.HOUSE_RULES, DEFAULT_GAME, Play.CHIPS)
    return [
        text(words),
        row(
            button(table, translate("welcome.button.open"), style=discord.ButtonStyle.primary),
            button(rules, translate("welcome.button.house")),
        ),
    ]
