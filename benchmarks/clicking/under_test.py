"""What both bots under test do alike in their process: start, answer the benchmark, and end with it."""

import argparse
import asyncio
import importlib.util
import json
import logging
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from bot.run.process import collect_rarely, run_async
from clicking.cpu_profile import CpuProfile

Connected = Callable[[str, str, str, str], AbstractAsyncContextManager[Any]]
"""Connects a bot, given token, address of the API, address of the gateway, and database; ready inside.

It may give what to do at further words of the benchmark, by word.
"""
_GIVEN: Final = ("token", "api_url", "gateway_url", "database_url")


def run(connected: Connected) -> None:
    """Runs a bot until its standard input is closed, which also happens when the benchmark is killed."""
    asked = argparse.ArgumentParser()
    for name in _GIVEN:
        asked.add_argument(name)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    collect_rarely()
    given = asked.parse_args()
    run_async(_serve(connected(*(getattr(given, name) for name in _GIVEN))))


async def _serve(bot: AbstractAsyncContextManager[Any]) -> None:
    words = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(words), sys.stdin)
    profile = CpuProfile()
    async with bot as more:
        _tell({"loop": type(loop).__module__, "orjson": importlib.util.find_spec("orjson") is not None})
        async for word in words:
            match word.strip():
                case b"profile":
                    profile.start()
                    _tell({})
                case b"report":
                    _tell(profile.stop())
                case other:
                    _tell(await more[other.decode()]())


def _tell(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - the benchmark reads it
