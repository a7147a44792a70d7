"""Messages about knobs: what each does, the names of its values, and of games and presets."""

from typing import Final

from bot.games.knob_list import KNOBS as DECLARED
from bot.games.knob_list import knobs_of
from bot.games.register import GAMES
from bot.words.catalogue.message import Message

NAMES: Final = {
    "preset.none": Message("House rules"),
}

SETTINGS: Final = {
    "setting.on": Message("on"),
    "setting.off": Message("off"),
    "setting.number": Message("{setting:number}"),
    "setting.number_off": Message("off"),
    "setting.channel": Message("<#{channel}>"),
    "setting.channels_all": Message("all"),
    "setting.channels_off": Message("off"),
    "setting.channels_counted": Message("{count:number} channel", "{count:number} channels", "count"),
    "setting.play.chips": Message("chips"),
    "setting.play.points": Message("points"),
    "setting.ties.banker": Message("banker"),
    "setting.ties.push": Message("nobody"),
    "setting.suited_bonus.off": Message("off"),
    "setting.suited_bonus.ox": Message("the three cards of the ox"),
    "setting.suited_bonus.power": Message("the two power cards"),
    "setting.suited_bonus.five": Message("all five cards"),
    "setting.bank_passes.stays": Message("never"),
    "setting.bank_passes.every-round": Message("after every round"),
    "setting.bank_passes.after-ox": Message("after the banker's ox"),
    "setting.bank_passes.after-no-ox": Message("after a banker's No Ox"),
    "setting.house_bank.off": Message("never"),
    "setting.house_bank.when-nobody-banks": Message("when nobody else banks"),
    "setting.house_bank.only": Message("always"),
    "setting.arrange.automatic": Message("the bot"),
    "setting.arrange.assisted": Message("you, assisted"),
    "setting.arrange.strict": Message("you, mistakes count"),
    "setting.language.auto": Message("as in Discord"),
    "setting.language.en": Message("English"),
    "setting.language.zh-cn": Message("简体中文"),
    "setting.language.zh-tw": Message("繁體中文"),
    "setting.language.ms": Message("Bahasa Melayu"),
    "setting.language.de": Message("Deutsch"),
    "setting.language.ja": Message("日本語"),
    "setting.text_chips": Message("chips"),
    "setting.text_none": Message("none"),
    "setting.direction.clockwise": Message("clockwise"),
    "setting.direction.counter-clockwise": Message("counter-clockwise"),
    "setting.dealing.messages": Message("by direct message"),
    "setting.dealing.my-hand": Message("only with My hand"),
}
"""The names of values: by knob and choice, and by game where a game has its own word."""

KNOBS: Final = {
    **{f"knob.{name}": Message(knob.description) for name, knob in DECLARED.items()},
    **{
        f"knob.{knob.name}.{game}": Message(knob.description)
        for game in GAMES
        for knob in knobs_of(game)
        if knob.description != DECLARED[knob.name].description
    },
}
"""What each knob does, in the words of its declaration: by knob, and by game where that has its own words."""
