"""One evening that brings up most of what the bot says: every game's round, every command, menu and form."""

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal
from bot.rules.knobs import Arrange, GameName
from bot.table.state import Phase
from tests.e2e.evening import Evening

NAMES: Final = ("阿美", "小明", "志强", "丽丽")
SERVER: Final = "牛友会"
_SHOWN: Final = frozenset({"content", "label", "placeholder", "description", "title", "text"})
"""Where a request has what people read."""


def texts_in(body: object, of: str = "") -> Iterator[str]:
    """What people read in the body of a request."""
    if isinstance(body, dict):
        if body.keys() >= {"name", "value"}:
            yield body["name"]
        for key, value in body.items():
            yield from texts_in(value, key)
    elif isinstance(body, list):
        for value in body:
            yield from texts_in(value, of)
    elif isinstance(body, str) and of in _SHOWN:
        yield body


def texts_sent(evening: Evening) -> Iterator[str]:
    """What the bot has sent so far, but for its commands."""
    for request in evening.discord.requests:
        if request.route is not None and "/commands" not in request.route:
            yield from texts_in(request.body)


class Evenings:
    """What people do in an evening, by what buttons do and not by what they say.

    Args:
        evening: where.
        language: what everybody chooses with `/language`, and the server; None to leave it at English.
    """

    def __init__(self, evening: Evening, language: str | None) -> None:
        self.evening = evening
        self.language = language
        evening.expect_haste()
        evening.rules = evening.rules.model_copy(update={"arrange": Arrange.ASSISTED})
        self.people = [evening.person(name, manage_server=name == NAMES[0]) for name in NAMES]

    async def begin(self) -> None:
        """Everybody chooses the language, and the first sets it for the server."""
        if self.language is not None:
            for person in self.people:
                await self.evening.told_alone(person, "language", language=self.language)
            admin = self.people[0]
            preview = await self.evening.told_alone(admin, "house set", rule="language", value=self.language)
            await self._click(admin, preview, "house:confirm:")

    async def play(self, game: GameName) -> None:
        """A round with bets, a side bet, hands by message and on the panel, and its result."""
        banker, watcher = self.people[0], self.people[-1]
        board = await self.evening.open_table(banker, game=game)
        await self._have_bank(board)
        banker, _ = self.evening.banker_and_players()
        first, second = [person for person in self.people if person not in (banker, watcher)]
        for person in (first, second):
            await self._join(person, board)
        await self._click(first, board, r"gnau:\d+:\d+:bet:")
        side_bets = await self._click(watcher, board, r"gnau:\d+:\d+:side_bets")
        await self._menu(watcher, side_bets, "back_menu", str(self.evening.party(first)))
        await self._fill(watcher, side_bets, "other_back", amount="5")
        await self._fill(second, board, "other_bet", amount="7")
        await self._deal(banker, board)
        for person in (banker, first, second):
            panel = await self._click(person, board, r"gnau:\d+:\d+:hand")
            if self._has(panel, r"gnau:\d+:\d+:why"):
                await self._click(person, panel, r"gnau:\d+:\d+:why")
            await self._arrange(person)
            await self._click(person, board, r"gnau:\d+:\d+:reveal")
        await self.evening.until(lambda: self.evening.table().last is not None, "the round is over")
        await self.evening.settle_down()
        for person in self.people:
            await self._menu(person, board, "more", "hand")

    async def ask(self, game: GameName) -> None:
        """Every command, and what its answer has to press."""
        one, admin = self.people[1], self.people[0]
        for command in ("help", "wallet", "ledger", "table list", "privacy show", "privacy export"):
            await self.evening.told_alone(one, command)
        await self.evening.told_alone(one, "seed", words="八八")
        await self.evening.told_alone(one, "round show")
        await self.evening.told_alone(one, "round verify")
        for of in ("chips", "points"):
            await one.slash(self.evening.channel, "leaderboard", of=of)
        await one.slash(self.evening.channel, "profile")
        await one.slash(self.evening.channel, "give", member=admin, amount=3, note="八")
        await self._press_all(one, await self.evening.told_alone(one, "rules show", game=game), "guide:")
        await self._learn(one, game)
        await self._look_at_house(admin, game)
        for command, options in (
            ("give", {"member": one, "amount": 5}),
            ("bet", {"amount": 999_999}),
            ("round show", {"round": 999}),
            ("privacy erase", {}),
        ):
            await self.evening.told_alone(one, command, **options)
        await self.evening.told_alone(admin, "house history")
        await self.evening.told_alone(admin, "house bankroll")
        await self._press_all(admin, await self.evening.told_alone(admin, "bank audit"), "house:audit:")
        await self.evening.told_alone(admin, "help")
        await admin.slash(self.evening.channel, "table close")

    async def _have_bank(self, board: Message) -> None:
        banker, *others = self.people
        if self._has(board, r"gnau:\d+:\d+:bank$"):
            await self._fill(banker, board, "bank", lowest="5", highest="50")
            return
        for person in (banker, *others[:2]):
            await self._join(person, board)
        await self._click(banker, board, r"gnau:\d+:\d+:roll")

    async def _join(self, person: Person, board: Message) -> None:
        server_id, table = self.evening.server.id, self.evening.table()
        if table.has(self.evening.bot.croupier.identities.known(server_id, person.id)):
            return
        if self._has(board, r"gnau:\d+:\d+:join$"):
            await self._click(person, board, r"gnau:\d+:\d+:join$")
        else:
            await self._menu(person, board, "more", "join")

    async def _deal(self, banker: Person, board: Message) -> None:
        if self.evening.table().phase is Phase.BETTING:
            panel = await self._menu(banker, board, "more", "hand")
            if self._has(panel, r"gnau:\d+:\d+:deal"):
                await self._click(banker, panel, r"gnau:\d+:\d+:deal")
        await self.evening.until(lambda: self.evening.table().phase is Phase.DEALT, "hands are dealt")

    async def _arrange(self, person: Person) -> None:
        await self.evening.have_cards(person)
        newest = self.evening.shown_hand(person)
        select = next((one for one in newest.selects() if ":arrange" in one.custom_id), None)
        if select is not None:
            await person.choose(newest, select, "0", "1", "2")
            await self._click(person, newest, r"gnau:\d+:\d+:strongest")

    async def _learn(self, person: Person, game: GameName) -> None:
        lesson = await self.evening.told_alone(person, "learn", game=game)
        for _ in range(30):
            lesson = person.sees(self.evening.channel)[-1]
            buttons = [one for one in lesson.buttons() if (one.custom_id or "").startswith("learn:")]
            if not buttons:
                return
            await person.click(lesson, buttons[0])

    async def _look_at_house(self, admin: Person, game: GameName) -> None:
        shown = await self.evening.told_alone(admin, "house show", game=game)
        for page in ("house:show:server", f"house:show:{game}"):
            if self._has(shown, page):
                await self._click(admin, shown, page)
                await self.evening.settle_down()
            for menu in [one for one in shown.selects() if one.custom_id.startswith("house:pick")]:
                for choice in menu.options[::3]:
                    await admin.choose(shown, menu, choice.value)
        for knob, typed in (("", ""), ("language", ""), ("house_bank", ""), ("betting_seconds", "3")):
            await admin.suggest(self.evening.channel, "house set", "rule", knob)
            await admin.suggest(self.evening.channel, "house set", "value", typed, rule=knob or "ties")
        preview = await self.evening.told_alone(admin, "house set", rule="arrange", value="strict", game=game)
        await self._click(admin, preview, "house:cancel:")
        await self.evening.told_alone(admin, "house set", rule="betting_seconds", value="八")

    async def _press_all(self, person: Person, message: Message, prefix: str) -> None:
        """Presses every button that begins so, each once, also those that come up."""
        pressed: set[str] = set()
        while True:
            ids = [one.custom_id or "" for one in message.buttons() if not one.disabled]
            new = [one for one in ids if one.startswith(prefix) and one not in pressed]
            if not new:
                return
            pressed.add(new[0])
            reply = await person.click(message, new[0])
            message = reply.message or message

    def _has(self, message: Message, pattern: str) -> bool:
        return any(re.match(pattern, one.custom_id or "") for one in message.buttons() if not one.disabled)

    async def _click(self, person: Person, message: Message, pattern: str) -> Message:
        await self.evening.until(lambda: self._has(message, pattern), f"there is {pattern}")
        button = next(one for one in message.buttons() if re.match(pattern, one.custom_id or ""))
        reply = await person.click(message, button)
        assert reply.kind != "failed", reply
        return reply.message or message

    async def _menu(self, person: Person, message: Message, action: str, value: str) -> Message:
        menu = next(one for one in message.selects() if f":{action}" in one.custom_id)
        reply = await person.choose(message, menu, value)
        assert reply.kind != "failed", reply
        return reply.message or message

    async def _fill(self, person: Person, message: Message, action: str, **values: Any) -> None:
        pattern = rf"gnau:\d+:\d+:{action}(?:@|:|$)"
        await self.evening.until(lambda: self._has(message, pattern), f"there is {action}")
        button = next(one for one in message.buttons() if re.match(pattern, one.custom_id or ""))
        modal = (await person.click(message, button)).modal
        assert isinstance(modal, Modal), action
        reply = await person.submit(modal, **values)
        assert reply.kind != "failed", reply
