"""Messages that tell how the games go."""

from typing import Final

from bot.words.catalogue.message import Message

RULES: Final = {
    "rules.title": Message("## Rules of this house: {preset}"),
    "rules.play.gnau": Message(
        "Everybody plays against the banker. You bet, then everybody gets five cards."
    ),
    "rules.ox": Message(
        "Three cards that total a multiple of 10 are an *ox*; the other two are the *power* cards."
    ),
    "rules.ox_triple": Message(
        "Three cards that total a multiple of 10, or have the same rank, are an *ox*; the other two are the "
        "*power* cards."
    ),
    "rules.points_of_cards": Message(
        "An ace counts 1, the cards 2 to 9 count their number, and 10, J, Q and K count 10."
    ),
    "rules.points_of_cards_flex": Message(
        "An ace counts 1, a 3 or a 6 counts 3 or 6, other cards to 9 count their number, and 10, J, Q and K "
        "count 10."
    ),
    "rules.better": Message("The better hand wins the bet times its own multiple."),
    "rules.play.tau-ngau": Message(
        "Everybody plays against the banker. Dice choose the first banker: the highest roll. "
        "{fewest:number} to {most:number} players bet, then everybody gets five of the {pack:number} tiles "
        "of the woodpile. Three tiles whose pips total a multiple of 10 are the *discard*; the last digit of "
        "the other two's total is the *score*: 9 is high, 0 is low. The higher score wins the bet, even "
        "money. Without a discard you lose to a banker who has one; a banker without one pays everybody who "
        "has one, and takes nothing from the others."
    ),
    "rules.arrange.gnau.automatic": Message("The strongest way to arrange your cards counts."),
    "rules.arrange.gnau.assisted": Message(
        "You may choose the three of your ox; if you don't, the strongest way counts."
    ),
    "rules.arrange.gnau.strict": Message(
        "You may choose the three of your ox, right or wrong; if you don't, the strongest way counts."
    ),
    "rules.arrange.tau-ngau.automatic": Message("The strongest way to arrange your tiles counts."),
    "rules.arrange.tau-ngau.assisted": Message(
        "You may choose the three you discard; if you don't, the strongest way counts."
    ),
    "rules.arrange.tau-ngau.strict": Message(
        "You may choose the three you discard, right or wrong; if you don't, the strongest way counts."
    ),
    "rules.wild.on": Message("The tiles 4-2 and 2-1 are wild: each counts 3 or 6, in discard and score."),
    "rules.wild.off": Message(
        "The tiles 4-2 and 2-1 are wild: each counts 3 or 6 in the discard, and its own pips in the score."
    ),
    "rules.held": Message(
        "Until your bet is settled, its size is held: the most you can lose.",
        "Until your bet is settled, {most:number} × its size is held: the most you can lose.",
        "most",
    ),
    "rules.points": Message(
        "No chips are bet: the loser gives the winner the points of the winner's hand, and a score can go "
        "below zero."
    ),
    "rules.ties.gnau.banker": Message(
        "The banker wins a tie; but Five Dukes against Five Dukes is a push, and so is No Ox against No Ox."
    ),
    "rules.ties.gnau.push": Message("A tie is a push: nobody wins."),
    "rules.ties.tau-ngau.banker": Message("The banker wins if the scores are equal."),
    "rules.ties.tau-ngau.push": Message("Equal scores are a push: nobody wins."),
    "rules.bank.gnau.stays": Message("The banker keeps the bank until they give it up."),
    "rules.bank.gnau.every-round": Message("After every round the bank passes to the banker's right."),
    "rules.bank.gnau.after-ox": Message(
        "A banker whose hand is better than No Ox passes the bank to their right."
    ),
    "rules.bank.gnau.after-no-ox": Message("A banker with No Ox passes the bank to their right."),
    "rules.bank.tau-ngau.stays": Message("The banker keeps the bank until they give it up."),
    "rules.bank.tau-ngau.every-round": Message("After every round the bank passes to the banker's right."),
    "rules.bank.tau-ngau.after-ox": Message(
        "A banker with a discard passes the bank to their right; one without keeps it."
    ),
    "rules.bank.tau-ngau.after-no-ox": Message(
        "A banker without a discard passes the bank to their right; one with a discard keeps it."
    ),
    "rules.order": Message("### Hands, strongest first"),
    "rules.hand": Message("{place}. **{name}** ×{multiple}: {what}"),
    "rules.hand_points": Message(
        "{place}. **{name}**, {multiple:number} point: {what}",
        "{place}. **{name}**, {multiple:number} points: {what}",
        "multiple",
    ),
    "rules.loses": Message("{place}. **{name}**: {what}; it wins nothing"),
    "rules.no_ox": Message("no three cards make an ox"),
    "rules.five_dukes": Message("all five are J, Q or K"),
    "rules.five_dukes_tens": Message("all five are 10, J, Q or K"),
    "rules.five_small": Message("all five are A, 2, 3 or 4"),
    "rules.ngau_tonku": Message("an ox, with A♠ and a J, Q or K as power cards"),
    "rules.tonku_tens": Message("an ox, with A♠ and a 10, J, Q or K as power cards"),
    "rules.double_ox": Message("an ox, with power cards of one rank; K is high, A is low"),
    "rules.mixed_double": Message("an ox, with power cards of one rank, or 3 and 6; K is high, A is low"),
    "rules.ox_of_ten": Message("an ox, with power cards that total 10 or 20"),
    "rules.single_ox": Message("an ox, and the last digit of the power cards' total"),
    "rules.single_name": Message("Ox of 9 to 1"),
    "rules.score": Message("a discard, and the last digit of the other two tiles' total"),
    "rules.score_name": Message("Score 9 to 0"),
    "rules.stuck": Message("no three tiles make a discard"),
    "rules.knobs": Message("### House rules"),
    "rules.knob": Message("- **{setting}** · {what}"),
}
