"""What an export has: everything about oneself, and nothing about others."""

import json

import pytest

from bot.croupier.gifts import Gift, Gifts
from bot.croupier.houses import HouseChange, Houses, Verb
from bot.croupier.privacy import own_data
from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import DirectChannel
from bot.table.commands import PlaceSideBet
from bot.table.commitment import one_line

from .croupier_house import SERVER, House, fresh
from .erasable_members import WORDS, YAN, ZOE, enter, play_round


async def test_an_export_has_everything_about_oneself_and_nothing_about_others(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await play_round(house, zoe)
    await house.join(table_id, yan)
    await Gifts(house.croupier).give(Gift(SERVER, zoe, yan, 3), "7001")

    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))

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


async def test_an_export_of_a_backer_does_not_say_whom_they_backed(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=60)
    zoe, yan = await enter(house), await enter(house, YAN)
    table_id = await house.open_with_bank()
    await house.bet(table_id, yan, 10)
    await house.do(table_id, PlaceSideBet(zoe, yan, 5), zoe)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (there,) = data["servers"]
    placed = next(one for one in there["events"] if one["kind"] == "side_bet_placed")
    assert placed["own"] == [{"stake": 5}]
    assert str(yan) not in json.dumps(data)


async def test_an_export_has_the_house_changes_that_oneself_made(house: House) -> None:
    zoe, yan = await enter(house), await enter(house, YAN)
    houses = Houses(house.ledger)
    await houses.load()
    for party, seats in ((zoe, "7"), (yan, "6")):
        draft = await houses.draft(fresh(), SERVER, HouseChange(Verb.SET, "seats", seats))
        await houses.confirm(draft.draft_id, SERVER, party)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (there,) = data["servers"]
    (change,) = there["house_changes"]
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
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    assert data["direct_messages"] == exported


async def test_an_export_of_somebody_without_a_wallet_has_no_chips(house: House) -> None:
    await house.croupier.identities.party_of(SERVER, ZOE)
    data = await own_data(house.ledger, await house.ledger.identities_of(ZOE.user_id))
    (server,) = data["servers"]
    assert not server["held"]
    assert not server["ledger"]
    assert (server["chips"], server["points"]) == (0, 0)
