"""Messages that tell how the games go."""

from typing import Final

from bot.words.catalogue.message import Message

RULES: Final = {
    "rules.title": Message("## Rules of this house: {preset}"),
    "rules.play.gnau": Message(
        "Everybody plays against the banker alone. You bet, then each gets five cards."
    ),
    "rules.ox": Message(
        "Three of them that total a multiple of 10 are an *ox*; the two left over are the *power* cards."
    ),
    "rules.ox_triple": Message(
        "Three of them that total a multiple of 10, or are of one rank, are an *ox*; the two left over are "
        "the *power* cards."
    ),
    "rules.points_of_cards": Message("An ace counts 1, the cards 2 to 9 their face, and 10, J, Q and K 10."),
    "rules.points_of_cards_flex": Message(
        "An ace counts 1, a 3 or a 6 either of the two, other cards to 9 their face, and 10, J, Q and K 10."
    ),
    "rules.better": Message("The better hand wins the stake times its own multiple."),
    "rules.play.tau-ngau": Message(
        "Everybody plays against the banker alone. Dice pick the first banker: the "
        "highest throw. {fewest:number} to {most:number} players bet, then each gets five of the "
        "{pack:number} tiles of the woodpile. Three of them whose pips total a multiple of 10 are the "
        "*discard*; the last digit of what the two tiles left total is the *score*: 9 is high, 0 is low. The "
        "higher score wins the stake, even money. Without a discard you lose to a banker who has one; a "
        "banker without one pays all who have one, and takes nothing from the others."
    ),
    "rules.arrange.gnau.automatic": Message("The strongest way to arrange your cards counts."),
    "rules.arrange.gnau.assisted": Message(
        "You may say which three are your ox; else the strongest way counts."
    ),
    "rules.arrange.gnau.strict": Message(
        "You may say which three are your ox, right or wrong; else the strongest way counts."
    ),
    "rules.arrange.tau-ngau.automatic": Message("The strongest way to arrange your tiles counts."),
    "rules.arrange.tau-ngau.assisted": Message(
        "You may say which three you discard; else the strongest way counts."
    ),
    "rules.arrange.tau-ngau.strict": Message(
        "You may say which three you discard, right or wrong; else the strongest way counts."
    ),
    "rules.wild.on": Message("The tiles 4-2 and 2-1 are wild: each counts 3 or 6, wherever it lies."),
    "rules.wild.off": Message(
        "The tiles 4-2 and 2-1 are wild: each counts 3 or 6 in a discard, and its own pips in the score."
    ),
    "rules.held": Message(
        "The most a bet can lose, its stake, is held until it is settled.",
        "The most a bet can lose, {most:number} times its stake, is held until it is settled.",
        "most",
    ),
    "rules.points": Message(
        "Nothing is staked: the loser gives the winner the points of the winner's hand, and a score may go "
        "below zero."
    ),
    "rules.ties.gnau.banker": Message(
        "The banker wins a tie; but Five Dukes against Five Dukes is a draw, and so is No Ox against No Ox."
    ),
    "rules.ties.gnau.push": Message("A tie is a draw: nobody wins."),
    "rules.ties.tau-ngau.banker": Message("The banker wins where the scores are equal."),
    "rules.ties.tau-ngau.push": Message("Where the scores are equal, nobody wins."),
    "rules.bank.gnau.stays": Message("The banker keeps the bank until he gives it up."),
    "rules.bank.gnau.every-round": Message("After every round the bank passes to the banker's right."),
    "rules.bank.gnau.after-ox": Message(
        "A banker whose hand was better than No Ox passes the bank to his right."
    ),
    "rules.bank.gnau.after-no-ox": Message("A banker who had No Ox passes the bank to his right."),
    "rules.bank.tau-ngau.stays": Message("The banker keeps the bank until he gives it up."),
    "rules.bank.tau-ngau.every-round": Message("After every round the bank passes to the banker's right."),
    "rules.bank.tau-ngau.after-ox": Message(
        "A banker who made a discard passes the bank to his right; one who made none keeps it."
    ),
    "rules.bank.tau-ngau.after-no-ox": Message(
        "A banker who made no discard passes the bank to his right; one who made one keeps it."
    ),
    "rules.order": Message("### Hands, the strongest first"),
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
    "rules.ngau_tonku": Message("an ox, and as power cards A♠ and a J, Q or K"),
    "rules.tonku_tens": Message("an ox, and as power cards A♠ and a 10, J, Q or K"),
    "rules.double_ox": Message("an ox, and power cards of one rank; K is high, A is low"),
    "rules.mixed_double": Message("an ox, and power cards of one rank, or 3 and 6; K is high, A is low"),
    "rules.ox_of_ten": Message("an ox, and power cards that total 10 or 20"),
    "rules.single_ox": Message("an ox, and the last digit of what the power cards total"),
    "rules.single_name": Message("Ox of 9 to 1"),
    "rules.score": Message("a discard, and the last digit of what the two tiles left total"),
    "rules.score_name": Message("Score 9 to 0"),
    "rules.stuck": Message("no three tiles make a discard"),
    "rules.knobs": Message("### House rules"),
    "rules.knob": Message("- **{setting}** · {what}"),
}
