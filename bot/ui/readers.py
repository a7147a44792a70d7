"""Who reads what: in which language, and what the chips are called.

Private answers and direct messages are in the language that the member chose, else in that of their
Discord, else in that of the server. What a whole channel reads is in the language of the server: the one that
the house has set, else the one that the server has in Discord.
"""

from typing import Final

import discord

from bot.croupier.houses import HouseOf
from bot.croupier.identities import Identities
from bot.ledger.changes import Identity
from bot.rules.knobs import Language
from bot.words.locale import closest_locale
from bot.words.po_files import DEFAULT_LOCALE
from bot.words.translation import Reader

LANGUAGES: Final = tuple(language for language in Language if language is not Language.AUTO)


class Readers:
    """Knows who reads in which language, and what their server calls its chips.

    Args:
        client: knows the servers as Discord has them.
        identities: know the members.
        house_of: the house rules of a server.
    """

    def __init__(self, client: discord.Client, identities: Identities, house_of: HouseOf) -> None:
        self._client = client
        self._identities = identities
        self._house_of = house_of

    def of_server(self, server_id: int) -> Reader:
        """Everybody in a channel of a server; never one member."""
        return Reader(closest_locale(self._wanted_in(server_id)), self._house_of(server_id).currency)

    def of_member(self, identity: Identity) -> Reader:
        """A member who is sent something without an interaction."""
        server_id = identity.server_id
        locale = closest_locale(identity.locale, self._wanted_in(server_id))
        return Reader(locale, self._house_of(server_id).currency)

    def of_interaction(
        self, interaction: discord.Interaction[discord.Client], server_id: int | None = None
    ) -> Reader:
        """The member who pressed or typed, and is answered privately.

        Args:
            interaction: the interaction.
            server_id: the server that it is about, if it may come by direct message.
        """
        server_id = interaction.guild_id or server_id
        own = self._identities.chosen(interaction.user.id) or interaction.locale.value
        if server_id is None:
            return Reader(closest_locale(own))
        return Reader(closest_locale(own, self._wanted_in(server_id)), self._house_of(server_id).currency)

    def _wanted_in(self, server_id: int) -> str | None:
        """The locale that a server wants, translated or not; None if it is not known."""
        language = self._house_of(server_id).language
        if language is not Language.AUTO:
            return language.value
        server = self._client.get_guild(server_id)
        return None if server is None else server.preferred_locale.value


def translated_languages() -> tuple[Language, ...]:
    """The languages that the bot speaks."""
    return tuple(
        language
        for language in LANGUAGES
        if language is Language.ENGLISH or closest_locale(language.value) != DEFAULT_LOCALE
    )
