"""A member's own data, and their language: `/privacy` and `/language`.

In a server `/privacy` is about that server; in direct messages it is about every server.
"""

import gzip
import logging
from typing import Final

import discord
from discord import app_commands

from bot.croupier.privacy import ErasureRefused, NotErasable, own_data
from bot.ledger.changes import Identity
from bot.ledger.errors import LedgerError
from bot.rules.knobs import Language
from bot.rules.typed_text import json_text
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import button, file, row, text_view
from bot.ui.press.arrivals import not_after, with_links
from bot.ui.press.commands import choices, command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.press.replies import fill_reply, lines_view, replace_pressed, reply, reply_layout
from bot.ui.press.router import handles
from bot.wire.requests import Attachment, Content, Interaction, defer, defer_update, fulfil
from bot.words.members import not_erasable_words
from bot.words.po_files import plain_locale
from bot.words.translation import set_reader, signed_points, translate

log = logging.getLogger(__name__)
LARGEST_FILE: Final = 8_000_000
"""The bytes above which an export is compressed; Discord takes 10 MiB."""
EVERY_ENTRY: Final = 1 << 31


class PrivacyCog(BotCog, name="Privacy"):
    """The commands and buttons about what is stored about a member."""

    privacy = app_commands.Group(
        name="privacy",
        description=command_text("command.privacy"),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
    )

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self.ledger = bot.croupier.ledger

    @privacy.command(name="show", description=command_text("command.privacy.show"))
    async def show(self, interaction: Interaction) -> None:
        """Lists what is stored about the member, and why."""
        identities = await self._stored(interaction)
        # A long ledger may take longer to count than Discord waits for a first answer.
        await defer(interaction)
        lines = [translate("privacy.title")]
        for identity in identities:
            lines += await self._stored_in(interaction, identity)
        await fill_reply(interaction, lines_view(interaction, [*lines, translate("privacy.rights")]))

    @privacy.command(name="export", description=command_text("command.privacy.export"))
    async def export(self, interaction: Interaction) -> None:
        """Sends a file with everything that is stored about the member."""
        identities = await self._stored(interaction)
        # Reading years of rounds may take longer than Discord waits for a first answer.
        await defer(interaction)
        data = await own_data(self.ledger, self.bot.croupier.stored_tournaments, identities)
        written, name = json_text(data).encode(), "my-data.json"
        if len(written) > LARGEST_FILE:
            written, name = gzip.compress(written), f"{name}.gz"
        layout = [*text_view(translate("privacy.exported")), file(name)]
        await fulfil(interaction, Content(layout, [Attachment(name, written)]))

    @privacy.command(name="erase", description=command_text("command.privacy.erase"))
    async def erase(self, interaction: Interaction) -> None:
        """Asks whether the member's data is to be erased."""
        identities = await self._stored(interaction)
        for identity in identities:
            if tables := await self.bot.privacy.tables_to_leave(identity):
                await reply(
                    interaction, await self._refusal(interaction, identity, NotErasable.AT_A_TABLE, tables)
                )
                return
        purses = [await self.ledger.purse(one.server_id, one.party) for one in identities]
        chips = sum(purse.wallet for purse in purses)
        where = await self._where(interaction.guild_id)
        question = text_view(with_links(interaction, translate("privacy.erase", where=where, chips=chips)))
        server = () if interaction.guild_id is None else (str(interaction.guild_id),)
        danger = discord.ButtonStyle.danger
        erasing = Press(PressAction.ERASE, arguments=server)
        erase = button(erasing, translate("privacy.erase_now"), style=danger)
        keep = button(Press(PressAction.KEEP), translate("privacy.keep"))
        # It stays until it is answered.
        await reply_layout(interaction, [*question, row(erase, keep)], kind=None)

    @handles(PressAction.ERASE)
    async def erase_confirmed(self, interaction: Interaction, press: Press) -> None:
        """Erases the member in the server that the question was about, or in every server."""
        match press.arguments:
            case () if interaction.guild_id is None:
                pass
            case (server,) if server == str(interaction.guild_id):
                pass
            case _:
                raise MemberError("reply.outdated_component")
        identities = await self._stored(interaction)
        await defer_update(interaction)
        chips, lines = 0, []
        for identity in identities:
            try:
                done = await self.bot.privacy.erase(identity.server_id, identity.user_id)
            except LedgerError as failed:
                if self.bot.croupier.identities.is_closed(identity.party):
                    log.error("an erasure is to be finished: %s", failed)
                    done = ErasureRefused(NotErasable.LATER)
                else:
                    log.error("an erasure was not begun: %s", failed)
                    done = ErasureRefused(NotErasable.NOT_NOW)
            if isinstance(done, ErasureRefused):
                lines.append(await self._refusal(interaction, identity, done.code, done.tables))
            else:
                chips += done
        if len(lines) < len(identities):
            lines.insert(0, translate("privacy.erased", chips=chips))
        await fill_reply(interaction, lines_view(interaction, lines))

    @handles(PressAction.KEEP)
    async def keep(self, interaction: Interaction, press: Press) -> None:
        """Erases nothing."""
        await replace_pressed(interaction, Content(text_view(translate("privacy.kept"))))

    async def _stored(self, interaction: Interaction) -> list[Identity]:
        """Who the member is in the servers that are meant, at least one."""
        identities = await self.ledger.identities_of(interaction.user.id)
        if interaction.guild_id is not None:
            identities = [one for one in identities if one.server_id == interaction.guild_id]
        if not identities:
            raise MemberError("privacy.nothing")
        return identities

    async def _stored_in(self, interaction: Interaction, identity: Identity) -> list[str]:
        """What is stored in one server and why, line by line."""
        server_id, party, ledger = identity.server_id, identity.party, self.ledger
        purse = await ledger.purse(server_id, party)
        held, points = purse.total - purse.wallet, signed_points(purse.score)
        entries = await ledger.many_entries(server_id, party, EVERY_ENTRY)
        lines = []
        if interaction.guild_id is None:
            lines.append(translate("privacy.server", server=await self._server_name(server_id)))
        lines += [
            translate("privacy.identity", name=identity.name, locale=plain_locale(identity.locale)),
            translate("privacy.chips", free=purse.wallet, held=held, points=points),
            translate("privacy.entries", count=len(entries)),
            translate("privacy.words", count=len(await ledger.words_of(party))),
        ]
        if reasons := await ledger.reasons_by(party):
            lines.append(translate("privacy.reasons", count=len(reasons)))
        if house_changes := await ledger.house_changes_by(server_id, party):
            lines.append(translate("privacy.house_changes", count=len(house_changes)))
        if await ledger.direct_channel(identity.user_id) is not None:
            lines.append(translate("privacy.messages"))
        if identity.squeezes:
            lines.append(translate("privacy.squeezes"))
        if identity.finds_ox:
            lines.append(translate("privacy.finds_ox"))
        if await ledger.standings_of(party):
            lines += [translate("privacy.standings"), translate("privacy.achievements")]
        if identity.is_hidden:
            lines.append(translate("privacy.is_hidden"))
        if await ledger.plans_of(party):
            lines.append(translate("privacy.plans"))
        if any(ban.party == party for ban in await ledger.bans(server_id)):
            lines.append(translate("privacy.ban"))
        return [*lines, translate("privacy.rounds")]

    async def _refusal(
        self, interaction: Interaction, identity: Identity, code: NotErasable, tables: tuple[int, ...]
    ) -> str:
        """Why a member is not erased in a server; by direct message, with its name."""
        why = not_erasable_words(code, tables)
        if interaction.guild_id is not None:
            return why
        return translate("privacy.not_all", server=await self._server_name(identity.server_id), why=why)

    async def _where(self, server_id: int | None) -> str:
        if server_id is None:
            return translate("privacy.everywhere")
        return translate("privacy.in_server", server=await self._server_name(server_id))

    async def _server_name(self, server_id: int) -> str:
        return await self.bot.server_name(server_id) or str(server_id)

    @app_commands.command(name="language", description=command_text("command.language"))
    @app_commands.describe(language=command_text("option.language"))
    @app_commands.choices(language=choices("setting.language", Language))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def language(self, interaction: Interaction, language: app_commands.Choice[str]) -> None:
        """Stores the language, and answers in it."""
        chosen = Language(language.value)
        if interaction.guild_id is not None:
            await self.bot.party_in(interaction, interaction.guild_id)
        own = None if chosen is Language.AUTO else chosen.value
        stored = await self.bot.croupier.identities.choose(
            interaction.user.id, own, interaction.locale.value, await not_after(interaction)
        )
        set_reader(self.bot.readers.of_interaction(interaction))
        if not stored:
            await reply(interaction, translate("language.unknown"))
            return
        await reply(interaction, translate("language.auto" if own is None else "language.set"))
