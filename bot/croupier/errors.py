"""Why the croupier cannot find or open a table."""

from bot.table.state import TableState


class NoSuchTableError(Exception):
    """No table with this id is open."""


class MemberErasedError(Exception):
    """The member was erased after they asked for something. They can ask again, as somebody new."""


class ChannelTakenError(Exception):
    """The channel already has an open table.

    Attributes:
        table: that table.
    """

    def __init__(self, table: TableState) -> None:
        super().__init__(f"table {table.number} is open in channel {table.channel_id}")
        self.table = table


class ChannelNotAllowedError(Exception):
    """The house allows tables only in other channels (B06).

    Attributes:
        channels: Discord's ids of the allowed channels.
    """

    def __init__(self, channels: tuple[int, ...]) -> None:
        super().__init__(f"tables are allowed only in the channels {', '.join(map(str, channels))}")
        self.channels = channels
