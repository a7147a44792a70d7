"""Messages about Tau Ngau: its names, its hands, how it goes, and its own words on boards and panels."""

from typing import Final

from bot.words.catalogue.message import Message

TAU_NGAU: Final = {
    "game.tau-ngau": Message("Tau Ngau"),
    "preset.tau-ngau": Message("Tau Ngau"),
    "about_preset.tau-ngau": Message("PAGAT's rules: every win pays the bet, equal hands are a push"),
    "choice.preset.tau-ngau": Message("Tau Ngau: every win pays the bet, equal hands are a push"),
    "rules.play.tau-ngau": Message(
        "{fewest:number} to {most:number} players bet against the banker, then everybody gets five of the "
        "{pack:number} tiles."
    ),
    "rules.discard": Message(
        "Three tiles whose pips total 10, 20 or 30 are the *discard*: what Gnau calls an ox."
    ),
    "rules.score_of_hand": Message(
        "The last digit of the other two's total is the *score*: 9 is high, 0 is low."
    ),
    "rules.higher_score": Message("The higher score wins, even money."),
    "rules.no_discard": Message("Without a discard you lose to a banker who has one."),
    "rules.no_discard_bank": Message(
        "A banker without one pays everybody who has a discard, and takes nothing."
    ),
    "rules.first_banker.tau-ngau": Message("Dice pick the first banker: the highest roll."),
    "rules.wild.on": Message(
        "The tiles with a gold star, 4‑2 and 2‑1, are wild: each counts as 3 or 6 in discard and score."
    ),
    "rules.wild.off": Message(
        "The tiles with a gold star, 4‑2 and 2‑1, are wild: each counts as 3 or 6 in the discard, and as "
        "its own pips in the score."
    ),
    "rules.ties.tau-ngau.banker": Message(
        "The banker wins if the scores are equal, but two hands without a discard are a push: nobody wins."
    ),
    "rules.ties.tau-ngau.push": Message("Equal scores are a push: nobody wins."),
    "rules.arrange.tau-ngau.automatic": Message("The strongest way to arrange your tiles counts."),
    "rules.arrange.tau-ngau.assisted": Message(
        "You may choose the three you discard; if you don't, the strongest way counts."
    ),
    "rules.arrange.tau-ngau.strict": Message(
        "You may choose the three you discard, and mistakes stand; if you don't, the strongest way counts."
    ),
    "rules.bank.tau-ngau.stays": Message("The banker keeps the bank until they give it up."),
    "rules.bank.tau-ngau.every-round": Message(
        "After every round the bank passes to the player on the banker's right."
    ),
    "rules.bank.tau-ngau.after-ox": Message(
        "A banker with a discard passes the bank to the player on their right; one without keeps it."
    ),
    "rules.bank.tau-ngau.after-no-ox": Message(
        "A banker without a discard passes the bank to the player on their right; one with a discard "
        "keeps it."
    ),
    "hand.score": Message("Score {points}"),
    "why.last_digit.tau-ngau": Message("Only the last digit counts."),
    "why.lowest_score": Message("0 is the lowest score, 9 the highest."),
    "panel.lowest_score": Message("{sum}, the lowest"),
    "hand.stuck": Message("No discard"),
    "rules.score": Message("a discard; the score is the last digit of the other two tiles' total"),
    "rules.score_name": Message("Score 9 to 0"),
    "rules.stuck": Message("no three tiles add up to 10, 20 or 30"),
    "alt.ox.tau-ngau": Message("discard"),
    "alt.power.tau-ngau": Message("left"),
    "alt.rest.tau-ngau": Message("no discard"),
    "panel.arrange.tau-ngau": Message(
        "Pick the three tiles of your discard, together 10, 20 or 30 pips. If you pick none, the strongest "
        "way counts."
    ),
    "learn.find.tau-ngau": Message("Which three make 10, 20 or 30 pips?"),
    "guide.words.tau-ngau": Message(
        "- **Pips**: the dots on a tile\n"
        "- **Discard**: three of your five tiles whose pips total 10, 20 or 30\n"
        "- **No discard**: no such three tiles: the weakest hand\n"
        "- **Score**: the last digit of the pips on the two tiles left; 9 is high\n"
        "- **Wild tile**: 4‑2 or 2‑1, with a gold star in pictures; it can count as 3 or 6\n"
        "- **Woodpile**: the 32 tiles"
    ),
    "panel.hope_ox.tau-ngau": Message(
        "A discard comes with {count:number} of the {unseen:number} tiles left."
    ),
    "panel.hope_sure.tau-ngau": Message("You already hold a discard."),
    "learn.ox.tau-ngau": Message("Your discard: **{sum}**."),
    "guide.goal.tau-ngau": Message(
        "A discard: three tiles that make 10, 20 or 30. The rest score 0–9: higher wins."
    ),
    "learn.first.tau-ngau": Message(
        "A **discard** is three tiles that add up to 10, 20 or 30. The other two make your score. "
        "The last digit counts: 20 is a score of 0."
    ),
    "learn.tips.tau-ngau": Message(
        "Call a tile odd or even by its pips. A discard has two odd tiles or none; a wild tile is odd as a 3 "
        "and even as a 6. So in a hand without wild tiles:\n"
        "- five odd: no discard\n"
        "- four odd: the even tile and two odd ones\n"
        "- three odd: two of them and an even tile\n"
        "- two odd: both and an even tile, or the three even ones\n"
        "- one odd or none: three even ones"
    ),
    "setting.bank_passes.after-ox.tau-ngau": Message("after the banker has a discard"),
    "setting.bank_passes.after-no-ox.tau-ngau": Message("after the banker has no discard"),
}
