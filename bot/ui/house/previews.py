"""A change of house rules, before and after it is made: what it alters, and what it does to the odds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import discord

from bot.croupier.houses import Altered, altered
from bot.games.house import House, Values, scores_of
from bot.games.knobs import KNOBS, PRESETS, SETTINGS, knob_of, knobs_of
from bot.games.register import GAMES
from bot.rules.knobs import GameName, Knob
from bot.ui.components import Component, Layout, box, button, row, text
from bot.ui.house.view import ACCENT, points_note
from bot.ui.press.custom_ids import HouseAction, HousePress
from bot.words.rules import (
    Chances,
    comparison_words,
    game_title,
    knob_words,
    preset_title,
    setting_words,
    text_words,
)
from bot.words.translation import translate

DONE: Final = 0x2ECC71
EXPLAINED: Final = 8
"""Up to this many altered knobs are explained; more are only named, so that they fit into a message."""

Compared = Mapping[GameName, tuple[Chances | None, Chances | None]]
"""The odds of each game before and after; None if they are not known."""


def games_concerned(before: House, after: House) -> tuple[GameName, ...]:
    """The games of which some knob differs."""

    def differs(game: GameName) -> bool:
        old, new = before.rules(game), after.rules(game)
        return any(getattr(old, knob.name) != getattr(new, knob.name) for knob in knobs_of(game))

    return tuple(filter(differs, GAMES))


def preview_view(
    draft_id: int, before: House, after: House, odds: Compared, *, again: bool = False
) -> Layout:
    """What a change would do, and buttons to confirm or cancel it.

    Args:
        draft_id: the change.
        before: the house rules now.
        after: the house rules with the change, which differ.
        odds: the odds of the games concerned.
        again: whether it was shown before, and the house rules have changed since.
    """
    heading = translate("house.preview_again" if again else "house.preview")
    confirm = button(
        HousePress(HouseAction.CONFIRM, (str(draft_id),)),
        translate("house.confirm"),
        style=discord.ButtonStyle.success,
    )
    leave = button(HousePress(HouseAction.CANCEL, (str(draft_id),)), translate("house.leave"))
    return [_preview(heading, before, after, odds), row(confirm, leave)]


def done_view(things: Sequence[Altered]) -> Layout:
    """What was changed, and when it takes effect."""
    lines = (f"- {past_thing(one)}" for one in things)
    done = text("\n".join([translate("house.done"), *lines]))
    return [box([done, text(_from_when(things))], DONE)]


def past_thing(thing: Altered) -> str:
    """One altered thing, in one line."""
    if thing.knob is None:
        old, new = (preset_title(it) if it in PRESETS else it for it in (thing.old, thing.new))
        what = translate("house.past_preset", old=old, new=new)
    else:
        old, new = (text_words(thing.knob, it, thing.game) for it in (thing.old, thing.new))
        what = translate("house.past_knob", knob=thing.knob, old=old, new=new)
    if thing.game is None:
        return what
    title = game_title(thing.game) if thing.game in GAMES else thing.game
    return translate("house.past_of_game", what=what, game=title)


def _from_when(things: Sequence[Altered]) -> str:
    """When a change applies: at once, unless a round may have begun under other rules (B03)."""
    settings = {knob.name for knob in SETTINGS}
    return translate(
        "house.from_now" if all(thing.knob in settings for thing in things) else "house.from_next_round"
    )


def _preview(heading: str, before: House, after: House, odds: Compared) -> Component:
    things = altered(before, after)
    explained = len(things) <= EXPLAINED
    parts = [text(heading)]
    if same := [thing for thing in things if thing.game is None]:
        lines = _lines(same, before, after, explained=explained)
        parts.append(text("\n".join([translate("house.all_games"), *lines])))
    for game in games_concerned(before, after):
        own = [thing for thing in things if thing.game == game]
        lines = _lines(own, before, after, explained=explained)
        known = odds.get(game, (None, None))
        title = translate("house.game", game=game_title(game))
        multiples = any(thing.knob in scores_of(game) for thing in own)
        notes = [points_note(game)] if multiples else []
        told = [title, *lines, comparison_words(*known), *_exactly(*known), *notes]
        parts.append(text("\n".join(told)))
    parts.append(text(_from_when(things)))
    return box(parts, ACCENT)


def _setting(values: Values, knob: Knob, *, whole: bool) -> str:
    """The value of a knob; if it is not to be told whole, many channels are counted."""
    value = getattr(values, knob.name)
    if isinstance(value, tuple) and len(value) > 1 and not whole:
        return translate("setting.channels_counted", count=len(value))
    return setting_words(values, knob.name)


def _exactly(before: Chances | None, after: Chances | None) -> Iterator[str]:
    """The exact edges, as fractions."""
    if before is not None and after is not None:
        old, new = before.bank_edge, after.bank_edge
        yield translate("house.exactly_one" if old == new else "house.exactly", old=str(old), new=str(new))


def _lines(things: Sequence[Altered], before: House, after: House, *, explained: bool) -> Iterator[str]:
    for thing in things:
        if thing.knob is None:
            old, new = preset_title(thing.old), preset_title(thing.new)
            yield translate("house.preset_change", old=old, new=new)
            continue
        game = KNOBS[thing.knob].games[0] if thing.game is None else thing.game
        knob = knob_of(thing.knob, game)
        yield translate(
            "odds.change" if explained else "house.change",
            knob=knob.name,
            old=_setting(before.values(knob, game), knob, whole=explained),
            new=_setting(after.values(knob, game), knob, whole=explained),
            what=knob_words(knob, game),
        )
