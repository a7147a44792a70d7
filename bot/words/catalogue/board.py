"""Messages on a table's board, and the labels of its buttons."""

from typing import Final

from bot.words.catalogue.message import Message

BOARD: Final = {
    "table.name": Message("Table {number}"),
    "table.round": Message("Round {round}"),
    "piece.card": Message("cards"),
    "piece.tile": Message("tiles"),
    "board.for_points": Message("for points"),
    "board.rules": Message("Rules: {preset}"),
    "board.limits": Message("bets {lowest:number}–{highest:number}"),
    "board.multiple": Message("{hand} ×{multiple:number}"),
    "board.multiple_in_points": Message("{hand} {multiple:number} points"),
    "board.even_money": Message("even money"),
    "board.point_a_win": Message("a point a win"),
    "board.suited": Message("double for one suit in {where}"),
    "board.arrange.assisted": Message("you arrange your hand"),
    "board.arrange.strict": Message("you arrange your hand, right or wrong"),
    "board.bank_passes": Message("the bank passes {when}"),
    "board.edge": Message("bank's edge {edge:percent}"),
    "board.bank": Message("🏦 **Bank** {who}"),
    "board.bank_free": Message("🏦 No banker yet · the banker sets the limits and plays everyone"),
    "board.bank_free_points": Message("🏦 No banker yet · the banker plays everyone"),
    "board.bank_to_roll": Message("🏦 No banker yet · dice pick the banker, who plays everyone"),
    "board.bank_room": Message("room for {chips:number} more in bets"),
    "board.bank_leaves": Message("gives up the bank after this round"),
    "board.free_seats": Message("{seats:number} seat free", "{seats:number} seats free", "seats"),
    "board.stake": Message("**{stake:number}**"),
    "board.hidden": Message("🂠 deciding…"),
    "board.not_in_round": Message("not in this round"),
    "board.ready": Message("ready ✅"),
    "board.sits_out": Message("sits out"),
    "board.deciding": Message("— deciding…"),
    "board.waiting": Message("— waiting"),
    "board.leaves": Message("leaves after this round"),
    "board.backed_by": Message("backed by {backers}"),
    "board.backer": Message("{who} ({stake:number})"),
    "board.more_side_bets": Message(
        "and {count:number} more side bet, {chips:chips}",
        "and {count:number} more side bets, {chips:chips}",
        "count",
    ),
    "board.bank_result": Message("the bank **{gained}**"),
    "board.side_result": Message("{who} on {backed} · **{chips:signed}**"),
    "board.more_side_results": Message(
        "and {count:number} more side bet: {chips:signed}",
        "and {count:number} more side bets: {chips:signed} together",
        "count",
    ),
    "board.closed": Message("This table is closed. Press **Open again** to play on."),
    "board.waits_for_roll": Message(
        "⏳ Waiting for a banker: press **Roll for the bank** once {fewest:number} people sit here."
    ),
    "board.waits_for_banker": Message("⏳ Waiting for a banker: press **Take the bank**."),
    "board.who_plays": Message("🪙 Who plays? Press **I'm in** to join and get a hand."),
    "board.place_bets": Message("🪙 Place your bets: pick an amount to join."),
    "board.too_few_bets": Message("🪙 Place your bets · {fewest:number} players must bet before the deal"),
    "board.betting": Message("🪙 Place your bets · betting closes when everybody has bet"),
    "board.betting_until": Message(
        "🪙 Place your bets · betting closes <t:{until}:R>, or when everybody has bet"
    ),
    "board.deal_in_points": Message("🪙 The deal comes when everybody is in"),
    "board.deal_in_points_until": Message("🪙 The deal comes <t:{until}:R>, or when everybody is in"),
    "board.dealt.card": Message("Cards are dealt · showdown when everybody has revealed"),
    "board.dealt.card_until": Message(
        "Cards are dealt · showdown <t:{until}:R>, or when everybody has revealed"
    ),
    "board.dealt.tile": Message("Tiles are dealt · showdown when everybody has revealed"),
    "board.dealt.tile_until": Message(
        "Tiles are dealt · showdown <t:{until}:R>, or when everybody has revealed"
    ),
    "board.press_my_hand": Message("✉️ Press **My hand** to see your {pieces}."),
    "board.unreached": Message("✉️ {who}: press **My hand** to see your {pieces}."),
}

BUTTONS: Final = {
    "button.join": Message("Join"),
    "button.bank": Message("Take the bank"),
    "button.roll": Message("Roll for the bank"),
    "button.deal": Message("Deal"),
    "button.hand": Message("My hand"),
    "button.reveal": Message("Reveal"),
    "button.again": Message("Same again"),
    "button.bet": Message("{stake:number}"),
    "button.bet_again": Message("Bet {stake:number} again"),
    "button.other_bet": Message("Other amount…"),
    "button.sit_out": Message("Sit out"),
    "button.side_bets": Message("Side bet…"),
    "button.limits": Message("Set limits…"),
    "button.play": Message("I'm in"),
    "button.look_again": Message("Look again"),
    "button.why": Message("Why this hand"),
    "button.messages": Message("Message me again"),
    "button.strongest": Message("Arrange it for me"),
    "button.unback": Message("Take it back"),
    "button.open_again": Message("Open again"),
    "menu.more": Message("More…"),
    "menu.withdraw": Message("Take my bet back"),
    "menu.withdraw.what": Message("Until the deal"),
    "menu.unback_any": Message("Take my side bet back"),
    "menu.unback_any.what": Message("Until the deal"),
    "menu.why": Message("Why this hand"),
    "menu.why.what": Message("Every way to arrange your newest hand, and what each is worth"),
    "menu.leave": Message("Leave the table"),
    "menu.leave.what": Message("Frees your seat. If you have a hand: after this round"),
    "menu.give_up": Message("Give up the bank"),
    "menu.give_up.what": Message("Before the deal all bets go back. After it you bank until the round ends"),
    "menu.rules": Message("How to play"),
    "menu.rules.what": Message("The rules in force here"),
    "menu.close": Message("Close the table"),
    "menu.close.what": Message("For its opener, its banker, and members with Manage Server"),
}

SIDE_BETS: Final = {
    "side_bets.title": Message("Side bets"),
    "side_bets.explained": Message(
        "Back a player's hand against the banker. You win or lose with it, times the winning hand's multiple."
    ),
    "side_bets.how_much": Message("How much on {who}? {most:chips} at most."),
    "side_bets.has_bet": Message("has bet {stake:chips}"),
    "side_bets.whose_hand": Message("Whose hand do you back?"),
}

ALT_TEXTS: Final = {
    "alt.bank": Message("Bank"),
    "alt.seat": Message("Seat {seat}"),
    "alt.unarranged": Message("not arranged yet:"),
    "alt.wild": Message("wild"),
    "alt.face_down": Message("face down"),
    "alt.won": Message("won"),
    "alt.lost": Message("lost"),
    "alt.push": Message("push"),
}
