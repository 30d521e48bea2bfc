"""Starting the server: the socket, the address that is printed, uvicorn."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Sequence

import typer
import uvicorn

from fullprime.rules.errors import SettingsError
from fullprime.web.guard import LIMITS, LOCAL_HOSTS, NO_LIMITS
from fullprime.web.logs import LEVELS, log_to
from fullprime.web.server import create_app

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - to be recognised, not bound


class Announcing(uvicorn.Server):
    """A server that says where it is as soon as it answers."""

    address = ""
    open_page = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            typer.echo(f"Fullprime is at {self.address} (Ctrl+C stops it)")
            if self.open_page:
                webbrowser.open(self.address)


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
    log_level: str = "warning",
) -> int:
    """Serve until interrupted; gives the exit code. Raises SettingsError when the address cannot be used.

    ``proxies`` are addresses whose word is taken for whom they speak for, beside this machine's own.
    """
    if log_level not in LEVELS:
        raise SettingsError(f"there is no log level {log_level!r}; there are {', '.join(LEVELS)}")
    log_to(level=log_level)
    bound = _bind(host, port)
    number = bound.getsockname()[1]
    if host not in LOCAL_HOSTS:
        typer.echo("note: whoever reaches this address can play; docs/hosting.md says how to guard it", err=True)
    hosts = None if host in _EVERYWHERE and not names else (*LOCAL_HOSTS, host, *names)
    shown = "127.0.0.1" if host in _EVERYWHERE else host
    config = uvicorn.Config(
        create_app(database, hosts=hosts, limits=LIMITS if limited else NO_LIMITS, show_metrics=metrics),
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=["127.0.0.1", "::1", *proxies],
        ws_max_size=4096,
        # A request that was taken on is finished and answered before the server goes.
        timeout_graceful_shutdown=5,
    )
    server = Announcing(config)
    server.address = f"http://{f'[{shown}]' if ':' in shown else shown}:{number}/"
    server.open_page = open_page
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        return 0
    return 0 if server.started else 1


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise SettingsError(
            f"{host}:{port} cannot be listened at: {error.strerror or error}; --port takes another"
        ) from error
    return bound
