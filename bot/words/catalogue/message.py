"""What one message of the catalogue is."""

from dataclasses import dataclass


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
