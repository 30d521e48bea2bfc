"""Remarks of the user in texts of eXtreme Gammon: every line that the program does not write itself.

The program's own lines are known by their form and place, because it writes in many languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fullprime.formats.gnubg_text.blocks import (
    FOOTNOTE_MARKS,
    LEVEL,
    NAMES,
    NUMBER,
    PERCENT,
    ROW,
    TWO_EQUITIES,
    Block,
    indented,
)

_SCORE = re.compile(r"\bX:\s*\d+\s+O:\s*\d+")
"""The score, and the pips with it."""
_PIPS = re.compile(r"\bX:\s*\d+\s+O:\s*\d+\s+X-O:")
_BOARD = re.compile(r"\s*[v^]?[|+](?:.*[|+])?\s*$|\s*[|+].*\|.*$")
_CUBE = re.compile(r"[^:]*:\s*\d+\b")
_EQUITY = re.compile(rf"\s+\S.*:\s*{NUMBER}\s*(?:\({NUMBER}\)\s*)?$")
_SHARE = re.compile(rf".*:\s*{NUMBER}\s*%\s*$")
_FOOTNOTE = re.compile(rf"\s*[{FOOTNOTE_MARKS}]")
_PROGRAM = re.compile(r"\s*eXtreme Gammon\b", re.IGNORECASE)


def remarks(block: Block) -> str:
    """The user's words in the block, line by line; empty when there are none."""
    lines, full_lines = indented(block.lines), block.full_lines
    analysed = [index for index, line in enumerate(lines) if _is_analysis(line) and not _PROGRAM.match(line)]
    first, last = (analysed[0], analysed[-1]) if analysed else (len(lines), len(lines) - 1)
    is_cube = bool(analysed) and not any(ROW.match(line) for line in lines)
    remark_lines = [
        *_lines_after_head(block.above, analysed=False),
        *_lines_after_head(full_lines[:first], analysed=bool(analysed)),
        "",
        *_lines_after_analysis(full_lines[last + 1 :], is_cube),
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in remark_lines).strip("\n"))


def _is_analysis(line: str) -> bool:
    return any(form.search(line) for form in (ROW, PERCENT, TWO_EQUITIES)) or (
        line[:1].isspace() and ("\N{PLUS-MINUS SIGN}" in line or _EQUITY.match(line) is not None)
    )


def _lines_after_head(lines: Sequence[str], *, analysed: bool) -> Iterator[str]:
    """The lines above an analysis that are neither the names, the score, the board nor the question."""
    expected = 0
    begun = False
    for index, line in enumerate(lines):
        if begun and not line.strip():
            yield ""
        if not line.strip() or NAMES.match(line) or _BOARD.match(line) or _PROGRAM.match(line):
            continue
        if _SCORE.search(line):
            expected = 2 if _PIPS.search(line) else 0  # The cube and who is to do what stand below the pips.
        elif expected and (expected == 1 or _CUBE.match(line)):
            expected -= 1
        elif not (analysed and LEVEL.search(line) and not any(text.strip() for text in lines[index + 1 :])):
            begun = True
            yield line


def _lines_after_analysis(lines: Sequence[str], is_cube: bool) -> Iterator[str]:
    """The lines below an analysis but advice, footnotes and how a rollout was made."""
    begun = within = False
    for index, line in enumerate(lines):
        if within and line[:1].isspace() and line.strip():
            continue
        within = False
        heads = index + 1 < len(lines) and lines[index + 1][:1].isspace() and bool(lines[index + 1].strip())
        if _PROGRAM.match(line):
            continue
        if _FOOTNOTE.match(line) or (not begun and line.rstrip().endswith(":") and heads):
            within = True
        elif not begun and is_cube and "/" in line:
            is_cube = False  # The best action, once.
        elif begun or (line.strip() and not _SHARE.match(line)):
            begun = True
            yield line
