"""Messages about knobs: what each does, what its values are called, and the names of games and presets."""

from typing import Final

from bot.rules.knob_list import KNOBS as DECLARED
from bot.words.catalogue.message import Message

NAMES: Final = {
    "game.gnau": Message("Gnau"),
    "game.tau-ngau": Message("Tau Ngau"),
    "preset.wikipedia": Message("Wikipedia"),
    "preset.points": Message("Points"),
    "preset.lodige": Message("Lodige"),
    "preset.tau-ngau": Message("Tau Ngau"),
    "preset.none": Message("House rules"),
}

SETTINGS: Final = {
    "setting.on": Message("on"),
    "setting.off": Message("off"),
    "setting.number": Message("{setting:number}"),
    "setting.channel": Message("<#{channel}>"),
    "setting.every_channel": Message("all"),
    "setting.play.chips": Message("chips"),
    "setting.play.points": Message("points"),
    "setting.ties.banker": Message("banker"),
    "setting.ties.push": Message("nobody"),
    "setting.suited_bonus.off": Message("off"),
    "setting.suited_bonus.ox": Message("the three of the ox"),
    "setting.suited_bonus.power": Message("the two power cards"),
    "setting.suited_bonus.five": Message("all five cards"),
    "setting.bank_passes.stays": Message("never"),
    "setting.bank_passes.every-round": Message("after every round"),
    "setting.bank_passes.after-ox": Message("after the banker's ox"),
    "setting.bank_passes.after-ox.tau-ngau": Message("after the banker's discard"),
    "setting.bank_passes.after-no-ox": Message("after a banker's hand without ox"),
    "setting.bank_passes.after-no-ox.tau-ngau": Message("after a banker's hand without discard"),
    "setting.arrange.automatic": Message("the bot"),
    "setting.arrange.assisted": Message("you, assisted"),
    "setting.arrange.strict": Message("you, strictly"),
    "setting.direction.clockwise": Message("clockwise"),
    "setting.direction.counter-clockwise": Message("counter-clockwise"),
    "setting.dealing.messages": Message("by direct message"),
    "setting.dealing.my-hand": Message("behind My hand alone"),
}
"""What values are called: a choice by its knob and itself, and by a game that has its own words for it."""

KNOBS: Final = {f"knob.{knob.name}": Message(knob.description) for knob in DECLARED.values()}
"""What a knob does is said where the knob is declared."""
