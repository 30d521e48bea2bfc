"""A PostgreSQL server of the tests' own: in a folder of its own, reached through a socket there, gone afterwards."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, text

_NUMBERS = count(1)


def programs() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``; Debian keeps them out of the path."""
    program = shutil.which("pg_ctl")
    if program is not None:
        return Path(program).resolve().parent
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name.split(".")[0])
    )
    return folders[-1] if folders else None


def why_not() -> str | None:
    """Why no server can be started here; None when one can."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed"
    return "PostgreSQL is not installed" if programs() is None else None


def _unprivileged() -> str | None:
    """The server refuses to run as root: then it runs as somebody else."""
    if os.geteuid() != 0:
        return None
    import pwd

    users = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"


_WATCH = 'cat >/dev/null; "$1/pg_ctl" -D "$2/data" -m immediate -w stop >/dev/null 2>&1; rm -rf "$2" &'
"""Ends the server when the tests do, however they end: killed, too, they let go of the pipe that is read here.

Its files are removed afterwards: fifty databases take half a minute, for which no test waits."""


@dataclass(frozen=True)
class Machine:
    """A running server: the URL of its databases, to which the name of one is put for ``{}``, and its switch."""

    url: str
    start: Callable[[], None]
    stop: Callable[[], None]
    """At once, as if it had crashed."""


@contextmanager
def server(*, durable: bool = False) -> Iterator[str]:
    """A running server; gives the URL of its databases, to which the name of one is put for ``{}``."""
    with machine(durable=durable) as running:
        yield running.url


def make_database(url: str, name: str | None = None, *, template: str = "template1") -> str:
    """Make a database of a server, as a copy of another one; gives its URL."""
    name = name or f"test{next(_NUMBERS)}"
    engine = create_engine(
        url.format("postgres").replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    engine.dispose()
    return url.format(name)


@contextmanager
def machine(*, durable: bool = False) -> Iterator[Machine]:
    """A running server that can be stopped and started again. Only with ``durable`` does a commit wait for the disk."""
    folder = programs()
    assert folder is not None
    user = _unprivileged()
    home = Path(tempfile.mkdtemp(prefix="fullprime-pg-"))
    if user is not None:
        shutil.chown(home, user)
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(home)}

    def run(*words: str) -> None:
        done = subprocess.run(
            words, user=user, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            env=environment,
        )  # fmt: skip
        assert done.returncode == 0, f"{words[0]}: {done.stdout} {done.stderr}"

    watcher = subprocess.Popen(
        ["sh", "-c", _WATCH, "watch", str(folder), str(home)], user=user, stdin=subprocess.PIPE, env=environment,
        cwd="/", start_new_session=True,
    )  # fmt: skip
    try:
        run(
            str(folder / "initdb"),
            "-D",
            str(home / "data"),
            "-U",
            "fullprime",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        )
        options = f"-c listen_addresses='' -k {home} -c fsync={'on' if durable else 'off'}"
        control = (str(folder / "pg_ctl"), "-D", str(home / "data"), "-w")
        start = partial(run, *control, "-o", options, "-l", str(home / "log"), "start")
        start()
        url = f"postgresql://fullprime@/{{}}?host={home}"
        yield Machine(url, start, partial(run, *control, "-m", "immediate", "stop"))
    finally:
        assert watcher.stdin is not None
        watcher.stdin.close()
        watcher.wait()


__all__ = ["Machine", "machine", "make_database", "server", "why_not"]
