"""Messages about rules: hands, odds, how each rule reads, and the names of its values and of presets."""

from typing import Final

from bot.games.knobs import KNOBS as DECLARED
from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.words.catalogue.message import Message

RULES: Final = {
    "hand.suited": Message("{hand} (suited)"),
    "hand.high": Message("{hand} ({piece} high)"),
    "hand.suit_decides": Message("{suit} beats {other}."),
    "hand.tied": Message("{hand} (tie)"),
    "hand.wins_ties": Message("{hand} (wins ties)"),
    "hand.split": Message("{ox} + {power}"),
    "why.left_total": Message("The two left are {power}, {sum}: **{name}**."),
    "why.left_pair": Message("The two left are {power}, two of the same rank: **{name}**."),
    "why.left_rule": Message("The two left are {power}: **{name}** ({what})."),
    "why.whole": Message("**{name}**: {what}."),
    "why.wrong_choice": Message(
        "**{name}**: the three that were picked do not count; another three would have."
    ),
    "why.pays": Message(
        "If it wins, it pays the bet.", "If it wins, it pays {times:number} times the bet.", "times"
    ),
    "why.pays_points": Message(
        "It is worth {times:number} point.", "It is worth {times:number} points.", "times"
    ),
    "why.pays_nothing": Message("It loses to every other hand."),
    "why.three_alike": Message("{three}: three of the same rank."),
    "why.two_left": Message("The two left: **{sum}**."),
    "why.two_alike": Message("The two left have the same rank: **{name}**."),
    "why.rule": Message("Why: {what}."),
    "why.worth": Message("{place}. **{name}** ×{multiple}"),
    "why.worth_even": Message("{place}. **{name}**"),
    "why.worth_points": Message(
        "{place}. **{name}**, {multiple:number} point",
        "{place}. **{name}**, {multiple:number} points",
        "multiple",
    ),
    "why.nothing": Message("{place}. **{name}**, which loses to every other hand"),
    "why.one_way": Message("{worth}: {way}"),
    "why.several_ways": Message("{worth}:"),
    "why.way": Message("   - {way}"),
    "why.totals": Message("{ox} = {total:number} · left: {power}"),
    "why.one_rank": Message("{ox} have the same rank · left: {power}"),
    "why.wrong": Message("{three} total {totals}: not a multiple of 10"),
    "why.high": Message("If hands are equal, your highest card counts: {piece}"),
    "why.no_three": Message("Every three of them, added up:"),
    "why.three": Message("- {three}: {totals}"),
    "odds.edge": Message("On average over all hands, the bank keeps {edge:percent} of every chip bet."),
    "odds.fair": Message("On average over all hands, nobody has an edge: the bank keeps nothing."),
    "odds.against_bank": Message(
        "On average over all hands, players gain {edge:percent} of every chip they bet: the bank loses in "
        "the long run."
    ),
    "odds.chances": Message(
        "A player wins {win:percent} of hands, loses {lose:percent} and pushes {push:percent}."
    ),
    "odds.unknown": Message("The odds of these rules are not known."),
    "odds.bank_edge": Message("The bank's edge"),
    "odds.win": Message("A player wins"),
    "odds.lose": Message("A player loses"),
    "odds.push": Message("A push"),
    "odds.not_known": Message("not known"),
    "odds.part": Message("{part:exactly}"),
    "odds.was_and_is": Message("- {what}: {old} → **{new}**"),
    "odds.nearly_as_before": Message("- {what}: still {new} (the change is too small to show)"),
    "odds.change": Message("- **{knob}**: {old} → **{new}** · {what}"),
    "rules.points_of_cards": Message(
        "An ace counts as 1, 2 to 9 count as their number, and 10, J, Q and K count as 10."
    ),
    "rules.better": Message("The better hand wins the bet × its multiple."),
    "rules.play.cards": Message(
        "Everybody plays against the banker. You bet, then everybody gets five cards."
    ),
    "rules.held": Message(
        "Until the round is settled, your bet is held: the most you can lose.",
        "Until the round is settled, {most:number} × your bet is held: the most you can lose.",
        "most",
    ),
    "rules.points": Message(
        "No chips are bet: the loser gives the winner the points that the winner's hand is worth, "
        "and a score can go below zero."
    ),
    "rules.bets_house": Message("Against the house you can bet {lowest:number} to {highest:chips}."),
    "rules.bets_house_any": Message("Against the house you can bet {lowest:chips} or more."),
    "rules.bets_member": Message(
        "Against a member who banks you can bet what they allow: {lowest:number} to {highest:chips} at most."
    ),
    "rules.bets_member_any": Message(
        "Against a member who banks you can bet what they allow: {lowest:chips} or more."
    ),
    "rules.hand": Message("{place}. **{name}** ×{multiple}: {what}"),
    "rules.hand_even": Message("{place}. **{name}**: {what}"),
    "rules.hand_points": Message(
        "{place}. **{name}**, {multiple:number} point: {what}",
        "{place}. **{name}**, {multiple:number} points: {what}",
        "multiple",
    ),
    "rules.loses": Message("{place}. **{name}**: {what}; it loses to every other hand"),
    "rules.knob": Message("- **{setting}** · {what}"),
    "preset.none": Message("House rules"),
    "setting.on": Message("on"),
    "setting.off": Message("off"),
    "setting.no_limit": Message("no limit"),
    "setting.banker_decides": Message("as the banker sets"),
    "setting.number": Message("{setting:number}"),
    "setting.number_off": Message("off"),
    "setting.channel": Message("<#{channel}>"),
    "setting.channels_all": Message("all"),
    "setting.channels_off": Message("off"),
    "setting.text_everyone": Message("everyone"),
    "setting.text_off": Message("off"),
    "setting.a_role": Message("one role"),
    "setting.channels_counted": Message("{count:number} channel", "{count:number} channels", "count"),
    "setting.play.chips": Message("chips"),
    "setting.play.points": Message("points"),
    "setting.play.tournament": Message("chips of a tournament"),
    "setting.ties.banker": Message("banker"),
    "setting.ties.push": Message("nobody"),
    "setting.suited_bonus.off": Message("off"),
    "setting.suited_bonus.ox": Message("the three cards of the ox"),
    "setting.suited_bonus.power": Message("the two power cards"),
    "setting.suited_bonus.five": Message("all five cards"),
    "setting.bank_passes.stays": Message("never"),
    "setting.bank_passes.every-round": Message("after every round"),
    "setting.bank_passes.after-ox": Message("after the banker has an ox"),
    "setting.bank_passes.after-no-ox": Message("after the banker has No Ox"),
    "setting.house_bank.off": Message("never"),
    "setting.house_bank.when-nobody-banks": Message("when nobody else banks"),
    "setting.house_bank.only": Message("always"),
    "setting.arrange.automatic": Message("the bot"),
    "setting.arrange.assisted": Message("each player, with help"),
    "setting.arrange.strict": Message("each player, mistakes stand"),
    "setting.language.auto": Message("as in Discord"),
    "setting.language.en": Message("English"),
    "setting.language.zh-cn": Message("简体中文"),
    "setting.language.zh-tw": Message("繁體中文"),
    "setting.language.ms": Message("Bahasa Melayu"),
    "setting.language.de": Message("Deutsch"),
    "setting.language.ja": Message("日本語"),
    "setting.text_chips": Message("chips"),
    "setting.text_none": Message("none"),
    "setting.direction.clockwise": Message("clockwise"),
    "setting.direction.counter-clockwise": Message("counter-clockwise"),
    "setting.dealing.messages": Message("on an open panel, or by direct message"),
    "setting.dealing.my-hand": Message("only with My hand"),
    **{f"knob.{name}": Message(knob.description) for name, knob in DECLARED.items()},
    **{
        f"knob.{knob.name}.{game}": Message(knob.description)
        for game in GAMES
        for knob in knobs_of(game)
        if knob.description != DECLARED[knob.name].description
    },
}
