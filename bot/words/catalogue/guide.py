"""Messages of *How to play*, of the lesson and of /help, and the one that greets a server."""

from typing import Final

from bot.words.catalogue.message import Message

GUIDE: Final = {
    "guide.title": Message("### How to play {game}"),
    "guide.example": Message("`{place}` **{name}** ×{multiple}"),
    "guide.example_points": Message("`{place}` **{name}** {multiple}"),
    "guide.example_even": Message("`{place}` **{name}**"),
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
        "- Once {fewest:number} players sit down, press **Roll for the bank**: the highest roll banks first, "
        "and sets the limits. Dice behind a name show its roll."
    ),
    "guide.banker.covers": Message(
        "- The banker needs enough chips to lose every bet at its highest payout, and can lose all of them "
        "in one round, never more. The board shows how much room is left."
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
    "guide.words.hand": Message("- **{name}**: {what}"),
    "guide.words.table": Message(
        "- **Banker**: plays against everybody\n"
        "- **Multiple** (×3): it wins 3 times the bet\n"
        "- **Held**: set aside until the result\n"
        "- **Push**: a tie; the bet goes back\n"
        "- **All in**: a bet of all that your chips allow\n"
        "- **Bust**: a banker with too few chips to go on\n"
        "- **Bank edge**: what the bank keeps of every chip bet, on average\n"
        "- **Side bet**: a bet on another player's hand, by somebody without a seat"
    ),
    "guide.button.overview": Message("How to play"),
    "guide.button.ranking": Message("Ranking"),
    "guide.button.odds": Message("Payouts"),
    "guide.button.banker": Message("Banker"),
    "guide.button.words": Message("Words"),
    "guide.button.knobs": Message("Rules"),
    "guide.button.learn": Message("Learn"),
    "learn.example": Message("### {game} · example {number:number} of {most:number}"),
    "learn.meanwhile.seat": Message(
        "-# ⏳ {table} goes on: hands reveal automatically, and nothing is bet for you. "
        "After {rounds:number} round away, your seat is free.",
        "-# ⏳ {table} goes on: hands reveal automatically, and nothing is bet for you. "
        "After {rounds:number} rounds away, your seat is free.",
        "rounds",
    ),
    "learn.meanwhile.bank": Message(
        "-# ⏳ {table} goes on: once others bet, hands are dealt and revealed automatically. "
        "After {rounds:number} round away, your bank is free.",
        "-# ⏳ {table} goes on: once others bet, hands are dealt and revealed automatically. "
        "After {rounds:number} rounds away, your bank is free.",
        "rounds",
    ),
    "learn.meanwhile.bank_came": Message(
        "-# ⏳ {table} waits for you: press a button there to keep the bank."
    ),
    "learn.meanwhile.side_bet": Message("-# ⏳ {table} goes on: your side bet is settled with the round."),
    "learn.meanwhile.heat": Message(
        "-# ⏳ Your tournament goes on: hands reveal automatically, and I bet the lowest for you. "
        "After {rounds:number} round away, you are out.",
        "-# ⏳ Your tournament goes on: hands reveal automatically, and I bet the lowest for you. "
        "After {rounds:number} rounds away, you are out.",
        "rounds",
    ),
    "learn.rest": Message("The other two: **{sum}**. The last digit counts: **{name}**."),
    "learn.rest_digit": Message("The other two: **{sum}**. That is **{name}**."),
    "learn.rest_best": Message("The other two: **{sum}**. It ends in 0, the best number: **{name}**."),
    "learn.whole": Message("Nothing is added up here: the cards count as they are."),
    "learn.discs.card": Message(
        "-# The discs show what each card counts as: an ace is 1; J, Q and K are 10."
    ),
    "learn.discs.tile": Message("-# The discs show what each tile counts as: all its pips (dots)."),
    "learn.odd.card": Message("{piece} counts as {count:number}: a 3 can count as a 6, and a 6 as a 3."),
    "learn.odd.tile": Message(
        "{piece} counts as {count:number}: a tile with a gold star is wild, and counts as 3 or 6."
    ),
    "learn.either.card": Message("-# A 3 can count as a 6, and a 6 as a 3."),
    "learn.either.tile": Message("-# A tile with a gold star is wild: it counts as 3 or 6."),
    "learn.button.example": Message("Next example"),
    "learn.button.skip": Message("Skip"),
    "learn.button.try": Message("Try it"),
    "learn.title": Message("### {game} · hand {number:number} of {most:number}"),
    "learn.name_it": Message("What is this hand?"),
    "learn.means": Message("-# **{name}**: {what}"),
    "learn.right": Message("✅ Right: **{name}**"),
    "learn.wrong_rank": Message("❌ This is **{name}**, not {chosen}."),
    "learn.wrong_three": Message("❌ {why}. Your hand is **{name}**."),
    "learn.weaker_three": Message("❌ A different three make a stronger hand. This is **{name}**."),
    "learn.missed": Message("❌ There is one: **{hand}**. This is **{name}**."),
    "learn.no_ox": Message("✅ Right, there is none: **{name}**"),
    "learn.ways": Message("-# Other ways to arrange it, the strongest first:"),
    "learn.score": Message(
        "**{right:number} of {most:number} right.**",
    ),
    "learn.stakes": Message("**What you win and lose**"),
    "learn.best_hands": Message("- Best hands: {hands}"),
    "learn.loss": Message("- A loss costs the bet × the **banker's** multiple: up to ×{most}."),
    "learn.loss_points": Message("- A loss costs the points of the **banker's** hand: up to {most:number}."),
    "learn.tips": Message("**Tips**\n{tips}"),
    "learn.ready": Message("You are ready."),
    "learn.again": Message("Try five more, or read how to play first."),
    "learn.then_play": Message("Press **Play now** for a real round."),
    "learn.then_join": Message("{table} is open here: press **Play now** to play there."),
    "learn.then_play_elsewhere": Message(
        "Play a real round now: type **{command}** in a channel on your server."
    ),
    "learn.button.next": Message("Next hand"),
    "learn.button.result": Message("See your result"),
    "learn.button.again": Message("Five more"),
    "learn.button.play": Message("Play now"),
    "help.no_table": Message("There is no table here. Open one with `/table open`."),
    "help.play_house": Message("Or play against the house at once: `/play`."),
    "help.play_house_here": Message("Or press **Play the house** to start at once."),
    "help.other_tables": Message(
        "`/table list` shows the other open table.",
        "`/table list` shows the {count:number} other open tables.",
        "count",
    ),
    "help.join": Message("Press **Join** to play, or **Take the bank** to play against everybody."),
    "help.join_for_roll": Message("Press **Join** to take a seat. Dice pick the banker."),
    "help.join_for_house": Message("Press **Play the house** to start, or **Join** to take a seat."),
    "help.join_with_bet": Message("Bets are open. Press **Join**, or pick an amount on the board."),
    "help.join_for_points": Message("Press **I'm in** to take a seat and get a hand."),
    "help.join_later": Message("A round is on. Press **Join** to play in the next one."),
    "help.side_bet": Message("Or bet on a player's hand: press **Back a player**."),
    "help.roll": Message("Press **Roll for the bank**: the dice pick the banker."),
    "help.bet": Message("You have seat {seat}. Press **My panel** to bet, or type `/bet`."),
    "help.play": Message("You have seat {seat}. Press **I'm in** to get a hand."),
    "help.has_bet": Message("You have bet {stake:chips}. Hands are dealt when everybody has bet."),
    "help.is_in": Message("You are in. Hands are dealt when everybody is in."),
    "help.next_round": Message("A round is on. Play in the next one."),
    "help.reveal": Message("Your hand is dealt. Press **{button}** to see it, then **Reveal**."),
    "help.revealed": Message("Your hand is revealed. You'll see the result when everybody has revealed."),
    "help.bank_waits": Message("You are the banker. Wait for bets: hands are dealt when everybody has bet."),
    "help.bank_waits_points": Message(
        "You are the banker. Wait for players: hands are dealt when everybody is in."
    ),
    "help.bank_deals": Message(
        "You are the banker. Press **Deal** on **My panel** to start, or wait for more players."
    ),
    "help.bank_stops": Message("To stop, press **My panel**, open **More…** and pick **Give up the bank**."),
    "help.broke": Message("You have too few chips to bet."),
    "help.ask_for_gift": Message("Anybody can give you some with `/give`."),
    "help.points_here": Message("Or play for points, which needs no chips: choose points in `/table open`."),
    "help.points_pressed": Message("Or press **Play for points**, which needs no chips."),
    "help.points_elsewhere": Message(
        "Or play for points, which needs no chips: choose points in `/table open`, in another channel."
    ),
    "help.board_here": Message("Table {number} is in this channel: {link}"),
    "help.board": Message("Table {number} is here: {link}"),
    "help.more": Message(
        "-# `/learn` teaches the game, `/rules show` explains it; `/wallet` shows your chips, `/profile` "
        "what you have won."
    ),
    "help.more_by_message": Message("-# `/hand` shows your hand, and `/wallet` shows your chips."),
    "help.managing": Message(
        "-# 🛠️ You manage this server: `/house show`, `/bank grant`, `/bank audit`, `/table schedule`, "
        "`/table kick`, `/house ban`, `/tournament open`, `/house season start`."
    ),
    "welcome.text": Message(
        "## 🐂 Ready to play?\n"
        "Play {games} here: five cards or tiles each, against one banker. On your own, you play the "
        "house.\n"
        "**Open a table** opens {first}; for another game, choose it in `/table open`.\n"
        "Everybody starts with free chips: play money, never bought, never cashed out.\n"
        "New to the game? `/learn` has examples and five hands to try, and `/help` says what to do now."
    ),
    "welcome.button.open": Message("Open a table"),
    "welcome.button.house": Message("House rules"),
}
