"""Verifies the ledger against the tables' events: replays every table with the code that made the events.

The ledger's audit does not interpret states and events. The replay does: it recomputes each table's state,
each command's transfers, and each round's result. So a later version must not change what a stored event
means, or the tables of earlier versions no longer verify.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import fields
from itertools import zip_longest
from typing import Final, NamedTuple, Self

from pydantic import ValidationError

from bot.croupier.standings import standing_problems
from bot.croupier.stored_tables import wrong_columns
from bot.ledger.audit import Finding
from bot.ledger.changes import TOURNAMENT_KEY, claim_key, claims_of
from bot.ledger.journal import StoredCommand, StoredTransfer, commands_without_effect, stored_commands
from bot.ledger.queries import Queries
from bot.ledger.records import StoredEvent, StoredTable
from bot.rules.house_rules import PassedOver
from bot.rules.shuffle import roll, seeded_random
from bot.table.accounts import HANDOUTS, HOUSE, MINT, OF_TOURNAMENTS, AccountKind, Move, Reason, pot, wallet
from bot.table.bank import dice_needed, throw
from bot.table.commands import Deal
from bot.table.commitment import Entropy, with_pieces_and_dice
from bot.table.dealing import round_result
from bot.table.decide import Decision, decide
from bot.table.events import DiceRolled, Event, HandsDealt, RoundSettled, parse_event
from bot.table.evolve import evolve, moves_of
from bot.table.round_proof import first_mismatch
from bot.table.round_record import dice_sheet, record_of, seeds_on
from bot.table.state import THE_HOUSE, Opening, RoundResult, TableState, parse_state

MAX_SHOWN: Final = 120
"""How many characters of a wrong value are shown."""
MAX_ID_DIGITS: Final = 20
"""The digits of the largest Discord id, which has 64 bits."""


def is_dealt_from_secret(before: TableState, dealt: HandsDealt, at: float, key: str) -> bool:
    """Whether these hands follow from the table's secret."""
    deal = with_pieces_and_dice(before, Deal(dealt.asked_by, present=frozenset(dealt.present)), key)
    decided = decide(before, deal, at, {}, Entropy(before.secret))
    return isinstance(decided, Decision) and decided.events[0] == dealt


def is_rolled_from_secret(before: TableState, rolled: DiceRolled, key: str) -> bool:
    """Whether these dice were rolled from the table's secret and sheet.

    Who rolls depends on chips, which the table does not have: that is as the sheet says.
    """
    sheet = rolled.opening.sheet
    asked_by = next((party for party, seed in seeds_on(sheet) if seed == key), None)
    rolling = [int(seat["party"]) for seat in json.loads(sheet)["seats"] if seat["rolls"]]
    due = Opening(before.secret, dice_sheet(before, asked_by, key, rolling))
    dice = roll(dice_needed(before), seeded_random(before.secret, sheet))
    return rolled == DiceRolled(throw(rolling, dice)[0], due)


def round_mismatch(before: TableState, result: RoundResult) -> str | None:
    """The first thing that is wrong with a settled round; None if it is proved and correct.

    Args:
        before: the table just before the settlement: its bets, hands and secret.

    Raises:
        Exception: of any type, if the table cannot have been settled.
    """
    if (found := first_mismatch(json.dumps(record_of(result)))) is not None:
        return f"{found.where} is {_short(found.says)}, and should be {_short(found.should)}"
    if result != round_result(before):
        return "its result does not follow from the bets, the hands and the secret of its table"
    return None


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


class TableReplay:
    """The replay of one table."""

    def __init__(self, table: StoredTable, deadline: float | None) -> None:
        self.table = table
        self._deadline = deadline
        self._name = f"table {table.table_id}"
        self._state: TableState | None = None
        self._caveat = ""
        self._stopped = False

    def apply(self, command: StoredCommand) -> Iterator[Finding]:
        """Replays the next command, and yields what is wrong with it."""
        if self._stopped:
            return
        moves: list[tuple[int, Move]] = []
        try:
            for row in command.events:
                event = self._read(row)
                yield from self._follow(row, event, moves)
        except _ReplayStoppedError as stopped:
            self._stopped = True
            yield self._finding(str(stopped))
            return
        if self._state is None:
            return
        number = self._state.round_number
        for row in command.events:
            if row.round_number != number:
                yield self._wrong_event(row, f"under round {row.round_number}", f"of round {number}")
        for finding in table_transfer_problems(
            self.table.server_id, self.table.table_id, moves, command.transfers
        ):
            yield Finding(finding.server_id, finding.what + self._caveat)

    def finish(self) -> Iterator[Finding]:
        """Yields what is wrong with the stored table; call it after the last command."""
        if self._stopped:
            return
        if self._state is None:
            yield self._finding(f"{self._name} is stored, but has no events")
            return
        yield from self._state_problems(self._state)
        wrong = list(wrong_columns(self.table, self._state))
        if self._deadline != self._state.deadline:
            wrong.append(("deadline", self._deadline, self._state.deadline))
        for name, filed, due in wrong:
            yield self._finding(f"{self._name} is stored with {name} {filed}, and should have {due}")

    def _state_problems(self, state: TableState) -> Iterator[Finding]:
        passed_over = PassedOver()
        try:
            stored = parse_state(self.table.state, passed_over)
        except ValidationError as wrong:
            yield self._finding(f"the state of {self._name} cannot be read: {_reason(wrong)}")
            return
        self._note_unknown_rules(passed_over)
        parts = [field.name for field in fields(TableState) if field.compare]
        differing = [name for name in parts if getattr(stored, name) != getattr(state, name)]
        if differing:
            # Only the names: the values may be a sealed secret, or a hand that is not revealed.
            what = f"the state of {self._name} does not follow from its events: {', '.join(differing)}"
            yield self._finding(what)

    def _read(self, row: StoredEvent) -> Event:
        passed_over = PassedOver()
        try:
            event = parse_event(row.body, passed_over)
        except ValidationError as wrong:
            what = f"event {row.sequence} of {self._name} cannot be read: {_reason(wrong)}"
            raise _ReplayStoppedError(what) from wrong
        self._note_unknown_rules(passed_over)
        return event

    def _follow(self, row: StoredEvent, event: Event, moves: list[tuple[int, Move]]) -> Iterator[Finding]:
        """Applies an event, and adds its moves."""
        try:
            mismatch = self._mismatch(row, event)
            moves.extend((row.sequence, move) for move in moves_of(self._state, (event,)))
            self._state = evolve(self._state, event)
        except Exception as impossible:
            # Whatever the error is, nobody can have played this.
            raise _ReplayStoppedError(self._does_not_follow(row)) from impossible
        if self._state.sequence != row.sequence:
            raise _ReplayStoppedError(self._does_not_follow(row))
        if mismatch is not None:
            yield self._finding(mismatch)
        if row.kind != event.kind:
            yield self._wrong_event(row, f"as {row.kind}", event.kind)

    def _mismatch(self, row: StoredEvent, event: Event) -> str | None:
        """What does not match in dealt hands or a settled round, or None."""
        match self._state, event:
            case TableState() as before, HandsDealt():
                if not is_dealt_from_secret(before, event, row.at, row.command_key):
                    return f"event {row.sequence} of {self._name} has other hands than its secret deals"
            case TableState() as before, DiceRolled():
                if not is_rolled_from_secret(before, event, row.command_key):
                    return f"event {row.sequence} of {self._name} has other dice than its secret rolls"
            case TableState() as before, RoundSettled(result):
                if (mismatch := round_mismatch(before, result)) is not None:
                    return f"round {result.round_number} of {self._name} is not proved: {mismatch}"
        return None

    def _does_not_follow(self, row: StoredEvent) -> str:
        return f"event {row.sequence} of {self._name} cannot follow the events before it"

    def _wrong_event(self, row: StoredEvent, filed: str, due: str) -> Finding:
        return self._finding(f"event {row.sequence} of {self._name} is stored {filed}, but is {due}")

    def _note_unknown_rules(self, passed_over: PassedOver) -> None:
        """Adds to all later findings which rules of this table are unknown to this version."""
        if passed_over.notes and not self._caveat:
            self._caveat = f" (as far as its rules are known: {passed_over.notes[0]})"

    def _finding(self, what: str) -> Finding:
        return Finding(self.table.server_id, what + self._caveat)


class _ReplayStoppedError(Exception):
    """The replay cannot continue; the text says why."""


def _reason(wrong: ValidationError) -> str:
    """The first problem, without the value, which may be sealed."""
    first = wrong.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]


async def verify_tables(ledger: Queries) -> list[Finding]:
    """Replays every table of every server, checks every transfer, and adds up every standing.

    Each event is readable, possible and stored under the right kind and round. Each table is stored as its
    events leave it. Each command moved exactly what its events move; transfers without a table are opening
    chips or gifts; no command was without effect. Hands come from the table's secret, and each settled round
    is proved by its record. A table's replay stops at the first event that cannot follow.

    Args:
        ledger: an open ledger. It may be written to meanwhile: the replay reads one snapshot.
    """
    findings: list[Finding] = []
    replay: TableReplay | None = None
    async with ledger.reading() as connection:
        async with aclosing(stored_commands(connection)) as every_command:
            async for command in every_command:
                if command.table is None:
                    findings.extend(other_transfer_problems(command))
                    continue
                if replay is None or replay.table.table_id != command.table.table_id:
                    findings.extend(replay.finish() if replay else ())
                    replay = TableReplay(command.table, command.deadline)
                findings.extend(replay.apply(command))
        findings.extend(replay.finish() if replay else ())
        async with aclosing(commands_without_effect(connection)) as without_effect:
            async for server_id, key in without_effect:
                findings.append(Finding(server_id, f"the command {key} was committed, but had no effect"))
        findings += await standing_problems(connection)
    return sorted(findings, key=lambda finding: finding.server_id)


class _Posting(NamedTuple):
    """The content of a transfer, without its number and hash."""

    source: str
    target: str
    chips: int
    reason: str
    table_id: int | None
    round_number: int | None

    @classmethod
    def of(cls, one: Move | StoredTransfer, table_id: int | None) -> Self:
        return cls(str(one.source), str(one.target), one.chips, str(one.reason), table_id, one.round_number)

    def __str__(self) -> str:
        what = "points" if self.source.startswith(AccountKind.SCORE) else "chips"
        text = f"{self.chips} {what} from {self.source} to {self.target} as {self.reason}"
        where = [] if self.table_id is None else [f"at table {self.table_id}"]
        where += [] if self.round_number is None else [f"in round {self.round_number}"]
        return " ".join([text, *where])


def table_transfer_problems(
    server_id: int, table_id: int, moves: Sequence[tuple[int, Move]], transfers: Sequence[StoredTransfer]
) -> Iterator[Finding]:
    """What is wrong with the transfers of a command at a table.

    Args:
        moves: what its events move, in order, each with the number of its event.
    """
    here = [one for one in transfers if one.server_id == server_id]
    for one in transfers:
        if one.server_id != server_id:
            what = f"transfer {one.link} was made at table {table_id}, which is in server {server_id}"
            yield Finding(one.server_id, what)
    due = [_Posting.of(move, table_id) for _, move in moves]
    stored = [_Posting.of(one, one.table_id) for one in here]
    if stored == due:
        return
    extra, missing = _unmatched(stored, due), _unmatched(due, stored)
    if not extra and not missing:
        what = f"transfers {here[0].link} to {here[-1].link} are not in the order of their events"
        yield Finding(server_id, f"{what} at table {table_id}")
    for extra_at, missing_at in zip_longest(extra, missing):
        if extra_at is None:
            what = (
                f"event {moves[missing_at][0]} of table {table_id} moves {due[missing_at]}: no transfer does"
            )
        else:
            what = f"transfer {here[extra_at].link} is of {stored[extra_at]}"
            if missing_at is None:
                what += f", but no event of table {table_id} moves that"
            else:
                what += f", but event {moves[missing_at][0]} of table {table_id} moves {due[missing_at]}"
        yield Finding(server_id, what)


def other_transfer_problems(command: StoredCommand) -> Iterator[Finding]:
    """What is wrong with the transfers of a command without a table.

    It must be exactly one transfer: a gift, a handout to a member, chips that an admin gave or took, a change
    of the house's bankroll, the opening chips of a member or the house, once per server, the end of a season,
    what a tournament takes and pays, or the chips of erased ones. Only erasures, the end of a season and
    tournaments can be more.
    """
    for earlier, one in enumerate(command.transfers):
        name = f"transfer {one.link}, of {_Posting.of(one, one.table_id)},"
        if not _needs_no_table(one):
            what = f"{name} has no event of a table, and is neither opening chips nor a gift"
            yield Finding(one.server_id, what)
        elif earlier and one.reason not in (Reason.SEASON, *OF_TOURNAMENTS) and not _is_erased(one):
            yield Finding(one.server_id, f"{name} was made by {command.key}, which already has a transfer")


def _needs_no_table(one: StoredTransfer) -> bool:
    """Whether a transfer is one of those that no table makes, under the key of its command."""
    if one.table_id is not None or one.round_number is not None:
        return False
    giver, receiver = _member_of(one.source), _member_of(one.target)
    if one.source == str(MINT) and receiver is not None:
        if one.reason == Reason.OPENING_CHIPS:
            return one.command_key == f"opening:{one.server_id}:{receiver}"
        if one.reason in HANDOUTS:
            return receiver != THE_HOUSE and _is_claim(one, receiver)
    match one.reason:
        case Reason.GIFT:
            return giver is not None and receiver is not None and giver != receiver
        case Reason.GRANTED | Reason.TAKEN:
            mint, member = one.source, receiver
            if one.reason == Reason.TAKEN:
                mint, member = one.target, giver
            is_known = one.command_key.startswith(f"{one.reason}:")
            return is_known and mint == str(MINT) and member not in (None, THE_HOUSE)
        case Reason.SEASON:
            is_known = one.command_key.startswith(f"season:{one.server_id}:")
            mint, member = (one.source, receiver) if giver is None else (one.target, giver)
            return is_known and mint == str(MINT) and member not in (None, THE_HOUSE)
        case Reason.ENTRY | Reason.ENTRY_RETURNED | Reason.PRIZE:
            chips, member = (one.source, receiver) if giver is None else (one.target, giver)
            is_entry = one.reason == Reason.ENTRY
            is_way = is_entry == (giver is not None) and (is_entry or receiver is not None)
            of = one.command_key.removeprefix(TOURNAMENT_KEY).partition(":")[0]
            is_known = one.command_key.startswith(TOURNAMENT_KEY) and of.isdecimal()
            return is_known and is_way and member is not None and chips == str(pot(int(of)))
        case Reason.BANKROLL:
            between = {one.source, one.target} == {str(MINT), str(wallet(THE_HOUSE))}
            return between and one.command_key.startswith("bankroll:")
    return _is_erased(one)


def _is_claim(one: StoredTransfer, member: int) -> bool:
    """Whether the key is that of a handout of this kind to this member."""
    number = one.command_key.removeprefix(claims_of(one.reason, one.server_id, member))
    due = claim_key(one.reason, one.server_id, member, int(number)) if number.isdecimal() else None
    return one.command_key == due


def _is_erased(one: StoredTransfer) -> bool:
    """Whether it moves what an erased member had to the house."""
    to_house = (one.target, one.reason) == (str(HOUSE), Reason.ERASED)
    return to_house and _member_of(one.source) is not None and one.command_key.startswith("erased:")


def _member_of(account: str) -> int | None:
    """The owner of a wallet, by its account name; None for other accounts."""
    number = account.removeprefix(f"{AccountKind.WALLET}:")
    is_id = number.isdecimal() and len(number) <= MAX_ID_DIGITS
    return int(number) if is_id and str(wallet(int(number))) == account else None


def _unmatched(postings: Sequence[_Posting], others: Sequence[_Posting]) -> list[int]:
    """The positions of postings that have no equal among the others."""
    equals, positions = Counter(others), []
    for position, one in enumerate(postings):
        if equals[one]:
            equals[one] -= 1
        else:
            positions.append(position)
    return positions
