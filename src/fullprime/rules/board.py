"""A position drawn as text: 77 columns by 19 lines.

The player at the bottom bears off at the bottom right and plays anticlockwise; the points carry that player's
numbers. The checkers of X and O differ in shape, and an ASCII form needs no Unicode at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.foreign_text import clean_line
from fullprime.rules.game import Game
from fullprime.rules.position import BAR, HAND, OFF, Position, Row, mirror, pip_words
from fullprime.rules.score import Player

WIDTH = 77
HEIGHT = 19


@dataclass(frozen=True, slots=True)
class BoardView:
    """Everything a drawing shows."""

    position: Position
    """Seen by the player on roll, as everywhere."""
    _: KW_ONLY
    on_roll: Player = Player.X
    """Whose view ``position`` is."""
    turn: Player | None = None
    """Whose decision it is: a mark stands before that name."""
    bottom: Player = Player.X
    """The player at the bottom."""
    dice: Roll | Sequence[int] = ()
    """Up to four dice to show, at the right hand of the player on roll."""
    cube: Cube | None = None
    """None draws no cube. It lies in the margin, in the middle or at its owner's end, and on the bar while offered."""
    names: tuple[str, str] = ("X", "O")
    scores: tuple[int, int] | None = None
    """Points of X and O; None says nothing about the score."""
    length: int = 0
    """Points of the match; 0 for money play."""
    note: str = ""
    """Further facts, such as ``Crawford game``; at the right of the bottom line, 20 characters."""
    home_left: bool = False
    """Mirror the board: the player at the bottom bears off at the bottom left."""
    numbers_of: Player | None = None
    """The player whose numbers the points carry; None for the player at the bottom."""
    ascii_only: bool = False
    pips: bool = True
    """False to leave the pip counts out."""

    @classmethod
    def of(cls, game: Game, **changes: Any) -> BoardView:
        """A game as it stands; ``changes`` are any of the fields."""
        settings = game.settings
        raised = f"stake x{game.multiplier}" if game.multiplier > 1 else ""
        view = cls(
            game.position,
            on_roll=game.on_roll,
            turn=game.turn,
            dice=game.dice or (),
            cube=game.cube if settings.cube and settings.length != 1 and not game.score.crawford_game else None,
            scores=game.score.points,
            length=settings.length,
            note="Crawford game" if game.score.crawford_game else raised,
        )
        return replace(view, **changes)

    def row(self, player: Player) -> Row:
        """The 27 counts of a player, in that player's numbering."""
        return self.position.player if player == self.on_roll else self.position.opponent


def draw_board(view: BoardView) -> str:
    """The board as plain text: ``HEIGHT`` lines of at most ``WIDTH`` columns, no blanks at their ends.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> print(draw_board(BoardView(BACKGAMMON.starting_position, ascii_only=True)).splitlines()[3])
            |  X   :   .   :   O   :  |       |  O   :   .   :   .   X  |       |
    """
    return "\n".join("".join(cell for cell, _ in line).rstrip() for line in draw_lines(view))


def game_board(subject: Position | Game) -> str:
    """A position, or a game with its dice, cube and score, as it prints: the player on roll at the bottom."""
    if isinstance(subject, Position):
        return draw_board(BoardView(subject))
    return draw_board(BoardView.of(subject, bottom=subject.on_roll))


# -- the drawing ------------------------------------------------------------------------------------------------

Lines = list[list[tuple[str, str]]]
"""Characters, each with its style: ``x``, ``o``, ``frame``, ``mark``, ``die``, ``cube``, ``name`` or ``text``."""

_MARGIN, _BOARD, _STACK = 8, 69, 5
"""Width of the margin in which the cube stands, of the framed board with its tray, and checkers drawn on a point."""
_LEFT, _BAR, _RIGHT, _TRAY = 1, 27, 35, 61
"""First columns of the left half (25 wide), the bar (7), the right half (25) and the tray (7) within the board."""
_EDGES = (0, 26, 34, 60, 68)
_TOP, _STRIP, _LAST = 3, 8, 15
"""Lines of the outermost checkers at the top, of the strip for dice (3 high), of the outermost at the bottom."""


@dataclass(frozen=True, slots=True)
class _Glyphs:
    checkers: str
    marks: str
    """An empty place of an even point and of an odd one."""
    corners: str
    """Top left, tee and right; bottom left, tee and right."""
    across: str
    down: str
    on_roll: str


_UNICODE = _Glyphs(checkers="●○", marks="┊·", corners="┌┬┐└┴┘", across="─", down="│", on_roll="▶")
_ASCII = _Glyphs(checkers="XO", marks=":.", corners="++++++", across="-", down="|", on_roll=">")


def draw_lines(view: BoardView) -> Lines:
    """The board character by character, for callers that add colour."""
    glyphs = _ASCII if view.ascii_only else _UNICODE
    pen = _Pen(glyphs, mirrored=view.home_left)
    _frame(pen)
    for point in range(1, 25):
        _point(pen, view, point)
    for player in Player:
        _bar(pen, view, player)
        _tray(pen, view, player)
        _caption(pen, view, player)
    _dice(pen, view)
    if view.cube is not None:
        _cube(pen, view, view.cube)
    _note(pen, view)
    return pen.lines


class _Pen:
    """Writes on the lines. Columns count from the board's left edge; a mirrored pen turns whole words round."""

    def __init__(self, glyphs: _Glyphs, mirrored: bool) -> None:
        self.glyphs = glyphs
        self.mirrored = mirrored
        self.lines: Lines = [[(" ", "text")] * WIDTH for _ in range(HEIGHT)]

    def put(self, line: int, column: int, text: str, style: str = "text") -> None:
        """Write a word at a place of the board, at its mirror image on a mirrored board."""
        self.raw(line, _BOARD - column - len(text) if self.mirrored else _MARGIN + column, text, style)

    def raw(self, line: int, column: int, text: str, style: str = "text") -> None:
        """Write at a column of the screen, mirrored or not."""
        for offset, character in enumerate(text[: max(0, WIDTH - column)]):
            self.lines[line][column + offset] = (character, style)

    def box(self, line: int, column: int, inside: str, style: str) -> None:
        """A frame of three lines around a text."""
        glyphs = self.glyphs
        corners, across = glyphs.corners, glyphs.across * len(inside)
        self.put(line, column, corners[0] + across + corners[2], style)
        self.put(line + 1, column, glyphs.down + inside + glyphs.down, style)
        self.put(line + 2, column, corners[3] + across + corners[5], style)

    def checker(self, line: int, column: int, player: Player, count: int = 0) -> None:
        """A player's checker, or the number of a whole stack in its place."""
        text = str(count) if count else self.glyphs.checkers[player]
        if count >= 10 and not self.mirrored:
            column -= 1
        self.put(line, column, text, player.name.lower())


def _frame(pen: _Pen) -> None:
    glyphs = pen.glyphs
    for line, corners in ((_TOP - 1, glyphs.corners[:3]), (_LAST + 1, glyphs.corners[3:])):
        for column in range(_BOARD):
            pen.put(line, column, glyphs.across, "frame")
        for column in _EDGES:
            pen.put(line, column, corners[1], "frame")
        left, right = (corners[2], corners[0]) if pen.mirrored else (corners[0], corners[2])
        pen.put(line, _EDGES[0], left, "frame")
        pen.put(line, _EDGES[-1], right, "frame")
    for line in range(_TOP, _LAST + 1):
        for column in _EDGES:
            pen.put(line, column, glyphs.down, "frame")
    pen.put(_STRIP + 1, _BAR + 2, "bar", "mark")


def _point(pen: _Pen, view: BoardView, point: int) -> None:
    """One point, in the numbering of the player at the bottom."""
    at_bottom = point <= 12
    place = 12 - point if at_bottom else point - 13
    column = (_LEFT if place < 6 else _RIGHT) + 2 + 4 * (place % 6)
    lines = [_LAST - step if at_bottom else _TOP + step for step in range(_STACK)]
    number = str(mirror(point) if view.numbers_of is view.bottom.other else point)
    pen.put(_LAST + 2 if at_bottom else _TOP - 2, column - (len(number) == 2 and not pen.mirrored), number)

    player = view.bottom
    count = view.row(player)[point]
    if not count:
        player = view.bottom.other
        count = view.row(player)[mirror(point)]
    for step, line in enumerate(lines):
        if step >= count:
            pen.put(line, column, pen.glyphs.marks[point % 2], "mark")
        else:
            pen.checker(line, column, player, count if step == _STACK - 1 and count > _STACK else 0)


def _bar(pen: _Pen, view: BoardView, player: Player) -> None:
    """Checkers on the bar stand in their owner's half, from the middle outwards."""
    count = view.row(player)[BAR]
    for step in range(min(count, _STACK)):
        line = _STRIP + 3 + step if player == view.bottom else _STRIP - 1 - step
        pen.checker(line, _BAR + 3, player, count if step == _STACK - 1 and count > _STACK else 0)


def _tray(pen: _Pen, view: BoardView, player: Player) -> None:
    """Checkers borne off, five a line; those in hand as a number, next to the middle."""
    row = view.row(player)
    at_bottom = player == view.bottom
    for index in range(row[OFF]):
        line, place = divmod(index, 5)
        pen.checker(_LAST - line if at_bottom else _TOP + line, _TRAY + 1 + place, player)
    if row[HAND]:
        line, further = (_STRIP + 2, 1) if at_bottom else (_STRIP, -1)
        pen.put(line, _TRAY + 1, "hand ")
        pen.put(line + further, _TRAY + 1, f"{pen.glyphs.checkers[player]} {row[HAND]:<3}", player.name.lower())


def _dice(pen: _Pen, view: BoardView) -> None:
    """Dice lie at the right hand of the player on roll, who looks at the board from the bottom or from the top."""
    roll = view.dice
    dice = (roll.high, roll.low) if isinstance(roll, Roll) else tuple(roll)
    if not dice:
        return
    right = (view.on_roll == view.bottom) != pen.mirrored
    column = (_RIGHT if right else _LEFT) + (25 - 6 * len(dice) + 1) // 2
    for die in reversed(dice) if pen.mirrored else dice:
        pen.box(_STRIP, column, f" {die} ", "die")
        column += 6


def _cube(pen: _Pen, view: BoardView, cube: Cube) -> None:
    face = f"{_cube_face(cube.offered or cube.value):^5}"
    if cube.offered:
        pen.box(_STRIP, _BAR, face, "cube")
    elif cube.owner is None:
        pen.box(_STRIP, -_MARGIN, face, "cube")
    else:
        pen.box(_LAST - 2 if cube.owner == view.bottom else _TOP, -_MARGIN, face, "cube")


def _cube_face(value: int) -> str:
    """A cube that no player has turned shows 64, one of six digits and more a power of two."""
    if value == 1:
        return "64"
    return str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"


def _caption(pen: _Pen, view: BoardView, player: Player) -> None:
    """The line of a player: the mark of the turn, checker, name, pips, score."""
    line = HEIGHT - 1 if player == view.bottom else 0
    column = 1 if pen.mirrored else _MARGIN + 1
    if player == view.turn:
        pen.raw(line, column - 1, pen.glyphs.on_roll, "name")
    pen.raw(line, column + 1, pen.glyphs.checkers[player], player.name.lower())
    name = clean_line(view.names[player])
    if name != pen.glyphs.checkers[player]:
        pen.raw(line, column + 3, name if len(name) <= 20 else name[:19] + "~", "name")
    if view.pips:
        pen.raw(line, column + 25, pip_words(view.row(player)))
    if view.scores is not None:
        of = f" of {view.length}" if view.length else ""
        pen.raw(line, column + 36, f"score {view.scores[player]}{of}")


def _note(pen: _Pen, view: BoardView) -> None:
    note = view.note[:20]
    pen.raw(HEIGHT - 1, (_BOARD if pen.mirrored else WIDTH) - len(note), note, "name")
