"""People press, pick and fill in anything at random: nothing fails, and no chip is lost."""

import asyncio
import re
from random import Random

import pytest

from bot.croupier.handouts import bankroll
from bot.croupier.wallets import HOUSE_CHIPS
from bot.practice.component_tree import Button, Kind
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError, Reply
from bot.practice.servers import Channel
from bot.rules.knobs import Arrange, Dealing
from tests.e2e.evening import Evening
from tests.sizes import sample
from tests.stand_in import typed_in

STEPS = 300
_PANEL = re.compile(r"### (?:Side bets · )?Table (?P<table>\d+) · (?:Round (?P<round>\d+))?")
_RESULT = re.compile(r"^Round (\d+): ", re.MULTILINE)
MOST_LOOKED_AT = 8
SPOILSPORTS = ("close", "leave", "give_up")
"""Buttons that would end most games before they begin."""
NAMES = ("Alice", "Bob", "Chan", "Mei", "Zed")
AMOUNTS = ("1", "5", "20", "1,000", "-3", "many", "")
COMMANDS: tuple[tuple[str, dict[str, object]], ...] = (
    ("table open", {}),
    ("table open", {"game": "tau-ngau"}),
    ("table open", {"play": "points"}),
    ("table open", {"game": "tau-ngau", "play": "points"}),
    ("table list", {}),
    ("bet", {"amount": 5}),
    ("hand", {}),
    ("wallet", {}),
    ("leaderboard", {"of": "points"}),
    ("profile", {}),
    ("seed", {"words": "eight **eight** <@1>"}),
    ("round show", {}),
    ("round verify", {}),
    ("round show", {"table": 1, "round": 1}),
    ("house show", {}),
)


class Monkey:
    """A member who does random things.

    Args:
        person: the member to act as.
        channels: the channels with something to press.
        chance: the source of randomness.
    """

    def __init__(self, person: Person, channels: list[Channel], chance: Random) -> None:
        self._person = person
        self._channels = channels
        self._chance = chance

    async def act(self) -> tuple[str, Reply | None]:
        """Does something; returns a note of what it was and the outcome, if it was possible."""
        seen = [one for channel in self._channels for one in self._person.sees(channel)]
        messages = [one for one in seen if _buttons(one)][-MOST_LOOKED_AT:]
        try:
            if not messages or self._chance.random() < 0.08:
                return await self._type()
            message = self._chance.choice(messages)
            if message.ephemeral and self._chance.random() < 0.2:
                await self._person.dismiss(message)
                return "put away", None
            return await self._touch(message)
        except NotPossibleError as refused:
            return str(refused), None

    async def _type(self) -> tuple[str, Reply | None]:
        name, options = self._chance.choice(COMMANDS)
        channel = self._chance.choice([one for one in self._channels if not one.is_dm])
        return name, await self._person.slash(channel, name, **options)

    async def _touch(self, message: Message) -> tuple[str, Reply | None]:
        selects = [one for one in message.selects() if one.kind is Kind.STRING_SELECT]
        if selects and self._chance.random() < 0.2:
            select = self._chance.choice(selects)
            values = [option.value for option in select.options if option.value not in SPOILSPORTS]
            picked = self._chance.sample(values, min(len(values), select.max_values))
            reply = await self._person.choose(message, select, *picked)
            return await self._filled(f"{select.custom_id} {picked}", message, reply)
        button = self._chance.choice(_buttons(message))
        reply = await self._person.click(message, button)
        return await self._filled(f"{button.custom_id} {button.label}", message, reply)

    async def _filled(self, what: str, message: Message, reply: Reply) -> tuple[str, Reply | None]:
        """Fills in the modal if one opened, but not every time."""
        if reply.kind == "failed" and message not in self._person.sees(message.channel):
            # A newer private answer took its place between the press and the reply, which nobody misses.
            return f"{what}, put away meanwhile", None
        if reply.modal is None or self._chance.random() < 0.1:
            return what, reply
        values: dict[str, object] = {
            custom_id: self._chance.choice(AMOUNTS)
            for custom_id in typed_in(reply.modal)
            if self._chance.random() < 0.3
        }
        return f"{what} {values}", await self._person.submit(reply.modal, **values)


def _buttons(message: Message) -> list[Button]:
    """The buttons of a message that can be pressed."""
    return [one for one in message.buttons() if one.custom_id and not one.disabled]


async def nothing_sealed_was_told(evening: Evening) -> None:
    """Searches everything that was sent for secrets of shuffles that are still to come."""
    sent = "\n".join(repr((request.body, request.files)) for request in evening.discord.requests)
    for table in evening.bot.croupier.tables.all():
        assert table.secret not in sent


def outdated_panels(evening: Evening, people: list[Person], channels: list[Channel]) -> list[str]:
    """The private panels in channels with an open table that show another round than the one that is on."""
    outdated = []
    for channel in channels:
        table = evening.bot.croupier.tables.in_channel(channel.id)
        for message in [one for person in people for one in person.sees(channel) if one.ephemeral]:
            heading = _PANEL.match(message.text)
            if table is None or heading is None or "is paused" in message.text:
                continue
            result, last = _RESULT.search(message.text), table.last and table.last.round_number
            shown, now = (result[1], last) if result else (heading["round"], table.round_number)
            if int(heading["table"]) == table.number and shown is not None and int(shown) != now:
                outdated.append(message.text)
    return outdated


@pytest.mark.thorough
@pytest.mark.parametrize("seed", sample(range(2)))
async def test_random_actions_always_get_a_reply_and_the_audit_stays_clean(
    evening: Evening, seed: int
) -> None:
    chance = Random(seed)
    evening.discord.world.patience = 0.0
    # A private reply that another table's replaces may be edited as it is deleted.
    evening.expect_fault(400, 403, 404)
    evening.rules = evening.rules.model_copy(
        update={"arrange": chance.choice(list(Arrange)), "dealing": chance.choice(list(Dealing))}
    )
    people = [evening.person(name, manage_server=name == "Mei") for name in NAMES]
    people[1].user.dms_open = False
    channels = [evening.channel, evening.other_channel]
    monkeys = [Monkey(person, [*channels, person.dm()], Random(f"{seed} {person.name}")) for person in people]
    done: list[str] = []
    for _ in range(STEPS // len(monkeys)):
        for what, reply in await asyncio.gather(*(monkey.act() for monkey in monkeys)):
            done.append(what)
            assert reply is None or reply.kind != "failed", (reply, done[-10:])
    await evening.settle_down()
    await evening.until(
        lambda: not outdated_panels(evening, people, channels), "every panel shows the round that is on"
    )
    await nothing_sealed_was_told(evening)
    # Somebody may have played the house, whose bankroll comes from the mint.
    house = await bankroll(evening.bot.croupier, evening.server.id)
    owned = sum((await evening.chips(*people)).values())
    assert owned + house.total == 1000 * len(people) + HOUSE_CHIPS
