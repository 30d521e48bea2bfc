"""Errors of the store."""

from fullprime.rules.errors import FullprimeError


class StoreError(FullprimeError):
    """Something stored that is not there or cannot be read, or a place that cannot be written."""


class StoreConflict(StoreError):
    """Another process has stored something meanwhile; nothing has been stored here."""


class StoreFailed(StoreError):
    """The database cannot be used now, or does not take what is to be stored."""


class StoreRefused(StoreError):
    """What is stored already does not allow it; nothing has failed, and to try again does not help."""


class StoreMissing(StoreError):
    """There is nothing of that name."""


class LibraryError(StoreError):
    """Something asked of a library that it does not have or take; nothing has failed. ``code`` may be ``missing``."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class LibraryFull(LibraryError):
    """There is no room for more in a library; ``code`` is ``full`` where all libraries of the server are meant."""
