"""TrueMoneyGames (``.tmg``): numbered records; player 1 is our O."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import NO_LIMIT
from fullprime.formats.sites.common import finish_document, length_of
from fullprime.rules.game import Phase
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, NACKGAMMON

_FACT = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\s*:\s*(.*?)\s*$")
_GAME = re.compile(r"\s*Game\s+\d+\s*:\s*(\d{1,9})\s*-\s*(\d{1,9})")
_RECORD = re.compile(r"\s*(-?)\d{1,9}\s+(\d{1,3})(?:\s+(.*?))?\s*$")
_ROLL = re.compile(r"([1-6])([1-6])\s*:?")
_NUMBER = re.compile(r"\d{1,9}")
_ROLLS, _AUTO, _MOVES, _DOUBLES, _TAKES, _BEAVERS, _PASSES = 1, 2, 4, 5, 7, 8, 10
_WINS = {14: 1, 15: 2, 16: 3}
_SETTLED = {17: "clock", 22: "clock", 19: "settlement"}


def recognises(head: bytes) -> bool:
    """True if the text is such a log."""
    text = texts.decode(head)
    return re.search(r"^[^\S\n]*+MatchID\s*:", text, re.MULTILINE) is not None and "Player1" in text


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match of the log; raises FormatError when it holds no game."""
    reader = _Reader()
    for number, line in enumerate(texts.lines(data), 1):
        if line.strip():
            reader.line(number, line)
    return (finish_document(reader.recorder, reader.names, reader.head, name),)


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.head: dict[str, str] = {}
        self.recorder: Recorder | None = None

    @property
    def names(self) -> tuple[str, str]:
        """X's name and O's name: the second word of the players' lines."""
        words = [self.head.get(key, "").split() for key in ("Player2", "Player1")]
        first, second = (" ".join(parts[1:-1]) or " ".join(parts[1:2]) for parts in words)
        return first, second

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if game := _GAME.match(line):
            if self.recorder is None:
                self.recorder = Recorder(self._settings(), self.problems)
            self.recorder.begin((int(game[2]), int(game[1])), line=number)
        elif record := _RECORD.match(line):
            if self.recorder is None or not self.recorder.in_game:
                self.problems.append(Problem(f"nothing is being played: {line.strip()!r:.50}", number))
            else:
                player = Player.X if record[1] else Player.O
                self._record(number, player, int(record[2]), record[3] or "", self.recorder)
        elif fact := _FACT.match(line):
            self.head[fact[1]] = fact[2]
        else:
            self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))

    def _settings(self) -> Settings:
        head = self.head
        length = length_of(head.get("Length", "0"), self.problems)
        cube = head.get("Cube", "1") != "0"
        money = length == 0 and cube
        limit = int(head["MaxCube"]) if _NUMBER.fullmatch(head.get("MaxCube", "")) else 0
        power = 2 <= limit < NO_LIMIT and not limit & (limit - 1)
        return Settings(
            variant=NACKGAMMON if head.get("Variant") == "2" else BACKGAMMON,
            length=length,
            cube=cube,
            cube_cap=limit if cube and power else None,
            crawford=length < 2 or head.get("Crawford", "1") != "0",
            jacoby=money and head.get("Jacoby") == "1",
            beavers=money and (head.get("Beavers") == "1" or head.get("Raccoons") == "1"),
            raccoons=money and head.get("Raccoons") == "1",
        )

    def _record(self, number: int, player: Player, kind: int, text: str, recorder: Recorder) -> None:
        if kind == _ROLLS:
            if roll := _ROLL.match(text):
                recorder.roll(player, int(roll[1]), int(roll[2]), number)
            elif text.strip(" :?"):
                self.problems.append(Problem(f"{text!r:.30} is no roll", number))
        elif kind == _AUTO:
            recorder.stake_doubled()
        elif kind == _MOVES:
            if text.replace("0/0", "").strip():
                recorder.play_upwards(player, text, number)
            else:
                recorder.dance(player, number)
        elif kind == _DOUBLES:
            value = _NUMBER.search(text)
            recorder.double(player, int(value[0]) if value else None, number)
        elif kind == _TAKES:
            recorder.take(player, number)
        elif kind == _BEAVERS:
            recorder.beaver(player, number)
        elif kind == _PASSES:
            recorder.drop(player, number)
        elif kind in _WINS or kind in _SETTLED:
            self._end(number, player, kind, text, recorder)
        elif text:
            recorder.comment(text)

    def _end(self, number: int, player: Player, kind: int, text: str, recorder: Recorder) -> None:
        stated = _NUMBER.match(text.strip())
        if kind in _SETTLED:
            recorder.comment(text)
            if stated:
                recorder.finish(player, int(stated[0]), number, how=_SETTLED[kind])
            return
        points = int(stated[0]) if stated else _WINS[kind] * recorder.stake
        if recorder.phase is not Phase.OVER or recorder.in_game:
            recorder.finish(player, points, number)
