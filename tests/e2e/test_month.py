"""A month as members use it, day by day: what boards and profiles say at its end is what the ledger says."""

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import cast

import pytest

from bot.clock import WEEK_SECONDS
from bot.croupier.rounds import every_settled_round
from bot.ledger.records import Entry
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.accounts import OF_PLAY
from bot.table.standings import BY_DAY, EVERY, Period, Standing, Tally, period_name
from bot.table.state import NOBODY
from bot.words.translation import english, signed
from cogs import reminders
from cogs.leaderboard import LeaderboardCog
from cogs.reminders import RemindersCog
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_breaks import pause
from tests.e2e.test_privacy import erase

DAYS = 31
DAY = 86_400
GAMES = ("gnau", "niu-niu", "tau-ngau")
READY = "Your daily chips in"
EVERYTHING = 1 << 20
PLACE = re.compile(r"(?:[🥇🥈🥉]|` *\d+`) (?P<who>.*?)(?: · ↑ \d+)?")


class Month:
    """The days of some members in a server.

    Attributes:
        people: those who play, without the erased one from the day on.
        posted: what the leaderboard of each week that was posted is to say.
    """

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self.people = evening.persons("Mei", "Alice", "Bob", "Chan", "Dora")
        self.posted: list[list[str]] = []
        self._chance = Random(31)
        self._day = 0

    def turn_clock(self) -> None:
        """Sets the bot's clock, also after a restart."""
        ahead = self._day * DAY
        self._evening.bot.croupier.now = lambda: time.time() + ahead

    async def play(self) -> None:
        """Lets the month pass."""
        evening = self._evening
        _, alice, bob, chan, _ = self.people
        answer = message_of(await alice.slash(evening.channel, "daily"))
        await alice.click(answer, "Remind me of chips")
        for self._day in range(DAYS):
            if self._day == 17:
                await evening.restart()
            self.turn_clock()
            await self._week()
            if self._day:
                await self._reminded(alice, self._day)
            if self._day == 3:
                await pause(evening, bob, "Pause a week")
            pauses = 3 <= self._day < 10
            if pauses:
                told = said(await bob.slash(evening.channel, "table open"))
                assert told.startswith("You are taking a break."), told
            if self._day == 20:
                await erase(evening, chan, await evening.told_alone(chan, "privacy erase"))
                self.people.remove(chan)
            await self._rounds([one for one in self.people if one is not bob or not pauses])
        await evening.settle_down()

    async def _reminded(self, person: Person, times: int) -> None:
        """Once a day they are told of their chips, and take them."""
        look = cast("RemindersCog", self._evening.bot.get_cog("Reminders")).look
        await look()
        await look()
        told = [one for one in person.sees(person.dm()) if READY in one.text]
        assert len(told) == times, self._day
        assert "You get" in said(await person.click(told[-1], "Take chips"))

    async def _week(self) -> None:
        """Looks twice whether the leaderboard of a week is due, as the bot itself does all day."""
        evening = self._evening
        posting = cast("LeaderboardCog", evening.bot.get_cog("LeaderboardCog"))
        seen = len(evening.person("Zed").sees(evening.other_channel))
        await evening.counted()
        await posting.post_weeks()
        await posting.post_weeks()
        boards = evening.person("Zed").sees(evening.other_channel)[seen:]
        if boards:
            week = period_name(Period.WEEK, evening.bot.croupier.now() - WEEK_SECONDS)
            net: list[tuple[int, Person]] = []
            for person in self.people:
                played = await self.played(person)
                net.append((sum(one.chips for one in played if in_period(one, week)), person))
            due = [f"{one.name} · {signed(chips)}" for chips, one in sorted(net, key=lambda one: -one[0])]
            self.posted.append(due)
            (board,) = boards
            shown = places(board)
            gained = sum(chips > 0 for chips, _ in net)
            assert sorted(shown) == sorted(due[:gained]), week

    async def _rounds(self, people: list[Person]) -> None:
        """An evening of a few rounds at one table, with another game each day."""
        evening, game = self._evening, GAMES[self._day % len(GAMES)]
        first, *others = self._chance.sample(people, self._chance.randint(2, len(people)))
        for person in self._chance.sample(people, 2):
            await person.slash(evening.channel, "daily")
        board = await evening.open_table(first, game=game)
        if game == "tau-ngau":
            banker, players = await evening.roll_dice(board, first, *others)
        else:
            await evening.take_bank(first, board)
            banker, players = first, others
            for person in players:
                await evening.press(person, board, "Join")
        for number in range(1, self._chance.randint(2, 4)):
            for player in players:
                await player.slash(evening.channel, "bet", amount=self._chance.choice((5, 20, 35)))
            await evening.have_cards(*players, rounds=number)
            await evening.reveal(board, banker, *players)
            banker, players = evening.banker_and_players()
        await banker.slash(evening.channel, "table close")

    async def played(self, person: Person) -> list[Entry]:
        """What rounds for chips brought a member, by the ledger."""
        ledger = self._evening.bot.croupier.ledger
        entries = await ledger.entries(self._evening.server.id, self._evening.party(person), EVERYTHING)
        return [one for one in entries if one.reason in OF_PLAY]


def in_period(entry: Entry, period: str) -> bool:
    """Whether a round was settled in a period."""
    return period in {period_name(one, entry.at) for one in Period}


def by_round(entries: Iterable[Entry]) -> list[int]:
    """What each of the rounds brought."""
    brought: defaultdict[tuple[int | None, int | None], int] = defaultdict(int)
    for one in entries:
        brought[one.table_id, one.round_number] += one.chips
    return list(brought.values())


def places(board: Message) -> list[str]:
    """The members of a leaderboard, each with what they have."""
    return [found["who"] for found in map(PLACE.fullmatch, board.text.splitlines()) if found is not None]


@pytest.mark.thorough
async def test_after_a_month_boards_and_profiles_say_what_the_ledger_says(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "PAUSE_SECONDS", 0.0)
    # Enough that no bet of the month is refused.
    evening.chip_settings = {"weekly_board": (evening.other_channel.id,), "opening_chips": 10_000}
    evening.expect_haste()
    month = Month(evening)
    chan = month.people[3]
    await month.play()
    assert len(month.posted) >= DAYS // 7 - 1
    month.turn_clock()
    croupier = evening.bot.croupier
    ledger, server_id = croupier.ledger, evening.server.id
    zed = evening.person("Zed")

    async def stored() -> tuple[list[Standing], list[Tally], list[object]]:
        """Everything that boards and profiles are made of."""
        parties = [evening.party(one) for one in month.people]
        standings = [one for party in (*parties, NOBODY) for one in await ledger.standings_of(party)]
        tallies = [one for party in parties for one in await ledger.tallies_of(server_id, party)]
        return standings, tallies, [await ledger.reached_by(server_id, party) for party in parties]

    await evening.counted()
    board = message_of(await zed.slash(evening.channel, "leaderboard", of="net"))
    net: dict[str, int] = {}
    for person in month.people:
        played = await month.played(person)
        party = evening.party(person)
        net[person.name] = sum(one.chips for one in played)
        for standing in await ledger.standings_of(party):
            if standing.game == EVERY:
                of_period = [one for one in played if in_period(one, standing.period)]
                assert (standing.net or 0) == sum(one.chips for one in of_period)
                assert (standing.biggest or 0) == max(0, *by_round(of_period), 0)
        days: defaultdict[int, int] = defaultdict(int)
        for one in played:
            days[int(one.at // DAY)] += one.chips
        tallies = await ledger.tallies_of(server_id, party)
        assert {one.item: one.net for one in tallies if one.part == BY_DAY and one.net} == {
            day: chips for day, chips in days.items() if chips
        }
        profile = message_of(await zed.slash(evening.channel, "profile", member=person)).text
        purse = await ledger.purse(server_id, party)
        assert f"**{purse.total:,} chips** now · **{signed(net[person.name])}** by playing" in profile
        best = max(days.values())
        assert (f"Best day (UTC): {signed(best)}" in profile) is (best > 0)
        reached = [one.achievement for one in await ledger.reached_by(server_id, party)]
        assert all(english(f"achievement.{one}") in profile for one in reached)
    assert reached, "a month brings achievements"
    assert sorted(places(board)) == sorted(f"{name} · {signed(chips)}" for name, chips in net.items())
    rounds = [past async for _, past in every_settled_round(ledger)]
    assert len(rounds) >= DAYS
    by_luck = message_of(await zed.slash(evening.channel, "leaderboard", of="luck"))
    of_server = await ledger.standing(server_id, NOBODY)
    assert of_server is not None
    assert of_server.rounds == len(rounds)
    assert ("All players of this server together" in by_luck.text) is (of_server.deviations is not None)
    for of in ("chips", "net", "biggest", "rounds", "best", "points", "luck"):
        assert chan.name not in message_of(await zed.slash(evening.channel, "leaderboard", of=of)).text
    assert evening.party(chan) == NOBODY
    before = await stored()
    await croupier.standings.clear()
    async for _ in croupier.standings.count_all():
        pass
    assert await stored() == before
