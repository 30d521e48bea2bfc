"""The errors of the client: the server's words, and the address that refused."""

from __future__ import annotations

from fullprime.rules.errors import FullprimeError


class ClientError(FullprimeError):
    """Something that a server refused, or that could not be asked of it.

    ``status`` is the HTTP status of the refusal (None when there was no answer to speak of), ``reason`` the server's
    words, ``url`` the address that was asked.
    """

    def __init__(self, reason: str, *, url: str, status: int | None = None) -> None:
        super().__init__(f"{url}: {reason}" if status is None else f"{url}: {reason} ({status})")
        self.reason, self.url, self.status = reason, url, status


class StaleAction(ClientError):
    """The game has gone on since the state that was acted upon: nothing has been done."""


class ServerGone(ClientError):
    """The server cannot be reached, or did not answer in time."""
