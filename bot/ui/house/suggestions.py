"""What `/house` suggests while an admin types: knobs, in groups if they are many, and their values."""

from collections.abc import Iterator
from typing import Final

import discord
from discord import app_commands

from bot.games.house import House
from bot.games.knobs import knob_text, parse_knob, settable
from bot.games.register import GAMES
from bot.rules.knobs import OF_ALL_GAMES, About, GameName, Knob, WrongRuleError
from bot.rules.server_settings import ROLE_SETTINGS
from bot.rules.typed_text import clean
from bot.ui.components import MOST_OPTIONS
from bot.ui.house.view import GROUPS, choices_of, short_setting
from bot.wire.intake import roles_of
from bot.wire.requests import Interaction
from bot.words.rules import game_title, knob_title, knob_words, setting_words, text_words
from bot.words.translation import listed, translate

LONGEST: Final = 100
"""The most characters of a suggestion's name and of its value."""

_OF_GAME: Final = ":"
"""Comes between the name of a group and its game."""

Suggestions = list[app_commands.Choice[str]]


def game_named(text: object) -> GameName | None:
    """The game that the option `game` names, if any."""
    return text if isinstance(text, str) and text in GAMES else None


def suggested_knobs(house: House, game: GameName | None, typed: str) -> Suggestions:
    """The knobs that fit what is typed; their groups come first if they are many.

    A group stands for its knobs: sending one opens a menu of them.

    Args:
        house: whose values the suggestions show.
        typed: a part of a knob's name, of its group's name, or of its description.
    """
    wanted = typed.strip().casefold()
    fitting = [knob for knob in settable(game) if wanted in _searched(knob)]
    # A typed name means that knob, not every knob that mentions it.
    fitting.sort(key=lambda knob: (wanted not in _named(knob), knob.name != wanted))
    groups = list(_groups(fitting, game)) if len(fitting) > MOST_OPTIONS else []
    return [*groups, *(_knob(house, game, knob) for knob in fitting)][:MOST_OPTIONS]


def suggested_values(
    house: House,
    game: GameName | None,
    name: str,
    typed: str,
    channels: dict[int, str],
    roles: dict[int, str] | None = None,
) -> Suggestions:
    """The values that a knob can have and that fit what is typed.

    Args:
        house: has the present value.
        channels, roles: the names of the server's channels and roles by id.
    """
    knob = next((knob for knob in settable(game) if knob.name == name), None)
    if knob is None:
        return []
    match knob.kind:
        case "channels":
            told = _channels(knob, typed, channels)
        case "text" if knob.name in ROLE_SETTINGS:
            told = _roles(knob, typed, roles or {})
        case "number":
            told = _numbers(house, game, knob, typed)
        case "text":
            told = _texts(house, knob, typed)
        case _:
            told = _choices(house, game, knob, typed)
    return [app_commands.Choice(name=name[:LONGEST], value=value) for value, name in told.items()][
        :MOST_OPTIONS
    ]


def group_named(name: str) -> tuple[About, GameName | None] | None:
    """The group of knobs with this name, and its game if it names one; None if there is no such group."""
    about, _, game = name.partition(_OF_GAME)
    if about not in GROUPS or (game and game not in GAMES):
        return None
    return About(about), game or None


def game_for(knob: Knob, game: GameName | None) -> GameName:
    """The game whose value of a knob is shown: the one named, else the first that has the knob."""
    return game if game in knob.games else knob.games[0]


def _named(knob: Knob) -> str:
    return f"{knob.name} {knob_title(knob.name)}".casefold()


def _searched(knob: Knob) -> str:
    what = knob_words(knob, knob.games[0])
    return f"{_named(knob)} {knob.name.replace('_', ' ')} {knob.about} {what}".casefold()


def _groups(fitting: list[Knob], game: GameName | None) -> Iterator[app_commands.Choice[str]]:
    """The groups of these knobs; where no game is named, those of each game, since its values differ."""
    for about in GROUPS:
        for_each = game is None and about not in OF_ALL_GAMES
        for of in GAMES if for_each else (game,):
            knobs = [knob for knob in fitting if knob.about is about and (of is None or of in knob.games)]
            if not knobs:
                continue
            told = translate(f"house.about.{about}")
            name = translate("house.group", about=told, knobs=len(knobs), first=knob_title(knobs[0].name))
            value = about.value
            if for_each and of is not None:
                name, value = f"{game_title(of)} · {name}", f"{about}{_OF_GAME}{of}"
            yield app_commands.Choice(name=name[:LONGEST], value=value)


def _knob(house: House, game: GameName | None, knob: Knob) -> app_commands.Choice[str]:
    setting = _setting(house, game, knob)
    name = translate("house.suggested", knob=setting, about=translate(f"house.about.{knob.about}"))
    return app_commands.Choice(name=name[:LONGEST], value=knob.name)


def _setting(house: House, game: GameName | None, knob: Knob) -> str:
    """A knob and its value; the value of each game if no game is named and they differ."""
    asked = game_for(knob, game)
    values = {of: setting_words(house.values(knob, of), knob.name) for of in knob.games}
    if game is not None or len(set(values.values())) == 1:
        return short_setting(house.values(knob, asked), knob)
    each = listed(translate("house.of_game", game=game_title(of), setting=it) for of, it in values.items())
    return translate("house.option", knob=knob_title(knob.name), setting=each)


def _choices(house: House, game: GameName | None, knob: Knob, typed: str) -> dict[str, str]:
    of = game_for(knob, game)
    values, wanted = house.values(knob, of), typed.strip().casefold()
    now, default = (knob_text(getattr(of, knob.name)) for of in (values, house.defaults(knob, of)))
    told = {text: _marked(text, words, now, default) for text, words in choices_of(values, knob)}
    return {text: label for text, label in told.items() if wanted in label.casefold()}


def _marked(text: str, words: str, now: str, default: str) -> str:
    label = text if words == text else f"{text}: {words}"
    if text == now:
        return translate("house.value_now", setting=label)
    return translate("house.value_default", setting=label) if text == default else label


def _numbers(house: House, game: GameName | None, knob: Knob, typed: str) -> dict[str, str]:
    """The typed number, then the present one, the default, and the bounds; nothing for what is not allowed.

    Discord's client sends its first suggestion in place of what is typed, unless there is none.
    """
    of = game_for(knob, game)
    told = {}
    try:
        number = parse_knob(knob.name, typed)[1]
        told[str(number)] = _number_words(knob, number)
    except WrongRuleError:
        if typed.strip():
            return {}
    now, default = (getattr(of, knob.name) for of in (house.values(knob, of), house.defaults(knob, of)))
    for code, value in (("now", now), ("default", default), ("least", knob.least), ("most", knob.most)):
        assert value is not None
        told.setdefault(str(value), translate(f"house.value_{code}", setting=_number_words(knob, value)))
    return told


def _number_words(knob: Knob, value: int) -> str:
    """A number as members read it, with the word for 0 if the knob has one."""
    if not value and knob.empty:
        return translate(f"setting.number_{knob.empty}")
    return translate("setting.number", setting=value)


def _texts(house: House, knob: Knob, typed: str) -> dict[str, str]:
    """The typed text if it is allowed, then the present one, and none; nothing for what is not allowed."""
    known = [knob_text(getattr(house.server, knob.name), knob.empty), knob.empty]
    if text := typed.strip():
        try:
            parse_knob(knob.name, text)
        except WrongRuleError:
            return {}
        known.insert(0, text)
    return {it: text_words(knob.name, it) for it in known}


def _roles(knob: Knob, typed: str, roles: dict[int, str]) -> dict[str, str]:
    """Everyone, and the roles that fit what is typed."""
    wanted = typed.strip().lstrip("@").casefold()
    told = {knob.empty: text_words(knob.name, "")}
    told |= {f"<@&{role}>": clean(f"@{name}", LONGEST) for role, name in roles.items()}
    return {value: label for value, label in told.items() if wanted in f"{label} {value}".casefold()}


def _channels(knob: Knob, typed: str, channels: dict[int, str]) -> dict[str, str]:
    """No channel, or the typed channels and one more, as far as they fit what is typed."""
    *before, last = typed.split(" ") if typed and knob.most != 1 else [typed]
    wanted = last.strip().lstrip("#").casefold()
    written = " ".join(before).strip()
    told = {}
    if not written and knob.empty.startswith(wanted):
        told[knob.empty] = translate(f"setting.channels_{knob.empty}")
    for channel, name in channels.items():
        value = f"{written} <#{channel}>".strip()
        if (wanted in name.casefold() or wanted == f"<#{channel}>") and len(value) <= LONGEST:
            told[value] = clean(f"{written} #{name}", LONGEST)
    return told


def roles_to_give(interaction: Interaction) -> list[discord.Role]:
    """The roles that both the bot and the member may give in a server, the highest first."""
    server, own = interaction.guild, roles_of(interaction)
    if server is None or own is None:
        return []
    if not (server.me.guild_permissions.manage_roles and interaction.permissions.manage_roles):
        return []
    is_owner = interaction.user.id == server.owner_id
    highest = max((role for role in server.roles if role.id in own), default=server.default_role)
    return [role for role in reversed(server.roles) if role.is_assignable() and (is_owner or role < highest)]
