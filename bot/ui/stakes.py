"""The stakes that buttons offer and modals ask for, and the limits of a bank."""

from collections.abc import Sequence
from typing import Final

from bot.games.settle import largest_multiple, ranked_hands
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.rules.typed_text import parse_digits, quote
from bot.table.betting import is_all_in
from bot.table.refusals import Refused
from bot.table.state import TableState
from bot.ui.components import Component, button, label, label_text, modal, text_input
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.words.translation import reader, sentences, translate

AMOUNT: Final = "amount"
LOWEST: Final = "lowest"
HIGHEST: Final = "highest"
MOST_DIGITS: Final = 15
"""As many as can be typed: the table says that a number is too high."""
DEFAULT_LIMITS: Final = (5, 100)
"""The bets that a new banker is offered if nothing else follows from chips and house."""
PLAYERS_COVERED: Final = (6, 2, 1)
"""For how many highest bets at once a new bank has the chips, if its banker keeps what is offered; with too
few chips for more than one size of bets, for fewer."""
QUICK: Final = 4
"""How many stakes have buttons."""
_ROUND: Final = tuple(digit * 10**zeros for zeros in range(10) for digit in (1, 2, 5))


def offered_limits(rules: HouseRules, chips: int) -> tuple[int, int]:
    """The limits offered to a banker with these free chips: a range that they cover, if any (B02)."""
    each = chips // largest_multiple(rules)
    lowest, highest = DEFAULT_LIMITS
    lowest = max(rules.lowest_stake, min(lowest, rules.highest_stake, each))
    highest = min(highest, rules.highest_stake)
    for players in PLAYERS_COVERED:
        covered = min(highest, max((stake for stake in _ROUND if stake * players <= each), default=0))
        for least in (lowest, rules.lowest_stake):
            if covered >= 2 * least:
                return least, covered
    return lowest, max(lowest, min(highest, each))


def quick_stakes(lowest: int, highest: int) -> tuple[int, ...]:
    """Up to `QUICK` stakes from the lowest to the highest, round ones between, ascending."""
    between = [chips for chips in _ROUND if lowest < chips < highest]
    stakes = [lowest, *between, highest] if highest > lowest else [lowest]
    if len(stakes) <= QUICK:
        return tuple(stakes)
    last = len(stakes) - 1
    return tuple(stakes[place * last // (QUICK - 1)] for place in range(QUICK))


AGAIN_SIGN: Final = "🔁"
"""The sign of a bet as high as the last one."""
ALL_IN_LABEL: Final = "button.all_in"
"""The code of `label_of_most` for a bet of all that a member has."""


def label_of_most(rules: HouseRules, most: int, left: int | None) -> str:
    """The code for the button of the largest bet: all in if it is all that the member has.

    Args:
        left: the chips of their own that it leaves the member; None where something else allows no more.
    """
    return ALL_IN_LABEL if left is not None and is_all_in(rules, most, left) else "button.most"


def bet_words(rules: HouseRules, label: str, stake: int) -> str:
    """What a button says that bets; all in, also what that risks where hands win more than the bet (B02)."""
    times = largest_multiple(rules)
    code = f"{label}_risks" if label == ALL_IN_LABEL and times > 1 else label
    return translate(code, stake=stake, held=stake * times)


def members_may_take_more(state: TableState) -> bool:
    """Whether the house banks, and takes no bets as high as those that a member who banks may allow."""
    rules, bank = state.rules, state.bank
    if bank is None or not state.house_banks or rules.house_bank is HouseBank.ONLY or state.heat is not None:
        return False
    return bank.highest < rules.highest_stake


def can_win_words(rules: HouseRules, stakes: Sequence[int]) -> str:
    """What one of these stakes can win or lose, as an example (B02); empty if there is nothing to choose."""
    if rules.play is Play.POINTS or not stakes:
        return ""
    most = largest_multiple(rules)
    stake = stakes[len(stakes) // 2]
    least = min(row.multiple for row in ranked_hands(rules) if row.multiple)
    code = "board.can_win" if least < most else "board.can_win_always"
    return translate(code, stake=stake, least=least * stake, most=most * stake, times=most)


def parse_chips(text: str) -> int:
    """The number of chips in a text such as `25`, `1,000` or ` 1 000 `."""
    if not text.strip():
        raise MemberError("reply.number_missing")
    digits = parse_digits(text.strip())
    if digits is None or len(digits) > MOST_DIGITS or int(digits) == 0:
        raise MemberError("reply.no_number", text=quote(text.strip()))
    return int(digits)


def entered_chips(press: Press, field: str) -> int:
    """The number of chips in a field of a submitted modal."""
    if field not in press.fields:
        raise MemberError("reply.incomplete_modal")
    return parse_chips(press.fields[field][0])


def entered_stake(press: Press, table: TableState, most: int | Refused) -> int:
    """The chips that were entered in the form for a bet; what is no number is refused with its limits.

    The refusal offers the form again.

    Args:
        most: the largest bet that is possible now.
    """
    try:
        return entered_chips(press, AMOUNT)
    except MemberError as failed:
        if failed.code != "reply.no_number" or isinstance(most, Refused) or table.bank is None:
            raise
        error = MemberError("reply.no_stake", lowest=table.bank.lowest, most=most, **failed.facts)
        is_side_bet = press.action is PressAction.BACK_MODAL
        form = PressAction.OTHER_BACK if is_side_bet else PressAction.OTHER_BET
        again = Press(form, press.table_id, press.round_number, backed=press.backed)
        error.next_steps = (button(again, translate("button.other_bet")),)
        raise error from None


def bet_modal(
    press: Press, own: int, lowest: int, most: int, last_stake: int | None, multiple: int
) -> Component:
    """Asks how much to bet.

    Args:
        own: the chips that the member has for it.
        last_stake: the amount filled in to begin with, if it is possible now.
        multiple: how many times the bet can be lost.
    """
    filled_in = str(last_stake) if last_stake is not None and lowest <= last_stake <= most else ""
    amount = text_input(AMOUNT, filled_in, placeholder=str(lowest))
    chips = reader().currency.name or translate("modal.chips")
    bounds = translate("modal.from_to", own=own, lowest=lowest, most=most)
    if multiple > 1:
        bounds = sentences([bounds, translate("modal.can_lose", multiple=multiple)])
    title = "modal.side_bet" if press.action is PressAction.BACK_MODAL else "modal.bet"
    return modal(press, translate(title), [label(chips, amount, bounds)])


def bank_modal(
    press: Press,
    title: str,
    lowest: str,
    highest: str,
    multiple: int,
    chips: int,
) -> Component:
    """Asks for the limits of a bank.

    Args:
        lowest: what is filled in to begin with, as `highest` is.
        multiple: the largest multiple in force, for the explanation.
        chips: what the banker can lose in a round: bets and side bets are taken while these cover them (B02).
    """
    pays = translate("modal.pays", multiple=multiple)
    risk = label_text(translate("modal.covers", chips=chips, most=chips // multiple))
    return modal(
        press,
        title,
        [
            label(translate("modal.lowest"), text_input(LOWEST, lowest), pays),
            label(translate("modal.highest"), text_input(HIGHEST, highest), risk),
        ],
    )
