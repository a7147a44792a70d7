"""Tournaments: entering, the board, tables, and who has won."""

from typing import Final

from bot.words.catalogue.message import Message

TOURNAMENTS: Final = {
    "tournament.title": Message("🏆 Tournament · {game}"),
    "tournament.how": Message(
        "Tournament chips for everybody: {chips:number}. You play {rounds:number} round against the house, "
        "with bets of {lowest:number} to {highest:number}. Then the half with the most chips goes on, with "
        "{chips:chips} again, until one table is left.",
        "Tournament chips for everybody: {chips:number}. You play {rounds:number} rounds against the house, "
        "with bets of {lowest:number} to {highest:number}. Then the half with the most chips goes on, with "
        "{chips:chips} again, until one table is left.",
        "rounds",
    ),
    "tournament.ties": Message(
        "With the same chips, the player who entered first is ahead. If you don't bet in time, I bet the "
        "lowest for you. If you do nothing in {rounds:number} round, you are out, unless nobody at your "
        "table does anything.",
        "With the same chips, the player who entered first is ahead. If you don't bet in time, I bet the "
        "lowest for you. If you do nothing in {rounds:number} rounds in a row, you are out, unless nobody at "
        "your table does anything.",
        "rounds",
    ),
    "tournament.prizes": Message(
        "The first three win 50%, 30% and 20% of the pot; of two, the first wins all."
    ),
    "tournament.computers": Message(
        "Up to {count:number} computer player at each table, if seats are free; it wins nothing.",
        "Up to {count:number} computer players at each table, if seats are free; they win nothing.",
        "count",
    ),
    "tournament.entry": Message("Enter for **{entry:chips}**. Starts <t:{at}:R>, with two players or more."),
    "tournament.pot": Message("Pot: **{pot:chips}**"),
    "tournament.entered": Message("Entered ({count:number}): {who}"),
    "tournament.nobody": Message("Nobody has entered yet."),
    "tournament.stage": Message(
        "**Stage {stage:number}** · players: {players:number} · the first {count:number} go on"
    ),
    "tournament.final": Message("**Final** · players: {players:number}"),
    "tournament.at_table": Message("<#{table}> · round {round:number} of {rounds:number}"),
    "tournament.table_over": Message("<#{table}> · over"),
    "tournament.no_table": Message("Table {number:number}: opens soon"),
    "tournament.has": Message("{place:number}. {who} · {chips:number}"),
    "tournament.has_at": Message("{place:number}. {who} · {chips:number} · table {table:number}"),
    "tournament.line": Message("⬆️ go on · out ⬇️"),
    "tournament.out": Message("Out: {who}"),
    "tournament.over": Message("The tournament is over."),
    "tournament.winner": Message("{place}. {who} wins **{prize:chips}**, with {left:number} left"),
    "tournament.placed": Message("{place}. {who}, with {left:number} left"),
    "tournament.no_winner": Message("Nobody was left, so the house has the pot."),
    "tournament.cancelled.too_few": Message(
        "The tournament is cancelled: fewer than two could play. All entries went back."
    ),
    "tournament.cancelled.admin": Message("An admin cancelled the tournament. All entries went back."),
    "tournament.cancelled.no_tables": Message(
        "The tournament is cancelled: I could not open its tables for {minutes:number} minutes. All entries "
        "went back."
    ),
    "tournament.cancelled.table_gone": Message(
        "The tournament is cancelled: a table closed before its end. All entries went back."
    ),
    "tournament.cancelled.season": Message(
        "The tournament is cancelled: the season ended before the start. All entries went back."
    ),
    "tournament.alt": Message("The first of the tournament, by their prizes: {figures}"),
    "tournament.thread": Message("{game} · stage {stage:number} · table {table:number}"),
    "tournament.final_thread": Message("{game} · final"),
    "tournament.called": Message(
        "{who}: this is your table. Your chips here: {chips:number}. Bet in time, or I bet the lowest for "
        "you. If you leave, you are out."
    ),
    "tournament.stage_over": Message("**Stage {stage:number} is over.** The first {count:number} go on."),
    "tournament.goes_on": Message("{place:number}. {who} ({chips:number}) goes on at <#{table}>"),
    "tournament.goes_out": Message("{place:number}. {who} ({chips:number}) is out"),
    "button.enter": Message("Enter"),
    "button.withdraw_entry": Message("Leave"),
    "button.start_early": Message("Start now"),
    "button.start_later": Message("Wait"),
    "button.call_off": Message("Cancel tournament"),
    "button.call_off_now": Message("Cancel it"),
    "button.keep_tournament": Message("Keep it"),
    "tournament.call_off": Message(
        "Cancel the tournament? {count:number} member gets {entry:chips} back.",
        "Cancel the tournament? {count:number} members get {entry:chips} back each.",
        "count",
    ),
    "tournament.start_asked": Message(
        "Start the tournament now, and not <t:{at}:R>? Entered: {count:number}."
    ),
    "tournament.starts_now": Message("The tournament starts now. I call the players to their tables."),
    "tournament.refused.started": Message("The tournament has started, so nobody enters or leaves."),
    "tournament.refused.full": Message("The tournament is full: no more than {most:number} can enter."),
    "tournament.refused.too_poor": Message("It costs {entry:chips} to enter; you have {free:number}."),
    "tournament.refused.own_limit": Message(
        "It costs {entry:chips} to enter; by your own limit, you can lose {free:number} more today."
    ),
    "tournament.refused.too_few": Message("It can start once two or more who may play have entered."),
    "tournament.not_here": Message("Tournaments need a text channel: use `/tournament open` there."),
    "tournament.taken": Message("This channel has a tournament already. Open another one when it is over."),
    "tournament.which": Message("This server has several tournaments. Use the command where one is played."),
    "tournament.unreadable": Message(
        "I can't read this tournament any more. Admins can cancel it: `/tournament cancel`."
    ),
    "tournament.wrong_pot": Message(
        "I can't cancel the tournament: its pot is not the sum of its entries. Ask the bot's owner to check "
        "the books."
    ),
    "tournament.none_to_cancel": Message(
        "There is no tournament to cancel now. Open another one with `/tournament open`."
    ),
    "tournament.none": Message("There is no tournament now. Admins can open one: `/tournament open`."),
}
