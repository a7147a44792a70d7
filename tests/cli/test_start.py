"""Commands import only what they need, and can be interrupted at once."""

import subprocess
import sys

import pytest

from tests.cli.runner import EXAMPLE
from tests.sizes import sample

_NOT_NEEDED = ("discord", "numpy", "sqlalchemy", "PIL", "nicegui")


@pytest.mark.parametrize("words", sample([["hand", EXAMPLE, "--json"], ["duel", EXAMPLE, "9S 9D 9C 7S 7D"]]))
def test_a_question_about_hands_imports_no_more_than_it_needs(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from bot.cli.app import app\n"
        "try:\n"
        "    app(sys.argv[1:])\n"
        "finally:\n"
        f"    print([name for name in {_NOT_NEEDED!r} if name in sys.modules], file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=20, check=True
    )
    assert ended.stderr == "[]\n"


def test_an_interrupt_during_the_start_prints_no_traceback() -> None:
    program = (
        "import sys\n"
        "import bot.cli\n"
        "class Interrupted:\n"
        "    def find_spec(self, *_):\n"
        "        raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "bot.cli.main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
