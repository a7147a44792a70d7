"""Sentences about hands: their names, their pieces, and every way to arrange them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from bot.games.hands import arrangements, counted, counts, evaluate, is_ox, odd_counts, totals
from bot.games.register import GAMES, game_of
from bot.games.settle import ranked_as, ranked_hands
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Play
from bot.rules.pieces import OX_SIZE, Hand, HandRank, Piece
from bot.words.translation import either, sentences, translate, translated

_Split = tuple[tuple[Piece, ...], tuple[Piece, ...]]
"""Ox and power, each sorted: ways that differ only in the order of equal pieces are one way."""

_ROUND: Final = 10
"""An ox totals a multiple of this (G05, T05)."""


def hand_name(hand: Hand) -> str:
    """The name of a hand: `Five Dukes`, `Double-Ox K`, `Ox of 10`, `Nenku (Ox of 1)`, `Score 8`."""
    name = rank_name(hand.rank, hand.game)
    return translate("hand.suited", hand=name) if hand.suited else name


def name_against(hand: Hand, other: Hand, *, briefly: bool = False) -> str:
    """The name of a hand that is settled against another one: with its highest piece if that decides."""
    if hand.high is None or hand.strength != other.strength:
        return hand_name(hand)
    code = "hand.high_piece" if briefly else "hand.high"
    return translate(code, hand=hand_name(hand), piece=row_of((hand.high,), hand.game))


def rank_name(rank: HandRank, game: GameName) -> str:
    """The name of a rank, as `hand_name`."""
    return translated(GAMES[game].display.hand_name(rank))


def hand_words(hand: Hand) -> str:
    """The five pieces, split into ox and power if there is an ox: `6♠ 8♦ A♣ + 8♥ 8♠`, `[6‑4] [5‑5] … + …`."""
    if not hand.ox:
        return row_of(hand.pieces, hand.game)
    return translate("hand.split", ox=row_of(hand.ox, hand.game), power=row_of(hand.power, hand.game))


def my_hand(game: GameName) -> str:
    """The label of *My hand*: some languages have one word for a hand of cards, another for tiles."""
    return translate(f"button.hand.{GAMES[game].pieces.name}")


def row_of(pieces: tuple[Piece, ...], game: GameName) -> str:
    """Pieces of a game in a row, with spaces between."""
    return " ".join(map(GAMES[game].pieces.shown, pieces))


def rule_words(hand: Hand, rules: HouseRules, brought: str = "") -> str:
    """Why a hand has its name, and what it can win: `The two left are K♦ 7♠, 10 + 7 = 17: **Ox of 7**. …`.

    Args:
        brought: a sentence about what it has brought, in place of what it can win.
    """
    if power := _points(counts(hand, rules)[OX_SIZE:]):
        code = "why.left_total"
    elif len(set(map(game_of(rules).face, hand.power))) == 1:
        code = "why.left_pair"
    else:
        code = "why.left_rule" if hand.ox else "why.whole"
        if hand.rank == game_of(rules).no_ox != evaluate(hand.pieces, rules).rank:
            code = "why.wrong_choice"
    made = translate(
        code,
        power=row_of(hand.power, hand.game),
        sum=_sum(power),
        name=hand_name(hand),
        what=translated(ranked_as(hand.rank, rules).takes),
    )
    return sentences([made, brought or _pays(hand, rules)])


def _pays(hand: Hand, rules: HouseRules) -> str:
    """What a hand can win."""
    if not hand.multiple:
        return translate("why.pays_nothing")
    return translate("why.pays_points" if rules.play is Play.POINTS else "why.pays", times=hand.multiple)


def teaching_words(hand: Hand, rules: HouseRules) -> list[str]:
    """What a hand is, step by step, for a beginner who sees what each piece counts."""
    lines = list(_ox_lines(hand, rules))
    if power := _points(counts(hand, rules)[OX_SIZE:]):
        # A 0 is the best number, but in Tau Ngau the lowest score.
        is_best = sum(power) % _ROUND == 0 and hand.rank.value
        code = "learn.rest_best" if is_best else "learn.rest"
        return [*lines, translate(code, sum=_sum(power), name=hand_name(hand)), _pays(hand, rules)]
    if not hand.ox and hand.rank != game_of(rules).no_ox:
        lines.append(translate("learn.whole"))
    return [*lines, rule_words(hand, rules)]


def meaning_lines(ranks: Sequence[HandRank], rules: HouseRules) -> list[str]:
    """What those of these hands are that win more than others: their names say little to a beginner."""
    every = ranked_hands(rules)
    least = min(row.multiple for row in every if row.multiple)
    asked = [ranked_as(rank, rules) for rank in ranks]
    return [
        translate("learn.means", name=translated(row.title), what=translated(row.takes))
        for row in every
        if row in asked and row.multiple > least
    ]


def explanation(hand: Hand, rules: HouseRules, brought: str = "") -> list[str]:
    """Why a hand is what it is, line by line; then every way to arrange it, if there are several.

    Of a hand without an ox it lists what every three total.

    Args:
        brought: a sentence about what it has brought, once its round is over.
    """
    rule = rule_words(hand, rules, brought)
    ways = why_words(hand.pieces, rules).splitlines()
    splits = {(tuple(sorted(way.ox)), tuple(sorted(way.power))) for way in arrangements(hand.pieces, rules)}
    if splits != {(tuple(sorted(hand.ox)), tuple(sorted(hand.power)))}:
        return [*_odd_lines(hand, rules), rule, translate("learn.ways"), *ways]
    # The line of the only way would say the same again.
    return [*_ox_lines(hand, rules), rule, *ways[1:]]


def _ox_lines(hand: Hand, rules: HouseRules) -> Iterator[str]:
    """What three pieces make the ox, and what counts otherwise than it looks; nothing without an ox."""
    if not hand.ox:
        return
    ox = _points(counts(hand, rules)[:OX_SIZE])
    yield translate(f"learn.ox.{hand.game}", sum=_sum(ox)) if ox else _way(hand, rules)
    yield from _odd_lines(hand, rules)


def _odd_lines(hand: Hand, rules: HouseRules) -> Iterator[str]:
    """What counts otherwise than it looks."""
    if not hand.ox:
        return
    kind = GAMES[hand.game].pieces
    for piece, count in zip(hand.ox + hand.power, odd_counts(hand, rules), strict=False):
        if count is not None:
            yield translate(f"learn.odd.{kind.name}", piece=kind.shown(piece), count=count)


def _points(counted: Sequence[int | None]) -> list[int]:
    """What pieces count together; nothing where they count nothing, as two of a double do (G11)."""
    return [count for count in counted if count is not None]


def _sum(numbers: Sequence[int]) -> str:
    """A sum written out: `10 + 7 = 17`."""
    return f"{' + '.join(map(str, numbers))} = {sum(numbers)}"


def why_words(pieces: Sequence[Piece], rules: HouseRules) -> str:
    """Every way to arrange five pieces that the rules allow, strongest first, with what each is worth.

    Arrangements that are worth the same share a line. A hand without an ox lists what every three total.

    Returns:
        Discord markdown, at most 3,500 characters.
    """
    counts = hand_name(evaluate(pieces, rules))
    ranked = sorted(
        arrangements(pieces, rules),
        # Nenku ties with any other Ox of 1 (G11): the name that counts comes first.
        key=lambda hand: (hand.strength, hand.multiple, hand_name(hand) == counts),
        reverse=True,
    )
    ways: dict[tuple[str, int], dict[_Split, str]] = {}
    for hand in ranked:
        split = tuple(sorted(hand.ox)), tuple(sorted(hand.power))
        ways.setdefault((hand_name(hand), hand.multiple), {}).setdefault(split, _way(hand, rules))
    lines: list[str] = []
    for place, ((name, multiple), merged) in enumerate(ways.items(), start=1):
        lines += _lines(_worth(place, name, multiple, rules), list(merged.values()))
    if ranked[0].rank == game_of(rules).no_ox:
        threes = {tuple(sorted(three)): three for three in combinations(pieces, OX_SIZE)}
        lines += [translate("why.no_three"), *(_total_words(three, rules) for three in threes.values())]
    if ranked[0].high is not None:
        lines.append(translate("why.high", piece=row_of((ranked[0].high,), rules.game)))
    return "\n".join(lines)


def why_no_ox_words(three: Sequence[Piece], rules: HouseRules, *, only_total: bool = False) -> str:
    """Why three pieces are no ox, or no discard: `7♠ 8♦ 3♣ total 18 or 21: not a multiple of 10, …`.

    Args:
        only_total: whether the reader has not learned yet what else is an ox.

    Raises:
        ValueError: they are one.
    """
    if is_ox(three, rules):
        raise ValueError(f"{row_of(tuple(three), rules.game)} are an ox")
    return translate(
        "why.wrong" if only_total else game_of(rules).display.why_no_ox(rules),
        three=row_of(tuple(three), rules.game),
        totals=either([str(total) for total in totals(three, rules)]),
    )


def _total_words(three: Sequence[Piece], rules: HouseRules) -> str:
    """What three pieces total, on a line of its own."""
    counted = either([str(total) for total in totals(three, rules)])
    return translate("why.three", three=row_of(tuple(three), rules.game), totals=counted)


def _worth(place: int, name: str, multiple: int, rules: HouseRules) -> str:
    won = "why.points" if rules.play is Play.POINTS else "why.stakes"
    return translate(won if multiple else "why.nothing", place=place, name=name, multiple=multiple)


def _lines(worth: str, ways: list[str]) -> list[str]:
    if len(ways) == 1:
        return [translate("why.one_way", worth=worth, way=ways[0])]
    return [translate("why.several_ways", worth=worth), *(translate("why.way", way=way) for way in ways)]


def _way(hand: Hand, rules: HouseRules) -> str:
    """Why a hand has its name."""
    if not hand.ox:
        return translated(ranked_as(hand.rank, rules).takes)
    power = _power_row(hand, rules)
    total = next((total for total in totals(hand.ox, rules) if total % _ROUND == 0), None)
    if total is None:
        return translate("why.one_rank", ox=row_of(hand.ox, hand.game), power=power)
    return translate("why.totals", ox=_counted_row(hand.ox, rules, total), total=total, power=power)


def _power_row(hand: Hand, rules: HouseRules) -> str:
    """The two pieces beside an ox, with what they count where it is not what they look like: `9♣ 3♥(6)`."""
    shown = game_of(rules).pieces.shown
    return " ".join(
        shown(piece) if count is None else f"{shown(piece)}({count})"
        for piece, count in zip(hand.power, odd_counts(hand, rules)[OX_SIZE:], strict=False)
    )


def _counted_row(ox: tuple[Piece, ...], rules: HouseRules, total: int) -> str:
    """Pieces in a row, with what they count where that is not plain: `10♣ 4♠ 3♠(6)`, `[2‑1](6)`."""
    shown = game_of(rules).pieces.shown
    return " ".join(
        shown(piece) if value is None else f"{shown(piece)}({value})"
        for piece, value in zip(ox, counted(ox, rules, total), strict=True)
    )
