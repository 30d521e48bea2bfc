"""Running the command in this process, as a shell would."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from fullprime.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command left: exit code, output, errors."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


class CommandLine:
    """``run("legal", "…", "31")``; games are stored in a database of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def run(self, *arguments: str, typed: str = "") -> Done:
        self._monkeypatch.setattr(sys, "argv", ["fullprime", *arguments])
        self._capsys.readouterr()
        with tempfile.TemporaryFile("w+", encoding="utf-8") as stdin:
            stdin.write(typed)
            stdin.seek(0)
            self._monkeypatch.setattr(sys, "stdin", stdin)
            with pytest.raises(SystemExit) as left:
                main()
        output = self._capsys.readouterr()
        code = left.value.code
        return Done(code if isinstance(code, int) else 0, output.out, output.err)

    def script(self, *options: str, lines: Iterable[str]) -> list[dict[str, Any]]:
        """The states after the lines of a two-player script with typed dice, as JSON."""
        done = self.run(
            *("play", "--script", "-", "--json", "--two-players", "--dice", "manual", *options), typed="\n".join(lines)
        )
        assert done.code == 0, done.err
        return done.lines
