"""Messages on a member's own panel: their hand, their bet, their chips."""

from typing import Final

from bot.words.catalogue.message import Message

PANEL: Final = {
    "panel.closed": Message("This table is closed."),
    "panel.hand_below.card": Message("Your cards are in the message below."),
    "panel.hand_below.tile": Message("Your tiles are in the message below."),
    "panel.rests": Message("This panel is paused. Press **Refresh** to continue."),
    "panel.called_off": Message("This round was called off."),
    "panel.not_in_round": Message("You are not in this round."),
    "panel.no_bank": Message("There is no banker yet."),
    "panel.plays": Message("You are in, against {banker}."),
    "panel.has_bet": Message("You have bet **{stake:chips}** against {banker}."),
    "panel.holds": Message("It holds **{held:chips}**: {multiple} × your bet, the most you can lose."),
    "panel.sits_out": Message("You are sitting out this round."),
    "panel.press_play": Message("Press **I'm in** to get a hand."),
    "panel.place_bet": Message("Place your bet: from {lowest:number} to {highest:chips}."),
    "panel.backs": Message("You back {who} with **{stake:chips}**."),
    "panel.leaves": Message("You leave the table after this round."),
    "panel.no_seat": Message("You have no seat here. Pick an amount, or press **Join**."),
    "panel.no_seat_yet": Message("You have no seat here. Press **Join** to play from the next round."),
    "panel.no_seat_or_bet": Message("You have no seat here. Press **Join** to sit down."),
    "panel.no_seat_outside": Message("You have no seat here. You can join in {channel}."),
    "panel.no_seat_points": Message("You have no seat here. Press **I'm in** or **Join** on the board."),
    "panel.bank": Message(
        "You hold the bank: {bets:number} player has bet. Bets and side bets: {chips:chips}.",
        "You hold the bank: {bets:number} players have bet. Bets and side bets: {chips:chips}.",
        "bets",
    ),
    "panel.bank_points": Message(
        "You hold the bank: {bets:number} player is in.",
        "You hold the bank: {bets:number} players are in.",
        "bets",
    ),
    "panel.your_bet": Message("Your bet: **{stake:chips}**"),
    "panel.revealed": Message("Revealed: everybody can see it."),
    "panel.reveals": Message("Reveals automatically <t:{until}:R>"),
    "panel.score": Message("Your score: {score}"),
    "panel.wallet": Message("Wallet: {free:chips} free"),
    "panel.wallet_held": Message("Wallet: {free:chips} free · {held:chips} held"),
    "panel.evening": Message("{wallet} · this session {gained}"),
    "panel.last_round": Message("Round {round}: {result}"),
    "panel.bank_made": Message("your bank made **{gained}**."),
    "panel.result.player": Message("your {hand} beats {banker}'s {bankers_hand}: **{gained}**."),
    "panel.result.banker": Message("your {hand} loses to {banker}'s {bankers_hand}: **{gained}**."),
    "panel.result.tie_lost": Message(
        "your {hand} ties with {banker}'s {bankers_hand}, and the banker wins ties: **{gained}**."
    ),
    "panel.result.push": Message("your {hand} ties with {banker}'s {bankers_hand}: **{gained}**."),
    "panel.side_bets_brought": Message(
        "your side bet brought **{chips:signed}**.",
        "your {count:number} side bets brought **{chips:signed}**.",
        "count",
    ),
    "panel.backed": Message("-# Others have bet on this hand: only the strongest way is allowed."),
    "panel.piece_counts": Message("counts as {points}"),
    "panel.wrong": Message("✖ {why}."),
    "panel.wrong_three": Message("✖ {why}. Pick another three."),
    "panel.wrong_stands": Message("This counts as {hand} unless you change it before you reveal."),
    "panel.arranged": Message("Arranged your way. You can change it until you reveal."),
    "panel.arranged_strongest": Message("Arranged the strongest way. You can change it until you reveal."),
    "panel.strongest_without_ox": Message("✨ The strongest way: **{hand}**."),
    "panel.wins_points": Message("wins {points:number} point", "wins {points:number} points", "points"),
    "panel.wins_times": Message("wins ×{times:number}"),
    "panel.why_title": Message("Round {round}"),
}
