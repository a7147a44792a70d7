"""Messages about the bankroll of the house, which can bank (B07)."""

from typing import Final

from bot.words.catalogue.message import Message

HOUSE_BANK: Final = {
    "bankroll.has": Message("The house banks with {chips:chips}."),
    "bankroll.has_held": Message(
        "The house banks with {chips:chips}: {free:number} free, and {held:number} held at tables."
    ),
    "bankroll.still_held": Message(
        "The house keeps {held:chips}, held at tables. Set the bankroll again after the round."
    ),
    "bankroll.out": Message(
        "The house is out of chips: {free:chips} free, {held:number} held. Set a new amount with `{command}`."
    ),
}
