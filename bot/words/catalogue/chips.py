"""Messages about amounts of chips and points, why chips moved, and gifts."""

from typing import Final

from bot.words.catalogue.message import Message

AMOUNTS: Final = {
    "amount.chips": Message("{amount:number} chip", "{amount:number} chips", "amount"),
    "amount.currency": Message("{amount:number} {currency}"),
    "amount.gain": Message("+{amount:number}"),
    "amount.loss": Message("\N{MINUS SIGN}{amount:number}"),
    "amount.even": Message("±0"),
    "amount.points_gain": Message("+{amount:number} point", "+{amount:number} points", "amount"),
    "amount.points_loss": Message(
        "\N{MINUS SIGN}{amount:number} point", "\N{MINUS SIGN}{amount:number} points", "amount"
    ),
    "amount.points_even": Message("±0 points"),
    "amount.percent": Message("{amount}\N{NO-BREAK SPACE}%"),
    "amount.either": Message("{some} or {last}"),
    "amount.comma": Message(", "),
}

REASONS: Final = {
    "reason.opening_chips": Message("Opening chips"),
    "reason.bankroll": Message("Bankroll of the house"),
    "reason.daily": Message("Daily chips"),
    "reason.relief": Message("Relief"),
    "reason.erased": Message("Erased"),
    "reason.gift": Message("Gift"),
    "reason.bet_held": Message("Held for a bet"),
    "reason.bank_held": Message("Held for the bank"),
    "reason.bet_returned": Message("Bet returned"),
    "reason.bank_returned": Message("Bank returned"),
    "reason.player_won": Message("Player beat the bank"),
    "reason.banker_won": Message("Bank beat the player"),
    "reason.side_bet_won": Message("Side bet beat the bank"),
    "reason.side_bet_lost": Message("Bank beat the side bet"),
    "reason.points_won": Message("Player beat the bank, for points"),
    "reason.points_lost": Message("Bank beat the player, for points"),
}

GIFTS: Final = {
    "gift.given": Message("<@{giver}> gives <@{receiver}> **{chips:chips}**."),
    "gift.note": Message("“{note:name}”"),
    "gift.from": Message("Gift from {other}"),
    "gift.to": Message("Gift to {other}"),
    "gift.off": Message("Gifts are turned off in this server."),
    "gift.to_oneself": Message("You can't give chips to yourself."),
    "gift.to_bot": Message("Bots have no wallet. Choose a person."),
    "gift.to_stranger": Message("Chips stay in this server. Choose one of its members."),
    "gift.given_enough": Message("You can give {left:chips} more today. A new day starts <t:{resets}:R>."),
    "gift.given_all": Message("You have reached today's limit for gifts. A new day starts <t:{resets}:R>."),
    "gift.got_enough": Message(
        "<@{receiver}> can get {left:chips} more in gifts today. A new day starts <t:{resets}:R>."
    ),
    "gift.got_all": Message("<@{receiver}> can't get more gifts today. A new day starts <t:{resets}:R>."),
    "gift.too_large": Message(
        "You can't give {chips:chips}: you have {free:chips} free. Chips held at a table can't be given."
    ),
}

HANDOUTS: Final = {
    "daily.given": Message("You get **{chips:chips}**. Come back for more <t:{at}:R>."),
    "daily.bonus": Message("{streak:number} times in a row! Your bonus of {bonus:chips} is included."),
    "daily.next_bonus": Message("-# Come back by <t:{until}:f> to get {bonus:chips} extra."),
    "daily.next": Message("-# Your daily chips come <t:{at}:R>."),
    "daily.later": Message("Not yet. Your next `/daily` chips come <t:{at}:R>."),
    "daily.too_poor": Message("Use `/daily` to get chips, or to see when you can."),
    "daily.off": Message("`/daily` is turned off in this server."),
    "relief.given": Message("You had too few chips to bet. You get **{chips:chips}** to play on."),
    "relief.if_broke": Message("-# If you run out of chips before that, use `/daily` again."),
    "relief.if_broke_later": Message("-# If you run out of chips before that, `/daily` helps <t:{at}:R>."),
    "relief.after_gift": Message("-# After giving chips, you get no relief for a day."),
    "relief.only": Message("`/daily` is for members with too few chips to bet. You have {owned:chips}."),
}
