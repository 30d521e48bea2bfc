"""Starting the server: the socket, the address that is printed, uvicorn in one process or in several."""

from __future__ import annotations

import errno
import socket
import ssl
import sys
import threading
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

from fullprime.accounts.pushes import PushOptions
from fullprime.db.exclusive_server import check_integrity, exclusive_server
from fullprime.library.storage import StorageLimits
from fullprime.play.options.compiling import compile_aside
from fullprime.play.options.opponents import SIMPLE_BOT, name_of
from fullprime.play.server.rooms import may_be_shared
from fullprime.rules.errors import SettingsError
from fullprime.web.connections.accepting import AcceptingLoop
from fullprime.web.connections.limits import (
    PER_GAME,
    UNLIMITED,
    ConnectionLimits,
    connections_for,
    raise_descriptors,
)
from fullprime.web.connections.live_connection import LiveConnection
from fullprime.web.connections.protocol import HttpConnection
from fullprime.web.guard import LIMITS, LOCAL_HOSTS, NO_LIMITS
from fullprime.web.logs import LEVELS, log_to
from fullprime.web.readiness import settle_memory, warm_up
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
    "ws": LiveConnection,
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
"""Has browsers come by HTTPS alone for a year after each answer.

It holds for this name and not for those below it, and without ``preload`` no browser knows of it before, so that the
operator can give HTTPS up again."""
_FEW = 4096
"""Descriptors under which the start says what they suffice for."""
_GONE = 60
"""Seconds after which a connection ends whose other side has vanished without a word."""


class Announcing(uvicorn.Server):
    """A server that says where it is as soon as it answers."""

    announce: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            settle_memory()
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
    network = [_address(each, bound, bool(safe)).rstrip("/") for each in addresses_of_this_machine()] if lan else []
    if not lan and host not in LOCAL_HOSTS:
        typer.echo("note: everybody who reaches this address can play; docs/hosting.md says how to guard it", err=True)
    trusted = _trusted(proxies)
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
    """Compile the engine in another process meanwhile, where it has no machine code yet, and say so."""
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
    """What uvicorn wants to know of a certificate. Raises SettingsError for files that are none with its key."""
    if certificate is None and key is None:
        return {}
    if certificate is None or key is None:
        raise SettingsError("HTTPS needs both --certificate and --key")
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except OSError as error:
        known = None if isinstance(error, ssl.SSLError) else error.strerror
        what = known or "they are no certificate and its key"
        raise SettingsError(f"--certificate {certificate}, --key {key}: {what}") from None
    return {"ssl_certfile": certificate, "ssl_keyfile": key, "headers": [_STRICT_TRANSPORT]}


def _check(database: str | None, workers: int, log_level: str) -> None:
    if workers > 1 and not may_be_shared(database):
        raise SettingsError(f"{workers} workers need a PostgreSQL database (--database URL): one process serves SQLite")
    if log_level not in LEVELS:
        raise SettingsError(f"there is no log level {log_level!r}; there are {', '.join(LEVELS)}")


def _announce(address: str, network: Sequence[str], open_page: bool) -> None:
    typer.echo(f"Fullprime is at {address} (Ctrl+C stops it)")
    for each in network:
        typer.echo(f"In your network it is at {each}/")
    if network and not address.startswith("https:"):
        typer.echo(
            "note: installing, messages and the share sheet of a phone need HTTPS: --certificate and --key", err=True
        )
    if open_page:
        webbrowser.open(address)


def _trusted(proxies: Sequence[str]) -> tuple[str, ...]:
    """The proxies that are believed. A socket that takes both kinds of addresses tells those of IPv4 as IPv6."""
    trusted = ("127.0.0.1", "::1", *proxies)
    return trusted + tuple(f"::ffff:{each}" for each in trusted if ":" not in each and "/" not in each and each != "*")


def _run_alone(made: FastAPI, bound: socket.socket, announce: Callable[[], None], settings: dict[str, Any]) -> int:
    """Serve in this process; gives the exit code."""
    warm_up(made)
    # The API's document takes a second to make: before somebody asks for it, and in nobody's way.
    threading.Thread(target=made.openapi, name="document", daemon=True).start()
    server = Announcing(uvicorn.Config(made, **settings))
    server.announce = announce
    server.run(sockets=[bound])
    return 0 if server.started else 1


def _connections(limited: bool) -> ConnectionLimits:
    """The limits of connections to one process; says what the system allows if that is little."""
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
    shown = "127.0.0.1" if host in _EVERYWHERE else host
    return f"http{'s' if safe else ''}://{f'[{shown}]' if ':' in shown else shown}:{bound.getsockname()[1]}/"


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
    _notice_the_vanished(bound)
    return bound


def _notice_the_vanished(bound: socket.socket) -> None:
    """Have the system ask and give up sides that vanished; what is accepted has the settings of what listens."""
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
