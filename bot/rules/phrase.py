"""A sentence as a code with facts; `bot.words` translates it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Fact: TypeAlias = "int | str | Phrase"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A code of the word catalogue, with the facts that its text names; a fact may be a phrase itself."""

    code: str
    facts: Mapping[str, Fact]


def phrase(code: str, **facts: Fact) -> Phrase:
    """The phrase with this code and these facts."""
    return Phrase(code, facts)
