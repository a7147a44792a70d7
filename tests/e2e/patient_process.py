"""The bot in its own process, with more time to answer, as it has in the process of a test."""

import sys

from tests.e2e.conftest import DISCORDS_PATIENCE, PATIENCE, WAITS
from tests.gnau_process import GnauProcess

MORE_TIME = PATIENCE / DISCORDS_PATIENCE
LINES = (
    *(f"import {module.__name__}" for module in WAITS),
    *(
        f"{module.__name__}.{name} = {getattr(module, name) * MORE_TIME}"
        for module, names in WAITS.items()
        for name in names
    ),
    "from bot.cli import main",
    "main()",
)


class PatientProcess(GnauProcess):
    """Runs `gnau run` for a stand-in that waits `PATIENCE`.

    In Discord's three seconds, a busy machine would put answers off, and open no forms then.
    """

    command = (sys.executable, "-c", "\n".join(LINES), "run")
