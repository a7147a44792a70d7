"""Who is who, what can be erased of them, and what outlives that."""

import json
from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import bindparam, select

from bot.ledger.changes import DirectChannel, Identity, SeedWords
from bot.ledger.reader import Reader, Statement, listed
from bot.ledger.schema import (
    APPLICATION_KEY,
    OPENINGS_KEY,
    direct_channels,
    keys,
    parties,
    seed_words,
    servers,
    spent_openings,
)

_IN_SERVER: Final = parties.c.server_id == bindparam("server")
_DIRECT_CHANNELS: Final = Statement(
    select(direct_channels).where(direct_channels.c.user_id.in_(listed("users")))
)
_IDENTITY: Final = Statement(select(parties).where(_IN_SERVER, parties.c.user_id == bindparam("user")))
_IDENTITIES_OF: Final = Statement(
    select(parties).where(parties.c.user_id == bindparam("user")).order_by(parties.c.server_id)
)
_IDENTITIES: Final = Statement(select(parties).where(parties.c.party.in_(listed("parties"))))
_LOCALE_ENDS: Final = Statement(select(parties).where(parties.c.locale.like(bindparam("pattern"))))
_MEMBERS: Final = Statement(select(parties).where(_IN_SERVER).limit(bindparam("limit")))
_OUTDATED_OPENING: Final = Statement(
    select(spent_openings.c.until)
    .where((spent_openings.c.until < bindparam("at")) | (spent_openings.c.until > bindparam("latest")))
    .limit(1)
)
_SERVER_IDS: Final = Statement(select(parties.c.server_id).distinct().order_by(parties.c.server_id))
_WORDS_OF: Final = Statement(select(seed_words).where(seed_words.c.party == bindparam("party")))
_SEED_WORDS: Final = Statement(select(seed_words).where(seed_words.c.client_seed.in_(listed("client_seeds"))))
_KEY: Final = Statement(select(keys.c.key).where(keys.c.name == bindparam("name")))
_SPENT_UNTIL: Final = Statement(
    select(spent_openings.c.until).where(
        spent_openings.c.server_id == bindparam("server"), spent_openings.c.digest == bindparam("digest")
    )
)
_SERVER_ERASURES: Final = Statement(
    select(servers.c.server_id, servers.c.erase_at).where(servers.c.erase_at.is_not(None))
)


class MemberQueries(Reader):
    """Reads who is who."""

    async def direct_channel(self, user_id: int) -> DirectChannel | None:
        """How to reach a user by direct message; None if that is not known."""
        return (await self.direct_channels_of([user_id]))[user_id]

    async def direct_channels_of(self, user_ids: Collection[int]) -> dict[int, DirectChannel | None]:
        """How to reach several users by direct message; None if that is not known."""
        rows = await self.rows(_DIRECT_CHANNELS, users=json.dumps(list(user_ids)))
        found = {channel.user_id: channel for channel in (DirectChannel(*row) for row in rows)}
        return {user_id: found.get(user_id) for user_id in user_ids}

    async def identity_of(self, server_id: int, user_id: int) -> Identity | None:
        """Who a user is in a server; None if nothing is stored of them there."""
        row = await self.row(_IDENTITY, server=server_id, user=user_id)
        return None if row is None else Identity(*row)

    async def identities_of(self, user_id: int) -> list[Identity]:
        """Who a user is, in every server where something is stored of them."""
        return [Identity(*row) for row in await self.rows(_IDENTITIES_OF, user=user_id)]

    async def identities_with_locale_ending(self, ending: str) -> list[Identity]:
        """The members whose stored locale ends so."""
        return [Identity(*row) for row in await self.rows(_LOCALE_ENDS, pattern=f"%{ending}")]

    async def identities(self, of: Iterable[int]) -> dict[int, Identity]:
        """The members behind these parties; erased ones are omitted."""
        rows = await self.rows(_IDENTITIES, parties=json.dumps(list(of)))
        return {identity.party: identity for identity in (Identity(*row) for row in rows)}

    async def members_of(self, server_id: int, limit: int) -> list[Identity]:
        """Some of the members who are stored in a server; all if there are no more than `limit`."""
        return [Identity(*row) for row in await self.rows(_MEMBERS, server=server_id, limit=limit)]

    async def has_outdated_openings(self, at: float, latest: float) -> bool:
        """Whether hashes of erased members are stored whose time was over then, or is over after `latest`."""
        return await self.row(_OUTDATED_OPENING, at=at, latest=latest) is not None

    async def server_ids(self) -> list[int]:
        """The servers where somebody is stored."""
        return [server_id for (server_id,) in await self.rows(_SERVER_IDS)]

    async def words_of(self, party: int) -> list[SeedWords]:
        """The words that a member chose as client seeds."""
        return [SeedWords(*row) for row in await self.rows(_WORDS_OF, party=party)]

    async def seed_words(self, client_seeds: Iterable[str]) -> dict[str, SeedWords]:
        """The words with these codes; erased ones are omitted."""
        rows = await self.rows(_SEED_WORDS, client_seeds=json.dumps(list(client_seeds)))
        return {words.client_seed: words for words in (SeedWords(*row) for row in rows)}

    async def member_key(self) -> bytes:
        """The key of the hashes that say who had opening chips."""
        found: bytes = await self.value(_KEY, name=OPENINGS_KEY)
        return found

    async def application_id(self) -> int | None:
        """Discord's id of the application that the database belongs to; None if that is not noted."""
        found: bytes | None = await self.value(_KEY, name=APPLICATION_KEY)
        return None if found is None else int(found)

    async def opening_spent_until(self, server_id: int, digest: bytes) -> float | None:
        """Until when an erased member with this hash gets no opening chips; None if that is not noted.

        Args:
            server_id: in which server.
            digest: the hash, from `Ledger.opening_digest`.

        Returns:
            Seconds since the epoch, UTC.
        """
        until: float | None = await self.value(_SPENT_UNTIL, server=server_id, digest=digest)
        return until

    async def server_erasures(self) -> dict[int, float]:
        """When each server is erased that the bot has left, in seconds since the epoch, UTC."""
        return dict(await self.rows(_SERVER_ERASURES))
