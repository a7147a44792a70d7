"""Messages of the rule book, which is a document and not a message to a member."""

from typing import Final

from bot.words.catalogue.message import Message

RULE_BOOK: Final = {
    "book.title": Message("# The rules"),
    "book.origin": Message(
        "This page is generated from the declarations in `bot/games`, which the bot plays by; a test "
        "compares the two. After a change there, run `{command}`."
    ),
    "book.clauses": Message(
        "A clause such as G07 or T07 is a rule of one game, one such as B01 a rule of every table. The tests "
        "that prove a clause have it in their names (`test_g07_…`)."
    ),
    "book.game": Message("## {game}"),
    "book.default_preset": Message("Unless a server chooses otherwise, it plays the preset `{preset}`:"),
    "book.ranks": Message("### How hands rank"),
    "book.ranks_intro": Message(
        "Strongest first. The column *hands* counts how many of the {hands:number} hands of one "
        "{pack} are of this kind under `{preset}`; the columns after it say what such a hand wins, "
        "as a multiple of the bet or in points."
    ),
    "book.pack.card": Message("deck"),
    "book.pack.tile": Message("woodpile"),
    "book.count": Message("{hands:number}"),
    "book.hands": Message("hands"),
    "book.points": Message(
        "A table for points pays as in the preset `{preset}`, whatever the server has set (G19)."
    ),
    "book.example": Message("### Every way to arrange a hand"),
    "book.example_intro": Message(
        "What {pieces} can be called under the preset `{preset}`; the first one counts:"
    ),
    "book.hand": Message("hand"),
    "book.takes": Message("what it takes"),
    "book.takes_otherwise": Message("(`{preset}`: {what})"),
    "book.not_played": Message("–"),
    "book.nothing": Message("nothing"),
    "book.fine_points": Message("## Fine points"),
    "book.fine.declared": Message(
        "- A hand that needs no ox counts, whatever its player declares (B04). Under `strict`, three "
        "that are not an ox make it a hand without one. In a declared ox too, a 3, a 6 or a wild "
        "tile counts as whatever is best."
    ),
    "book.fine.suited": Message(
        "- `suited_bonus` doubles only hands with an ox, and never changes how they rank (G21). Of equal "
        "ways to arrange a hand, one that pays double counts; a backed hand must not give that up (B08)."
    ),
    "book.fine.tonku": Message("- Gnau: `tonku_tens` needs `ngau_tonku` (G10)."),
    "book.fine.stuck": Message(
        "- Tau Ngau: no discard against no discard is a push, even where the banker wins ties (T07). "
        "With `wild_in_score` off, 4‑2 scores 6 and 2‑1 scores 3 (T08)."
    ),
    "book.fine.niu": Message(
        "- Niu Niu: the highest card decides between equal Bombs and Five Small too (N09). Where the banker "
        "wins ties, that includes No Niu, at its multiple (N10)."
    ),
    "book.fine.house": Message(
        "- The house as banker plays even a single member, in Tau Ngau too; it deals as soon as "
        "everybody has bet, and reveals at once (B07). Anybody may take the bank from it or, where "
        "the bank passes on, after a round that passes it (T10); not with `house_bank` at `only`."
    ),
    "book.fine.computers": Message(
        "- Computer players (`computer_players`) sit where a member does, and leave a seat free "
        "(B07). They bet at once against a member who banks, and against the house while a member "
        "has bet: computer 2 bets twice the lowest bet, at most `house_highest`, as far as house and "
        "bank cover it. Against a member, they bet only what leaves the house enough chips for a bet "
        "of `house_highest` elsewhere, unless `house_bank` is `off`. If the bank is short, they take "
        "their bets back to make room for a member's (B02). They reveal at once, and never bank. In "
        "Tau Ngau they count as players, but never roll (T02). The bank skips them (T10): a banker "
        "who plays only them keeps it."
    ),
    "book.presets": Message("## Presets"),
    "book.presets_intro": Message(
        "`/house preset` chooses a preset for its game, `/house set` changes a single rule. A – "
        "marks a rule that the game does not have. Presets do not say how tables are run."
    ),
    "book.preset_column": Message("`{preset}` ({game})"),
    "book.knobs": Message("## House rules"),
    "book.knobs_intro": Message(
        "Everything that `/house set` can change. The default is what the game's default preset has; "
        "the other presets are above."
    ),
    "book.about.worth": Message("### What hands are worth and pay"),
    "book.about.round": Message("### How a round goes"),
    "book.about.hosting": Message("### How tables are run"),
    "book.about.server": Message("### The server"),
    "book.about.table": Message("### What a table is opened for"),
    "book.about_intro.worth": Message("These change the odds."),
    "book.about_intro.round": Message("These do not change the odds."),
    "book.about_intro.hosting": Message("A server sets these for all games at once."),
    "book.about_intro.server": Message("These apply to the whole server, whatever is played."),
    "book.about_intro.table": Message("These are chosen with `/table open`, and can't be set for a server."),
    "book.knob": Message("rule"),
    "book.games": Message("games"),
    "book.clause": Message("clause"),
    "book.default": Message("default"),
    "book.bounds": Message("values"),
    "book.what": Message("what it does"),
    "book.code": Message("`{text}`"),
    "book.numbers": Message("{least:number} to {most:number}"),
    "book.text": Message("a text, or `{empty}`"),
    "book.channels": Message("a channel, or `{empty}`", "up to {most:number} channels, or `{empty}`", "most"),
}
