"""The commands that play and measure by themselves, and their errors."""

from __future__ import annotations

import pytest
from tests.cli.commandline import CommandLine


@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_selfplay_counts_what_happened(fullprime: CommandLine) -> None:
    options = ("selfplay", "-v", "hypergammon", "-g", "12", "--bot", "heuristic", "--against", "random", "--seed", "9")
    first, again = (fullprime.run(*options, "--json").json for _ in range(2))
    timed = ("seconds", "games_per_second")
    assert {key: first[key] for key in first if key not in timed} == {
        key: again[key] for key in again if key not in timed
    }
    assert sum(first["wins"]) == first["games"] == 12
    assert first["gammon_rate"] == round(sum(first["gammons"]) / 12, 6)
    assert "12 games" in fullprime.run(*options).out


@pytest.mark.broad
def test_perft_and_bench(fullprime: CommandLine) -> None:
    counts = fullprime.run("perft", "--plies", "1", "--by-roll", "--json").json
    assert counts["plays"] == [447]
    assert counts["by_roll"]["31"] == 16
    bench = fullprime.run("bench", "--rolls", "500", "--json").json
    assert bench["kernel_plays_per_second"] > 0
    assert "plays/s" in fullprime.run("bench", "--rolls", "200").out


@pytest.mark.parametrize("line", ["selfplay --games 0", "selfplay --bot nobody", "perft --plies 0", "perft chess"])
def test_what_cannot_be_done_is_said_in_one_line(fullprime: CommandLine, line: str) -> None:
    done = fullprime.run(*line.split())
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert len(done.err) > len("error: ") + 10
