"""What was pressed: a member's own panel, or the direct message that brought them a hand."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.table.state import Phase, TableState
from bot.ui.components import is_framed
from bot.ui.hand.content import NO_FILES
from bot.ui.hand.own_hand import round_of_picture
from bot.wire.intake import PressedMessage, pressed
from bot.wire.requests import Interaction


class Place(Enum):
    """Where a panel is; that of one in a server is the id of its channel."""

    HAND = auto()
    """The direct message with the newest hand."""
    OTHER = auto()
    """Another direct message."""


@dataclass(frozen=True, slots=True)
class SentHand:
    """The direct message that brought a hand."""

    round_number: int
    channel_id: int
    message_id: int


def place_of(interaction: Interaction, hand: SentHand | None) -> int | Place:
    """Where the panel is that answers this; `hand` is the newest, if it was pressed."""
    if interaction.guild_id is None:
        return Place.OTHER if hand is None else Place.HAND
    assert interaction.channel_id is not None
    return interaction.channel_id


def pressed_hand(
    interaction: Interaction, newest: SentHand | None
) -> tuple[SentHand | None, PressedMessage | None]:
    """The hand that the pressed direct message brought, if it brought one.

    Args:
        newest: the newest that is known. Discord may not have said yet that a newer one is there.

    Returns:
        The hand, and the message if it is not known any more, such as after a restart.
    """
    message = pressed(interaction)
    if message is None or interaction.guild_id is not None or interaction.channel_id is None:
        return None, None
    if newest is not None and newest.message_id == message.id:
        return newest, None
    rounds = rounds_in(message)
    return (SentHand(rounds[0], interaction.channel_id, message.id), message) if rounds else (None, None)


def rounds_in(message: PressedMessage) -> list[int]:
    """The rounds of the hands that a message shows."""
    return [number for name in message.files if (number := round_of_picture(name)) is not None]


def is_told_by(table: TableState, hand: SentHand) -> bool:
    """Whether the table knows how the round of a hand went: it is being played, or was the last."""
    is_played = table.phase is Phase.DEALT and table.round_number == hand.round_number
    return is_played or (table.last is not None and table.last.round_number == hand.round_number)


def is_old(hand: SentHand, newest: SentHand | None, table: TableState) -> bool:
    """Whether a hand is not the newest that is known, or nobody knows any more what its round brought."""
    return is_older(hand, newest) or not is_told_by(table, hand)


def is_older(hand: SentHand, newest: SentHand | None) -> bool:
    """Whether a hand is of an earlier round than the newest that is known."""
    return newest is not None and newest.round_number > hand.round_number


def is_private(interaction: Interaction) -> bool:
    """Whether what was pressed is a message that only the member sees."""
    message = pressed(interaction)
    return message is not None and (interaction.guild_id is None or message.is_private)


def is_on_panel(interaction: Interaction) -> bool:
    """Whether what was pressed is a panel or a hand of the member's, and no sentence with buttons."""
    message = pressed(interaction)
    return message is not None and is_private(interaction) and is_framed(message.components)


def attached(interaction: Interaction) -> frozenset[str]:
    """The names of the pressed message's files."""
    message = pressed(interaction)
    return NO_FILES if message is None else message.files
