"""Messages that say no: each says what is wrong, and what would be right."""

from typing import Final

from bot.words.catalogue.message import Message

REFUSALS: Final = {
    "refusal.table_closed": Message("This table is closed; `/table open` opens another."),
    "refusal.table_full": Message(
        "The only seat is taken; wait until it is free, or open a table with `/table open`.",
        "All {seats:number} seats are taken; wait until one is free, or open a table with `/table open`.",
        "seats",
    ),
    "refusal.already_seated": Message(
        "You sit here already, in seat {seat:number}; bet whenever bets are open."
    ),
    "refusal.holds_the_bank": Message(
        "You hold the bank and play against everybody else; give it up to do this as a player."
    ),
    "refusal.not_seated": Message(
        "You do not sit at this table; bet or press **Join** on its board to take a seat."
    ),
    "refusal.no_bank": Message(
        "Nobody holds the bank; press **Take the bank**, or wait for somebody to take it."
    ),
    "refusal.bank_taken": Message(
        "{banker:name} holds the bank; bet against it, or wait until it is given up."
    ),
    "refusal.not_banker": Message("Only the banker can do this, and the banker is {banker:name}."),
    "refusal.limits_crossed": Message(
        "Stakes cannot go from {lowest:number} to {highest:number}: the lowest must be at least 1 chip, "
        "and the highest no smaller than the lowest."
    ),
    "refusal.bank_too_poor": Message(
        "A bank that takes stakes from {lowest:chips} must be able to lose {needed:chips}, and you have "
        "{wallet:chips} free, which covers a lowest stake of {most:chips} at most."
    ),
    "refusal.stake_below_lowest": Message(
        "A stake of {stake:chips} is too small: this table takes from {lowest:number} to {highest:chips}."
    ),
    "refusal.stake_above_highest": Message(
        "A stake of {stake:chips} is too large: this table takes from {lowest:number} to {highest:chips}."
    ),
    "refusal.player_cannot_cover": Message(
        "A stake of {stake:chips} can lose {needed:chips}, and you have {wallet:chips} free; "
        "the largest stake that would do is {most:chips}."
    ),
    "refusal.player_too_poor": Message(
        "Even the lowest stake here, {lowest:chips}, can lose {needed:chips}, and you have {wallet:chips} "
        "free; look for a table with lower stakes."
    ),
    "refusal.bank_cannot_cover": Message(
        "The bank cannot cover a stake of {stake:chips}; the largest that would do is {most:chips}."
    ),
    "refusal.bank_exhausted": Message(
        "The bank cannot cover another bet in this round, not even the lowest of {lowest:chips}; "
        "wait for the next."
    ),
    "refusal.cards_are_out": Message("The cards are out; wait for the showdown, and do it then."),
    "refusal.no_cards_out": Message("No cards are out, so there is no hand to turn up; wait for the deal."),
    "refusal.nobody_has_bet": Message("Nobody has bet yet; deal when at least one bet stands."),
    "refusal.no_bet_of_yours": Message(
        "You have no bet in this round that could be taken back; place one first."
    ),
    "refusal.no_hand": Message("You have no cards in this round; bet before the next deal to get some."),
    "refusal.already_shown": Message("Your hand is turned up already; wait for the showdown."),
    "refusal.round_is_over": Message(
        "That was for round {meant:number}, and the table is at round {now:number}; use the newest buttons."
    ),
    "refusal.may_not_close": Message(
        "Only {opener:name}, who opened this table, its banker, or a manager of the server can close it."
    ),
    "refusal.not_due": Message(
        "It is too early for this; the table goes on by itself when everybody is ready, or the time is up."
    ),
}
