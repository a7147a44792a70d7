"""What is remarkable is told on the board, in words, colour and picture; what is ordinary is not."""

from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.settle import Outcome
from bot.rules.cards import parse_cards
from bot.rules.knobs import Play
from bot.table.achievements import Achievement
from bot.table.commands import Deal, PlaceBet, RevealHand, TakeBank
from bot.table.state import COMPUTERS, THE_HOUSE, Departure, LeaveReason, RoundResult, SideResult, TableState
from bot.table.story import STREAK, Feat, Highlight, Story, is_weak, may_celebrate_all_in
from bot.ui.board.content import ACCENTS, accent, board_view
from bot.ui.board.headlines import own_streak_lines
from bot.ui.board.results import own_result
from bot.ui.board.text import BoardFacts
from bot.ui.components import GAIN, LOSS
from tests.ui.messages import sent, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS, Table

ALICE, BOB = PLAYERS[:2]
NO_OX, OX_OF_7, NGAU_TONKU = "KC QD 2H 4S 7D", "KH QS JD 2C 5D", "10H JC 10C AS KD"
DOUBLE_OX, OX_OF_2 = "KH QS JD 8C 8D", "KH QS JD 5C 7D"
ALL_IN = {ALICE: 7 * 20}
"""A bet of 20 holds all that Alice has."""


def settled(banker: str, player: str) -> TableState:
    """A table after a round in which Alice bet 20 against a banker, with these hands."""
    rules = GnauRules()
    table = Table(rules)
    table.do(TakeBank(BANKER, 5, 100, rules), PlaceBet(ALICE, 20))
    hands = [parse_cards(hand) for hand in (player, banker)]
    table.do(Deal(BANKER, tuple(hand[place] for place in range(5) for hand in hands)))
    table.do(RevealHand(BANKER), RevealHand(ALICE))
    table.go_on()
    return table.state


def result_of(state: TableState) -> RoundResult:
    assert state.last is not None
    return state.last


def told(state: TableState, story: Story) -> str:
    return text_of(sent(board_view(state, NAMES, BoardFacts(story=story), None)))


def test_a_hand_of_five_times_is_a_headline_with_its_multiple() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    story = Story().after(result_of(state))
    assert story.highlight is not None
    assert f"## 🔥 NGAU TONKU\n{mention(ALICE)} **20\xa0× 5 = +100**" in told(state, story)
    assert accent(state) == GAIN, "it says who won"
    assert "🔥" not in told(state, replace(story, highlight=None)), "the server has turned it off"
    bankers = settled(NGAU_TONKU, OX_OF_7)
    said = told(bankers, Story().after(result_of(bankers)))
    assert f"## 🔥 NGAU TONKU\n{mention(BANKER)} takes 5\xa0× each lost bet: **+100**" in said
    assert accent(bankers) == LOSS


def test_a_great_hand_is_a_headline_of_its_members_own_message_too() -> None:
    won, lost = result_of(settled(NO_OX, NGAU_TONKU)), result_of(settled(NGAU_TONKU, OX_OF_7))
    for result, party in ((won, ALICE), (lost, BANKER)):
        feat = Story().own_feat(result, party)
        own = own_result(result, NAMES, party, feat)
        assert own is not None
        assert own.startswith("## 🔥 NGAU TONKU\n")
        assert own_result(result, NAMES, party) == own.removeprefix("## 🔥 NGAU TONKU\n"), "turned off"
    assert Story().own_feat(lost, ALICE) is None
    # Chips of a tournament are chips too.
    for play in (Play.CHIPS, Play.TOURNAMENT):
        result = replace(lost, rules=lost.rules.model_copy(update={"play": play}))
        assert (own_result(result, NAMES, ALICE) or "").endswith("Ngau Tonku: **−20\xa0× 5 = −100**.")


@pytest.mark.parametrize("hands", [(NO_OX, DOUBLE_OX), (NO_OX, NGAU_TONKU), (OX_OF_7, NO_OX)])
def test_an_all_in_that_is_won_is_a_headline_of_its_members_own_message_and_a_lost_one_is_not(
    hands: tuple[str, str],
) -> None:
    result = result_of(settled(*hands))
    story = Story().after(result, had=ALL_IN)
    won = hands[0] == NO_OX
    assert story.own_feat(result, ALICE) is (Feat.ALL_IN if won else None)
    assert story.own_feat(result, BANKER) is None
    own = own_result(result, NAMES, ALICE, story.own_feat(result, ALICE), story) or ""
    name = "NGAU TONKU" if hands[1] == NGAU_TONKU else "DOUBLE-OX 8"
    assert own.startswith(f"## 🔥 ALL IN: {name}\n") is won
    assert (f"You turn **140** into **{240 if hands[1] == NGAU_TONKU else 200}**." in own) is won
    after = story.after(replace(result, round_number=result.round_number + 1))
    assert after.own_feat(result, ALICE) is not Feat.ALL_IN, "the next round is another one"


def test_an_ordinary_round_has_only_the_colour_of_who_won() -> None:
    won, lost = settled(NO_OX, OX_OF_7), settled(OX_OF_7, NO_OX)
    for state, colour in ((won, GAIN), (lost, LOSS)):
        story = Story().after(result_of(state))
        assert story.highlight is None
        assert accent(state) == colour
        assert "## " not in told(state, story).replace("### ", "")
    tied = settled(NO_OX, NO_OX.replace("7D", "7H"))
    assert accent(tied) == ACCENTS[tied.phase]


def test_an_all_in_and_a_broken_bank_are_told_before_a_great_hand() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    all_in = Story().after(result_of(state), had=ALL_IN)
    said = told(state, all_in)
    assert f"## 🔥 ALL IN: NGAU TONKU\n{mention(ALICE)} risks all: **140 → 240**" in said
    gone = Departure(BANKER, LeaveReason.CANNOT_COVER, was_banker=True)
    broken = Story().after(result_of(state), [gone], ALL_IN)
    assert f"## 💥 THE BANK IS BUST\n{mention(BANKER)} can't cover" in told(state, broken)


def test_an_all_in_that_wins_with_a_weak_hand_has_a_headline_of_its_own() -> None:
    state = settled(NO_OX, OX_OF_2)
    rules = result_of(state).rules.model_copy(update={"opening_chips": 400})
    result = replace(result_of(state), rules=rules)
    story = Story().after(result, had=ALL_IN)
    said = told(replace(state, last=result), story)
    assert f"## 😱 ALL IN: OX OF 2\n{mention(ALICE)} has nerve: **140 → 160**\n" in said
    own = own_result(result, NAMES, ALICE, story.own_feat(result, ALICE), story) or ""
    assert own.startswith("## 😱 ALL IN: OX OF 2\n")
    assert is_weak(evaluate(parse_cards(NO_OX), rules))
    assert not is_weak(evaluate(parse_cards(OX_OF_7), rules))


def test_an_all_in_or_a_great_hand_that_is_the_biggest_win_too_says_both() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    result = replace(result_of(state), round_number=6)
    before = replace(with_bets_of_20(5), staked=5 * 10, most_won=20)
    for had, head, chips in (
        (ALL_IN, "🔥 ALL IN: NGAU TONKU", "140 → 240"),
        ({ALICE: 1_000}, "🔥 NGAU TONKU", "20\xa0× 5 = +100"),
    ):
        story = before.after(result, had=had)
        said = told(replace(state, last=result, round_number=7), story)
        assert f"## {head}\n💰 Best win: {mention(ALICE)} **{chips}**\n" in said
        own = own_result(result, NAMES, ALICE, story.own_feat(result, ALICE), story) or ""
        assert "💰 The biggest win at this table." in own
        assert "💰" not in (own_result(result, NAMES, ALICE, None, story) or ""), "turned off"
        smaller = replace(before, most_won=100).after(result, had=had)
        assert "💰" not in told(replace(state, last=result, round_number=7), smaller)


def test_who_loses_much_of_a_bet_of_everything_finds_a_kind_word_on_their_panel() -> None:
    result = result_of(settled(NGAU_TONKU, OX_OF_7))
    word = "💔 All in, and lost: that took nerve. It could have cost 140: you keep **40**."
    story = Story().after(result, had=ALL_IN)
    assert word in (own_result(result, NAMES, ALICE, None, story) or "")
    assert "nerve" not in (own_result(result, NAMES, BANKER, None, story) or "")
    little = result_of(settled(OX_OF_7, OX_OF_2))
    kept = own_result(little, NAMES, ALICE, None, Story().after(little, had=ALL_IN)) or ""
    assert kept.endswith("**−20**. It could have cost 140: you keep **120**."), "nothing of nerve"
    later = replace(story, round_number=result.round_number + 1)
    for quiet in (later, story.quiet(), Story().after(result, had={ALICE: 1_000})):
        assert "nerve" not in (own_result(result, NAMES, ALICE, None, quiet) or "")


def test_an_all_in_that_loses_much_is_told() -> None:
    state = settled(DOUBLE_OX, NO_OX)
    lost = Story().after(result_of(state), had={ALICE: 143})
    said = told(state, lost)
    assert f"## 💔 ALL IN, AND LOST\n{mention(ALICE)} risked 140: **−60**, **83** left" in said
    assert accent(state) == LOSS
    no_more = {name: 3 for name in GnauRules.model_fields if "multiple" in name}
    result = replace(result_of(state), rules=GnauRules(**no_more))
    said = told(replace(state, last=result), Story().after(result, had={ALICE: 61}))
    assert f"{mention(ALICE)} risked everything: **−60**\n" in said
    great = result_of(settled(NGAU_TONKU, NO_OX))
    highlight = Story().after(great, had=ALL_IN).highlight
    assert highlight is not None
    assert highlight.feat is Feat.GREAT_HAND, "what is remarkable about a winner comes first"


@pytest.mark.parametrize(
    "hands", [(DOUBLE_OX, NO_OX), (NO_OX, DOUBLE_OX), (OX_OF_7, NO_OX), (NO_OX, OX_OF_7)]
)
def test_each_all_in_that_the_board_marked_is_a_headline_if_it_wins_and_quiet_if_it_loses_little(
    hands: tuple[str, str],
) -> None:
    result = result_of(settled(*hands))
    # 140 chips are a fair sum where a new member has 1,220, but 60 or 20 that are lost are not.
    for opening, is_marked in ((1_220, True), (2_900, False)):
        rules = result.rules.model_copy(update={"opening_chips": opening})
        one = replace(result, rules=rules)
        story, won = Story().after(one, had=ALL_IN), dict(one.gains)[ALICE] > 0
        assert may_celebrate_all_in(one.rules, 20, 0) is is_marked
        feat = Feat.ALL_IN if is_marked and won else None
        assert (story.highlight and story.highlight.feat) is feat
        assert story.own_feat(one, ALICE) is feat
        said = own_result(one, NAMES, ALICE, None, story) or ""
        assert ("🔥 All in, and won." in said) is (is_marked and won), "below a newer message"
        assert "and lost" not in said


def test_a_small_all_in_leaves_the_headline_to_a_great_hand_that_wins_more() -> None:
    result = result_of(settled(NO_OX, NGAU_TONKU))
    (alice,) = result.players
    for chips, feat, party in ((99, Feat.GREAT_HAND, ALICE), (100, Feat.ALL_IN, BOB)):
        pieces = parse_cards(OX_OF_7)
        bob = replace(alice, party=BOB, seat=alice.seat + 1, pieces=pieces, chips=chips)
        both = replace(result, players=(bob, alice))
        highlight = Story().after(both, had={BOB: 140}).highlight
        assert highlight is not None
        assert (highlight.feat, highlight.party) == (feat, party)


def test_an_all_in_that_wins_is_told_however_little_of_what_it_held_and_a_lost_one_is_not() -> None:
    for hands, feat in (((NO_OX, OX_OF_7), Feat.ALL_IN), ((OX_OF_7, NO_OX), None)):
        result = result_of(settled(*hands))
        result = replace(result, rules=result.rules.model_copy(update={"opening_chips": 400}))
        story = Story().after(result, had=ALL_IN)
        assert (story.highlight and story.highlight.feat) is feat, "20 of 140, where a new member has 400"
        assert story.own_feat(result, ALICE) is feat


@pytest.mark.parametrize(("player", "banker", "who"), [(DOUBLE_OX, NO_OX, ALICE), (NO_OX, DOUBLE_OX, BANKER)])
def test_a_round_that_costs_half_of_what_a_member_had_is_told_kindly(
    player: str, banker: str, who: int
) -> None:
    state = settled(player, banker)
    result = result_of(state)
    no_more = {name: 3 for name in GnauRules.model_fields if "multiple" in name}
    result = replace(result, rules=result.rules.model_copy(update=no_more))
    story = Story().after(result, had={who: 120})
    assert f"## 💔 A HARD ROUND\n{mention(who)} had no luck: **−60**" in told(state, story)
    assert accent(state) == (LOSS if who == ALICE else GAIN)
    assert Story().after(result, had={who: 160}).highlight is None
    hands = (OX_OF_7, NO_OX)
    small = settled(*(hands if who == ALICE else reversed(hands)))
    assert Story().after(result_of(small), had={who: 30}).highlight is None


def test_who_ran_out_of_chips_and_wins_it_all_back_has_a_headline_once() -> None:
    lost, won = result_of(settled(DOUBLE_OX, NO_OX)), settled(NO_OX, DOUBLE_OX)
    story = Story().after(lost, had={ALICE: 66})
    for number, ahead in ((2, False), (3, True), (4, False)):
        story = story.after(replace(result_of(won), round_number=number), had={ALICE: 1000})
        is_told = story.highlight is not None and story.highlight.feat is Feat.COMEBACK
        assert is_told is ahead
        said = f"{mention(ALICE)} is ahead again: **+60**"
        shown = told(replace(won, last=replace(result_of(won), round_number=number)), story)
        assert (f"## 🌅 COMEBACK: DOUBLE-OX 8\n{said}" in shown) is ahead


@pytest.mark.parametrize("hands", [(NO_OX, OX_OF_7), (OX_OF_7, NO_OX)])
def test_every_fifth_win_in_a_row_is_told_and_a_loss_ends_it(hands: tuple[str, str]) -> None:
    state = settled(*hands)
    winner = ALICE if result_of(state).bank_chips < 0 else BANKER
    story, told_at = Story(), []
    for number in range(1, 2 * STREAK + 1):
        story = story.after(replace(result_of(state), round_number=number))
        if story.highlight is not None:
            assert (story.highlight.feat, story.highlight.party) == (Feat.STREAK, winner)
            told_at.append(story.highlight.times)
    assert told_at == [STREAK, 2 * STREAK]
    assert story.longest == (winner, 2 * STREAK)
    other = settled(hands[1], hands[0])
    assert winner not in story.after(result_of(other)).streaks


@pytest.mark.parametrize("hands", [(NO_OX, OX_OF_7), (OX_OF_7, NO_OX)])
def test_a_long_streak_is_marked_at_the_name_and_its_end_is_told_everywhere_once(
    hands: tuple[str, str],
) -> None:
    won, lost = settled(*hands), settled(*reversed(hands))
    winner, other = (ALICE, BANKER) if result_of(won).bank_chips < 0 else (BANKER, ALICE)
    story, marked = Story(), list[int]()
    for number in range(1, STREAK + 3):
        story = story.after(replace(result_of(won), round_number=number))
        shown = told(replace(won, last=replace(result_of(won), round_number=number)), story)
        marked += [number] if f"{mention(winner)} ⚡{number} Ox" in shown else []
    assert marked == [STREAK, STREAK + 1, STREAK + 2]
    assert "⚡" not in told(won, story.quiet())
    result = replace(result_of(lost), round_number=STREAK + 3)
    state, ended = replace(lost, last=result, round_number=STREAK + 4), story.after(result)
    line = f"-# 🛑 {mention(other)} ends {mention(winner)}'s run of 7\n"
    assert line in told(state, ended)
    assert "run of" not in told(state, ended.quiet())
    loud = replace(ended, highlight=Highlight(Feat.GREAT_HAND, other, 0))
    assert line not in told(state, loud)
    assert f"{mention(winner)} 🛑7 No Ox" in told(state, loud), "a headline has the room of the line"
    lines = [list(own_streak_lines(result, NAMES, one, ended)) for one in (winner, other)]
    assert lines == [["🛑 Your run of 7 ends. Well played."], [f"🛑 You end {mention(winner)}'s run of 7!"]]
    tied = settled(NO_OX, NO_OX.replace("7D", "7H"))
    result = replace(result_of(tied), round_number=STREAK + 3)
    state = replace(tied, last=result, round_number=STREAK + 4)
    by_nobody = f"-# 🛑 {mention(winner)}'s run of 7 is over\n"
    assert by_nobody in told(state, story.after(result)), "a push beats nobody"
    following = story.after(result).after(replace(result, round_number=STREAK + 4))
    assert not following.ended


def test_a_streak_of_five_heads_its_members_own_message_too() -> None:
    story, result = Story(), result_of(settled(NO_OX, OX_OF_7))
    for number in range(1, STREAK + 1):
        result = replace(result, round_number=number)
        story = story.after(result)
    assert story.own_feat(result, ALICE) is Feat.STREAK
    own = own_result(result, NAMES, ALICE, Feat.STREAK, story) or ""
    assert own.startswith("## ⚡ 5 IN A ROW\n")
    assert not list(own_streak_lines(result, NAMES, ALICE, story, Feat.STREAK)), "the heading says it"
    assert story.own_feat(result, BANKER) is None


def test_a_closed_table_tells_the_best_hand_that_lost() -> None:
    state = settled(NGAU_TONKU, DOUBLE_OX)
    story = Story().after(result_of(settled(DOUBLE_OX, OX_OF_7)))
    assert story.unlucky is None, "neither is Ox of 7 good, nor did the other lose"
    story = story.after(replace(result_of(state), round_number=2))
    story = story.after(replace(result_of(settled(NGAU_TONKU, OX_OF_7)), round_number=3))
    closed = replace(state, phase=state.phase.CLOSED, seats=(), bank=None)
    line = f"😿 Unluckiest: {mention(ALICE)}, **Double-Ox 8** beaten by **Ngau Tonku**"
    assert line in told(closed, story)
    with_it = replace(closed, closes_after_round=True, round_number=1)
    assert line not in told(with_it, replace(story, round_number=1)), "a headline has its room"


def test_who_has_beaten_a_bank_often_is_told_as_its_rival_unless_there_is_more_to_tell() -> None:
    won, lost = settled(NO_OX, OX_OF_7), settled(OX_OF_7, NO_OX)
    story, lines = Story(), []
    for number in range(1, 11):
        # A streak would be told instead.
        state = lost if number in (4, 7) else won
        result = replace(result_of(state), round_number=number)
        story = story.after(result)
        said = told(replace(state, last=result, round_number=number + 1), story)
        lines.append([line for line in said.splitlines() if "⚔️" in line])
    rival = f"-# ⚔️ {mention(ALICE)} has beaten {mention(BANKER)}"
    assert lines == [[]] * 4 + [[f"{rival} 4 times"]] + [[]] * 4 + [[f"{rival} 8 times"]]
    of_house = replace(result_of(settled(NO_OX, OX_OF_7)), banker=THE_HOUSE)
    assert not Story().after(of_house).beaten, "the house has no rivals"


def next_win(story: Story, chips: int, party: int = ALICE) -> tuple[TableState, Story]:
    """The next round: the party bets so many chips against the banker, and wins as many."""
    state = settled(NO_OX, OX_OF_7)
    (player,) = result_of(state).players
    result = replace(
        result_of(state),
        round_number=story.round_number + 1,
        players=(replace(player, party=party, stake=chips, chips=chips),),
    )
    return replace(state, last=result, round_number=result.round_number + 1), story.after(result)


def with_bets_of_20(rounds: int) -> Story:
    """The story after this many rounds, each won with 20 by somebody else."""
    story = Story()
    for party in PLAYERS[1 : rounds + 1]:
        _, story = next_win(story, 20, party)
    return story


def test_the_biggest_win_is_a_headline_once_it_is_ten_times_the_average_bet() -> None:
    state, story = next_win(with_bets_of_20(5), 200)
    head = "## 🔥 BIGGEST WIN HERE\n"
    assert f"{head}{mention(ALICE)} **+200**" in told(state, story)
    assert story.own_feat(result_of(state), ALICE) is Feat.BIGGEST_WIN
    assert (own_result(result_of(state), NAMES, ALICE, Feat.BIGGEST_WIN, story) or "").startswith(head)
    assert story.own_feat(result_of(state), BANKER) is None
    assert "BIGGEST" not in told(state, replace(story, highlight=None)), "the server has turned it off"
    quiet = (
        next_win(with_bets_of_20(5), 190),
        next_win(with_bets_of_20(4), 200),
        next_win(with_bets_of_20(5), 200, COMPUTERS[0]),
        next_win(replace(with_bets_of_20(5), most_won=200), 200),
        next_win(story, 200),
    )
    for state, ordinary in quiet:
        assert ordinary.highlight is None
        assert ordinary.own_feat(result_of(state), ALICE) is None
    _, more = next_win(story, 3_799)
    assert more.highlight is not None
    assert more.highlight.feat is Feat.BIGGEST_WIN


def test_a_banker_who_won_more_leaves_no_biggest_win_of_a_player() -> None:
    _, story = next_win(with_bets_of_20(5), 200)
    bankers = result_of(settled(OX_OF_7, NO_OX))
    (player,) = bankers.players
    lost = replace(bankers, round_number=7, players=(replace(player, stake=500, chips=-500),))
    story = story.after(lost)
    assert story.highlight is None
    state, story = next_win(story, 480)
    assert "BIGGEST" not in told(state, story)
    closed = replace(state, phase=state.phase.CLOSED, seats=(), bank=None)
    assert "💰" not in told(closed, story)


def test_a_closed_table_tells_its_biggest_win_in_place_of_a_streak() -> None:
    state, story = next_win(replace(with_bets_of_20(5), longest=(BANKER, 3)), 200)
    closed = replace(state, phase=state.phase.CLOSED, seats=(), bank=None)
    assert f"💰 Biggest win: {mention(ALICE)} **+200**" in told(closed, story)
    assert "⚡" not in told(closed, story), "a phone has no room for both"
    assert f"⚡ Win streak: {mention(BANKER)}, **3**" in told(closed, replace(story, big_win=None))


def test_the_evening_of_a_closed_table_is_told() -> None:
    lost, won = settled(OX_OF_7, NO_OX), settled(NO_OX, NGAU_TONKU)
    story = Story()
    for number, state in enumerate((lost, won, won, won), start=1):
        story = story.after(replace(result_of(state), round_number=number))
    closed = replace(won, phase=won.phase.CLOSED, seats=(), bank=None)
    said = told(closed, story)
    assert "4 rounds were played this session." in said
    skipped = replace(story, called_off=2)
    assert "4 rounds, 2 more called off." in told(closed, skipped), "or a receipt says 6"
    assert f"🏆 Top winner: {mention(ALICE)} **+280**" in said
    both = told(closed, replace(story, gains={ALICE: 280, BOB: 280}))
    assert f"🏆 Top winner: {mention(ALICE)}, {mention(BOB)} **+280**" in both
    assert "💥" not in said
    assert f"⚡ Win streak: {mention(ALICE)}, **3**" in said
    assert f"🔥 Best hand: {mention(ALICE)}, **Ngau Tonku**" in said
    best = replace(result_of(settled("AS 2C 3D 4H AH", NO_OX)), round_number=5, banker=THE_HOUSE)
    assert "🔥 Best hand: the house, **Five Small**" in told(closed, story.after(best))


@pytest.mark.parametrize("is_first", [True, False])
def test_of_equal_best_hands_a_members_that_won_more_is_told(is_first: bool) -> None:
    won = settled(NO_OX, NGAU_TONKU)
    result = result_of(won)
    (player,) = result.players
    less = replace(result, players=(replace(player, party=PLAYERS[1], stake=5, chips=25),))
    story = Story()
    beaten = result_of(settled(NGAU_TONKU, NO_OX))
    lost = replace(beaten.players[0], stake=100, chips=-500)
    house = replace(beaten, banker=THE_HOUSE, players=(lost,))
    for number, one in enumerate((result, less, house) if is_first else (house, less, result), start=1):
        story = story.after(replace(one, round_number=number))
    closed = replace(won, phase=won.phase.CLOSED, seats=(), bank=None)
    assert f"🔥 Best hand: {mention(ALICE)}, **Ngau Tonku**" in told(closed, story)


def test_a_closed_table_tells_what_all_rounds_brought_each_bankers_too() -> None:
    won = settled(NO_OX, NGAU_TONKU)
    closed = replace(won, phase=won.phase.CLOSED, seats=(), bank=None)
    once = Story().after(result_of(won))
    assert "→" not in told(closed, once), "the result is the total"
    gone = {PLAYERS[1]: -35, THE_HOUSE: 40}
    twice = once.after(replace(result_of(won), round_number=2))
    lines = told(closed, replace(twice, gains={**twice.gains, **gone})).splitlines()
    lines = lines[lines.index("-# Last round → session total") + 1 :]
    assert lines[0].endswith("**−100** →\xa0**−200**"), "of the banker"
    assert lines[1].endswith("**+100** →\xa0**+200**"), "of Alice"
    assert lines[2] == f"-# The house →\xa0**+40** · {mention(PLAYERS[1])} →\xa0**−35**"
    sides = tuple(SideResult(PLAYERS[1], one, 1, Outcome.PLAYER, 5) for one in (ALICE, PLAYERS[2]))
    backed = replace(closed, last=replace(result_of(won), side_bets=sides))
    first, second, rest = told(backed, replace(twice, gains={**twice.gains, **gone})).splitlines()[-5:-2]
    assert first.endswith("· **+5**"), "who has several side bets reads the total once"
    assert second.endswith("· **+5** →\xa0**−35**")
    assert rest == "-# The house →\xa0**+40**"
    many = {party: party % 7 for party in PLAYERS[1:18]}
    assert told(closed, replace(twice, gains={**twice.gains, **many})).count("… and 7 more") == 1


def test_a_bank_that_the_last_round_broke_is_told_once_when_the_table_closes() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    gone = Departure(BANKER, LeaveReason.CANNOT_COVER, was_banker=True)
    closed = replace(state, phase=state.phase.CLOSED, seats=(), bank=None)
    story, broken = (
        Story().after(result_of(state), [gone]),
        f"💥 The last round broke {mention(BANKER)}'s bank",
    )
    assert f"{broken}: **−100**" in told(closed, story)
    with_it = replace(closed, closes_after_round=True, round_number=1)
    closed_with_it = told(with_it, story)
    assert "## 💥 THE BANK IS BUST" in closed_with_it
    assert broken not in closed_with_it
    twice = replace(story, rounds=2)
    for shown, is_best in ((twice, True), (replace(twice, best=None), False)):
        view = board_view(with_it, NAMES, BoardFacts(story=shown), "the picture")
        above, _, below, *_ = sent(view)[0]["components"]
        last_line, first_line = above["content"].splitlines()[-1], below["content"].splitlines()[0]
        assert ("Best hand" in last_line) is is_best, "what the picture shows is said above it"
        assert ("Last round → session total" in last_line) is not is_best
        assert ("Last round → session total" in first_line) is is_best


def test_a_bet_of_all_that_a_player_has_is_marked_until_the_result() -> None:
    state = settled(OX_OF_7, NO_OX)
    table, facts = Table(state.rules), BoardFacts(all_in=[ALICE])
    table.states = [state]
    table.do(PlaceBet(ALICE, 20))

    def lines() -> list[str]:
        return text_of(sent(board_view(table.state, NAMES, facts, None))).splitlines()

    def line() -> str:
        return next(line for line in lines() if line.startswith(f"`1` {mention(ALICE)}"))

    at_stake = f"🔥 {mention(ALICE)} is all in and risks **140 chips**"
    assert line().endswith(" 🔥 **20**"), "below a result, a line of a phone has no room for words"
    assert f"-# {at_stake}" in lines()
    table.do(Deal(BANKER, tuple(parse_cards(f"{NO_OX} {OX_OF_7.replace('5D', '6D')}"))))
    assert " · 🪙 **20** 🔥 **ALL IN** · " in line()
    assert at_stake in lines()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert "🔥" not in "".join(lines())


def test_of_several_bets_of_all_the_board_tells_what_the_highest_has_at_stake() -> None:
    bob = PLAYERS[1]
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20), PlaceBet(bob, 30))
    said = text_of(sent(board_view(table.state, NAMES, BoardFacts(all_in=[ALICE, bob]), None)))
    assert f"🔥 {mention(bob)} is all in and risks **600 chips**" in said
    assert said.count("is all in") == 1
    assert said.count("🔥 **ALL IN**") == 2


@pytest.mark.parametrize("hands", [(OX_OF_7, NO_OX), (DOUBLE_OX, NO_OX), (NO_OX, OX_OF_7)])
def test_a_result_marks_a_bet_of_all(hands: tuple[str, str]) -> None:
    state = settled(*hands)
    story = Story().after(result_of(state), had=ALL_IN)
    assert f"`1` {mention(ALICE)} 🔥 " in told(state, story)
    for other in (story.quiet(), Story().after(result_of(state), had={ALICE: 1_000})):
        assert "🔥" not in told(state, other)


def test_below_a_headline_a_backer_has_their_achievement_beside_their_side_bet() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    story, zed = Story().after(result_of(state)), PLAYERS[1]
    side = SideResult(zed, ALICE, 10, Outcome.PLAYER, 50)
    state = replace(state, last=replace(result_of(state), side_bets=(side,)))
    facts = BoardFacts(story=story, achieved=[(zed, Achievement.GOOD_NOSE)])
    shown = text_of(sent(board_view(state, NAMES, facts, None)))
    assert f"▲ {mention(zed)} 🏅 on {mention(ALICE)}" in shown
    assert shown.count("🏅") == 1


def test_what_members_achieve_is_told_by_member_and_one_alone_with_what_it_is_for() -> None:
    state = settled(NO_OX, OX_OF_7)
    achieved = [(ALICE, Achievement.FIRST_WIN), (ALICE, Achievement.STREAK), (BANKER, Achievement.SWEEP)]
    alices = f"-# 🏅 {mention(ALICE)}: First Moo"
    for number, line in (
        (1, f"{alices} · First win\n"),
        (3, f"{alices}, Unstoppable · {mention(BANKER)}: "),
        (4, " · … and 1 more\n"),
    ):
        facts = BoardFacts(achieved=[*achieved, (BANKER, Achievement.BOMB)][:number])
        assert line in text_of(sent(board_view(state, NAMES, facts, None)))
    assert "🏅" not in told(state, Story())


@pytest.mark.parametrize("achieved", [(), [(ALICE, Achievement.FIRST_WIN), (BANKER, Achievement.SWEEP)]])
def test_a_board_with_a_headline_tells_less_in_small_print(achieved: list[tuple[int, Achievement]]) -> None:
    state = settled(NO_OX, NGAU_TONKU)
    story = Story().after(result_of(state))
    plain, quiet, loud = [
        text_of(sent(board_view(state, NAMES, BoardFacts(story=told_of, achieved=some), None)))
        for told_of, some in ((Story(), ()), (Story(), achieved), (story, achieved))
    ]
    assert "-# Bets 5–100" in plain
    assert ("-# Bets 5–100" in quiet) == (not achieved)
    assert "-# Bets 5–100" not in loud
    assert all("-# 🔒 seal 2" in text and "-# 🧾 receipt 1" in text for text in (plain, quiet, loud))
    assert [("🏅" in text) for text in (plain, quiet, loud)] == [False, bool(achieved), bool(achieved)]
    assert ("-# 🏅" in quiet) == bool(achieved)
    assert "-# 🏅" not in loud
    assert (f"`1` {mention(ALICE)} 🏅 Ngau Tonku ×5 **" in loud) == bool(achieved), "it costs no line"
    assert (f"👑 {mention(BANKER)} 🏅 No Ox **" in loud) == bool(achieved)
    # Its title is that of the result, and the bets are for the next round.
    assert "### 🐂 Gnau · Table 9999 · Round 1\n" in plain
    assert "\n-# Result of round 1 | 🪙 bets for round 2\n" in plain
    # The headline has the place of the title.
    assert loud.startswith("## 🔥")
    assert "\n-# 🐂 Gnau · Table 9999 · Round 1 | 🪙 new bets\n" in loud
    lodige = replace(state, rules=PRESETS["lodige"])
    assert "-# Lodige rules" in told(lodige, story), "what is not usual stays"
