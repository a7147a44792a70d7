"""What practice players say at the table: a little after some rounds, in the language of the page."""

import asyncio
import random
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final

from bot.practice.changes import Change
from bot.practice.component_tree import texts
from bot.practice.person import Person
from bot.practice.players.board_reader import MENTION, result_of
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Channel

CHANCE: Final = 0.35
"""How often somebody says something after a round; after a remarkable one, somebody always does."""
PAUSE: Final = (1.5, 4.0)
"""How long they take to type, in seconds."""
_SIGN: Final = re.compile(r"\*\*([+−])")


class Topic(StrEnum):
    """What somebody says something about."""

    GREAT = "great"
    """A round that the board celebrates."""
    HUMAN_WON = "human_won"
    HUMAN_LOST = "human_lost"
    WON = "won"
    """The speaker won."""
    LOST = "lost"


LINES: Final[Mapping[str, Mapping[Topic, Sequence[str]]]] = {
    "en": {
        Topic.GREAT: (
            "Wah! Did you see that?",
            "Take a picture, quick.",
            "I need to sit down.",
            "Unbelievable!",
        ),
        Topic.HUMAN_WON: ("Nice one, {who}!", "{who}, leave some for us.", "Beginner's luck, {who}?"),
        Topic.HUMAN_LOST: ("Next time, {who}.", "{who}, the cards owe you one.", "Ouch, {who}. One more?"),
        Topic.WON: ("Told you I felt lucky.", "That's the coffee paid for.", "Easy!", "Again, again!"),
        Topic.LOST: ("Aiyo.", "I had a feeling…", "Who shuffled this?", "I'll get it back."),
    },
    "de": {
        Topic.GREAT: ("Habt ihr das gesehen?", "Schnell, ein Bild!", "Unglaublich!", "Ich muss mich setzen."),
        Topic.HUMAN_WON: ("Stark, {who}!", "{who}, lass uns auch was übrig.", "Anfängerglück, {who}?"),
        Topic.HUMAN_LOST: ("Nächstes Mal, {who}.", "Autsch, {who}. Noch eine?", "Kopf hoch, {who}."),
        Topic.WON: ("Ich hab’s im Gefühl gehabt.", "Das zahlt den Kaffee.", "Gleich noch mal!"),
        Topic.LOST: ("Au weia.", "Wer hat denn da gemischt?", "Das hol ich mir zurück."),
    },
    "ja": {
        Topic.GREAT: ("すごい！", "今の見た？", "写真撮っておけばよかった。", "信じられない！"),
        Topic.HUMAN_WON: ("{who}、お見事！", "{who}、こっちにも残しておいて。", "{who}、ツイてるね。"),
        Topic.HUMAN_LOST: ("{who}、次があるよ。", "{who}、惜しい！", "{who}、もう一回いこう。"),
        Topic.WON: ("やった！", "今日は調子がいい。", "コーヒー代、いただき。"),
        Topic.LOST: ("あちゃー。", "誰が切ったの、これ。", "次で取り返す。"),
    },
    "zh-CN": {
        Topic.GREAT: ("哇，看到没？", "快截图！", "不敢相信！", "这手牌太大了！"),
        Topic.HUMAN_WON: ("{who}，厉害！", "{who}，给我们留点。", "{who}，手气不错啊。"),
        Topic.HUMAN_LOST: ("{who}，下一局再来。", "{who}，可惜了。", "{who}，别灰心。"),
        Topic.WON: ("我就说今天手气好。", "咖啡钱有了。", "再来，再来！"),
        Topic.LOST: ("哎呀。", "这牌谁洗的？", "下局赢回来。"),
    },
    "zh-TW": {
        Topic.GREAT: ("哇，看到沒？", "快截圖！", "不敢相信！", "這手牌太大了！"),
        Topic.HUMAN_WON: ("{who}，厲害！", "{who}，留一點給我們。", "{who}，手氣不錯喔。"),
        Topic.HUMAN_LOST: ("{who}，下一局再來。", "{who}，可惜了。", "{who}，別灰心。"),
        Topic.WON: ("我就說今天手氣好。", "咖啡錢有了。", "再來，再來！"),
        Topic.LOST: ("唉呀。", "這牌誰洗的？", "下局贏回來。"),
    },
}
"""What they may say, by language and topic; `{who}` is a human."""


class TableTalk:
    """Lets the practice players of a channel talk about its rounds; a line comes again after all others."""

    def __init__(
        self,
        channel: Channel,
        players: Sequence[Person],
        humans: Sequence[Person],
        *,
        chance: random.Random | None = None,
    ) -> None:
        self._channel = channel
        self._players = {one.id: one for one in players}
        self._humans = {one.id: one for one in humans}
        self._chance = chance or random.Random()
        self._told: tuple[int, tuple[str, ...]] | None = None
        self._left: dict[tuple[str, Topic], list[str]] = {}
        self._typing: set[asyncio.Task[None]] = set()

    def on_change(self, change: Change) -> None:
        """Has somebody talk about a result that a change shows; a listener for `world.on_change`."""
        message = change.message
        if message is None or message.channel is not self._channel or message.ephemeral or message.deleted:
            return
        result = result_of(message)
        if result is None or not result[1] or (result[0], tuple(result[1])) == self._told:
            return
        is_new = self._told is None or result[0] != self._told[0]
        self._told = result[0], tuple(result[1])
        lines = chain.from_iterable(text.splitlines() for text in texts(message.components))
        is_great = any(line.startswith("## ") for line in lines)
        if is_new and (is_great or self._chance.random() < CHANCE):
            self._talk(result[1], is_great=is_great)

    async def close(self) -> None:
        """Lets nobody finish typing."""
        for task in self._typing:
            task.cancel()
        await asyncio.gather(*self._typing, return_exceptions=True)

    def _talk(self, result: Sequence[str], *, is_great: bool) -> None:
        gains = {
            int(found[1]): sign[1]
            for line in result
            if (found := MENTION.search(line)) is not None and (sign := _SIGN.search(line)) is not None
        }
        there = [party for party in gains if party in self._players]
        if not there:
            return
        speaker = self._chance.choice(there)
        human = next((self._humans[party] for party in gains if party in self._humans), None)
        if is_great:
            topic = Topic.GREAT
        elif human is not None and self._chance.random() < 0.5:
            topic = Topic.HUMAN_WON if gains[human.id] == "+" else Topic.HUMAN_LOST
        else:
            topic = Topic.WON if gains[speaker] == "+" else Topic.LOST
        who = "" if human is None else human.name
        typing = asyncio.ensure_future(self._say(self._players[speaker], self._line(topic).format(who=who)))
        self._typing.add(typing)
        typing.add_done_callback(self._typing.discard)

    def _line(self, topic: Topic) -> str:
        """A line that was not said lately, in the language of the first human."""
        locale = next(iter(self._humans.values())).user.locale if self._humans else "en"
        language = locale if locale in LINES else locale.partition("-")[0]
        lines = LINES.get(language, LINES["en"])[topic]
        left = self._left.setdefault((language, topic), [])
        if not left:
            left += self._chance.sample(lines, len(lines))
        return left.pop()

    async def _say(self, speaker: Person, line: str) -> None:
        await asyncio.sleep(self._chance.uniform(*PAUSE))
        try:
            await speaker.write(self._channel, line)
        except NotPossibleError:
            # The channel was locked or deleted.
            return
