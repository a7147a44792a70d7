"""The bank: its limits, the dice for it, the house as banker, and who has it next (B05, B07, T03, T10)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.table.betting import A_POINT, return_bet, take_free_seat
from bot.table.commands import PlayHouse, RollForBank, SetLimits
from bot.table.events import BankGivenUp, BankPassed, BankTaken, DiceRolled, LimitsSet, RoundOpened, SeatLeft
from bot.table.evolve import Draft
from bot.table.preconditions import Action, passes_on, unmet_precondition
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_record import dice_sheet
from bot.table.state import (
    DICE,
    ROUNDS_MISSED_IN_A_ROW,
    THE_HOUSE,
    Bank,
    LeaveReason,
    Opening,
    Seat,
    TableState,
    Throw,
)

DEFAULT_HIGHEST: Final = 100
"""The highest bet that a bank takes if its banker set no limits, in chips."""

Limits = tuple[int, int]
"""The lowest and the highest bet, in chips."""


def can_bank(rules: HouseRules, lowest: int, chips: int) -> bool:
    """Whether these chips cover the lowest bet (B02); nothing but members' own chips needs cover."""
    return rules.play is not Play.CHIPS or chips >= lowest * largest_multiple(rules)


def default_limits(rules: HouseRules, chips: int, most: int = DEFAULT_HIGHEST) -> Limits:
    """The limits if the banker set none: what the house allows and these chips cover, up to `most`."""
    if rules.play is Play.POINTS:
        return A_POINT, A_POINT
    if rules.play is Play.TOURNAMENT:
        return rules.lowest_stake, rules.highest_stake
    highest = min(rules.highest_stake, chips // largest_multiple(rules), most)
    return rules.lowest_stake, max(rules.lowest_stake, highest)


def limits_within(rules: HouseRules, bank: Bank) -> Limits:
    """The bank's limits, changed as little as the house rules need."""
    if rules.play is Play.POINTS:
        return bank.lowest, bank.highest
    lowest = min(max(bank.lowest, rules.lowest_stake), rules.highest_stake)
    return lowest, min(max(bank.highest, lowest), rules.highest_stake)


def limits_refused(rules: HouseRules, limits: Limits, chips: int) -> Refused | None:
    """Why a banker with these chips cannot set these limits; None if they can (T03, B02)."""
    lowest, highest = limits
    if not 1 <= lowest <= highest:
        return refuse(Refusal.LIMITS_CROSSED, lowest=lowest, highest=highest)
    if lowest < rules.lowest_stake or highest > rules.highest_stake:
        return refuse(Refusal.LIMITS_OUTSIDE_HOUSE, lowest=rules.lowest_stake, highest=rules.highest_stake)
    multiple = largest_multiple(rules)
    if can_bank(rules, lowest, chips):
        return None
    if not can_bank(rules, rules.lowest_stake, chips):
        needed = rules.lowest_stake * multiple
        return refuse(Refusal.PLAYER_TOO_POOR, lowest=rules.lowest_stake, needed=needed, wallet=chips)
    return refuse(
        Refusal.BANK_TOO_POOR,
        lowest=lowest,
        needed=lowest * multiple,
        wallet=chips,
        most=chips // multiple,
    )


def set_limits(draft: Draft, command: SetLimits, wallets: Mapping[int, int]) -> Refused | None:
    """Sets the limits of the next bets, as long as no member has bet (T03).

    Computer players get their bets back, and bet again.
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.LIMITS):
        return refused
    assert state.bank is not None
    if not state.is_banker(command.party):
        return refuse(Refusal.NOT_BANKER, banker=state.bank.party)
    limits = (command.lowest, command.highest)
    # Only bets of computer players can be held now, and they go back.
    chips = wallets.get(command.party, 0) + state.held.get(command.party, 0)
    if refused := limits_refused(state.rules, limits, chips):
        return refused
    if limits != (state.bank.lowest, state.bank.highest):
        for seat in state.bets:
            return_bet(draft, seat.party)
        draft.add(LimitsSet(*limits))
    return None


THROWS: Final = 16
"""How many rolls of everybody there are dice for; two members tie this often once in 10¹⁵ evenings."""
_SIDES: Final = range(1, 7)


def dice_needed(state: TableState) -> int:
    """How many dice a command to roll must have, for the case of ties; most are not used."""
    return DICE * THROWS * len(state.seats)


def rolling(state: TableState, command: RollForBank, wallets: Mapping[int, int]) -> list[int]:
    """Who rolls for the bank: the members who may bank and can cover the lowest bet, by seat.

    Who has just given it up rolls only if they are the one who presses.
    """
    rules, unwilling = command.rules, {*state.gave_up} - {command.party}
    return [
        seat.party
        for seat in state.members
        if seat.party not in command.unfit | unwilling
        and can_bank(rules, rules.lowest_stake, wallets.get(seat.party, 0))
    ]


def roll_for_bank(draft: Draft, command: RollForBank, wallets: Mapping[int, int]) -> Refused | None:
    """Rolls for the members of `rolling`; the highest takes the bank (T03).

    They roll in the order of their seats. Those who tie for the highest total roll again.
    """
    state = draft.state
    if refused := unmet_precondition(state, Action.ROLL):
        return refused
    if state.seat_of(command.party) is None:
        return refuse(Refusal.NOT_SEATED)
    rules, lowest = command.rules, command.rules.lowest_stake
    if rules.house_bank is HouseBank.ONLY:
        return refuse(Refusal.HOUSE_ALWAYS_BANKS)
    throwing = rolling(state, command, wallets)
    if not throwing:
        return refuse(Refusal.NOBODY_CAN_BANK, lowest=lowest, needed=lowest * largest_multiple(rules))
    throws, banker = throw(throwing, command.dice)
    limits = default_limits(rules, wallets.get(banker, 0))
    sheet = dice_sheet(state, command.party, command.client_seed, throwing)
    draft.add(
        DiceRolled(throws, Opening(state.secret, sheet)),
        SeatLeft(banker, LeaveReason.ASKED),
        BankTaken(banker, *limits),
        RoundOpened(state.round_number + 1, rules),
    )
    return None


def throw(throwing: Sequence[int], dice: Sequence[int]) -> tuple[tuple[Throw, ...], int]:
    """The throws, and the winner: the first of those who still tie if the dice run out.

    Args:
        dice: 1 to 6 each, at least two for each of them.
    """
    if len(dice) < DICE * len(throwing) or not set(dice) <= set(_SIDES):
        raise ValueError(f"{len(throwing)} who throw need {DICE} dice each, of 1 to {_SIDES[-1]}")
    throws: list[Throw] = []
    tied = list(throwing)
    while len(dice) - DICE * len(throws) >= DICE * len(tied):
        thrown: list[Throw] = []
        for party in tied:
            start = DICE * (len(throws) + len(thrown))
            thrown.append(Throw(party, tuple(dice[start : start + DICE])))
        throws.extend(thrown)
        highest = max(throw.total for throw in thrown)
        tied = [party for party, throw in zip(tied, thrown, strict=True) if throw.total == highest]
        if len(tied) == 1:
            break
    return tuple(throws), tied[0]


def play_house(draft: Draft, command: PlayHouse, wallets: Mapping[int, int]) -> Refused | None:
    """Has the house take the free bank, and opens betting under the current house rules (B03)."""
    state, rules = draft.state, command.rules
    if refused := unmet_precondition(state, Action.PLAY_HOUSE):
        return refused
    if rules.house_bank is HouseBank.OFF:
        return refuse(Refusal.HOUSE_DOES_NOT_BANK)
    chips = wallets.get(THE_HOUSE, 0)
    limits = default_limits(rules, chips, rules.house_highest)
    if not can_bank(rules, limits[0], chips):
        return refuse(Refusal.HOUSE_CANNOT_COVER, lowest=limits[0])
    draft.add(BankTaken(THE_HOUSE, *limits), RoundOpened(state.round_number + 1, rules))
    return None


def continue_house(draft: Draft, rules: HouseRules, chips: int) -> None:
    """Opens the next round with the house as banker, or ends its bank."""
    state = draft.state
    assert state.bank is not None
    limits = default_limits(rules, chips, rules.house_highest)
    if state.bank.leaves_after_round or rules.house_bank is HouseBank.OFF:
        draft.add(BankGivenUp(THE_HOUSE, LeaveReason.ASKED))
    elif not can_bank(rules, limits[0], chips):
        draft.add(BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER))
    else:
        if limits != (state.bank.lowest, state.bank.highest):
            draft.add(LimitsSet(*limits))
        draft.add(RoundOpened(state.round_number + 1, rules))


def continue_bank(
    draft: Draft,
    rules: HouseRules,
    chips: Mapping[int, int],
    present: Collection[int],
    limited: Collection[int],
    unfit: Collection[int],
) -> None:
    """Opens the next round, with the same or the next banker, or ends the bank.

    A banker's limits stay, within the house rules; a new banker begins with the usual ones. A banker who
    passes the bank on leaves the table only if they asked to, or missed too many rounds; one who keeps it
    must also cover its lowest bet. One who gives it up stays as a player. A banker who plays computer
    players only keeps it: they never bank (B07).

    Args:
        draft: the table; the round is settled, and players who leave have left their seats.
        present: who has pressed something here since the deal.
        limited: who has more chips than they may lose.
        unfit: who may not bank.
    """
    state = draft.state
    assert state.bank is not None
    assert state.last is not None
    banker_id = state.bank.party
    if state.house_banks:
        continue_house(draft, rules, chips.get(THE_HOUSE, 0))
        return
    limits = limits_within(rules, state.bank)
    going = why_going(state.bank, present)
    if rules.house_bank is HouseBank.ONLY:
        _end_bank(draft, LeaveReason.HOUSE_BANKS if going is None else going)
        return
    alone_with_computers = bool(state.computers) and not state.members
    if passes_on(state.last) and not alone_with_computers:
        fit = [seat for seat in state.members if seat.party not in unfit]
        heir = _next_banker(fit, rules, chips)
        if heir is None:
            _end_bank(draft, LeaveReason.NO_SUCCESSOR if going is None else going)
            return
        limits = default_limits(rules, chips.get(heir.party, 0))
        draft.add(BankPassed(heir.party))
        if going is not None and going is not LeaveReason.BANK_GIVEN_UP:
            draft.add(SeatLeft(banker_id, going))
    else:
        if not state.bank.leaves_after_round and not can_bank(rules, limits[0], chips.get(banker_id, 0)):
            # Nobody else is told of a limit of theirs.
            going = LeaveReason.ASKED if banker_id in limited else LeaveReason.CANNOT_COVER
        if going is not None:
            _end_bank(draft, going)
            return
    if limits != (state.bank.lowest, state.bank.highest):
        draft.add(LimitsSet(*limits))
    draft.add(RoundOpened(state.round_number + 1, rules))


def _end_bank(draft: Draft, why: LeaveReason) -> None:
    """Ends a member's bank after a round; who gave it up has a seat as between rounds."""
    bank = draft.state.bank
    assert bank is not None
    stays = why is LeaveReason.BANK_GIVEN_UP
    draft.add(BankGivenUp(bank.party, LeaveReason.ASKED if stays else why))
    if stays:
        seat_last_banker(draft, bank.party)


def seat_last_banker(draft: Draft, party: int) -> None:
    """Seats who gave up the bank, if a seat is free; alone they leave an empty table, which closes."""
    if draft.state.members and draft.state.free_seat is not None:
        take_free_seat(draft, party)


def why_going(place: Seat | Bank, present: Collection[int]) -> LeaveReason | None:
    """Why a player or the banker leaves their place after the round; None if they stay there.

    Args:
        present: who has pressed something here since the deal.
    """
    if place.leaves_after_round:
        return place.leave_reason
    is_away = place.rounds_missed >= ROUNDS_MISSED_IN_A_ROW and place.party not in present
    return LeaveReason.IDLE if is_away else None


def _next_banker(fit: Sequence[Seat], rules: HouseRules, chips: Mapping[int, int]) -> Seat | None:
    """The first member on the banker's right who can cover the house's lowest bet; None if nobody can.

    Seats are numbered clockwise from the banker's left, so the neighbour on the right has the last one.
    """
    to_the_right = reversed(fit)
    lowest = rules.lowest_stake
    return next((seat for seat in to_the_right if can_bank(rules, lowest, chips.get(seat.party, 0))), None)
