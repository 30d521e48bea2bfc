"""The local user: a browser on the machine of a server that was started for its own user alone."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request

from fullprime.web.rate_limits import LOCAL_HOSTS

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of a proxy, through which only users elsewhere come."""


def is_local_user(request: Request) -> bool:
    """True for a browser on the machine of a server that was started for its own user.

    The server must have been started without a public name or a proxy, the connection must come from this machine, and
    the browser must have called it by a local name.
    """
    if not request.app.state.own_machine or request.client is None:
        return False
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    return (mapped or address).is_loopback and host in LOCAL_HOSTS
