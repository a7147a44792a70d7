"""Discord's limits, in numbers. A test can change them."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Window:
    """How many requests fit in how many seconds; None for `requests` means no limit."""

    requests: int | None
    seconds: float


@dataclass(slots=True)
class Limits:
    """What Discord allows, how often and how long.

    Attributes:
        reply_seconds: time for the first reply to an interaction (10062 after).
        token_seconds: how long an interaction's token lives (50027 after).
        old_message_seconds: the age from which a message's edits are capped.
        old_edits: how many edits of old messages a channel allows (30046 beyond).
        nonce_seconds: how long a nonce prevents a second message.
        rate_limits: whether requests are limited at all.
        all_requests: the bot's global limit; interaction replies do not count.
        messages: the bucket of a channel, one each for sending, editing and deleting.
        webhook: the bucket of one interaction's token.
        others: the bucket of any other route.
        heartbeat_seconds: how often the gateway expects a heartbeat.
        silence_seconds: how long it waits for one (4009 after).
        attachment_bytes: the largest file; the bot gets it as `attachment_size_limit`.
        privileged_intents: whether the bot has them (4014 if it asks without).
    """

    reply_seconds: float = 3.0
    token_seconds: float = 15 * 60.0
    old_message_seconds: float = 60 * 60.0
    old_edits: Window = field(default_factory=lambda: Window(3, 20.0))
    nonce_seconds: float = 5 * 60.0
    rate_limits: bool = True
    all_requests: Window = field(default_factory=lambda: Window(50, 1.0))
    messages: Window = field(default_factory=lambda: Window(5, 5.0))
    webhook: Window = field(default_factory=lambda: Window(5, 2.0))
    others: Window = field(default_factory=lambda: Window(None, 1.0))
    heartbeat_seconds: float = 41.25
    silence_seconds: float = 60.0
    attachment_bytes: int = 10 * 1024 * 1024
    privileged_intents: bool = False
