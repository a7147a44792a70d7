"""Which proxies the environment names: HTTPS_PROXY and NO_PROXY, in lower case too, as for other programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # it is there

PROXY_VARIABLES: Final = ("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")


@dataclass(frozen=True, slots=True)
class Proxies:
    """The URLs of the proxies that lead to Discord, maybe with a password; None for none.

    Attributes:
        api: to its REST API.
        gateway: to its gateway.
    """

    api: str | None = field(default=None, repr=False)
    gateway: str | None = field(default=None, repr=False)


def proxy_for(address: str, environment: Mapping[str, str]) -> str | None:
    """The URL of the proxy that leads to an address with https or wss; None if it is reached without.

    Args:
        address: the address.
        environment: names and values.

    Raises:
        ValueError: it is no URL of a proxy; the text does not have the value.
    """
    proxy = _value("https_proxy", environment)
    parts = urlsplit(address)
    if not proxy or parts.scheme not in ("https", "wss"):
        return None
    if proxy_bypass_environment(parts.netloc, {"no": _value("no_proxy", environment)}):
        return None
    # Others take a host and a port too.
    url = proxy if "://" in proxy or ":" not in proxy else f"http://{proxy}"
    try:
        named = urlsplit(url)
        whole = named.scheme in ("http", "https") and bool(named.hostname) and named.port != 0
        # No name of a user may have a colon (RFC 7617).
        whole = whole and ":" not in unquote(named.username or "")
    except ValueError:
        whole = False
    if not whole or not url.isprintable() or " " in url:
        raise ValueError("HTTPS_PROXY is not the URL of a proxy: it must start with http:// and a host")
    return url


def _value(name: str, environment: Mapping[str, str]) -> str:
    """A variable; the one in lower case counts, if both are there."""
    return (environment.get(name) or environment.get(name.upper()) or "").strip()
