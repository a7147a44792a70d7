"""Two processes host the same shards at once, as while a deploy overlaps: all counts once."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

import discord
import pytest

from bot.ledger.records import Entry
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.table.state import parse_state
from bot.table.tournament import Progress
from bot.ui.components import text
from bot.ui.press.errors import nonce
from bot.wire import gateway
from bot.wire.requests import Content, post
from cogs.seasons import SeasonsCog
from cogs.tournaments import TournamentsCog
from tests.e2e.answers import in_menu, message_of
from tests.e2e.processes import SharedEvening
from tests.e2e.processes import evening as evening
from tests.sizes import sample


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
    # A busy machine may take longer to send the earlier login than the later one.
    assert all(later - earlier > 0.5 for earlier, later in itertools.pairwise(times)), times
    assert shards <= {0, 1, 2, 3}


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


@pytest.mark.thorough
async def test_a_season_ends_and_a_scheduled_table_opens_once_while_a_deploy_overlaps(
    evening: SharedEvening,
) -> None:
    evening.expect_fault(400, 404, 429)
    processes = [await evening.start(0, 1, 2, 3), await evening.start(0, 1, 2, 3)]
    admin = evening.person("Admin", manage_server=True)
    planned = evening.discord.add_channel(evening.server, "evenings")
    await admin.slash(evening.channel, "house season start", name="Winter")
    await admin.slash(planned, "table schedule", time="20:00", zone="Asia/Tokyo")
    (plan,) = await evening.bot.schedules.planned(evening.server.id)
    assert plan.at is not None
    # The other process may have started it.
    await evening.bot.croupier.seasons.load()
    season = evening.bot.croupier.seasons.running(evening.server.id)
    assert season is not None
    assert await evening.bot.croupier.seasons.set_end(season, plan.at)
    looking: list[Awaitable[None]] = []
    for process in processes:
        process.croupier.now = partial(float, plan.at + 1)
        cog = process.get_cog("Seasons")
        assert isinstance(cog, SeasonsCog)
        looking += cog.look_at_seasons(), process.schedules.look()
    await asyncio.gather(*looking)
    # What one process has ended, the other may have posted meanwhile, or does so now.
    for process in processes:
        await cast("SeasonsCog", process.get_cog("Seasons")).look_at_seasons()

    def told(words: str, channel: Channel) -> list[Message]:
        return [one for one in admin.sees(channel) if words in one.text]

    await evening.until(lambda: told("is over", evening.channel), "the end is posted")
    await evening.until(lambda: told("Table 1", planned), "the table is open")
    await evening.settle_down()
    assert len(told("is over", evening.channel)) == 1
    assert len(await evening.bot.croupier.ledger.seasons(evening.server.id)) == 1
    assert [table.number for table in evening.bot.croupier.tables.of_server(evening.server.id)] == [1]
    assert len([one for one in told("Table 1", planned) if one.buttons()]) == 1


async def entries_of(evening: SharedEvening, person: Person) -> list[Entry]:
    return await evening.bot.croupier.ledger.entries(evening.server.id, evening.party(person), 100)


@pytest.mark.thorough
async def test_two_processes_that_wake_for_the_same_stage_make_one_thread_and_pay_one_pot_once(
    evening: SharedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_fault(400, 404, 429)
    really = discord.TextChannel.create_thread

    async def slow(channel: discord.TextChannel, **options: Any) -> discord.Thread:
        # Meanwhile the other process would ask for the same thread.
        await asyncio.sleep(0.2)
        return await really(channel, **options)

    monkeypatch.setattr(discord.TextChannel, "create_thread", slow)
    processes = [await evening.start(0, 1, 2, 3), await evening.start(0, 1, 2, 3)]
    dora = evening.person("Dora", manage_server=True)
    players = list(evening.persons("Alice", "Bob", "Chan"))
    board = message_of(await dora.slash(evening.channel, "tournament open", entry=100, minutes=1, rounds=1))
    for player in players:
        await player.click(board, "Enter")
    ledger = evening.bot.croupier.ledger
    (row,) = await ledger.tournaments_in(evening.server.id)
    at = evening.bot.croupier.now() + 61

    async def look() -> None:
        for process in processes:
            process.croupier.now = partial(float, at)
        cogs = [cast("TournamentsCog", process.get_cog("Tournaments")) for process in processes]
        await asyncio.gather(*(cog.look() for cog in cogs))
        await processes[0].croupier.go_on()
        await evening.settle_down()

    tournaments = evening.bot.tournaments.tournaments
    now = await tournaments.get(row.tournament_id)
    for _ in range(60):
        await look()
        now = await tournaments.get(row.tournament_id)
        if now is None or now.is_told:
            break
        at += 61
    assert now is not None
    assert now.progress is Progress.OVER
    assert len(now.groups) == 1
    winners = [one.party for one in now.ranking]
    wallets = await ledger.wallets(evening.server.id, winners)
    assert [wallets[party] for party in winners] == [900 + 150, 900 + 90, 900 + 60]
    assert len([one for one in dora.sees(evening.channel) if one.attachments]) == 1
    assert len([one for one in dora.sees(evening.channel) if "Tournament" in one.text]) == 2
    threads = [one for one in evening.server.channels.values() if one.parent is evening.channel]
    assert [one.id for one in threads] == [group.table_id for group in now.groups]


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
