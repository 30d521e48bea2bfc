"""One match of match text, read line by line: its head, scores and rows."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from fullprime.formats.document import Document, Problem
from fullprime.formats.mat.cells import LEFT, CellReader
from fullprime.formats.mat.head import TAG
from fullprime.formats.mat.layout import find_first_rows, find_only_roll
from fullprime.formats.mat.words import CRAWFORD, ELEMENT, GAME, LENGTH, PLAIN_SCORE, ROW, SCORE, UNLIMITED
from fullprime.formats.recording.boards import game_from_letters
from fullprime.formats.recording.recorder import COUNTED, Recorder
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.variants import Variant

_SAID = re.compile(r"\s+[a-z]")
"""What follows ``Game n`` in a sentence about it."""
_BOX = re.compile(r"\s*+(?:\+[-=+]{2,}|\|)")
"""A frame that some programs draw around their remarks, with or without a semicolon before it."""
_DATED = re.compile(r"-((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-")
"""GridGammon names its files by the day."""
_SET_POSITION = re.compile(r"Set\s*Pos\s*=\s*([A-Pa-p-]{26})(?:/(-?\d{1,2}))?", re.IGNORECASE)


class MatchReader(CellReader):
    """Reads the lines of one match."""

    def __init__(
        self,
        lines: list[tuple[int, str]],
        jacoby: bool = False,
        variant: Variant | None = None,
        crawford: bool = True,
        capitals: Player = LEFT,
        post_crawford: bool = False,
    ) -> None:
        super().__init__(lines)
        self.capitals = capitals
        self.board_set = False
        """A ``Set Pos`` was read."""
        self.jacoby = jacoby
        self.crawford = crawford
        self.post_crawford = post_crawford
        """The Crawford game was played before the first game of the text."""
        self.variant = variant
        self.waiting = False
        """``Game n`` was read and its score line was not."""
        self.crawford_told: bool | None = None
        """The text calls the game that begins the Crawford game, or one after it."""
        self.board: tuple[int, re.Match[str]] | None = None
        """A board that is set before a game begins, and its line."""
        self.number = 0
        """Of the last row."""
        self.listed: tuple[int, str] | None = None
        """Number and roll of the last line that a person has numbered within a game, until the next row."""
        self.unheaded: tuple[int, int, bool] | None = None
        """The faults of a score that has begun a game without a head, and whether columns were exchanged before it."""

    @cached_property
    def restarts(self) -> frozenset[int]:
        """The lines with a row 1 that begin a game, as the row behind them shows."""
        return find_first_rows(self.lines)

    @property
    def illegal(self) -> int:
        """The number of plays that the rules do not allow."""
        return self.recorder.illegal if self.recorder is not None else 0

    @property
    def jacoby_shows(self) -> bool:
        """True for a money session that does not mention the Jacoby rule but was scored by it."""
        return (
            self.recorder is not None
            and not self.jacoby
            and "Jacoby" not in self.head.tags
            and self.recorder.jacoby_shows
        )

    @property
    def crawford_shows(self) -> bool:
        """True for a match that does not mention the Crawford rule, with a double in the Crawford game."""
        return (
            self.recorder is not None
            and self.crawford
            and "Crawford" not in self.head.tags
            and self.recorder.crawford_doubled
        )

    @property
    def begins_late(self) -> bool:
        """True if the text begins after the Crawford game: a player doubles in its first game, one point away."""
        recorder = self.recorder
        return (
            recorder is not None
            and recorder.crawford_doubled
            and not self.post_crawford
            and bool(recorder.games)
            and recorder.games[0].start.score.crawford_game
        )

    @property
    def names_variation(self) -> bool:
        """True if the head names the variation."""
        return any(tag.lower().startswith("varia") for tag in self.head.tags)

    def read(self, name: str) -> Document | None:
        """Read every line; None when there is no match in them."""
        for number, line in self.lines:
            if line.strip():
                self._line(number, line.expandtabs())
        self._forget_last()
        self._settle()
        self._place()
        recorder = self.recorder
        if recorder is None:
            if self.head.length is None:
                return None
            recorder = self._recorder(self.head.line)
        recorder.close()
        info = dict(self.head.tags)
        if "EventDate" not in info and "Left Rating" in info and (day := _DATED.search(name)):
            info["EventDate"] = f"{day[1]}.{day[2]}.{day[3]}"
        if self.head.remarks:
            info["Comment"] = "\n".join(self.head.remarks)
        if recorder.counted is not None:
            info[COUNTED] = str(recorder.counted)
        match = Match(recorder.settings, self.names, tuple(recorder.games), MappingProxyType(info))
        return Document(match, None, tuple(self.problems), "mat", name)

    def _line(self, number: int, line: str) -> None:
        first = line.lstrip()[0]
        if not re.search(r"[^\W_]|\?", line):
            return  # A rule between games, or what is left of a frame.
        if self.waiting and first not in ";#" and (score := SCORE.match(line)):
            self._settle()
            self._score(number, score)  # A name may look like any other line.
        elif first in ";#" or (self.recorder is None and (_BOX.match(line) or TAG.match(line))):
            self._remark(number, line)
        elif row := ROW.match(line):
            self._row(number, line, row)
        elif self.recorder is None and (length := LENGTH.match(line)):
            points = int(length["first"] or length["last"])
            if points > 10_000 or points < 0:
                self.problems.append(Problem(f"a match to {points} is taken as money play", number))
                points = 0
            self.head.length, self.head.line = points, number
        elif self.recorder is None and UNLIMITED.match(line):
            self.head.length, self.head.line = 0, number
        elif (
            (game := GAME.match(line))
            and not SCORE.match(line)
            and not (self._playing and _SAID.match(line, game.end()))
        ):
            self._forget_last()
            self._settle()
            self.waiting = True
            self._call(line)
        elif (score := SCORE.match(line)) and (not self._playing or self._is_named(score)):
            self._forget_last()
            self._settle()
            faults, exchanged = len(self.problems), self.exchanged
            self._score(number, score)
            self.unheaded = faults, len(self.problems), exchanged
        elif self.waiting and (score := PLAIN_SCORE.match(line)):
            self._score(number, score)
        elif (self.waiting or not self._playing) and CRAWFORD.match(line.strip(" ([-")):
            self._call(line)
        elif ELEMENT.search(line):
            self._cells(number, line, 0)
        else:
            self._prose(number, line)

    def _forget_last(self) -> None:
        """Forget a game that only a score began, under which nothing stands: it was the score at the end of another."""
        recorder, unheaded = self.recorder, self.unheaded
        self.unheaded = None
        if unheaded is None or recorder is None or not recorder.in_game or recorder.last >= 0 or not recorder.games:
            return
        recorder.forget()
        first, end, self.exchanged = unheaded
        del self.problems[first:end]

    def _call(self, line: str) -> None:
        """Note what the words of a head or of a score say about the Crawford game."""
        if crawford := CRAWFORD.search(line):
            self.crawford_told = crawford["post"] is None

    def _is_named(self, score: re.Match[str]) -> bool:
        names = self.head.without_ratings(score[1].strip(), score[3].strip())
        return {name.casefold() for name in names} == {name.casefold() for name in self.names}

    def _recorder(self, line: int) -> Recorder:
        if self.recorder is None:
            if self.head.length is None:
                self.problems.append(Problem("the length of the match is not given; taken as money play", line))
            settings = self.head.settings([text for _, text in self.lines], self.problems)
            if self.variant is not None:
                settings = replace(settings, variant=self.variant)
            if not self.crawford and settings.is_match:
                settings = replace(settings, crawford=False)
            if self.jacoby and not settings.is_match and settings.cube:
                settings = replace(settings, jacoby=True)
            self.recorder = Recorder(settings, self.problems)
        return self.recorder

    def _remark(self, number: int, line: str) -> None:
        if tag := TAG.match(line):
            self.head.tags.setdefault(tag[1].rstrip(), tag[2])
            return
        recorder = self.recorder
        words = line.strip().lstrip(";#").strip()
        if _BOX.match(words):
            words = words.strip("|+-= ")
        position = _SET_POSITION.search(line)
        if position and recorder is not None and recorder.in_game:
            self._set_position(number, position, recorder)
        elif position:
            self.board = number, position
        else:
            self._keep(words)

    def _set_position(self, number: int, match: re.Match[str], recorder: Recorder) -> None:
        self.board_set = True
        letters, cube = match[1], int(match[2] or 0)
        if self.capitals is LEFT:
            letters = letters[::-1].swapcase()
        try:
            game = game_from_letters(recorder.game, letters, cube)
        except ValueError as error:
            self.problems.append(Problem(f"the board cannot be set: {error}", number))
            return
        recorder.set_up(game, "Set Pos")

    def _score(self, number: int, match: re.Match[str]) -> None:
        recorder = self._recorder(number)
        left, right = self.head.without_ratings(match[1].strip(), match[3].strip())
        points: tuple[int, int] | None = (int(match[4]), int(match[2]))
        self.middle = max(13, min(match.start(3) // 2, 24))
        if not recorder.games and not recorder.in_game:
            self.names = right, left
        exchanged = self._are_exchanged(left.casefold(), right.casefold())
        if exchanged is not self.exchanged:
            self.problems.append(Problem("the players change columns", number))
            self.exchanged = exchanged
        elif not exchanged and (right, left) != self.names:
            self.problems.append(Problem(f"the players are called {left!r:.40} and {right!r:.40} here", number))
        if points is not None and min(points) < 0:
            self.problems.append(Problem("a score below zero is left out; the results are summed", number))
            points = None
        elif points is not None and exchanged:
            points = points[::-1]
        if points is None or (points == recorder.score.points and not recorder.settings.is_match):
            self._place()  # The score does not tell who has won the game before.
        if match.re is SCORE:
            self._call(match[5])
        self._begin(number, points)

    def _are_exchanged(self, left: str, right: str) -> bool:
        """True if these small letters name the players in the other order, be one of them written in another way."""
        x, o = (name.casefold() for name in self.names)
        return x != o and (left == x or right == o) and left != o and right != x

    def _begin(self, number: int, points: tuple[int, int] | None = None) -> None:
        """A game begins."""
        recorder = self._recorder(number)
        crawford, length = self.crawford_told, recorder.settings.length
        if self.post_crawford and not recorder.games and not recorder.in_game:
            crawford = False
        if length < 2 or points is None or max(points) != length - 1:
            crawford = None
        recorder.begin(points, crawford=crawford, line=number)
        self.waiting, self.unplaced, self.crawford_told, self.number = False, None, None, 0
        if self.board is not None:
            self._set_position(*self.board, recorder)
        self.board = None

    def _row(self, number: int, line: str, row: re.Match[str]) -> None:
        again = int(row[1]) == 1 and (self.number > 1 or not self._playing)
        cell = ELEMENT.search(line, row.end())
        restarts = again and cell is not None and cell["dice"] is not None and cell["dice"][0] != cell["dice"][-1]
        if not self.waiting and self._is_listed(number, line, row):
            self._prose(number, line)
            return
        if self.waiting or self.recorder is None or restarts:
            if not self.waiting and self.recorder is not None:
                self.problems.append(Problem("a game begins without a head", number))
            self._place()
            self._begin(number)
        self.number, self.listed = int(row[1]), None
        self._cells(number, line, row.end())

    def _is_listed(self, number: int, line: str, row: re.Match[str]) -> bool:
        """True if a person has numbered this line within a game: a candidate for a roll, or one of several remarks."""
        recorder, place = self.recorder, int(row[1])
        if recorder is None or not recorder.in_game:
            return False
        first = place == 1 and self.number > 1 and number not in self.restarts and not self._is_over(recorder)
        if not first and (self.listed is None or self.listed[0] != place - 1):
            return False
        roll = find_only_roll(line, row.end())
        if roll is None or (not first and self.listed != (place - 1, roll)):
            return False
        self.listed = place, roll
        return True

    def _is_over(self, recorder: Recorder) -> bool:
        """True if the game in hand has a result."""
        return recorder.result is not None or self.unplaced is not None or self.claim is not None
