"""One match of match text, read line by line: its head, scores, cells and results.

Cells are read by what they say and never by a fixed column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from fullprime.formats.document import Document, Problem
from fullprime.formats.mat.snowie import rows_in_match
from fullprime.formats.recording.boards import Rows, game_from_letters
from fullprime.formats.recording.recorder import COUNTED, Recorder
from fullprime.formats.recording.tags import CUBE_LIMIT_AS_LENGTH, money_of_galaxy, settings_from_tags
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import HYPERGAMMON, LONGGAMMON, NACKGAMMON, Variant

LEFT, RIGHT = Player.O, Player.X
NAMED_BY_BOARD = (NACKGAMMON, HYPERGAMMON, LONGGAMMON)
"""Variants that differ from backgammon by where they begin."""

_TAG = re.compile(r"\s*+[;#]\s*+\[\s*+([^\"\]]*)\"(.*)\"\s*+\]?\s*+$")
LENGTH = re.compile(r"\s*+(-?\d{1,9})\s*+(?:-\s*+)?points?\s+match\b", re.IGNORECASE)
_UNLIMITED = re.compile(r"\s*(?:unlimited|money)\s+(?:match|session|game)\b", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(\d{1,9})\b", re.IGNORECASE)
_SCORE = re.compile(r"((?:[^:]|:(?!\s*+\d{1,9}\s))*+):\s*+(\d{1,9})\s++(.*):\s*+(\d{1,9})\s*+$")
"""Two names with their points: the first colon that points and a blank follow, and the last colon."""
_ROW = re.compile(r"\s*(\d{1,9})(?:\)|\.(?=\s))")
_BOX = re.compile(r"\s*+(?:\+[-=+]{2,}|\|)")
"""A frame that some programs draw around their remarks, with or without a semicolon before it."""
_DATED = re.compile(r"-((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-")
"""GridGammon names its files by the day."""
_RATED = re.compile(r"(.*\S),(\d{3,4}(?:\.\d{1,9})?)$")
_ELEMENT = re.compile(
    r"(?P<dice>[0-9?]{2}):"
    r"|(?<![\d(])(?P<row>\d{1,9}\))"
    r"|(?P<word>\b(?:re-?)?doubles?|\bbeavers?|\braccoons?)\b(?:\s*(?:={1,2}>|to)\s*(?P<value>\d{1,9}))?"
    r"|(?P<answer>\b(?:takes?|accepts?|drops?|pass(?:es)?|rejects?))\b"
    r"|wins\s+(?P<wins>\d{1,9})(?:\s*points?)?(?:\s*with\s+a\s+(?:back)?gammon)?(?P<match>\s*and\s+the\s+match)?"
    r"|(?:losses|loses|lost)\s+(?P<losses>\d{1,9})(?:\s*points?)?"
    r"|(?P<end>\b(?:concede[sd]?|resign(?:s|ed)?|forfeit(?:s|ed)?|los(?:es|t)\s+on\s+time)\b"
    r"(?:\s*(?:a\s+|the\s+)?(?:normal|single|game|(?:back)?gammon|match)\b){0,2}|\?{2,})",
    re.IGNORECASE,
)
_NO_MOVE = re.compile(r"(?:can ?not|can't|no)\s+moves?|dances?|-+$|fan(?:s|ned)?$", re.IGNORECASE)
_SET_POSITION = re.compile(r"Set\s*Pos\s*=\s*([A-Pa-p-]{26})(?:/(-?\d{1,2}))?", re.IGNORECASE)
_ILLEGAL = re.compile(r"illegal play\s*+\(((?:[^;]*+;){39}[^;()]*+;?)\s*+\)|illegal play\s*+\((.*?)\)", re.IGNORECASE)
"""With a Snowie position, whose names may hold any word and bracket, or with something else."""

_NARROW = 9
"""More blanks than this before the first cell of a repeated row number mean the right column."""


@dataclass(slots=True)
class _Head:
    """The lines before the games of one match."""

    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    length: int | None = None
    line: int = 0


class MatchReader:
    """Reads the lines of one match."""

    def __init__(
        self,
        lines: list[tuple[int, str]],
        jacoby: bool = False,
        variant: Variant | None = None,
        crawford: bool = True,
        capitals: Player = LEFT,
    ) -> None:
        self.lines = lines
        self.capitals = capitals
        self.variant_shown: Variant | None = None
        """The variant that begins with the board of a game, where the head names another or none."""
        self.board_set = False
        """A ``Set Pos`` was read."""
        self.jacoby = jacoby
        self.crawford = crawford
        self.variant = variant
        self.head = _Head()
        self.problems: list[Problem] = []
        self.recorder: Recorder | None = None
        self.names = ("", "")
        self.middle = 13
        """Cells and results that begin behind this column are the right player's."""
        self.waiting = False
        """``Game n`` was read and its score line was not."""
        self.claim: tuple[Player, int, int] | None = None
        """Winner, points and line of a ``Losses n points`` that no ``Wins`` has confirmed yet."""

    @property
    def illegal(self) -> int:
        """The number of plays that the rules do not allow."""
        return self.recorder.illegal if self.recorder is not None else 0

    @property
    def jacoby_shows(self) -> bool:
        """A money session that does not mention the Jacoby rule but was scored by it."""
        return (
            self.recorder is not None
            and not self.jacoby
            and "Jacoby" not in self.head.tags
            and self.recorder.jacoby_shows
        )

    @property
    def crawford_shows(self) -> bool:
        """A match that does not mention the Crawford rule, in which a player doubled in the Crawford game."""
        return (
            self.recorder is not None
            and self.crawford
            and "Crawford" not in self.head.tags
            and self.recorder.crawford_doubled
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
        self._settle()
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
        if first in ";#" or (self.recorder is None and _BOX.match(line)):
            self._remark(number, line)
        elif first.isdigit() and (row := _ROW.match(line)):
            self._row(number, line, row.end())
        elif length := LENGTH.match(line):
            points = int(length[1])
            if points > 10_000 or points < 0:
                self.problems.append(Problem(f"a match to {points} is taken as money play", number))
                points = 0
            self.head.length, self.head.line = points, number
        elif _UNLIMITED.match(line):
            self.head.length, self.head.line = 0, number
        elif _GAME.match(line) and not _SCORE.match(line):
            self._settle()
            self.waiting = True
        elif (self.waiting or not self._playing) and (score := _SCORE.match(line)):
            self._score(number, score)
        elif _ELEMENT.search(line):
            self._cells(number, line, 0)
        elif score := _SCORE.match(line):
            self._settle()
            self._score(number, score)
        else:
            self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))

    @property
    def _playing(self) -> bool:
        return self.recorder is not None and self.recorder.in_game

    def _recorder(self, line: int) -> Recorder:
        if self.recorder is None:
            if self.head.length is None:
                self.problems.append(Problem("the length of the match is not given; taken as money play", line))
            settings = settings_from_tags(self.head.tags, self.head.length or 0, self.problems)
            if self.variant is not None:
                settings = replace(settings, variant=self.variant)
            if (money := self._money_game(settings)) is not None:
                self.head.tags[CUBE_LIMIT_AS_LENGTH] = str(settings.length)
                settings = money
            settings = _with_beavers(settings, "\n".join(text for _, text in self.lines))
            if not self.crawford and settings.is_match:
                settings = replace(settings, crawford=False)
            if self.jacoby and not settings.is_match and settings.cube:
                settings = replace(settings, jacoby=True)
            self.recorder = Recorder(settings, self.problems)
        return self.recorder

    def _money_game(self, settings: Settings) -> Settings | None:
        """Backgammon Galaxy's money game in place of its match; None unless nobody wins a match in it."""
        money = money_of_galaxy(self.head.tags.get("Site", ""), settings)
        won = money is not None and any((found := _ELEMENT.search(line)) and found["match"] for _, line in self.lines)
        return None if won else money

    def _remark(self, number: int, line: str) -> None:
        if tag := _TAG.match(line):
            self.head.tags.setdefault(tag[1].rstrip(), tag[2])
            return
        recorder = self.recorder
        words = line.strip().lstrip(";#").strip()
        if _BOX.match(words):
            words = words.strip("|+-= ")
        if recorder is None or not recorder.in_game:
            if words:
                self.head.remarks.append(words)
        elif position := _SET_POSITION.search(line):
            self._set_position(number, position, recorder)
        else:
            recorder.comment(words)

    def _set_position(self, number: int, found: re.Match[str], recorder: Recorder) -> None:
        self.board_set = True
        letters, cube = found[1], int(found[2] or 0)
        if self.capitals is LEFT:
            letters = letters[::-1].swapcase()
        try:
            game = game_from_letters(recorder.game, letters, cube)
        except ValueError as error:
            self.problems.append(Problem(f"the board cannot be set: {error}", number))
            return
        recorder.set_up(game, "Set Pos")

    def _score(self, number: int, found: re.Match[str]) -> None:
        recorder = self._recorder(number)
        names = self._names(found[1].strip(), found[3].strip())
        self.middle = max(13, min(found.start(3) // 2, 24))
        if not recorder.games and not recorder.in_game:
            self.names = names[1], names[0]
        elif (names[1], names[0]) != self.names:
            self.problems.append(Problem(f"the players are called {names[0]!r:.40} and {names[1]!r:.40} here", number))
        recorder.begin((int(found[4]), int(found[2])), line=number)
        self.waiting = False

    def _names(self, left: str, right: str) -> tuple[str, str]:
        """The names without their ratings; whole numbers are ratings where both names have one."""
        rated = _RATED.match(left), _RATED.match(right)
        found = [left, right]
        for index, (column, rating) in enumerate(zip(("Left", "Right"), rated, strict=True)):
            if rating and (all(rated) or "." in rating[2]):
                self.head.tags.setdefault(f"{column} Rating", rating[2])
                found[index] = rating[1]
        return found[0], found[1]

    def _row(self, number: int, line: str, start: int) -> None:
        if self.waiting or self.recorder is None:
            self._recorder(number).begin(line=number)
            self.waiting = False
        self._cells(number, line, start)

    def _cells(self, number: int, line: str, start: int) -> None:
        """The cells of a row, or of a line with nothing but a result."""
        # The names in the position of an illegal play are no cells.
        plain = _ILLEGAL.sub(lambda found: " " * len(found[0]), line)
        elements = list(_ELEMENT.finditer(plain, start))
        if not elements:
            if line[start:].strip():
                self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
            return
        side = RIGHT if elements[0].start() > self.middle else LEFT
        before = line[start : elements[0].start()].strip()
        if before and before in self.names and self.names[0] != self.names[1]:
            side = Player(self.names.index(before))
        elif before:
            self.problems.append(Problem(f"not understood: {before!r:.70}", number))
        fresh = True
        rolled = False
        for index, element in enumerate(elements):
            end = elements[index + 1].start() if index + 1 < len(elements) else len(line)
            kind = element.lastgroup
            if kind == "row":
                # The right cell repeats the row's number and then begins a row of its own.
                following = elements[index + 1].start() if index + 1 < len(elements) else element.end()
                side, fresh = (RIGHT if following - element.end() > _NARROW else LEFT), True
                continue
            if kind == "end" and rolled and not line[elements[index - 1].end() : element.start()].strip():
                continue
            if not fresh:
                side = RIGHT if side is LEFT or kind in ("wins", "match", "losses") else LEFT
            fresh = False
            rolled = kind == "dice"
            self._element(number, side, element, line[element.end() : end].strip())

    def _element(self, number: int, side: Player, element: re.Match[str], rest: str) -> None:
        recorder = self.recorder
        kind = element.lastgroup
        if recorder is None or not recorder.in_game:
            if kind not in ("wins", "match", "losses", "end"):
                self.problems.append(Problem(f"nothing is being played: {element[0]!r:.60}", number))
            return
        if kind == "dice":
            self._rolled(number, side, element["dice"], rest, recorder)
            return
        if rest:
            self.problems.append(Problem(f"not understood: {rest!r:.60}", number))
        if element["word"]:
            value = int(element["value"]) if element["value"] else None
            if "double" in element["word"].lower():
                recorder.double(side, value, number)
            else:
                recorder.beaver(side, number)
        elif element["answer"]:
            take = element["answer"].lower().rstrip("s") in ("take", "accept")
            (recorder.take if take else recorder.drop)(side, number)
        elif element["wins"]:
            self._wins(number, side, int(element["wins"]), bool(element["match"]), recorder)
        elif element["losses"]:
            self.claim = side.other, int(element["losses"]), number

    def _rolled(self, number: int, side: Player, dice: str, rest: str, recorder: Recorder) -> None:
        if not all(die in "123456" for die in dice):
            if not dice.strip("0?") and (not rest or _ELEMENT.match(rest)):
                return  # ``00: ????``: the player resigned without a roll.
            self.problems.append(Problem(f"{dice} is no roll", number))
            return
        if not recorder.roll(side, int(dice[0]), int(dice[1]), number) or not rest:
            return
        if _NO_MOVE.match(rest):
            recorder.dance(side, number)
        elif illegal := _ILLEGAL.match(rest):
            self._illegal_play(number, illegal[1] or illegal[2], recorder)
        else:
            recorder.play(side, rest, number)

    def _illegal_play(self, number: int, position: str, recorder: Recorder) -> None:
        rows = rows_in_match(position, self.names)
        begun = _begun(rows) if rows is not None and recorder.last == 0 else None
        if begun is None:
            recorder.set_rows(rows, "illegal play", number)
            return
        if begun != recorder.settings.variant:
            self.variant_shown = begun
        recorder.restart()

    def _wins(self, number: int, winner: Player, points: int, match_won: bool, recorder: Recorder) -> None:
        self.claim = None
        recorder.finish(winner, points, number)
        settings = recorder.settings
        if recorder.in_game:
            return  # The points cannot be; the score that follows explains them.
        if match_won and settings.is_match and recorder.points[winner] < settings.length:
            self.problems.append(
                Problem(f"{winner.name} is said to win the match with {recorder.points[winner]} points", number)
            )

    def _settle(self) -> None:
        if self.claim is not None and self.recorder is not None and self.recorder.in_game:
            winner, points, line = self.claim
            self.recorder.finish(winner, points, line)
        self.claim = None


def _begun(rows: Rows) -> Variant | None:
    """The variant, other than backgammon, that begins with this board.

    DailyGammon begins each game of such a variant with a roll that nobody threw and an illegal play to this board.
    """
    board = [tuple(row[1:]) for row in rows]
    for variant in NAMED_BY_BOARD:
        start = variant.starting_position
        if board == [start.player[1:], start.opponent[1:]]:
            return variant
    return None


def _with_beavers(settings: Settings, text: str) -> Settings:
    """Beavers and raccoons are allowed in a money session in which they happen."""
    if settings.is_match or not settings.cube:
        return settings
    beavers = settings.beavers or re.search(r"beavers\s*=>", text, re.IGNORECASE) is not None
    raccoons = settings.raccoons or re.search(
        r"raccoons\s*=>|beavers\s*=>\s*\d+\s+(?:\d+\)\s+)?beavers", text, re.IGNORECASE
    )
    return replace(settings, beavers=bool(beavers or raccoons), raccoons=bool(raccoons))
