"""What one roll and one play of a player run through in the server, until the other player's browser has been told.

    python benchmarks/journeys.py
    python benchmarks/journeys.py --list
    python benchmarks/journeys.py --source ../other-checkout

Starts ``fullprime serve`` on this machine with a hook that notes each function of ours that begins, plays some turns
between two people until everything is warm, and repeats both actions a few times. What all repetitions ran through
counts: neither timers nor collections are of the journey. The rules are left out, whatever serves them. ``--source`` is
another checkout, so that an older state is measured by the same program. Needs Python 3.12, whose ``sys.monitoring``
sees every thread.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.seat import Seat, friends  # noqa: E402

REPETITIONS = 8
WARM = 24
"""Actions before the first that counts."""
MOST = 1000
HOOK = """
import json, signal, sys
from pathlib import Path
ours, answers = sys.argv.pop(1), Path(sys.argv.pop(1))
tool, events, seen = 2, sys.monitoring.events.PY_START, set()
sys.monitoring.use_tool_id(tool, "journeys")

def note(code, _offset):
    if code.co_filename.startswith(ours):
        seen.add((code.co_filename[len(ours):], code.co_qualname, code.co_firstlineno))
    return sys.monitoring.DISABLE

def begin(*_):
    seen.clear()
    sys.monitoring.restart_events()
    sys.monitoring.set_events(tool, events)
    (answers / "begun").touch()

def end(*_):
    sys.monitoring.set_events(tool, 0)
    part = answers / "part"
    part.write_text(json.dumps(sorted(seen)))
    part.rename(answers / "seen")

sys.monitoring.register_callback(tool, events, note)
signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, end)
from fullprime.cli.main import main
main()
"""
"""The server, and functions noted between two signals."""

Journey = set[tuple[str, str, int]]
"""The functions: file, name and first line."""


class Traced:
    """A server whose functions are noted."""

    def __init__(self, process: subprocess.Popen[str], folder: Path, url: str) -> None:
        self._process, self._folder, self.url = process, folder, url

    @contextmanager
    def noted(self) -> Iterator[Journey]:
        """Fills the journey that it gives, when it ends."""
        journey: Journey = set()
        self._signal(signal.SIGUSR1, "begun")
        yield journey
        text = self._signal(signal.SIGUSR2, "seen")
        journey.update((file, name, line) for file, name, line in json.loads(text))

    def _signal(self, number: signal.Signals, answer: str) -> str:
        self._process.send_signal(number)
        path = self._folder / answer
        while not path.exists():
            assert self._process.poll() is None, "the server has ended"
            time.sleep(0.002)
        text = path.read_text()
        path.unlink()
        return text


@contextmanager
def serving(source: Path) -> Iterator[Traced]:
    """A server from a checkout, on SQLite, without limits."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-c", HOOK, f"{source}/src/fullprime/", name, "serve", "--port", "0", "--no-limits"]
        process = subprocess.Popen(
            [*command, "--database", str(folder / "games.db")],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(source / "src")},
        )  # fmt: skip
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            yield Traced(process, folder, line.split(" at ")[1].split()[0].rstrip("/"))
        finally:
            process.terminate()
            process.wait(60)
            process.stdout.close()


def journeys(source: Path) -> dict[str, Journey]:
    """The functions of a roll and of a play, each until the other side has been told."""
    recorded: dict[str, list[Journey]] = {"roll": [], "play": []}
    with ExitStack() as opened:
        server = opened.enter_context(serving(source))
        client = opened.enter_context(httpx.Client(base_url=server.url, timeout=60))
        seats = friends(client, rules={"length": 25})
        url = f"{server.url.replace('http', 'ws')}/api/games/{seats[0].game}/live"
        browsers = [LiveLine(opened.enter_context(connect(url)), seat) for seat in seats]
        for turn in count():
            assert turn < MOST, f"the game does not go on: {recorded}"
            if min(map(len, recorded.values())) >= REPETITIONS:
                break
            states = [seat.state for seat in seats]
            number = next(number for number, state in enumerate(states) if state["legal_actions"])
            name, text = _action(states[number])
            sequence = states[number]["sequence"]
            if turn < WARM or name not in recorded:
                _act(seats[number], text, sequence)
                continue
            with server.noted() as journey:
                _act(seats[number], text, sequence)
                browsers[1 - number].wait_beyond(sequence)
            recorded[name].append(journey)
    return {
        name: {function for function in set.intersection(*repeated) if not function[0].startswith("rules/")}
        for name, repeated in recorded.items()
    }


def _action(state: dict[str, Any]) -> tuple[str, str]:
    """What is done next, and the line for it."""
    words = [word for word in state["legal_actions"] if word not in ("resign", "drop", "double")]
    if words[0] != "move":
        return words[0], words[0]
    return ("play", state["plays"][0]) if state["plays"] else ("no play", "no play")


def _act(seat: Seat, line: str, sequence: int) -> None:
    answer = seat.act(line, sequence=sequence)
    assert answer.status_code == 200, answer.text


class LiveLine:
    """The live line of a player's browser, which is read all the time."""

    def __init__(self, line: ClientConnection, seat: Seat) -> None:
        self._sequence, self._news = -1, threading.Condition()
        line.send(json.dumps({"key": seat.key}))
        threading.Thread(target=self._read, args=(line,), daemon=True).start()

    def _read(self, line: ClientConnection) -> None:
        for message in line:
            state = json.loads(message).get("state")
            if state is not None:
                with self._news:
                    self._sequence = max(self._sequence, state["sequence"])
                    self._news.notify_all()

    def wait_beyond(self, sequence: int) -> None:
        """Wait until this browser has a state after event ``sequence``."""
        with self._news:
            assert self._news.wait_for(lambda: self._sequence > sequence, 30), "no news has come to the other side"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout whose server is measured")
    parser.add_argument("--list", action="store_true", help="name every function")
    arguments = parser.parse_args()
    if not hasattr(sys, "monitoring"):
        sys.exit("journeys are noted by Python 3.12 or newer")
    for name, journey in journeys(arguments.source.resolve()).items():
        files = sorted({file for file, _, _ in journey})
        print(f"{name}: {len(journey)} functions in {len(files)} files")
        for file in files if arguments.list else ():
            functions = sorted((line, function) for place, function, line in journey if place == file)
            print(f"  {file}: {', '.join(function for _, function in functions)}")


if __name__ == "__main__":
    main()
