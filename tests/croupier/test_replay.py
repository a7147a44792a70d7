"""Replaying every table finds everything that does not follow from its events, and nothing else."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.croupier.replay import verify_tables
from bot.rules.shuffle import new_secret
from bot.table.accounts import OF_TOURNAMENTS, Reason
from bot.table.commands import PlaceBet, RevealHand, RollForBank
from tests.croupier.croupier_house import ALICE, BOB, MEI, OTHER_SERVER, SERVER, House
from tests.croupier.forger import Forger
from tests.croupier.long_evening import LongEvening
from tests.games.presets import TAU_NGAU_PRESET
from tests.sizes import sized

OF_NO_EVENING = OF_TOURNAMENTS | {
    Reason.ERASED,
    Reason.BANKROLL,
    Reason.GRANTED,
    Reason.TAKEN,
    Reason.SEASON,
}
WRONG_RESULT = "its result does not follow from the bets, the hands and the secret of its table"


def test_a_long_evening_replays_without_problems(forger: Forger) -> None:
    assert forger.found() == []
    for reason in Reason:
        made = forger.one("SELECT count(*) FROM transfers WHERE reason = ?", reason.value)
        assert made or reason in OF_NO_EVENING, reason
    for kind in ("bank_passed", "dice_rolled", "hand_arranged", "round_called_off", "table_closed"):
        assert forger.one("SELECT count(*) FROM events WHERE kind = ?", kind), kind


async def test_the_replay_reads_one_snapshot_while_the_bot_continues(house: House) -> None:
    table_id = await house.open_with_bank(MEI, players=(ALICE, BOB))

    looks = 0

    async def play() -> None:
        while looks < sized(3, 8):
            await house.bet(table_id, ALICE, 5)
            await house.bet(table_id, BOB, 6)
            await house.do(table_id, RevealHand(MEI), MEI)
            house.now += house.rules.arranging_seconds
            await house.croupier.go_on()

    playing = asyncio.create_task(play())
    while not playing.done():
        assert await verify_tables(house.ledger) == []
        looks += 1
    await playing


@pytest.mark.parametrize("body", ["", "shopping list", "{}", '{"kind": "seat_taken", "number": 1}'])
def test_an_unreadable_event_is_named_and_ends_the_replay(
    forger: Forger, evening: LongEvening, body: str
) -> None:
    where = "WHERE table_id = ? AND sequence = 7"
    forger.run(f"UPDATE events SET body = ? {where}", body, evening.chips)
    found = forger.found_alone()
    assert found.startswith(f"server {SERVER}: event 7 of table {evening.chips} cannot be read: ")


@pytest.mark.parametrize("kind", ["table_opened", "bank_passed", "round_settled"])
def test_an_impossible_event_is_named_and_ends_the_replay(
    forger: Forger, evening: LongEvening, kind: str
) -> None:
    query = "SELECT body FROM events WHERE table_id = ? AND kind = ? ORDER BY sequence LIMIT 1"
    body = forger.one(query, evening.chips, kind)
    where = "WHERE table_id = ? AND sequence = 4"
    forger.run(f"UPDATE events SET kind = ?, body = ? {where}", kind, body, evening.chips)
    what = f"event 4 of table {evening.chips} cannot follow the events before it"
    # A round that never was is in no standing either.
    found = [problem for problem in forger.found() if "should be" not in problem]
    assert found == [f"server {SERVER}: {what}"]


def test_a_missing_event_is_found_at_the_next_one(forger: Forger, evening: LongEvening) -> None:
    forger.run("DELETE FROM events WHERE table_id = ? AND sequence = 8", evening.chips)
    count = forger.one("SELECT sequence FROM tables WHERE table_id = ?", evening.chips)
    name = f"table {evening.chips}"
    assert forger.found() == [
        f"server {SERVER}: {name} is at event {count}, but {count - 1} are stored, up to number {count}",
        f"server {SERVER}: event 9 of {name} cannot follow the events before it",
    ]


def test_another_past_deadline_is_found_by_its_hash_alone(forger: Forger, evening: LongEvening) -> None:
    def later(body: Any) -> None:
        body["at"] += 1

    deadline = "kind = 'deadline_set' AND body ->> 'at' > 0 AND table_id = ?"
    query = f"SELECT sequence, link, hash FROM events WHERE {deadline} LIMIT 1"
    sequence, link, hashed = forger.one(query, evening.chips)
    forger.edit(evening.chips, sequence, later)
    assert forger.found() == [], "the forger makes the hashes again"
    with closing(sqlite3.connect(forger.path)) as connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute(
            "UPDATE events SET hash = ? WHERE link = ? AND table_id = ?", (hashed, link, evening.chips)
        )
        connection.commit()
    name = f"event {sequence} of table {evening.chips}, link {link} of the chain,"
    assert forger.found() == [f"server {SERVER}: {name} was changed, or the link before it was"]


def _other_hands(body: Any) -> None:
    first, second = body["hands"][:2]
    first["pieces"][0], second["pieces"][0] = second["pieces"][0], first["pieces"][0]


def _other_seal(body: Any) -> None:
    body["secret"] = new_secret()


@pytest.mark.parametrize(
    ("kind", "filed_with", "change"),
    [
        ("secret_committed", 0, _other_seal),
        ("hands_dealt", 1, _other_hands),
    ],
)
def test_a_round_dealt_from_another_secret_is_not_proved(
    forger: Forger, evening: LongEvening, kind: str, filed_with: int, change: Callable[[Any], None]
) -> None:
    query = "SELECT max(sequence) FROM events WHERE table_id = ? AND kind = ? AND round_number = ?"
    forger.edit(evening.chips, forger.one(query, evening.chips, kind, filed_with), change)
    dealt = f"event {forger.event(evening.chips, 'hands_dealt', 1)} of table {evening.chips}"
    assert forger.found() == [
        f"server {SERVER}: {dealt} has other hands than its secret deals",
        f"server {SERVER}: round 1 of table {evening.chips} is not proved: {WRONG_RESULT}",
    ]


def test_dealt_hands_follow_from_the_secret(forger: Forger, evening: LongEvening) -> None:
    sequence = forger.event(evening.points, "hands_dealt", 5)

    def swap(state: Any) -> None:
        first, second = state["seats"][:2]
        first["pieces"][0], second["pieces"][0] = second["pieces"][0], first["pieces"][0]

    forger.edit(evening.points, sequence, _other_hands)
    forger.edit_state(evening.points, swap)
    what = f"event {sequence} of table {evening.points} has other hands than its secret deals"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_the_first_mismatch_in_a_rounds_record_is_named(forger: Forger, evening: LongEvening) -> None:
    def swap(body: Any) -> None:
        first, second = body["result"]["players"][:2]
        first["pieces"], second["pieces"] = second["pieces"], first["pieces"]

    forger.edit(evening.chips, forger.event(evening.chips, "round_settled", 2), swap)
    found = forger.found_alone()
    name = f"server {SERVER}: round 1 of table {evening.chips}"
    cards = r"[AJQK\d]+[CDHS]( [AJQK\d]+[CDHS]){4}"
    assert re.fullmatch(f"{name} is not proved: the hand of seat 1 is {cards}, and should be {cards}", found)


def _other_text(body: Any) -> None:
    body["text"] = "999"


def _other_die(body: Any) -> None:
    dice = body["throws"][0]["dice"]
    dice[0] = dice[0] % 6 + 1


def _other_sheet(body: Any) -> None:
    body["opening"]["sheet"] = body["opening"]["sheet"].replace('"seat":1', '"seat":7')


@pytest.mark.parametrize(
    ("kind", "change", "shuffle", "wrong"),
    [
        ("client_seed_set", _other_text, "hands_dealt", "hands than its secret deals"),
        ("dice_rolled", _other_die, "dice_rolled", "dice than its secret rolls"),
        ("dice_rolled", _other_sheet, "dice_rolled", "dice than its secret rolls"),
    ],
)
def test_t03_hands_and_dice_that_do_not_follow_from_what_was_mixed_are_found(
    forger: Forger, evening: LongEvening, kind: str, change: Callable[[Any], None], shuffle: str, wrong: str
) -> None:
    table_id = evening.chips if shuffle == "hands_dealt" else evening.tiles
    query = "SELECT max(sequence) FROM events WHERE table_id = ? AND kind = ? AND round_number = 1"
    forger.edit(table_id, forger.one(query, table_id, kind), change)
    what = f"event {forger.event(table_id, shuffle, 1)} of table {table_id} has other {wrong}"
    assert any(found.endswith(f": {what}") for found in forger.found())


def test_a_changed_bet_is_found_in_everything_that_follows_from_it(
    forger: Forger, evening: LongEvening
) -> None:
    def raise_it(body: Any) -> None:
        body["stake"] += 1

    sequence = forger.event(evening.chips, "bet_placed", 2)
    forger.edit(evening.chips, sequence, raise_it)
    found = forger.found()
    name = f"table {evening.chips}"
    held = [what for what in found if f"but event {sequence} of {name} moves 147 chips from " in what]
    assert [" is of 140 chips from " in what for what in held] == [True, True]
    assert f"server {SERVER}: round 2 of {name} is not proved: {WRONG_RESULT}" in found
    dealt = f"event {forger.event(evening.chips, 'hands_dealt', 2)} of {name}"
    assert f"server {SERVER}: {dealt} has other hands than its secret deals" in found
    assert all(any(part in what for part in ("in round 2", "round 2 of", dealt)) for what in found)


def test_a_wrong_state_is_found_with_the_names_of_its_wrong_parts(
    forger: Forger, evening: LongEvening
) -> None:
    def forge(state: Any) -> None:
        state["seats"][0]["rounds_missed"] += 1
        state["bank"]["highest"] = 1_000_000

    forger.edit_state(evening.chips, forge)
    what = f"the state of table {evening.chips} does not follow from its events: seats, bank"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_a_wrong_secret_is_named_but_not_shown(forger: Forger, evening: LongEvening) -> None:
    def forge(state: Any) -> None:
        state["secret"] = "ab" * 32

    sealed = json.loads(forger.one("SELECT state FROM tables WHERE table_id = ?", evening.chips))["secret"]
    forger.edit_state(evening.chips, forge)
    found = forger.found_alone()
    assert found.endswith("does not follow from its events: secret")
    assert sealed not in found
    assert "abab" not in found


def test_an_unreadable_state_is_reported_without_its_values(forger: Forger, evening: LongEvening) -> None:
    def forge(state: Any) -> None:
        state["bank"]["highest"] = "the moon"

    forger.edit_state(evening.chips, forge)
    found = forger.found_alone()
    assert found.startswith(
        f"server {SERVER}: the state of table {evening.chips} cannot be read: bank.highest: "
    )
    assert "moon" not in found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("column", "value"), [("channel_id", 99), ("number", 99), ("is_playing", True), ("is_open", False)]
)
def test_a_table_whose_row_differs_from_its_state_is_found(
    forger: Forger, evening: LongEvening, column: str, value: int
) -> None:
    due = forger.one(f"SELECT {column} FROM tables WHERE table_id = ?", evening.tiles)
    due = bool(due) if isinstance(value, bool) else due
    forger.run(f"UPDATE tables SET {column} = ? WHERE table_id = ?", value, evening.tiles)
    what = f"table {evening.tiles} is stored with {column} {value}, and should have {due}"
    assert forger.found() == [f"server {OTHER_SERVER}: {what}"]


def test_a_wrong_deadline_is_found(forger: Forger, evening: LongEvening) -> None:
    due = forger.one("SELECT at FROM deadlines WHERE table_id = ?", evening.points)
    forger.run("UPDATE deadlines SET at = at + 3600 WHERE table_id = ?", evening.points)
    what = f"table {evening.points} is stored with deadline {due + 3600}, and should have {due}"
    assert forger.found() == [f"server {SERVER}: {what}"]


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("kind", "seat_left", "is stored as seat_left, but is seat_taken"),
        ("round_number", 5, "is stored under round 5, but is of round 1"),
    ],
)
def test_an_event_stored_under_a_wrong_kind_or_round_is_found(
    forger: Forger, evening: LongEvening, column: str, value: object, what: str
) -> None:
    query = "SELECT min(sequence) FROM events WHERE table_id = ? AND kind = 'seat_taken' AND round_number = 1"
    sequence = forger.one(query, evening.chips)
    where = "WHERE table_id = ? AND sequence = ?"
    forger.run(f"UPDATE events SET {column} = ? {where}", value, evening.chips, sequence)
    assert forger.found() == [f"server {SERVER}: event {sequence} of table {evening.chips} {what}"]


def test_a_table_without_events_is_found(forger: Forger) -> None:
    forger.run(
        "INSERT INTO tables VALUES (7000, ?, 70, 7, 0, 0, '{}', 0, 0.5, 0.5, NULL, NULL, 'gnau')", SERVER
    )
    assert forger.found() == [f"server {SERVER}: table 7000 is stored, but has no events"]


def test_b03_an_unknown_knob_is_mentioned_only_with_a_problem(forger: Forger, evening: LongEvening) -> None:
    for text, table in (("body", "events"), ("state", "tables")):
        forger.run(f"""UPDATE {table} SET {text} = replace({text}, '"rules":{{', '"rules":{{"jokers":2,')""")
    assert '"jokers"' in forger.one("SELECT state FROM tables WHERE table_id = ?", evening.chips)
    assert forger.found() == []
    forger.edit_state(evening.chips, lambda state: state.update(round_number=99))
    what = f"the state of table {evening.chips} does not follow from its events: round_number"
    proviso = "(as far as its rules are known: jokers is not a knob of these rules (any more))"
    assert forger.found() == [f"server {SERVER}: {what} {proviso}"]


def test_t03_dice_that_the_bot_made_up_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table.commitment.roll", lambda dice, _: (6, 6) + (1,) * (dice - 2))
    path = tmp_path / "loaded.db"

    async def play() -> None:
        async with House(path) as house:
            house.rules = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0})
            table = await house.croupier.open_table(SERVER, 700, MEI, 70, "tau-ngau")
            await house.join(table.table_id, MEI, ALICE, BOB)
            table = await house.do(table.table_id, RollForBank(ALICE, (), house.rules), ALICE)
            for seat in table.seats:
                await house.do(table.table_id, PlaceBet(seat.party, 5), seat.party)
            house.now += house.rules.arranging_seconds
            await house.croupier.go_on()

    asyncio.run(play())
    found = "\n".join(Forger(path).found())
    assert "has other dice than its secret rolls" in found
    assert "is not proved: dice.throws is " in found
