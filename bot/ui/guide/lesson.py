"""The lesson: three examples, then five hands with a question, the answer to each, and what came of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import Final

import discord

from bot.games.hands import declared, evaluate
from bot.games.lesson import (
    LESSON,
    Exercise,
    Three,
    Verdict,
    has_three_alike,
    is_right_rank,
    is_right_three,
    rank_of_strength,
    verdict,
)
from bot.games.register import GAMES, game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Hand, Piece
from bot.table.state import ROUNDS_AWAY, ROUNDS_MISSED_IN_A_ROW, TableState
from bot.ui.components import Component, Layout, button, picture, row, rows, text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.wire.requests import Attachment
from bot.words.hands import (
    alias_line,
    explanation,
    hand_name,
    hand_words,
    meaning_lines,
    rank_name,
    row_of,
    teaching_words,
    why_no_ox_words,
)
from bot.words.rules import game_title, stakes_lines
from bot.words.translation import translate

NO_SERVER: Final = 0
"""The server of a lesson by direct message, which goes by the rules that houses start with."""
_ALSO_EXAMPLE: Final = 2
"""The example that also says what else is an ox: the first one says enough."""
_PLANS: Final = 100
"""How many orders of questions there are."""
READY: Final = 4
"""How many right answers show that somebody is ready to play."""
_MOST_LINES: Final = 16
"""The most lines about a hand, and ways to arrange it, on a phone."""
_LINE: Final = 34
"""About as many characters as a phone shows on a line."""
_IN_ROW: Final = 2
"""As many threes of tiles side by side as fit the width of a phone."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a lesson, or an answer to it; the buttons of a lesson carry all of it.

    Attributes:
        server_id: the server whose rules the lesson goes by; `NO_SERVER` for none.
        plan: decides the order of the questions.
        number: which question, from 1; one more than there are after the last one.
        right: how many answers were right before.
        pieces: the hand that is answered; empty if a hand is to be asked about.
        three: the three pieces chosen, empty for none; None if a name was chosen.
        strength: the strength of the rank chosen; None if three were.
    """

    server_id: int
    game: GameName
    plan: int
    number: int = 1
    right: int = 0
    pieces: tuple[Piece, ...] = ()
    three: Three | None = None
    strength: int | None = None

    @property
    def asked(self) -> tuple[str, ...]:
        """What begins the arguments of its buttons."""
        return str(self.server_id), self.game, str(self.plan)

    @property
    def press(self) -> Press:
        """What asks the question, or gives the answer."""
        asked = (*self.asked, str(self.number), str(self.right))
        if not self.pieces:
            return Press(PressAction.NEXT, arguments=asked)
        chosen = f"r{self.strength}" if self.three is None else "".join(map(str, ("t", *self.three)))
        return Press(PressAction.ANSWER, arguments=(*asked, "-".join(map(str, self.pieces)), chosen))


def question_of(press: Press) -> Question:
    """The question or answer that a button of a lesson carries."""
    server_id, game, plan, number, right, *answer = press.arguments
    question = Question(int(server_id), game, int(plan), int(number), int(right))
    possible = 1 <= question.number <= len(LESSON) + (not answer) and question.right < question.number
    if answer:
        hand, chosen = answer
        pieces = tuple(Piece(int(piece)) for piece in hand.split("-"))
        possible &= set(pieces) <= set(GAMES[game].pieces.pieces)
        if chosen.startswith("r"):
            question = replace(question, pieces=pieces, strength=int(chosen[1:]))
        else:
            three = tuple(map(int, chosen[1:]))
            possible &= not three or (len(set(three)) == OX_SIZE and max(three) < HAND_SIZE)
            question = replace(question, pieces=pieces, three=three)
    if not possible:
        raise MemberError("reply.outdated_component")
    return question


def first_question(server_id: int, game: GameName) -> Question:
    """What the examples of another lesson lead to."""
    return Question(server_id, game, SystemRandom().randrange(_PLANS))


def lesson_button(server_id: int, game: GameName) -> Component:
    """A button that begins a lesson, beside the rules of the game."""
    first, label = first_question(server_id, game), translate("guide.button.learn")
    return button(_example_press(first, 1), label, style=discord.ButtonStyle.success, emoji="🎓")


def learn_button() -> Component:
    """A button that begins a lesson about the game that is played in the channel by then."""
    return button(Press(PressAction.LEARN), translate("guide.button.learn"), emoji="🎓")


def example_of(press: Press) -> tuple[Question, int]:
    """The example that a button of a lesson shows, from 1, and the question that comes after all of them."""
    server_id, game, plan, number = press.arguments
    if int(number) > len(GAMES[game].first_hands):
        raise MemberError("reply.outdated_component")
    return Question(int(server_id), game, int(plan)), int(number)


def meanwhile_line(state: TableState, party: int, awaited: int | None) -> str:
    """What happens at an open table while a member who has a place or a side bet there is in a lesson.

    Args:
        awaited: the banker to whom the bank came, if they have pressed nothing yet.
    """
    table = translate("table.name", number=state.number)
    if state.heat is not None:
        return translate("learn.meanwhile.heat", rounds=ROUNDS_AWAY)
    if party == awaited:
        return translate("learn.meanwhile.bank_came", table=table)
    if not state.has(party):
        return translate("learn.meanwhile.side_bet", table=table)
    place = "bank" if state.is_banker(party) else "seat"
    return translate(f"learn.meanwhile.{place}", table=table, rounds=ROUNDS_MISSED_IN_A_ROW)


def example_view(
    first: Question, number: int, rules: HouseRules, hand: Hand, shown: Attachment, meanwhile: str
) -> Layout:
    """A hand with what its pieces count, and what it is; then the next one, or the first question.

    Args:
        meanwhile: what happens at the member's table, for the first page; empty if they have none.
    """
    most = len(game_of(rules).first_hands)
    title = translate("learn.example", game=game_title(rules.game), number=number, most=most)
    intro = [*filter(None, [meanwhile]), translate(f"learn.first.{rules.game}")] if number == 1 else []
    discs = [translate(f"learn.discs.{game_of(rules).pieces.name}")] if number == 1 else []
    style = discord.ButtonStyle.primary
    if number < most:
        on = button(_example_press(first, number + 1), translate("learn.button.example"), style=style)
        buttons = [on, button(first.press, translate("learn.button.skip"))]
    else:
        buttons = [button(first.press, translate("learn.button.try"), style=style)]
    also = game_of(rules).display.also_ox(rules) if number == _ALSO_EXAMPLE else None
    told = [*teaching_words(hand, rules), *discs, *([translate(also)] if also is not None else [])]
    return [
        text("\n".join([title, *intro])),
        picture(shown.name, shown.description or ""),
        text("\n".join(told)),
        row(*buttons),
    ]


def _example_press(first: Question, number: int) -> Press:
    return Press(PressAction.TEACH, arguments=(*first.asked, str(number)))


def question_view(question: Question, asked: Exercise, rules: HouseRules, dealt: Attachment) -> Layout:
    """A hand as it was dealt, a question, and its answers as buttons."""
    answer = replace(question, pieces=asked.pieces)
    threes = [
        button(replace(answer, three=three).press, _label(asked.pieces, three, rules))
        for three in asked.threes
    ]
    ranks = [
        button(replace(answer, strength=rank.strength).press, rank_name(rank, rules.game))
        for rank in asked.ranks
    ]
    find = translate(f"learn.find.{rules.game}" if threes else "learn.name_it")
    lines = [find, *meaning_lines(asked.ranks, rules)]
    told = [f"learn.first.{rules.game}"] if question.number == 1 else []
    # What else is an ox is told where it is in sight.
    also = game_of(rules).display.also_ox(rules)
    told += [also] if also is not None and has_three_alike(asked.pieces, rules) else []
    first = [text("\n".join(map(translate, told)))] if told else []
    return [
        text(_title(question)),
        *first,
        picture(dealt.name, dealt.description or ""),
        text("\n".join(lines)),
        *rows(threes or ranks, _IN_ROW),
    ]


def hand_answered(question: Question, rules: HouseRules) -> Hand:
    """The strongest hand: of several ways to it, the one that was picked."""
    three = question.three
    if three and is_right_three(question.pieces, three, rules):
        return declared(question.pieces, three, rules)
    return evaluate(question.pieces, rules)


def answer_view(question: Question, rules: HouseRules, arranged: Attachment) -> Layout:
    """Whether an answer is right, and why the hand is what it is."""
    hand = hand_answered(question, rules)
    verdict, right = _verdict(question, hand, rules)
    following = Question(
        question.server_id, question.game, question.plan, question.number + 1, question.right + right
    )
    label = translate("learn.button.result" if question.number == len(LESSON) else "learn.button.next")
    alias = [alias_line(hand.rank.alias)] if hand.rank.alias else []
    lines = [verdict, *alias, *_first(explanation(hand, rules))]
    return [
        text(_title(question)),
        picture(arranged.name, arranged.description or ""),
        text("\n".join(lines)),
        row(button(following.press, label, style=discord.ButtonStyle.primary)),
    ]


def result_view(question: Question, rules: HouseRules, then: str, more: Sequence[Component]) -> Layout:
    """How many answers were right, what to do now, what can be won and lost, and tips for beginners (T12).

    Args:
        then: how to play a real round, for who is ready.
        more: further buttons in a server, where a table can be opened; empty elsewhere.
    """
    score = translate("learn.score", right=question.right, most=len(LESSON))
    ready, first = question.right >= READY, first_question(question.server_id, question.game)
    advice = translate("learn.ready" if ready else "learn.again")
    green, grey = discord.ButtonStyle.success, discord.ButtonStyle.secondary
    again = button(first.press, translate("learn.button.again"), style=grey if ready and more else green)
    press = Press(PressAction.PLAY_NOW, arguments=(question.game,))
    play = button(press, translate("learn.button.play"), style=green if ready else grey)
    display = game_of(rules).display
    by_rules = filter(None, [display.also_ox(rules), *display.tips(rules)])
    tips = "\n".join([translate(f"learn.tips.{question.game}"), *(f"- {translate(tip)}" for tip in by_rules)])
    lines = [f"### {game_title(question.game)}", f"{score} {advice}", *([then] if ready else [])]
    lines += [translate("learn.stakes"), *stakes_lines(rules), translate("learn.tips", tips=tips)]
    return [
        text("\n".join(lines)),
        row(*([play] if more else []), again, *more),
    ]


def _title(question: Question) -> str:
    return translate("learn.title", game=game_title(question.game), number=question.number, most=len(LESSON))


def _verdict(answer: Question, hand: Hand, rules: HouseRules) -> tuple[str, bool]:
    """Whether an answer is right, in words too."""
    name = hand_name(hand)
    if answer.three is not None:
        said = verdict(answer.pieces, answer.three, rules)
        return _three_words(said, answer.three, hand, rules), said is Verdict.RIGHT
    assert answer.strength is not None
    if is_right_rank(answer.pieces, answer.strength, rules):
        return translate("learn.right", name=name), True
    chosen = rank_of_strength(answer.strength, rules)
    if chosen is None:
        raise MemberError("reply.outdated_component")
    return translate("learn.wrong_rank", chosen=rank_name(chosen, rules.game), name=name), False


def _three_words(said: Verdict, three: Three, hand: Hand, rules: HouseRules) -> str:
    """A verdict on three pieces, in words."""
    name = hand_name(hand)
    match said:
        case Verdict.RIGHT:
            return translate("learn.right" if three else "learn.no_ox", name=name)
        case Verdict.MISSED:
            return translate("learn.missed", hand=hand_words(hand), name=name)
        case Verdict.WEAKER:
            return translate("learn.weaker_three", name=name)
        case Verdict.NOT_AN_OX:
            chosen = [hand.pieces[place] for place in three]
            why = why_no_ox_words(chosen, rules, only_total=not has_three_alike(hand.pieces, rules))
            return translate("learn.wrong_three", why=why, name=name)


def _first(lines: Sequence[str]) -> Sequence[str]:
    """As many lines as fit the height of a phone, and how many are left out."""
    height = 0
    for count, line in enumerate(lines):
        height += -(-len(line) // _LINE)
        if height > _MOST_LINES:
            return [*lines[:count], translate("reply.more_lines", count=len(lines) - count)]
    return lines


def _label(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> str:
    """The three pieces; the name of a hand without an ox for none."""
    if three:
        return row_of(tuple(pieces[place] for place in three), rules.game)
    return rank_name(game_of(rules).no_ox, rules.game)
