"""The one message with which the bot greets a server."""

from typing import Final

from bot.words.catalogue.message import Message

WELCOME: Final = {
    "welcome.text": Message(
        "## 🐂 Ready to play?\n"
        "Play {games} here: five cards or tiles each, against one banker. Alone, you play the house.\n"
        "Chips are play money: never bought, never cashed out.\n"
        "New to it? `/learn` teaches you with five hands, and `/help` says what to do now."
    ),
    "welcome.button.open": Message("Open a table"),
    "welcome.button.house": Message("House rules"),
}
