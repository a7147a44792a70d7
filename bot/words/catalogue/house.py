"""Messages about a house: its rules as administrators see them, and changes of them."""

from typing import Final

from bot.words.catalogue.message import Message

HOUSE: Final = {
    "house.title": Message("## The house: {game}"),
    "house.preset": Message("Preset: **{preset}**"),
    "house.about.worth": Message("What hands are worth"),
    "house.about.round": Message("How a round goes"),
    "house.about.hosting": Message("How tables are run, whatever the game"),
    "house.knob": Message("- `{knob}` **{setting}**"),
    "house.own_knob": Message("- ✏️ `{knob}` **{setting}**, where the preset has {usual}"),
    "house.own_hosting": Message("- ✏️ `{knob}` **{setting}**, usually {usual}"),
    "house.own_mark": Message("-# ✏️ set by this house. Pick below what to change: nothing changes unseen."),
    "house.pick_preset": Message("Another preset…"),
    "house.pick": Message("Change: {about}…"),
    "house.pick_part": Message("Change: {about} ({part:number} of {parts:number})…"),
    "house.option": Message("{knob}: {setting}"),
    "house.option_channels": Message(
        "{knob}: {count:number} channel", "{knob}: {count:number} channels", "count"
    ),
    "house.other_game": Message("Show {game}"),
    "house.form_title": Message("{knob} · {game}"),
    "house.form_number": Message("From {least:number} to {most:number}. Left empty: {usual}."),
    "house.form_usual": Message("As usual: {usual}"),
    "house.form_channels": Message("Where tables may stand; pick none for every channel."),
    "house.preview": Message("## A change of the house rules, not made yet"),
    "house.preview_anew": Message(
        "## Somebody changed the rules meanwhile: this is how the change would be now"
    ),
    "house.game": Message("### {game}"),
    "house.all_games": Message("### Whatever the game"),
    "house.preset_change": Message("- Preset: {old} → **{new}**"),
    "house.change": Message("- **{knob}**: {old} → **{new}**"),
    "house.from_next_round": Message(
        "-# In force from the next round on: a round that is on is played out by its own rules."
    ),
    "house.confirm": Message("Confirm"),
    "house.leave": Message("Leave it"),
    "house.done": Message("## The house rules are changed"),
    "house.left": Message("Nothing was changed."),
    "house.no_change": Message("Nothing would change: that is how it is already."),
    "house.no_change_any_more": Message("Nothing is left to change: somebody did it meanwhile."),
    "house.no_draft": Message("That preview is too old; ask for it anew by `/house set` or `/house show`."),
    "house.outdated": Message("That menu is from before an update; `/house show` has a new one."),
    "house.exactly": Message("-# The bank's edge in full: {old} → {new}"),
    "house.exactly_one": Message("-# The bank's edge in full: {new}"),
    "house.not_allowed": Message("House rules are for members who may manage the server."),
    "house.wrong": Message("{why}."),
    "house.unknown_channel": Message("there is no channel {channel} in this server"),
    "house.history": Message("## Changes of the house rules, the newest first"),
    "house.no_history": Message("Nobody has changed the house rules yet: `/house show` has them."),
    "house.past": Message("- <t:{at}:f> <@{member}>: {things}"),
    "house.past_preset": Message("preset {old} → {new}"),
    "house.past_knob": Message("{knob} {old} → {new}"),
    "house.past_of_game": Message("{what} ({game})"),
    "house.past_unreadable": Message("what it was cannot be read any more"),
    "house.past_empty": Message("nothing that shows"),
    "house.group": Message(
        "{about}: {knobs:number} knob, such as {first}",
        "{about}: {knobs:number} knobs, such as {first}",
        "knobs",
    ),
    "house.suggested": Message("{knob} · {about}"),
    "house.value_now": Message("{setting} (as it is)"),
    "house.value_usual": Message("{setting} (as usual)"),
    "house.value_least": Message("{setting} (the least)"),
    "house.value_most": Message("{setting} (the most)"),
}
