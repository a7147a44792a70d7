"""Takes the pictures of `docs/listing` from the practice page: `python -m scripts.listing_pictures de ja`.

Without a language it takes those of all. Members play in each language until one of them wins a great hand.
Then boards, panels and answers are laid side by side, each as wide as on a phone.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageOps
from playwright.async_api import Page

from bot.games.register import GAMES
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.page.mount import mount_page
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.table.story import GREAT_MULTIPLE
from bot.ui.board.message import THUMB_SECONDS
from tests.e2e.evening import Evening
from tests.e2e.phone import page_beside
from tests.stand_in import StandIn

FOLDER: Final = Path(__file__).parents[1] / "docs" / "listing"
LANGUAGES: Final = ("en", "zh-cn", "zh-tw", "ms", "de", "ja")
"""As `/language` names them; so are the folders named."""
NAMES: Final = {
    "en": ("Mei", "Alex", "Siti", "Sam"),
    "zh-cn": ("小美", "志强", "丽丽", "阿明"),
    "zh-tw": ("小美", "志豪", "怡君", "阿明"),
    "ms": ("Mei", "Aiman", "Siti", "Kumar"),
    "de": ("Lena", "Jonas", "Mia", "Felix"),
    "ja": ("さくら", "蓮", "陽菜", "健太"),
}
"""The banker and three players."""
SIZE: Final = (1920, 1080)
"""16 : 9, as Discord shows pictures of an application."""
SCALE: Final = 1.6
"""How many pixels of a picture are one of the page, unless a message would be too high."""
PHONE: Final = 390
MARGIN: Final = 32
"""The pixels around a message, and the least between two."""
FELT: Final = (22, 58, 46)


@dataclass
class Studio:
    """An evening in one language, and a page that shows what one of its people sees."""

    evening: Evening
    people: list[Person]
    page: Page

    async def press(self, person: Person, message: Message, action: str) -> Message:
        """Presses the button that does this, or chooses it; returns the reply, or else the same message."""
        pattern = re.compile(rf"(.*:)?{action}$")
        await self.evening.until(lambda: pressable(message, pattern), f"one can press {action}")
        found = pressable(message, pattern)
        assert found is not None
        where, what = found
        if where is None:
            reply = await person.click(message, what)
        else:
            reply = await person.choose(message, where, what)
        if reply.modal is not None:
            reply = await person.submit(reply.modal, lowest="5", highest="100")
        assert reply.kind != "failed", reply
        return reply.message or message

    async def open(self, channel: Channel, game: str) -> Message:
        """The board of a new table where the first of the people banks, if the game lets them."""
        banker, *others = self.people
        board = await self.evening.open_table(banker, channel, game=game)
        rolls = GAMES[game].rolls_for_bank
        if not rolls:
            await self.press(banker, board, "bank")
        for person in self.people if rolls else others:
            await self.press(person, board, "join")
        if rolls:
            await self.press(banker, board, "roll")
        return board

    async def play(self, channel: Channel, board: Message) -> Person | None:
        """Plays a round; returns a player who won it with a great hand, if there is one."""
        evening = self.evening
        number = evening.table(channel).round_number
        bank = evening.table(channel).bank
        assert bank is not None
        # A bet as soon as a round is over may be meant for a button of that round, and does not count.
        await evening.settle_down()
        await asyncio.sleep(2 * THUMB_SECONDS)
        for person in self.people:
            if evening.party(person) != bank.party:
                await person.click(board, "20")
        for person in self.people:
            await self.press(person, board, "reveal")
        await evening.until(lambda: evening.table(channel).round_number > number, "the round is over")
        last = evening.table(channel).last
        assert last is not None
        great = (one.party for one in last.players if one.chips >= GREAT_MULTIPLE * one.stake)
        return next(map(evening.person_of, great), None)

    async def picture(self, person: Person, message: Message) -> Image.Image:
        """A message as the page shows it to a person."""
        await self.evening.settle_down()
        # A tab has no private replies from before it was opened, so it stays open; its sidebars are hidden.
        for choice in (f"[data-person-choice='{person.name}']", f"[data-channel-id='{message.channel.id}']"):
            await self.page.locator(choice).dispatch_event("click")
        shown = self.page.locator(f"[data-message-id='{message.id}'] .body")
        await shown.wait_for()
        await self.page.wait_for_function("() => [...document.images].every(image => image.complete)")
        await self.page.wait_for_timeout(300)
        # What the page itself says is in English.
        hidden = (
            ".edited { display: none } .message > :not(.body), .origin * { visibility: hidden !important }"
        )
        return Image.open(BytesIO(await shown.screenshot(style=hidden)))


def pressable(message: Message, pattern: "re.Pattern[str]") -> tuple[str | None, str] | None:
    """The menu and the value, or no menu and the button, that do this; None if nothing does."""
    for button in message.buttons():
        if pattern.match(button.custom_id or "") and not button.disabled:
            return None, button.custom_id or ""
    for menu in message.selects():
        for option in menu.options:
            if pattern.match(option.value):
                return menu.custom_id, option.value
    return None


@asynccontextmanager
async def studio(language: str, database: Path) -> AsyncIterator[Studio]:
    """Where everybody, and the server, has this language."""
    stand_in = StandIn(limits=Limits(reply_seconds=8.0))
    evening = Evening(stand_in, database)
    # Nobody runs out of them until somebody wins a great hand.
    evening.chip_settings = {"language": language, "opening_chips": 5000}
    evening.channel.name = "gnau"
    people = [evening.person(name, manage_server=True) for name in NAMES[language]]
    mount_page(stand_in, people, evening.channel)
    phone = {"width": PHONE, "height": 1600}
    async with page_beside(
        evening, stand_in, viewport=phone, device_scale_factor=SCALE, locale=language
    ) as page:
        for person in people:
            await evening.told_alone(person, "language", language=language)
        await page.goto(f"{stand_in.url}/?in={evening.channel.id}")
        await page.locator("[data-composer]").wait_for()
        yield Studio(evening, people, page)


def side_by_side(messages: list[Image.Image]) -> Image.Image:
    """One picture of messages, from left to right, each on a card."""
    width, height = SIZE
    cards = [card(message) for message in messages]
    share = min(1, (height - 2 * MARGIN) / max(one.height for one in cards))
    if share < 1:
        cards = [ImageOps.scale(one, share, Image.Resampling.LANCZOS) for one in cards]
    gap = (width - sum(one.width for one in cards)) // (len(cards) + 1)
    picture = Image.new("RGB", SIZE, FELT)
    left = gap
    for one in cards:
        mask = Image.new("L", one.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *one.size), MARGIN, fill=255)
        picture.paste(one, (left, (height - one.height) // 2), mask)
        left += one.width + gap
    return picture.quantize(128, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def card(message: Image.Image) -> Image.Image:
    """A message with a margin of its own ground."""
    message = message.convert("RGB")
    return ImageOps.expand(message, MARGIN, message.getpixel((0, 0)))  # type: ignore[arg-type]  # a colour


async def take(language: str) -> dict[str, list[Image.Image]]:
    """The messages of each picture in one language."""
    with tempfile.TemporaryDirectory() as data:
        async with studio(language, Path(data) / "gnau.db") as here:
            evening = here.evening
            board = await here.open(evening.channel, "gnau")
            panels = {person: await here.press(person, board, "hand") for person in here.people[1:]}
            while (winner := await here.play(evening.channel, board)) is None:
                pass
            panel = panels[winner]
            shots = [await here.picture(winner, board), await here.picture(winner, panel)]
            why = await here.press(winner, panel, "why(:.*)?")
            pictures = {"round": [*shots, await here.picture(winner, why)]}

            async def answer(command: str, **options: str) -> Image.Image:
                return await here.picture(winner, await evening.told_alone(winner, command, **options))

            pictures["trust"] = [
                await answer("learn", game="gnau"),
                await answer("house set", rule="ties", value="push", game="gnau"),
                await answer("round verify"),
            ]
            bulls, tiles = (evening.discord.add_channel(evening.server, name) for name in ("bulls", "tiles"))
            shots = []
            for channel, game in ((bulls, "niu-niu"), (tiles, "tau-ngau")):
                board = await here.open(channel, game)
                await here.play(channel, board)
                shots.append(await here.picture(winner, board))
            pictures["games"] = [*shots, await answer("rules show", game="gnau")]
    return pictures


def main() -> None:
    """Takes the pictures of the languages that are named."""
    for language in sys.argv[1:] or LANGUAGES:
        (FOLDER / language).mkdir(parents=True, exist_ok=True)
        for name, messages in asyncio.run(take(language)).items():
            side_by_side(messages).save(FOLDER / language / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
