"""Errors in an interaction: a member gets a sentence, unless Discord takes no answer."""

import aiohttp
import discord
import pytest

from bot.ui.press.errors import sentence_for
from tests.ui.test_discord_errors import refusal

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
