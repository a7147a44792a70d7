"""How to play, and what to do now: `/help`, `/rules` and `/learn`."""

from collections.abc import AsyncIterator, Iterator, Sequence
from random import SystemRandom

from discord import app_commands

from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.lesson import LESSON, exercise
from bot.games.register import DEFAULT_GAME, GAMES
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, HouseBank
from bot.table.bank import can_bank
from bot.table.betting import too_poor
from bot.table.state import NOBODY, TableState
from bot.ui.absences import channels_there
from bot.ui.bot import BotCog
from bot.ui.components import Layout, button, rows
from bot.ui.guide.lesson import (
    NO_SERVER,
    Question,
    answer_view,
    example_of,
    example_view,
    first_question,
    hand_answered,
    meanwhile_line,
    question_of,
    question_view,
    result_view,
)
from bot.ui.guide.view import HelpLine, guide_press, overview_view, page_view, table_lines
from bot.ui.hand.pressed_message import is_private
from bot.ui.odds import odds_for
from bot.ui.pictures import render_arranged, render_counted, render_dealt, render_examples
from bot.ui.press.arrivals import Kind
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import GuidePage, Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.next_steps import tell_button, wallet_button
from bot.ui.press.replies import lines_view, replace_pressed, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import (
    chosen_game,
    game_here,
    is_for_tables,
    server_of,
    tables_within_reach,
)
from bot.wire.requests import Attachment, Content, Interaction, defer_update
from bot.words.tables import held_elsewhere_words
from bot.words.translation import sentences, set_reader, translate, typed_command


class Guide(BotCog):
    """What explains the games: nothing here is stored, and no chips move."""

    rules = app_commands.Group(name="rules", description=command_text("command.rules"), guild_only=True)

    @app_commands.command(name="help", description=command_text("command.help"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(self, interaction: Interaction) -> None:
        """Says in a few lines what to do now, then what else there is; stores nothing about who asks."""
        steps = [line async for line in self._steps(interaction)]
        parts = [steps, list(self._more(interaction))]
        await reply_layout(interaction, [one for lines in parts for one in _help_part(interaction, lines)])

    async def _steps(self, interaction: Interaction) -> AsyncIterator[HelpLine]:
        within = tables_within_reach(interaction, self.bot.croupier)
        table = self._table_meant(interaction, within)
        server_id = interaction.guild_id if table is None else table.server_id
        if server_id is not None:
            set_reader(self.bot.readers.of_interaction(interaction, server_id))
        if server_id is None:
            yield HelpLine(translate("reply.no_table_of_yours"))
        elif await self._has_too_few(interaction, server_id, table):
            party = await self.bot.croupier.identities.find(server_id, interaction.user.id)
            outside = interaction.guild_id is None
            is_near = table is not None and (outside or table.channel_id == interaction.channel_id)
            near = table if is_near else None
            ways = await self.bot.next_chips.ways(server_id, party, near, outside=outside)
            yield HelpLine(sentences([translate("help.broke"), ways.words]), ways.buttons)
        elif table is None:
            async for line in self._to_open(interaction, server_id, len(within)):
                yield line
        else:
            covers = await self._house_covers(server_id, table.rules)
            for line in table_lines(table, self._party(interaction, server_id), house_covers=covers):
                yield line
        if table is not None:
            yield HelpLine(self._link(interaction, table))

    def _more(self, interaction: Interaction) -> Iterator[HelpLine]:
        """What else there is, in small print: below what to do now, with its buttons."""
        more = translate("help.more" if interaction.guild_id is not None else "help.more_by_message")
        yield HelpLine(more, (wallet_button(),))
        if interaction.guild_id is not None and interaction.permissions.manage_guild:
            scheduled = button(Press(PressAction.SCHEDULED), translate("button.scheduled"))
            yield HelpLine(translate("help.managing"), (scheduled,))

    def _table_meant(self, interaction: Interaction, within: Sequence[TableState]) -> TableState | None:
        """The open table in this channel, else one where who asks has a seat or the bank; None if none is."""
        here = [table for table in within if table.channel_id == interaction.channel_id]
        own = [table for table in within if table.has(self._party(interaction, table.server_id))]
        return next(iter([*here, *own]), None)

    async def _to_open(
        self, interaction: Interaction, server_id: int, others: int
    ) -> AsyncIterator[HelpLine]:
        """How to get to a table from a channel without one."""
        rules = self.bot.houses.house_of(server_id).rules()
        if not is_for_tables(interaction, self.bot.croupier):
            yield HelpLine(held_elsewhere_words(await channels_there(self.bot, server_id, rules.channels)))
        else:
            yield HelpLine(translate("help.no_table"), (tell_button(),))
            if rules.house_bank is not HouseBank.OFF and await self._house_covers(server_id, rules):
                yield HelpLine(translate("help.play_house"))
        if others:
            yield HelpLine(translate("help.other_tables", count=others))

    def _link(self, interaction: Interaction, table: TableState) -> str:
        """Where the table is that this is about."""
        link = self.bot.boards.link(table.table_id)
        if link and table.channel_id == interaction.channel_id:
            return translate("help.board_here", number=table.number, link=link)
        return translate("help.board", number=table.number, link=link or f"<#{table.channel_id}>")

    def _party(self, interaction: Interaction, server_id: int) -> int:
        """The party of the member who asks, as far as it is in memory, as for everybody at an open table."""
        return self.bot.croupier.identities.known(server_id, interaction.user.id)

    async def _house_covers(self, server_id: int, rules: HouseRules) -> bool:
        """Whether the house has the chips to bank under these rules (B07)."""
        house_chips = await self.bot.croupier.wallets.house_chips(server_id)
        return can_bank(rules, rules.lowest_stake, house_chips)

    async def _has_too_few(self, interaction: Interaction, server_id: int, table: TableState | None) -> bool:
        """Whether who asks has too few chips for the table, or none; a newcomer still gets opening chips."""
        croupier = self.bot.croupier
        party = await croupier.identities.find(server_id, interaction.user.id)
        if party == NOBODY:
            return False
        stack = await croupier.ledger.stacks.of((server_id, party))
        if stack.wallet is None:
            return False
        if table is not None:
            # At a table for points, nobody has too few.
            return too_poor(table, party, stack.free) is not None
        has_chips = stack.free or stack.held
        return not has_chips and await croupier.stored_tournaments.chips_in_pots(server_id, party) == 0

    @rules.command(name="show", description=command_text("command.rules.show"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """Shows how to play a game by the rules of this server."""
        name = await chosen_game(interaction, self.bot.croupier, game)
        await self._show(interaction, self._rules(interaction, name))

    @handles(PressAction.RULES)
    async def show_at_table(self, interaction: Interaction, press: Press) -> None:
        """Shows how to play by the rules in force at a table."""
        table = self.bot.croupier.tables[press.table_id]
        await self._show(interaction, table.rules, table.table_id)

    @handles(PressAction.TURN)
    async def turn_page(self, interaction: Interaction, press: Press) -> None:
        """Shows another page in place of the one where the button is."""
        name, game, *table = press.arguments
        page, table_id = GuidePage(name), next(map(int, table), None)
        rules = self._rules(interaction, game, table_id)
        if page is GuidePage.OVERVIEW:
            examples = await render_examples(rules)
            view = overview_view(rules, server_of(interaction), examples, table_id)
            await replace_pressed(interaction, Content(view, files=[examples]))
            return
        odds = None
        if page is GuidePage.ODDS:
            # Counting may take some seconds, the first time.
            await defer_update(interaction)
            odds = await odds_for(rules)
        view = page_view(page, rules, odds, table_id)
        await replace_pressed(interaction, Content(view, files=[]))

    async def _show(self, interaction: Interaction, rules: HouseRules, table_id: int | None = None) -> None:
        examples = await render_examples(rules)
        view = overview_view(rules, server_of(interaction), examples, table_id)
        await reply_layout(interaction, view, [examples], Kind.GUIDE)

    def _rules(self, interaction: Interaction, game: GameName, table_id: int | None = None) -> HouseRules:
        """The rules in force at a table while it is open; else those of a game on this server."""
        table = None if table_id is None else self.bot.croupier.tables.get(table_id)
        if table is None:
            return self.bot.houses.house_of(server_of(interaction)).rules(game)
        if table.server_id != server_of(interaction):
            raise MemberError("reply.other_server")
        return table.rules

    @app_commands.command(name="learn", description=command_text("command.learn"))
    @app_commands.describe(game=command_text("option.open.game"))
    @app_commands.choices(game=choices("game", GAMES))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def learn(self, interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        """Shows the first example of a lesson."""
        await self._begin(interaction, None if game is None else game.value)

    @handles(PressAction.LEARN)
    async def learn_here(self, interaction: Interaction, press: Press) -> None:
        """Does the same without a game."""
        await self._begin(interaction)

    async def _begin(self, interaction: Interaction, game: GameName | None = None) -> None:
        server_id, played = await self._lesson_here(interaction)
        view, picture = await self._example(interaction, first_question(server_id, game or played), 1)
        await reply_layout(interaction, view, [picture], Kind.LESSON)

    @handles(PressAction.TEACH)
    async def teach(self, interaction: Interaction, press: Press) -> None:
        """Shows an example, in place of the one before if there is one."""
        view, picture = await self._example(interaction, *example_of(press))
        if is_private(interaction):
            await replace_pressed(interaction, Content(view, files=[picture]))
        else:
            await reply_layout(interaction, view, [picture], Kind.LESSON)

    @handles(PressAction.NEXT)
    async def go_on(self, interaction: Interaction, press: Press) -> None:
        """Asks the next question; after the last one, says how many answers were right."""
        question = question_of(press)
        if question.number > len(LESSON):
            await replace_pressed(interaction, Content(self._result(interaction, question), files=[]))
            return
        view, picture = await self._ask(question)
        await replace_pressed(interaction, Content(view, files=[picture]))

    @handles(PressAction.ANSWER)
    async def explain(self, interaction: Interaction, press: Press) -> None:
        """Says whether an answer is right, and why."""
        question = question_of(press)
        rules = self._lesson_rules(question)
        arranged = await render_arranged(hand_answered(question, rules), rules)
        await replace_pressed(interaction, Content(answer_view(question, rules, arranged), files=[arranged]))

    async def _example(
        self, interaction: Interaction, first: Question, number: int
    ) -> tuple[Layout, Attachment]:
        rules = self._lesson_rules(first)
        hand = evaluate(GAMES[first.game].first_hands[number - 1], rules)
        shown = await render_counted(hand, rules)
        return example_view(first, number, rules, hand, shown, self._meanwhile(interaction)), shown

    def _meanwhile(self, interaction: Interaction) -> str:
        """What happens at the member's table, the one in this channel if they have several; empty without."""
        within = tables_within_reach(interaction, self.bot.croupier)
        for table in sorted(within, key=lambda table: table.channel_id != interaction.channel_id):
            party = self._party(interaction, table.server_id)
            if table.concerns(party):
                return meanwhile_line(table, party, self.bot.croupier.attention.awaited_banker(table))
        return ""

    async def _ask(self, question: Question) -> tuple[Layout, Attachment]:
        rules = self._lesson_rules(question)
        asked = exercise(question.number, question.plan, rules, SystemRandom())
        dealt = await render_dealt(asked.pieces, rules)
        return question_view(question, asked, rules, dealt), dealt

    def _result(self, interaction: Interaction, question: Question) -> Layout:
        rules = self._lesson_rules(question)
        if interaction.guild_id is None:
            elsewhere = translate("learn.then_play_elsewhere", command=typed_command("play"))
            return result_view(question, rules, elsewhere, [])
        here = self.bot.croupier.tables.in_channel(interaction.channel_id)
        then = translate("learn.then_play")
        if here is not None and here.heat is None:
            then = translate("learn.then_join", table=translate("table.name", number=here.number))
        guide = guide_press(GuidePage.OVERVIEW, question.game)
        return result_view(question, rules, then, [button(guide, translate("guide.button.overview"))])

    def _lesson_rules(self, question: Question) -> HouseRules:
        """The rules that a lesson goes by: those of its server, or those that houses start with."""
        if question.server_id == NO_SERVER:
            return PRESETS[GAMES[question.game].default_preset]
        return self.bot.houses.house_of(question.server_id).rules(question.game)

    async def _lesson_here(self, interaction: Interaction) -> tuple[int, GameName]:
        """The server whose rules count, and the game of the table that is meant, else the usual one here."""
        table = self._table_meant(interaction, tables_within_reach(interaction, self.bot.croupier))
        if table is not None:
            return table.server_id, table.rules.game
        if interaction.guild_id is None:
            return NO_SERVER, DEFAULT_GAME
        return interaction.guild_id, await game_here(interaction, self.bot.croupier)


def _help_part(interaction: Interaction, lines: Sequence[HelpLine]) -> Layout:
    """Lines of `/help`, with the buttons that they name below them."""
    buttons = [button for line in lines for button in line.buttons]
    return [*lines_view(interaction, [line.words for line in lines]), *rows(buttons)]
