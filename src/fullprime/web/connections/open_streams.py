"""The open streams, which are live lines and other streaming answers, limited by seat and by address.

One line too many for a seat ends the oldest one, whose device may have lost its network. Where all places for streams
are taken, an address with fewer streams gets the place of the last stream of the address with most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fullprime.messages import Message
from fullprime.rules.errors import FullprimeError
from fullprime.web.connections.limits import ConnectionLimits

SeatOfGame = tuple[str, str]
"""The id of a game, and a seat in it."""
Key = TypeVar("Key")


class TooManyStreams(FullprimeError):
    """There is no place for one more stream. ``retry_after``: seconds after which to try again."""

    code = "full"
    retry_after = 30


class OpenStream:
    """One stream. ``is_known``: its reader plays, or has an account; ``close`` ends its connection."""

    __slots__ = ("close", "is_known", "owner", "seat")

    def __init__(self, owner: str, seat: SeatOfGame | None, *, is_known: bool, close: Callable[[], None]) -> None:
        self.owner, self.seat, self.is_known, self.close = owner, seat, is_known, close


class OpenStreams:
    """All streams of one process. Only for the event loop's thread.

    ``on_displaced`` is called for each stream that ends to make room for another one.
    """

    def __init__(self, limits: ConnectionLimits, on_displaced: Callable[[], None]) -> None:
        self._limits, self._on_displaced = limits, on_displaced
        self._of_address: dict[str, dict[OpenStream, None]] = {}
        self._of_seat: dict[SeatOfGame, dict[OpenStream, None]] = {}
        self._length = self._strangers = 0

    def __len__(self) -> int:
        return self._length

    def add(self, stream: OpenStream) -> None:
        """Add a stream that begins; raises TooManyStreams."""
        limits, owner = self._limits, stream.owner
        if stream.seat is not None and limits.lines_of_seat is not None:
            while len(same := self._of_seat.get(stream.seat, {})) >= limits.lines_of_seat:
                self._displace(next(iter(same)))
        if limits.streams is not None and len(self._of_address.get(owner, ())) >= limits.streams:
            raise TooManyStreams(Message("too many live lines from your address: close some pages"))
        if not stream.is_known and limits.watching is not None and self._strangers >= limits.watching:
            self._make_room(
                owner, Message("too many people watch at the moment: try again later, or sign in"), known=False
            )
        if limits.streaming is not None and self._length >= limits.streaming:
            self._make_room(owner, Message("too many live lines are open: try again in a little while"), known=True)
        self._of_address.setdefault(owner, {})[stream] = None
        if stream.seat is not None:
            self._of_seat.setdefault(stream.seat, {})[stream] = None
        self._length += 1
        self._strangers += not stream.is_known

    def remove(self, stream: OpenStream) -> None:
        """Remove a stream that has ended; it may have been displaced before."""
        same = self._of_address.get(stream.owner, {})
        if stream not in same:
            return
        _remove(self._of_address, stream.owner, stream)
        if stream.seat is not None:
            _remove(self._of_seat, stream.seat, stream)
        self._length -= 1
        self._strangers -= not stream.is_known

    def _make_room(self, owner: str, refusal: str, *, known: bool) -> None:
        """End the last stream of the address with most (of strangers' streams, unless ``known``); TooManyStreams."""

        def able(address: str) -> list[OpenStream]:
            return [stream for stream in self._of_address.get(address, ()) if known or not stream.is_known]

        largest = max(map(able, self._of_address), key=len, default=[])
        if len(largest) <= len(able(owner)) + 1:
            raise TooManyStreams(refusal)
        self._displace(largest[-1])

    def _displace(self, stream: OpenStream) -> None:
        self.remove(stream)
        self._on_displaced()
        stream.close()


def _remove(streams: dict[Key, dict[OpenStream, None]], key: Key, stream: OpenStream) -> None:
    del streams[key][stream]
    if not streams[key]:
        del streams[key]
