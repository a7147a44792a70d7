"""The words on a table's board, block by block, for somebody who only watches."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from bot.rules.hands import evaluate
from bot.table.betting import bank_covers
from bot.table.state import Bank, Phase, PlayerResult, RoundResult, Seat, TableState
from bot.words import departure_words, hand_name, hand_words, percent, rules_name, signed

DEPARTURES_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a board shows beside the table's state.

    Attributes:
        wallets: chips free in the banker's wallet, by member.
        unreachable: members who cannot be written to, and must look behind "My hand".
        bank_edge: the bank's expected gain for each chip staked; None where that is not known.
    """

    wallets: Mapping[int, int] = field(default_factory=dict)
    unreachable: Collection[int] = ()
    bank_edge: Fraction | None = None


def mention(member_id: int) -> str:
    """The member's name as Discord shows it to each reader; nobody is pinged by a board."""
    return f"<@{member_id}>"


def title(state: TableState) -> str:
    """Which game, table and round."""
    on = f" · Round {state.round_number}" if state.round_number else ""
    return f"## 🐂 Gnau · Table {state.number}{on}"


def rules_line(state: TableState, facts: BoardFacts) -> str:
    """The rules in force, in a line."""
    rules = state.rules
    stakes = f"stakes {state.bank.lowest:,}–{state.bank.highest:,} · " if state.bank else ""
    multiples = (
        f"Five Dukes ×{rules.multiple_five_dukes} · Ngau Tonku ×{rules.multiple_ngau_tonku} · "
        f"Double-Ox ×{rules.multiple_double_ox}"
    )
    edge = f" · bank's edge {percent(facts.bank_edge)}" if facts.bank_edge is not None else ""
    return f"-# Rules: {rules_name(rules)} · {stakes}{multiples}{edge}"


def bank_line(state: TableState, facts: BoardFacts) -> str:
    """Who holds the bank, and what it still covers."""
    bank = state.bank
    if bank is None:
        return "🏦 **Bank** nobody yet · who takes it sets the stakes, and plays against everybody"
    going = " · gives it up after this round" if bank.leaving else ""
    if state.phase is Phase.DEALT:
        return f"🏦 **Bank** {mention(bank.member.member_id)} · {_shown(state, bank)}{going}"
    covers = bank_covers(state, facts.wallets)
    return f"🏦 **Bank** {mention(bank.member.member_id)} · covers {covers:,} more in stakes{going}"


def seat_lines(state: TableState) -> str:
    """A line a seat taken, and how many are free."""
    lines = [f"`{seat.number:>2}` {_seat(state, seat)}" for seat in state.seats]
    free = state.rules.seats - len(state.seats)
    if free:
        lines.append(f"-# {free} {'seat' if free == 1 else 'seats'} free")
    return "\n".join(lines)


def result_lines(result: RoundResult) -> str:
    """What the last round brought: the banker's hand, then each player's against it."""
    banker = evaluate(result.pieces, result.rules)
    head = (
        f"### Round {result.round_number}\n"
        f"👑 {mention(result.banker.member_id)} **{hand_name(banker)}** · {hand_words(banker)} · "
        f"the bank **{signed(result.bank_chips)}**"
    )
    return "\n".join([head, *(_result(player, result) for player in result.players)])


def departure_lines(state: TableState) -> str:
    """Who went last without having asked, a line each; empty where nobody did."""
    last = state.departures[-DEPARTURES_SHOWN:]
    lines = (departure_words(gone, mention(gone.member.member_id)) for gone in last)
    return "\n".join(f"-# {line}" for line in lines)


def footer(state: TableState, facts: BoardFacts) -> str:
    """What the table waits for, and until when."""
    until = f" <t:{int(state.deadline)}:R>" if state.deadline is not None else ""
    match state.phase:
        case Phase.CLOSED:
            return "This table is closed. `/table open` opens another."
        case Phase.OPEN:
            return "⏳ Waiting for a banker: press **Take the bank**."
        case Phase.BETTING:
            if not state.bets:
                return "🪙 Bets are open: press an amount to bet, and take a seat with it."
            return f"🪙 Bets are open · betting closes{until}, or when everybody has bet"
        case Phase.DEALT:
            places: list[Seat | Bank] = [*state.bets, *([state.bank] if state.bank else [])]
            unreached = [
                mention(place.member.member_id)
                for place in places
                if place.member.member_id in facts.unreachable and not place.shown
            ]
            told = f"\n✉️ {', '.join(unreached)}: press **My hand** to see your cards." if unreached else ""
            return f"🃏 The cards are out · showdown{until}, or when everybody has turned up{told}"


def _seat(state: TableState, seat: Seat) -> str:
    who = mention(seat.member.member_id)
    going = " · leaves after this round" if seat.leaving else ""
    if seat.pieces:
        return f"{who} · **{seat.stake:,}** · {_shown(state, seat)}{going}"
    if state.phase is Phase.DEALT:
        return f"{who} · not in this round{going}"
    if seat.stake is not None:
        return f"{who} · **{seat.stake:,}** · ready ✅"
    if seat.out:
        return f"{who} · sits this round out"
    return f"{who} · — {'still thinking' if state.phase is Phase.BETTING else 'waits'}"


def _shown(state: TableState, place: Seat | Bank) -> str:
    if not place.shown:
        return "🂠 looks at the cards"
    hand = evaluate(place.pieces, state.rules)
    return f"**{hand_name(hand)}** · {hand_words(hand)}"


_MARKS: Final = {"player": "▲", "banker": "▼", "draw": "▬"}


def _result(player: PlayerResult, result: RoundResult) -> str:
    hand = evaluate(player.pieces, result.rules)
    who = f"{_MARKS[player.outcome]} {mention(player.member.member_id)}"
    return f"{who} {hand_name(hand)} · {hand_words(hand)} · **{signed(player.chips)}**"
