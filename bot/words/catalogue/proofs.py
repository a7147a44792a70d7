"""Messages about sealed shuffles, and the proof of a round."""

from typing import Final

from bot.words.catalogue.message import Message

PROOFS: Final = {
    "proof.sealed": Message("Seal of the next shuffle, to note before you bet: `{seal}`"),
    "proof.dice_sealed": Message("Seal of the dice, to note before they are thrown: `{seal}`"),
    "proof.was_sealed": Message("Seal of this shuffle: `{seal}`; its secret is shown with the result."),
    "proof.opened": Message(
        "Secret of this shuffle: `{secret}`; `/round verify` checks it against the seal, and every hand."
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
    "proof.more_words": Message("… and {count:number} more, in the file"),
    "proof.compare": Message(
        "Is this the seal that you noted before you bet? Then the secret was chosen by then, and not changed."
    ),
    "proof.verified": Message("verified: everything follows from the secret, the bettors and the rules"),
    "proof.nothing": Message("nothing"),
    "proof.misfit": Message("not verified: {where} is {says}, and should be {should}"),
    "proof.mixed": Message(
        "Mixed into the next shuffle, in your name: {words:name}\n"
        "-# Until the hands are out you may change it. After the round, `/round show` shows it to everybody."
    ),
    "proof.mixed_with_a_bet": Message(
        "Mixed into the next shuffle, in your name, if you bet on it: {words:name}\n"
        "-# Until the hands are out you may change it. After the round, `/round show` shows it to everybody."
    ),
    "proof.mixed_into_dice": Message(
        "Mixed into the dice for the bank, in your name: {words:name}\n"
        "-# Words for the hands are taken once the dice are thrown. After the round, `/round show` shows all "
        "to everybody."
    ),
    "proof.none": Message(
        "Table {number:number} has no settled round {round:number}: it is still on, was called off, or never "
        "began."
    ),
    "proof.none_yet": Message(
        "Table {number:number} has no settled round yet; after its first showdown there is one to look at."
    ),
    "proof.no_table": Message(
        "There has been no table {number:number} in this server, or not in a channel that you see."
    ),
    "proof.which_table": Message(
        "No table is open in this channel: say which one you mean by the option `table`, with the number "
        "that stands on its board."
    ),
    "proof.exported": Message(
        "The file has the whole round: `gnau verify` checks it on your own computer, without this bot."
    ),
    "proof.rolled": Message(
        "**Dice for the bank**\n"
        "Seal, shown before they were thrown: `{seal}`\n"
        "Secret, shown after: `{secret}`"
    ),
    "proof.unsealed": Message("The shuffle of this round was not sealed, so there is nothing to verify."),
    "proof.what_stays": Message(
        "What the house could still do: throw secrets away until it likes one, before it shows a seal; or "
        "call a round off. Who can read its disk could know the secret while bets are open, and mix in last "
        "what suits him."
    ),
}
