"""`/profile` as members use it: whose, what it shows, in which game, and who sees it."""

from unittest.mock import AsyncMock

import pytest

from bot.croupier.standings import Standings
from bot.ledger.records import Entry
from bot.practice.messages import Message
from bot.table.achievements import Achievement
from bot.ui.profile import chips_by_round
from bot.words.translation import english
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.e2e.test_leaderboard import one_round


async def test_a_profile_says_what_the_rounds_brought(evening: Evening) -> None:
    board, mei, alice = await one_round(evening)
    (result,) = [evening.last_round()]
    gained = {alice.name: result.players[0].chips, mei.name: result.bank_chips}

    def says(shown: Message, name: str) -> None:
        won, net = int(gained[name] > 0), f"{gained[name]:+,}".replace("-", "−").replace("+0", "±0")
        assert f"📊 {name}" in shown.text
        assert f"**{1_000 + gained[name]:,} chips** now · **{net}** by playing" in shown.text
        assert f"1 round, {won} won" in shown.text
        (shown_picture,) = shown.gallery()
        told = shown_picture.description or ""
        assert told.startswith(f"{name}: chips over time, from 1,000 to {1_000 + gained[name]:,}, at most ")
        assert told.endswith(f": won {won} of 1, {net}")
        assert ("👑 1 of them as banker" in shown.text) is (name == mei.name)
        assert ("Best day (UTC): +" in shown.text) is (gained[name] > 0)
        hand = told.partition("Hands, without side bets: ")[2].partition(": won")[0]
        assert f"of each kind of hand, in this order:\n-# {hand}: won {won} of 1, {net}\n" in shown.text
        assert "Days in a row: 1 now, 1 at most" in shown.text
        assert [one.filename for one in shown.attachments] == ["profile.png"]

    shown = message_of(await mei.slash(evening.channel, "profile"))
    assert not shown.ephemeral
    says(shown, mei.name)
    says(message_of(await mei.slash(evening.channel, "profile", member=alice)), alice.name)
    says(message_of(await mei.of_member(evening.channel, "Profile", alice)), alice.name)
    identities, ledger = evening.bot.croupier.identities, evening.bot.croupier.ledger
    for person in (mei, alice):
        party = await identities.find(evening.server.id, person.id)
        reached = await ledger.reached_by(evening.server.id, party)
        text = message_of(await mei.slash(evening.channel, "profile", member=person)).text
        names = [english(f"achievement.{one.achievement}") for one in reached]
        assert all(name in text for name in names)
        assert f"🏅 {len(names)}/20{' · ' if names else ''}" in text
    best = message_of(await mei.slash(evening.channel, "leaderboard", of="best")).text
    for person, other in ((mei, alice), (alice, mei)):
        (hand,) = [line.rpartition(" · ")[2] for line in best.splitlines() if f" {person.name} · " in line]
        biggest = f" · Biggest win in a round: {gained[person.name]:,} chips"
        line = (
            f"-# 🏆 By chips: number {1 + (gained[other.name] > gained[person.name])}"
            f"{biggest if gained[person.name] > 0 else ''} · Best hand in Gnau: {hand}"
        )
        assert (await evening.told_alone(person, "wallet")).text.splitlines()[-1] == line
    zed = evening.person("Zed")
    assert "🏆" not in (await evening.told_alone(zed, "wallet")).text
    own = message_of(await alice.click(board, "My profile"))
    assert own.ephemeral
    says(own, alice.name)
    party = await identities.find(evening.server.id, mei.id)
    has = {one.achievement for one in await ledger.reached_by(evening.server.id, party)}
    listed = message_of(await alice.click(shown, "Achievements"))
    assert listed.ephemeral
    title, *lines = listed.text.splitlines()
    assert title == f"## 🏅 {len(has)}/20 · Mei"
    assert len(lines) == len(Achievement)
    for one, line in zip(Achievement, lines, strict=True):
        name, what = english(f"achievement.{one}"), english(f"achievement.{one}.what")
        assert line == f"{'🏅' if one in has else '▫️'} **{name}** · {what}"
    assert message_of(await alice.click(listed, "Profile")).text.startswith("## 📊 Mei")


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ([(1, 1_000, None)], [1_070, 1_070]),
        ([(1, 1_000, None), (2, 100, 1), (3, -50, 2), (4, 20, None)], [1_000, 1_100, 1_050, 1_070]),
        ([(1, 1_000, None), (2, 90, 1), (2, -20, 1)], [1_000, 1_070]),
    ],
)
def test_on_their_first_day_a_members_line_has_each_round(
    changes: list[tuple[float, int, int | None]], line: list[int]
) -> None:
    entries = [
        Entry(link, at, chips, "", None, None, number, None)
        for link, (at, chips, number) in enumerate(changes)
    ]
    assert chips_by_round(1_070, entries[::-1]) == line


async def test_who_has_no_profile_or_shows_none(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    board, mei, alice = await one_round(evening)
    zed = evening.person("Zed")
    with monkeypatch.context() as uncounted:
        uncounted.setattr(Standings, "count", AsyncMock(return_value=False))
        told = await evening.told_alone(zed, "profile")
        assert told.text == "Rounds are still being counted. Try again in a minute."
    assert "There are no finished rounds of Zed here yet." in (await evening.told_alone(zed, "profile")).text
    told = await evening.told_alone(zed, "profile", member=evening.person("Yan"))
    assert "There are no finished rounds of Yan here yet." in told.text
    before = message_of(await mei.slash(evening.channel, "profile", member=alice))
    mine = message_of(await alice.click(board, "My place"))
    await alice.click(mine, "Hide me")
    told = await evening.told_alone(mei, "profile", member=alice)
    assert "Alice doesn't show their profile." in told.text
    own = await evening.told_alone(alice, "profile")
    assert "You are hidden: only you see this profile." in own.text
    assert "📊 Alice" in own.text
    refused = message_of(await mei.click(before, "Achievements"))
    assert refused.text == "Alice doesn't show their profile."
