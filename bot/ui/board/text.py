"""What a board says: who banks, who plays with what, how the last round went, and what happens next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from bot.games.hands import hand_of
from bot.games.knobs import preset_of
from bot.games.settle import largest_multiple
from bot.rules.knobs import MOST_CHIPS, Arrange, Dealing
from bot.rules.shuffle import Use
from bot.table.achievements import Achievement
from bot.table.bank import can_bank
from bot.table.betting import bank_covers
from bot.table.computer_players import computers_bet
from bot.table.preconditions import Action, bank_falls_to, unmet_precondition
from bot.table.state import THE_HOUSE, Bank, Phase, Seat, TableState, is_computer
from bot.table.story import Story
from bot.ui.board.results import BANK_SIGN, NEXT_SIGN, SIDE_BETS_SHOWN, ResultText, played_by, seat_sign
from bot.ui.readers import Names
from bot.words.hands import hand_name, hand_words, my_hand
from bot.words.rules import game_title, rules_name
from bot.words.tables import departure_words
from bot.words.translation import listed, signed_points, translate


def beside_seat(state: TableState, names: Names, seat: Seat, last: ResultText | None) -> str:
    """Who backs a seat: ` · backed by @Zed (10)`; empty if nobody does (B01), or the last result tells it."""
    backers = [
        translate("board.backer", who=names.mention(side.party), stake=side.stake)
        for side in state.side_bets[:SIDE_BETS_SHOWN]
        if side.backed == seat.party and not (last is not None and last.has_line_of(side))
    ]
    return f" · {translate('board.backed_by', backers=listed(backers))}" if backers else ""


def side_bets_left_out(state: TableState) -> list[str]:
    """A line about the side bets that are not listed; none if all are."""
    rest = state.side_bets[SIDE_BETS_SHOWN:]
    if not rest:
        return []
    chips = sum(side.stake for side in rest)
    return [f"-# {translate('board.more_side_bets', count=len(rest), chips=chips)}"]


DEPARTURES_SHOWN: Final = 3
ROLLS_SHOWN: Final = 2
"""The most rolls of a member that are shown, the last ones."""
_DICE: Final = dict(enumerate("⚀⚁⚂⚃⚄⚅", start=1))


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a board shows beside the table's state.

    Attributes:
        wallets: free chips in the banker's wallet, by member; in the house's, where nobody banks.
        unreachable: members whose direct messages are closed.
        bank_edge: the bank's expected gain for each chip bet; None if it is not known.
        scores: running scores of members at a table for points, by member; those without are left out.
        next_banker: who has asked for the bank; None if nobody has.
        story: what the table tells of its rounds; without a highlight, nothing is celebrated.
        achieved: who achieved what in the last round, where that is told.
        all_in: who has bet all that they have, where that is told.
        menu_uses: how often the board's menu was used: another number resets it in Discord's client.
    """

    wallets: Mapping[int, int] = field(default_factory=dict)
    unreachable: Collection[int] = ()
    bank_edge: Fraction | None = None
    scores: Mapping[int, int] = field(default_factory=dict)
    next_banker: int | None = None
    story: Story = field(default_factory=Story)
    achieved: Sequence[tuple[int, Achievement]] = ()
    all_in: Collection[int] = ()
    menu_uses: int = 0


def title(state: TableState) -> str:
    """The game, the table and the round."""
    parts = [game_title(state.rules.game), translate("table.name", number=state.number)]
    parts += [translate("table.round", round=state.round_number)] if state.round_number else []
    parts += [translate("board.for_points")] if state.for_points else []
    return f"### {state.game.display.emoji} {' · '.join(parts)}"


def places_text(
    state: TableState,
    names: Names,
    facts: BoardFacts,
    last: ResultText | None = None,
    *,
    with_hands: bool = True,
) -> str:
    """A line for the bank, and one for each taken seat with the bets on it.

    Args:
        last: what the last round brought, which stands in the same lines; those without a place follow.
            If places have changed, all stand where they did then, as in its picture, below the next banker.
        with_hands: whether the names of its hands are shown.
    """

    def brought(party: int) -> str:
        return "" if last is None else last.brought(party, with_hand=with_hands)

    def line(seat: Seat, sign: str) -> str:
        told = _seat(state, names, facts, seat, brought(seat.party), sign)
        return told + beside_seat(state, names, seat, last)

    seats, bank, then = {seat.party: seat for seat in state.seats}, state.bank, []
    now = {seat.party: seat_sign(seat.number) for seat in state.seats}
    there = now if bank is None else {bank.party: BANK_SIGN} | now
    if last is None or last.are_places(there):
        first = _bank(state, names, facts, "" if bank is None else brought(bank.party))
        lines = [first, *(line(seat, now[seat.party]) for seat in state.seats)]
    else:
        lines = [
            line(seats[party], sign)
            if party in seats
            else f"{'' if party in there else '-# '}{last.line(party, with_hand=with_hands)}"
            for party, sign in last.places.items()
        ]
        lines += [line(seat, "") for seat in state.seats if seat.party not in last.places]
        # A line of its own is more than a phone has room for.
        then = [_bank(state, names, facts, "", is_next=True)]
        there |= last.places
    lines += side_bets_left_out(state)
    if last is None and state.throws and before_first_deal(state):
        lines.append(f"-# {translate('board.dice_pick')}")
    if last is None:
        return "\n".join(lines)
    both = "board.last_round_and_now" if state.for_points else "board.last_round_and_bets"
    label = translate("board.last_round" if then or state.phase is not Phase.BETTING else both)
    label = " · ".join((label, *then))
    others = last.lines(with_hands=with_hands, besides=there, now=state.side_bets[:SIDE_BETS_SHOWN])
    return "\n".join((f"-# {label}", *lines, *(f"-# {line.removeprefix('-# ')}" for line in others)))


def goal(state: TableState) -> str:
    """What the game is about, for first-timers; empty once the cards of the first round are dealt."""
    return translate(f"guide.goal.{state.rules.game}") if before_first_deal(state) else ""


def before_first_deal(state: TableState) -> bool:
    """Whether nothing was dealt at a table yet, which first-timers look at."""
    return state.last is None and state.phase in (Phase.OPEN, Phase.BETTING)


def small_print(state: TableState, facts: BoardFacts) -> str:
    """The rules in force, and the seal of what is dealt or thrown next."""
    rules = state.rules
    name = rules_name(rules)
    parts = [name if preset_of(rules) is None else translate("board.rules", preset=name)]
    if state.bank and not state.for_points:
        parts.append(translate("board.limits", lowest=state.bank.lowest, highest=state.bank.highest))
        if state.last and (multiple := largest_multiple(state.rules)) > 1:
            parts.append(translate("board.times", multiple=multiple))
    if rules.arrange is not Arrange.AUTOMATIC:
        parts.append(translate(f"board.arrange.{rules.arrange}"))
    if facts.bank_edge is not None and not state.for_points:
        # On a phone, no line begins with the number.
        edge = translate("board.edge", edge=facts.bank_edge)
        parts.append(edge.replace(" ", "\N{NO-BREAK SPACE}"))
    lines = [" · ".join(parts)]
    if state.phase is not Phase.CLOSED:
        code = "board.dice_seal" if state.next_use is Use.DICE else "board.seal"
        lines.append(translate(code, round=state.round_to_deal, seal=state.seal))
    return "\n".join(f"-# {line}" for line in lines)


def happenings(state: TableState, names: Names) -> str:
    """Who had to leave; empty if nobody had."""
    last = state.departures[-DEPARTURES_SHOWN:]
    lines = [departure_words(gone, names.mention(gone.party)) for gone in last]
    return "\n".join(f"-# {line}" for line in lines)


def waits_for(state: TableState, names: Names, facts: BoardFacts) -> str:
    """What the table waits for, and until when."""
    match state.phase:
        case Phase.CLOSED:
            return translate("board.closed")
        case Phase.OPEN:
            return _banker_wanted(state, facts)
        case Phase.BETTING:
            return _betting(state)
        case Phase.DEALT:
            return _dealt(state, names, facts)


def _banker_wanted(state: TableState, facts: BoardFacts) -> str:
    """What gets the table a banker."""
    if house_can_bank(state, facts):
        if unmet_precondition(state, Action.TAKE_BANK) is None:
            return translate("board.waits_for_house_or_banker")
        can_roll = unmet_precondition(state, Action.ROLL) is None
        return translate("board.waits_for_house_or_roll" if can_roll else "board.waits_for_house")
    if not state.game.rolls_for_bank:
        return translate("board.waits_for_banker")
    if unmet_precondition(state, Action.ROLL) is None:
        return translate("board.waits_for_roll")
    return translate("board.waits_for_players", fewest=state.game.fewest_players + 1)


def _until(state: TableState, code: str) -> str:
    """A text that may end with the deadline, which Discord shows as a countdown."""
    if state.deadline is None:
        return translate(code)
    return translate(f"{code}_until", until=int(state.deadline))


def _betting(state: TableState) -> str:
    if not state.bets:
        return translate("board.who_plays" if state.for_points else "board.place_bets")
    if not state.can_be_dealt:
        code = "board.too_few_in" if state.for_points else "board.too_few_bets"
        return translate(code, fewest=state.fewest_players)
    return _until(state, "board.deal_in_points" if state.for_points else "board.betting")


def _hidden(state: TableState) -> list[int]:
    """Who has not revealed their hand yet."""
    places: list[Seat | Bank] = [*state.bets, *([state.bank] if state.bank else [])]
    return [place.party for place in places if not place.revealed]


def points_to_my_hand(state: TableState) -> bool:
    """Whether *My hand* comes first: hands are only there, or a player had none in the last round."""
    if state.phase is not Phase.DEALT:
        return False
    hidden, last = _hidden(state), state.last
    if state.rules.dealing is Dealing.MY_HAND:
        return bool(hidden)
    members = (seat.party for seat in state.bets if seat.party in hidden and not is_computer(seat.party))
    return any(last is None or played_by(last, party) is None for party in members)


def _dealt(state: TableState, names: Names, facts: BoardFacts) -> str:
    pieces = state.game.pieces
    piece_word = translate(f"piece.{pieces.name}")
    lines = [f"{pieces.emoji} {_until(state, 'board.dealt')}"]
    unreached = [names.mention(party) for party in _hidden(state) if party in facts.unreachable]
    button = my_hand(state.rules.game)
    if unreached and state.rules.dealing is not Dealing.MY_HAND:
        who = listed(unreached)
        lines.append(translate("board.unreached", who=who, button=button, pieces=piece_word))
    elif points_to_my_hand(state):
        lines.append(translate("board.press_my_hand", button=button, pieces=piece_word))
    lines += [translate("board.closes")] if state.closes_after_round else []
    return "\n".join(lines)


def house_can_bank(state: TableState, facts: BoardFacts) -> bool:
    """Whether the house may take the bank and covers the lowest bet (B07)."""
    covers = can_bank(state.rules, state.rules.lowest_stake, facts.wallets.get(THE_HOUSE, MOST_CHIPS))
    return covers and unmet_precondition(state, Action.PLAY_HOUSE) is None


def _bank(state: TableState, names: Names, facts: BoardFacts, brought: str, *, is_next: bool = False) -> str:
    """Who holds the bank, what the last round brought them, and what the bank can still cover.

    Args:
        is_next: whether it stands below a round that somebody else banked, who has the crown there.
    """
    bank = state.bank
    if bank is None:
        may = unmet_precondition(state, Action.PLAY_HOUSE) is None
        is_out = may and not house_can_bank(state, facts)
        free = translate("board.bank_free")
        free = free.replace(BANK_SIGN, NEXT_SIGN) if is_next else free
        return " · ".join([free, *([translate("board.house_out")] if is_out else [])])
    who = f"{names.mention(bank.party, begins_line=True)}{_dice(state, bank.party)}"
    if brought:
        who = f"{BANK_SIGN} {who}{_score(state, facts, bank)} {brought}"
    elif is_next:
        then = f"{names.mention(bank.party)}{_dice(state, bank.party)}"
        who = f"{translate('board.next_banker', who=then)}{_score(state, facts, bank)}"
    else:
        banks = translate("board.bank_house") if state.house_banks else translate("board.bank", who=who)
        who = f"{banks}{_score(state, facts, bank)}"
    parts = [who]
    if state.phase is Phase.DEALT:
        # Their hand is seen last, with the result.
        parts.append(translate("board.bank_last" if bank.revealed else "board.hidden"))
    elif not state.for_points and (room := bank_covers(state, facts.wallets)) < bank.highest:
        parts.append(translate("board.bank_room", chips=room))
    parts += [translate("board.bank_leaves")] if bank.leaves_after_round else []
    if facts.next_banker is not None and (party := bank_falls_to(state, facts.next_banker)) is not None:
        parts.append(translate("board.bank_next", who=names.mention(party)))
    return " · ".join(parts)


def _seat(state: TableState, names: Names, facts: BoardFacts, seat: Seat, brought: str, sign: str) -> str:
    place = f"{sign} {names.mention(seat.party)}".lstrip()
    who = f"{place}{_dice(state, seat.party)}{_score(state, facts, seat)}"
    if brought:
        return " ".join(filter(None, (who, brought, _next_bet(state, facts, seat))))
    parts = [who]
    if seat.stake is not None and not state.for_points:
        parts.append(_stake(facts, seat))
    if seat.pieces:
        parts.append(_hand(state, seat))
    elif state.phase is Phase.DEALT:
        parts.append(translate("board.not_in_round"))
    elif seat.stake is not None:
        parts.append("✓")
    elif _sits_out(state, seat):
        parts.append(f"💤 {translate('board.sits_out')}")
    elif seat.undecided and state.phase is Phase.BETTING:
        parts.append(translate("board.deciding"))
    if seat.leaves_after_round and state.phase is Phase.DEALT:
        parts.append(translate("board.leaves"))
    return " · ".join(parts)


def _stake(facts: BoardFacts, seat: Seat) -> str:
    """What a player has bet, and whether that is all that they have."""
    bet = translate("board.stake", stake=seat.stake or 0)
    return f"{bet} {translate('board.all_in')}" if seat.party in facts.all_in else bet


def _next_bet(state: TableState, facts: BoardFacts, seat: Seat) -> str:
    """What a player does in this round, in few characters: it stands behind what the last one brought."""
    if seat.stake is not None:
        return f"→ {'✓' if state.for_points else _stake(facts, seat)}"
    return "→ 💤" if state.phase is Phase.BETTING and _sits_out(state, seat) else ""


def _sits_out(state: TableState, seat: Seat) -> bool:
    return seat.sitting_out or (is_computer(seat.party) and computers_bet(state))


def _dice(state: TableState, party: int) -> str:
    """What a member rolled for the bank, until the deal: ` ⚄⚂`; after a tie, every roll (T03)."""
    rolls = [throw.dice for throw in state.throws if throw.party == party][-ROLLS_SHOWN:]
    return "".join(f" {''.join(_DICE[die] for die in dice)}" for dice in rolls)


def _score(state: TableState, facts: BoardFacts, place: Seat | Bank) -> str:
    """The running score at a table for points (G22)."""
    return f" · {signed_points(facts.scores.get(place.party, 0))}" if state.for_points else ""


def _hand(state: TableState, seat: Seat) -> str:
    if not seat.revealed:
        return translate("board.hidden")
    hand = hand_of(seat.pieces, seat.declared_ox, state.rules)
    # On a phone, the five pieces fit a line of their own, but not the rest of this one.
    return f"**{hand_name(hand)}**\n{hand_words(hand)}"
