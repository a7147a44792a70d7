"""A question of a lesson is in the buttons that answer it."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bot.games.hands import evaluate
from bot.games.lesson import is_right_three
from bot.games.register import GAMES
from bot.rules.knobs import GameName
from bot.ui.guide.lesson import Question, hand_answered, question_of
from bot.ui.press.custom_ids import parse_custom_id
from tests.ui.messages import MOST_CUSTOM_ID
from tests.ui.sample_tables import LAST_ID

questions = st.builds(
    Question,
    st.integers(0, LAST_ID),
    st.sampled_from(list(GAMES)),
    st.integers(0, 99),
    st.integers(1, 5),
    st.just(0),
)
pieces = st.lists(st.integers(0, 20), min_size=5, max_size=5).map(tuple)
answers = st.builds(
    lambda asked, hand, choice: replace(asked, pieces=hand, **choice),
    questions,
    pieces,
    st.sampled_from([(), *combinations(range(5), 3)]).map(lambda three: {"three": three})
    | st.integers(0, 999).map(lambda strength: {"strength": strength}),
)


@given(questions | answers)
def test_a_question_reads_back_from_its_button(question: Question) -> None:
    custom_id = question.press.custom_id
    assert len(custom_id) <= MOST_CUSTOM_ID
    press = parse_custom_id(custom_id)
    assert press is not None
    assert question_of(press) == question


@given(st.sampled_from(list(GAMES)), st.data())
def test_the_answer_shows_the_three_that_were_picked_if_they_are_right(
    game: GameName, data: st.DataObject
) -> None:
    rules = GAMES[game].rules()
    every = st.sampled_from(GAMES[game].pieces.pieces)
    dealt = tuple(data.draw(st.lists(every, min_size=5, max_size=5, unique=True)))
    for three in combinations(range(5), 3):
        shown = hand_answered(Question(1, game, 0, 1, 0, pieces=dealt, three=three), rules)
        assert shown.strength == evaluate(dealt, rules).strength
        # A hand that needs no ox shows none.
        if shown.ox and is_right_three(dealt, three, rules):
            assert sorted(shown.ox) == sorted(dealt[place] for place in three)
