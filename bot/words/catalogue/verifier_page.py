"""Texts of the page that checks a round, `docs/verify.html`: each is found there by its English.

After a change, run `python -m scripts.words.verifier_page`.
"""

from typing import Final

from bot.words.catalogue.message import Message

VERIFIER_PAGE: Final = {
    "verify.all_five_are_j_q_or": Message("All five are 10, J, Q or K."),
    "verify.all_five_are_a_or_and": Message("All five are A, 2, 3 or 4, and total {a}."),
    "verify.all_five_are_a_or": Message("All five are A, 2, 3 or 4."),
    "verify.all_five_are_j_q_or_k": Message("All five are J, Q or K."),
    "verify.banker": Message("Banker"),
    "verify.below_is_what_the_record_says": Message(
        "Below is what the record says. It may not be from your round."
    ),
    "verify.the_record_says_something_in_it_is_wrong": Message(
        "Below is what the record says. Something in it is wrong."
    ),
    "verify.choose_a_file": Message("Choose a file"),
    "verify.choose_a_round": Message("Choose a round"),
    "verify.choose_another_round": Message("Choose another round"),
    "verify.codes": Message("Codes"),
    "verify.compare_your_codes": Message("Compare your codes"),
    "verify.contributions": Message("Contributions"),
    "verify.contributions_to_the_dice": Message("Contributions to the dice"),
    "verify.dice_for_the_bank": Message("Dice for the bank"),
    "verify.did_you_note_a_code_or": Message(
        "Did you note a code, or take a screenshot? Only your own codes show that this is the round "
        "that you played. Capitals, hyphens and spaces do not matter."
    ),
    "verify.every_card_result_and_chip_follows": Message(
        "Every card, result and chip follows from the secret, the bets and the rules."
    ),
    "verify.four_cards_are": Message("Four cards are {a}."),
    "verify.hands": Message("Hands"),
    "verify.is_it_the_round_that_you": Message("Is it the round that you played? Compare your codes below."),
    "verify.it_should_be": Message("It should be"),
    "verify.loses": Message("Loses"),
    "verify.loses_the_bet_of": Message("Loses the bet of {a}."),
    "verify.loses_times_the_bet_of": Message("Loses {a} × the bet of {b}."),
    "verify.member": Message("Member …{a}"),
    "verify.names_are_what_the_bot_says": Message(
        "You have only the bot's word for the names, and for who was allowed to roll. A record that "
        "fits may still not be from your round: somebody who knows the secret can make up a whole other "
        "round under the same seal, with other bets and other cards. So compare the codes that you "
        "noted. The receipt, or the hand that you held, shows which round was played."
    ),
    "verify.no_such_hand": Message("No such hand"),
    "verify.no_three_cards_total_a_multiple": Message(
        "No three cards total a multiple of 10 or have the same rank."
    ),
    "verify.no_three_cards_total_a_multiple_of": Message("No three cards total a multiple of 10."),
    "verify.no_three_tiles_total_a_multiple": Message("No three tiles total a multiple of 10."),
    "verify.not_a_record": Message("Not a record"),
    "verify.of_one_suit_so_it_pays": Message("All of one suit, so it pays double."),
    "verify.or_paste_its_text": Message("Or paste its text"),
    "verify.push": Message("Push"),
    "verify.push_the_bet_of_comes_back": Message("Push: the bet of {a} comes back."),
    "verify.receipt_from_the_result": Message("Receipt, from the result"),
    "verify.receipt_of_the_whole_round": Message("Receipt, of the whole round"),
    "verify.rules_of_this_round": Message("Rules of this round"),
    "verify.rules_version": Message("Version of the rules"),
    "verify.seal_from_before_the_deal": Message("Seal, from before the deal"),
    "verify.seal_shown_before": Message("Seal, shown before the roll"),
    "verify.seal_shown_before_bets": Message("Seal, shown before the bets"),
    "verify.seat": Message("Seat {a}"),
    "verify.secret_opened_after": Message("Secret, opened afterwards"),
    "verify.seed_of_secret_and_sheet": Message("Seed of the shuffle, from the secret and the bets"),
    "verify.side_bets": Message("Side bets"),
    "verify.the_banker": Message("The banker"),
    "verify.the_banker_chose_these_three": Message("The banker chose these three."),
    "verify.the_chosen_are_no_discard_they": Message("The chosen {a} are not a discard: they total {b}."),
    "verify.the_chosen_are_no_niu_they": Message("The chosen {a} are not a niu: they total {b}."),
    "verify.the_chosen_are_no_ox_they": Message(
        "The chosen {a} are not an ox: they total {b}, and they are not of the same rank."
    ),
    "verify.the_chosen_are_no_ox_they_total": Message("The chosen {a} are not an ox: they total {b}."),
    "verify.the_file_comes_from_round_verify": Message(
        "Choose the file that the bot sent you, or drop it here."
    ),
    "verify.the_hands_are_equal_so_the": Message(
        "The hands are equal, so the highest card decides: {a} against {b}."
    ),
    "verify.the_highest_total_banks_and_those": Message(
        "The highest total banks, and those who tie roll again. The banker is {a}."
    ),
    "verify.the_house": Message("The house"),
    "verify.computer": Message("🤖 Computer {a}"),
    "verify.the_player_chose_these_three": Message("The player chose these three."),
    "verify.the_record_has": Message("The record has"),
    "verify.the_record_has_it_too_but": Message("The record has it too, but the record is wrong."),
    "verify.the_record_is_right_in_itself": Message(
        "The record itself is right. Look for a typo. If there is none, it is not the round that you played."
    ),
    "verify.the_record_says": Message("The record says"),
    "verify.these_are_no_five_pieces_of": Message(
        "These aren't five pieces of this game, or the chosen ones aren't three of them."
    ),
    "verify.this_file_is_no_record_of": Message("This file is not a record of a round: {a}."),
    "verify.this_is_no_record_of_a": Message("This is not a record of a round: {a}."),
    "verify.this_is_the_first_thing_that": Message(
        "This is the first thing that is wrong. There may be more."
    ),
    "verify.this_is_wrong": Message("This is wrong: {a}."),
    "verify.this_page_computes_every_card_result": Message(
        "This page works out every card, result and chip of a round again, and compares them with "
        "the record. Nothing leaves your device."
    ),
    "verify.throws": Message("Rolls"),
    "verify.verify_a_round": Message("Verify a round"),
    "verify.what_you_noted_is_in_it": Message("What you noted is in it: {a}."),
    "verify.what_verified_does_not_prove": Message("What “verified” does not prove"),
    "verify.where_several_ways_to_arrange_a": Message(
        "Where several ways to arrange a hand are worth the same, the bot may show a different one."
    ),
    "verify.wins": Message("Wins"),
    "verify.wins_the_bet_of": Message("Wins the bet of {a}."),
    "verify.wins_times_the_bet_of": Message("Wins {a} × the bet of {b}."),
    "verify.you_noted": Message("You noted"),
    "verify.your_ticket_or_contribution_is": Message(
        "Your ticket or contribution is not complete. It has 25 letters and digits, or is a long number."
    ),
    "verify.your_ticket_or_contribution_from": Message("Your ticket or contribution, from your bet or hand"),
    "verify.your_receipt_is_not_complete_a": Message(
        "Your receipt is not complete. A code has 25 letters and digits, such as "
        "7K2Q9-XMD40-TRB8H-NE3WZ-4FJ6A."
    ),
    "verify.your_seal_is_not_complete_a": Message(
        "Your seal is not complete. A code has 25 letters and digits, such as 7K2Q9-XMD40-TRB8H-NE3WZ-4FJ6A."
    ),
    "verify.contribution": Message("contribution"),
    "verify.it_cannot_be_read": Message("it cannot be read"),
    "verify.it_is_empty": Message("it is empty"),
    "verify.it_is_no_text_in_utf": Message("it is not UTF-8 text"),
    "verify.it_is_too_long": Message("it is too long"),
    "verify.none_the_secret_is_wrong": Message("none: the secret is wrong"),
    "verify.nothing": Message("nothing"),
    "verify.receipt": Message("receipt"),
    "verify.seal": Message("seal"),
    "verify.cannot_roll": Message("{a} (cannot roll)"),
    "verify.are_left_and_count_as_a": Message("{a} are left: 3 and 6 count as a pair of 6s."),
    "verify.are_left_a_pair": Message("{a} are left: a pair."),
    "verify.are_left_the_ace_of_spades": Message("{a} are left: the ace of spades and a duke."),
    "verify.left_the_ace_of_spades_and_a_ten": Message("{a} are left: the ace of spades and a ten."),
    "verify.are_left": Message("{a} are left: {b}."),
    "verify.are_the_discard": Message("{a} are the discard: {b}."),
    "verify.are_the_niu": Message("{a} are the niu: {b}."),
    "verify.are_the_ox_they_have_one": Message("{a} are the ox: they have the same rank."),
    "verify.are_the_ox": Message("{a} are the ox: {b}."),
    "verify.chips": Message("Chips: {a}"),
    "verify.on": Message("{a} on {b}"),
    "verify.points": Message("Points: {a}"),
    "verify.banker_named": Message("{a}, banker"),
    "verify.table_round": Message("{a}, table {b}, round {c}"),
    "verify.the_record_has_it": Message("✓ The record has it."),
    "verify.verified": Message("✓ Verified"),
    "verify.not_the_one_in_this_record": Message("✗ Not the one in this record."),
    "verify.not_verified": Message("✗ Not verified"),
    "verify.not_your_ticket_or_contribution": Message("✗ Not your ticket or contribution"),
    "verify.not_your_receipt": Message("✗ Not your receipt"),
    "verify.not_your_seal": Message("✗ Not your seal"),
    "verify.this_is_another_code": Message("✗ This is another code: {a}."),
}

VERIFIED_PLACES: Final = {
    "verify.place.the_seal": Message("the seal"),
    "verify.place.the_secret": Message("the secret"),
    "verify.place.the_seal_of_the_dice": Message("the seal of the dice"),
    "verify.place.the_secret_of_the_dice": Message("the secret of the dice"),
    "verify.place.the_table_of_the_dice": Message("the table of the dice"),
    "verify.place.the_tables_number_on_the_dice": Message("the table's number on the dice"),
    "verify.place.the_roll_for_the_bank": Message("the roll for the bank"),
    "verify.place.the_round_of_the_dice": Message("the round of the dice"),
    "verify.place.the_seats_at_the_dice": Message("the seats at the dice"),
    "verify.place.the_throws_of_the_dice": Message("the rolls of the dice"),
    "verify.place.the_banker": Message("the banker"),
    "verify.place.the_players": Message("the players"),
    "verify.place.the_code_of_somebodys_words": Message("the code of somebody's words"),
    "verify.place.the_receipt": Message("the receipt"),
    "verify.place.the_gain_of_seat": Message("the gain of seat {a}"),
    "verify.place.the_gain_of_side_bet": Message("the gain of side bet {a}"),
    "verify.place.the_outcome_of_seat": Message("the outcome of seat {a}"),
    "verify.place.the_outcome_of_side_bet": Message("the outcome of side bet {a}"),
    "verify.place.the_hand_of_seat": Message("the hand of seat {a}"),
    "verify.place.the_hand_of_the_banker": Message("the hand of the banker"),
    "verify.place.the_ox_of_seat": Message("the ox of seat {a}"),
    "verify.place.the_ox_of_the_banker": Message("the ox of the banker"),
    "verify.place.the_client_seed_of_side_bet": Message("the contribution of side bet {a}"),
    "verify.place.the_player_of_side_bet": Message("the player of side bet {a}"),
    "verify.place.the_backer_of_side_bet": Message("the backer of side bet {a}"),
    "verify.place.side_bet": Message("side bet {a}"),
    "verify.place.the_number_of_players": Message("the number of players"),
    "verify.place.the_number_of_side_bets": Message("the number of side bets"),
    "verify.place.the_gain_of_the_bank": Message("the gain of the bank"),
    "verify.place.the_house": Message("the house"),
    "verify.place.the_client_seed_of_the_house": Message("the contribution of the house"),
    "verify.place.the_ox_of_the_house": Message("the ox of the house"),
    "verify.place.lower_case_hexadecimal_digits": Message("{a} lower-case hexadecimal digits"),
    "verify.place.a_computer_player": Message("a computer player"),
    "verify.place.the_client_seed_of_a_computer_player": Message("the contribution of a computer player"),
    "verify.place.the_ox_of_a_computer_player": Message("the ox of a computer player"),
    "verify.place.a_backer": Message("a backer"),
    "verify.place.only_a_player": Message("only a player"),
    "verify.place.none_it_plays_the_strongest": Message("none: it plays the strongest hand"),
    "verify.place.at_most": Message("at most {a}"),
    "verify.place.one_of_the_players": Message("one of the players"),
    "verify.place.somebody_without_a_seat": Message("somebody without a seat"),
    "verify.place.there_once": Message("there only once"),
    "verify.place.a_player": Message("a player"),
    "verify.place.the_banker_or_nobody": Message("the banker or nobody"),
    "verify.place.declared": Message("declared"),
    "verify.place.none_the_house_plays_the_strongest": Message("none: the house plays the strongest hand"),
    "verify.place.there": Message("present"),
    "verify.place.not_there_in_this_game_nobody": Message("absent: nobody rolls for the bank in this game"),
    "verify.place.the_secret_of_the_hands": Message("the secret of the hands"),
    "verify.place.another_one": Message("a different one"),
    "verify.place.nobody_who_rolls": Message("nobody who rolls"),
    "verify.place.somebody_who_rolls": Message("somebody who rolls"),
    "verify.place.one_of_the_contributions": Message("one of the contributions"),
    "verify.place.none_the_table_arranges_hands": Message("none: the bot arranges hands"),
    "verify.place.three_that_are_one": Message("three that make an ox"),
    "verify.place.as_good_as_the_strongest_others": Message(
        "as good as the strongest: others backed this hand"
    ),
    "verify.place.it_at_the_dice_only": Message("it, but only for the dice"),
    "verify.place.none_like_it": Message("no such contribution"),
}
