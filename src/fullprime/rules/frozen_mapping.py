"""A mapping that never changes, and may therefore be hashed, copied and sent to other processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Content_co = TypeVar("Content_co", covariant=True)


class FrozenMapping(Mapping[Key, Content_co]):
    """An immutable, hashable mapping, for the facts of a frozen value.

    >>> FrozenMapping({"Event": "Final"}) == {"Event": "Final"}
    True
    >>> FrozenMapping({"Event": "Final"}) | {"Round": "3"}
    {'Event': 'Final', 'Round': '3'}
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Content_co] | None = None) -> None:
        self._items = dict(items or {})

    def __getitem__(self, key: Key) -> Content_co:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __or__(self, other: Mapping[Key, Content_co]) -> dict[Key, Content_co]:
        return self._items | dict(other)

    def __ror__(self, other: Mapping[Key, Content_co]) -> dict[Key, Content_co]:
        return dict(other) | self._items

    def copy(self) -> dict[Key, Content_co]:
        """A dict with the same content."""
        return dict(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMapping({self._items!r})"
