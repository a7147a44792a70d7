"""Messages about sealed shuffles and the proof of a round."""

from typing import Final

from bot.words.catalogue.message import Message

PROOFS: Final = {
    "proof.ticket": Message("🎟️ ticket {round} `{ticket}`"),
    "proof.why": Message("These codes prove that nobody changed the deal after you bet."),
    "proof.what.seal": Message("🔒 **Seal**: the bot's locked secret"),
    "proof.what.own": Message(
        "🔀 **Your contribution**: you shuffled too\n"
        "-# It comes from a press or words of yours. Without a new one, an earlier one counts again."
    ),
    "proof.what.ticket": Message("🎟️ **Your ticket**: both in one code"),
    "proof.what.receipt": Message("🧾 **Receipt**: the whole round, with its result"),
    "proof.how": Message("-# Keep a screenshot, and compare it with `/round verify` after the round."),
    "proof.opened": Message("Seal, shown before you bet:\n`{seal}`\nReceipt:\n`{receipt}`"),
    "proof.own_words": Message("{who} added: {words:name}"),
    "proof.more_words": Message("… and {count:number} more in the file"),
    "proof.compare": Message(
        "Compare these codes with your screenshots: the same codes mean the same round."
    ),
    "proof.verified": Message(
        "Verified: every hand, result and chip follows from the secret, the bets and the rules"
    ),
    "proof.nothing": Message("nothing"),
    "proof.unlike_note": Message(
        "Not the round that you noted: you noted {where} {should}, but the record has {says}"
    ),
    "proof.misfit": Message("Not verified: {where} should be “{should}”, but the record says “{says}”"),
    "proof.mixed": Message(
        "Your words for the next shuffle: “{words:name}”, code `{seed}`.\n"
        "-# You can change them until the deal. After the round, everybody can read them with "
        "`/round show`."
    ),
    "proof.mixed_with_a_bet": Message(
        "Your words for the next shuffle, if you bet: “{words:name}”, code `{seed}`.\n"
        "-# You can change them until the deal. After the round, everybody can read them with "
        "`/round show`."
    ),
    "proof.mixed_into_dice": Message(
        "Your words for the dice that pick the banker: “{words:name}”, code `{seed}`.\n"
        "-# After the roll, you can add words for the hands. After the round, everybody can read all "
        "words."
    ),
    "proof.none": Message(
        "Table {number:number} has no settled round {round:number}: it is not over, was called off, or never "
        "began."
    ),
    "proof.none_yet": Message(
        "Table {number:number} has no settled round yet. Try again after its first showdown."
    ),
    "proof.no_table": Message("There is no table {number:number} here that you can see."),
    "proof.which_table": Message(
        "No table is open in this channel. Add the number of a table to the command."
    ),
    "proof.exported": Message(
        "The file has the whole round. `{command}` tells you how to check it without this bot."
    ),
    "proof.exported_to": Message(
        "The file has the whole round. To check it without this bot, choose it on {page}."
    ),
    "proof.page_attached": Message(
        "To check it without this bot: save both files, open verify.html, and choose {record} there."
    ),
    "proof.rolled": Message("**Dice for the bank**\nSeal, shown before the roll:\n`{seal}`"),
    "proof.what_stays": Message(
        "Nobody can change the secret after your bet, or the round after its result: the codes that you "
        "noted would no longer match. What no seal prevents: the house can decide not to deal, and a host "
        "who can read the secret can bet last or choose when to deal."
    ),
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
"""What is wrong in a record, or what it has or should have there, as on the verifier page."""
