"""Messages about house rules and the chips of the house, for those who manage a server."""

from typing import Final

from bot.words.catalogue.message import Message

HOUSE: Final = {
    "house.title": Message("## House rules: {game}"),
    "house.preset": Message("Preset: **{preset}**"),
    "house.about.worth": Message("What hands are worth"),
    "house.about.round": Message("How a round goes"),
    "house.about.hosting": Message("How tables are run, in all games"),
    "house.about.chips": Message("Chips and house bank"),
    "house.about.server": Message("Channels, roles, language"),
    "house.about.log": Message("Log channel"),
    "house.server_title": Message("## Server settings"),
    "house.server_page": Message("Show server settings"),
    "house.knob": Message("- {knob} **{setting}**"),
    "house.own_knob": Message("- ✏️ {knob} **{setting}** (preset: {default})"),
    "house.own_hosting": Message("- ✏️ {knob} **{setting}** (default: {default})"),
    "house.computers": Message(
        "-# 🤖 Computer players sit down with your members, bet the house's "
        "chips, and don't appear on the leaderboard. A banker usually has the edge over them, so the "
        "bankroll loses to bankers in the long run."
    ),
    "house.own_mark": Message(
        "-# ✏️ marks what this server has set. Pick below what to change: you see a preview before "
        "anything changes."
    ),
    "house.points": Message("-# Tables for points pay as in the preset {preset}, whatever you set here."),
    "house.pick_preset": Message("Another preset…"),
    "house.pick": Message("Change: {about}…"),
    "house.pick_part": Message("Change: {first} … {last}"),
    "house.of_game": Message("{game} {setting}"),
    "house.option": Message("{knob}: {setting}"),
    "house.option_channels": Message(
        "{knob}: {count:number} channel", "{knob}: {count:number} channels", "count"
    ),
    "house.other_game": Message("Show {game}"),
    "house.form_title": Message("{knob} · {game}"),
    "house.form_title_all": Message("{knob} · all games"),
    "house.form_number": Message("From {least:number} to {most:number}. If empty: {default}."),
    "house.form_role.everyone": Message("The name of a role. Leave empty for everyone."),
    "house.form_role.off": Message("The name of a role. Leave empty for none."),
    "house.form_channels.all": Message("Leave empty for all channels."),
    "house.form_channels.off": Message("Leave empty to switch it off."),
    "house.preview": Message("## Preview: nothing has changed yet"),
    "house.preview_again": Message("## New preview: the rules changed since the last one"),
    "house.game": Message("### {game}"),
    "house.all_games": Message("### All games"),
    "house.preset_change": Message("- Preset: {old} → **{new}**"),
    "house.change": Message("- **{knob}**: {old} → **{new}**"),
    "house.from_next_round": Message(
        "-# Applies from the next round. A round that has begun keeps its own rules."
    ),
    "house.from_now": Message("-# Applies at once."),
    "house.tables_stay": Message("-# Applies at once. Tables that are open stay open until they are closed."),
    "house.announced": Message("House rules from round {round:number} on: {things} · changed by {who}"),
    "house.announced_now": Message("House rules from now on: {things} · changed by {who}"),
    "house.warn_log": Message("⚠️ Everyone here can read <#{channel}>, and so what admins do."),
    "house.warn_house": Message(
        "⚠️ The house's highest bet is {highest:number}, so every bet against it is {lowest:chips}."
    ),
    "house.warn_members": Message(
        "⚠️ {game}: members need {needed:chips} to play; they begin with {begin:number}."
    ),
    "house.confirm": Message("Confirm"),
    "house.leave": Message("Cancel"),
    "house.done": Message("## The house rules have changed"),
    "house.left": Message("Nothing was changed."),
    "house.no_change": Message("Nothing would change: the rules are already like that."),
    "house.no_change_any_more": Message("Somebody has already changed this."),
    "house.no_draft": Message("That preview is too old. Get a new one with `/house set` or `/house show`."),
    "house.outdated": Message("That menu is from before an update. Get a new one with `/house show`."),
    "house.exactly": Message("-# The bank's exact edge: {old} → {new}"),
    "house.exact_figures": Message("Exact figures"),
    "wrong_rule.unknown_preset": Message("There is no preset called “{preset}”. Presets: {presets}"),
    "wrong_rule.unknown_knob": Message("There is no rule called “{knob}”."),
    "house.unknown_knob": Message(
        "There is no rule called “{knob}”. Pick one from the list as you type, or in `/house show`."
    ),
    "wrong_rule.likely_typo": Message("There is no rule called “{knob}”. Did you mean {close}?"),
    "wrong_rule.fixed_knob": Message("{knob}: that is chosen when a table is opened."),
    "wrong_rule.other_game": Message("{game} has no rule “{knob}”."),
    "wrong_rule.no_knob": Message("Name the rule to set."),
    "wrong_rule.no_value": Message("Give the new value too."),
    "wrong_rule.not_a_switch": Message("{knob}: on or off, not “{text}”."),
    "wrong_rule.not_a_choice": Message("{knob}: not “{text}”. Choices: {choices}"),
    "wrong_rule.not_a_number": Message(
        "{knob}: a whole number from {least:number} to {most:number}, not “{text}”."
    ),
    "wrong_rule.too_many_channels": Message(
        "{knob}: only {most:number} channel.", "{knob}: at most {most:number} channels.", "most"
    ),
    "wrong_rule.not_channels": Message("{knob}: channels from the list, or {empty}, not “{text}”."),
    "wrong_rule.not_a_role": Message("There is no role “{text}” here. Type its name as Discord shows it."),
    "wrong_rule.role_of_a_bot": Message(
        "<@&{role}> belongs to a bot: no member can have it. Choose another role."
    ),
    "wrong_rule.unknown_channel": Message("There is no channel {channel} in this server."),
    "wrong_rule.category": Message("<#{channel}> is a category. Choose its channels instead."),
    "wrong_rule.no_messages": Message("<#{channel}> doesn't take messages. Choose a text channel."),
    "wrong_rule.may_not_post": Message(
        "I can't post in <#{channel}>. Let me view it and send messages there, then try again."
    ),
    "wrong_rule.not_a_currency": Message(
        "A currency can't be called “{text}”. Use a word of at most {most:number} letters, such as gold."
    ),
    "wrong_rule.not_an_emoji": Message(
        "“{text}” is not one emoji. Use one such as 🪙, or one of this server's own."
    ),
    "wrong_rule.tonku_tens_alone": Message("First turn on Ngau Tonku: only then can tens count for it."),
    "wrong_rule.stakes_crossed": Message(
        "The lowest bet ({lowest:number}) is above the highest bet ({highest:number})."
    ),
    "house.exporting": Message("An export of this server is being made. Try again when it is done."),
    "house.exported": Message(
        "Your settings, the leaderboards, and the newest of the rest. Rounds: {rounds:number}; lines of the "
        "ledger: {lines:number}.\n-# It has members' names: keep it private. With `gnau house import`, the "
        "bot's owner can give the settings to another server."
    ),
    "house.history": Message("## Changes to the house rules, newest first"),
    "house.no_history": Message("Nobody has changed the house rules yet. See them with `/house show`."),
    "house.past": Message("- <t:{at}:f> {who}: {things}"),
    "house.past_preset": Message("**Preset** {old} → {new}"),
    "house.past_knob": Message("**{knob}** {old} → {new}"),
    "house.past_of_game": Message("{what} ({game})"),
    "house.past_unreadable": Message("a change that can no longer be read"),
    "house.past_empty": Message("nothing changed"),
    "house.take_back": Message("Take back…"),
    "house.overruled": Message(
        "⚠️ Changed again since then: {things}. Confirm only if you want the older value back."
    ),
    "house.not_taken_back": Message("That change can't be taken back as the rules are now. {why}"),
    "house.group": Message(
        "{about}: {knobs:number} rule, such as {first}",
        "{about}: {knobs:number} rules, such as {first}",
        "knobs",
    ),
    "house.suggested": Message("{knob} · {about}"),
    "house.value_now": Message("{setting} (now)"),
    "house.value_default": Message("{setting} (default)"),
    "house.value_least": Message("{setting} (lowest)"),
    "house.value_most": Message("{setting} (highest)"),
    "bankroll.has": Message(
        "The house banks with {chips:chips}: {free:number} free, and {held:number} held at tables."
    ),
    "bankroll.means": Message(
        "-# The house pays those who win against it from these chips, and keeps what they lose. Held chips "
        "cover the bets on the tables; free chips cover new ones. Set another amount with `{command}`."
    ),
    "bankroll.still_held": Message(
        "The house still has {held:chips} held at tables. Set the bankroll again after the round."
    ),
    "log.granted": Message("🪙 {who} gave {member} **{chips:chips}**: “{reason:name}”"),
    "log.taken": Message("🪙 {who} took **{chips:chips}** from {member}: “{reason:name}”"),
    "log.removed": Message("🚪 {who} removed {member} from table {number}"),
    "log.removed_why": Message("🚪 {who} removed {member} from table {number}: “{reason:name}”"),
    "log.banned": Message("⛔ {who} banned {member} from playing: “{reason:name}”"),
    "log.banned_until": Message("⛔ {who} banned {member} from playing until <t:{until}:f>: “{reason:name}”"),
    "log.unbanned": Message("✅ {who} lets {member} play again"),
    "log.gift": Message("🎁 {who} gave {member} **{chips:chips}**"),
    "log.rules": Message("📋 {who} changed the house rules: {things}"),
    "log.closed": Message("🚪 {who} closed table {number} in <#{channel}>"),
    "log.scheduled": Message("📅 {who} scheduled a table in <#{channel}>: <t:{at}:F>"),
    "log.unscheduled": Message("📅 {who} cancelled a scheduled table in <#{channel}>"),
    "log.tournament_opened": Message(
        "🏆 {who} opened a tournament in <#{channel}>: entry {entry:chips}, starts <t:{at}:F>"
    ),
    "log.tournament_started": Message(
        "🏆 {who} started the tournament in <#{channel}> before its time: pot {chips:chips}"
    ),
    "log.tournament_cancelled": Message(
        "🏆 {who} cancelled the tournament in <#{channel}>: {chips:chips} went back"
    ),
    "log.exported": Message("📦 {who} exported the data of this server"),
    "log.season_started": Message("🏁 {who} started the season **{name:name}**"),
    "log.season_dated": Message("🏁 {who} set the end of the season **{name:name}**: <t:{at}:F>"),
    "log.season_dateless": Message("🏁 {who} removed the end date of the season **{name:name}**"),
    "log.season_ending": Message("🏁 {who} ended the season **{name:name}**"),
    "log.season_over": Message("🏁 The season **{name:name}** is over"),
    "log.season_reset": Message("🏁 The season **{name:name}** is over: everybody has {chips:chips}"),
    "log.role": Message(
        "⚠️ I can't give or take the role <@&{role}>. I need **Manage Roles**, and a role above it."
    ),
    "log.board": Message(
        "⚠️ Table {number}: I can't post its board in <#{channel}>. Check my permissions there."
    ),
    "bankroll.out": Message(
        "The house is out of chips: {free:chips} free, {held:number} held. Set a new amount with `{command}`."
    ),
}
