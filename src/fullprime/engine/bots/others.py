"""Players of other distributions, found by the entry point group ``fullprime.players``.

An entry point names a `PlayerSource`. fullprime-lab has one for other programs, such as gnubg-nn.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from fullprime.engine.bots.batch import BatchPlayer
from fullprime.rules.variants.variant import Variant

GROUP = "fullprime.players"


class PlayerSource(Protocol):
    """Players by names that no player of ours has."""

    names: str
    """What may be typed for them, in words."""

    def find(self, name: str, variant: Variant) -> BatchPlayer | None:
        """The player of a name, or None for a name that means none of them.

        Raises PlayerError for a player that is not installed or does not play the variant.
        """
        ...


@cache
def player_sources() -> tuple[PlayerSource, ...]:
    """The sources of all distributions that are installed."""
    from importlib.metadata import entry_points

    return tuple(entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))
