"""Text files: their bytes as letters and lines, within limits that no match reaches."""

from __future__ import annotations

import re

from fullprime.formats.document import FormatError

MAX_LINE = 20_000
"""Characters of one line: the longest lines of real files are remarks of a few thousand."""
MAX_LINES = 500_000
_BLANKS = 100
_MANY_BLANKS = re.compile(rf"[^\S\n]{{{_BLANKS + 1},}}")


_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""Byte order marks; the first that fits counts."""
_JAPANESE = re.compile(r"(?<![A-Za-z])[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]+(?![A-Za-z])")
_CYRILLIC = re.compile(rb"(?<![A-Za-z\x80-\xff])[\xc0-\xff\xa8\xb8]{4,}(?![A-Za-z\x80-\xff])")


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8 or UTF-16, else what old programs wrote."""
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), None) or _unmarked_wide(data)
    if marked is not None:
        return data.decode(marked, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
    damaged = text.count("\N{REPLACEMENT CHARACTER}")
    if sum(letter > "\x7f" for letter in text) > 2 * damaged:
        return text  # Cut off in the middle of a letter, or a few bytes are wrong.
    return _of_old_programs(data)


def _unmarked_wide(data: bytes) -> str | None:
    """UTF-16 without its mark: nearly every second byte of a text in Latin letters is 0."""
    start = data[:4096]
    half = len(start) // 2
    zeros = start[0::2].count(0), start[1::2].count(0)
    if half < 16 or max(zeros) * 10 < half * 7 or min(zeros) * 20 > half:
        return None
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _of_old_programs(data: bytes) -> str:
    """One byte a letter: Windows-1252, unless names without a Latin letter beside them show another alphabet."""
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        pass
    else:
        strange = sum(letter > "\x7f" for letter in text)
        if strange > 1 and sum(map(len, _JAPANESE.findall(text))) == strange:
            return text
    # A word of nothing but accented letters, four or more, is none of a Western language.
    return data.decode("cp1251" if _CYRILLIC.search(data) else "cp1252", errors="replace")


def squeezed(text: str) -> str:
    """The text with no more than 100 blanks in a row: columns are nearer, and what looks for words takes no longer."""
    return _MANY_BLANKS.sub(" " * _BLANKS, text)


def lines(data: bytes, longest: int = MAX_LINE) -> list[str]:
    """The lines of a text file; every usual end of a line counts. Raises FormatError beyond the limits."""
    text = decode(data).rstrip("\0\x1a").replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    found = squeezed(text).split("\n")
    if len(found) > MAX_LINES:
        raise FormatError(f"the text has {len(found):,} lines; at most {MAX_LINES:,} are read")
    for number, line in enumerate(found, 1):
        if len(line) > longest:
            raise FormatError(f"line {number} has {len(line):,} characters; no line of a match has over {longest:,}")
    return found


_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\x1a"))


def is_text(data: bytes) -> bool:
    """True if the bytes can be text that somebody wrote: hardly any control characters (a few are damage)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _unmarked_wide(data) is not None:
        return True
    start = data[: 1 << 16]
    return (len(start) - len(start.translate(None, _CONTROLS))) * 20 <= len(start)
