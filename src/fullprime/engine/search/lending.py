"""Working memory that is lent to whoever computes: as much as is in use at once, however many threads come by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Stock(Generic[Made]):
    """Objects of one kind, made when all that there are have been lent; any thread may borrow.

    >>> stock = Stock(list)
    >>> with stock.lent() as one, stock.lent() as other:
    ...     one is other
    False
    >>> with stock.lent() as again:
    ...     again is one or again is other
    True
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._free: list[Made] = []

    @contextmanager
    def lent(self) -> Iterator[Made]:
        """One of them, for a while; what it held before may still be there."""
        try:
            one = self._free.pop()
        except IndexError:
            one = self._make()
        try:
            yield one
        finally:
            self._free.append(one)
