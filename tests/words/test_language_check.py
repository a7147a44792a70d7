"""What is wrong with a translation beyond its placeholders is found, and what is right is not."""

import pytest

from bot.words.catalogue import MESSAGES
from scripts.words.language_check import STAYS_ENGLISH, language_faults, read_catalogue, staying_english
from tests.words.conftest import WriteLocale
from tests.words.test_po_files import entry

ONE_FORM = "nplurals=1; plural=0;"


def faults(
    write_locale: WriteLocale, locale: str, code: str, *texts: str, stays: frozenset[str] = frozenset()
) -> list[str]:
    plurals = {} if locale in ("de", "ms") else {"plurals": ONE_FORM}
    file = write_locale(locale, entry(code, *texts), **plurals)
    return language_faults(locale, read_catalogue(file), stays).get(code, [])


@pytest.mark.parametrize(
    ("locale", "code", "texts"),
    [
        ("de", "button.deal", ["Geben"]),
        ("de", "panel.press_play", ["Drück auf **I'm in**, dann bekommst du Karten."]),
        ("de", "amount.chips", ["{amount:number} Chip", "{amount:number} Chips"]),
        ("zh_CN", "board.bank", ["👑 {who} 坐庄"]),
        ("zh_CN", "hand.niu_niu", ["牛牛"]),
        ("zh_CN", "wrong_rule.tonku_tens_alone", ["tonku_tens 需要 ngau_tonku：请先打开 ngau_tonku。"]),
        ("zh_CN", "proof.exported", ["整局都在文件里。核对方法：`{command}`。"]),
        ("zh_CN", "reply.table_closed", ["这张桌子已关闭。用 `/table open` 再开一张。"]),
        ("ja", "game.tau-ngau", ["Tau Ngau"]),
        ("ja", "name.table.open", ["開く"]),
        ("ms", "name.table.open", ["open"]),
    ],
)
def test_a_good_translation_has_no_faults(
    locale: str, code: str, texts: list[str], write_locale: WriteLocale
) -> None:
    assert faults(write_locale, locale, code, *texts) == []


@pytest.mark.parametrize(
    ("locale", "code", "text", "fault"),
    [
        ("de", "button.deal", "Jetzt an alle die Karten austeilen", "has 34 characters, and may have 30"),
        ("de", "button.deal", "Deal", "is as in English"),
        ("de", "house.left", "Nothing with you", "has English words: with, you"),
        ("zh_CN", "name.table.open", "open", "is as in English"),
        ("zh_CN", "button.deal", "发 cards", "has Latin words: cards"),
        ("zh_CN", "board.bank", "{who} 坐庄", "lacks 👑"),
        ("de", "reply.table_closed", "Zu. Öffne einen.", "lacks `/table open`"),
        (
            "de",
            "reply.no_tables",
            "Kein Tisch. `/table open` oder `/table open play:points`.",
            "has `/table open play:points`, which is no link: use a placeholder, filled by `typed_command`",
        ),
        (
            "zh_CN",
            "reply.which_table",
            "哪张桌？{tables:name}。用 `table:1`。",
            "has `table:1`, which is no link: use a placeholder, filled by `typed_command`",
        ),
        (
            "de",
            "knob.daily_chips",
            "Wie viele Chips /daily gibt.",
            "has /daily without backticks, so it is no link",
        ),
        (
            "de",
            "board.heat_closed",
            "Dieser Tisch ist geschlossen. Drück **Open again**, um weiterzuspielen.",
            "takes 67 columns on a board, and may take 60",
        ),
        ("ja", "board.who_plays", f"✋ {'誰' * 29}？", "takes 63 columns on a board, and may take 60"),
        ("de", "house.title", "Das Haus: {game}", "begins its lines with other signs"),
        ("de", "panel.your_bet", "Dein Einsatz: **{stake:chips}", "has a ** or ` without its partner"),
        ("de", "board.more_pays", "{pays}….", "has a full stop after …: end the sentence otherwise"),
        ("de", "panel.press_play", "Drück auf **Los**.", "does not name the button **I'm in**"),
        ("de", "privacy.in_server", "in {server:name}", "begins with another space"),
        (
            "de",
            "name.table.open",
            "Auf machen",
            "is no name of a command: small letters, digits, - and _, without spaces",
        ),
    ],
)
def test_a_fault_is_found(locale: str, code: str, text: str, fault: str, write_locale: WriteLocale) -> None:
    assert faults(write_locale, locale, code, text) == [fault]


def test_a_button_is_named_as_it_is_translated(write_locale: WriteLocale) -> None:
    file = write_locale(
        "de",
        entry("button.play", "Ich spiele"),
        entry("panel.press_play", "Drück auf **I'm in**."),
        entry("help.play", "Du hast Platz {seat}. Drück auf **Ich spiele**."),
    )
    assert language_faults("de", read_catalogue(file)) == {
        "panel.press_play": ["does not name the button **Ich spiele**"]
    }


def test_what_is_right_in_english_too_is_listed(write_locale: WriteLocale) -> None:
    file = write_locale("de", entry("setting.play.chips", "Chips"), entry("modal.chips", "Chips"))
    (file.parent / STAYS_ENGLISH).write_text("modal.chips  # the same word\n\n# more\nJackpot\n")
    stays = staying_english(file.parent)

    assert stays == {"modal.chips", "Jackpot"}
    assert language_faults("de", read_catalogue(file), stays) == {}
    assert language_faults("de", read_catalogue(file)) == {"modal.chips": ["is as in English"]}


def test_a_listed_word_may_stand_among_chinese(write_locale: WriteLocale) -> None:
    assert faults(write_locale, "zh_TW", "house.left", "Jackpot 沒變。", stays=frozenset({"Jackpot"})) == []


def test_two_commands_with_one_name_and_another_way_to_count_are_found(write_locale: WriteLocale) -> None:
    file = write_locale("de", entry("name.play", "los"), entry("name.bet", "los"), plurals=ONE_FORM)
    [names, plural] = sorted(language_faults("de", read_catalogue(file))[""])
    assert plural == "has the same name for name.bet and name.play"
    assert names == "counts by 0, and German by (n != 1)"


def test_english_itself_would_pass(write_locale: WriteLocale) -> None:
    """Nothing else is asked of a translation that English does not do; but of English, to be English."""
    texts = [entry(code, *filter(None, (message.text, message.plural))) for code, message in MESSAGES.items()]
    file = write_locale("de", *texts)
    found = language_faults("de", read_catalogue(file), frozenset(MESSAGES))
    assert found == {"": ["writes numbers as 1,234.5, and German as 1.234,5"]}
