"""Every slash command once as it succeeds, and once as it is refused, in the words that members read."""

import re
from dataclasses import dataclass, field
from typing import Final

import pytest

from bot.practice.command_input import available_commands
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import HouseBank
from tests.e2e.evening import Evening
from tests.sizes import sample

ALICE, MEI, DORA, ZOE = "Alice", "Mei", "Dora", "Zoë"
NO_TABLE: Final = "There is no table in this channel. Open one with `/table open`."
NOT_ALLOWED: Final = "You need the permission **Manage Server** for this."


@dataclass(frozen=True)
class Typed:
    """A command as somebody types it, and what they read.

    Attributes:
        command: its full name.
        says: what the answer begins with, after its heading marks.
        by: who types it: Alice plays, Mei banks, Dora manages the server, and Zoë has done nothing yet.
        options: by name.
        everybody: whether everybody reads the answer.
        elsewhere: whether it is typed in another channel than that of the table.
    """

    command: str
    says: str
    by: str = ALICE
    options: dict[str, object] = field(default_factory=dict)
    everybody: bool = False
    elsewhere: bool = False


DONE: Final = (
    Typed(
        "bank grant", f"{ALICE} gets **5 chips**", DORA, {"member": ALICE, "amount": 5, "reason": "a prize"}
    ),
    Typed(
        "bank take",
        f"**5 chips** taken from {ALICE}",
        DORA,
        {"member": ALICE, "amount": 5, "reason": "a slip"},
    ),
    Typed("bank audit", "Chips by week · 13 weeks", DORA),
    Typed("break", "**Take a break?**"),
    Typed("daily", "🎁 You get **100 chips**, and have **"),
    Typed("give", f"{ALICE} gives", options={"member": MEI, "amount": 5}, everybody=True),
    Typed("hand", "Table 1 · <#"),
    Typed("help", "You have seat 1."),
    Typed("house ban", f"{ZOE} is banned", DORA, {"member": ZOE, "reason": "dumping"}),
    Typed("house bans", "**Banned from playing**", DORA),
    Typed("house unban", f"{ZOE} can play here again.", DORA, {"member": ZOE}),
    Typed("house bankroll", "The house banks with 5,000 chips: 5,000 free", DORA, {"chips": 5000}),
    Typed("house export", "Your settings, the leaderboards, and the newest of the rest. Rounds: 1; ", DORA),
    Typed("house history", "Nobody has changed the house rules yet.", DORA),
    Typed("house preset", "Preview", DORA, {"preset": "points"}),
    Typed("house reset", "Nothing would change", DORA, {"rule": "seats"}),
    Typed("house season start", "🏁 The season **Winter** is on.", DORA, {"name": "Winter"}, everybody=True),
    Typed("house season schedule", "**Winter**: `/house season end` ends it", DORA),
    Typed("house season end", "**End the season Winter?**", DORA),
    Typed("house set", "Preview", DORA, {"rule": "seats", "value": "4"}),
    Typed("house show", "House rules: Gnau", DORA),
    Typed("language", "From now on, I'll answer you in English.", options={"language": "en"}),
    Typed("leaderboard", "🏆 Most chips", everybody=True),
    Typed("learn", "Gnau · example 1 of 3"),
    Typed("ledger", "<t:"),
    Typed("play", "Table 1 · <#"),
    Typed("privacy erase", "**Erase your data in Ox and friends?**", DORA),
    Typed("privacy export", "This is everything I store about you here."),
    Typed("privacy show", "What I store about you"),
    Typed("profile", "📊 Alice", everybody=True),
    Typed("round show", "Gnau · Table 1 · Round 1 · "),
    Typed("round verify", "Gnau · Table 1 · Round 1"),
    Typed("rules show", "How to play Gnau"),
    Typed("seed", "Your words for the next shuffle", options={"words": "lucky ox"}),
    Typed("table close", "Table 1", MEI),
    Typed("table kick", f"{ALICE} is removed from table 1. They may come back.", DORA, {"member": ALICE}),
    Typed("table list", "🐂 **Table 1**"),
    Typed("table open", "🐂 Gnau · Table 2", ZOE, everybody=True, elsewhere=True),
    Typed("table schedule", "No table is scheduled."),
    Typed("table schedule", "**20:00** in which time zone?", DORA, {"time": "20:00"}),
    Typed("tournament cancel", "There is no tournament to cancel now.", DORA),
    Typed("tournament open", "🏆 Tournament · Gnau", DORA, {"entry": 50}, everybody=True),
    Typed("tournament show", "🏆 Tournament · Gnau"),
    Typed("tournament start", "It can start once two or more who may play have entered.", DORA),
    Typed("wallet", "**"),
    Typed("bet", "Table 1 · ", options={"amount": 10}),
)
"""Typed after a round of a table where Mei banks and Alice plays."""
LAST: Final = {"privacy erase", "table close"}
"""Commands after which there is nothing to show."""

REFUSED: Final = (
    *(
        Typed(f"bank {name}", NOT_ALLOWED, options={"member": ALICE, "amount": 5, "reason": "mine"})
        for name in ("grant", "take")
    ),
    Typed("bank audit", NOT_ALLOWED),
    Typed("bet", NO_TABLE, options={"amount": 5}),
    Typed("daily", "`/daily` is turned off in this server."),
    Typed("give", "You can't give chips to yourself.", options={"member": ALICE, "amount": 5}),
    Typed("hand", NO_TABLE),
    *(
        Typed(f"house {name}", NOT_ALLOWED)
        for name in ("bankroll", "bans", "export", "history", "season end", "season schedule", "show")
    ),
    Typed("house season start", NOT_ALLOWED, options={"name": "mine"}),
    Typed("house ban", NOT_ALLOWED, options={"member": MEI, "reason": "mine"}),
    Typed("house unban", NOT_ALLOWED, options={"member": ALICE}),
    Typed("house preset", NOT_ALLOWED, options={"preset": "points"}),
    Typed("house reset", NOT_ALLOWED),
    Typed("house set", NOT_ALLOWED, options={"rule": "seats", "value": "4"}),
    Typed("play", "Tables can't be opened here."),
    Typed("privacy erase", "I store nothing about you here.", ZOE),
    Typed("privacy export", "I store nothing about you here.", ZOE),
    Typed("privacy show", "I store nothing about you here.", ZOE),
    Typed("profile", "There are no finished rounds of Zoë here yet.", ZOE),
    Typed("round show", "No table is open in this channel."),
    Typed("round verify", "No table is open in this channel."),
    Typed("seed", NO_TABLE, options={"words": "lucky ox"}),
    Typed("table close", NO_TABLE),
    Typed("table kick", NOT_ALLOWED, options={"member": ALICE}),
    Typed("table list", "No table is open."),
    Typed("table open", "Tables can't be opened here."),
    Typed("tournament cancel", NOT_ALLOWED),
    Typed("tournament open", NOT_ALLOWED, options={"entry": 50}),
    Typed("tournament show", "There is no tournament now."),
    Typed("tournament start", NOT_ALLOWED),
    Typed("table schedule", NOT_ALLOWED, options={"time": "20:00"}),
)
"""Typed before anything has happened, in a channel where the house holds no tables, and gives no chips."""

NEVER_REFUSED: Final = {"break", "help", "language", "leaderboard", "learn", "ledger", "rules show", "wallet"}


def read(message: Message) -> str:
    """What a message begins with, without heading marks, and with names in place of links and members."""
    text = re.sub(r"</([^:>]+):\d+>", r"`/\1`", message.text)
    return re.sub(r"^#+ ", "", text)


async def typed(evening: Evening, one: Typed, people: dict[str, Person]) -> str:
    options = {
        name: people[value] if name == "member" and isinstance(value, str) else value
        for name, value in one.options.items()
    }
    channel = evening.other_channel if one.elsewhere else evening.channel
    reply = await people[one.by].slash(channel, one.command, **options)
    assert reply.message is not None, reply
    assert reply.message.ephemeral is not one.everybody
    message = reply.message
    await evening.until(lambda: bool(message.text), "the answer is there")
    return read(message)


def newcomers(evening: Evening) -> dict[str, Person]:
    people = [*evening.persons(ALICE, MEI, ZOE), evening.person(DORA, manage_server=True)]
    return {person.name: person for person in people}


@pytest.mark.parametrize("ends", sample([False, True], 1))
async def test_a_command_succeeds(evening: Evening, ends: bool) -> None:
    people = newcomers(evening)
    board = await evening.open_table(people[MEI])
    await evening.take_bank(people[MEI], board)
    await people[ALICE].click(board, "20")
    await evening.reveal(board, people[ALICE], people[MEI])
    if ends:
        await people[DORA].slash(evening.channel, "wallet")
    for one in DONE:
        if (one.command in LAST) is ends:
            said = await typed(evening, one, people)
            for name, person in people.items():
                said = said.replace(f"<@{person.id}>", name)
            assert said.startswith(one.says), (one.command, said)


async def test_a_command_is_refused_in_a_sentence(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(
        update={"channels": (evening.other_channel.id,), "house_bank": HouseBank.WHEN_NOBODY_BANKS}
    )
    evening.chip_settings = {"daily_chips": 0, "relief_chips": 0}
    for command in evening.discord.world.commands.values():
        # A server's admin may let everybody see a command; the bot asks for the permission itself.
        command["default_member_permissions"] = None
    people = newcomers(evening)
    for one in REFUSED:
        said = await typed(evening, one, people)
        assert said.startswith(one.says), (one.command, said)
    assert not evening.bot.croupier.tables.all()


async def test_there_is_no_other_command(evening: Evening) -> None:
    dora = evening.person(DORA, manage_server=True)
    every = {one.name for one in available_commands(evening.discord.world, dora.user, evening.channel)}
    assert {one.command for one in DONE} == every, "list it in DONE"
    assert {one.command for one in REFUSED} | NEVER_REFUSED == every, "list it in REFUSED or NEVER_REFUSED"
