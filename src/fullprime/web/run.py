"""Starting the server: the socket, the address that is printed, uvicorn in one process or in several."""

from __future__ import annotations

import errno
import socket
import ssl
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import typer
import uvicorn
from fastapi import FastAPI

from fullprime.accounts.notifications import PushOptions
from fullprime.db.exclusive_server import check_integrity, exclusive_server
from fullprime.library.storage import StorageLimits
from fullprime.play.options.compiling import compile_aside
from fullprime.play.options.opponents import SIMPLE_BOT, name_of
from fullprime.play.server.game_server import may_be_shared
from fullprime.rules.errors import SettingsError
from fullprime.web.connections.accepting import AcceptingLoop
from fullprime.web.connections.limits import (
    PER_GAME,
    UNLIMITED,
    ConnectionLimits,
    connections_for,
    raise_descriptors,
)
from fullprime.web.connections.protocol import HttpConnection
from fullprime.web.connections.websocket import WebSocketConnection
from fullprime.web.logs import LEVELS, log_to
from fullprime.web.rate_limits import LIMITS, LOCAL_HOSTS, NO_LIMITS
from fullprime.web.readiness import tune_garbage_collection, warm_up
from fullprime.web.server import create_app
from fullprime.web.sharing import addresses_of_this_machine, names_of_this_machine
from fullprime.web.workers import run_workers

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to be recognised, not bound

_PING_APART, _PONG_WITHIN = 3.0, 4.0
SILENCE = _PING_APART + _PONG_WITHIN
"""Seconds after which a page whose network was cut counts as closed, at most."""

_COMPILING = f"the engine is being compiled for this machine, once; until then {name_of(SIMPLE_BOT)} plays"
_SETTINGS = {
    "http": HttpConnection,
    "ws": WebSocketConnection,
    "log_config": None,
    # Its warnings are a line for each odd request.
    "log_level": "error",
    "access_log": False,
    "server_header": False,
    "ws_max_size": 4096,
    # A page whose network was cut says nothing: who does not answer a ping within these seconds is gone.
    "ws_ping_interval": _PING_APART,
    "ws_ping_timeout": _PONG_WITHIN,
    # A request that was taken on is finished and answered before the server goes.
    "timeout_graceful_shutdown": 5,
    # The loop of Windows accepts one connection at a time by itself.
    "loop": "auto" if sys.platform == "win32" else f"{AcceptingLoop.__module__}:{AcceptingLoop.__qualname__}",
}
"""The settings of uvicorn."""
_STRICT_TRANSPORT = ("Strict-Transport-Security", f"max-age={365 * 24 * 3600}")
"""Has browsers use only HTTPS for a year after each answer.

It holds for this name and not for its subdomains, and without ``preload`` no browser knows it in advance, so that the
operator can give HTTPS up again."""
_FEW = 4096
"""With fewer descriptors the server says at its start how many connections they allow."""
_GONE = 60
"""Seconds after which a connection ends whose other side has vanished."""


class _AnnouncingServer(uvicorn.Server):
    """A server that announces its address as soon as it answers."""

    announce: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce the address."""
        await super().startup(sockets)
        if self.started:
            tune_garbage_collection()
            self.announce()


def run_server(
    host: str,
    port: int,
    *,
    names: Sequence[str] = (),
    database: str | None = None,
    open_page: bool = False,
    proxies: Sequence[str] = (),
    limited: bool = True,
    metrics: bool = False,
    cluster: str | None = None,
    log_level: str = "warning",
    workers: int = 1,
    lan: bool = False,
    push: PushOptions | None = None,
    storage: StorageLimits | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> int:
    """Serve until interrupted; gives the exit code. Raises SettingsError when the address cannot be used.

    Raises StoreError for a SQLite file that another server has, or that is damaged.

    ``proxies`` are the addresses of proxies, beside this machine's own, that are believed when they name the client.
    ``lan`` lets the local network in, by the addresses and names of this machine alone. ``push`` are the choices about
    push messages, ``storage`` the bounds for uploads. With the files of a ``certificate`` and its ``key`` (PEM) HTTPS
    is spoken.
    With several ``workers`` as many processes serve one database; each has its own count of an address's requests.
    """
    safe = _https(certificate, key)
    with exclusive_server(database):
        remark = check_integrity(database)
        if remark is not None:
            typer.echo(f"note: {remark}", err=True)
        return _serve(
            host,
            port,
            names=names,
            database=database,
            open_page=open_page,
            proxies=proxies,
            limited=limited,
            metrics=metrics,
            cluster=cluster,
            log_level=log_level,
            workers=workers,
            lan=lan,
            push=push,
            storage=storage,
            safe=safe,
        )


def _serve(
    host: str,
    port: int,
    *,
    names: Sequence[str],
    database: str | None,
    open_page: bool,
    proxies: Sequence[str],
    limited: bool,
    metrics: bool,
    cluster: str | None,
    log_level: str,
    workers: int,
    lan: bool,
    push: PushOptions | None,
    storage: StorageLimits | None,
    safe: dict[str, Any],
) -> int:
    _check(database, workers, log_level)
    log_to(level=log_level)
    own_machine = (lan or host in LOCAL_HOSTS) and not names and not proxies
    if lan:
        host, names = _EVERYWHERE[0], (*names, *addresses_of_this_machine(), *names_of_this_machine())
    bound = _bind(host, port)
    network = (
        [_address(address, bound, bool(safe)).rstrip("/") for address in addresses_of_this_machine()] if lan else []
    )
    if not lan and host not in LOCAL_HOSTS:
        typer.echo("note: everybody who reaches this address can play; docs/hosting.md says how to guard it", err=True)
    trusted = _list_trusted(proxies)
    hosts = None if host in _EVERYWHERE and not names else (*LOCAL_HOSTS, host, *names)
    address = _address(host, bound, bool(safe))
    limits = LIMITS if limited else NO_LIMITS
    app = partial(
        create_app,
        database,
        hosts=hosts,
        limits=limits,
        show_metrics=metrics,
        cluster=cluster,
        connections=_connections(limited),
        proxies=trusted,
        network=network,
        own_machine=own_machine,
        push=push,
        storage=storage,
    )

    announce = partial(_announce, address, network, open_page)
    settings: dict[str, Any] = {**_SETTINGS, **safe, "forwarded_allow_ips": list(trusted)}
    try:
        with _compiling():
            if workers > 1:
                return run_workers(workers, app, bound, announce, log_level, settings)
            return _run_alone(app(), bound, announce, settings)
    except KeyboardInterrupt:
        return 0


@contextmanager
def _compiling() -> Iterator[None]:
    """Compile the engine in another process meanwhile, where it has no machine code yet, and print that."""
    compiling = compile_aside(lambda step: typer.echo(f"note: compiling the engine: {step}", err=True))
    if compiling is not None:
        typer.echo(f"note: {_COMPILING}", err=True)
    try:
        yield
    finally:
        if compiling is not None:
            compiling.terminate()
            compiling.wait()


def _https(certificate: Path | None, key: Path | None) -> dict[str, Any]:
    """The options of uvicorn for a certificate. Raises SettingsError for files that are no certificate with its key."""
    if certificate is None and key is None:
        return {}
    if certificate is None or key is None:
        raise SettingsError("HTTPS needs both --certificate and --key")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except OSError as error:
        reason = None if isinstance(error, ssl.SSLError) else error.strerror
        message = reason or "they are no certificate and its key"
        raise SettingsError(f"--certificate {certificate}, --key {key}: {message}") from None
    return {"ssl_certfile": certificate, "ssl_keyfile": key, "headers": [_STRICT_TRANSPORT]}


def _check(database: str | None, workers: int, log_level: str) -> None:
    if workers > 1 and not may_be_shared(database):
        raise SettingsError(f"{workers} workers need a PostgreSQL database (--database URL): one process serves SQLite")
    if log_level not in LEVELS:
        raise SettingsError(f"there is no log level {log_level!r}; there are {', '.join(LEVELS)}")


def _announce(address: str, network: Sequence[str], open_page: bool) -> None:
    typer.echo(f"Fullprime is at {address} (Ctrl+C stops it)")
    for network_address in network:
        typer.echo(f"In your network it is at {network_address}/")
    if network and not address.startswith("https:"):
        typer.echo(
            "note: installing, messages and the share sheet of a phone need HTTPS: --certificate and --key", err=True
        )
    if open_page:
        webbrowser.open(address)


def _list_trusted(proxies: Sequence[str]) -> tuple[str, ...]:
    """The trusted proxies, also as IPv6 addresses, because a socket for both kinds gives IPv4 addresses as IPv6."""
    trusted = ("127.0.0.1", "::1", *proxies)
    return trusted + tuple(
        f"::ffff:{address}" for address in trusted if ":" not in address and "/" not in address and address != "*"
    )


def _run_alone(app: FastAPI, bound: socket.socket, announce: Callable[[], None], settings: dict[str, Any]) -> int:
    """Serve in this process; gives the exit code."""
    warm_up(app)
    server = _AnnouncingServer(uvicorn.Config(app, **settings))
    server.announce = announce
    server.run(sockets=[bound])
    return 0 if server.started else 1


def _connections(limited: bool) -> ConnectionLimits:
    """The limits of connections to one process; prints what the system allows if that is little."""
    descriptors = raise_descriptors()
    most = connections_for(descriptors)
    if descriptors < _FEW:
        typer.echo(
            f"note: the system lets this process open {descriptors} files: {most} connections, some {most // PER_GAME}"
            " games between people; docs/hosting.md says how to allow more (LimitNOFILE, ulimit -n)",
            err=True,
        )
    return replace(ConnectionLimits() if limited else UNLIMITED, most=most)


def _address(host: str, bound: socket.socket, safe: bool = False) -> str:
    """The address at which a browser on this computer finds the server."""
    name = "127.0.0.1" if host in _EVERYWHERE else host
    return f"http{'s' if safe else ''}://{f'[{name}]' if ':' in name else name}:{bound.getsockname()[1]}/"


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sets TCP_NODELAY on what is accepted. Without, the second part of an answer waits
    # for an acknowledgement of the first, which the other side holds back for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        way_out = "; --port takes another" if error.errno in (errno.EADDRINUSE, errno.EACCES) else ""
        raise SettingsError(f"{host}:{port} cannot be listened at: {error.strerror or error}{way_out}") from error
    _enable_keepalive(bound)
    return bound


def _enable_keepalive(bound: socket.socket) -> None:
    """Enable keepalive, so that the system ends connections to clients that vanished; accepted sockets inherit it."""
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", _GONE),
        ("TCP_KEEPINTVL", _GONE // 3),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", _GONE * 1000),
    ):
        option = getattr(socket, name, None)
        if option is not None:
            with suppress(OSError):
                bound.setsockopt(socket.IPPROTO_TCP, option, value)
