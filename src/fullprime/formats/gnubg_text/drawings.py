"""Boards drawn in letters, without an identifier: those of GNU Backgammon, FIBS, eXtreme Gammon and BGBlitz.

A drawing is read into the XGID of its position: edges with the numbers of the points, X and O between them, the bar in
the middle, and what stands beside and below: names, score, cube, roll. Without a word about them, X is at the bottom
and on roll, it is money play, and the cube is in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fullprime.formats.gnubg_text.blocks import NAMES, Block

_EDGE = re.compile(r"(?P<before>[\s>]{0,40})\+(?P<points>(?:[-+ ]{0,12}+\d{1,2}){12}[-+ ]{0,9}?)\+(?P<beside>.*)")
_ROW = re.compile(r"[\s>]{0,40}(?P<turn>[v^]?)\s?(?P<board>\|.*)")
_LINES = str.maketrans(
    dict.fromkeys("\u2500\u2501\u2550", "-")
    | dict.fromkeys("\u2502\u2503\u2551", "|")
    | dict.fromkeys("\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u2554\u2557\u255a\u255d", "+")
)
_WIDEST = 400
"""Characters of a line, more than any board has with what stands beside it."""
_MOST_ROWS = 18
"""More lines than any board has between its edges."""
_AROUND = 6
"""Lines above and below a board in which more is said of it."""
_MANY = "6789ABCDEF"
"""Six checkers and more on a point, in one letter."""
_LABEL = re.compile(r"([XO]):\s*+(.*)")
_CUBE_BESIDE = re.compile(r"\(Cube: (\d{1,4})\)$")
_SCORE_BESIDE = re.compile(r"- score: (\d{1,5})$")
_PIPS_BESIDE = re.compile(r"\s\s\d{1,3}$")
_ON_BAR = re.compile(r"\bBAR: O-(\d{1,2}) X-(\d{1,2})\b")
_OFF = r"\|[\sXO]+"
"""Checkers that are off, before what stands beside a board."""
_POINTS = re.compile(rf"{_OFF}\b(\d{{1,5}}) points?\s*$")
_LENGTH = re.compile(r"\b(\d{1,3})[- ]points? match\b", re.IGNORECASE)
_SCORE = re.compile(r"\bX-O:\s*(\d{1,5})-(\d{1,5})\b(?:/(\d{1,5})\b)?")
_SCORE_ABOVE = re.compile(r"\bX:\s*(\d{1,5})\s+O:\s*(\d{1,5})\s+(\d{1,5})\s")
_CUBE = re.compile(r"[^\s(]:\s*(\d{1,4})(?:\s*,\s*([XO])\b| \(owned by (\S+)\))")
_CUBE_IN_MIDDLE = re.compile(r"\(Cube: (\d{1,5})\)")
_OFFERED = re.compile(rf"{_OFF}\bCube offered at (\d{{1,5}})\b")
_ROLLED = re.compile(rf"{_OFF}\b(?:Rolled ([1-6])([1-6])|On roll)\b")
_TO_PLAY = re.compile(
    r"^\s*([XO])\s+(?:to (?:play|move|roll)|on roll|rolls|rolled|plays|zum|am Wurf|am Zug)\b"
    r"\D{0,40}(?:([1-6])[- ]?([1-6])(?![\w/]))?"
)
_CRAWFORD = re.compile(r"(?<!post)(?<!post[- ])crawford")
_WHO_ROLLED = re.compile(r"(?:^|\s{2})(\S{1,40}) rolled ([1-6]) ([1-6])\.")


@dataclass(slots=True)
class _Drawing:
    """A board between two edges, and the lines about it."""

    first: int
    """Index of the upper edge among the lines."""
    last: int
    """Index of the last line that says nothing but facts of the board: the lower edge, or what FIBS has below."""
    edges: tuple[re.Match[str], re.Match[str]]
    rows: list[str]
    """The lines between the edges."""
    around: list[str] = field(default_factory=list)
    """The lines above and below."""


def drawn_blocks(lines: Sequence[str]) -> list[Block]:
    """A block for each board that is drawn in these lines, with the XGID of its position."""
    drawings = list(_drawings(lines))
    blocks: list[Block] = []
    begin, below = 0, 0
    for number, drawing in enumerate(drawings):
        above = max(begin, below, drawing.first - _AROUND)
        end = below = len(lines)
        if number + 1 < len(drawings):
            end = drawings[number + 1].first
            below = _parting(lines, drawing.last + 1, end)
        drawing.around = [
            *lines[above : drawing.first],
            *lines[drawing.first + len(drawing.rows) + 2 : min(end, below, drawing.last + 1 + _AROUND)],
        ]
        names = {letter: name for letter, name in (_label(edge)[:2] for edge in drawing.edges) if letter and name}
        pair = next((match for line in drawing.around if (match := NAMES.match(line))), None)
        block = Block(drawing.first + 1, _xgid(drawing), is_inline=True)
        block.names = {"X": pair[1].strip(), "O": pair[2].strip()} if pair else names
        block.above = list(lines[begin : drawing.first]) if not blocks else []
        block.full_lines = list(lines[drawing.last + 1 : end])
        block.lines = [line[:1_000] for line in block.full_lines]
        blocks.append(block)
        begin = drawing.last + 1
    return blocks


def _parting(lines: Sequence[str], begin: int, end: int) -> int:
    """The first line between two boards that says nothing of the upper one: a blank one, or one with two names."""
    return next((at for at in range(begin, end) if not lines[at].strip() or NAMES.match(lines[at])), end)


def has_drawing(text: str) -> bool:
    """True if a board is drawn in this text."""
    return "-+" in text.translate(_LINES) and any(True for _ in _drawings(text.split("\n")))


def _drawings(lines: Sequence[str]) -> Iterator[_Drawing]:
    upper: tuple[int, re.Match[str]] | None = None
    for index, line in enumerate(lines):
        edge = _edge(line)
        if edge is None:
            continue
        if upper is not None and 6 < index - upper[0] < _MOST_ROWS and _are_opposite(upper[1], edge):
            rows = [line[:_WIDEST].translate(_LINES) for line in lines[upper[0] + 1 : index]]
            below = next((at for at in (index + 1, index + 2) if at < len(lines) and _ON_BAR.search(lines[at])), index)
            if all(_ROW.match(row) for row in rows):
                yield _Drawing(upper[0], below, (upper[1], edge), rows)
            upper = None
        else:
            upper = index, edge


def _edge(line: str) -> re.Match[str] | None:
    """The edge of a board, with the numbers of twelve points in a row."""
    if "-+" not in line.translate(_LINES) or len(line) > _WIDEST:
        return None
    edge = _EDGE.match(line.translate(_LINES))
    if edge is None:
        return None
    points = _points(edge)
    steps = {second - first for first, second in pairwise(points)}
    return edge if steps in ({1}, {-1}) and min(points) in (1, 13) else None


def _points(edge: re.Match[str]) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", edge["points"])]


def _columns(edge: re.Match[str]) -> list[int]:
    """The column of each point of an edge: that of the last figure of its number, counted from the corner."""
    return [match.end() for match in re.finditer(r"\d+", edge["points"])]


def _are_opposite(upper: re.Match[str], lower: re.Match[str]) -> bool:
    return all(above + below == 25 for above, below in zip(_points(upper), _points(lower), strict=True))


def _label(edge: re.Match[str]) -> tuple[str, str, int | None, int | None]:
    """The letter, name, score and cube beside an edge."""
    label = _LABEL.fullmatch(edge["beside"].strip())
    if label is None:
        return "", "", None, None
    name = label[2]
    figures = []
    for beside in (_CUBE_BESIDE, _SCORE_BESIDE):
        match = beside.search(name)
        name = name[: match.start()].rstrip() if match else name
        figures.append(int(match[1]) if match else None)
    return label[1], _PIPS_BESIDE.sub("", name).rstrip(), figures[1], figures[0]


# -- the position ----------------------------------------------------------------------------------------------------
def _xgid(drawing: _Drawing) -> str:
    upper, lower = drawing.edges
    bottom = _label(lower)[0] or {"X": "O", "O": "X"}.get(_label(upper)[0], "X")
    top = "O" if bottom == "X" else "X"
    places = _places(drawing, bottom)
    on_roll, dice = _turn(drawing, bottom, top)
    points, length = _score(drawing, bottom, top)
    value, owner = _cube(drawing)
    offered = next((int(match[1]) for row in drawing.rows if (match := _OFFERED.search(row))), None)
    if offered is not None:
        value, owner, dice = max(1, offered // 2), on_roll if offered > 2 else "", "D"
    near = " ".join([*drawing.around, *drawing.rows]).lower()
    one_away = length > 1 and length - 1 in points.values() and length not in points.values()
    crawford = value == 1 and dice != "D" and _CRAWFORD.search(near) is not None
    rules = int(one_away and crawford) if length else ("jacoby" in near) + 2 * ("beaver" in near)
    sides = {"X": "1", "O": "-1", "": "0"}
    fields = (
        places, max(0, value.bit_length() - 1), sides[owner], sides[on_roll], dice, points["X"], points["O"], rules,
        length, 10,
    )  # fmt: skip
    return "XGID=" + ":".join(map(str, fields))


def _places(drawing: _Drawing, bottom: str) -> str:
    """The 26 letters of the board: O's bar, X's points from 1 to 24, X's bar."""
    upper, lower = drawing.edges
    middle = next((at for at, row in enumerate(drawing.rows) if "BAR" in row), None)
    half = len(drawing.rows) // 2 if middle is None else middle
    halves = drawing.rows[:half], drawing.rows[half + (middle is not None or len(drawing.rows) % 2) :]
    counts = {"X": [0] * 26, "O": [0] * 26}
    for edge, rows in zip((upper, lower), halves, strict=True):
        columns = _columns(edge)
        own = _points(lower)[0] < 13  # The numbers are those of the player at the bottom.
        for point, column in zip(_points(edge), columns, strict=True):
            number = point if own else 25 - point
            player, count = _stack(rows, column)
            if count:
                counts[player][number if player == bottom else 25 - number] += count
        bar = (columns[5] + columns[6]) // 2
        for player in "XO":
            counts[player][25] += _stack(rows, bar, player)[1]
    stated = next((match for line in drawing.around if (match := _ON_BAR.search(line))), None)
    if stated is not None:
        counts["O"][25], counts["X"][25] = int(stated[1]), int(stated[2])
    letters = ["-"] * 26
    for number in range(1, 26):
        for player, base in (("X", 64), ("O", 96)):
            if counts[player][number]:
                letters[number if player == "X" else 25 - number] = chr(base + min(counts[player][number], 26))
    return "".join(letters)


def _stack(rows: Sequence[str], column: int, only: str = "") -> tuple[str, int]:
    """The player who has checkers in a column, and how many."""
    signs = []
    for row in rows:
        match = _ROW.match(row)
        board = match["board"] if match else ""
        near = [board[at] for at in (column, column - 1, column + 1) if at < len(board)]
        signs.append(next((sign for sign in near if sign.upper() in f"XO{_MANY}"), ""))
    players = [sign.upper() for sign in signs if sign.upper() in ("X", "O") and (not only or sign.upper() == only)]
    if not players:
        return "", 0
    many = next((sign for sign in signs if sign and sign in _MANY), None)
    return players[0], len(players) if many is None else _MANY.index(many) + 6


# -- what is said of it ----------------------------------------------------------------------------------------------
def _turn(drawing: _Drawing, bottom: str, top: str) -> tuple[str, str]:
    """The player on roll, and the dice."""
    for index, row in enumerate(drawing.rows):
        if words := _ROLLED.search(row):
            player = top if 2 * index < len(drawing.rows) else bottom
            return player, f"{words[1]}{words[2]}" if words[1] else "00"
    for line in drawing.around:
        if words := _TO_PLAY.match(line):
            return words[1], f"{words[2]}{words[3]}" if words[2] else "00"
        if words := _WHO_ROLLED.search(line):
            names = {name: letter for letter, name, *_ in map(_label, drawing.edges) if letter}
            return names.get(words[1], bottom if words[1] == "You" else top), words[2] + words[3]
    turn = next((match["turn"] for row in drawing.rows if (match := _ROW.match(row)) and match["turn"]), "")
    return {"v": bottom, "^": top}.get(turn, bottom), "00"


def _score(drawing: _Drawing, bottom: str, top: str) -> tuple[dict[str, int], int]:
    """The points of both, and the length of the match, 0 for money play."""
    names = {letter: name for letter, name, *_ in map(_label, drawing.edges) if name}
    for line in drawing.around:
        if score := _SCORE.search(line) or _SCORE_ABOVE.search(line):
            return {"X": int(score[1]), "O": int(score[2])}, int(score[3] or 0)
        named = {letter: re.search(rf"{re.escape(name)} - (\d{{1,5}})\b", line) for letter, name in names.items()}
        if len(named) == 2 and all(named.values()) and (words := _LENGTH.search(line)):
            return {letter: int(match[1]) for letter, match in named.items() if match}, int(words[1])
    points = {"X": 0, "O": 0}
    for edge, player, rows in zip(drawing.edges, (top, bottom), (drawing.rows[:2], drawing.rows[-2:]), strict=True):
        written = next((int(match[1]) for row in rows if (match := _POINTS.search(row))), None)
        points[player] = _label(edge)[2] or written or 0
    length = next((int(match[1]) for row in drawing.rows if (match := _LENGTH.search(row))), 0)
    return points, length


def _cube(drawing: _Drawing) -> tuple[int, str]:
    """The cube's value and owner."""
    for letter, _, _, value in map(_label, drawing.edges):
        if value is not None:
            return value, letter if value > 1 else ""
    for line in drawing.around:
        if words := _CUBE.search(line):
            names = {name: letter for letter, name, *_ in map(_label, drawing.edges)}
            return int(words[1]), words[2] or names.get(words[3], "") if int(words[1]) > 1 else ""
    return next((int(match[1]) for row in drawing.rows if (match := _CUBE_IN_MIDDLE.search(row))), 1), ""
