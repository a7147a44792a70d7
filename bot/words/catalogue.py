"""Every message in English, by its code: the one catalogue, and what translations are made from.

A message names its placeholders, so that a translation may put them in another order, and tells of each how
it is shown: `{stake:chips}`, `{gain:signed}`, `{round:number}`, `{edge:percent}`, `{banker:name}`, or as it
is. `speech` has what these mean. Where the wording hangs on a number, the message has a plural, and names the
fact to count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.rules.knobs import HouseRules


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        text: the English wording; where there is a plural, the one for a single thing.
        plural: the English wording for any other number; None where no number matters.
        counted: the name of the fact whose number decides; None where there is no plural.
    """

    text: str
    plural: str | None = None
    counted: str | None = None

    def __post_init__(self) -> None:
        if (self.plural is None) != (self.counted is None):
            raise ValueError(f'a message has a plural and what is counted, or neither: "{self.text}"')


_AMOUNTS = {
    "amount.chips": Message("{amount:number} chip", "{amount:number} chips", "amount"),
    "amount.gain": Message("+{amount:number}"),
    "amount.loss": Message("\N{MINUS SIGN}{amount:number}"),
    "amount.even": Message("±0"),
    "amount.part": Message("{part:percent}"),
}

_HANDS = {
    "hand.five_dukes": Message("Five Dukes"),
    "hand.five_small": Message("Five Small"),
    "hand.ngau_tonku": Message("Ngau Tonku"),
    "hand.double_ox": Message("Double-Ox {rank}"),
    "hand.single_ox": Message("Ox of {points}"),
    "hand.nenku": Message("Nenku (Ox of {points})"),
    "hand.no_ox": Message("No Ox"),
    "hand.score": Message("Score {points}"),
    "hand.stuck": Message("No discard"),
    "hand.suited": Message("{hand}, suited"),
    "hand.split": Message("{ox} + {power}"),
}

_REASONS = {
    "reason.opening_chips": Message("Opening chips"),
    "reason.bet_held": Message("Held for a bet"),
    "reason.bank_held": Message("Held for the bank"),
    "reason.bet_returned": Message("Bet returned"),
    "reason.bank_returned": Message("Bank returned"),
    "reason.player_won": Message("Player beat the bank"),
    "reason.banker_won": Message("Bank beat the player"),
}

_DEPARTURES = {
    "departure.seat_idle": Message(
        "{who} lost the seat: nothing was heard for {rounds:number} round.",
        "{who} lost the seat: nothing was heard for {rounds:number} rounds.",
        "rounds",
    ),
    "departure.seat_gone": Message("{who} has left the server."),
    "departure.bank_idle": Message(
        "{who} lost the bank: nothing was heard for {rounds:number} round.",
        "{who} lost the bank: nothing was heard for {rounds:number} rounds.",
        "rounds",
    ),
    "departure.bank_cannot_cover": Message(
        "{who} gave up the bank: the chips no longer cover the lowest stake."
    ),
    "departure.bank_gone": Message("{who} has left the server, and with that the bank."),
}

_REFUSALS = {
    "refusal.table_closed": Message("This table is closed; `/table open` opens another."),
    "refusal.table_full": Message(
        "The only seat is taken; wait until it is free, or open a table with `/table open`.",
        "All {seats:number} seats are taken; wait until one is free, or open a table with `/table open`.",
        "seats",
    ),
    "refusal.already_seated": Message(
        "You sit here already, in seat {seat:number}; bet whenever bets are open."
    ),
    "refusal.holds_the_bank": Message(
        "You hold the bank and play against everybody else; give it up to do this as a player."
    ),
    "refusal.not_seated": Message(
        "You do not sit at this table; bet or press **Join** on its board to take a seat."
    ),
    "refusal.no_bank": Message(
        "Nobody holds the bank; press **Take the bank**, or wait for somebody to take it."
    ),
    "refusal.bank_taken": Message(
        "{banker:name} holds the bank; bet against it, or wait until it is given up."
    ),
    "refusal.not_banker": Message("Only the banker can do this, and the banker is {banker:name}."),
    "refusal.limits_crossed": Message(
        "Stakes cannot go from {lowest:number} to {highest:number}: the lowest must be at least 1 chip, "
        "and the highest no smaller than the lowest."
    ),
    "refusal.bank_too_poor": Message(
        "A bank that takes stakes from {lowest:chips} must be able to lose {needed:chips}, and you have "
        "{wallet:chips} free, which covers a lowest stake of {most:chips} at most."
    ),
    "refusal.stake_below_lowest": Message(
        "A stake of {stake:chips} is too small: this table takes from {lowest:number} to {highest:chips}."
    ),
    "refusal.stake_above_highest": Message(
        "A stake of {stake:chips} is too large: this table takes from {lowest:number} to {highest:chips}."
    ),
    "refusal.player_cannot_cover": Message(
        "A stake of {stake:chips} can lose {needed:chips}, and you have {wallet:chips} free; "
        "the largest stake that would do is {most:chips}."
    ),
    "refusal.player_too_poor": Message(
        "Even the lowest stake here, {lowest:chips}, can lose {needed:chips}, and you have {wallet:chips} "
        "free; look for a table with lower stakes."
    ),
    "refusal.bank_cannot_cover": Message(
        "The bank cannot cover a stake of {stake:chips}; the largest that would do is {most:chips}."
    ),
    "refusal.bank_exhausted": Message(
        "The bank cannot cover another bet in this round, not even the lowest of {lowest:chips}; "
        "wait for the next."
    ),
    "refusal.cards_are_out": Message("The cards are out; wait for the showdown, and do it then."),
    "refusal.no_cards_out": Message("No cards are out, so there is no hand to turn up; wait for the deal."),
    "refusal.nobody_has_bet": Message("Nobody has bet yet; deal when at least one bet stands."),
    "refusal.no_bet_of_yours": Message(
        "You have no bet in this round that could be taken back; place one first."
    ),
    "refusal.no_hand": Message("You have no cards in this round; bet before the next deal to get some."),
    "refusal.already_shown": Message("Your hand is turned up already; wait for the showdown."),
    "refusal.round_is_over": Message(
        "That was for round {meant:number}, and the table is at round {now:number}; use the newest buttons."
    ),
    "refusal.may_not_close": Message(
        "Only {opener:name}, who opened this table, its banker, or a manager of the server can close it."
    ),
    "refusal.not_due": Message(
        "It is too early for this; the table goes on by itself when everybody is ready, or the time is up."
    ),
}

_RULES = {
    "preset.wikipedia": Message("Wikipedia"),
    "preset.none": Message("House rules"),
    "rules.title": Message("## Rules of this house: {preset}"),
    "rules.play": Message(
        "Everybody plays against the banker, never against one another. You bet, then each gets five cards. "
        "Three of them whose points total a multiple of 10 are an *ox*; the two left over are the *power* "
        "cards. An ace counts 1, the cards 2 to 9 their face, and 10, J, Q and K count 10. Where your cards "
        "can be arranged in several ways, the strongest counts. The better hand wins the stake times its own "
        "multiple."
    ),
    "rules.edge": Message(
        "On average over all hands, the bank keeps {edge:percent} of every chip that is staked."
    ),
    "rules.held": Message(
        "The most a bet can lose, {most:number} times its stake, is held until it is settled."
    ),
    "rules.ties_banker": Message(
        "The banker wins a tie; but Five Dukes against Five Dukes is a draw, and so is No Ox against No Ox."
    ),
    "rules.ties_push": Message("A tie is a draw: nobody wins."),
    "rules.order": Message("### Hands, the strongest first"),
    "rules.hand": Message("{place}. **{name}** ×{multiple}: {what}"),
    "rules.no_ox": Message("{place}. **{name}**: no three cards make an ox; it wins nothing"),
    "rules.five_dukes": Message("all five are J, Q or K"),
    "rules.five_dukes_tens": Message("all five are 10, J, Q or K"),
    "rules.five_small": Message("all five are A, 2, 3 or 4"),
    "rules.ngau_tonku": Message("an ox, and as power cards A♠ and a J, Q or K"),
    "rules.tonku_tens": Message("an ox, and as power cards A♠ and a 10, J, Q or K"),
    "rules.double_ox": Message("an ox, and power cards of one rank; K is high, A is low"),
    "rules.mixed_double": Message("an ox, and power cards of one rank, or 3 and 6; K is high, A is low"),
    "rules.ox_of_ten": Message("an ox, and power cards that total 10 or 20"),
    "rules.single_ox": Message(
        "an ox, and the last digit of what the power cards total; 9 is high, 1 is low"
    ),
    "rules.single_name": Message("Ox of 9 to 1"),
    "rules.knobs": Message("### House rules"),
    "rules.knob": Message("- **{setting}** · {what}"),
}

_SETTINGS = {
    "setting.on": Message("on"),
    "setting.off": Message("off"),
    "setting.number": Message("{setting:number}"),
    "setting.banker": Message("banker"),
    "setting.push": Message("nobody"),
    "setting.clockwise": Message("clockwise"),
    "setting.counter-clockwise": Message("counter-clockwise"),
}

_KNOBS = {
    f"knob.{name}": Message(field.description or name) for name, field in HouseRules.model_fields.items()
}

MESSAGES: Final[Mapping[str, Message]] = MappingProxyType(
    _AMOUNTS | _HANDS | _REASONS | _DEPARTURES | _REFUSALS | _RULES | _SETTINGS | _KNOBS
)
"""Every message by its code. What a knob does is said where the knob is declared."""
