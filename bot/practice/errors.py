"""How Discord says no: an HTTP status, a code and a sentence."""

from typing import Any


class DiscordError(Exception):
    """A refusal, as the REST API sends it.

    Attributes:
        status: the HTTP status.
        code: Discord's own code.
        message: the sentence that goes with it.
        errors: the nested description of what is wrong, for 50035.
    """

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        return body | {"errors": self.errors} if self.errors else body


def no_such_route() -> DiscordError:
    """The path or its method is not one that the stand-in plays."""
    return DiscordError(404, 0, "404: Not Found")


def unauthorized() -> DiscordError:
    """The bot's token is missing or wrong."""
    return DiscordError(401, 0, "401: Unauthorized")


def unknown(what: str) -> DiscordError:
    """There is no such thing; `what` is one of the words Discord has a code for.

    Raises:
        KeyError: where `what` is none of them.
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
    """The bot can't see what it asks about."""
    return DiscordError(403, 50001, "Missing Access")


def missing_permissions() -> DiscordError:
    """The bot sees it, but may not do that there."""
    return DiscordError(403, 50013, "Missing Permissions")


def closed_dms() -> DiscordError:
    """The user takes no direct messages from the bot."""
    return DiscordError(403, 50007, "Cannot send messages to this user")


def not_the_author() -> DiscordError:
    """Only who wrote a message may edit it."""
    return DiscordError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> DiscordError:
    """There is nothing in the message to see."""
    return DiscordError(400, 50006, "Cannot send an empty message")


def already_acknowledged() -> DiscordError:
    """The interaction has had its first answer."""
    return DiscordError(400, 40060, "Interaction has already been acknowledged.")


def dead_token() -> DiscordError:
    """The interaction's token is unknown or too old."""
    return DiscordError(401, 50027, "Invalid Webhook Token")
