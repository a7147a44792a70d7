"""Erasures that fail: one that is noted is finished later, one that is not changes nothing."""

import pytest

from bot.croupier.open_tables import MemberErasedError
from bot.croupier.privacy import ErasureRefused, NotErasable, Privacy
from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.table.commands import Join

from .croupier_house import SERVER, House
from .erasable_members import ZOE, enter, leave


async def failing(*_: object) -> None:
    raise LedgerUnavailable("disk I/O error")


async def test_an_erasure_that_cannot_be_decided_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        # Between the two looks at the member's tables.
        at_fault.setattr(house.croupier, "nothing_in_progress", failing)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_an_erasure_that_cannot_be_noted_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    with monkeypatch.context() as broken:
        broken.setattr(house.ledger, "note_erasures", failing)
        with pytest.raises(LedgerUnavailable):
            await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    table_id = await house.open_with_bank()
    await house.join(table_id, party)
    await leave(house, table_id, party)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 1000


@pytest.mark.parametrize("readable", [True, False])
async def test_an_erasure_that_may_be_noted_though_that_failed_is_finished_later(
    house: House, monkeypatch: pytest.MonkeyPatch, readable: bool
) -> None:
    """As if the disk failed after the note was written, or while nobody can tell whether it was."""
    party, note = await enter(house), house.ledger.note_erasures

    async def broken(parties: list[int]) -> None:
        if readable:
            await note(parties)
        await failing()

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "note_erasures", broken)
        if not readable:
            at_fault.setattr(house.ledger, "noted_erasures", failing)
        privacy = Privacy(house.croupier)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.croupier.identities.party_of(SERVER, ZOE)

    await privacy.erase_noted()

    assert await house.ledger.identities([party]) == {}
    assert await house.ledger.noted_erasures() == [party]


async def test_nobody_acts_as_a_noted_member_whatever_fails_at_the_next_try(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", failing)
        for room, name in (
            (house.ledger, "commit"),
            (house.croupier, "nothing_in_progress"),
            (house.ledger, "note_erasures"),
        ):
            at_fault.setattr(room, name, failing)
            with pytest.raises(LedgerUnavailable):
                await privacy.erase(SERVER, ZOE.user_id)
            assert house.croupier.identities.is_closed(party), name
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


async def test_an_erasure_that_is_promised_stays_so_though_the_next_try_is_surely_not_noted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, privacy = await enter(house), Privacy(house.croupier)
    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "note_erasures", failing)
        with monkeypatch.context() as unreadable:
            unreadable.setattr(house.ledger, "noted_erasures", failing)
            with pytest.raises(LedgerUnavailable):
                await privacy.erase(SERVER, ZOE.user_id)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert house.croupier.identities.is_closed(party)
    await privacy.erase_noted()
    assert await house.ledger.identities([party]) == {}


@pytest.mark.parametrize("written", [False, True])
async def test_an_erasure_that_is_noted_is_finished_later_and_nobody_plays_on_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    party, commit = await enter(house), house.ledger.commit
    table_id = await house.open_with_bank()

    async def broken(change: Change) -> None:
        if written:
            await commit(change)
        await failing()

    with monkeypatch.context() as failing_ledger:
        failing_ledger.setattr(house.ledger, "commit", broken)
        with pytest.raises(LedgerUnavailable):
            await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    with pytest.raises(MemberErasedError):
        await house.ask(table_id, Join(party), party)

    await Privacy(house.croupier).erase_noted()

    assert await house.ledger.identities([party]) == {}
    assert house.croupier.identities.get(party) is None
    assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
    assert await house.croupier.identities.party_of(SERVER, ZOE) != party


async def test_a_member_can_come_back_after_an_erasure_that_seemed_to_fail(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, commit = await enter(house), house.ledger.commit

    async def written_all_the_same(change: Change) -> None:
        await commit(change)
        await failing()

    privacy = Privacy(house.croupier)
    with monkeypatch.context() as failing_ledger:
        failing_ledger.setattr(house.ledger, "commit", written_all_the_same)
        with pytest.raises(LedgerUnavailable):
            await privacy.erase(SERVER, ZOE.user_id)
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.NOTHING_STORED)
    assert await house.croupier.identities.party_of(SERVER, ZOE) != party
