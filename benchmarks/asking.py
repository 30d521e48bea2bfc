"""Asks pages of a server in this process, and says how long each takes: for the other commands of this folder."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app


@dataclass(frozen=True)
class Question:
    """A page or a route, by what it shows; ``sent`` is what is posted to it, None for a page that is read."""

    name: str
    address: str
    sent: dict[str, object] | None = None


def ask(path: Path, questions: Iterable[Question], times: int, cookies: dict[str, str] | None = None) -> None:
    """Ask each question ``times`` times; print the median and longest time and processor time, in milliseconds."""
    app = create_app(f"sqlite:///{path}", limits=NO_LIMITS, own_machine=True)
    with TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 5000), follow_redirects=False) as client:
        client.cookies.update(cookies or {})
        print(f"{'page':<42}{'median':>8}{'longest':>9}{'processor':>11}   (ms)")
        for question in questions:
            spent, used, method = [], [], "GET" if question.sent is None else "POST"
            for _ in range(times):
                begun, before = time.perf_counter(), time.process_time()
                answer = client.request(method, question.address, json=question.sent)
                spent.append(1e3 * (time.perf_counter() - begun))
                used.append(1e3 * (time.process_time() - before))
                assert answer.status_code in (200, 303), f"{question.address}: {answer.text}"
            print(
                f"{question.name:<42}{statistics.median(spent):>8.0f}{max(spent):>9.0f}{statistics.median(used):>11.0f}"
            )


def make_or_measure(
    description: str | None, sizes: dict[str, int], make: Callable[..., None], measure: Callable[[Path, int], None]
) -> None:
    """The command: ``make PATH`` with an option for each of the sizes, by their usual values, or ``measure PATH``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("what", choices=("make", "measure"))
    parser.add_argument("path", type=Path)
    for name, usual in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--times", type=int, default=5)
    options: dict[str, Any] = vars(parser.parse_args())
    if options["what"] == "make":
        make(options["path"], **{name: options[name] for name in sizes})
    else:
        measure(options["path"], options["times"])
