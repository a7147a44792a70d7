"""The words on a table's board, block by block, for somebody who only watches."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from bot.rules.knobs import Arrange, BankPasses, Dealing, GameName, HouseRules, SuitedBonus
from bot.rules.tiles import WILD, tile_text
from bot.table.arranging import hand_of
from bot.table.bank_succession import passes_on
from bot.table.betting import bank_covers
from bot.table.state import Bank, Phase, Seat, TableState
from bot.ui.views.mentions import mention
from bot.ui.views.side_bet_text import beside_seat, side_bets_left_out
from bot.words import (
    bank_passed_words,
    departure_words,
    game_title,
    hand_name,
    hand_words,
    percent,
    rules_name,
    sealed_words,
    setting_words,
    signed_points,
    throws_words,
)

DEPARTURES_SHOWN: Final = 5
THROWS_SHOWN: Final = 12
"""So many of the last throws are told: twice as many as sit at a table of Tau Ngau, the first banker too."""
EMOJI: Final[Mapping[GameName, str]] = MappingProxyType({GameName.GNAU: "🐂", GameName.TAU_NGAU: "🀄"})
PIECE_EMOJI: Final[Mapping[GameName, str]] = MappingProxyType({GameName.GNAU: "🃏", GameName.TAU_NGAU: "🀄"})
"""The sign of each game: what clients draw of Chinese dominoes is seldom more than a box."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a board shows beside the table's state.

    Attributes:
        wallets: chips free in the banker's wallet, by member.
        unreachable: members who cannot be written to, and must look behind "My hand".
        bank_edge: the bank's expected gain for each chip staked; None where that is not known.
        scores: running scores of who sits at a table that plays for points, by member; who has none yet is
            left out.
    """

    wallets: Mapping[int, int] = field(default_factory=dict)
    unreachable: Collection[int] = ()
    bank_edge: Fraction | None = None
    scores: Mapping[int, int] = field(default_factory=dict)


def title(state: TableState) -> str:
    """Which game, table and round."""
    on = f" · Round {state.round_number}" if state.round_number else ""
    points = " · for points" if state.for_points else ""
    game = state.rules.game
    return f"## {EMOJI[game]} {game_title(game)} · Table {state.number}{on}{points}"


def rules_line(state: TableState, facts: BoardFacts) -> str:
    """The rules in force, in a line."""
    rules = state.rules
    said = [f"Rules: {rules_name(rules)}"]
    if state.bank and not state.for_points:
        said.append(f"stakes {state.bank.lowest:,}–{state.bank.highest:,}")
    said.append(_prices(rules, for_points=state.for_points))
    if rules.suited_bonus is not SuitedBonus.OFF:
        said.append(f"double for one suit in {setting_words(rules, 'suited_bonus')}")
    if rules.arrange is not Arrange.AUTOMATIC:
        said.append("you arrange your hand" + ", and it stands" * (rules.arrange is Arrange.STRICT))
    if rules.bank_passes is not BankPasses.STAYS:
        said.append(f"the bank passes {setting_words(rules, 'bank_passes')}")
    if facts.bank_edge is not None and not state.for_points:
        said.append(f"bank's edge {percent(facts.bank_edge)}")
    return f"-# {' · '.join(said)}"


def bank_line(state: TableState, facts: BoardFacts) -> str:
    """Who holds the bank, and what it still covers."""
    bank = state.bank
    if bank is None:
        if state.game.rolls_for_bank:
            return "🏦 **Bank** nobody yet · dice say who takes it, and plays against everybody"
        sets = "" if state.for_points else " sets the stakes, and"
        return f"🏦 **Bank** nobody yet · who takes it{sets} plays against everybody"
    going = " · gives it up after this round" if bank.leaves_after_round else ""
    holds = f"🏦 **Bank** {mention(bank.member.member_id)}{_score(state, facts, bank)}"
    if state.phase is Phase.DEALT:
        return f"{holds} · {_shown(state, bank)}{going}"
    if state.for_points:
        return f"{holds}{going}"
    covers = bank_covers(state, facts.wallets)
    return f"{holds} · covers {covers:,} more in stakes{going}"


def seat_lines(state: TableState, facts: BoardFacts) -> str:
    """A line a seat taken, with what others bet on it, and how many seats are free."""
    lines = [
        f"`{seat.number:>2}` {_seat(state, facts, seat)}{beside_seat(state, seat)}" for seat in state.seats
    ]
    lines += side_bets_left_out(state)
    free = state.most_seats - len(state.seats)
    if free > 0:
        lines.append(f"-# {free} {'seat' if free == 1 else 'seats'} free")
    return "\n".join(lines)


def happenings(state: TableState) -> str:
    """How the bank came to who holds it, and who went without having asked; empty where there is nothing."""
    lines = []
    if state.bank is not None and state.throws:
        told = throws_words(state.throws[-THROWS_SHOWN:], state.bank.member.member_id, mention)
        more = "… " if len(state.throws) > THROWS_SHOWN else ""
        lines.append(f"🎲 {more}{told}")
    elif state.bank is not None and (old := _passed_on_by(state)) is not None:
        lines.append(bank_passed_words(old, state.bank.member.member_id, mention))
    last = state.departures[-DEPARTURES_SHOWN:]
    lines += [departure_words(gone, mention(gone.member.member_id)) for gone in last]
    return "\n".join(f"-# {line}" for line in lines)


def seal_line(state: TableState) -> str:
    """The seal of what is drawn next, or of the hands that are out and not proved yet; empty without one."""
    if state.seal is None or state.phase is Phase.CLOSED:
        return ""
    dice = state.phase is Phase.OPEN and state.game.rolls_for_bank
    return f"-# 🔒 {sealed_words(state.seal, dealt=state.phase is Phase.DEALT, dice=dice)}"


def footer(state: TableState, facts: BoardFacts) -> str:
    """What the table waits for, and until when; below it the seal of what is shuffled next."""
    return "\n".join(filter(None, (_waits_for(state, facts), seal_line(state))))


def _waits_for(state: TableState, facts: BoardFacts) -> str:
    until = f" <t:{int(state.deadline)}:R>" if state.deadline is not None else ""
    match state.phase:
        case Phase.CLOSED:
            return "This table is closed. `/table open` opens another."
        case Phase.OPEN if state.game.rolls_for_bank:
            fewest = state.game.fewest_players + 1
            return f"⏳ Waiting for a banker: once {fewest} sit here, press **Roll for the bank**."
        case Phase.OPEN:
            return "⏳ Waiting for a banker: press **Take the bank**."
        case Phase.BETTING:
            return _betting(state, until)
        case Phase.DEALT:
            return _dealt(state, facts, until)


def _prices(rules: HouseRules, *, for_points: bool) -> str:
    """What hands win, in a few words."""
    if rules.game is GameName.TAU_NGAU:
        won = "a point a win" if for_points else "even money"
        where = "" if rules.wild_in_score else " in the discard alone"
        return f"{won} · {' and '.join(tile_text(tile) for tile in sorted(WILD))} wild{where}"
    times, of = ("", " points") if for_points else ("×", "")
    return (
        f"Five Dukes {times}{rules.multiple_five_dukes} · Ngau Tonku {times}{rules.multiple_ngau_tonku} · "
        f"Double-Ox {times}{rules.multiple_double_ox}{of}"
    )


def _passed_on_by(state: TableState) -> int | None:
    """Who passed the bank on after the last round, while the next is bet on; None where nobody did (B05).

    Who passes it on takes a seat; who gave it up has none.
    """
    last = state.last
    if state.phase is not Phase.BETTING or last is None or state.seat_of(last.banker.member_id) is None:
        return None
    followed_at_once = state.round_number == last.round_number + 1
    return last.banker.member_id if followed_at_once and passes_on(last) else None


def _betting(state: TableState, until: str) -> str:
    if state.for_points and not state.bets:
        return "🪙 Who plays? Press **I'm in** to take a seat and be dealt a hand."
    if not state.bets:
        return "🪙 Bets are open: press an amount to bet, and take a seat with it."
    if not state.can_be_dealt:
        return f"🪙 Bets are open · {state.game.fewest_players} players must bet before the deal"
    if state.for_points:
        return f"🪙 The deal is{until}, or when everybody is in"
    return f"🪙 Bets are open · betting closes{until}, or when everybody has bet"


def _dealt(state: TableState, facts: BoardFacts, until: str) -> str:
    pieces = f"{state.game.piece_word}s"
    places: list[Seat | Bank] = [*state.bets, *([state.bank] if state.bank else [])]
    if state.rules.dealing is Dealing.MY_HAND:
        waiting = any(not place.revealed for place in places)
        told = f"\n✉️ Press **My hand** to see your {pieces}." if waiting else ""
    else:
        unreached = [
            mention(place.member.member_id)
            for place in places
            if place.member.member_id in facts.unreachable and not place.revealed
        ]
        told = f"\n✉️ {', '.join(unreached)}: press **My hand** to see your {pieces}." if unreached else ""
    sign = PIECE_EMOJI[state.rules.game]
    return f"{sign} The {pieces} are out · showdown{until}, or when everybody has turned up{told}"


def _seat(state: TableState, facts: BoardFacts, seat: Seat) -> str:
    who = f"{mention(seat.member.member_id)}{_score(state, facts, seat)}"
    going = " · leaves after this round" if seat.leaves_after_round else ""
    bet = "" if state.for_points or seat.stake is None else f" · **{seat.stake:,}**"
    if seat.pieces:
        return f"{who}{bet} · {_shown(state, seat)}{going}"
    if state.phase is Phase.DEALT:
        return f"{who} · not in this round{going}"
    if seat.stake is not None:
        return f"{who}{bet} · ready ✅"
    if seat.sitting_out:
        return f"{who} · sits this round out"
    return f"{who} · — {'still thinking' if state.phase is Phase.BETTING else 'waits'}"


def _score(state: TableState, facts: BoardFacts, place: Seat | Bank) -> str:
    """The running score of who plays for points (G22)."""
    return f" · {signed_points(facts.scores.get(place.member.member_id, 0))}" if state.for_points else ""


def _shown(state: TableState, place: Seat | Bank) -> str:
    if not place.revealed:
        return f"🂠 looks at the {state.game.piece_word}s"
    hand = hand_of(place.pieces, place.declared_ox, state.rules)
    return f"**{hand_name(hand)}** · {hand_words(hand)}"
