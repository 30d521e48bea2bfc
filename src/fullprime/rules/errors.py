"""The errors of the rules layer. Every message carries the input it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

ErrorCode: TypeAlias = Literal[
    "illegal",
    "invalid",
    "unknown",
    "forbidden",
    "missing",
    "no_route",
    "stale",
    "taken",
    "too_large",
    "misdirected",
    "busy",
    "timed_out",
    "full",
    "unavailable",
    "fault",
]
"""The kinds of errors that cross HTTP.

``illegal``: the rules, or the phase of the game, do not allow it. ``invalid``: what is sent cannot be read, or
contradicts itself. ``unknown``: it is not known who asks. ``forbidden``: it is not for this person. ``missing``: it is
not there. ``no_route``: the server has no such address, or not by this method. ``stale``: the thing has gone on.
``taken``: another visitor has it. ``too_large``: the request is too large. ``misdirected``: the server is called by a
name that is not its own. ``busy``: too much at once of one visitor. ``timed_out``: the request did not come to its end
in time. ``full``: too much at once of all. ``unavailable``: nothing can be stored now. ``fault``: a fault of the
server.
"""


class FullprimeError(Exception):
    """Base of every error this package raises on purpose."""

    code: ErrorCode | None = None
    """The kind of error, where it has one; over HTTP, ``invalid`` where it has none."""
    field: str | None = None
    """The option that is wrong, by its name, where one alone is."""

    @classmethod
    @contextmanager
    def about(cls, field: str) -> Iterator[None]:
        """Name the option that errors raised in the block are about, unless they name one already."""
        try:
            yield
        except cls as error:
            error.field = error.field or field
            raise


class MissingExtra(FullprimeError):
    """A library that comes with an extra of the package is not installed."""

    def __init__(self, feature: str, extra: str, library: str) -> None:
        super().__init__(
            f"{feature} needs the extra {extra} ({library} is not installed): pip install 'fullprime[{extra}]'"
        )
        self.feature, self.extra, self.library = feature, extra, library

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str, str]]:
        return MissingExtra, (self.feature, self.extra, self.library)


class RulesError(FullprimeError, ValueError):
    """Something the rules of the game do not allow."""


class PositionError(RulesError):
    """A position that cannot stand on a board of this variant."""


class IllegalAction(RulesError):
    """An action that the phase of the game, or a rule, does not allow now."""

    code = "illegal"


class IllegalPlay(IllegalAction):
    """A play that the dice or the position do not allow."""


class SettingsError(RulesError):
    """Options that contradict each other, or an unknown option."""


class NotationError(RulesError):
    """Text that is not a play, a roll or a command in any notation we read."""


class IdError(RulesError):
    """Text that is not a position or match identifier we read."""
