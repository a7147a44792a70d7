"""Messages about what happened at a table."""

from typing import Final

from bot.words.catalogue.message import Message

TABLE: Final = {
    "departure.seat_idle": Message(
        "{who} lost the seat: nothing was heard for {rounds:number} round.",
        "{who} lost the seat: nothing was heard for {rounds:number} rounds.",
        "rounds",
    ),
    "departure.seat_gone": Message("{who} has left the server."),
    "departure.bank_idle": Message(
        "{who} lost the bank: nothing was heard for {rounds:number} round.",
        "{who} lost the bank: nothing was heard for {rounds:number} rounds.",
        "rounds",
    ),
    "departure.bank_cannot_cover": Message(
        "{who} gave up the bank: the chips no longer cover the lowest stake."
    ),
    "departure.bank_gone": Message("{who} has left the server, and with that the bank."),
    "departure.bank_no_successor": Message(
        "{who} gave up the bank: it was to pass on, and nobody here could take it."
    ),
    "table.throw": Message("{who} throws {dice}"),
    "table.dice": Message(" and "),
    "table.rolled": Message("{throws}: {who} is banker."),
    "table.bank_passed": Message("The bank passes from {old} to {new}."),
    "table.held_elsewhere": Message(
        "This house holds no tables in this channel; open one in {channels} instead."
    ),
    "table.side_bet": Message("{who} backs {whom} with {stake:chips}"),
}
