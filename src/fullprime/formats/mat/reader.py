"""Match text (``.mat``, ``.txt``): the interchange format of Jellyfish, in all the dialects that are written.

The left column is O (GNU Backgammon's player 0), the right column X. ``docs/formats/mat.md`` lists the dialects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.mat.cells import RIGHT
from fullprime.formats.mat.head import TAG
from fullprime.formats.mat.layout import Lines, tidy_rows
from fullprime.formats.mat.rows import MatchReader
from fullprime.formats.mat.words import GAME, LENGTH, ROW, SCORE, UNLIMITED
from fullprime.formats.recording import text as texts
from fullprime.formats.recording.boards import NAMED_BY_BOARD
from fullprime.formats.recording.recorder import MOST_MATCHES


def recognises(head: bytes) -> bool:
    """True if a file that begins like this is match text."""
    waiting = named = False
    for line in texts.squeeze_blanks(texts.plain(head)).split("\n"):
        unwrapped = texts.unwrapped(line)
        length = LENGTH.match(unwrapped)
        if (length and length["first"]) or UNLIMITED.match(unwrapped) or _TAGGED.match(unwrapped):
            return True
        if SCORE.match(unwrapped) and (waiting or named):
            return True
        named = named or length is not None
        waiting = GAME.match(unwrapped) is not None or (waiting and not unwrapped.strip())
    return False


_ROLLED = re.compile(r"^[^\S\n]*+\d{1,3}\)[^\S\n]*+[1-6]-?[1-6]:", re.MULTILINE)
_BLANKS = r"[^\S\n]*+"
_DICE = "[1-6][- ]?[1-6]"
_PLACE = r"(?:bar|\d{1,2})/"
_COLON = r"[^\S\n]?[:\uff1a]"
_ROLLS = re.compile(
    rf"^{_BLANKS}\d{{1,3}}(?:"
    rf"[).:](?:[^\S\n][^\n]{{0,200}}?)?(?<![\d:/-]){_DICE}{_COLON}"  # 1) 31: 8/5 6/5
    rf"|[).]{_BLANKS}{_DICE}[^\S\n]++{_PLACE}"  # 1) 31 8/5 6/5
    rf"|[).]?{_BLANKS}[1-6][/,][1-6]{_COLON}{_BLANKS}(?:{_PLACE}|$)"  # 1) 3/1: 8/5 6/5
    rf"|[^\S\n]++[1-6]-?[1-6]{_COLON}(?!\d\d\b(?!/))"  # 1 31: 8/5 6/5, and no time of the day
    rf"|[).]{_BLANKS}(?:[^\n]{{0,200}}?[^\S\n]{{2}})?(?:doubles|takes|drops)\b{_BLANKS}(?:=|$|(?<=\s\s))"
    r")",
    re.MULTILINE | re.IGNORECASE,
)
"""A numbered row with a roll or what was done with the cube, and no candidate, which has only its play."""
_TAGGED = re.compile(r"\s*+;\s*+\[")


def holds_rows(data: bytes) -> bool:
    """True if the text has nothing but numbered rows to tell what it is."""
    return len(_ROLLED.findall(texts.plain(data))) > 1


def holds_rolls(data: bytes) -> bool:
    """True if a numbered row of the text has a roll or a cube action."""
    return _ROLLS.search(texts.plain(data)) is not None


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Every match of the text; raises FormatError when there is none."""
    return read_lines(list(enumerate(texts.lines(data), 1)), name)


def read_lines(lines: list[tuple[int, str]], name: str = "") -> tuple[Document, ...]:
    """Read match text from numbered lines."""
    documents = [_read_match(part, name) for part in _parts(tidy_rows(lines))]
    readable = tuple(document for document in documents if document is not None)
    if not readable:
        raise FormatError(f"{name or 'the text'} holds no match: no 'n point match', no 'Game n' and no numbered row")
    return readable


def _parts(lines: Lines) -> Iterator[Lines]:
    """The numbered lines of each match: another length begins another match, and so do two other players at 0 : 0."""
    part: Lines = []
    begun = False
    count = 1
    players: set[str] = set()
    lengths = _lengths(lines)
    for number, line in lines:
        score = SCORE.match(line)
        names = {score[1].strip().casefold(), score[3].strip().casefold()} if score else players
        start = None
        if lengths.get(number) and begun:
            start = len(part)
        elif score and players and not players & names and score[2] == score[4] == "0":
            start = _first_game(part)
        if start is not None:
            while start and (not part[start - 1][1].strip() or part[start - 1][1].lstrip()[:1] in ";#"):
                start -= 1
            count += 1
            if count > MOST_MATCHES:
                raise FormatError(f"line {number}: over {MOST_MATCHES:,} matches stand in one file")
            yield part[:start]
            part = part[start:]
        if lengths.get(number):
            begun, names = False, set()
        begun = begun or score is not None or _begins_game(line)
        players = names
        part.append((number, line))
    yield part


def _lengths(lines: Lines) -> dict[int, bool]:
    """The numbers of the lines that tell a length, and whether a match begins with it, or it may be a remark."""
    lengths: dict[int, bool] = {}
    after, begins = "", False
    for number, line in reversed(lines):
        if not line.strip() or (line.lstrip()[0] in ";#" and not TAG.match(line)):
            continue
        length = LENGTH.match(line)
        if (length or UNLIMITED.match(line)) and not SCORE.match(line):
            begins = begins or bool(length and length["first"]) or _opens(after)
            lengths[number] = begins
            after = ""
        else:
            after, begins = line, False
    return lengths


def _opens(line: str) -> bool:
    """True if a match may begin with this line, its length being told above it."""
    row = ROW.match(line)
    return bool((row and int(row[1]) == 1) or GAME.match(line) or TAG.match(line) or SCORE.match(line))


def _begins_game(line: str) -> bool:
    return GAME.match(line) is not None or ROW.match(line) is not None


def _first_game(part: Lines) -> int | None:
    """The place of ``Game 1`` at the end of these lines, if it stands there."""
    place = len(part) - 1
    while place > 0 and not part[place][1].strip():
        place -= 1
    game = GAME.match(part[place][1]) if place > 0 else None
    return place if game and int(game[1]) == 1 else None


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
        # eXtreme Gammon and GNU Backgammon have the left player's checkers in capitals; the plays show other files.
        other = MatchReader(lines, variant=reader.variant, capitals=RIGHT)
        other_document = other.read(name)
        if other_document is not None and other.illegal < reader.illegal:
            reader, document = other, other_document
            guessed.append("the board that is set explains the plays only with the right player's checkers in capitals")
    if reader.illegal and reader.variant is None and not reader.names_variation:
        # Text without a head (Snowie's, for one) does not name the variation: another start may explain every play.
        for variant in NAMED_BY_BOARD:
            other = MatchReader(lines, variant=variant, capitals=reader.capitals)
            other_document = other.read(name)
            if other_document is not None and not other.illegal:
                reader, document = other, other_document
                guessed.append(f"the variation is not named; only {variant.title} explains the plays")
                break
    if reader.jacoby_shows:
        # The file does not say so, but a gammon with the cube in the middle counted one point.
        document = MatchReader(lines, jacoby=True, variant=reader.variant, capitals=reader.capitals).read(name)
    elif reader.begins_late:
        other = MatchReader(lines, variant=reader.variant, capitals=reader.capitals, post_crawford=True)
        document = other.read(name)
        guessed.append("the first game has a double one point away: read as after the Crawford game")
    elif reader.crawford_shows:
        other = MatchReader(lines, variant=reader.variant, crawford=False, capitals=reader.capitals)
        document = other.read(name)
        guessed.append("the head does not say so, but without the Crawford rule the doubles are allowed: read so")
    problems = tuple(Problem(words, lines[0][0]) for words in guessed)
    return document and replace(document, report=(*problems, *document.report))
