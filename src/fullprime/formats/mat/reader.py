"""Match text (``.mat``, ``.txt``): the interchange format of Jellyfish, in all the dialects that are written.

The left column is O (GNU Backgammon's player 0), the right column X. ``docs/formats/mat.md`` lists the dialects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.mat.rows import LENGTH, NAMED_BY_BOARD, RIGHT, MatchReader
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.recorder import MOST_MATCHES


def recognises(head: bytes) -> bool:
    """True if a file that begins like this is match text."""
    return _LOOKS.search(texts.decode(head)) is not None


_LOOKS = re.compile(
    r"^[^\S\n]*+-?\d{1,9}\s*+(?:-\s*+)?points?\s+match|^[^\S\n]*+Game\s++\d++\s*+(?<=\n).*:\s*+\d++\s++.*:\s*+\d"
    r"|^[^\S\n]*+;\s*+\[",
    re.IGNORECASE | re.MULTILINE,
)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Every match of the text; raises FormatError when there is none."""
    return read_lines(list(enumerate(texts.lines(data), 1)), name)


def read_lines(lines: list[tuple[int, str]], name: str = "") -> tuple[Document, ...]:
    """The same for numbered lines."""
    documents = [_read_match(part, name) for part in _parts(lines)]
    found = tuple(document for document in documents if document is not None)
    if not found:
        raise FormatError(f"{name or 'the text'} holds no match: no 'n point match', no 'Game n' and no numbered row")
    return found


def _parts(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The numbered lines of each match: a second ``n point match`` begins another one, its tags go with it."""
    part: list[tuple[int, str]] = []
    headed = 0
    for number, line in lines:
        if LENGTH.match(line):
            if headed:
                head_start = len(part)
                while head_start and (
                    not part[head_start - 1][1].strip() or part[head_start - 1][1].lstrip()[:1] in ";#"
                ):
                    head_start -= 1
                yield part[:head_start]
                part = part[head_start:]
            headed += 1
            if headed > MOST_MATCHES:
                raise FormatError(f"line {number}: over {MOST_MATCHES:,} matches stand in one file")
        part.append((number, line))
    yield part


def _read_match(lines: list[tuple[int, str]], name: str) -> Document | None:
    """The match, read again where the games show a fact that its head does not give."""
    reader = MatchReader(lines)
    document = reader.read(name)
    if document is None or reader.recorder is None:
        return document
    guessed: list[str] = []
    if reader.variant_shown is not None:
        reader = MatchReader(lines, variant=reader.variant_shown)
        document = reader.read(name)
    if reader.illegal and reader.board_set:
        # eXtreme Gammon and GNU Backgammon have the left player's checkers in capitals; the plays tell who has not.
        other = MatchReader(lines, variant=reader.variant, capitals=RIGHT)
        found = other.read(name)
        if found is not None and other.illegal < reader.illegal:
            reader, document = other, found
            guessed.append("the board that is set explains the plays only with the right player's checkers in capitals")
    if reader.illegal and reader.variant is None and not reader.names_variation:
        # Text without a head (Snowie's, for one) does not name the variation: another start may explain every play.
        for variant in NAMED_BY_BOARD:
            other = MatchReader(lines, variant=variant, capitals=reader.capitals)
            found = other.read(name)
            if found is not None and not other.illegal:
                reader, document = other, found
                guessed.append(f"the variation is not named; only {variant.title} explains the plays")
                break
    if reader.jacoby_shows:
        # The file does not say so, but a gammon with the cube in the middle counted one point.
        document = MatchReader(lines, jacoby=True, variant=reader.variant, capitals=reader.capitals).read(name)
    elif reader.crawford_shows:
        other = MatchReader(lines, variant=reader.variant, crawford=False, capitals=reader.capitals)
        document = other.read(name)
        guessed.append("the head does not say so, but without the Crawford rule the doubles are allowed: read so")
    problems = tuple(Problem(words, lines[0][0]) for words in guessed)
    return document and replace(document, report=(*problems, *document.report))
