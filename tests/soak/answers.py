"""Whether the bot's answers agree with the ledger: nothing happens in silence, and no answer is false."""

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from bot.practice.interactions import CallbackKind, Interaction
from bot.words.members import given_words
from bot.words.po_files import DEFAULT_LOCALE
from bot.words.translation import Reader, speaking_to, translate
from tests.stand_in import RecordedRequest

REPLY_SECONDS: Final = 3.0
"""How long Discord waits for an answer."""
TRIED_SECONDS: Final = REPLY_SECONDS + 0.4
"""The age up to which an answer that came too late is excused: the bot may write until 2.5 seconds, and a
slow machine takes its time. An older one shows that the bot did not look how late it was."""
MOST_SILENT: Final = 100_000
"""How many unanswered interactions are kept for the end, about 20 MB; an hour has a few thousand."""
MOST_GIFTS: Final = 5_000
"""How many gifts are kept for the end, about 20 MB; four hours have as many."""


@dataclass(frozen=True, slots=True)
class _Gift:
    """A gift; `knows_outcome` if the bot knew what the ledger made of it when it answered."""

    interaction: Interaction
    knows_outcome: bool


class Answers:
    """Collects what has to agree with the ledger. Of very long runs it keeps the newest."""

    def __init__(self) -> None:
        self._gifts: deque[_Gift] = deque(maxlen=MOST_GIFTS)
        self.silent: deque[tuple[int, str]] = deque(maxlen=MOST_SILENT)

    def note_silence(self, interaction: Interaction) -> None:
        """Notes that an interaction got no answer, and that nothing kept the bot from giving one."""
        self.silent.append((interaction.id, name_of(interaction)))

    def note_gift(self, interaction: Interaction, *, ledger_worked: bool) -> None:
        """Notes a gift a few seconds after it was asked for.

        Args:
            interaction: the gift.
            ledger_worked: whether no fault hit the ledger in this time.
        """
        # Only what was answered by now is sure to have been written, or not, by now.
        answered = interaction.callback is CallbackKind.MESSAGE
        self._gifts.append(_Gift(interaction, knows_outcome=answered and ledger_worked))

    def disagreements(self, database: Path | str) -> Iterator[str]:
        """What does not agree with the ledger, one sentence each.

        Args:
            database: a file, or the address of a database on a server.
        """
        gifts = {gift.interaction.id: gift for gift in self._gifts}
        done = _done(database, [*gifts, *(interaction_id for interaction_id, _ in self.silent)])
        for interaction_id, name in self.silent:
            if interaction_id in done:
                yield f"{name} (interaction {interaction_id}) was carried out, and got no answer"
        for interaction_id, gift in gifts.items():
            told = _told(gift.interaction)
            if told is None:
                continue
            says, made = says_given(gift.interaction), interaction_id in done
            if says and not made:
                yield f"gift {interaction_id} is not in the ledger, and its giver was told: {told}"
            elif made and not says and gift.knows_outcome:
                yield f"gift {interaction_id} is in the ledger, and its giver was told: {told}"


def name_of(interaction: Interaction) -> str:
    """What somebody did, for people."""
    return f"/{interaction.command}" if interaction.command else str(interaction.data.get("custom_id"))


def was_tried(interaction: Interaction, requests: Iterable[RecordedRequest]) -> bool:
    """Whether the bot sent an answer that a fault or a slow machine kept from arriving.

    Args:
        interaction: an interaction without an answer.
        requests: all that the bot sent since.
    """
    path = f"/interactions/{interaction.id}/"
    return any(
        request.path.startswith(path)
        and (request.fault is not None or (request.at - interaction.created).total_seconds() < TRIED_SECONDS)
        for request in requests
    )


def says_given(interaction: Interaction) -> bool:
    """Whether the answer to a gift says that it was made."""
    data = {option["name"]: option["value"] for option in interaction.data["options"]}
    with speaking_to(Reader(DEFAULT_LOCALE)):
        given = given_words(interaction.user.id, int(data["member"]), data["amount"], None)
        # It follows a deferral. Then everybody is told.
        done = translate("reply.done")
        return any(text == given or text.startswith(done) for text in _texts(interaction))


def _told(interaction: Interaction) -> str | None:
    """All answers to an interaction; None if there was none, or it was only deferred."""
    return " / ".join(_texts(interaction)) or None


def _texts(interaction: Interaction) -> list[str]:
    messages = (interaction.original, *interaction.followups)
    return [message.text for message in messages if message is not None and message.text]


def opened(database: Path | str) -> AbstractContextManager[Any]:
    """A connection that only reads: to a file, or to the address of a database on a server."""
    if isinstance(database, str):
        return closing(psycopg.connect(database))
    return closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True))


def rounds_settled(database: Path | str) -> int:
    """How many rounds were settled, by the ledger."""
    with opened(database) as connection:
        (rounds,) = connection.execute("SELECT count(*) FROM events WHERE kind = 'round_settled'").fetchone()
    return int(rounds)


def _done(database: Path | str, interaction_ids: list[int]) -> set[int]:
    """Which of these interactions changed the ledger."""
    asked = [str(interaction_id) for interaction_id in interaction_ids]
    among: tuple[str, object] = "key = ANY(%s)", asked
    if isinstance(database, Path):
        among = "key IN (SELECT value FROM json_each(?))", json.dumps(asked)
    with opened(database) as connection:
        return {
            int(key) for (key,) in connection.execute(f"SELECT key FROM commands WHERE {among[0]}", among[1:])
        }
