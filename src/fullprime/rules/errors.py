"""The errors of the rules layer. Every message carries the input it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class FullprimeError(Exception):
    """Base of every error this package raises on purpose."""

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


class IllegalPlay(IllegalAction):
    """A play that the dice or the position do not allow."""


class SettingsError(RulesError):
    """Options that contradict each other, or an unknown option."""


class NotationError(RulesError):
    """Text that is not a play, a roll or a command in any notation we read."""


class IdError(RulesError):
    """Text that is not a position or match identifier we read."""
