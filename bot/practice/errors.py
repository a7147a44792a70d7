"""Discord's errors: an HTTP status, a code and a message."""

from typing import Any


class DiscordError(Exception):
    """An error response of the REST API.

    Attributes:
        status: the HTTP status.
        code: Discord's error code.
        message: Discord's text for that code.
        errors: the nested details of a 50035.
    """

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


def no_such_route() -> DiscordError:
    """The stand-in has no such path or method."""
    return DiscordError(404, 0, "404: Not Found")


def unauthorized() -> DiscordError:
    """The bot's token is missing or wrong."""
    return DiscordError(401, 0, "401: Unauthorized")


def unknown(what: str) -> DiscordError:
    """404: there is no such thing.

    Args:
        what: what is missing, in Discord's words.

    Raises:
        KeyError: if Discord has no code for `what`.
    """
    codes = {
        "Channel": 10003,
        "Guild": 10004,
        "Member": 10007,
        "Message": 10008,
        "User": 10013,
        "Webhook": 10015,
        "interaction": 10062,
        "application command": 10063,
    }
    return DiscordError(404, codes[what], f"Unknown {what}")


def missing_access() -> DiscordError:
    """The bot can't see it."""
    return DiscordError(403, 50001, "Missing Access")


def missing_permissions() -> DiscordError:
    """The bot sees it but lacks a permission."""
    return DiscordError(403, 50013, "Missing Permissions")


def closed_dms() -> DiscordError:
    """The user does not accept direct messages from the bot."""
    return DiscordError(403, 50007, "Cannot send messages to this user")


def not_the_author() -> DiscordError:
    """Only the author may edit a message."""
    return DiscordError(403, 50005, "Cannot edit a message authored by another user")


def not_a_text_channel() -> DiscordError:
    """Nobody writes in a category or a forum itself."""
    return DiscordError(400, 50008, "Cannot send messages in a non-text channel")


def thread_is_archived() -> DiscordError:
    """Nothing in an archived thread can be changed."""
    return DiscordError(400, 50083, "Thread is archived")


def empty_message() -> DiscordError:
    """The message has nothing to show."""
    return DiscordError(400, 50006, "Cannot send an empty message")


def already_acknowledged() -> DiscordError:
    """The interaction already has its first reply."""
    return DiscordError(400, 40060, "Interaction has already been acknowledged.")


def dead_token() -> DiscordError:
    """The interaction's token is unknown or expired."""
    return DiscordError(401, 50027, "Invalid Webhook Token")
