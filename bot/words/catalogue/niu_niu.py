"""Messages about Niu Niu: its names, its hands, how it goes, and its own words on boards and panels."""

from typing import Final

from bot.words.catalogue.message import Message

NIU_NIU: Final = {
    "game.niu-niu": Message("Niu Niu"),
    "preset.niu-niu": Message("Niu Niu"),
    "about_preset.niu-niu": Message("The usual rules: Five Small wins ×8, a Bomb ×6, Niu Niu ×4"),
    "choice.preset.niu-niu": Message("Niu Niu: Five Small wins ×8, a Bomb ×6, Niu Niu ×4"),
    "rules.niu": Message("Three cards that total 10, 20 or 30 are a *niu* (bull): what Gnau calls an ox."),
    "rules.number": Message(
        "The last digit of the other two's total is your number: 0 is *Niu Niu*, the best."
    ),
    "rules.niu_ties.cards": Message(
        "Between equal hands the highest card wins: K is high, A is low, and of one rank ♠ beats ♥, ♥ "
        "beats ♣, ♣ beats ♦. If both are the same card, nobody wins."
    ),
    "rules.niu_ties.banker": Message("If hands are equal, the banker wins."),
    "rules.niu_ties.push": Message("Equal hands are a push: nobody wins."),
    "rules.arrange.niu-niu.automatic": Message("The strongest way to arrange your cards counts."),
    "rules.arrange.niu-niu.assisted": Message(
        "You may choose the three of your niu; if you don't, the strongest way counts."
    ),
    "rules.arrange.niu-niu.strict": Message(
        "You may choose the three of your niu, and mistakes stand; if you don't, the strongest way counts."
    ),
    "rules.bank.niu-niu.stays": Message("The banker keeps the bank until they give it up."),
    "rules.bank.niu-niu.every-round": Message(
        "After every round the bank passes to the player on the banker's right."
    ),
    "rules.bank.niu-niu.after-ox": Message(
        "A banker whose hand is better than No Niu passes the bank to the player on their right."
    ),
    "rules.bank.niu-niu.after-no-ox": Message(
        "A banker with No Niu passes the bank to the player on their right."
    ),
    "hand.bomb": Message("Bomb {rank}"),
    "hand.five_flowers": Message("Five Flowers"),
    "hand.niu_niu": Message("Niu Niu"),
    "hand.niu": Message("Niu {number}"),
    "hand.no_niu": Message("No Niu"),
    "rules.niu_five_small": Message("all five are A, 2, 3 or 4, and total 10 or less"),
    "rules.bomb": Message("four cards of the same rank; K is high, A is low"),
    "rules.five_flowers": Message("all five are J, Q or K"),
    "rules.niu_niu": Message("a niu, and the other two cards total 10 or 20"),
    "rules.niu_number": Message("a niu, and the other two cards' total ends in {number}"),
    "rules.low_niu_name": Message("Niu 6 to 1"),
    "rules.low_niu": Message("a niu; the number is the last digit of the other two cards' total"),
    "rules.no_niu": Message("no three cards add up to 10, 20 or 30"),
    "why.last_digit.niu-niu": Message("Only the last digit counts; 0 is Niu Niu."),
    "alt.ox.niu-niu": Message("niu"),
    "alt.power.niu-niu": Message("number"),
    "alt.rest.niu-niu": Message("no niu"),
    "panel.arrange.niu-niu": Message(
        "Pick the three cards of your niu. If you pick none, the strongest way counts."
    ),
    "learn.find.niu-niu": Message("Which three make 10, 20 or 30?"),
    "guide.words.niu-niu": Message(
        "- **Niu** (bull): three of your five cards that add up to 10, 20 or 30\n"
        "- **No Niu**: no such three cards: the weakest hand\n"
        "- **Number**: the last digit of the other two's total; 0 is Niu Niu, the best"
    ),
    "panel.hope_ox.niu-niu": Message("A niu comes with {count:number} of the {unseen:number} cards left."),
    "panel.hope_sure.niu-niu": Message("You already hold a niu."),
    "learn.ox.niu-niu": Message("Your niu: **{sum}**."),
    "guide.goal.niu-niu": Message(
        "A niu: three cards that make 10, 20 or 30. The rest score 1–10: higher wins."
    ),
    "learn.first.niu-niu": Message(
        "A **niu** is three cards that add up to 10, 20 or 30. The other two make your number."
    ),
    "learn.tips.niu-niu": Message(
        "- Three of 10, J, Q and K are a niu at once.\n"
        "- With one or two of those, first look for two other cards that total 10.\n"
        "- Otherwise look for three cards that total 10 or 20.\n"
        "- If you have a niu, the last digit of all five cards together is your number."
    ),
    "setting.niu_ties.cards": Message("the highest card"),
    "setting.niu_ties.banker": Message("the banker"),
    "setting.niu_ties.push": Message("nobody"),
    "setting.bank_passes.after-ox.niu-niu": Message("after the banker has a niu"),
    "setting.bank_passes.after-no-ox.niu-niu": Message("after the banker has No Niu"),
}
