"""The page that checks the record of a round without the bot: `docs/verify.html`."""

from functools import cache
from pathlib import Path
from typing import Final

import bot

PAGE_NAME: Final = "verify.html"
_PACKAGE: Final = Path(bot.__file__).parent


@cache
def verifier_page() -> bytes:
    """The page, as a file.

    Raises:
        OSError: it cannot be read.
    """
    # An installed package has it beside its modules, a checkout among the documents.
    installed = _PACKAGE / PAGE_NAME
    return (installed if installed.exists() else _PACKAGE.parent / "docs" / PAGE_NAME).read_bytes()
