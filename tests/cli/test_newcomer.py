"""Somebody who never played, at a terminal: from ``fullprime learn`` through the first lesson to a finished game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.pseudo_terminal import Terminal, terminal

ANSWERS = (
    "",
    "8/5 6/5",
    "6/7",
    "24/19",
    "13/5*",
    "bar/21 24/18",
    "13/9",
    "13/9(2) 24/20(2)",
    "6/off",
    "6/off 3/off",
    "1",
    "double",
    "",
)
"""What the steps of the first lesson ask for, as their texts say it."""
MOST = 300
"""Lines typed in a game to one point, far more than there are."""


def learns(at: Terminal) -> None:
    """The first lesson, step by step."""
    for number, answer in enumerate(ANSWERS, 1):
        at.prompt()
        assert f"{number} of {len(ANSWERS)}" in at.said
        at.type(answer)


class Newcomer:
    """Plays what ``hint`` names first. Once it plays what it names last, is warned, insists, and takes it back."""

    def __init__(self, at: Terminal) -> None:
        self.at = at
        self.warned = self.took_back = False

    def game(self) -> None:
        """To the end."""
        for _ in range(MOST):
            prompt = self.at.prompt()
            if not prompt:
                return
            if "to play" in prompt:
                self.turn()
            elif "accept" in prompt:
                self.at.type("accept")
            else:
                raise AssertionError(prompt)
        raise AssertionError("the game does not end")

    def turn(self) -> None:
        plays = self.advised()
        if not self.warned:
            self.errs(plays)
        else:
            self.at.type(plays[0])

    def advised(self) -> list[str]:
        self.at.type("hint")
        self.at.prompt()
        return re.findall(r"^ *\d+\. (\S.*?): ", self.at.said, re.MULTILINE)

    def errs(self, plays: list[str]) -> None:
        """A play that costs a lot, if there is one among all: the tutor says so, and it can be taken back."""
        self.at.type("plays")
        self.at.prompt()
        legal = re.split(r" {2,}", self.at.said.partition(": ")[2].partition("\n")[0])
        self.at.type(legal[-1].strip())
        self.at.prompt()
        if "The tutor:" not in self.at.said:
            return
        self.warned = True
        assert "Type it again if you mean it" in " ".join(self.at.said.split())
        self.at.type(legal[-1].strip())
        self.at.prompt()
        self.at.type("undo")
        self.at.prompt()
        self.took_back = "You take the game back to the roll" in self.at.said
        self.at.type(plays[0])


@pytest.mark.posix
@pytest.mark.broad
def test_somebody_who_never_played_finishes_a_first_game_at_a_terminal(tmp_path: Path) -> None:
    with terminal(tmp_path, "learn") as at:
        assert at.prompt() == ""
        assert "Your first game in five minutes" in at.whole
        assert "fullprime learn NUMBER begins a lesson" in at.whole
    with terminal(tmp_path, "learn", "1") as at:
        learns(at)
        assert "Enter begins it" in at.prompt()
        at.type("")
        newcomer = Newcomer(at)
        newcomer.game()
        assert newcomer.warned
        assert newcomer.took_back
        assert re.search(r"(You win|beginner wins) the match \d\u20130", at.whole)
        assert "Next: fullprime learn" in at.whole, "the way on is named"
        assert at.process.wait(60) == 0
        assert max(map(len, at.whole.splitlines())) <= 80
