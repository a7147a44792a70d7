"""A way to a server that can be cut, or swallow all that is sent."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import Enum
from typing import Final, Self

HOST: Final = "127.0.0.1"


class Way(Enum):
    """What becomes of what a client sends."""

    ON = "it goes on to the server"
    CUT = "the connection breaks, and the server never gets it"
    ANSWER_CUT = "the server gets it, and the connection breaks before its answer"
    SWALLOWED = "nobody ever hears of it"


class Proxy:
    """Passes connections on to a port, as long as they go on.

    Attributes:
        port: where it listens.
        choose: says what becomes of what a client sends.
        refuses: whether new connections are closed at once.
    """

    def __init__(self, to: int) -> None:
        self.port = 0
        self.choose: Callable[[bytes], Way] = lambda _: Way.ON
        self.refuses = False
        self._to = to
        self._open: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Listens until the context ends."""
        async with await asyncio.start_server(self._serve, HOST, 0) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            yield self
            self.cut()

    def cut(self) -> None:
        """Breaks all connections."""
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.close()
            return
        try:
            to_reader, to_writer = await asyncio.open_connection(HOST, self._to)
        except ConnectionError:
            writer.close()
            return
        both = {writer, to_writer}
        self._open |= both
        broken = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pass_requests(reader, to_writer, broken))
                tasks.create_task(self._pass_answers(to_reader, writer, broken))
        except* OSError:
            pass
        finally:
            self._open -= both
            for one in both:
                one.transport.abort()

    async def _pass_requests(
        self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, broken: asyncio.Event
    ) -> None:
        while data := await reader.read(1 << 20):
            way = self.choose(data)
            if way is Way.SWALLOWED:
                # The server keeps what it has of this connection: it hears nothing more, not even of its end.
                await asyncio.Event().wait()
            if way is Way.CUT:
                raise ConnectionAbortedError
            if way is Way.ANSWER_CUT:
                broken.set()
            to.write(data)
            await to.drain()
        raise ConnectionAbortedError

    async def _pass_answers(
        self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, broken: asyncio.Event
    ) -> None:
        while data := await reader.read(1 << 20):
            if broken.is_set():
                raise ConnectionAbortedError
            with suppress(ConnectionError):
                to.write(data)
                await to.drain()
        raise ConnectionAbortedError
