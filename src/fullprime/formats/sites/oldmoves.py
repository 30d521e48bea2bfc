"""The ``oldmoves`` listing of FIBS. O's points may count upwards; colours and score may change sides between games."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.sites.common import finish_document, length_of
from fullprime.rules.game import Phase
from fullprime.rules.score import Player, Settings

_SCORE = re.compile(
    r"\s*Score is (-?\d{1,9})\s*-\s*(-?\d{1,9})(?: in (?:a|an) (?:(\d{1,9}) point|unlimited) match)?", re.IGNORECASE
)
_NAMES = re.compile(r"\s*+(.*?) is X\s*+-\s*+(.*?) is O\b")
_MOVE = re.compile(r"\s*([XO]):\s*\(([1-6])[ ,]+([1-6])\)\s*(.*)$")
_WORDS = re.compile(r"\s*([XO]):\s*(.*)$")
_WINS = re.compile(r"wins (?:a )?(\d{1,9}) points?", re.IGNORECASE)


def recognises(head: bytes) -> bool:
    """True if the text is such a listing."""
    text = texts.decode(head)
    return re.search(r"^.* is X\s*+-.* is O\b", text, re.MULTILINE) is not None and _MOVE_ANY.search(text) is not None


_MOVE_ANY = re.compile(r"^[^\S\n]*+[XO]:\s*(?:\([1-6]|[a-z])", re.MULTILINE)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Every match of the listing; raises FormatError when there is none."""
    reader = _Reader(name)
    for number, line in enumerate(texts.lines(data), 1):
        if line.strip():
            reader.line(number, line)
    reader.end()
    if not reader.documents:
        raise FormatError(f"{name or 'the text'} holds no game of FIBS")
    return tuple(reader.documents)


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.documents: list[Document] = []
        self.problems: list[Problem] = []
        self.recorder: Recorder | None = None
        self.names = ("", "")
        self.length = 0
        self.score: tuple[int, int] | None = None
        self.new_length: int | None = None
        self.sides = {"X": Player.X, "O": Player.O}

    def end(self) -> None:
        """Put the match in hand away."""
        if self.recorder is not None:
            self.documents.append(finish_document(self.recorder, self.names, {}, self.name))
        self.recorder, self.problems = None, []

    def line(self, number: int, line: str) -> None:
        """Read one line."""
        if score := _SCORE.match(line):
            self.score = int(score[1]), int(score[2])
            self.new_length = length_of(score[3], self.problems, number) if score[3] else 0
        elif names := _NAMES.match(line):
            self._begin(number, (names[1].strip(), names[2].strip()))
        elif self.recorder is None or not self.recorder.in_game:
            self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
        elif move := _MOVE.match(line):
            self._move(number, move, self.recorder)
        elif words := _WORDS.match(line):
            self._word(number, self.sides[words[1]], words[2].strip(), self.recorder)
        else:
            self.recorder.comment(line.strip())

    def _begin(self, number: int, names: tuple[str, str]) -> None:
        length = self.new_length if self.new_length is not None else 0
        recorder = self.recorder
        if recorder is not None and recorder.in_game and (recorder.result or recorder.stated):
            recorder.close()
        over = recorder is not None and not recorder.in_game and not recorder.goes_on
        if recorder is None or over or sorted(names) != sorted(self.names) or length != self.length:
            self.end()
            self.names, self.length = names, length
            recorder = self.recorder = Recorder(Settings(length=length), self.problems)
        swapped = names != self.names
        self.sides = {"X": Player.O, "O": Player.X} if swapped else {"X": Player.X, "O": Player.O}
        points = self.score
        if points is not None:
            points = (max(0, points[0]), max(0, points[1]))
            if swapped:
                points = points[1], points[0]
            if not recorder.in_game and (points[1], points[0]) == recorder.points:
                points = recorder.points  # FIBS leaves the score behind when the colours change sides.
        recorder.begin(points, line=number)
        self.score = None

    def _move(self, number: int, move: re.Match[str], recorder: Recorder) -> None:
        player, rest = self.sides[move[1]], move[4].strip().rstrip(".").strip()
        if not recorder.roll(player, int(move[2]), int(move[3]), number) or not rest:
            return
        if rest.lower().startswith(("can't", "cannot", "can not", "no ")):
            recorder.dance(player, number)
        else:
            recorder.play_upwards(player, rest, number)

    def _word(self, number: int, player: Player, words: str, recorder: Recorder) -> None:
        low = words.lower()
        if low.startswith(("doubles", "redoubles")):
            recorder.double(player, None, number)
        elif low.startswith("accepts"):
            if recorder.phase is Phase.DOUBLE_OFFERED:
                recorder.take(player, number)
        elif low.startswith("rejects"):
            if recorder.phase is Phase.DOUBLE_OFFERED:
                recorder.drop(player, number)
            else:
                recorder.comment(f"{player.name} {words}")
        elif wins := _WINS.search(low):
            recorder.finish(player, int(wins[1]), number)
        elif "resign" not in low:
            recorder.report(f"not understood: {words!r:.60}", number)
