"""Messages about chips: amounts of them, and why they moved."""

from typing import Final

from bot.words.catalogue.message import Message

AMOUNTS: Final = {
    "amount.chips": Message("{amount:number} chip", "{amount:number} chips", "amount"),
    "amount.gain": Message("+{amount:number}"),
    "amount.loss": Message("\N{MINUS SIGN}{amount:number}"),
    "amount.even": Message("±0"),
    "amount.part": Message("{part:percent}"),
}

REASONS: Final = {
    "reason.opening_chips": Message("Opening chips"),
    "reason.bet_held": Message("Held for a bet"),
    "reason.bank_held": Message("Held for the bank"),
    "reason.bet_returned": Message("Bet returned"),
    "reason.bank_returned": Message("Bank returned"),
    "reason.player_won": Message("Player beat the bank"),
    "reason.banker_won": Message("Bank beat the player"),
}
