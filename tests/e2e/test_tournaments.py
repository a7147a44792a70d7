"""Tournaments as members play them: entering, several tables, the cut, the prizes, and restarts."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import cast
from unittest.mock import AsyncMock

import discord
import pytest

from bot.croupier.tournaments import UnreadableTournamentError
from bot.ledger.changes import TournamentChanged
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players import entrants
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE
from bot.practice.servers import Permission
from bot.table.state import TableState
from bot.table.tournament import Progress, Tournament
from bot.wire.requests import Content, Interaction, Posted, post, respond_with_id
from cogs.tournaments import TournamentsCog
from tests.e2e.answers import id_of, message_of, said
from tests.e2e.evening import Evening, unlinked
from tests.e2e.test_admins import logged, with_log
from tests.taking_chips import take_chips

ENTRY = 100


async def look(evening: Evening, seconds: float = 0.0) -> None:
    """Has the bot look what is due, this many seconds from now."""
    croupier = evening.bot.croupier
    at = croupier.now() + seconds
    croupier.now = lambda: at
    await cast("TournamentsCog", evening.bot.get_cog("Tournaments")).look()


async def tournament(evening: Evening) -> Tournament:
    """The tournament of the evening."""
    (row,) = await evening.bot.croupier.ledger.tournaments_in(evening.server.id)
    found = await evening.bot.tournaments.tournaments.get(row.tournament_id)
    assert found is not None
    return found


async def opened(evening: Evening, **options: object) -> tuple[Person, Message]:
    """Who manages the server and has opened a tournament, and its board."""
    dora = evening.person("Dora", manage_server=True)
    board = message_of(await dora.slash(evening.channel, "tournament open", entry=ENTRY, **options))
    assert not board.ephemeral, board.text
    return dora, board


async def entered(evening: Evening, board: Message, count: int) -> list[Person]:
    """People who have entered."""
    people = evening.persons(*(f"Player {number}" for number in range(1, count + 1)))
    for one in people:
        await one.click(board, "Enter")
    return people


def tables(evening: Evening) -> list[TableState]:
    return [table for table in evening.bot.croupier.tables.of_server(evening.server.id) if table.heat]


async def play_out(evening: Evening) -> None:
    """Lets the time run out at every table until the stage is over."""
    croupier = evening.bot.croupier
    for _ in range(200):
        if not (open_tables := tables(evening)):
            return
        at = max(table.deadline or 0.0 for table in open_tables) + 1
        croupier.now = lambda at=at: at  # type: ignore[misc]
        await croupier.go_on()
        await evening.settle_down()
    raise AssertionError("the tables are still open")


async def wallets(evening: Evening, people: list[Person]) -> list[int]:
    croupier = evening.bot.croupier
    await croupier.identities.load((await tournament(evening)).entrants)
    parties = [await croupier.identities.find(evening.server.id, one.id) for one in people]
    found = await croupier.ledger.wallets(evening.server.id, parties)
    return [found[party] for party in parties]


@pytest.mark.parametrize("restarts", [False, True])
async def test_members_enter_play_at_two_tables_are_cut_and_the_first_three_win_the_pot(
    evening: Evening, restarts: bool
) -> None:
    async def go_on(seconds: float = 0.0) -> None:
        if restarts:
            now = evening.bot.croupier.now()
            await evening.restart()
            evening.bot.croupier.now = lambda: now
        await look(evening, seconds)

    _, board = await opened(evening, rounds=2)
    people = await entered(evening, board, 7)
    before = await wallets(evening, people)
    assert "Pot: **700 chips**" in board.text
    assert "Entered (7)" in board.text
    await go_on()
    assert not tables(evening)
    await go_on(601)
    await go_on()
    assert [len(table.seats) for table in tables(evening)] == [4, 3]
    assert "Stage 1" in board.text
    threads = [one for one in evening.server.channels.values() if one.parent is evening.channel]
    at = datetime.fromtimestamp((await tournament(evening)).starts_at, UTC)
    assert [one.name for one in threads] == [
        f"Gnau · stage 1 · table {number} · {at:%Y-%m-%d %H:%M} UTC" for number in (1, 2)
    ]
    assert "the first 4 go on" in board.text
    assert len(re.findall(r"^\d\. <@\d+> · 1,000 · table [12]$", board.text, re.MULTILINE)) == 7
    await evening.until(lambda: len(people[0].sees(threads[0])) == 2, "the table's board is there")
    called, shown = people[0].sees(threads[0])
    assert people[0].user.mention in called.text
    assert "Gnau · stage 1 · table 1 · round 1 of 2" in shown.text
    if not restarts:
        # Who plays at another table may not bet here.
        await people[0].click(shown, "10")
        seat = tables(evening)[0].seat_of(evening.party(people[0]))
        assert seat is not None
        assert seat.stake == 10
        refused = said(await people[1].click(shown, "10"))
        assert refused == "This is a tournament: only those who entered play, with no side bets."
    await play_out(evening)
    # The board may have been posted again, below the call.
    await evening.until(
        lambda: (
            "round-2.png" in [file.filename for one in people[0].sees(threads[0]) for file in one.attachments]
        ),
        "the deciding round stays",
    )
    await go_on()
    await go_on()
    (final,) = tables(evening)
    assert len(final.seats) == 4
    assert "Final" in board.text
    told = [one for thread in threads[:2] for one in people[0].sees(thread) if "Stage 1 is over" in one.text]
    assert len(told) == 2
    on = f"goes on at <#{final.table_id}>"
    both = "\n".join(one.text for one in told)
    assert both.count(on) == 4
    # Of those who never bet, nobody was out while nobody else at their table bet.
    assert (both.count(" is out"), both.count("Out: ")) == ((3, 0) if restarts else (0, 1))
    await play_out(evening)
    await go_on()
    over = await tournament(evening)
    assert over.progress is Progress.OVER
    assert over.prizes == (350, 210, 140)
    after = await wallets(evening, people)
    won = {evening.party(one): now - then for one, then, now in zip(people, before, after, strict=True)}
    assert [won.pop(one.party) for one in over.ranking[:3]] == [350, 210, 140]
    assert set(won.values()) == {0}
    await go_on()
    results = [one for one in people[0].sees(evening.channel) if "wins **350 chips**" in one.text]
    assert len(results) == 2
    assert f"wins **350 chips**, with {over.ranking[0].chips:,} left" in results[-1].text
    assert results[-1].attachments
    assert results[0] is board
    assert not board.buttons()
    assert evening.bot.croupier.tables.get(final.table_id) is None


async def test_who_may_not_enter_is_told_why_and_who_leaves_gets_the_entry_back(evening: Evening) -> None:
    dora, board = await opened(evening)
    alice = evening.person("Alice")
    assert said(await alice.slash(evening.channel, "tournament open", entry=5)) == (
        "You need the permission **Manage Server** for this."
    )
    await alice.click(board, "Enter")
    assert await wallets(evening, [alice]) == [1000 - ENTRY]
    await alice.click(board, "Enter")
    assert await wallets(evening, [alice]) == [1000 - ENTRY]
    await alice.click(board, "Leave")
    assert await wallets(evening, [alice]) == [1000]
    assert "Nobody has entered yet." in board.text
    again = said(await dora.slash(evening.channel, "tournament open", entry=5))
    assert again == "This channel has a tournament already. Open another one when it is over."
    await alice.click(board, "Enter")
    assert (
        said(await alice.click(board, "Cancel tournament"))
        == "You need the permission **Manage Server** for this."
    )
    asked = await dora.click(board, "Cancel tournament")
    assert said(asked) == "Cancel the tournament? 1 member gets 100 chips back."
    await dora.click(message_of(asked), "Keep it")
    assert said(asked) == "Nothing was changed."
    assert await wallets(evening, [alice]) == [1000 - ENTRY]
    bob = evening.person("Bob")
    await bob.click(board, "Enter")
    banned = message_of(await dora.slash(evening.channel, "house ban", member=bob, reason="why"))
    entry = f"Their entry to the tournament in <#{evening.channel.id}> goes back: 100 chips."
    assert banned.text == f"Ban <@{bob.id}> from playing here? {entry}"
    await dora.click(banned, "Ban")
    assert banned.text == f"<@{bob.id}> is banned from playing here. The reason: “why”. {entry}"
    assert await evening.chips(alice, bob) == {"Alice": 1000 - ENTRY, "Bob": 1000}
    await dora.click(banned, "Let play again")
    assert banned.text == f"<@{bob.id}> can play here again."
    with pytest.MonkeyPatch.context() as patch:

        async def unreadable(*_: object) -> None:
            raise UnreadableTournamentError

        patch.setattr(evening.bot.tournaments.tournaments, "leave", unreadable)
        holds = message_of(await dora.slash(evening.channel, "house ban", member=alice, reason="why"))
        await dora.click(holds, "Ban")
        assert holds.text == f"<@{alice.id}> is banned from playing here. The reason: “why”."
    asked = await dora.click(board, "Cancel tournament")
    await dora.click(message_of(asked), "Cancel it")
    await look(evening)
    assert "An admin cancelled the tournament. All entries went back." in board.text
    assert await wallets(evening, [alice]) == [1000]


async def test_whoever_is_banned_or_removed_while_it_is_played_is_out_and_the_entry_stays(
    evening: Evening,
) -> None:
    dora, board = await opened(evening)
    people = await entered(evening, board, 4)
    await look(evening, 601)
    await look(evening)
    before = await wallets(evening, people)
    (table,) = tables(evening)
    thread = evening.server.channels[table.channel_id]

    def out_of(channel: int) -> str:
        return f"They are out of the tournament in <#{channel}>, and their entry stays in its pot."

    banned = message_of(await dora.slash(evening.channel, "house ban", member=people[0], reason="why"))
    assert banned.text == f"Ban <@{people[0].id}> from playing here? {out_of(evening.channel.id)}"
    await dora.click(banned, "Ban")
    assert banned.text.endswith(out_of(evening.channel.id))
    removed = message_of(await dora.slash(thread, "table kick", member=people[1], reason="noise"))
    number = table.number
    assert removed.text == f"Remove <@{people[1].id}> from table {number}? {out_of(thread.id)}"
    await dora.click(removed, "Remove")
    assert removed.text == (
        f"<@{people[1].id}> is removed from table {number}. The reason: “noise”. {out_of(thread.id)}"
    )
    told = f"An admin of **{evening.server.name}** removed you from the tournament, so you are out. "
    own = partial(people[1].sees, people[1].dm())
    await evening.until(
        lambda: any(one.text == f"{told}The reason: “noise”." for one in own()), "they are told"
    )
    assert await wallets(evening, people) == before
    (table,) = tables(evening)
    assert [seat.party for seat in table.seats] == [evening.party(one) for one in people[2:]]


async def test_an_admin_starts_a_tournament_early_and_its_players_are_called_also_after_a_restart(
    evening: Evening,
) -> None:
    with_log(evening)
    dora, board = await opened(evening)
    (alice,) = await entered(evening, board, 1)
    assert board.button("Start now") is None
    too_few = "It can start once two or more who may play have entered."
    assert said(await dora.slash(evening.channel, "tournament start")) == too_few
    bob = evening.person("Bob")
    await bob.click(board, "Enter")
    start = id_of(board, "Start now")
    not_allowed = "You need the permission **Manage Server** for this."
    for refused in (
        await bob.click(board, "Start now"),
        await bob.slash(evening.channel, "tournament start"),
    ):
        assert said(refused) == not_allowed
    pressed = message_of(await dora.click(board, "Start now"))
    await dora.click(pressed, "Wait")
    assert pressed.text == "Nothing was changed."
    asked = message_of(await dora.slash(evening.channel, "tournament start"))
    one = await tournament(evening)
    assert asked.text == f"Start the tournament now, and not <t:{int(one.starts_at)}:R>? Entered: 2."
    await bob.click(board, "Leave")
    assert said(await dora.click(asked, "Start now")) == too_few
    await bob.click(board, "Enter")
    # Pressed twice, it starts once.
    twice = [dora.press_raw(asked, id_of(asked, "Start now")) for _ in range(2)]
    await asyncio.gather(*twice)
    assert (await tournament(evening)).progress is Progress.PLAYING
    line = f"🏆 <@{dora.id}> started the tournament in <#{evening.channel.id}> before its time: pot 200 chips"
    await evening.until(lambda: line in logged(evening, dora), "the admins are told")
    await evening.restart()
    for _ in range(2):
        await look(evening)
    (table,) = tables(evening)
    assert {seat.party for seat in table.seats} == {evening.party(one) for one in (alice, bob)}
    called, *_ = alice.sees(evening.server.channels[table.channel_id])
    assert all(one.user.mention in called.text for one in (alice, bob)), called.text
    assert "Final" in board.text
    started = "The tournament has started, so nobody enters or leaves."
    assert said(await dora.press_raw(board, start)) == started
    assert said(await dora.slash(evening.channel, "tournament start")) == started
    assert logged(evening, dora).count(line) == 1


async def test_an_admin_cancels_a_tournament_that_cannot_be_read(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    dora, board = await opened(evening)
    people = await entered(evening, board, 2)
    ledger = evening.bot.croupier.ledger
    (row,) = await ledger.running_tournaments()
    await ledger.record(TournamentChanged(row, replace(row, state="{}")))
    refused = said(await people[0].click(board, "Enter"))
    assert refused.startswith("I can't read this tournament any more.")
    with pytest.MonkeyPatch.context() as lost:
        lost.setattr(ledger, "entries_in", AsyncMock(return_value={}))
        refused = said(await dora.slash(evening.channel, "tournament cancel"))
    assert refused.startswith("I can't cancel the tournament: its pot is not the sum of its entries.")
    asked = message_of(await dora.slash(evening.channel, "tournament cancel"))
    assert asked.text == "Cancel the tournament? 2 members get 100 chips back each."
    late = id_of(asked, "Cancel it")
    await dora.click(asked, "Cancel it")
    told = "An admin cancelled the tournament. All entries went back."
    await evening.until(lambda: asked.text == told, "it is cancelled")
    assert await wallets(evening, people) == [1000, 1000]
    await look(evening, 20)
    assert told in people[0].sees(evening.channel)[-1].text
    assert not await ledger.running_tournaments()
    nothing = "There is no tournament to cancel now. Open another one with `/tournament open`."
    assert unlinked(said(await dora.slash(evening.channel, "tournament cancel"))) == nothing
    # Somebody kept the question open.
    assert unlinked(said(await dora.press_raw(asked, late))) == nothing
    assert "cannot be read" in caplog.text
    caplog.clear()


async def test_a_cancelled_tournament_tells_its_players_and_an_old_question_cancels_no_final(
    evening: Evening,
) -> None:
    dora, board = await opened(evening, computers=2)
    people = await entered(evening, board, 2)
    assert "Up to 2 computer players at each table, if seats are free; they win nothing." in board.text
    start, starting = id_of(board, "Start now"), message_of(await dora.click(board, "Start now"))
    asked = message_of(await dora.click(board, "Cancel tournament"))
    assert asked.text == "Cancel the tournament? 2 members get 100 chips back each."
    await look(evening, 601)
    await look(evening)
    (table,) = tables(evening)
    thread = evening.server.channels[table.table_id]
    await evening.until(lambda: len(people[0].sees(thread)) == 2, "the table's board is there")
    _, shown = people[0].sees(thread)
    hand = message_of(await evening.press(people[0], shown, "My panel"))
    assert f"<#{table.table_id}> · round 1 of 5" in hand.text
    await dora.click(asked, "Cancel it")
    again = "**Final** · players: 2\nCancel the tournament?"
    await evening.until(lambda: asked.text.startswith(again), "it is asked again")
    assert len(tables(evening)) == 1
    await dora.click(asked, "Cancel it")
    await look(evening)
    await evening.settle_down()
    assert "cancelled" in board.text
    assert not board.buttons()
    assert not tables(evening)
    assert await wallets(evening, people) == [1000, 1000]
    cancelled = "The tournament is cancelled. All entries go back."
    assert cancelled in shown.text
    told = people[0].sees(thread)[-1].text
    assert told == "An admin cancelled the tournament. All entries went back."
    assert said(await dora.press_raw(board, start)) == told
    assert said(await dora.click(starting, "Start now")) == told
    assert cancelled in hand.text
    assert "Wallet: 1,000 chips free" in hand.text


async def test_the_answer_stays_the_only_board_however_long_it_takes(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = respond_with_id

    async def slow(interaction: Interaction, content: Content) -> int | None:
        await look(evening)
        return await really(interaction, content)

    monkeypatch.setattr("cogs.tournaments.respond_with_id", slow)
    _, board = await opened(evening)
    # Its id is noted once Discord has told it.
    await evening.settle_down()
    await look(evening, 20)
    assert [one for one in evening.person("Alice").sees(evening.channel) if "Tournament" in one.text] == [
        board
    ]


async def test_a_refused_thread_is_not_asked_for_every_two_seconds(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, board = await opened(evening)
    await entered(evening, board, 7)
    asked = []

    async def refused(*_: object, **__: object) -> None:
        asked.append(1)
        raise ConnectionResetError

    monkeypatch.setattr(discord.TextChannel, "create_thread", refused)
    await look(evening, 601)
    for _ in range(5):
        await look(evening, 2)
    assert len(asked) == 1
    evening.server.everyone.permissions &= ~Permission.CREATE_PUBLIC_THREADS
    await evening.restart()
    await look(evening, 700)
    assert len(asked) == 1


async def test_players_are_called_to_a_thread_that_was_made_before_a_failure(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, board = await opened(evening)
    people = await entered(evening, board, 2)
    really, failing = post, [True]

    async def fails_once(client: discord.Client, channel: int, content: Content, nonce: str) -> Posted:
        if channel != evening.channel.id and failing:
            failing.clear()
            raise ConnectionResetError
        return await really(client, channel, content, nonce)

    monkeypatch.setattr("bot.ui.tournaments.post", fails_once)
    await look(evening, 601)
    await look(evening)
    await look(evening, 61)
    (thread,) = [one for one in evening.server.channels.values() if one.parent is evening.channel]
    assert any("this is your table" in one.text for one in people[0].sees(thread))


async def test_a_tournament_that_fewer_than_two_enter_is_cancelled(evening: Evening) -> None:
    _, board = await opened(evening)
    (alice,) = await entered(evening, board, 1)
    await evening.restart()
    await look(evening, 601)
    assert "cancelled: fewer than two could play. All entries went back." in board.text
    assert await wallets(evening, [alice]) == [1000]


async def test_who_has_too_few_chips_or_a_limit_of_their_own_cannot_enter(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    board = message_of(await dora.slash(evening.channel, "tournament open", entry=5000))
    alice = evening.person("Alice")
    assert said(await alice.click(board, "Enter")) == "It costs 5,000 chips to enter; you have 1,000."


async def test_a_tournament_needs_a_text_channel_and_threads(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    thread = evening.discord.add_thread(evening.channel, "here")
    refused = unlinked(said(await dora.slash(thread, "tournament open", entry=5)))
    assert refused == "Tournaments need a text channel: use `/tournament open` there."
    evening.server.everyone.permissions &= ~Permission.CREATE_PUBLIC_THREADS
    await evening.restart()
    assert "create public threads" in said(await dora.slash(evening.channel, "tournament open", entry=5))


async def test_everyone_sees_the_standings_and_admins_cancel_by_command(evening: Evening) -> None:
    alice, none = (
        evening.person("Alice"),
        "There is no tournament now. Admins can open one: `/tournament open`.",
    )
    assert unlinked(said(await alice.slash(evening.channel, "tournament show"))) == none
    dora, board = await opened(evening)
    await entered(evening, board, 2)
    elsewhere = evening.discord.add_channel(evening.server, "elsewhere")
    shown = message_of(await alice.slash(elsewhere, "tournament show"))
    assert "Entered (2)" in shown.text
    assert f"{evening.channel.id}/{board.id}" in shown.text
    assert (shown.ephemeral, shown.buttons()) == (True, [])
    await dora.slash(elsewhere, "tournament open", entry=ENTRY)
    third = evening.discord.add_channel(evening.server, "third")
    several = message_of(await alice.slash(third, "tournament show")).text.splitlines()
    assert [line.startswith("🏆 Tournament · Gnau · Enter for") for line in several] == [True, True]
    assert f"{evening.channel.id}/{board.id}" in several[0]
    await look(evening, 601)
    await look(evening)
    thread = next(one for one in evening.server.channels.values() if one.parent is evening.channel)
    assert "· 1,000" in message_of(await alice.slash(thread, "tournament show")).text
    refused = said(await alice.slash(thread, "tournament cancel"))
    assert refused == "You need the permission **Manage Server** for this."
    asked = message_of(await dora.slash(thread, "tournament cancel"))
    assert asked.text == "**Final** · players: 2\nCancel the tournament? 2 members get 100 chips back each."
    await dora.click(asked, "Cancel it")
    await look(evening)
    assert "An admin cancelled" in board.text


async def test_a_deleted_board_is_posted_again_and_edited_once_a_round(evening: Evening) -> None:
    _, board = await opened(evening)
    (alice, _) = await entered(evening, board, 2)
    await look(evening, 601)
    evening.expect_fault(404)
    evening.discord.world.delete_message(board)
    await look(evening)
    (again,) = [one for one in alice.sees(evening.channel) if "Final" in one.text]
    since = len(evening.discord.requests)

    def edits() -> int:
        return sum(request.path.endswith(f"/{again.id}") for request in evening.budgeted(since))

    for _ in range(3):
        await look(evening, 1)
    assert not edits()
    await play_out(evening)
    await look(evening)
    # Its table plays five rounds.
    assert 1 <= edits() <= 6
    assert "The tournament is over." in again.text


async def test_who_has_entered_reads_in_wallet_daily_and_help_where_their_chips_are(evening: Evening) -> None:
    dora = evening.person("Dora", manage_server=True)
    board = message_of(await dora.slash(evening.channel, "tournament open", entry=1000))
    (alice, _) = await entered(evening, board, 2)
    wallet = said(await alice.slash(evening.channel, "wallet"))
    assert "**1,000 chips** in a tournament" in wallet
    assert "fewer than 50 chips after the tournament, </daily:" in wallet
    assert "too few chips" not in said(await alice.slash(evening.channel, "help"))
    assert "You get **100 chips**" in said(await alice.slash(evening.channel, "daily"))
    assert "in a tournament" not in said(await alice.slash(evening.channel, "daily")), "nobody with enough"
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice))
    told = unlinked(said(await alice.slash(evening.channel, "daily")))
    assert told.endswith(
        "\n-# You have 1,000 chips in a tournament. Until it is over, `/daily` does not bring you back to "
        "100."
    )


async def test_practice_players_enter_and_play(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants, "PAUSE", (0.0, 0.0))
    monkeypatch.setattr(entrants, "CHANCE", 1.0)
    evening.discord.world.patience = 0.0
    persons = evening.persons("Ah Beng", "Siti")
    thinking = entrants.Entrants(evening.channel, persons)
    stop = evening.discord.world.on_change(thinking.on_change)
    _, board = await opened(evening)
    await evening.until(lambda: "Entered (2)" in board.text, "they have entered")
    stop()
    await thinking.close()
    players = [PracticePlayer(one, AT_ONCE, channels=[evening.channel]) for one in persons]
    playing = [asyncio.create_task(player.play()) for player in players]
    await look(evening, 601)
    await look(evening)
    await evening.until(lambda: tables(evening) and tables(evening)[0].last, "a round is played")
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    await evening.settle_down()
    (table,) = tables(evening)
    assert all(seat.rounds_missed == 0 for seat in table.seats)
