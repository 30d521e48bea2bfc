"""HTTPX for the client: made when a client connects, its errors turned into ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fullprime.client.errors import ClientError, ServerGone

if TYPE_CHECKING:
    import httpx

QUIET = 45.0
"""Seconds without a line, not even a blank one, after which a stream is taken for dead: one comes every 15 seconds."""


def load_httpx(url: str) -> None:
    """See that HTTPX is there; raises ClientError that says how to install it."""
    try:
        import httpx  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise ClientError("joining a server needs HTTPX: pip install 'fullprime[client]'", url=url) from error


def authorization(key: str | None) -> dict[str, str]:
    """The header that opens a seat or an account."""
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def stream_timeout(timeout: float) -> httpx.Timeout:
    """The time limits of a stream: for its beginning, and for silence."""
    import httpx  # noqa: PLC0415 - an extra

    return httpx.Timeout(timeout, read=QUIET)


@contextmanager
def translate_errors(url: str) -> Iterator[None]:
    """HTTPX's errors as ServerGone (no answer, or a connection that broke) and ClientError (no such address)."""
    import httpx  # noqa: PLC0415 - an extra

    try:
        yield
    except httpx.TimeoutException as error:
        raise ServerGone("the server did not answer in time", url=url) from error
    except httpx.TransportError as error:
        cause = str(error) or type(error).__name__
        raise ServerGone(f"the server cannot be reached: {cause}", url=url) from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        raise ClientError(f"this address cannot be asked: {error}", url=url) from error
