"""Decides what is asked of a table, and commits it with the chips that it moves.

Between the two, another table can take the chips, or another process change the table. Then it is decided
again.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from bot.croupier.attention import AttentionKeeper
from bot.croupier.barred import Barred
from bot.croupier.stored_tables import StoredTables, seed_words
from bot.croupier.wallets import Wallets
from bot.ledger.changes import NotAfter, Plan
from bot.ledger.errors import InsufficientChips, LedgerError, StaleTable
from bot.table.commands import Command, Deal, RollForBank, Showdown, TakeBank
from bot.table.commitment import Entropy, with_pieces_and_dice
from bot.table.deadlines import NOTHING_NOTED
from bot.table.decide import decide, wallets_needed
from bot.table.refusals import Refused
from bot.table.state import THE_HOUSE, Phase, TableState

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a command is decided again when another table took the chips that it needed."""


class Decisions:
    """Carries out commands. Callers hold the lock of the table.

    Args:
        bank_refused: why a member may not bank in a server; None if they may.
        secret: makes the secret of a shuffle.
        now: the time, in seconds since the epoch, UTC.
    """

    def __init__(
        self,
        stored: StoredTables,
        wallets: Wallets,
        barred: Barred,
        attention: AttentionKeeper,
        bank_refused: Callable[[int, int], Refused | None],
        secret: Callable[[], str],
        now: Callable[[], float],
    ) -> None:
        self._stored = stored
        self._wallets = wallets
        self._barred = barred
        self._attention = attention
        self._bank_refused = bank_refused
        self._secret = secret
        self._now = now

    async def carry_out(
        self,
        state: TableState | None,
        command: Command,
        key: str,
        party: int | None,
        not_after: NotAfter | None = None,
        *,
        client_seed: str | None = None,
        plan: Plan | None = None,
    ) -> TableState | Refused:
        """Decides and commits; decides again if another table took chips that it needed.

        It also decides again if another process changed the table, whatever it would have decided.

        Args:
            client_seed: what the member contributes; None for the key.
            plan: what was planned for the member, and is done by it: it is deleted.
        """
        concerned = () if state is None else wallets_needed(state, command, party)
        async with self._barred.one_at_a_time(concerned):
            for tries_left in reversed(range(TRIES)):
                if party is not None:
                    await self._barred.refuse(party, command)
                now, wallets = self._now(), dict[int, int]()
                attention = NOTHING_NOTED if state is None else self._attention.of(state.table_id)
                if state is not None:
                    wallets = await self._wallets_for(state, command, party)
                    if isinstance(command, TakeBank | RollForBank) and party is not None:
                        refused = self._bank_refused(state.server_id, party)
                        if refused is not None:
                            return refused
                    command = await self._completed(state, command, key, wallets, attention.present)
                # Nobody contributes to what a table does automatically.
                entropy = Entropy(self._secret(), None if party is None else client_seed or key)
                decided = decide(state, command, now, wallets, entropy, attention)
                if isinstance(decided, Refused):
                    if tries_left and state is not None and await self._stored.was_behind(state.server_id):
                        state = await self._stored.load(state.table_id)
                        continue
                    return decided
                if not decided.events:
                    return decided.state
                try:
                    return await self._stored.commit(
                        state, decided, key, now, party, seed_words(command, decided), not_after, plan
                    )
                except InsufficientChips as short:
                    log.info("deciding again: %s", short)
                except StaleTable as stale:
                    if state is None:
                        raise
                    log.info("deciding again, another process was faster: %s", stale)
                    state = await self._stored.load(state.table_id)
        raise LedgerError(f"{type(command).__name__} found other chips or events at each of {TRIES} tries")

    async def _wallets_for(self, state: TableState, command: Command, party: int | None) -> dict[int, int]:
        """What those whom a command concerns may lose, by party."""
        needed = wallets_needed(state, command, party)
        if THE_HOUSE in needed:
            await self._wallets.open(state.server_id, THE_HOUSE)
        is_settled = isinstance(command, Showdown) and state.phase is Phase.DEALT
        settles = state if is_settled and state.for_chips else None
        return await self._wallets.may_lose(state.server_id, needed, settles)

    async def _completed(
        self,
        state: TableState,
        command: Command,
        key: str,
        wallets: Mapping[int, int],
        present: frozenset[int],
    ) -> Command:
        """The command with what the table does not know: pieces or dice, who may bank, and who is there."""
        if isinstance(command, RollForBank | Showdown):
            parties = (seat.party for seat in state.members)
            unfit = frozenset(one for one in parties if self._bank_refused(state.server_id, one))
            command = replace(command, unfit=unfit)
        command = with_pieces_and_dice(state, command, key, wallets)
        if isinstance(command, Deal | Showdown):
            command = replace(command, present=present)
        if isinstance(command, Showdown):
            command = replace(command, limited=await self._wallets.limited(state.server_id, wallets))
        return command
