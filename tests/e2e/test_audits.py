"""`/bank audit`: what an admin reads of a server's chips, and nobody else."""

import csv
import io
import re

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.audit import GiftSeen
from bot.table.state import THE_HOUSE
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.e2e.test_leaderboard import one_round
from tests.e2e.test_privacy import erase


def table_in(evening: Evening, message: Message, named: str = ".csv") -> list[dict[str, str]]:
    """The rows of a message's file for spreadsheets whose name ends so."""
    (found,) = [one for one in message.attachments if one.filename.endswith(named)]
    return list(csv.DictReader(io.StringIO(evening.discord.world.files[found.id].decode("utf-8-sig"))))


async def gifts_of(evening: Evening, giver: Person, receiver: Person) -> list[GiftSeen]:
    """The largest gifts of one member to another."""
    parties = evening.party(giver), evening.party(receiver)
    return await evening.bot.croupier.ledger.gifts_between(evening.server.id, *parties, 0.0)


async def test_admins_read_where_chips_came_from_and_between_whom_they_went(evening: Evening) -> None:
    evening.chip_settings = {"gifts_per_day": 10_000}
    *_, alice = await one_round(evening)
    result = evening.last_round()
    dora, bob = evening.person("Dora", manage_server=True), evening.person("=Bob")
    await dora.slash(evening.channel, "bank grant", member=bob, amount=300, reason="a prize")
    asked = message_of(await bob.slash(evening.channel, "give", member=alice, amount=700))
    await bob.click(asked, "Give 700 chips")
    await alice.slash(evening.channel, "give", member=bob, amount=1)
    await evening.bot.croupier.wallets.open(evening.server.id, THE_HOUSE)
    shown = message_of(await dora.slash(evening.channel, "bank audit"))
    assert shown.ephemeral
    assert "Members have **3,300 chips** now" in shown.text
    assert "In 1 week: Opening chips +3,000, From an admin +300." in shown.text
    assert "They gave each other 701 chips" in shown.text
    day = r"- <t:\d+:d>"
    named = rf"By admins, 1 time:\n{day} Dora gave =Bob \*\*300 chips\*\* · “a prize”"
    assert re.search(named, shown.text), shown.text
    files = [one.filename for one in shown.attachments]
    assert files == ["chips.png", "audit-weeks.csv", "audit-admins.csv"]
    (granted,) = table_in(evening, shown, "admins.csv")
    assert (granted["admin"], granted["admin_id"], granted["member"]) == ("Dora", str(dora.id), "'=Bob")
    assert (granted["chips"], granted["reason"]) == ("300", "a prize")
    *_, now = table_in(evening, shown, "weeks.csv")
    columns = ("owned", "opening_chips", "granted", "house_gained", "gifts")
    assert [now[name] for name in columns] == ["3300", "3000", "300", "0", "701"]
    flows = message_of(await dora.click(shown, "Between members"))
    gained = result.players[0].chips
    assert "=Bob → Alice: 699 chips" in flows.text
    assert "0 rounds: bets ±0, side bets ±0 · gifts +699" in flows.text
    if gained:
        loser, winner = ("Mei", "Alice") if gained > 0 else ("Alice", "Mei")
        assert f"{loser} → {winner}: {abs(gained)} chip" in flows.text
        assert f"Most in: `/round show table:1 round:1` +{abs(gained)}" in flows.text
    assert "chance explains it" in flows.text
    assert "**more than chance explains**" not in flows.text
    first, *_ = table_in(evening, flows)
    assert (first["from"], first["from_id"], first["chips"]) == ("'=Bob", str(bob.id), "699")
    new = message_of(await dora.click(flows, "New members"))
    (given,) = await gifts_of(evening, bob, alice)
    of_bob = "- =Bob: 699 of 1,300 · gifts +699, weaker hands ±0"
    dated = f"-# Gifts: <t:{int(given.at)}:d> +700"
    assert f"**Alice** got 699 chips from 1 new member:\n{of_bob}\n{dated}" in new.text
    (row,) = table_in(evening, new)
    assert (row["from"], row["from_id"], row["to_id"]) == ("'=Bob", str(bob.id), str(alice.id))
    assert (row["handed"], row["chips"], row["gifts"]) == ("1300", "699", "699")
    week = message_of(await dora.click(new, "1 week"))
    assert "=Bob" in week.text
    await erase(evening, bob, message_of(await bob.slash(evening.channel, "privacy erase")))
    nobody = message_of(await dora.click(week, "Between members"))
    assert "Deleted member → Alice: 699 chips" in nobody.text
    first, *_ = table_in(evening, nobody)
    assert (first["from"], first["from_id"]) == ("Deleted member", "")
    nobody = message_of(await dora.click(nobody, "New members"))
    assert f"- Deleted member: 699 of 1,300 · gifts +699, weaker hands ±0\n{dated}" in nobody.text
    assert table_in(evening, nobody)[0]["from_id"] == ""
    await dora.slash(evening.channel, "bank take", member=alice, amount=400, reason="a slip")
    weeks = message_of(await dora.click(nobody, "Chips by week"))
    slip = rf"{day} Dora took \*\*400 chips\*\* from Alice · “a slip”"
    prize = rf"{day} An admin gave Deleted member \*\*300 chips\*\*\n"
    named = rf"By admins, 2 times, the largest first:\n{slip}\n{prize}"
    assert re.search(named, weeks.text), weeks.text
    assert [one["admin_id"] for one in table_in(evening, weeks, "admins.csv")] == [str(dora.id), ""]
    assert "Erased −601" in weeks.text
    assert "Members have **2,299 chips** now" in weeks.text
