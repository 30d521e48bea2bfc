"""Several processes that serve one database. They are restarted when they end; the server ends when none starts."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

import typer
import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from fullprime.play.server.game_server import share_clock
from fullprime.rules.errors import FullprimeError
from fullprime.web.logs import log_to
from fullprime.web.readiness import tune_garbage_collection, warm_up

FAILED_STARTS = 3
"""Workers in a row that end before they answer; after these the server gives up."""

PATIENCE = 120
"""Seconds without a report after which a worker is replaced; they are many, because a busy machine starts it slowly."""

log = logging.getLogger(__name__)


class Workers(Multiprocess):
    """Processes that are restarted when they end, until too many in a row have ended before they answered."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket], reports: Connection) -> None:
        super().__init__(config, sockets=sockets)
        self._reports = reports
        self._answering: set[int | None] = set()
        self._begun: dict[int | None, float] = {}
        self._failed = 0
        self._reason = ""
        self.fault: str | None = None
        """The reason why it gave up, in one line; None before that."""

    def listen(self, announce: Callable[[], None]) -> None:
        """Read the reports of the workers while there are any; call ``announce`` once all answer for the first time."""
        is_announced = False
        while True:
            try:
                process, reason = json.loads(self._reports.recv_bytes())
            except EOFError:
                return
            if reason is not None:
                self._reason = reason
                continue
            self._answering.add(process)
            self._failed = 0
            if len(self._answering) >= self.processes_num and not is_announced:
                is_announced = True
                announce()

    def keep_subprocess_alive(self) -> None:
        """Restart workers that have ended; give up when none answers and none of the last ones ever did."""
        for index, process in enumerate(self.processes):
            if self.should_exit.is_set() or self._is_well(process):
                continue
            process.kill()  # it may hang
            process.join()
            if process.pid not in self._answering:
                self._failed += 1
            others = (other.pid for other in self.processes if other.process.is_alive())
            if self._failed >= FAILED_STARTS and self._answering.isdisjoint(others):
                self.fault = f"{self._failed} workers in a row have ended before they answered"
                self.fault += f": {self._reason}" if self._reason else "; the log says more"
                self.should_exit.set()
                return
            self.processes[index] = Process(self.config, self.sockets)
            self.processes[index].start()

    def _is_well(self, process: Process) -> bool:
        """True for a worker that answers, or that has not had the time to start.

        A worker that starts is not pinged, because a ping waits its whole time for a process that ends meanwhile.
        """
        if process.pid in self._answering:
            return process.is_alive(timeout=PATIENCE)
        begun = self._begun.setdefault(process.pid, time.monotonic())
        return process.process.is_alive() and time.monotonic() - begun < PATIENCE

    @property
    def has_answered(self) -> bool:
        """True if a worker has ever answered."""
        return bool(self._answering)


def run_workers(
    workers: int,
    app: partial[FastAPI],
    bound: socket.socket,
    announce: Callable[[], None],
    log_level: str,
    settings: dict[str, Any],
) -> int:
    """Serve in several processes, which are started again when they die; gives the exit code."""
    reports, reporting = multiprocessing.get_context("spawn").Pipe(duplex=False)
    share_clock()
    # A client that connects while the workers start waits until one of them answers.
    bound.listen(2048)
    make_app = partial(_worker, app, reporting, log_level)
    settings |= {"factory": True, "workers": workers}
    running = Workers(uvicorn.Config(make_app, **settings), [bound], reports)
    threading.Thread(target=running.listen, args=(announce,), name="reports", daemon=True).start()
    running.run()
    if running.fault is not None:
        typer.echo(f"error: the server gives up: {running.fault}", err=True)
    return 0 if running.has_answered and running.fault is None else 1


def _worker(app: partial[FastAPI], reporting: Connection, log_level: str) -> FastAPI:
    """The application of one of several processes, which ends when the process that started it is gone."""
    log_to(level=log_level)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="watch the parent", daemon=True).start()
    try:
        application = app()
        warm_up(application)
    except FullprimeError as error:
        _report(reporting, str(error))
        sys.exit(1)
    except Exception as error:
        log.exception("a worker cannot start")
        _report(reporting, f"{type(error).__name__}: {error}")
        sys.exit(1)
    tune_garbage_collection()
    _report(reporting, None)
    return application


def _report(reporting: Connection, reason: str | None) -> None:
    """Tell the process that started this one that it answers, or the reason why it cannot.

    A report this short is written in one piece, so it needs no lock, which a killed worker could leave locked.
    """
    line = None if reason is None else " ".join(reason.split())[:500]
    reporting.send_bytes(json.dumps((os.getpid(), line)).encode())
