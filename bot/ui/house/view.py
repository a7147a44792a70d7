"""The house rules as admins see them: every knob with its value, menus, and a modal to change each.

The modal has a menu, a line to type in, or a choice of channels.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord

from bot.croupier.houses import HouseChange, Verb
from bot.games.house import House, Values, scores_of
from bot.games.knobs import PRESETS, knob_text, settable
from bot.games.register import DEFAULT_GAME, GAMES
from bot.odds.odds import Odds
from bot.rules.knobs import OF_ALL_GAMES, OF_SERVER, About, GameName, Knob
from bot.rules.server_settings import LONGEST_EMOJI, ROLE_SETTINGS, role_id
from bot.rules.typed_text import clean
from bot.ui.components import (
    MOST_OPTIONS,
    Component,
    Layout,
    box,
    button,
    channel_select,
    label,
    menu,
    modal,
    option,
    row,
    select,
    separator,
    text,
    text_input,
)
from bot.ui.press.custom_ids import MENUS, SERVER_PAGE, Press, PressAction
from bot.ui.press.errors import MemberError
from bot.words.rules import (
    game_title,
    knob_title,
    knob_words,
    odds_words,
    preset_title,
    setting_words,
)
from bot.words.translation import translate, translated

OF_GAME: Final = (About.WORTH, About.ROUND, About.HOSTING)
"""The groups of knobs that the page of a game shows."""
GROUPS: Final = (*OF_GAME, *OF_SERVER)
ACCENT: Final = 0xF0B232
DEFAULT: Final = "default"
"""The choice that returns to the preset's value."""
VALUE: Final = "value"
LONGEST_ROLE: Final = 101
"""The most characters of a role's name, after the `@`."""
LONGEST_TITLE: Final = 45
"""The most characters of the title of a modal."""
TABLES_STAND_IN: Final = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
]


def knobs_about(game: GameName, about: About) -> tuple[Knob, ...]:
    """The knobs of a game in one group, in order."""
    return tuple(knob for knob in settable(game) if knob.about is about)


def house_view(house: House, game: GameName, odds: Odds | None) -> Layout:
    """Every knob of a game with its value (marked if the house has set it), the odds, and menus.

    Args:
        odds: the odds of its rules; None if they are not known.
    """
    preset = translate("house.preset", preset=preset_title(house.preset(game)))
    parts = [text(f"{translate('house.title', game=game_title(game))}\n{preset}")]
    for about in OF_GAME:
        lines = "\n".join(_lines(house, game, knobs_about(game, about)))
        note = f"\n{points_note(game)}" if about is About.WORTH and scores_of(game) else ""
        parts.append(text(f"**{translate(f'house.about.{about}')}**\n{lines}{note}"))
    # Ties that the banker wins are no pushes, but those that the rules make an exception of.
    ties = translated(GAMES[game].display.ties(house.rules(game)))
    parts += [separator(), text(f"{ties}\n{odds_words(odds)}\n{translate('house.own_mark')}")]
    menus = [_preset_menu(house, game)] if len(GAMES[game].presets) > 1 else []
    menus += knob_menus(house, game, OF_GAME)
    return [box(parts, ACCENT), *map(row, menus), _pages(game)]


def server_view(house: House) -> Layout:
    """Every setting of the server with its value (marked if the house has set it), and menus."""
    menus = map(row, knob_menus(house, DEFAULT_GAME, OF_SERVER))
    parts = [text(translate("house.server_title"))]
    for about in OF_SERVER:
        lines = "\n".join(_lines(house, DEFAULT_GAME, knobs_about(DEFAULT_GAME, about)))
        parts.append(text(f"**{translate(f'house.about.{about}')}**\n{lines}"))
    parts.append(separator())
    parts.append(text(f"{translate('house.computers')}\n{translate('house.own_mark')}"))
    return [box(parts, ACCENT), *menus, _pages(SERVER_PAGE)]


def _menus(alone: bool) -> tuple[str, ...]:
    return (MENUS,) if alone else ()


def points_note(game: GameName) -> str:
    """That the multiples of a house do not hold at tables for points (G19)."""
    return translate("house.points", preset=preset_title(GAMES[game].scoring_preset))


def menus_view(house: House, game: GameName, about: About) -> Layout:
    """The menus for one group of knobs, alone in their message."""
    return list(map(row, knob_menus(house, game, (about,), alone=True)))


def knob_menus(
    house: House,
    game: GameName,
    groups: Iterable[About],
    most: int = MOST_OPTIONS,
    *,
    alone: bool = False,
) -> Iterator[Component]:
    """Menus that hold every knob of these groups once; as few menus as possible.

    Args:
        alone: whether they are alone in their message.
    """
    for about in groups:
        parts = _parts(knobs_about(game, about), most)
        for number, knobs in enumerate(parts, 1):
            first, last = knob_title(knobs[0].name), knob_title(knobs[-1].name)
            placeholder = (
                translate("house.pick", about=translate(f"house.about.{about}"))
                if len(parts) == 1
                else translate("house.pick_part", first=first, last=last)
            )
            yield menu(
                Press(PressAction.PICK, arguments=(game, about, str(number), *_menus(alone))),
                placeholder,
                [_option(house, game, knob) for knob in knobs],
            )


def _lines(house: House, game: GameName, knobs: Iterable[Knob]) -> Iterator[str]:
    for knob in knobs:
        values, default = house.values(knob, game), house.defaults(knob, game)
        code = "house.knob"
        if house.is_set(knob, game) and getattr(values, knob.name) != getattr(default, knob.name):
            code = "house.own_hosting" if knob.about in OF_ALL_GAMES else "house.own_knob"
        yield translate(
            code,
            knob=knob_title(knob.name),
            setting=setting_words(values, knob.name),
            default=setting_words(default, knob.name),
        )


def _parts(knobs: Sequence[Knob], most: int) -> list[Sequence[Knob]]:
    """The knobs in as few parts as possible, about equal in size."""
    count = -(-len(knobs) // most)
    size = -(-len(knobs) // count) if count else 1
    return [knobs[start : start + size] for start in range(0, len(knobs), size)]


def short_setting(values: Values, knob: Knob) -> str:
    """A knob and its value, short enough for a choice in a menu."""
    value = getattr(values, knob.name)
    if knob.name in ROLE_SETTINGS and value:
        # Nothing is mentioned in a menu.
        setting = translate("setting.a_role")
        return translate("house.option", knob=knob_title(knob.name), setting=setting)
    if isinstance(value, tuple) and value:
        return translate("house.option_channels", knob=knob_title(knob.name), count=len(value))
    return translate("house.option", knob=knob_title(knob.name), setting=setting_words(values, knob.name))


def _option(house: House, game: GameName, knob: Knob) -> Component:
    return option(short_setting(house.values(knob, game), knob), knob.name, knob_words(knob, game))


def _preset_menu(house: House, game: GameName) -> Component:
    return menu(
        Press(PressAction.PRESETS, arguments=(game,)),
        translate("house.pick_preset"),
        [
            option(preset_title(name), name, translate(f"about_preset.{name}"))
            for name, rules in PRESETS.items()
            if rules.game == game
        ],
    )


def _pages(shown: str) -> Component:
    """A button for the page of each game, and for the server's own."""
    titles = {game: translate("house.other_game", game=game_title(game)) for game in GAMES}
    titles[SERVER_PAGE] = translate("house.server_page")
    return row(
        *(
            button(Press(PressAction.SHOW, arguments=(page,)), title, disabled=page == shown)
            for page, title in titles.items()
        )
    )


def value_modal(
    house: House,
    game: GameName,
    knob: Knob,
    channels: Container[int],
    roles: Mapping[int, str],
    *,
    alone: bool = False,
) -> Component:
    """Asks for the value of a knob.

    Args:
        channels, roles: the server's channels that can hold a table, and the names of its roles by id.
        alone: whether it was picked in a menu that is alone in its message.
    """
    values, default = house.values(knob, game), house.defaults(knob, game)
    match knob.kind:
        case "number":
            asked, hint = _line(values, knob, 15), _bounds(default, knob)
        case "channels":
            asked = _channels(values, knob, channels)
            hint = translate(f"house.form_channels.{knob.empty}")
        case "text" if knob.name in ROLE_SETTINGS:
            asked, hint = _role(values, knob, roles), translate(f"house.form_role.{knob.empty}")
        case "text":
            asked, hint = _line(values, knob, LONGEST_EMOJI), knob_words(knob, game)
        case _:
            asked, hint = _choice(values, default, knob), knob_words(knob, game)
    title = name = knob_title(knob.name)
    if knob.about is About.HOSTING:
        title = translate("house.form_title_all", knob=name)
    elif knob.about not in OF_SERVER:
        title = translate("house.form_title", knob=name, game=game_title(game))
    parts = [label(name, asked, hint)]
    if hint != knob_words(knob, game):
        parts.append(text(knob_words(knob, game)))
    press = Press(PressAction.VALUE, arguments=(game, knob.name, *_menus(alone)))
    return modal(press, clean(title, LONGEST_TITLE), parts)


def change_asked_for(knob: Knob, game: GameName, press: Press) -> HouseChange:
    """The change that a submitted modal asks for."""
    of = None if knob.about in OF_ALL_GAMES else game
    if VALUE not in press.fields:
        raise MemberError("reply.incomplete_modal")
    values = press.fields[VALUE]
    if knob.kind == "channels":
        return HouseChange(Verb.SET, knob.name, " ".join(values) or knob.empty, of)
    if values in ((), ("",), (DEFAULT,)):
        return HouseChange(Verb.RESET, knob.name, game=of)
    return HouseChange(Verb.SET, knob.name, values[0], of)


def _line(values: Values, knob: Knob, longest: int) -> Component:
    written = knob_text(getattr(values, knob.name), knob.empty)
    return text_input(VALUE, written, longest=longest, required=False)


def _role(values: Values, knob: Knob, roles: Mapping[int, str]) -> Component:
    mention = getattr(values, knob.name)
    name = roles.get(role_id(mention) or 0)
    return text_input(VALUE, f"@{name}" if name else mention, longest=LONGEST_ROLE, required=False)


def _bounds(default: Values, knob: Knob) -> str:
    assert knob.least is not None
    assert knob.most is not None
    return translate(
        "house.form_number", least=knob.least, most=knob.most, default=setting_words(default, knob.name)
    )


def _choice(values: Values, default: Values, knob: Knob) -> Component:
    now, usual = (knob_text(getattr(of, knob.name)) for of in (values, default))
    options = []
    for value, words in choices_of(values, knob):
        if value == usual:
            value, words = DEFAULT, translate("house.value_default", setting=words)
        options.append(option(words, value, default=value == now or (value == DEFAULT and now == usual)))
    return select(VALUE, options)


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
    return channel_select(VALUE, TABLES_STAND_IN, knob.most or 1, there)
