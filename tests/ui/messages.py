"""A layout as Discord receives it, checked against Discord's limits."""

from typing import Any

from bot.practice.component_tree import Button, Kind, buttons, gallery, selects, texts, walk
from bot.practice.errors import Validator
from bot.practice.validation.components import MessageComponents, check_modal
from bot.ui.components import Component, Layout
from bot.ui.press.custom_ids import Press, parse_custom_id

Components = list[dict[str, Any]]

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_CUSTOM_ID = 100
MOST_LABEL = 80
MOST_ALT_TEXT = 1024
MOST_OPTION = 100


def sent(components: Layout) -> Components:
    """A message's layout, checked against every limit of Discord."""
    assert sum(1 for _ in walk(components)) <= MOST_COMPONENTS
    # Counted as most clients do: characters beyond 16 bits count twice.
    assert sum(len(text.encode("utf-16-le")) // 2 for text in texts(components)) <= MOST_TEXT
    custom_ids = [part["custom_id"] for part in walk(components) if "custom_id" in part]
    assert len(set(custom_ids)) == len(custom_ids)
    for custom_id in custom_ids:
        assert len(custom_id) <= MOST_CUSTOM_ID
        assert parse_custom_id(custom_id), custom_id
    assert all(0 < len(button.label) <= MOST_LABEL for button in buttons(components))
    for select in selects(components):
        for option in select.options:
            assert len(option.label) <= MOST_OPTION
            assert len(option.description or "") <= MOST_OPTION
    for picture in gallery(components):
        assert 0 < len(picture.description or "") <= MOST_ALT_TEXT
    validator = Validator()
    MessageComponents(validator, lambda url: {"url": url}).check(components, v2=True)
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


def kinds_of(components: Components) -> list[Kind]:
    """The kinds of its components, in display order."""
    return [Kind(part["type"]) for part in walk(components)]


def table_press(custom_id: str | None) -> Press | None:
    """The table press that a component carries, or None."""
    press = parse_custom_id(custom_id or "")
    return press if isinstance(press, Press) else None
