"""Messages of *How to play* and of the lesson; those about one game are with the game."""

from typing import Final

from bot.words.catalogue.message import Message

GUIDE: Final = {
    "guide.title": Message("### How to play {game}"),
    "guide.example": Message("`{place}` **{name}** ×{multiple}"),
    "guide.example_points": Message("`{place}` **{name}** {multiple}"),
    "guide.example_nothing": Message("`{place}` **{name}**"),
    "guide.between": Message(" · "),
    "guide.alt": Message("{place}. {name}: {pieces}"),
    "guide.ranking": Message("### {game}: hands, strongest first"),
    "guide.odds": Message("### {game}: what a bet can win and lose"),
    "guide.winner_pays": Message(
        "The loser pays the bet × the **winner's** multiple: with the worse hand you can lose more than you "
        "bet."
    ),
    "guide.even_money": Message("You win or lose what you bet, never more."),
    "guide.banker": Message("### {game}: the banker"),
    "guide.banker.plays": Message("- The banker plays against everybody, hand by hand."),
    "guide.banker.volunteer": Message(
        "- Press **Take the bank** while nobody banks, and set the lowest and the highest bet."
    ),
    "guide.banker.dice": Message(
        "- Press **Roll for the bank**: the highest roll is the first banker, and sets the limits."
    ),
    "guide.banker.covers": Message(
        "- The banker needs enough chips to lose every bet at its highest payout. The board shows "
        "how much room is left."
    ),
    "guide.banker.passes": Message("- {passes}"),
    "guide.banker.off": Message("- The house does not bank here."),
    "guide.banker.when-nobody-banks": Message(
        "- While nobody banks, press **Play the house**: the house banks, even for one player."
    ),
    "guide.banker.only": Message("- The house always banks here: press **Play the house**."),
    "guide.computers": Message(
        "- 🤖 Computer players keep you company. They bet the house's chips, and only while a member plays."
    ),
    "guide.knobs": Message("### {game}: house rules ({preset})"),
    "guide.words": Message("### {game}: words to know"),
    "guide.words.table": Message(
        "- **Banker**: plays against everybody\n"
        "- **Multiple** (×3): how many times the bet a hand wins\n"
        "- **Held**: set aside until the round is settled, so that nobody bets chips twice\n"
        "- **Push**: nobody wins, and the bet goes back\n"
        "- **Side bet**: a bet on another player's hand, by somebody without a seat"
    ),
    "guide.button.overview": Message("How to play"),
    "guide.button.ranking": Message("Ranking"),
    "guide.button.odds": Message("Payouts"),
    "guide.button.banker": Message("Banker"),
    "guide.button.words": Message("Words"),
    "guide.button.knobs": Message("Rules"),
    "guide.button.learn": Message("Learn"),
}

LESSON: Final = {
    "learn.title": Message("### {game} · hand {number:number} of {most:number}"),
    "learn.pieces": Message("**{pieces}**"),
    "learn.name_it": Message("What is this hand?"),
    "learn.right": Message("✅ Right: **{name}**"),
    "learn.wrong_rank": Message("❌ Not {chosen}: this is **{name}**"),
    "learn.wrong_three": Message("❌ {why}. This is **{name}**"),
    "learn.weaker_three": Message("❌ Another three make a stronger hand. This is **{name}**"),
    "learn.missed": Message("❌ There is one: **{hand}**. This is **{name}**"),
    "learn.no_ox": Message("✅ Right, there is none: **{name}**"),
    "learn.ways": Message("-# Every way to arrange it, the strongest first:"),
    "learn.score": Message(
        "**{right:number} of {most:number} right.**",
    ),
    "learn.tips": Message("**Tips**\n{tips}"),
    "learn.ready": Message("You are ready."),
    "learn.again": Message("Try five more, or read how to play first."),
    "learn.then_play": Message("Play a real round now: `/play`"),
    "learn.then_play_elsewhere": Message(
        "Play a real round now: type **{command}** in a channel of your server."
    ),
    "learn.button.next": Message("Next hand"),
    "learn.button.result": Message("See your result"),
    "learn.button.again": Message("Five more"),
}
