"""Messages about sealed shuffles, and the proof of a round."""

from typing import Final

from bot.words.catalogue.message import Message

PROOFS: Final = {
    "proof.sealed": Message("Seal of the next shuffle (note it before you bet): `{seal}`"),
    "proof.dice_sealed": Message("Seal of the dice (note it before the roll): `{seal}`"),
    "proof.was_sealed": Message("Seal of this shuffle: `{seal}`. Its secret comes with the result."),
    "proof.opened": Message(
        "Secret of this shuffle: `{secret}`. `/round verify` checks it against the seal, and every hand."
    ),
    "proof.revealed": Message(
        "Seal, shown before you bet: `{seal}`\nSecret, shown with the result: `{secret}`"
    ),
    "proof.mixed_in": Message(
        "Words or numbers mixed in by {count:number} bettor",
        "Words or numbers mixed in by {count:number} bettors",
        "count",
    ),
    "proof.own_words": Message("{who} mixed in: {words:name}"),
    "proof.more_words": Message("… and {count:number} more in the file"),
    "proof.compare": Message(
        "Is this the seal that you noted before you bet? Then the secret was fixed by then, and never "
        "changed."
    ),
    "proof.verified": Message("verified: everything follows from the secret, the bettors and the rules"),
    "proof.nothing": Message("nothing"),
    "proof.misfit": Message("not verified: {where} is {says}, and should be {should}"),
    "proof.mixed": Message(
        "Mixed into the next shuffle under your name: {words:name}\n"
        "-# You can change it until hands are dealt. After the round, `/round show` shows it to everybody."
    ),
    "proof.mixed_with_a_bet": Message(
        "Mixed into the next shuffle under your name, if you bet: {words:name}\n"
        "-# You can change it until hands are dealt. After the round, `/round show` shows it to everybody."
    ),
    "proof.mixed_into_dice": Message(
        "Mixed into the dice for the bank under your name: {words:name}\n"
        "-# Add words for the hands after the roll. After the round, `/round show` shows all words to "
        "everybody."
    ),
    "proof.none": Message(
        "Table {number:number} has no settled round {round:number}: it is not over, was called off, or never "
        "began."
    ),
    "proof.none_yet": Message(
        "Table {number:number} has no settled round yet. Try again after its first showdown."
    ),
    "proof.no_table": Message("You can see no table {number:number} in this server."),
    "proof.which_table": Message("No table is open in this channel. Name a table, such as `table:1`."),
    "proof.exported": Message(
        "The file has the whole round. `gnau verify` checks it on your own computer, without this bot."
    ),
    "proof.rolled": Message(
        "**Dice for the bank**\nSeal, shown before the roll: `{seal}`\nSecret, shown after: `{secret}`"
    ),
    "proof.unsealed": Message("The shuffle of this round was not sealed, so there is nothing to verify."),
    "proof.what_stays": Message(
        "What the house could still do: throw secrets away until it likes one, before it shows a seal; or "
        "call a round off. Anyone who can read its disk could know the secret while bets are open, and mix "
        "in last what suits them."
    ),
}
