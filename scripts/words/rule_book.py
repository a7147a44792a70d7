"""The rule book, docs/RULES.md: how hands rank, the presets and every knob, from their declarations.

`python -m scripts.words.rule_book > docs/RULES.md` renews it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from bot.games.contract import Game, RankedHands
from bot.games.house import UNCHANGED, scores_of
from bot.games.knobs import KNOBS, PRESETS, knob_of, knob_text
from bot.games.register import GAMES, game_of
from bot.games.settle import largest_multiple, ranked_hands
from bot.odds.odds import Odds, odds_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About, GameName, Knob
from bot.rules.server_settings import ROLE_SETTINGS
from bot.words.hands import row_of, why_words
from bot.words.rules import game_title
from bot.words.translation import sentences, translate, translated

COMMAND: Final = "python -m scripts.words.rule_book > docs/RULES.md"
_ABOUT: Final = {
    About.WORTH: ("What hands are worth and pay", "These change the odds."),
    About.ROUND: ("How a round goes", "These do not change the odds."),
    About.HOSTING: ("How tables are run", "A server sets these for all games at once."),
    About.CHIPS: ("Chips and the house bank", "These apply to the whole server, whatever is played."),
    About.SERVER: ("Channels, roles, language", "These too."),
    About.LOG: ("The log channel", "These too; only admins need them."),
    About.TABLE: (
        "What a table is opened for",
        "These follow from the command, `/table open` or `/tournament open`, and can't be set for a server.",
    ),
}
"""The heading of each part of the house rules, and a sentence about it."""
_NOT_PLAYED: Final = "–"
_PACKS: Final = {"card": "deck", "tile": "woodpile"}
_FINE_POINTS: Final = (
    (
        "A hand that needs no ox counts, whatever its player declares (B04). Under `strict`, three that "
        "are not an ox make it a hand without one. In a declared ox too, a 3, a 6 or a wild tile counts "
        "as whatever is best."
    ),
    (
        "`suited_bonus` doubles only hands with an ox, and never changes how they rank (G21). Of equal "
        "ways to arrange a hand, one that pays double counts; a backed hand must not give that up (B08)."
    ),
    "Gnau: `tonku_tens` needs `ngau_tonku` (G10).",
    (
        "Tau Ngau: no discard against no discard is a push, even where the banker wins ties (T07). With "
        "`wild_in_score` off, 4‑2 scores 6 and 2‑1 scores 3 (T08)."
    ),
    (
        "Niu Niu: the highest card decides between equal Bombs and Five Small too (N09). Where the banker "
        "wins ties, that includes No Niu, at its multiple (N10)."
    ),
    (
        "A bank that comes to a player, by dice or because it passes on, waits for a press of theirs for the "
        "whole time to bet. Without one, nothing is dealt: all bets go back, and the bank is free (T03, "
        "B05). Who does nothing for three rounds in a row loses their seat or the bank. Who gives up the "
        "bank does not bank the next round, whatever their hand or the dice: until the next deal they roll "
        "only if they press *Roll for the bank* themselves."
    ),
    (
        "The house as banker plays even a single member, in Tau Ngau too; it deals as soon as everybody "
        "has bet, and reveals at once (B07). Anybody may take the bank from it or, where the bank passes "
        "on, after a round that passes it (T10); not with `house_bank` at `only`."
    ),
    (
        "Computer players (`computer_players`) sit where a member does, and leave a seat free (B07); "
        "at a table of a tournament, where nobody joins, they leave none. They "
        "bet at once against a member who banks, and against the house while a member has bet: computer 2 "
        "bets twice the lowest bet, at most `house_highest`, as far as house and bank cover it. Against a "
        "member, they bet only what leaves the house enough chips for a bet of `house_highest` elsewhere, "
        "unless `house_bank` is `off`. If the bank is short, they take their bets back to make room for a "
        "member's (B02). They reveal at once, and never bank. In Tau Ngau they count as players, but "
        "never roll (T02). The bank skips them (T10): a banker who plays only them keeps it."
    ),
)


def rule_book() -> str:
    """The whole book, as Markdown that ends with a line break."""
    return "\n\n".join(_blocks()) + "\n"


def _blocks() -> Iterator[str]:
    yield "# The rules"
    yield (
        "This page is generated from the declarations in `bot/games`, which the bot plays by; a test "
        f"compares the two. After a change there, run `{COMMAND}`."
    )
    yield (
        "A clause such as G07 or T07 is a rule of one game, one such as B01 a rule of every table. The tests "
        "that prove a clause have it in their names (`test_g07_…`)."
    )
    for game in GAMES.values():
        yield from _game(game)
    yield "## Fine points"
    yield "\n".join(f"- {point}" for point in _FINE_POINTS)
    yield "## Luck"
    yield _LUCK
    yield "## Presets"
    yield (
        "`/house preset` chooses a preset for its game, `/house set` changes a single rule. A – "
        "marks a rule that the game does not have. Presets do not say how tables are run."
    )
    yield _presets()
    yield "## House rules"
    yield (
        "Everything that `/house set` can change. The default is what the game's default preset has; "
        "the other presets are above."
    )
    for about, (heading, intro) in _ABOUT.items():
        yield f"### {heading}"
        yield intro
        yield _knobs(about)


_LUCK: Final = """\
Luck compares what somebody's bets brought with what exactly these bets were expected to bring.

- The expectation and the variance of each bet come from the exact odds of its round: its rules, and the
  decks that were in play.
- A bet counts by its size: luck is all chips won beyond expectation, over the square root of all variance.
  These are standard deviations. By chance alone, 95 in 100 people are between 1.96 below and 1.96 above.
- All bets of a round meet the same banker's hand, and so win and lose together. For a bank, and for who
  backs several hands, that covariance counts too, counted over every hand of the banker.
- `/leaderboard` by luck also tells it of a server: of all its players together, house and computer players
  too, and of all its banks, which is the same with the opposite sign. It says whether the cards of a server
  come as they should.
- It is told from 30 rounds on. How many in 100 people somebody is luckier than is read from the normal curve:
  near enough after some hundred rounds of similar bets, rougher before, and where a few bets are much larger
  than all others.
- Rounds in which members arrange their own hands (`arrange` is not `automatic`) do not count, because a
  mistake is no bad luck. Nor do rounds for points, and those in which somebody has more than 100,000,000
  chips at stake.
- With `suited_bonus`, the covariance is not known: a round does not count for who has chips on several
  hands, nor for the server if there are several.
- No other decision comes after the cards: bets close before the deal. When to stop is a choice, though: who
  leaves while ahead looks luckier than they were."""


def _game(game: Game[Any, Any]) -> Iterator[str]:
    """How a game goes, how its hands rank, and an example."""
    name = game.default_preset
    standard, pieces = PRESETS[name], tuple(game.example)
    yield f"## {game_title(game.name)}"
    yield f"Unless a server chooses otherwise, it plays the preset `{name}`:"
    yield sentences(_play(standard))
    yield "### How hands rank"
    odds = odds_of(standard)
    yield (
        f"Strongest first. The column *hands* counts how many of the {odds.hands:,} hands of one "
        f"{_PACKS[game.pieces.name]} are of this kind under `{name}`; the columns after it say what such a "
        "hand wins, as a multiple of the bet or in points."
    )
    yield _ranks({preset: PRESETS[preset] for preset in game.presets}, odds)
    if scores_of(game.name):
        yield (
            f"A table for points pays as in the preset `{game.scoring_preset}`, whatever the server has set "
            "(G19)."
        )
    yield "### Every way to arrange a hand"
    yield f"What {row_of(pieces, game.name)} can be called under the preset `{name}`; the first one counts:"
    yield why_words(pieces, standard)


def _play(rules: HouseRules) -> Iterator[str]:
    """How a round goes under these rules, sentence by sentence."""
    display = game_of(rules).display
    who_plays, *others = display.how_to_play(rules)
    yield from map(translated, (who_plays, display.what_is_ox(rules), *others))
    yield translated(display.ties(rules))
    yield translate(f"rules.arrange.{rules.game}.{rules.arrange}")
    yield translate(f"rules.bank.{rules.game}.{rules.bank_passes}")
    yield translate("rules.held", most=largest_multiple(rules))


def _ranks(presets: Mapping[str, HouseRules], odds: Odds) -> str:
    """One row for each class of hands; names the presets that define it differently from the first."""
    what: dict[str, dict[str, str]] = {}
    wins: dict[str, dict[str, int]] = {}
    hands: dict[str, str] = {}
    for preset, rules in presets.items():
        for row in ranked_hands(rules):
            name = translated(row.title)
            what.setdefault(name, {}).setdefault(translated(row.takes), preset)
            wins.setdefault(name, {})[preset] = row.multiple
            hands.setdefault(name, f"{_count(row, odds):,}")
    head = ["hand", "what it takes", "hands", *map(_code, presets)]
    rows = (
        [name, _takes(what[name]), hands[name], *(_won(wins[name].get(preset)) for preset in presets)]
        for name in what
    )
    return _table(head, rows)


def _count(row: RankedHands, odds: Odds) -> int:
    """How many hands a row is about."""
    return sum(
        one.hands for one in odds.classes if one.hand_class is row.hand_class and one.value in row.values
    )


def _takes(wordings: Mapping[str, str]) -> str:
    """What a hand takes, each text with the first preset that has it."""
    standard, *others = wordings
    named = (f"(`{wordings[other]}`: {other})" for other in others)
    return " ".join([standard, *named])


def _won(multiple: int | None) -> str:
    if multiple is None:
        return _NOT_PLAYED
    return str(multiple or "nothing")


def _presets() -> str:
    head = ["rule", *(f"`{name}` ({game_title(rules.game)})" for name, rules in PRESETS.items())]
    rows = (
        [_code(knob.name), *(_in_preset(knob, rules) for rules in PRESETS.values())]
        for knob in KNOBS.values()
        if knob.about in (About.WORTH, About.ROUND)
    )
    return _table(head, rows)


def _in_preset(knob: Knob, rules: HouseRules) -> str:
    if rules.game not in knob.games:
        return _NOT_PLAYED
    return knob_text(getattr(rules, knob.name), knob.empty)


def _knobs(about: About) -> str:
    """A row for each knob; several if games declare it differently."""
    head = ["rule", "games", "clause", "default", "values", "what it does"]
    rows: dict[tuple[str, ...], list[GameName]] = {}
    for knob in KNOBS.values():
        for game in knob.games if knob.about is about else ():
            own = knob_of(knob.name, game)
            default = knob_text(getattr(UNCHANGED.defaults(own, game), knob.name), own.empty)
            row = _code(own.name), own.clause, _code(default), _bounds(own), own.description
            rows.setdefault(row, []).append(game)
    return _table(
        head, ([name, ", ".join(map(game_title, games)), *cells] for (name, *cells), games in rows.items())
    )


def _bounds(knob: Knob) -> str:
    if knob.least is not None and knob.most is not None:
        return f"{knob.least:,} to {knob.most:,}"
    if knob.name in ROLE_SETTINGS:
        return f"the mention of a role, or `{knob.empty}`"
    if knob.kind == "text":
        return f"a text, or `{knob.empty}`"
    if knob.kind == "channels":
        channels = "a channel" if knob.most == 1 else f"up to {knob.most} channels"
        return f"{channels}, or `{knob.empty}`"
    return ", ".join(map(_code, knob.choices or (knob_text(True), knob_text(False))))


def _code(text: str) -> str:
    return f"`{text}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(rule_book())
