"""What a board says: who banks, who plays with what, how the last round went, and what happens next."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.games.hands import hand_of
from bot.games.knobs import preset_of
from bot.games.settle import endings_of_ties, largest_multiple
from bot.rules.knobs import MOST_CHIPS, Arrange, Dealing, Ties
from bot.rules.shuffle import Use
from bot.table.achievements import Achievement
from bot.table.bank import can_bank
from bot.table.betting import bank_covers
from bot.table.computer_players import computers_bet
from bot.table.preconditions import Action, bank_falls_to, unmet_precondition
from bot.table.refusals import Refusal
from bot.table.state import THE_HOUSE, Bank, Phase, Seat, TableState, is_computer
from bot.table.story import Highlight, Story
from bot.ui.board.results import (
    BANK_SIGN,
    NEXT_SIGN,
    PARTS_ROUNDS,
    SIDE_BETS_SHOWN,
    ResultText,
    played_by,
    seat_sign,
)
from bot.ui.readers import Names
from bot.words.hands import hand_name, hand_words, my_hand
from bot.words.rules import game_title, goal_words, own_rules_words, rules_name
from bot.words.tables import departure_words, heat_name
from bot.words.translation import NO_BREAK, countdown, listed, signed, signed_points, translate


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


BETS_TOLD: Final = 10
"""Of how many members the question whether to close a table says what they have bet."""


def bets_to_return(tables: Iterable[TableState], names: Names, leaving: int | None = None) -> str:
    """Which bets go back if these tables close now, side bets included: `@Alice (20), @Zed (5)`.

    Args:
        leaving: a member who is removed from them instead; if they bank, that calls off the round.

    Returns:
        A sentence; empty if none go back.
    """
    bets: Counter[int] = Counter()
    for table in tables:
        if not table.held or table.phase is Phase.DEALT:
            continue
        returns_all = leaving is None or table.is_banker(leaving)
        for seat in table.bets:
            if returns_all or seat.party == leaving:
                bets[seat.party] += seat.stake or 0
        for side in table.side_bets:
            if returns_all or leaving in (side.party, side.backed):
                bets[side.party] += side.stake
    told = [
        translate("board.backer", who=names.mention(party), stake=stake)
        for party, stake in bets.most_common(BETS_TOLD)
    ]
    if rest := len(bets) - len(told):
        told.append(translate("reply.more_lines", count=rest))
    return translate("reply.bets_go_back", bets=listed(told)) if told else ""


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
        scores: running scores of members at a table for points, by member; those without are left out.
        next_banker: who has asked for the bank; None if nobody has.
        story: what the table tells of its rounds; without a highlight, nothing is celebrated.
        achieved: who achieved what in the last round, where that is told.
        all_in: who has bet all that they have, where that is told.
        is_last_call: whether all who are waited for have bet or revealed their hands.
        awaited_banker: the banker to whom the bank came, if they have pressed nothing yet.
        menu_uses: how often the board's menu was used: another number resets it in Discord's client.
    """

    wallets: Mapping[int, int] = field(default_factory=dict)
    unreachable: Collection[int] = ()
    scores: Mapping[int, int] = field(default_factory=dict)
    next_banker: int | None = None
    story: Story = field(default_factory=Story)
    achieved: Sequence[tuple[int, Achievement]] = ()
    all_in: Collection[int] = ()
    is_last_call: bool = False
    awaited_banker: int | None = None
    menu_uses: int = 0

    @property
    def house_chips(self) -> int:
        """What the house has to bank with; more than enough if that is not known."""
        return self.wallets.get(THE_HOUSE, MOST_CHIPS)


def shows_result(state: TableState) -> int | None:
    """The number of the round whose result the board tells as news; None if it tells none."""
    if state.last is None or state.phase is Phase.DEALT:
        return None
    number = state.last.round_number
    if state.phase is not Phase.CLOSED:
        return number
    # Of a table that closed with its last round, no other board has shown that.
    closed_with_it = state.heat is not None or state.closes_after_round
    return number if closed_with_it and number == state.round_number else None


def shows_best_hand(state: TableState, story: Story) -> bool:
    """Whether the picture on a closed table's board is its best hand: not if its only round was the last."""
    is_over = state.phase is Phase.CLOSED and state.heat is None and story.best is not None
    return is_over and (shows_result(state) is None or story.rounds > 1)


def highlight_of(state: TableState, story: Story) -> Highlight | None:
    """What was remarkable in the round whose result the board tells as news; None if nothing was."""
    shown = shows_result(state)
    return story.highlight if shown is not None and story.round_number == shown else None


def title(state: TableState) -> str:
    """The game, the table, and the round that is shown; of a closed table, which counts its rounds, none.

    While bets are open, that is the last round, whose picture and result are below.
    """
    shown, heat = state.last, state.heat
    number = state.round_number if shown is None or state.phase is Phase.DEALT else shown.round_number
    if state.phase is Phase.CLOSED and (shown is None or heat is None):
        number = 0
    if not number:
        return f"### {with_table(state)}"
    played = (
        translate("table.round", round=number)
        if heat is None
        else translate("board.heat_round", round=number, rounds=heat.rounds)
    )
    return f"### {with_table(state, played)}"


def with_table(state: TableState, *what: str, briefly: bool = False) -> str:
    """The game, the table, and what is said of it.

    Args:
        briefly: whether the emoji of the game stands for its name, so that more fits a line of a phone.
    """
    if state.heat is not None:
        parts = [heat_name(state.heat, state.rules.game), *what]
    else:
        name = [] if briefly else [game_title(state.rules.game)]
        parts = [*name, translate("table.name", number=state.number), *what]
        if state.for_points:
            # On a phone, these words begin the second line.
            parts.append(translate("board.for_points").replace(" ", NO_BREAK))
    return f"{state.game.display.emoji} {' · '.join(parts)}"


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
        # A revealed hand has a line of its own.
        who, *pieces = told.split("\n")
        return "\n".join((who + beside_seat(state, names, seat, last), *pieces))

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
    label = " · ".join((_of_last_round(state, facts, has_next=bool(then)), *then))
    others = last.lines(with_hands=with_hands, besides=there, now=state.side_bets[:SIDE_BETS_SHOWN])
    return "\n".join((f"-# {label}", *lines, *(f"-# {line.removeprefix('-# ')}" for line in others)))


def _of_last_round(state: TableState, facts: BoardFacts, *, has_next: bool) -> str:
    """What stands above the lines of the last round, which may also say what is bet now.

    Below a headline it names the table.

    Args:
        has_next: whether the next banker is named behind it.
    """
    is_headline = highlight_of(state, facts.story) is not None
    if is_headline and has_next:
        return with_table(state, briefly=True)
    code = "board.result"
    if state.phase is Phase.BETTING and not has_next:
        code = "board.result_and_now" if state.for_points else "board.result_and_bets"
    if is_headline and not state.for_points:
        # The headline has the place of the title.
        code = f"{code}_of_round"
    shown = 0 if state.last is None else state.last.round_number
    told = translate(code, round=shown, now=state.round_number)
    return with_table(state, told) if is_headline else told


def goal(state: TableState) -> str:
    """What the game is about, for first-timers; empty once the cards of the first round are dealt."""
    return goal_words(state.rules) if before_first_deal(state) else ""


def before_first_deal(state: TableState) -> bool:
    """Whether nothing was dealt at a table yet, which first-timers look at."""
    return state.last is None and state.phase in (Phase.OPEN, Phase.BETTING)


def small_print(state: TableState, *, with_limits: bool = True) -> str:
    """What can be bet, won and lost, the rules if not the usual ones, and the seal of what comes next.

    Args:
        with_limits: whether it says, until the deal, what can be bet, won and lost, as buttons and panels
            do too.
    """
    rules, parts = state.rules, list[str]()
    preset = preset_of(rules)
    is_usual = preset == state.game.default_preset
    if state.bank and state.phase is not Phase.DEALT and not state.for_points and with_limits:
        parts.append(translate("board.limits", lowest=state.bank.lowest, highest=state.bank.highest))
        is_new, multiple = before_first_deal(state), largest_multiple(rules)
        # What strong hands win stands above.
        first = [translate("board.even_money")] if multiple == 1 else []
        ties = endings_of_ties(rules)
        if Ties.BANKER in ties:
            first.append(translate(f"board.banker_wins_{'ties' if len(ties) == 1 else 'most_ties'}"))
        if is_new and first:
            parts += first
        elif multiple > 1:
            # The name of other rules stands beside it, on one line of a phone.
            parts.append(translate("board.times" if is_usual else "board.up_to", multiple=multiple))
    if rules.arrange is not Arrange.AUTOMATIC and state.phase is not Phase.CLOSED:
        parts.append(translate(f"board.arrange.{rules.arrange}"))
    if preset is None:
        parts.append(own_rules_words(rules))
    elif not is_usual:
        parts.append(translate("board.rules", preset=rules_name(rules)))
    lines = [" · ".join(parts)] if parts else []
    if state.phase is not Phase.CLOSED:
        is_first = state.last is None and state.phase is Phase.OPEN
        if is_first and state.next_use is Use.DEAL and not state.for_points:
            lines.append(translate("board.sealed"))
        code = "board.dice_seal" if state.next_use is Use.DICE else "board.seal"
        lines.append(translate(code, round=state.round_to_deal, seal=state.seal))
    return "\n".join(f"-# {line}" for line in lines)


def happenings(state: TableState, names: Names) -> str:
    """Who had to leave, and which rounds were called off since the last result; empty if nothing of that."""
    last = state.departures[-DEPARTURES_SHOWN:]
    lines = [departure_words(gone, names.mention(gone.party)) for gone in last]
    return "\n".join([*(f"-# {line}" for line in lines), *called_off(state)])


def called_off(state: TableState) -> list[str]:
    """A line about the rounds called off since the last result, until the next deal; none if none were."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return []
    first, last = state.last.round_number + 1, state.round_to_deal - 1
    code = "board.called_off" if first == last else "board.many_called_off"
    return [f"-# {translate(code, first=first, last=last)}"] if first <= last else []


def waits_for(state: TableState, names: Names, facts: BoardFacts) -> str:
    """What the table waits for, and until when; in the last round of a tournament's stage, that it is."""
    waits, heat = _waits_for(state, names, facts), state.heat
    if heat is None or state.phase is Phase.CLOSED or state.round_number < heat.rounds:
        return waits
    code = "board.heat_last_of_final" if heat.is_final else "board.heat_last_round"
    return f"{translate(code, count=heat.going_on)}\n{waits}"


def _waits_for(state: TableState, names: Names, facts: BoardFacts) -> str:
    match state.phase:
        case Phase.CLOSED:
            is_played = state.heat is not None and not state.is_cancelled
            return translate("board.heat_closed") if is_played else closed_words(state)
        case Phase.OPEN:
            wanted = banker_wanted(state, facts.house_chips)
            choices = (Action.TAKE_BANK, Action.JOIN)
            if any(unmet_precondition(state, choice) for choice in choices):
                return wanted
            return f"{wanted}\n-# {translate('board.join_waits')}"
        case Phase.BETTING:
            return _betting(state, names, facts)
        case Phase.DEALT:
            return _dealt(state, names, facts)


def closed_words(state: TableState) -> str:
    """That a table is closed, and whether an admin closed it who has no part in it."""
    if state.is_cancelled:
        return translate("table.heat_cancelled")
    return translate("table.closed_by_admin" if state.closed_by_admin else "table.closed")


def banker_wanted(state: TableState, house_chips: int) -> str:
    """What gets the table a banker, in the words of the buttons."""
    house = "house_or_" if house_can_bank(state, house_chips) else ""
    no_roll = unmet_precondition(state, Action.ROLL)
    if no_roll is None:
        return translate(f"board.waits_for_{house}roll")
    if no_roll.code is Refusal.TOO_FEW_SEATED:
        return translate(f"board.waits_for_{house}players", **no_roll.facts)
    if house and unmet_precondition(state, Action.TAKE_BANK) is not None:
        return translate("board.waits_for_house")
    return translate(f"board.waits_for_{house}banker")


def _until(state: TableState, code: str, *, is_last_call: bool) -> str:
    """A text that may end with the deadline, which Discord shows as a countdown; and why it is near."""
    if state.deadline is None:
        return translate(code)
    return translate(f"{code}_{'soon' if is_last_call else 'until'}", until=countdown(state.deadline))


def betting_closes(
    state: TableState,
    *,
    is_last_call: bool,
    awaited: str = "",
    others_bet: bool = False,
    chooses_until: float | None = None,
) -> str:
    """When betting closes, or when the lowest is bet for who is late; empty if no time runs.

    Args:
        awaited: the banker, as the sentence shows them, if they have to show first that they are there.
        others_bet: whether only others still bet, who can end it sooner; then it says so.
        chooses_until: for a spectator, until when they surely have time to choose; 0 if that is not sure.
    """
    if state.phase is not Phase.BETTING or state.bank is None or state.deadline is None:
        return ""
    if state.heat is not None and state.undecided:
        return translate("board.heat_until", until=countdown(state.deadline), lowest=state.bank.lowest)
    if not state.can_be_dealt:
        return ""
    if awaited:
        return translate("board.waits_for_press", who=awaited, until=countdown(state.deadline))
    if chooses_until and not is_last_call:
        return translate("side_bets.choose_until", until=countdown(chooses_until))
    if chooses_until is not None and not is_last_call:
        return translate("side_bets.closes", until=countdown(state.deadline))
    code = "board.deal_in_points" if state.for_points else "board.betting"
    if others_bet and not is_last_call:
        return translate(f"{code}_latest", until=countdown(state.deadline))
    return _until(state, code, is_last_call=is_last_call)


def _betting(state: TableState, names: Names, facts: BoardFacts) -> str:
    awaited = "" if facts.awaited_banker is None else names.mention(facts.awaited_banker)
    if closes := betting_closes(state, is_last_call=facts.is_last_call, awaited=awaited):
        return closes
    if not state.bets:
        return translate("board.who_plays" if state.for_points else "board.place_bets")
    if not state.can_be_dealt:
        code = "board.too_few_in" if state.for_points else "board.too_few_bets"
        return translate(code, fewest=state.fewest_players)
    return translate("board.deal_in_points" if state.for_points else "board.betting")


def _hidden(state: TableState) -> list[int]:
    """Who has not revealed their hand yet."""
    places: list[Seat | Bank] = [*state.bets, *([state.bank] if state.bank else [])]
    return [place.party for place in places if not place.revealed]


def _points_to_my_hand(state: TableState) -> bool:
    """Whether to say where hands are: only there, or a player had none in the last round."""
    hidden, last = _hidden(state), state.last
    if state.rules.dealing is Dealing.MY_HAND:
        return bool(hidden)
    members = (seat.party for seat in state.bets if seat.party in hidden and not is_computer(seat.party))
    return any(last is None or played_by(last, party) is None for party in members)


def _dealt(state: TableState, names: Names, facts: BoardFacts) -> str:
    pieces = state.game.pieces
    piece_word = translate(f"piece.{pieces.name}")
    lines = [f"{pieces.emoji} {_until(state, 'board.dealt', is_last_call=facts.is_last_call)}"]
    unreached = [names.mention(party) for party in _hidden(state) if party in facts.unreachable]
    button = my_hand(state.rules.game)
    if unreached and state.rules.dealing is not Dealing.MY_HAND:
        who = listed(unreached)
        lines.append(translate("board.unreached", who=who, button=button, pieces=piece_word))
    elif _points_to_my_hand(state):
        lines.append(translate("board.press_my_hand", button=button, pieces=piece_word))
    lines += [translate("board.closes")] if state.closes_after_round else []
    return "\n".join(lines)


def house_can_bank(state: TableState, house_chips: int) -> bool:
    """Whether the house may take the bank and covers the lowest bet (B07)."""
    covers = can_bank(state.rules, state.rules.lowest_stake, house_chips)
    return covers and unmet_precondition(state, Action.PLAY_HOUSE) is None


def _bank(state: TableState, names: Names, facts: BoardFacts, brought: str, *, is_next: bool = False) -> str:
    """Who holds the bank, what the last round brought them, and what the bank can still cover.

    Args:
        is_next: whether it stands below a round that somebody else banked, who has the crown there.
    """
    bank = state.bank
    if bank is None:
        may = unmet_precondition(state, Action.PLAY_HOUSE) is None
        is_out = may and not house_can_bank(state, facts.house_chips)
        free = translate("board.bank_free")
        free = free.replace(BANK_SIGN, NEXT_SIGN) if is_next else free
        return " · ".join([free, *([translate("board.house_out")] if is_out else [])])
    who = f"{names.mention(bank.party, begins_line=True)}{_dice(state, bank.party)}"
    if brought:
        who = f"{BANK_SIGN} {who} {brought}{_score(state, facts, bank, after=True)}"
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
    who = f"{place}{_dice(state, seat.party)}"
    if brought:
        told = f"{brought}{_score(state, facts, seat, after=True)}"
        following = _next_bet(state, facts, seat)
        return " ".join([who, told, *([f"{PARTS_ROUNDS} {following}"] if following else [])])
    parts = [f"{who}{_score(state, facts, seat)}"]
    if seat.stake is not None and not state.for_points:
        bet = translate("board.stake", stake=seat.stake)
        parts.append(f"{bet} {translate('board.all_in')}" if seat.party in facts.all_in else bet)
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


def _next_bet(state: TableState, facts: BoardFacts, seat: Seat) -> str:
    """What a player does in this round, in few characters: it stands behind what the last one brought."""
    if seat.stake is not None:
        code = "board.stake_all_in" if seat.party in facts.all_in else "board.stake"
        return "✓" if state.for_points else translate(code, stake=seat.stake)
    return "💤" if state.phase is Phase.BETTING and _sits_out(state, seat) else ""


def _sits_out(state: TableState, seat: Seat) -> bool:
    return seat.sitting_out or (is_computer(seat.party) and computers_bet(state))


def _dice(state: TableState, party: int) -> str:
    """What a member rolled for the bank, until the deal: ` ⚄⚂`; after a tie, also the roll before (T03)."""
    rolls = [throw.dice for throw in state.throws if throw.party == party][-ROLLS_SHOWN:]
    shown = ("".join(_DICE[die] for die in dice) for dice in rolls)
    told = f" {translate('board.tied')} ".join(shown)
    return f" {told}" if told else ""


def _score(state: TableState, facts: BoardFacts, place: Seat | Bank, *, after: bool = False) -> str:
    """The running score at a table for points (G22), or what a player has in a tournament.

    Args:
        after: whether it stands behind what the last round brought.
    """
    if state.heat is not None and isinstance(place, Seat):
        is_player = not is_computer(place.party)
        chips = translate("board.heat_chips", chips=state.heat.chips_of(place.party))
        return f" · {chips}" if is_player else ""
    if not state.for_points:
        return ""
    score = facts.scores.get(place.party, 0)
    # On a phone, one line has room for both if only one of them says what it counts.
    return f" →{NO_BREAK}{signed(score)}" if after else f" · {signed_points(score)}"


def _hand(state: TableState, seat: Seat) -> str:
    if not seat.revealed:
        return translate("board.hidden")
    hand = hand_of(seat.pieces, seat.declared_ox, state.rules)
    # On a phone, the five pieces fit a line of their own, but not the rest of this one.
    return f"**{hand_name(hand)}**\n{hand_words(hand, state.rules)}"
