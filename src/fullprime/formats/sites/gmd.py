"""Gibbon's match data (``.gmd``). White is our X, Black our O."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.sites.common import finish_document, length_of
from fullprime.rules.score import Player, Settings

_LINE = re.compile(r"\s*([A-Za-z]+)\s*:(.*)$")
_SIDED = re.compile(r"\s*([WB-])\s*:([^:]*)(?::(.*))?$")
_DICE = re.compile(r"\s*([1-6])\s+([1-6])\s*$")
_SIDES = {"W": Player.X, "B": Player.O}


def recognises(head: bytes) -> bool:
    """True if the text begins with ``GMD-``."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"GMD-")


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match; raises FormatError when it holds no game."""
    lines = texts.lines(data)
    reader = _Reader(lines)
    for number, line in enumerate(lines[1:], 2):
        words = line.partition("#")[0].strip()
        if words:
            reader.line(number, words)
    names = reader.names.get("W", ""), reader.names.get("B", "")
    return (finish_document(reader.recorder, names, reader.info, name),)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.names: dict[str, str] = {}
        self.info: dict[str, str] = {}
        self.rules: set[str] = set()
        self.recorder: Recorder | None = None
        self.length = 0
        self.resigning: tuple[Player, int] | None = None
        self.opening: tuple[int, int, int] | None = None
        """The opening roll, whose winner only the next line tells, and its line."""

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        match = _LINE.match(line)
        if match is None:
            self.problems.append(Problem(f"not understood: {line!r:.70}", number))
            return
        key, rest = match[1], match[2]
        if key == "Length":
            self.length = length_of(rest, self.problems, number)
        elif key == "Rule":
            self.rules.add(rest.strip().lower())
        elif key == "Player":
            side, _, name = rest.partition(":")
            self.names[side.strip()] = name.strip()
        elif key == "Game":
            self._begin(number)
        elif key in ("Roll", "Move", "Double", "Take", "Drop", "Resign", "Reject", "Accept", "Beaver"):
            self._step(number, key, rest)
        else:
            self.info[key] = (self.info[key] + "; " if key in self.info else "") + rest.strip()

    def _begin(self, number: int) -> None:
        if self.recorder is None:
            crawford = "crawford" in self.rules or self.length < 2
            money = self.length == 0
            beavers = money and any(line.startswith("Beaver") for line in self.lines)
            settings = Settings(
                length=self.length, crawford=crawford, jacoby=money and "jacoby" in self.rules, beavers=beavers
            )
            self.recorder = Recorder(settings, self.problems)
        self._settle()
        self.recorder.begin(line=number)

    def _settle(self) -> None:
        """Record an opening roll that was not played."""
        if self.opening is not None and self.recorder is not None and self.recorder.in_game:
            first, second, line = self.opening
            self.recorder.roll(Player.X if first > second else Player.O, first, second, line)
        self.opening = None

    def _step(self, number: int, key: str, rest: str) -> None:
        recorder = self.recorder
        sided = _SIDED.match(rest)
        if recorder is None or not recorder.in_game or sided is None:
            self.problems.append(Problem(f"not understood: {key}:{rest!r:.50}", number))
            return
        side, data = _SIDES.get(sided[1]), (sided[3] or "").strip()
        if key == "Roll":
            self._roll(number, side, data, recorder)
            return
        if self.opening is not None and side is not None:
            first, second, line = self.opening
            self.opening = None
            recorder.roll(side, first, second, line)
        if key in ("Move", "Double", "Beaver"):
            self.resigning = None  # An offer without an answer lapses.
        if side is None:
            self.problems.append(Problem(f"who did it is not said: {key}", number))
        elif key == "Move":
            if data:
                recorder.play_upwards(side, data, number)
            else:
                recorder.dance(side, number)
        elif key == "Double":
            recorder.double(side, None, number)
        elif key == "Beaver":
            recorder.beaver(side, number)
        elif key == "Resign":
            self.resigning = side, int(data) if re.fullmatch(r"\d{1,6}", data) else 1
        else:
            self._answer(number, key, side, recorder)

    def _answer(self, number: int, key: str, side: Player, recorder: Recorder) -> None:
        resigning, self.resigning = self.resigning, None
        if resigning is not None and side is not resigning[0]:
            player, points = resigning
            level = max(1, points // recorder.stake)
            recorder.resign(player, level, accepted=key in ("Accept", "Take", "Drop"))
        elif key in ("Take", "Accept"):
            recorder.take(side, number)
        else:
            recorder.drop(side, number)

    def _roll(self, number: int, side: Player | None, data: str, recorder: Recorder) -> None:
        dice = _DICE.match(data)
        if dice is None:
            self.problems.append(Problem(f"{data!r:.30} is no roll", number))
            return
        first, second = int(dice[1]), int(dice[2])
        self._settle()
        if side is not None:
            recorder.roll(side, first, second, number)
        elif first == second:
            recorder.tie(first)
        else:
            self.opening = first, second, number
