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
    "refusal.already_dealt": Message("The hands are out; wait for the showdown, and do it then."),
    "refusal.not_dealt": Message(
        "No hands are out, so there is none to look at or turn up; wait for the deal."
    ),
    "refusal.nobody_has_bet": Message("Nobody has bet yet; deal when at least one bet stands."),
    "refusal.no_bet_of_yours": Message(
        "You have no bet in this round that could be taken back; place one first."
    ),
    "refusal.no_hand": Message("You have no hand in this round; bet before the next deal to get one."),
    "refusal.already_revealed": Message("Your hand is turned up already; wait for the showdown."),
    "refusal.round_is_over": Message(
        "That was for round {meant:number}, and the table is at round {now:number}; use the newest buttons."
    ),
    "refusal.may_not_close": Message(
        "Only {opener:name}, who opened this table, its banker, or a manager of the server can close it."
    ),
    "refusal.not_due": Message(
        "It is too early for this; the table goes on by itself when everybody is ready, or the time is up."
    ),
    "refusal.sits_at_table": Message(
        "Whoever sits at the table, even as banker, backs nobody else; get up first, or bet on your own hand."
    ),
    "refusal.no_bet_to_back": Message(
        "There is no bet to back here; back a player who has bet, before the deal."
    ),
    "refusal.no_side_bet_of_yours": Message(
        "You have no side bet on this player that could be taken back; place one first."
    ),
    "refusal.played_for_points": Message(
        "This table plays for points, so there are no stakes, limits or side bets; `/table open` opens one "
        "for chips."
    ),
    "refusal.arranged_by_table": Message(
        "In this house the bot arranges every hand, the strongest way; there is nothing to choose."
    ),
    "refusal.not_an_ox": Message(
        "These three total {totals:either}, which is no multiple of 10; choose another three, or have your "
        "hand arranged for you."
    ),
    "refusal.time_is_up": Message(
        "The time to arrange your hand is up; choose before the showdown in the next round."
    ),
    "refusal.dice_pick_banker": Message(
        "At this table dice say who is banker; press **Roll for the bank** instead of taking it."
    ),
    "refusal.no_dice_for_bank": Message(
        "In this game nobody rolls for the bank; press **Take the bank** to volunteer."
    ),
    "refusal.too_few_seated": Message(
        "Dice are thrown for the bank when {fewest:number} or more sit at the table, and so far "
        "{seated:number} does; press **Join** on its board, or wait for more.",
        "Dice are thrown for the bank when {fewest:number} or more sit at the table, and so far "
        "{seated:number} do; press **Join** on its board, or wait for more.",
        "seated",
    ),
    "refusal.nobody_can_bank": Message(
        "Nobody who sits here can hold the bank: even for stakes of {lowest:chips} it takes {needed:chips} "
        "that are free; wait for somebody who has them."
    ),
    "refusal.too_few_bets": Message(
        "At least {fewest:number} players must bet before the deal, and so far {bets:number} has; "
        "wait for another bet.",
        "At least {fewest:number} players must bet before the deal, and so far {bets:number} have; "
        "wait for another bet.",
        "bets",
    ),
    "refusal.limits_outside_house": Message(
        "This house allows stakes from {lowest:number} to {highest:chips}; set your limits within these."
    ),
    "refusal.bets_already_placed": Message(
        "Bets stand already, made under the limits as they are; set others before the first bet of a round."
    ),
    "refusal.client_seed_length": Message(
        "Words for the shuffle are from 1 to {longest:number} characters; give some that are."
    ),
    "refusal.not_playing": Message(
        "Only who has bet, or sits at the table, mixes words into its shuffle; bet first."
    ),
}
