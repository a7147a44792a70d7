"""The language that a member chooses: stored in all their servers at once, and erased with them."""

import asyncio
from dataclasses import replace
from math import inf

import pytest

from bot.croupier import identities
from bot.croupier.identities import Identities, User
from bot.croupier.privacy import Privacy
from bot.ledger.changes import Fact, Identity, NotAfter
from bot.ledger.errors import TooLate
from bot.table.state import NOBODY
from tests.croupier.croupier_house import OTHER_SERVER, SERVER, House
from tests.croupier.test_identities import ALICE, BOB
from tests.croupier.test_identities import known as known


async def locales(house: House, user: User = ALICE) -> set[str]:
    """The locales that are stored of a user."""
    return {one.locale for one in await house.ledger.identities_of(user.user_id)}


async def test_a_chosen_language_is_stored_wherever_the_member_is(house: House, known: Identities) -> None:
    await known.party_of(SERVER, ALICE)
    await known.party_of(OTHER_SERVER, ALICE)
    assert await known.choose(ALICE.user_id, "ms", "en-US")
    assert known.chosen(ALICE.user_id) == "ms-x-chosen"
    await known.party_of(SERVER, replace(ALICE, locale="de"))
    assert await locales(house) == {"ms-x-chosen"}
    assert await known.choose(ALICE.user_id, None, "de")
    assert known.chosen(ALICE.user_id) is None
    assert await locales(house) == {"de"}


async def test_a_chosen_language_is_known_in_a_new_server_and_after_a_start(
    house: House, known: Identities
) -> None:
    await known.party_of(SERVER, ALICE)
    await known.choose(ALICE.user_id, "ms", "en-US")
    await known.party_of(OTHER_SERVER, ALICE)
    assert await locales(house) == {"ms-x-chosen"}
    started = Identities(house.ledger, list)
    await started.load_choices()
    assert started.chosen(ALICE.user_id) == "ms-x-chosen"
    assert started.chosen(BOB.user_id) is None


async def test_nothing_is_stored_of_who_chooses_a_language_where_nothing_is_known(
    house: House, known: Identities
) -> None:
    assert not await known.choose(ALICE.user_id, "ms", "en-US")
    assert known.chosen(ALICE.user_id) is None
    assert await house.ledger.identities_of(ALICE.user_id) == []


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("chooses_first", [False, True])
async def test_a_chosen_language_is_forgotten_with_the_last_server_in_any_order(
    house: House, known: Identities, chooses_first: bool, restarts: bool
) -> None:
    await known.party_of(SERVER, ALICE)
    if chooses_first:
        await known.choose(ALICE.user_id, "ms", "en-US")
    await known.party_of(OTHER_SERVER, ALICE)
    if not chooses_first:
        await known.choose(ALICE.user_id, "ms", "en-US")
    if restarts:
        await house.restart()
    known = house.croupier.identities
    for erased, chosen in ((SERVER, "ms-x-chosen"), (OTHER_SERVER, None)):
        await Privacy(house.croupier).erase(erased, ALICE.user_id)
        assert known.chosen(ALICE.user_id) == chosen


@pytest.mark.parametrize("server_id", [SERVER, OTHER_SERVER])
async def test_a_press_meanwhile_does_not_bring_the_old_language_back(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch, server_id: int
) -> None:
    await known.party_of(SERVER, ALICE)
    await known.choose(ALICE.user_id, "ms", "en-US")
    record, may_store = house.ledger.record, asyncio.Event()

    async def slow(fact: Fact) -> None:
        if isinstance(fact, Identity):
            await may_store.wait()
        await record(fact)

    monkeypatch.setattr(house.ledger, "record", slow)
    pressing = asyncio.create_task(known.party_of(server_id, replace(ALICE, name="Alicia")))
    await asyncio.sleep(0.05)
    choosing = asyncio.create_task(known.choose(ALICE.user_id, "de", "en-US"))
    await asyncio.sleep(0.05)
    may_store.set()
    assert await choosing
    await pressing
    assert known.chosen(ALICE.user_id) == "de-x-chosen"
    assert await locales(house) == {"de-x-chosen"}


async def test_who_is_given_chips_keeps_the_language_that_they_are_choosing(
    house: House, known: Identities
) -> None:
    receiver = replace(ALICE, name="Alicia", locale=None)
    await known.party_of(SERVER, ALICE)
    await known.choose(ALICE.user_id, "ms", "en-US")
    choosing = asyncio.create_task(known.choose(ALICE.user_id, None, "de"))
    await asyncio.sleep(0)
    await known.party_of(SERVER, receiver)
    assert await choosing
    assert known.chosen(ALICE.user_id) is None
    assert [(one.name, one.locale) for one in await house.ledger.identities_of(ALICE.user_id)] == [
        ("Alicia", "de")
    ]
    await known.choose(ALICE.user_id, "ms", "de")
    await known.party_of(SERVER, receiver)
    assert await locales(house) == {"ms-x-chosen"}


async def test_a_choice_that_comes_too_late_changes_nothing(house: House, known: Identities) -> None:
    await known.party_of(SERVER, ALICE)
    with pytest.raises(TooLate):
        await known.choose(ALICE.user_id, "de", "en-US", NotAfter(-inf))
    assert known.chosen(ALICE.user_id) is None
    assert await locales(house) == {"en-US"}


async def test_the_language_of_an_erased_member_who_was_not_in_memory_is_forgotten(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known.party_of(SERVER, ALICE)
    await known.choose(ALICE.user_id, "ms", "en-US")
    monkeypatch.setattr(identities, "MAX_CACHED", 1)
    await known.party_of(SERVER, BOB)
    assert known.known(SERVER, ALICE.user_id) == NOBODY
    await Privacy(house.croupier).erase(SERVER, ALICE.user_id)
    await known.party_of(SERVER, ALICE)
    assert await locales(house) == {"en-US"}


async def test_the_choice_of_who_is_erased_meanwhile_does_not_count(
    house: House, known: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known.party_of(SERVER, ALICE)
    record = house.ledger.record

    async def slow(fact: Fact) -> None:
        await Privacy(house.croupier).erase(SERVER, ALICE.user_id)
        await record(fact)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(house.ledger, "record", slow)
        await known.choose(ALICE.user_id, "ms", "en-US")
    await known.party_of(SERVER, ALICE)
    assert await locales(house) == {"en-US"}
