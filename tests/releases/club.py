"""A server and its members, whose Discord ids are the same each time, and what they do there."""

import asyncio
from datetime import UTC, datetime
from typing import Final

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import read_board
from bot.practice.replies import Reply
from bot.practice.servers import Channel
from tests.e2e.evening import MENU
from tests.gnau_process import PATIENCE, until
from tests.stand_in import StandIn

FOUNDED: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""The setup time of the stand-in: all ids follow from it."""


class Club:
    """What of Discord is the same for each release: a server, its channels and members, and no messages."""

    def __init__(self) -> None:
        self.discord = StandIn(setup_time=FOUNDED)
        self.discord.world.patience = PATIENCE
        self.server = self.discord.add_server("Ox and friends")
        self.chips, self.points, self.bulls, self.tiles = (
            self.discord.add_channel(self.server, name) for name in ("chips", "points", "bulls", "tiles")
        )
        self.mei = self.discord.add_person("Mei", [self.server], manage_server=True)
        self.alice, self.bob, self.chan, self.erased = (
            self.discord.add_person(name, [self.server]) for name in ("Alice", "Bob", "Chan", "Erasmus")
        )
        for person in (self.mei, self.alice, self.bob, self.chan, self.erased):
            person.dm()

    def board(self, channel: Channel) -> Message | None:
        """The newest board of a channel."""
        seen = (one for one in self.mei.sees(channel)[::-1] if not one.ephemeral)
        return next((one for one in seen if read_board(one) is not None), None)

    async def says(self, channel: Channel, text: str) -> None:
        """Waits until the board of a channel says this."""

        def said() -> bool:
            board = self.board(channel)
            return board is not None and text in board.text

        await until(said, f"the board in {channel.name} says {text}")

    async def press(self, channel: Channel, label: str, *people: Person) -> None:
        """Has people press a button of a board, or choose from its menu, one after the other."""
        for person in people:
            await self.reply(channel, label, person)

    async def reply(self, channel: Channel, label: str, person: Person) -> Reply:
        """The reply to a press of a button of a board, or to a choice from its menu."""

        def offers() -> bool:
            board = self.board(channel)
            return board is not None and label in labels_of(board)

        await until(offers, f"the board in {channel.name} offers {label}")
        board = self.board(channel)
        assert board is not None
        if board.button(label):
            return await person.click(board, label)
        return await person.choose(board, MENU, label)

    async def view(self, channel: Channel, label: str, person: Person) -> Message:
        """The message that only this person sees after this press."""
        message = (await self.reply(channel, label, person)).message
        assert message is not None
        assert message.ephemeral
        return message

    async def open(self, channel: Channel, banker: Person, **options: str) -> None:
        """Opens a table where this person banks."""
        await banker.slash(channel, "table open", **options)
        form = (await self.reply(channel, "Take the bank", banker)).modal
        if form is not None:
            await banker.submit(form, lowest="5", highest="100")

    def banker_first(self, channel: Channel, *people: Person) -> list[Person]:
        """These people, with who banks before the others."""
        board = self.board(channel)
        assert board is not None
        read = read_board(board)
        assert read is not None
        return sorted(people, key=lambda person: person.id != read.banker)

    async def play(self, channel: Channel, number: int, bet: str, *people: Person) -> None:
        """Plays a round: those of these people who do not bank bet this, and all reveal their hands."""
        await self.press(channel, bet, *people[1:])
        await self.reveal(channel, number, *people)

    async def reveal(self, channel: Channel, number: int, *people: Person) -> None:
        """Reveals these people's hands, and waits for the result of the round."""
        await self.press(channel, "Reveal", *people)
        await self.says(channel, f"receipt {number} ")
        # A bet so soon after a round was aimed at its hands, and does nothing.
        await asyncio.sleep(1.0)

    async def ask(self, person: Person, command: str, **options: object) -> Message:
        """The answer to a command in the first channel."""
        reply = await person.slash(self.chips, command, **options)
        assert reply.message is not None, (command, reply)
        return reply.message


def labels_of(board: Message) -> set[str]:
    """What a board offers: buttons that are not disabled, and what is in its menu."""
    menu = board.select(MENU)
    buttons = {button.label for button in board.buttons() if not button.disabled}
    return buttons | {option.label for option in (menu.options if menu else ())}
