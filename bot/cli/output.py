"""The command line's output, and what becomes of a command where it cannot be written."""

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

import typer

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LOST: Final = 1
"""The status where the answer could not be written."""
NOBODY_READS: Final = 141
"""The status where who read the answer has gone: what shells have for SIGPIPE."""


class OutputLostError(typer.TyperException):
    """The answer could not be written; its text is one sentence that says why."""

    exit_code = LOST


class NobodyReadsError(typer.TyperException):
    """Whoever read the answer has gone, which is no fault: there is nothing to say."""

    exit_code = NOBODY_READS


@contextmanager
def watched_output() -> Iterator[Callable[[], None]]:
    """Watches what is written to the process's own stdout and stderr as long as the block lasts.

    What cannot be written to stdout ends the command, since half an answer must not be taken for all of it.
    What cannot be written to stderr is let go: a bot whose log nobody reads goes on.

    Yields:
        What to call at the end: it gets out what is on its way, and raises where any of the answer was lost,
        though somebody in between may have taken no notice.

    Raises:
        OutputLostError: from whatever writes to stdout, where that fails.
        NobodyReadsError: from the same, where stdout is a pipe that was closed at its other end.
    """
    stdout, stderr = sys.stdout, sys.stderr
    answers, complaints = _Watched(sys.__stdout__, is_answer=True), _Watched(sys.__stderr__, is_answer=False)

    def finish() -> None:
        sys.stdout.flush()
        if answers.lost is not None:
            raise answers.lost

    # Any other stream, such as a test's, is for whoever put it there to watch.
    if stdout is sys.__stdout__:
        sys.stdout = _text(answers, stdout)
    if stderr is sys.__stderr__:
        sys.stderr = _text(complaints, stderr)
    try:
        yield finish
    finally:
        sys.stdout, sys.stderr = stdout, stderr


class _Watched(io.RawIOBase):
    """Where the bytes of a stream go.

    It raises what is no OSError: the libraries that print treat those in their own ways, each in another.

    Args:
        stream: the stream; None where the process was started without it.
        is_answer: whether to raise where it cannot be written.

    Attributes:
        lost: why it could not be written; None as long as it could.
    """

    def __init__(self, stream: io.TextIOWrapper | None, *, is_answer: bool) -> None:
        # Python leaves the buffer out where it is told to buffer nothing.
        self._raw: Any = None if stream is None else getattr(stream.buffer, "raw", stream.buffer)
        self._is_answer = is_answer
        self.lost: typer.TyperException | None = None

    def write(self, data: "ReadableBuffer", /) -> int | None:
        """Writes bytes; once that has failed, all that follows is let go."""
        if self.lost is None:
            try:
                if self._raw is None:
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                written: int | None = self._raw.write(data)
            except OSError as failed:
                self.lost = _told(failed)
                if self._is_answer:
                    raise self.lost from None
            else:
                return written
        return memoryview(data).nbytes

    def writable(self) -> bool:
        """It is."""
        return True

    def isatty(self) -> bool:
        """Whether somebody may be looking."""
        return self._raw is not None and bool(self._raw.isatty())

    def fileno(self) -> int:
        """The number by which the system knows it.

        Raises:
            io.UnsupportedOperation: where the process was started without it.
        """
        return super().fileno() if self._raw is None else int(self._raw.fileno())


def _text(watched: _Watched, stream: TextIO | None) -> TextIO:
    """Writes text as the stream does."""
    if not isinstance(stream, io.TextIOWrapper):
        return io.TextIOWrapper(io.BufferedWriter(watched), encoding="utf-8")
    return io.TextIOWrapper(
        io.BufferedWriter(watched),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )


def _told(failed: OSError) -> typer.TyperException:
    if failed.errno == errno.EPIPE:
        return NobodyReadsError("nobody reads the answer")
    return OutputLostError(f"the answer cannot be written: {failed.strerror}")
