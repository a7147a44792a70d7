"""Computes the rows that a batch of changes writes, in memory; each change completely or not at all.

What it needs of the database is in the writer's cache, or looked up before it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from bot.ledger.chain import GENESIS, event_hasher, house_hasher, transfer_hasher
from bot.ledger.changes import Ban, Change, Erasure, Fact, Identity, PlanChanged, opening_key
from bot.ledger.errors import (
    AlreadyDone,
    ChipsHeld,
    ChipsLeft,
    InsufficientChips,
    LedgerError,
    MemberErased,
    MoreToReset,
    StaleBalance,
    StaleGifts,
    StaleHouse,
    StaleTable,
    Unstorable,
)
from bot.ledger.memory import Committed, Gain
from bot.ledger.schema import LARGEST
from bot.table.accounts import (
    MINT,
    OF_PLAY,
    OVERDRAWN,
    Account,
    AccountKind,
    Move,
    Reason,
    loser_and_gainer,
    owner_of,
    wallet,
)
from bot.table.standings import SETTLED
from bot.table.state import THE_HOUSE

AccountKey = tuple[int, str]
TableKey = tuple[int, int]
"""The server's id, and the account's name or the table's id."""
Head = tuple[int, bytes]
"""The number and the hash of the last link of a chain, event of a table or change of a house."""

MOST_RESET: Final = 2_000
"""How many wallets one transaction resets: other writes wait meanwhile, and nothing waits for seconds."""
MAX_CACHED: Final = 100_000
"""The most accounts, and the most tables, in the cache; it starts empty again beyond that."""


@dataclass(slots=True)
class WriteCache:
    """What the database has. A missing entry must be looked up.

    Attributes:
        answers: by committed key, the stored answer.
        heads: by server, the number and hash of the last link of its chain.
        balances: by account, its chips.
        last_events: by table, the number and hash of its last event.
        houses: by server, the number and hash of its last change of house rules.
        gifts: by server, the link of its last gift, where the batch asks for it.
        resets: by server, the wallets with other chips than the batch resets them to; not all of them if
            they are more than `MOST_RESET`.
        holds: by server, what is held at its tables, where the batch resets wallets.
        erased: the parties that were erased since the start. It is never looked up, and never dropped.
    """

    answers: dict[str, str | None] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)
    balances: dict[AccountKey, int] = field(default_factory=dict)
    last_events: dict[TableKey, Head] = field(default_factory=dict)
    houses: dict[int, Head] = field(default_factory=dict)
    gifts: dict[int, int] = field(default_factory=dict)
    resets: dict[int, list[Account]] = field(default_factory=dict)
    holds: dict[int, list[Account]] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)

    def drop(self, servers: Collection[int]) -> None:
        """Drops what is known of some servers, because another process has written there."""
        self.forget_asked()
        for by_server in (self.heads, self.houses):
            for server_id in servers:
                by_server.pop(server_id, None)
        self.balances = {place: chips for place, chips in self.balances.items() if place[0] not in servers}
        self.last_events = {one: last for one, last in self.last_events.items() if one[0] not in servers}

    def trim(self) -> None:
        """Drops what hardly ever is asked again, and whatever has grown too large."""
        self.forget_asked()
        for cached in (self.balances, self.last_events):
            if len(cached) > MAX_CACHED:
                cached.clear()

    def forget_asked(self) -> None:
        """Drops what is looked up for each batch again."""
        for of_batch in (self.answers, self.gifts, self.resets, self.holds):
            of_batch.clear()


@dataclass(frozen=True, slots=True)
class PreparedChange:
    """A change with the names of sources and targets, and the chips that each account gains or loses."""

    change: Change
    names: list[tuple[str, str]]
    accounts: dict[str, Account]
    differences: dict[str, int]


def prepare(change: Change) -> PreparedChange:
    """Sums up the moves of a change."""
    names: list[tuple[str, str]] = []
    accounts: dict[str, Account] = {}
    differences: dict[str, int] = {}
    for move in change.moves:
        source, target, chips = str(move.source), str(move.target), move.chips
        accounts[source], accounts[target] = move.source, move.target
        differences[source] = differences.get(source, 0) - chips
        differences[target] = differences.get(target, 0) + chips
        names.append((source, target))
    return PreparedChange(change, names, accounts, differences)


@dataclass(slots=True)
class CacheMisses:
    """Everything that some changes need and the cache lacks."""

    keys: set[str] = field(default_factory=set)
    servers: set[int] = field(default_factory=set)
    accounts: set[AccountKey] = field(default_factory=set)
    tables: set[int] = field(default_factory=set)
    houses: set[int] = field(default_factory=set)
    gifts: set[tuple[int, int]] = field(default_factory=set)
    resets: set[tuple[int, int]] = field(default_factory=set)


def cache_misses(prepared: Iterable[PreparedChange], cache: WriteCache) -> CacheMisses:
    """What must be looked up before these changes can be added to a batch."""
    misses = CacheMisses()
    for work in prepared:
        change = work.change
        server_id, table = change.server_id, change.table
        misses.keys.add(change.key)
        if server_id not in cache.heads:
            misses.servers.add(server_id)
        names = [*work.accounts, *(str(wallet(one.party)) for one in change.erasures)]
        if change.reset_to is not None:
            misses.resets.add((server_id, change.reset_to))
            names.append(str(MINT))
        misses.accounts.update(place for name in names if (place := (server_id, name)) not in cache.balances)
        if table is not None and (server_id, table.table_id) not in cache.last_events:
            misses.tables.add(table.table_id)
        if change.house is not None and server_id not in cache.houses:
            misses.houses.add(server_id)
        if change.no_gift_since is not None:
            misses.gifts.add((server_id, change.no_gift_since))
    return misses


NO_LINK: Final[Head] = (0, GENESIS)
"""What a chain, a table or a house has before its first link."""
Rows = list[tuple[Any, ...]]
"""The parameters of a statement, one tuple per execution."""


class Batch:
    """The rows of several changes; each change sees the effects of those before it.

    Args:
        cache: what the database has before the first change; not modified until `update_cache`.

    Attributes:
        outcomes: in order, what `add` returned for each change, None for each fact, or the refusal.
        named: the members for whom something is stored that is refused to who is erased.
        moved: by server, the number and hash of its chain's last link before the batch and after it.
    """

    def __init__(self, cache: WriteCache) -> None:
        self.outcomes: list[LedgerError | bytes | None] = []
        self.named: set[int] = set()
        self.moved: dict[int, tuple[Head, Head]] = {}
        self.facts: list[Fact] = []
        self._cache = cache
        self._after = WriteCache()
        self._accounts: dict[AccountKey, Account] = {}
        self._tables: dict[int, tuple[Change, float]] = {}
        self.transfers: list[tuple[Any, ...]] = []
        self.events: Rows = []
        self.uncounted: Rows = []
        self.commands: Rows = []
        self.house_changes: Rows = []
        self.seed_words: Rows = []
        self.admin_notes: Rows = []
        self.spent_openings: Rows = []
        self.erased: Rows = []
        self.erased_members: Rows = []
        self.erased_users: list[int] = []

    def update_cache(self) -> None:
        """Applies the batch to the cache; call it after the commit."""
        cache, after = self._cache, self._after
        cache.heads.update(after.heads)
        cache.balances.update(after.balances)
        cache.last_events.update(after.last_events)
        cache.houses.update(after.houses)
        cache.trim()

    def note_erased(self) -> None:
        """Notes in the cache who is erased; call it before the commit, which may be on disk even if it fails.

        Nobody gives chips to somebody of whom it is uncertain whether they are erased.
        """
        self._cache.erased.update(self._after.erased)

    def record(self, fact: Fact) -> None:
        """Adds a fact; if it raises MemberErased, the batch is unchanged."""
        if isinstance(fact, Identity | Ban):
            for party in (fact.party, getattr(fact, "admin", None)):
                if party is not None:
                    self._refuse_erased(party)
        self.facts.append(fact)

    def add(self, work: PreparedChange) -> bytes | None:
        """Adds a change; if it raises a LedgerError, the batch is unchanged.

        Returns:
            The hash of its table's last event; without a table, that of its change of house rules, or None.
        """
        change = work.change
        key, server_id, table, house = change.key, change.server_id, change.table, change.house
        cache, after = self._cache, self._after
        for answers in (cache.answers, after.answers):
            if key in answers:
                raise AlreadyDone(key, answers[key])
        last_hash = GENESIS
        if table is not None:
            place = (server_id, table.table_id)
            stored, last_hash = _current(place, after.last_events, cache.last_events, NO_LINK)
            follows = table.sequence - len(change.events)
            # After a failover, another event may have that number.
            if stored != follows or change.last_hash not in (None, last_hash):
                raise StaleTable(table.table_id, stored, follows)
        if house is not None:
            changes, last_house = _current(server_id, after.houses, cache.houses, NO_LINK)
            if changes != house.number - 1 or house.last_hash not in (None, last_house):
                raise StaleHouse(server_id, changes, house.number - 1)
        if change.no_gift_since is not None and cache.gifts.get(server_id, 0) > change.no_gift_since:
            raise StaleGifts(server_id)
        if change.target_has is not None:
            target = str(change.moves[0].target)
            has = _current((server_id, target), after.balances, cache.balances, 0)
            if has != change.target_has:
                raise StaleBalance(target, has, change.target_has)
        if change.reset_to is not None:
            is_last, moves = change.season is not None, self._resets(change, change.reset_to)
            if is_last and len(self._cache.resets.get(server_id, ())) > MOST_RESET:
                raise MoreToReset(server_id)
            work = prepare(replace(change, moves=(*change.moves, *moves)))
            change = work.change
        if table is None:
            self._check_erased(work)
        for words in change.words:
            self._refuse_erased(words.party)
        if change.newcomer is not None:
            self._refuse_erased(change.newcomer)
        if house is not None:
            self._refuse_erased(house.party)
        if (note := change.note) is not None:
            self._refuse_erased(note.admin)
        if work.names:
            self._move(work)
        self._chain(work)
        after.answers[key] = change.answer
        self.commands.append((key, server_id, table and table.table_id, change.at, change.answer))
        self.seed_words.extend((one.client_seed, one.party, one.salt, one.words) for one in change.words)
        if note is not None:
            self.admin_notes.append((key, note.party, note.admin, note.words))
        for one in change.erasures:
            self._erase(server_id, one)
        if change.tournament is not None:
            self.facts.append(change.tournament)
        if change.plan is not None:
            self.facts.append(PlanChanged(change.plan, None))
        if change.season is not None:
            self.facts.append(change.season)
        if house is not None:
            house_hash: bytes = self.house_changes[-1][-1]
            after.houses[server_id] = (house.number, house_hash)
            if table is None:
                return house_hash
        if table is not None:
            table_id = table.table_id
            if change.events:
                last_hash = self.events[-1][-1]
            after.last_events[place] = (table.sequence, last_hash)
            opened = self._tables[table_id][1] if table_id in self._tables else change.at
            self._tables[table_id] = (change, opened)
        return last_hash if table is not None else None

    def _resets(self, change: Change, chips: int) -> Iterator[Move]:
        """Moves that give every member these chips; refused while any are held at a table that goes on."""
        server_id = change.server_id
        after, cached = self._after.balances, self._cache.balances
        erased = self._after.erased | self._cache.erased
        new = (account for (where, _), account in self._accounts.items() if where == server_id)
        wallets, holds = (found.get(server_id, []) for found in (self._cache.resets, self._cache.holds))
        for account in dict.fromkeys([*holds, *wallets[:MOST_RESET], *new]):
            place, party = (server_id, str(account)), account.party
            has = _current(place, after, cached, 0)
            if account.kind is AccountKind.HOLD and has and account.table_id not in change.unreadable:
                raise ChipsHeld(server_id)
            is_members = account.kind is AccountKind.WALLET and party != THE_HOUSE
            if is_members and has != chips and party not in erased:
                source, target = (MINT, account) if chips > has else (account, MINT)
                yield Move(source, target, abs(chips - has), Reason.SEASON)

    def _check_erased(self, work: PreparedChange) -> None:
        """Refuses gifts and opening chips of erased members, and erasures that leave chips behind."""
        change, cache, after = work.change, self._cache, self._after
        if change.erasures:
            for one in change.erasures:
                name = str(wallet(one.party))
                before = _current((change.server_id, name), after.balances, cache.balances, 0)
                if chips := before + work.differences.get(name, 0):
                    raise ChipsLeft(one.party, chips)
        elif not all(move.reason is Reason.ERASED for move in change.moves):
            for account in work.accounts.values():
                if account.party is not None:
                    self._refuse_erased(account.party)

    def _refuse_erased(self, party: int) -> None:
        if party in self._cache.erased or party in self._after.erased:
            raise MemberErased(party)
        self.named.add(party)

    def _erase(self, server_id: int, erasure: Erasure) -> None:
        self._after.erased.add(erasure.party)
        self.facts = [
            one for one in self.facts if not (isinstance(one, Identity) and one.party == erasure.party)
        ]
        self.erased.append((erasure.party,))
        self.erased_members.append((server_id, erasure.party))
        self.erased_users.append(erasure.user_id)
        opening = opening_key(server_id, erasure.party)
        self.spent_openings.append((server_id, erasure.opening, erasure.until, opening))

    def _move(self, work: PreparedChange) -> None:
        server_id, accounts = work.change.server_id, work.accounts
        after, cached = self._after.balances, self._cache.balances
        balances: dict[AccountKey, int] = {}
        for name, difference in work.differences.items():
            place = (server_id, name)
            before = after[place] if place in after else cached.get(place, 0)
            balance = balances[place] = before + difference
            if balance < 0 and accounts[name].kind not in OVERDRAWN:
                raise InsufficientChips(accounts[name], before, -balance)
            if not -LARGEST - 1 <= balance <= LARGEST:
                raise Unstorable(
                    work.change.key, f"{name} would have {balance} chips, more than 64 bits hold"
                )
        after.update(balances)
        self._accounts.update(zip(balances, accounts.values(), strict=True))

    def _chain(self, work: PreparedChange) -> None:
        """Appends the change to its server's chain: transfers, then events, then the house rules."""
        change, house = work.change, work.change.house
        server_id, key, at = change.server_id, change.key, change.at
        table_id = change.table.table_id if change.table else None
        owners = {name: owner_of(account) for name, account in work.accounts.items()}
        link, head = _current(server_id, self._after.heads, self._cache.heads, NO_LINK)
        transfer = transfer_hasher(server_id, table_id, at, key)
        for (source, target), move in zip(work.names, change.moves, strict=True):
            link += 1
            # Not `reason.value`: that property takes half as long as a hash.
            chips, reason, number = move.chips, move.reason._value_, move.round_number
            head = transfer(head, link, source, target, chips, reason, number)
            sides = loser_and_gainer(owners[source], owners[target])
            self.transfers.append(
                (server_id, link, source, target, *sides, chips, reason, table_id, number, key, at, head)
            )
        event = event_hasher(server_id, table_id or 0, at, key)
        for one in change.events:
            link += 1
            sequence, number, kind, body = one.sequence, one.round_number, one.kind, one.body
            head = event(head, link, sequence, number, kind, body)
            self.events.append((table_id, sequence, link, number, kind, body, key, at, head))
            if kind == SETTLED:
                self.uncounted.append((server_id, link, table_id, sequence))
        if house is not None:
            link += 1
            number, party, what, after = house.number, house.party, house.what, house.house
            head = house_hasher(server_id, at, key)(head, link, number, party, what, after)
            self.house_changes.append((server_id, number, link, party, at, key, what, after, head))
        if link:
            self._after.heads[server_id] = (link, head)
            self.moved[server_id] = (self._cache.heads.get(server_id, NO_LINK), (link, head))

    @property
    def committed(self) -> list[Committed]:
        """The balance of each account that chips moved to or from."""
        return [(place[0], account, self._after.balances[place]) for place, account in self._accounts.items()]

    @property
    def gains(self) -> Iterator[Gain]:
        """What members gained and lost by playing, in order."""
        for server_id, _, source, target, loser, gainer, chips, reason, *_, at, _ in self.transfers:
            if reason in OF_PLAY:
                if loser is not None:
                    yield Gain((server_id, loser), -chips, at, target if reason == Reason.ENTRY else None)
                if gainer is not None:
                    pot = source if reason == Reason.ENTRY_RETURNED else None
                    yield Gain((server_id, gainer), chips, at, pot)

    @property
    def new_accounts(self) -> Rows:
        """Each new account, in the order of the schema's columns."""
        return [
            (*place, account.kind.value, account.party, account.table_id, self._after.balances[place])
            for place, account in self._accounts.items()
            if place not in self._cache.balances
        ]

    @property
    def balances(self) -> Rows:
        """Balance, server and name of each existing account whose balance changed."""
        cached = self._cache.balances
        return [
            (balance, *place)
            for place, balance in self._after.balances.items()
            if place in cached and cached[place] != balance
        ]

    @property
    def new_heads(self) -> Rows:
        """Server, last link and head of each new chain, by server."""
        return [(server_id, *head) for server_id, head in self._heads if server_id not in self._cache.heads]

    @property
    def moved_heads(self) -> Rows:
        """Last link, head, server and the head before of each chain that grew, by server."""
        before = self._cache.heads
        return [
            (*head, server_id, before[server_id][1]) for server_id, head in self._heads if server_id in before
        ]

    @property
    def _heads(self) -> list[tuple[int, tuple[int, bytes]]]:
        # In the same order in every process, so that no two wait for each other.
        return sorted(self._after.heads.items())

    @property
    def tables(self) -> Rows:
        """Each table, in the order of the schema's columns, without those of its board."""
        return [
            (
                table_id,
                table.server_id,
                table.number,
                table.channel_id,
                table.is_open,
                table.is_playing,
                table.state,
                table.sequence,
                opened,
                None if table.is_open else change.at,
                table.game,
            )
            for table_id, (change, opened) in self._tables.items()
            if (table := change.table) is not None
        ]

    @property
    def touched_tables(self) -> Rows:
        """The id of each table in the batch: its previous deadline is deleted."""
        return [(table_id,) for table_id in self._tables]

    @property
    def deadlines(self) -> Rows:
        """Table and time of each new deadline."""
        return [
            (table_id, change.deadline)
            for table_id, (change, _) in self._tables.items()
            if change.deadline is not None
        ]


Name = TypeVar("Name")
Value = TypeVar("Value")


def _current(name: Name, after: Mapping[Name, Value], before: Mapping[Name, Value], absent: Value) -> Value:
    """The value after the batch so far, else the one before it, else the default."""
    return after[name] if name in after else before.get(name, absent)
