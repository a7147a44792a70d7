"""Writes `.env.example` and README's table of settings, from their declarations in `bot/config.py`."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.config import DECLARED, Declared

ROOT: Final = Path(__file__).parents[1]
_WIDTH: Final = 118
_FIRST_LINE: Final = "# Copy to .env and fill in. A variable of the environment overrides this file.\n"
_HEADING: Final = "| setting | what it is | default |\n| --- | --- | --- |\n"


def file_texts() -> Iterator[tuple[Path, str]]:
    """Each file, and its text."""
    yield ROOT / ".env.example", "\n".join((_FIRST_LINE, *_examples()))
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8")
    yield readme, re.sub(rf"{re.escape(_HEADING)}(\|.*\n)+", lambda _: _HEADING + "".join(_rows()), text)


def _in_order() -> list[tuple[str, Declared]]:
    """A setting before the file that may have it."""
    order = list(DECLARED)
    return sorted(DECLARED.items(), key=lambda it: (order.index(it[0].removesuffix("_FILE")), it[0]))


def _rows() -> Iterator[str]:
    for name, it in _in_order():
        default = f"`{it.default}`" if it.default else "none" if it.example else "needed"
        yield f"| `{name}` | {it.about} | {default} |\n"


def _examples() -> Iterator[str]:
    for name, it in _in_order():
        plain = re.sub(r"\[(.*?)\]\((.*?)(#.*?)?\)", r"\1 (\2)", it.about).replace("`", "")
        sentence = f"{plain[0].upper()}{plain[1:]}."
        lines = textwrap.wrap(sentence, _WIDTH, initial_indent="# ", subsequent_indent="# ")
        value = it.default or it.example
        yield "\n".join((*lines, f"{'#' if value else ''}{name}={value}\n"))


if __name__ == "__main__":
    for file, text in file_texts():
        file.write_text(text, "utf-8")
