"""Messages about what happened at a table."""

from typing import Final

from bot.words.catalogue.message import Message

TABLE: Final = {
    "departure.seat_idle": Message(
        "{who} was away for {rounds:number} round, so the seat is free.",
        "{who} was away for {rounds:number} rounds, so the seat is free.",
        "rounds",
    ),
    "departure.seat_gone": Message("{who} has left the server."),
    "departure.bank_idle": Message(
        "{who} was away for {rounds:number} round, so the bank is free.",
        "{who} was away for {rounds:number} rounds, so the bank is free.",
        "rounds",
    ),
    "departure.bank_cannot_cover": Message("{who} gave up the bank: not enough chips for the lowest bet."),
    "departure.bank_gone": Message("{who} has left the server, so the bank is free."),
    "departure.bank_no_successor": Message("{who} had to pass the bank, but nobody here could take it."),
    "departure.house_cannot_cover": Message("The house can't cover the lowest bet, so the bank is free."),
    "departure.bank_house_banks": Message("{who} gave up the bank: from now on, only the house banks."),
    "member.deleted": Message("Deleted member"),
    "member.computer": Message("🤖 Computer {number}"),
    "member.house": Message("the house"),
    "member.house_first": Message("The house"),
    "table.bank_passed": Message("{old} passes the bank to {new}"),
    "table.held_elsewhere": Message("Tables can't be opened here. Open one in {channels}."),
    "table.channels_gone": Message(
        "The channels for tables have been deleted. An admin can choose others: `{command}`."
    ),
}
