"""Messages about what is stored: the code of a server's books, and a member's own data."""

from typing import Final

from bot.words.catalogue.message import Message

BOOKS: Final = {
    "books.code": Message(
        "📒 This server's books at <t:{at}:f>: `{head}`, after {links:number} entry.\n"
        "-# Keep this code. If the books are changed later, it won't be in them.",
        "📒 This server's books at <t:{at}:f>: `{head}`, after {links:number} entries.\n"
        "-# Keep this code. If the books are changed later, it won't be in them.",
        "links",
    ),
}

PRIVACY: Final = {
    "privacy.title": Message("## What I store about you"),
    "privacy.server": Message("### {server:name}"),
    "privacy.identity": Message(
        "- Your Discord ID, your name **{name:name}** and your language `{locale}`: to show you at "
        "tables and to send you your hands."
    ),
    "privacy.chips": Message(
        "- Your chips: **{free:number}** free, **{held:number}** held at tables. Your score: **{points}**."
    ),
    "privacy.entries": Message(
        "- {count:number} line of your ledger: see `/ledger`.",
        "- {count:number} lines of your ledger: see `/ledger`.",
        "count",
    ),
    "privacy.words": Message(
        "- {count:number} text that you added with `/seed`: so that rounds can be verified.",
        "- {count:number} texts that you added with `/seed`: so that rounds can be verified.",
        "count",
    ),
    "privacy.house_changes": Message(
        "- {count:number} change that you made to the house rules: see `/house history`.",
        "- {count:number} changes that you made to the house rules: see `/house history`.",
        "count",
    ),
    "privacy.messages": Message("- The channel of your direct messages with me, and whether it is closed."),
    "privacy.rounds": Message(
        "- Your bets and hands in past rounds, under a random number. Only this entry links that number to "
        "you."
    ),
    "privacy.rights": Message(
        "-# `/privacy export` sends you all of it as a file. `/privacy erase` deletes it. Nothing is shared."
    ),
    "privacy.nothing": Message("I store nothing about you here."),
    "privacy.exported": Message("This is everything I store about you here. Only you can see this message."),
    "privacy.erase": Message(
        "**Erase your data{where}?** Your name, Discord ID and `/seed` words are deleted for good, "
        "and the house gets your {chips:chips}. Past rounds stay, with “Deleted member” as your "
        "name. If you play again within 90 days, you start without chips, and `/daily` gives none. "
        "You can't undo this."
    ),
    "privacy.in_server": Message(" in {server:name}"),
    "privacy.everywhere": Message(" in every server"),
    "privacy.erase_now": Message("Erase my data"),
    "privacy.keep": Message("Keep it"),
    "privacy.kept": Message("Nothing was erased."),
    "privacy.erased": Message(
        "Your data is erased, and {chips:chips} went to the house. If you play again within 90 days, "
        "you start without chips, and `/daily` gives none. Files of rounds that somebody saved "
        "earlier still have your data."
    ),
    "privacy.at_a_table": Message(
        "Leave table {tables} first, and take back your bets there. Then erase your data."
    ),
    "privacy.later": Message("Your data will be erased within an hour. Until then you can't play here."),
    "privacy.not_now": Message(
        "Your data can't be erased right now, and nothing has changed. Try again in a few minutes."
    ),
    "privacy.not_all": Message("In {server:name}: {why}"),
}
