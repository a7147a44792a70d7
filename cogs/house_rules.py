"""The house rules, for members who may manage the server: to see, to change, and who changed them."""

from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.croupier.handouts import bankroll, set_bankroll
from bot.croupier.houses import HouseChange, NoSuchDraftError, Verb
from bot.games.house import House
from bot.games.knobs import KNOBS, PRESETS
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.knobs import MOST_CHIPS, OF_SERVER, About, GameName
from bot.table.standings import WEEKLY
from bot.ui.bot import AdminCog, GnauBot
from bot.ui.components import Layout, text, text_view
from bot.ui.house.changes import confirm, done_words, history_view, propose, show_exactly
from bot.ui.house.export import export
from bot.ui.house.notices import News
from bot.ui.house.suggestions import (
    Suggestions,
    game_named,
    group_named,
    roles_to_give,
    suggested_knobs,
    suggested_values,
)
from bot.ui.house.view import (
    TABLES_STAND_IN,
    change_asked_for,
    house_view,
    menus_view,
    server_view,
    value_modal,
)
from bot.ui.odds import odds_for
from bot.ui.press.arrivals import Kind, not_after, note_private_reply, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import (
    HISTORY_PAGE,
    SERVER_PAGE,
    Press,
    PressAction,
    menus_page,
    parse_menus_page,
)
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import (
    fill_reply,
    open_modal,
    replace_pressed,
    reply,
    reply_layout,
)
from bot.ui.press.router import handles
from bot.ui.press.table_choice import chosen_game, server_of
from bot.wire.requests import Content, Interaction, Response, defer, defer_update
from bot.words.members import bankroll_words
from bot.words.rules import knob_meant, value_meant
from bot.words.translation import Reader, reader, translate

CHANGES_SHOWN: Final = 25
_GAMES: Final = choices("game", GAMES)
_PRESETS: Final = choices("choice.preset", PRESETS)


class HouseRulesCog(AdminCog, name="HouseRules"):
    """The commands, menus and buttons about house rules."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        # The servers of which an export is being made.
        self._exporting: set[int] = set()

    house = app_commands.Group(
        name="house",
        description=command_text("command.house"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

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
        await reply(interaction, bankroll_words(has.total, has.free, chips), stays=True)

    @house.command(name="export", description=command_text("command.house.export"))
    async def export(self, interaction: Interaction) -> None:
        """Sends what the server has set and played, as files."""
        server_id = server_of(interaction)
        if server_id in self._exporting:
            raise MemberError("house.exporting")
        self._exporting.add(server_id)
        try:
            await export(self.bot, interaction, server_id)
        finally:
            self._exporting.discard(server_id)
        admin = await self.bot.party_in(interaction, server_id)
        self.bot.notices.acted(server_id, News.RULES, "log.exported", admin, str(interaction.id))

    @house.command(name="history", description=command_text("command.house.history"))
    async def history(self, interaction: Interaction) -> None:
        """Lists the last changes, newest first."""
        await reply_layout(interaction, await self._history_view(interaction), kind=None)

    async def _history_view(self, interaction: Interaction, *notes: str) -> Layout:
        server_id = server_of(interaction)
        past = await self.bot.houses.history(server_id, CHANGES_SHOWN)
        await self.bot.croupier.identities.load(change.party for change in past)
        names = _channels(interaction) | _members_roles(interaction)
        below = [self.bot.notices.grants_words(server_id), *notes]
        linked = partial(with_links, interaction)
        return history_view(past, self.bot.past_names.mention, names, below, linked)

    @handles(PressAction.TAKE_BACK)
    async def take_back(self, interaction: Interaction, press: Press) -> None:
        """Shows what it would change to take back a past change."""
        server_id, (number,) = server_of(interaction), press.values
        try:
            change = await self.bot.houses.taking_back(server_id, int(number))
        except NoSuchDraftError as gone:
            raise MemberError("house.outdated") from gone
        await propose(interaction, self.bot.houses, change, HISTORY_PAGE)

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
        if knob in WEEKLY:
            roles = {one.id: one.name for one in roles_to_give(interaction)}
        return suggested_values(self._house(interaction), game, knob, typed, channels, roles)

    @handles(PressAction.CONFIRM)
    async def confirm(self, interaction: Interaction, press: Press) -> None:
        """Makes the change that was previewed."""
        server_id = server_of(interaction)
        draft_id, page = int(press.arguments[0]), _page(press)
        party = await self.bot.party_in(interaction, server_id)
        things = await confirm(interaction, self.bot.houses, draft_id, party, page)
        self.bot.boards.refresh_server(server_id)
        self.bot.notices.announce(server_id, draft_id, party, things)
        if things and page is not None:
            await self._show_page(interaction, page, done_words(things))

    @handles(PressAction.EXACT)
    async def exact_figures(self, interaction: Interaction, press: Press) -> None:
        """Shows a preview with exact figures."""
        await show_exactly(interaction, self.bot.houses, int(press.arguments[0]), _page(press))

    @handles(PressAction.CANCEL)
    async def cancel(self, interaction: Interaction, press: Press) -> None:
        """Drops the change that was previewed."""
        left, page = translate("house.left"), _page(press)
        if page is not None:
            await self._show_page(interaction, page, left)
        elif await replace_pressed(interaction, Content(text_view(left))):
            # A question stays until it is answered; what is left of it need not.
            note_private_reply(Response(interaction), Kind.SENTENCE)

    @handles(PressAction.SHOW)
    async def show_game(self, interaction: Interaction, press: Press) -> None:
        """Shows the house rules of another game, or the server's settings, in the same message."""
        (page,) = press.arguments
        await self._show_page(interaction, page)

    @handles(PressAction.PRESETS)
    async def pick_preset(self, interaction: Interaction, press: Press) -> None:
        """Shows what the picked preset would change."""
        (game,), (preset,) = press.arguments, press.values
        await propose(interaction, self.bot.houses, HouseChange(Verb.PRESET, text=preset), game)

    @handles(PressAction.PICK)
    async def ask_for_value(self, interaction: Interaction, press: Press) -> None:
        """Asks for a value of the picked knob."""
        (game, _, _, *menus), (picked,) = press.arguments, press.values
        modal = value_modal(
            self._house(interaction),
            game,
            KNOBS[picked],
            set(_channels(interaction)),
            _members_roles(interaction),
            alone=bool(menus),
        )
        await open_modal(interaction, modal)

    @handles(PressAction.VALUE)
    async def take_value(self, interaction: Interaction, press: Press) -> None:
        """Shows what the entered value would change."""
        game, name, *menus = press.arguments
        knob = KNOBS[name]
        page = SERVER_PAGE if knob.about in OF_SERVER else game
        if menus:
            page = menus_page(game, knob.about)
        await propose(interaction, self.bot.houses, change_asked_for(knob, game, press), page)

    async def _show_page(self, interaction: Interaction, page: str, *notes: str) -> None:
        """Shows a page in the pressed message as it is now, and notes where the button was."""
        house, below = self._house(interaction), list(map(text, notes))
        if page == SERVER_PAGE:
            view = [*server_view(house), *below]
        elif (group := parse_menus_page(page)) is not None:
            view = [*menus_view(house, *group), *below]
        else:
            # Changes and odds may take longer to read than Discord waits.
            await defer_update(interaction)
            if page == HISTORY_PAGE:
                view = await self._history_view(interaction, *notes)
            else:
                view = [*await self._house_view(interaction, page), *below]
        await replace_pressed(interaction, Content(view))

    async def _house_view(self, interaction: Interaction, game: GameName) -> Layout:
        house = self._house(interaction)
        return house_view(house, game, await odds_for(house.rules(game)))

    async def _show_menus(
        self, interaction: Interaction, about: About, of_group: GameName | None, game: GameName | None
    ) -> None:
        view = menus_view(self._house(interaction), game or of_group or DEFAULT_GAME, about)
        await reply_layout(interaction, view, kind=None)

    def _readers(self, interaction: Interaction) -> tuple[Reader, ...]:
        """In whose words rules may be typed: as the member reads them, as the server does, or in English."""
        return reader(), self.bot.readers.of_server(server_of(interaction)), Reader()

    def _house(self, interaction: Interaction) -> House:
        return self.bot.houses.house_of(server_of(interaction))


def _page(press: Press) -> str | None:
    """The page from which a preview was asked for; None for a command."""
    # First comes the draft.
    return press.arguments[1] if len(press.arguments) > 1 else None


def _members_roles(interaction: Interaction) -> dict[int, str]:
    """The server's roles that some members may have and others not: their names by id."""
    roles = [] if interaction.guild is None else interaction.guild.roles
    return {one.id: one.name for one in roles if not (one.is_default() or one.is_bot_managed())}


def _channels(interaction: Interaction) -> dict[int, str]:
    """The server's channels that can hold a table: their names by id."""
    server = interaction.guild
    every = [] if server is None else [*server.channels, *server.threads]
    return {channel.id: channel.name for channel in every if channel.type in TABLES_STAND_IN}
