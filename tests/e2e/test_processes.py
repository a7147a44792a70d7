"""Several processes host the bot, each some shards; and two at once host the same ones during a deploy."""

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

from bot.croupier.operation import Operation
from bot.ledger.ledger import open_ledger
from bot.ledger.reader import Reader
from bot.ledger.records import Entry, StoredTable
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import NOBODY, Phase, parse_state
from bot.ui.components import text
from bot.ui.press.errors import nonce
from bot.wire import gateway
from bot.wire.requests import Content, post
from cogs import operation
from cogs.departures import Departures
from tests.e2e.answers import form_of, in_menu, message_of, said
from tests.e2e.conftest import PATIENCE
from tests.e2e.processes import SharedEvening
from tests.sizes import sample, sized
from tests.stand_in import StandIn


@pytest.fixture
async def evening(
    tmp_path: Path, paced_bot: None, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[SharedEvening]:
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        shared = SharedEvening(discord, tmp_path / "unused.db")
        try:
            yield shared
            await shared.end(caplog.get_records("call"))
        finally:
            await shared.stop_bot()
            await shared.ways.aclose()


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


@pytest.mark.thorough
async def test_two_processes_with_the_same_shards_play_as_one(evening: SharedEvening) -> None:
    # Both answer each press and send each hand, and Discord takes the first of each.
    evening.expect_fault(400, 429)
    old = await evening.start(0, 1, 2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.start(0, 1, 2, 3)
    for number in range(1, 4):
        await alice.click(board, "20")
        await evening.have_cards(alice, mei, rounds=number)
        await evening.reveal(board, mei, alice)
        board = evening.board(mei)
        await evening.can_press(board, "20")
    await evening.stop(old)
    # A process that lags behind the other may for a moment show what was before.
    await evening.can_press(board, "20")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei, rounds=4)
    await evening.settle_down()
    assert evening.hands.sent_twice == []
    for person in (alice, mei):
        refused = [
            one.text for one in person.sees(evening.channel) if one.ephemeral and "right now" in one.text
        ]
        assert not refused


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
    assert f"<@{alice.id}>" not in boards[3].text


@pytest.mark.thorough
async def test_processes_take_turns_to_log_in(
    evening: SharedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "SPACING_SECONDS", 1.0)
    await evening.start(0, 1)
    await evening.start(2, 3)
    shards = {shard for _, shard in evening.discord.gateway.logged_in}
    await evening.until(lambda: len(evening.discord.gateway.logged_in) == 4, "every shard has logged in")
    times = sorted(at for at, _ in evening.discord.gateway.logged_in)
    assert all(later - earlier > 0.99 for earlier, later in itertools.pairwise(times)), times
    assert shards <= {0, 1, 2, 3}


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


async def test_what_members_and_admins_do_while_a_deploy_overlaps_counts_once(evening: SharedEvening) -> None:
    evening.expect_fault(400, 404, 429)
    old = await evening.start(0, 1, 2, 3)
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    admin = evening.person("Admin", manage_server=True)
    await evening.press(zed, board, "Join")
    await evening.press(zed, board, "Leave the table")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    new = await evening.start(0, 1, 2, 3)
    # A hand that the old one dealt is revealed under both, and the next round is bet under both.
    await evening.reveal(board, alice, mei)
    board = evening.board(mei)
    await evening.can_press(board, "20")
    shown = message_of(await admin.slash(evening.channel, "house set", rule="gifts_per_day", value="77"))
    await admin.click(shown, "Confirm")
    await alice.slash(evening.channel, "give", member=mei, amount=7)
    asked = message_of(await zed.slash(evening.channel, "privacy erase"))
    await zed.click(asked, "Erase my data")
    other = await evening.open_table(alice, evening.discord.add_channel(evening.server, "another table"))
    await alice.slash(other.channel, "table close")
    await evening.until(lambda: new.croupier.tables.in_channel(other.channel.id) is None, "it is closed")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei, rounds=2)
    await evening.stop(old)
    boards = [one for one in mei.sees(evening.channel) if not one.ephemeral and one.buttons()]
    await evening.reveal(boards[-1], alice, mei)
    for process in (old, new):
        assert process.houses.house_of(evening.server.id).server.gifts_per_day == 77
    assert await new.croupier.ledger.identities_of(zed.id) == []
    assert sum((await evening.chips(alice, mei)).values()) == 2000
    gifts = [entry for entry in await entries_of(evening, mei) if entry.reason == "gift"]
    assert [entry.chips for entry in gifts] == [7]


async def entries_of(evening: SharedEvening, person: Person) -> list[Entry]:
    return await evening.bot.croupier.ledger.entries(evening.server.id, evening.party(person), 100)


async def test_rules_that_one_process_changes_are_known_to_the_other(evening: SharedEvening) -> None:
    first = await evening.start(0, 1)
    await evening.start(2, 3)
    admin = evening.person("Admin", manage_server=True)
    shown = message_of(await admin.slash(evening.channel, "house set", rule="daily_chips", value="55"))
    await admin.click(shown, "Confirm")
    house_of = first.houses.house_of
    await evening.until(lambda: house_of(evening.server.id).server.daily_chips == 55, "the other knows it")


async def test_what_a_process_is_not_notified_of_while_it_is_cut_from_the_database_is_read_afterwards(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    first, way = await evening.start(0, 1), await evening.way()
    second = await evening.start(2, 3, way=way)
    admin, zed = evening.everywhere("Admin", manage_server=True), evening.everywhere("Zed")
    for shard in (0, 3):
        evening.go_to(shard)
        await zed.slash(evening.channel, "wallet")
    party = evening.party(zed)
    way.refuses = True
    way.cut()
    evening.go_to(0)
    shown = message_of(await admin.slash(evening.channel, "house set", rule="daily_chips", value="55"))
    await admin.click(shown, "Confirm")
    await admin.slash(admin.dm(), "language", language="ms")
    asked = message_of(await zed.slash(zed.dm(), "privacy erase"))
    await zed.click(asked, "Erase my data")
    await evening.until(lambda: "erased" in asked.text, "it is answered")
    with closing(psycopg.connect(evening.settings.database_url, autocommit=True)) as connection:
        connection.execute("DELETE FROM notifications")
    way.refuses = False
    house_of, identities = second.houses.house_of, second.croupier.identities
    await evening.until(lambda: house_of(evening.server.id).server.daily_chips == 55, "it knows the rules")
    await evening.until(lambda: identities.chosen(admin.id), "it knows the language")
    await evening.until(lambda: identities.is_closed(party), "it knows who is erased")
    assert first.croupier.identities.is_closed(party)
    caplog.clear()


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


@pytest.mark.thorough
async def test_what_is_overdue_when_a_process_is_gone_happens_in_the_next_one(evening: SharedEvening) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 5, "arranging_seconds": 5})
    other = await evening.start(0, 1)
    gone = await evening.start(2, 3)
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    await evening.press(zed, board, "Join")
    await alice.click(board, "20")
    await evening.stop(gone)
    await asyncio.sleep(6)
    assert not other.croupier.tables.all(), "the others are not its heirs"
    await evening.start(2, 3)
    await evening.have_cards(alice, mei)
    await evening.board_says(evening.board(mei), "-# 🧾 receipt 1")
    assert sum((await evening.chips(alice, mei, zed)).values()) == 3000


async def test_a_board_that_somebody_deletes_is_there_once_again_and_up_to_date(
    evening: SharedEvening,
) -> None:
    evening.expect_fault(400, 404, 429)
    old = await evening.start(0, 1, 2, 3)
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    table_id = evening.table().table_id
    new = await evening.start(0, 1, 2, 3)
    # Of what is posted in place of a board, Discord takes the first, whatever it says.
    older = Content([text("An older board, of another process")])
    await post(old, evening.channel.id, older, nonce("board", table_id, board.id))
    for _ in range(2):
        gone = board
        evening.discord.world.delete_message(gone)

        def shown(gone: Message = gone) -> bool:
            boards = {one.boards.link(table_id) for one in (old, new)}
            return None not in boards and not any(str(link).endswith(str(gone.id)) for link in boards)

        await evening.until(shown, "each process has another board")
        await evening.settle_down()
        (board,) = mei.sees(evening.channel)
        await evening.board_says(board, "Take the bank")
        assert all(str(one.boards.link(table_id)).endswith(str(board.id)) for one in (old, new))


@pytest.mark.parametrize("overlaps", sample([False, True], ids=["restart", "deploy"]))
async def test_a_hand_that_an_earlier_message_brings_is_sent_once(
    evening: SharedEvening, *, overlaps: bool
) -> None:
    evening.expect_fault(400, 404, 429)
    old = await evening.start(0, 1, 2, 3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(alice, mei)
    await evening.reveal(board, mei, alice)
    board = evening.board(mei)
    await evening.can_press(board, "20")
    if overlaps:
        await evening.start(0, 1, 2, 3)
    await alice.click(board, "20")
    await evening.have_cards(alice, mei, rounds=2)
    await evening.settle_down()
    if not overlaps:
        await evening.stop(old)
        await evening.start(0, 1, 2, 3)
        await evening.settle_down()
    for person in (alice, mei):
        (hand,) = person.sees(person.dm())
        assert "Round 2" in hand.text
    await evening.reveal(evening.board(mei), mei, alice)
    for person in (alice, mei):
        (hand,) = person.sees(person.dm())
        await evening.board_says(hand, "receipt 1", "receipt 2")


PHASES = (
    "between rounds",
    "betting",
    "side bets are open",
    "all have bet",
    "dealt",
    "revealing",
    "the table is to close",
    "closing",
)


@pytest.mark.parametrize("phase", sample(range(len(PHASES)), ids=PHASES))
async def test_a_deploy_may_overlap_in_every_phase_of_a_round(evening: SharedEvening, phase: int) -> None:
    evening.expect_fault(400, 404, 429)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    old = await evening.start(0, 1, 2, 3)
    board, (mei, alice, bob, zed) = await evening.table_of("Mei", "Alice", "Bob", "Zed")
    people, table_id = (mei, alice, bob), evening.table().table_id

    async def bet(person: Person, chips: int) -> None:
        await person.click(board, str(chips))
        await until_at_table(lambda: evening.table().seat_of(evening.party(person)).stake == chips)  # type: ignore[union-attr]

    async def deal() -> None:
        await evening.press(mei, board, "Deal")
        await until_at_table(lambda: bool(evening.table().pieces_of(evening.party(mei))))

    async def reveal(person: Person) -> None:
        await evening.can_press(board, "Reveal")
        await person.click(board, "Reveal")
        await until_at_table(lambda: evening.table().place_of(evening.party(person)).revealed)  # type: ignore[union-attr]

    async def until_at_table(holds: Callable[[], bool]) -> None:
        await evening.until(holds, f"{evening.table()} is as was asked")

    async def back() -> None:
        await evening.back(zed, board, alice, 5)
        await until_at_table(lambda: bool(evening.table().side_bets))

    async def close() -> None:
        await in_menu(mei, board, "close")
        await until_at_table(lambda: evening.table().closes_after_round)

    async def finish() -> None:
        await mei.click(board, "Reveal")
        await evening.until(lambda: not evening.bot.croupier.tables.all(), "the table is closed")

    await bet(alice, 20)
    await bet(bob, 10)
    await deal()
    await evening.have_cards(*people)
    await evening.reveal(board, *people)
    board = evening.board(mei)
    steps: list[Callable[[], Awaitable[None]]] = [
        lambda: bet(alice, 20),
        lambda: bet(bob, 10),
        back,
        deal,
        lambda: reveal(alice),
        lambda: reveal(bob),
        close,
        finish,
    ]
    hands: dict[str, object] = {}
    for place, step in enumerate(steps):
        if place == phase:
            await evening.start(0, 1, 2, 3)
        await step()
        if step is deal:
            table = evening.table()
            hands = {one.name: table.pieces_of(evening.party(one)) for one in people}
            await evening.have_cards(*people, rounds=2)
        if place == min(phase + 1, len(steps) - 1):
            await evening.stop(old)
    await evening.settle_down()
    ledger = evening.bot.croupier.ledger
    row = await ledger.table(table_id)
    last = row and parse_state(row.state).last
    assert last
    parties = {evening.party(one): one.name for one in people}
    played = {parties[last.banker]: last.pieces} | {parties[one.party]: one.pieces for one in last.players}
    assert played == hands, "nothing is dealt again"
    assert evening.hands.sent_twice == []
    assert [one.stake for one in last.players] == [20, 10]
    assert [one.stake for one in last.side_bets] == [5]
    assert sum((await evening.chips(*people, zed)).values()) == 4000


async def test_a_database_that_is_away_for_a_minute_loses_nothing(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture
) -> None:
    evening.rules = evening.rules.model_copy(update={"betting_seconds": 3, "last_call_seconds": 3})
    way = await evening.way()
    await evening.start(0, 1, 2, 3, way=way)
    board, (mei, alice, zed) = await evening.table_of("Mei", "Alice", "Zed")
    await evening.press(zed, board, "Join")
    await alice.click(board, "20")
    way.refuses = True
    way.cut()
    assert "Chips can't be moved right now" in said(await zed.click(board, "10"))
    # The deal is due meanwhile.
    with caplog.at_level(logging.DEBUG, "bot.croupier.stored_tables"):
        await evening.until(lambda: "goes on in" in caplog.text, "the deal is tried in vain")
    await asyncio.sleep(sized(0, 54))
    assert not evening.table().pieces_of(evening.party(alice))
    way.refuses = False
    await evening.have_cards(alice, mei)
    await evening.reveal(board, alice, mei)
    assert evening.last_round().parties == {evening.party(alice), evening.party(mei)}
    assert sum((await evening.chips(mei, alice, zed)).values()) == 3000
    assert evening.hands.sent_twice == []
    errors = [one.getMessage() for one in caplog.get_records("call") if one.levelname == "ERROR"]
    assert all("postgresql://" in one for one in errors), errors
    assert len(errors) == 2, "one line for what is written, and one for what is read"
    caplog.clear()


@pytest.mark.parametrize("same", sample([False, True], ids=["other shards", "the same shards"]))
async def test_one_process_may_be_cut_from_the_database_while_another_plays_on(
    evening: SharedEvening, caplog: pytest.LogCaptureFixture, same: bool
) -> None:
    evening.expect_fault(400, 404, 429)
    way = await evening.way()
    cut = await evening.start(*(range(4) if same else (2, 3)), way=way)
    others = await evening.start(*(range(4) if same else (0, 1)))
    evening.go_to(3)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    waiting = board, mei, alice
    if not same:
        evening.go_to(0)
        board, (mei, alice) = await evening.table_of("Ming", "Aida")
    evening.bot = others
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    # The other process may have dealt them.
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "it knows that")
    way.refuses = True
    way.cut()
    for number in range(1, 3):
        # Each may have posted the board below the talk again.
        board = await evening.board_with(mei, "Reveal")
        await evening.reveal(board, alice, mei)
        board = await evening.board_with(mei, "20")
        await alice.click(board, "20")
        await evening.have_cards(mei, alice, rounds=number + 1)
    if not same:
        assert "Chips can't be moved right now" in said(await waiting[2].click(waiting[0], "20"))
    way.refuses = False
    if same:
        await evening.stop(others)
        evening.bot = cut
        await evening.until(lambda: evening.table().round_number == 3, "it has read what the other wrote")
        await evening.settle_down()
    board = await evening.board_with(mei, "Reveal")
    await evening.reveal(board, alice, mei)
    assert sum((await evening.chips(alice, mei)).values()) == 2000
    assert evening.hands.sent_twice == []
    if not same:
        evening.go_to(3)
        board, mei, alice = waiting
        await alice.click(board, "20")
        await evening.have_cards(mei, alice)
        await evening.reveal(board, alice, mei)
        assert sum((await evening.chips(alice, mei)).values()) == 2000
    caplog.clear()


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
