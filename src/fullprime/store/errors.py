"""Errors of the store."""

from fullprime.rules.errors import FullprimeError


class StoreError(FullprimeError):
    """Something stored that is not there or cannot be read, or a place that cannot be written."""


class StoreConflict(StoreError):
    """Another process has stored something meanwhile; nothing has been stored here."""


class StoreMissing(StoreError):
    """There is nothing of that name."""
