"""The names of slash commands and their options, as members type them.

A name has 1 to 32 small letters, digits, `-` and `_`. `name.` and the command with dots, or `name.option.`
and the option.
"""

from typing import Final

from bot.words.catalogue.message import Message

COMMAND_NAMES: Final = {
    "name.bet": Message("bet"),
    "name.daily": Message("daily"),
    "name.give": Message("give"),
    "name.hand": Message("hand"),
    "name.help": Message("help"),
    "name.house": Message("house"),
    "name.house.bankroll": Message("bankroll"),
    "name.house.history": Message("history"),
    "name.house.preset": Message("preset"),
    "name.house.reset": Message("reset"),
    "name.house.set": Message("set"),
    "name.house.show": Message("show"),
    "name.language": Message("language"),
    "name.leaderboard": Message("leaderboard"),
    "name.learn": Message("learn"),
    "name.ledger": Message("ledger"),
    "name.play": Message("play"),
    "name.privacy": Message("privacy"),
    "name.privacy.erase": Message("erase"),
    "name.privacy.export": Message("export"),
    "name.privacy.show": Message("show"),
    "name.round": Message("round"),
    "name.round.show": Message("show"),
    "name.round.verify": Message("verify"),
    "name.rules": Message("rules"),
    "name.rules.show": Message("show"),
    "name.seed": Message("seed"),
    "name.table": Message("table"),
    "name.table.close": Message("close"),
    "name.table.list": Message("list"),
    "name.table.open": Message("open"),
    "name.wallet": Message("wallet"),
    "name.option.amount": Message("amount"),
    "name.option.chips": Message("chips"),
    "name.option.game": Message("game"),
    "name.option.rule": Message("rule"),
    "name.option.language": Message("language"),
    "name.option.member": Message("member"),
    "name.option.note": Message("note"),
    "name.option.of": Message("of"),
    "name.option.play": Message("play"),
    "name.option.preset": Message("preset"),
    "name.option.round": Message("round"),
    "name.option.table": Message("table"),
    "name.option.value": Message("value"),
    "name.option.words": Message("words"),
}
