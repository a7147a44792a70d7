"""What `/house` shows: every knob, within Discord's limits for any house."""

import itertools

import pytest

from bot.croupier.houses import Altered, PastChange, altered
from bot.games.house import UNCHANGED, House
from bot.games.knobs import KNOBS, PRESETS, knob_of, knob_text, settable
from bot.games.register import GAMES
from bot.games.settle import largest_multiple
from bot.practice.component_tree import Kind, Select, selects, walk
from bot.rules.knobs import MOST_CHANNELS, OF_SERVER, About, GameName, Knob
from bot.ui.components import MOST_OPTIONS, Layout, text_view
from bot.ui.house.changes import done_view, done_words, games_concerned, history_view, preview_view
from bot.ui.house.view import (
    DEFAULT,
    GROUPS,
    OF_GAME,
    VALUE,
    house_view,
    knob_menus,
    server_view,
    value_modal,
)
from bot.ui.odds import odds_for
from bot.ui.press.custom_ids import SERVER_PAGE, Press, PressAction, parse_custom_id
from bot.words.rules import knob_title, preset_title, setting_words
from bot.words.translation import Reader, speaking_to, translate
from tests.houses import TEXTS
from tests.ui.messages import MOST_OPTION, sent, sent_form, text_of
from tests.ui.sample_tables import LAST_ID
from tests.words.test_every_language import TRANSLATED

GNAU, TAU_NGAU = "gnau", "tau-ngau"
CHANNELS = tuple(range(LAST_ID - MOST_CHANNELS, LAST_ID))


def other_value(knob: Knob, *, longest: bool) -> str:
    """A value that no preset has, as long as possible."""
    match knob.kind:
        case "number":
            assert knob.most is not None
            return str(knob.most - (1 if longest else 2))
        case "channels":
            return " ".join(str(channel - (0 if longest else 50)) for channel in CHANNELS[: knob.most])
        case "on or off":
            return "off" if knob.default else "on"
        case "text":
            return TEXTS[knob.name][-1 if longest else 1]
        case _:
            return max((choice for choice in knob.choices if choice != knob.default), key=len)


def other_house(*, longest: bool = True) -> House:
    """A house whose every knob has a value that no preset has."""
    house = UNCHANGED
    for knob in settable():
        # A knob about Ngau Tonku needs Ngau Tonku; the lowest stake must follow the highest.
        if knob.name not in ("ngau_tonku", "lowest_stake"):
            house = house.with_knob(knob.name, other_value(knob, longest=longest))
    return house.with_knob("lowest_stake", "999999990" if longest else "999999980")


HOUSES = {
    "unchanged": UNCHANGED,
    "all otherwise": other_house(),
    **{f"preset {name}": UNCHANGED.with_preset(name) for name in PRESETS},
}


def menus_of(view: Layout) -> list[Select]:
    return list(selects(sent(view)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
async def test_every_knob_of_a_game_is_shown_and_in_exactly_one_menu(house: House, game: GameName) -> None:
    view = house_view(house, game, await odds_for(house.rules(game)))
    text = text_of(sent(view))
    offered = [
        option
        for menu in menus_of(view)
        if menu.custom_id.startswith("house:pick")
        for option in menu.options
    ]
    assert [option.value for option in offered] == [
        knob.name for about in OF_GAME for knob in settable(game) if knob.about is about
    ]
    for option in offered:
        assert knob_title(option.value) in text
        assert option.description == knob_of(option.value, game).description
        assert len(option.description) <= MOST_OPTION, "a description should not be cut"
    assert preset_title(house.preset(game)) in text
    # Beside the odds it stands why there are pushes though the banker wins ties.
    explained = "two No Ox are a push: nobody wins.\nOn average"
    assert (explained in text) is (game == "gnau" and "Ties **banker" in text)


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
def test_the_servers_settings_have_a_page_and_a_menu_of_their_own(house: House) -> None:
    view = server_view(house)
    text = text_of(sent(view))
    offered = [option for menu in menus_of(view) for option in menu.options]
    assert [option.value for option in offered] == [
        knob.name for about in OF_SERVER for knob in settable() if knob.about is about
    ]
    for option in offered:
        knob = KNOBS[option.value]
        assert f"{knob_title(knob.name)} **{setting_words(house.values(knob, GNAU), knob.name)}**" in text
        assert option.description == knob.description
    assert {"daily_chips", "house_bank", "log_channel"} <= {option.value for option in offered}


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES)
@pytest.mark.parametrize("shown", [*GAMES, SERVER_PAGE])
def test_each_page_leads_to_every_other(house: House, shown: str) -> None:
    view = server_view(house) if shown == SERVER_PAGE else house_view(house, shown, None)
    pages = [button for button in walk(sent(view)) if str(button.get("custom_id")).startswith("house:show:")]
    assert [button["custom_id"] for button in pages] == [
        f"house:show:{page}" for page in (*GAMES, SERVER_PAGE)
    ]
    assert [button["custom_id"] for button in pages if button.get("disabled")] == [f"house:show:{shown}"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [1, 2, 7, MOST_OPTIONS])
async def test_too_many_knobs_for_a_menu_are_grouped_and_not_cut(game: GameName, most: int) -> None:
    menus = list(knob_menus(UNCHANGED, game, GROUPS, most))
    assert all(0 < len(menu["options"]) <= most for menu in menus)
    assert len({menu["custom_id"] for menu in menus}) == len(menus)
    assert len({menu["placeholder"] for menu in menus}) == len(menus)
    offered = sorted(option["value"] for menu in menus for option in menu["options"])
    assert offered == sorted(knob.name for knob in settable(game))


async def test_only_changed_knobs_are_marked() -> None:
    house = UNCHANGED.with_preset("points").with_knob("ties", "push", GNAU).with_knob("seats", "7")
    marked = [
        line for line in text_of(sent(house_view(house, GNAU, None))).splitlines() if line.startswith("- ✏️")
    ]
    assert marked == [
        "- ✏️ Ties **nobody** (preset: banker)",
        "- ✏️ Seats **7** (default: 9)",
    ]
    as_the_preset_has_it = UNCHANGED.with_knob("ties", "banker", GNAU)
    assert "- ✏️" not in text_of(sent(house_view(as_the_preset_has_it, GNAU, None)))


async def test_a_change_of_everything_fits_a_preview() -> None:
    elsewhere = other_value(KNOBS["channels"], longest=False)
    before = UNCHANGED.with_preset("lodige").with_knob("channels", elsewhere)
    after = other_house()
    odds = {game: (await odds_for(before.rules(game)), await odds_for(after.rules(game))) for game in GAMES}
    things = altered(before, after)
    view = preview_view(LAST_ID, before, after, odds, overruled=things, page=TAU_NGAU, again=True)
    text = text_of(sent(view))
    assert len(things) > len(settable()) / 2
    assert all(f"**{knob_title(thing.knob)}**" in text for thing in things if thing.knob is not None)
    assert text_of(sent(done_view(things)))
    for page in (server_view(after), *[house_view(after, game, odds[game][1]) for game in GAMES]):
        assert text_of(sent([*page, *text_view(done_words(things))]))


@pytest.mark.parametrize("locale", ["en-US", *TRANSLATED])
@pytest.mark.parametrize("size", range(1, 6))
def test_the_longest_history_has_room_for_what_comes_below_it(locale: str, size: int) -> None:
    every = altered(UNCHANGED, other_house())
    with speaking_to(Reader(locale)):
        past = [PastChange(number, LAST_ID, 2e9, every[:size]) for number in range(25)]
        below = [translate("bank.not_logged"), done_words(every)]
        view = history_view(past, lambda party: f"<@{party}>", {}, below, lambda line: f"{line}{' ' * 30}")
        told = text_of(sent(view))
        assert all(line in told for line in below)
        assert len(menus_of(view)[0].options) == len(past)


async def test_a_preview_has_only_what_changes() -> None:
    async def shown(after: House) -> str:
        odds = {
            game: (await odds_for(UNCHANGED.rules(game)), await odds_for(after.rules(game)))
            for game in games_concerned(UNCHANGED, after)
        }
        return text_of(sent(preview_view(LAST_ID, UNCHANGED, after, odds)))

    decks = await shown(UNCHANGED.with_knob("decks", "2"))
    assert "### Tau Ngau" not in decks
    assert "### Gnau" in decks
    assert (await shown(UNCHANGED.with_knob("computer_players", "3"))).count("###") == 1, "all games alike"
    assert "### Gnau" not in await shown(UNCHANGED.with_knob("wild_in_score", "off"))
    both = await shown(UNCHANGED.with_knob("bank_passes", "every-round"))
    assert "### Gnau" in both
    assert "### Tau Ngau" in both
    assert "edge" not in both


@pytest.mark.parametrize(
    ("knob", "value", "when"),
    [
        ("seats", "5", "-# Applies from the next round"),
        ("opening_chips", "500", "-# Applies at once."),
        ("channels", "17", "-# Applies at once. Tables that are open stay open"),
    ],
)
def test_b03_a_change_by_which_no_round_is_played_waits_for_none(knob: str, value: str, when: str) -> None:
    things = altered(UNCHANGED, UNCHANGED.with_knob(knob, value))
    assert when in text_of(sent(done_view(things)))


def test_the_history_still_shows_changes_of_a_removed_game() -> None:
    thing = Altered("whist", "whist_trumps", "on", "off")
    assert "**whist_trumps** on → off (whist)" in text_of(sent(done_view([thing])))


FORMS = [(game, knob) for game in GAMES for knob in settable(game)]


async def test_each_knob_has_a_modal_that_discord_accepts() -> None:
    for house, (game, knob) in itertools.product([UNCHANGED, other_house()], FORMS):
        data = sent_form(value_modal(house, game, knob, CHANNELS, {}))
        press = parse_custom_id(data["custom_id"])
        assert press == Press(PressAction.VALUE, arguments=(game, knob.name))
        assert data["title"].endswith("all games") == (knob.about is About.HOSTING)
        [asked] = [part for part in walk(data["components"]) if part.get("custom_id") == VALUE]
        now = setting_words(house.values(knob, game), knob.name)
        match knob.kind:
            case "number":
                assert asked["type"] == Kind.TEXT_INPUT
                unlimited = ("no limit", "as the banker sets")
                assert asked["value"] == knob.empty or now in (f"{int(asked['value']):,}", *unlimited)
                assert not asked["required"]
            case "channels":
                assert asked["type"] == Kind.CHANNEL_SELECT
                picked = [one["id"] for one in asked.get("default_values", ())]
                assert sorted(map(int, picked)) == list(getattr(house.values(knob, game), knob.name))
            case "text":
                assert asked["type"] == Kind.TEXT_INPUT
                assert asked.get("value", knob.empty) in (now, knob.empty)
                assert not asked["required"]
            case _:
                options = {option["value"]: option for option in asked["options"]}
                usual = knob_text(getattr(house.defaults(knob, game), knob.name))
                assert set(options) == {*(knob.choices or ("on", "off")), DEFAULT} - {usual}
                assert [one["label"] for one in options.values() if one.get("default")] in (
                    [now],
                    [f"{now} (default)"],
                )


async def test_a_deleted_channel_is_not_preselected() -> None:
    data = sent_form(value_modal(other_house(), GNAU, KNOBS["channels"], CHANNELS[1:], {}))
    [asked] = [part for part in walk(data["components"]) if part.get("custom_id") == VALUE]
    assert str(CHANNELS[0]) not in [str(one["id"]) for one in asked["default_values"]]
    assert len(asked["default_values"]) == MOST_CHANNELS - 1


@pytest.mark.parametrize("game", GAMES)
async def test_g19_a_house_is_told_that_tables_for_points_score_by_a_preset(game: GameName) -> None:
    text = text_of(sent(house_view(UNCHANGED, game, None)))
    preset = preset_title(GAMES[game].scoring_preset)
    says = f"Tables for points pay as in the preset {preset}, whatever you set here." in text
    assert says is any(knob.pays for knob in settable(game))


async def test_g19_a_preview_of_a_multiple_says_that_it_is_for_chips_only() -> None:
    dearer, tied = (
        UNCHANGED.with_knob("multiple_double_ox", "9"),
        UNCHANGED.with_knob("ties", "push", "gnau"),
    )
    told, silent = (
        text_of(sent(preview_view(1, UNCHANGED, after, {"gnau": (None, None)}))) for after in (dearer, tied)
    )
    assert "Tables for points pay as in the preset Points" in told
    assert "Tables for points" not in silent


def test_t03_a_preview_warns_of_a_lowest_bet_that_members_or_the_house_are_not_made_for() -> None:
    def shown(before: House, after: House) -> str:
        return text_of(sent(preview_view(1, before, after, {})))

    dear = UNCHANGED.with_knob("lowest_stake", "500")
    needed = 500 * largest_multiple(dear.rules("gnau"))
    of_gnau = f"⚠️ Gnau: members need {needed:,} chips to play; they begin with 1,000."
    of_house = "⚠️ The house's highest bet is 150, so every bet against it is 500 chips."
    assert of_gnau in shown(UNCHANGED, dear)
    assert shown(UNCHANGED, dear).count(of_house) == 1, "not once a game"
    assert "⚠️" not in shown(dear, dear.with_knob("decks", "2")), "the rules were like that before"
    without_house = dear.with_knob("house_bank", "off").with_knob("opening_chips", "10000")
    assert "⚠️" not in shown(UNCHANGED, without_house)
    assert "⚠️" not in shown(UNCHANGED, UNCHANGED.with_knob("lowest_stake", "50"))
    assert "⚠️ Gnau:" in shown(UNCHANGED, UNCHANGED.with_knob("opening_chips", "1"))
