"""Discord on a bad day: any request may fail, but the round goes on and cards come once."""

import pytest

from bot.ledger.changes import DirectChannel, Fact
from bot.ledger.errors import LedgerUnavailable
from bot.practice.person import Person
from bot.table.state import Phase
from tests.e2e.evening import Evening
from tests.sizes import sample

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
BY_TOKEN = "/webhooks/{application_id}/{interaction_token}"
MESSAGES = "/channels/{channel_id}/messages"


async def plays_a_round(evening: Evening, *people: Person) -> None:
    """Plays a round. The table and the first click are made before any fault starts."""
    banker, *players = people
    board = evening.board(banker)
    for player in players:
        await player.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    await evening.have_cards(*people)
    for person in people:
        await person.click(person.sees(person.dm())[-1], "Reveal")
    await evening.until(lambda: evening.table().last is not None, "the round is settled")
    await evening.board_says(evening.board(banker), "-# 🧾 receipt 1", "🔒 seal 2")
    for person in people:
        assert len(person.sees(person.dm())) == 1, f"{person.name} should get cards exactly once"
    assert len([one for one in banker.sees(evening.channel) if not one.ephemeral]) == 1, (
        "there should be one board"
    )
    assert sum((await evening.chips(*people)).values()) == 1000 * len(people)


async def a_table(evening: Evening) -> tuple[Person, Person, Person]:
    _, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    return mei, alice, bob


CUT = 0
"""In place of a status: the connection is cut."""


@pytest.mark.parametrize("carried_out", sample([False, True]))
@pytest.mark.parametrize("status", sample([CUT, 500, 502, 429]))
@pytest.mark.parametrize(
    ("method", "route"),
    sample([("POST", CALLBACK), ("PATCH", BY_TOKEN), ("POST", MESSAGES), ("POST", "/users/@me/channels")], 2),
)
async def test_a_failed_request_costs_nobody_a_card_or_a_chip(
    evening: Evening, method: str, route: str, status: int, carried_out: bool
) -> None:
    # If the first try succeeded, Discord refuses the retry: already acknowledged (40060).
    evening.expect_fault(status, 400)
    people = await a_table(evening)
    if status == CUT:
        evening.discord.faults.drop_connection(method=method, route=route, carried_out=carried_out)
    else:
        evening.discord.faults.respond(status, method=method, route=route, carried_out=carried_out)
    await plays_a_round(evening, *people)


async def test_a_dropped_gateway_is_resumed_and_loses_no_click(evening: Evening) -> None:
    people = await a_table(evening)
    evening.discord.gateway.drop()
    await plays_a_round(evening, *people)


@pytest.mark.thorough
async def test_an_invalid_session_is_replaced(evening: Evening) -> None:
    mei, alice, bob = await a_table(evening)
    evening.discord.gateway.invalidate_sessions()
    await evening.until(lambda: not evening.discord.bot_connected, "the bot is out")
    await evening.until(lambda: evening.discord.bot_connected, "the bot is back")
    await plays_a_round(evening, mei, alice, bob)


@pytest.mark.thorough
async def test_the_board_is_edited_without_an_expired_token(evening: Evening) -> None:
    mei, alice, bob = await a_table(evening)
    evening.discord.limits.token_seconds = 0.01
    evening.expect_fault(401)
    await plays_a_round(evening, mei, alice, bob)


@pytest.mark.parametrize("failing", sample(["read", "written"], 1))
async def test_hands_are_sent_though_it_cannot_be_stored_where_to(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failing: str
) -> None:
    ledger = evening.bot.croupier.ledger

    async def fails(*_: object) -> None:
        raise LedgerUnavailable("the disk is full")

    record = ledger.record

    async def stored_but_channels(fact: Fact) -> None:
        await (fails if isinstance(fact, DirectChannel) else record)(fact)

    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    if failing == "read":
        monkeypatch.setattr(ledger.direct_channels, "of", fails)
    else:
        monkeypatch.setattr(ledger, "record", stored_but_channels)
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    told = [one for one in caplog.records if "how to reach" in one.getMessage()]
    assert {one.levelname for one in told} == {"WARNING"}
