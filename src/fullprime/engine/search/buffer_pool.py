"""Buffers that threads borrow to compute in; a pool holds as many as are in use at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Buffer = TypeVar("Buffer")


class BufferPool(Generic[Buffer]):
    """A pool of buffers for any thread; it makes another one when all are lent.

    >>> pool = BufferPool(list)
    >>> with pool.borrow() as one, pool.borrow() as other:
    ...     one is other
    False
    >>> with pool.borrow() as again:
    ...     again is one or again is other
    True
    """

    def __init__(self, make: Callable[[], Buffer]) -> None:
        self._make = make
        self._free: list[Buffer] = []

    @contextmanager
    def borrow(self) -> Iterator[Buffer]:
        """Borrow a buffer for a ``with`` block; it may hold what an earlier user left."""
        try:
            buffer = self._free.pop()
        except IndexError:
            buffer = self._make()
        try:
            yield buffer
        finally:
            self._free.append(buffer)
