"""What somebody wrote, as it is said back to him where it is wrong."""

from typing import Final

LONGEST_QUOTE: Final = 40
"""So many characters of what somebody wrote are said back to him."""


def quote(text: str) -> str:
    """The text on one line, and no longer than a sentence bears."""
    line = " ".join(text.splitlines())
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + "…"
