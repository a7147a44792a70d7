"""Discord's markdown as elements, of which only harmless ones are allowed."""

from pathlib import Path
from typing import Any

import pytest

from bot.practice import page
from bot.practice.page.markdown import parse, plain_text
from bot.practice.page.safe_html import WIDGETS, Node, el, external_link

DEEPEST = 30


class Somewhere:
    """Names of one member, Mei (1), one role, Dealers (3), and one channel, #gnau (5)."""

    def user_name(self, user_id: int) -> str | None:
        return "Mei" if user_id == 1 else None

    def role_name(self, role_id: int) -> str | None:
        return "Dealers" if role_id == 3 else None

    def channel_name(self, channel_id: int) -> str | None:
        return "gnau" if channel_id == 5 else None

    def emoji_url(self, emoji_id: int) -> str:
        return f"http://127.0.0.1/files/0/{emoji_id}/emoji.png"


def written(pieces: tuple[Node | str, ...]) -> str:
    """The elements in a short form: `strong(bold)`."""
    return "".join(it if isinstance(it, str) else f"{it.tag}({written(it.children)})" for it in pieces)


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("**b** *i* `c`", "strong(b) em(i) code(c)"),
        ("***both***", "strong(em(both))"),
        ("**bold *and slanted***", "strong(bold em(and slanted))"),
        ("**over\ntwo lines**", "strong(over\ntwo lines)"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        (r"\*not slanted\* \_nor\_ \`this\`", "*not slanted* _nor_ `this`"),
        ("`**raw**` ` 7`", "code(**raw**) code( 7)"),
        ("no end **here", "no end **here"),
        ("@everyone", "@everyone"),
    ],
)
def test_marks_inside_a_line(text: str, looks: str) -> None:
    assert written(parse(text, Somewhere())) == looks


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("# One\n## Two\n### Three\n#### no", "h1(One)h2(Two)h3(Three)#### no"),
        ("#no heading", "#no heading"),
        ("-# small *print*", "small(small em(print))"),
        ("- a\n- b\n  - c\n- d", "ul(li(a)li(bul(li(c)))li(d))"),
        ("3. a\n4. b\n- c", "ol(li(a)li(b))ul(li(c))"),
        ("a\n\nb", "a\n\nb"),
        ("", ""),
    ],
)
def test_blocks_of_lines(text: str, looks: str) -> None:
    assert written(parse(text, Somewhere())) == looks


def only(text: str) -> Node:
    (piece,) = parse(text, Somewhere())
    assert isinstance(piece, Node)
    return piece


def test_an_emoji_of_the_bot_is_a_picture_that_is_told_by_its_name() -> None:
    emoji = only("<:card_AS_0:7>")
    assert emoji.attrs["aria-label"] == ":card_AS_0:"
    assert "/7/" in emoji.attrs["style"]


def test_mentions_are_names() -> None:
    assert only("<@1>").text == only("<@!1>").text == "@Mei"
    assert only("<@2>").text == "@unknown-user"
    assert only("<@&3>").text == "@Dealers"
    assert only("<@&4>").text == "@unknown-role"
    assert only("<#5>").text == "# gnau"
    assert only("<#5>").on["click"] == {"do": "open", "channel": "5"}
    assert only("<#6>").text == "# No access"
    assert only("</table open:77>").text == "/table open"
    assert only("</table open:77>").on["click"] == {"do": "command", "name": "table open"}


def test_message_links_open_in_the_page() -> None:
    link = only("https://discord.com/channels/9/5/77")
    assert (link.tag, link.text) == ("button", "# gnau › 💬")
    assert link.on["click"] == {"do": "open", "channel": "5", "message": "77"}
    assert only("https://discord.com/channels/@me/5").on["click"] == {"do": "open", "channel": "5"}
    assert only("https://discord.com/channels/9/6/77").text == "# No access"


def test_times_are_formatted_by_the_browser() -> None:
    assert only("<t:1790000000:R>").attrs == {"at": 1790000000, "format": "R"}
    assert only("<t:1790000000>").attrs == {"at": 1790000000, "format": "f"}
    assert written(parse("<t:soon:R> <t:1:x>", Somewhere())) == "<t:soon:R> <t:1:x>"


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("https://example.org/a_b_c.", "https://example.org/a_b_c", "https://example.org/a_b_c"),
        ("(https://example.org/x)", "https://example.org/x", "https://example.org/x"),
        ("<https://example.org>", "https://example.org", "https://example.org"),
        ("[the **rules**](https://example.org)", "https://example.org", "the rules"),
    ],
)
def test_links_open_in_a_new_tab(text: str, address: str, shown: str) -> None:
    link = next(it for it in parse(text, Somewhere()) if isinstance(it, Node))
    assert link.tag == "a"
    assert link.text == shown
    assert link.attrs["href"] == address
    assert link.attrs["rel"] == "noopener noreferrer"


@pytest.mark.parametrize(
    "scheme", ["javascript:alert(1)", "data:text/html,x", "//example.org", "file:///etc"]
)
def test_no_other_address_becomes_a_link(scheme: str) -> None:
    for text in (f"[x]({scheme})", f"<{scheme}>", scheme):
        assert "a(" not in written(parse(text, Somewhere()))


def test_html_stays_text() -> None:
    text = "<img src=x onerror=alert(1)> & <script>1</script> &amp;"
    assert parse(text, Somewhere()) == (text,)


@pytest.mark.parametrize("mark", ["*", "**", "`", "[", "<t:", "\\", "- a\n  "])
def test_any_text_can_be_parsed(mark: str) -> None:
    def depth(it: Any) -> int:
        return 0 if isinstance(it, str) else 1 + max(map(depth, it.children), default=0)

    pieces = parse(mark * (4000 // len(mark)), Somewhere())
    assert max(map(depth, pieces)) < DEEPEST


def test_plain_text_has_no_marks() -> None:
    text = "## Gnau · Round 3\n-# rules\n🏦 **Bank** <@1> `50`\nCloses <t:1:R>"
    assert plain_text(text, Somewhere()) == "Gnau · Round 3 rules 🏦 Bank @Mei 50 Closes"


def test_only_harmless_elements_are_allowed() -> None:
    for tag in ("script", "iframe", "img", "object", "svg", "style", "link"):
        with pytest.raises(ValueError, match="is not allowed here"):
            el(tag)
    for name in ("onclick", "innerHTML", "srcdoc", "formaction"):
        with pytest.raises(ValueError, match="takes no"):
            Node("div", {name: "x"})
    for address in ("javascript:alert(1)", "data:text/html,x", " https://example.org"):
        with pytest.raises(ValueError, match="not an address"):
            el("a", href=address)
        assert external_link(address, "text").tag == "span"


def test_the_browser_implements_every_widget() -> None:
    script = (Path(page.__file__).parent / "assets" / "widgets.js").read_text(encoding="utf-8")
    exported = script.split("const widgets = {")[1].split("}")[0]
    assert {entry.split(":")[0].strip() for entry in exported.split(",") if entry.strip()} == WIDGETS
