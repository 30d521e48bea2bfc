"""Text files: their bytes as letters and lines, within limits that no match reaches."""

from __future__ import annotations

import re

from fullprime.formats.document import FormatError

MAX_LINE = 20_000
"""Characters of one line: the longest lines of real files are remarks of a few thousand."""
MAX_LINES = 500_000
_BLANKS = 100
_MANY_BLANKS = re.compile(rf"[^\S\n]{{{_BLANKS + 1},}}")


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else Windows-1252 (what old programs wrote)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def squeezed(text: str) -> str:
    """The text with no more than 100 blanks in a row: columns are nearer, and what looks for words takes no longer."""
    return _MANY_BLANKS.sub(" " * _BLANKS, text)


def lines(data: bytes, longest: int = MAX_LINE) -> list[str]:
    """The lines of a text file; every usual end of a line counts. Raises FormatError beyond the limits."""
    found = squeezed(decode(data).replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    if len(found) > MAX_LINES:
        raise FormatError(f"the text has {len(found):,} lines; at most {MAX_LINES:,} are read")
    for number, line in enumerate(found, 1):
        if len(line) > longest:
            raise FormatError(f"line {number} has {len(line):,} characters; no line of a match has over {longest:,}")
    return found


_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\x1a"))


def is_text(data: bytes) -> bool:
    """True if the bytes can be text that somebody wrote: hardly any control characters (a few are damage)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    start = data[: 1 << 16]
    return (len(start) - len(start.translate(None, _CONTROLS))) * 20 <= len(start)
