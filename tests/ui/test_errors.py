"""What a member is told when something goes wrong, and how Discord's refusals are told apart."""

from types import SimpleNamespace
from typing import cast

import aiohttp
import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.press.errors import (
    GONE,
    MESSAGES_CLOSED,
    SENDING_FAILED,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    is_code,
    nonce,
    sentence_for,
)

MOST_NONCE = 25

parts = st.lists(st.integers() | st.text(), min_size=1)


def refusal(code: int, status: int = 400) -> discord.HTTPException:
    """The exception that discord.py raises for this response."""
    response = cast("aiohttp.ClientResponse", SimpleNamespace(status=status, reason="No"))
    return discord.HTTPException(response, {"code": code, "message": "No"})


@given(parts)
def test_a_nonce_is_the_same_each_time_and_short_enough_for_discord(words: list[object]) -> None:
    assert nonce(*words) == nonce(*words)
    assert 0 < len(nonce(*words)) <= MOST_NONCE


def test_a_nonce_depends_on_where_its_parts_are_split() -> None:
    assert len({nonce("hand", 1, 23), nonce("hand", 12, 3), nonce("hand", 123), nonce("hand1", 23)}) == 4


def test_a_refusal_is_recognised_by_its_code() -> None:
    assert is_code(refusal(UNKNOWN_MESSAGE, 404), TOO_OLD_TO_EDIT, UNKNOWN_MESSAGE)
    assert not is_code(refusal(UNKNOWN_MESSAGE, 404), TOO_OLD_TO_EDIT)
    assert not is_code(refusal(UNKNOWN_MESSAGE, 404))
    assert is_code(refusal(50007, 403), *MESSAGES_CLOSED)
    assert is_code(refusal(50001, 403), *GONE)
    assert UNKNOWN_CHANNEL in GONE


def test_a_broken_connection_is_a_failure_but_no_refusal() -> None:
    for broken in (aiohttp.ServerDisconnectedError(), ConnectionResetError(), TimeoutError()):
        assert not is_code(broken, *MESSAGES_CLOSED, *GONE, UNKNOWN_MESSAGE)
        assert isinstance(broken, SENDING_FAILED)
    assert isinstance(refusal(0), SENDING_FAILED)


FAILED = "Something went wrong"


@pytest.mark.parametrize(
    "error",
    [
        refusal(10062, status=404),
        discord.DiscordServerError(refusal(0, 503).response, None),
        aiohttp.ClientConnectionError("reset"),
        ConnectionResetError("reset"),
    ],
    ids=["too old", "Discord failed", "broken connection", "broken socket"],
)
def test_nothing_is_said_if_discord_takes_no_answer(error: Exception) -> None:
    assert sentence_for(error) is None


@pytest.mark.parametrize(
    "error",
    [refusal(50035), refusal(50001, status=403), TimeoutError(), KeyError("a bug")],
    ids=["invalid body", "no access", "our own timeout", "a bug"],
)
def test_a_bug_is_logged_with_its_traceback_and_the_member_gets_a_sentence(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    sentence = sentence_for(error)
    assert sentence is not None
    assert FAILED in sentence
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is error
