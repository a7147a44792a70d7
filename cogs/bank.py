"""`/bank`: an admin gives a member chips, or takes some, and says why; an audit shows where chips went."""

from typing import Final

import discord
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
    flows_content,
    in_order,
    newcomers_content,
    weeks_content,
)
from bot.ui.bot import BotCog
from bot.ui.components import text_view
from bot.ui.press.arrivals import not_after
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
_MEMBER: Final = command_text("option.bank.member")
_AMOUNT: Final = command_text("option.bet.amount")
_REASON: Final = command_text("option.bank.reason")

Chips = app_commands.Range[int, 1, MOST_CHIPS]
Words = app_commands.Range[str, 1, LONGEST_REASON]


class Bank(BotCog):
    """The commands of admins about the chips of members."""

    bank = app_commands.Group(
        name="bank",
        description=command_text("command.bank"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether the member may use these commands: a server can give `/bank` to others."""
        return interaction.guild_id is not None and interaction.permissions.manage_guild

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
        if isinstance(member, discord.User) and not takes:
            await reply(interaction, no_gift_words("to_stranger"))
            return
        words = clean(reason, LONGEST_REASON)
        if words == PLACEHOLDER:
            raise MemberError("bank.no_reason")
        server_id, key = server_of(interaction), str(interaction.id)
        admin = await self.bot.party_in(interaction, server_id)
        user = User(member.id, member.display_name, locale=None)
        wanted = Grant(server_id, admin, user, amount, words, takes=takes)
        done = await grant(self.bot.croupier, wanted, key, await not_after(interaction))
        if not isinstance(done, Granted):
            raise MemberError("bank.too_few", member=member.id, free=done.free)
        owned = done.after.free + done.after.held
        self.bot.notices.granted(wanted, done.party, key)
        self.bot.tasks.start(self._tell(wanted, done.party, owned, key), "grant-message")
        code = "bank.taken" if takes else "bank.granted"
        told = translate(code, member=member.id, chips=amount, reason=words, owned=owned)
        await reply(interaction, f"{told}\n{self.bot.notices.grants_words(server_id)}")

    @bank.command(name="audit", description=command_text("command.bank.audit"))
    async def audit(self, interaction: Interaction) -> None:
        """Shows the admin alone where chips came from, and between whom they went."""
        content = await self._audit(interaction, AuditShown())
        await reply_layout(interaction, list(content.layout), content.files)

    @handles(PressAction.AUDIT)
    async def show_audit(self, interaction: Interaction, press: Press) -> None:
        """Shows the admin another page of it."""
        await replace_pressed(interaction, await self._audit(interaction, AuditShown.of(press)))

    async def _audit(self, interaction: Interaction, shown: AuditShown) -> Content:
        croupier, server_id = self.bot.croupier, server_of(interaction)
        ledger, identities, names = croupier.ledger, croupier.identities, self.bot.past_names
        now = croupier.now()
        is_counted = await croupier.standings.count(server_id)
        match shown.page:
            case AuditPage.WEEKS:
                supplies = await ledger.supplies(server_id, shown.weeks, now)
                return await weeks_content(shown, supplies, is_counted=is_counted)
            case AuditPage.FLOWS:
                found, of = await ledger.pairs(server_id, shown.weeks, now)
                pairs = in_order(found, of)
                await identities.load({party for pair in pairs for party in (pair.one, pair.other)})
                since, start = week_start(week_of(now) - shown.weeks + 1), shown.part * ON_PAGE
                on_page = [(pair.one, pair.other) for pair in pairs[start : start + ON_PAGE]]
                rounds = {pair: await ledger.rounds_between(server_id, *pair, since) for pair in on_page}
                known = {
                    party: identity.user_id
                    for pair in pairs
                    for party in (pair.one, pair.other)
                    if (identity := identities.get(party)) is not None
                }
                page = FlowsPage(pairs, of, rounds)
                return flows_content(shown, page, names, known, is_counted=is_counted)
            case AuditPage.NEW:
                by_taker = fed(await ledger.newcomers(server_id, shown.weeks, now))
                await identities.load({*by_taker, *(one.party for some in by_taker.values() for one in some)})
                return newcomers_content(shown, by_taker, names, is_counted=is_counted)

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
