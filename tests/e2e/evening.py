"""An evening in one server: the stand-in, the bot connected to it, and people who play."""

import asyncio
import inspect
import logging
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from bot.config import Settings
from bot.croupier.identities import User
from bot.croupier.replay import verify_tables
from bot.games.gnau.rules import GnauRules
from bot.games.register import GAMES
from bot.ledger.audit import audit
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Reply
from bot.practice.servers import Channel
from bot.rules.house_rules import HouseRules
from bot.run.serving import running
from bot.table.state import RoundResult, TableState
from bot.ui.bot import GnauBot
from bot.ui.hand.own_hand import round_of_picture
from tests.databases import create_database, greeted
from tests.discord_schema import validate_request
from tests.houses import house_with
from tests.stand_in import RecordedRequest, StandIn

PATIENCE = 60.0
QUIET_TURNS = 12
"""How many turns of the event loop without anything show that the bot has nothing left to do."""
MENU = "More…"
SERVER = "Ox and friends"


_LINK = re.compile(r"</(?P<command>[^:>]+):\d+>")


def unlinked(text: str) -> str:
    """A text with each command's link as its plain name."""
    return _LINK.sub(r"`/\g<command>`", text)


def _pauses(task: asyncio.Task[Any]) -> bool:
    """Whether a task waits only until some time has passed, or until something else has happened."""
    inner: Any = task.get_coro()
    while inspect.iscoroutine(inner.cr_await):
        inner = inner.cr_await
    return inner.cr_code.co_name in ("sleep", "wait", "acquire")


def _can_press(board: Message, label: str) -> bool:
    button = board.button(label)
    return button is not None and not button.disabled


def taken(reply: Reply) -> bool:
    """Whether the bot took a press on a board: it replies, or defers while the board is being edited."""
    return reply.kind in ("update", "deferred_update")


class Evening:
    """Everything that a test of a whole round needs.

    Attributes:
        discord: the stand-in.
        bot: the running bot.
        rules: the house rules; a test may replace them at any time.
        chip_settings: the settings of the server that differ from its defaults; a test may replace them too.
        database: its file.
        people: everybody who joined, in order.
        channel: the channel of the table.
    """

    def __init__(self, discord: StandIn, database: Path, server: str = SERVER) -> None:
        self.discord = discord
        discord.world.patience = PATIENCE
        self.rules: HouseRules = GnauRules(betting_seconds=60, last_call_seconds=0, arranging_seconds=60)
        self.chip_settings: dict[str, object] = {}
        self.server = discord.add_server(server)
        self.channel = discord.add_channel(self.server, "table-one")
        self.other_channel = discord.add_channel(self.server, "table-two")
        self.database = database
        create_database(database)
        greeted(database, self.server.id)
        self.settings = Settings(
            token=discord.token,
            database_url=f"sqlite:///{database}",
            api_url=discord.api_url,
            gateway_url=discord.gateway_url,
            guild_ready_seconds=0.05,
            piece_emojis=False,
        )
        self.bot: GnauBot
        self._stack = AsyncExitStack()
        self._expected_faults: set[int] = set()

    async def start_bot(self) -> None:
        if self.discord.requests:
            # Discord still counts the earlier requests, but a restarted bot knows nothing about them.
            self.expect_haste()
        self.bot, _ = await self._stack.enter_async_context(
            running(self.settings, lambda _: house_with(self.rules, **self.chip_settings))
        )

    async def stop_bot(self) -> None:
        await self._stack.aclose()

    async def restart(self) -> None:
        await self.stop_bot()
        await self.start_bot()

    def person(self, name: str, *, manage_server: bool = False) -> Person:
        return self.discord.add_person(name, [self.server], manage_server=manage_server)

    def persons(self, *names: str) -> list[Person]:
        return [self.person(name) for name in names]

    def party(self, person: Person) -> int:
        """The party that stands for a person at tables; `NOBODY` before their first press or command."""
        return self.bot.croupier.identities.known(self.server.id, person.id)

    def person_of(self, party: int) -> Person:
        """The person behind a party."""
        identity = self.bot.croupier.identities.get(party)
        assert identity is not None, f"nobody is known as party {party}"
        return self.discord.persons[identity.user_id]

    def table(self, channel: Channel | None = None) -> TableState:
        table = self.bot.croupier.tables.in_channel((channel or self.channel).id)
        assert table is not None, "no table is open"
        return table

    def last_round(self) -> RoundResult:
        """The result of the last round at the table."""
        last = self.table().last
        assert last is not None, "no round is over"
        return last

    async def open_table(
        self,
        opener: Person,
        channel: Channel | None = None,
        *,
        game: str | None = None,
        play: str | None = None,
    ) -> Message:
        options = {name: value for name, value in (("game", game), ("play", play)) if value is not None}
        before = {one.id for one in opener.sees(channel or self.channel)}
        reply = await opener.slash(channel or self.channel, "table open", **options)
        if reply.kind == "deferred":
            # On a busy machine the board comes later, as a message of its own.
            def posted() -> list[Message]:
                seen = opener.sees(channel or self.channel)
                return [one for one in seen if one.id not in before and not one.ephemeral]

            await self.until(posted, "the board is posted")
            return posted()[-1]
        assert reply.kind == "message", reply
        assert reply.message is not None
        assert not reply.message.ephemeral, reply.message.text
        return reply.message

    async def table_of(
        self, *names: str, lowest: int = 5, highest: int = 100, game: str | None = None
    ) -> tuple[Message, list[Person]]:
        """The board of a table where the first of these people banks, and all of them."""
        people = self.persons(*names)
        board = await self.open_table(people[0], game=game)
        assert taken(await self.take_bank(people[0], board, lowest, highest))
        return board, people

    async def seated_table(
        self, game: str, *names: str, play: str | None = None
    ) -> tuple[Message, Person, list[Person]]:
        """The board of a table of any game where these people sit, its banker and its players."""
        people = self.persons(*names)
        board = await self.open_table(people[0], game=game, play=play)
        if GAMES[game].rolls_for_bank:
            return board, *await self.roll_dice(board, *people)
        if play is None:
            assert taken(await self.take_bank(people[0], board))
        else:
            # A game for points has no limits to ask for.
            assert taken(await people[0].click(board, "Take the bank"))
        for person in people[1:]:
            await self.press(person, board, "Join")
        return board, people[0], people[1:]

    async def press(self, person: Person, board: Message, label: str) -> Reply:
        """Presses what has this label: on the board, in its menu, or on the person's own panel."""
        if board.button(label) is not None:
            return await person.click(board, label)
        menu = board.select(MENU)
        if menu is not None and label in {option.label for option in menu.options}:
            return await person.choose(board, MENU, label)
        own = await self.panel(person, board)
        if own.button(label) is None:
            return await person.choose(own, MENU, label)
        return await person.click(own, label)

    def board(self, person: Person, channel: Channel | None = None) -> Message:
        """The newest message of a channel that everybody sees: the board of its table."""
        return [one for one in person.sees(channel or self.channel) if not one.ephemeral][-1]

    async def panel(self, person: Person, board: Message) -> Message:
        """The person's own panel, as the board opens it."""
        if board.button("My hand") is not None:
            reply = await person.click(board, "My hand")
        else:
            reply = await person.choose(board, MENU, "My panel")
        assert reply.message is not None
        assert reply.message.ephemeral
        return reply.message

    async def take_bank(self, banker: Person, board: Message, lowest: int = 5, highest: int = 100) -> Reply:
        await self.can_press(board, "Take the bank")
        form = await banker.click(board, "Take the bank")
        assert form.modal is not None, form.message and form.message.text
        reply = await banker.submit(form.modal, lowest=str(lowest), highest=str(highest))
        if taken(reply):
            await self._dismiss_panel(banker, board.channel)
        return reply

    async def _dismiss_panel(self, banker: Person, channel: Channel) -> None:
        """Dismisses the panel that who takes the bank is shown beside the board.

        The bot cannot see that, and would send them the hand only after half the time for it: here at once.
        """

        def panels() -> list[Message]:
            return [one for one in banker.sees(channel) if one.ephemeral and one.button("Deal")]

        await self.until(panels, f"{banker.name} has the banker's panel")
        for panel in panels():
            await banker.dismiss(panel)
        self.bot.panels.doubt(self.table(channel), self.party(banker))

    async def roll_dice(self, board: Message, *people: Person) -> tuple[Person, list[Person]]:
        """Seats these people at a table of Tau Ngau; the first of them rolls the dice.

        Returns:
            The banker, then the others from the banker's left.
        """
        for person in people:
            await self.press(person, board, "Join")
        await self.can_press(board, "Roll for the bank")
        await people[0].click(board, "Roll for the bank")
        return self.banker_and_players()

    def banker_and_players(self) -> tuple[Person, list[Person]]:
        """The banker, and the other members at the table in the order of their seats."""
        table = self.table()
        assert table.bank is not None, "there is no banker"
        return self.person_of(table.bank.party), [self.person_of(seat.party) for seat in table.members]

    async def back(self, spectator: Person, board: Message, player: Person, stake: int) -> Message:
        """Backs a player who has bet, and returns the spectator's view of their side bets."""
        await self.can_press(board, "Back a player")
        own = (await spectator.click(board, "Back a player")).message
        assert own is not None
        await spectator.choose(own, "Whose hand do you back?", str(self.party(player)))
        form = await spectator.click(own, "Other…")
        assert form.modal is not None, own.text
        await spectator.submit(form.modal, amount=str(stake))
        return own

    async def reveal(self, board: Message, *people: Person) -> None:
        """Reveals these people's hands on the board, and waits until the round is over."""
        number = self.table().round_number
        await self.can_press(board, "Reveal")
        for person in people:
            await person.click(board, "Reveal")
        await self.board_says(board, f"-# 🧾 receipt {number}")

    async def until(self, condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Waits until a condition holds; if it never does, fails with its name."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():  # noqa: ASYNC110 - no event is set for it
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"timed out: waited until {what}") from None

    async def settle_down(self) -> None:
        """Waits until the bot has nothing left to do but pauses, so that no message is lost.

        It counts turns of the event loop: in a stall of the machine the bot does nothing either.
        """
        quiet, sent = 0, len(self.discord.requests)

        def is_quiet() -> bool:
            nonlocal quiet, sent
            quiet = 0 if len(self.discord.requests) > sent or self._bot_works() else quiet + 1
            sent = len(self.discord.requests)
            return quiet > QUIET_TURNS

        await self.until(is_quiet, "the bot has nothing left to do")

    def _bot_works(self) -> bool:
        """Whether a change of a message is due at once, or a task of the bot waits for more than time."""
        following = (self.bot.boards._following, self.bot.panels._following)
        tasks = chain(self.bot.tasks._tasks, self.bot.intake._running)
        return any(one._gathering for one in following) or not all(map(_pauses, tasks))

    async def board_says(self, board: Message, *texts: str) -> None:
        def says() -> bool:
            # A hand stays on one line by spaces that do not break.
            told = board.text.replace("\u00a0", " ")
            return all(text in told for text in texts)

        try:
            await self.until(says, f"the board says {texts}")
        except AssertionError as vain:
            raise AssertionError(f"{vain}; it says: {board.text}") from None

    async def can_press(self, board: Message, label: str) -> None:
        """Waits until a button is there and enabled."""
        await self.until(lambda: _can_press(board, label), f"{label!r} can be pressed")

    async def board_with(self, person: Person, label: str) -> Message:
        """The newest board once a button on it can be pressed."""
        await self.until(lambda: _can_press(self.board(person), label), f"a board offers {label!r}")
        return self.board(person)

    async def have_cards(self, *people: Person, rounds: int = 1) -> None:
        """Waits until each person sees their hand of the last of these rounds: by message or on a panel."""
        for person in people:
            has_hand = partial(self._has_hand, person, rounds)
            await self.until(has_hand, f"{person.name} has the hand of round {rounds}")

    def shown_hand(self, person: Person) -> Message:
        """The person's own message with their newest hand: a direct message, or their panel in a channel."""
        return max(self._shown_hands(person), key=lambda hand: (hand[0], hand[1].id))[1]

    def _has_hand(self, person: Person, round_number: int) -> bool:
        return any(number >= round_number for number, _ in self._shown_hands(person))

    def _shown_hands(self, person: Person) -> list[tuple[int, Message]]:
        """The round of each hand that a person sees in a message of their own, and the message."""
        seen = [message for channel in person.channels() for message in person.sees(channel)]
        own = [message for message in seen if message.ephemeral or message.channel.is_dm]
        numbers = [
            (round_of_picture(file.filename), message) for message in own for file in message.attachments
        ]
        return [(number, message) for number, message in numbers if number is not None]

    async def told_alone(self, person: Person, command: str, **options: object) -> Message:
        """The reply to a command in the channel that only this person sees."""
        reply = await person.slash(self.channel, command, **options)
        assert reply.message is not None
        assert reply.message.ephemeral
        return reply.message

    async def counted(self) -> None:
        """Waits until every round is in the standings; a member who looks waits a second at most."""
        standings = self.bot.croupier.standings
        while not await standings.count(self.server.id, at_leisure=True):
            pass

    async def chips(self, *people: Person) -> dict[str, int]:
        """The chips that each person owns, held chips included."""
        croupier, owned = self.bot.croupier, {}
        for person in people:
            user = User(person.id, person.name, person.user.locale)
            party = await croupier.identities.party_of(self.server.id, user)
            owned[person.name] = (await croupier.wallets.purse(self.server.id, party)).total
        return owned

    def budgeted(self, since: int = 0) -> list[RecordedRequest]:
        return [request for request in self.discord.requests[since:] if request.budgeted]

    def results_of_hands(self, since: int, *people: Person) -> list[RecordedRequest]:
        """The budgeted edits of these people's direct messages: results of hands, which load puts off."""
        directly = {str(person.dm().id) for person in people}
        return [
            request
            for request in self.budgeted(since)
            if request.method == "PATCH" and directly & set(request.path.split("/"))
        ]

    def expect_fault(self, *statuses: int) -> None:
        """Lets this test expect responses with these statuses."""
        self._expected_faults |= set(statuses)

    def expect_haste(self) -> None:
        """Lets rounds follow each other faster than Discord lets the bot send hands to a member."""
        self.expect_fault(429)

    async def end(self, log: list[logging.LogRecord]) -> None:
        """Checks what holds after every test: a clean audit, and no failed request or error in the log."""
        ledger = self.bot.croupier.ledger
        findings = [*await audit(ledger), *await verify_tables(ledger)]
        assert not findings, findings
        for table in self.bot.croupier.tables.all():
            held = await ledger.holds(table.table_id)
            assert held == table.held, (held, table.held)
        await self.stop_bot()
        for request in self.discord.requests:
            validate_request(request)
            assert request.status < 400 or request.status in self._expected_faults, request
        errors = [record.getMessage() for record in log if record.levelno >= logging.ERROR]
        assert not errors, errors
