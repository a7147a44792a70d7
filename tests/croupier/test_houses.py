"""House rules: drafted, confirmed once, listed in the history, and readable from older versions."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.croupier.houses import (
    Altered,
    HouseChange,
    HouseChangedError,
    Houses,
    NoSuchDraftError,
    PastChange,
    Verb,
    altered,
)
from bot.games.house import UNCHANGED, House
from bot.games.register import GAMES
from bot.ledger.changes import HouseDraft
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.rules.knobs import Ties, WrongRuleError
from bot.words.rules import wrong_rule
from tests.croupier.croupier_house import NOON, OTHER_SERVER, SERVER, failing, fresh
from tests.houses import value_of

ADMIN, OTHER_ADMIN = 1, 2
GNAU, TAU_NGAU = "gnau", "tau-ngau"
PUSH = HouseChange(Verb.SET, "ties", "push", GNAU)
SEVEN_SEATS = HouseChange(Verb.SET, "seats", "7")


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/gnau.db"


@pytest.fixture
async def ledger(address: str) -> AsyncIterator[Ledger]:
    async with open_ledger(address) as opened:
        yield opened


@pytest.fixture
async def houses(ledger: Ledger) -> Houses:
    return await loaded(ledger)


async def loaded(ledger: Ledger) -> Houses:
    houses = Houses(ledger, clock=lambda: NOON)
    await houses.load()
    return houses


async def drafted(houses: Houses, change: HouseChange, *, server_id: int = SERVER) -> int:
    return (await houses.draft(fresh(), server_id, change)).draft_id


async def make(houses: Houses, *changes: HouseChange, party: int = ADMIN) -> None:
    for change in changes:
        draft_id = await drafted(houses, change)
        await houses.confirm(draft_id, SERVER, party)


async def test_a_draft_changes_nothing_until_it_is_confirmed(houses: Houses) -> None:
    draft = await houses.draft(fresh(), SERVER, PUSH)
    assert draft.before == houses.house_of(SERVER) == UNCHANGED
    assert value_of(draft.after.rules(GNAU), "ties") is Ties.PUSH
    things = await houses.confirm(draft.draft_id, SERVER, ADMIN)
    assert things == (Altered("gnau", "ties", "banker", "push"),)
    assert houses.house_of(SERVER) == draft.after
    assert houses.house_of(OTHER_SERVER) == UNCHANGED


async def test_a_draft_can_be_confirmed_after_a_restart(ledger: Ledger, houses: Houses) -> None:
    draft_id = await drafted(houses, PUSH)
    again = await loaded(ledger)
    await again.confirm(draft_id, SERVER, ADMIN)
    assert value_of(again.house_of(SERVER).rules(GNAU), "ties") is Ties.PUSH


async def test_confirming_a_draft_again_returns_the_same_and_changes_nothing(
    ledger: Ledger, houses: Houses
) -> None:
    draft_id = await drafted(houses, PUSH)
    told = await asyncio.gather(*(houses.confirm(draft_id, SERVER, ADMIN) for _ in range(5)))
    assert set(told) == {(Altered("gnau", "ties", "banker", "push"),)}
    await make(houses, HouseChange(Verb.RESET, "ties"))
    assert await houses.confirm(draft_id, SERVER, ADMIN) == told[0]
    again = await loaded(ledger)
    assert await again.confirm(draft_id, SERVER, ADMIN) == told[0]
    for one in (houses, again):
        assert value_of(one.house_of(SERVER).rules(GNAU), "ties") is Ties.BANKER
        assert len(await one.history(SERVER, 10)) == 2


async def test_a_draft_that_two_processes_confirm_at_once_returns_the_same(
    ledger: Ledger, houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, draft_id = await loaded(ledger), await drafted(houses, PUSH)

    async def not_yet(_key: str) -> None:
        """Both have asked before one of them is written."""

    monkeypatch.setattr(ledger, "answer", not_yet)
    assert await houses.confirm(draft_id, SERVER, ADMIN) == await other.confirm(draft_id, SERVER, ADMIN)
    assert houses.house_of(SERVER) == other.house_of(SERVER)
    assert len(await houses.history(SERVER, 10)) == 1


async def test_the_second_of_two_drafts_must_be_previewed_again(houses: Houses) -> None:
    first, second = await drafted(houses, PUSH), await drafted(houses, SEVEN_SEATS)
    outcomes = await asyncio.gather(
        houses.confirm(first, SERVER, ADMIN),
        houses.confirm(second, SERVER, OTHER_ADMIN),
        return_exceptions=True,
    )
    moved = [one for one in outcomes if isinstance(one, HouseChangedError)]
    assert len(moved) == 1
    assert moved[0].change in (PUSH, SEVEN_SEATS)
    await make(houses, moved[0].change)
    rules = houses.house_of(SERVER).rules(GNAU)
    assert (value_of(rules, "ties"), rules.seats) == (Ties.PUSH, 7)


async def test_a_missing_draft_or_another_servers_is_refused(houses: Houses) -> None:
    draft_id = await drafted(houses, PUSH)
    for unknown, server_id in ((draft_id, OTHER_SERVER), (fresh(), SERVER)):
        with pytest.raises(NoSuchDraftError):
            await houses.confirm(unknown, server_id, ADMIN)


async def test_a_draft_that_this_version_cannot_read_is_refused(ledger: Ledger, houses: Houses) -> None:
    await ledger.record(HouseDraft(fresh(), SERVER, NOON, 0, '{"verb": "forbid"}'))
    outdated = fresh() - 1
    with pytest.raises(NoSuchDraftError):
        await houses.confirm(outdated, SERVER, ADMIN)


@pytest.mark.parametrize(
    "change",
    [
        HouseChange(Verb.SET, "ties", "nobody"),
        HouseChange(Verb.SET, "wild_in_score", "off", GNAU),
        HouseChange(Verb.SET, "ties"),
        HouseChange(Verb.SET, None, "on"),
        HouseChange(Verb.PRESET, text="monte-carlo"),
        HouseChange(Verb.PRESET),
        HouseChange(Verb.RESET, "no_such_knob"),
    ],
)
async def test_an_impossible_change_is_refused_with_a_sentence(houses: Houses, change: HouseChange) -> None:
    with pytest.raises(WrongRuleError) as refused:
        await drafted(houses, change)
    assert " " in wrong_rule(refused.value)


async def test_all_knobs_are_reset_and_the_presets_stay(houses: Houses) -> None:
    ties = HouseChange(Verb.SET, "ties", "push")
    wild = HouseChange(Verb.SET, "wild_in_score", "off")
    await make(houses, HouseChange(Verb.PRESET, text="points"), ties, wild, SEVEN_SEATS)
    await make(houses, HouseChange(Verb.RESET, game=TAU_NGAU))
    after_one = houses.house_of(SERVER)
    assert value_of(after_one.rules(TAU_NGAU), "wild_in_score")
    assert value_of(after_one.rules(GNAU), "ties") is Ties.PUSH
    assert after_one.rules(GNAU).seats == 7
    await make(houses, HouseChange(Verb.RESET))
    assert houses.house_of(SERVER) == House(presets={GNAU: "points"})


async def test_a_change_is_taken_back_alone(houses: Houses) -> None:
    points = HouseChange(Verb.PRESET, text="points")
    await make(houses, PUSH, SEVEN_SEATS, points, HouseChange(Verb.SET, "multiple_double_ox", "4", GNAU))
    taken = [await houses.taking_back(SERVER, number) for number in (1, 2, 3)]
    # The preset has banker win ties, which is what they were before the first change.
    assert not altered(houses.house_of(SERVER), taken[0].applied_to(houses.house_of(SERVER)))
    await make(houses, taken[2])
    rules = houses.house_of(SERVER).rules(GNAU)
    assert houses.house_of(SERVER).preset(GNAU) == "wikipedia"
    assert (value_of(rules, "ties"), rules.seats) == (Ties.PUSH, 7)
    await make(houses, taken[1], taken[0])
    assert houses.house_of(SERVER).rules(GNAU) == UNCHANGED.rules(GNAU)
    with pytest.raises(NoSuchDraftError):
        await houses.taking_back(SERVER, 99)


async def test_a_change_is_taken_back_alone_by_a_process_that_knows_only_older_ones(
    ledger: Ledger, houses: Houses
) -> None:
    await make(houses, PUSH)
    other = Houses(ledger)
    await other.load()
    await make(houses, SEVEN_SEATS, HouseChange(Verb.SET, "decks", "5"))
    for number in (1, 2, 3):
        assert await other.taking_back(SERVER, number) == await houses.taking_back(SERVER, number)
    taking = await other.taking_back(SERVER, 3)
    things = altered(houses.house_of(SERVER), taking.applied_to(houses.house_of(SERVER)))
    assert {one.knob for one in things} == {"decks"}


async def test_what_was_set_again_later_is_named_before_it_is_taken_back(houses: Houses) -> None:
    five_decks, eight = HouseChange(Verb.SET, "decks", "5"), HouseChange(Verb.SET, "seats", "8")
    await make(houses, SEVEN_SEATS, five_decks, eight)
    taking = await houses.taking_back(SERVER, 1)
    assert taking.overrules(houses.house_of(SERVER)) == (Altered(None, "seats", "8", "9"),)
    assert (await houses.taking_back(SERVER, 3)).overrules(houses.house_of(SERVER)) == ()
    await make(houses, taking)
    assert houses.house_of(SERVER) == House(hosting={"decks": 5})


async def test_a_change_whose_knob_a_later_preset_has_set_is_taken_back_to_its_old_value(
    houses: Houses,
) -> None:
    await make(
        houses, PUSH, HouseChange(Verb.SET, "ties", "banker", GNAU), HouseChange(Verb.PRESET, text="points")
    )
    taking = await houses.taking_back(SERVER, 2)
    assert taking.overrules(houses.house_of(SERVER)) == ()
    await make(houses, taking)
    assert houses.house_of(SERVER).preset(GNAU) == "points"
    assert value_of(houses.house_of(SERVER).rules(GNAU), "ties") is Ties.PUSH


async def test_a_change_that_later_ones_need_cannot_be_taken_back(houses: Houses) -> None:
    for which, chips in (("highest", "60"), ("lowest", "50"), ("highest", "55")):
        await make(houses, HouseChange(Verb.SET, f"{which}_stake", chips))
    await make(
        houses, HouseChange(Verb.SET, "lowest_stake", "20"), HouseChange(Verb.SET, "highest_stake", "20")
    )
    await make(houses, HouseChange(Verb.SET, "lowest_stake", "10"))
    before = houses.house_of(SERVER)
    with pytest.raises(WrongRuleError, match="stakes_crossed"):
        await drafted(houses, await houses.taking_back(SERVER, 4))
    assert houses.house_of(SERVER) == before


async def test_the_history_lists_who_changed_what_and_when(houses: Houses) -> None:
    await make(houses, HouseChange(Verb.SET, "ties", "push"))
    await make(houses, SEVEN_SEATS, HouseChange(Verb.PRESET, text="points"), party=OTHER_ADMIN)
    newest, middle, oldest = await houses.history(SERVER, 10)
    # Tau Ngau's ties are pushed already.
    assert oldest == PastChange(1, ADMIN, NOON, (Altered("gnau", "ties", "banker", "push"),))
    assert middle == PastChange(2, OTHER_ADMIN, NOON, (Altered(None, "seats", "9", "7"),))
    assert newest.things is not None
    assert newest.things[0] == Altered("gnau", None, "wikipedia", "points")
    assert Altered("gnau", "multiple_double_ox", "3", "2") in newest.things
    assert Altered("gnau", "ties", "push", "banker") in newest.things
    assert len(await houses.history(SERVER, 1)) == 1


async def test_unknown_parts_of_a_stored_house_are_logged_once_and_ignored(
    tmp_path: Path, ledger: Ledger, houses: Houses, caplog: pytest.LogCaptureFixture
) -> None:
    await make(houses, PUSH)
    outdated = {
        "versions": {name: game.version for name, game in GAMES.items()},
        "presets": {"gnau": "gone"},
        "overrides": {"gnau": {"ties": "push", "joker": True, "multiple_double_ox": 99}, "whist": {}},
        "hosting": {"seats": 7, "music": "on"},
    }
    with closing(sqlite3.connect(tmp_path / "gnau.db")) as file:
        file.execute("DROP TRIGGER house_changes_no_update")
        file.execute("UPDATE house_changes SET house = ?, what = 'no JSON'", [json.dumps(outdated)])
        file.commit()
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        again = await loaded(ledger)
        for _ in range(3):
            rules = again.house_of(SERVER).rules(GNAU)
    assert (value_of(rules, "ties"), rules.seats, value_of(rules, "multiple_double_ox")) == (Ties.PUSH, 7, 3)
    reported = "\n".join(caplog.messages)
    for what in ("gone", "joker", "multiple_double_ox", "music"):
        assert reported.count(what) == 1, reported
    assert [past.things for past in await again.history(SERVER, 10)] == [None]
    await make(again, HouseChange(Verb.SET, "seats", "8"))
    assert again.house_of(SERVER).rules(GNAU).seats == 8


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"presets": 3, "overrides": [], "hosting": null}'])
async def test_an_unreadable_stored_house_is_ignored(
    tmp_path: Path, ledger: Ledger, houses: Houses, text: str
) -> None:
    await make(houses, PUSH)
    with closing(sqlite3.connect(tmp_path / "gnau.db")) as file:
        file.execute("DROP TRIGGER house_changes_no_update")
        file.execute("UPDATE house_changes SET house = ?", [text])
        file.commit()
    assert (await loaded(ledger)).house_of(SERVER) == UNCHANGED


async def test_after_a_failure_the_stored_change_is_read(ledger: Ledger, houses: Houses) -> None:
    draft_id = await drafted(houses, PUSH)
    with failing(ledger, "commit", done=True), pytest.raises(LedgerUnavailable):
        await houses.confirm(draft_id, SERVER, ADMIN)
    assert value_of(houses.house_of(SERVER).rules(GNAU), "ties") is Ties.PUSH
    assert await houses.confirm(draft_id, SERVER, ADMIN) == (Altered("gnau", "ties", "banker", "push"),)


async def test_a_stale_house_is_reported_as_changed_and_read_again(ledger: Ledger, houses: Houses) -> None:
    """Should never happen: another process wrote. The disk counts, and nothing is overwritten."""
    await make(await loaded(ledger), PUSH)
    draft_id = await drafted(houses, SEVEN_SEATS)
    with pytest.raises(HouseChangedError):
        await houses.confirm(draft_id, SERVER, ADMIN)
    assert value_of(houses.house_of(SERVER).rules(GNAU), "ties") is Ties.PUSH
    await make(houses, SEVEN_SEATS)
    rules = houses.house_of(SERVER).rules(GNAU)
    assert (value_of(rules, "ties"), rules.seats) == (Ties.PUSH, 7)


async def test_a_house_without_changes_is_the_given_default(ledger: Ledger) -> None:
    quick = House(hosting={"last_call_seconds": 0})
    houses = Houses(ledger, lambda _: quick)
    assert houses.house_of(SERVER) == quick
    await make(houses, SEVEN_SEATS)
    assert houses.house_of(SERVER).rules(TAU_NGAU).last_call_seconds == 0
    assert houses.house_of(SERVER).rules(TAU_NGAU).seats == 7
