"""A member's chips: `/wallet`, `/ledger`, `/daily` and `/give`."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.croupier.barred import BarredError
from bot.croupier.gifts import Gift, GiftRefused, Gifts
from bot.croupier.handouts import Due, Handout, Handouts
from bot.croupier.identities import User
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.plans import remind_of_daily
from bot.games.register import GAMES
from bot.ledger.changes import NotAfter
from bot.ledger.errors import LedgerError
from bot.rules.knobs import GameName
from bot.rules.server_settings import ServerSettings
from bot.rules.typed_text import clean
from bot.table.accounts import LedgerPart
from bot.table.standings import Measure
from bot.ui.bot import BotCog, GnauBot
from bot.ui.chips import coming_words, handout_words, nothing_yet_words
from bot.ui.components import (
    MOST_OPTIONS,
    Component,
    Layout,
    button,
    file,
    label_text,
    menu,
    option,
    row,
    rows,
    text_view,
)
from bot.ui.leaderboard import Shown, game_name, leaderboard_button, renew_order
from bot.ui.ledger import (
    LINES_IN_FILE,
    Asked,
    csv_file,
    page_controls,
    page_words,
    part_name,
    read_page,
    with_owned,
)
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import ANY_ROUND, IN_FILE, Press, PressAction
from bot.ui.press.errors import MemberError, log_failure, sentence_for
from bot.ui.press.replies import (
    lines_view,
    post_publicly,
    replace_pressed,
    reply,
    reply_layout,
    reply_publicly,
)
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.ui.profile import profile_press
from bot.wire.requests import Attachment, Content, Interaction, defer, fulfil
from bot.words.members import given_words
from bot.words.tables import no_gift_words
from bot.words.translation import (
    plain_name,
    sentences,
    set_reader,
    signed_points,
    speaking_to,
    translate,
)
from cogs.reminders import daily_button

log = logging.getLogger(__name__)

FILE_NAME: Final = "ledger.csv"
LONGEST_LABEL: Final = 100
"""The most characters of an entry of a menu."""
QUESTIONS_KEPT: Final = 1_000
"""How many gifts are kept whose givers are asked first; a restart forgets them."""
ACROSS: Final = 2
"""How many buttons of a wallet stand beside each other: in each language they fit a phone."""
LONGEST_NOTE: Final = 200
"""The most characters of a gift's note."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A gift whose giver is asked first."""

    gift: Gift
    note: str | None


class Chips(BotCog):
    """The commands about chips and points."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._handouts = Handouts(bot.croupier)
        self._gifts = Gifts(bot.croupier)
        self._asked: LRUCache[str, _Asked] = LRUCache(QUESTIONS_KEPT)

    @app_commands.command(name="daily", description=command_text("command.daily"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def daily(self, interaction: Interaction) -> None:
        """Gives a handout, or says when the next ones come."""
        lines, buttons = [], []
        until = await not_after(interaction)
        async for server_id, server in self._servers(interaction):
            try:
                party = await self.bot.party_in(interaction, server_id)
                told, offered = await self._take(server_id, party, until)
                buttons += offered
            except (BarredError, LedgerError, MemberErasedError) as failed:
                if interaction.guild_id is not None:
                    raise
                # What another server gave is told all the same.
                told = sentence_for(failed) or ""
            lines.append(f"{server} · {told}" if server else told)
        layout = lines_view(interaction, lines or [translate("reply.no_server")])
        # Of several servers, nobody would know which one a button is about.
        offers = [*self._to_table(interaction), *(buttons if len(buttons) == 1 else [])]
        await reply_layout(interaction, [*layout, *rows(offers)])

    def _to_table(self, interaction: Interaction) -> Iterator[Component]:
        """The button that opens the member's panel of the channel's table, if there is one."""
        if table := self.bot.croupier.tables.in_channel(interaction.channel_id):
            press = Press(PressAction.HAND, table.table_id, ANY_ROUND)
            yield button(press, translate("menu.hand"), style=discord.ButtonStyle.success)

    @handles(PressAction.TAKE_DAILY)
    async def daily_taken(self, interaction: Interaction, press: Press) -> None:
        """Gives a handout in the server of the button, which is in a direct message."""
        server_id = int(press.arguments[0])
        party = await self._member(interaction, server_id)
        told, buttons = await self._take(server_id, party, await not_after(interaction))
        await reply(interaction, told, buttons)

    @handles(PressAction.DAILY)
    async def daily_pressed(self, interaction: Interaction, press: Press) -> None:
        """Gives a handout to a member who has too few chips at a table, and shows what they can bet now."""
        table = self.bot.croupier.tables[press.table_id]
        told, _ = await self._take(table.server_id, press.presser, await not_after(interaction))
        await self.bot.panels.show(interaction, table, note=with_links(interaction, told))

    async def _take(self, server_id: int, party: int, until: NotAfter) -> tuple[str, list[Component]]:
        """Gives a handout.

        Returns:
            What to tell of it, or when the next ones come; and the button that switches reminders on or off.
        """
        answer = await self._handouts.take(server_id, party, until)
        stack = await self.bot.croupier.ledger.stacks.of((server_id, party))
        told = self._told(server_id, answer, stack.free + stack.held)
        try:
            is_on = await remind_of_daily(self.bot.croupier.ledger, party, answer.daily_at)
        except LedgerError as failed:
            # The chips are there all the same.
            log_failure(log, failed, "party %s is not reminded of daily chips this time", party)
            return told, []
        return told, [] if answer.daily_at is None else [daily_button(server_id, is_on=is_on)]

    def _settings(self, server_id: int) -> ServerSettings:
        return self.bot.houses.house_of(server_id).server

    def _told(self, server_id: int, answer: Handout | Due, owned: int) -> str:
        if isinstance(answer, Handout):
            return handout_words(answer, owned)
        below = self._settings(server_id).relief_below
        return nothing_yet_words(answer, self.bot.croupier.now(), below, owned)

    @app_commands.command(name="wallet", description=command_text("command.wallet"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def wallet(self, interaction: Interaction) -> None:
        """Shows what the member has."""
        await self._show_wallet(interaction)

    @handles(PressAction.WALLET)
    async def wallet_pressed(self, interaction: Interaction, press: Press) -> None:
        """Shows the same where it is pressed."""
        await self._show_wallet(interaction)

    async def _show_wallet(self, interaction: Interaction) -> None:
        lines, servers = [], dict[int, str]()
        async for server_id, server in self._servers(interaction):
            servers[server_id] = server
            party = await self.bot.party_in(interaction, server_id)
            purse = await self.bot.croupier.wallets.purse(server_id, party)
            free = translate("wallet.free" if purse.held else "wallet.all_free", chips=purse.wallet)
            lines.append(f"{server} · {free}" if server else free)
            lines += [
                translate("wallet.held", chips=held.chips, table=held.number, channel=held.channel_id)
                for held in purse.held
            ]
            entries = await self.bot.croupier.stored_tournaments.entries(server_id, party)
            lines += [translate("wallet.entry", chips=one.entry, channel=one.channel_id) for one in entries]
            if purse.has_score:
                lines.append(translate("wallet.points", points=signed_points(purse.score)))
            coming = await self._coming(server_id, party, purse.total)
            lines += filter(None, [coming, await self._bests(server_id, party)])
        layout = lines_view(interaction, lines or [translate("reply.no_server")])
        await reply_layout(interaction, [*layout, *await self._leads_on(interaction, servers)])

    async def _leads_on(self, interaction: Interaction, servers: Collection[int]) -> Layout:
        """What leads on from a wallet: by direct message only the ledger, as the rest needs a server."""
        if len(servers) > 1:
            return [await self._which_server(servers, LedgerPart.ALL)]
        buttons = [button(Asked(server_id).press(), translate("button.ledger")) for server_id in servers]
        if interaction.guild_id is not None:
            buttons = [
                leaderboard_button(Shown()),
                button(profile_press(), translate("button.profile")),
                *buttons,
                button(Press(PressAction.ASK_BREAK), translate("button.ask_break")),
            ]
        return rows(buttons, ACROSS)

    async def _bests(self, server_id: int, party: int) -> str:
        """A member's place, biggest win and best hand of each game, as far as they have them."""
        standings, ledger = self.bot.croupier.standings, self.bot.croupier.ledger
        await standings.count(server_id)
        if (overall := await ledger.standing(server_id, party)) is None:
            return ""
        parts = []
        by_chips = Shown().ranked(server_id, self.bot.croupier.now())
        own = await ledger.rank(by_chips, party)
        renew_order(ledger, by_chips, self.bot.tasks)
        if own is not None:
            parts.append(translate("wallet.place", place=own.place))
        if overall.biggest is not None:
            parts.append(translate("profile.biggest", chips=overall.biggest))
        for game in GAMES:
            of_game = await ledger.standing(server_id, party, game=game)
            if of_game is not None and of_game.best is not None:
                hand = Shown(Measure.BEST, game=game).amount_words(of_game.best)
                parts.append(translate("wallet.best", game=game_name(game), hand=hand))
        return f"-# {' · '.join(parts)}" if parts else ""

    async def _coming(self, server_id: int, party: int, owned: int) -> str:
        """What a member can get with `/daily`; empty if nothing."""
        coming = await self._handouts.coming(server_id, party)
        below = self._settings(server_id).relief_below
        return coming_words(coming, self.bot.croupier.now(), below, owned)

    @app_commands.command(name="ledger", description=command_text("command.ledger"))
    @app_commands.describe(of=command_text("option.ledger.of"))
    @app_commands.choices(of=[*choices("choice", (*LedgerPart, IN_FILE)), *choices("game", GAMES)])
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def ledger(self, interaction: Interaction, of: app_commands.Choice[str] | None = None) -> None:
        """Lists the member's last gains and losses, newest first, or sends all of them as a file."""
        wanted = LedgerPart.ALL if of is None else of.value
        servers: dict[int, str] = {}
        lines: list[str] = []
        layout: Layout = []
        async for server_id, server in self._servers(interaction):
            servers[server_id] = server
            party = await self.bot.party_in(interaction, server_id)
            await self.bot.croupier.wallets.open(server_id, party)
            if wanted != IN_FILE:
                words, layout = await self._page(party, Asked(server_id, wanted))
                lines += [f"### {server}"] if server else []
                lines += words
        if len(servers) > 1:
            # Of several servers, nobody would know which one a button is about.
            lines += [] if lines else [translate("entry.which_server")]
            if len(servers) > MOST_OPTIONS:
                lines.insert(0, translate("entry.more_servers", most=MOST_OPTIONS))
            layout = [await self._which_server(servers, wanted)]
        elif servers and wanted == IN_FILE:
            await self._send_file(interaction, next(iter(servers)))
            return
        await reply_layout(
            interaction, [*lines_view(interaction, lines or [translate("reply.no_server")]), *layout]
        )

    async def _which_server(self, servers: Collection[int], wanted: str) -> Component:
        """Asks of which server a part of the ledger, or the file, is wanted."""
        options = [await self._server_option(server_id) for server_id in [*servers][:MOST_OPTIONS]]
        press = Press(PressAction.LEDGER_IN, arguments=(wanted,))
        return row(menu(press, translate("entry.which_server"), options))

    @handles(PressAction.LEDGER, PressAction.LEDGER_OF, PressAction.LEDGER_IN)
    async def ledger_turned(self, interaction: Interaction, press: Press) -> None:
        """Shows another page or part of the ledger, or that of another server."""
        match press.action:
            case PressAction.LEDGER:
                asked = Asked.of(press)
            case PressAction.LEDGER_OF:
                asked = Asked(int(press.arguments[0]), press.values[0])
            case _ if press.arguments == (IN_FILE,):
                await self._send_file(interaction, int(press.values[0]))
                return
            case _:
                asked = Asked(int(press.values[0]), press.arguments[0])
        party = await self._member(interaction, asked.server_id)
        words, controls = await self._page(party, asked)
        words = [*await self._heading(interaction, asked.server_id), *words]
        await replace_pressed(interaction, Content([*lines_view(interaction, words), *controls]))

    @handles(PressAction.LEDGER_FILE)
    async def ledger_filed(self, interaction: Interaction, press: Press) -> None:
        """Sends the part of the ledger that was shown as a file, all of its lines."""
        server, *part = press.arguments
        # Buttons of old messages name no part.
        await self._send_file(interaction, int(server), *part)

    async def _page(self, party: int, asked: Asked) -> tuple[list[str], Layout]:
        """The lines of a page, and what can be pressed below them."""
        page = await read_page(self.bot.croupier.ledger, party, asked)
        others = (entry.other for line in page.lines for entry in line.entries if entry.other)
        await self.bot.croupier.identities.load(others)
        page, words = page_words(asked, page, self.bot.past_names, self.bot.croupier.now())
        if any(line.entries[0].round_number for line in page.lines):
            words.append(f"-# {translate('entry.pushes')}")
        none = "entry.none" if asked.part == LedgerPart.ALL else "entry.none_of"
        return words or [translate(none)], page_controls(asked, page)

    async def _send_file(
        self, interaction: Interaction, server_id: int, part: LedgerPart | GameName = LedgerPart.ALL
    ) -> None:
        party = await self._member(interaction, server_id)
        # Reading years of rounds may take longer than Discord waits for a first answer.
        await defer(interaction)
        ledger = self.bot.croupier.ledger
        read = partial(ledger.many_entries, server_id, party, LINES_IN_FILE + 1, part)
        owned: int | None = None
        if part == LedgerPart.ALL:
            entries, owned = await with_owned(ledger, server_id, party, read)
        else:
            entries = await read()
        is_cut, entries = len(entries) > LINES_IN_FILE, entries[:LINES_IN_FILE]
        await self.bot.croupier.identities.load(entry.other for entry in entries if entry.other)
        written = await asyncio.to_thread(csv_file, entries, owned, self.bot.past_names)
        code = "csv.last" if is_cut else "csv.all" if part == LedgerPart.ALL else "csv.part"
        told = translate(code, count=len(entries), part=part_name(part))
        lines = [*await self._heading(interaction, server_id), told]
        layout = [*lines_view(interaction, lines), file(FILE_NAME)]
        await fulfil(interaction, Content(layout, [Attachment(FILE_NAME, written)]))

    async def _heading(self, interaction: Interaction, server_id: int) -> list[str]:
        """In a direct message, the name of the server."""
        name = await self.bot.server_name(server_id) if interaction.guild_id is None else None
        return [f"### {plain_name(name)}"] if name else []

    async def _server_option(self, server_id: int) -> Component:
        """A server in a menu, which shows no markdown, and no emoji of servers."""
        name = clean(await self.bot.server_name(server_id) or "", LONGEST_LABEL)
        return option(label_text(name) or str(server_id), str(server_id))

    async def _member(self, interaction: Interaction, server_id: int) -> int:
        """Who pressed, in the server that a button names; words are in its language from then on."""
        await self.bot.croupier.catch_up(server_id)
        identity = await self.bot.croupier.ledger.identity_of(server_id, interaction.user.id)
        if identity is None:
            raise MemberError("reply.outdated_component")
        set_reader(self.bot.readers.of_interaction(interaction, server_id))
        return identity.party

    @app_commands.command(name="give", description=command_text("command.give"))
    @app_commands.describe(
        member=command_text("option.give.member"),
        amount=command_text("option.give.amount"),
        note=command_text("option.give.note"),
    )
    @app_commands.guild_only()
    async def give(
        self,
        interaction: Interaction,
        # A user too: Discord lets a member be named who has left the server.
        member: discord.Member | discord.User,
        amount: app_commands.Range[int, 1, 1_000_000_000],
        note: app_commands.Range[str, 1, LONGEST_NOTE] | None = None,
    ) -> None:
        """Gives chips; a giver whom it costs something noticeable is told first, and asked."""
        if member.bot:
            await reply(interaction, no_gift_words("to_bot"))
            return
        if isinstance(member, discord.User):
            await reply(interaction, no_gift_words("to_stranger"))
            return
        server_id = server_of(interaction)
        giver = await self.bot.party_in(interaction, server_id)
        receiver = User(member.id, member.display_name, locale=None)
        asked = _Asked(Gift(server_id, giver, receiver, amount), note)
        if costs := await self._gifts.costs(asked.gift, str(interaction.id)):
            self._asked[str(interaction.id)] = asked
            code = "gift.costs" if costs.relief else "gift.costs_all"
            told = translate(
                code,
                receiver=member.id,
                chips=amount,
                left=costs.left,
                relief=costs.relief,
                below=self._settings(server_id).relief_below,
                usual=costs.usual_relief,
            )
            if self._settings(server_id).daily_chips:
                told = sentences([told, translate("gift.daily_stays")])
            giving = Press(PressAction.GIVE, arguments=(str(interaction.id),))
            give = button(giving, translate("button.give", chips=amount))
            # A question: no answer to another command may take its place.
            await reply_layout(interaction, [*text_view(with_links(interaction, told)), row(give)], kind=None)
        elif content := await self._give(interaction, asked, str(interaction.id)):
            await reply_publicly(interaction, content)

    @handles(PressAction.GIVE)
    async def give_all_the_same(self, interaction: Interaction, press: Press) -> None:
        """Makes a gift whose giver was told what it costs."""
        (key,) = press.arguments
        asked = self._asked.get(key)
        if asked is None:
            raise MemberError("gift.outdated")
        if content := await self._give(interaction, asked, key):
            # Of two presses at once, one shows it to the channel.
            is_first = self._asked.pop(key, None) is not None
            stack = await self.bot.croupier.ledger.stacks.of((asked.gift.server_id, asked.gift.giver))
            told = sentences([translate("reply.done"), translate("gift.left", left=stack.free)])
            await replace_pressed(interaction, Content(text_view(told)))
            if is_first:
                await post_publicly(interaction, content)

    async def _give(self, interaction: Interaction, asked: _Asked, key: str) -> Content | None:
        """Makes a gift, and returns what the channel should see; None if it was refused."""
        gift = asked.gift
        answer = await self._gifts.give(gift, key, await not_after(interaction))
        if isinstance(answer, GiftRefused):
            await reply(interaction, _refusal(answer, asked))
            return None
        self.bot.notices.given(gift, answer, key)
        # Everybody in the channel sees it, so that nobody's chips grow in secret.
        with speaking_to(self.bot.readers.of_server(gift.server_id)):
            text = given_words(interaction.user.id, asked.gift.receiver.user_id, gift.chips, asked.note)
        return Content(text_view(text), mentions=[asked.gift.receiver.user_id])

    async def _servers(self, interaction: Interaction) -> AsyncIterator[tuple[int, str]]:
        """This server, or by direct message all where the member has chips; each with its name.

        Until the next one comes, the answer is in the words of this one.
        """
        servers = [] if interaction.guild_id is None else [(interaction.guild_id, "")]
        if not servers:
            identities = await self.bot.croupier.ledger.identities_of(interaction.user.id)
            names = [(one.server_id, await self.bot.server_name(one.server_id)) for one in identities]
            servers = [(server_id, plain_name(name)) for server_id, name in names if name is not None]
        for server_id, name in servers:
            await self.bot.croupier.catch_up(server_id)
            set_reader(self.bot.readers.of_interaction(interaction, server_id))
            yield server_id, name


def _refusal(refused: GiftRefused, asked: _Asked) -> str:
    return no_gift_words(
        refused.code,
        chips=asked.gift.chips,
        free=refused.free,
        left=refused.left,
        resets=refused.resets_at,
        receiver=asked.gift.receiver.user_id,
    )
