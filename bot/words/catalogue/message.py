"""What one message of the catalogue is, and what placeholders a text has."""

from dataclasses import dataclass
from string import Formatter


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        text: the English text; if there is a plural, the one for a single thing.
        plural: the English text for any other number; None if no number matters.
        counted: the name of the fact that is counted; None if there is no plural.
    """

    text: str
    plural: str | None = None
    counted: str | None = None

    def __post_init__(self) -> None:
        if (self.plural is None) != (self.counted is None):
            raise ValueError(f'a message has a plural and what is counted, or neither: "{self.text}"')

    @property
    def ids(self) -> str | tuple[str, str]:
        """The ids by which gettext knows the message."""
        return self.text if self.plural is None else (self.text, self.plural)

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of text and plural, and how each is shown."""
        return placeholders(self.text) | placeholders(self.plural or "")


def placeholders(text: str) -> dict[str, str]:
    """The placeholders of a text, and how each is shown.

    Raises:
        ValueError: a brace is open, or a conversion such as `!r` is asked for.
    """
    found = {}
    for _, name, way, conversion in Formatter().parse(text):
        if conversion:
            raise ValueError(f"cannot convert {{{name}}} by !{conversion}")
        if name is not None:
            found[name] = way or ""
    return found
