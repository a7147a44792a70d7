"""The hand panel: the member's own cards and chips, and nobody else's cards."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.clock import HOUR_SECONDS
from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate, shuffled_pack
from bot.ledger.memory import Evening
from bot.ledger.records import Stack
from bot.pictures.alt_text import hand_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.practice.component_tree import gallery
from bot.rules.cards import Card, card_name, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, HouseBank, Play
from bot.rules.pieces import Piece
from bot.table.achievements import Achievement
from bot.table.commands import (
    CloseTable,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.state import Heat, Phase, SideBet, TableState
from bot.table.story import NO_STORY, Feat, Story
from bot.ui.board.content import board_view
from bot.ui.board.text import BoardFacts
from bot.ui.components import GAIN, LOSS
from bot.ui.hand.own_hand import PanelMemory, Unseen, last_hand, own_hand
from bot.ui.hand.view import ACCENT, moved_panel_view
from bot.words.hands import made_words
from bot.words.translation import translate
from tests.ui.hand_panels import (
    ALICE,
    BOB,
    CHAN,
    DOUBLE_8,
    LONG_NAME,
    NO_OX,
    SINGLE_9,
    dealt,
    evenings,
    own,
)
from tests.ui.messages import MOST_ALT_TEXT, buttons_of, pressable, sent, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import (
    BANKER,
    MEMBERS,
    NAMES,
    NENKU,
    ON_LOOKERS,
    PLAYERS,
    PURSE,
    RULES,
    STRANGER,
    TAU_NGAU_RULES,
    Table,
    crowded_evening,
    random_evening,
)


@evenings
def test_every_panel_fits_into_a_message(seed: int) -> None:
    rng = random.Random(seed)
    for state in random_evening(seed):
        for member in rng.sample(MEMBERS, 3):
            own(state, member, unreachable=True, note="牛" * 500)


@pytest.mark.thorough
def test_the_longest_panel_fits_into_a_message() -> None:
    for state in crowded_evening():
        for member in (BANKER, PLAYERS[-1], STRANGER):
            own(state, member, unreachable=True)


@pytest.mark.parametrize("hand", [DOUBLE_8, NO_OX, SINGLE_9])
def test_the_text_of_a_picture_fits_beside_it(hand: tuple[Card, ...]) -> None:
    text = hand_alt_text(PicturedHand.face_up(evaluate(hand, Table().rules)))
    assert 0 < len(text) <= MOST_ALT_TEXT


@evenings
def test_a_panel_never_has_other_peoples_cards(seed: int) -> None:
    """Other people's cards don't change the panel; the member's own cards do."""
    looked_at = 0
    for state in random_evening(seed):
        if state.phase is Phase.DEALT:
            rng = random.Random(seed)
            for member in rng.sample(MEMBERS, 3):
                looked_at += 1
                assert own(state, member) == own(_with_other_cards(state, member, rng), member)
    assert looked_at


def _with_other_cards(state: TableState, member: int, rng: random.Random) -> TableState:
    """The same table, where everybody but this member has other cards."""
    assert state.bank is not None
    pack = state.game.pack(1, state.rules)

    def others() -> tuple[Piece, ...]:
        return tuple(rng.sample(pack, 5))

    seats = tuple(
        replace(seat, pieces=others()) if seat.pieces and seat.party != member else seat
        for seat in state.seats
    )
    bank = state.bank if state.bank.party == member else replace(state.bank, pieces=others())
    return replace(state, seats=seats, bank=bank)


def test_members_see_their_own_cards_and_the_name_of_the_hand_and_others_no_cards() -> None:
    state = dealt().state
    text = text_of(own(state, ALICE))
    assert "Double-Ox 8" in text
    assert "**Ox of 9** · 4 + 5 = 9 · ×1 if it wins" in text_of(own(state, BANKER))
    assert [picture.url for picture in gallery(own(state, ALICE))] == ["attachment://hand-1.png"]
    assert not any(card_name(card) in text for card in DOUBLE_8), "the picture has them, and says so"
    joined = "You have seat 1. You play from the next round."
    for member, told in ((BOB, joined), (STRANGER, "You have no seat here")):
        assert told in text_of(own(state, member))
        assert not any(suit in text_of(own(state, member)) for suit in "♣♦♥♠")


def test_cards_sent_in_their_own_message_are_not_in_the_panel() -> None:
    components = sent(moved_panel_view(dealt().state, None, NAMES, ALICE, LONG_NAME, NO_STORY))
    assert translate("panel.below") in text_of(components)
    assert not any(suit in text_of(components) for suit in "♣♦♥♠")
    assert not list(gallery(components))


def test_a_panel_says_what_the_member_is_doing() -> None:
    table = Table()
    table.do(Join(ALICE))
    assert "There is no banker yet" in text_of(own(table.state, ALICE))
    ways = {"Take the bank", "Play the house"}
    without: list[dict[str, Any]] = [{}, {"is_barred": True}, {"is_too_poor": True}]
    for facts in without:
        shown = own(table.state, ALICE, server_name=None if facts else LONG_NAME, **facts)
        assert not any(way in text_of(shown) or way in pressable(shown) for way in ways), facts
    for chips, offered in ((PURSE, ways), (0, {"Take the bank"})):
        shown = own(table.state, ALICE, server_name=None, house_chips=chips)
        assert {way for way in ways if way in text_of(shown)} == ways & pressable(shown) == offered
    table.do(TakeBank(BANKER, 5, 1_000, table.rules))
    assert "from 5 to 1,000 chips" in text_of(own(table.state, ALICE, most=1_000))
    assert "from 5 to 42 chips" in text_of(own(table.state, ALICE, most=42)), "what can be covered now"
    assert "Place your bet: 5 chips." in text_of(own(table.state, ALICE, most=5))
    assert "1,000" not in text_of(own(table.state, ALICE)).split("Wallet")[0]
    assert (
        "👑 You bank, with limits 5–1,000. Once there are bets, press **Deal**, or wait until all"
        in text_of(own(table.state, BANKER))
    )
    assert "closes" not in text_of(own(table.state, ALICE, most=42)), "no time runs yet"
    table.do(PlaceBet(BOB, 20))
    closes = f"🪙 Betting closes <t:{int(table.state.deadline or 0)}:R>"
    assert f"42 chips.\n{closes}" in text_of(own(table.state, ALICE, most=42))
    assert closes not in text_of(own(table.state, ALICE, most=42, tells_deadline=False))
    sooner = f"{closes} at the latest"
    assert sooner in text_of(own(table.state, BANKER)), "the last bet cuts the time"
    assert sooner not in text_of(own(table.state, ALICE, most=42))
    assert closes in text_of(own(table.state, STRANGER, most=42, server_name=None))
    for is_last_call in (False, True):
        waits = text_of(own(table.state, BOB, most=42, is_last_call=is_last_call))
        assert "🪙 Hands are dealt when betting closes" in waits
        assert "<t:" not in waits, "others decide how soon that is, and the board says when"
    table.do(WithdrawBet(BOB), SitOut(ALICE))
    assert "You are sitting out this round" in text_of(own(table.state, ALICE))
    table.do(PlaceBet(ALICE, 20))
    assert f"You have bet **20 chips** against {mention(BANKER)}" in text_of(own(table.state, ALICE))
    of_all = text_of(own(table.state, ALICE, is_all_in=True))
    assert f"🔥 **ALL IN** · You have bet **20 chips** against {mention(BANKER)}" in of_all
    bankers = text_of(own(table.state, BANKER))
    assert "👑 You bank: 1 bet, **20 chips** in all · limits 5–1,000" in bankers
    table.do(PlaceSideBet(ON_LOOKERS[0], ALICE, 5))
    assert "👑 You bank: 1 bet and 1 side bet, **25 chips** in all · limits" in text_of(
        own(table.state, BANKER)
    )
    table.do(CloseTable(BANKER, manages=True, with_bets=True))
    closed = own(table.state, ALICE)
    assert "This table is closed" in text_of(closed)
    assert not buttons_of(closed)


def test_a_banker_with_a_hand_reads_how_many_bets_they_bank_and_whether_they_give_it_up() -> None:
    table = dealt()
    assert "👑 You bank: 1 bet, **20 chips** in all" in text_of(own(table.state, BANKER))
    backed = replace(table.state, side_bets=(SideBet(ON_LOOKERS[0], ALICE, 5),))
    assert "👑 You bank: 1 bet and 1 side bet, **25 chips** in all" in text_of(own(backed, BANKER))
    assert "You bank" not in text_of(own(table.state, ALICE))
    table.do(GiveUpBank(BANKER), Leave(ALICE))
    stays = "After this round, you give up the bank, and stay as a player if a seat is free."
    assert stays in text_of(own(table.state, BANKER))
    table.do(Leave(BANKER))
    for member in (ALICE, BANKER):
        assert "You leave the table after this round." in text_of(own(table.state, member))
    points = Table(RULES.model_copy(update={"play": Play.POINTS}))
    points.do(TakeBank(BANKER, 1, 1, points.rules), PlaceBet(ALICE, 1))
    assert "🪙 Hands are dealt soon" in text_of(own(points.state, ALICE)), "nobody bets"
    points.do(Deal(BANKER, (*DOUBLE_8, *NO_OX)))
    assert "👑 You bank against 1 player\n" in text_of(own(points.state, BANKER))


def test_a_hand_that_can_win_five_times_is_a_heading_that_says_what_it_is() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20))
    hand = parse_cards("10H JC 10C AS KD")
    table.do(Deal(BANKER, tuple(card for pair in zip(hand, NO_OX, strict=True) for card in pair)))
    what = made_words(evaluate(hand, table.rules), table.rules)
    told = text_of(own(table.state, ALICE, has_played=True))
    assert f"## 🔥 NGAU TONKU\n{what[:1].upper()}{what[1:]} · ×5 if it wins\n" in told
    quiet = text_of(own(table.state, ALICE, has_played=True, celebrates=False))
    assert f"**Ngau Tonku** · {what} · ×5 if it wins\n" in quiet
    assert "🔥" not in text_of(own(dealt().state, ALICE)), "this one wins three times"


def test_a_panel_tells_a_streak_and_what_its_member_achieved_with_the_result() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.last is not None
    story = Story(round_number=1, streaks={ALICE: 3, BOB: 4})
    one, two = [Achievement.FIRST_WIN], [Achievement.GIANT, Achievement.ONLY_WINNER]
    told = text_of(own(table.state, ALICE, story=story, achieved=one))
    assert "+60**.\n-# ⚡ 3 in a row\n🏅 First Moo · First win\n" in told
    long = text_of(own(table.state, ALICE, story=replace(story, streaks={ALICE: 6})))
    assert "+60**.\n**⚡ 6 in a row**\n" in long
    assert "\n-# 🏅 Giant Slayer · Beat a banker's hand" in text_of(own(table.state, ALICE, achieved=two))
    first_two = text_of(own(table.state, ALICE, achieved=[*one, two[0]]))
    assert "\n-# 🏅 First Moo · First win | 🏅 Giant Slayer · Beat" in first_two
    three = text_of(own(table.state, ALICE, achieved=[*one, *two]))
    assert "\n🏅 First Moo · Giant Slayer · Lone Ox\n" in three
    quiet = [
        own(table.state, ALICE, story=story.quiet(), celebrates=False),
        own(table.state, ALICE, story=replace(story, streaks={ALICE: 2})),
        own(table.state, ALICE, story=replace(story, round_number=2)),
        own(table.state, BOB, story=story),
    ]
    assert not any("in a row" in text_of(panel) for panel in quiet)


def test_a_panel_of_a_closed_table_tells_what_it_brought_its_member_and_who_won_most() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.last is not None
    story = Story().after(table.state.last)
    table.do(CloseTable(BANKER, manages=True))
    told = {party: text_of(own(table.state, party, story=story)) for party in (ALICE, BANKER, BOB)}
    closed = "This table is closed. At this table, your 1 round brought you"
    most = f"\n🏆 Top winner: {mention(ALICE)} **+60**"
    assert f"{closed} **+60**.\n🏆 You are the top winner!" in told[ALICE]
    assert f"{closed} **−60**.{most}" in told[BANKER]
    assert f"This table is closed.{most}" in told[BOB], "they have not played"
    assert "Round 2" not in told[BOB], "nor has anybody else played that one"
    both = replace(story, gains={ALICE: 60, BOB: 60})
    assert f"🏆 Top winner: {mention(ALICE)}, {mention(BOB)} **+60**" in text_of(
        own(table.state, ALICE, story=both)
    )
    later = replace(table.state.last, round_number=2, players=table.state.last.players[1:])
    counted = {party: text_of(own(table.state, party, story=story.after(later))) for party in (ALICE, BANKER)}
    assert "your 1 round brought you" in counted[ALICE], "they were not in the other"
    assert "your 2 rounds brought you" in counted[BANKER]
    of_tournament = replace(table.state, heat=Heat(1, 1, 1, 1, 1, ()))
    told_there = text_of(own(of_tournament, ALICE, story=story))
    assert "brought you" not in told_there, "nobody has those chips after it"


def test_a_panel_shows_the_members_last_result() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.phase is Phase.BETTING
    assert "your Double-Ox 8 beats" in text_of(own(table.state, ALICE))
    assert ": **20\xa0× 3 = +60**" in text_of(own(table.state, ALICE))
    against = f"against {mention(ALICE)}'s Double-Ox 8: **−20\xa0× 3 = −60**"
    assert against in text_of(own(table.state, BANKER))
    assert "Round 1:" not in text_of(own(table.state, BOB))
    shown = last_hand(table.state, BANKER)
    assert shown is not None
    assert shown.other is not None
    assert (shown.other.pieces, shown.banks) == (DOUBLE_8, True), "a banker sees whom they met"
    accents = [own(table.state, party)[0]["accent_color"] for party in (ALICE, BANKER, BOB)]
    assert accents == [GAIN, LOSS, ACCENT], "the colour says what it brought"


def test_after_the_next_bet_the_last_round_is_one_small_line_without_its_hand() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    table.do(PlaceBet(ALICE, 20))
    assert own_hand(table.state, PanelMemory(ALICE)) is None
    evening = Evening(60, 0.0, 1)
    after = own(table.state, ALICE, most=100, evening=evening)
    now, _, small = text_of(after).partition("-# ")
    assert f"· Round 2 · <#{table.state.channel_id}>" in now
    assert f"You have bet **20 chips** against {mention(BANKER)}." in now
    assert small.startswith("Round 1: your Double-Ox 8 beats")
    assert "since you started" not in small
    assert after[0]["accent_color"] == ACCENT
    assert "Why this hand" not in buttons_of(after)
    assert own_hand(table.state, PanelMemory(ALICE), framed=True) is not None
    celebrated = text_of(own(table.state, ALICE, most=100, feat=Feat.GREAT_HAND))
    assert "\n## " in celebrated, "what is celebrated stays until the deal"
    assert "Round 1: your" not in celebrated.partition("-# ")[2]
    turning = own_hand(table.state, PanelMemory(ALICE, bank_hidden=True))
    assert turning is not None
    assert turning.round_number == 1, "a bet on the board turns no hand of the bank"
    assert own_hand(table.state, PanelMemory(BANKER)) is not None, "who deals knows that this is no new hand"
    by_message = own(table.state, ALICE, most=100, brought_hand=True)
    assert "Why this hand" in buttons_of(by_message), "a direct message keeps the hand that it brought"
    assert text_of(by_message).count("Round 1: your Double-Ox 8 beats") == 1
    table.do(WithdrawBet(ALICE))
    assert own_hand(table.state, PanelMemory(ALICE)) is not None


def test_who_missed_a_round_reads_it_until_the_next_deal() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    table.do(PlaceBet(CHAN, 5), Deal(BANKER, shuffled_pack(2, table.rules)))
    missed = "-# Round 2 was played without you."
    assert missed not in text_of(own(table.state, ALICE))
    table.do(RevealHand(CHAN), RevealHand(BANKER))
    table.go_on()
    for party, told in ((ALICE, True), (CHAN, False), (BANKER, False), (STRANGER, False)):
        assert (missed in text_of(own(table.state, party, most=100))) is told
    assert missed not in text_of(own(table.state, BOB)), "who has never bet here misses nothing"
    table.do(PlaceBet(ALICE, 5))
    assert missed in text_of(own(table.state, ALICE, most=100))
    table.do(Deal(BANKER, shuffled_pack(2, table.rules)))
    assert "without you" not in text_of(own(table.state, ALICE))


def test_who_joins_a_table_without_a_banker_reads_whether_they_wait_for_one_or_dice_can_pick_them() -> None:
    table = Table()
    waits = "**Join** takes a seat, and waits for a banker."
    assert waits in text_of(sent(board_view(table.state, NAMES, BoardFacts(), None)))
    table.do(TakeBank(BANKER, 5, 100, table.rules))
    assert waits not in text_of(sent(board_view(table.state, NAMES, BoardFacts(), None)))
    table = Table(TAU_NGAU_RULES.model_copy(update={"house_bank": HouseBank.WHEN_NOBODY_BANKS}))
    table.do(Join(ALICE))
    assert "🎲 Dice pick the banker: it can be you." in text_of(own(table.state, ALICE, server_name=None))
    assert waits not in text_of(sent(board_view(table.state, NAMES, BoardFacts(), None)))


def test_b05_a_bank_that_goes_round_is_foretold_and_its_next_banker_reads_that_it_came() -> None:
    round_told, came = "Everybody banks in turn", "The bank has come to you"
    rules = RULES.model_copy(update={"bank_passes": BankPasses.EVERY_ROUND})
    table = Table(rules)
    table.do(Join(ALICE))
    assert round_told in text_of(own(table.state, ALICE, house_chips=0))
    table.do(TakeBank(BANKER, 5, 100, rules))
    assert round_told in text_of(own(table.state, ALICE, most=100))
    table.do(PlaceBet(ALICE, 20))
    assert round_told in text_of(own(table.state, ALICE))
    assert round_told not in text_of(own(dealt().state, BOB)), "this one stays"
    together = zip(DOUBLE_8, NO_OX, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    table.do(Join(BOB))
    assert round_told in text_of(own(table.state, BOB)), "the next round is theirs"
    table.do(Leave(BOB))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.is_banker(ALICE)
    assert table.state.last is not None
    story = Story().after(table.state.last)
    banks = text_of(own(table.state, ALICE, story=story))
    limits = "Limits 1–100. Once there are bets, press **Deal**, or wait until all have bet.\n"
    rule = "-# After every round the bank passes to the player on the banker's right.\n"
    assert f"👑 **{came}**: you play everybody.\n{limits}{rule}-# Wallet" in banks
    banks = text_of(own(table.state, ALICE, story=story.with_new_bank()))
    assert came not in banks, "it was free, and they took it themselves"
    assert came not in text_of(own(table.state, BANKER))
    now = f"👑 {mention(ALICE)} banks now.\n"
    assert f"{now}{rule}" in text_of(own(table.state, BANKER, most=100, story=story))
    gave_up = text_of(own(table.state, BANKER, most=100, story=story.with_new_bank()))
    assert (now in gave_up, rule in gave_up) == (True, False), "it was free, and Alice took it herself"
    assert round_told not in text_of(own(table.state, BANKER, most=100)), "they have played here"


def test_the_first_hand_says_in_plain_words_what_it_is() -> None:
    table = dealt()
    said = "**Double-Ox 8** · the two left have the same rank · ×3 if it wins"
    assert said in text_of(own(table.state, ALICE))
    assert "**Double-Ox 8** · ×3 if it wins" in text_of(own(table.state, ALICE, has_played=True))
    assert "the same rank" not in text_of(own(table.state, ALICE, has_played=True))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    table.do(PlaceBet(ALICE, 20))
    together = zip(NO_OX, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    told = text_of(own(table.state, ALICE))
    assert "**No Ox** · loses to every other hand\n" in told


def test_a_squeezed_hand_has_one_button_and_then_its_name_as_a_heading() -> None:
    table = dealt()
    hidden = own_hand(table.state, PanelMemory(ALICE), unseen=Unseen.LAST)
    facts: dict[str, Any] = {"squeezes": True, "has_played": True}
    squeezed = own(table.state, ALICE, hand=hidden, **facts)
    assert [*buttons_of(squeezed)] == ["See the last card"]
    assert "Hope for" in text_of(squeezed)
    assert "Double-Ox 8\n" not in text_of(squeezed)
    assert "### Double-Ox 8\n×3 if it wins\n" in text_of(own(table.state, ALICE, **facts))


def test_g11_nenku_is_explained_to_whom_it_meets() -> None:
    explained = "-# Nenku: an ox that leaves an ace and a J, Q or K. It counts as an Ox of 1."
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20))
    together = zip(NENKU, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    assert explained in text_of(own(table.state, ALICE))
    assert explained not in text_of(own(table.state, BANKER)), "they have not seen it yet"
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert all(text_of(own(table.state, party)).count(explained) == 1 for party in (ALICE, BANKER))


HOLDS = "It holds **400 chips**: 20\xa0× your bet, the most you can lose."


def test_b02_a_bet_says_what_it_holds_and_why_until_its_player_has_played() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE))
    for party in (ALICE, BOB):
        assert "Bet 20: win or lose 20 to **400**" in text_of(own(table.state, party, most=100))
        assert "win or lose" not in text_of(own(table.state, party)), "they cannot bet"
    table.do(PlaceBet(ALICE, 20))
    assert HOLDS in text_of(own(table.state, ALICE))
    assert "It holds" not in text_of(own(table.state, BANKER))
    table = dealt()
    assert HOLDS in text_of(own(table.state, ALICE))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert "lose up to" not in text_of(own(table.state, ALICE, most=100))
    table.do(PlaceBet(ALICE, 20), PlaceBet(BOB, 10))
    assert "It holds" not in text_of(own(table.state, ALICE))
    assert HOLDS in text_of(own(table.state, ALICE, is_all_in=True)), "who bets it all reads it each time"
    assert "It holds **200 chips**" in text_of(own(table.state, BOB))


EVEN_MONEY = RULES.model_copy(update={name: 1 for name in GnauRules.model_fields if "multiple" in name})


@pytest.mark.parametrize(
    "rules", [EVEN_MONEY, RULES.model_copy(update={"play": Play.POINTS})], ids=["even money", "points"]
)
def test_b02_a_bet_that_holds_no_more_than_its_size_does_not_say_so(rules: HouseRules) -> None:
    table = Table(rules)
    table.do(TakeBank(BANKER, 1, 1, rules), PlaceBet(ALICE, 1))
    assert "It holds" not in text_of(own(table.state, ALICE))
    loses = "Bet 1: win or lose **1**" in text_of(own(table.state, BOB, most=1))
    assert loses is (rules is EVEN_MONEY), "a newcomer reads what is at stake; a point is nothing to choose"


def test_a_panel_says_which_rounds_were_called_off_since_the_result_to_who_sits_there() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    table.do(PlaceBet(ALICE, 20), GiveUpBank(BANKER))
    for party in (ALICE, BANKER):
        assert "-# Round 2 was called off." in text_of(own(table.state, party))
    table.do(TakeBank(BOB, 5, 100, table.rules))
    assert "-# Round 2 was called off." in text_of(own(table.state, ALICE, most=20))


def test_a_panel_shows_free_and_held_chips() -> None:
    table = dealt()
    assert "Wallet: 1,000 chips free" in text_of(own(table.state, ALICE, Stack(1000)))
    held = Stack(860, {1: 100, 2: 40})
    assert "Wallet: 860 chips free · 140 held" in text_of(own(table.state, ALICE, held))


def test_the_first_hour_of_play_is_told_once_with_its_rounds() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    for seconds, told in (
        (HOUR_SECONDS - 1, "all tables since you started: −120"),
        (HOUR_SECONDS, "an hour of play: 24 rounds won or lost, −120"),
        (HOUR_SECONDS + 60, "all tables since you started: −120"),
    ):
        evening = Evening(-120, 0.0, 24, played=seconds, more=60.0)
        shown = text_of(own(table.state, ALICE, Stack(880), evening=evening))
        assert f"Wallet: 880 chips free · {told}" in shown


def test_b05_a_banker_to_whom_the_bank_came_reads_that_a_press_keeps_it_and_others_read_it_too() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE), Join(BOB))
    awaited: dict[str, Any] = {"awaited_banker": BANKER}
    assert "⏳ Press any button to keep the bank." in text_of(own(table.state, BANKER, **awaited))
    table.do(PlaceBet(ALICE, 20))
    until = f"<t:{int(table.state.deadline or 0)}:R>"
    banks = own(table.state, BANKER, **awaited)
    assert f"⏳ Press any button, or lose the bank {until}." in text_of(banks)
    assert list(buttons_of(banks))[:2] == ["Keep the bank", "Deal"]
    waits = f"⏳ {mention(BANKER)} must press a button, or the bank is free {until}"
    for party in (ALICE, BOB):
        assert waits in text_of(own(table.state, party, most=100, **awaited))
    assert waits in text_of(sent(board_view(table.state, NAMES, BoardFacts(**awaited), None)))
    assert "Keep the bank" not in buttons_of(own(table.state, BANKER))
    assert "must press" not in text_of(own(table.state, BOB, most=100))


def test_a_banker_reads_how_many_have_revealed_where_that_is_kept_true() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20), PlaceBet(BOB, 20))
    table.do(Deal(BANKER, shuffled_pack(3, table.rules)))
    for party, said in ((None, "0 of 2 have revealed"), (ALICE, "1 of 2 has revealed")):
        if party is not None:
            table.do(RevealHand(party))
        assert said in text_of(own(table.state, BANKER, counts_revealed=True))
        assert said not in text_of(own(table.state, BANKER))
        assert said not in text_of(own(table.state, BOB, counts_revealed=True))
    assert "Revealed · showdown <t:" in text_of(own(table.state, ALICE)), "it waits for the others"
    assert "\nShowdown <t:" in text_of(own(table.state, BOB))
