"""One evening that brings up most of what the bot says: every game's round, every command, menu and form.

After it come the next Monday with the leaderboard of the week, a tournament, and reminders.
"""

import re
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, cast

from bot.clock import DAY_SECONDS, FIRST_MONDAY, HOUR_SECONDS, WEEK_SECONDS
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal
from bot.practice.servers import Channel
from bot.rules.knobs import Arrange, GameName
from bot.table.state import Phase
from cogs.leaderboard import LeaderboardCog
from cogs.reminders import RemindersCog
from cogs.seasons import SeasonsCog
from cogs.tournaments import TournamentsCog
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening

NAMES: Final = ("阿美", "小明", "志强", "丽丽", "小虎")
CROWD: Final = ("大牛", "二牛", "三牛")
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
        log = (evening.other_channel.id,)
        evening.rules = evening.rules.model_copy(update={"arrange": Arrange.ASSISTED, "log_channel": log})
        evening.chip_settings = {**evening.chip_settings, "weekly_board": log}
        evening.bot.notices.gather_seconds = 0.2
        *self.people, self.guest = (evening.person(name, manage_server=name == NAMES[0]) for name in NAMES)
        self.crowd = evening.persons(*CROWD)
        self._ahead = 0.0

    async def begin(self) -> None:
        """Everybody chooses the language, and the first sets it for the server."""
        # It is noon, so that no day or week ends while the evening lasts.
        self._later((1.5 * DAY_SECONDS - self.evening.bot.croupier.now()) % DAY_SECONDS)
        if self.language is not None:
            for person in (*self.people, self.guest, *self.crowd):
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
        await self._look_at_own(one)
        is_won = any(chips for _, chips in self.evening.last_round().gains)
        await self._schedule(admin, one)
        await self._administer(admin)
        await self._pause(self.guest)
        await admin.slash(self.evening.channel, "table close")
        await self._have_season(admin, is_won=is_won)
        await self._have_tournament(admin, game)
        await self._be_reminded(one)

    async def _look_at_own(self, one: Person) -> None:
        """What leads on from a member's chips, and every order of the leaderboard and part of the ledger."""
        await self.evening.counted()
        for wanted in ("leaders:show", "profile", "ledger:show", "break:ask"):
            await self._click(one, await self.evening.told_alone(one, "wallet"), wanted)
        leaders = message_of(await one.slash(self.evening.channel, "leaderboard"))
        for menu in leaders.selects():
            shown = [message_of(await one.choose(leaders, menu, choice.value)) for choice in menu.options]
            await self._press_all(one, shown[-1], "leaders:")
        ledger = await self.evening.told_alone(one, "ledger")
        for menu in ledger.selects():
            for choice in menu.options:
                await one.choose(ledger, menu, choice.value)
        await self._press_all(one, ledger, "ledger:")
        await self._press_all(one, await self.evening.told_alone(one, "daily"), "remind:daily")

    async def _pause(self, guest: Person) -> None:
        """Limits of loss, a break, and what may not be done then."""
        for chips in ("八", "5000", "6000"):
            await self._enter(guest, await self.evening.told_alone(guest, "break"), "loss:ask", amount=chips)
        for days, wanted in (("break:7", "break:not"), ("break:1", "break:now")):
            asked = await self._click(guest, await self.evening.told_alone(guest, "break"), days)
            await self._click(guest, asked, wanted)
        await self.evening.told_alone(guest, "bet", amount=5)
        await self.evening.told_alone(guest, "break")

    async def _schedule(self, admin: Person, one: Person) -> None:
        """A table that is scheduled by a form, and cancelled."""
        listed = await self.evening.told_alone(admin, "table schedule")
        await self._enter(admin, listed, "schedule:ask", time="八")
        asked = await self._enter(admin, listed, "schedule:ask", time="20:00", repeat="weekly")
        if asked.selects():
            await admin.choose(asked, asked.selects()[0], "Europe/Berlin")
        posted = partial(admin.sees, self.evening.channel)
        await self.evening.until(lambda: any(self._has(m, "remind:table") for m in posted()), "it is told")
        notice = next(message for message in posted() if self._has(message, "remind:table"))
        await self._click(one, notice, "remind:table")
        listed = await self.evening.told_alone(admin, "table schedule")
        await self._click(admin, listed, "schedule:cancel")

    async def _administer(self, admin: Person) -> None:
        """Who is removed, banned, given chips and asked about."""
        guest, other = self.guest, self.people[2]
        await self._act(admin, "table kick", member=other, reason="八")
        await self._act(admin, "table kick", member=guest)
        for chips in (5, 999_999):
            told = await self.evening.told_alone(admin, "bank grant", member=guest, amount=chips, reason="八")
            await self._press_all(admin, told, "house:cancel")
        await self.evening.told_alone(admin, "bank take", member=guest, amount=5, reason="八")
        await self._act(admin, "house ban", member=guest, reason="八", days=2)
        await self.evening.told_alone(guest, "play")
        await self._act(admin, "house ban", member=guest, reason="八")
        await self.evening.told_alone(guest, "daily")
        for command, options in (("bans", {}), ("unban", {"member": guest}), ("bans", {}), ("export", {})):
            told = await self.evening.told_alone(admin, f"house {command}", **options)
            for menu in told.selects():
                await admin.choose(told, menu, menu.options[0].value)
                await self._click(admin, told, "house:bans")
        history = await self.evening.told_alone(admin, "house history")
        for menu in history.selects():
            preview = message_of(await admin.choose(history, menu, menu.options[0].value))
            await self._press_all(admin, preview, "house:cancel")

    async def _act(self, admin: Person, command: str, **options: object) -> None:
        """A command of an admin, who says yes if they are asked first."""
        told = await self.evening.told_alone(admin, command, **options)
        if self._has(told, "house:carry_out"):
            await self._click(admin, told, "house:carry_out")

    async def _have_season(self, admin: Person, *, is_won: bool) -> None:
        """A season, from the question to the post of who was first; before it, the post of the week."""
        cog = cast("LeaderboardCog", self.evening.bot.get_cog("LeaderboardCog"))
        now = self.evening.bot.croupier.now()
        self._later(WEEK_SECONDS - (now - FIRST_MONDAY) % WEEK_SECONDS + HOUR_SECONDS)
        await cog.post_weeks()
        posted = self._posted(admin, self.evening.other_channel, "leaders:show:net:week")
        assert posted or not is_won
        await self.evening.told_alone(admin, "house season end")
        asked = await self.evening.told_alone(admin, "house season start", name="冬", chips="reset")
        await self._click(admin, asked, "house:start_season")
        day = time.strftime("%Y-%m-%d", time.gmtime(self.evening.bot.croupier.now() + 9 * DAY_SECONDS))
        await self.evening.told_alone(admin, "house season schedule")
        await self.evening.told_alone(admin, "house season schedule", day=day, repeat="monthly")
        asked = await self.evening.told_alone(admin, "house season end")
        await self._click(admin, asked, "house:end_season")
        await cast("SeasonsCog", self.evening.bot.get_cog("Seasons")).look_at_seasons()
        assert self._posted(admin, self.evening.channel, "leaders:show:net:season")

    async def _have_tournament(self, admin: Person, game: GameName) -> None:
        """A tournament that is played to its end, and one that is cancelled."""
        cog = cast("TournamentsCog", self.evening.bot.get_cog("Tournaments"))
        croupier, channel = self.evening.bot.croupier, self.evening.channel
        options = {"entry": 10, "minutes": 1, "rounds": 1, "game": game}
        board = message_of(await admin.slash(channel, "tournament open", **options))
        one, *others = self.people
        for wanted in ("tournament:enter", "tournament:leave"):
            await self._click(one, board, wanted)
        await self.evening.told_alone(admin, "tournament start")
        # With seven, there are two tables.
        for person in (*self.people, self.guest, *self.crowd):
            await self._click(person, board, "tournament:enter")
        await self.evening.told_alone(others[0], "tournament show")
        await self.evening.told_alone(admin, "tournament cancel")
        await self._act(admin, "tournament start")
        for _ in range(20):
            await cog.look()
            await self.evening.settle_down()
            deadlines = [table.deadline for table in croupier.tables.all() if table.heat and table.deadline]
            if deadlines:
                self._later(max(deadlines) + 1 - croupier.now())
                await croupier.go_on()
        assert not await croupier.stored_tournaments.running_in(self.evening.server.id)
        await self.evening.told_alone(others[0], "tournament show")
        board = message_of(await admin.slash(channel, "tournament open", **options))
        await self._click(others[0], board, "tournament:enter")
        asked = await self._click(admin, board, "tournament:cancel")
        await self._click(admin, asked, "tournament:cancel_now")
        await cog.look()

    async def _be_reminded(self, one: Person) -> None:
        """What comes the day after, by direct message."""
        # What was taken first this evening may be there again, or not yet: it depends on the day of the week.
        self._later(21 * HOUR_SECONDS)
        await self.evening.told_alone(one, "daily")
        self._later(21 * HOUR_SECONDS)
        await self.people[0].slash(self.evening.channel, "table open")
        await cast("RemindersCog", self.evening.bot.get_cog("Reminders")).look()
        for wanted in ("remind:take", "remind:off:daily", "remind:off:table"):
            told = partial(self._posted, one, one.dm(), wanted)
            await self.evening.until(told, f"{wanted} is there to press")
            await self._click(one, told()[-1], wanted)
        await self.people[0].slash(self.evening.channel, "table close")

    def _posted(self, reader: Person, channel: Channel, pattern: str) -> list[Message]:
        """The messages of a channel that have a button."""
        return [one for one in reader.sees(channel) if self._has(one, pattern)]

    def _later(self, seconds: float) -> None:
        """Moves the bot's clock forward."""
        self._ahead += seconds
        self.evening.bot.croupier.now = lambda: time.time() + self._ahead

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
        await self._enter(person, message, rf"gnau:\d+:\d+:{action}(?:@|:|$)", **values)

    async def _enter(self, person: Person, message: Message, pattern: str, **values: Any) -> Message:
        await self.evening.until(lambda: self._has(message, pattern), f"there is {pattern}")
        button = next(one for one in message.buttons() if re.match(pattern, one.custom_id or ""))
        modal = (await person.click(message, button)).modal
        assert isinstance(modal, Modal), pattern
        reply = await person.submit(modal, **values)
        assert reply.kind != "failed", reply
        return reply.message or message
