"""Where the database file is, and who owns it and the files beside it."""

import logging
import os
import re
import shutil
import sqlite3
import stat
import sys
from contextlib import suppress
from errno import EACCES, ELOOP
from pathlib import Path
from shlex import quote
from typing import Final

from bot.ledger.errors import LedgerUnavailable, LedgerUnusable
from bot.ledger.files import OWNER_ONLY
from bot.ledger.sqlite.storage_errors import SIDE_FILES, unavailable

log = logging.getLogger(__name__)

_SHARES: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs"})
_PASSING: Final = frozenset({"tmpfs", "ramfs", "overlay"})
_OLDEST_SQLITE: Final = (3, 37)
"""The first version that has STRICT tables."""
_PREFIX: Final = "sqlite:///"
_PERCENT: Final = re.compile("%[0-9A-Fa-f]{2}")
_EXAMPLES: Final = "sqlite:///data/gnau.db (relative) or sqlite:////srv/gnau/gnau.db (absolute)"


def database_path(url: str) -> Path:
    """The SQLite file of a DATABASE_URL: `sqlite:///relative/path` or `sqlite:////absolute/path`.

    Raises:
        ValueError: it has another form. The text repeats nothing of it: it may contain a password.
    """
    if url.startswith("postgres"):
        raise ValueError("the address of a PostgreSQL database begins with postgresql://")
    name = url.removeprefix(_PREFIX)
    if name == url or name in ("", ":memory:") or "?" in name or name.endswith("/"):
        raise ValueError(f"a database address looks like {_EXAMPLES}")
    if name.startswith("~"):
        raise ValueError(f"a database address cannot start with ~ for the home folder; use {_EXAMPLES}")
    if "$" in name:
        raise ValueError(
            f"nothing replaces a $ in a database address; write the whole path, as in {_EXAMPLES}"
        )
    if _PERCENT.search(name):
        raise ValueError(f"a database address has no % codes: write a space as a space; use {_EXAMPLES}")
    return Path(name)


def resolved(database: Path) -> Path:
    """Where a database really is: SQLite puts its other files beside that, not beside a symbolic link.

    A path without symbolic links is returned as it is, so that messages name it as the settings do.
    """
    # Everything that uses a database begins here, before any file is made.
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        oldest = ".".join(map(str, _OLDEST_SQLITE))
        raise LedgerUnusable(
            f"gnau needs SQLite {oldest} or newer, and this Python has {sqlite3.sqlite_version}"
        )
    real = real_path(database)
    return database if real == database.absolute() else real


def real_path(path: Path) -> Path:
    """The absolute path without symbolic links, which may not lead nowhere; there may be no file."""
    try:
        real = path.resolve()
        with suppress(FileNotFoundError, NotADirectoryError):
            # Since Python 3.13 a circle of links is noticed only here.
            real.stat()
        for link in filter(Path.is_symlink, (path, *path.absolute().parents)):
            target = link.resolve()
            if not target.parent.is_dir():
                raise LedgerUnusable(
                    f"{link} is a symbolic link to {target}, and there is no folder {target.parent}"
                )
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) or error.errno == ELOOP:
            raise LedgerUnusable(f"{path} is a symbolic link that leads in a circle") from error
        if error.errno == EACCES and (closed := _closed_folder(path)):
            raise _not_writable(closed) from error
        raise unavailable(f"{path} cannot be reached: {error.strerror}", error, path) from error
    return real


def create(database: Path) -> bool:
    """Creates an empty file that only its owner can read; returns False if there is a file."""
    try:
        os.close(os.open(database, os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        return False
    # If root creates it, the bot's user must be able to open it later.
    give_to_owner(database, database.absolute().parent)
    return True


def warn_of_readers(database: Path) -> None:
    """Warns if others than its owner can read a database."""
    if sys.platform != "win32" and database.stat().st_mode & stat.S_IROTH:
        log.warning(
            "the permissions of %s let every user of this machine read dealt hands and secrets: "
            "run chmod 600 on it, or if that changes nothing, choose another file system",
            database,
        )


def prepare_location(database: Path) -> None:
    """Creates missing folders above a database, and checks that it can be written there."""
    try:
        database.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_creatable(database, error) from error
    check_location(database)


def existing_folder(database: Path) -> Path:
    """The folder of a database; the nearest one above it if that is missing."""
    return next(folder for folder in database.absolute().parents if folder.exists())


def check_location(database: Path) -> None:
    """Checks that a database can be written where it is, or is to be.

    SQLite opens a read-only file without complaint, and fails only at the first write.
    """
    folder = existing_folder(database)
    try:
        if database.is_dir():
            raise LedgerUnusable(f"{database} is a folder, not a database")
        exists = database.exists()
        if exists and not database.is_file():
            raise LedgerUnusable(f"{database} is not a regular file")
        if exists and _mount_of(database) != _mount_of(folder):
            raise LedgerUnusable(
                f"{database} is mounted alone, so what the bot keeps beside it would be lost: "
                "mount the folder that it is in"
            )
    except OSError as error:
        raise _not_creatable(database, error) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _not_writable(folder)
    beside = (database.with_name(database.name + suffix) for suffix in SIDE_FILES)
    for file in (database, *beside) if exists else ():
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            raise LedgerUnusable(
                f"{file} cannot be read and written by this user: change its permissions"
                + (", or choose another database" if file == database else ", as those of the database are")
            )


def _not_creatable(database: Path, error: OSError) -> LedgerUnavailable:
    text = f"the database {database} cannot be created: {error.filename}: {error.strerror}"
    return unavailable(text, error, database)


def disk_kind(folder: Path) -> str:
    """The kind of file system that a folder is in, such as `ext4`; empty where the system does not tell."""
    mount = re.sub(r"\D", "", str(_mount_of(folder)))
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines():
            if line.split(" ", 1)[0] == mount:
                return line.partition(" - ")[2].split(" ", 1)[0]
    return ""


def disk_problem(kind: str) -> str:
    """What is wrong with a kind of file system for a database, and what to do; empty if nothing is."""
    if kind in _SHARES:
        return f"it is on a network share ({kind}): SQLite needs a local disk"
    if kind in _PASSING:
        return f"it is on {kind}, which is lost with its container or at a reboot: mount a disk there"
    return ""


def _closed_folder(path: Path) -> Path | None:
    """The topmost folder above a path that this user cannot enter."""
    return next((one for one in path.absolute().parents[::-1] if not os.access(one, os.X_OK)), None)


def _not_writable(folder: Path) -> LedgerUnusable:
    """The refusal of a folder in which this user cannot create files, as SQLite must; says what to do."""
    if sys.platform == "win32":
        why = "choose another folder"
    elif os.statvfs(folder).f_flag & os.ST_RDONLY:
        why = "its disk is read-only"
    elif (user := os.geteuid()) == (owner := folder.stat().st_uid):
        why = f"run chmod u+rwx {quote(str(folder))}"
    else:
        run = f"chown {user} {quote(str(folder))}"
        if owner:
            # It may be the bot that has the right user, and this a command.
            run = f"gnau as uid {owner}, or {run}"
        root = Path(folder.anchor)
        # / or one such as /etc, rather than a volume such as /data.
        is_systems = folder == root or (folder.parent == root and not folder.is_mount())
        advice = "Choose another folder" if is_systems else f"Run {run}"
        why = f"it belongs to uid {owner}, and gnau runs as uid {user}. {advice}"
    return LedgerUnusable(f"cannot write to {folder}: {why}")


def _mount_of(path: Path) -> object:
    """Which mount a file or a folder is in; where the system does not tell, its device.

    A file that is mounted from the same disk has the device of its folder. Closing a descriptor of this kind
    keeps SQLite's locks.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            descriptor = os.open(path, os.O_PATH)
            try:
                return re.findall("mnt_id:.*", Path(f"/proc/self/fdinfo/{descriptor}").read_text("utf-8"))
            finally:
                os.close(descriptor)
    return path.stat().st_dev


def give_to_owner(file: Path, database: Path) -> None:
    """Gives a new file the owner of the database or its folder, if root created it."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = (database if database.exists() else database.absolute().parent).stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def set_mode(file: Path, mode: int) -> None:
    """Sets the permissions of a file of this user's, if its file system has any."""
    with suppress(PermissionError):
        file.chmod(mode)


def copy_file(source: Path, target: Path) -> None:
    """Copies a file with its permissions, if the target's file system has any."""
    shutil.copyfile(source, target)
    set_mode(target, stat.S_IMODE(source.stat().st_mode))
