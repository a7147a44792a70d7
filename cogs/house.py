"""The house rules, for members who may manage the server: to see, to change, and who changed them."""

from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.croupier.house_changes import HouseChange, Verb
from bot.croupier.houses import PastChange
from bot.rules.house import House
from bot.rules.knob_list import KNOBS
from bot.rules.knobs import About, GameName
from bot.rules.presets import PRESETS
from bot.ui.house_changes import confirm, may_manage, propose
from bot.ui.house_suggestions import Suggestions, game_named, group_named, suggested_knobs, suggested_values
from bot.ui.odds import odds_for
from bot.ui.replies import (
    Interaction,
    answering,
    defer,
    defer_update,
    fill_reply,
    reply,
    reply_text,
    whole_lines,
)
from bot.ui.views.house import house_view, menus_view
from bot.ui.views.house_modals import TABLES_STAND_IN, asked_for, value_form
from bot.ui.views.house_presses import HouseAction, HousePress, house_press_of, picked
from bot.ui.views.house_previews import past_thing, sentence_view
from bot.words import game_title, preset_title, translate

CHANGES_TOLD: Final = 25
_GAMES: Final = [app_commands.Choice(name=game_title(game), value=game.value) for game in GameName]
_PRESETS: Final = [
    app_commands.Choice(name=f"{preset_title(name)} · {game_title(rules.game)}", value=name)
    for name, rules in PRESETS.items()
]


class HouseCog(commands.Cog, name="House"):
    """The commands, menus and buttons about house rules."""

    house = app_commands.Group(
        name="house",
        description="The house rules of this server",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @house.command(name="show", description="Every house rule with its value, and menus to change them")
    @app_commands.describe(game="Of which game; Gnau, if none is named")
    @app_commands.choices(game=_GAMES)
    async def show(self, interaction: Interaction, game: str = GameName.GNAU) -> None:
        """Shows the house rules of a game."""
        async with answering(interaction):
            if await may_manage(interaction):
                await defer(interaction)
                await fill_reply(interaction, await self._house_view(interaction, GameName(game)))

    @house.command(name="preset", description="Play a game by one of the named sets of rules")
    @app_commands.describe(preset="Which one")
    @app_commands.choices(preset=_PRESETS)
    async def preset(self, interaction: Interaction, preset: str) -> None:
        """Shows what a preset would change."""
        async with answering(interaction):
            if await may_manage(interaction):
                await propose(interaction, HouseChange(Verb.PRESET, text=preset))

    @house.command(name="set", description="Change one house rule, after you have seen what that does")
    @app_commands.describe(
        knob="Which rule",
        value="What it is to be",
        game="For which game alone; for each that knows it, if none",
    )
    @app_commands.choices(game=_GAMES)
    async def change(self, interaction: Interaction, knob: str, value: str, game: str | None = None) -> None:
        """Shows what another value of a knob would change."""
        async with answering(interaction):
            if not await may_manage(interaction):
                return
            if (about := group_named(knob)) is not None:
                await self._show_menus(interaction, about, game_named(game))
                return
            await propose(interaction, HouseChange(Verb.SET, knob, value, game_named(game)))

    @house.command(name="reset", description="Take back what the house has set: one rule, or all of them")
    @app_commands.describe(knob="Which rule; all of them, if none is named", game="For which game alone")
    @app_commands.choices(game=_GAMES)
    async def reset(self, interaction: Interaction, knob: str | None = None, game: str | None = None) -> None:
        """Shows what it would change to have knobs as the preset has them."""
        async with answering(interaction):
            if not await may_manage(interaction):
                return
            if knob is not None and (about := group_named(knob)) is not None:
                await self._show_menus(interaction, about, game_named(game))
                return
            await propose(interaction, HouseChange(Verb.RESET, knob, game=game_named(game)))

    @house.command(name="history", description="Who changed which house rules, and when")
    async def history(self, interaction: Interaction) -> None:
        """Lists the last changes, the newest first."""
        async with answering(interaction):
            if await may_manage(interaction):
                assert interaction.guild_id is not None
                past = await self.bot.houses.history(interaction.guild_id, CHANGES_TOLD)
                lines = (
                    [translate("house.history"), *map(_past_line, past)]
                    if past
                    else [translate("house.no_history")]
                )
                await reply_text(interaction, whole_lines(lines))

    @change.autocomplete("knob")
    @reset.autocomplete("knob")
    async def suggest_knobs(self, interaction: Interaction, typed: str) -> Suggestions:
        """The knobs that fit what is typed."""
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        return suggested_knobs(self._house(interaction), game_named(interaction.namespace.game), typed)

    @change.autocomplete("value")
    async def suggest_values(self, interaction: Interaction, typed: str) -> Suggestions:
        """The values that fit the knob and what is typed."""
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        game, knob = game_named(interaction.namespace.game), str(interaction.namespace.knob)
        return suggested_values(self._house(interaction), game, knob, typed, _channels(interaction))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answers buttons, menus and forms about the house, old ones too."""
        data: Any = interaction.data or {}
        press = house_press_of(data.get("custom_id", ""))
        if press is None:
            return
        async with answering(interaction):
            if await may_manage(interaction):
                await self._answer(interaction, press)

    async def _answer(self, interaction: Interaction, press: HousePress) -> None:
        match press.action, press.arguments:
            case HouseAction.CONFIRM, (draft_id,) if draft_id.isdecimal():
                await confirm(interaction, int(draft_id))
            case HouseAction.LEAVE, _:
                await interaction.response.edit_message(view=sentence_view(translate("house.left")))
            case HouseAction.SHOW, (game,) if game in set(GameName):
                await defer_update(interaction)
                view = await self._house_view(interaction, GameName(game))
                await interaction.edit_original_response(view=view)
            case HouseAction.PRESETS, _:
                await propose(interaction, HouseChange(Verb.PRESET, text=picked(interaction)))
            case HouseAction.PICK, (game, *_) if game in set(GameName) and picked(interaction) in KNOBS:
                knob = KNOBS[picked(interaction)]
                there = set(_channels(interaction))
                form = value_form(self._house(interaction), GameName(game), knob, there)
                await interaction.response.send_modal(form)
            case HouseAction.VALUE, (game, name) if game in set(GameName) and name in KNOBS:
                await propose(interaction, asked_for(KNOBS[name], GameName(game), interaction))
            case _:
                await reply(interaction, translate("house.outdated"))

    async def _house_view(self, interaction: Interaction, game: GameName) -> discord.ui.LayoutView:
        house = self._house(interaction)
        return house_view(house, game, await odds_for(house.rules(game)))

    async def _show_menus(self, interaction: Interaction, about: About, game: GameName | None) -> None:
        view = menus_view(self._house(interaction), game or GameName.GNAU, about)
        await interaction.response.send_message(view=view, ephemeral=True)

    def _house(self, interaction: Interaction) -> House:
        assert interaction.guild_id is not None
        return self.bot.houses.house_of(interaction.guild_id)


def _channels(interaction: Interaction) -> dict[int, str]:
    """The channels of the server in which a table can stand: their names by their ids."""
    server = interaction.guild
    every = [] if server is None else [*server.channels, *server.threads]
    return {channel.id: channel.name for channel in every if channel.type in TABLES_STAND_IN}


def _past_line(past: PastChange) -> str:
    if past.things is None:
        things = translate("house.past_unreadable")
    else:
        things = ", ".join(map(past_thing, past.things)) or translate("house.past_empty")
    return translate("house.past", at=int(past.at), member=past.member_id, things=things)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(HouseCog(bot))
