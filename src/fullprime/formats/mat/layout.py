"""The lines of match text put into shape: wrappers of mail and forums, tabs between columns, rows that mail has cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from fullprime.formats.mat.words import ELEMENT, GAME, ROW, SCORE
from fullprime.formats.recording import text as texts
from fullprime.formats.recording import walk

Lines = list[tuple[int, str]]
"""Lines with their numbers."""
_GAP = re.compile(r"(\s*\(?\d{1,9}[).])([ ]*\t[ \t]*)(?=\S)")
_RIGHT, _LEFT = " " * 60, " " * 4
_LONGEST_ROW = 300
"""A row with two plays of a double, each die written out, has a third of these letters."""
_MAIL = 60
"""Letters of a row that a mail may have cut before its next word."""
_FAR = 9
"""More blanks than this behind a row's number leave the left cell empty."""
_DICE = re.compile(r"[1-6][/,-]?[1-6]:")
_BARE_DICE = re.compile(r"(?<![\w/*-])(?<![>/(] )(?<!wins )(?<!to )([1-6][1-6])(?=\s|$)(?!\s+/)", re.IGNORECASE)


def tidy_rows(lines: Lines) -> Lines:
    """The lines without what wraps them, each row on one line, each cell in its column."""
    lines = [(number, _unwrapped(line)) for number, line in lines]
    if not any(_DICE.search(line) and ROW.match(line) for _, line in lines):
        lines = [(number, _BARE_DICE.sub(r"\1:", line) if ROW.match(line) else line) for number, line in lines]
    if any("\t" in line for _, line in lines):
        lines = list(_without_tabs(lines))
    return list(_joined(_with_scores(lines)))


def _unwrapped(line: str) -> str:
    """The line without marks around it, but for a score, whose names may begin and end like them."""
    unwrapped = texts.unwrapped(line)
    return line if unwrapped != line and SCORE.match(line) else unwrapped


def _with_scores(lines: Lines) -> Iterator[tuple[int, str]]:
    """The same, with the scores that were cut at the width of a mail on one line."""
    headed = False
    waiting: tuple[int, str] | None = None
    for number, line in lines:
        if waiting is not None:
            first, waiting = waiting, None
            joined = f"{first[1].rstrip()} {line.strip()}"
            if SCORE.match(joined) and not SCORE.match(line):
                yield first[0], joined
                continue
            yield first
        if headed and line.strip() and len(line) < _LONGEST_ROW and not SCORE.match(line) and not ROW.match(line):
            waiting = number, line
        else:
            yield number, line
        headed = GAME.match(line) is not None or (headed and not line.strip())
    if waiting is not None:
        yield waiting


def _without_tabs(lines: Lines) -> Iterator[tuple[int, str]]:
    """The same with blanks: tabs behind a row's number tell the column where they say more than the usual distance."""
    usual = _usual_tabs(lines)
    for number, line in lines:
        if gap := _GAP.match(line):
            alone = len(ELEMENT.findall(line, gap.end())) < 2
            place = _RIGHT if alone and gap[2].count("\t") > usual else " "
            line = gap[1] + place + line[gap.end() :]
        elif usual and line.startswith("\t"):
            tabs = len(line) - len(line.lstrip("\t"))
            line = (_RIGHT if tabs > usual else _LEFT) + line.lstrip("\t")
        yield number, line.expandtabs()


def _usual_tabs(lines: Lines) -> int:
    """The number of tabs between the number of a row and its left cell."""
    full = [line for _, line in lines if ROW.match(line) and len(ELEMENT.findall(line)) > 1]
    gaps = [_GAP.match(line) for line in full]
    return min((gap[2].count("\t") if gap else 0 for gap in gaps), default=1)


def _joined(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The same, with the rows that were cut at the width of a mail on one line."""
    row: tuple[int, str] | None = None
    for number, line in lines:
        if row is not None and len(row[1]) < _LONGEST_ROW and _continues(row[1], line):
            space = " " * max(1, len(line) - len(line.lstrip()) - len(row[1]), 3 * bool(_DICE.match(line.lstrip())))
            row = row[0], row[1] + space + line.strip()
            continue
        if row is not None:
            yield row
        row = (number, line.rstrip()) if ROW.match(line) else None
        if row is None:
            yield number, line
    if row is not None:
        yield row


def _continues(row: str, line: str) -> bool:
    """True if the line is the rest of this row: of a play that was cut, the next cell with its roll, or both."""
    if not line.strip() or not (line.lstrip()[0].isdigit() or line.lstrip()[:3].lower() in ("bar", "off")):
        return False
    roll = _DICE.search(line)
    moves = line[: roll.start()] if roll else line
    if not moves.strip():
        return roll is not None
    return "/" in moves and bool(walk.hops(moves)) and not ROW.match(line) and _may_be_cut(row)


def _may_be_cut(row: str) -> bool:
    """True if the last play of the row lacks moves, or, where it is none that is known, a mail would break the row."""
    last = list(ELEMENT.finditer(row))[-1:]
    if not last or last[0]["dice"] is None:
        return False
    dice, moves = last[0]["dice"], walk.hops(row[last[0].end() :])
    if moves is None or not (dice[0] + dice[-1]).isdigit():
        return len(row) > _MAIL
    high, low = int(dice[0]), int(dice[-1])
    times = 1 + (high == low)
    return len(moves) < 2 * times and sum(start - end for start, end in moves) < (high + low) * times


def has_columns(lines: Sequence[tuple[int, str]]) -> bool:
    """True unless the blanks between the cells of a row are lost, and with them what a column tells."""
    narrow = False
    for _, line in lines:
        if (row := ROW.match(line)) is not None:
            cells = list(ELEMENT.finditer(line, row.end()))
            if cells and cells[0].start() - row.end() > _FAR:
                return True
            if len(cells) > 1:
                if any(line[cell.start() - 2 : cell.start()].isspace() for cell in cells[1:]):
                    return True
                narrow = True
    return not narrow


def find_single_rows(lines: Sequence[tuple[int, str]]) -> frozenset[int]:
    """The numbers of the lines that are rows of a single cell, and that another row follows."""
    rows = [(number, len(ELEMENT.findall(line, row.end()))) for number, line in lines if (row := ROW.match(line))]
    following = {number for number, _ in rows[:-1]}
    after = {number: line for (number, _), line in zip(lines, (line for _, line in lines[1:]), strict=False)}
    return frozenset(
        number for number, cells in rows if cells == 1 and number in following and ROW.match(after.get(number, ""))
    )


def find_only_roll(line: str, start: int) -> str | None:
    """The dice of a row with a single cell that is a roll; ``start`` is where its cells begin."""
    cells = [cell for cell in ELEMENT.finditer(line, start) if cell.lastgroup != "row"]
    return cells[0]["dice"] if len(cells) == 1 else None


def find_first_rows(lines: Sequence[tuple[int, str]]) -> frozenset[int]:
    """The numbers of the lines with a row 1 before a row 2, unless both are candidates for one roll."""
    rows = [(number, line, row) for number, line in lines if (row := ROW.match(line))]
    return frozenset(
        number
        for (number, line, row), (_, after, second) in pairwise(rows)
        if int(row[1]) == 1
        and int(second[1]) == 2
        and (find_only_roll(line, row.end()) or "first") != (find_only_roll(after, second.end()) or "second")
    )
