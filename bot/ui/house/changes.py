"""A change of house rules: what it would change, the preview, and the change itself once it is confirmed."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

import discord

from bot.croupier.houses import (
    Altered,
    Draft,
    HouseChange,
    HouseChangedError,
    Houses,
    NoSuchDraftError,
    PastChange,
    Verb,
    altered,
)
from bot.games.house import House, Values, scores_of
from bot.games.knobs import KNOBS, PRESETS, SETTINGS, knob_named, knob_of, knobs_of, parse_knob
from bot.games.register import DEFAULT_GAME, GAMES
from bot.games.settle import largest_multiple
from bot.odds.odds import Odds
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, HouseBank, Knob, WrongRule, WrongRuleError
from bot.rules.server_settings import ROLE_SETTINGS, role_id
from bot.rules.typed_text import clean
from bot.table.standings import WEEKLY
from bot.ui.components import Component, Layout, box, button, menu, option, row, text, text_view
from bot.ui.house.suggestions import roles_to_give
from bot.ui.house.view import ACCENT, points_note
from bot.ui.odds import odds_for
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import fill_reply, replace_pressed, reply, whole_lines
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction, defer, defer_update
from bot.words.rules import (
    comparison_words,
    game_title,
    knob_title,
    knob_words,
    preset_title,
    setting_words,
    text_words,
    wrong_rule,
)
from bot.words.translation import listed, percent, translate

DONE: Final = 0x2ECC71
EXPLAINED: Final = 8
"""Up to this many altered knobs are explained; more are only named, so that they fit into a message."""
LONGEST_OPTION: Final = 100
"""The most characters of an option of a menu."""
ANNOUNCED: Final = 3
"""The most changes named in a channel; of more, their number."""

Compared = Mapping[GameName, "tuple[Odds | None, Odds | None]"]
"""The odds of each game before and after; None if they are not known."""


def games_concerned(before: House, after: House) -> tuple[GameName, ...]:
    """The games of which some knob differs."""

    def differs(game: GameName) -> bool:
        old, new = before.rules(game), after.rules(game)
        return any(getattr(old, knob.name) != getattr(new, knob.name) for knob in knobs_of(game))

    return tuple(filter(differs, GAMES))


def preview_view(
    draft_id: int,
    before: House,
    after: House,
    odds: Compared,
    *,
    overruled: Sequence[Altered] = (),
    page: str | None = None,
    again: bool = False,
    exact: bool = False,
    public_log: int | None = None,
) -> Layout:
    """What a change would do, and buttons to confirm or cancel it.

    Args:
        before: the house rules now.
        after: the house rules with the change, which differ.
        odds: the odds of the games concerned.
        overruled: what later changes have set, if an earlier one is taken back.
        page: in whose place the preview is shown, and which comes back after it; None for a command.
        again: whether it was shown before, and the house rules have changed since.
        exact: whether the odds are also told as fractions.
        public_log: the new log channel, if everybody can read it.
    """
    heading = translate("house.preview_again" if again else "house.preview")
    changed = {game: pair for game, pair in odds.items() if pair[0] is None or pair[0] != pair[1]}
    asked = (str(draft_id),) if page is None else (str(draft_id), page)
    confirm = button(
        Press(PressAction.CONFIRM, arguments=asked),
        translate("house.confirm"),
        style=discord.ButtonStyle.success,
    )
    leave = button(Press(PressAction.CANCEL, arguments=asked), translate("house.leave"))
    shown = [confirm, leave]
    if not exact and any(None not in pair for pair in changed.values()):
        press = Press(PressAction.EXACT, arguments=asked)
        shown.append(button(press, translate("house.exact_figures")))
    if overruled:
        told = [past_thing(one) for one in overruled[:ANNOUNCED]]
        if rest := len(overruled[ANNOUNCED:]):
            told.append(translate("reply.more_lines", count=rest))
        heading = f"{heading}\n{translate('house.overruled', things=listed(told))}"
    notes = [] if public_log is None else [translate("house.warn_log", channel=public_log)]
    return [_preview_text(heading, before, after, changed, notes, exact=exact), row(*shown)]


def done_words(things: Sequence[Altered]) -> str:
    """That something was changed, and when it takes effect, below a page that shows it."""
    return f"{translate('house.done')}\n{_from_when(things)}"


def done_view(things: Sequence[Altered]) -> Layout:
    """What was changed, and when it takes effect."""
    lines, when = (f"- {past_thing(one)}" for one in things), _from_when(things)
    done = whole_lines([translate("house.done"), *lines], when)
    return [box([text(done), text(when)], DONE)]


def announcement(
    things: Sequence[Altered], who: str, next_round: int, edges: tuple[Fraction, Fraction] | None = None
) -> str:
    """What was changed, from when on and by whom, in a line of small print for everybody at a table.

    The first `ANNOUNCED` changes are named, and how many more there are: the preset comes first, then
    payouts, then the rest. The bank's edge stands behind what it follows from.

    Args:
        things: what the table plays by; it plays one game, which is not named.
        who: the member as the line shows them.
        next_round: the first round of the table that is played by it, unless it applies at once (B03).
        edges: the bank's edge before and after; None if it is the same or not known.
    """
    presets = [thing for thing in things if thing.knob is None]
    payouts = [thing for thing in things if _is_payout(thing)]
    in_order = list(dict.fromkeys([*presets, *payouts, *things]))
    told = [_old_and_new(one) for one in in_order[:ANNOUNCED]]
    if edges is not None:
        old, new = map(percent, edges)
        edge = translate("house.past_knob", knob=translate("odds.bank_edge"), old=old, new=new)
        told.insert(min(len(presets) + len(payouts), ANNOUNCED), edge)
    if rest := len(in_order[ANNOUNCED:]):
        told.append(translate("reply.more_lines", count=rest))
    code = "house.announced_now" if _apply_at_once(things) else "house.announced"
    return f"-# 📋 {translate(code, things=listed(told), who=who, round=next_round)}"


def past_thing(thing: Altered) -> str:
    """One altered thing, in one line."""
    what = _old_and_new(thing)
    if thing.game is None:
        return what
    title = game_title(thing.game) if thing.game in GAMES else thing.game
    return translate("house.past_of_game", what=what, game=title)


def take_back_menu(past: Sequence[PastChange], names: Mapping[int, str]) -> Iterator[Component]:
    """A menu to take back a past change, the newest first; none without one to read.

    Args:
        past: the changes.
        names: those of the server's channels and roles, by id.
    """
    options = []

    def named(mention: re.Match[str]) -> str:
        return f"{mention['sign']}{names.get(int(mention['id']), mention['id'])}"

    for change in past:
        if change.things:
            # A menu shows no bold words, and no mentions.
            what = listed([past_thing(one) for one in change.things]).replace("**", "")
            what = re.sub(r"<(?P<sign>[#@])&?(?P<id>\d+)>", named, what)
            options.append(option(clean(what, LONGEST_OPTION), str(change.number)))
    if options:
        yield menu(Press(PressAction.TAKE_BACK), translate("house.take_back"), options)


def history_view(
    past: Sequence[PastChange],
    mention: Callable[[int], str],
    names: Mapping[int, str],
    below: Sequence[str],
    linked: Callable[[str], str],
) -> Layout:
    """The last changes of the house rules, as many as fit, with a menu to take one back.

    Args:
        past: the newest first.
        mention: how the party is named who made a change.
        names: those of the server's channels and roles, by id.
        below: what stands below the menu, whole.
        linked: makes commands in a text clickable, which makes it longer.
    """
    lines = [translate("house.history"), *(_past_line(one, mention) for one in past)] if past else []
    told = [linked(line) for line in lines or [translate("house.no_history")]]
    ending = [linked(line) for line in below]
    view = text_view(whole_lines(told, beside="".join(ending)))
    return [*view, *map(row, take_back_menu(past, names)), *map(text, ending)]


def _past_line(past: PastChange, mention: Callable[[int], str]) -> str:
    if past.things is None:
        lines = [translate("house.past_unreadable")]
    else:
        lines = [past_thing(one) for one in past.things] or [translate("house.past_empty")]
    # Of several things, each has a line below.
    things = lines[0] if len(lines) == 1 else "".join(f"\n  - {line}" for line in lines)
    return translate("house.past", at=int(past.at), who=mention(past.party), things=things)


def _old_and_new(thing: Altered) -> str:
    """One altered thing, without its game."""
    if thing.knob is None:
        old, new = (preset_title(it) if it in PRESETS else it for it in (thing.old, thing.new))
        return translate("house.past_preset", old=old, new=new)
    old, new = (text_words(thing.knob, it, thing.game) for it in (thing.old, thing.new))
    return translate("house.past_knob", knob=knob_title(thing.knob), old=old, new=new)


def _is_payout(thing: Altered) -> bool:
    """Whether this is how many times the bet some hand wins."""
    knob = KNOBS.get(thing.knob or "")
    return knob is not None and knob.pays and knob.kind == "number"


def _from_when(things: Sequence[Altered]) -> str:
    if not _apply_at_once(things):
        return translate("house.from_next_round")
    return translate("house.tables_stay" if "channels" in {it.knob for it in things} else "house.from_now")


def _apply_at_once(things: Sequence[Altered]) -> bool:
    """Whether a change waits for no round, which may have begun under other rules (B03)."""
    at_once = {*HouseRules.at_once, *(knob.name for knob in SETTINGS)}
    return all(thing.knob in at_once for thing in things)


def _preview_text(
    heading: str, before: House, after: House, odds: Compared, notes: Sequence[str], *, exact: bool
) -> Component:
    things = altered(before, after)
    explained = len(things) <= EXPLAINED
    parts = [text(heading)]
    if same := [thing for thing in things if thing.game is None]:
        lines = _lines(same, before, after, explained=explained)
        parts.append(text("\n".join([translate("house.all_games"), *lines])))
    for game in games_concerned(before, after):
        own = [thing for thing in things if thing.game == game]
        told = list(_lines(own, before, after, explained=explained))
        if (known := odds.get(game)) is not None:
            told.append(comparison_words(*known))
            old, new = known
            if exact and old is not None and new is not None:
                exactly = translate("house.exactly", old=str(old.bank_edge), new=str(new.bank_edge))
                told.append(exactly)
        if any(thing.knob in scores_of(game) for thing in own):
            told.append(points_note(game))
        if told:
            parts.append(text("\n".join([translate("house.game", game=game_title(game)), *told])))
    known_before = {*_warnings(before)}
    warned = [*(line for line in dict.fromkeys(_warnings(after)) if line not in known_before), *notes]
    # Beside many changes there is no room.
    if warned and explained:
        parts.append(text("\n".join(warned)))
    parts.append(text(_from_when(things)))
    return box(parts, ACCENT)


def _warnings(house: House) -> Iterator[str]:
    """What makes playing by these rules harder than the admin may think."""
    for game in GAMES:
        rules = house.rules(game)
        lowest, highest = rules.lowest_stake, rules.house_highest
        if rules.house_bank is not HouseBank.OFF and lowest > highest:
            yield translate("house.warn_house", lowest=lowest, highest=highest)
        needed, begin = lowest * largest_multiple(rules), rules.opening_chips
        if needed > begin:
            yield translate("house.warn_members", game=game_title(game), needed=needed, begin=begin)


def _setting(values: Values, knob: Knob, *, whole: bool) -> str:
    """The value of a knob; if it is not to be told whole, many channels are counted."""
    value = getattr(values, knob.name)
    if isinstance(value, tuple) and len(value) > 1 and not whole:
        return translate("setting.channels_counted", count=len(value))
    return setting_words(values, knob.name)


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
            knob=knob_title(knob.name),
            old=_setting(before.values(knob, game), knob, whole=explained),
            new=_setting(after.values(knob, game), knob, whole=explained),
            what=knob_words(knob, game),
        )


async def propose(
    interaction: Interaction, houses: Houses, change: HouseChange, page: str | None = None
) -> None:
    """Shows this person alone what a change would do, with a button to confirm it.

    Args:
        page: what the pressed message shows: the preview takes its place. Why there is none comes below it.
    """
    if page is None:
        await defer(interaction)
    else:
        await defer_update(interaction)
    view = await _preview(interaction, houses, change, page, again=False)
    if isinstance(view, str):
        await reply(interaction, view)
    else:
        await fill_reply(interaction, view)


async def show_exactly(
    interaction: Interaction, houses: Houses, draft_id: int, page: str | None = None
) -> None:
    """Shows a preview again, with the odds as fractions too."""
    await defer_update(interaction)
    try:
        draft = await houses.drafted(draft_id, server_of(interaction))
    except NoSuchDraftError:
        await fill_reply(interaction, text_view(with_links(interaction, translate("house.no_draft"))))
        return
    await fill_reply(interaction, await _draft_view(interaction, draft, page, exact=True))


async def confirm(
    interaction: Interaction, houses: Houses, draft_id: int, party: int, page: str | None = None
) -> tuple[Altered, ...]:
    """Makes a change, or shows it again if the house rules were changed meanwhile; returns its effects.

    Args:
        page: the page from which it was asked for, which the caller shows again once something has changed.
    """
    things: tuple[Altered, ...] = ()
    try:
        until = await not_after(interaction)
        check = partial(_check_awarded_roles, interaction)
        things = await houses.confirm(draft_id, server_of(interaction), party, until, check)
        view = done_view(things)
    except NoSuchDraftError:
        view = text_view(with_links(interaction, translate("house.no_draft")))
    except HouseChangedError as moved:
        # Odds may take longer than Discord waits for a first answer.
        await defer_update(interaction)
        again = await _preview(interaction, houses, moved.change, page, again=True)
        await fill_reply(
            interaction, text_view(with_links(interaction, again)) if isinstance(again, str) else again
        )
        return things
    except WrongRuleError as wrong:
        view = text_view(with_links(interaction, wrong_rule(wrong)))
    if not things or page is None:
        await replace_pressed(interaction, Content(view))
    return things


async def _preview(
    interaction: Interaction, houses: Houses, change: HouseChange, page: str | None, *, again: bool
) -> Layout | str:
    """A preview of the change, or a sentence that says why there is none."""
    change = _with_role(interaction, _with_channel_ids(interaction, change))
    try:
        _check_role(interaction, change)
        await _check_channels(interaction, change)
        draft = await houses.draft(interaction.id, server_of(interaction), change)
    except WrongRuleError as wrong:
        why = wrong_rule(wrong)
        return translate("house.not_taken_back", why=why) if change.verb is Verb.TAKE_BACK else why
    _check_awarded_roles(interaction, draft.before, draft.after)
    if not altered(draft.before, draft.after):
        return translate("house.no_change_any_more" if again else "house.no_change")
    return await _draft_view(interaction, draft, page, again=again)


async def _draft_view(
    interaction: Interaction, draft: Draft, page: str | None, *, again: bool = False, exact: bool = False
) -> Layout:
    overruled = draft.change.overrules(draft.before)
    odds = await _compared(draft)
    return preview_view(
        draft.draft_id,
        draft.before,
        draft.after,
        odds,
        overruled=overruled,
        page=page,
        again=again,
        exact=exact,
        public_log=_public_log(interaction, draft),
    )


def _public_log(interaction: Interaction, draft: Draft) -> int | None:
    """The log channel that the change names, if everybody in the server can read it, as far as is known."""
    chosen = draft.after.rules(DEFAULT_GAME).log_channel
    if interaction.guild is None or chosen == draft.before.rules(DEFAULT_GAME).log_channel:
        return None
    for channel_id in chosen:
        channel = interaction.guild.get_channel_or_thread(channel_id)
        if isinstance(channel, discord.Thread):
            channel = None if channel.is_private() else channel.parent
        if channel is not None and channel.permissions_for(interaction.guild.default_role).view_channel:
            return channel_id
    return None


async def _compared(draft: Draft) -> Compared:
    """The odds of the games concerned, before and after."""
    games = games_concerned(draft.before, draft.after)
    houses = (draft.before, draft.after)
    counted = await asyncio.gather(*(odds_for(house.rules(game)) for game in games for house in houses))
    return dict(zip(games, zip(counted[::2], counted[1::2], strict=True), strict=True))


def _with_channel_ids(interaction: Interaction, change: HouseChange) -> HouseChange:
    """The change with ids in place of the names of channels: `#general` or `general`, if only one has it.

    A category counts only if no channel has its name.
    """
    knob = KNOBS.get(change.knob or "")
    if interaction.guild is None or change.text is None or knob is None or knob.kind != "channels":
        return change
    named, categories = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for channel in [*interaction.guild.channels, *interaction.guild.threads]:
        of_kind = categories if isinstance(channel, discord.CategoryChannel) else named
        of_kind[channel.name.casefold()].append(channel.id)

    def meant(typed: str) -> str:
        name = typed.removeprefix("#").casefold()
        ids = named.get(name) or categories.get(name, [])
        # A number is an id, and `off` or `all` is no channel.
        is_name = len(ids) == 1 and not typed.isdigit() and typed.casefold() != knob.empty
        return str(ids[0]) if is_name else typed

    whole = meant(change.text.strip())
    words = [whole] if whole.isdigit() else map(meant, change.text.replace(",", " ").split())
    return replace(change, text=" ".join(words))


def _with_role(interaction: Interaction, change: HouseChange) -> HouseChange:
    """The change with a mention in place of the name of a role, as somebody may type it: `@Dealers`."""
    if interaction.guild is None or change.text is None or change.knob not in ROLE_SETTINGS:
        return change
    typed = change.text.strip().removeprefix("@").casefold()
    named = (role for role in interaction.guild.roles if role.name.removeprefix("@").casefold() == typed)
    # A bot's role can have the name of one that members have.
    role = min(named, key=discord.Role.is_bot_managed, default=None)
    if role is None:
        return change
    # That of everyone has the server's id.
    return replace(change, text=KNOBS[change.knob].empty if role.is_default() else role.mention)


def _check_role(interaction: Interaction, change: HouseChange) -> None:
    """Raises WrongRuleError if a change names a role that no member of the server can have."""
    if interaction.guild is None or change.text is None or change.knob not in ROLE_SETTINGS:
        return
    asked = role_id(change.text)
    if asked is None:
        return
    role = interaction.guild.get_role(asked)
    if role is None:
        raise WrongRuleError(WrongRule.NOT_A_ROLE, text=str(asked))
    if role.is_bot_managed():
        raise WrongRuleError(WrongRule.ROLE_OF_A_BOT, role=asked)


def _check_awarded_roles(interaction: Interaction, before: House, after: House) -> None:
    """Raises MemberError if the bot is to give a role that the member may not give, or not it."""
    named = {role_id(one.new) for one in altered(before, after) if one.knob in WEEKLY}
    if not named <= {None, *(role.id for role in roles_to_give(interaction))}:
        raise MemberError("season.no_role")


async def _check_channels(interaction: Interaction, change: HouseChange) -> None:
    """Checks that the channels a change names are there, and fit.

    Raises:
        WrongRuleError: if there is no such knob, no such channel in the server, or it does not fit.
    """
    if change.knob is None or change.text is None or interaction.guild is None:
        return
    knob = knob_named(change.knob)
    if knob.kind != "channels":
        return
    for channel_id in parse_knob(knob.name, change.text)[1]:
        channel = interaction.guild.get_channel_or_thread(channel_id)
        if channel is None:
            # An archived thread is not in memory.
            with suppress(discord.NotFound, discord.Forbidden, discord.InvalidData):
                channel = await interaction.guild.fetch_channel(channel_id)
        if wrong := _unfit(channel, is_written_to=knob.name != "channels"):
            raise WrongRuleError(wrong, channel=channel_id)


def _unfit(
    channel: discord.abc.GuildChannel | discord.Thread | None, *, is_written_to: bool
) -> WrongRule | None:
    """Why a channel cannot be chosen; None if it can.

    Args:
        channel: the channel; None if there is none.
        is_written_to: whether the bot posts there without being asked. Where tables are opened it looks then.
    """
    if channel is None:
        return WrongRule.UNKNOWN_CHANNEL
    if isinstance(channel, discord.CategoryChannel):
        return WrongRule.CATEGORY
    if not is_written_to:
        return None
    if not isinstance(channel, discord.abc.Messageable):
        return WrongRule.NO_MESSAGES
    thread = isinstance(channel, discord.Thread)
    if thread and channel.parent is None:
        # Its permissions are those of its channel, which is not known.
        return None
    allowed = channel.permissions_for(channel.guild.me)
    may_send = allowed.send_messages_in_threads if thread else allowed.send_messages
    return None if allowed.view_channel and may_send else WrongRule.MAY_NOT_POST
