"""Lines that nobody should send: for `fullprime engine`, `legal --stdin` and `play`, and what must come back.

`benchmarks/fuzz_lines.py` sends them for as long as one likes, `test_hostile_lines.py` some of them in every run. A
batch is bytes; the number of answers that it must have follows from the bytes alone.
"""

from __future__ import annotations

import io
import json
import os
import random
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FULLPRIME = (sys.executable, "-c", "from fullprime.cli.main import main; main()")
SCRIPT = ("play", "--script", "-", "--json", "--no-store", "--two-players")
PROBE = b"4HPwATDgc/ABMA"
PATIENCE, LONG_PATIENCE = 60.0, 900.0
"""Seconds of processor time, and of any time, that a process may be silent before it counts as hung; the kernels are
loaded in the first of them."""

NUMBERS = (
    *("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "-0", "0.1", "1e5", "9" * 30, "9" * 4290),
    *("9" * 5000, "-1", "0", "7", "2147483648", "18446744073709551616", "1" + "0" * 400 + ".0", "0x10", "01", "+1"),
    *("1_000", "\u0661", "\u00b2"),
)  # fmt: skip
TEXTS = (
    *('"\\ud800"', '"\\udc00\\ud800"', '"\ufeff"', '"\\u0000"', '"\\x"', '"' + "a" * 3000 + '"', '"', "'a'"),
    *('"\x7f\x1b[2J"', '"\U0001d7de"', '"\u2028"', '"\\ud83d\\ude00"', '"e\u0301"', "null", "true", "false", "{}"),
    *("[]", "[[]]", '{"":{}}', '{"a":1,"a":2}'),
)  # fmt: skip
BYTES = (
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xf5\x80\x80\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\x1a",
    b"\x0c",
    b"\n",
    b"\xe2\x80\xa8",
)
REQUESTS: tuple[dict[str, Any], ...] = (
    {"id": 1, "position": "4HPwATDgc/ABMA", "dice": [3, 1], "level": "0-ply"},
    {"id": "a", "position": "4HPwATDgc/ABMA", "dice": None, "level": "0-ply", "cubeful": False},
    {"id": None, "position": "6:2 5:2 / 6:3 4:1", "level": "0-ply", "cube": {"value": 2, "owner": "mover"}},
    {"id": [1], "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10", "dice": [6, 6], "level": "0-ply"},
    {"id": 1.5, "position": "4HPwATDgc/ABMA", "level": "0-ply", "match": {"length": 7, "mover": 6, "crawford": True}},
    {"id": {}, "position": "6:2 / 6:1", "variant": "dutch", "dice": [2, 1], "level": "0-ply", "rules": {}},
)  # fmt: skip
WORDS = (
    *("roll", "double", "take", "drop", "beaver", "raccoon", "resign", "accept", "refuse", "move", "step", "done"),
    *("undo", "choose", "next", "board", "plays", "pip", "score", "rules", "save", "help", "31", "66", "(5, 5)"),
    *("roll 31", "resign g", "choose 5", "hint heuristic", "13/7 8/7", "8/5 6/5", "bar/21*", "6/off(2)", "24/18/13"),
    *("move 13/7", "step 13/7", "24 18", "can't move", "#", "no play", "roll \u00b2", "roll \u0663\u0661"),
    *("choose \u00b3", "\u0666/\u0664", "9" * 20 + "/1", "1/0", "-1/-2", "13/7" * 40, "r" * 300, "resign 4"),
)  # fmt: skip


def nested(chance: random.Random) -> str:
    """Brackets within brackets, closed or not."""
    depth = chance.choice((3, 99, 101, 500, 990, 5_000, 30_000))
    opening = chance.choice(("[", '{"a":'))
    return opening * depth + chance.choice(("", "1" + ("]" if opening == "[" else "}") * depth))


def hostile_value(chance: random.Random) -> str:
    """Something that may stand where JSON wants a value."""
    return nested(chance) if chance.random() < 0.1 else chance.choice(NUMBERS + TEXTS)


def hostile_request(chance: random.Random) -> bytes:
    """A request with values exchanged, then bytes damaged."""
    request = dict(chance.choice(REQUESTS))
    parts = {name: json.dumps(value) for name, value in request.items()}
    for _ in range(chance.randint(0, 2)):
        parts[chance.choice((*parts, "id", "dice", "match", "cube", "rules", "level", "colour"))] = hostile_value(
            chance
        )
    if chance.random() < 0.2:
        inner = ("value", "owner", "length", "mover", "opponent", "crawford", "jacoby", "beavers")
        where = chance.choice(("cube", "match", "rules"))
        parts[where] = "{" + f'"{chance.choice(inner)}":{hostile_value(chance)}' + "}"
    line = ("{" + ",".join(f'"{name}":{value}' for name, value in parts.items()) + "}").encode()
    return damaged(line, chance)


def damaged(line: bytes, chance: random.Random) -> bytes:
    """A line as it is, or with up to three damages: bytes changed, cut, doubled, put in."""
    content = bytearray(line)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        at = chance.randrange(len(content) + 1)
        match chance.randrange(6):
            case 0:
                del content[at : at + chance.randint(1, 8)]
            case 1:
                content[at:at] = chance.choice(BYTES)
            case 2:
                content[at:at] = chance.choice(NUMBERS + TEXTS).encode("utf-8", "surrogatepass")
            case 3 if content:
                content[at % len(content)] = chance.randrange(256)
            case 4:
                content[at:at] = content[max(0, at - 20) : at]
            case _:
                del content[at:]
    return bytes(content)


def rubbish(chance: random.Random) -> bytes:
    """No line of any protocol: bytes, one very long line, nothing."""
    match chance.randrange(5):
        case 0:
            return chance.randbytes(chance.randint(0, 300))
        case 1:
            return b"x" + chance.choice((b"[", b" ", b'"', b"9", b"\x00")) * chance.choice(
                (900, 65_535, 65_536, 200_000)
            )
        case 2:
            return nested(chance).encode()
        case 3:
            return b" \t" * chance.randint(0, 3)
        case _:
            return hostile_value(chance).encode("utf-8", "surrogatepass")


def hostile_roll(chance: random.Random) -> bytes:
    """A line for `legal --stdin`."""
    name = chance.choice((PROBE, b"sGfwATDgc/ABMA", b"AAAAAAAAAAAAAA", b"//////////////", b"4HPwATDgc/ABM", b"XGID=-b"))
    dice = chance.choice(
        (b"31", b"3 1", b"6 6", b"0 7", b"\xd9\xa3 1", b"\xc2\xb2\xc2\xb2", b"-1 2", b"3", b"3 1 2", b"")
    )
    return damaged(name + b" " + dice, chance)


def hostile_word(chance: random.Random) -> bytes:
    """A line for `play`."""
    line = chance.choice(WORDS).encode()
    return line if chance.random() < 0.6 else damaged(line, chance)


def batch(make: Callable[[random.Random], bytes], chance: random.Random, count: int) -> bytes:
    """Lines, each with its end."""
    lines = [rubbish(chance) if chance.random() < 0.1 else make(chance) for _ in range(count)]
    return b"".join(line + b"\n" for line in lines)


# -- what must come back ------------------------------------------------------------------------------------------
def requests_in(data: bytes) -> int:
    """The lines of a batch that `engine` answers: all but blank ones."""
    return sum(bool(line.strip()) for line in data.split(b"\n"))


def lines_in(data: bytes) -> int:
    """The lines of a batch that `legal --stdin` answers: all."""
    return data.count(b"\n")


def words_in(data: bytes) -> int:
    """The lines of a batch that `play --script - --json` answers: all but blank ones and remarks."""
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace", newline="\n")
    texts = (line[:1000].strip() for line in lines)
    return sum(bool(text) and not text.startswith("#") for text in texts)


def fault_of_engine(answer: bytes) -> str | None:
    """Why an answer of `engine` is not what was promised; None for one that is."""
    reply = strict_json(answer)
    if not isinstance(reply, dict) or next(iter(reply), "") != "id":
        return "the answer is no JSON with an id"
    if "error" in reply:
        return "an internal error" if "internal" in str(reply["error"]) or len(reply) != 2 else None
    return None if reply.keys() <= {"id", "plays", "probabilities", "equity", "cube"} else "fields that nobody knows"


def fault_of_legal(answer: bytes) -> str | None:
    """Why an answer of `legal --stdin` is not what was promised."""
    text = answer.decode()
    right = text == "-" or text.startswith("error: ") or all(len(word) == 14 for word in text.split(" "))
    return None if right else "neither IDs nor an error"


def fault_of_script(answer: bytes) -> str | None:
    """Why an answer of `play --script - --json` is not what was promised."""
    reply = strict_json(answer)
    return (
        None if isinstance(reply, dict) and "phase" in reply and ("events" in reply or "error" in reply) else "no state"
    )


def strict_json(text: bytes) -> Any:
    """A value of JSON, None for anything that JSON does not have."""

    def no_constant(name: str) -> Any:
        raise ValueError(name)

    try:
        return json.loads(text.decode(), parse_constant=no_constant)
    except ValueError:
        return None


class Broken(Exception):
    """A process that ended, hung, or answered something else."""


class Left(Exception):
    """A process that ended because a line happened to say so: damage can make a `q`."""


@dataclass
class Target:
    """A command that reads lines: how it is started, what it is sent, and what must come back."""

    name: str
    arguments: tuple[str, ...]
    make: Callable[[random.Random], bytes]
    answers_to: Callable[[bytes], int]
    fault: Callable[[bytes], str | None]
    probe: bytes
    """A line whose answer is known; every batch ends with it."""
    wanted: bytes
    """Something that stands in the answer to the probe."""


TARGETS = {
    target.name: target
    for target in (
        Target(
            "engine", ("engine",), hostile_request, requests_in, fault_of_engine,
            b'{"id":"probe","position":"4HPwATDgc/ABMA","dice":[3,1],"level":"0-ply"}\n', b'"play":"8/5 6/5"',
        ),
        Target(
            "legal", ("legal", "--stdin"), hostile_roll, lines_in, fault_of_legal, PROBE + b" 3 1\n", b"sGfwATDgc/ABMA"
        ),
        Target(
            "play", (*SCRIPT, "--seed", "1"), hostile_word, words_in, fault_of_script, b"pip\n", b'"event"',
        ),
        Target(
            "dice",
            (*SCRIPT, "--dice", "manual", "--variant", "acey_deucey"),
            hostile_word, words_in, fault_of_script, b"pip\n", b'"event"',
        ),
    )
}  # fmt: skip


@dataclass
class Sent:
    """What has been sent so far, and what came back."""

    lines: int = 0
    bytes: int = 0
    errors: int = 0
    answers: int = 0
    starts: int = 0
    peak: int = 0
    """The most memory that a process took, KiB."""


@dataclass
class Process:
    """A running command."""

    target: Target
    sent: Sent = field(default_factory=Sent)

    def __post_init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [*FULLPRIME, *self.target.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self.sent.starts += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._rest = b""

    def answers(self, data: bytes, chance: random.Random) -> list[bytes]:
        """Send a batch, cut anywhere, and take every answer to it. Raises Broken and Left."""
        data += self.target.probe
        wanted = self.target.answers_to(data)
        answers: list[bytes] = []
        for answer in self._talk(data, chance, wanted):
            if fault := self.target.fault(answer):
                raise Broken(f"{fault}: {answer[:300]!r}")
            answers.append(answer)
            if b'"event": {"kind": "quit"' in answer:
                raise Left
        if self.target.wanted not in answers[-1]:
            raise Broken(f"the probe is answered by {answers[-1][:300]!r}")
        self.sent.lines += wanted
        self.sent.bytes += len(data)
        self.sent.answers += len(answers)
        self.sent.errors += sum(b'"error"' in answer[:2000] or answer.startswith(b"error") for answer in answers)
        self.sent.peak = max(self.sent.peak, self._memory())
        return answers

    def _talk(self, data: bytes, chance: random.Random, wanted: int) -> Iterator[bytes]:
        count, at, heard, busy = 0, 0, time.monotonic(), self._busy()
        with selectors.DefaultSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            ready.register(self._in, selectors.EVENT_WRITE)
            while count < wanted:
                for key, _ in ready.select(1):
                    if key.fd == self._in:
                        piece = data[at : at + chance.choice((1, 7, 100, 4096, 1 << 16))]
                        try:
                            at += os.write(self._in, piece)
                        except BrokenPipeError:
                            raise self._ended() from None
                        if at == len(data):
                            ready.unregister(self._in)
                        continue
                    came = os.read(self._out, 1 << 16)
                    heard, busy = time.monotonic(), self._busy()
                    if not came:
                        raise self._ended()
                    *lines, self._rest = (self._rest + came).split(b"\n")
                    count += len(lines)
                    yield from lines
                if self._busy() - busy > PATIENCE or time.monotonic() - heard > LONG_PATIENCE:
                    raise Broken(f"silent for {time.monotonic() - heard:.0f} s after {count} of {wanted} answers")
        if count > wanted:
            raise Broken(f"{count} answers to {wanted} lines")

    def _busy(self) -> float:
        """Processor time of the process so far, seconds; 0 where the system does not tell."""
        try:
            words = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def _memory(self) -> int:
        try:
            with Path(f"/proc/{self._process.pid}/status").open(encoding="ascii") as lines:
                return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0)
        except OSError:
            return 0

    def _ended(self) -> Broken:
        self._process.wait(60)
        self._errors.seek(0)
        errors = self._errors.read()[-600:].decode("utf-8", "replace")
        return Broken(f"the process ended with {self._process.returncode}: {errors}")

    def close(self) -> int:
        """End the input in the middle of a line, and give the exit code. Raises Broken for a traceback."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            os.set_blocking(self._in, True)
            with suppress(BrokenPipeError):
                os.write(self._in, b'{"id":')
            self._process.stdin.close()
            self._process.stdout.read()
            code = self._process.wait(60)
            self._errors.seek(0)
            if b"Traceback" in self._errors.read():
                raise self._ended()
        finally:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._errors.close()
        return code
