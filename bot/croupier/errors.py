"""Why the croupier cannot do what no table was there to refuse."""

from bot.table.state import TableState


class NoSuchTableError(Exception):
    """No table of that identity is open."""


class ChannelTakenError(Exception):
    """A table is open in the channel already.

    Attributes:
        table: that table.
    """

    def __init__(self, table: TableState) -> None:
        super().__init__(f"table {table.number} is open in channel {table.channel_id}")
        self.table = table


class ChannelNotAllowedError(Exception):
    """The house holds its tables in other channels (B06).

    Attributes:
        channels: Discord's ids of those that it allows.
    """

    def __init__(self, channels: tuple[int, ...]) -> None:
        super().__init__(f"tables are held in the channels {', '.join(map(str, channels))} alone")
        self.channels = channels
