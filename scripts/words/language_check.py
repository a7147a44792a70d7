"""What is wrong with a translation beyond its placeholders: English left over, lost marks, texts too long.

`python -m scripts.words.template <locale>` names it, and a test refuses it.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages import Catalog
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message
from bot.words.po_files import DEFAULT_LOCALE, Entry, current_texts, has_no_spaces
from scripts.words.translator_notes import longest_of
from scripts.words.verifier_page import to_translate

STAYS_ENGLISH: Final = "ENGLISH.txt"
"""The file in the folder of a locale with the words and codes that are right in English too, one a line."""

_NAMES: Final = ("game.", "preset.", "setting.language.")
"""Codes that begin so are names, which a language may have as they are."""
_KNOWN_NAMES: Final = frozenset(
    {
        *("Gnau", "Ngau", "Nenku", "Niu", "Tau", "Tonku"),
        *("Discord", "Lodige", "PAGAT", "Wikipedia"),
        *("HMAC", "ID", "JSON", "SHA", "html", "id", "off", "on", "verify"),
    }
)
_ENGLISH: Final = frozenset({"the", "you", "your", "with", "which"})
"""English words that no other language has."""

_NOT_WORDS: Final = re.compile(r"{[^}]*}|`[^`]*`|<[^>]*>|/[a-z]+(?: [a-z]+)?|\b\w+_\w+\b")
"""Placeholders, codes, mentions and times, commands, knobs."""
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_CODE_SPAN: Final = re.compile(r"`[^`]*`")
_BOLD: Final = re.compile(r"\*\*([^*]+)\*\*")
_MARKED: Final = re.compile(r"\*\*|`|^-# ")
_WIDEST_BOARD_LINE: Final = 60
"""The most columns of a line on a board, beside the names in it: a phone breaks a longer one twice."""
_LINE_START: Final = re.compile(r"^(?:-# |#{1,3} |- |\d+\. )", re.MULTILINE)
_BARE_COMMAND: Final = re.compile(r"(?<![\w<])/([a-z]+)\b", re.ASCII)
_COMMAND_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_COMMANDS: Final = frozenset(
    code.removeprefix("name.").replace(".", " ")
    for code in MESSAGES
    if code.startswith("name.") and not code.startswith("name.option.")
)
_OPTIONS: Final = frozenset(
    code.removeprefix("name.option.") for code in MESSAGES if code.startswith("name.option.")
)
_WITHOUT_LINKS: Final = ("alt.", "board.", "choice.", "command.", "knob.", "modal.", "option.", "verify.")
"""Codes of texts in which Discord shows no links, or that are on the verifier page."""
_BUTTONS: Final = ("button.", "guide.button.", "learn.button.", "menu.", "welcome.button.")


def read_catalogue(file: Path) -> Catalog:
    """The file of a locale with all that translators see; the bot has a smaller reader of its own.

    Raises:
        ValueError: it is not in the format of gettext.
    """
    try:
        with file.open("rb") as opened:
            return read_po(opened, locale=file.parent.name, abort_invalid=True)
    except PoFileError as error:
        raise ValueError(f"{file}: {error}") from error


def entries_of(catalogue: Catalog) -> Iterator[Entry]:
    """The messages of a catalogue as the bot reads them."""
    for one in catalogue:
        ids = one.id if isinstance(one.id, str) else (one.id[0], one.id[1])
        yield Entry(one.context or "", ids, _texts(one.string), one.fuzzy)


def language_faults(
    locale: str, catalogue: Catalog, stays: frozenset[str] = frozenset()
) -> dict[str, list[str]]:
    """What is wrong with the translations of a catalogue, by code; under the empty code, with all of it.

    Args:
        stays: words and codes that are right in English too.
    """
    language = Locale.parse(locale)
    messages = to_translate()
    texts = current_texts(entries_of(catalogue), messages)
    whole: list[str] = []
    if (plural := Catalog(language).plural_expr) != catalogue.plural_expr:
        whole.append(f"counts by {catalogue.plural_expr}, and {language.english_name} by {plural}")
    here, usual = texts.get("amount.digits"), format_decimal(1234.5, locale=language)
    if here is not None and here != (usual,):
        whole.append(f"writes numbers as {here[0]}, and {language.english_name} as {usual}")
    found = {"": [*whole, *_same_names(texts)]}
    buttons = _labels(texts)
    for code, words in texts.items():
        message = messages[code]
        faults = [
            *_too_long(code, words),
            *_too_wide(code, words),
            *_not_a_name(code, words),
            *_lost(message, words, has_spaces=not has_no_spaces(locale)),
            *_buttons_named_otherwise(message, words, buttons),
            *_not_as_typed(code, words),
            *_four_dots(words),
            *_left_over(code, message, words, language, stays),
        ]
        found[code] = list(dict.fromkeys(faults))
    return {code: faults for code, faults in found.items() if faults}


def staying_english(folder: Path) -> frozenset[str]:
    """The words and codes that the folder of a locale lists as right in English too."""
    file = folder / STAYS_ENGLISH
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return frozenset(line.partition("#")[0].strip() for line in lines) - {""}


def _texts(string: str | Sequence[str] | None) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ())


def _too_long(code: str, words: tuple[str, ...]) -> Iterator[str]:
    most = longest_of(code)
    for text in words:
        length = len(re.sub(r"{[^}]*}", "", text))
        if most is not None and length > most:
            yield f"has {length} characters, and may have {most}"


def _too_wide(code: str, words: tuple[str, ...]) -> Iterator[str]:
    """Lines of a board in columns, of which a Chinese or Japanese character takes two, and a fact two."""
    if code.startswith("board."):
        for text in words:
            shown = re.sub(r"{[^}]*}", "12", re.sub(r"<t:[^>]*>", "in 30 seconds", _MARKED.sub("", text)))
            columns = sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in shown)
            if columns > _WIDEST_BOARD_LINE:
                yield f"takes {columns} columns on a board, and may take {_WIDEST_BOARD_LINE}"


def _not_a_name(code: str, words: tuple[str, ...]) -> Iterator[str]:
    if code.startswith("name."):
        for name in words:
            if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
                yield "is no name of a command: small letters, digits, - and _, without spaces"


def _same_names(texts: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Commands or options that would have the same name; untranslated ones keep the English one."""
    taken: dict[tuple[str, str], str] = {}
    for code in (code for code in MESSAGES if code.startswith("name.")):
        beside = code.rpartition(".")[0], texts.get(code, (MESSAGES[code].text,))[0]
        if (other := taken.setdefault(beside, code)) != code:
            yield f"has the same name for {other} and {code}"


def _lost(message: Message, words: tuple[str, ...], *, has_spaces: bool) -> Iterator[str]:
    """Marks, codes and layout that a translation lacks: people and programs look for them."""
    english = message.text if message.plural is None else message.plural
    for text in words:
        for mark in sorted(set(_marks(english)) - set(_marks(text))):
            yield f"lacks {mark}"
        if text.count("**") % 2 or text.count("`") % 2:
            yield "has a ** or ` without its partner"
        if set(_LINE_START.findall(english)) != set(_LINE_START.findall(text)):
            yield "begins its lines with other signs"
        if has_spaces and english.startswith(" ") != text.startswith(" "):
            yield "begins with another space"


def _marks(text: str) -> Iterator[str]:
    """Emoji and other signs, commands and codes."""
    yield from (one for one in text if unicodedata.category(one) == "So")
    yield from _CODE_SPAN.findall(text)


def _labels(texts: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    """What buttons and entries of menus are called, by what they are called in English."""
    labels: dict[str, set[str]] = {}
    for code, message in MESSAGES.items():
        if code.startswith(_BUTTONS) and not code.endswith(".what") and not message.placeholders:
            labels.setdefault(message.text, set()).add(texts.get(code, (message.text,))[0])
    return labels


def _buttons_named_otherwise(
    message: Message, words: tuple[str, ...], labels: Mapping[str, set[str]]
) -> Iterator[str]:
    english = message.text if message.plural is None else message.plural
    for named in _BOLD.findall(english):
        if named in labels:
            for text in words:
                if not labels[named] & set(_BOLD.findall(text)):
                    yield f"does not name the button **{'** or **'.join(sorted(labels[named]))}**"


def _not_as_typed(code: str, words: tuple[str, ...]) -> Iterator[str]:
    """Commands and options by their English names, though members type those of their language.

    A command alone in backticks becomes a link, which Discord shows by its name in the reader's language.
    """
    for text in words:
        spans = [span.strip("`") for span in _CODE_SPAN.findall(text)]
        linked = () if code.startswith(_WITHOUT_LINKS) else _COMMANDS
        for span in spans:
            is_command = span.startswith("/") and span[1:] not in linked
            if is_command or span.partition(":")[0] in _OPTIONS:
                yield f"has `{span}`, which is no link: use a placeholder, filled by `typed_command`"
        for name in _BARE_COMMAND.findall(_CODE_SPAN.sub(" ", text)):
            if any(command.split()[0] == name for command in _COMMANDS):
                yield f"has /{name} without backticks, so it is no link"


def _four_dots(words: tuple[str, ...]) -> Iterator[str]:
    """The name of a button such as **More…** at the end of a sentence, where a dot follows its three."""
    if any(re.search(r"…[*\"”]*[.。]", text) for text in words):
        yield "has a full stop after …: end the sentence otherwise"


def _left_over(
    code: str, message: Message, words: tuple[str, ...], language: Locale, stays: frozenset[str]
) -> Iterator[str]:
    """Words that are still English."""
    if code in stays or code.startswith(_NAMES) or language.language == DEFAULT_LOCALE:
        return
    english = {message.text, message.plural}
    has_latin = not has_no_spaces(str(language))
    may_stay = _KNOWN_NAMES | stays
    if code.startswith("name.") and has_latin:
        # Discord lacks some languages: there, members type the English names.
        return
    for text in words:
        left = [word for word in _WORD.findall(_NOT_WORDS.sub(" ", text)) if word not in may_stay]
        if text in english and left:
            yield "is as in English"
        elif left and not has_latin:
            yield f"has Latin words: {', '.join(left)}"
        elif english_words := sorted(_ENGLISH.intersection(word.lower() for word in left)):
            yield f"has English words: {', '.join(english_words)}"
