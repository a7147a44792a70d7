"""Every transfer that differs from what the tables' events move is found."""

import pytest

from bot.table.accounts import Reason
from bot.table.state import COMPUTERS, THE_HOUSE
from tests.croupier.croupier_house import ALICE, BOB, MEI, OTHER_SERVER, SERVER
from tests.croupier.forger import Forger
from tests.croupier.long_evening import DORA, LongEvening
from tests.sizes import sample

HELD = "reason = 'bet_held' AND round_number = 2 AND table_id = {chips} AND server_id = 8"
"""The first bet of a round that is over, at a table that is in another."""


def beside_debts(forger: Forger) -> list[str]:
    """The problems, without the audit's about accounts below zero."""
    return [what for what in forger.found() if "is below zero" not in what]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "chips = chips + 1",
            "141 chips from wallet:2 to hold:{chips}:2 as bet_held at table {chips} in round 2",
        ),
        (
            "source = 'wallet:5'",
            "140 chips from wallet:5 to hold:{chips}:2 as bet_held at table {chips} in round 2",
        ),
        (
            "target = 'hold:{chips}:3'",
            "140 chips from wallet:2 to hold:{chips}:3 as bet_held at table {chips} in round 2",
        ),
        ("reason = 'gift'", "140 chips from wallet:2 to hold:{chips}:2 as gift at table {chips} in round 2"),
        (
            "round_number = 3",
            "140 chips from wallet:2 to hold:{chips}:2 as bet_held at table {chips} in round 3",
        ),
        ("round_number = NULL", "140 chips from wallet:2 to hold:{chips}:2 as bet_held at table {chips}"),
        ("table_id = NULL", "140 chips from wallet:2 to hold:{chips}:2 as bet_held in round 2"),
    ],
)
def test_a_transfer_that_differs_from_its_event_is_found(
    forger: Forger, evening: LongEvening, change: str, said: str
) -> None:
    table_id = evening.chips
    server_id, link = forger.transfer(HELD.format(chips=table_id))
    event = forger.event(table_id, "bet_placed", 2)
    forger.run(
        f"UPDATE transfers SET {change.format(chips=table_id)} WHERE server_id = ? AND link = ?",
        *(server_id, link),
    )
    due = f"140 chips from wallet:2 to hold:{table_id}:2 as bet_held at table {table_id} in round 2"
    what = f"transfer {link} is of {said.format(chips=table_id)}"
    assert beside_debts(forger) == [
        f"server {SERVER}: {what}, but event {event} of table {table_id} moves {due}"
    ]


def test_a_missing_transfer_is_found(forger: Forger, evening: LongEvening) -> None:
    server_id, link = forger.transfer(HELD.format(chips=evening.chips).replace("bet_held", "bet_returned"))
    query = "SELECT source, target, chips FROM transfers WHERE server_id = ? AND link = ?"
    source, target, chips = forger.one(query, server_id, link)
    forger.run("DELETE FROM transfers WHERE server_id = ? AND link = ?", server_id, link)
    name = f"table {evening.chips}"
    moved = f"{chips} chips from {source} to {target} as bet_returned at {name} in round 2"
    event = forger.event(evening.chips, "round_settled", 3)
    assert forger.found() == [f"server {SERVER}: event {event} of {name} moves {moved}: no transfer does"]


def test_a_transfer_without_an_event_is_found(forger: Forger, evening: LongEvening) -> None:
    key = forger.one("SELECT command_key FROM events WHERE table_id = ? AND sequence = 7", evening.chips)
    link = forger.add(SERVER, "mint", "wallet:5", 500, "opening_chips", key)
    what = f"transfer {link} is of 500 chips from mint to wallet:5 as opening_chips"
    assert forger.found() == [f"server {SERVER}: {what}, but no event of table {evening.chips} moves that"]


def test_a_transfer_that_is_there_twice_is_found_once(forger: Forger, evening: LongEvening) -> None:
    server_id, link = forger.transfer(HELD.format(chips=evening.chips))
    twice = forger.one("SELECT last_link + 1 FROM chains WHERE server_id = ?", server_id)
    columns = "source, target, loser, gainer, chips, reason, table_id, round_number, command_key, at, hash"
    forger.run(
        f"INSERT INTO transfers (server_id, link, {columns}) "
        f"SELECT server_id, ?, {columns} FROM transfers WHERE server_id = ? AND link = ?",
        *(twice, server_id, link),
    )
    name = f"table {evening.chips}"
    moved = f"140 chips from wallet:2 to hold:{evening.chips}:2 as bet_held at {name} in round 2"
    what = f"transfer {twice} is of {moved}, but no event of {name} moves that"
    assert beside_debts(forger) == [f"server {SERVER}: {what}"]


def test_chips_of_another_server_at_a_table_are_found(forger: Forger, evening: LongEvening) -> None:
    key = forger.one("SELECT command_key FROM events WHERE table_id = ? AND sequence = 7", evening.chips)
    link = forger.add(OTHER_SERVER, "wallet:1", "wallet:2", 50, "gift", key)
    what = f"transfer {link} was made at table {evening.chips}, which is in server {SERVER}"
    assert forger.found() == [f"server {OTHER_SERVER}: {what}"]


def test_transfers_in_another_order_than_their_events_are_found(forger: Forger, evening: LongEvening) -> None:
    _, link = forger.transfer(HELD.format(chips=evening.chips))
    first = link - 1
    assert forger.one("SELECT reason FROM transfers WHERE server_id = 8 AND link = ?", first) == "bank_held"
    forger.swap(SERVER, first, link)
    what = f"transfers {first} to {link} are not in the order of their events at table {evening.chips}"
    assert forger.found() == [f"server {SERVER}: {what}"]


def test_g22_points_without_an_event_are_found(forger: Forger, evening: LongEvening) -> None:
    where = f"reason = 'points_lost' AND table_id = {evening.points}"
    _, link = forger.transfer(where)
    forger.run("UPDATE transfers SET chips = chips + 50 WHERE server_id = 8 AND link = ?", link)
    found = forger.found_alone()
    assert found.startswith(f"server {SERVER}: transfer {link} is of 5")
    assert " points from score:" in found


OF_DORA = f"wallet:{DORA}"
OF_ALICE = f"wallet:{ALICE}"
OF_BOB = f"wallet:{BOB}"
BANKS = f"wallet:{THE_HOUSE}"
ERASED = "erased:0123456789abcdef"
TAKEN = f"daily:{SERVER}:{DORA}:000001"


@pytest.mark.parametrize(
    ("source", "target", "reason", "key"),
    sample(
        [
            ("mint", OF_DORA, Reason.OPENING_CHIPS, "forged"),
            ("mint", OF_DORA, Reason.GIFT, "forged"),
            ("house", OF_DORA, Reason.GIFT, "forged"),
            (OF_ALICE, OF_DORA, Reason.PLAYER_WON, "forged"),
            (OF_ALICE, "house", Reason.GIFT, "forged"),
            (f"score:{ALICE}", f"score:{BOB}", Reason.POINTS_WON, "forged"),
            # Handouts come from the mint, for their own reason, to the member in the command's key.
            ("mint", OF_DORA, Reason.DAILY, "daily:8:5:1"),
            ("mint", OF_DORA, Reason.DAILY, "daily:8:4:000001"),
            ("mint", OF_DORA, Reason.DAILY, "daily:9:5:000007"),
            ("mint", OF_DORA, Reason.RELIEF, TAKEN),
            ("mint", OF_DORA, Reason.GIFT, f"gift:{SERVER}:{DORA}:000001"),
            ("mint", BANKS, Reason.DAILY, f"daily:{SERVER}:{THE_HOUSE}:000001"),
            ("house", OF_DORA, Reason.DAILY, TAKEN),
            (OF_ALICE, OF_DORA, Reason.DAILY, TAKEN),
            # Only what an erased member had goes to the house.
            (OF_ALICE, "house", Reason.ERASED, "forged"),
            (OF_ALICE, "pot:5", Reason.ENTRY, "forged"),
            (OF_ALICE, "pot:6", Reason.ENTRY, "tournament:5:enter:1"),
            (OF_ALICE, "pot:5", Reason.PRIZE, "tournament:5:prizes"),
            ("pot:5", OF_ALICE, Reason.ENTRY, "tournament:5:enter:1"),
            ("pot:5", "house", Reason.PRIZE, "tournament:5:prizes"),
            ("mint", "house", Reason.ERASED, ERASED),
            ("hold:1:3", "house", Reason.ERASED, ERASED),
            # The bankroll comes from the mint by a command for it (B07), and no computer player gets a gift.
            ("mint", OF_ALICE, Reason.BANKROLL, "bankroll:1"),
            (OF_ALICE, BANKS, Reason.BANKROLL, "bankroll:1"),
            ("mint", BANKS, Reason.BANKROLL, "forged"),
            # An admin gives from the mint and takes back to it, from members only.
            ("mint", OF_ALICE, Reason.GRANTED, "forged"),
            ("mint", OF_ALICE, Reason.TAKEN, "taken:1"),
            (OF_ALICE, OF_BOB, Reason.TAKEN, "taken:1"),
            ("mint", BANKS, Reason.GRANTED, "granted:1"),
            # The end of a season, too.
            ("mint", OF_ALICE, Reason.SEASON, "forged"),
            (OF_ALICE, OF_BOB, Reason.SEASON, f"season:{SERVER}:1"),
            *((OF_ALICE, f"wallet:{computer}", Reason.GIFT, "forged") for computer in COMPUTERS),
        ],
        5,
    ),
)
def test_only_opening_chips_and_gifts_move_without_a_table(
    forger: Forger, source: str, target: str, reason: Reason, key: str
) -> None:
    forger.run("INSERT INTO commands VALUES (?, ?, NULL, 0.5, NULL)", key, SERVER)
    link = forger.add(SERVER, source, target, 50, reason, key)
    unit = "points" if source.startswith("score") else "chips"
    name = f"transfer {link}, of 50 {unit} from {source} to {target} as {reason},"
    what = f"{name} has no event of a table, and is neither opening chips nor a gift"
    assert f"server {SERVER}: {what}" in beside_debts(forger)


def test_opening_chips_go_to_the_member_in_the_commands_key(forger: Forger) -> None:
    key = f"opening:{OTHER_SERVER}:{MEI}"
    link = forger.one("SELECT link FROM transfers WHERE command_key = ?", key)
    forger.run("UPDATE transfers SET target = 'wallet:3' WHERE command_key = ?", key)
    name = f"transfer {link}, of 1000 chips from mint to wallet:3 as opening_chips,"
    what = f"{name} has no event of a table, and is neither opening chips nor a gift"
    assert beside_debts(forger) == [f"server {OTHER_SERVER}: {what}"]


def test_a_gift_is_made_once(forger: Forger) -> None:
    key = forger.one("SELECT command_key FROM transfers WHERE reason = 'gift' AND server_id = ?", SERVER)
    link = forger.add(SERVER, "wallet:3", "wallet:5", 25, "gift", key)
    what = f"transfer {link}, of 25 chips from wallet:3 to wallet:5 as gift, was made by {key}"
    found = forger.found()
    assert found == [f"server {SERVER}: {what}, which already has a transfer"]


def test_a_removed_gift_is_found_by_its_command(forger: Forger) -> None:
    key = forger.one("SELECT command_key FROM transfers WHERE reason = 'gift' AND server_id = ?", SERVER)
    forger.run("DELETE FROM transfers WHERE command_key = ?", key)
    assert forger.found() == [f"server {SERVER}: the command {key} was committed, but had no effect"]


def test_transfers_of_a_missing_table_are_found(forger: Forger, evening: LongEvening) -> None:
    count = forger.one("SELECT count(*) FROM transfers WHERE table_id = ?", evening.points)
    for table in ("deadlines", "events", "tables"):
        forger.run(f"DELETE FROM {table} WHERE table_id = ?", evening.points)
    found = forger.found()
    stray = [what for what in found if what.endswith("and is neither opening chips nor a gift")]
    assert len(stray) == count > 0
    assert all(" points from score:" in what for what in stray)
    assert {what for what in found if what not in stray} <= {
        what for what in found if what.endswith("was committed, but had no effect")
    }
