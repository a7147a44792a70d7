"""Discord's errors, and a validator that finds everything wrong with a request body."""

from collections.abc import Sequence
from typing import Any, Final

Path = tuple[str | int, ...]
"""The place of a value in a request body, such as `("components", 0, "label")`."""

NO_SUCH_ROUTE: Final = (404, 0, "404: Not Found")
UNAUTHORIZED: Final = (401, 0, "401: Unauthorized")
UNKNOWN_CHANNEL: Final = (404, 10003, "Unknown Channel")
UNKNOWN_GUILD: Final = (404, 10004, "Unknown Guild")
UNKNOWN_MEMBER: Final = (404, 10007, "Unknown Member")
UNKNOWN_MESSAGE: Final = (404, 10008, "Unknown Message")
UNKNOWN_ROLE: Final = (404, 10011, "Unknown Role")
UNKNOWN_USER: Final = (404, 10013, "Unknown User")
UNKNOWN_WEBHOOK: Final = (404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION: Final = (404, 10062, "Unknown interaction")
NOT_YOUR_APPLICATION: Final = (
    403,
    20012,
    "You are not authorized to perform this action on this application",
)
TOO_MANY_EMOJIS: Final = (400, 30008, "Maximum number of emojis reached (2000)")
TOO_LARGE: Final = (413, 40005, "Request entity too large")
ALREADY_ACKNOWLEDGED: Final = (400, 40060, "Interaction has already been acknowledged.")
MISSING_ACCESS: Final = (403, 50001, "Missing Access")
NOT_THE_AUTHOR: Final = (403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE: Final = (400, 50006, "Cannot send an empty message")
CLOSED_DMS: Final = (403, 50007, "Cannot send messages to this user")
NOT_A_TEXT_CHANNEL: Final = (400, 50008, "Cannot send messages in a non-text channel")
MISSING_PERMISSIONS: Final = (403, 50013, "Missing Permissions")
DEAD_TOKEN: Final = (401, 50027, "Invalid Webhook Token")
INVALID_RECIPIENT: Final = (400, 50033, "Invalid Recipient(s)")
THREAD_IS_ARCHIVED: Final = (400, 50083, "Thread is archived")
INVALID_JSON: Final = (400, 50109, "The request body contains invalid JSON.")
NO_SHARED_SERVER: Final = (403, 50278, "Cannot send messages to this user due to having no mutual guilds")


class DiscordError(Exception):
    """An error response of the REST API; `errors` are the nested details of a 50035."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON body of the response."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        return body | {"errors": self.errors} if self.errors else body


class Validator:
    """Checks a request body field by field and collects all errors."""

    def __init__(self) -> None:
        self._errors: dict[str, Any] = {}

    def add_error(self, path: Path, code: str, **facts: object) -> None:
        """Adds an error at this place. Where Discord has a sentence, the text is the code and the facts."""
        message = ", ".join([code, *(f"{name} {value}" for name, value in facts.items())])
        place = self._errors
        for step in path:
            place = place.setdefault(str(step), {})
        place.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_errors(self) -> None:
        """Raises the collected errors, if any.

        Raises:
            DiscordError: 50035.
        """
        if self._errors:
            raise DiscordError(400, 50035, "Invalid Form Body", self._errors)

    def text(self, path: Path, value: object, low: int, high: int, *, required: bool = True) -> bool:
        """Whether this is text of `low` to `high` characters; None passes if not required."""
        if value is None or (value == "" and low and required):
            if required:
                self.add_error(path, "BASE_TYPE_REQUIRED")
            return not required
        if not isinstance(value, str):
            self.add_error(path, "STRING_TYPE_CONVERT")
            return False
        return self.length(path, value, low, high)

    def length(self, path: Path, value: Sequence[object], low: int, high: int) -> bool:
        """Whether a text or list has `low` to `high` characters or items."""
        if low <= len(value) <= high:
            return True
        if low == 0:
            self.add_error(path, "BASE_TYPE_MAX_LENGTH", most=high)
        else:
            self.add_error(path, "BASE_TYPE_BAD_LENGTH", least=low, most=high)
        return False

    def items(self, path: Path, value: object, low: int, high: int) -> list[dict[str, Any]]:
        """The items of a list of objects; empty if it is no such list, or too long or short."""
        if value is None:
            value = []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.add_error(path, "LIST_TYPE_CONVERT")
            return []
        return value if self.length(path, value, low, high) else []

    def integer(self, path: Path, value: object, low: int, high: int, default: int) -> int:
        """An integer from `low` to `high`; the default if it is missing or wrong."""
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            self.add_error(path, "NUMBER_TYPE_COERCE")
            return default
        if value < low:
            self.add_error(path, "NUMBER_TYPE_MIN", least=low)
        elif value > high:
            self.add_error(path, "NUMBER_TYPE_MAX", most=high)
        else:
            return value
        return default

    def one_of(self, path: Path, value: object, allowed: Sequence[int]) -> bool:
        """Whether the value is one of the allowed ones."""
        if value in allowed and not isinstance(value, bool):
            return True
        listed = ", ".join(str(int(number)) for number in allowed)
        self.add_error(path, "BASE_TYPE_CHOICES", listed=listed)
        return False
