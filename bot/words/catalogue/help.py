"""Messages of `/help`: what to do now. Each command in backticks becomes one that can be clicked."""

from typing import Final

from bot.words.catalogue.message import Message

HELP: Final = {
    "help.no_table": Message("There is no table here. Open one with `/table open`."),
    "help.play_house": Message("Or play against the house at once: `/play`."),
    "help.other_tables": Message(
        "`/table list` shows the other open table.",
        "`/table list` shows the {count:number} other open tables.",
        "count",
    ),
    "help.join": Message("Press **Join** to play, or **Take the bank** to play against everybody."),
    "help.join_for_roll": Message("Press **Join** to take a seat. Dice pick the banker."),
    "help.join_for_house": Message("Press **Play the house** to start, or **Join** to take a seat."),
    "help.join_with_bet": Message("Bets are open. Pick an amount on the board: that seats you and bets."),
    "help.join_for_points": Message("Press **I'm in** to take a seat and get a hand."),
    "help.join_later": Message(
        "A round is on. Pick **Join** in the menu **More…**, and play in the next one."
    ),
    "help.side_bet": Message("Or bet on a player's hand: press **Side bet…**."),
    "help.roll": Message("Press **Roll for the bank**: the dice pick the banker."),
    "help.bet": Message("You have seat {seat}. Pick an amount on the board, or type `/bet`."),
    "help.play": Message("You have seat {seat}. Press **I'm in** to get a hand."),
    "help.has_bet": Message("You have bet {stake:chips}. Hands are dealt when everybody has bet."),
    "help.is_in": Message("You are in. Hands are dealt when everybody is in."),
    "help.next_round": Message("A round is on. Play in the next one."),
    "help.reveal": Message("You have a hand. Press **{button}** to see it, then **Reveal**."),
    "help.revealed": Message("Your hand is revealed. You'll see the result when everybody has revealed."),
    "help.bank_waits": Message("You are the banker. Wait for bets: hands are dealt when everybody has bet."),
    "help.bank_waits_points": Message(
        "You are the banker. Wait for players: hands are dealt when everybody is in."
    ),
    "help.bank_deals": Message(
        "You are the banker. Press **Deal** on **My panel** to start, or wait for more players."
    ),
    "help.bank_stops": Message(
        "To stop, press **Give up the bank** on **My panel**, which is in the board's menu **More…**."
    ),
    "help.broke": Message("You have too few chips to bet."),
    "help.ask_for_gift": Message("Anybody can give you some with `/give`."),
    "help.points_here": Message("Or play for points, which needs no chips: choose points in `/table open`."),
    "help.points_elsewhere": Message(
        "Or play for points, which needs no chips: choose points in `/table open`, in another channel."
    ),
    "help.more": Message(
        "-# `/learn` teaches the game, `/rules show` explains it, and `/wallet` shows your chips."
    ),
    "help.more_by_message": Message("-# `/hand` shows your hand, and `/wallet` shows your chips."),
    "help.managing": Message("-# You manage this server: see and change the house rules with `/house show`."),
}
