"""The rows that a batch of facts writes: of several about one thing, the newest."""

from collections.abc import Iterable
from typing import Final

from bot.ledger.changes import (
    BoardPosted,
    DirectChannel,
    Fact,
    HeadPosted,
    HouseDraft,
    Identity,
    LocaleChosen,
    OpeningsOutdated,
    OwnApplication,
    ServerErasure,
    ServerGreeted,
)
from bot.ledger.not_after import refuse_late
from bot.ledger.schema import APPLICATION_KEY

Rows = list[tuple[object, ...]]
"""The parameters of a statement, one tuple per execution."""
DRAFT_SECONDS: Final = 86_400.0
"""How long a draft of house rules can be confirmed."""


class FactRows:
    """The rows of several facts."""

    def __init__(self) -> None:
        self._boards: dict[int, BoardPosted] = {}
        self._direct: dict[int, DirectChannel] = {}
        self._drafts: dict[int, HouseDraft] = {}
        self._identities: dict[int, Identity] = {}
        self._locales_chosen: dict[int, LocaleChosen] = {}
        self._server_erasures: dict[int, ServerErasure] = {}
        self._heads_posted: dict[int, HeadPosted] = {}
        self._application: OwnApplication | None = None
        self.greeted_servers: Rows = []
        self.outdated_openings: Rows = []
        self.latest_openings: Rows = []

    def add(self, fact: Fact) -> None:
        """Adds a fact; it replaces an earlier one about the same thing.

        Raises:
            TooLate: it was not to be written any more.
        """
        match fact:
            case BoardPosted():
                self._boards[fact.table_id] = fact
            case DirectChannel():
                self._direct[fact.user_id] = fact
            case HouseDraft():
                self._drafts[fact.draft_id] = fact
            case Identity():
                self._identities[fact.party] = fact
            case LocaleChosen():
                refuse_late(fact.not_after, "a chosen language")
                self._locales_chosen[fact.user_id] = fact
            case ServerErasure():
                self._server_erasures[fact.server_id] = fact
            case HeadPosted():
                self._heads_posted[fact.server_id] = fact
            case ServerGreeted():
                self.greeted_servers.append((fact.server_id,))
            case OpeningsOutdated():
                self.outdated_openings.append((fact.at,))
                self.latest_openings.append((fact.latest, fact.latest))
            case OwnApplication():
                self._application = fact

    def forget(self, party: int) -> None:
        """Drops what was recorded of a party, because it is erased."""
        self._identities.pop(party, None)

    @property
    def boards(self) -> Rows:
        """Message, time of posting and table of each board."""
        return [(one.message_id, one.at, one.table_id) for one in self._boards.values()]

    @property
    def direct_users(self) -> Rows:
        """The id of each user with a new direct channel: the old one is deleted."""
        return [(user_id,) for user_id in self._direct]

    @property
    def direct(self) -> Iterable[DirectChannel]:
        """The direct channels."""
        return self._direct.values()

    @property
    def direct_channels(self) -> Rows:
        """User, channel and time of refusal of each direct channel."""
        return [(one.user_id, one.channel_id, one.closed_since) for one in self._direct.values()]

    @property
    def outdated_drafts(self) -> Rows:
        """The time before which drafts are deleted, if there is a new one."""
        return [(max(draft.at for draft in self._drafts.values()) - DRAFT_SECONDS,)] if self._drafts else []

    @property
    def replaced_drafts(self) -> Rows:
        """The id of each draft: an older one with it is deleted."""
        return [(draft_id,) for draft_id in self._drafts]

    @property
    def drafts(self) -> Rows:
        """Each draft, in the order of the schema's columns."""
        return [
            (one.draft_id, one.server_id, one.at, one.based_on, one.what) for one in self._drafts.values()
        ]

    @property
    def seen_parties(self) -> Rows:
        """Each party that was seen: what was stored of it is deleted."""
        return [(party,) for party in self._identities]

    @property
    def identities(self) -> Rows:
        """Each identity, in the order of the schema's columns."""
        return [
            (one.party, one.server_id, one.user_id, one.name, one.locale) for one in self._identities.values()
        ]

    @property
    def locales_chosen(self) -> Rows:
        """Locale and user of each choice of a language."""
        return [(one.locale, one.user_id) for one in self._locales_chosen.values()]

    @property
    def server_erasures(self) -> Rows:
        """Server and time of each planned or cancelled erasure of a server."""
        return [(one.server_id, one.at) for one in self._server_erasures.values()]

    @property
    def heads_posted(self) -> Rows:
        """Server and time of each posted head."""
        return [(one.server_id, one.at) for one in self._heads_posted.values()]

    @property
    def replaced_keys(self) -> Rows:
        """The name of the key that says which application the database belongs to, if that changes."""
        return [] if self._application is None else [(APPLICATION_KEY,)]

    @property
    def keys(self) -> Rows:
        """Name and value of that key."""
        if self._application is None or self._application.application_id is None:
            return []
        return [(APPLICATION_KEY, str(self._application.application_id).encode())]
