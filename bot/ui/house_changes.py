"""Changing the house: a change is shown before it is made, and made once it is confirmed."""

import asyncio

import discord

from bot.croupier.house_changes import HouseChange, altered
from bot.croupier.houses import Draft, HouseChangedError, NoSuchDraftError
from bot.rules.knob_text import WrongRuleError, knob_named, parse_knob
from bot.ui.odds import odds_for
from bot.ui.replies import Interaction, defer, defer_update, fill_reply, reply
from bot.ui.views.house_previews import Compared, done_view, games_concerned, preview_view, sentence_view
from bot.words import translate


async def may_manage(interaction: Interaction) -> bool:
    """Whether this person may change the house; who may not is told so."""
    if interaction.guild_id is not None and interaction.permissions.manage_guild:
        return True
    await reply(interaction, translate("house.not_allowed"))
    return False


async def propose(interaction: Interaction, change: HouseChange) -> None:
    """Shows this person alone what a change would do, and lets him confirm it.

    Raises:
        LedgerError: where the change could not be kept.
    """
    await defer(interaction)
    await fill_reply(interaction, await _shown(interaction, change, anew=False))


async def confirm(interaction: Interaction, draft_id: int) -> None:
    """Makes a change that was shown, or shows it anew where the house was changed meanwhile.

    Raises:
        LedgerError: where it could not be written.
    """
    assert interaction.guild_id is not None
    try:
        things = await interaction.client.houses.confirm(draft_id, interaction.guild_id, interaction.user.id)
        view = done_view(things)
    except NoSuchDraftError:
        view = sentence_view(translate("house.no_draft"))
    except HouseChangedError as moved:
        # Odds may take longer than Discord waits for a first answer.
        await defer_update(interaction)
        await interaction.edit_original_response(view=await _shown(interaction, moved.change, anew=True))
        return
    except WrongRuleError as wrong:
        view = sentence_view(translate("house.wrong", why=str(wrong)))
    await interaction.response.edit_message(view=view)


async def _shown(interaction: Interaction, change: HouseChange, *, anew: bool) -> discord.ui.LayoutView:
    """A preview of the change, or a sentence where there is none to show."""
    assert interaction.guild_id is not None
    try:
        _check_channels(interaction, change)
        draft = await interaction.client.houses.draft(
            interaction.id, interaction.guild_id, interaction.user.id, change
        )
    except WrongRuleError as wrong:
        return sentence_view(translate("house.wrong", why=str(wrong)))
    if not altered(draft.before, draft.after):
        return sentence_view(translate("house.no_change_any_more" if anew else "house.no_change"))
    odds = await _compared(draft)
    return preview_view(draft.draft_id, draft.before, draft.after, odds, anew=anew)


async def _compared(draft: Draft) -> Compared:
    """The odds of the games concerned, before and after."""
    games = games_concerned(draft.before, draft.after)
    houses = (draft.before, draft.after)
    counted = await asyncio.gather(*(odds_for(house.rules(game)) for game in games for house in houses))
    return dict(zip(games, zip(counted[::2], counted[1::2], strict=True), strict=True))


def _check_channels(interaction: Interaction, change: HouseChange) -> None:
    """Sees to it that channels are named that there are.

    Raises:
        WrongRuleError: where there is no such knob, or no such channel in the server.
    """
    if change.knob is None or change.text is None or interaction.guild is None:
        return
    knob = knob_named(change.knob)
    if knob.kind != "channels":
        return
    for channel in parse_knob(knob.name, change.text)[1]:
        if interaction.guild.get_channel_or_thread(channel) is None:
            raise WrongRuleError(translate("house.unknown_channel", channel=channel))
