"""The audit finds everything that was changed in the file without the ledger."""

from collections.abc import AsyncIterator
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

import pytest

from bot.ledger.audit import Finding, audit
from bot.ledger.chain import house_hasher, transfer_hasher
from bot.ledger.changes import Change, EventRow, HouseRow, SeedWords
from bot.ledger.ledger import Ledger, open_ledger
from bot.rules.hashing import short_code
from bot.rules.shuffle import words_code
from bot.table.accounts import HOUSE, Move, Reason, score, wallet
from tests.ledger.sample_changes import (
    NOW,
    SERVER,
    at_table,
    bet,
    change,
    fresh_key,
    identity,
    lost,
    opening,
    pay,
    returned,
    row,
)
from tests.ledger.tampering import REFUSALS, run, tamper, value
from tests.sizes import sample

NO_LINK = short_code(bytes(32))


TAMPERED: Final = {
    "a balance": (
        "UPDATE accounts SET balance = balance + 5 WHERE server_id = 1 AND account = 'wallet:7'",
        [
            "wallet:7 has 885 chips, but its entries sum to 880",
            "all balances sum to 5 chips, not to zero",
        ],
    ),
    "two balances that make up for each other": (
        (
            "UPDATE accounts SET balance = balance + 5 WHERE server_id = 1 AND account = 'wallet:7';"
            "UPDATE accounts SET balance = balance - 5 WHERE server_id = 1 AND account = 'mint'"
        ),
        [
            "mint has -2005 chips, but its entries sum to -2000",
            "wallet:7 has 885 chips, but its entries sum to 880",
        ],
    ),
    "two servers that make up for each other": (
        (
            "UPDATE accounts SET balance = balance + 5 WHERE server_id = 1 AND account = 'wallet:7';"
            "UPDATE accounts SET balance = balance - 5 WHERE server_id = 2 AND account = 'wallet:7'"
        ),
        [
            "wallet:7 has 885 chips, but its entries sum to 880",
            "all balances sum to 5 chips, not to zero",
            "wallet:7 has 25 chips, but its entries sum to 30",
            "all balances sum to -5 chips, not to zero",
        ],
    ),
    "a balance below zero that its entries come to": (
        "UPDATE accounts SET kind = 'house' WHERE server_id = 2 AND account = 'mint'",
        [
            "mint is below zero, at -30 chips",
            "mint is stored as the house of party None at table None",
        ],
    ),
    "an account gone": (
        "DELETE FROM accounts WHERE server_id = 1 AND account = 'house'",
        [
            "house has entries that sum to 9 chips, but no such account exists",
            "all balances sum to -9 chips, not to zero",
        ],
    ),
    "an account from nowhere": (
        "INSERT INTO accounts VALUES (1, 'wallet:9', 'wallet', 9, NULL, 77)",
        [
            "wallet:9 has 77 chips, but its entries sum to 0",
            "all balances sum to 77 chips, not to zero",
        ],
    ),
    "the owner of an account": (
        "UPDATE accounts SET party = 8 WHERE server_id = 1 AND account = 'wallet:7'",
        ["wallet:7 is stored as the wallet of party 8 at table None"],
    ),
    "a transfer": (
        "UPDATE transfers SET reason = 'player_won' WHERE server_id = 1 AND link = 1",
        ["transfer 1, link 1 of the chain, was changed, or the link before it was"],
    ),
    "a transfer gone": (
        "DELETE FROM transfers WHERE server_id = 1 AND link = 3",
        [
            "hold:77:7 has 70 chips, but its entries sum to -280",
            "wallet:7 has 880 chips, but its entries sum to 1230",
            "link 3 of the chain was removed: transfer 4 is link 4",
        ],
    ),
    "under whom a transfer is filed": (
        "UPDATE transfers SET gainer = 9 WHERE server_id = 1 AND gainer = 7",
        ["transfer 1 from mint to wallet:7 is indexed under the wrong parties"],
    ),
    "a command gone": (
        "DELETE FROM commands WHERE key = 'the last bet'",
        [
            "transfer 10 was made by the last bet, but no such command is committed",
            "event 3 of table 77 was made by the last bet, but no such command is committed",
        ],
    ),
    "a hold at a closed table": (
        "UPDATE tables SET is_open = FALSE",
        ["hold:77:7 holds 70 chips, but table 77 is closed"],
    ),
    "a hold at a table that is not playing": (
        "UPDATE tables SET is_playing = FALSE",
        ["hold:77:7 holds 70 chips, but table 77 is not playing"],
    ),
    "a table gone": (
        "DELETE FROM events; DELETE FROM tables",
        [
            "link 5 of the chain was removed: transfer 6 is link 6",
            "hold:77:7 holds 70 chips, but there is no table 77",
        ],
    ),
    "an event gone": (
        "DELETE FROM events WHERE sequence = 2",
        [
            "link 9 of the chain was removed: transfer 10 is link 10",
            "table 77 is at event 3, but 2 are stored, up to number 3",
        ],
    ),
    "the last transfer cut off": (
        (
            "DELETE FROM transfers WHERE server_id = 1 AND link = 12;"
            "UPDATE accounts SET balance = balance + 9 WHERE server_id = 1 AND account = 'wallet:8';"
            "UPDATE accounts SET balance = balance - 9 WHERE server_id = 1 AND account = 'house'"
        ),
        ["the chain should end with link 12, head *, but ends with link 11, head *"],
    ),
    "a server's transfers all gone": (
        "DELETE FROM transfers WHERE server_id = 2; DELETE FROM accounts WHERE server_id = 2",
        [f"the chain should end with link 1, head *, but ends with link 0, head {NO_LINK}"],
    ),
    "the head of a chain gone": (
        "DELETE FROM chains WHERE server_id = 2",
        [f"the chain should end with link 0, head {NO_LINK}, but ends with link 1, head *"],
    ),
    "a change of house rules gone": (
        "DELETE FROM house_changes WHERE number = 1",
        [
            "link 1 of the chain was removed: change 2 of the house rules is link 2",
            "1 changes of the house rules are stored, up to number 2",
        ],
    ),
    "nobody's change of house rules": (
        "UPDATE house_changes SET command_key = 'nobody' WHERE number = 2",
        [
            "change 2 of the house rules, link 2 of the chain, was changed, or the link before it was",
            "change 2 of the house rules was made by nobody, but no such command is committed",
        ],
    ),
    "points that became chips": (
        (
            "UPDATE accounts SET balance = balance - 2 WHERE account = 'score:7';"
            "UPDATE accounts SET balance = balance + 2 WHERE account = 'wallet:7' AND server_id = 3"
        ),
        [
            "score:7 has 1 chips, but its entries sum to 3",
            "wallet:7 has 12 chips, but its entries sum to 10",
            "all scores sum to -2 points, not to zero",
        ],
    ),
}
"""What an attacker changes, and what the audit finds: patterns, because heads differ."""


@pytest.fixture
async def ledger(address: str) -> AsyncIterator[Ledger]:
    """A ledger with a finished round and a running one; only the test itself audits it."""
    async with open_ledger(address) as opened:
        await opened.commit(opening(7))
        await opened.commit(opening(8))
        await opened.commit(opening(7, 30, server_id=2))
        await opened.commit(at_table(row(1), bet(7, 350), bet(8, 350)))
        await opened.commit(at_table(row(2), lost(7, 8, 50), returned(7, 300), returned(8, 350)))
        await opened.commit(at_table(row(3), bet(7, 70), key="the last bet"))
        await opened.commit(pay(wallet(8), HOUSE, 9))
        for number in (1, 2):
            house = HouseRow(number, 7, "what", "the house")
            await opened.commit(replace(change(server_id=3), house=house))
        await opened.commit(opening(7, 10, server_id=3))
        await opened.commit(change(Move(score(8), score(7), 3, Reason.POINTS_WON), server_id=3))
        assert await audit(opened) == []
        yield opened


@pytest.mark.parametrize(("script", "found"), sample(TAMPERED.values(), 8, ids=TAMPERED))
async def test_each_thing_that_is_wrong_is_found_and_nothing_else(
    ledger: Ledger, address: str, script: str, found: list[str]
) -> None:
    tamper(address, script)
    wrong = sorted(finding.what for finding in await audit(ledger))
    assert len(wrong) == len(found), wrong
    assert all(map(fnmatchcase, wrong, sorted(found))), wrong


async def test_words_that_were_changed_are_found_also_of_somebody_unknown(
    ledger: Ledger, address: str
) -> None:
    texts = {7: "lucky words", 9: "more lucky words"}
    chosen = [SeedWords(words_code("salt", text), party, "salt", text) for party, text in texts.items()]
    await ledger.record(identity(7))
    await ledger.commit(replace(change(), words=tuple(chosen)))
    assert await audit(ledger) == []
    tamper(address, "UPDATE seed_words SET words = 'luckier words'")
    assert await audit(ledger) == [
        Finding(server_id, f"the words with the code {words.client_seed} were changed")
        for server_id, words in ((0, chosen[1]), (SERVER, chosen[0]))
    ]


def round_of(*kinds: str, is_open: bool = True, deadline: float | None = None) -> Change:
    """A separate table with just these events."""
    table = row(len(kinds), 90, is_open=is_open, is_playing=False)
    happened = tuple(EventRow(number, kind, "{}", 1) for number, kind in enumerate(kinds, 1))
    return Change(fresh_key(), SERVER, NOW, (), table, happened, deadline)


@pytest.mark.parametrize(
    "ended",
    [
        round_of("hands_dealt", "hand_revealed", "round_settled", "hands_dealt", "round_settled"),
        round_of("hands_dealt", "round_called_off", "table_closed", is_open=False),
        round_of("hands_dealt", "hand_revealed", deadline=NOW),
    ],
    ids=["settled", "called off", "going on"],
)
async def test_a_round_with_an_end_or_a_deadline_is_no_problem(ledger: Ledger, ended: Change) -> None:
    await ledger.commit(ended)
    assert await audit(ledger) == []


@pytest.mark.parametrize(
    ("endless", "dealt"),
    [
        (round_of("round_opened", "hands_dealt", "round_opened", "hands_dealt", "round_settled"), 2),
        (round_of("hands_dealt", "table_closed", is_open=False), 1),
        (round_of("hands_dealt", "table_closed", is_open=False, deadline=NOW), 1),
        (round_of("hands_dealt", "round_settled", "hands_dealt", "hand_revealed"), 3),
    ],
    ids=["another dealt", "closed", "closed with a deadline", "nothing to end it"],
)
async def test_a_round_that_was_dealt_and_has_no_end_is_found(
    ledger: Ledger, endless: Change, dealt: int
) -> None:
    await ledger.commit(endless)
    (finding,) = await audit(ledger)
    assert finding.what == f"the round dealt by event {dealt} of table 90 has no end"


async def test_a_transfer_appended_by_hand_is_found(ledger: Ledger, address: str) -> None:
    head = value(address, "SELECT head FROM chains WHERE server_id = 1")
    hashed = transfer_hasher(1, None, NOW, "the last bet")
    forged = hashed(head, 13, "house", "wallet:7", 9, "player_won", None).hex()
    tamper(
        address,
        f"INSERT INTO transfers VALUES (1, 13, 'house', 'wallet:7', NULL, 7, 9, 'player_won', NULL, NULL,"
        f" 'the last bet', {NOW}, x'{forged}');"
        "UPDATE accounts SET balance = balance + 9 WHERE server_id = 1 AND account = 'wallet:7';"
        "UPDATE accounts SET balance = balance - 9 WHERE server_id = 1 AND account = 'house'",
    )
    (finding,) = await audit(ledger)
    assert finding.what.startswith("the chain should end with link 12, head ")
    assert ", but ends with link 13, head " in finding.what


async def test_a_link_forged_beside_the_last_one_is_found(ledger: Ledger, address: str) -> None:
    head = value(address, "SELECT head FROM chains WHERE server_id = 1")
    forged = house_hasher(1, NOW, "the last bet")(head, 12, 1, 7, "what", "the house").hex()
    tamper(
        address,
        f"INSERT INTO house_changes VALUES (1, 1, 12, 7, {NOW}, 'the last bet', 'what', 'the house',"
        f" x'{forged}');"
        f"UPDATE chains SET head = x'{forged}' WHERE server_id = 1",
    )
    assert await audit(ledger) == [
        Finding(1, "link 12 of the chain is there twice: change 1 of the house rules was added")
    ]


@pytest.mark.parametrize(
    "statement",
    sample(
        [
            "UPDATE transfers SET chips = 5",
            "DELETE FROM transfers",
            "UPDATE events SET body = ''",
            "DELETE FROM events",
            "UPDATE house_changes SET house = ''",
            "DELETE FROM house_changes",
        ],
        2,
    ),
)
async def test_the_database_itself_refuses_to_change_a_link_of_the_chain(
    ledger: Ledger, address: str, statement: str
) -> None:
    await ledger.commit(Change("house", SERVER, NOW, house=HouseRow(1, 7, "what", "the house")))
    with pytest.raises(REFUSALS, match="cannot be changed"):
        run(address, statement)
    assert await audit(ledger) == []
