"""`gnau run` where only the proxy of HTTPS_PROXY leads to Discord: requests and the gateway go through it."""

import asyncio
import base64
import shutil
import ssl
import subprocess
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from bot.practice import stand_in
from tests.cli.shell import TOKEN, Shell
from tests.gnau_process import until
from tests.stand_in import StandIn

API, GATEWAY = "discord.com", "gateway.discord.gg"
SLOW_START = 90.0
"""Seconds: a busy machine takes long to start a process, and longer to open connections."""
USER, PASSWORD = "gnau", "hunter2"
CREDENTIALS = f"Basic {base64.b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl for certificates"),
]


class Proxy:
    """A proxy on this machine that takes CONNECT, and a Discord behind it that only it knows.

    Attributes:
        connects: the hosts that it was asked for.
        others: what it was asked else.
    """

    def __init__(self, discord: StandIn, certificate: Path, key: Path) -> None:
        self.connects: list[str] = []
        self.others: list[str] = []
        self._discord = int(discord.url.rpartition(":")[2])
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate, key)
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Proxy":
        self._stack = AsyncExitStack()
        front = await asyncio.start_server(self._front, "127.0.0.1", 0, ssl=self._tls)
        proxy = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        for server in (front, proxy):
            self._stack.callback(server.close)
        self._front_port, self.port = (one.sockets[0].getsockname()[1] for one in (front, proxy))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._stack.aclose()

    def url(self, password: str = PASSWORD) -> str:
        return f"http://{USER}:{password}@127.0.0.1:{self.port}"

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.splitlines()[0].split(" ")
        if method != "CONNECT":
            self.others.append(head)
        elif f"Proxy-Authorization: {CREDENTIALS}" not in head:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
        else:
            self.connects.append(target)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await self._join(reader, writer, self._front_port)
            return
        writer.close()

    async def _front(self, reader: StreamReader, writer: StreamWriter) -> None:
        await self._join(reader, writer, self._discord)

    async def _join(self, reader: StreamReader, writer: StreamWriter, port: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        others_reader, others_writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await asyncio.wait(
                [
                    asyncio.create_task(_copy(reader, others_writer)),
                    asyncio.create_task(_copy(others_reader, writer)),
                ],
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            self._open.discard(task)
            for end in (writer, others_writer):
                end.close()


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()


class FarDiscord(StandIn):
    """Tells everybody the address of Discord's own gateway."""

    @property
    def gateway_url(self) -> str:
        return f"wss://{GATEWAY}/gateway"


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FarDiscord]:
    monkeypatch.setattr(stand_in, "TOKEN", TOKEN)
    async with FarDiscord() as discord:
        yield discord


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate of both addresses of Discord's, and its key."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Discord"
    names = f"subjectAltName=DNS:{API},DNS:{GATEWAY}"
    command = ["openssl", *made.split(), "-addext", names, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


@pytest.fixture
async def proxy(discord: StandIn, certificate: tuple[Path, Path]) -> AsyncIterator[Proxy]:
    async with Proxy(discord, *certificate) as proxy:
        yield proxy


def settings(shell: Shell) -> dict[str, str]:
    certificate = str(shell.home / "certificate.pem")
    return {"DISCORD_TOKEN": TOKEN, "BACKUP_EVERY": "off", "SSL_CERT_FILE": certificate, "LOG_LEVEL": "DEBUG"}


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy"])
async def test_requests_and_the_gateway_go_through_the_proxy(
    shell: Shell, discord: StandIn, proxy: Proxy, name: str
) -> None:
    (shell.home / ".env").write_text(f"{name}={proxy.url()}\n")
    process = await shell.start("run", **settings(shell))
    await until(
        lambda: discord.bot_connected or process.returncode is not None, "it is connected", SLOW_START
    )
    process.terminate()
    ended = await shell.end_of(process)
    assert ended.status == 0, ended.stderr
    assert {f"{API}:443", f"{GATEWAY}:443"} == set(proxy.connects)
    assert not proxy.others
    assert "Discord's gateway is reached through the proxy 127.0.0.1" in ended.stderr
    assert PASSWORD not in ended.stderr
    assert CREDENTIALS not in ended.stderr


async def test_the_password_that_a_proxy_refuses_is_not_in_the_log(
    shell: Shell, discord: StandIn, proxy: Proxy
) -> None:
    process = await shell.start("run", **settings(shell), HTTPS_PROXY=proxy.url("s3cret"))
    assert process.stderr is not None
    said = ""
    async with asyncio.timeout(SLOW_START):
        while "Discord is away" not in said:
            said += (await process.stderr.readline()).decode()
    assert "the proxy of HTTPS_PROXY wants a user and a password" in said
    process.terminate()
    ended = await shell.end_of(process)
    assert ended.status == 0
    assert "s3cret" not in said + ended.stderr
