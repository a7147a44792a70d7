"""A tournament of a house, for tests from the croupier down."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.croupier.tournaments import (
    EntryRefused,
    Tournaments,
)
from bot.ledger.changes import Ban, Identity, TournamentChanged
from bot.rules.house_rules import HouseRules
from bot.table.tournament import CancelReason, Tournament, tournament_rules
from tests.croupier.croupier_house import MEI, SERVER, House, fresh

ENTRY = 100
CHANNEL = 4000


async def thread(tournament: Tournament, number: int) -> int:
    """The id of a thread, always the same."""
    return (tournament.tournament_id << 10) + (tournament.stage << 6) + number


async def no_thread(tournament: Tournament, number: int) -> None:
    """A thread that cannot be made."""


class Arena:
    """A tournament of a house, which starts in a minute."""

    def __init__(self, house: House, channel: int = CHANNEL) -> None:
        self.house = house
        self.channel = channel
        self.id = fresh()

    @property
    def tournaments(self) -> Tournaments:
        return Tournaments(self.house.croupier)

    async def open(self, *entrants: int, rounds: int = 2, entry: int = ENTRY) -> None:
        one = Tournament(
            self.id, SERVER, self.channel, MEI, self.rules(), entry, 1000, rounds, self.house.now + 60
        )
        assert await self.tournaments.open(one) == one
        for party in entrants:
            await self.know(party)
            assert isinstance(await self.enter(party), Tournament)

    def rules(self) -> HouseRules:
        return tournament_rules(self.house.croupier.house_of(SERVER), "gnau", 1000, 0)

    async def know(self, party: int) -> None:
        identity = Identity(party, SERVER, party, f"Member {party}", "en-US")
        await self.house.ledger.record(identity)
        await self.house.croupier.identities.load([party])

    async def ban(self, party: int) -> None:
        digest = await self.house.ledger.opening_digest(SERVER, party)
        await self.house.croupier.barred.ban(Ban(SERVER, digest, self.house.now, None, party, MEI, ""))

    async def enter(self, party: int) -> Tournament | EntryRefused:
        return await self.tournaments.enter(self.id, party, str(fresh()))

    async def go_on(self) -> Tournament:
        found = await self.now()
        return await self.tournaments.go_on(found, thread)

    async def cancel(self) -> Tournament:
        asked = await self.tournaments.to_cancel(self.id)
        assert asked is not None
        return await self.tournaments.cancel(self.id, CancelReason.ADMIN, asked.moment)

    async def now(self) -> Tournament:
        found = await self.tournaments.get(self.id)
        assert found is not None
        return found

    async def play_out(self) -> Tournament:
        """Lets time pass until it is over; the bot is stopped and starts again between any two steps."""
        for _ in range(200):
            self.house.now += 61
            await self.house.restart()
            one = await self.go_on()
            if not one.is_running:
                return one
        raise AssertionError(f"it never ends: {one}")

    @asynccontextmanager
    async def unreadable(self) -> AsyncIterator[None]:
        """Makes its row one that this version cannot read, for a while."""
        row = await self.house.ledger.tournament(self.id)
        assert row is not None
        broken = replace(row, state="{}")
        await self.house.ledger.record(TournamentChanged(row, broken))
        yield
        await self.house.ledger.record(TournamentChanged(broken, row))

    async def identity_of(self, party: int) -> Identity:
        return (await self.house.ledger.identities([party]))[party]

    async def wallets(self, parties: Iterable[int]) -> dict[int, int]:
        return await self.house.ledger.wallets(SERVER, list(parties))


async def begin_ending_season(house: House, *, resets: bool) -> None:
    """Begins a season whose end has come."""
    seasons = house.croupier.seasons
    season = await seasons.start(SERVER, "Spring", None, resets=resets)
    assert season is not None
    await seasons.set_end(season, house.now)
