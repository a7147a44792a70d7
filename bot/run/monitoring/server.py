"""Serves a few pages by HTTP, in threads: they are answered also while the event loop does not turn."""

import logging
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import BoundedSemaphore, Thread
from typing import Any, Final
from urllib.parse import urlsplit

from bot.config import SettingError

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 32
"""How many requests are answered at once; who comes later is cut off."""
PATIENCE_SECONDS: Final = 5.0
"""How long a client may take to ask."""
LOOK_SECONDS: Final = 0.1
"""How often the server looks whether it is to end."""


@dataclass(frozen=True, slots=True)
class Page:
    """An answer."""

    text: bytes
    status: HTTPStatus = HTTPStatus.OK
    kind: str = "text/plain; charset=utf-8"


Pages = Mapping[str, Callable[[], Page]]
"""The page at each path; called in a thread."""


@contextmanager
def served(address: tuple[str, int], pages: Pages) -> Iterator[None]:
    """Serves pages while the block runs.

    Raises:
        SettingError: nothing can be served at this address.
    """
    try:
        server = _Server(address, pages)
    except OSError as failed:
        raise SettingError(f"METRICS_ADDRESS cannot be used: {failed.strerror}") from None
    thread = Thread(target=server.serve_forever, args=(LOOK_SECONDS,), name="metrics", daemon=True)
    thread.start()
    host, port = address
    log.info("metrics and health are served at %s port %s", host, port)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Closing waits for no client.
    block_on_close = False

    def __init__(self, address: tuple[str, int], pages: Pages) -> None:
        (self.address_family, *_, at), *_ = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
        self.pages = pages
        self._room = BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(at[:2], _Handler)  # type: ignore[arg-type]  # as `bind` takes it

    def server_bind(self) -> None:
        """Binds the socket. The other base class would also ask a name server for this machine's name."""
        TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answers in another thread, or cuts the client off."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answers, in that thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Logs an error of ours; that a client has gone is none."""
        log.debug("a request for metrics or health was not answered", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE_SECONDS

    def do_GET(self) -> None:
        self._answer(with_text=True)

    def do_HEAD(self) -> None:
        self._answer(with_text=False)

    def version_string(self) -> str:
        """What it says of itself."""
        return "gnau"

    def log_message(self, *_: object) -> None:
        """Logs no requests: one comes every few seconds."""

    def _answer(self, *, with_text: bool) -> None:
        make = self.server.pages.get(urlsplit(self.path).path)
        try:
            page = Page(b"not found\n", HTTPStatus.NOT_FOUND) if make is None else make()
        except Exception:
            log.exception("the page %s could not be made", urlsplit(self.path).path)
            page = Page(b"failed\n", HTTPStatus.INTERNAL_SERVER_ERROR)
        self.send_response(page.status)
        self.send_header("Content-Type", page.kind)
        self.send_header("Content-Length", str(len(page.text)))
        self.end_headers()
        if with_text:
            self.wfile.write(page.text)
