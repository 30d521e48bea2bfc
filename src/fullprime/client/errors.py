"""The errors of the client: the server's words, and the address that refused."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fullprime.rules.errors import ErrorCode, FullprimeError

NO_FACTS: Mapping[str, object] = MappingProxyType({})


class ClientError(FullprimeError):
    """Something that a server refused, or that could not be asked of it.

    ``status`` is the HTTP status of the refusal (None when there was no answer to speak of), ``code`` its kind (None
    for one of the client itself, and for one that this version does not know), ``reason`` the server's words, ``facts``
    the values in them, ``field`` the option that is wrong, where one alone is, ``url`` the address that was asked.
    """

    def __init__(
        self,
        reason: str,
        *,
        url: str,
        status: int | None = None,
        code: ErrorCode | None = None,
        facts: Mapping[str, object] = NO_FACTS,
        field: str | None = None,
    ) -> None:
        super().__init__(f"{url}: {reason}" if status is None else f"{url}: {reason} ({status})")
        self.reason, self.url, self.status = reason, url, status
        self.code, self.facts, self.field = code, facts, field


class StaleAction(ClientError):
    """The game has gone on since the state that was acted upon: nothing has been done."""


class ServerGone(ClientError):
    """The server cannot be reached, or did not answer in time."""
