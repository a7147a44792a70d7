"""What practice players say at the table: a little after some rounds, in the language of the page."""

import asyncio
import random
import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.practice.changes import Change
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import ALL_IN, MENTION, can_bet_no_more, read_board, result_of
from bot.practice.players.entrants import enter_button
from bot.practice.players.strategy import Temperament, temperament_of
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel

CHANCE: Final = 0.35
"""How often somebody says something after a round; after a remarkable one, somebody always does."""
PAUSE: Final = (1.5, 4.0)
"""How long they take to type, in seconds."""
REMEMBERED: Final = 50
"""A line does not come again within this many lines, about as many as forty rounds bring."""
BIG: Final = 100
"""From how many chips on a human's biggest win or loss so far is remarkable."""
_GAIN: Final = re.compile(r"\*\*[^*+−]*([+−±])([^*]*)\*\*")
_HEADLINE: Final = re.compile(r"^## (?P<mark>.).*\n(?P<who>.*)$", re.MULTILINE)
_BANKER: Final = re.compile(r"👑 <@(\d+)>")

Lines = Mapping[str, Mapping[str, Sequence[str]]]
"""Lines of one language, by whose they are (`ANYBODY`, or a temperament's name) and by topic."""
ANYBODY: Final = "anybody"


class Topic(StrEnum):
    """What somebody says something about."""

    HUMAN_BROKE = "human_broke"
    """A human lost, and can bet no more."""
    BANK_BROKEN = "bank_broken"
    GREAT = "great"
    """Anything else that the board celebrates."""
    FIRST_WIN = "first_win"
    """A human won for the first time."""
    RIVAL = "rival"
    """Somebody has beaten the same banker again and again."""
    HUMAN_BANK = "human_bank"
    """The speaker lost to a human's bank."""
    RUN_OVER = "run_over"
    """Somebody's long streak has ended."""
    NERVE = "nerve"
    """Somebody bet all that they had on a weak hand, and won."""
    ALL_IN = "all_in"
    """A human has bet all that they have, and the hand is not dealt or not revealed yet."""
    HUMAN_TIED = "human_tied"
    HUMAN_WON = "human_won"
    HUMAN_LOST = "human_lost"
    TOURNAMENT = "tournament"
    """A tournament opened."""
    HUMAN_TALKS = "human_talks"
    """A human wrote something."""
    WON = "won"
    """The speaker won."""
    LOST = "lost"


_MARKED: Final = {"💥": Topic.BANK_BROKEN, "💔": Topic.HUMAN_LOST, "😱": Topic.NERVE}
"""What a headline is about, by its mark; any other is great. A player is consoled as a human is."""
_TOLD: Final = {"-# 🛑": Topic.RUN_OVER, "-# ⚔️": Topic.RIVAL}
"""What a line of the board tells, by how it begins."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody could say something about: the topic, who did it, and who might speak of it."""

    topic: Topic
    about: int | None
    speakers: Sequence[int]


@dataclass(frozen=True, slots=True)
class TalkMemory:
    """What practice players remember: the last lines, and the humans who have won a round."""

    said: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    have_won: set[int] = field(default_factory=set)


class TableTalk:
    """Lets the players of a channel talk about its rounds, each as their temperament is, by their place.

    Args:
        lines: what they may say, by language. `{who}` is whom it is about, `{daily}` the command for chips.
        memory: what all who talk remember together, in whatever channel.
    """

    def __init__(
        self,
        channel: Channel,
        players: Sequence[Person],
        humans: Sequence[Person],
        lines: Mapping[str, Lines],
        memory: TalkMemory,
        *,
        chance: random.Random | None = None,
    ) -> None:
        self._channel = channel
        self._players = {one.id: (one, temperament_of(at)) for at, one in enumerate(players)}
        self._humans = {one.id: one for one in humans}
        self._lines = lines
        self._memory = memory
        self._chance = chance or random.Random()
        self._told: int | None = None
        self._language = ""
        self._last_speaker: int | None = None
        # The most chips that a round brought or cost each human, from `BIG` on.
        self._biggest: dict[int, int] = {}
        self._broke: set[int] = set()
        self._all_in: set[int] = set()
        self._typing: set[asyncio.Task[None]] = set()

    def on_change(self, change: Change) -> None:
        """Has somebody talk about a result or answer a human; a listener for `world.on_change`."""
        message = change.message
        if message is None or message.channel is not self._channel or message.ephemeral or message.deleted:
            return
        result, author, all_in = result_of(message), message.author.id, self._newly_all_in(message)
        if change.kind == "message_created" and author in self._humans:
            said = self._speak([Remark(Topic.HUMAN_TALKS, author, list(self._players))])
        elif change.kind == "message_created" and enter_button(message) is not None:
            said = self._speak([Remark(Topic.TOURNAMENT, None, list(self._players))])
        elif result is not None and result[1] and result[0] != self._told:
            self._told = result[0]
            said = self._talk(message, message.text, result[1])
        elif all_in:
            said = self._dare(message, all_in)
        else:
            return
        typing = asyncio.ensure_future(said)
        self._typing.add(typing)
        typing.add_done_callback(self._typing.discard)

    def _newly_all_in(self, message: Message) -> set[int]:
        """The humans who have just bet all that they have, if the message is a board."""
        board = read_board(message)
        if board is None:
            return set()
        marked = (line for line in message.text.splitlines() if ALL_IN.search(line))
        found = {int(one[1]) for line in marked if (one := MENTION.search(line)) is not None}
        before, self._all_in = self._all_in, found & self._humans.keys()
        return self._all_in - before

    async def close(self) -> None:
        """Lets nobody finish typing."""
        for task in self._typing:
            task.cancel()
        await asyncio.gather(*self._typing, return_exceptions=True)

    async def _talk(self, board: Message, text: str, result: Sequence[str]) -> None:
        """Has one of them say something about a result, if there is something to say."""
        gains = {
            int(found[1]): _chips(gain)
            for line in result
            if (found := MENTION.search(line)) is not None and (gain := _GAIN.search(line)) is not None
        }
        self._language = self._language_of(text)
        remarks = list(self._remarkable(text, result, gains))
        await asyncio.sleep(PAUSE[0])
        # Only now: a human's own message tells after the board what they have left.
        remarks = [*self._broke_now(board, gains), *remarks]
        if not remarks and self._chance.random() < CHANCE:
            remarks = list(self._ordinary(result, gains))
            self._chance.shuffle(remarks)
        await self._speak(remarks)

    async def _dare(self, board: Message, humans: Collection[int]) -> None:
        """Has one of them say something about a human's bet of all that they have."""
        self._language = self._language_of(board.text)
        await asyncio.sleep(PAUSE[0])
        await self._speak([Remark(Topic.ALL_IN, human, list(self._players)) for human in humans])

    async def _speak(self, remarks: Sequence[Remark]) -> None:
        """Has one of them make the first remark that they have a line for."""
        await asyncio.sleep(self._chance.uniform(*PAUSE) - PAUSE[0])
        for remark in remarks:
            speakers = self._chance.sample(remark.speakers, len(remark.speakers))
            # Who spoke last leaves it to another.
            for speaker in sorted(speakers, key=lambda one: one == self._last_speaker):
                person, temperament = self._players[speaker]
                if line := self._line(remark, temperament):
                    self._last_speaker = speaker
                    await self._say(person, line, remark.about)
                    return

    def _broke_now(self, board: Message, gains: Mapping[int, int]) -> Iterator[Remark]:
        for human in (self._humans[party] for party in gains if party in self._humans):
            is_broke = gains[human.id] < 0 and can_bet_no_more(human, board)
            if is_broke and human.id not in self._broke:
                yield Remark(Topic.HUMAN_BROKE, human.id, self._there(gains))
            (self._broke.add if is_broke else self._broke.discard)(human.id)

    def _remarkable(self, text: str, result: Sequence[str], gains: Mapping[int, int]) -> Iterator[Remark]:
        """What somebody always talks about, the most remarkable first."""
        if (head := _HEADLINE.search(text)) is not None:
            found = MENTION.search(head["who"])
            about = None if found is None else int(found[1])
            yield Remark(_MARKED.get(head["mark"], Topic.GREAT), about, self._there(gains, but=about))
        for party in gains:
            if party in self._humans and gains[party] > 0 and party not in self._memory.have_won:
                self._memory.have_won.add(party)
                yield Remark(Topic.FIRST_WIN, party, self._there(gains))
        for line in text.splitlines():
            topic = next((topic for begins, topic in _TOLD.items() if line.startswith(begins)), None)
            if topic is not None and (mentioned := MENTION.findall(line)):
                # Who ends a streak is named before whose it was.
                about = int(mentioned[-1 if topic is Topic.RUN_OVER else 0])
                yield Remark(topic, about, self._there(gains, but=about))
        for human, remark in self._of_humans(result, gains):
            if abs(gains[human]) > self._biggest.get(human, BIG - 1):
                self._biggest[human] = abs(gains[human])
                yield remark

    def _ordinary(self, result: Sequence[str], gains: Mapping[int, int]) -> Iterator[Remark]:
        yield from (remark for _, remark in self._of_humans(result, gains))
        # Of themselves, nobody talks twice running.
        there = self._there(gains, but=self._last_speaker)
        yield Remark(Topic.LOST, None, [party for party in there if gains[party] < 0])
        yield Remark(Topic.WON, None, [party for party in there if gains[party] > 0])

    def _of_humans(self, result: Sequence[str], gains: Mapping[int, int]) -> Iterator[tuple[int, Remark]]:
        """What could be said of what the round brought each human."""
        there = self._there(gains)
        bankers = [int(found[1]) for line in result if (found := _BANKER.match(line)) is not None]
        for party in filter(self._humans.get, gains):
            if party not in bankers:
                lost_or_tied = Topic.HUMAN_LOST if gains[party] else Topic.HUMAN_TIED
                yield party, Remark(Topic.HUMAN_WON if gains[party] > 0 else lost_or_tied, party, there)
            elif gains[party] > 0:
                yield party, Remark(Topic.HUMAN_BANK, party, [one for one in there if gains[one] < 0])

    def _there(self, gains: Mapping[int, int], *, but: int | None = None) -> list[int]:
        """The practice players in a round."""
        return [party for party in gains if party in self._players and party != but]

    def _line(self, remark: Remark, temperament: Temperament) -> str:
        """A line that nobody said lately; empty if they have none."""
        lines = self._lines[self._language or self._language_of("")]
        of_all = [
            line
            for whose in (ANYBODY, temperament.name)
            for line in lines[whose].get(remark.topic, ())
            if line not in self._memory.said and ("{who}" not in line or remark.about is not None)
        ]
        if not of_all:
            return ""
        line = self._chance.choice(of_all)
        self._memory.said.append(line)
        return line

    def _language_of(self, board_text: str) -> str:
        """The language of the first human; of the board, if it is one that Discord does not know."""
        for language, lines in self._lines.items():
            if any(word in board_text for word in lines.get("board", {}).get("words", ())):
                return language
        locale = next(iter(self._humans.values())).user.locale if self._humans else "en"
        return next((one for one in (locale, locale.partition("-")[0]) if one in self._lines), "en")

    async def _say(self, speaker: Person, line: str, about: int | None) -> None:
        commands = speaker.world.commands.items()
        daily = next((f"</daily:{number}>" for number, one in commands if one["name"] == "daily"), "/daily")
        # The channel may have been locked or deleted.
        with suppress(NotPossibleError):
            await speaker.write(self._channel, line.format(who=f"<@{about}>", daily=daily))


def _chips(gain: re.Match[str]) -> int:
    """What a round brought somebody, however a language writes it."""
    chips = int(re.sub(r"\D", "", gain[2]) or 0)
    return chips if gain[1] == "+" else -chips
