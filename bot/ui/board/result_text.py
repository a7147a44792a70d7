"""The texts about how a round ended: the banker's hand, each player's against it, and side bets."""

from functools import cached_property

from bot.games.hands import hand_of
from bot.games.settle import Outcome
from bot.rules.knobs import Play
from bot.rules.pieces import Hand
from bot.rules.typed_text import text_length
from bot.table.state import PlayerResult, RoundResult
from bot.ui.board.side_bet_text import MARKS, side_result_lines
from bot.ui.names import Names
from bot.words.hands import hand_name, name_against
from bot.words.translation import sentences, signed, signed_points, translate


def hand_in(result: RoundResult, of: PlayerResult | RoundResult) -> Hand:
    """A player's hand, or the banker's, as it was played."""
    return hand_of(of.pieces, of.declared_ox, result.rules)


def played_by(result: RoundResult, party: int) -> PlayerResult | RoundResult | None:
    """The result that holds the member's hand: a player's, or the banker's; None if they had no hand."""
    if result.banker == party:
        return result
    return next((one for one in result.players if one.party == party), None)


def gained(result: RoundResult, amount: int) -> str:
    """What somebody gained in this round, in chips or in points (G22)."""
    return signed_points(amount) if result.rules.play is Play.POINTS else signed(amount)


class ResultText:
    """What a round brought, for everybody to read; written once. The cards are in the picture.

    Args:
        result: the round.
        names: how members are shown.
    """

    def __init__(self, result: RoundResult, names: Names) -> None:
        self._result = result
        self._names = names

    def within(self, room: int) -> str:
        """The text.

        Args:
            room: how many characters it may take, counted as Discord does; if that is not enough, the names
                of hands are left out, since the picture shows them.
        """
        return self._whole if text_length(self._whole) <= room else self._short

    @cached_property
    def _whole(self) -> str:
        return _result_lines(self._result, self._names, with_hands=True)

    @cached_property
    def _short(self) -> str:
        return _result_lines(self._result, self._names, with_hands=False)


def receipt_line(result: RoundResult) -> str:
    """The receipt of the round; only which round it was if its shuffle was not sealed."""
    number = result.round_number
    if result.receipt is None:
        return f"-# {translate('table.round', round=number)}"
    return f"-# {translate('board.receipt', round=number, receipt=result.receipt)}"


def _result_lines(result: RoundResult, names: Names, *, with_hands: bool) -> str:
    banker = hand_in(result, result)
    hands = [hand_in(result, player) for player in result.players]
    tied = next((hand for hand in hands if hand.strength == banker.strength), None)
    name = hand_name(banker) if tied is None else name_against(banker, tied)
    head = (
        f"👑 {names.mention(result.banker, begins_line=True)} {name} **{gained(result, result.bank_chips)}**"
    )
    players = (_result(player, result, names, with_hand=with_hands) for player in result.players)
    return "\n".join([head, *players, *side_result_lines(result, names)])


def own_result(result: RoundResult, names: Names, party: int) -> str | None:
    """What the round brought one member, in sentences to them; None if they were not in it."""
    said = [_own(result, names, party), _own_side_bets(result, party)]
    told = sentences(sentence or "" for sentence in said)
    return translate("panel.last_round", round=result.round_number, result=told) if told else None


def _result(player: PlayerResult, result: RoundResult, names: Names, *, with_hand: bool) -> str:
    parts = [MARKS[player.outcome], f"`{player.seat}`", names.mention(player.party)]
    if with_hand:
        parts.append(name_against(hand_in(result, player), hand_in(result, result)))
    return f"{' '.join(parts)} **{gained(result, player.chips)}**"


def _own(result: RoundResult, names: Names, party: int) -> str | None:
    player = played_by(result, party)
    if player is None:
        return None
    if isinstance(player, RoundResult):
        return translate("panel.bank_made", gained=gained(result, result.bank_chips))
    hand, bankers = hand_in(result, player), hand_in(result, result)
    tied = (hand.strength, hand.tie_break) == (bankers.strength, bankers.tie_break)
    lost = player.outcome is Outcome.BANKER
    return translate(
        "panel.result.tie_lost" if tied and lost else f"panel.result.{player.outcome}",
        hand=name_against(hand, bankers),
        banker=names.mention(result.banker),
        bankers_hand=name_against(bankers, hand),
        gained=gained(result, player.chips),
    )


def _own_side_bets(result: RoundResult, party: int) -> str | None:
    backed = [side for side in result.side_bets if side.party == party]
    if not backed:
        return None
    return translate("panel.side_bets_brought", count=len(backed), chips=sum(side.chips for side in backed))
