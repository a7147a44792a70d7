"""Bans as admins give, lift and see them, and what members are told of them."""

from typing import Final

import discord

from bot.clock import DAY_SECONDS
from bot.croupier import bans
from bot.croupier.identities import User
from bot.ledger.changes import Ban
from bot.rules.typed_text import PLACEHOLDER, clean
from bot.ui.bot import GnauBot
from bot.ui.components import text_view
from bot.ui.press.arrivals import not_after
from bot.ui.press.errors import MemberError, nonce
from bot.ui.press.replies import reply, reply_lines
from bot.ui.press.table_choice import server_of
from bot.wire.requests import Content, Interaction
from bot.words.translation import sentences, speaking_to, translate

LONGEST_REASON: Final = 200
"""The most characters of a reason."""
MOST_DAYS: Final = 3650
"""The longest ban that has an end."""


async def ban(
    bot: GnauBot,
    interaction: Interaction,
    member: discord.Member | discord.User,
    reason: str,
    days: int | None,
) -> None:
    """Bans a member, who may have left the server; they and the admins are told."""
    if member.bot:
        raise MemberError("gift.to_bot")
    if member.id == interaction.user.id:
        raise MemberError("ban.yourself")
    words = clean(reason, LONGEST_REASON)
    if words == PLACEHOLDER:
        raise MemberError("bank.no_reason")
    server_id, key = server_of(interaction), str(interaction.id)
    admin = await bot.party_in(interaction, server_id)
    until = None if days is None else float(int(bot.croupier.now()) + days * DAY_SECONDS)
    user = User(member.id, member.display_name, locale=None)
    late = await not_after(interaction)
    done = await bans.ban(bot.croupier, server_id, admin, user, words, until, key, late)
    # They wait for no bank any more.
    bot.boards.refresh_server(server_id)
    bot.notices.banned(server_id, admin, done.party, words, until, key)
    facts: dict[str, int | str] = {"reason": words, "admin": interaction.user.id}
    code = "ban.you" if until is None else "ban.you_until"
    bot.tasks.start(_tell(bot, server_id, done.party, code, until, key, facts), "ban-message")
    code = "ban.done" if until is None else "ban.done_until"
    said = translate(code, member=member.id, until=int(until or 0))
    await reply(interaction, sentences([said, translate("ban.plays_out") if done.plays_out else ""]))


async def unban(bot: GnauBot, interaction: Interaction, member: discord.Member | discord.User) -> None:
    """Lifts the ban of a member, also of one who was erased."""
    server_id, key = server_of(interaction), str(interaction.id)
    admin = await bot.party_in(interaction, server_id)
    lifted = await bans.lift(bot.croupier, server_id, member.id)
    if lifted is None:
        raise MemberError("ban.not_banned", member=member.id)
    if lifted.party is not None:
        bot.notices.unbanned(server_id, admin, lifted.party, key)
        bot.tasks.start(_tell(bot, server_id, lifted.party, "ban.you_lifted", None, key, {}), "ban-message")
    await reply(interaction, translate("ban.lifted", member=member.id))


async def list_bans(bot: GnauBot, interaction: Interaction) -> None:
    """Lists who is banned, the newest ban first."""
    found = (await bot.croupier.barred.bans(server_of(interaction)))[::-1]
    concerned = [party for one in found for party in (one.party, one.admin) if party is not None]
    await bot.croupier.identities.load(concerned)
    lines = [translate("ban.list"), *(_line(bot, one) for one in found)] if found else [translate("ban.none")]
    await reply_lines(interaction, lines)


def _line(bot: GnauBot, ban: Ban) -> str:
    """One line of the list; of an erased member it tells only since when and until when."""
    names = bot.names
    who = translate("member.deleted") if ban.party is None else names.mention(ban.party)
    parts = [translate("ban.since", who=who, at=int(ban.at))]
    if ban.until is not None:
        parts.append(translate("ban.until", until=int(ban.until)))
    if ban.admin is not None:
        parts.append(translate("ban.by", who=names.mention(ban.admin)))
    if ban.words:
        parts.append(translate("gift.note", note=ban.words))
    return f"- {' · '.join(parts)}"


async def _tell(
    bot: GnauBot,
    server_id: int,
    party: int,
    code: str,
    until: float | None,
    key: str,
    facts: dict[str, int | str],
) -> None:
    """Tells a member by direct message about their ban, and whom to ask."""
    server = await bot.server_name(server_id) or ""
    identity = (await bot.croupier.ledger.identities([party])).get(party)
    if identity is None:
        return
    with speaking_to(bot.readers.of_member(identity)):
        words = translate(code, server=server, until=int(until or 0), **facts)
    await bot.delivery.send_message(identity, Content(text_view(words)), nonce(code, key))
