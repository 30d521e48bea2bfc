"""The order of push messages: fair among their owners, and careful with hosts that strangers choose.

One message at a time is on its way to a host. Hosts that have never answered, or that answer slowly, share a few
places, so that they delay only each other. A host that does not answer is left alone for a while,
and gets no second try before it has answered once. This module has no threads and no clock.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

QUEUE = 2000
"""The most messages that wait; a full queue drops one for the hosts that are trusted least."""
QUICK = 2.0
"""Seconds within which a quick host answers."""
LEFT_ALONE = 60.0
"""Seconds for which a host that has not answered is left alone; they double each further time, up to an hour."""
A_MINUTE = 30
"""Messages of one seat, or one account, in a minute."""
_MINUTE, _HOUR = 60.0, 3600.0
_HOSTS = 2000
"""Hosts that are remembered."""
_OF_BROWSERS = (
    "fcm.googleapis.com:443", "updates.push.services.mozilla.com:443", "web.push.apple.com:443",
    ".notify.windows.com:443",
)  # fmt: skip
"""The push services of the browsers, which need not prove that they answer."""


@dataclass(eq=False, slots=True)
class Delivery:
    """A message that is to be sent to one browser."""

    owner: str
    """The owner of the message: a seat, or an account."""
    browser: str
    """The endpoint."""
    host: str
    """The host of the endpoint, with its port."""
    tag: str
    """A newer message with the same tag to the same browser takes the place of one that waits."""
    send: Callable[[], bool]
    """Sends it; True if the host has answered."""
    ready: float = 0.0
    """The time before which it is not sent."""
    tries: int = 0
    """The number of tries that have failed."""


class Trust(IntEnum):
    """The trust in a host: in a full queue its message takes the place of one for a host that is trusted less."""

    NONE = 0
    """It has never answered."""
    KNOWN = 1
    """It has answered, but anybody may have set it up."""
    BROWSERS = 2
    """A push service of the browsers."""


DropReason = Literal["full", "silent", "tasks"]
"""The reason why a message is dropped: too many wait, its host does not answer, or too many are being made."""


@dataclass(slots=True)
class _Host:
    trust: Trust = Trust.NONE
    has_answered: bool = False
    is_quick: bool = False
    failures: int = 0
    closed_until: float = 0.0


@dataclass(slots=True)
class _Owner:
    waiting: deque[Delivery] = field(default_factory=deque)
    sent: deque[float] = field(default_factory=deque)
    """The times of the last messages, of those within a minute."""


class DeliveryQueue:
    """The queue of messages, and those in flight: ``at_once`` of them, half of these to hosts that are not quick.

    To be used under a lock.
    """

    def __init__(
        self,
        at_once: int = 4,
        most: int = QUEUE,
        a_minute: int = A_MINUTE,
        note_dropped: Callable[[DropReason, Delivery], None] = lambda _why, _delivery: None,
    ) -> None:
        self._note_dropped = note_dropped
        self._at_once, self._most, self._a_minute = at_once, most, a_minute
        self._most_unproven = max(1, at_once // 2)
        self._owners: dict[str, _Owner] = {}
        """The owners, the one whose last turn is longest ago first."""
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._in_flight: dict[str, Delivery] = {}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def has_answered(self, host: str) -> bool:
        """True if the host is remembered to have answered."""
        return self._host(host).has_answered

    def add(self, delivery: Delivery, now: float) -> bool:
        """Queue a message; False where it is dropped, because too many wait or its host does not answer."""
        host = self._host(delivery.host)
        if not host.has_answered and host.closed_until > now:
            self._note_dropped("silent", delivery)
            return False
        owner = self._owners.setdefault(delivery.owner, _Owner())
        for number, other in enumerate(owner.waiting):
            if (other.browser, other.tag) == (delivery.browser, delivery.tag):
                if not delivery.tries:
                    owner.waiting[number] = delivery
                return True
        if self._length >= self._most and not self._drop_for(owner, host.trust):
            self._note_dropped("full", delivery)
            return False
        owner.waiting.append(delivery)
        self._length += 1
        return True

    def take_next(self, now: float) -> Delivery | None:
        """Take the next message, which is then in flight until :meth:`finish`; None if none may be sent now."""
        self._forget(now)
        if len(self._in_flight) >= self._at_once:
            return None
        strange = sum(not self._host(host).is_quick for host in self._in_flight)
        for name, owner in self._owners.items():
            if len(owner.sent) >= self._a_minute:
                continue
            for delivery in owner.waiting:
                host = self._host(delivery.host)
                able = delivery.host not in self._in_flight and (host.is_quick or strange < self._most_unproven)
                if able and max(delivery.ready, host.closed_until) <= now:
                    owner.waiting.remove(delivery)
                    self._length -= 1
                    owner.sent.append(now)
                    self._in_flight[delivery.host] = delivery
                    self._owners[name] = self._owners.pop(name)
                    return delivery
        return None

    def find_wait(self, now: float) -> float | None:
        """The seconds until another message may be sent, if none of those in flight ends before; None for never."""
        times = [
            max(delivery.ready, self._host(delivery.host).closed_until, self._free_at(owner))
            for owner in self._owners.values()
            for delivery in owner.waiting
        ]
        later = [time for time in times if time > now]
        return min(later) - now if later else None

    def finish(self, delivery: Delivery, seconds: float, now: float, *, answered: bool) -> list[Delivery]:
        """Note that a message was sent, or failed, after ``seconds``; gives the messages that are dropped with it."""
        del self._in_flight[delivery.host]
        host = self._host(delivery.host)
        if answered:
            host.has_answered, host.is_quick = True, seconds < QUICK
            host.trust = Trust.BROWSERS if _is_of_browsers(delivery.host) else Trust.KNOWN
            host.failures, host.closed_until = 0, 0.0
            return []
        host.is_quick = False
        host.closed_until = now + min(_HOUR, LEFT_ALONE * 2 ** min(host.failures, 10))
        host.failures += 1
        dropped = [] if host.has_answered else self._drop(lambda other: other.host == delivery.host)
        for other in dropped:
            self._note_dropped("silent", other)
        return dropped

    def clear(self) -> None:
        """Drop all messages that wait."""
        self._drop(lambda _: True)

    def _drop(self, unwanted: Callable[[Delivery], bool]) -> list[Delivery]:
        dropped = [delivery for owner in self._owners.values() for delivery in owner.waiting if unwanted(delivery)]
        for delivery in dropped:
            self._owners[delivery.owner].waiting.remove(delivery)
        self._length -= len(dropped)
        return dropped

    def _drop_for(self, owner: _Owner, trust: Trust) -> bool:
        """Drop a message for one of that owner to a host of that trust; False where none is worth less.

        Those to hosts that are trusted less go first, however few their owners have; the last one of the owner who has
        most of them. Among those of the same trust it goes only if that owner has still more with it gone.
        """
        least = min(self._trust_of(delivery) for other in self._owners.values() for delivery in other.waiting)
        if least > trust:
            return False

        def droppable(other: _Owner) -> list[Delivery]:
            return [delivery for delivery in other.waiting if self._trust_of(delivery) == least]

        largest = max(self._owners.values(), key=lambda other: len(droppable(other)))
        if least == trust and len(droppable(largest)) <= len(droppable(owner)) + 1:
            return False
        dropped = droppable(largest)[-1]
        largest.waiting.remove(dropped)
        self._length -= 1
        self._note_dropped("full", dropped)
        return True

    def _trust_of(self, delivery: Delivery) -> Trust:
        host = self._hosts.get(delivery.host)
        return _usual_trust(delivery.host) if host is None else host.trust

    def _free_at(self, owner: _Owner) -> float:
        return owner.sent[0] + _MINUTE if len(owner.sent) >= self._a_minute else 0.0

    def _forget(self, now: float) -> None:
        for name, owner in list(self._owners.items()):
            while owner.sent and owner.sent[0] + _MINUTE <= now:
                owner.sent.popleft()
            if not owner.sent and not owner.waiting:
                del self._owners[name]

    def _host(self, name: str) -> _Host:
        host = self._hosts.get(name)
        if host is None:
            usual = _is_of_browsers(name)
            host = self._hosts[name] = _Host(_usual_trust(name), has_answered=usual, is_quick=usual)
        self._hosts.move_to_end(name)
        if len(self._hosts) > _HOSTS:
            self._forget_host(name)
        return host

    def _forget_host(self, newest: str) -> None:
        """Forget a host that is trusted least, of these the one that was used least recently."""
        spared = {newest, *self._in_flight}
        forgettable = (
            name for trust in Trust for name, host in self._hosts.items() if host.trust == trust and name not in spared
        )
        del self._hosts[next(forgettable)]


def _usual_trust(host: str) -> Trust:
    """The trust in a host of which nothing is remembered. Strangers make up names below a domain."""
    return Trust.BROWSERS if host in _OF_BROWSERS else Trust.NONE


def _is_of_browsers(host: str, names: Iterable[str] = _OF_BROWSERS) -> bool:
    return any(host == name or (name.startswith(".") and host.endswith(name)) for name in names)
