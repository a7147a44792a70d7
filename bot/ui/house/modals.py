"""The modal that asks for a knob's value: a menu, a line to type in, or a choice of channels."""

from collections.abc import Container
from typing import Any, Final

import discord

from bot.croupier.houses import HouseChange, Verb
from bot.games.house import House, Values
from bot.games.knobs import knob_text
from bot.rules.knobs import OF_ALL_GAMES, GameName, Knob
from bot.rules.server_settings import LONGEST_EMOJI
from bot.rules.typed_text import clean
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.words.rules import game_title, knob_title, knob_words, setting_words
from bot.words.translation import translate

DEFAULT: Final = "default"
"""The choice that returns to the preset's value."""
VALUE: Final = "value"
LONGEST_TITLE: Final = 45
"""The most characters of the title of a modal."""
TABLES_STAND_IN: Final = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
]

Component = discord.ui.Item[Any]


def value_modal(house: House, game: GameName, knob: Knob, channels: Container[int]) -> discord.ui.Modal:
    """Asks for the value of a knob."""
    values, default = house.values(knob, game), house.defaults(knob, game)
    match knob.kind:
        case "number":
            asked, hint = _number(values, default, knob)
        case "channels":
            asked = _channels(values, knob, channels)
            hint = translate(f"house.form_channels.{knob.empty}")
        case "text":
            asked, hint = _text(values, knob), knob_words(knob, game)
        case _:
            asked, hint = _choice(values, default, knob), knob_words(knob, game)
    if knob.about in OF_ALL_GAMES:
        title = translate("house.form_title_all", knob=knob_title(knob.name))
    else:
        title = translate("house.form_title", knob=knob_title(knob.name), game=game_title(game))
    modal = discord.ui.Modal(
        title=clean(title, LONGEST_TITLE),
        custom_id=Press(PressAction.VALUE, arguments=(game, knob.name)).custom_id,
        timeout=None,
    )
    modal.add_item(discord.ui.Label(text=knob_title(knob.name), description=hint, component=asked))
    if hint != knob_words(knob, game):
        modal.add_item(discord.ui.TextDisplay(knob_words(knob, game)))
    modal.stop()
    return modal


def change_asked_for(knob: Knob, game: GameName, press: Press) -> HouseChange:
    """The change that a submitted modal asks for.

    Raises:
        MemberError: if the modal came without its field.
    """
    of = None if knob.about in OF_ALL_GAMES else game
    if VALUE not in press.fields:
        raise MemberError("reply.incomplete_modal")
    values = press.fields[VALUE]
    if knob.kind == "channels":
        return HouseChange(Verb.SET, knob.name, " ".join(values) or knob.empty, of)
    if values in ((), ("",), (DEFAULT,)):
        return HouseChange(Verb.RESET, knob.name, game=of)
    return HouseChange(Verb.SET, knob.name, values[0], of)


def _number(values: Values, default: Values, knob: Knob) -> tuple[Component, str]:
    assert knob.least is not None
    assert knob.most is not None
    line: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=VALUE,
        default=knob_text(getattr(values, knob.name), knob.empty),
        required=False,
        max_length=15,
    )
    bounds = translate(
        "house.form_number", least=knob.least, most=knob.most, default=setting_words(default, knob.name)
    )
    return line, bounds


def _text(values: Values, knob: Knob) -> Component:
    written = knob_text(getattr(values, knob.name), knob.empty)
    return discord.ui.TextInput(custom_id=VALUE, default=written, required=False, max_length=LONGEST_EMOJI)


def _choice(values: Values, default: Values, knob: Knob) -> Component:
    now = knob_text(getattr(values, knob.name))
    options = [
        discord.SelectOption(label=words, value=value, default=value == now)
        for value, words in choices_of(values, knob)
    ]
    label = translate("house.form_default", default=setting_words(default, knob.name))
    options.append(discord.SelectOption(label=label, value=DEFAULT))
    return discord.ui.Select(custom_id=VALUE, options=options)


def choices_of(values: Values, knob: Knob) -> list[tuple[str, str]]:
    """The values of a knob that is on or off, or one of several: as typed, and in words."""
    words = knob.choices or ("off", "on")
    kind: Any = type(getattr(values, knob.name))
    choices = {word: word == "on" if kind is bool else kind(word) for word in words}
    return [
        (word, setting_words(values.model_copy(update={knob.name: value}), knob.name))
        for word, value in choices.items()
    ]


def _channels(values: Values, knob: Knob, channels: Container[int]) -> Component:
    # Discord refuses a modal in which a deleted channel is picked.
    there = [channel for channel in getattr(values, knob.name) if channel in channels]
    return discord.ui.ChannelSelect(
        custom_id=VALUE,
        channel_types=TABLES_STAND_IN,
        min_values=0,
        max_values=knob.most or 1,
        required=False,
        default_values=[
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in there
        ],
    )
