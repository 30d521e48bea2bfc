"""Whose library a request is about: that of this machine for who sits at it, else that of the account that asks."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request

from fullprime.app.live.rooms import RoomError
from fullprime.app.matches.library import LibraryStore
from fullprime.app.people.people import People
from fullprime.web.guard import LOCAL_HOSTS
from fullprime.web.routes.callers import MaybeCaller

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of a proxy: who comes through one sits elsewhere."""


def at_this_machine(request: Request) -> bool:
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


async def _library(request: Request, caller: MaybeCaller) -> LibraryStore:
    people: People = request.app.state.people
    if caller is not None and caller.session is None:
        raise RoomError("a token does not open this: sign in with a browser", "forbidden")
    if at_this_machine(request):
        return LibraryStore(people.engine)
    if caller is None:
        raise RoomError("sign in first: a library belongs to an account", "unknown")
    return LibraryStore(people.engine, shelf=caller.account.id)


Library = Annotated[LibraryStore, Depends(_library)]
"""The library of whoever asks."""

__all__ = ["Library", "at_this_machine"]
