"""JavaFIBS's own record of a match (``.match``): ``code:who:data``. ``You`` is our X."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import YOU
from fullprime.formats.sites.common import finish_document, length_of
from fullprime.rules.score import Player, Settings

_FIRST = b"JavaFIBS internal match representation"
_LINE = re.compile(r"\s*(\d{1,2}):([^:]*):(.*)$")
_DICE = re.compile(r"\s*([1-6])[ ,]+([1-6])\s*$")
_SCORE = re.compile(r"(.*)-(\d{1,9})$")


def recognises(head: bytes) -> bool:
    """True if the file names itself so."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(_FIRST)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match; raises FormatError when it holds no game."""
    reader = _Reader()
    for number, line in enumerate(texts.lines(data)[1:], 2):
        if line.strip():
            reader.line(number, line)
    return (finish_document(reader.recorder, (reader.called, reader.opponent), {}, name),)


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.opponent = ""
        self.called = ""
        """The name of ``You``, which only the score lines have."""
        self.recorder: Recorder | None = None
        self.resigning: tuple[Player, int] | None = None

    def line(self, number: int, line: str) -> None:
        """Read one record."""
        match = _LINE.match(line)
        if match is None:
            self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
            return
        code, who, data = int(match[1]), match[2].strip(), match[3].strip()
        recorder = self.recorder
        if code == 8:
            if recorder is None:
                self.recorder = Recorder(Settings(length=length_of(data, self.problems, number)), self.problems)
            self.opponent = self.opponent or who
        elif code == 13:
            if recorder is None:
                recorder = self.recorder = Recorder(Settings(), self.problems)
            recorder.begin(line=number)
        elif code == 14:
            self._score(number, match[2], match[3])
        elif code in (6, 9, 10, 16, 17, 18, 19):
            return
        elif recorder is None or not recorder.in_game:
            self.problems.append(Problem(f"nothing is being played: {line.strip()!r:.50}", number))
        else:
            self._step(number, code, Player.X if who == YOU else Player.O, data, recorder)

    def _score(self, number: int, first: str, second: str) -> None:
        """``name-a:name-b``; it also tells the name of ``You``."""
        for part in (first, second):
            score = _SCORE.match(part.strip())
            if score is None:
                self.problems.append(Problem(f"{part!r:.40} is no score", number))
                continue
            player = Player.O if score[1] == self.opponent else Player.X
            if player is Player.X:
                self.called = score[1]
            recorder = self.recorder
            if recorder is not None and not recorder.in_game and recorder.points[player] != int(score[2]):
                words = f"the score gives {score[1]!r:.30} {score[2]} points; {recorder.points[player]} follow"
                self.problems.append(Problem(words, number))

    def _step(self, number: int, code: int, player: Player, data: str, recorder: Recorder) -> None:
        if code in (0, 11):
            dice = _DICE.match(data)
            if dice:
                recorder.roll(player, int(dice[1]), int(dice[2]), number)
            else:
                recorder.report(f"{data!r:.30} is no roll", number)
        elif code == 1:
            recorder.play_upwards(player, data, number)
        elif code == 15:
            recorder.dance(player, number)
        elif code == 2:
            recorder.double(player, None, number)
        elif code == 3:
            value = int(data) if re.fullmatch(r"\d{1,4}", data) else 0
            self.resigning = player, value
        elif code == 4:
            recorder.take(player, number)
        elif code == 5:
            recorder.drop(player, number)
        elif code == 12:
            if self.resigning is not None:
                level = max(1, self.resigning[1] // recorder.stake)
                recorder.resign(self.resigning[0], level, accepted=False)
        elif code == 7:
            points = int(data) if re.fullmatch(r"\d{1,9}", data) else None
            recorder.finish(player, points, number)
        else:
            recorder.report(f"a record of kind {code} is passed over", number)
