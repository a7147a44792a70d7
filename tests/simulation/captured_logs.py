"""Contains a run's warnings, logs and garbage; records what shows a bug."""

import gc
import logging
import sys
import warnings
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy.exc import SAWarning

from tests.simulation.bot_process import BotProcess
from tests.simulation.disk import CUT_OFF
from tests.simulation.messages_model import ListenerFailedError
from tests.simulation.stand_ins import stand_ins

CLEANER: Final = -1
"""The process that ends all others when a run is given up."""
Result = TypeVar("Result")


def run_to_end(bot: BotProcess, work: Coroutine[Any, Any, Result]) -> Result:
    """Runs something with the bot, and leaves nothing behind."""
    loop = bot.loop
    with captured_logs(bot.broken), stand_ins(bot.random, bot.disk, loop.time):
        try:
            return loop.run_until_complete(work)
        except Exception:
            loop.run_until_complete(loop.spawn(CLEANER, bot.tidy_up()))
            raise


@contextmanager
def captured_logs(broken: list[str]) -> Iterator[None]:
    """Silences warnings and logs during the block.

    Args:
        broken: collects warnings, errors that are logged with an exception, and errors that nobody handled.
    """
    handler, silence, hook = _Faults(broken), logging.NullHandler(), sys.unraisablehook
    loggers = {"bot": handler, "sqlalchemy": silence}
    before = {name: (logging.getLogger(name).propagate, logging.getLogger(name).level) for name in loggers}
    for name, one in loggers.items():
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.setLevel(logging.ERROR)
        logger.addHandler(one)
    sys.unraisablehook = lambda what: broken.append(f"{what.err_msg}: {what.exc_value!r}")
    # Collections depend on everything that the interpreter did before, and would change a run.
    gc.disable()
    gc.freeze()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # A kill leaves connections open; a real one ends their process.
            warnings.filterwarnings("ignore", f".*{CUT_OFF}", SAWarning)
            warnings.filterwarnings("ignore", f".*{CUT_OFF}", ResourceWarning)
            yield
            gc.collect()
    finally:
        gc.unfreeze()
        gc.enable()
        sys.unraisablehook = hook
        for name, one in loggers.items():
            logger = logging.getLogger(name)
            logger.removeHandler(one)
            logger.propagate, level = before[name]
            logger.setLevel(level)


class _Faults(logging.Handler):
    """Records unexpected errors: every log record with an unexpected exception."""

    def __init__(self, broken: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._broken = broken

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, ListenerFailedError):
            self._broken.append(f"{record.getMessage()}: {error!r}")
