"""What one human can do and see in Discord's client. Whatever he does reaches the bot over the wire alone."""

from typing import Any

from bot.practice.component_tree import Button, Select
from bot.practice.messages import Message
from bot.practice.places import Channel, User
from bot.practice.replies import Choice, Modal, Reply
from bot.practice.world import World


class Person:
    """One human user.

    Attributes:
        world: where he lives.
        user: his account.
        patience: how long he waits for what a deferred answer promises, in seconds.
    """

    def __init__(self, world: World, user: User) -> None:
        self.world = world
        self.user = user
        self.patience = 10.0

    @property
    def id(self) -> int:
        """His account's id."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name others read."""
        return self.user.display_name

    @property
    def dms_open(self) -> bool:
        """Whether the bot may write to him."""
        return self.user.dms_open

    @dms_open.setter
    def dms_open(self, value: bool) -> None:
        self.user.dms_open = value

    def dm(self) -> Channel:
        """His DM channel with the bot."""
        return self.world.dm_with(self.user)

    def channels(self) -> list[Channel]:
        """The channels and threads he sees, in every server he is in, and last the DM if there is one."""
        raise NotImplementedError

    def sees(self, channel: Channel) -> list[Message]:
        """What he sees there, oldest first; of the ephemeral messages only his own."""
        return self.world.seen_by(self.user, channel)

    async def dismiss(self, message: Message) -> None:
        """Puts away a message that only he sees."""
        self.world.dismiss(message, self.user)

    async def say(self, channel: Channel, content: str) -> Message:
        """Writes a message of his own."""
        raise NotImplementedError

    def commands(self, channel: Channel) -> list[dict[str, Any]]:
        """The commands his client offers him there: one entry for each that can be typed, subcommands by full name.

        Each is `{"name": "table open", "description": …, "options": [raw options]}`.
        """
        raise NotImplementedError

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Reply:
        """Types a command, such as `table open`, with these options.

        Raises:
            NotPossibleError: a ValueError that says why the client would not send it.
        """
        raise NotImplementedError

    async def suggest(
        self, channel: Channel, command: str, /, *, focused: str, value: str = "", **others: object
    ) -> list[Choice]:
        """What the bot suggests while `value` stands in the option `focused`."""
        raise NotImplementedError

    async def click(self, message: Message, button: str | Button) -> Reply:
        """Presses a button, by its custom_id or its exact label.

        Raises:
            NotPossibleError: it is not there, or greyed, or he does not see the message.
        """
        raise NotImplementedError

    async def press_raw(self, message: Message, custom_id: str) -> Reply:
        """An old or forged click, checked by nobody."""
        raise NotImplementedError

    async def choose(self, message: Message, select: str | Select, *values: object) -> Reply:
        """Picks values of a select: the values or labels of its options, or persons, roles, channels."""
        raise NotImplementedError

    async def submit(self, modal: Modal, **values: object) -> Reply:
        """Submits a form; what is not named keeps what already stands there.

        Args:
            modal: the form.
            values: by the custom_id of the input or by its label.
        """
        raise NotImplementedError
