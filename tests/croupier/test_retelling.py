"""Every table is told again from its record: what is stored of it otherwise is found, and nothing else."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.croupier.retelling import retell
from bot.rules.shuffle import new_secret
from bot.table.commands import RevealHand
from bot.table.money import Reason
from tests.croupier.forger import Forger
from tests.croupier.house import ALICE, BOB, MEI, OTHER_SERVER, SERVER, House
from tests.croupier.long_evening import LongEvening
from tests.sizes import sized

NOT_WHAT_IT_COMES_TO = (
    "what it brought is not what the bets, the hands and the sealed secret of its table come to"
)


def test_a_long_evening_is_told_again_as_it_was(forger: Forger) -> None:
    assert forger.found() == []
    for reason in Reason:
        assert forger.one("SELECT count(*) FROM transfers WHERE reason = ?", reason.value), reason
    for kind in ("bank_passed", "dice_rolled", "hand_arranged", "round_called_off", "table_closed"):
        assert forger.one("SELECT count(*) FROM events WHERE kind = ?", kind), kind


async def test_one_moment_is_looked_at_while_the_bot_goes_on(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.join(table_id, ALICE, BOB)

    async def play() -> None:
        for _ in range(sized(8, 20)):
            await house.bet(table_id, ALICE, 5)
            await house.bet(table_id, BOB, 6)
            await house.do(table_id, RevealHand(MEI.member_id), MEI)
            house.now += house.rules.arranging_seconds
            await house.croupier.go_on()

    playing = asyncio.create_task(play())
    looks = 0
    while not playing.done():
        assert await retell(house.ledger) == []
        looks += 1
    await playing
    assert looks > 2


@pytest.mark.parametrize("body", ["", "shopping list", "{}", '{"kind": "seat_taken", "number": 1}'])
def test_an_event_that_cannot_be_read_is_named_and_nothing_after_it(
    forger: Forger, evening: LongEvening, body: str
) -> None:
    where = "WHERE table_id = ? AND sequence = 7"
    forger.run(f"UPDATE events SET body = ? {where}", body, evening.chips)
    found = forger.found_alone()
    assert found.startswith(f"server {SERVER}: event 7 of table {evening.chips} cannot be read: ")


@pytest.mark.parametrize("kind", ["table_opened", "bank_passed", "round_settled"])
def test_an_event_that_cannot_have_happened_there_is_named_and_nothing_after_it(
    forger: Forger, evening: LongEvening, kind: str
) -> None:
    query = "SELECT body FROM events WHERE table_id = ? AND kind = ? ORDER BY sequence LIMIT 1"
    body = forger.one(query, evening.chips, kind)
    where = "WHERE table_id = ? AND sequence = 4"
    forger.run(f"UPDATE events SET kind = ?, body = ? {where}", kind, body, evening.chips)
    what = f"event 4 of table {evening.chips} cannot have happened after what is stored before it"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_an_event_that_is_gone_is_missed_at_the_next_one(forger: Forger, evening: LongEvening) -> None:
    forger.run("DELETE FROM events WHERE table_id = ? AND sequence = 8", evening.chips)
    count = forger.one("SELECT sequence FROM tables WHERE table_id = ?", evening.chips)
    name = f"table {evening.chips}"
    assert forger.found() == [
        f"server {SERVER}: {name} is at event {count}, but its record has {count - 1}, up to number {count}",
        f"server {SERVER}: event 9 of {name} cannot have happened after what is stored before it",
    ]


def _other_words(body: Any) -> None:
    body["text"] = "nine nine nine"


def _other_hands(body: Any) -> None:
    first, second = body["hands"][:2]
    first["pieces"][0], second["pieces"][0] = second["pieces"][0], first["pieces"][0]


def _other_seal(body: Any) -> None:
    body["secret"] = new_secret()


@pytest.mark.parametrize(
    ("kind", "filed_with", "change"),
    [
        ("secret_committed", 0, _other_seal),
        ("client_seed_set", 1, _other_words),
        ("hands_dealt", 1, _other_hands),
    ],
)
def test_a_round_that_was_drawn_from_something_else_is_not_proved(
    forger: Forger, evening: LongEvening, kind: str, filed_with: int, change: Callable[[Any], None]
) -> None:
    query = "SELECT max(sequence) FROM events WHERE table_id = ? AND kind = ? AND round_number = ?"
    forger.edit(evening.chips, forger.one(query, evening.chips, kind, filed_with), change)
    dealt = f"event {forger.event(evening.chips, 'hands_dealt', 1)} of table {evening.chips}"
    assert forger.found() == [
        f"server {SERVER}: {dealt} deals other hands than were drawn",
        f"server {SERVER}: round 1 of table {evening.chips} is not proved: {NOT_WHAT_IT_COMES_TO}",
    ]


def test_hands_that_are_out_are_those_that_were_drawn(forger: Forger, evening: LongEvening) -> None:
    sequence = forger.event(evening.points, "hands_dealt", 5)

    def swap(state: Any) -> None:
        first, second = state["seats"][:2]
        first["pieces"][0], second["pieces"][0] = second["pieces"][0], first["pieces"][0]

    forger.edit(evening.points, sequence, _other_hands)
    forger.edit_state(evening.points, swap)
    what = f"event {sequence} of table {evening.points} deals other hands than were drawn"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_the_first_thing_in_a_rounds_record_that_does_not_fit_is_told(
    forger: Forger, evening: LongEvening
) -> None:
    def swap(body: Any) -> None:
        first, second = body["result"]["players"][:2]
        first["pieces"], second["pieces"] = second["pieces"], first["pieces"]

    forger.edit(evening.chips, forger.event(evening.chips, "round_settled", 2), swap)
    found = forger.found_alone()
    assert found.startswith(
        f"server {SERVER}: round 1 of table {evening.chips} is not proved: the hand of Alice is "
    )


def test_t03_dice_that_were_not_thrown_prove_no_round(forger: Forger, evening: LongEvening) -> None:
    def turn(body: Any) -> None:
        dice = body["throws"][0]["dice"]
        dice[0] = dice[0] % 6 + 1

    forger.edit(evening.tiles, forger.event(evening.tiles, "dice_rolled", 1), turn)
    found = forger.found_alone()
    assert found.startswith(
        f"server {OTHER_SERVER}: round 1 of table {evening.tiles} is not proved: dice.throws is "
    )


def test_a_stake_that_was_changed_is_found_in_all_that_follows_from_it(
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
    assert f"server {SERVER}: round 2 of {name} is not proved: {NOT_WHAT_IT_COMES_TO}" in found
    assert all("in round 2" in what or "round 2 of" in what for what in found)


def _nothing() -> Any:
    """The secret of a shuffle that is not sealed."""


def test_rounds_of_before_shuffles_were_sealed_are_settled_again(tmp_path: Path) -> None:
    path = tmp_path / "unsealed.db"

    async def play() -> int:
        async with House(path, _nothing) as house:
            table_id = await house.open_with_bank(MEI)
            await house.bet(table_id, ALICE, 5)
            house.now += house.rules.arranging_seconds
            await house.croupier.go_on()
            assert house.table(table_id).last is not None
            await house.check()
            return table_id

    table_id, forger = asyncio.run(play()), Forger(path)
    assert forger.found() == []
    forger.edit(table_id, forger.event(table_id, "hands_dealt", 1), _other_hands)
    what = f"round 1 of table {table_id} is not proved: {NOT_WHAT_IT_COMES_TO}"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_a_state_that_does_not_follow_is_found_by_the_parts_that_differ(
    forger: Forger, evening: LongEvening
) -> None:
    def forge(state: Any) -> None:
        state["seats"][0]["rounds_missed"] += 1
        state["bank"]["highest"] = 1_000_000

    forger.edit_state(evening.chips, forge)
    what = f"the state of table {evening.chips} is not what its events lead to: seats, bank"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_a_secret_that_is_still_sealed_is_not_told_where_it_differs(
    forger: Forger, evening: LongEvening
) -> None:
    def forge(state: Any) -> None:
        state["secret"] = "ab" * 32

    sealed = json.loads(forger.one("SELECT state FROM tables WHERE table_id = ?", evening.chips))["secret"]
    forger.edit_state(evening.chips, forge)
    found = forger.found_alone()
    assert found.endswith("is not what its events lead to: secret")
    assert sealed not in found
    assert "abab" not in found


def test_a_state_that_cannot_be_read_is_told_without_what_stands_there(
    forger: Forger, evening: LongEvening
) -> None:
    def forge(state: Any) -> None:
        state["bank"]["highest"] = "the moon"

    forger.edit_state(evening.chips, forge)
    found = forger.found_alone()
    assert found.startswith(
        f"server {SERVER}: the state of table {evening.chips} cannot be read: bank.highest: "
    )
    assert "moon" not in found


@pytest.mark.parametrize(
    ("column", "value"), [("channel_id", 99), ("number", 99), ("is_playing", True), ("is_open", False)]
)
def test_a_table_that_is_filed_otherwise_than_its_state_is_found(
    forger: Forger, evening: LongEvening, column: str, value: int
) -> None:
    due = forger.one(f"SELECT {column} FROM tables WHERE table_id = ?", evening.tiles)
    due = bool(due) if isinstance(value, bool) else due
    forger.run(f"UPDATE tables SET {column} = ? WHERE table_id = ?", value, evening.tiles)
    what = f"table {evening.tiles} is filed with {column} {value}, and should be with {due}"
    assert forger.found() == [f"server {OTHER_SERVER}: {what}"]


def test_a_deadline_that_is_not_the_tables_is_found(forger: Forger, evening: LongEvening) -> None:
    due = forger.one("SELECT at FROM deadlines WHERE table_id = ?", evening.points)
    forger.run("UPDATE deadlines SET at = at + 3600 WHERE table_id = ?", evening.points)
    what = f"table {evening.points} is filed with deadline {due + 3600}, and should be with {due}"
    assert forger.found() == [f"server {SERVER}: {what}"]


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("kind", "seat_left", "is filed as seat_left, but is seat_taken"),
        ("round_number", 5, "is filed under round 5, but is of round 1"),
    ],
)
def test_an_event_that_is_filed_as_another_is_found(
    forger: Forger, evening: LongEvening, column: str, value: object, what: str
) -> None:
    where = "WHERE table_id = ? AND sequence = 7"
    forger.run(f"UPDATE events SET {column} = ? {where}", value, evening.chips)
    assert forger.found() == [f"server {SERVER}: event 7 of table {evening.chips} {what}"]


def test_a_table_where_nothing_ever_happened_is_found(forger: Forger) -> None:
    forger.run("INSERT INTO tables VALUES (7000, ?, 70, 7, 0, 0, '{}', 0, 0.5, 0.5, NULL, NULL)", SERVER)
    assert forger.found() == [f"server {SERVER}: table 7000 is stored, but nothing ever happened there"]


def test_b03_a_knob_that_is_gone_is_no_fault_but_told_beside_one(
    forger: Forger, evening: LongEvening
) -> None:
    for text, table in (("body", "events"), ("state", "tables")):
        forger.run(f"""UPDATE {table} SET {text} = replace({text}, '"rules":{{', '"rules":{{"jokers":2,')""")
    assert '"jokers"' in forger.one("SELECT state FROM tables WHERE table_id = ?", evening.chips)
    assert forger.found() == []
    forger.edit_state(evening.chips, lambda state: state.update(round_number=99))
    what = f"the state of table {evening.chips} is not what its events lead to: round_number"
    proviso = "(as far as its rules can be read: jokers is not a knob of these rules (any more))"
    assert forger.found() == [f"server {SERVER}: {what} {proviso}"]
