"""Changes of house rules: shown first, made once they are confirmed."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import discord

from bot.croupier.houses import Draft, HouseChange, HouseChangedError, Houses, NoSuchDraftError, altered
from bot.games.knobs import KNOBS, knob_named, parse_knob
from bot.rules.knobs import WrongRule, WrongRuleError
from bot.ui.components import Layout, text_view
from bot.ui.house.previews import Compared, done_view, games_concerned, preview_view
from bot.ui.odds import odds_for
from bot.ui.press.command_links import with_links
from bot.ui.press.late_interactions import not_after
from bot.ui.press.replies import Interaction, fill_reply, replace_pressed
from bot.wire.requests import Content, defer, defer_update
from bot.words.rules import wrong_rule
from bot.words.translation import translate


async def propose(interaction: Interaction, houses: Houses, change: HouseChange) -> None:
    """Shows this person alone what a change would do, with a button to confirm it.

    Raises:
        LedgerError: if the change could not be stored.
    """
    await defer(interaction)
    await fill_reply(interaction, await _preview(interaction, houses, change, again=False))


async def confirm(interaction: Interaction, houses: Houses, draft_id: int, party: int) -> None:
    """Makes a change, or shows it again if the house rules were changed meanwhile.

    Raises:
        LedgerError: if it could not be written.
    """
    assert interaction.guild_id is not None
    try:
        until = await not_after(interaction)
        things = await houses.confirm(draft_id, interaction.guild_id, party, until)
        view = done_view(things)
    except NoSuchDraftError:
        view = text_view(with_links(interaction, translate("house.no_draft")))
    except HouseChangedError as moved:
        # Odds may take longer than Discord waits for a first answer.
        await defer_update(interaction)
        view = await _preview(interaction, houses, moved.change, again=True)
        await fill_reply(interaction, view)
        return
    except WrongRuleError as wrong:
        view = text_view(wrong_rule(wrong))
    await replace_pressed(interaction, Content(view))


async def _preview(interaction: Interaction, houses: Houses, change: HouseChange, *, again: bool) -> Layout:
    """A preview of the change, or a sentence that says why there is none."""
    assert interaction.guild_id is not None
    change = _with_channel_ids(interaction, change)
    try:
        await _check_channels(interaction, change)
        draft = await houses.draft(interaction.id, interaction.guild_id, change)
    except WrongRuleError as wrong:
        return text_view(wrong_rule(wrong))
    if not altered(draft.before, draft.after):
        return text_view(translate("house.no_change_any_more" if again else "house.no_change"))
    odds = await _compared(draft)
    return preview_view(draft.draft_id, draft.before, draft.after, odds, again=again)


async def _compared(draft: Draft) -> Compared:
    """The odds of the games concerned, before and after."""
    games = games_concerned(draft.before, draft.after)
    houses = (draft.before, draft.after)
    counted = await asyncio.gather(*(odds_for(house.rules(game)) for game in games for house in houses))
    return dict(zip(games, zip(counted[::2], counted[1::2], strict=True), strict=True))


def _with_channel_ids(interaction: Interaction, change: HouseChange) -> HouseChange:
    """The change with ids in place of the names of channels, as somebody may type them: `#general`."""
    knob = KNOBS.get(change.knob or "")
    if interaction.guild is None or change.text is None or knob is None or knob.kind != "channels":
        return change
    ids = {f"#{channel.name}".casefold(): channel.id for channel in interaction.guild.channels}
    words = (str(ids.get(word.casefold(), word)) for word in change.text.split())
    return replace(change, text=" ".join(words))


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
        if wrong := _unfit(channel, is_written_to=knob.name == "log_channel"):
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
