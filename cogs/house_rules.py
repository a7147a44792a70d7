"""The house rules, for members who may manage the server: to see, to change, and who changed them."""

from datetime import UTC, date, datetime
from typing import Final

import discord
from discord import app_commands

from bot.croupier.handouts import bankroll, set_bankroll
from bot.croupier.houses import HouseChange, NoSuchDraftError, PastChange, Verb
from bot.croupier.schedules import FURTHEST_SECONDS
from bot.croupier.seasons import days_to_end, midnight
from bot.games.house import House
from bot.games.knobs import KNOBS, PRESETS
from bot.games.register import DEFAULT_GAME, GAMES
from bot.ledger.changes import Season
from bot.rules.knobs import MOST_CHIPS, About, GameName
from bot.rules.typed_text import PLACEHOLDER, clean
from bot.ui.bot import BotCog
from bot.ui.components import Layout, button, label_text, row, text_view
from bot.ui.house import bans
from bot.ui.house.changes import confirm, past_thing, propose, show_exactly, take_back_menu
from bot.ui.house.export import export
from bot.ui.house.suggestions import (
    Suggestions,
    game_named,
    group_named,
    suggested_knobs,
    suggested_values,
)
from bot.ui.house.view import (
    SERVER_PAGE,
    TABLES_STAND_IN,
    change_asked_for,
    house_view,
    menus_view,
    server_view,
    value_modal,
)
from bot.ui.leaderboard import MOST_OPTIONS, season_end_brings, season_ends_words
from bot.ui.odds import odds_for
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import LARGEST_NUMBER, Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import (
    fill_reply,
    lines_view,
    open_modal,
    replace_pressed,
    reply,
    reply_layout,
    reply_publicly,
)
from bot.ui.press.router import handles
from bot.ui.press.table_choice import chosen_game, missing_permissions, server_of
from bot.wire.requests import Content, Interaction, defer, defer_update
from bot.words.members import bankroll_words
from bot.words.rules import knob_meant, value_meant
from bot.words.translation import Reader, plain_name, reader, speaking_to, translate

CHANGES_SHOWN: Final = 25
LONGEST_TYPED: Final = 30
"""The most characters of a season's name, so that there is room for a number."""
KEEP: Final = "keep"
RESET: Final = "reset"
"""What a season's end does to chips."""
ONCE: Final = "once"
MONTHLY: Final = "monthly"
NO_DATE: Final = "no_date"
"""How often a season ends at its date, or that it has none any more."""
_GAMES: Final = choices("game", GAMES)
_PRESETS: Final = choices("choice.preset", PRESETS)


class HouseRulesCog(BotCog, name="HouseRules"):
    """The commands, menus and buttons about house rules."""

    house = app_commands.Group(
        name="house",
        description=command_text("command.house"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether the member may use these commands: a server can give `/house` to others."""
        return interaction.guild_id is not None and interaction.permissions.manage_guild

    @house.command(name="show", description=command_text("command.house.show"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=_GAMES)
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """Shows the house rules of a game."""
        await defer(interaction)
        name = await chosen_game(interaction, self.bot.croupier, game)
        await fill_reply(interaction, await self._house_view(interaction, name))

    @house.command(name="preset", description=command_text("command.house.preset"))
    @app_commands.describe(preset=command_text("option.house.preset"))
    @app_commands.choices(preset=_PRESETS)
    async def preset(self, interaction: Interaction, preset: str) -> None:
        """Shows what a preset would change."""
        await propose(interaction, self.bot.houses, HouseChange(Verb.PRESET, text=preset))

    @house.command(name="set", description=command_text("command.house.set"))
    @app_commands.describe(
        rule=command_text("option.house.knob"),
        value=command_text("option.house.value"),
        game=command_text("option.house.game"),
    )
    @app_commands.choices(game=_GAMES)
    async def change(self, interaction: Interaction, rule: str, value: str, game: str | None = None) -> None:
        """Shows what another value of a knob would change."""
        if (group := group_named(rule)) is not None:
            await self._show_menus(interaction, *group, game_named(game))
            return
        readers, of = self._readers(interaction), game_named(game)
        knob = knob_meant(rule, readers)
        change = HouseChange(Verb.SET, knob, value_meant(knob, value, of, readers), of)
        await propose(interaction, self.bot.houses, change)

    @house.command(name="reset", description=command_text("command.house.reset"))
    @app_commands.describe(
        rule=command_text("option.house.knob_or_all"), game=command_text("option.house.game")
    )
    @app_commands.choices(game=_GAMES)
    async def reset(self, interaction: Interaction, rule: str | None = None, game: str | None = None) -> None:
        """Shows what a return to the preset would change."""
        if rule is not None and (group := group_named(rule)) is not None:
            await self._show_menus(interaction, *group, game_named(game))
            return
        knob = None if rule is None else knob_meant(rule, self._readers(interaction))
        await propose(interaction, self.bot.houses, HouseChange(Verb.RESET, knob, game=game_named(game)))

    @house.command(name="bankroll", description=command_text("command.house.bankroll"))
    @app_commands.describe(chips=command_text("option.house.chips"))
    async def bankroll(
        self, interaction: Interaction, chips: app_commands.Range[int, 0, MOST_CHIPS] | None = None
    ) -> None:
        """Shows the chips with which the house banks, or sets them."""
        server_id, croupier = server_of(interaction), self.bot.croupier
        if chips is None:
            has = await bankroll(croupier, server_id)
            await reply(interaction, bankroll_words(has.total, has.free))
            return
        until = await not_after(interaction)
        has = await set_bankroll(croupier, server_id, chips, str(interaction.id), until)
        self.bot.notices.refilled(server_id)
        await reply(interaction, bankroll_words(has.total, has.free, chips))

    @house.command(name="ban", description=command_text("command.house.ban"))
    @app_commands.describe(
        member=command_text("option.bank.member"),
        reason=command_text("option.ban.reason"),
        days=command_text("option.ban.days"),
    )
    async def ban(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User,
        reason: app_commands.Range[str, 1, bans.LONGEST_REASON],
        days: app_commands.Range[int, 1, bans.MOST_DAYS] | None = None,
    ) -> None:
        """Lets a member not play in this server."""
        await bans.ban(self.bot, interaction, member, reason, days)

    @house.command(name="unban", description=command_text("command.house.unban"))
    @app_commands.describe(member=command_text("option.bank.member"))
    async def unban(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        """Lets a banned member play again."""
        await bans.unban(self.bot, interaction, member)

    @house.command(name="bans", description=command_text("command.house.bans"))
    async def list_bans(self, interaction: Interaction) -> None:
        """Lists who is banned."""
        await bans.list_bans(self.bot, interaction)

    @house.command(name="export", description=command_text("command.house.export"))
    async def export(self, interaction: Interaction) -> None:
        """Sends what the server has set and played, as files."""
        await export(self.bot, interaction, server_of(interaction))

    @house.command(name="history", description=command_text("command.house.history"))
    async def history(self, interaction: Interaction) -> None:
        """Lists the last changes, newest first."""
        server_id = server_of(interaction)
        past = await self.bot.houses.history(server_id, CHANGES_SHOWN)
        await self.bot.croupier.identities.load(change.party for change in past)
        lines = [translate("house.history"), *map(self._past_line, past)] if past else []
        view = lines_view(interaction, lines or [translate("house.no_history")])
        grants = text_view(with_links(interaction, self.bot.notices.grants_words(server_id)))
        names = _channels(interaction) | _members_roles(interaction)
        await reply_layout(interaction, [*view, *map(row, take_back_menu(past, names)), *grants])

    season = app_commands.Group(name="season", description=command_text("command.house.season"), parent=house)

    @season.command(name="start", description=command_text("command.house.season.start"))
    @app_commands.describe(
        name=command_text("option.season.name"),
        chips=command_text("option.season.chips"),
        role=command_text("option.season.role"),
    )
    @app_commands.choices(chips=choices("choice", (KEEP, RESET)))
    async def start_season(
        self,
        interaction: Interaction,
        name: app_commands.Range[str, 1, LONGEST_TYPED],
        chips: str = KEEP,
        role: str | None = None,
    ) -> None:
        """Starts a season, at whose end the first three are posted in this channel."""
        server_id, channel_id = server_of(interaction), interaction.channel_id
        assert channel_id is not None
        if missing := missing_permissions(interaction):
            raise MemberError("reply.missing_permissions", permissions=missing)
        called = clean(name, LONGEST_TYPED)
        # Menus show no emoji of servers.
        if called == PLACEHOLDER or not label_text(called):
            raise MemberError("season.no_name")
        role_id = None
        if role is not None:
            role_id = next((one.id for one in _roles(interaction) if role in (str(one.id), one.name)), None)
            if role_id is None:
                raise MemberError("season.no_role")
        seasons = self.bot.croupier.seasons
        begun = await seasons.start(server_id, called, channel_id, role_id, resets=chips == RESET)
        if begun is None:
            raise MemberError("season.is_on", name=self._season_on(interaction).name)
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            started = translate("season.started", name=begun.name)
            words = f"{started}\n{season_ends_words(begun, self._opening_chips(interaction))}"
        await reply_publicly(interaction, Content(text_view(with_links(interaction, words))))

    @start_season.autocomplete("role")
    async def suggest_roles(self, interaction: Interaction, typed: str) -> Suggestions:
        """The roles that may be given and whose name has what is typed, the highest first."""
        if not await self.interaction_check(interaction):
            return []
        found = [one for one in _roles(interaction) if typed.strip().lower() in one.name.lower()]
        return [app_commands.Choice(name=one.name, value=str(one.id)) for one in found[:MOST_OPTIONS]]

    @season.command(name="end", description=command_text("command.house.season.end"))
    async def end_season(self, interaction: Interaction) -> None:
        """Asks whether to end the season that is on."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        words = translate("season.end_asked", name=season.name)
        end = Press(PressAction.END_SEASON, arguments=(str(season.number),))
        buttons = row(
            button(end, translate("button.end_season"), style=discord.ButtonStyle.danger),
            button(Press(PressAction.CANCEL), translate("house.leave")),
        )
        layout = text_view(f"{words}\n{season_end_brings(season, self._opening_chips(interaction))}")
        await reply_layout(interaction, [*layout, buttons])

    @handles(PressAction.END_SEASON)
    async def season_ended(self, interaction: Interaction, press: Press) -> None:
        """Ends the season that was asked about, once the rounds that are on are over."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        if season.number != int(press.arguments[0]):
            raise MemberError("season.changed")
        await self._set_end(season, self.bot.croupier.now(), None)
        words = translate("season.ending", name=season.name)
        await replace_pressed(interaction, Content(text_view(words)))

    @season.command(name="schedule", description=command_text("command.house.season.schedule"))
    @app_commands.describe(day=command_text("option.season.day"), repeat=command_text("option.season.repeat"))
    @app_commands.choices(repeat=choices("choice", (ONCE, MONTHLY, NO_DATE)))
    async def schedule_season(
        self,
        interaction: Interaction,
        day: app_commands.Range[str, 1, 20] | None = None,
        repeat: str | None = None,
    ) -> None:
        """Shows when the season ends that is on, or sets it; what is not picked stays as it is."""
        await self.bot.croupier.seasons.load()
        season = self._season_on(interaction)
        if day is not None or repeat is not None:
            season = await self._schedule(season, day, repeat)
        words = season_ends_words(season, self._opening_chips(interaction))
        await reply(interaction, with_links(interaction, f"**{plain_name(season.name)}**: {words}"))

    @schedule_season.autocomplete("day")
    async def suggest_ends(self, interaction: Interaction, typed: str) -> Suggestions:
        """The first days of the next months, then the next days."""
        now, words = self.bot.croupier.now(), typed.strip()
        found = [day for day in days_to_end(now) if words in day]
        return [app_commands.Choice(name=day, value=day) for day in found[:MOST_OPTIONS]]

    async def _schedule(self, season: Season, day: str | None, repeat: str | None) -> Season:
        if repeat == NO_DATE:
            return await self._set_end(season, None, None)
        at = season.ends_at if day is None else _midnight(day, self.bot.croupier.now())
        if at is None:
            raise MemberError("season.no_day")
        is_monthly = season.repeat_day is not None if repeat is None else repeat == MONTHLY
        repeat_day = season.repeat_day if day is None else None
        if is_monthly and repeat_day is None:
            repeat_day = datetime.fromtimestamp(at, UTC).day
        return await self._set_end(season, at, repeat_day if is_monthly else None)

    async def _set_end(self, season: Season, at: float | None, monthly: int | None) -> Season:
        seasons = self.bot.croupier.seasons
        if seasons.is_ending(season.server_id):
            # Chips of some members may be reset already.
            raise MemberError("season.ends_now")
        changed = await seasons.set_end(season, at, monthly)
        if changed is None:
            raise MemberError("season.changed")
        return changed

    def _season_on(self, interaction: Interaction) -> Season:
        season = self.bot.croupier.seasons.running(server_of(interaction))
        if season is None:
            raise MemberError("season.none")
        return season

    def _opening_chips(self, interaction: Interaction) -> int:
        return self._house(interaction).rules().opening_chips

    @handles(PressAction.TAKE_BACK)
    async def take_back(self, interaction: Interaction, press: Press) -> None:
        """Shows what it would change to take back a past change, and all after it."""
        server_id, (number,) = server_of(interaction), press.values
        try:
            change = await self.bot.houses.taking_back(server_id, int(number))
        except (NoSuchDraftError, ValueError) as gone:
            raise MemberError("house.outdated") from gone
        await propose(interaction, self.bot.houses, change)

    @change.autocomplete("rule")
    @reset.autocomplete("rule")
    async def suggest_knobs(self, interaction: Interaction, typed: str) -> Suggestions:
        """The knobs that fit what is typed."""
        if not await self.interaction_check(interaction):
            return []
        return suggested_knobs(self._house(interaction), game_named(interaction.namespace.game), typed)

    @change.autocomplete("value")
    async def suggest_values(self, interaction: Interaction, typed: str) -> Suggestions:
        """The values that fit the knob and what is typed."""
        if not await self.interaction_check(interaction):
            return []
        game = game_named(interaction.namespace.game)
        knob = knob_meant(str(interaction.namespace.rule), self._readers(interaction))
        channels, roles = _channels(interaction), _members_roles(interaction)
        return suggested_values(self._house(interaction), game, knob, typed, channels, roles)

    @handles(PressAction.CONFIRM)
    async def confirm(self, interaction: Interaction, press: Press) -> None:
        """Makes the change that was previewed."""
        server_id = server_of(interaction)
        match press.arguments:
            case (draft_id,) if draft_id.isdecimal() and int(draft_id) <= LARGEST_NUMBER:
                party = await self.bot.party_in(interaction, server_id)
                things = await confirm(interaction, self.bot.houses, int(draft_id), party)
                self.bot.boards.refresh_server(server_id)
                self.bot.notices.announce(server_id, int(draft_id), party, things)
            case _:
                raise MemberError("house.outdated")

    @handles(PressAction.EXACT)
    async def exact_figures(self, interaction: Interaction, press: Press) -> None:
        """Shows a preview with exact figures."""
        await show_exactly(interaction, self.bot.houses, int(press.arguments[0]))

    @handles(PressAction.CANCEL)
    async def cancel(self, interaction: Interaction, press: Press) -> None:
        """Drops the change that was previewed."""
        await replace_pressed(interaction, Content(text_view(translate("house.left"))))

    @handles(PressAction.SHOW)
    async def show_game(self, interaction: Interaction, press: Press) -> None:
        """Shows the house rules of another game, or the server's settings, in the same message."""
        if press.arguments == (SERVER_PAGE,):
            await replace_pressed(interaction, Content(server_view(self._house(interaction))))
            return
        game = _game(press)
        await defer_update(interaction)
        await fill_reply(interaction, await self._house_view(interaction, game))

    @handles(PressAction.PRESETS)
    async def pick_preset(self, interaction: Interaction, press: Press) -> None:
        """Shows what the picked preset would change."""
        await propose(interaction, self.bot.houses, HouseChange(Verb.PRESET, text=press.values[0]))

    @handles(PressAction.PICK)
    async def ask_for_value(self, interaction: Interaction, press: Press) -> None:
        """Asks for a value of the picked knob."""
        game, picked = _game(press), press.values[0]
        if picked not in KNOBS:
            raise MemberError("house.outdated")
        channels = set(_channels(interaction))
        modal = value_modal(
            self._house(interaction), game, KNOBS[picked], channels, _members_roles(interaction)
        )
        await open_modal(interaction, modal)

    @handles(PressAction.VALUE)
    async def take_value(self, interaction: Interaction, press: Press) -> None:
        """Shows what the entered value would change."""
        match press.arguments:
            case (_, name) if name in KNOBS:
                change = change_asked_for(KNOBS[name], _game(press), press)
                await propose(interaction, self.bot.houses, change)
            case _:
                raise MemberError("house.outdated")

    async def _house_view(self, interaction: Interaction, game: GameName) -> Layout:
        house = self._house(interaction)
        return house_view(house, game, await odds_for(house.rules(game)))

    async def _show_menus(
        self, interaction: Interaction, about: About, of_group: GameName | None, game: GameName | None
    ) -> None:
        view = menus_view(self._house(interaction), game or of_group or DEFAULT_GAME, about)
        await reply_layout(interaction, view)

    def _readers(self, interaction: Interaction) -> tuple[Reader, ...]:
        """In whose words rules may be typed: as the member reads them, as the server does, or in English."""
        return reader(), self.bot.readers.of_server(server_of(interaction)), Reader()

    def _house(self, interaction: Interaction) -> House:
        return self.bot.houses.house_of(server_of(interaction))

    def _past_line(self, past: PastChange) -> str:
        if past.things is None:
            lines = [translate("house.past_unreadable")]
        else:
            lines = [past_thing(one) for one in past.things] or [translate("house.past_empty")]
        # Of several things, each has a line below.
        things = lines[0] if len(lines) == 1 else "".join(f"\n  - {line}" for line in lines)
        who = self.bot.past_names.mention(past.party)
        return translate("house.past", at=int(past.at), who=who, things=things)


def _midnight(typed: str, now: float) -> float:
    """When a day begins that somebody typed."""
    try:
        at = midnight(date.fromisoformat(typed.strip()))
    except (ValueError, OverflowError):
        raise MemberError("schedule.no_day") from None
    if not now < at < now + FURTHEST_SECONDS:
        raise MemberError("schedule.not_then")
    return at


def _roles(interaction: Interaction) -> list[discord.Role]:
    """The roles that both the bot and the member may give in a server, the highest first."""
    server, member = interaction.guild, interaction.user
    if server is None or not isinstance(member, discord.Member):
        return []
    if not (server.me.guild_permissions.manage_roles and interaction.permissions.manage_roles):
        return []
    is_owner = member.id == server.owner_id
    return [
        role
        for role in reversed(server.roles)
        if role.is_assignable() and (is_owner or role < member.top_role)
    ]


def _members_roles(interaction: Interaction) -> dict[int, str]:
    """The server's roles that some members may have and others not: their names by id."""
    roles = [] if interaction.guild is None else interaction.guild.roles
    return {one.id: one.name for one in roles if not (one.is_default() or one.is_bot_managed())}


def _game(press: Press) -> GameName:
    """The game that a component names first."""
    name = next(iter(press.arguments), "")
    if name not in GAMES:
        raise MemberError("house.outdated")
    return name


def _channels(interaction: Interaction) -> dict[int, str]:
    """The server's channels that can hold a table: their names by id."""
    server = interaction.guild
    every = [] if server is None else [*server.channels, *server.threads]
    return {channel.id: channel.name for channel in every if channel.type in TABLES_STAND_IN}
