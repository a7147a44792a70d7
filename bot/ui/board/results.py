"""The texts about how a round ended, what was remarkable in it, and what the evening was like."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

from bot.games.hands import evaluate, is_worse
from bot.games.settle import Outcome, largest_multiple
from bot.rules.knobs import Play
from bot.rules.typed_text import text_length
from bot.table.achievements import Achievement
from bot.table.state import Phase, PlayerResult, RoundResult, SideBet, SideResult, TableState, hand_in
from bot.table.story import Feat, Highlight, Story, found_strongest
from bot.ui.readers import Names
from bot.words.hands import hand_name, name_against
from bot.words.translation import sentences, signed, signed_points, translate

SIDE_BETS_SHOWN: Final = 6
"""How many side bets are listed, the earliest first: a crowd would fill the board."""
TOTALS_SHOWN: Final = 10
"""How many who were not in the last round are listed on a closed table, with what all rounds brought them."""
MARKS: Final[Mapping[Outcome, str]] = MappingProxyType(
    {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
)
"""The sign of each outcome, as in the pictures."""
BANK_SIGN: Final = "👑"
NEXT_SIGN: Final = "🔜"
"""The sign of the banker, as in the pictures."""


FOUND_SIGN: Final = "🎯"
"""The sign of a hand whose strongest way its member found, where mistakes stand."""
NOBODY_FOUND: Final[Mapping[int, int]] = MappingProxyType({})


def seat_sign(number: int) -> str:
    """The sign of a seat: its number, as on a badge in the pictures."""
    return f"`{number}`"


def played_by(result: RoundResult, party: int) -> PlayerResult | RoundResult | None:
    """The result that holds the member's hand: a player's, or the banker's; None if they had no hand."""
    if result.banker == party:
        return result
    return next((one for one in result.players if one.party == party), None)


def counted_most(brought: Mapping[int, int], total: int) -> int:
    """The player whose hand brought a member most of what all won together, or cost them most of a loss."""
    sign = 1 if total > 0 else -1
    return max(brought, key=lambda one: sign * brought[one])


def brought_bank(result: RoundResult) -> dict[int, int]:
    """What each player's hand brought the bank."""
    return {player.party: -player.chips for player in result.players}


def gained(result: RoundResult, amount: int) -> str:
    """What somebody gained in this round, in chips or in points (G22)."""
    return signed_points(amount) if result.rules.play is Play.POINTS else signed(amount)


def sum_of(result: RoundResult, of: PlayerResult | SideResult | RoundResult) -> str:
    """What a round brought somebody: `+20`, or with what multiplied the bet: `20 × 5 = +100`."""
    if isinstance(of, RoundResult):
        return gained(result, of.bank_chips)
    times = abs(of.chips) // of.stake
    brought = gained(result, of.chips)
    if times < 2 or result.rules.play is not Play.CHIPS:
        return brought
    return f"{'−' if of.chips < 0 else ''}{of.stake} × {times} = {brought}"


class ResultText:
    """What a round brought, for everybody to read; each part is written once. A picture has the cards.

    Args:
        found: in how many rounds in a row each has found the strongest way, with this one.
    """

    def __init__(self, result: RoundResult, names: Names, found: Mapping[int, int] = NOBODY_FOUND) -> None:
        self._result = result
        self._names = names
        self._found = found

    def brought(self, party: int, *, with_hand: bool) -> str:
        """What it brought one of those who had a hand: `Ox of 7 **+5**`; empty for anybody else."""
        return (self._with_hands if with_hand else self._without).get(party, "")

    def line(self, party: int, *, with_hand: bool) -> str:
        """Where one of those who had a hand sat in that round, who they are, and what it brought."""
        who = self._names.mention(party, begins_line=party == self._result.banker)
        return f"{self.places[party]} {who} {self.brought(party, with_hand=with_hand)}"

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
            *side_result_lines(self._result, self._names, now),
        ]

    def with_totals(self, totals: Mapping[int, int], *, with_hands: bool) -> list[str]:
        """All lines, with what all rounds of a closed table brought each; then those who were in others.

        Args:
            totals: by party; empty to leave them out.
        """

        def total(party: int) -> str:
            return f" → **{gained(self._result, totals[party])}**" if party in totals else ""

        hands = [f"{self.line(party, with_hand=with_hands)}{total(party)}" for party in self.places]
        rest = sorted(totals.keys() - self.places.keys(), key=lambda party: -totals[party])
        others = [
            f"{self._names.mention(party, begins_line=party == rest[0])}{total(party)}"
            for party in rest[:TOTALS_SHOWN]
        ]
        if left_out := len(rest) - len(others):
            others.append(translate("reply.more_lines", count=left_out))
        last = [f"-# {' · '.join(others)}"] if others else []
        return [*hands, *side_result_lines(self._result, self._names, ()), *last]

    def has_line_of(self, side: SideBet) -> bool:
        """Whether there is a line of the same side bet, by the same member on the same player."""
        return any(_is_same(told, side) for told in self._result.side_bets[:SIDE_BETS_SHOWN])

    def within(self, room: int) -> str:
        """All lines, in at most this many characters as Discord counts them: else without names of hands."""
        told = "\n".join(self.lines(with_hands=True))
        return told if text_length(told) <= room else "\n".join(self.lines(with_hands=False))

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
        tied = next((hand for hand in hands.values() if hand.strength == banker.strength), banker)
        names = {
            result.banker: hand_name(banker) if tied is banker else name_against(banker, tied, briefly=True)
        }
        names |= {party: name_against(hand, banker, briefly=True) for party, hand in hands.items()}
        for party in names:
            played = played_by(result, party)
            if played is not None and found_strongest(result, played):
                times = self._found.get(party, 1)
                names[party] += f" {FOUND_SIGN}{f'×{times}' if times > 1 else ''}"
        return self._told(names)

    @cached_property
    def _without(self) -> dict[int, str]:
        return self._told({})

    def _told(self, hands: Mapping[int, str]) -> dict[int, str]:
        result = self._result
        brought = {result.banker: result.bank_chips}
        brought |= {player.party: player.chips for player in result.players}
        return {
            party: " ".join(filter(None, (hands.get(party), f"**{gained(result, chips)}**")))
            for party, chips in brought.items()
        }


def _is_same(told: SideResult, side: SideBet) -> bool:
    return (told.party, told.backed) == (side.party, side.backed)


def side_result_lines(result: RoundResult, names: Names, now: Collection[SideBet]) -> list[str]:
    """What each side bet won (B01), a line each, and how many are left out; `now` has those of this round."""
    lines = [
        f"{MARKS[side.outcome]} "
        + translate(
            "board.side_result",
            who=names.mention(side.party),
            backed=names.mention(side.backed),
            chips=side.chips,
        )
        + "".join(f" → **{again.stake}**" for again in now if _is_same(side, again))
        for side in result.side_bets[:SIDE_BETS_SHOWN]
    ]
    if rest := result.side_bets[SIDE_BETS_SHOWN:]:
        chips = sum(side.chips for side in rest)
        lines.append(f"-# {translate('board.more_side_results', count=len(rest), chips=chips)}")
    return lines


def own_result(result: RoundResult, names: Names, party: int, feat: Feat | None = None) -> str | None:
    """What the round brought one member, in sentences to them; None if they were not in it.

    Args:
        feat: what of it a heading celebrates; None for no heading.
    """
    said = [_own(result, names, party), _missed(result, party), _own_side_bets(result, names, party)]
    line, played = _told(result, said), played_by(result, party)
    if line is None or feat is None or played is None:
        return line
    hand = hand_in(result, played)
    head = translate(f"celebrate.{feat}", hand=hand_name(hand), times=hand.multiple)
    return f"## {head.upper()}\n{line}"


def side_result(result: RoundResult, names: Names, party: int) -> str | None:
    """What the round brought one member by side bets; None if they had none."""
    return _told(result, [_own_side_bets(result, names, party)])


def _told(result: RoundResult, said: Iterable[str | None]) -> str | None:
    told = sentences(sentence or "" for sentence in said)
    return translate("panel.last_round", round=result.round_number, result=told) if told else None


def _own(result: RoundResult, names: Names, party: int) -> str | None:
    player = played_by(result, party)
    if player is None:
        return None
    if isinstance(player, RoundResult):
        return _bankers(result, names)
    hand, bankers = hand_in(result, player), hand_in(result, result)
    tied = (hand.strength, hand.tie_break) == (bankers.strength, bankers.tie_break)
    lost = player.outcome is Outcome.BANKER
    return translate(
        "panel.result.tie_lost" if tied and lost else f"panel.result.{player.outcome}",
        hand=name_against(hand, bankers),
        banker=names.mention(result.banker),
        bankers_hand=name_against(bankers, hand),
        gained=sum_of(result, player),
    )


def hand_brought(result: RoundResult, played: PlayerResult | RoundResult) -> str:
    """What a hand has brought its member, in a sentence."""
    how = "bank" if isinstance(played, RoundResult) else played.outcome
    return translate(f"why.brought.{how}", gained=sum_of(result, played))


def _missed(result: RoundResult, party: int) -> str | None:
    """What a member's own hand could have been, where they arranged it in a weaker way (B08)."""
    player = played_by(result, party)
    if player is None:
        return None
    hand = hand_in(result, player)
    strongest = evaluate(hand.pieces, result.rules)
    return translate("panel.missed", hand=hand_name(strongest)) if is_worse(hand, strongest) else None


def _bankers(result: RoundResult, names: Names) -> str:
    """Whom the banker beat, what that brought, and whose hand decided it or counted most."""
    bankers, brought = hand_in(result, result), gained(result, result.bank_chips)
    if len(result.players) == 1:
        player = result.players[0]
        hand = hand_in(result, player)
        return translate(
            "panel.bank_against",
            hand=name_against(bankers, hand),
            who=names.mention(player.party),
            players_hand=name_against(hand, bankers),
            gained=brought,
        )
    told = translate(
        "panel.bank_made",
        hand=hand_name(bankers),
        beaten=sum(player.outcome is Outcome.BANKER for player in result.players),
        players=len(result.players),
        gained=brought,
    )
    return sentences([told, _decided(result, names, brought_bank(result), result.bank_chips)])


def _own_side_bets(result: RoundResult, names: Names, party: int) -> str | None:
    backed = {side.backed: side for side in result.side_bets if side.party == party}
    if not backed:
        return None
    if len(backed) > 1:
        total = sum(side.chips for side in backed.values())
        told = translate("panel.side_bets_brought", count=len(backed), chips=total)
        each = {player: side.chips for player, side in backed.items()}
        return sentences([told, _decided(result, names, each, total)])
    ((player, side),) = backed.items()
    bankers = hand_in(result, result)
    return translate(
        "panel.side_bet_brought",
        who=names.mention(player),
        hand=_hand_of(result, player),
        banker=names.mention(result.banker),
        bankers_hand=hand_name(bankers),
        gained=sum_of(result, side),
    )


def _decided(result: RoundResult, names: Names, brought: Mapping[int, int], total: int) -> str:
    """Whose hand brought a member most of what several did, or cost them most; empty if none did.

    It decided the round if it made up more than half of a total that is not 0.

    Args:
        brought: what each player's hand brought the member.
        total: what all brought together.
    """
    player = counted_most(brought, total)
    if not brought[player]:
        return ""
    decided = total and 2 * abs(brought[player]) > abs(total)
    code = "panel.decided" if decided else "panel.counted_most"
    chips, who = gained(result, brought[player]), names.mention(player)
    return translate(code, who=who, hand=_hand_of(result, player), chips=chips)


def _hand_of(result: RoundResult, party: int) -> str:
    """The name of a player's hand, settled against the banker's."""
    played = played_by(result, party)
    assert played is not None
    return name_against(hand_in(result, played), hand_in(result, result))


STREAK_TOLD: Final = 3
"""The shortest streak that a closed table tells of."""


def headline(result: RoundResult, highlight: Highlight, names: Names) -> str:
    """A heading, and a line about who did it: `50 × 5 = +250`."""
    played = played_by(result, highlight.party)
    assert played is not None
    hand = hand_in(result, played)
    code = f"celebrate.{highlight.feat}"
    is_bank = highlight.feat is Feat.GREAT_HAND and isinstance(played, RoundResult)
    head = translate(code, hand=hand_name(hand), times=highlight.times)
    who, chips = names.mention(highlight.party, begins_line=True), f"**{sum_of(result, played)}**"
    risked = 0 if isinstance(played, RoundResult) else played.stake * largest_multiple(result.rules)
    if (left := highlight.left) is not None and risked > -dict(result.gains)[highlight.party]:
        # They did not lose all that they risked, and play on.
        told = translate(f"{code}.left", who=who, risked=risked, gained=chips, left=left)
    else:
        times = hand.multiple if is_bank else highlight.times
        told = translate(f"{code}.{'bank' if is_bank else 'who'}", who=who, gained=chips, times=times)
    return f"## {head.upper()}\n{told}"


def rival_line(state: TableState, story: Story, names: Names) -> str:
    """Who has beaten the banker of the round that the board shows again and again; empty if nobody has."""
    rival, shown = story.rival, state.last
    if rival is None or shown is None or story.round_number != shown.round_number:
        return ""
    if story.highlight is not None or state.phase in (Phase.DEALT, Phase.CLOSED):
        return ""
    who, banker = names.mention(rival.party, begins_line=True), names.mention(rival.banker)
    return f"-# {translate('celebrate.rival', who=who, banker=banker, times=rival.times)}"


ACHIEVED_SHOWN: Final = 2
"""How many achievements a board names; on a phone that is a line."""


def achieved_line(state: TableState, achieved: Sequence[tuple[int, Achievement]], names: Names) -> str:
    """Who achieved something in the round that the board shows; empty if nobody did."""
    if not achieved or state.phase is Phase.DEALT:
        return ""
    told = [
        f"{names.mention(party, begins_line=not place)}: {translate(f'achievement.{one}')}"
        for place, (party, one) in enumerate(achieved[:ACHIEVED_SHOWN])
    ]
    rest = len(achieved) - len(told)
    return f"-# 🏅 {' · '.join([*told, *([f'+{rest}'] if rest else [])])}"


def goodbye_lines(state: TableState, story: Story, names: Names) -> list[str]:
    """What the evening of a closed table was like; nothing before its first result."""
    if not story.rounds:
        return []
    lines = [translate("goodbye.rounds", count=story.rounds)]
    last, highlight = state.last, story.highlight
    if last is not None and highlight is not None and highlight.feat is Feat.BANK_BROKEN:
        who, chips = names.mention(highlight.party), gained(last, last.bank_chips)
        lines.append(translate("goodbye.bust", who=who, gained=chips))
    if (most := story.most_gained()) is not None:
        chips = signed_points(most[1]) if state.for_points else signed(most[1])
        lines.append(translate("goodbye.most", who=names.mention(most[0]), gained=chips))
    if story.longest is not None and story.longest[1] >= STREAK_TOLD:
        party, times = story.longest
        lines.append(translate("goodbye.streak", who=names.mention(party), times=times))
    if story.best is not None:
        best = story.best
        who, hand = names.mention(best.party), hand_name(best.hand)
        lines.append(translate("goodbye.best", who=who, hand=hand))
    return lines
