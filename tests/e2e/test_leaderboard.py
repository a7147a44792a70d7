"""`/leaderboard` as members use it: by what, since when, of which game, whose place, and who is not on it."""

import time
from functools import partial

import pytest

from bot.clock import DAY_SECONDS
from bot.practice.messages import Message
from bot.practice.person import Person
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening

BY, GAME = "Rank by…", "Which game…"


async def one_round(evening: Evening, game: str = "gnau") -> tuple[Message, Person, Person]:
    """Mei banks a round against Alice; the board that Alice asks for."""
    board, mei, (alice,) = await evening.seated_table(game, "Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(alice)
    await evening.reveal(board, mei, alice)
    await evening.counted()
    return message_of(await alice.slash(evening.channel, "leaderboard")), mei, alice


async def test_what_a_member_presses_shows_them_alone_another_leaderboard_until_they_are_long_away(
    evening: Evening,
) -> None:
    dora = evening.person("Dora", manage_server=True)
    await dora.slash(evening.channel, "house season start", name="Winter")
    shown, mei, alice = await one_round(evening)
    everybody_reads = shown.text
    assert "🥇" in everybody_reads
    assert f"<@{alice.id}> is number " in everybody_reads
    assert not shown.button("This week"), "what members have now is of no period"
    zed = evening.person("Zed")
    assert (
        f"<@{zed.id}> isn't on this leaderboard: play a round"
        in message_of(await zed.slash(evening.channel, "leaderboard")).text.splitlines()[-1]
    )
    own = message_of(await zed.choose(shown, BY, "rounds"))
    assert own.ephemeral
    assert shown.text == everybody_reads
    assert {"🥇 Mei · 1 round", "🥇 Alice · 1 round"} <= set(own.text.splitlines())
    assert f"<@{zed.id}> isn't on this leaderboard yet" in own.text
    assert (await zed.click(own, "This week")).kind == "update"
    assert "This week · All games" in own.text
    await zed.choose(own, GAME, "niu-niu")
    assert "This week · Niu Niu" in own.text
    assert "Nobody is on this leaderboard yet" in own.text
    await zed.choose(own, GAME, "gnau")
    await zed.choose(own, BY, "best")
    assert "Best hand" in own.text
    winner, won = (mei, evening.last_round().bank_chips)
    if won < 0:
        winner, won = alice, -won
    await zed.choose(own, BY, "biggest")
    if won:
        assert f"🥇 {winner.name} · {won:,} chips" in own.text
    mine = message_of(await alice.click(shown, "My place"))
    assert mine.ephemeral
    assert f"<@{alice.id}> is number " in mine.text
    stacks = await evening.chips(alice, mei)
    ahead = stacks[mei.name] - stacks[alice.name]
    has = f"is {abs(ahead)} {'ahead' if ahead > 0 else 'behind'}" if ahead else "has just as much"
    assert f"with {stacks[alice.name]:,} chips · Mei {has}" in mine.text
    await alice.choose(mine, BY, "rounds")
    assert "with 1 round · Mei has just as much" in mine.text
    await alice.choose(mine, BY, "best")
    assert "Mei" not in mine.text.splitlines()[-1]
    (winter,) = await zed.suggest(evening.channel, "leaderboard", "season", "Winter")
    for days, is_listed in ((59, True), (61, False)):
        later = time.time() + days * DAY_SECONDS
        evening.bot.croupier.now = partial(float, later)
        for options, is_on_it in (
            ({}, is_listed),
            ({"of": "rounds"}, is_listed),
            ({"of": "rounds", "season": winter.value}, True),
        ):
            board = message_of(await alice.slash(evening.channel, "leaderboard", **options))
            assert ("🥇 " in board.text) is is_on_it, (days, options)
            assert (f"<@{alice.id}> is number " in board.text) is is_on_it
            assert ("play a round to get a place" in board.text) is not is_on_it


async def test_who_hides_and_who_has_left_is_on_no_leaderboard(evening: Evening) -> None:
    shown, mei, alice = await one_round(evening)
    mine = message_of(await alice.click(shown, "My place"))
    await alice.click(mine, "Hide me")
    assert "You are hidden" in mine.text
    await evening.restart()
    board = message_of(await alice.slash(evening.channel, "leaderboard", of="rounds"))
    assert "Mei · 1 round" in board.text
    assert "Alice" not in board.text
    assert str(alice.id) not in board.text, "not even to whom they ask among others"
    mine = message_of(await alice.click(board, "My place"))
    assert f"<@{alice.id}> is number " in mine.text
    await alice.click(mine, "Show me")
    evening.expect_fault(404)
    evening.discord.world.leave(evening.server, mei.user)
    await evening.restart()
    board = message_of(await alice.slash(evening.channel, "leaderboard", of="rounds"))
    assert "Alice · 1 round" in board.text
    assert "Mei" not in board.text
    asked = [request for request in evening.discord.requests if "/members/" in request.path]
    await alice.slash(evening.channel, "leaderboard", of="rounds")
    again = [request for request in evening.discord.requests if "/members/" in request.path]
    assert len(asked) == len(again), "what Discord said is remembered"


async def test_a_place_below_the_page_that_everybody_reads_is_told_its_member_alone(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.leaderboard.ON_PAGE", 1)
    shown, mei, alice = await one_round(evening)
    first, second = (mei, alice) if "🥇 Mei" in shown.text else (alice, mei)
    for person, is_told in ((first, True), (second, False)):
        board = message_of(await person.slash(evening.channel, "leaderboard"))
        assert (f"<@{person.id}>" in board.text) is is_told
        assert f"<@{person.id}> is number " in message_of(await person.click(board, "My place")).text
