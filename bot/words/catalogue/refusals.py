"""Messages that say no: each says what is wrong, and what works."""

from typing import Final

from bot.words.catalogue.message import Message

REFUSALS: Final = {
    "refusal.table_closed": Message("This table is closed. Open a new one with `/table open`."),
    "refusal.table_closes": Message(
        "This table closes after this round. Then open a new one with `/table open`."
    ),
    "refusal.table_full": Message(
        "The only seat is taken. Wait for it, or use `/table open` in another channel.",
        "All {seats:number} seats are taken. Wait for one, or use `/table open` in another channel.",
        "seats",
    ),
    "refusal.already_seated": Message("You already have seat {seat:number}. Bet as soon as bets are open."),
    "refusal.holds_the_bank": Message("You bank, so you can't do that. Give up the bank first."),
    "refusal.not_seated": Message("You have no seat at this table. Bet or join to take one."),
    "refusal.no_bank": Message("There is no banker yet. Press **Take the bank**, or wait for one."),
    "refusal.bank_taken": Message("{banker:name} is the banker. Bet, or wait until the bank is free."),
    "refusal.not_banker": Message("Only the banker, {banker:name}, can do this."),
    "refusal.limits_crossed": Message("The lowest bet must be 1 or more, and not above the highest."),
    "refusal.bank_too_poor": Message(
        "A lowest bet of {lowest:number} needs a bank of {needed:chips}. You have {wallet:number} free: "
        "enough for a lowest bet of {most:number}."
    ),
    "refusal.stake_below_lowest": Message(
        "You can bet {lowest:number} to {highest:chips} here. {stake:number} is too low."
    ),
    "refusal.stake_above_highest": Message(
        "You can bet {lowest:number} to {highest:chips} here. {stake:number} is too high."
    ),
    "refusal.player_cannot_cover": Message(
        "Your maximum bet is {most:number} (you have {wallet:chips} free).",
        "Your maximum bet is {most:number} (you have {wallet:chips} free, and a bet can lose {times:number} "
        "× its size).",
        "times",
    ),
    "refusal.player_too_poor": Message(
        "You need {needed:chips} to play here; you have {wallet:number} free."
    ),
    "refusal.bank_role_not_known": Message(
        "Not everybody can bank here. Press a button of the table in the server first, then try again."
    ),
    "refusal.bank_needs_role": Message("Only members with <@&{role}> can bank here. You can play."),
    "refusal.own_limit": Message(
        "By your own limit, you can lose {left:chips} more before <t:{until}:t>.",
        "By your own limit, you can lose {left:chips} more before <t:{until}:t> (a bet can lose "
        "{times:number} × its size).",
        "times",
    ),
    "refusal.bank_cannot_cover": Message(
        "The banker can cover a bet of {most:chips} at most. {stake:number} is too high."
    ),
    "refusal.bank_exhausted": Message(
        "The banker can't cover another bet, not even {lowest:chips}. Wait for the next round."
    ),
    "refusal.already_dealt": Message("Hands are dealt. Try again after this round."),
    "refusal.not_dealt": Message("There are no hands yet. Wait for the deal."),
    "refusal.nobody_has_bet": Message("Nobody has bet yet. Wait for the first bet."),
    "refusal.no_bet_of_yours": Message("You have no bet to take back in this round."),
    "refusal.no_hand": Message("You have no hand in this round. Bet before the next deal."),
    "refusal.already_revealed": Message("Your hand is already revealed. Wait for the showdown."),
    "refusal.round_is_over": Message(
        "Those buttons are from round {meant:number}. Use these for round {now:number}."
    ),
    "refusal.may_not_close": Message(
        "Only {opener:name} (who opened this table), its banker or a server manager can close it."
    ),
    "refusal.bets_are_down": Message(
        "Close table {number} in <#{channel}>? Bets are down: {chips:chips} in all."
    ),
    "refusal.not_due": Message("It's too early. The round goes on when everybody is ready or time is up."),
    "refusal.sits_at_table": Message(
        "You have a seat: play your own hand. To back somebody else, leave the table first."
    ),
    "refusal.has_own_bet": Message(
        "You have bet {stake:chips}. To back somebody else, leave the table first: your bet comes back."
    ),
    "refusal.no_bet_to_back": Message("There is no bet to back. Back a player who has bet, before the deal."),
    "refusal.side_bets_full": Message(
        "This round has {most:number} side bets already. Try the next one, or take a seat."
    ),
    "refusal.no_side_bet_of_yours": Message("You have no side bet to take back in this round."),
    "refusal.tournament_table": Message(
        "This is a tournament: only those who entered play, with no side bets."
    ),
    "refusal.everybody_bets": Message("In a tournament, everybody bets in every round."),
    "refusal.tournament_goes_on": Message(
        "A tournament's table stays open until it is over. Admins can cancel the tournament."
    ),
    "refusal.played_for_points": Message(
        "This table is for points: no bets, limits or side bets. For chips, use `/table open`."
    ),
    "refusal.arranged_by_table": Message(
        "The bot arranges every hand here, the strongest way. There is nothing to choose."
    ),
    "refusal.not_an_ox": Message(
        "These three total {totals:either}, not a multiple of 10. Pick others, or let the bot arrange."
    ),
    "refusal.backed_hand": Message(
        "Others have bet on this hand, so only the strongest way is allowed. Press **Arrange it for me**."
    ),
    "refusal.time_is_up": Message("The time to arrange is up. Next round, choose before the showdown."),
    "refusal.strongest_counted": Message(
        "Too late: round {round:number} is over. The strongest way of your hand counted."
    ),
    "refusal.choice_counted": Message(
        "Too late: round {round:number} is over. Your hand counted the way you had arranged it."
    ),
    "refusal.dice_pick_banker": Message("Dice pick the banker here. Press **Roll for the bank**."),
    "refusal.no_dice_for_bank": Message("This game has no roll for the bank. Press **Take the bank**."),
    "refusal.too_few_seated": Message(
        "Dice pick the banker once {fewest:number} are seated · {seated:number} of {fewest:number}."
    ),
    "refusal.nobody_can_bank": Message(
        "Nobody here can bank: a lowest bet of {lowest:number} needs {needed:chips}. Wait for somebody who "
        "can."
    ),
    "refusal.too_few_bets": Message(
        "At least {fewest:number} players must bet; {bets:number} has so far. Wait for another bet.",
        "At least {fewest:number} players must bet; {bets:number} have so far. Wait for another bet.",
        "bets",
    ),
    "refusal.limits_outside_house": Message(
        "This house allows bets from {lowest:number} to {highest:chips}. Set limits within that range."
    ),
    "refusal.bets_already_placed": Message(
        "Bets are placed already. Change the limits before the first bet."
    ),
    "refusal.client_seed_length": Message(
        "Words for the shuffle must be 1 to {longest:number} characters long."
    ),
    "refusal.house_has_bank": Message("The house is the banker. Place your bet."),
    "refusal.house_does_not_bank": Message("The house doesn't bank here. Press **Take the bank**."),
    "refusal.house_always_banks": Message("Only the house banks here. Press **Play the house**, and bet."),
    "refusal.house_keeps_bank": Message(
        "The house stays banker after that hand. Try again after the next round."
    ),
    "refusal.house_cannot_cover": Message(
        "The house is out of chips: it can't cover a bet of {lowest:number}. A server manager can add more."
    ),
    "refusal.house_has_no_room": Message(
        "The house plays at most {most:number} players, and {seated:number} are here. One must leave first."
    ),
    "refusal.not_playing": Message("Join the table first, then add your words, then bet."),
    "refusal.already_seated_points": Message(
        "You already have seat {seat:number}. Press **I'm in** to get a hand."
    ),
    "refusal.not_seated_points": Message(
        "You have no seat at this table. Press **I'm in** or **Join** to take one."
    ),
    "refusal.bank_taken_points": Message(
        "{banker:name} is the banker. Press **I'm in**, or wait until the bank is free."
    ),
    "refusal.nobody_has_bet_points": Message("Nobody is in yet. Wait for the first player."),
    "refusal.no_bet_of_yours_points": Message("You are not in this round. Press **I'm in** to get a hand."),
    "refusal.no_hand_points": Message(
        "You have no hand in this round. Press **I'm in** before the next deal."
    ),
    "refusal.too_few_bets_points": Message(
        "At least {fewest:number} players must be in; so far, {bets:number} is. Wait for another.",
        "At least {fewest:number} players must be in; so far, {bets:number} are. Wait for another.",
        "bets",
    ),
    "refusal.not_playing_points": Message(
        "Join the table first, then add your words, then press **I'm in**."
    ),
}
