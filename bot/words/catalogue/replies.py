"""Messages that answer one member: what is wrong with a press or a command, and what was done."""

from typing import Final

from bot.words.catalogue.message import Message

REPLIES: Final = {
    "reply.house_takes_no_more": Message("The house takes no more; a member who banks may."),
    "reply.table_closed": Message("That table is closed. Open another with `/table open`."),
    "reply.maintenance": Message(
        "Maintenance: new rounds begin again <t:{until}:R>. Rounds that are on are played to the end."
    ),
    "reply.open_needs_role": Message(
        "Only members with <@&{role}> can open tables here. `/table list` shows those that are open."
    ),
    "reply.opened_lately": Message(
        "You opened a table a short while ago. You can open the next one <t:{at}:R>."
    ),
    "reply.server_blocked": Message("The bot's owner has turned it off in this server."),
    "announcement.from": Message("A message from the bot's owner to all servers"),
    "reply.books_closed": Message("Chips can't be moved right now. Check the board, then try again."),
    "reply.failed": Message(
        "Something went wrong; the bot's owner can see it in the log. "
        "The board and `/wallet` are still right."
    ),
    "reply.not_allowed": Message("You need the permission **Manage Server** for this."),
    "reply.only_in_server": Message("Use this in a server."),
    "reply.wrong_option": Message("“{value}” doesn't work here. Pick one of the suggestions."),
    "reply.not_whole": Message("Type a whole number, not {value}."),
    "reply.outdated_command": Message("That command has changed. Type it again in a minute."),
    "reply.outdated_component": Message("That button is from an older version. Use the latest message."),
    "reply.nothing_picked": Message("You picked nothing. Pick something from the menu."),
    "reply.incomplete_modal": Message("That form came back empty. Open it again."),
    "reply.too_late": Message("That took too long, so nothing was changed. Try again."),
    "reply.try_again": Message("Try again in a few seconds."),
    "reply.not_at_that_table": Message("You are not at that table any more. Join it in its channel."),
    "reply.other_server": Message("That table is in another server."),
    "reply.no_such_table": Message("There is no table “{wanted}” here. See `/table list`."),
    "reply.bets_go_back": Message("These bets go back: {bets}."),
    "reply.no_table_here": Message("There is no table in this channel. Open one with `/table open`."),
    "reply.no_table_of_yours": Message("You aren't at a table. Join one in a server channel."),
    "reply.which_table": Message("Which table? {tables:name}. Pick one when you type the command."),
    "reply.no_number": Message("“{text}” is not a number of chips. Type a whole number, 1 or more."),
    "reply.no_stake": Message(
        "“{text}” is not a bet. Type a whole number from {lowest:number} to {most:number}."
    ),
    "reply.number_missing": Message("Type a whole number of chips, such as 25."),
    "reply.more_lines": Message("… and {count:number} more", "… and {count:number} more", "count"),
    "reply.done": Message("Done."),
    "reply.done_board_moved": Message("Done. The board is here now: {link}"),
    "reply.no_hand_here": Message("You haven't had a hand here lately. Play a round to get one."),
    "reply.old_hand": Message("That hand is from an earlier round. Press **My hand** to see your latest."),
    "reply.table_open_here": Message(
        "Table {number} is already open in this channel. For another one, use another channel. {link}"
    ),
    "button.close_and_open": Message("Close it, open {game}"),
    "reply.question_outdated": Message("That question is too old. Use the command again."),
    "reply.removed": Message("<@{member}> is removed from table {number}."),
    "reply.removed_later": Message(
        "<@{member}> plays this round out, and is then removed from table {number}."
    ),
    "removal.asked": Message("Remove <@{member}> from table {number}?"),
    "removal.bank": Message("They lose the bank of table {number}."),
    "removal.may_return": Message("They may come back."),
    "removal.you": Message(
        "An admin of **{server:name}** removed you from table {number}. The reason: “{reason:name}”. "
        "You may come back."
    ),
    "removal.you_out": Message(
        "An admin of **{server:name}** removed you from the tournament, so you are out. The reason: "
        "“{reason:name}”."
    ),
    "button.remove": Message("Remove"),
    "reply.not_at_table": Message("<@{member}> isn't at table {number}."),
    "reply.no_longer_at_table": Message("<@{member}> is no longer at table {number}."),
    "reply.close_others": Message(
        "Close table {number}? It isn't yours, and {count:number} member is there.",
        "Close table {number}? It isn't yours, and {count:number} members are there.",
        "count",
    ),
    "reply.close_played": Message(
        "Close table {number}? That ends an evening of {count:number} round.",
        "Close table {number}? That ends an evening of {count:number} rounds.",
        "count",
    ),
    "reply.table_closes": Message("Table {number} closes after this round."),
    "reply.table_now_closed": Message("Table {number} is closed."),
    "reply.table_now_closed_points": Message("Table {number} is closed. All scores are kept."),
    "reply.settled_before": Message("Round {round:number} was settled before you pressed."),
    "reply.how_it_went": Message("How it went: {link}"),
    "reply.missing_permissions": Message("I can't show a board here. Allow me to {permissions}."),
    "reply.no_tables": Message("No table is open. Open one with `/table open`."),
    "reply.round_just_ended": Message(
        "The round has just ended, so that press did nothing. Press again if you meant it."
    ),
    "reply.waits_for_bank": Message("You bank after {who}, as soon as the bank is free."),
    "reply.bank_after_round": Message("You bank after this round."),
    "reply.your_limits": Message("Your limits: {lowest:number}–{highest:number}."),
    "reply.waits_for_form": Message("Somebody is choosing limits for their bank. You bank after them."),
    "reply.in_queue_until": Message("Your place in the queue ends <t:{until}:R>."),
    "reply.waits_no_longer": Message("You are no longer waiting for the bank."),
    "reply.limits_next": Message("Your limits from the next round on: {lowest:number}–{highest:number}."),
    "reply.bank_given_up": Message("You gave up the bank. You now have seat {seat:number}."),
    "reply.bet_is_back": Message("Your bet is back: {stake:chips}."),
    "reply.bank_is_yours": Message("👑 The bank is yours now, at table {table}."),
    "reply.bank_turn_over": Message("It was your turn to bank at table {table} (<#{channel}>)."),
    "reply.too_many_wait": Message("Ten members are already waiting for this bank. Try again later."),
    "reply.house_leaves_to_dice": Message(
        "Bets are down, so the house gives up the bank after this round. Then dice pick the banker."
    ),
    "reply.dice_pick_now": Message("The bank is free, and dice pick the banker."),
    "reply.bank_went_to": Message("{who} got the bank before you, so your limits don't count."),
    "reply.limits_if_yours": Message("If the bank is yours then: {lowest:number}–{highest:number}."),
    "reply.bet_less": Message("Bet {stake:number}: that is the most you can bet now."),
    "reply.bet_less_by_bank": Message("Bet {stake:number}: the bank has room for no more."),
    "reply.side_bets_returned": Message("You took a seat, so your side bets went back to you."),
    "reply.no_server": Message("You haven't played anywhere yet. Use this in a server."),
    "permission.view_channel": Message("view this channel"),
    "permission.send_messages": Message("send messages"),
    "permission.send_messages_in_threads": Message("send messages in threads"),
    "permission.create_public_threads": Message("create public threads"),
    "permission.attach_files": Message("attach files"),
    "permission.and": Message("{some} and {last}"),
    "language.set": Message("From now on, I'll answer you in English. Boards stay in the server's language."),
    "language.auto": Message("From now on, I'll answer you in the language of your Discord."),
    "language.unknown": Message("I store nothing about you yet. Choose your language in a server first."),
    "wallet.free": Message("**{chips:chips}** free"),
    "wallet.all_free": Message("**{chips:chips}** free, none in bets"),
    "wallet.daily": Message("`/daily` gives you {chips:chips} <t:{at}:R>."),
    "wallet.daily_now": Message("`/daily` gives you {chips:chips} now."),
    "wallet.relief": Message(
        "If you have fewer than {below:chips} <t:{at}:R>, `/daily` brings you back to {to:number}."
    ),
    "wallet.relief_now": Message("With fewer than {below:chips}, `/daily` brings you back to {to:number}."),
    "wallet.relief_in_play": Message(
        "If you have fewer than {below:chips} after the round, `/daily` brings you back to {to:number}."
    ),
    "wallet.relief_in_tournament": Message(
        "If you have fewer than {below:chips} after the tournament, `/daily` brings you back to {to:number}."
    ),
    "wallet.entry": Message("**{chips:chips}** in a tournament, <#{channel}>"),
    "wallet.held": Message(
        "**{chips:chips}** held at table {table}, <#{channel}>: the most you can lose in this round"
    ),
    "wallet.points": Message("**{points}** at tables for points"),
    "wallet.place": Message("🏆 By chips: number {place:number}"),
    "wallet.best": Message("Best hand in {game}: {hand}"),
    "leaderboard.chips": Message("## 🏆 Most chips"),
    "leaderboard.points": Message("## 🏆 Most points"),
    "leaderboard.net": Message("## 🏆 Most chips won"),
    "leaderboard.biggest": Message("## 🏆 Biggest win"),
    "leaderboard.rounds": Message("## 🏆 Most rounds"),
    "leaderboard.best": Message("## 🏆 Best hand"),
    "leaderboard.luck": Message("## 🏆 Most luck"),
    "leaderboard.luck_how": Message(
        "How far above what the exact odds let you expect, in standard deviations: more than 2 is rare; from "
        "{rounds:number} rounds on"
    ),
    "leaderboard.luck_players": Message("All players of this server together · {luck}"),
    "leaderboard.luck_banks": Message("All banks of this server together · {luck}"),
    "leaderboard.as_banker": Message("As banker"),
    "leaderboard.period.all": Message("All time"),
    "leaderboard.period.month": Message("This month"),
    "leaderboard.period.week": Message("This week"),
    "leaderboard.every_game": Message("All games"),
    "leaderboard.by": Message("Rank by…"),
    "leaderboard.game": Message("Which game…"),
    "leaderboard.lately": Message("Who played in the last {days} days"),
    "leaderboard.count_rounds": Message("{count:number} round", "{count:number} rounds", "count"),
    "leaderboard.own": Message("{who} is number {place:number} with {has}"),
    "leaderboard.rival_ahead": Message("{who} is {by:number} ahead"),
    "leaderboard.rival_behind": Message("{who} is {by:number} behind"),
    "leaderboard.rival_level": Message("{who} has just as much"),
    "leaderboard.nobody": Message(
        "Nobody has points here yet. To play for points, choose them in `/table open`."
    ),
    "leaderboard.no_points": Message("{who} has no points here yet"),
    "leaderboard.empty": Message("Nobody is on this leaderboard yet."),
    "leaderboard.not_yet": Message("{who} isn't on this leaderboard yet"),
    "leaderboard.play_a_round": Message("{who} isn't on this leaderboard: play a round to get a place"),
    "leaderboard.stays_empty": Message("Nobody is on this leaderboard."),
    "leaderboard.not_on_it": Message("{who} isn't on this leaderboard"),
    "leaderboard.hidden": Message("You are hidden: others don't see you on leaderboards here."),
    "leaderboard.counting": Message("Older rounds are still being counted."),
    "leaderboard.season": Message("Season…"),
    "leaderboard.season_since": Message("Season {name:name}, since <t:{start}:d>"),
    "leaderboard.season_until": Message("Season {name:name}, <t:{start}:d> – <t:{end}:d>"),
    "season.started": Message("🏁 The season **{name:name}** is on. `/leaderboard` has a board for it."),
    "season.start_asked": Message("**Start the season {name:name}?** Its end resets chips."),
    "button.start_season": Message("Start season"),
    "season.no_date": Message("`/house season end` ends it, and `/house season schedule` sets a date."),
    "season.ends_once": Message("It ends on <t:{at}:F>, <t:{at}:R>."),
    "season.ends_monthly": Message(
        "It ends on <t:{at}:F>, <t:{at}:R>. The next one starts then, every month."
    ),
    "season.will_keep": Message("When it ends, everybody keeps their chips."),
    "season.will_reset": Message("When it ends, everybody has {chips:chips}."),
    "season.today": Message("If it ended today (members: {members:number}): {changes}."),
    "season.would_lose": Message("{losers:number} would lose {lost:chips} in all"),
    "season.would_get": Message("{gainers:number} would get {gained:chips}"),
    "season.role": Message(
        "The first three get the role <@&{role}> then. I take it from those who got it from me before."
    ),
    "season.no_role": Message("To give this role, you and I both need **Manage Roles** and a higher role."),
    "season.is_on": Message("The season **{name:name}** is on. End it first with `/house season end`."),
    "season.none": Message("No season is on. Start one with `/house season start`."),
    "season.no_name": Message("Give the season a name."),
    "season.no_day": Message("This season has no end date yet. Pick a day too."),
    "season.changed": Message("Somebody else has just changed the season. Look at it again."),
    "season.unknown": Message("There is no such season. Pick one from the list."),
    "season.end_asked": Message("**End the season {name:name}?** Its leaderboards stay as they are."),
    "button.end_season": Message("End season"),
    "season.ending": Message(
        "The season **{name:name}** ends as soon as all rounds here are over. No new round starts until then."
    ),
    "season.ends_now": Message("The season is ending. New rounds start once all rounds here are over."),
    "season.over": Message("## 🏁 The season {name:name} is over: most chips won"),
    "season.nobody_won": Message("Nobody on its leaderboard won chips."),
    "season.started_again": Message("Everybody started again with the opening chips."),
    "season.alt": Message("The first of the season on a podium: {figures}"),
    "weekly.title": Message("## 🏆 Most chips won last week"),
    "weekly.up": Message("↑ places up since the week before"),
    "weekly.alt": Message("The first of the week on a podium: {figures}"),
    "profile.picture": Message(
        "Above: chips over time, then an example of each kind of hand, in this order:"
    ),
    "profile.chips": Message("**{owned:chips}** now · **{net:signed}** by playing"),
    "profile.rounds": Message(
        "🎴 {count:number} round, {won:number} won", "🎴 {count:number} rounds, {won:number} won", "count"
    ),
    "profile.biggest": Message("Biggest win in a round: {chips:chips}"),
    "profile.bank": Message("👑 {count:number} of them as banker, {won:number} won: {net:signed}"),
    "profile.day": Message("⭐ Best day (UTC): {net:signed} on <t:{at}:D>"),
    "profile.days": Message("🗓️ Days in a row: {now:number} now, {most:number} at most"),
    "profile.points": Message(
        "**{points}** at tables for points. The rounds above include these; the chips don't."
    ),
    "profile.hand": Message("{hand}: won {won:number} of {count:number}, {net:signed}"),
    "profile.side_bets": Message("Side bets"),
    "profile.never": Message("There are no finished rounds of {who:name} here yet."),
    "profile.counting": Message("Rounds are still being counted. Try again in a minute."),
    "profile.bot": Message("{who:name} is a bot, and has no profile."),
    "profile.is_hidden": Message("{who:name} doesn't show their profile."),
    "profile.hidden": Message("You are hidden: only you see this profile."),
    "profile.alt": Message(
        "{who}: chips over time, from {first:number} to {now:number}, at most {most:number}. "
        "Hands, without side bets: {hands}"
    ),
    "entry.none": Message("Your ledger here is empty: no chips have come or gone yet."),
    "entry.none_of": Message("There is nothing of this kind in your ledger here."),
    "entry.which_server": Message("Which server?"),
    "entry.more_servers": Message("The menu has {most:number} servers. In any other, use `/ledger` there."),
    "entry.of": Message("What to list…"),
    "entry.banked": Message("As banker against {others}"),
    "entry.player_won": Message("You beat {other}"),
    "entry.banker_won": Message("You lost to {other}"),
    "entry.side_bet_won": Message("Your side bet beat {other}"),
    "entry.side_bet_lost": Message("Your side bet lost to {other}"),
    "entry.owned": Message("{line} → **{owned:number}**"),
    "entry.table": Message("table {number}"),
    "entry.round": Message("round {number}"),
    "entry.pushes": Message("A push moves no chips, so it has no line here."),
    "button.newer": Message("Newer"),
    "button.older": Message("Older"),
    "button.csv": Message("Get CSV file"),
    "csv.all": Message(
        "Your whole ledger, newest first: {count:number} line, times in UTC.",
        "Your whole ledger, newest first: {count:number} lines, times in UTC.",
        "count",
    ),
    "csv.part": Message(
        "{part}, newest first: {count:number} line, times in UTC.",
        "{part}, newest first: {count:number} lines, times in UTC.",
        "count",
    ),
    "csv.last": Message(
        "The last {count:number} lines, newest first, times in UTC. `/privacy export` has all of them."
    ),
    "csv.at": Message("Time"),
    "csv.chips": Message("Change"),
    "csv.owned": Message("Chips after it"),
    "csv.why": Message("Why"),
    "csv.table": Message("Table"),
    "csv.round": Message("Round"),
    "csv.other": Message("With"),
    "csv.note": Message("Note"),
    "list.bank": Message("banker {who}"),
    "list.no_bank": Message("no banker"),
    "list.players": Message("{count:number} player", "{count:number} players", "count"),
    "list.open": Message("waiting"),
    "list.betting": Message("bets are open"),
    "list.dealt": Message("hands are dealt"),
    "modal.bet": Message("How much do you bet?"),
    "modal.side_bet": Message("How much do you bet on this hand?"),
    "modal.chips": Message("Chips"),
    "modal.from_to": Message("You have {own:number}: bet {lowest:number} to {most:number}."),
    "modal.can_lose": Message("You can lose up to {multiple:number} × your bet."),
    "modal.covers": Message(
        "A round can cost all your free chips. With {chips:chips}, bets can total {most:number}."
    ),
    "modal.limits": Message("Set limits"),
    "modal.lowest": Message("Lowest bet"),
    "modal.highest": Message("Highest bet"),
    "modal.pays": Message("You must be able to pay {multiple:number} × each bet."),
}
