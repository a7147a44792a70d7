"""Random evenings on a disk that fails: nothing is lost, nothing happens twice, and every round ends.

A state machine over the croupier, the ledger and a modelled disk, in virtual time: tables share purses, many
requests come at once, and at any instant of the disk it fails, lies about a commit, or the process is killed.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from random import Random
from typing import Any, Final

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from bot.croupier.croupier import Croupier
from bot.croupier.gifts import Gift, GiftRefused, Gifts
from bot.croupier.identities import User
from bot.croupier.open_tables import ChannelTakenError, MemberErasedError, NoSuchTableError
from bot.croupier.privacy import ErasureRefused, NotErasable
from bot.croupier.seasons import SeasonEndsError
from bot.croupier.tournaments import EntryRefused
from bot.games.house import House
from bot.games.register import GAMES
from bot.ledger.changes import DirectChannel, NotAfter
from bot.ledger.errors import LedgerUnavailable, MemberErased, TooLate, Unstorable
from bot.rules.knobs import Play
from bot.table.commands import (
    Arrange,
    CloseTable,
    Deal,
    Join,
    KeepOpen,
    Leave,
    MemberCommand,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.decide import Decision, decide, wallets_needed
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState
from bot.table.tournament import Progress, Tournament, tournament_rules
from tests.databases import new_postgres_database
from tests.postgres_server import programs
from tests.simulation.bot import Bot, contained
from tests.simulation.disk import CALM_SECONDS, Disk, Trouble
from tests.simulation.disk_check import (
    WORDS,
    Database,
    book_check,
    committed_keys,
    content_of,
    openings,
    stored_members,
    stored_tables,
    traces_of,
    wrong_in_memory,
)
from tests.simulation.loop import VirtualLoop
from tests.simulation.server import FaultyServer
from tests.sizes import sized
from tests.table.trial_table import SEALED

SERVER: Final = 8
CHANNELS: Final = (700, 701)
ARENA: Final = 702
"""The channel of tournaments."""
MEMBERS: Final = 4
USERS: Final = 0x0B51D7 << 40
"""User ids begin here: large enough to be told from anything else in the bytes of a file."""
PLENTY: Final = 10**9
ANSWER_SECONDS: Final = 120.0
MEMORY: Final = Path("/dev/shm")


class Ending(StrEnum):
    """What else can happen at an instant of the disk."""

    KILLED = "killed"
    FORGETS = "forgets"
    """The next commit is carried out, and reported as failed."""
    GONE_AWAY = "gone away"
    """Who asks waits no longer."""


Fault = Trouble | Ending | None


class Outcome(Enum):
    """What a member was told."""

    DONE = "done"
    REFUSED = "refused"
    LATE = "late"
    """Nothing: they were told by Discord that it failed."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Wish:
    """What somebody asks for; `number` decides the rest.

    Attributes:
        what: `play`, `open`, `give`, `look` at the own chips, `erase`, a `season` that ends soon, or enter a
            `tournament` that starts soon.
        twice: whether it comes twice at once.
        seconds: how long until it is too late; None if it never is.
    """

    what: str
    member: int
    channel: int
    number: int
    twice: bool
    seconds: float | None


wishes = st.builds(
    Wish,
    what=st.sampled_from(
        ["play"] * 12 + ["tournament", "tournament", "give", "look", "erase", "erase", "season"]
    ),
    member=st.integers(0, MEMBERS - 1),
    channel=st.sampled_from(CHANNELS),
    number=st.integers(0, 10_000),
    twice=st.sampled_from([False] * 5 + [True]),
    seconds=st.sampled_from([None] * 5 + [-0.1, 0.003]),
)
faults: st.SearchStrategy[Fault] = st.sampled_from([None] * 8 + [*Trouble, *Ending, Ending.KILLED])


@dataclass
class Asked:
    """A request, with what is needed to judge its answers.

    Attributes:
        key: its key, however often it comes.
        seen: the command, its table, the index of the table's first state that it could meet, and when it
            was asked; None if it is no command.
        outcomes: all answers.
        states: the tables that the answers show.
    """

    key: str
    seen: tuple[MemberCommand, int, int, float] | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    states: list[TableState] = field(default_factory=list)


def command_of(party: int, table: TableState, number: int) -> MemberCommand:
    """What a member asks of a table: mostly what helps the round on."""
    rules, round_number, pick = table.rules, table.round_number, number // 10
    if number % 10 == 0:
        # A name in the words tells them apart in the bytes of a file.
        whims: list[MemberCommand] = [
            Leave(party),
            SitOut(party, round_number),
            WithdrawBet(party, round_number),
            SetClientSeed(party, f"{WORDS}{number}{party}."),
            CloseTable(party, manages=True),
            KeepOpen(party, manages=True),
            *(WithdrawSideBet(party, side.backed, round_number) for side in table.side_bets_of(party)),
        ]
        return whims[pick % len(whims)]
    match table.phase:
        case Phase.DEALT if pick % 3 == 0:
            return Arrange(party, (0, 1, 2 + pick % 3), round_number)
        case Phase.DEALT:
            return RevealHand(party, round_number)
        case Phase.OPEN if pick % 4 == 0:
            return PlayHouse(party, rules)
        case Phase.OPEN if table.game.rolls_for_bank:
            return RollForBank(party, (), rules) if table.has(party) else Join(party)
        case Phase.OPEN:
            return TakeBank(party, 1 + pick % 5, 5 + pick % 60, rules)
        case _ if table.is_banker(party):
            return Deal(party, (), round_number)
        case _ if table.bets and not table.has(party) and pick % 2:
            return PlaceSideBet(party, table.bets[0].party, 1 + pick % 40, round_number)
        case _:
            return PlaceBet(party, 1 + pick % 60, round_number)


class FaultyEvening(RuleBasedStateMachine):
    """Members, their tables, and a bot whose disk fails."""

    @initialize(
        seed=st.integers(0, 10_000),
        arrange=st.sampled_from(["automatic", "assisted"]),
        computers=st.sampled_from([0, 0, 2]),
        chips=st.sampled_from([300, 5000]),
    )
    def open(self, seed: int, arrange: str, computers: int, chips: int) -> None:
        hosting = {
            "last_call_seconds": 0,
            "betting_seconds": 30,
            "arranging_seconds": 30,
            "arrange": arrange,
            "computer_players": computers,
            "opening_chips": chips,
        }
        parent = MEMORY if MEMORY.is_dir() else None
        self.folder = Path(tempfile.mkdtemp(prefix="gnau-simulation-", dir=parent))
        self.loop = VirtualLoop(Random(seed))  # type: ignore[abstract]  # has what is used here of a loop
        self.path, self.disk = self._database(Random(seed))
        self.bot = Bot(self.path, self.loop, self.disk, Random(seed), House(hosting=hosting))
        self.stack = ExitStack()
        self.stack.enter_context(contained(self.bot, Random(seed)))
        self.key = 1000
        self.asked: list[Asked] = []
        self.users: list[User] = []
        self.owners: dict[int, int] = {}
        self.names: dict[int, set[str]] = {}
        self.erased: set[int] = set()
        self.asked_erasure: set[int] = set()
        self.gone_names: set[str] = set()
        self.gone_users: set[int] = set()
        self.books_checked: bytes | None = None
        for _ in range(MEMBERS):
            self._newcomer()
        self._run(self._start())

    def _database(self, random: Random) -> tuple[Database, Disk | FaultyServer]:
        """A new database, and what fails of it."""
        path = self.folder / "gnau.db"
        return path, Disk(random, path)

    # What happens

    @rule(
        wanted=st.lists(wishes, min_size=1, max_size=6),
        fault=faults,
        at=st.integers(1, 60),
        lasting=st.sampled_from([0.01, 20.0]),
    )
    def ask_at_once(self, wanted: list[Wish], fault: Fault, at: int, lasting: float) -> None:
        """Several members ask at once; a fault comes at one of the next instants of the disk."""
        self._run(self._ask_at_once(wanted, fault, at, lasting))

    @rule(seconds=st.sampled_from([1.0, 31.0, 600.0]), fault=faults, at=st.integers(1, 20))
    def pass_time(self, seconds: float, fault: Fault, at: int) -> None:
        """Time passes, and deadlines with it, on a disk that may fail meanwhile."""

        async def wait() -> None:
            self._watch_for(fault, at, [])
            await asyncio.sleep(seconds)
            await self._recover()

        self._run(wait())

    @rule()
    def restart(self) -> None:
        """The bot is stopped cleanly, and starts again."""

        async def again() -> None:
            await self.bot.stop()
            await self._check_books()
            await self.bot.start()

        self._run(again())

    @rule(channel=st.sampled_from(CHANNELS))
    def lose_channel(self, channel: int) -> None:
        """A channel is gone, and its table with it (B06)."""

        async def wind_up() -> None:
            assert self.bot.croupier is not None
            await self.bot.croupier.wind_up([t for t in self._tables().values() if t.channel_id == channel])

        self._run(wind_up())

    # How it is carried out

    async def _start(self) -> None:
        await self.bot.start()
        self.reading = AsyncExitStack()
        self.books = await self.reading.enter_async_context(book_check(self.disk))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Does something, and checks everything that holds at any time."""

        async def checked() -> None:
            await work
            await self._check()

        self.failed = True
        self.loop.run_until_complete(checked())
        self.failed = False

    async def _ask_at_once(self, wanted: list[Wish], fault: Fault, at: int, lasting: float) -> None:
        tasks: list[asyncio.Task[None]] = []
        self._watch_for(fault, at, tasks)
        for wish in wanted:
            self.key += 1
            asked = Asked(str(self.key))
            self.asked.append(asked)
            copies = [self._answered(wish, asked) for _ in range(1 + wish.twice)]
            tasks += [self.loop.spawn(self.bot.process, one) for one in copies]
        await asyncio.wait(tasks, timeout=ANSWER_SECONDS)
        if self.bot.croupier is not None:
            assert all(task.done() for task in tasks), "somebody got no answer"
            await asyncio.sleep(lasting)
        await self._recover()

    def _watch_for(self, fault: Fault, at: int, tasks: list[asyncio.Task[None]]) -> None:
        """Has a fault come at an instant of the disk."""
        left = at

        def watch(_statement: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                match fault:
                    case Trouble():
                        self.disk.trouble = fault
                    case Ending.KILLED:
                        self.bot.kill()
                    case Ending.FORGETS:
                        self.disk.forgets = True
                    case Ending.GONE_AWAY:
                        for task in tasks[:1]:
                            task.cancel()

        self.disk.watch = None if fault is None else watch

    async def _recover(self) -> None:
        """Ends the fault; starts the bot again if it was killed, and leaves it time for what failed."""
        self.disk.watch = self.disk.trouble = None
        self.disk.forgets = False
        if self.bot.croupier is None:
            await self.bot.stop()
            await self._check_books()
            await self.bot.start()
        await asyncio.sleep(CALM_SECONDS + 1)

    async def _answered(self, wish: Wish, asked: Asked) -> None:
        """Carries a wish out, and takes down the answer."""
        try:
            asked.outcomes.append(await self._carried_out(wish, asked))
        except (NoSuchTableError, ChannelTakenError, MemberErasedError, MemberErased, SeasonEndsError):
            asked.outcomes.append(Outcome.REFUSED)
        except TooLate:
            asked.outcomes.append(Outcome.LATE)
        except LedgerUnavailable:
            asked.outcomes.append(Outcome.UNKNOWN)
        except Unstorable:
            # A table whose failed write is on disk is known some seconds later.
            assert wish.what == "play"
            asked.outcomes.append(Outcome.UNKNOWN)
        except asyncio.CancelledError:
            asked.outcomes.append(Outcome.UNKNOWN)
            raise
        except Exception as error:
            if self.bot.croupier is not None:
                self.bot.broken.append(f"{wish} failed with {error!r}")

    async def _carried_out(self, wish: Wish, asked: Asked) -> Outcome:
        croupier = self.bot.croupier
        if croupier is None:
            return Outcome.UNKNOWN
        if wish.what == "erase":
            # Most are at a table, and must leave it first.
            for seated in croupier.tables.all():
                party = await self._party_of(wish.member)
                if seated.has(party):
                    key = f"{asked.key}:{seated.table_id}:{party}"
                    await croupier.ask(seated.table_id, Leave(party), party, key)
            return await self._erase(wish.member, wish.number)
        if wish.what == "season":
            await self._season(croupier, wish.number % 30)
            return Outcome.UNKNOWN
        until = None if wish.seconds is None else NotAfter(self.loop.time() + wish.seconds, self.loop.time)
        table = next((t for t in croupier.tables.all() if t.channel_id == wish.channel), None)
        party = await self._party_of(wish.member)
        if wish.what == "look":
            await croupier.wallets.purse(SERVER, party)
            await croupier.ledger.record(DirectChannel(self.owners[party], wish.number))
            return Outcome.UNKNOWN
        if wish.what == "give":
            other = (wish.member + 1) % MEMBERS
            await self._party_of(other)
            gift = Gift(SERVER, party, self.users[other], 1 + wish.number % 400)
            given = await Gifts(croupier).give(gift, asked.key, until)
            return Outcome.REFUSED if isinstance(given, GiftRefused) else Outcome.DONE
        if wish.what == "tournament":
            await self._enter(party, wish.number, asked.key, until)
            return Outcome.UNKNOWN
        if table is None:
            game = list(GAMES)[wish.number % len(GAMES)]
            play = Play.POINTS if wish.number % 7 == 0 else Play.CHIPS
            await croupier.open_table(
                SERVER, wish.channel, party, int(asked.key), game, play, not_after=until
            )
            return Outcome.DONE
        command = command_of(party, table, wish.number)
        asked.seen = command, table.table_id, max(len(self.bot.past[table.table_id]) - 1, 0), self.bot.now()
        answer = await croupier.ask(table.table_id, command, party, asked.key, until)
        if isinstance(answer, TableState):
            asked.states.append(answer)
        return Outcome.REFUSED if isinstance(answer, Refused) else Outcome.DONE

    async def _season(self, croupier: Croupier, seconds: float) -> None:
        """Begins a season at whose end chips start again, or has the one that is on end soon."""
        seasons = croupier.seasons
        season = await seasons.start(SERVER, "Season", None, resets=True) or seasons.running(SERVER)
        if season is not None:
            await seasons.set_end(season, self.bot.now() + seconds)

    async def _enter(self, party: int, number: int, key: str, until: NotAfter | None) -> None:
        """Enters a member for the tournament that starts next, which may then start early; or opens one."""
        tournaments, croupier = self.bot.tournaments, self.bot.croupier
        assert tournaments is not None
        assert croupier is not None
        running = await croupier.stored_tournaments.running()
        open_now = [one for one in running if one.progress is Progress.ENTERING]
        if open_now:
            entered = await tournaments.enter(open_now[0].tournament_id, party, key, until)
            if number % 10 == 0 and not isinstance(entered, EntryRefused):
                await tournaments.leave(entered.tournament_id, party, f"{key} again", until)
            elif number % 3:
                await tournaments.start_early(open_now[0].tournament_id, until)
            return
        game, starts_at = list(GAMES)[number % len(GAMES)], self.bot.now() + number % 60
        rules = tournament_rules(House(), game, 1000, number % 3)
        await tournaments.open(Tournament(int(key), SERVER, ARENA, party, rules, 50, 1000, 2, starts_at))

    # Members

    def _newcomer(self, at: int | None = None, user_id: int | None = None) -> None:
        """Somebody comes whom the bot has not met, or meets again under a new name."""
        self.key += 1
        user = User(user_id or USERS + self.key, f"Zoë-{self.key:09}", "de")
        self.names.setdefault(user.user_id, set()).add(user.name)
        if at is None:
            self.users.append(user)
        else:
            self.users[at] = user

    async def _party_of(self, member: int) -> int:
        assert self.bot.croupier is not None
        user = self.users[member]
        party = await self.bot.croupier.identities.party_of(SERVER, user)
        assert self.owners.setdefault(party, user.user_id) == user.user_id, f"party {party} is two members"
        return party

    async def _erase(self, member: int, number: int) -> Outcome:
        """Erases a member, who is replaced by somebody new or comes back under another name."""
        assert self.bot.privacy is not None
        user = self.users[member]
        party = {user_id: party for party, user_id in stored_members(self.path).users.items()}.get(
            user.user_id
        )
        if party is not None:
            self.owners[party] = user.user_id
        self.asked_erasure.add(user.user_id)
        done = await self.bot.privacy.erase(SERVER, user.user_id)
        stored = stored_members(self.path)
        if isinstance(done, ErasureRefused):
            if done.code is NotErasable.AT_A_TABLE:
                assert party is None or party in stored.users, "refused, and yet erased"
            return Outcome.UNKNOWN
        if party is not None:
            self.erased.add(party)
            assert party in stored.noted, "erased, and nothing was noted"
        if user.user_id not in stored.users.values() and self.users[member] == user:
            self.gone_names |= self.names.pop(user.user_id) - stored.names
            returns = number % 2 == 0
            if not returns:
                self.gone_users.add(user.user_id)
            self._newcomer(member, user.user_id if returns else None)
        return Outcome.UNKNOWN

    # What must hold

    def _tables(self) -> dict[int, TableState]:
        return stored_tables(self.path)

    async def _check_books(self) -> None:
        """Checks what the disk says, also while no bot runs, unless it is what was checked last."""
        if self.books_checked is None or content_of(self.path) != self.books_checked:
            assert await self.books.wrong() == []
            self.books_checked = content_of(self.path)

    async def _check(self) -> None:
        """Checks everything that holds at any time."""
        await self._check_books()
        assert self.bot.broken == []
        assert self.loop.complaints == []
        stored, committed = stored_members(self.path), committed_keys(self.path)
        for asked in self.asked:
            if Outcome.DONE in asked.outcomes and asked.key not in committed:
                assert self._had_nothing_to_do(asked), f"{asked} was acknowledged, and never happened"
            if asked.key in committed and asked.outcomes:
                told = set(asked.outcomes)
                assert not told <= {Outcome.REFUSED, Outcome.LATE}, f"{asked} was refused, and happened"
        # What this was asked for is judged: later answers do not change it.
        self.asked.clear()
        assert not self.erased & (stored.users.keys() | stored.chips), "who is erased is stored or has chips"
        gone = (self.owners.keys() - stored.users.keys()) | (stored.noted & self.owners.keys())
        assert {self.owners[party] for party in gone} <= self.asked_erasure, "erased, and never asked for it"
        if self.bot.croupier is not None:
            assert wrong_in_memory(self.path, self.disk, self.bot.croupier.ledger) == []

    def _had_nothing_to_do(self, asked: Asked) -> bool:
        """Whether there was a moment when a command had nothing to change."""
        if asked.seen is None:
            return False
        command, table_id, first, at = asked.seen
        for state in [*self.bot.past[table_id][first:], *asked.states]:
            rich = dict.fromkeys(wallets_needed(state, command, command.party), PLENTY)
            decided = decide(state, command, at, rich, SEALED)
            if isinstance(decided, Decision) and not decided.events:
                return True
        return False

    def teardown(self) -> None:
        """Ends all trouble: rounds end without help, erasures are finished, nothing is left of anybody."""
        if not hasattr(self, "stack"):
            return
        try:
            if not self.failed:
                self.loop.run_until_complete(self._end())
        finally:
            with self.stack:
                self.loop.run_until_complete(self.reading.aclose())
                self.loop.run_until_complete(self.bot.stop())
                shutil.rmtree(self.folder)

    async def _end(self) -> None:
        await self._recover()
        await asyncio.sleep(2 * 3600)
        croupier = self.bot.croupier
        assert croupier is not None
        tables = self._tables()
        for table in tables.values():
            assert table.phase is not Phase.DEALT, f"still in a round: {table}"
            assert table.phase is not Phase.BETTING or not table.can_be_dealt, f"never dealt: {table}"
        assert {table.table_id: table for table in croupier.tables.all()} == tables
        assert croupier.seasons.ending == [], "a season waits for ever"
        assert await croupier.stored_tournaments.running() == [], "a tournament goes on for ever"
        await croupier.wind_up(tables.values())
        assert self._tables() == {}
        await self._season(croupier, 0)
        await asyncio.sleep(60)
        assert croupier.seasons.running(SERVER) is None
        members = stored_members(self.path).users
        wallets = await croupier.ledger.wallets(SERVER, members)
        assert set(wallets.values()) <= {croupier.house_of(SERVER).rules().opening_chips}
        party = await self._party_of(0)
        await croupier.wallets.purse(SERVER, party)
        await asyncio.sleep(2 * CALM_SECONDS)
        await self._check()
        stored = stored_members(self.path)
        assert not stored.noted & (stored.users.keys() | stored.chips), "noted as erased, and never was"
        # Whose press was under way while they were erased is a newcomer, and nothing of theirs is a trace.
        users = self.gone_users - set(stored.users.values())
        assert traces_of(self.path, self.gone_names - stored.names, users) == []
        opened: dict[int, int] = {}
        for party, times in openings(self.path).items():
            owner = self.owners.get(party, -party)
            opened[owner] = opened.get(owner, 0) + times
        assert set(opened.values()) <= {1}, "somebody got opening chips twice"
        await self.bot.stop()
        await self._check_books()
        assert await self.books.wrong_in_records() == []


TestFaultyEvening = FaultyEvening.TestCase
TestFaultyEvening.settings = settings(
    max_examples=sized(2, 12),
    stateful_step_count=sized(20, 30),
    # To make an evening smaller takes longer than a test may; the blob that is printed repeats it.
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.reuse, hypothesis.Phase.generate),
)


class FaultyServerEvening(FaultyEvening):
    """The same, where the database is on a PostgreSQL server."""

    def _database(self, random: Random) -> tuple[Database, Disk | FaultyServer]:
        address = new_postgres_database()
        return address, FaultyServer(random, address)


@pytest.mark.thorough
@pytest.mark.skipif(programs() is None, reason="there is no PostgreSQL server for this system on PyPI")
class TestFaultyServerEvening(FaultyServerEvening.TestCase):  # type: ignore[misc, valid-type]  # Hypothesis's
    settings = settings(TestFaultyEvening.settings, max_examples=sized(2, 4))
