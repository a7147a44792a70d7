"""The words about how a round went: the banker's hand, each player's against it, and who backed whom."""

from bot.rules.game import Hand
from bot.rules.knobs import Play
from bot.table.arranging import hand_of
from bot.table.state import PlayerResult, RoundResult
from bot.ui.views.mentions import mention
from bot.ui.views.side_bet_text import MARKS, side_result_lines
from bot.words import hand_name, hand_words, opened_words, signed, signed_points


def hand_in(result: RoundResult, of: PlayerResult | RoundResult) -> Hand:
    """The hand of a player, or the banker's, as it was played."""
    return hand_of(of.pieces, of.declared_ox, result.rules)


def played_by(result: RoundResult, member_id: int) -> PlayerResult | RoundResult | None:
    """Whose hand the member's was in that round: a player's, or the banker's; None where he had none."""
    if result.banker.member_id == member_id:
        return result
    return next((one for one in result.players if one.member.member_id == member_id), None)


def gained(result: RoundResult, amount: int) -> str:
    """What somebody gained in this round: chips, or points where these were played for (G22)."""
    return signed_points(amount) if result.rules.play is Play.POINTS else signed(amount)


def result_lines(result: RoundResult, *, room: int) -> str:
    """What the last round brought, for everybody to read.

    Args:
        result: the round.
        room: how many characters there are for it, counted as Discord counts them; where that is not enough,
            players' pieces are left to the picture.
    """
    told = _result_lines(result, with_pieces=True)
    return told if length(told) <= room else _result_lines(result, with_pieces=False)


def opened_line(result: RoundResult) -> str:
    """The secret that the hands were drawn from, now that they are settled; empty where none was sealed."""
    return f"-# 🔓 {opened_words(result.opening)}" if result.opening is not None else ""


def length(text: str) -> int:
    """How long a text is to most clients, where what lies beyond the sixteenth bit is two."""
    return len(text.encode("utf-16-le")) // 2


def _result_lines(result: RoundResult, *, with_pieces: bool) -> str:
    banker = hand_in(result, result)
    head = (
        f"### Round {result.round_number}\n"
        f"👑 {mention(result.banker.member_id)} **{hand_name(banker)}** · {hand_words(banker)} · "
        f"the bank **{gained(result, result.bank_chips)}**"
    )
    players = (_result(player, result, with_pieces=with_pieces) for player in result.players)
    return "\n".join([head, *players, *side_result_lines(result)])


def own_result(result: RoundResult, member_id: int) -> str | None:
    """What the round brought one member, in sentences to himself; None where he was not in it."""
    said = [_own(result, member_id), _own_side_bets(result, member_id)]
    told = " ".join(sentence for sentence in said if sentence)
    return f"Round {result.round_number}: {told}" if told else None


def _result(player: PlayerResult, result: RoundResult, *, with_pieces: bool) -> str:
    hand = hand_in(result, player)
    who = f"{MARKS[player.outcome]} {mention(player.member.member_id)}"
    pieces = f" · {hand_words(hand)}" if with_pieces else ""
    return f"{who} {hand_name(hand)}{pieces} · **{gained(result, player.chips)}**"


def _own(result: RoundResult, member_id: int) -> str | None:
    player = played_by(result, member_id)
    if player is None:
        return None
    if isinstance(player, RoundResult):
        return f"your bank made **{gained(result, result.bank_chips)}**."
    own, bankers = hand_name(hand_in(result, player)), hand_name(hand_in(result, result))
    verb = {"player": "beats", "banker": "loses to", "push": "ties with"}[player.outcome]
    return (
        f"your {own} {verb} {mention(result.banker.member_id)}'s {bankers}: "
        f"**{gained(result, player.chips)}**."
    )


def _own_side_bets(result: RoundResult, member_id: int) -> str | None:
    backed = [side for side in result.side_bets if side.member.member_id == member_id]
    if not backed:
        return None
    bets = "side bet" if len(backed) == 1 else "side bets"
    return f"your {bets} brought **{signed(sum(side.chips for side in backed))}**."
