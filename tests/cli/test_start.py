"""Commands import only what they need, and can be interrupted at once."""

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from bot.ledger.upgrade import revisions
from tests.cli.runner import EXAMPLE, ask

_OF_A_HAND = ("discord", "sqlalchemy", "PIL", "nicegui", "aiohttp", "babel", "emoji", "structlog")
_OF_THE_START = (
    "prometheus_client",
    "psycopg",
    "alembic",
    "emoji",
    "rich.progress",
    "nicegui",
    "httpx",
)
_RUN = "import bot.run.serving as run, cogs.fairness, cogs.house_rules; run.check_games()"


@pytest.mark.parametrize(
    ("program", "not_needed", "most"),
    [
        ("app(['--help'])", (*_OF_A_HAND, "pydantic", "bot.games"), 420),
        (f"app(['hand', {EXAMPLE!r}])", _OF_A_HAND, 420),
        (f"app(['duel', {EXAMPLE!r}, '9S 9D 9C 7S 7D', '--json'])", (*_OF_A_HAND, "rich.table"), 380),
        (f"import bot.cli.bot_commands; {_RUN}", _OF_THE_START, 1150),
    ],
    ids=["help", "hand", "duel", "run"],
)
def test_a_command_imports_no_more_than_it_needs(
    program: str, not_needed: tuple[str, ...], most: int
) -> None:
    """How long a command takes to begin is mostly how much it imports; no test asserts a time."""
    program = (
        "import sys\n"
        "from bot.cli.app import app\n"
        "try:\n"
        f"    {program}\n"
        "finally:\n"
        f"    names = [name for name in {not_needed!r} if name in sys.modules]\n"
        "    print(names, len(sys.modules), file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    found, _, count = ended.stderr.rpartition(" ")
    assert found == "[]"
    assert int(count) < most


def test_the_version_names_all_that_a_report_needs() -> None:
    told = ask("--version")
    assert (told.exit_code, told.stderr) == (0, "")
    assert re.fullmatch(
        rf"gnau {metadata.version('gnau')} \(Python 3\.[\d.]+, discord\.py 2\.[\d.]+, SQLite 3\.[\d.]+"
        rf"(, psycopg 3\.[\d.]+)?\), schema {revisions()[-1]}\n",
        told.stdout,
    )


@pytest.mark.thorough
def test_a_postgresql_address_without_psycopg_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['psycopg'] = None\n"
        "import bot.cli\n"
        "sys.argv = ['gnau', *sys.argv[1:]]\n"
        "bot.cli.main()\n"
    )
    environment = {
        **os.environ,
        "DATABASE_URL": "postgresql://gnau:hunter2@host/gnau",
        "DISCORD_TOKEN": "a.b.c",
    }
    for words in (["run"], ["db", "check"], ["privacy", "export", "7"]):
        ended = subprocess.run(
            [sys.executable, "-c", program, *words],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=tmp_path,
            env=environment,
        )
        assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
        assert ended.stderr.endswith(
            "DATABASE_URL cannot be used: PostgreSQL needs psycopg, which is not installed here: in a clone "
            "of the repository, run pip install '.[postgres]'\n"
        )


@pytest.mark.thorough
def test_practice_without_its_libraries_says_what_works() -> None:
    """A package called gnau on the index would not be ours."""
    program = (
        "import sys\n"
        "sys.modules['uvicorn'] = None\n"
        "import bot.cli\n"
        "sys.argv = ['gnau', 'practice']\n"
        "bot.cli.main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "practice needs uvicorn, which is not installed here: in a clone of the repository, run "
        "pip install uv && uv run gnau practice\n"
    )


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
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
