"""BGRoom's text (``.bgf``, not BGBlitz's): ``k.X:(4 2)8/4 6/4``. Its X is our X, its 0 our O."""

from __future__ import annotations

import re

from fullprime.formats.document import Document, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.sites.common import allow_raises, finish_document
from fullprime.rules.game import Phase
from fullprime.rules.score import Player, Settings

_GAME = re.compile(r"\s*+Game\s++\d++\s*+-\s*+((?:(?!\(X\)).)*+)\(X\)\s*+vs\.?\s*+((?:(?!\([0O]\)).)*+)\(")
_ROW = re.compile(r"\s*\d{1,9}\.([X0O]):\s*(?:\(([1-6])[ ,]+([1-6])\))?\s*(.*)$")
_LENGTH = re.compile(r"(\d{1,4})[ -]?points?\b", re.IGNORECASE)
_WIN = re.compile(r"\s*+(.*?)\swins?\s++(?:the\s++(match|game)|(\d{1,9})\s++points?)", re.IGNORECASE)


def recognises(head: bytes) -> bool:
    """True if the first words are ``BGF version``."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"BGF version")


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match of the text; raises FormatError when it holds no game."""
    reader = _Reader("\n".join(texts.lines(data)))
    for number, line in enumerate(texts.lines(data), 1):
        reader.line(number, line)
    reader.end()
    return (finish_document(reader.recorder, reader.names, {}, name),)


class _Reader:
    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        self.names = ("", "")
        self.recorder: Recorder | None = None
        self.text = text
        self.rows = 0

    def line(self, number: int, line: str) -> None:
        """Read one line; a blank one ends a game."""
        words = line.strip()
        if not words:
            if self.rows:
                self.end()
        elif words.startswith("BGF version"):
            return
        elif game := _GAME.match(line):
            self.end()
            names = game[1].rstrip(), game[2].rstrip()
            if self.recorder is None:
                self.names = names
                self.recorder = Recorder(self._settings(), self.problems)
            self.recorder.begin(self.recorder.points, line=number)
        elif win := _WIN.match(line):
            self._record_win(number, win)
        elif self.recorder is None or not self.recorder.in_game:
            self.problems.append(Problem(f"not understood: {words!r:.70}", number))
        elif row := _ROW.match(line):
            self.rows += 1
            self._row(number, row, self.recorder)
        elif not words.lower().startswith(("single", "match")):
            self.recorder.comment(words)

    def _settings(self) -> Settings:
        length = _LENGTH.search(self.text.partition("1.X:")[0].partition("1.0:")[0])
        return allow_raises(Settings(length=int(length[1]) if length else 0), self.text)

    def end(self) -> None:
        """A blank line: an unanswered double was dropped."""
        recorder = self.recorder
        self.rows = 0
        if recorder is None or not recorder.in_game:
            return
        if recorder.phase in (Phase.DOUBLE_OFFERED, Phase.BEAVER_OFFERED):
            recorder.drop(recorder.answerer)
        recorder.close()

    def _record_win(self, number: int, win: re.Match[str]) -> None:
        recorder = self.recorder
        name = win[1].rstrip()
        if recorder is None or name not in self.names:
            self.problems.append(Problem(f"not understood: {win[0].strip()!r:.70}", number))
        elif recorder.in_game:
            winner = Player(self.names.index(name))
            if recorder.phase is Phase.DOUBLE_OFFERED and winner is recorder.on_roll:
                recorder.drop(recorder.answerer, number)
            recorder.finish(winner, int(win[3]) if win[3] else None, number)

    def _row(self, number: int, row: re.Match[str], recorder: Recorder) -> None:
        player = Player.X if row[1] == "X" else Player.O
        words = row[4].strip()
        low = words.lower()
        if row[2]:
            if not recorder.roll(player, int(row[2]), int(row[3]), number) or not words:
                return
            if low.startswith(("can't", "cannot", "no ")):
                recorder.dance(player, number)
            else:
                recorder.play_upwards(player, words, number)
        elif low.startswith(("double", "redouble")):
            recorder.double(player, None, number)
        elif low.startswith(("accept", "take")):
            recorder.take(player, number)
        elif low.startswith(("drop", "pass", "reject")):
            recorder.drop(player, number)
        elif low.startswith(("beaver", "raccoon")):
            recorder.beaver(player, number)
        elif not low.startswith("resign"):
            recorder.report(f"not understood: {words!r:.60}", number)
