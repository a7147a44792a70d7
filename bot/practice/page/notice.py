"""A notice above the messages, in one sentence, until it is closed."""

from bot.practice.page.safe_html import Node, el


def render_notice(text: str) -> Node:
    """The notice; an empty one takes no space."""
    if not text:
        return el("div", role="alert")
    close = el(
        "button", type="button", class_="icon close", aria_label="Close", on={"click": {"do": "understood"}}
    )
    return el("div", el("p", text), close, class_="notice", role="alert")


def sentence(reason: str) -> str:
    """A reason such as `amount must be a number` as a sentence."""
    return f"{reason[:1].upper()}{reason[1:]}{'' if reason.endswith(('.', '!', '?', '…')) else '.'}"
