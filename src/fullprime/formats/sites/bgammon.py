"""Replays of bgammon.org: one event a line. Player 1 is our X; each player's moves are in its own numbering."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.sites.common import finish_document, length_of
from fullprime.rules.score import Player, Settings

_HEAD = re.compile(
    r"i\s+(\d{1,12})\s+(\S+)\s+(\S+)\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,9})\s+(\d)(?:\s+(\d{1,9}))?(?:\s+(\d))?\s*$"
)
_ROLL = re.compile(r"([12])\s+r\s+([1-6])-([1-6])(?:-[1-6])?\s*(.*)$")
_DOUBLE = re.compile(r"([12])\s+d\s+(\d{1,9})\s+([01])\s*$")
_RESIGN = re.compile(r"([12])\s+t\b")


def recognises(head: bytes) -> bool:
    """True for an ``i`` line with events after it."""
    first = texts.decode(head).lstrip().partition("\n")[0].strip()
    return _HEAD.match(first) is not None


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The games of the replay as one match; raises FormatError when it holds none we can follow."""
    problems: list[Problem] = []
    recorder: Recorder | None = None
    names = ("", "")
    info: dict[str, str] = {}
    outcome: tuple[Player | None, int] = (None, 1)
    for number, line in enumerate(texts.lines(data), 1):
        words = line.strip()
        if not words:
            continue
        if head := _HEAD.match(words):
            if recorder is not None:
                _end(recorder, outcome)
            if head[9] not in (None, "0"):
                raise FormatError(f"{name or 'the text'} is a game of another variant ({head[9]})")
            if recorder is None:
                names = head[2], head[3]
                recorder = Recorder(Settings(length=length_of(head[4], problems, number)), problems)
                if int(head[1]) < 1 << 33:
                    info["EventDate"] = datetime.fromtimestamp(int(head[1]), UTC).strftime("%Y.%m.%d")
            outcome = {"1": Player.X, "2": Player.O}.get(head[7]), int(head[8] or 1)
            recorder.begin((int(head[5]), int(head[6])) if not recorder.games else None, line=number)
        elif recorder is None or not recorder.in_game:
            problems.append(Problem(f"nothing is being played: {words!r:.50}", number))
        else:
            _event(number, words, recorder)
    if recorder is not None:
        _end(recorder, outcome)
    return (finish_document(recorder, names, info, name),)


def _event(number: int, words: str, recorder: Recorder) -> None:
    player = Player.X if words[0] == "1" else Player.O
    if roll := _ROLL.match(words):
        if recorder.roll(player, int(roll[2]), int(roll[3]), number) and roll[4].strip():
            recorder.play(player, roll[4], number)
    elif double := _DOUBLE.match(words):
        if recorder.double(player, int(double[2]), number):
            (recorder.take if double[3] == "1" else recorder.drop)(player.other, number)
    elif _RESIGN.match(words):
        recorder.comment(f"{player.name} resigns or runs out of time")
    else:
        recorder.report(f"not understood: {words!r:.60}", number)


def _end(recorder: Recorder, outcome: tuple[Player | None, int]) -> None:
    """The head names the winner; the points are those of the moves, or of a single game when nothing tells."""
    winner = outcome[0]
    if not recorder.in_game:
        return
    if winner is not None and recorder.result is None and recorder.stated is None:
        recorder.finish(winner, recorder.stake)
    elif winner is not None:
        recorder.finish(winner, None)
    recorder.close()
