"""`/bank`: an admin gives a member chips, or takes some, and says why; an audit shows where chips went."""

from collections.abc import Collection
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.croupier.grants import Grant, Granted, grant
from bot.croupier.identities import User
from bot.rules.knobs import MOST_CHIPS
from bot.table.audit import fed, week_of, week_start
from bot.ui.admin_acts import LONGEST_REASON, Question, checked_reason
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
from bot.ui.bot import AdminCog
from bot.ui.components import Layout, text_view
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import AuditPage, Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import replace_pressed, reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.tables import no_gift_words
from bot.words.translation import translate

MUCH: Final = 10
"""An admin is asked before they give more than this many times the opening chips."""
_MEMBER: Final = command_text("option.bank.member")
_AMOUNT: Final = command_text("option.bet.amount")
_REASON: Final = command_text("option.bank.reason")

Chips = app_commands.Range[int, 1, MOST_CHIPS]
Words = app_commands.Range[str, 1, LONGEST_REASON]


class Bank(AdminCog):
    """The commands of admins about the chips of members."""

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
        words = checked_reason(reason)
        admin = await self.bot.party_in(interaction, server_id)
        user = User(member.id, member.display_name, locale=None)
        wanted = Grant(server_id, admin, user, amount, words, takes=takes)
        yes = translate("button.take" if takes else "button.grant", chips=amount)
        act = partial(self._carry_out, wanted, key)
        await self.bot.admin_acts.carry_out(interaction, act, partial(self._question, wanted), yes)

    async def _question(self, wanted: Grant, interaction: Interaction) -> Question | None:
        """Asks whether it is meant, if an admin gives very much or themselves, or takes all.

        A question stores nothing: the opening chips that a newcomer would get first are counted in.
        """
        croupier, server_id = self.bot.croupier, wanted.server_id
        party = await croupier.identities.find(server_id, wanted.member.user_id)
        stack = await croupier.ledger.stacks.of((server_id, party))
        opening = await croupier.wallets.opening_due(server_id, wanted.member.user_id)
        most = MUCH * croupier.house_of(server_id).rules().opening_chips
        if wanted.takes:
            code = "bank.take_asked" if stack.free + opening == wanted.chips else ""
        elif party == wanted.admin:
            code = "bank.grant_own_asked"
        else:
            code = "bank.grant_asked" if wanted.chips > most else ""
        if not code:
            return None
        (now,) = await croupier.ledger.supplies(server_id, 1, croupier.now())
        owned = stack.free + stack.held + opening
        words = translate(
            code,
            member=wanted.member.user_id,
            chips=wanted.chips,
            owned=owned,
            everybody=now.owned + opening,
        )
        # What all have changes with every round of the house.
        return Question(words, costs="" if wanted.takes else str(owned))

    async def _carry_out(self, wanted: Grant, key: str, interaction: Interaction) -> Layout:
        """Gives or takes chips, and returns what the admin is told."""
        member, notices = wanted.member.user_id, self.bot.notices
        done = await grant(self.bot.croupier, wanted, key, await not_after(interaction))
        if not isinstance(done, Granted):
            raise MemberError("bank.too_few", member=member, free=done.free)
        owned = done.after.free + done.after.held
        facts: dict[str, int | str] = {"chips": wanted.chips, "reason": wanted.reason, "owned": owned}
        notices.granted(wanted, done.party, key)
        code = "bank.taken" if wanted.takes else "bank.granted"
        self.bot.admin_acts.tell(wanted.server_id, done.party, f"{code}_you", key, **facts)
        told = translate(code, member=member, **facts)
        return text_view(with_links(interaction, f"{told}\n{notices.grants_words(wanted.server_id)}"))

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
                grants = await ledger.grants(server_id, shown.weeks, now)
                known = await self._known(
                    {who for one in grants for who in (one.party, one.admin) if who is not None}
                )
                return await weeks_content(shown, supplies, grants, names, known, is_counted=is_counted)
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
