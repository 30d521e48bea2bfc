"""Hostile uploads to a server with its default limits: it goes on answering, and nothing of them stays."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.dependencies import utils
from starlette.routing import Match
from tests.formats.hostile import BOMBS, TEXTS
from tests.web.conftest import Server

MOST = 1.0
"""Seconds in which the server answers whatever is sent to it."""


@contextmanager
def asked(url: str) -> Iterator[list[float]]:
    """The times of answers to ``/health``, asked one after the other meanwhile."""
    times: list[float] = []
    done = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=url, timeout=60) as client:
            while not done.wait(0.02):
                begin = time.perf_counter()
                assert client.get("/api/health").status_code == 200
                times.append(time.perf_counter() - begin)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield times
    finally:
        done.set()
        thread.join()


def sent(client: httpx.Client, name: str, data: bytes) -> dict[str, Any]:
    """The job of an upload at its end."""
    job = client.post("/api/reviews", params={"name": name, "level": "fast"}, content=data)
    assert job.status_code == 202, job.text
    for _ in range(6000):
        job_answer: dict[str, Any] = client.get(f"/api/analysis/jobs/{job.json()['id']}").json()
        if job_answer["state"] in ("done", "failed", "stopped"):
            return job_answer
        threading.Event().wait(0.02)
    raise AssertionError(f"{name} has no end")


def readers_of(server: Server) -> list[int]:
    """Processes that the server has started and that still run."""
    children = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return [int(number) for path in children for number in path.read_text().split()]


USUAL = ("nested lists", "brackets alone", "zip")
"""Two that once stopped a server, and one that is packed; all are among the broad tests."""


def attack(server: Server, name: str, data: bytes) -> list[float]:
    """Send it; the times in which the server answered others meanwhile."""
    with httpx.Client(base_url=server.url, timeout=120) as client, asked(server.url) as times:
        job = sent(client, name, data)
    assert job["state"] in ("failed", "done"), job
    assert "\n" not in (job["error"] or "")
    assert "went wrong" not in (job["error"] or "")
    return times


@pytest.mark.alone
@pytest.mark.parametrize(
    "what",
    [kind if kind in USUAL else pytest.param(kind, marks=pytest.mark.broad) for kind in (*TEXTS, *BOMBS)],
)
def test_others_are_answered_meanwhile(what: str, shared_server: Server) -> None:
    name, make = {**TEXTS, **BOMBS}[what]
    times = attack(shared_server, name, make(1_000_000))
    assert not times or statistics.quantiles([*times, *times], n=50)[-1] < MOST, max(times)


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.timeout(900)
@pytest.mark.parametrize("what", [*TEXTS, *BOMBS])
def test_others_are_answered_meanwhile_at_full_size(what: str, shared_server: Server) -> None:
    name, make = {**TEXTS, **BOMBS}[what]
    data = make((8 << 20) - 5_000 if what in TEXTS else (32 << 20) if what == "bgf, many values" else 1 << 29)
    times = attack(shared_server, name, data)
    print(f"{what}: {len(data):,} bytes, {len(times)} answers, the slowest after {max(times):.3f} s")  # noqa: T201
    assert max(times) < MOST


def test_no_request_has_to_build_the_routes(monkeypatch: pytest.MonkeyPatch, make_app: Callable[..., Any]) -> None:
    """The first upload of a server's life kept everybody waiting while the framework worked out all parameters."""
    built: list[object] = []
    real = utils.create_model_field
    app = make_app()
    monkeypatch.setattr(utils, "create_model_field", lambda *a, **k: built.append(a) or real(*a, **k))
    for path in ("/api/reviews", "/api/games", "/api/analysis/jobs", "/api/account/sign-in"):
        scope = {"type": "http", "method": "POST", "path": path, "root_path": "", "path_params": {}, "headers": []}
        assert any(route.matches(scope)[0] is Match.FULL for route in app.routes)
    assert not built


@pytest.mark.posix
def test_the_process_of_a_stopped_job_goes(shared_server: Server) -> None:
    data = TEXTS["an hour of dances"][1](6 << 20)
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        job = client.post("/api/reviews", params={"name": "a.mat", "level": "fast"}, content=data).json()
        assert client.post(f"/api/analysis/jobs/{job['id']}/stop").status_code == 200
        for _ in range(3000):
            if client.get(f"/api/analysis/jobs/{job['id']}").json()["state"] == "stopped" and not readers_of(
                shared_server
            ):
                return
            threading.Event().wait(0.01)
    raise AssertionError("its process goes on")


@pytest.mark.posix
def test_the_process_goes_with_the_server(server: Server) -> None:
    data = TEXTS["an hour of dances"][1](6 << 20)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.post("/api/reviews", params={"name": "a.mat", "level": "fast"}, content=data)
        for _ in range(3000):
            if readers := readers_of(server):
                break
            threading.Event().wait(0.01)
    server.stop()
    assert readers
    assert not [number for number in readers if Path(f"/proc/{number}").exists()]
