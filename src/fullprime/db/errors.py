"""Errors of the store."""

from fullprime.rules.errors import ErrorCode, FullprimeError


class StoreError(FullprimeError):
    """Stored data that are missing or cannot be read, or a place that cannot be written."""

    code: ErrorCode | None = "unavailable"


class StoreConflict(StoreError):
    """Another process has stored something meanwhile; nothing has been stored here."""


class StoreFailed(StoreError):
    """The database cannot be used now, or refuses a row."""


class StoreRefused(StoreError):
    """A change that the stored data forbid, such as a name that is taken; to try again does not help."""


class StoreMissing(StoreError):
    """Nothing is stored under that name."""


class LibraryError(StoreError):
    """A request that a library refuses. ``code`` is ``missing`` where it does not have what was asked for."""

    def __init__(self, message: str, code: ErrorCode | None = None) -> None:
        super().__init__(message)
        self.code = code


class LibraryFull(LibraryError):
    """A library is full; with ``code`` ``full`` it is all libraries of the server together."""
