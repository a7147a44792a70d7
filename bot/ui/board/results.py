"""The texts about how a round ended, for everybody and for one member."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from bot.games.hands import evaluate, is_worse
from bot.games.settle import Outcome, largest_multiple
from bot.rules.knobs import Play
from bot.rules.pieces import Hand
from bot.rules.typed_text import text_length
from bot.table.state import (
    PlayerResult,
    RoundResult,
    SideBet,
    SideResult,
    hand_in,
)
from bot.table.story import NO_STORY, Feat, Story, found_strongest, is_weak
from bot.ui.readers import Names
from bot.words.hands import hand_name, hand_words, name_against, suit_words
from bot.words.translation import NO_BREAK, number, sentences, signed, signed_points, translate

SIDE_BETS_SHOWN: Final = 6
"""How many side bets are listed, the earliest first: a crowd would fill the board."""
TOTALS_SHOWN: Final = 10
"""How many who were not in the last round are listed on a closed table, with what all rounds brought them."""
MARKS: Final[Mapping[Outcome, str]] = MappingProxyType(
    {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
)
"""The sign of each outcome, as in the pictures."""
BANK_SIGN: Final = "👑"
"""The sign of the banker, as in the pictures."""
NEXT_SIGN: Final = "🔜"
"""The sign of the banker of this round, below a round that somebody else banked."""
PARTS_ROUNDS: Final = "|"
"""Stands between the result of the last round and the bet for this one."""
ALL_IN_SIGN: Final = "🔥"
"""The sign of a bet of all that its player had."""
FOUND_SIGN: Final = "🎯"
"""The sign of a hand whose strongest way its member found, where mistakes stand."""
NOBODY: Final[Mapping[int, int]] = MappingProxyType({})
NO_SIGNS: Final[Mapping[int, str]] = MappingProxyType({})
ACHIEVED_SIGN: Final = "🏅"
"""The sign of what a member achieved in a round."""
STREAK_SIGN: Final = "⚡"
"""The sign of rounds won in a row."""
RUN_OVER_SIGN: Final = "🛑"
"""The sign of the end of a long streak."""


def seat_sign(number: int) -> str:
    """The sign of a seat: its number, as on a badge in the pictures."""
    return f"`{number}`"


def played_by(result: RoundResult, party: int) -> PlayerResult | RoundResult | None:
    """The result that holds the member's hand: a player's, or the banker's; None if they had no hand."""
    if result.banker == party:
        return result
    return next((one for one in result.players if one.party == party), None)


def counted_most(brought: Mapping[int, int]) -> int:
    """The player whose hand brought or cost a member the most; of equal amounts, a loss."""
    return min(brought, key=lambda one: (-abs(brought[one]), brought[one]))


def brought_bank(result: RoundResult) -> dict[int, int]:
    """What each player's hand brought the bank, without side bets."""
    return {player.party: -player.chips for player in result.players}


def gained(result: RoundResult, amount: int) -> str:
    """What somebody gained in this round, in chips or in points (G22)."""
    return signed_points(amount) if result.rules.play is Play.POINTS else signed(amount)


def sum_of(result: RoundResult, of: PlayerResult | SideResult | RoundResult) -> str:
    """What a round brought somebody: `+20`, or with what multiplied a bet: `20 × 5 = +100`."""
    if isinstance(of, RoundResult):
        return gained(result, of.bank_chips)
    times, brought = abs(of.chips) // of.stake, gained(result, of.chips)
    if times < 2 or result.rules.play is Play.POINTS:
        return brought
    return f"{'−' if of.chips < 0 else ''}{number(of.stake)}{NO_BREAK}× {times} = {brought}"


def _with_times(name: str, hand: Hand, result: RoundResult, *, won: bool) -> str:
    """The name of a hand; one that won more than the bet says how many times, but not for points (G22).

    Where a phone has room for it, `sum_of` says the same.
    """
    if not won or hand.multiple < 2 or result.rules.play is Play.POINTS:
        return name
    return translate("board.pays", hand=name, multiple=hand.multiple)


def _hand_names(result: RoundResult, player: PlayerResult) -> tuple[str, str]:
    """The names of a player's hand and of the banker's."""
    hand, bankers = hand_in(result, player), hand_in(result, result)
    return name_against(hand, bankers), name_against(bankers, hand)


class ResultText:
    """What a round brought, for everybody to read; each part is written once. A picture has the cards.

    Args:
        found: in how many rounds in a row each has found the strongest way, with this one.
        signs: what stands at a name, such as 🏅 for what they achieved in it.
    """

    def __init__(
        self,
        result: RoundResult,
        names: Names,
        found: Mapping[int, int] = NOBODY,
        signs: Mapping[int, str] = NO_SIGNS,
    ) -> None:
        self._result = result
        self._names = names
        self._found = found
        self._signs = signs

    def brought(self, party: int, *, with_hand: bool) -> str:
        """What it brought one of those who had a hand: `Ox of 7 **+5**`; empty for anybody else."""
        return (self._with_hands if with_hand else self._without).get(party, "")

    def line(self, party: int, *, with_hand: bool) -> str:
        """Where one of those who had a hand sat in that round, who they are, and what it brought."""
        return self._line(party, self._with_hands if with_hand else self._without)

    def _line(self, party: int, brought: Mapping[int, str]) -> str:
        who = self._names.mention(party, begins_line=party == self._result.banker)
        return f"{self.places[party]} {who} {brought[party]}"

    def are_places(self, there: dict[int, str]) -> bool:
        """Whether these are the places of that round, but for who has left and who has come since."""
        same_banker = there.get(self._result.banker) == BANK_SIGN
        return same_banker and self.places | there == there | self.places

    def lines(
        self, *, with_hands: bool, besides: Collection[int] = (), now: Collection[SideBet] = ()
    ) -> list[str]:
        """A line for each who had a hand, the banker first, and for each side bet.

        Args:
            besides: whose lines are left out, if they had a hand.
            now: side bets of this round, which stand in the line of the same one in the last round.
        """
        return [
            *(self.line(party, with_hand=with_hands) for party in self.places if party not in besides),
            *self.side_lines(now),
        ]

    def side_lines(self, now: Collection[SideBet] = (), totals: Mapping[int, str] = NO_SIGNS) -> list[str]:
        """What each side bet won (B01), a line each, and how many are left out.

        Args:
            now: the side bets of this round.
            totals: what stands at the end of the last line of each member.
        """
        result, names = self._result, self._names
        told = result.side_bets[:SIDE_BETS_SHOWN]
        last = {side.party: side for side in told}
        lines = [
            f"{MARKS[side.outcome]} "
            + translate(
                "board.side_result",
                who=f"{names.mention(side.party)} {self._signs.get(side.party, '')}".rstrip(),
                backed=names.mention(side.backed),
                chips=side.chips,
            )
            + "".join(
                f" {PARTS_ROUNDS} {translate('board.stake', stake=one.stake)}"
                for one in now
                if _is_same(side, one)
            )
            + (totals.get(side.party, "") if last[side.party] is side else "")
            for side in told
        ]
        if rest := result.side_bets[SIDE_BETS_SHOWN:]:
            chips = sum(side.chips for side in rest)
            lines.append(f"-# {translate('board.more_side_results', count=len(rest), chips=chips)}")
        return lines

    def with_totals(self, totals: Mapping[int, int], *, with_hands: bool) -> list[str]:
        """All lines, with what all rounds of a closed table brought each; then those who were in others.

        Args:
            totals: by party; empty to leave them out.
        """
        told = {party: f" →{NO_BREAK}**{gained(self._result, chips)}**" for party, chips in totals.items()}
        hands = [f"{self.line(party, with_hand=with_hands)}{told.get(party, '')}" for party in self.places]
        have_a_line = {*self.places, *(side.party for side in self._result.side_bets[:SIDE_BETS_SHOWN])}
        rest = sorted(totals.keys() - have_a_line, key=lambda party: -totals[party])
        others = [
            f"{self._names.mention(party, begins_line=party == rest[0])}{told[party]}"
            for party in rest[:TOTALS_SHOWN]
        ]
        if left_out := len(rest) - len(others):
            others.append(translate("reply.more_lines", count=left_out))
        last = [f"-# {' · '.join(others)}"] if others else []
        return [*hands, *self.side_lines(totals=told), *last]

    def has_line_of(self, side: SideBet) -> bool:
        """Whether there is a line of the same side bet, by the same member on the same player."""
        return any(_is_same(told, side) for told in self._result.side_bets[:SIDE_BETS_SHOWN])

    def within(self, room: int) -> str:
        """All lines, with the pieces of hands, in at most this many characters as Discord counts them.

        Else without pieces, and then without names of hands.
        """
        sides = self.side_lines()
        for brought in (self._with_pieces, self._with_hands, self._without):
            told = "\n".join([*(self._line(party, brought) for party in self.places), *sides])
            if text_length(told) <= room:
                break
        return told

    @cached_property
    def places(self) -> dict[int, str]:
        """Where those who had a hand sat in that round: 👑 or the seat, as in its picture."""
        seats = {player.party: seat_sign(player.seat) for player in self._result.players}
        return {self._result.banker: BANK_SIGN} | seats

    @cached_property
    def _with_hands(self) -> dict[int, str]:
        result = self._result
        banker = hand_in(result, result)
        hands = {player.party: hand_in(result, player) for player in result.players}
        equal = next((hand for hand in hands.values() if hand.strength == banker.strength), banker)
        names = {
            result.banker: hand_name(banker) if equal is banker else name_against(banker, equal, briefly=True)
        }
        names |= {party: name_against(hand, banker, briefly=True) for party, hand in hands.items()}
        tied = [player for player in result.players if _is_tied(result, player)]
        won = {player.party for player in result.players if player.outcome is Outcome.PLAYER}
        if any(player.outcome is Outcome.BANKER for player in result.players):
            won.add(result.banker)
        names = {
            party: _with_times(name, hands.get(party, banker), result, won=party in won)
            for party, name in names.items()
        }
        for player in tied:
            names[player.party] = translate("hand.tied", hand=names[player.party])
        if any(player.outcome is Outcome.BANKER for player in tied):
            names[result.banker] = translate("hand.wins_ties", hand=names[result.banker])
        return self._told({party: f"{name}{self._found_sign(party)}" for party, name in names.items()})

    def _found_sign(self, party: int) -> str:
        played = played_by(self._result, party)
        return "" if played is None else found_sign(self._result, played, self._found.get(party, 1))

    @cached_property
    def _without(self) -> dict[int, str]:
        return self._told({})

    @property
    def _with_pieces(self) -> dict[int, str]:
        result = self._result
        hands = {result.banker: hand_in(result, result)}
        hands |= {player.party: hand_in(result, player) for player in result.players}
        return {
            party: f"{hand_words(hands[party], result.rules)} {told}"
            for party, told in self._with_hands.items()
        }

    def _told(self, hands: Mapping[int, str]) -> dict[int, str]:
        result = self._result
        brought = {result.banker: result.bank_chips}
        brought |= {player.party: player.chips for player in result.players}
        return {
            party: " ".join(
                filter(None, (self._signs.get(party), hands.get(party), f"**{gained(result, chips)}**"))
            )
            for party, chips in brought.items()
        }


def found_sign(result: RoundResult, played: PlayerResult | RoundResult, times: int) -> str:
    """The sign after the name of a hand whose strongest way its member found, so often in a row: ` 🎯×3`."""
    if not found_strongest(result, played):
        return ""
    return f" {FOUND_SIGN}{f'×{times}' if times > 1 else ''}"


def _is_same(told: SideResult, side: SideBet) -> bool:
    return (told.party, told.backed) == (side.party, side.backed)


def own_result(
    result: RoundResult, names: Names, party: int, feat: Feat | None = None, story: Story = NO_STORY
) -> str | None:
    """What the round brought one member, in sentences to them; None if they were not in it.

    Args:
        feat: what of it a heading celebrates; None for no heading.
        story: what else is told of it, if it is the last round of that.
    """
    if story.round_number != result.round_number:
        story = NO_STORY
    said = [
        _own(result, names, party, story.found.get(party, 1)),
        _all_in(result, party, story, feat),
        translate("panel.biggest_win") if _is_record_beside(result, party, story, feat) else "",
        _missed(result, party),
        _own_side_bets(result, names, party),
    ]
    line, played = _told(result, said), played_by(result, party)
    if line is None or feat is None or played is None:
        return line
    hand = hand_in(result, played)
    head = translate(celebrated(feat, hand), hand=hand_name(hand), times=story.streaks.get(party, 0))
    return f"## {head.upper()}\n{line}"


def celebrated(feat: Feat, hand: Hand) -> str:
    """The code of a headline: who bets all that they have on a weak hand, and wins, has one of their own."""
    return f"celebrate.{feat}{'_weak' if feat is Feat.ALL_IN and is_weak(hand) else ''}"


def side_result(result: RoundResult, names: Names, party: int) -> str | None:
    """What the round brought one member by side bets; None if they had none."""
    return _told(result, [_own_side_bets(result, names, party)])


def _told(result: RoundResult, said: Iterable[str | None]) -> str | None:
    told = sentences(sentence or "" for sentence in said)
    return translate("panel.last_round", round=result.round_number, result=told) if told else None


def _own(result: RoundResult, names: Names, party: int, found: int) -> str | None:
    player = played_by(result, party)
    if player is None:
        return None
    if isinstance(player, RoundResult):
        return _bankers(result, names, found_sign(result, result, found))
    hand, bankers_hand = _hand_names(result, player)
    code = "tie_lost" if _lost_tie(result, player) else player.outcome
    told = translate(
        f"panel.result.{code}",
        hand=f"{hand}{found_sign(result, player, found)}",
        banker=names.mention(result.banker),
        bankers_hand=bankers_hand,
        gained=sum_of(result, player),
    )
    return sentences([told, _suit(result, player)])


def _suit(result: RoundResult, player: PlayerResult) -> str:
    """Which suit beat which, if nothing else decided between a player's hand and the banker's."""
    return suit_words(hand_in(result, player), hand_in(result, result))


def _lost_tie(result: RoundResult, player: PlayerResult) -> bool:
    """Whether a player's hand is as strong as the banker's, who wins all the same."""
    return player.outcome is Outcome.BANKER and _is_tied(result, player)


def _is_tied(result: RoundResult, player: PlayerResult) -> bool:
    """Whether a player's hand is as strong as the banker's, so that only the rule of ties decides."""
    hand, bankers = hand_in(result, player), hand_in(result, result)
    return (hand.strength, hand.tie_break) == (bankers.strength, bankers.tie_break)


def _missed(result: RoundResult, party: int) -> str | None:
    """What a member's own hand could have been, where they arranged it in a weaker way (B08)."""
    player = played_by(result, party)
    if player is None:
        return None
    hand = hand_in(result, player)
    strongest = evaluate(hand.pieces, result.rules)
    return translate("panel.missed", hand=hand_name(strongest)) if is_worse(hand, strongest) else None


def _all_in(result: RoundResult, party: int, story: Story, feat: Feat | None) -> str | None:
    """What a bet of all that a member had made of their chips, if that is told."""
    player = played_by(result, party)
    if not isinstance(player, PlayerResult):
        return None
    if feat is Feat.ALL_IN and (had := story.had.get(party)) is not None:
        return translate("panel.all_in_turned", had=had, now=had + player.chips)
    if party not in story.went_all_in(result):
        return None
    if player.chips > 0:
        return translate("panel.all_in_won")
    lost = translate("panel.all_in_lost") if party in story.all_in else ""
    kept, risked = story.had[party] + player.chips, player.stake * largest_multiple(result.rules)
    if player.chips < 0 < risked + player.chips:
        return sentences([lost, translate("panel.all_in_kept", risked=risked, left=kept)])
    return lost


def _is_record_beside(result: RoundResult, party: int, story: Story, feat: Feat | None) -> bool:
    """Whether a heading celebrates something else of the table's biggest win so far."""
    return feat not in (None, Feat.BIGGEST_WIN) and story.is_record(result, party)


def _bankers(result: RoundResult, names: Names, found: str) -> str:
    """Whom the banker beat, what that brought with side bets, and whose hand counted most.

    Args:
        found: the sign after the name of the banker's hand.
    """
    hand, brought = hand_in(result, result), gained(result, result.bank_chips)
    from_sides = -sum(side.chips for side in result.side_bets)
    sides = translate("panel.bank_side_bets", chips=from_sides) if from_sides else ""
    if len(result.players) == 1:
        player = result.players[0]
        players_hand, bankers_hand = _hand_names(result, player)
        told = translate(
            "panel.bank_against",
            hand=f"{bankers_hand}{found}",
            who=names.mention(player.party),
            players_hand=players_hand,
            gained=brought if from_sides else sum_of(result, replace(player, chips=-player.chips)),
        )
        return sentences([told, _suit(result, player), sides])
    outcomes = [player.outcome for player in result.players]
    beaten, pushes = outcomes.count(Outcome.BANKER), outcomes.count(Outcome.PUSH)
    ties = sum(_lost_tie(result, player) for player in result.players)
    # The banker's hand decides whether they win ties: there are never both.
    code = "panel.bank_made_with_pushes" if pushes else "panel.bank_made"
    told = translate(
        "panel.bank_made_with_ties" if ties else code,
        ties=ties,
        pushes=pushes,
        hand=f"{_with_times(hand_name(hand), hand, result, won=beaten > 0)}{found}",
        beaten=beaten,
        players=len(result.players),
        gained=brought,
    )
    return sentences([told, sides, _counted_most(result, names, brought_bank(result))])


def _own_side_bets(result: RoundResult, names: Names, party: int) -> str | None:
    backed = {side.backed: side for side in result.side_bets if side.party == party}
    if not backed:
        return None
    if len(backed) > 1:
        total = sum(side.chips for side in backed.values())
        told = translate("panel.side_bets_brought", count=len(backed), chips=total)
        each = {player: side.chips for player, side in backed.items()}
        return sentences([told, _counted_most(result, names, each)])
    ((player, side),) = backed.items()
    played = played_by(result, player)
    assert isinstance(played, PlayerResult)
    hand, bankers_hand = _hand_names(result, played)
    told = translate(
        "panel.side_bet_tie_lost" if _lost_tie(result, played) else "panel.side_bet_brought",
        who=names.mention(player),
        hand=hand,
        banker=names.mention(result.banker),
        bankers_hand=bankers_hand,
        gained=sum_of(result, side),
    )
    return sentences([told, _suit(result, played)])


def _counted_most(result: RoundResult, names: Names, brought: Mapping[int, int]) -> str:
    """Whose hand brought or cost a member the most: one, or two beside others.

    Empty if none stands out.

    Args:
        brought: what each player's hand brought the member.
    """
    player = counted_most(brought)
    most = [party for party, amount in brought.items() if abs(amount) == abs(brought[player])]
    is_both_ways = len({brought[party] for party in most}) > 1
    if not brought[player] or is_both_ways or len(most) > 2 or 1 < len(most) == len(brought):
        return ""
    who, *others = map(names.mention, most)
    chips = gained(result, brought[player])
    if others:
        return translate("panel.both_counted_most", one=who, other=others[0], chips=chips)
    played = played_by(result, player)
    assert isinstance(played, PlayerResult)
    hand, _ = _hand_names(result, played)
    return translate("panel.counted_most", who=who, hand=hand, chips=chips)
