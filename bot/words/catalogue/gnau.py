"""Messages about Gnau: its names, its hands, how it goes, and its own words on boards and panels."""

from typing import Final

from bot.words.catalogue.message import Message

GNAU: Final = {
    "game.gnau": Message("Gnau"),
    "preset.wikipedia": Message("Wikipedia"),
    "preset.points": Message("Points"),
    "preset.lodige": Message("Lodige"),
    "about_preset.wikipedia": Message("As on Wikipedia: the best hands win ×7, a Double-Ox ×3"),
    "about_preset.points": Message("The hands of Wikipedia, but the best win ×10 and a Double-Ox ×2"),
    "about_preset.lodige": Message(
        "No Five Small; 8-8-8 is no ox, 3 and 6 are a pair; the best win ×10, a Double-Ox ×2"
    ),
    "choice.preset.wikipedia": Message("Gnau · Wikipedia: the best hands win ×7, a Double-Ox ×3"),
    "choice.preset.points": Message("Gnau · Points: the best hands win ×10, a Double-Ox ×2"),
    "choice.preset.lodige": Message("Gnau · Lodige: no Five Small, 8-8-8 is no ox, 3 and 6 are a pair"),
    "rules.ox": Message(
        "Three cards that total 10, 20 or 30 are an *ox*; the other two are the *power cards*."
    ),
    "rules.ox_triple": Message(
        "Three cards that total 10, 20 or 30, or have the same rank, are an *ox*; the other two are the "
        "*power cards*."
    ),
    "rules.ox_of_ten": Message("an ox, with power cards that total 10 or 20"),
    "rules.points_of_cards_flex": Message(
        "An ace counts as 1, a 3 can count as a 6 and a 6 as a 3, other cards to 9 count as their "
        "number, and 10, J, Q and K count as 10."
    ),
    "rules.ties.gnau.banker": Message(
        "The banker wins a tie, but two Five Dukes or two No Ox are a push: nobody wins."
    ),
    "rules.ties.gnau.push": Message("A tie is a push: nobody wins."),
    "rules.arrange.gnau.automatic": Message("The strongest way to arrange your cards counts."),
    "rules.arrange.gnau.assisted": Message(
        "You may choose the three of your ox; if you don't, the strongest way counts."
    ),
    "rules.arrange.gnau.strict": Message(
        "You may choose the three of your ox, and mistakes stand; if you don't, the strongest way counts."
    ),
    "rules.bank.gnau.stays": Message("The banker keeps the bank until they give it up."),
    "rules.bank.gnau.every-round": Message(
        "After every round the bank passes to the player on the banker's right."
    ),
    "rules.bank.gnau.after-ox": Message(
        "A banker whose hand is better than No Ox passes the bank to the player on their right."
    ),
    "rules.bank.gnau.after-no-ox": Message(
        "A banker with No Ox passes the bank to the player on their right."
    ),
    "hand.five_dukes": Message("Five Dukes"),
    "hand.five_small": Message("Five Small"),
    "hand.ngau_tonku": Message("Ngau Tonku"),
    "hand.double_ox": Message("Double-Ox {rank}"),
    "hand.single_ox": Message("Ox of {points}"),
    "hand.nenku": Message("Nenku (Ox of {points})"),
    "hand.no_ox": Message("No Ox"),
    "rules.no_ox": Message("no three cards add up to 10, 20 or 30"),
    "rules.no_ox.triple": Message("no three cards add up to 10, 20 or 30, or have the same rank"),
    "rules.five_dukes": Message("all five are J, Q or K"),
    "rules.five_dukes_tens": Message("all five are 10, J, Q or K"),
    "rules.five_small": Message("all five are A, 2, 3 or 4"),
    "rules.ngau_tonku": Message("an ox, with A♠ and a J, Q or K as power cards"),
    "rules.tonku_tens": Message("an ox, with A♠ and a 10, J, Q or K as power cards"),
    "rules.double_ox": Message("an ox, with power cards of the same rank; K is high, A is low"),
    "rules.mixed_double": Message(
        "an ox, with power cards of the same rank, or 3 and 6; K is high, A is low"
    ),
    "rules.single_ox": Message("an ox; the number is the last digit of the power cards' total"),
    "rules.single_name": Message("Ox of 9 to 1"),
    "why.last_digit.gnau": Message("Only the last digit counts; 0 counts 10."),
    "why.wrong_rank": Message("{three} total {totals}: not a multiple of 10, and not of the same rank"),
    "alt.ox.gnau": Message("ox"),
    "alt.power.gnau": Message("power"),
    "alt.rest.gnau": Message("no ox"),
    "panel.arrange.gnau": Message(
        "Pick the three cards of your ox. If you pick none, the strongest way counts."
    ),
    "panel.alias.nenku": Message("Nenku: an ox that leaves an ace and a J, Q or K. It counts as an Ox of 1."),
    "learn.find.gnau": Message("Which three make 10, 20 or 30?"),
    "guide.words.gnau": Message(
        "- **Ox**: three cards that add up to 10, 20 or 30\n"
        "- **No Ox**: no such three; the weakest hand\n"
        "- **Power cards**: the two left over, which decide how good your hand is\n"
        "- **Duke**: a J, Q or K\n"
        "- **Nenku**: an ox that leaves an ace and a duke. It counts as an Ox of 1"
    ),
    "panel.hope_ox.gnau": Message("An ox comes with {count:number} of the {unseen:number} cards left."),
    "panel.hope_sure.gnau": Message("You already hold an ox."),
    "learn.ox.gnau": Message("Your ox: **{sum}**."),
    "guide.goal.gnau": Message(
        "An ox: three cards that make 10, 20 or 30. The rest score 1–10: higher wins."
    ),
    "learn.first.gnau": Message(
        "An **ox** is three cards that add up to 10, 20 or 30. The other two, the **power cards**, decide "
        "how good your hand is."
    ),
    "learn.also.gnau": Message(
        "Three cards of the same rank, such as 7 7 7, are an ox too, whatever they add up to. The other two "
        "still decide."
    ),
    "learn.also.gnau.short": Message("Three of the same rank are an ox too."),
    "learn.tips.gnau": Message(
        "- Three of 10, J, Q and K are an ox at once.\n"
        "- With one or two of those, first look for two other cards that total 10.\n"
        "- Otherwise look for three cards that total 10 or 20."
    ),
    "learn.tips.gnau.flex": Message("A 3 can count as a 6, and a 6 as a 3: try both ways."),
}
