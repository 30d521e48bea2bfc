"""Delivery to push services, in threads of its own, at addresses that strangers choose.

The endpoint of a subscription comes from a browser, or from a program that pretends to be one. So that a stranger can
neither make this server call machines behind its firewall nor block it, an endpoint must be ``https``, its host must
not be in a private network, no redirect is followed, and the wait for an answer ends after some seconds.
"""

from __future__ import annotations

import heapq
import http.client
import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from urllib.parse import SplitResult, urlsplit

from fullprime.accounts.push_queue import Delivery, DeliveryQueue, DropReason
from fullprime.rules.errors import FullprimeError, SettingsError

DEADLINE = 10.0
"""Seconds that one delivery may take, from the first packet to the answer."""
SHORT_DEADLINE = 5.0
"""The same for a host that has never answered."""
LONGEST = 1000
"""Characters of an endpoint."""
TASKS = 2000
"""Tasks that wait; what comes on top of them is dropped."""
_THREADS = 5
_TRANSLATED = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Networks in which an address of version 4 stands in one of version 6."""

log = logging.getLogger(__name__)


class DeliveryError(FullprimeError):
    """The push service could not be reached, or must not be called."""


def check_endpoint(endpoint: str, allowed: frozenset[str] = frozenset()) -> SplitResult:
    """Split an endpoint that may be called into its parts; raises SettingsError for any other.

    ``allowed`` are hosts (``host`` or ``host:port``) that may be called though they are in a private network.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError("the endpoint of this subscription is no address") from error
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise SettingsError(f"an endpoint is an address of at most {LONGEST} characters")
    if parts.scheme != "https" or not host or parts.username is not None or parts.fragment:
        raise SettingsError("the endpoint of a subscription is an https address of a push service")
    if is_allowed(parts, allowed):
        return parts
    if port not in (None, 443):
        raise SettingsError("the endpoint of a subscription is at the usual port, 443")
    literal: ipaddress.IPv4Address | ipaddress.IPv6Address | None = None
    with suppress(ValueError):
        literal = ipaddress.ip_address(host)
    if literal is not None and not is_public(literal):
        raise SettingsError("the endpoint of a subscription is not in a private network")
    if ("." not in host and ":" not in host) or host.endswith((".local", ".internal", ".localhost")):
        raise SettingsError("the endpoint of a subscription is not in a private network")
    return parts


def is_allowed(parts: SplitResult, allowed: frozenset[str]) -> bool:
    """True if the operator allows the host of an endpoint by name."""
    return parts.hostname in allowed or f"{parts.hostname}:{parts.port or 443}" in allowed


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """True for a public address: one that lies in no private network, in any of its forms."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


def post_message(
    endpoint: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    allowed: frozenset[str] = frozenset(),
    trust: ssl.SSLContext,
    deadline: float = DEADLINE,
) -> int:
    """Post a message to a push service; gives the status of its answer. Raises DeliveryError, SettingsError.

    ``trust`` says which certificates are good.
    """
    parts = check_endpoint(endpoint, allowed)
    host, port, ends = parts.hostname or "", parts.port or 443, time.monotonic() + deadline
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        plain = _connect(host, port, ends, anywhere=is_allowed(parts, allowed))
        with trust.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False) as line:
            # Each wait of a socket begins anew: this one ends them all, however slowly the other side answers.
            ending = threading.Timer(max(0.0, ends - time.monotonic()), _shut, (line,))
            ending.daemon = True
            ending.start()
            try:
                line.do_handshake()
                connection = http.client.HTTPConnection(host, port)
                connection.sock = line
                connection.request("POST", path, body, {**headers, "Connection": "close"})
                return connection.getresponse().status
            finally:
                ending.cancel()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise DeliveryError(f"{host} does not answer: {error}") from error


def _connect(host: str, port: int, ends: float, *, anywhere: bool) -> socket.socket:
    """A connection to one of the host's addresses: to that which was looked at, not to one that a name gives later."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    fault: OSError | None = None
    for family, kind, number, _, address in addresses:
        if not anywhere and not is_public(ipaddress.ip_address(str(address[0]).partition("%")[0])):
            raise DeliveryError(f"{host} is in a private network")
        line = socket.socket(family, kind, number)
        try:
            line.settimeout(max(0.1, ends - time.monotonic()))
            line.connect(address)
        except OSError as error:
            line.close()
            fault = error
        else:
            return line
    raise fault or OSError(f"{host} has no address")


def _shut(line: ssl.SSLSocket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(line, socket.SHUT_RDWR)  # the connection under the cipher: its other user finds an end


class PushWorkers:
    """A pool of threads that send push messages, and run other tasks now or later; it starts with the first task.

    Messages are sent in the order of their own queue, and leave one thread to other tasks. Waiting tasks are only in
    memory, so a server that is killed forgets them.
    """

    def __init__(
        self,
        most: int = TASKS,
        threads: int = _THREADS,
        count_dropped: Callable[[DropReason], None] = lambda _why: None,
    ) -> None:
        self._count_dropped = count_dropped
        self._most, self._threads = most, threads
        self._ready = threading.Condition()
        self._deliveries = DeliveryQueue(max(1, threads - 1), note_dropped=self._note_dropped)
        self._waiting: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()
        self._running: list[threading.Thread] = []
        self._busy = 0
        self._closed = False

    def run_later(self, do: Callable[[], object], after: float = 0.0) -> bool:
        """Run a function in a thread after some seconds; False where too many tasks wait already. Returns at once."""
        with self._ready:
            if self._closed:
                return False
            if len(self._waiting) >= self._most:
                self._count_dropped("tasks")
                log.info("a push message is dropped: too many are being made")
                return False
            heapq.heappush(self._waiting, (time.monotonic() + after, next(self._numbers), do))
            self._call_threads()
            return True

    def send(self, delivery: Delivery) -> bool:
        """Queue a message; False where it is dropped at once. Returns at once."""
        with self._ready:
            if self._closed or not self._deliveries.add(delivery, time.monotonic()):
                return False
            self._call_threads()
            return True

    def has_answered(self, host: str) -> bool:
        """True if a host of messages has ever answered."""
        with self._ready:
            return self._deliveries.has_answered(host)

    @property
    def waiting(self) -> int:
        """The number of tasks and messages that wait."""
        return len(self._waiting) + len(self._deliveries)

    def close(self, *, wait: bool = False) -> None:
        """Start no more tasks; with ``wait``, return when all threads have ended."""
        with self._ready:
            self._closed = True
            self._waiting.clear()
            self._deliveries.clear()
            self._ready.notify_all()
        for thread in self._running if wait else ():
            thread.join()

    def _note_dropped(self, why: DropReason, delivery: Delivery) -> None:
        self._count_dropped(why)
        reason = "too many wait" if why == "full" else "it does not answer"
        log.info("a push message to %s is dropped: %s", delivery.host, reason)

    def _call_threads(self) -> None:
        # The thread that seems free may be on its way to a message: one thread too many is no harm.
        if len(self._running) < self._threads and self.waiting + self._busy > len(self._running):
            thread = threading.Thread(target=self._work, name="push", daemon=True)
            self._running.append(thread)
            thread.start()
        self._ready.notify()

    def _send_delivery(self, delivery: Delivery) -> None:
        begun, answered = time.monotonic(), False
        try:
            answered = delivery.send()
        finally:
            with self._ready:
                now = time.monotonic()
                self._deliveries.finish(delivery, now - begun, now, answered=answered)
                self._ready.notify_all()

    def _work(self) -> None:
        while (do := self._next()) is not None:
            try:
                do()
            except FullprimeError as error:
                log.info("a message could not be sent: %s", error)
            except Exception:
                log.exception("a message could not be sent")
            finally:
                with self._ready:
                    self._busy -= 1

    def _next(self) -> Callable[[], object] | None:
        with self._ready:
            while not self._closed:
                now = time.monotonic()
                wait = self._waiting[0][0] - now if self._waiting else None
                if wait is not None and wait <= 0:
                    self._busy += 1
                    return heapq.heappop(self._waiting)[2]
                delivery = self._deliveries.take_next(now)
                if delivery is not None:
                    self._busy += 1
                    return partial(self._send_delivery, delivery)
                waits = [seconds for seconds in (wait, self._deliveries.find_wait(now)) if seconds is not None]
                self._ready.wait(min(waits, default=None))
            return None
