"""Addresses of visitors: the key under which all that comes from one person is counted."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from starlette.types import Scope


@lru_cache(maxsize=4096)
def address_key(address: str) -> str:
    """The key of an address: an IPv4 address itself, of IPv6 the whole network of 64 bits, as one person has.

    An IPv4 address written as IPv6 (a socket that takes both gives them so) is that IPv4 address. Text that is no
    address, such as the name of a Unix socket, is its own key.

    >>> address_key("::ffff:192.0.2.7"), address_key("2001:db8::1:2:3:4"), address_key("unix")
    ('192.0.2.7', '2001:db8::/64', 'unix')
    """
    try:
        whole = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(whole, IPv4Address):
        return str(whole)
    return str(whole.ipv4_mapped or _network(whole))


def whom(scope: Scope) -> str:
    """The key of the one who sent a request: the address that a proxy named, if the proxy is believed."""
    return address_key(str(scope["client"][0])) if scope.get("client") else ""


def _network(address: IPv6Address) -> IPv6Network:
    return IPv6Network((int(address), 64), strict=False)
