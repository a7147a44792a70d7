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
from typing import TYPE_CHECKING, Any, Final, TextIO

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
    answers, complaints = _Watched(sys.__stdout__, is_answer=True), _Watched(sys.__stderr__, is_answer=False)

    def finish() -> None:
        sys.stdout.flush()
        if answers.lost is not None:
            raise answers.lost

    # Other streams, such as those of a test, are not ours to watch.
    if stdout is sys.__stdout__:
        sys.stdout = _text(answers, stdout)
    if stderr is sys.__stderr__:
        sys.stderr = _text(complaints, stderr)
    try:
        yield finish
    finally:
        sys.stdout, sys.stderr = stdout, stderr


class _Watched(io.RawIOBase):
    """The raw end of a stream, which notices failed writes, and raises one of an answer.

    It does not raise an OSError, because every library that prints handles those in its own way.
    """

    def __init__(self, stream: io.TextIOWrapper | None, *, is_answer: bool) -> None:
        # An unbuffered Python has no buffer here.
        self._raw: Any = None if stream is None else getattr(stream.buffer, "raw", stream.buffer)
        self._is_answer = is_answer
        self.lost: OutputLostError | None = None

    def write(self, data: "ReadableBuffer", /) -> int | None:
        """Writes bytes. After a failed write of an answer, it ignores all others."""
        if self.lost is None:
            try:
                if self._raw is None:
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                written: int | None = self._raw.write(data)
            except OSError as failed:
                # A log goes on: there may be room on the disk again.
                if self._is_answer:
                    self.lost = OutputLostError(failed)
                    raise self.lost from None
            else:
                return written
        return memoryview(data).nbytes

    def writable(self) -> bool:
        """Always True."""
        return True

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._raw is not None and bool(self._raw.isatty())

    def fileno(self) -> int:
        """The file descriptor; io.UnsupportedOperation if the process was started without the stream."""
        return super().fileno() if self._raw is None else int(self._raw.fileno())


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
