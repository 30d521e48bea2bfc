"""The cells of match text: rolls, plays, the cube, and results.

They are read by what they say and never by a fixed column.
"""

from __future__ import annotations

import re

from fullprime.formats.document import Problem
from fullprime.formats.mat.head import Head
from fullprime.formats.mat.layout import find_single_rows, has_columns
from fullprime.formats.mat.snowie import rows_in_match
from fullprime.formats.mat.words import CLOCK, ELEMENT, ILLEGAL, NO_MOVE, NOTHING, is_take
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import variant_begun
from fullprime.formats.recording.game_recorder import BEFORE_ROLL, MOST_REMARKS, OFFERED
from fullprime.formats.recording.recorder import Recorder
from fullprime.rules.game import Phase
from fullprime.rules.score import Player
from fullprime.rules.variants import Variant

LEFT, RIGHT = Player.O, Player.X

_WORD = re.compile(r"[^\W\d_]{2,}")
_LEVELS = ((3, "backgammon"), (2, "gammon"), (1, "game"), (1, "single"))
_RESULTS = ("wins", "match", "level", "losses")
"""Elements that tell who has won or lost."""
_NARROW = 9
"""More blanks than this before the first cell of a repeated row number mean the right column."""


class CellReader:
    """The cells and results of the rows of one match; ``lines`` are all lines of the match."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.columns = has_columns(lines)
        self.alone = frozenset() if self.columns else find_single_rows(lines)
        """Rows with a single roll that another row follows, where the columns are lost."""
        self.head = Head()
        self.problems: list[Problem] = []
        self.recorder: Recorder | None = None
        self.names = ("", "")
        self.middle = 13
        """Cells and results that begin behind this column are the right player's."""
        self.exchanged = False
        """The players have changed columns since the first game."""
        self.variant_shown: Variant | None = None
        """The variant that begins with the board of a game, where the head names another or none."""
        self.claim: tuple[Player, int, int] | None = None
        """Winner, points and line of a ``Losses n points`` that no ``Wins`` has confirmed yet."""
        self.unplaced: tuple[int | None, int, Player | None] | None = None
        """Points, if they are told, line, and loser, if a column or a name tells, of a result that may yet change."""

    @property
    def _playing(self) -> bool:
        return self.recorder is not None and self.recorder.in_game

    def _prose(self, number: int, line: str) -> None:
        """Keep words of a person as a remark."""
        self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
        self._keep(line.strip())

    def _keep(self, words: str) -> None:
        if self._playing and self.recorder is not None:
            self.recorder.comment(words)
        elif words and self.head.remark(words):
            self.problems.append(Problem(f"the remarks about the match have over {MOST_REMARKS:,} letters"))

    def _cells(self, number: int, line: str, start: int) -> None:
        """The cells of a row, or of a line with nothing but a result."""
        line, plain = _plain(line)
        elements = list(ELEMENT.finditer(plain, start))
        if not elements:
            if line[start:].strip() and not NOTHING.fullmatch(line[start:]):
                self.problems.append(Problem(f"not understood: {line.strip()!r:.70}", number))
            return
        first = elements[0]
        before = line[start : first.start()].strip()
        won = bool(first["wins"] or first["level"])
        player = self._named(before, in_part=won)
        words = before if player is None and not NO_MOVE.fullmatch(before) else ""
        if _is_prose(words + plain[first.start() :], first, words, numbered=bool(start)):
            self._prose(number, line)
            return
        side = RIGHT if first.start() > self.middle else LEFT
        placed = self.columns and (bool(start) or first.start() > 1)
        if player is not None:
            side, placed = self._seat(player), True
        elif NOTHING.fullmatch(before) or NO_MOVE.fullmatch(before):
            side = RIGHT
            if first["dice"]:
                self._pass(number, before)
        elif before:
            self.problems.append(Problem(f"not understood: {before!r:.70}", number))
            placed = placed and bool(start)
        elif not self.columns or (not start and first["dice"] and side is LEFT):
            side = self._column_of_turn(number, first)
        if won and not placed and self.recorder is not None and self.recorder.in_game:
            self._unplaced_win(number, first, self.recorder)
            return
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
            bare = rolled and not line[elements[index - 1].end() : element.start()].strip()
            if rolled and (element[0][0] == "?" or (bare and (kind == "end" or element[0].lower().startswith("pass")))):
                if kind == "end":
                    self._give_up(number, element, self._seat(side) if placed else None)
                continue
            if not fresh:
                side = RIGHT if side is LEFT or kind in _RESULTS else LEFT
            fresh = False
            rolled = kind == "dice"
            self._element(number, self._seat(side), element, line[element.end() : end].strip(), placed=placed)

    def _pass(self, number: int, words: str) -> None:
        """The left player does nothing, and says so."""
        recorder, player = self.recorder, self._seat(LEFT)
        if recorder is not None and recorder.phase in BEFORE_ROLL and player is recorder.on_roll:
            recorder.report(f"{player.name} does not roll", number)
            recorder.pass_turn(player, words)

    def _seat(self, column: Player) -> Player:
        """The player whose column this is, or the column of this player."""
        return column.other if self.exchanged else column

    def _element(self, number: int, side: Player, element: re.Match[str], rest: str, *, placed: bool) -> None:
        recorder = self.recorder
        kind = element.lastgroup
        if recorder is None or not recorder.in_game:
            if kind not in (*_RESULTS, "end"):
                self.problems.append(Problem(f"nothing is being played: {element[0]!r:.60}", number))
            return
        if kind == "dice":
            self._rolled(number, side, element["dice"][0] + element["dice"][-1], rest, recorder)
            return
        if rest:
            self.problems.append(Problem(f"not understood: {rest!r:.60}", number))
        if kind == "auto":
            recorder.stake_doubled()
        elif element["word"]:
            value = int(element["value"]) if element["value"] else None
            at_once = recorder.phase in OFFERED and side is recorder.answerer and not recorder.settings.is_match
            if at_once or element["word"].lower().startswith(("beaver", "raccoon")):
                recorder.beaver(side, number)
            else:
                recorder.double(side, value, number)
        elif element["answer"]:
            (recorder.take if is_take(element["answer"]) else recorder.drop)(side, number)
        elif kind in ("wins", "match", "level"):
            self._wins(number, side, _points_of(element, recorder, side), bool(element["match"]), recorder)
        elif element["losses"]:
            self.claim = side.other, int(element["losses"]), number
        else:
            self._give_up(number, element, side if placed else None)

    def _rolled(self, number: int, side: Player, dice: str, rest: str, recorder: Recorder) -> None:
        if not all(die in "123456" for die in dice):
            if not dice.strip("0?") and (not rest or ELEMENT.match(rest)):
                return  # ``00: ????``: the player resigned without a roll.
            self.problems.append(Problem(f"{dice} is no roll", number))
            return
        self.unplaced = None
        if not recorder.roll(side, int(dice[0]), int(dice[1]), number) or not rest:
            return
        if NO_MOVE.match(rest):
            recorder.dance(side, number)
        elif illegal := ILLEGAL.match(rest):
            self._illegal_play(number, illegal[1] or illegal[2], recorder)
        else:
            recorder.play(side, rest, number)

    def _illegal_play(self, number: int, position: str, recorder: Recorder) -> None:
        rows = rows_in_match(position, self.names)
        begun = variant_begun(rows) if rows is not None and recorder.last == 0 else None
        if begun is None:
            recorder.set_rows(rows, "illegal play", number)
            return
        # DailyGammon begins each game of a variant with a roll of neither player and an illegal play to its start.
        if begun != recorder.settings.variant:
            self.variant_shown = begun
        recorder.restart()

    def _wins(self, number: int, winner: Player, points: int, match_won: bool, recorder: Recorder) -> None:
        self.claim = self.unplaced = None
        recorder.finish(winner, points, number)
        settings = recorder.settings
        if recorder.in_game:
            return  # The points cannot be; the score that follows explains them.
        if match_won and settings.is_match and recorder.points[winner] < settings.length:
            self.problems.append(
                Problem(f"{winner.name} is said to win the match with {recorder.points[winner]} points", number)
            )

    def _named(self, words: str, *, in_part: bool) -> Player | None:
        """The only player whose name this is; with ``in_part`` also one whose name it begins, or begins with."""
        words = words.rstrip(" :,-").casefold()
        names = [name.casefold() for name in self.names]
        named = [player for player in Player if words and names[player] == words]
        if not named and words and in_part:
            named = [
                player
                for player in Player
                if names[player].startswith(words) or words.startswith(names[player] or "\n")
            ]
        return named[0] if len(named) == 1 else None

    def _column_of_turn(self, number: int, cell: re.Match[str]) -> Player:
        """The column of the player who acts next, where the columns are lost."""
        recorder = self.recorder
        if recorder is None or not recorder.in_game:
            return LEFT
        if recorder.phase is Phase.OPENING_ROLL:
            return RIGHT if number in self.alone else LEFT
        if recorder.phase in OFFERED:
            return self._seat(recorder.on_roll if cell["dice"] else recorder.answerer)
        return self._seat(recorder.on_roll.other if recorder.phase is Phase.PLAY else recorder.on_roll)

    def _unplaced_win(self, number: int, cell: re.Match[str], recorder: Recorder) -> None:
        """A result whose winner only the moves or the next score tell."""
        winner = recorder.result.winner if recorder.result is not None else None
        if recorder.phase in OFFERED:
            winner = recorder.answerer.other
        elif winner is None and self.unplaced is not None and (loser := self.unplaced[2]) is not None:
            winner = loser.other
        if winner is None:
            self.unplaced = _points_of(cell, recorder, recorder.on_roll.other), number, None
        else:
            self._wins(number, winner, _points_of(cell, recorder, winner), bool(cell["match"]), recorder)

    def _give_up(self, number: int, cell: re.Match[str], loser: Player | None) -> None:
        """A player resigns, whom a name or a column may tell; a result follows, or a score."""
        words = cell[0].lower()
        level = next((level for level, name in _LEVELS if name in words), 0)
        if self.recorder is not None and self.recorder.in_game and "?" not in words:
            self.unplaced = level * self.recorder.stake or None, number, loser

    def _place(self) -> None:
        """End the game in hand with a result that no later words have told in another way."""
        recorder, unplaced = self.recorder, self.unplaced
        self.unplaced = None
        if unplaced is None or recorder is None or not recorder.in_game:
            return
        points, line, loser = unplaced
        if loser is None:
            loser = recorder.answerer if recorder.phase in OFFERED else recorder.on_roll
            self.problems.append(Problem(f"who wins is not told; {loser.name} was to act: taken as the loser", line))
        recorder.finish(loser.other, points or recorder.stake, line)

    def _settle(self) -> None:
        if self.claim is not None and self.recorder is not None and self.recorder.in_game:
            winner, points, line = self.claim
            self.recorder.finish(winner, points, line)
        self.claim = None


def _points_of(result: re.Match[str], recorder: Recorder, winner: Player) -> int:
    """The points of a result, which a word may tell: what the level is worth, or what wins the match."""
    if result["wins"]:
        return int(result["wins"])
    word = result["level"].lower()
    if word in ("game", "match") and (recorder.result is not None or recorder.phase in OFFERED):
        return recorder.result.points if recorder.result is not None else recorder.stake
    if word == "match" and recorder.settings.is_match:
        return max(1, recorder.settings.length - recorder.score.points[winner])
    return next((level for level, name in _LEVELS if name in word), 1) * recorder.stake


def _plain(line: str) -> tuple[str, str]:
    """The line with the signs of a keyboard and without times; and without illegal plays, whose names are no cells."""
    line = walk.plain_signs(line)
    if CLOCK.search(line) is not None:
        line = CLOCK.sub(_blanks, line)
    return line, ILLEGAL.sub(_blanks, line) if "illegal" in line.lower() else line


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_prose(text: str, first: re.Match[str], before: str, *, numbered: bool) -> bool:
    """True if these are a person's words about the game, not a row or a result of it."""
    if first["wins"] or first["losses"]:
        return False
    if first["answer"] and not numbered:
        return _WORD.search(before) is not None or len(_WORD.findall(ELEMENT.sub(" ", text))) > 2
    if numbered or first["dice"]:
        return len(_WORD.findall(before)) > numbered
    return len(_WORD.findall(ELEMENT.sub(" ", text))) > 2
