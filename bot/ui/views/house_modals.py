"""The form that asks for a knob's value: a menu, a line to write in, or a choice of channels."""

from collections.abc import Container
from typing import Any, Final

import discord

from bot.croupier.house_changes import HouseChange, Verb
from bot.rules.house import House
from bot.rules.knob_list import Knob
from bot.rules.knob_text import EVERY_CHANNEL, knob_text
from bot.rules.knobs import MOST_CHANNELS, About, GameName, HouseRules
from bot.ui.views.house import usual_rules
from bot.ui.views.house_presses import HouseAction, HousePress
from bot.words import game_title, setting_words, translate

AS_USUAL: Final = "as-usual"
"""The choice that takes back what the house has set."""
VALUE: Final = "value"
TABLES_STAND_IN: Final = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
]

Component = discord.ui.Item[Any]


def value_form(house: House, game: GameName, knob: Knob, channels: Container[int]) -> discord.ui.Modal:
    """Asks for the value of a knob.

    Args:
        house: whose values stand there to begin with.
        game: for which game.
        knob: which knob.
        channels: the channels that there are in the server.
    """
    rules, usual = house.rules(game), usual_rules(house, game)
    match knob.kind:
        case "number":
            asked, hint = _number(rules, usual, knob)
        case "channels":
            asked, hint = _channels(rules, channels), translate("house.form_channels")
        case _:
            asked, hint = _choice(rules, usual, knob), translate(f"knob.{knob.name}")
    form = discord.ui.Modal(
        title=translate("house.form_title", knob=knob.name, game=game_title(game)),
        custom_id=HousePress(HouseAction.VALUE, (game, knob.name)).custom_id,
        timeout=None,
    )
    form.add_item(discord.ui.Label(text=knob.name, description=hint, component=asked))
    if knob.kind != "one of several":
        form.add_item(discord.ui.TextDisplay(translate(f"knob.{knob.name}")))
    form.stop()
    return form


def asked_for(knob: Knob, game: GameName, interaction: discord.Interaction[Any]) -> HouseChange:
    """The change that a form which came back asks for.

    Args:
        knob: the knob that the form was about.
        game: for which game.
        interaction: what brought the form.
    """
    of = None if knob.about is About.HOSTING else game
    values = _values(interaction)
    if knob.kind == "channels":
        return HouseChange(Verb.SET, knob.name, " ".join(values) or EVERY_CHANNEL, of)
    if values in ([], [""], [AS_USUAL]):
        return HouseChange(Verb.RESET, knob.name, game=of)
    return HouseChange(Verb.SET, knob.name, values[0], of)


def _number(rules: HouseRules, usual: HouseRules, knob: Knob) -> tuple[Component, str]:
    assert knob.least is not None
    assert knob.most is not None
    line: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=VALUE, default=str(getattr(rules, knob.name)), required=False, max_length=15
    )
    bounds = translate(
        "house.form_number", least=knob.least, most=knob.most, usual=setting_words(usual, knob.name)
    )
    return line, bounds


def _choice(rules: HouseRules, usual: HouseRules, knob: Knob) -> Component:
    now = knob_text(getattr(rules, knob.name))
    options = [
        discord.SelectOption(label=words, value=value, default=value == now)
        for value, words in choices_of(rules, knob)
    ]
    as_usual = translate("house.form_usual", usual=setting_words(usual, knob.name))
    options.append(discord.SelectOption(label=as_usual, value=AS_USUAL))
    return discord.ui.Select(custom_id=VALUE, options=options)


def choices_of(rules: HouseRules, knob: Knob) -> list[tuple[str, str]]:
    """The values that a knob can have which is on or off, or one of several: as written, and in words."""
    words = knob.choices or ("off", "on")
    kind: Any = type(getattr(rules, knob.name))
    values = {word: word == "on" if kind is bool else kind(word) for word in words}
    return [
        (word, setting_words(rules.model_copy(update={knob.name: value}), knob.name))
        for word, value in values.items()
    ]


def _channels(rules: HouseRules, channels: Container[int]) -> Component:
    # Discord takes no form in which a channel is picked that is gone.
    there = [channel for channel in rules.channels if channel in channels]
    return discord.ui.ChannelSelect(
        custom_id=VALUE,
        channel_types=TABLES_STAND_IN,
        min_values=0,
        max_values=MOST_CHANNELS,
        required=False,
        default_values=[
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in there
        ],
    )


def _values(interaction: discord.Interaction[Any]) -> list[str]:
    """What was written or picked in the form."""
    data: Any = interaction.data or {}
    for part in data.get("components", ()):
        asked = part.get("component", {})
        if asked.get("custom_id") == VALUE:
            return [str(one) for one in asked.get("values", [asked.get("value", "")])]
    return []
