"""What a board shows: its words, its picture and its buttons, made once for each state.

It offers what somebody can do now, in at most eight buttons and one menu. What only some members can do, such
as dealing or leaving, is on their own panels.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.games.settle import largest_multiple
from bot.ledger.memory import Stacks
from bot.rules.typed_text import text_length
from bot.table.betting import is_all_in, largest_to_offer
from bot.table.preconditions import Action, can_wait_for_bank, unmet_precondition
from bot.table.state import THE_HOUSE, Phase, RoundResult, TableState
from bot.table.story import Highlight, Story
from bot.ui.board.headlines import (
    achieved_line,
    all_in_line,
    end_line,
    goodbye_lines,
    headline,
    name_signs,
    rival_line,
)
from bot.ui.board.results import ALL_IN_SIGN, NO_SIGNS, NOBODY, ResultText
from bot.ui.board.text import (
    BoardFacts,
    before_first_deal,
    goal,
    happenings,
    highlight_of,
    house_can_bank,
    places_text,
    shows_best_hand,
    shows_result,
    small_print,
    title,
    waits_for,
    with_table,
)
from bot.ui.components import (
    GAIN,
    LOSS,
    Component,
    Layout,
    box,
    button,
    menu,
    option,
    picture,
    row,
    text,
)
from bot.ui.guide.lesson import learn_button
from bot.ui.pictures import render_arranged, render_showdown
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.next_steps import tell_button
from bot.ui.readers import Names
from bot.ui.stakes import AGAIN_SIGN, can_win_words, quick_stakes
from bot.wire.requests import LONGEST_TEXT, Attachment
from bot.words.hands import my_hand
from bot.words.translation import Reader, speaking_to, translate

ACCENTS: Final[Mapping[Phase, int]] = MappingProxyType(
    {
        Phase.OPEN: 0x80848E,
        Phase.BETTING: 0xF0B232,
        Phase.DEALT: 0x5865F2,
        Phase.CLOSED: 0x4E5058,
    }
)
"""The colour of a board that shows no result."""
BEST_HAND: Final = "best-hand.png"
"""The file name of the picture on the board of a closed table that shows its best hand."""


def accent(state: TableState) -> int:
    """The colour of a board: who won the round that it shows, or what goes on."""
    if state.last is None or shows_result(state) is None or not state.last.bank_chips:
        return ACCENTS[state.phase]
    return LOSS if state.last.bank_chips > 0 else GAIN


def picture_name(round_number: int) -> str:
    """The file name of a showdown's picture."""
    return f"round-{round_number}.png"


def board_view(
    state: TableState,
    names: Names,
    facts: BoardFacts,
    picture_text: str | None,
    last: ResultText | None = None,
) -> Layout:
    """The board of a table.

    Args:
        picture_text: the alternative text of the last showdown's picture, which the message has attached as
            `picture_name`; of a closed table, that of its best hand; None if there is no picture.
        last: the text of its last result; None to write it now.
    """
    story = facts.story
    parts, heading = [], "\n".join(filter(None, (title(state), goal(state))))
    shown = None if state.last is None or state.phase is Phase.DEALT else state.last
    if shown is None:
        last = None
    elif last is None:
        last = ResultText(shown, names, _found(shown, story), _signs(state, facts))
    receipt = []
    if shown is not None:
        receipt.append(f"-# {translate('board.receipt', round=shown.round_number, receipt=shown.receipt)}")
    highlight = highlight_of(state, story)
    remarkable = ""
    if highlight is None:
        # On a phone, a headline needs the room.
        remarkable = (
            all_in_line(state, facts.all_in, names)
            or end_line(state, story, names)
            or achieved_line(state, facts.achieved, names)
            or rival_line(state, story, names)
        )
    below = [
        remarkable,
        happenings(state, names),
        waits_for(state, names, facts),
        _what_is_at_stake(state, facts),
        # What is remarkable needs the room too. Rules that are not the usual ones stay.
        small_print(state, with_limits=not (highlight or remarkable)),
        *receipt,
    ]
    foot = "\n".join(filter(None, below))
    if shown is not None and highlight is not None:
        heading = headline(shown, highlight, names)
    if state.phase is Phase.CLOSED:
        # Where the last round's picture comes between, its lines below need no other label.
        label = [_label_when_closed(state, facts)] if _pictures_last(state, facts) else []
        heading = "\n".join((heading, *goodbye_lines(state, story, names, highlight), *label))
    said = text_length(heading)
    if shown is not None and picture_text is not None:
        file = BEST_HAND if shows_best_hand(state, story) else picture_name(shown.round_number)
        parts = [text(heading), picture(file, picture_text)]
        heading = ""
    room = LONGEST_TEXT - said - text_length(foot) - 1
    listed = _listed(state, names, facts, last, with_hands=True)
    if text_length(listed) > room:
        # The picture shows the hands.
        listed = _listed(state, names, facts, last, with_hands=False)
    parts += [text("\n".join(filter(None, (heading, listed)))), text(foot)]
    return [box(parts, accent(state)), *board_rows(state, facts)]


def _what_is_at_stake(state: TableState, facts: BoardFacts) -> str:
    """What a bet can win or lose, until the first deal; even money stands beside the limits."""
    if not before_first_deal(state) or largest_multiple(state.rules) == 1:
        return ""
    return can_win_words(state.rules, _stakes(state, facts))


def _found(result: RoundResult, story: Story) -> Mapping[int, int]:
    """How often in a row each has found the strongest way, with this round."""
    return story.found if story.round_number == result.round_number else NOBODY


def _signs(state: TableState, facts: BoardFacts) -> dict[int, str]:
    is_headline = highlight_of(state, facts.story) is not None
    return name_signs(state, facts.story, facts.achieved, is_headline=is_headline)


def _listed(
    state: TableState, names: Names, facts: BoardFacts, last: ResultText | None, *, with_hands: bool
) -> str:
    """The bank and the players, or of a closed table how its last round went."""
    if state.phase is not Phase.CLOSED:
        return places_text(state, names, facts, last, with_hands=with_hands)
    if last is None:
        return ""
    label = [] if _pictures_last(state, facts) else [_label_when_closed(state, facts)]
    return "\n".join((*label, *last.with_totals(_totals(facts.story), with_hands=with_hands)))


def _pictures_last(state: TableState, facts: BoardFacts) -> bool:
    """Whether a closed table's board has the picture of its last round."""
    return shows_result(state) is not None and not shows_best_hand(state, facts.story)


def _totals(story: Story) -> Mapping[int, int]:
    """What all rounds brought each; empty for a single round, whose result is the total."""
    return story.gains if story.rounds > 1 else {}


def _label_when_closed(state: TableState, facts: BoardFacts) -> str:
    """What a closed table shows of its last round; also the table, where a headline has the title's place."""
    totals = _totals(facts.story)
    label = translate("board.last_round_and_all" if totals else "board.last_round")
    if highlight_of(state, facts.story) is not None:
        label = with_table(state, label, briefly=bool(totals))
    return f"-# {label}"


EVERYBODY: Final = Reader()
NO_FACTS: Final = BoardFacts()


FindChips = Callable[[int, Iterable[int]], Awaitable[dict[int, int]]]
"""Finds the free chips of members of a server that they may lose."""


class BoardContent:
    """What one board shows. Its result, in one language, is kept until there is another."""

    def __init__(self, stacks: Stacks, may_lose: FindChips, names: Names) -> None:
        self._stacks = stacks
        self._may_lose = may_lose
        self._names = names
        self._last: RoundResult | None = None
        self._reader = EVERYBODY
        self._last_text: ResultText | None = None
        self._found = NOBODY
        self._signs = NO_SIGNS
        self._picture: Attachment | None = None

    async def made_of(
        self, state: TableState, reader: Reader = EVERYBODY, facts: BoardFacts = NO_FACTS
    ) -> tuple[Layout, Attachment | None]:
        """The layout of the board, and the picture that goes with it, if any.

        Args:
            reader: everybody in the channel, never the member whose click updates the board.
            facts: what it shows beside the table, but for chips and scores, which are added here.
        """
        with speaking_to(reader):
            self._found = NOBODY if state.last is None else _found(state.last, facts.story)
            signs = _signs(state, facts)
            is_another = state.last is not self._last or reader != self._reader
            if is_another:
                self._last, self._picture, self._reader = state.last, None, reader
            if is_another or signs != self._signs:
                self._signs = signs
                self.forget_names()
            picture = None
            best = facts.story.best
            if best is not None and shows_best_hand(state, facts.story):
                best_hand = await render_arranged(best.hand, state.rules, framed=True)
                picture = replace(best_hand, name=BEST_HAND)
            elif state.last is not None and shows_result(state) is not None:
                picture = await self._showdown(state.last, highlight_of(state, facts.story))
            facts, shown = await self._with_chips(state, facts), picture.description if picture else None
            return board_view(state, self._names, facts, shown, self._last_text), picture

    def forget_names(self) -> None:
        """Writes the result again when it is shown next: a member whom it names is erased."""
        self._last_text = (
            None if self._last is None else ResultText(self._last, self._names, self._found, self._signs)
        )

    async def _showdown(self, result: RoundResult, highlight: Highlight | None) -> Attachment:
        if self._picture is None:
            celebrated = highlight.party if highlight is not None and highlight.is_happy else None
            self._picture = await render_showdown(result, picture_name(result.round_number), celebrated)
        return self._picture

    async def _with_chips(self, state: TableState, facts: BoardFacts) -> BoardFacts:
        bank = [state.bank.party if state.bank else THE_HOUSE]
        if state.for_points:
            there = [*bank, *(seat.party for seat in state.seats)]
            found = await self._stacks.of_all(state.server_id, there)
            return replace(facts, scores={party: stack.score for party, stack in found.items()})
        wallets = await self._may_lose(state.server_id, bank)
        return replace(facts, wallets=wallets)


_PRIMARY, _SUCCESS = discord.ButtonStyle.primary, discord.ButtonStyle.success
_SECONDARY: Final = discord.ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class _Offer:
    """A button for everybody; `button.<action>` is its label.

    Attributes:
        needs: what must be possible at the table, or the button is left out; None for nothing.
        for_this_round: whether a click that arrives after the round does nothing.
    """

    action: PressAction
    needs: Action | None = None
    for_this_round: bool = False
    style: discord.ButtonStyle = _SECONDARY
    emoji: str | None = None


_BESIDE: Final = 3
"""How many buttons with words a phone has room for beside each other."""
_WAITING: Final = (
    _Offer(PressAction.JOIN, Action.JOIN, style=_SUCCESS),
    _Offer(PressAction.BANK, Action.TAKE_BANK, style=_PRIMARY),
    _Offer(PressAction.ROLL, Action.ROLL, style=_PRIMARY, emoji="🎲"),
)
_PLAY_HOUSE: Final = _Offer(PressAction.PLAY_HOUSE, style=_SUCCESS)
_PLAY: Final = _Offer(PressAction.PLAY, Action.BET, for_this_round=True, style=_SUCCESS, emoji="✋")
_AGAIN: Final = _Offer(PressAction.AGAIN, Action.BET, for_this_round=True, emoji=AGAIN_SIGN)
_OTHER_BET: Final = _Offer(PressAction.OTHER_BET, Action.BET, for_this_round=True)
_SIDE_BETS: Final = _Offer(PressAction.SIDE_BETS, Action.SIDE_BET)
_REVEAL: Final = _Offer(PressAction.REVEAL, Action.REVEAL, for_this_round=True)


def board_rows(state: TableState, facts: BoardFacts) -> list[Component]:
    """The rows of buttons below a board, and its menu."""
    if state.phase is Phase.CLOSED:
        return [_when_closed(state)] if state.heat is None else []
    stakes = [_stake(state, stake) for stake in _stakes(state, facts)]
    offers = list(_offers(state, facts, takes_bets=bool(stakes)))
    offered, learn = [_button(state, offer) for offer in offers], learn_button()
    if before_first_deal(state) and _AGAIN not in offers:
        more = [_all_in(state)] if _takes_all_in(state, facts) else []
        more.append(learn)
        # The menu has what there is no room for.
        offered += more[: max(1, _BESIDE - len(offered))]
    shown = _menu(state, facts.menu_uses, has_lesson=learn not in offered)
    if _is_deserted(state):
        offered.append(tell_button())
    return [*(row(*buttons) for buttons in (stakes, offered) if buttons), shown]


def _takes_all_in(state: TableState, facts: BoardFacts) -> bool:
    """Whether who has as many chips as a new member can bet them all."""
    chips, times = state.rules.opening_chips, largest_multiple(state.rules)
    stake = chips // times
    most = _most_offered(state, facts)
    return 0 < stake <= most and is_all_in(state.rules, stake, chips - stake * times)


def _all_in(state: TableState) -> Component:
    """Opens the panel, whose button says what a bet of all that the member has is, and what it holds."""
    press = Press(PressAction.HAND, state.table_id, ANY_ROUND)
    return button(press, translate("button.all_in_asks"), emoji=ALL_IN_SIGN)


def _is_deserted(state: TableState) -> bool:
    """Whether nobody is at the table, so that who comes may want to know when somebody is."""
    return state.bank is None and not state.members


def _offers(state: TableState, facts: BoardFacts, *, takes_bets: bool) -> Iterator[_Offer]:
    """The buttons that somebody can press now; a table for points asks nobody for chips (G22)."""
    offers: tuple[_Offer, ...]
    match state.phase:
        case Phase.OPEN:
            offers = _WAITING
            if house_can_bank(state, facts.house_chips):
                # A seat alone starts nothing here, so what does comes first, in colour.
                join, *ways = _WAITING
                offers = (_PLAY_HOUSE, *ways, replace(join, style=_SECONDARY))
        case Phase.BETTING if state.for_points:
            offers = (_PLAY,)
        case Phase.BETTING:
            has_bets = any(state.usual_stake(seat.party) is not None for seat in state.members)
            again = (_AGAIN,) if takes_bets and has_bets and state.round_number > 1 else ()
            offers = (*again, *((_OTHER_BET,) if takes_bets else ()), _SIDE_BETS)
        case _:
            # Who does not see their panel looks at their hand first; on it, Reveal is in colour.
            offers = (_Offer(PressAction.HAND, style=_SUCCESS, emoji=state.game.pieces.emoji), _REVEAL)
    for offer in offers:
        if offer.needs is None or _is_possible(state, offer.needs):
            yield offer


def _is_possible(state: TableState, action: Action) -> bool:
    return unmet_precondition(state, action) is None


def _button(state: TableState, offer: _Offer) -> Component:
    round_number = state.round_number if offer.for_this_round else ANY_ROUND
    is_hand = offer.action is PressAction.HAND
    return button(
        Press(offer.action, state.table_id, round_number),
        my_hand(state.rules.game) if is_hand else translate(f"button.{offer.action}"),
        style=offer.style,
        emoji=offer.emoji,
    )


def _most_offered(state: TableState, facts: BoardFacts) -> int:
    """The largest bet that is offered to everybody, in chips; 0 if none is (B02)."""
    bank = state.bank
    if bank is None or state.for_points or not _is_possible(state, Action.BET):
        return 0
    if bank.party not in facts.wallets:
        return bank.highest
    return min(bank.highest, largest_to_offer(state, facts.wallets))


def _stakes(state: TableState, facts: BoardFacts) -> list[int]:
    """The amounts to bet that the bank can cover, in chips (B02)."""
    bank, most = state.bank, _most_offered(state, facts)
    if bank is None:
        return []
    return [stake for stake in quick_stakes(bank.lowest, bank.highest) if stake <= most]


def _stake(state: TableState, stake: int) -> Component:
    press = Press(PressAction.BET, state.table_id, state.round_number, stake)
    return button(press, translate("button.bet", stake=stake))


def _when_closed(state: TableState) -> Component:
    """The buttons of a closed table; the channel may have another table by now."""
    return row(open_again(state), tell_button())


def open_again(state: TableState) -> Component:
    """The button that opens another table of the same kind in its channel."""
    press = Press(PressAction.OPEN, arguments=(state.rules.game, state.rules.play))
    return button(press, translate("button.open_again"), style=_SUCCESS)


def _menu(state: TableState, menu_uses: int, *, has_lesson: bool) -> Component:
    options = [_option(state, action) for action in _in_menu(state, has_lesson=has_lesson)]
    # The same menu in every round: under another custom_id, one that somebody has open would close.
    press = Press(PressAction.MORE, state.table_id, ANY_ROUND, menu_uses or None)
    return row(menu(press, translate("menu.more"), options))


def _option(state: TableState, action: PressAction) -> dict[str, Any]:
    """An entry of the menu, with its explanation."""
    return option(translate(f"menu.{action}"), action, explanation(state, action))


def explanation(state: TableState, action: PressAction) -> str:
    """What an entry of a menu does at this table."""
    if action is PressAction.HAND and state.for_points:
        return translate(f"menu.{action}.what_points")
    if action is PressAction.BANK and state.game.rolls_for_bank:
        return translate(f"menu.{action}.what_dice")
    return translate(f"menu.{action}.what")


def asks_for_bank(state: TableState) -> PressAction | None:
    """What a menu offers to who wants a bank that somebody has, or the house; None if they cannot ask."""
    if can_wait_for_bank(state):
        return PressAction.BANK_NEXT
    is_possible = state.house_banks and unmet_precondition(state, Action.TAKE_BANK) is None
    return PressAction.BANK if is_possible else None


def _in_menu(state: TableState, *, has_lesson: bool) -> Iterator[PressAction]:
    """What the menu offers: everything for everybody that is no button now."""
    if state.phase is not Phase.DEALT:
        yield PressAction.HAND
    if state.phase is not Phase.OPEN and _is_possible(state, Action.JOIN):
        yield PressAction.JOIN
    if (for_bank := asks_for_bank(state)) is not None:
        yield for_bank
    if state.phase is Phase.BETTING:
        if state.heat is None:
            yield PressAction.SIT_OUT
        if state.side_bets:
            yield PressAction.UNBACK_ANY
    if _is_deserted(state):
        yield PressAction.SCHEDULED
    yield PressAction.RULES
    if has_lesson:
        yield PressAction.LEARN
    yield PressAction.WALLET
    if state.heat is None:
        yield PressAction.KEEP_OPEN if state.closes_after_round else PressAction.CLOSE
