"""Addresses of visitors: the key under which the requests of one person are counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

_WITH_PORT = re.compile(r"(\d+(?:\.\d+){3}):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?")


@lru_cache(maxsize=4096)
def address_key(address: str) -> str:
    """The key of an address: an IPv4 address itself, and for IPv6 the 64-bit network, which one person has.

    An IPv4 address written as IPv6, as a socket for both kinds gives it, is that IPv4 address. A port that a proxy
    writes behind an address is dropped. Text that is no address, such as the name of a Unix socket, is its own key.

    >>> address_key("::ffff:192.0.2.7"), address_key("2001:db8::1:2:3:4"), address_key("unix")
    ('192.0.2.7', '2001:db8::/64', 'unix')
    >>> address_key("192.0.2.7:51324"), address_key("[2001:db8::1]:443")
    ('192.0.2.7', '2001:db8::/64')
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        parsed = ip_address((with_port[1] or with_port[2]) if with_port else address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or _network(parsed))


def client_key(scope: Scope) -> str:
    """The key of the client that sent a request: the address that a proxy named, if the proxy is trusted."""
    return address_key(str(scope["client"][0])) if scope.get("client") else ""


class Proxies:
    """The proxies that are trusted to name the visitor's address: addresses, networks (`10.0.0.0/8`), or `*` for all.

    >>> "10.1.2.3" in Proxies(["10.0.0.0/8"]), "::ffff:127.0.0.1" in Proxies(["127.0.0.1"]), "192.0.2.7" in Proxies([])
    (True, True, False)
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        addresses = tuple(named)
        self._all = "*" in addresses
        self._names = frozenset(addresses)
        self._networks = tuple(network for address in addresses for network in _networks(address))

    def __contains__(self, address: str) -> bool:
        if self._all or address in self._names:
            return True
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        plain = (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed
        return any(plain in network for network in self._networks)


def _networks(networks: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(networks, strict=False)]
    except ValueError:
        return []


def _network(address: IPv6Address) -> IPv6Network:
    return IPv6Network((int(address), 64), strict=False)
