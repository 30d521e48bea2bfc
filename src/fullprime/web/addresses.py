"""Addresses of visitors: the key under which all that comes from one person is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

_WITH_PORT = re.compile(r"(\d+(?:\.\d+){3}):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?")


@lru_cache(maxsize=4096)
def address_key(address: str) -> str:
    """The key of an address: an IPv4 address itself, of IPv6 the whole network of 64 bits, as one person has.

    An IPv4 address written as IPv6 (a socket that takes both gives them so) is that IPv4 address; the port that some
    proxies write behind an address is none of it. Text that is no address, such as the name of a Unix socket, is its
    own key.

    >>> address_key("::ffff:192.0.2.7"), address_key("2001:db8::1:2:3:4"), address_key("unix")
    ('192.0.2.7', '2001:db8::/64', 'unix')
    >>> address_key("192.0.2.7:51324"), address_key("[2001:db8::1]:443")
    ('192.0.2.7', '2001:db8::/64')
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        whole = ip_address((with_port[1] or with_port[2]) if with_port else address)
    except ValueError:
        return address[:64]
    if isinstance(whole, IPv4Address):
        return str(whole)
    return str(whole.ipv4_mapped or _network(whole))


def whom(scope: Scope) -> str:
    """The key of the one who sent a request: the address that a proxy named, if the proxy is believed."""
    return address_key(str(scope["client"][0])) if scope.get("client") else ""


class Proxies:
    """The proxies that are believed about the visitor's address: addresses, networks (`10.0.0.0/8`), or `*` for all.

    >>> "10.1.2.3" in Proxies(["10.0.0.0/8"]), "::ffff:127.0.0.1" in Proxies(["127.0.0.1"]), "192.0.2.7" in Proxies([])
    (True, True, False)
    """

    def __init__(self, named: Iterable[str] = ()) -> None:
        given = tuple(named)
        self._all = "*" in given
        self._names = frozenset(given)
        self._networks = tuple(network for each in given for network in _networks(each))

    def __contains__(self, address: str) -> bool:
        if self._all or address in self._names:
            return True
        try:
            whole = ip_address(address)
        except ValueError:
            return False
        plain = (whole.ipv4_mapped or whole) if isinstance(whole, IPv6Address) else whole
        return any(plain in network for network in self._networks)


def _networks(named: str) -> list[IPv4Network | IPv6Network]:
    try:
        return [ip_network(named, strict=False)]
    except ValueError:
        return []


def _network(address: IPv6Address) -> IPv6Network:
    return IPv6Network((int(address), 64), strict=False)
