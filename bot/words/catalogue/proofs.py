"""Messages about sealed shuffles, and the proof of a round."""

from typing import Final

from bot.words.catalogue.message import Message

PROOFS: Final = {
    "proof.sealed": Message("The next shuffle is sealed: `{seal}`"),
    "proof.was_sealed": Message("The shuffle of this round was sealed: `{seal}`"),
    "proof.opened": Message("Its secret was `{secret}`; `/round verify` proves the round."),
    "proof.revealed": Message(
        "Seal `{seal}` · secret `{secret}` · mixed in by {count:number} bettor",
        "Seal `{seal}` · secret `{secret}` · mixed in by {count:number} bettors",
        "count",
    ),
    "proof.verified": Message("verified: everything follows from the secret, the bettors and the rules"),
    "proof.nothing": Message("nothing"),
    "proof.misfit": Message("not verified: {where} is {says}, and should be {should}"),
    "proof.mixed": Message(
        "Your words are mixed into the next shuffle, and shown with its result: {words:name}"
    ),
    "proof.none": Message(
        "There is no settled round {round:number} of table {number:number} on record; a round can be shown "
        "once it is settled."
    ),
    "proof.no_table": Message("There has been no table {number:number} in this server."),
    "proof.exported": Message(
        "The file has all of it: whoever noted the seal before bets opened can prove the round without this "
        "bot, by `gnau verify` or by a program of his own."
    ),
    "proof.rolled": Message("Dice for the bank: seal `{seal}` · secret `{secret}`"),
    "proof.unsealed": Message("The shuffle of this round was not sealed, so there is nothing to verify."),
    "proof.what_stays": Message(
        "What the house could still do: choose when a secret is born, or not deal at all. Whoever can read "
        "its disk while bets are open could know the secret, and bet last with words that suit him."
    ),
}
