"""Messages about a member's chips and points, gifts and handouts, and about what is stored about them."""

from typing import Final

from bot.words.catalogue.message import Message

MEMBERS: Final = {
    "amount.digits": Message("1,234.5"),
    "luck.above": Message("{deviations} above"),
    "luck.below": Message("{deviations} below"),
    "luck.better": Message(
        "luckier than {share:number} in {of:number} people: {judged} ({deviations} standard deviations above)"
    ),
    "luck.worse": Message(
        "unluckier than {share:number} in {of:number} people: {judged} "
        "({deviations} standard deviations below)"
    ),
    "luck.usual": Message("nothing unusual"),
    "luck.unusual": Message("unusual"),
    "luck.rare": Message("very rare"),
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
    "amount.percent": Message("{amount}%"),
    "amount.percent_below": Message("less than {amount}%"),
    "amount.either": Message("{some} or {last}"),
    "amount.comma": Message(", "),
    "reason.opening_chips": Message("Opening chips"),
    "reason.bankroll": Message("Bankroll of the house"),
    "reason.daily": Message("Daily chips"),
    "reason.relief": Message("Relief"),
    "reason.erased": Message("Erased"),
    "reason.gift": Message("Gift"),
    "reason.season": Message("New start after a season"),
    "reason.entry": Message("Entered a tournament"),
    "reason.entry_returned": Message("Entry returned"),
    "reason.prize": Message("Prize of a tournament"),
    "reason.granted": Message("From an admin"),
    "reason.taken": Message("Taken by an admin"),
    "reason.bet_held": Message("Held for a bet"),
    "reason.bank_held": Message("Held for the bank"),
    "reason.bet_returned": Message("Bet returned"),
    "reason.bank_returned": Message("Bank chips returned"),
    "reason.player_won": Message("Player beat the bank"),
    "reason.banker_won": Message("Bank beat the player"),
    "reason.side_bet_won": Message("Side bet beat the bank"),
    "reason.side_bet_lost": Message("Bank beat the side bet"),
    "reason.points_won": Message("Player beat the bank, for points"),
    "reason.points_lost": Message("Bank beat the player, for points"),
    "entry.note": Message("{why}: “{note:name}”"),
    "bank.granted": Message(
        "<@{member}> gets **{chips:chips}**: “{reason:name}”. They have **{owned:number}** now."
    ),
    "bank.taken": Message(
        "**{chips:chips}** taken from <@{member}>: “{reason:name}”. They have **{owned:number}** left."
    ),
    "bank.logged": Message(
        "-# Chips that admins give or take are in <#{channel}> and in the member's ledger."
    ),
    "bank.not_logged": Message(
        "-# Chips that admins give or take are in the member's ledger. Choose a log channel with "
        "`/house set` to find them all in one place."
    ),
    "bank.granted_you": Message(
        "An admin of **{server:name}** gave you **{chips:chips}**: “{reason:name}”. "
        "You have **{owned:number}** now."
    ),
    "bank.taken_you": Message(
        "An admin of **{server:name}** took **{chips:chips}** from you: “{reason:name}”. "
        "You have **{owned:number}** left."
    ),
    "bank.grant_asked": Message(
        "Give <@{member}> **{chips:chips}**? They have {owned:number} now, and all members together "
        "{everybody:number}."
    ),
    "bank.grant_own_asked": Message(
        "Give yourself **{chips:chips}**? You have {owned:number} now, and all members together "
        "{everybody:number}. `/bank audit` shows admins who gave whom."
    ),
    "bank.take_asked": Message("Take **{chips:chips}** from <@{member}>? That is all they have free."),
    "bank.too_few": Message("<@{member}> has {free:chips} free. Chips held at a table can't be taken."),
    "audit.page.weeks": Message("Chips by week"),
    "audit.page.flows": Message("Between members"),
    "audit.page.new": Message("New members"),
    "audit.span": Message("{weeks:number} week", "{weeks:number} weeks", "weeks"),
    "audit.owned": Message("Members have **{chips:chips}** now, held ones included."),
    "audit.sources": Message(
        "In {weeks:number} week: {sources}.", "In {weeks:number} weeks: {sources}.", "weeks"
    ),
    "audit.gifts": Message("They gave each other {chips:chips}, which changes nothing here."),
    "audit.grant": Message("- <t:{at}:d> {admin} gave {who} **{chips:chips}**"),
    "audit.take": Message("- <t:{at}:d> {admin} took **{chips:chips}** from {who}"),
    "audit.some_admin": Message("An admin"),
    "audit.grants": Message(
        "By admins, {count:number} time:", "By admins, {count:number} times, the largest first:", "count"
    ),
    "audit.house": Message("From the house's games"),
    "audit.part.0": Message("opening chips"),
    "audit.part.1": Message("daily chips and relief"),
    "audit.part.2": Message("given and taken by admins, or at a season's end"),
    "audit.part.3": Message("won from the house, lost to it, tournaments, erased"),
    "audit.alt": Message(
        "A line: the chips of all members, {then:number} before the first week and {now:number} now. "
        "Below it, bars of what came and went each week. The text has every figure."
    ),
    "audit.shorter": Message(
        "Only {weeks:number} week: this server has too much in it for more.",
        "Only {weeks:number} weeks: this server has too much in it for more.",
        "weeks",
    ),
    "audit.flows_how": Message(
        "Facts, no verdicts: mistakes in arranging hands, and gifts among friends, happen. The exact odds of "
        "every bet say what chance explains. If chance alone decides, at most one audit in a hundred marks a "
        "pair: “more than chance explains” ({pairs:number} pair compared). "
        "Pairs without a mark are only the largest.",
        "Facts, no verdicts: mistakes in arranging hands, and gifts among friends, happen. The exact odds of "
        "every bet say what chance explains. If chance alone decides, at most one audit in a hundred marks a "
        "pair: “more than chance explains” ({pairs:number} pairs compared). "
        "Pairs without a mark are only the largest.",
        "pairs",
    ),
    "audit.pair": Message("**{place}. {one} → {other}: {chips:chips}**"),
    "audit.by": Message(
        "{count:number} round: bets {bets:signed}, side bets {side:signed} · gifts {gifts:signed}",
        "{count:number} rounds: bets {bets:signed}, side bets {side:signed} · gifts {gifts:signed}",
        "count",
    ),
    "audit.within": Message(
        "{ahead:signed} beyond the expected, {deviations} standard deviations: chance explains it"
    ),
    "audit.beyond": Message(
        "{ahead:signed} beyond the expected, {deviations} standard deviations: **more than chance explains**"
    ),
    "audit.weaker": Message(
        "{who} played {weaker:number} of {of:number} hands weaker than they could; against others "
        "{others:number} of {of_others:number}"
    ),
    "audit.arranged": Message("Weaker hands moved {arranged:signed}"),
    "audit.mistakes": Message("**More weaker hands against the other than chance explains**"),
    "audit.rounds": Message("Most in: {rounds}"),
    "audit.new_how": Message(
        "Members who got their opening chips in these weeks, and gave at least half of all chips they were "
        "handed to one other: by gifts, or by weaker hands than they had. Facts, no verdicts."
    ),
    "audit.fed": Message(
        "**{who}** got {chips:chips} from {count:number} new member:",
        "**{who}** got {chips:chips} from {count:number} new members:",
        "count",
    ),
    "audit.newcomer": Message(
        "- {who}: {given:number} of {handed:number} · gifts {gifts:signed}, weaker hands {arranged:signed}"
    ),
    "audit.gifts_on": Message("Gifts: {gifts}"),
    "audit.nothing": Message("Nothing to show."),
    "bank.no_reason": Message("Give a reason in a few words: the member reads it."),
    "gift.given": Message("<@{giver}> gives <@{receiver}> **{chips:chips}**."),
    "gift.left": Message("You have {left:chips} left."),
    "gift.note": Message("“{note:name}”"),
    "gift.from": Message("Gift from {other}"),
    "gift.to": Message("Gift to {other}"),
    "gift.off": Message("Gifts are turned off in this server."),
    "gift.to_oneself": Message("You can't give chips to yourself."),
    "gift.to_bot": Message("Bots have no wallet. Choose a person."),
    "gift.to_stranger": Message("Chips stay in this server. Choose one of its members."),
    "gift.given_enough": Message("You can still give {left:chips} today. The limit resets <t:{resets}:R>."),
    "gift.given_all": Message("You have reached today's limit for gifts. It resets <t:{resets}:R>."),
    "gift.got_enough": Message(
        "<@{receiver}> can still get {left:chips} in gifts today. The limit resets <t:{resets}:R>."
    ),
    "gift.got_all": Message("<@{receiver}> can't get any more gifts today. The limit resets <t:{resets}:R>."),
    "gift.to_banned": Message("<@{receiver}> can't get chips here."),
    "gift.too_large": Message(
        "You can't give {chips:chips}: you have {free:chips} free. Chips held at a table can't be given."
    ),
    "gift.costs": Message(
        "Give <@{receiver}> **{chips:chips}**? You'll have {left:number} left.\n"
        "With fewer than {below:chips}, `/daily` brings you back to {usual:number}. For a day after this "
        "gift, it brings you only to {relief:number}."
    ),
    "gift.costs_all": Message(
        "Give <@{receiver}> **{chips:chips}**? You'll have {left:number} left.\n"
        "With fewer than {below:chips}, `/daily` brings you back to {usual:number}. For a day after this "
        "gift, it does not."
    ),
    "gift.daily_stays": Message("Your daily chips stay the same."),
    "gift.outdated": Message("That question is too old. Use `/give` again."),
    "button.give": Message("Give {chips:chips}"),
    "button.grant": Message("Give {chips:chips}"),
    "button.take": Message("Take {chips:chips}"),
    "daily.given": Message("🎁 You get **{chips:chips}**, and have **{owned:number}** now."),
    "daily.bonus": Message("{streak:number} times in a row! That includes a bonus of {bonus:chips}."),
    "daily.come_back": Message("Come back <t:{at}:R> for **{chips:chips}**."),
    "daily.come_back_for_bonus": Message(
        "Come back <t:{at}:R> for **{chips:chips}** · bonus ends <t:{until}:R>"
    ),
    "daily.next": Message("-# Your next daily chips are ready <t:{at}:R>."),
    "daily.later": Message("Not yet. Your next `/daily` chips are ready <t:{at}:R>. You have {owned:chips}."),
    "daily.too_poor": Message("`/daily` gives you chips <t:{at}:R>."),
    "daily.too_poor_before": Message(
        "`/daily` brings you back to {to:chips} <t:{at}:R>, before your daily chips."
    ),
    "daily.too_poor_now": Message("`/daily` gives you {chips:chips} now."),
    "daily.press": Message("Press **Get chips**: it gives you {chips:chips}."),
    "daily.off": Message("`/daily` is turned off in this server."),
    "button.remind": Message("Remind me of chips"),
    "button.daily_off": Message("Stop reminders"),
    "button.take_daily": Message("Take chips"),
    "remind.on": Message("I'll message you each time your daily chips are ready."),
    "remind.ready": Message("Your daily chips in **{server:name}** are ready: {chips:chips}."),
    "remind.off": Message("You get no more of these messages."),
    "button.tell": Message("Tell me of tables here"),
    "button.table_off": Message("Stop messages"),
    "tell.on": Message(
        "I'll message you when a table opens in this channel, or somebody starts to play at an empty one: "
        "at most once in {hours:number} hours."
    ),
    "tell.opened": Message("There is a table to play at: {place}"),
    "button.unschedule": Message("Cancel"),
    "schedule.once": Message("📅 {game} opens in <#{channel}> on <t:{at}:F>, <t:{at}:R>."),
    "schedule.weekly": Message(
        "📅 {game} opens in <#{channel}> every week at {clock} ({zone}): next on <t:{at}:F>, <t:{at}:R>."
    ),
    "schedule.event": Message("A table opens in <#{channel}>. Everybody can play."),
    "schedule.none": Message("No table is scheduled."),
    "modal.schedule_time": Message("Time"),
    "modal.schedule_zone": Message("By the clock in {zone}. For another, use “{option}” of the command."),
    "modal.schedule_day": Message("First day"),
    "modal.schedule_repeat": Message("How often"),
    "modal.schedule_game": Message("Game"),
    "modal.schedule_play": Message("Played for"),
    "schedule.cancelled": Message("This table is cancelled."),
    "schedule.cancelled_weekly": Message(
        "This weekly table is cancelled. A table that is open already stays."
    ),
    "schedule.opened": Message("📅 {game} opened in <#{channel}> on <t:{at}:F>."),
    "schedule.not_opened": Message("📅 {game} did not open in <#{channel}> on <t:{at}:F>."),
    "schedule.is_open": Message(
        "The table is open already, so nothing was cancelled. `/table close` closes it."
    ),
    "schedule.is_gone": Message("This table isn't scheduled any more, so nothing was cancelled."),
    "schedule.too_many": Message("{most:number} tables are scheduled here, the most. Cancel one first."),
    "schedule.ask_zone": Message(
        "**{clock}** in which time zone? Pick yours: I remember it for this server.\n"
        "-# Is it not in the list? Choose it as “{zone}” in the command."
    ),
    "schedule.pick_zone": Message("Time zone, and what time it is…"),
    "schedule.no_time": Message("I don't understand that time. Write it like 20:00."),
    "schedule.no_day": Message("I don't understand that day. Pick one, or write it like 2026-12-31."),
    "schedule.not_then": Message("That time is over, or more than a year away. Choose another one."),
    "schedule.refused.channel": Message(
        "I couldn't open the scheduled table in <#{channel}>: the channel is gone, or I may not write there."
    ),
    "schedule.refused.not_allowed": Message(
        "I couldn't open the scheduled table in <#{channel}>: the house rules allow no tables there."
    ),
    "schedule.refused.taken": Message(
        "I didn't open the scheduled table in <#{channel}>: another one is open there."
    ),
    "schedule.refused.maintenance": Message(
        "I couldn't open the scheduled table in <#{channel}>: there was maintenance."
    ),
    "schedule.refused.banned": Message(
        "I couldn't open the scheduled table in <#{channel}>: who scheduled it is banned from playing there."
    ),
    "schedule.refused.late": Message(
        "I didn't open the scheduled table in <#{channel}>: I was not online within an hour of its time."
    ),
    "schedule.beside": Message(
        "⚠️ Another table is scheduled in <#{channel}> for the same time: only one can open. "
        "`/table schedule` cancels one."
    ),
    "weekday.0": Message("Monday"),
    "weekday.1": Message("Tuesday"),
    "weekday.2": Message("Wednesday"),
    "weekday.3": Message("Thursday"),
    "weekday.4": Message("Friday"),
    "weekday.5": Message("Saturday"),
    "weekday.6": Message("Sunday"),
    "button.break_1": Message("Pause a day"),
    "button.break_7": Message("Pause a week"),
    "button.break_30": Message("Pause a month"),
    "break.ask": Message(
        "**Take a break?** Until it ends, you can't play or give chips in this server, and **you can't undo "
        "it**. Bets go back to you; a dealt hand is played out. Nobody else is told."
    ),
    "break.longer": Message("Your break ends <t:{until}:f>. You can make it longer, but not shorter."),
    "break.sure": Message(
        "**You won't be able to play until <t:{until}:f>**, and you can't undo it. Begin this break?"
    ),
    "break.begun": Message("Your break has begun. You can play again from <t:{until}:f>."),
    "button.loss": Message("Limit my losses"),
    "modal.loss": Message("Limit my losses"),
    "modal.loss_chips": Message("The most you can lose a day"),
    "modal.loss_how": Message("Lower: at once. Higher, or empty for no limit: from tomorrow on."),
    "loss.now": Message(
        "**Your limit**: you can lose {chips:chips} a day at most, {left:number} more today."
    ),
    "loss.then": Message("From <t:{at}:f>: {chips:chips}."),
    "loss.then_none": Message("It ends <t:{at}:f>."),
    "loss.none": Message("You have no limit now."),
    "loss.how": Message(
        "-# What a bet can lose counts until it is settled. Bets that are down stay. The day begins at "
        "<t:{at}:t>. Nobody else is told, but while you bank, the room for bets can show it."
    ),
    "barred.break": Message("You are taking a break. You can play again <t:{until}:R>."),
    "barred.ban": Message("You are banned from playing here. Ask an admin of this server about it."),
    "barred.ban_until": Message(
        "You are banned from playing here until <t:{until}:f>. Ask an admin of this server about it."
    ),
    "barred.reason": Message("The reason: “{reason:name}”."),
    "ban.asked": Message("Ban <@{member}> from playing here?"),
    "ban.asked_until": Message("Ban <@{member}> from playing here until <t:{until}:f>?"),
    "button.ban": Message("Ban"),
    "ban.done": Message("<@{member}> is banned from playing here."),
    "ban.done_until": Message("<@{member}> is banned from playing here until <t:{until}:f>."),
    "ban.plays_out": Message("They play out their dealt hand first."),
    "ban.entry_back": Message("Their entry to the tournament in <#{channel}> goes back: {chips:chips}."),
    "ban.entry_stays": Message(
        "They are out of the tournament in <#{channel}>, and their entry stays in its pot."
    ),
    "ban.lifted": Message("{who} can play here again."),
    "ban.not_banned": Message("<@{member}> isn't banned."),
    "ban.yourself": Message("You can't ban yourself. `/break` lets you take a break."),
    "ban.you": Message(
        "You are banned from playing in **{server:name}**. The reason: “{reason:name}”. "
        "If you have a question, ask <@{admin}>."
    ),
    "ban.you_until": Message(
        "You are banned from playing in **{server:name}** until <t:{until}:f>. The reason: “{reason:name}”. "
        "If you have a question, ask <@{admin}>."
    ),
    "ban.you_lifted": Message("You can play in **{server:name}** again: your ban is lifted."),
    "ban.list": Message("**Banned from playing**"),
    "ban.pick_unban": Message("Let play again…"),
    "ban.ask_unban": Message("Let this member play again?"),
    "button.unban": Message("Let play again"),
    "button.keep_ban": Message("Keep the ban"),
    "ban.none": Message("Nobody is banned."),
    "ban.since": Message("{who} since <t:{at}:f>"),
    "ban.until": Message("until <t:{until}:f>"),
    "ban.by": Message("by {who}"),
    "relief.if_fewer": Message(
        "-# If you have fewer than {below:chips} before that, `/daily` brings you back to {to:number}."
    ),
    "relief.if_fewer_later": Message(
        "-# If you have fewer than {below:chips} <t:{at}:R>, `/daily` brings you back to {to:number}."
    ),
    "relief.in_play": Message(
        "-# You have {chips:chips} in play. Until the round is over, `/daily` does not bring you back to "
        "{to:number}."
    ),
    "relief.in_tournament": Message(
        "-# You have {chips:chips} in a tournament. Until it is over, `/daily` does not bring you "
        "back to {to:number}."
    ),
    "relief.less": Message(
        "-# {chips:chips} less than usual, because you gave that much away in the last day."
    ),
    "relief.after_gift": Message("-# You wait longer because you gave chips away in the last day."),
    "relief.only": Message(
        "With fewer than {below:chips}, `/daily` brings you back to {to:number}. You have {owned:number}."
    ),
    "relief.only_later": Message(
        "With fewer than {below:chips} <t:{at}:R>, `/daily` brings you back to {to:number}. "
        "You have {owned:number}."
    ),
    "relief.not_now": Message("`/daily` can't bring you back to {to:number} right now. Try again later."),
    "books.code": Message(
        "📒 This server's books at <t:{at}:f>: `{head}`, after {links:number} entry.\n"
        "-# Keep this code. If somebody changes the books later, it no longer matches.",
        "📒 This server's books at <t:{at}:f>: `{head}`, after {links:number} entries.\n"
        "-# Keep this code. If somebody changes the books later, it no longer matches.",
        "links",
    ),
    "privacy.title": Message("## What I store about you"),
    "privacy.server": Message("### {server:name}"),
    "privacy.identity": Message(
        "- Your Discord ID, your name **{name:name}** and your language `{locale}`: to show you at "
        "tables and to send you your hands."
    ),
    "privacy.chips": Message(
        "- Your chips: **{free:number}** free, **{held:number}** held at tables. Your score: **{points}**."
    ),
    "privacy.entries": Message(
        "- {count:number} line of your ledger: see `/ledger`.",
        "- {count:number} lines of your ledger: see `/ledger`.",
        "count",
    ),
    "privacy.words": Message(
        "- {count:number} text that you added with `/seed`: so that rounds can be verified.",
        "- {count:number} texts that you added with `/seed`: so that rounds can be verified.",
        "count",
    ),
    "privacy.reasons": Message(
        "- {count:number} reason that you wrote as an admin, for chips or a ban.",
        "- {count:number} reasons that you wrote as an admin, for chips or a ban.",
        "count",
    ),
    "privacy.house_changes": Message(
        "- {count:number} change that you made to the house rules: see `/house history`.",
        "- {count:number} changes that you made to the house rules: see `/house history`.",
        "count",
    ),
    "privacy.messages": Message(
        "- The channel of your direct messages with me, and whether you accept them."
    ),
    "privacy.standings": Message(
        "- Your rounds added up, by game, hand, day, week, month and season: for leaderboards and your "
        "profile."
    ),
    "privacy.achievements": Message("- Your achievements, and how far you are with the next ones."),
    "privacy.is_hidden": Message("- That you are hidden from leaderboards."),
    "privacy.plans": Message(
        "- What you asked me for: reminders, scheduled tables, a break or a limit of loss; and which roles "
        "I gave you."
    ),
    "privacy.ban": Message("- That you are banned from playing here, and why."),
    "privacy.finds_ox": Message("- Your choice to find the three of your ox yourself."),
    "privacy.squeezes": Message(
        "- Your choice to squeeze: to keep your last card or tile face down until you look."
    ),
    "privacy.rounds": Message(
        "- Your bets and hands in past rounds, under a random number. Only this entry links that number to "
        "you."
    ),
    "privacy.rights": Message(
        "-# `/privacy export` sends you all of it as a file. `/privacy erase` deletes it. Nothing is shared."
    ),
    "privacy.nothing": Message("I store nothing about you here."),
    "privacy.exported": Message("This is everything I store about you here. Only you can see this message."),
    "privacy.erase": Message(
        "**Erase your data{where}?** Your name, Discord ID and `/seed` words are deleted for good, "
        "and the house gets your {chips:chips}. Past rounds stay, with “Deleted member” as your "
        "name. If you play again within 90 days, you start without chips, and `/daily` gives none. "
        "You can't undo this."
    ),
    "privacy.in_server": Message(" in {server:name}"),
    "privacy.everywhere": Message(" in every server"),
    "privacy.erase_now": Message("Erase my data"),
    "privacy.keep": Message("Keep it"),
    "privacy.kept": Message("Nothing was erased."),
    "privacy.erased": Message(
        "Your data is erased, and {chips:chips} went to the house. If you play again within 90 days, "
        "you start without chips, and `/daily` gives none. Files of rounds that somebody saved "
        "earlier still have your data."
    ),
    "privacy.at_a_table": Message(
        "Leave table {tables} first, and take back your bets there. Then erase your data."
    ),
    "privacy.later": Message("Your data will be erased within an hour. Until then you can't play here."),
    "privacy.not_now": Message(
        "Your data can't be erased right now, and nothing has changed. Try again in a few minutes."
    ),
    "privacy.not_all": Message("In {server:name}: {why}"),
    "achievement.first_win": Message("First Moo"),
    "achievement.first_win.what": Message("First win"),
    "achievement.every_game": Message("The Whole Herd"),
    "achievement.every_game.what": Message("Won in all three games"),
    "achievement.five_dukes": Message("High Society"),
    "achievement.five_dukes.what": Message("Won with Five Dukes"),
    "achievement.five_small": Message("Small Wonder"),
    "achievement.five_small.what": Message("Won with Five Small"),
    "achievement.up_the_sleeve": Message("Up the Sleeve"),
    "achievement.up_the_sleeve.what": Message("Won with Ngau Tonku"),
    "achievement.boom": Message("Boom!"),
    "achievement.boom.what": Message("Won with a Bomb"),
    "achievement.full_bloom": Message("In Full Bloom"),
    "achievement.full_bloom.what": Message("Won with Five Flowers"),
    "achievement.best_number": Message("Top Marks"),
    "achievement.best_number.what": Message("Won with the best number: Ox of 10, Niu Niu or score 9"),
    "achievement.lowest_number": Message("Just Enough"),
    "achievement.lowest_number.what": Message("Won with the lowest number: a 1, or a score of 0"),
    "achievement.no_ox": Message("Look, No Ox!"),
    "achievement.no_ox.what": Message("Won with No Niu against No Niu"),
    "achievement.higher_card": Message("By a Whisker"),
    "achievement.higher_card.what": Message("Won between equal hands, by the higher card alone"),
    "achievement.giant": Message("Giant Slayer"),
    "achievement.giant.what": Message("Beat a banker's hand that pays 5 times the bet or more"),
    "achievement.only_winner": Message("Lone Ox"),
    "achievement.only_winner.what": Message("Was the only one of four or more players to win"),
    "achievement.streak": Message("Unstoppable"),
    "achievement.streak.what": Message("Beat the bank ten times in a row"),
    "achievement.stubborn": Message("Stubborn as an Ox"),
    "achievement.stubborn.what": Message("Lost seven rounds in a row, and won the next"),
    "achievement.sweep": Message("Clean Sweep"),
    "achievement.sweep.what": Message("As banker, beat four or more players at once"),
    "achievement.steady_bank": Message("Safe as a Bank"),
    "achievement.steady_bank.what": Message("Banked 100 rounds without going bust"),
    "achievement.bank_broken": Message("Bank Breaker"),
    "achievement.bank_broken.what": Message("Won the round that broke the bank"),
    "achievement.good_nose": Message("Good Nose"),
    "achievement.good_nose.what": Message("Backed a hand that won 5 times the bet or more"),
    "achievement.every_day": Message("Creature of Habit"),
    "achievement.every_day.what": Message("Played on seven days in a row"),
}
