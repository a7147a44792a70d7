"""What one message of the catalogue is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Attributes:
        text: the English wording; where there is a plural, the one for a single thing.
        plural: the English wording for any other number; None where no number matters.
        counted: the name of the fact whose number decides; None where there is no plural.
    """

    text: str
    plural: str | None = None
    counted: str | None = None

    def __post_init__(self) -> None:
        if (self.plural is None) != (self.counted is None):
            raise ValueError(f'a message has a plural and what is counted, or neither: "{self.text}"')
