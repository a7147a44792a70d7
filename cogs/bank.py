"""`/bank`: an admin gives a member chips, or takes some, and says why; an audit shows where chips went."""

from collections.abc import Collection
from typing import Final

import discord
from cachetools import LRUCache
from discord import app_commands

from bot.croupier.grants import Grant, Granted, grant
from bot.croupier.identities import User
from bot.rules.knobs import MOST_CHIPS
from bot.rules.typed_text import PLACEHOLDER, clean
from bot.table.audit import fed, week_of, week_start
from bot.ui.audit import (
    ON_PAGE,
    AuditShown,
    FlowsPage,
    NewcomersPage,
    flows_content,
    in_order,
    newcomers_content,
    newcomers_on,
    weeks_content,
)
from bot.ui.bot import AdminCog, GnauBot
from bot.ui.components import button, row, text_view
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import AuditPage, Press, PressAction
from bot.ui.press.errors import MemberError, nonce
from bot.ui.press.replies import replace_pressed, reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.tables import no_gift_words
from bot.words.translation import speaking_to, translate

LONGEST_REASON: Final = 200
"""The most characters of a reason."""
MUCH: Final = 10
"""An admin is asked before they give more than this many times the opening chips."""
QUESTIONS_KEPT: Final = 1_000
"""How many questions are kept; a restart forgets them."""
_MEMBER: Final = command_text("option.bank.member")
_AMOUNT: Final = command_text("option.bet.amount")
_REASON: Final = command_text("option.bank.reason")

Chips = app_commands.Range[int, 1, MOST_CHIPS]
Words = app_commands.Range[str, 1, LONGEST_REASON]


class Bank(AdminCog):
    """The commands of admins about the chips of members."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._asked: LRUCache[str, Grant] = LRUCache(QUESTIONS_KEPT)

    bank = app_commands.Group(
        name="bank",
        description=command_text("command.bank"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @bank.command(name="grant", description=command_text("command.bank.grant"))
    @app_commands.describe(member=_MEMBER, amount=_AMOUNT, reason=_REASON)
    async def give(
        self, interaction: Interaction, member: discord.Member | discord.User, amount: Chips, reason: Words
    ) -> None:
        """Gives a member chips."""
        await self._move(interaction, member, amount, reason, takes=False)

    @bank.command(name="take", description=command_text("command.bank.take"))
    @app_commands.describe(member=_MEMBER, amount=_AMOUNT, reason=_REASON)
    async def take(
        self, interaction: Interaction, member: discord.Member | discord.User, amount: Chips, reason: Words
    ) -> None:
        """Takes chips from a member, who may have left the server."""
        await self._move(interaction, member, amount, reason, takes=True)

    async def _move(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User,
        amount: int,
        reason: str,
        *,
        takes: bool,
    ) -> None:
        if member.bot:
            await reply(interaction, no_gift_words("to_bot"))
            return
        server_id, key = server_of(interaction), str(interaction.id)
        has_left = isinstance(member, discord.User)
        if has_left and not (takes and await self.bot.croupier.identities.find(server_id, member.id)):
            await reply(interaction, no_gift_words("to_stranger"))
            return
        words = clean(reason, LONGEST_REASON)
        if words == PLACEHOLDER:
            raise MemberError("bank.no_reason")
        admin = await self.bot.party_in(interaction, server_id)
        user = User(member.id, member.display_name, locale=None)
        wanted = Grant(server_id, admin, user, amount, words, takes=takes)
        if question := await self._question(wanted):
            self._asked[key] = wanted
            button_words = translate("button.take" if takes else "button.grant", chips=amount)
            yes = button(Press(PressAction.GRANT, arguments=(key,)), button_words)
            buttons = row(yes, button(Press(PressAction.CANCEL), translate("house.leave")))
            await reply_layout(interaction, [*text_view(question), buttons], kind=None)
        else:
            await reply(interaction, await self._carry_out(interaction, wanted, key), stays=True)

    async def _question(self, wanted: Grant) -> str:
        """Asks whether it is meant, if it gives very much or takes all; empty if it does not.

        A question stores nothing: the opening chips that a newcomer would get first are counted in.
        """
        croupier, server_id = self.bot.croupier, wanted.server_id
        party = await croupier.identities.find(server_id, wanted.member.user_id)
        stack = await croupier.ledger.stacks.of((server_id, party))
        opening = await croupier.wallets.opening_due(server_id, wanted.member.user_id)
        most = MUCH * croupier.house_of(server_id).rules().opening_chips
        if stack.free + opening != wanted.chips if wanted.takes else wanted.chips <= most:
            return ""
        (now,) = await croupier.ledger.supplies(server_id, 1, croupier.now())
        return translate(
            "bank.take_asked" if wanted.takes else "bank.grant_asked",
            member=wanted.member.user_id,
            chips=wanted.chips,
            owned=stack.free + stack.held + opening,
            everybody=now.owned + opening,
        )

    @handles(PressAction.GRANT)
    async def confirmed(self, interaction: Interaction, press: Press) -> None:
        """Gives or takes the chips about which an admin was asked."""
        (key,) = press.arguments
        if (wanted := self._asked.get(key)) is None:
            raise MemberError("bank.outdated")
        told = await self._carry_out(interaction, wanted, key)
        await replace_pressed(interaction, Content(text_view(with_links(interaction, told))))

    async def _carry_out(self, interaction: Interaction, wanted: Grant, key: str) -> str:
        """Gives or takes chips, and returns what the admin is told."""
        member, notices = wanted.member.user_id, self.bot.notices
        done = await grant(self.bot.croupier, wanted, key, await not_after(interaction))
        if not isinstance(done, Granted):
            raise MemberError("bank.too_few", member=member, free=done.free)
        owned = done.after.free + done.after.held
        notices.granted(wanted, done.party, key)
        self.bot.tasks.start(self._tell(wanted, done.party, owned, key), "grant-message")
        code = "bank.taken" if wanted.takes else "bank.granted"
        told = translate(code, member=member, chips=wanted.chips, reason=wanted.reason, owned=owned)
        return f"{told}\n{notices.grants_words(wanted.server_id)}"

    @bank.command(name="audit", description=command_text("command.bank.audit"))
    async def audit(self, interaction: Interaction) -> None:
        """Shows the admin alone where chips came from, and between whom they went."""
        content = await self._audit(interaction, AuditShown())
        await reply_layout(interaction, list(content.layout), content.files, kind=None)

    @handles(PressAction.AUDIT)
    async def show_audit(self, interaction: Interaction, press: Press) -> None:
        """Shows the admin another page of it."""
        await replace_pressed(interaction, await self._audit(interaction, AuditShown.of(press)))

    async def _audit(self, interaction: Interaction, shown: AuditShown) -> Content:
        croupier, server_id = self.bot.croupier, server_of(interaction)
        ledger, names = croupier.ledger, self.bot.past_names
        now = croupier.now()
        since = week_start(week_of(now) - shown.weeks + 1)
        is_counted = await croupier.standings.count(server_id)
        match shown.page:
            case AuditPage.WEEKS:
                supplies = await ledger.supplies(server_id, shown.weeks, now)
                return await weeks_content(shown, supplies, is_counted=is_counted)
            case AuditPage.FLOWS:
                found, of = await ledger.pairs(server_id, shown.weeks, now)
                pairs = in_order(found, of)
                known = await self._known({party for pair in pairs for party in (pair.one, pair.other)})
                start = shown.part * ON_PAGE
                on_page = [(pair.one, pair.other) for pair in pairs[start : start + ON_PAGE]]
                rounds = {pair: await ledger.rounds_between(server_id, *pair, since) for pair in on_page}
                return flows_content(shown, FlowsPage(pairs, of, rounds), names, known, is_counted=is_counted)
            case AuditPage.NEW:
                by_taker = fed(await ledger.newcomers(server_id, shown.weeks, now))
                known = await self._known(
                    {*by_taker, *(one.party for some in by_taker.values() for one in some)}
                )
                moved = [(one.party, one.to) for one in newcomers_on(shown, by_taker)]
                rounds = {pair: await ledger.rounds_between(server_id, *pair, since) for pair in moved}
                gifts = {pair: await ledger.gifts_between(server_id, *pair, since) for pair in moved}
                page = NewcomersPage(by_taker, rounds, gifts)
                return newcomers_content(shown, page, names, known, is_counted=is_counted)

    async def _known(self, parties: Collection[int]) -> dict[int, int]:
        """The members' ids of Discord's, by party; without those who were erased."""
        identities = self.bot.croupier.identities
        await identities.load(parties)
        return {
            party: identity.user_id for party in parties if (identity := identities.get(party)) is not None
        }

    async def _tell(self, grant: Grant, party: int, owned: int, key: str) -> None:
        """Tells a member by direct message what an admin gave them, or took."""
        server = await self.bot.server_name(grant.server_id) or ""
        code = "bank.taken_you" if grant.takes else "bank.granted_you"
        if (identity := self.bot.croupier.identities.get(party)) is None:
            return
        with speaking_to(self.bot.readers.of_member(identity)):
            words = translate(code, server=server, chips=grant.chips, reason=grant.reason, owned=owned)
        content = Content(text_view(words))
        await self.bot.delivery.send_message(identity, content, nonce("grant", key))
