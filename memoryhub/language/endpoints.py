"""Addresses of model providers: what may be called, and a connection to exactly the address that was checked.

An endpoint setting is a way to make the server call anything (SSRF; OWASP ASVS 1.3.6 and 13.2.4). So: http and https only, no user
in the address, every address the name resolves to is looked at, and the connection goes to one of those and not to what the name
resolves to a moment later.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

type Address = IPv4Address | IPv6Address

PORTS = {"http": 80, "https": 443}
# Cloud metadata and the like: never a model, whatever the settings say.
_NEVER = tuple(
    ip_network(text)
    for text in (
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32",
        "0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8", "::/128",
    )
)  # fmt: skip
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("::/96"))
_NUMERIC_HOST = re.compile(r"(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+))*\.?", re.IGNORECASE)


class EndpointRefused(ValueError):
    """The endpoint may not be called; `code` names the rule it breaks."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the endpoint is refused: {code}")
        self.code = code


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """The parts of a base URL. `path` has no slash at its end."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def header_host(self) -> str:
        """The value of the Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == PORTS[self.scheme] else f"{name}:{self.port}"


def parse_endpoint(url: str) -> Endpoint:
    """The parts of a base URL. Raises EndpointRefused: control_character, scheme, userinfo, host, odd_address, port, query."""
    if any(ord(character) <= 0x20 or ord(character) == 0x7F for character in url) or "\\" in url:
        raise EndpointRefused("control_character")
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise EndpointRefused("port") from error
    if parts.scheme not in PORTS:
        raise EndpointRefused("scheme")
    if "@" in parts.netloc:
        raise EndpointRefused("userinfo")
    if not host or "%" in host:
        raise EndpointRefused("host")
    if port == 0:
        raise EndpointRefused("port")
    if parts.query or parts.fragment:
        raise EndpointRefused("query")
    if _NUMERIC_HOST.fullmatch(host) and not _is_plain_address(host):
        # 2130706433, 0x7f.1, 0177.0.0.1: other spellings of an address exist only to slip past a look at it.
        raise EndpointRefused("odd_address")
    return Endpoint(
        scheme=parts.scheme, host=host, port=port or PORTS[parts.scheme], path=parts.path.rstrip("/")
    )


def check_address(address: Address, *, allow_private: bool) -> None:
    """Raise EndpointRefused('metadata_address' or 'private_address') when nothing there may be called."""
    for each in _meanings(address):
        if any(each.version == net.version and each in net for net in _NEVER):
            raise EndpointRefused("metadata_address")
        if not allow_private and not each.is_global:
            raise EndpointRefused("private_address")


def check_literal(endpoint: Endpoint, *, allow_private: bool) -> None:
    """Look at a host that is written as an address, without asking any name server. Raises EndpointRefused."""
    if _is_plain_address(endpoint.host):
        check_address(ip_address(endpoint.host), allow_private=allow_private)


def resolve(endpoint: Endpoint, *, allow_private: bool) -> Address:
    """The address to connect to, after looking at every one the name has. Raises EndpointRefused, OSError."""
    found = socket.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    addresses = [ip_address(str(info[4][0]).partition("%")[0]) for info in found]
    if not addresses:
        raise EndpointRefused("host")
    for address in addresses:
        check_address(address, allow_private=allow_private)
    return addresses[0]


def open_connection(endpoint: Endpoint, *, timeout: float, allow_private: bool) -> http.client.HTTPConnection:
    """A connection, not yet opened, that goes to the checked address and no other. Raises EndpointRefused, OSError."""
    address = str(resolve(endpoint, allow_private=allow_private))
    if endpoint.scheme == "https":
        return _PinnedTls(endpoint, address, timeout)
    return http.client.HTTPConnection(address, endpoint.port, timeout=timeout)


class _PinnedTls(http.client.HTTPSConnection):
    """TLS to a fixed address, with the certificate of the endpoint's name."""

    def __init__(self, endpoint: Endpoint, address: str, timeout: float) -> None:
        super().__init__(address, endpoint.port, timeout=timeout, context=_tls())
        self._name = endpoint.host

    def connect(self) -> None:
        plain = socket.create_connection((self.host, self.port), self.timeout)
        self.sock = _tls().wrap_socket(plain, server_hostname=self._name)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _is_plain_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _meanings(address: Address) -> list[Address]:
    """The address and the IPv4 address inside it (mapped, 6to4, Teredo, translated)."""
    if isinstance(address, IPv4Address):
        return [address]
    inner: list[Address] = [found for found in (address.ipv4_mapped, address.sixtofour) if found]
    inner += list(address.teredo or ())
    if any(address in net for net in _TRANSLATED) and int(address) > 1:
        inner.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [address, *inner] if not address.ipv4_mapped else inner
