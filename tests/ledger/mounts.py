"""Runs commands with mounts of their own, which end with them."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

WITHOUT_SHARED_MEMORY: Final = "bindfs -o direct_io"
"""Mounts a folder where another is; files there cannot be mapped into memory, as on some shares."""


def in_own_mounts(script: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell script that may mount, and ends with the first command that fails."""
    own = ["--mount", "--mount-proc", "--pid", "--fork", "--kill-child"]
    if os.geteuid() != 0:
        own.append("--map-root-user")
    return subprocess.run(
        ["unshare", *own, "sh", "-ec", script, "sh", *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@cache
def can_mount() -> bool:
    """Whether the system lets this user mount files and folders, and bindfs is installed."""
    if shutil.which("unshare") is None:
        return False
    with TemporaryDirectory() as name:
        file = Path(name) / "file"
        file.touch()
        (Path(name) / "folder").mkdir()
        script = f'mount --bind "$1" "$1"; {WITHOUT_SHARED_MEMORY} "$2" "$2"'
        return in_own_mounts(script, file, file.with_name("folder")).returncode == 0
