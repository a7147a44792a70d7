"""A member's own hand, chips and facts as their panels show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cachetools import LRUCache

from bot.games.hands import hand_of
from bot.ledger.memory import Evening
from bot.ledger.records import Stack
from bot.odds.last_piece import Outlook, outlook
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import MOST_CHIPS
from bot.rules.pieces import Hand, Piece
from bot.table.achievements import Achievement
from bot.table.dealing import hands_to_deal
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import (
    Bank,
    Departure,
    LeaveReason,
    Phase,
    PlayerResult,
    RoundResult,
    Seat,
    TableState,
    hand_in,
)
from bot.table.story import NO_STORY, BankTurn, Feat, Story
from bot.ui.board.results import brought_bank, counted_most, gained, played_by
from bot.ui.components import GAIN, LOSS, Component
from bot.ui.hand.evidence import evidence_of
from bot.words.hands import hand_name, hand_words
from bot.words.translation import Reader, reader, signed, signed_points, translate

RECEIPT: Final = "🧾"
"""The sign of a receipt, of which a settled round has one."""
_TOLD: Final[LRUCache[tuple[str, int, Reader], str]] = LRUCache(4_096)
"""What messages keep of rounds, by the receipt, the member and who reads it: about 1 MB."""


class Unseen(StrEnum):
    """What a member has still to see of a hand, in this order; its picture is named so."""

    LAST = "squeezed"
    """The last piece, which is face down."""
    OX = "dealt"
    """Which three are the ox: they are to find it, by their choice or the table's rules (B04)."""


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A hand as its member sees it.

    Attributes:
        pieces: the five pieces, as they were dealt.
        declared_ox: the places of the ox that its member chose or found, if they did.
        hand: what it is; None while something of it is unseen.
        unseen: what its member has to see next.
        picked: the places of the pieces that its member has picked for the ox.
        framed: whether it is celebrated.
        played: the player in a round that is over whose hand and the bank's are beside each other: its
            member, or the one who counted most for the bank.
        other: the other hand of the two; None while it is still face down.
        banks: whether its member banked.
    """

    rules: HouseRules
    round_number: int
    pieces: tuple[Piece, ...]
    declared_ox: tuple[int, ...] | None
    hand: Hand | None
    unseen: Unseen | None = None
    picked: frozenset[int] = frozenset()
    framed: bool = False
    played: PlayerResult | None = None
    other: Hand | None = None
    banks: bool = False

    @property
    def picture_name(self) -> str:
        """The file name of its picture, another for each way to arrange it, and to celebrate it."""
        if self.unseen is not None:
            way = f"-{self.unseen}"
        else:
            way = "" if self.declared_ox is None else f"-{''.join(map(str, self.declared_ox))}"
        if self.played is not None:
            way += "-turning" if self.other is None else "-result"
        return f"hand-{self.round_number}{way}{'-framed' if self.framed else ''}.png"


class WhySent(StrEnum):
    """What a direct message with a hand says about why it comes."""

    FIRST = "why_sent"
    """It is the first at this table."""
    PANEL_UNSEEN = "why_sent_too"
    """Its member may no longer see the panel that shows the hand."""


@dataclass(frozen=True, slots=True)
class PanelMemory:
    """What one message of a member's own remembers of them.

    Attributes:
        left: how they left the table as they asked, since the last deal; None if they did not.
        note: a sentence about what they just did, if any.
        earlier: what the message keeps of the rounds of earlier hands.
        menu_uses: how often its menu was used.
        bank_hidden: whether the bank's hand of the last round is still face down, and so is what it brought.
        brought_hand: whether it is a direct message that brought the hand of the last round, and keeps it.
        why_sent: what it says about why it was sent, if anything.
        tells_deadline: whether it says when betting closes.
        counts_revealed: whether it tells a banker how many have revealed, which changes while they look.
    """

    party: int
    left: Departure | None = None
    note: str | None = None
    earlier: Sequence[RoundResult | str] = ()
    menu_uses: int = 0
    bank_hidden: bool = False
    brought_hand: bool = False
    why_sent: WhySent | None = None
    tells_deadline: bool = False
    counts_revealed: bool = False


@dataclass(frozen=True, slots=True)
class Parting:
    """What a member is told who lost or gave up a place.

    Attributes:
        missed: the rounds with a bet or a bank of theirs while they were away, in their order.
        turn: what their bank brought; None if they had none.
    """

    missed: tuple[RoundResult, ...] = ()
    turn: BankTurn | None = None


def not_announced(table: TableState, party: int) -> Departure | None:
    """How a member leaves a table whose next state does not say why; None if they have no place there.

    A banker who loses the bank after a round, and has not asked to, has lost it by their own limit of loss.
    """
    place = table.place_of(party)
    if not isinstance(place, Bank):
        return None if place is None else Departure(party, LeaveReason.ASKED, was_banker=False)
    by_limit = table.phase is Phase.DEALT and not place.leaves_after_round
    return Departure(party, LeaveReason.OWN_LIMIT if by_limit else LeaveReason.ASKED, was_banker=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelFacts:
    """What a member's own messages show beside the table's state.

    Attributes:
        stack: what they have to play with.
        own: the hand that is shown, if any.
        most: the largest bet that they could place now, in chips; 0 if none.
        bank_limits: whether it would be larger if the bank had more chips.
        in_play: why it is not larger: the chips that are held at other tables, by channel.
        by_own_limit: whether it would be larger without their own limit of losses.
        chips_left: what it leaves them of their own chips; None if there is none, or for points.
        evening: what the evening has brought them so far, between rounds; None if they have not played.
        story: of the table's rounds.
        has_played: whether they have won or lost chips in it.
        server_name: the table's server, if the message is not in it, where nobody can take a seat.
        picture_text: the alternative text of their hand's picture, which the message has attached as
            `OwnHand.picture_name`; None if there is no picture.
        note: a sentence about what they just did, or why they cannot bet, if any.
        unreachable: whether direct messages to them fail, so that a button to try again is useful.
        squeezes: whether they see the last piece of their hands by a press of their own.
        finds_ox: whether they find the ox of their hands themselves.
        feat: what is celebrated of the round whose result is shown; None for nothing.
        achieved: what they achieved in that round, where that is told.
        celebrates: whether the server celebrates what is remarkable.
        is_all_in: whether they have bet all that they have, where that is told.
        parting: of the last place that they had before the one of now.
        is_barred: whether they may not play here.
        bank_turn: their place among those who wait for the bank, from 1; 0 if they do not.
        bank_turn_ends: when they wait no longer.
        is_too_poor: whether they have too few chips for the lowest bet here, which the note says.
        ways_on: the buttons for what works then.
        house_chips: what the house has to bank with, if nobody banks.
        is_last_call: whether all who are waited for have bet or revealed their hands.
        awaited_banker: the banker to whom the bank came, if they have pressed nothing yet.
    """

    memory: PanelMemory
    stack: Stack
    own: OwnHand | None
    most: int
    chips_left: int | None
    evening: Evening | None
    server_name: str | None
    picture_text: str | None
    note: str | None
    unreachable: bool
    squeezes: bool
    feat: Feat | None
    finds_ox: bool = False
    parting: Parting = Parting()
    bank_limits: bool = False
    in_play: Mapping[int, int] = field(default_factory=dict)
    by_own_limit: bool = False
    is_barred: bool = False
    bank_turn: int = 0
    bank_turn_ends: float | None = None
    is_too_poor: bool = False
    ways_on: Sequence[Component] = ()
    house_chips: int = MOST_CHIPS
    is_last_call: bool = False
    awaited_banker: int | None = None
    has_played: bool = False
    story: Story = NO_STORY
    achieved: Sequence[Achievement] = ()
    celebrates: bool = True
    is_all_in: bool = False

    @property
    def party(self) -> int:
        """Whose message it is."""
        return self.memory.party


def own_hand(
    state: TableState,
    memory: PanelMemory,
    *,
    unseen: Unseen | None = None,
    picked: frozenset[int] = frozenset(),
    found: tuple[int, ...] | None = None,
    framed: bool = False,
) -> OwnHand | None:
    """The hand that the member holds, or had in the last round until they bet for the next; None if neither.

    Args:
        unseen: what they have to see next of the hand that they hold.
        picked: the places that they have picked for its ox.
        found: the places of the ox that they found, which the bot may arrange in another way as strong.
        framed: whether the hand of the last round is celebrated.
    """
    place = state.place_of(memory.party)
    if place is not None and place.pieces:
        ox = place.declared_ox or found
        hand = None if unseen else hand_of(place.pieces, ox, state.rules)
        return OwnHand(state.rules, state.round_number, place.pieces, ox, hand, unseen, picked)
    if not shows_last(state, memory, celebrated=framed):
        return None
    return last_hand(state, memory.party, framed=framed, bank_hidden=memory.bank_hidden)


def shows_last(state: TableState, memory: PanelMemory, *, celebrated: bool) -> bool:
    """Whether a panel shows the hand and result of the last round: until its member bets for the next.

    After that, or while others have hands, it would look like the hand of this round. It stays until the deal
    if the bank's hand is still to be turned, if it is celebrated, which its headline says, and in the direct
    message that brought it, which is found by its picture after a restart.
    """
    if state.phase is Phase.DEALT:
        return False
    stays = memory.bank_hidden or celebrated or memory.brought_hand
    seat = state.seat_of(memory.party)
    has_bet = state.phase is Phase.BETTING and seat is not None and seat.stake is not None
    return stays or not has_bet


def last_hand(
    state: TableState, party: int, *, framed: bool = False, bank_hidden: bool = False
) -> OwnHand | None:
    """The hand that the member had in the last round; None if they had none."""
    last = state.last
    if last is None or (played := played_by(last, party)) is None:
        return None
    hand = hand_in(last, played)
    own = OwnHand(last.rules, last.round_number, played.pieces, played.declared_ox, hand, framed=framed)
    if isinstance(played, RoundResult):
        met = played_by(last, counted_most(brought_bank(last)))
        assert isinstance(met, PlayerResult)
        return replace(own, played=met, other=hand_in(last, met), banks=True)
    return replace(own, played=played, other=None if bank_hidden else hand_in(last, last))


def result_accent(last: RoundResult | None, party: int, usual: int) -> int:
    """The colour of a message: what the round that it shows brought the member, else the usual one."""
    brought = 0 if last is None else sum(chips for who, chips in last.gains if who == party)
    if not brought:
        return usual
    return GAIN if brought > 0 else LOSS


def wallet_line(state: TableState, party: int, stack: Stack, evening: Evening | None) -> str:
    """What a member has to play with: chips, and how the evening goes, or the running score (G22)."""
    if state.for_points:
        return translate("panel.score", score=signed_points(stack.score))
    heat = None if state.is_cancelled else state.heat
    if heat is not None and any(one.party == party for one in heat.contenders):
        chips = heat.chips_of(party)
        return translate("panel.heat", chips=chips, round=state.round_number, rounds=heat.rounds)
    held = stack.held
    wallet = translate("panel.wallet_held" if held else "panel.wallet", free=stack.free, held=held)
    if evening is None:
        return wallet
    # Once, until the next round is settled.
    code = "panel.hour" if evening.is_hour else "panel.evening"
    return translate(code, wallet=wallet, gained=signed(evening.chips), rounds=evening.rounds)


def earlier_lines(earlier: Sequence[RoundResult | str], party: int) -> str:
    """What a message keeps of the rounds of earlier hands: what they brought, then the receipts.

    These are not all: a round that its member played on another panel waits until an edit is needed anyway.
    """
    if not earlier:
        return ""
    # A text has the heading already.
    heading = [] if isinstance(earlier[0], str) else [f"-# **{translate('panel.earlier')}**"]
    rounds = (one if isinstance(one, str) else _small_lines_of(one, party) for one in earlier)
    lines = "\n".join([*heading, *rounds]).split("\n")
    return "\n".join(sorted(lines, key=lambda line: RECEIPT in line))


def rounds_told(earlier: Sequence[RoundResult | str]) -> int:
    """Of how many rounds a message keeps the results."""
    return sum(one.count(RECEIPT) if isinstance(one, str) else 1 for one in earlier)


def _small_lines_of(result: RoundResult, party: int) -> str:
    """What a message keeps of a round, cached: it says the same in all that follow."""
    key = result.receipt, party, reader()
    if (lines := _TOLD.get(key)) is None:
        lines = _TOLD[key] = "\n".join(f"-# {line}" for line in _lines_of(result, party))
    return lines


def _lines_of(result: RoundResult, party: int) -> list[str]:
    played = played_by(result, party)
    assert played is not None
    hand = hand_in(result, played)
    chips = played.bank_chips if isinstance(played, RoundResult) else played.chips
    told = f"{result.round_number} · {hand_words(hand)} {hand_name(hand)} **{gained(result, chips)}**"
    return [told, *(one.line for one in evidence_of(result, party))]


def round_of_picture(name: str) -> int | None:
    """The round of the hand whose picture a file is, by its name; None for another file."""
    word, _, rest = name.partition(".")[0].partition("-")
    number = rest.partition("-")[0]
    return int(number) if word == "hand" and number.isdecimal() else None


def hopes(state: TableState, place: Seat | Bank) -> Outlook:
    """What the last piece can make of the other four."""
    return outlook(place.pieces[:-1], state.rules, hands_to_deal(state))


def is_new(state: TableState, facts: PanelFacts) -> bool:
    """Whether the member has not played in this session: then rules are explained that they may not know."""
    return not (facts.has_played or had_hand(state, facts.party))


def had_hand(state: TableState, party: int) -> bool:
    """Whether the member had a hand in the last round."""
    return state.last is not None and played_by(state.last, party) is not None


def offers_looks(state: TableState, facts: PanelFacts) -> bool:
    """Whether a panel offers other ways to look at the next hands: with the first, until its reveal."""
    place = state.place_of(facts.party)
    has_hand = place is not None and bool(place.pieces) and not place.revealed
    return has_hand and is_new(state, facts) and not (facts.squeezes or facts.finds_ox)


def is_to_arrange(state: TableState, place: Seat | Bank) -> bool:
    """Whether the member has not arranged the hand yet: finding what it is worth is left to them (B04)."""
    return may_arrange(state, place) and place.declared_ox is None


def may_arrange(state: TableState, place: Seat | Bank) -> bool:
    """Whether the member can arrange the hand now, also in another way than before."""
    return bool(place.pieces) and not place.revealed and unmet_precondition(state, Action.ARRANGE) is None
