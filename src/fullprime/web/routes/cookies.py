"""Cookies with secrets, which over HTTPS are bound to this very host."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

HOST_PREFIX = "__Host-"
"""The beginning of a name that browsers accept only over HTTPS, and only from the host to which they send it. So
neither a page of a neighbouring host nor an attacker on a plain connection can plant the cookie of another account."""


@dataclass(frozen=True, slots=True)
class SecretCookie:
    """A cookie with a secret, which scripts do not see and requests of other sites do not send.

    Over HTTPS its name begins with ``__Host-``. Browsers refuse such a name over HTTP, where the plain name is used.
    The two are different cookies, and each connection reads and ends the one of its kind.
    """

    name: str
    seconds: int
    mark: str | None = None
    """The beginning of every secret that is made for this cookie.

    A secret without it is older than the name for HTTPS. It was given over HTTPS under the plain name, and is read
    there until it expires. None where no such secret is read."""

    def read(self, connection: HTTPConnection) -> str | None:
        """Read the secret that a request sends; None without one."""
        if not _is_https(connection):
            return connection.cookies.get(self.name)
        secret = _value_of(connection, HOST_PREFIX + self.name)
        return self._old(connection) if secret is None else secret

    def set(self, connection: HTTPConnection, response: Response, secret: str) -> None:
        """Set the cookie in a response."""
        safe = _is_https(connection)
        name = HOST_PREFIX + self.name if safe else self.name
        response.set_cookie(name, secret, max_age=self.seconds, httponly=True, samesite="strict", secure=safe)
        if safe:
            self._delete_old(connection, response)

    def delete(self, connection: HTTPConnection, response: Response) -> None:
        """Delete the cookie in a response."""
        safe = _is_https(connection)
        response.delete_cookie(
            HOST_PREFIX + self.name if safe else self.name, httponly=True, samesite="strict", secure=safe
        )
        if safe:
            self._delete_old(connection, response)

    def _old(self, connection: HTTPConnection) -> str | None:
        """A secret under the plain name, from before there was one for HTTPS."""
        secret = connection.cookies.get(self.name)
        return None if secret is None or self.mark is None or secret.startswith(self.mark) else secret

    def _delete_old(self, connection: HTTPConnection, response: Response) -> None:
        if self._old(connection) is not None:
            response.delete_cookie(self.name, httponly=True, samesite="strict", secure=True)


def _is_https(connection: HTTPConnection) -> bool:
    """True over HTTPS: of the server itself, or as a trusted proxy says."""
    return connection.scope["scheme"] in ("https", "wss")


def _value_of(connection: HTTPConnection, name: str) -> str | None:
    """The value of the cookie of exactly that name.

    The usual parser also strips Unicode blanks before a name, and browsers let any page set a name with such blanks.
    """
    for header in connection.headers.getlist("cookie"):
        for pair in header.split(";"):
            key, _, value = pair.strip(" \t").partition("=")
            if key == name:
                return value
    return None
