"""Messages about sealed shuffles and the proof of a round."""

from typing import Final

from bot.words.catalogue.message import Message

PROOFS: Final = {
    "proof.receipt": Message("Receipt of round {round:number}: `{receipt}` · `{command}`"),
    "proof.own": Message("Round {round:number} · seal `{seal}` · your contribution `{seed}`"),
    "proof.ticket": Message("🎟️ {round:number} · `{ticket}`"),
    "proof.how": Message(
        "-# The seal fixed the bot's secret before you bet. Your contribution changed the shuffle. Your "
        "ticket 🎟️ is a code for both, the receipt 🧾 one for the whole round. Keep a screenshot, and compare "
        "it with `/round verify`."
    ),
    "proof.opened": Message("Seal, shown before you bet: `{seal}`\nReceipt: `{receipt}`"),
    "proof.own_words": Message("{who} added: {words:name}"),
    "proof.more_words": Message("… and {count:number} more in the file"),
    "proof.compare": Message(
        "Are these the codes on your screenshots? If so, it is the round that you played."
    ),
    "proof.verified": Message(
        "verified: every card, result and chip follows from the secret, the bets and the rules"
    ),
    "proof.nothing": Message("nothing"),
    "proof.unlike_note": Message(
        "not the round that you noted: you noted {where} {should}, but the record has {says}"
    ),
    "proof.misfit": Message("not verified: {where} should be “{should}”, but the record says “{says}”"),
    "proof.mixed": Message(
        "Your words for the next shuffle: “{words:name}”, code `{seed}`.\n"
        "-# You can change them until the deal. After the round, everybody can read them with "
        "`/round show`."
    ),
    "proof.mixed_with_a_bet": Message(
        "Your words for the next shuffle, if you bet: “{words:name}”, code `{seed}`.\n"
        "-# You can change them until the deal. After the round, everybody can read them with "
        "`/round show`."
    ),
    "proof.mixed_into_dice": Message(
        "Your words for the dice that pick the banker: “{words:name}”, code `{seed}`.\n"
        "-# After the roll, you can add words for the hands. After the round, everybody can read all "
        "words."
    ),
    "proof.none": Message(
        "Table {number:number} has no settled round {round:number}: it is not over, was called off, or never "
        "began."
    ),
    "proof.none_yet": Message(
        "Table {number:number} has no settled round yet. Try again after its first showdown."
    ),
    "proof.no_table": Message("There is no table {number:number} here that you can see."),
    "proof.which_table": Message(
        "No table is open in this channel. Add the number of a table to the command."
    ),
    "proof.exported": Message(
        "The file has the whole round. `{command}` tells you how to check it without this bot."
    ),
    "proof.exported_to": Message(
        "The file has the whole round. To check it without this bot, choose it on {page}."
    ),
    "proof.page_attached": Message(
        "To check it without this bot: save both files, open verify.html, and choose {record} there."
    ),
    "proof.rolled": Message("**Dice for the bank**\nSeal, shown before the roll: `{seal}`"),
    "proof.what_stays": Message(
        "The house can still refuse to deal. If it can read the secret, it can bet last, or choose when to "
        "deal."
    ),
}
