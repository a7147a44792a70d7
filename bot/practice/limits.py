"""The numbers Discord holds a bot to. A test that can't wait, or wants one off, may set it otherwise."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Window:
    """So many requests in so many seconds; None for `requests` is no limit at all."""

    requests: int | None
    seconds: float


@dataclass(slots=True)
class Limits:
    """What is allowed, how often and how long. Times are in seconds.

    Attributes:
        first_answer: how long the bot has for its first answer to an interaction (10062 after).
        token_life: how long an interaction's token lives (50027 after).
        old_message: from what age on the edits of a message are capped.
        old_edits: how many edits of old messages a channel bears (30046 beyond).
        nonce_memory: how long a nonce keeps a second message out.
        rate_limits: whether requests are limited at all.
        all_requests: the budget of the whole bot, free of it the answers to interactions.
        messages: the bucket of a channel, one for each of sending, editing and deleting.
        webhook: the bucket of one interaction's token.
        others: the bucket of any other route.
        heartbeat: how often the gateway wants to hear of the bot.
        attachment_bytes: the largest file, as `attachment_size_limit` tells the bot.
        privileged_intents: whether the bot was granted those (4014 for asking otherwise).
    """

    first_answer: float = 3.0
    token_life: float = 15 * 60.0
    old_message: float = 60 * 60.0
    old_edits: Window = field(default_factory=lambda: Window(3, 20.0))
    nonce_memory: float = 5 * 60.0
    rate_limits: bool = True
    all_requests: Window = field(default_factory=lambda: Window(50, 1.0))
    messages: Window = field(default_factory=lambda: Window(5, 5.0))
    webhook: Window = field(default_factory=lambda: Window(5, 2.0))
    others: Window = field(default_factory=lambda: Window(None, 1.0))
    heartbeat: float = 41.25
    attachment_bytes: int = 10 * 1024 * 1024
    privileged_intents: bool = False
