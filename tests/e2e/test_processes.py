"""Several processes host the bot, each some shards."""

import time
from typing import Any, cast

import pytest

from bot.croupier.operation import Operation
from bot.ledger.ledger import open_ledger
from bot.ledger.reader import Reader
from bot.ledger.records import StoredTable
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import NOBODY
from cogs import operation
from cogs.departures import Departures
from tests.e2e.answers import form_of, message_of, said
from tests.e2e.processes import SharedEvening
from tests.e2e.processes import evening as evening


async def tables_everywhere(evening: SharedEvening, *people: Person) -> dict[int, Message]:
    """The board of a table in every shard, where the first of these people banks."""
    boards = {}
    for shard in evening.servers:
        evening.go_to(shard)
        boards[shard] = await evening.open_table(people[0])
        await evening.take_bank(people[0], boards[shard])
        for person in people[1:]:
            await evening.press(person, boards[shard], "Join")
    return boards


async def test_a_hand_by_direct_message_is_played_by_the_process_that_hosts_its_table(
    evening: SharedEvening,
) -> None:
    first = await evening.start(0, 1)
    await evening.start(2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    assert not first.croupier.tables.all(), "each process has its own tables only"
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    (hand,) = alice.sees(alice.dm())
    await alice.click(hand, "Reveal")
    await evening.reveal(board, mei)
    assert sum((await evening.chips(alice, mei)).values()) == 2000
    wallet = await alice.slash(alice.dm(), "wallet")
    assert wallet.message is not None
    assert evening.server.name in wallet.message.text


async def test_a_start_reads_no_table_of_another_shard(
    evening: SharedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    await evening.start(0, 1)
    evening.go_to(0)
    await evening.table_of("Mei")
    all_of, read = Reader.all_of, list[StoredTable]()

    async def noted(reader: Reader, kind: type[Any], *asked: Any, **values: Any) -> list[Any]:
        found = await all_of(reader, kind, *asked, **values)
        read.extend(one for one in found if kind is StoredTable)
        return found

    monkeypatch.setattr(Reader, "all_of", noted)
    await evening.start(2, 3)
    assert read == []
    evening.go_to(0)


async def test_commands_by_direct_message_mean_the_tables_of_every_process(evening: SharedEvening) -> None:
    await evening.start(0, 1)
    await evening.start(2, 3)
    mei, alice = evening.everywhere("Mei"), evening.everywhere("Alice")
    boards = await tables_everywhere(evening, mei, alice)
    dm = alice.dm()
    which = said(await alice.slash(dm, "bet", amount=20))
    assert all(server.name in which for server in evening.servers.values()), which
    suggested = await alice.suggest(dm, "bet", "table", amount=20)
    assert len(suggested) == 4
    assert all(any(one.name in choice.name for choice in suggested) for one in evening.servers.values())
    for shard in (0, 3):
        evening.go_to(shard)
        table = str(evening.table().table_id)
        mixed = said(await alice.slash(dm, "seed", words="eight eight", table=table))
        assert "eight eight" in mixed
        shown = message_of(await alice.slash(dm, "bet", amount=20, table=table))
        await evening.board_says(boards[shard], "Showdown")
        assert shown.ephemeral
        hand = message_of(await alice.slash(dm, "hand", table=table))
        assert evening.server.name in hand.text
        await evening.reveal(boards[shard], alice, mei)
        assert sum((await evening.chips(alice, mei)).values()) == 2000


async def test_forms_and_panels_by_direct_message_are_of_the_process_of_the_table(
    evening: SharedEvening,
) -> None:
    await evening.start(0, 1)
    await evening.start(2, 3)
    # Beside a hand, a panel in direct messages may be sent a second time with its picture.
    evening.expect_fault(400)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    await evening.press(alice, board, "Join")
    panel = message_of(await alice.slash(alice.dm(), "hand"))
    form = form_of(await alice.click(panel, "Other…"))
    await alice.submit(form, amount="30")
    assert evening.table().seat_of(evening.party(alice)).stake == 30  # type: ignore[union-attr]
    view = await evening.back(zed, board, alice, 5)
    assert "5" in view.text
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei)
    await evening.have_cards(alice)
    for person in (alice, mei):
        await person.click(evening.shown_hand(person), "Reveal")
    await evening.board_says(board, "-# 🧾 receipt 1")
    assert sum((await evening.chips(alice, mei, zed)).values()) == 3000


async def test_what_is_about_all_servers_is_about_those_of_every_process(evening: SharedEvening) -> None:
    first = await evening.start(0, 1)
    second = await evening.start(2, 3)
    mei, alice = evening.everywhere("Mei"), evening.everywhere("Alice")
    boards = await tables_everywhere(evening, mei, alice)
    names = [server.name for server in evening.servers.values()]
    for command in ("wallet", "daily", "ledger", "privacy show"):
        told = message_of(await alice.slash(alice.dm(), command)).text
        assert all(name in told for name in names), command
    # Chips that another process moved count at once.
    evening.go_to(3)
    assert (await evening.chips(alice))["Alice"] > 1000
    evening.go_to(2)
    await alice.slash(evening.channel, "give", member=mei, amount=20)
    has = (await evening.chips(alice))["Alice"]
    assert f"{has:,}" in message_of(await alice.slash(alice.dm(), "wallet")).text

    await alice.slash(alice.dm(), "language", language="ms")
    await evening.until(
        lambda: second.croupier.identities.chosen(alice.id), "the other process knows the language"
    )
    evening.go_to(3)
    assert "cip" in (await evening.told_alone(alice, "wallet")).text
    assert (await first.croupier.ledger.identities_of(alice.id))[0].locale.startswith("ms")
    await alice.slash(alice.dm(), "language", language="en")
    chosen = second.croupier.identities.chosen
    await evening.until(lambda: chosen(alice.id) == "en-x-chosen", "the other process knows that too")

    refused = said(await alice.slash(alice.dm(), "privacy erase"))
    assert "Leave table 1 first" in refused
    for shard, board in boards.items():
        evening.go_to(shard)
        await evening.press(alice, board, "Leave the table")
    asked = message_of(await alice.slash(alice.dm(), "privacy erase"))
    party = evening.party(alice)
    await alice.click(asked, "Erase my data")
    await evening.until(lambda: "went to the house" in asked.text or "erased" in asked.text, "it is answered")
    assert await first.croupier.ledger.identities_of(alice.id) == []
    await evening.until(lambda: second.croupier.identities.is_closed(party), "the other process knows it")
    await evening.until(lambda: f"<@{alice.id}>" not in boards[3].text, "the board shows them no more")


async def test_who_is_erased_by_direct_message_is_somebody_new_where_another_process_hosts(
    evening: SharedEvening,
) -> None:
    await evening.start(0, 1)
    await evening.start(2, 3)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    await evening.press(alice, board, "Leave the table")
    before = evening.party(alice)
    question = await alice.slash(alice.dm(), "privacy erase")
    assert question.message is not None
    await alice.click(question.message, "Erase my data")
    await evening.until(lambda: evening.bot.croupier.identities.is_closed(before), "the other process hears")
    await evening.press(alice, board, "Join")
    assert evening.party(alice) not in (before, NOBODY)


async def test_rules_that_one_process_changes_are_known_to_the_other(evening: SharedEvening) -> None:
    first = await evening.start(0, 1)
    await evening.start(2, 3)
    admin = evening.person("Admin", manage_server=True)
    shown = message_of(await admin.slash(evening.channel, "house set", rule="daily_chips", value="55"))
    await admin.click(shown, "Confirm")
    house_of = first.houses.house_of
    await evening.until(lambda: house_of(evening.server.id).server.daily_chips == 55, "the other knows it")


@pytest.mark.thorough
async def test_a_server_that_discord_does_not_list_is_concluded_about_by_no_other_process(
    evening: SharedEvening,
) -> None:
    before = await evening.start(0, 1, 2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    await evening.stop(before)
    evening.discord.faults.unlisted.add(evening.server.id)
    first = await evening.start(0, 1)
    second = await evening.start(2, 3)
    for process in (first, second):
        process.croupier.now = lambda: time.time() + 7200
        await cast("Departures", process.get_cog("Departures")).look()
        process.croupier.now = time.time
    assert await first.croupier.ledger.server_erasures() == {}
    assert [table.server_id for table in second.croupier.tables.all()] == [evening.server.id]
    assert sum((await evening.chips(mei, alice)).values()) == 2000


async def test_what_the_owner_decides_holds_in_every_process(
    evening: SharedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operation, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(operation, "PAUSE_SECONDS", 0.0)
    first, second = await evening.start(0, 1), await evening.start(2, 3)
    _, (mei, _) = await evening.table_of("Mei", "Alice")
    # As `gnau owner` does, beside both.
    async with open_ledger(evening.settings.database_url) as ledger:
        owner = Operation(ledger, time.time)
        await owner.decide("maintain", 3600)
        await owner.decide("announce", "The bot moves.")
        both = [bot.croupier.operation for bot in (first, second)]
        await evening.until(lambda: all(one.maintenance_until is not None for one in both), "it is known")
        assert said(await mei.slash(evening.channel, "play")).startswith("Maintenance: ")
        await evening.until(
            lambda: all(
                bot.croupier.operation.announced >= {one.id for one in bot.guilds} for bot in (first, second)
            ),
            "each process's servers have it",
        )
    await evening.settle_down()
    posted = [one.channel for one in evening.discord.world.messages.values() if "The bot moves." in one.text]
    servers = {one.server.id for one in posted if one.server}
    assert len(posted) == len(servers), "no server has it twice"
    assert servers >= {one.id for one in evening.servers.values()}
