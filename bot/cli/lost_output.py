"""Ends a command whose output is lost: on a full disk, or when the reader has gone.

A sign that the terminal's encoding lacks is not lost: a plainer one is written.
"""

import codecs
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

import typer

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LOST: Final = 1
"""The exit status if the answer cannot be written."""
READER_GONE: Final = 141
"""The exit status if the reader has gone: the one that shells use for SIGPIPE."""
_PLAINER: Final = "gnau-plainer"
"""The error handler of encodings that writes a plainer sign."""
_PLAIN_SIGNS: Final = {"♠": "S", "♥": "H", "♣": "C", "♦": "D", "×": "x", "‑": "-", "–": "-", "…": "..."}


class OutputLostError(typer.TyperException):
    """The answer cannot be written: a sentence says why; none if the reader has gone, which is no error."""

    def __init__(self, failed: OSError) -> None:
        is_gone = failed.errno == errno.EPIPE
        super().__init__("" if is_gone else f"the answer cannot be written: {failed.strerror}")
        self.exit_code = READER_GONE if is_gone else LOST


@contextmanager
def watched_output() -> Iterator[Callable[[], None]]:
    """Watches writes to the process's own stdout and stderr while the block runs.

    A failed write to stdout ends the command, because half an answer must not look like a whole one. A failed
    write to stderr is ignored: a bot goes on even if nobody reads its log.

    Yields:
        A function to call at the end. It flushes stdout, and raises OutputLostError if any of the answer was
        lost, even if a library swallowed the error before.
    """
    stdout, stderr = sys.stdout, sys.stderr
    answers = None

    def finish() -> None:
        sys.stdout.flush()
        if answers is not None and answers.lost is not None:
            raise answers.lost

    # Other streams, such as those of a test, are not ours to watch.
    if stdout is sys.__stdout__:
        answers = _Watched.end_of(stdout, is_answer=True)
        sys.stdout = _text(answers, stdout)
    if stderr is sys.__stderr__:
        sys.stderr = _text(_Watched.end_of(stderr, is_answer=False), stderr)
    try:
        yield finish
    finally:
        sys.stdout, sys.stderr = stdout, stderr


class _Watched(io.FileIO):
    """The raw end of a stream, which notices failed writes, and raises one of an answer.

    It does not raise an OSError, because every library that prints handles those in its own way.
    """

    is_answer = False
    lost: OutputLostError | None = None

    @classmethod
    def end_of(cls, stream: TextIO | None, *, is_answer: bool) -> "_Watched":
        """The end of a stream; None if the process was started without it, so that all is lost."""
        watched = cls(os.devnull, "wb") if stream is None else cls(stream.fileno(), "wb", closefd=False)
        watched.is_answer = is_answer
        if stream is None and is_answer:
            watched.lost = OutputLostError(OSError(errno.EBADF, os.strerror(errno.EBADF)))
        return watched

    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes bytes. After a failed write of an answer, it ignores all others."""
        if self.lost is None:
            try:
                return super().write(data)
            except OSError as failed:
                # A log goes on: there may be room on the disk again.
                if self.is_answer:
                    self.lost = OutputLostError(failed)
                    raise self.lost from None
        return memoryview(data).nbytes


def _text(watched: _Watched, stream: TextIO | None) -> TextIO:
    """A text stream on top, with the settings of the original."""
    if not isinstance(stream, io.TextIOWrapper):
        return io.TextIOWrapper(io.BufferedWriter(watched), encoding="utf-8")
    return io.TextIOWrapper(
        io.BufferedWriter(watched),
        encoding=stream.encoding,
        errors=_PLAINER,
        line_buffering=stream.line_buffering or stream.write_through,
    )


def _plainer(failed: UnicodeError) -> tuple[str, int]:
    """What to write for signs that an encoding lacks: a suit's letter, or an escape that JSON has too."""
    if not isinstance(failed, UnicodeEncodeError):
        raise failed
    signs = failed.object[failed.start : failed.end]
    return "".join(_PLAIN_SIGNS.get(sign) or json.dumps(sign)[1:-1] for sign in signs), failed.end


codecs.register_error(_PLAINER, _plainer)
