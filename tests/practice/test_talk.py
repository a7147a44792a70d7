"""What practice players say after rounds: about what happened, in the page's language, hardly ever twice."""

import asyncio
import random
import re
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players import talk
from bot.practice.players.strategy import TEMPERAMENTS
from bot.practice.players.talk import ANYBODY, REMEMBERED, TableTalk, TalkMemory, Topic
from bot.practice.servers import Channel
from bot.practice.stand_in import StandIn
from bot.ui.board.results import RUN_OVER_SIGN
from bot.words.po_files import closest_locale, locales
from bot.words.talk import table_talk
from bot.words.translation import Reader, speaking_to, translate

LINES = table_talk()


@dataclass
class Corner:
    """A channel with a human, three practice players of each temperament, and their talk."""

    stand_in: StandIn = field(default_factory=StandIn)
    channel: Channel = field(init=False)
    human: Person = field(init=False)
    players: list[Person] = field(init=False)
    memory: TalkMemory = field(default_factory=TalkMemory)

    def __post_init__(self) -> None:
        server = self.stand_in.add_server("Practice")
        self.channel = self.stand_in.add_channel(server, "gnau")
        people = [self.stand_in.add_person(name, [server]) for name in ("You", "Beng", "Siti", "Kumar")]
        self.human, *self.players = people
        self.talk = self.talk_of(*self.players)

    def talk_of(self, *players: Person) -> TableTalk:
        """The talk of these players."""
        return TableTalk(self.channel, players, [self.human], LINES, self.memory, chance=random.Random(1))

    async def settle(
        self, number: int, signs: str, *, human: str = "`1`", chips: str = "5", more: str = ""
    ) -> list[str]:
        """Shows a result twice, as an edit does; returns what was said after it.

        Args:
            signs: what the round brought the human, then the players, a sign each.
            human: where the human sat.
            chips: how many it brought or cost each of them.
            more: other lines of the board.
        """
        before = len(self.human.sees(self.channel))
        seats, everybody = (human, "`2`", "`3`", "`4`"), (self.human, *self.players)
        lines = [
            f"{seat} <@{one.id}> Ox of 7 **{sign}{chips}**"
            for seat, one, sign in zip(seats, everybody, signs, strict=True)
        ]
        world = self.stand_in.world
        board = Message(world.new_id(), self.channel, world.bot, world.now())
        content = "\n".join((more, *lines, f"-# 🧾 receipt {number} RECEIPT"))
        board.components = [{"type": 10, "content": content}]
        for _ in range(2):
            self.talk.on_change(Change("message_updated", message=board))
        for _ in range(5):
            await asyncio.sleep(0)
        return [one.text for one in self.human.sees(self.channel)[before:]]


def template(said: str) -> str:
    """A line as it stands in its file."""
    return re.sub(r"<@\d+>", "{who}", said).replace("/daily", "{daily}")


@pytest.fixture
def corner(monkeypatch: pytest.MonkeyPatch) -> Corner:
    monkeypatch.setattr(talk, "PAUSE", (0, 0))
    return Corner()


@pytest.mark.parametrize("language", sorted(LINES))
async def test_no_line_comes_again_soon_and_most_rounds_are_quiet(corner: Corner, language: str) -> None:
    with speaking_to(Reader(language)):
        title = translate("table.round", round=7)
    corner.human.user.locale = "en-GB" if language in ("en", "ms") else language
    rounds, said = random.Random(2), list[str]()
    for number in range(1, 151):
        great = f"\n## 🔥\n<@{corner.players[0].id}> **+5**" if rounds.random() < 0.03 else ""
        told = await corner.settle(
            number,
            "".join(rounds.choices("+−", k=4)),
            human="👑" if rounds.random() < 0.2 else "`1`",
            more=f"### {title}{great}",
        )
        assert len(told) <= 1
        said += map(template, told)
    assert 30 < len(said) < 75
    assert not [line for at, line in enumerate(said) if line in said[max(0, at - REMEMBERED) : at]]
    assert set(said) <= {
        line for whose in LINES[language].values() for lines in whose.values() for line in lines
    }


@pytest.mark.parametrize("language", sorted(LINES))
async def test_somebody_always_talks_about_what_is_rare(corner: Corner, language: str) -> None:
    corner.human.user.locale = "en-GB" if language == "ms" else language
    with speaking_to(Reader(language)):
        title = translate("table.round", round=7)
        great = translate("celebrate.great_hand", hand="X", times=1)
        broken = translate("celebrate.bank_broken", hand="", times=1)
        rival = translate("celebrate.rival", who="<@1>", banker="<@2>", times=4)
        nerve = translate("celebrate.all_in_weak", hand="X", times=1)
        run_over = translate("celebrate.run_ended", by="<@1>", who=f"<@{corner.human.id}>", times=7)
    for number, (signs, more, topic) in enumerate(
        [
            ("−+++", f"## {great}\n<@1> **+5**", Topic.GREAT),
            ("−+++", f"## {broken}\n<@1> **−900**", Topic.BANK_BROKEN),
            ("−+++", f"-# {rival}", Topic.RIVAL),
            ("−+++", f"## {nerve}\n<@1> **1 → 2**", Topic.NERVE),
            ("−+++", f"-# {RUN_OVER_SIGN} {run_over}", Topic.RUN_OVER),
            ("+−−−", "", Topic.FIRST_WIN),
            ("−+++", "", Topic.HUMAN_LOST),
        ],
        start=1,
    ):
        # What the human lost last is more than ever.
        (line,) = await corner.settle(number, signs, chips=f"{number},000", more=f"### {title}\n{more}")
        assert template(line) in LINES[language][ANYBODY][topic]


@pytest.mark.parametrize("language", sorted(LINES))
async def test_a_human_who_bets_all_that_they_have_hears_of_it_once(corner: Corner, language: str) -> None:
    corner.human.user.locale = "en-GB" if language == "ms" else language
    with speaking_to(Reader(language)):
        title, mark = translate("table.round", round=7), translate("board.all_in")
    beng, world = corner.players[0], corner.stand_in.world
    board = Message(world.new_id(), corner.channel, world.bot, world.now())
    all_in = f"🪙 **9** {mark}"
    for who, told, is_told in (
        (beng, f"· {all_in}", False),
        (corner.human, "· 🪙 **9** · ✓", False),
        (corner.human, f"· {all_in}", True),
        (corner.human, f"· {all_in} · ✓", False),
        (corner.human, "🔥 **−5** | 🪙 **9**", False),
        (corner.human, "🔥 Ox of 1 **−5** 🔥 **9**", True),
    ):
        before = len(corner.human.sees(corner.channel))
        press = {"type": 2, "style": 2, "label": "1", "custom_id": "gnau:T:7:bet:1"}
        content = f"### {title}\n`1` <@{who.id}> {told}"
        board.components = [{"type": 10, "content": content}, {"type": 1, "components": [press]}]
        corner.talk.on_change(Change("message_updated", message=board))
        for _ in range(5):
            await asyncio.sleep(0)
        said = [template(one.text) for one in corner.human.sees(corner.channel)[before:]]
        assert len(said) == is_told
        assert set(said) <= set(LINES[language][ANYBODY][Topic.ALL_IN])


async def test_of_a_streak_that_ends_they_talk_to_whose_it_was(corner: Corner) -> None:
    (beng, siti, _) = corner.players
    said = await corner.settle(
        1, "−+++", more=f"-# {RUN_OVER_SIGN} <@{beng.id}> ends <@{siti.id}>'s run of 7"
    )
    assert f"<@{beng.id}>" not in said[0]
    assert corner.human.sees(corner.channel)[-1].author is not siti.user


async def test_a_tie_is_neither_won_nor_lost(corner: Corner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "CHANCE", 1)
    lines = LINES["en"][ANYBODY][Topic.HUMAN_TIED]
    rounds = range(1, len(lines) + 1)
    said = [line for number in rounds for line in await corner.settle(number, "±±±±", chips="0")]
    assert sorted(map(template, said)) == sorted(lines)


async def test_a_first_win_is_told_once_in_whatever_channel(corner: Corner) -> None:
    (line,) = await corner.settle(1, "+−−−")
    assert template(line) in LINES["en"][ANYBODY][Topic.FIRST_WIN]
    # The players of another channel.
    corner.talk = corner.talk_of(*corner.players)
    assert not set(map(template, await corner.settle(1, "+−−−"))) & set(LINES["en"][ANYBODY][Topic.FIRST_WIN])


async def test_nobody_talks_of_themselves_twice_running(
    corner: Corner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "CHANCE", 1)
    for number in range(1, 41):
        await corner.settle(number, "+−++")
    for before, after in pairwise(corner.human.sees(corner.channel)):
        assert before.author is not after.author or "<@" in after.text


async def test_who_has_lost_everything_is_told_of_new_chips_once(
    corner: Corner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "can_bet_no_more", lambda who, board: True)
    said = [map(template, await corner.settle(number, "−+−+")) for number in range(1, 31)]
    told = [number for number, lines in enumerate(said, 1) for line in lines if "{daily}" in line]
    assert told == [1]


async def test_somebody_answers_a_human_who_writes_and_no_player(corner: Corner) -> None:
    corner.stand_in.world.on_change(corner.talk.on_change)
    await corner.human.write(corner.channel, "hello")
    for _ in range(5):
        await asyncio.sleep(0)
    _, answer = corner.human.sees(corner.channel)
    assert answer.author is not corner.human.user
    assert template(answer.text) in LINES["en"][ANYBODY][Topic.HUMAN_TALKS]


async def test_nobody_praises_themselves(corner: Corner) -> None:
    corner.talk = corner.talk_of(*corner.players[:1])
    assert await corner.settle(1, "−+++", more=f"## 🔥 X\n<@{corner.players[0].id}> **+5**") == []


@pytest.mark.parametrize("who", ["player", "human"])
async def test_an_all_in_that_is_lost_is_not_praised(corner: Corner, who: str) -> None:
    loser = corner.human if who == "human" else corner.players[1]
    (line,) = await corner.settle(1, "−+−+", more=f"## 💔 X\n<@{loser.id}> **−5**")
    assert template(line) in LINES["en"][ANYBODY][Topic.HUMAN_LOST]


async def test_who_may_not_write_says_nothing(corner: Corner) -> None:
    assert corner.channel.server is not None
    for player in corner.players:
        corner.stand_in.world.leave(corner.channel.server, player.user)
    assert await corner.settle(1, "−+++", more="## 🔥 FIVE DUKES\n<@1> **+5**") == []


def test_every_language_has_lines_for_everybody_about_everything() -> None:
    assert {closest_locale(language) for language in LINES} == set(locales())
    for language, whose in LINES.items():
        assert set(whose) - {"board"} == {ANYBODY, *(one.name for one in TEMPERAMENTS)}, language
        assert set(whose[ANYBODY]) == set(Topic)
        lines = [line for topics in whose.values() for of_topic in topics.values() for line in of_topic]
        assert len(set(lines)) == len(lines)
        for line in lines:
            line.format(who="", daily="")
            assert len(line) < 70, line
            assert "\n" not in line
        assert all("{daily}" in line for line in whose[ANYBODY][Topic.HUMAN_BROKE])
