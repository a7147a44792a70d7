"""What is stored of a member: an export has it, an erasure takes it, and it is no way to more chips."""

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bot.croupier.gifts import Gift, Gifts
from bot.croupier.houses import HouseChange, Houses, Verb
from bot.croupier.open_tables import MemberErasedError
from bot.croupier.plans import PlanKind
from bot.croupier.privacy import (
    OPENING_SECONDS,
    SERVER_SECONDS,
    ErasureRefused,
    NotErasable,
    Privacy,
    own_data,
)
from bot.games.gnau.rules import GnauRules
from bot.ledger.audit import audit
from bot.ledger.changes import Change, DirectChannel, Identity, Plan, PlanChanged
from bot.ledger.ledger import open_ledger
from bot.ledger.sqlite.erasure import notes_path
from bot.table.accounts import Move, Reason, wallet
from bot.table.commands import Deal, Join, PlaceBet, PlaceSideBet
from bot.table.commitment import one_line
from bot.table.refusals import Refused
from tests.taking_chips import take_chips

from .croupier_house import ALICE, MEI, OTHER_SERVER, SERVER, House, fresh
from .erasable_members import WORDS, YAN, ZOE, bytes_beside, enter, leave, play_round


async def test_nothing_of_an_erased_member_is_left_in_any_file(house: House, tmp_path: Path) -> None:
    party = await enter(house)
    await house.ledger.record(DirectChannel(ZOE.user_id, 77, None))
    table_id = await play_round(house, party)
    needles = [
        ZOE.name.encode(),
        one_line(WORDS).encode(),
        str(ZOE.user_id).encode(),
        ZOE.user_id.to_bytes(8, "big"),
        ZOE.user_id.to_bytes(8, "little"),
    ]
    found = b"".join(bytes_beside(tmp_path / "gnau.db").values())
    assert [needle in found for needle in needles] == [True, True, False, True, False]

    await leave(house, table_id, party)
    assert await house.ledger.direct_channel(ZOE.user_id) is not None, "in memory too"
    assert isinstance(await Privacy(house.croupier).erase(SERVER, ZOE.user_id), int)

    for name, content in bytes_beside(tmp_path / "gnau.db").items():
        assert [needle for needle in needles if needle in content] == [], name
    assert await house.ledger.direct_channel(ZOE.user_id) is None


async def test_the_books_stay_whole_and_the_chips_go_to_the_house(house: House) -> None:
    party = await enter(house)
    table_id = await play_round(house, party)
    await leave(house, table_id, party)
    before = await house.ledger.wallets(SERVER, [party])

    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == before[party]

    assert await house.ledger.wallets(SERVER, [party]) == {party: 0}
    assert await audit(house.ledger) == []
    last = house.table(table_id).last
    assert last is not None
    assert party in last.parties
    assert house.croupier.identities.get(party) is None


async def test_who_sits_at_a_table_or_has_a_bet_is_not_erased_and_hears_where(house: House) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    number = house.table(table_id).number
    await house.join(table_id, party)
    privacy = Privacy(house.croupier)

    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))

    await house.bet(table_id, party, 10)
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))
    assert await house.croupier.identities.party_of(SERVER, ZOE) == party
    assert await house.ledger.noted_erasures() == []


async def test_a_member_without_chips_is_erased_too(house: House) -> None:
    party = await enter(house)
    await take_chips(house.croupier, SERVER, party, keep=0)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 0
    assert await house.ledger.identities([party]) == {}


async def test_a_member_is_erased_in_one_server_only(house: House) -> None:
    await enter(house)
    elsewhere = await enter(house, server_id=OTHER_SERVER)
    await house.ledger.record(DirectChannel(ZOE.user_id, 77, None))

    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)

    assert [one.party for one in await house.ledger.identities_of(ZOE.user_id)] == [elsewhere]
    assert await house.ledger.direct_channel(ZOE.user_id) == DirectChannel(ZOE.user_id, 77, None)


async def test_who_comes_back_is_somebody_else_without_opening_chips_for_90_days(house: House) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000

    again = await enter(house)
    assert again != party
    assert (await house.croupier.wallets.purse(SERVER, again)).total == 0

    house.now += OPENING_SECONDS / 2
    assert await privacy.erase(SERVER, ZOE.user_id) == 0
    third = await enter(house)
    assert (await house.croupier.wallets.purse(SERVER, third)).total == 0, "a second erasure forgets nothing"
    house.now += OPENING_SECONDS / 2 + 1
    assert (await house.croupier.wallets.purse(SERVER, third)).total == 1000


async def test_a_break_and_a_limit_end_with_erasing_and_who_had_no_opening_chips_gets_them_later(
    house: House,
) -> None:
    party = await house.croupier.identities.party_of(SERVER, ZOE)
    barred = house.croupier.barred
    await barred.take_break(SERVER, party, 3600)
    await barred.set_limit(SERVER, party, 50)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    again = await enter(house)
    for one in (party, again):
        assert await house.ledger.plans_of(one) == []
        assert (barred.break_until(one), barred.limit(one)) == (None, None)
    assert (await house.croupier.wallets.purse(SERVER, again)).total == 1000


async def test_the_keyed_hash_of_an_erased_member_is_deleted_after_90_days(house: House) -> None:
    await enter(house)
    privacy = Privacy(house.croupier)
    await privacy.erase(SERVER, ZOE.user_id)
    house.now += OPENING_SECONDS
    await privacy.delete_outdated_hashes()
    assert not await house.ledger.has_outdated_openings(house.now, house.now + OPENING_SECONDS)
    house.now += 1
    assert await house.ledger.has_outdated_openings(house.now, house.now + OPENING_SECONDS)
    await privacy.delete_outdated_hashes()
    assert not await house.ledger.has_outdated_openings(house.now, house.now + OPENING_SECONDS)


async def test_the_keyed_hash_is_of_one_member_in_one_server(house: House) -> None:
    await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)

    for server_id, user in ((SERVER, YAN), (OTHER_SERVER, ZOE)):
        party = await enter(house, user, server_id)
        assert (await house.croupier.wallets.purse(server_id, party)).total == 1000


async def test_notes_of_erasures_are_of_random_numbers_and_survive_a_cut_line(
    house: House, tmp_path: Path
) -> None:
    party = await enter(house)
    await Privacy(house.croupier).erase(SERVER, ZOE.user_id)
    notes = notes_path(tmp_path / "gnau.db")
    assert notes.read_text().split() == [str(party)]
    notes.write_text(notes.read_text() + "123x\n99999999999999999999999\n77")

    assert await house.ledger.noted_erasures() == [party, 77]
    await house.ledger.note_erasures([5])
    assert await house.ledger.noted_erasures() == [party, 77, 5]


async def test_a_gift_on_its_way_to_an_erased_member_is_not_lost(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    gifts, privacy = Gifts(house.croupier), Privacy(house.croupier)
    tasks = [
        asyncio.create_task(gifts.give(Gift(SERVER, yan, ZOE, 7), "7001")),
        asyncio.create_task(privacy.erase(SERVER, ZOE.user_id)),
        asyncio.create_task(gifts.give(Gift(SERVER, yan, ZOE, 7), "7002")),
    ]
    first, erased, second = await asyncio.gather(*tasks, return_exceptions=True)

    assert not isinstance(erased, BaseException)
    assert all(isinstance(one, int | MemberErasedError) for one in (first, second)), (first, second)
    again = await gifts.give(Gift(SERVER, yan, ZOE, 7), "7003")
    assert again != zoe, "who comes back is somebody else"
    given = [one for one in (first, second, again) if isinstance(one, int)]
    assert await house.ledger.wallets(SERVER, [zoe, yan]) == {zoe: 0, yan: 1000 - 7 * len(given)}


async def test_nobody_acts_as_a_member_whose_erasure_waits_for_a_table(house: House) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    async with house.croupier.tables.lock(table_id):
        erasing = asyncio.create_task(Privacy(house.croupier).erase(SERVER, ZOE.user_id))
        await house.until(lambda: house.croupier.identities.is_closed(party))
        with pytest.raises(MemberErasedError):
            await house.croupier.identities.party_of(SERVER, ZOE)
        asking = asyncio.create_task(house.ask(table_id, Join(party), party))
    with pytest.raises(MemberErasedError):
        await asking
    assert await erasing == 1000
    assert not house.table(table_id).has(party)


async def test_who_sat_down_while_they_were_erased_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await enter(house)
    table_id = await house.open_with_bank()
    privacy = Privacy(house.croupier)
    tables_to_leave = privacy.tables_to_leave

    async def looked_too_early(identity: Identity) -> tuple[int, ...]:
        found = await tables_to_leave(identity)
        monkeypatch.setattr(privacy, "tables_to_leave", tables_to_leave)
        await house.join(table_id, party)
        return found

    monkeypatch.setattr(privacy, "tables_to_leave", looked_too_early)
    number = house.table(table_id).number
    assert await privacy.erase(SERVER, ZOE.user_id) == ErasureRefused(NotErasable.AT_A_TABLE, (number,))
    assert house.table(table_id).has(party)
    await leave(house, table_id, party)
    assert await privacy.erase(SERVER, ZOE.user_id) == 1000


async def test_a_server_is_erased_30_days_after_the_bot_left_it(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    elsewhere = await enter(house, server_id=OTHER_SERVER)
    privacy = Privacy(house.croupier)
    await privacy.server_left(SERVER)
    house.now += SERVER_SECONDS / 2
    await privacy.server_left(SERVER)
    assert await privacy.servers_due() == []
    assert set(await house.ledger.identities([zoe, yan, elsewhere])) == {zoe, yan, elsewhere}

    await house.restart()
    privacy = Privacy(house.croupier)
    house.now += SERVER_SECONDS / 2 + 1
    assert await privacy.servers_due() == [SERVER]
    await house.ledger.record(PlanChanged(None, Plan("role:1", SERVER, zoe, PlanKind.ROLE)))
    taken: list[Plan] = []
    privacy.take_roles = lambda _, roles: taken.extend(roles)
    await privacy.erase_server(SERVER)

    # The bot has left it, so Discord would refuse.
    assert taken == []
    assert set(await house.ledger.identities([zoe, yan, elsewhere])) == {elsewhere}
    assert await house.ledger.server_erasures() == {}
    assert sorted(await house.ledger.noted_erasures()) == sorted([zoe, yan])


async def test_a_server_that_the_bot_is_in_again_is_kept(house: House) -> None:
    party = await enter(house)
    privacy = Privacy(house.croupier)
    await privacy.server_left(SERVER)
    await privacy.server_joined(SERVER)
    house.now += 2 * SERVER_SECONDS
    assert await privacy.servers_due() == []
    assert set(await house.ledger.identities([party])) == {party}


async def test_two_confirmations_at_once_erase_once(house: House) -> None:
    await enter(house)
    privacy = Privacy(house.croupier)
    done = await asyncio.gather(*(privacy.erase(SERVER, ZOE.user_id) for _ in range(2)))
    assert done == [1000, ErasureRefused(NotErasable.NOTHING_STORED)]


async def test_a_gift_between_counting_and_erasing_goes_to_the_house_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    wallets = house.ledger.wallets

    async def counted_too_early(server_id: int, parties: Iterable[int]) -> dict[int, int]:
        found = await wallets(server_id, parties)
        monkeypatch.setattr(house.ledger, "wallets", wallets)
        late = Move(wallet(yan), wallet(zoe), 7, Reason.GIFT)
        await house.ledger.commit(Change("7001", SERVER, house.now, (late,)))
        return found

    monkeypatch.setattr(house.ledger, "wallets", counted_too_early)
    assert await Privacy(house.croupier).erase(SERVER, ZOE.user_id) == 1007
    assert await wallets(SERVER, [zoe, yan]) == {zoe: 0, yan: 993}


async def test_two_bots_have_different_keys(tmp_path: Path) -> None:
    digests = set()
    for name in ("one.db", "two.db"):
        async with open_ledger(f"sqlite:///{tmp_path / name}") as ledger:
            digests.add(await ledger.opening_digest(SERVER, ZOE.user_id))
    assert len(digests) == 2


async def test_an_export_has_everything_about_oneself_and_nothing_about_others(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await play_round(house, zoe)
    await house.join(table_id, yan)
    await Gifts(house.croupier).give(Gift(SERVER, zoe, YAN, 3), "7001")

    data = await export(house)

    text = str(data)
    assert data["user_id"] == str(ZOE.user_id)
    (there,) = data["servers"]
    assert (there["name"], there["locale"], there["party"]) == (ZOE.name, ZOE.locale, str(zoe))
    assert there["words"] == [one_line(WORDS)]
    assert there["ledger"][0]["chips"] == -3
    assert there["ledger"][-1]["chips"] == 1000
    kinds = {event["kind"] for event in there["events"]}
    assert {"seat_taken", "bet_placed", "hands_dealt", "hand_revealed", "round_settled"} <= kinds
    last = house.table(table_id).last
    assert last is not None
    settled = next(event["own"] for event in there["events"] if event["kind"] == "round_settled")
    assert settled[0]["chips"] == last.players[0].chips
    for secret in (YAN.name, str(yan), str(YAN.user_id), last.opening.secret):
        assert secret not in text
    dealt = next(event["own"] for event in there["events"] if event["kind"] == "hands_dealt")
    assert len(dealt) == 1, "no hand of anybody else"
    assert {event["table"] for event in there["events"]} == {house.table(table_id).number}


async def exported(house: House) -> dict[str, Any]:
    """What an export has of Zoe in their only server."""
    (there,) = (await export(house))["servers"]
    return dict(there)


async def export(house: House) -> dict[str, Any]:
    """An export of Zoe's data."""
    identities = await house.ledger.identities_of(ZOE.user_id)
    return await own_data(house.ledger, house.croupier.stored_tournaments, identities)


async def test_an_export_of_a_backer_does_not_say_whom_they_backed(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=60)
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await house.open_with_bank()
    await house.bet(table_id, yan, 10)
    await house.do(table_id, PlaceSideBet(zoe, yan, 5), zoe)
    there = await exported(house)
    placed = next(one for one in there["events"] if one["kind"] == "side_bet_placed")
    assert placed["own"] == [{"stake": 5}]
    assert str(yan) not in json.dumps(there)


async def test_an_export_says_that_oneself_was_present_in_a_round_without_playing_it(house: House) -> None:
    zoe = await enter(house)
    table_id = await house.open_with_bank()
    await house.join(table_id, zoe)
    await house.bet(table_id, ALICE, 10)
    assert isinstance(await house.ask(table_id, PlaceBet(zoe, 1), zoe), Refused)
    await house.do(table_id, Deal(MEI), MEI)
    (dealt,) = (one["own"] for one in (await exported(house))["events"] if one["kind"] == "hands_dealt")
    assert dealt == [{"role": "present"}]


async def test_an_export_has_the_house_changes_that_oneself_made(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    houses = Houses(house.ledger)
    await houses.load()
    for party, seats in ((zoe, "7"), (yan, "6")):
        draft = await houses.draft(fresh(), SERVER, HouseChange(Verb.SET, "seats", seats))
        await houses.confirm(draft.draft_id, SERVER, party)
    (change,) = (await exported(house))["house_changes"]
    assert [(one["knob"], one["new"]) for one in change["changed"]] == [("seats", "7")]


@pytest.mark.parametrize(
    ("channel", "exported"),
    [
        (DirectChannel(ZOE.user_id, 77), {"channel_id": "77", "closed_since": None}),
        (
            DirectChannel(ZOE.user_id, None, 1_790_000_000.0),
            {"channel_id": None, "closed_since": "2026-09-21T14:13:20+00:00"},
        ),
    ],
)
async def test_an_export_has_how_direct_messages_reach_oneself(
    house: House, channel: DirectChannel, exported: dict[str, str | None]
) -> None:
    await enter(house)
    await house.ledger.record(channel)
    data = await export(house)
    assert data["direct_messages"] == exported


async def test_an_export_of_somebody_without_a_wallet_has_no_chips(house: House) -> None:
    await house.croupier.identities.party_of(SERVER, ZOE)
    there = await exported(house)
    assert (there["held"], there["ledger"], there["chips"], there["points"]) == ([], [], 0, 0)
