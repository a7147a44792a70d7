"""Ports of this machine for servers that tests start in processes of their own."""

import secrets
import socket
from contextlib import suppress
from typing import Final

PORTS: Final = range(20_000, 32_000)
"""Below those that Linux gives to outgoing connections: those of other tests take none of them."""


def port_of_nobody() -> int:
    """A port of 127.0.0.1 at which nobody listens."""
    while True:
        port = secrets.choice(PORTS)
        with suppress(OSError), socket.socket() as one:
            one.bind(("127.0.0.1", port))
            return port
