"""Sentences about hands: their names, their pieces, and every way to arrange them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from bot.games.contract import RankedHands
from bot.games.hands import arrangements, counts, evaluate, is_ox, odd_counts, totals
from bot.games.register import GAMES, game_of
from bot.games.settle import largest_multiple, ranked_as, ranked_hands
from bot.odds.last_piece import Hope, Outlook
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Play
from bot.rules.pieces import OX_SIZE, Hand, HandRank, Piece
from bot.rules.tiles import TILES, WILD
from bot.words.translation import NO_BREAK, either, sentences, translate, translated

_Arranged = tuple[str, int, tuple[Piece, ...], tuple[Piece, ...]]
"""Name, multiple, and the faces of ox and power: which of two jacks is where makes no other way."""

_ROUND: Final = 10
"""An ox totals a multiple of this (G05, T05)."""


def hand_name(hand: Hand) -> str:
    """The name of a hand: `Five Dukes`, `Double-Ox K`, `Ox of 10`, `Nenku (Ox of 1)`, `Score 8`."""
    name = rank_name(hand.rank, hand.game)
    return translate("hand.suited", hand=name) if hand.suited else name


def name_against(hand: Hand, other: Hand, *, briefly: bool = False) -> str:
    """The name of a hand that is settled against another one: with its highest piece if that decides."""
    name = hand_name(hand)
    if hand.high is None or hand.strength != other.strength:
        return name
    piece = row_of((hand.high,), hand.game)
    return f"{name}{NO_BREAK}{piece}" if briefly else translate("hand.high", hand=name, piece=piece)


def suit_words(hand: Hand, other: Hand) -> str:
    """Which suit beats which, if nothing but the suits of their highest cards decides between two hands."""
    rank_of = GAMES[hand.game].pieces.shown_rank
    if rank_of is None or hand.high is None or other.high is None or hand.strength != other.strength:
        return ""
    if hand.high == other.high or rank_of(hand.high) != rank_of(other.high):
        return ""
    weaker, stronger = (
        row_of((high,), hand.game).removeprefix(rank_of(high))
        for _, high in sorted((one.tie_break, one.high) for one in (hand, other) if one.high is not None)
    )
    return translate("hand.suit_decides", suit=stronger, other=weaker)


def rank_name(rank: HandRank, game: GameName) -> str:
    """The name of a rank, as `hand_name`."""
    return translated(GAMES[game].display.hand_name(rank))


def hand_words(hand: Hand, rules: HouseRules | None = None) -> str:
    """The five pieces, split into ox and power if there is an ox: `6♠ 8♦ A♣ + 8♥ 8♠`, `[6‑4] [5‑5] … + …`.

    Args:
        rules: under these, a piece has what it counts beside it if that is not what it looks like: `3♠(6)`.
    """
    if not hand.ox:
        return row_of(hand.pieces, hand.game)
    if rules is None:
        ox, power = row_of(hand.ox, hand.game), row_of(hand.power, hand.game)
    else:
        odd = odd_counts(hand, rules)
        ox = _counted_row(hand.ox, odd[:OX_SIZE], rules)
        power = _counted_row(hand.power, odd[OX_SIZE:], rules)
    return translate("hand.split", ox=ox, power=power)


def my_hand(game: GameName) -> str:
    """The label of *My hand*: some languages have one word for a hand of cards, another for tiles."""
    return translate(f"button.hand.{GAMES[game].pieces.name}")


def row_of(pieces: tuple[Piece, ...], game: GameName) -> str:
    """Pieces of a game in a row, with spaces between; a line may break between emojis, whatever is there."""
    return " ".join(map(GAMES[game].pieces.shown, pieces))


_BELOW_NAME: Final = {
    "why.left_total": "why.two_left",
    "why.left_pair": "why.two_alike",
    "why.left_rule": "why.rule",
    "why.whole": "why.rule",
}
"""What makes a hand, in fewer words where its name stands above."""


def rule_words(hand: Hand, rules: HouseRules, *, named: bool = False) -> str:
    """Why a hand has its name, and what it can win: `The two left are K♦ 7♠, 10 + 7 = 17: **Ox of 7**. …`.

    Args:
        named: whether its name, and what it can win or has brought, stand above already.
    """
    if power := _points(counts(hand, rules)[OX_SIZE:]):
        code = "why.left_total"
    elif _leaves_pair(hand, rules):
        code = "why.left_pair"
    else:
        code = "why.left_rule" if hand.ox else "why.whole"
        if _is_wrong_choice(hand, rules):
            code = "why.wrong_choice"
    made = translate(
        _BELOW_NAME.get(code, code) if named else code,
        power=row_of(hand.power, hand.game),
        sum=_scored(power, hand),
        name=hand_name(hand),
        what=translated(ranked_as(hand.rank, rules).takes),
    )
    lowest = translate("why.lowest_score") if _ends_lowest(hand, power) else ""
    return sentences([made, _last_digit(power, hand), lowest, "" if named else _pays(hand, rules)])


def power_sum(hand: Hand, rules: HouseRules) -> str:
    """What the two pieces beside an ox add up to: `10 + 7 = 17 → 7`; empty if something else makes it."""
    power = _points(counts(hand, rules)[OX_SIZE:])
    if _ends_lowest(hand, power):
        return translate("panel.lowest_score", sum=_scored(power, hand))
    return _scored(power, hand) if power else ""


def _ends_lowest(hand: Hand, power: Sequence[int]) -> bool:
    """Whether a total that ends in 0 is the lowest, as in Tau Ngau (T08); elsewhere it is the best."""
    return bool(power) and sum(power) % _ROUND == 0 and not hand.rank.value


def made_words(hand: Hand, rules: HouseRules) -> str:
    """What makes a hand, beside a picture of it: as `power_sum`, or its rule; empty for a wrong choice."""
    if power := power_sum(hand, rules):
        return power
    if _is_wrong_choice(hand, rules):
        return ""
    if _leaves_pair(hand, rules):
        return translate("panel.left_pair")
    return translated(ranked_as(hand.rank, rules).takes)


def _is_wrong_choice(hand: Hand, rules: HouseRules) -> bool:
    """Whether a hand has no ox only because its member picked the wrong three."""
    no_ox: HandRank = game_of(rules).no_ox
    return hand.rank == no_ox != evaluate(hand.pieces, rules).rank


def _leaves_pair(hand: Hand, rules: HouseRules) -> bool:
    """Whether the two pieces beside an ox are a pair."""
    return len(set(map(game_of(rules).face, hand.power))) == 1


def _pays(hand: Hand, rules: HouseRules) -> str:
    """What a hand can win."""
    if not hand.multiple:
        return translate("why.pays_nothing")
    return translate("why.pays_points" if rules.play is Play.POINTS else "why.pays", times=hand.multiple)


def hope_lines(outlook: Outlook, rules: HouseRules) -> list[str]:
    """What a member can hope for from their last piece: the best kinds, and the chance of an ox.

    If every piece makes one, they hold it already: no four pieces without one are that good.
    """
    unseen = outlook.unseen_count
    lines = [
        translate(
            code,
            pieces=_hoped_pieces(hope, outlook),
            hand=_hoped_hand(hope, rules),
            count=hope.count,
            unseen=unseen,
        )
        for code, hope in zip(("panel.hope", "panel.hope_or"), outlook.hopes, strict=False)
    ]
    code = "panel.hope_sure" if outlook.oxen == unseen else "panel.hope_ox"
    return [*lines, f"-# {translate(f'{code}.{rules.game}', count=outlook.oxen, unseen=unseen)}"]


def _hoped_pieces(hope: Hope, outlook: Outlook) -> str:
    """The pieces that make a kind: `K or 7`; `A♠` if other aces make another."""
    kind = GAMES[hope.best.game].pieces
    if kind.shown_rank is None:
        return either(list(map(kind.shown, hope.pieces)))
    of_rank: dict[str, list[Piece]] = {}
    for piece in hope.pieces:
        of_rank.setdefault(kind.shown_rank(piece), []).append(piece)
    unseen = Counter(map(kind.shown_rank, outlook.unseen))
    return either(
        [kind.shown(*pieces) if len(pieces) == 1 < unseen[rank] else rank for rank, pieces in of_rank.items()]
    )


def _hoped_hand(hope: Hope, rules: HouseRules) -> str:
    """A kind of hand by its best, and what it wins if others win less."""
    name = hand_name(hope.best)
    if not hope.is_best_only:
        name = translate("panel.hope_up_to", hand=name)
    times = hope.best.multiple
    if largest_multiple(rules) == 1 or times == 1:
        return name
    if rules.play is Play.POINTS:
        return translate("panel.hope_points", hand=name, times=times)
    return translate("board.pays", hand=name, multiple=times)


def teaching_words(hand: Hand, rules: HouseRules) -> list[str]:
    """What a hand is, step by step, for a beginner who sees what each piece counts."""
    lines = list(_ox_lines(hand, rules))
    if power := _points(counts(hand, rules)[OX_SIZE:]):
        is_lowest = _ends_lowest(hand, power)
        code = "learn.rest_digit" if sum(power) < _ROUND else "learn.rest"
        if sum(power) % _ROUND == 0 and not is_lowest:
            code = "learn.rest_best"
        lines.append(translate(code, sum=_sum(power), name=hand_name(hand)))
        return [*lines, *([translate("why.lowest_score")] if is_lowest else []), _pays(hand, rules)]
    if not hand.ox and hand.rank != game_of(rules).no_ox:
        lines.append(translate("learn.whole"))
    return [*lines, rule_words(hand, rules)]


def meaning_lines(ranks: Sequence[HandRank], rules: HouseRules) -> list[str]:
    """What those of these hands are that win more than others: their names say little to a beginner."""
    every = ranked_hands(rules)
    least = min(row.multiple for row in every if row.multiple)
    asked = [ranked_as(rank, rules) for rank in ranks]
    return [
        translate("learn.means", name=_with_multiple(row, rules), what=translated(row.takes))
        for row in every
        if row in asked and row.multiple > least
    ]


def _with_multiple(row: RankedHands, rules: HouseRules) -> str:
    name = translated(row.title)
    if rules.play is Play.POINTS:
        return name
    return translate("board.pays", hand=name, multiple=row.multiple)


def explanation(hand: Hand, rules: HouseRules, *, named: bool = False, summed: bool = False) -> list[str]:
    """Why a hand is what it is, line by line; then every other way to arrange it.

    Of a hand without an ox it lists what every three total.

    Args:
        named: as for `rule_words`.
        summed: whether what makes it stands above, too.
    """
    power = _points(counts(hand, rules)[OX_SIZE:])
    if summed:
        made = _last_digit(power, hand)
    elif named and evaluate(hand.pieces, rules).rank == game_of(rules).no_ox:
        # The totals of every three say enough.
        made = ""
    else:
        made = rule_words(hand, rules, named=named)
    lines = [*_ox_lines(hand, rules), *filter(None, [made])]
    has_others = _has_others(hand, rules)
    if not any(_odd_lines(hand, rules)) and _may_swap(hand, rules):
        lines += _either_lines(hand, rules)
    ways, notes = _ways(hand.pieces, rules, hand)
    return [*lines, *([translate("learn.ways")] if has_others else []), *ways, *notes]


def against_lines(hand: Hand, own: Hand, rules: HouseRules) -> list[str]:
    """What another hand is, as `way_words`, below the `explanation` of the reader's own.

    What it takes for one that wins more than others, and a 3 and a 6 that swap in it, are explained, unless
    they are for the reader's own.
    """
    swaps = _has_star(hand) or any(_odd_lines(hand, rules))
    is_told = any(_odd_lines(own, rules)) or (_may_swap(own, rules) and any(_either_lines(own, rules)))
    meaning = [] if hand.rank == own.rank else meaning_lines([hand.rank], rules)
    return [way_words(hand, rules), *meaning, *(_either_lines(hand, rules) if swaps and not is_told else [])]


def _has_others(hand: Hand, rules: HouseRules) -> bool:
    """Whether there is another way to arrange a hand."""
    return {_arranged(way) for way in arrangements(hand.pieces, rules)} != {_arranged(hand)}


def _may_swap(hand: Hand, rules: HouseRules) -> bool:
    """Whether a reader asks what a 3 or a 6 may count: another way or no ox shows it, or a star on a tile."""
    return not hand.ox or _has_star(hand) or _has_others(hand, rules)


def _has_star(hand: Hand) -> bool:
    return GAMES[hand.game].pieces is TILES and not WILD.isdisjoint(hand.pieces)


def _arranged(hand: Hand) -> _Arranged:
    face = GAMES[hand.game].face
    return (
        hand_name(hand),
        hand.multiple,
        tuple(sorted(map(face, hand.ox))),
        tuple(sorted(map(face, hand.power))),
    )


def _either_lines(hand: Hand, rules: HouseRules) -> Iterator[str]:
    """That a 3 and a 6 can swap, if the hand has one: the ways to arrange it show what it counts."""
    if any(len(totals((piece,), rules)) > 1 for piece in hand.pieces):
        yield translate(f"learn.either.{GAMES[hand.game].pieces.name}")


def _ox_lines(hand: Hand, rules: HouseRules) -> Iterator[str]:
    """What three pieces make the ox, and what counts otherwise than it looks; nothing without an ox."""
    if not hand.ox:
        return
    ox = _points(counts(hand, rules)[:OX_SIZE])
    alike = translate("why.three_alike", three=row_of(hand.ox, hand.game))
    yield translate(f"learn.ox.{hand.game}", sum=_sum(ox)) if ox else alike
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


def ways_to_add(pieces: Sequence[Piece], rules: HouseRules) -> str:
    """What pieces add up to, whichever way each may count: `10 + 3/6 + 7 = 20/23`."""
    game = game_of(rules)
    each = [game.points(game.face(piece), rules) for piece in pieces]
    counted = ["/".join(map(str, one)) for one in [*each, totals(pieces, rules)]]
    return f"{' + '.join(counted[:-1])} = {counted[-1]}"


def _scored(power: Sequence[int], hand: Hand) -> str:
    """What the two pieces beside an ox add up to, and what that counts if it is less: `10 + 7 = 17 → 7`."""
    return _sum(power) if sum(power) == hand.rank.value else f"{_sum(power)} → {hand.rank.value}"


def _last_digit(power: Sequence[int], hand: Hand) -> str:
    """Why the two pieces beside an ox count less than their sum; empty if they don't."""
    is_less = bool(power) and sum(power) != hand.rank.value
    return translate(f"why.last_digit.{hand.game}") if is_less else ""


def why_words(pieces: Sequence[Piece], rules: HouseRules) -> str:
    """Every way to arrange five pieces that the rules allow, strongest first, with what each is worth.

    Arrangements that are worth the same share a line. A hand without an ox lists what every three total.

    Returns:
        Discord markdown, at most 3,500 characters.
    """
    ways, notes = _ways(pieces, rules)
    # Without an empty line, Markdown would take a note for a part of the last way.
    return "\n".join([*ways, *(["", *notes] if notes else [])])


def _ways(
    pieces: Sequence[Piece], rules: HouseRules, besides: Hand | None = None
) -> tuple[list[str], list[str]]:
    """Each worth with its ways, and what else there is to say; see `why_words`.

    Args:
        besides: the way that is left out; None for none.
    """
    counts = hand_name(evaluate(pieces, rules))
    ranked = sorted(
        arrangements(pieces, rules),
        # Nenku ties with any other Ox of 1 (G11): the name that counts comes first.
        key=lambda hand: (hand.strength, hand.multiple, hand_name(hand) == counts),
        reverse=True,
    )
    ways: dict[tuple[str, int], dict[_Arranged, str]] = {}
    for hand in ranked:
        if besides is None or _arranged(hand) != _arranged(besides):
            of_worth = ways.setdefault((hand_name(hand), hand.multiple), {})
            of_worth.setdefault(_arranged(hand), _way(hand, rules))
    lines: list[str] = []
    for place, ((name, multiple), merged) in enumerate(ways.items(), start=1):
        worth = _worth(place, name, multiple, rules)
        if any(ox for _, _, ox, _ in merged):
            lines.append(_below(worth, [translate("why.way", way=way) for way in merged.values()]))
        else:
            lines += [translate("why.one_way", worth=worth, way=way) for way in merged.values()]
    if ranked[0].rank == game_of(rules).no_ox:
        threes = {tuple(sorted(three)): three for three in combinations(pieces, OX_SIZE)}
        lines += [translate("why.no_three"), *(_total_words(three, rules) for three in threes.values())]
    high = ranked[0].high
    notes = [] if high is None else [translate("why.high", piece=row_of((high,), rules.game))]
    # Beside the name of a hand, its alias is explained.
    others = {hand.rank.alias for hand in ranked} - {evaluate(pieces, rules).rank.alias, ""}
    return lines, [*notes, *(alias_line(alias) for alias in sorted(others))]


def alias_line(alias: str) -> str:
    """What another name means that a game has for a rank, such as Nenku (G11), in small letters."""
    return f"-# {translate(f'panel.alias.{alias}')}"


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
    code = f"why.worth{worth_suffix(rules)}" if multiple else "why.nothing"
    return translate(code, place=place, name=name, multiple=multiple)


def worth_suffix(rules: HouseRules) -> str:
    """The end of the code of a text that names a hand and what it wins: nothing where all win the same."""
    if rules.play is Play.POINTS:
        return "_points"
    return "" if largest_multiple(rules) > 1 else "_even"


def _below(worth: str, ways: Sequence[str]) -> str:
    """Ways of one worth, each on a line of its own: beside it, a phone would break the row of pieces."""
    return "\n".join([translate("why.several_ways", worth=worth), *ways])


def way_words(hand: Hand, rules: HouseRules) -> str:
    """A hand's name and why it has that; the pieces of an ox are on the next line, with both totals."""
    name, way = f"**{hand_name(hand)}**", _way(hand, rules)
    if power := _points(counts(hand, rules)[OX_SIZE:]):
        way = f"{way} = {_scored(power, hand).rpartition(' = ')[2]}"
    return _below(name, [way]) if hand.ox else translate("why.one_way", worth=name, way=way)


def _way(hand: Hand, rules: HouseRules) -> str:
    """Why a hand has its name."""
    if not hand.ox:
        return translated(ranked_as(hand.rank, rules).takes)
    odd = odd_counts(hand, rules)
    power = _counted_row(hand.power, odd[OX_SIZE:], rules)
    total = next((total for total in totals(hand.ox, rules) if total % _ROUND == 0), None)
    if total is None:
        return translate("why.one_rank", ox=row_of(hand.ox, hand.game), power=power)
    return translate("why.totals", ox=_counted_row(hand.ox, odd[:OX_SIZE], rules), total=total, power=power)


def _counted_row(pieces: Sequence[Piece], odd: Sequence[int | None], rules: HouseRules) -> str:
    """Pieces in a row, with what they count where it is not what they look like: `10♣ 4♠ 3♠(6)`."""
    shown = game_of(rules).pieces.shown
    return " ".join(
        shown(piece) if count is None else f"{shown(piece)}({count})"
        for piece, count in zip(pieces, odd, strict=False)
    )
