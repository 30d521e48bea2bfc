"""Links for others: the addresses of this machine in its network, and QR codes to scan."""

from __future__ import annotations

import io
import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address

import segno

from fullprime.rules.errors import SettingsError

_NOWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation; a UDP socket connected to it sends nothing, but knows its own address."""
LONGEST = 300
"""The most letters of a link that is drawn as a code."""


def addresses_of_this_machine() -> list[str]:
    """The IPv4 addresses by which others in the network reach this machine, the likeliest first."""
    addresses: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(_NOWHERE)
        addresses.append(str(asking.getsockname()[0]))
    with suppress(OSError):
        addresses += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [text for text in dict.fromkeys(addresses) if not ip_address(text).is_loopback and text != "0.0.0.0"]  # noqa: S104


def names_of_this_machine() -> list[str]:
    """The names by which others in the network may call it."""
    name = socket.gethostname().lower()
    return [name] if name.endswith(".local") or "." in name else [name, f"{name}.local"]


def works_only_here(host: str) -> bool:
    """True for the name or the address of a server that only its own machine can reach.

    >>> works_only_here("127.0.0.2"), works_only_here("localhost"), works_only_here("192.168.1.7")
    (True, True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def code_of(link: str, origins: Iterable[str]) -> str:
    """A link to this server as a QR code, in SVG. Raises SettingsError for a link that leads elsewhere."""
    if not any(link.startswith(f"{origin}/") for origin in origins) or len(link) > LONGEST or not link.isascii():
        raise SettingsError("only links to this server are drawn as a code")
    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(drawn, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False)
    return drawn.getvalue().decode()
