"""Signs of life: lines on standard error where there is no terminal, never on standard output."""

from __future__ import annotations

import pytest
from tests.cli.commandline import CommandLine

from fullprime.cli import progress


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("duel", "heuristic", "random", "--games", "4", "--no-luck", "--json"), "games: "),
        (("selfplay", "--games", "3", "--seed", "1", "--json"), "games: "),
        (("rollout", "4HPwATDgc/ABMA", "-t", "72", "--truncate", "2", "--cubeless", "--json"), "trials: "),
    ],
)
def test_a_long_command_gives_a_sign_of_life_for_programs_too(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    done = fullprime.run(*command)
    assert done.code == 0, done.err
    assert done.json
    assert name in done.err


def test_short_work_says_nothing(fullprime: CommandLine) -> None:
    done = fullprime.run("selfplay", "--games", "2", "--seed", "1", "--json")
    assert (done.code, done.err) == (0, "")
