"""The pages of a server's site: its rules with odds, who leads, and its newest rounds with their proof.

Only settled rounds are read: nothing here knows a secret that is not opened. What members wrote for a shuffle
stays out. Members who are on no leaderboard are not named anywhere.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final
from urllib.parse import quote

from bot.croupier.rounds import PastRound, settled_in
from bot.games.house import UNCHANGED, House, read_house
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.ledger.changes import Identity
from bot.ledger.queries import Queries
from bot.ledger.records import Rank
from bot.odds.odds import Odds
from bot.rules.hashing import canonical
from bot.rules.knobs import GameName, Language
from bot.rules.pieces import Hand, HandRank
from bot.rules.server_settings import SERVER_EMOJI
from bot.rules.typed_text import json_text
from bot.site.html import Html, blocks, inline, joined, link, page, rows, tag
from bot.table.standings import AS_BANKER, EVERY, Measure, Period
from bot.table.state import PlayerResult, RoundResult, hand_in, is_member
from bot.ui.board.results import ResultText, gained
from bot.ui.leaderboard import Shown, game_name, medal
from bot.ui.odds import odds_for
from bot.ui.readers import Names
from bot.words.hands import rank_name, row_of
from bot.words.po_files import closest_locale
from bot.words.proofs import opened_words, verifier_page
from bot.words.rules import (
    banker_words,
    game_title,
    knob_list_words,
    odds_words,
    overview_words,
    payout_words,
    ranking_words,
    terms_words,
)
from bot.words.translation import Reader, percent, reader, speaking_to, translate

RANKED: Final = 20
"""How many members a leaderboard lists."""
LEADING: Final = 5
"""How many of them, and of the newest rounds, the first page lists."""
MONTHS: Final = 24
SEASONS: Final = 24
"""How many months and seasons have leaderboards, the newest ones."""
VERIFIER: Final = "verify.html"
_OF_HEART_OR_DIAMOND: Final = frozenset("♥♦")
_PLAIN_IN_LINKS: Final = ":,[]{}"
"""What a link may have behind its # besides letters and digits, so that it stays short."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a site shows.

    Attributes:
        title: what it is called; empty for the names of the games.
        rounds: how many rounds have a page, the newest ones.
        channels: the channels whose rounds are shown; empty for all.
        has_names: whether members are named.
        language: as Discord writes it; None for that of the house rules.
    """

    server_id: int
    title: str
    rounds: int
    channels: Collection[int] = ()
    has_names: bool = True
    language: str | None = None


async def pages_of(ledger: Queries, wanted: Wanted, now: float) -> dict[str, str]:
    """Every file of a site by its name: what a page links to comes before it."""
    stored = await ledger.houses_of([wanted.server_id])
    house = read_house(stored[0].house)[0] if stored else UNCHANGED
    spoken = None if house.language is Language.AUTO else house.language.value
    # The emoji of a server cannot be shown elsewhere.
    emoji = "" if SERVER_EMOJI.fullmatch(house.currency.emoji) else house.currency.emoji
    currency = replace(house.currency, emoji=emoji)
    with speaking_to(Reader(closest_locale(wanted.language, spoken), currency)):
        site = Site(ledger, house, wanted, now)
        return {VERIFIER: verifier_page().decode()} | {name: text async for name, text in site.pages()}


class SiteNames(Names):
    """Names for everybody: who is on no leaderboard is a member without a name."""

    def __init__(self, members: Mapping[int, Identity]) -> None:
        self._listed = {
            party: one for party, one in members.items() if not one.is_hidden and not one.has_left
        }
        super().__init__(self._listed, of_past=True)

    def name(self, party: int) -> str:
        """The name of a member, the house or a computer player."""
        unnamed = is_member(party) and not self.is_named(party)
        return translate("site.member") if unnamed else super().name(party)

    def is_named(self, party: int) -> bool:
        """Whether a member is called by their name."""
        return party in self._listed


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboards of a period and a game, of which those are left out that nobody is on.

    Attributes:
        period: what the period is called in the names of files.
        when: what it is called in texts.
        lists: by what they rank, with the members.
    """

    period: str
    when: str
    game: GameName
    lists: Sequence[tuple[Shown, Sequence[Rank]]]

    @property
    def file(self) -> str:
        """The name of its page."""
        of = "" if self.game == EVERY else f"-{self.game}"
        return f"board-{self.period.lower()}{of}.html"

    @property
    def parties(self) -> set[int]:
        """Everybody on it."""
        return {rank.party for _, ranks in self.lists for rank in ranks}


class Site:
    """Makes the pages of a site, for the reader of the current task.

    Args:
        now: the time as of which it is made.
    """

    def __init__(self, ledger: Queries, house: House, wanted: Wanted, now: float) -> None:
        self._ledger = ledger
        self._house = house
        self._wanted = wanted
        self._now = now
        self._names = SiteNames({})
        self._title = wanted.title or translate("guide.between").join(map(game_title, GAMES))
        self._is_counted = True

    async def pages(self) -> AsyncIterator[tuple[str, str]]:
        """Yields each file's name and text; what a page links to comes before it."""
        ledger, server_id = self._ledger, self._wanted.server_id
        odds = {game: await odds_for(self._house.rules(game)) for game in GAMES}
        self._is_counted = server_id not in await ledger.servers_to_count()
        boards = [board async for board in self._boards()]
        wanted = self._wanted
        rounds = [*settled_in(await ledger.newest_settled(server_id, wanted.rounds, wanted.channels))]
        if self._wanted.has_names:
            parties = set().union(*(one.parties for one in boards), *(one.parties for one in rounds))
            self._names = SiteNames(await ledger.identities(parties))
        for past in rounds:
            record = past.record(
                {
                    party: self._names.name(party)
                    for party in sorted(past.parties)
                    if self._names.is_named(party)
                }
            )
            yield f"{_round_name(past)}.json", json_text(record)
            yield (
                f"{_round_name(past)}.html",
                self._page(_round_title(past), self._round(past, canonical(record))),
            )
        yield "rounds.html", self._page(translate("site.rounds"), [self._round_list(rounds)])
        for board in boards:
            yield board.file, self._page(translate("site.boards"), self._board(board, boards))
        for game in GAMES:
            yield f"rules-{game}.html", self._page(game_title(game), self._rules(game, odds[game]))
        yield "index.html", self._page(self._title, self._first_page(odds, boards[0], rounds))

    def _page(self, heading: str, body: Iterable[str]) -> str:
        menu = [
            link("index.html", self._title),
            *(link(f"rules-{game}.html", game_title(game)) for game in GAMES),
            link(_FIRST_BOARD, translate("site.boards")),
            link("rounds.html", translate("site.rounds")),
        ]
        foot = translate("site.made", at=_minute(self._now))
        lang = reader().locale.replace("_", "-")
        return page(heading, menu, body, foot, site=self._title, lang=lang)

    def _first_page(
        self, odds: Mapping[GameName, Odds | None], board: Board, rounds: Sequence[PastRound]
    ) -> Iterator[Html]:
        for game in GAMES:
            name = tag("h2", link(f"rules-{game}.html", game_title(game)))
            yield tag("section", name, tag("p", odds_words(odds[game])))
        for shown, ranks in board.lists[:1]:
            yield self._list(shown, ranks[:LEADING], link(board.file, translate("site.boards")))
        yield self._round_list(rounds[:LEADING], tag("h2", translate("site.newest")))

    def _rules(self, game: GameName, odds: Odds | None) -> Iterator[Html]:
        rules = self._house.rules(game)
        above, below = overview_words(rules)
        # The text below has their numbers.
        examples = tag("ol", *(tag("li", _pieces(hand)) for hand in example_hands(rules)))
        yield tag("section", blocks(above), examples, blocks(below))
        yield tag("section", blocks(ranking_words(rules)))
        yield tag("section", blocks(payout_words(rules, odds)))
        if odds is not None:
            often = (
                (
                    rank_name(HandRank(one.hand_class, one.value), game),
                    percent(Fraction(one.hands, odds.hands)),
                )
                for one in reversed(odds.classes)
            )
            yield tag("section", tag("h2", translate("site.often")), rows(*often))
        for words in (banker_words, knob_list_words, terms_words):
            yield tag("section", blocks(words(rules)))

    async def _boards(self) -> AsyncIterator[Board]:
        """The boards of all time, then of each season and of each month, the newest first."""
        server_id = self._wanted.server_id
        all_time = (EVERY, translate("leaderboard.period.all"), Period.ALL, self._now)
        seasons = [
            (one.period, one.name, one.period, self._now) for one in await self._ledger.seasons(server_id)
        ]
        months = [
            (month, month, Period.MONTH, datetime.fromisoformat(f"{month}-01T00:00:00+00:00").timestamp())
            for month in await self._ledger.months_counted(server_id, MONTHS)
        ]
        for name, when, period, at in (all_time, *seasons[:SEASONS], *months):
            for game in (EVERY, *GAMES, AS_BANKER):
                lists = [one async for one in self._lists(period, game, at)]
                if lists or (period, game) == (Period.ALL, EVERY):
                    yield Board(name, when, game, lists)

    async def _lists(
        self, period: str, game: GameName, at: float
    ) -> AsyncIterator[tuple[Shown, Sequence[Rank]]]:
        for measure in Measure:
            # What members have now is of no period and no game, and hands of several games do not compare.
            if measure is Measure.CHIPS and (period, game) != (Period.ALL, EVERY):
                continue
            if measure is Measure.BEST and game not in GAMES:
                continue
            shown = Shown(measure, period, game)
            ranked = shown.ranked(self._wanted.server_id, at)
            if ranks := await self._ledger.first_leaders(ranked, RANKED):
                yield shown, ranks

    def _board(self, board: Board, boards: Sequence[Board]) -> Iterator[Html]:
        whens = [one for one in boards if one.game == EVERY]
        games = [one for one in boards if one.period == board.period]
        yield tag("nav", *(_chosen(one.file, one.when, one.period == board.period) for one in whens))
        yield tag("nav", *(_chosen(one.file, game_name(one.game), one is board) for one in games))
        if not self._is_counted:
            yield tag("p", translate("leaderboard.counting"))
        for shown, ranks in board.lists:
            yield self._list(shown, ranks)
        if not board.lists:
            yield tag("p", translate("leaderboard.empty"))

    def _list(self, shown: Shown, ranks: Sequence[Rank], *more: str) -> Html:
        lines = (
            (
                medal(rank) or str(rank.place),
                self._names.name(rank.party),
                shown.amount_words(rank.amount),
            )
            for rank in ranks
        )
        return tag("section", blocks(translate(f"leaderboard.{shown.measure}")), rows(*lines), *more)

    def _round_list(self, rounds: Sequence[PastRound], *before: str) -> Html:
        """The rounds, each with its banker and what that brought them."""
        lines = (
            (
                joined(link(f"{_round_name(past)}.html", _round_title(past)), Html("<br>"), _time(past.at)),
                joined("👑 ", self._names.name(past.result.banker)),
                gained(past.result, past.result.bank_chips),
            )
            for past in rounds
        )
        return tag("section", *before, rows(*lines) if rounds else tag("p", translate("site.no_rounds")))

    def _round(self, past: PastRound, record: str) -> Iterator[Html]:
        result = past.result
        text = ResultText(result, self._names)
        players: tuple[RoundResult | PlayerResult, ...] = (result, *result.players)
        hands = (
            joined(tag("p", inline(text.line(party, with_hand=True))), _pieces(hand_in(result, one)))
            for party, one in zip(text.places, players, strict=True)
        )
        sides = (tag("p", inline(line)) for line in text.side_lines())
        yield tag("section", tag("p", _time(past.at), class_="quiet"), *hands, *sides)
        check = f"{VERIFIER}#{quote(record, safe=_PLAIN_IN_LINKS)}"
        file = f"{_round_name(past)}.json"
        yield tag(
            "section",
            blocks(opened_words(result.opening, result.receipt)),
            tag("p", translate("proof.compare")),
            tag("p", link(check, translate("site.verify"), class_="button")),
            tag("p", translate("site.verify_how"), class_="quiet"),
            tag("p", link(file, translate("site.record"), download=file)),
        )


_FIRST_BOARD: Final = Board(EVERY, "", EVERY, ()).file


def _round_name(past: PastRound) -> str:
    return f"table-{past.number}-round-{past.result.round_number}"


def _round_title(past: PastRound) -> str:
    where = (
        translate("table.name", number=past.number),
        translate("table.round", round=past.result.round_number),
    )
    return " · ".join([game_title(past.result.rules.game), *where])


def _minute(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def _time(at: float) -> Html:
    moment = datetime.fromtimestamp(at, UTC)
    return tag("time", _minute(at), datetime=f"{moment:%Y-%m-%dT%H:%M:%SZ}")


def _chosen(file: str, words: str, is_here: bool) -> Html:
    return tag("strong", words) if is_here else link(file, words)


def _pieces(hand: Hand) -> Html:
    """The five pieces, those of the ox first and apart."""

    def piece(shown: str, *, begins_power: bool) -> Html:
        kinds = ["red"] if _OF_HEART_OR_DIAMOND & set(shown) else []
        kinds += ["power"] if begins_power else []
        return tag("li", shown, class_=" ".join(kinds)) if kinds else tag("li", shown)

    ordered = (*hand.ox, *hand.power) if hand.ox else hand.pieces
    shown = (
        piece(row_of((one,), hand.game), begins_power=bool(hand.ox) and place == len(hand.ox))
        for place, one in enumerate(ordered)
    )
    return tag("ul", *shown, class_="pieces")
