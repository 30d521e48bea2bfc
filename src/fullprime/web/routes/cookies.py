"""Cookies that prove something: for this very host alone where the connection is HTTPS."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

SAFE = "__Host-"
"""The beginning of a name that browsers take over HTTPS alone, and from the very host to which they send it. So no page
of a neighbouring host and nobody on a plain connection can plant the cookie of another account."""


@dataclass(frozen=True, slots=True)
class SecretCookie:
    """A cookie with a secret, which scripts do not see and requests of other sites do not have.

    Over HTTPS its name begins with ``__Host-``. Browsers refuse such a name over HTTP, where the plain one stays. The
    two are two cookies: each connection reads and ends the one of its kind.
    """

    name: str
    seconds: int
    mark: str | None = None
    """The beginning of every secret that is made for this cookie.

    One without it is older than the name for HTTPS: it was given there under the plain name, and is read there until it
    expires. None where no such secret is read."""

    def read(self, connection: HTTPConnection) -> str | None:
        """The secret that a request sends; None without one."""
        if not _is_safe(connection):
            return connection.cookies.get(self.name)
        secret = _value_of(connection, SAFE + self.name)
        return self._old(connection) if secret is None else secret

    def give(self, connection: HTTPConnection, response: Response, secret: str) -> None:
        """Have the browser keep a secret."""
        safe = _is_safe(connection)
        name = SAFE + self.name if safe else self.name
        response.set_cookie(name, secret, max_age=self.seconds, httponly=True, samesite="strict", secure=safe)
        if safe:
            self._drop_old(connection, response)

    def drop(self, connection: HTTPConnection, response: Response) -> None:
        """Have the browser forget the secret."""
        safe = _is_safe(connection)
        response.delete_cookie(SAFE + self.name if safe else self.name, httponly=True, samesite="strict", secure=safe)
        if safe:
            self._drop_old(connection, response)

    def _old(self, connection: HTTPConnection) -> str | None:
        """A secret from before HTTPS had a name of its own."""
        secret = connection.cookies.get(self.name)
        return None if secret is None or self.mark is None or secret.startswith(self.mark) else secret

    def _drop_old(self, connection: HTTPConnection, response: Response) -> None:
        if self._old(connection) is not None:
            response.delete_cookie(self.name, httponly=True, samesite="strict", secure=True)


def _is_safe(connection: HTTPConnection) -> bool:
    """True over HTTPS: of the server itself, or as a trusted proxy says."""
    return connection.scope["scheme"] in ("https", "wss")


def _value_of(connection: HTTPConnection, name: str) -> str | None:
    """The value of the cookie of exactly that name.

    The usual parser also takes away blanks of Unicode before a name, with which browsers let any page set it.
    """
    for header in connection.headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip(" \t").partition("=")
            if key == name:
                return value
    return None
