"""What practice players say after rounds: about what happened, in the reader's language, rarely twice."""

import asyncio
import random
from dataclasses import dataclass, field

import pytest

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players import talk
from bot.practice.players.talk import LINES, TableTalk, Topic
from bot.practice.servers import Channel
from bot.practice.stand_in import StandIn


@dataclass
class Corner:
    """A channel with a human, a practice player, and their talk."""

    stand_in: StandIn = field(default_factory=StandIn)
    channel: Channel = field(init=False)
    human: Person = field(init=False)
    beng: Person = field(init=False)

    def __post_init__(self) -> None:
        server = self.stand_in.add_server("Practice")
        self.channel = self.stand_in.add_channel(server, "gnau")
        self.human, self.beng = (self.stand_in.add_person(name, [server]) for name in ("You", "Beng"))
        self.talk = TableTalk(self.channel, [self.beng], [self.human], chance=random.Random(1))

    async def settle(self, number: int, human: str, beng: str, headline: str = "") -> list[str]:
        """Shows a result twice, as an edit does; returns what was said after it."""
        before = len(self.human.sees(self.channel))
        gains = f"`1` <@{self.human.id}> Ox of 7 **{human}**\n`2` <@{self.beng.id}> Ox of 1 **{beng}**"
        world = self.stand_in.world
        board = Message(world.new_id(), self.channel, world.bot, world.now())
        board.components = [{"type": 10, "content": f"{headline}\n{gains}\n-# 🧾 {number} · RECEIPT"}]
        for _ in range(2):
            self.talk.on_change(Change("message_updated", message=board))
        for _ in range(5):
            await asyncio.sleep(0)
        return [one.text for one in self.human.sees(self.channel)[before:]]


@pytest.fixture
def corner(monkeypatch: pytest.MonkeyPatch) -> Corner:
    monkeypatch.setattr(talk, "PAUSE", (0, 0))
    return Corner()


def lines_of(language: str, *topics: Topic) -> set[str]:
    return {line.format(who="You") for topic in topics for line in LINES[language][topic]}


async def test_some_rounds_are_talked_about_once_each_and_all_lines_come_before_one_comes_again(
    corner: Corner,
) -> None:
    said = [line for number in range(1, 61) for line in await corner.settle(number, "+5", "−5")]
    topics = (Topic.HUMAN_WON, Topic.LOST)
    assert set(said) == lines_of("en", *topics)
    assert 10 < len(said) < 40, "not after every round"
    for topic in topics:
        told = [line for line in said if line in lines_of("en", topic)]
        first = told[: len(LINES["en"][topic])]
        assert len(set(first)) == len(first)


async def test_a_great_hand_is_always_talked_about_in_the_readers_language(corner: Corner) -> None:
    for number, (locale, language) in enumerate(
        {"en-GB": "en", "de": "de", "zh-TW": "zh-TW", "ja": "ja", "fr": "en"}.items(), 1
    ):
        corner.human.user.locale = locale
        (line,) = await corner.settle(number, "−5", "+5", "## 🔥 FIVE DUKES")
        assert line in lines_of(language, Topic.GREAT)


async def test_who_may_not_write_says_nothing(corner: Corner) -> None:
    assert corner.channel.server is not None
    corner.stand_in.world.leave(corner.channel.server, corner.beng.user)
    assert await corner.settle(1, "−5", "+5", "## 🔥 FIVE DUKES") == []


def test_every_language_has_lines_for_every_topic() -> None:
    for language, topics in LINES.items():
        assert set(topics) == set(Topic), language
        assert all(len(lines) >= 3 for lines in topics.values())
