"""Finds texts outside the catalogue: string literals of two words or more in `cogs`, `bot/site` and `bot/ui`.

Everything members and admins read comes from `bot/words/catalogue`, so that it can be translated. Docstrings,
log messages and the texts of exceptions are for engineers and are left out. Prints each finding and exits
with 1 if there is one.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = ("cogs", "bot/site", "bot/ui")
_TWO_WORDS: Final = re.compile(r"[^\W\d_]{2,}[\W\d_]+[^\W\d_]+\b")


def loose_texts(source: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each literal of two words or more that somebody could be shown."""
    tree = ast.parse(source)
    ignored = {id(part) for node in ast.walk(tree) for part in _for_engineers(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in ignored:
            continue
        if " " in node.value and _TWO_WORDS.search(node.value):
            yield node.lineno, node.value


def _for_engineers(node: ast.AST) -> Iterator[ast.AST]:
    """The literals inside docstrings, types, log calls, exceptions and assertions."""
    match node:
        case ast.arg(annotation=ast.expr() as of_type) | ast.FunctionDef(returns=ast.expr() as of_type):
            yield from ast.walk(of_type)
        case ast.AsyncFunctionDef(returns=ast.expr() as of_type) | ast.Subscript(slice=of_type):
            yield from ast.walk(of_type)
        case ast.Expr(value=ast.Constant() as docstring):
            yield docstring
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="log")) | ast.Name(id="log_failure")) | ast.Assert()
        ):
            yield from ast.walk(node)
        case ast.Raise(exc=ast.Call(func=ast.Name(id="MemberError"))):
            # A member is shown its facts.
            return
        case ast.Raise():
            yield from ast.walk(node)


def main() -> int:
    """Prints every finding.

    Returns:
        The exit status.
    """
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text!r} belongs into bot/words/catalogue"
        for place in PLACES
        for path in sorted((ROOT / place).rglob("*.py"))
        for line, text in loose_texts(path.read_text())
    ]
    print("\n".join(found))  # noqa: T201 - a script's output
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
