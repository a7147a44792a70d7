"""`/profile` as members use it: whose, what it shows, in which game, and who sees it."""

from bot.practice.messages import Message
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
        assert f": won {won} of 1, {net}" in shown.text
        assert ("👑 Banked 1 round" in shown.text) is (name == mei.name)
        assert ("Best day: +" in shown.text) is (gained[name] > 0)
        assert "In the picture: chips by day · 👑 as banker · ⭐ best day · 🗓️ most days" in shown.text
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
        assert ("🏅" in text) is bool(names)
        assert all(name in text for name in names)
        assert not names or f"🏅 {len(names)}/20 · " in text
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


async def test_who_has_no_profile_or_shows_none(evening: Evening) -> None:
    board, mei, alice = await one_round(evening)
    zed = evening.person("Zed")
    assert "Zed hasn't finished a round here yet." in (await evening.told_alone(zed, "profile")).text
    told = await evening.told_alone(zed, "profile", member=evening.person("Yan"))
    assert "Yan hasn't finished a round here yet." in told.text
    mine = message_of(await alice.click(board, "My place"))
    await alice.click(mine, "Hide me")
    told = await evening.told_alone(mei, "profile", member=alice)
    assert "Alice doesn't show their profile." in told.text
    own = await evening.told_alone(alice, "profile")
    assert "You are hidden: only you see this profile." in own.text
    assert "📊 Alice" in own.text
