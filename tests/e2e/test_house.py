"""House rules as an admin uses them: show, preview, confirm, and play by them from then on."""

import asyncio
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial
from io import BytesIO
from typing import Final
from zipfile import ZipFile

import pytest

from bot.croupier.houses import altered
from bot.games.house import UNCHANGED
from bot.games.knobs import knobs_of
from bot.games.register import GAMES
from bot.odds.odds import odds_of
from bot.practice.component_tree import Button, walk
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.rules.knobs import Arrange, Ties
from bot.table.round_proof import first_mismatch
from bot.ui.house.changes import announcement
from bot.words.rules import game_title
from bot.words.translation import Reader, percent, speaking_to, translate
from tests.e2e.answers import form_of, id_of, message_of, said
from tests.e2e.evening import Evening
from tests.games.presets import WIKIPEDIA
from tests.houses import value_of
from tests.stand_in import typed_in

OLD: Final = "That button is from an older version. Use the latest message."

GNAU, TAU_NGAU = "gnau", "tau-ngau"
SILENT = 1 << 12
"""Discord's flag of a message that notifies nobody."""


@pytest.fixture
def mei(evening: Evening) -> Person:
    return evening.person("Mei", manage_server=True)


async def preview(evening: Evening, admin: Person, command: str, **options: object) -> Message:
    shown = message_of(await admin.slash(evening.channel, f"house {command}", **options))
    assert shown.ephemeral
    return shown


async def test_a_change_is_previewed_with_odds_confirmed_and_listed_in_the_history(
    evening: Evening, mei: Person
) -> None:
    shown = await preview(evening, mei, "set", rule="ties", value="push", game="gnau")
    for text in ("Ties", "banker", "nobody", "bank's edge", "A player loses", "next round"):
        assert text in shown.text, shown.text
    # If nobody wins a tie, the odds are the same for player and banker; a player wins as often as before.
    assert "A player wins" not in shown.text
    exact = f"exact edge: {odds_of(WIKIPEDIA).bank_edge} → 0\n"
    assert exact not in shown.text
    await mei.click(shown, "Exact figures")
    await evening.board_says(shown, exact)
    assert value_of(evening.bot.houses.house_of(evening.server.id).rules(GNAU), "ties") is Ties.BANKER
    await evening.restart()
    done = message_of(await mei.click(shown, "Confirm"))
    assert done is shown
    assert "The house rules have changed" in done.text
    assert not done.buttons()
    assert value_of(evening.bot.houses.house_of(evening.server.id).rules(GNAU), "ties") is Ties.PUSH
    history = await preview(evening, mei, "history")
    assert f"{mei.name}: **Ties** banker → nobody (Gnau)" in history.text
    rules = message_of(await mei.slash(evening.channel, "rules show", game="gnau"))
    await mei.click(rules, "Payouts")
    await evening.until(lambda: "tie is a push" in rules.text, "the new rules are shown")


async def test_an_admin_exports_the_server_with_the_rounds_that_anybody_can_verify(
    evening: Evening,
) -> None:
    admin = evening.person("Dora", manage_server=True)
    board, (banker, alice, hidden) = await evening.table_of("Mei", "=Alice", "Hanna")
    await evening.press(hidden, board, "Join")
    await alice.click(board, "20")
    await hidden.click(board, "20")
    await evening.reveal(board, alice, hidden, banker)
    identities = evening.bot.croupier.identities
    await identities.set_hidden(evening.party(hidden), is_hidden=True)
    for rule, value in (("seats", "4"), ("currency_emoji", "<:gold:840000000000000009>")):
        await admin.click(await preview(evening, admin, "set", rule=rule, value=value), "Confirm")
    async for _ in evening.bot.croupier.standings.count_all():
        pass
    await admin.slash(evening.channel, "bank grant", member=hidden, amount=7, reason="=a prize")

    (file,) = (await preview(evening, admin, "export")).attachments
    written = evening.discord.world.files[file.id]
    with ZipFile(BytesIO(written)) as exported:
        texts = {name: exported.read(name).decode("utf-8-sig") for name in exported.namelist()}
    ledger, standings = texts["ledger.csv"], texts["standings.csv"]
    assert first_mismatch(texts["rounds/table-1-round-1.json"]) is None
    assert "\r\n" in ledger
    assert ",opening_chips,mint,'=Alice,,,,\r\n" in ledger
    assert ",7,granted,mint,Hanna,,,Dora,'=a prize\r\n" in ledger
    assert ",'=Alice," in standings
    assert "Hanna" in ledger
    assert "Hanna" not in standings
    everything = "".join(texts.values())
    assert not any(
        str(one.id) in everything for one in (admin, banker, alice, hidden, evening.channel, evening.server)
    )


async def test_b03_a_change_is_announced_where_tables_are_open_and_nobody_is_pinged(
    evening: Evening, mei: Person
) -> None:
    alice = evening.person("Alice")
    board = await evening.open_table(mei)
    await evening.open_table(mei, evening.other_channel, game=TAU_NGAU)
    await evening.take_bank(mei, board)
    before = len(evening.discord.requests)
    shown = await preview(evening, mei, "set", rule="multiple_double_ox", value="4")
    await asyncio.gather(*(mei.click(shown, "Confirm") for _ in range(2)))
    for rule, value in (("daily_chips", "50"), ("log_channel", f"#{evening.other_channel.name}")):
        await mei.click(await preview(evening, mei, "set", rule=rule, value=value), "Confirm")
    await evening.settle_down()

    def lines(channel: Channel) -> list[str]:
        return [one.text for one in alice.sees(channel) if "House rules from" in one.text]

    at_once = f"-# 📋 House rules from now on: **Daily chips** 100 → 50 · changed by <@{mei.id}>"
    fours = evening.bot.houses.house_of(evening.server.id).rules(GNAU)
    old, new = (percent(odds_of(rules).bank_edge) for rules in (WIKIPEDIA, fours))
    changed = f"**Double-Ox wins ×** 3 → 4, **The bank's edge** {old} → {new} · changed by <@{mei.id}>"
    assert lines(evening.channel) == [f"-# 📋 House rules from round 2 on: {changed}", at_once]
    assert lines(evening.other_channel) == [at_once], "Tau Ngau has no Double-Ox"
    posts = [
        request.body
        for request in evening.discord.requests[before:]
        if request.method == "POST" and "House rules from" in str(request.body)
    ]
    assert all(post["flags"] & SILENT and not post["allowed_mentions"].get("users") for post in posts)
    assert all(post["allowed_mentions"]["parse"] == [] for post in posts)


def test_an_announcement_of_many_changes_tells_what_can_be_won_and_speaks_to_nobody() -> None:
    presets = altered(UNCHANGED, UNCHANGED.with_preset("lodige"))
    told = announcement(presets, "@Mei", 8, (Fraction(1, 20), Fraction(1, 25)))
    assert told == (
        "-# 📋 House rules from round 8 on: **Preset** Wikipedia → Lodige, **Five Dukes wins ×** 7 → 10, "
        "**Double-Ox wins ×** 3 → 2, **The bank's edge** 5% → 4%, … and 4 more · changed by @Mei"
    )
    payouts = [knob.name for knob in knobs_of(GNAU) if knob.pays and knob.kind == "number"]
    paying = UNCHANGED
    for knob in payouts:
        paying = paying.with_knob(knob, "9")
    things = altered(UNCHANGED, paying)
    told = announcement(things, "@Mei", 8)
    assert (told.count("→"), f"… and {len(things) - 3} more" in told) == (3, True), told
    for choice in Arrange:
        things = altered(UNCHANGED, UNCHANGED.with_knob("arrange", choice))
        assert "you" not in announcement(things, "@Mei", 8)


async def test_b03_the_next_round_uses_the_confirmed_rules(evening: Evening, mei: Person) -> None:
    alice = evening.person("Alice")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await alice.click(board, "20")
    before = evening.table().rules
    shown = await preview(evening, mei, "set", rule="multiple_double_ox", value="4")
    await mei.click(shown, "Confirm")
    assert evening.table().rules == before
    for person in (alice, mei):
        await person.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 receipt 1")
    await evening.until(
        lambda: value_of(evening.table().rules, "multiple_double_ox") == 4, "the next round has the new rules"
    )
    last = evening.last_round()
    assert last.rules == before


async def test_a_cancelled_or_old_preview_changes_nothing(evening: Evening, mei: Person) -> None:
    shown = await preview(evening, mei, "preset", preset="points")
    assert "Wikipedia → **Points**" in shown.text
    left = message_of(await mei.click(shown, "Cancel"))
    assert left.text == "Nothing was changed."
    assert "too old" in said(await mei.press_raw(left, "house:confirm:1"))
    assert evening.bot.houses.house_of(evening.server.id).preset(GNAU) == "wikipedia"
    assert not [one for one in mei.commands(mei.dm()) if one["name"].startswith("house")]


async def test_a_change_for_every_game_shows_the_odds_of_each(evening: Evening, mei: Person) -> None:
    shown = await preview(evening, mei, "set", rule="bank_passes", value="every-round")
    assert all(f"### {game_title(game)}" in shown.text for game in GAMES)
    assert "edge" not in shown.text, "no odds change"


async def test_a_preview_that_another_admin_has_overtaken_is_shown_again(
    evening: Evening, mei: Person
) -> None:
    bob, dora = (evening.person(name, manage_server=True) for name in ("Bob", "Dora"))
    of_mei, of_dora = [
        await preview(evening, admin, "set", rule="ties", value="push", game="gnau") for admin in (mei, dora)
    ]
    of_bob = await preview(evening, bob, "set", rule="mixed_double", value="on")
    await mei.click(of_mei, "Confirm")
    await bob.click(of_bob, "Confirm")
    await evening.until(lambda: "the rules changed since the last one" in of_bob.text, "Bob sees it again")
    assert "Ties" not in of_bob.text, "the other admin's change is not part of this one"
    await bob.click(of_bob, "Confirm")
    rules = evening.bot.houses.house_of(evening.server.id).rules(GNAU)
    assert (value_of(rules, "ties"), value_of(rules, "mixed_double")) == (Ties.PUSH, True)
    await dora.click(of_dora, "Confirm")
    await evening.until(lambda: "Somebody has already changed this" in of_dora.text, "Dora reads of it")
    assert not of_dora.buttons()


async def test_a_member_without_the_permission_is_always_refused(evening: Evening, mei: Person) -> None:
    bob = evening.person("Bob")
    assert not [one for one in bob.commands(evening.channel) if one["name"].startswith("house")]
    shown = await preview(evening, mei, "set", rule="seats", value="7")
    confirm = id_of(shown, "Confirm")
    for custom_id in (confirm, "house:show:gnau", "house:cancel:1"):
        assert "**Manage Server**" in said(await bob.press_raw(shown, custom_id))
    for command in evening.discord.world.commands.values():
        # A server may let everybody see a command.
        command["default_member_permissions"] = None
    assert "**Manage Server**" in (await evening.told_alone(bob, "house history")).text
    # The option that is filled in is called as an argument of ours could be.
    assert not await bob.suggest(evening.channel, "house set", "rule", "seats", value="7")
    assert evening.bot.houses.house_of(evening.server.id).rules().seats == 9


IMPOSSIBLE: list[tuple[dict[str, object], str]] = [
    ({"rule": "tise", "value": "push"}, "Did you mean Ties?"),
    ({"rule": "Weekly board", "value": "off"}, "“Weekly board”. Did you mean Weekly leaderboard?"),
    ({"rule": "Who deals", "value": "push"}, "Pick one from the list as you type, or in </house show:"),
    ({"rule": "seats", "value": "20"}, "from 1 to 19"),
    ({"rule": "seats", "value": "9"}, "Nothing would change"),
    ({"rule": "wild_in_score", "value": "off", "game": "gnau"}, "has no rule “Wild tiles"),
    ({"rule": "ngau_tonku", "value": "maybe"}, "on or off"),
    ({"rule": "lowest_stake", "value": "1000000000000"}, "a whole number from 1 to 1,000,000,000"),
    ({"rule": "channels", "value": "<#12345>"}, "There is no channel 12345 in this server."),
    ({"rule": "Channels", "value": "<#12345>"}, "There is no channel 12345 in this server."),
    ({"rule": "play", "value": "points"}, "Played for: that is chosen when a table is opened."),
    (
        {"rule": "log_channel", "value": "#nowhere"},
        "Log channel: channels from the list, or off",
    ),
    ({"rule": "language", "value": "fr"}, "auto, en, zh-cn"),
]


async def test_an_impossible_change_gets_a_clear_sentence(evening: Evening, mei: Person) -> None:
    evening.expect_fault(404)
    for options, why in IMPOSSIBLE:
        shown = await preview(evening, mei, "set", **options)
        assert why in shown.text, shown.text
        assert not shown.text.endswith("..")
        assert not shown.buttons()
    assert evening.bot.houses.house_of(evening.server.id).rules() == evening.rules


def tells(shown: Message, words: str) -> bool:
    return words in shown.text


async def test_a_menu_opens_a_modal_and_that_a_preview(evening: Evening, mei: Person) -> None:
    shown = await preview(evening, mei, "show")
    assert "Ties **banker**" in shown.text
    worth = "Change: What hands are worth…"
    form = form_of(await mei.choose(shown, worth, "ties"))
    assert message_of(await mei.submit(form, value="push")) is shown
    await evening.until(lambda: "banker → **nobody**" in shown.text, "the preview is in place of the page")
    await mei.click(shown, "Confirm")
    await evening.until(lambda: "✏️ Ties **nobody** (preset: banker)" in shown.text, "the page is back")
    form = form_of(await mei.choose(shown, "Change: How tables are run, in all games…", "seats"))
    assert [*typed_in(form).values()] == ["9"]
    await mei.submit(form, value="5")
    await evening.until(lambda: "9 → **5**" in shown.text, "the preview is in place of the page")
    await mei.click(shown, "Confirm")
    await evening.until(lambda: "✏️ Seats **5**" in shown.text, "the page is back")
    group = await preview(evening, mei, "set", rule="hosting", value="x")
    assert "seats" in [option.value for option in group.selects()[0].options]
    for answer, told in (("Cancel", "Nothing was changed."), ("Confirm", "The house rules have changed")):
        form = form_of(await mei.choose(group, group.selects()[0], "seats"))
        await mei.submit(form, value="8")
        await evening.until(lambda: "Preview" in group.text, "the preview is in place of the menus")
        await mei.click(group, answer)
        await evening.until(partial(tells, group, told), "the menus are back")
        assert "seats" in [option.value for option in group.selects()[0].options]
        assert not group.buttons()
    again = await preview(evening, mei, "show")
    assert "✏️ Ties **nobody** (preset: banker)" in again.text
    assert "✏️ Seats **8**" in again.text
    form = form_of(await mei.choose(again, worth, "ties"))
    await mei.submit(form, value="default")
    await evening.until(lambda: "nobody → **banker**" in again.text, "the preview is in place of the page")
    await mei.click(again, "Cancel")
    await evening.until(lambda: "Nothing was changed." in again.text, "the page is back")
    tau_ngau = message_of(await mei.click(again, "Show Tau Ngau"))
    assert tau_ngau is again
    await evening.board_says(tau_ngau, "Wild tiles in the score **on**")


@pytest.mark.parametrize("locale", ["en", "zh_CN"])
async def test_a_choice_is_in_the_same_words_wherever_it_is_shown(
    evening: Evening, mei: Person, locale: str
) -> None:
    mei.user.locale = locale.replace("_", "-")
    with speaking_to(Reader(locale)):
        before, after = (translate(f"setting.arrange.{choice}") for choice in ("automatic", "assisted"))
        title = translate("title.arrange")
    for rule, value in ((title, after), ("who arranges hands", "Each player,with help")):
        typed = await preview(evening, mei, "set", rule=rule, value=value)
        assert f"{before} → **{after}**" in typed.text
        assert await mei.suggest(evening.channel, "house set", "value", after, rule=rule)
    shown = await preview(evening, mei, "show")
    menu = next(one for one in shown.selects() if "arrange" in {option.value for option in one.options})
    form = form_of(await mei.choose(shown, menu.custom_id, "arrange"))
    offered = {option["label"] for part in walk(form.components) for option in part.get("options", ())}
    for words in (before, after):
        assert any(label.startswith(words) for label in offered)
    await mei.submit(form, value="assisted")

    def confirm() -> Button | None:
        return next(
            (one for one in shown.buttons() if (one.custom_id or "").startswith("house:confirm:")), None
        )

    await evening.until(confirm, "the preview is in place of the page")
    texts, asked = [shown.text], confirm()
    assert asked is not None
    await mei.click(shown, asked)
    await evening.until(lambda: not confirm(), "the page is back")
    texts.append(shown.text)
    texts.append((await preview(evening, mei, "history")).text)
    for text in (*texts, *offered):
        assert not {"automatic", "assisted"} & set(re.findall(r"\w+", text)), text
    for text in texts:
        assert before in text
        assert after in text


async def test_each_thing_of_a_change_has_its_line_in_the_history(evening: Evening, mei: Person) -> None:
    await mei.click(await preview(evening, mei, "set", rule="ties", value="push", game="gnau"), "Confirm")
    await mei.click(await preview(evening, mei, "preset", preset="points"), "Confirm")
    _, newest, *things, oldest, _ = (await preview(evening, mei, "history")).text.splitlines()
    assert re.fullmatch(rf"- <t:\d+:f> {mei.name}:", newest.strip())
    assert things[:2] == [
        "  - **Preset** Wikipedia → Points (Gnau)",
        "  - **Five Dukes wins ×** 7 → 10 (Gnau)",
    ]
    assert oldest.endswith(f"{mei.name}: **Ties** banker → nobody (Gnau)")


async def test_a_change_is_taken_back_alone_where_it_is_listed(evening: Evening, mei: Person) -> None:
    nothing = await preview(evening, mei, "history")
    assert not nothing.selects(), "there is nothing to take back"
    for rule, value in (("seats", "7"), ("channels", f"#{evening.channel.name}"), ("seats", "8")):
        await mei.click(await preview(evening, mei, "set", rule=rule, value=value), "Confirm")
    history = await preview(evening, mei, "history")
    await mei.choose(history, "Take back…", "1")
    again = "⚠️ Changed again since then: **Seats** 8 → 9."
    await evening.until(lambda: again in history.text, "the question says what else it undoes")
    await mei.click(history, "Cancel")
    await evening.until(lambda: "Nothing was changed." in history.text, "the history is back")
    await mei.choose(history, "Take back…", "2")
    await evening.until(lambda: "Preview" in history.text, "the question is in place of the history")
    assert again not in history.text
    await evening.restart()
    await mei.click(history, "Confirm")
    await evening.until(lambda: len(history.selects()) == 1, "the history is back")
    assert "## The house rules have changed\n-# Applies at once." in history.text
    assert f"{mei.name}: **Channels for tables** <#{evening.channel.id}> → all" in history.text
    rules = evening.bot.houses.house_of(evening.server.id).rules()
    assert (rules.channels, rules.seats) == ((), 8)


async def test_a_change_without_which_the_rules_contradict_each_other_is_not_taken_back(
    evening: Evening, mei: Person
) -> None:
    for rule, value in (("lowest_stake", "50"), ("lowest_stake", "5"), ("highest_stake", "20")):
        await mei.click(await preview(evening, mei, "set", rule=rule, value=value), "Confirm")
    history = await preview(evening, mei, "history")
    await mei.choose(history, "Take back…", "2")
    why = (
        "That change can't be taken back as the rules are now. "
        "The lowest bet (50) is above the highest bet (20)."
    )
    await evening.until(lambda: mei.sees(evening.channel)[-1].text == why, "one sentence says why")
    assert history.selects(), "the history stays"


async def test_channels_are_picked_in_a_modal(evening: Evening, mei: Person) -> None:
    shown = await preview(evening, mei, "show")
    await mei.click(shown, "Show server settings")
    menu = "Change: Channels, roles, language…"
    form = form_of(await mei.choose(shown, menu, "channels"))
    await mei.submit(form, value=(evening.channel, evening.other_channel))
    for channel in (evening.channel, evening.other_channel):
        await evening.board_says(shown, f"<#{channel.id}>")
    await mei.click(shown, "Confirm")
    await evening.until(lambda: shown.select(menu), "the page is back")
    house = evening.bot.houses.house_of(evening.server.id)
    assert set(house.rules().channels) == {evening.channel.id, evening.other_channel.id}
    form = form_of(await mei.choose(shown, menu, "channels"))
    await mei.submit(form)
    await evening.until(
        lambda: "Nothing would change" in mei.sees(evening.channel)[-1].text, "there is nothing to confirm"
    )
    assert shown.selects(), "the page stays"


async def test_channels_can_be_typed(evening: Evening, mei: Person) -> None:
    for typed in (f"<#{evening.other_channel.id}>", "#table-two"):
        shown = await preview(evening, mei, "set", rule="channels", value=typed)
        assert f"<#{evening.other_channel.id}>" in shown.text
    await mei.click(shown, "Confirm")
    assert evening.bot.houses.house_of(evening.server.id).rules().channels == (evening.other_channel.id,)
    history = await preview(evening, mei, "history")
    assert f"**Channels for tables** all → <#{evening.other_channel.id}>" in history.text
    await mei.click(await preview(evening, mei, "set", rule="channels", value="all"), "Confirm")
    assert evening.bot.houses.house_of(evening.server.id).rules().channels == ()


async def test_rules_and_values_are_suggested(evening: Evening, mei: Person) -> None:
    async def suggested(focused: str, typed: str, **others: object) -> list[str]:
        choices = await mei.suggest(evening.channel, "house set", focused, typed, **others)
        return [str(choice.value) for choice in choices]

    assert await suggested("rule", "wild") == ["wild_in_score"]
    assert await suggested("rule", "wild", game=GNAU) == []
    assert await suggested("value", "pu", rule="ties") == ["push"]
    assert f"<#{evening.channel.id}>" in await suggested("value", "", rule="channels")
    assert await suggested("value", "", rule="no_such_rule") == []


async def test_what_is_from_before_an_update_says_so(evening: Evening, mei: Person) -> None:
    shown = await preview(evening, mei, "show")
    for custom_id in (
        "house:show:whist",
        "house:confirm:soon",
        "house:trumps:gnau",
        "house:pick:gnau:worth:1",
        "house:value:gnau:ties",
    ):
        assert said(await mei.press_raw(shown, custom_id)) == OLD
    form = form_of(await mei.choose(shown, "Change: What hands are worth…", "ties"))
    old = replace(form, custom_id="house:value:gnau:trumps")
    assert message_of(await mei.submit(old, value="push")).text == OLD
    for part in walk(shown.components):
        for option in part.get("options", ()):
            option["value"] = "trumps" if option["value"] == "ties" else option["value"]
    picked = await mei.choose(shown, "Change: What hands are worth…", "trumps")
    assert message_of(picked).text == OLD
