"""The lesson: a hand with a question, the answer to it, and what came of all five."""

from collections.abc import Sequence
from dataclasses import replace
from random import SystemRandom
from typing import Final

import discord

from bot.games.hands import evaluate, is_ox
from bot.games.lesson import LESSON, Exercise, is_right_rank, is_right_three, rank_of_strength
from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.rules.pieces import Hand, Piece
from bot.ui.components import Component, Layout, button, picture, row, text
from bot.ui.press.errors import MemberError
from bot.ui.press.guide_ids import PLANS, LessonAction, LessonPress
from bot.wire.requests import Attachment
from bot.words.hands import hand_name, hand_words, rank_name, row_of, why_no_ox_words, why_words
from bot.words.rules import game_title
from bot.words.translation import translate

READY: Final = 4
"""How many right answers show that somebody is ready to play."""
_MOST_LINES: Final = 16
"""The most lines of ways to arrange a hand on a phone."""
_LINE: Final = 34
"""About as many characters as a phone shows on a line."""
_IN_ROW: Final = 2
"""As many threes of tiles side by side as fit the width of a phone."""


def first_press(server_id: int, game: GameName) -> LessonPress:
    """What begins another lesson."""
    return LessonPress(LessonAction.NEXT, server_id, game, SystemRandom().randrange(PLANS))


def lesson_button(server_id: int, game: GameName, label: str, *, emoji: str | None = None) -> Component:
    """A button that begins another lesson."""
    return button(first_press(server_id, game), label, style=discord.ButtonStyle.success, emoji=emoji)


def question_view(press: LessonPress, asked: Exercise, rules: HouseRules, dealt: Attachment) -> Layout:
    """A hand as it was dealt, a question, and its answers as buttons.

    Args:
        press: which question.
        asked: the hand and the answers.
        rules: the rules of the lesson.
        dealt: the picture of the hand.
    """
    answer = replace(press, action=LessonAction.ANSWER, pieces=asked.pieces)
    threes = [
        button(replace(answer, three=three), _label(asked.pieces, three, rules)) for three in asked.threes
    ]
    ranks = [
        button(replace(answer, strength=rank.strength), rank_name(rank, rules.game)) for rank in asked.ranks
    ]
    question = translate(f"learn.find.{rules.game}" if threes else "learn.name_it")
    lines = [_title(press), translate("learn.pieces", pieces=row_of(asked.pieces, rules.game)), question]
    first = [text(translate(f"learn.first.{rules.game}"))] if press.question == 1 else []
    return [
        text(_title(press)),
        *first,
        picture(dealt.name, dealt.description or ""),
        text("\n".join(lines[1:])),
        *_rows(threes or ranks),
    ]


def answer_view(press: LessonPress, rules: HouseRules, arranged: Attachment) -> Layout:
    """Whether an answer is right, and why the hand is what it is.

    Args:
        press: the answer.
        rules: the rules of the lesson.
        arranged: the picture of the hand as it counts.

    Raises:
        MemberError: if these rules have no such answer any more.
    """
    hand = evaluate(press.pieces, rules)
    verdict, right = _verdict(press, hand, rules)
    following = LessonPress(
        LessonAction.NEXT, press.server_id, press.game, press.plan, press.question + 1, press.right + right
    )
    label = translate("learn.button.result" if press.question == len(LESSON) else "learn.button.next")
    lines = [verdict, translate("learn.ways"), *_first(why_words(press.pieces, rules).splitlines())]
    return [
        text(_title(press)),
        picture(arranged.name, arranged.description or ""),
        text("\n".join(lines)),
        row(button(following, label, style=discord.ButtonStyle.primary)),
    ]


def result_view(press: LessonPress, then: str, more: Sequence[Component]) -> Layout:
    """How many answers were right, what to do now, and tips for beginners (T12).

    Args:
        press: the press after the last answer.
        then: how to play a real round.
        more: buttons that lead on.
    """
    score = translate("learn.score", right=press.right, most=len(LESSON))
    advice = translate("learn.ready" if press.right >= READY else "learn.again")
    again = lesson_button(press.server_id, press.game, translate("learn.button.again"))
    tips = translate("learn.tips", tips=translate(f"learn.tips.{press.game}"))
    return [text(f"### {game_title(press.game)}\n{score} {advice}\n{then}\n{tips}"), row(again, *more)]


def _title(press: LessonPress) -> str:
    return translate("learn.title", game=game_title(press.game), number=press.question, most=len(LESSON))


def _verdict(press: LessonPress, hand: Hand, rules: HouseRules) -> tuple[str, bool]:
    """Whether an answer is right, in words too."""
    name = hand_name(hand)
    if press.three is not None:
        if is_right_three(press.pieces, press.three, rules):
            return translate("learn.right" if press.three else "learn.no_ox", name=name), True
        return _wrong_three(press.pieces, press.three, hand, rules), False
    assert press.strength is not None
    if is_right_rank(press.pieces, press.strength, rules):
        return translate("learn.right", name=name), True
    chosen = rank_of_strength(press.strength, rules)
    if chosen is None:
        raise MemberError("reply.outdated_component")
    return translate("learn.wrong_rank", chosen=rank_name(chosen, rules.game), name=name), False


def _wrong_three(pieces: Sequence[Piece], three: Sequence[int], hand: Hand, rules: HouseRules) -> str:
    name, chosen = hand_name(hand), [pieces[place] for place in three]
    if not chosen:
        return translate("learn.missed", hand=hand_words(hand), name=name)
    if is_ox(chosen, rules):
        return translate("learn.weaker_three", name=name)
    return translate("learn.wrong_three", why=why_no_ox_words(chosen, rules), name=name)


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


def _rows(buttons: Sequence[Component]) -> list[Component]:
    """The buttons in rows that fit the width of a phone."""
    return [row(*buttons[start : start + _IN_ROW]) for start in range(0, len(buttons), _IN_ROW)]
