"""Buffers that threads borrow to compute in; a pool holds as many as are in use at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Buffer = TypeVar("Buffer")


class BufferPool(Generic[Buffer]):
    """Objects of one kind, made when all that there are have been lent; any thread may borrow.

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
        """One of them, for a while; what it held before may still be there."""
        try:
            buffer = self._free.pop()
        except IndexError:
            buffer = self._make()
        try:
            yield buffer
        finally:
            self._free.append(buffer)
