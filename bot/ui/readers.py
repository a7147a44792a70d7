"""How members are named, and in which language each message is read."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.croupier.houses import HouseOf
from bot.croupier.identities import Identities
from bot.ledger.changes import Identity
from bot.rules.knobs import Language
from bot.rules.typed_text import clean
from bot.table.refusals import Refused
from bot.table.state import THE_HOUSE, computer_number, is_computer
from bot.words.po_files import closest_locale
from bot.words.translation import Reader, plain_name, translate

_PARTIES: Final = frozenset({"banker", "opener"})
"""The facts of refusals that are parties."""
_LONGEST_NAME: Final = 64
"""The most UTF-16 code units of a name: Discord takes 32 characters, and an emoji has two units or more."""


class Names:
    """Mentions and names of parties.

    Args:
        identities: the members behind them. Those at open tables are always in memory; `Identities.load`
            brings others there.
        of_past: whether texts are about the past, and have names in place of mentions: a mention of somebody
            who has left the server is a bare number.
    """

    def __init__(self, identities: Identities | Mapping[int, Identity], *, of_past: bool = False) -> None:
        self._identities = identities
        self._of_past = of_past

    def mention(self, party: int, *, begins_line: bool = False) -> str:
        """The mention of a member; words for an erased one, the house and computer players."""
        if begins_line and party == THE_HOUSE:
            return translate("member.house_first")
        identity = None if party == THE_HOUSE or is_computer(party) else self._identities.get(party)
        if identity is None:
            return self.name(party)
        return plain_name(self.name(party)) if self._of_past else f"<@{identity.user_id}>"

    def name(self, party: int) -> str:
        """The name of a member, for places where Discord shows no mention; clean, but not escaped."""
        if party == THE_HOUSE:
            return translate("member.house")
        if is_computer(party):
            return translate("member.computer", number=computer_number(party))
        identity = self._identities.get(party)
        return translate("member.deleted") if identity is None else clean(identity.name, _LONGEST_NAME)

    def in_refusal(self, refused: Refused) -> Refused:
        """The refusal with names in place of parties."""
        facts = {
            fact: self.name(int(value)) if fact in _PARTIES else value
            for fact, value in refused.facts.items()
        }
        return Refused(refused.code, facts)


class Readers:
    """Knows who reads in which language, and what their server calls its chips."""

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
