"""Networks of addresses: how much of an address one customer of a provider may choose."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Network, ip_network

_SITE = 48
"""The bits of the network that one customer of a provider has at most (RFC 6177). Of others many share one."""


@lru_cache(maxsize=4096)
def site_of(address: str) -> str:
    """The network that one customer may own as a whole: the /48 of an IPv6 address, any other text itself.

    Its owner has 65,536 networks of 64 bits, each with limits of its own.

    >>> site_of("2001:db8:7:1::/64"), site_of("2001:db8:7:2::/64"), site_of("192.0.2.7"), site_of("unix")
    ('2001:db8:7::/48', '2001:db8:7::/48', '192.0.2.7', 'unix')
    """
    try:
        network = ip_network(address)
    except ValueError:
        return address
    if not isinstance(network, IPv6Network) or network.prefixlen < _SITE:
        return address
    return str(network.supernet(new_prefix=_SITE))
