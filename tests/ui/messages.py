"""A layout as Discord receives it, checked against Discord's limits."""

from typing import Any

from bot.practice.component_tree import Button, Kind, Option, Select, buttons, selects, texts, walk
from bot.practice.errors import Validator
from bot.practice.validation.components import MessageComponents, check_modal
from bot.rules.typed_text import text_length
from bot.ui.components import Component, Layout
from bot.ui.press.custom_ids import Press, PressAction, parse_custom_id
from bot.wire.requests import LONGEST_TEXT

Components = list[dict[str, Any]]

MOST_CUSTOM_ID = 100
MOST_ALT_TEXT = 1024
MOST_OPTION = 100


def sent(components: Layout) -> Components:
    """A message's layout, checked against every limit of Discord; each of its custom_ids can be read."""
    for part in walk(components):
        assert "custom_id" not in part or parse_custom_id(part["custom_id"]), part
    # The stand-in counts characters, and most clients UTF-16 code units.
    assert sum(map(text_length, texts(components))) <= LONGEST_TEXT
    validator = Validator()
    MessageComponents(validator, lambda url: {"url": url}).check(components)
    validator.raise_errors()
    return components


def sent_form(modal: Component) -> Component:
    """A modal, checked against every limit of Discord."""
    validator = Validator()
    check_modal(validator, (), modal)
    validator.raise_errors()
    return modal


def text_of(components: Components) -> str:
    """All its text."""
    return "\n".join(texts(components))


def buttons_of(components: Components) -> dict[str, Button]:
    """Its buttons, by their labels."""
    return {button.label: button for button in buttons(components)}


def pressable(components: Components) -> set[str]:
    """The labels of the buttons that can be pressed, and of what its menu *More…* offers."""
    picked = {one.label for one in options_of_more(components)}
    return picked | {label for label, one in buttons_of(components).items() if not one.disabled}


def options_of_more(components: Components) -> list[Option]:
    """What its menu *More…* offers."""
    return [one for menu in selects(components) if is_more(menu) for one in menu.options]


def is_more(menu: Select) -> bool:
    """Whether it is the menu *More…*."""
    press = table_press(menu.custom_id)
    return press is not None and press.action is PressAction.MORE


def kinds_of(components: Components) -> list[Kind]:
    """The kinds of its components, in display order."""
    return [Kind(part["type"]) for part in walk(components)]


def table_press(custom_id: str | None) -> Press | None:
    """The table press that a component carries, or None."""
    press = parse_custom_id(custom_id or "")
    return press if isinstance(press, Press) else None
