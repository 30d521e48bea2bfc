"""Text files: their bytes as letters and lines, within limits that no match reaches."""

from __future__ import annotations

import re
from html import unescape

from fullprime.formats.document import FormatError

MAX_LINE = 20_000
"""Characters of one line: the longest lines of real files are remarks of a few thousand."""
MAX_LINES = 500_000
_BLANKS = 100
_MANY_BLANKS = re.compile(rf"[^\S\n]{{{_BLANKS + 1},}}")


_MARKS = ((b"\xff\xfe\0\0", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
"""Byte order marks; the first that fits counts."""
_JAPANESE = re.compile(r"(?<![A-Za-z])[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]+(?![A-Za-z])")
_UNKNOWN = b"\x81\x8d\x8f\x90\x9d"
"""Bytes that are no letters of Windows-1252; the first is the u umlaut of DOS."""
_CYRILLIC = re.compile(rb"(?<![A-Za-z\x80-\xff])[\xc0-\xff\xa8\xb8]{4,}(?![A-Za-z\x80-\xff])")


_INVISIBLE = dict.fromkeys((0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF))
"""Letters that show nothing: order marks between files that were joined, directions of pages."""
_PAGE = re.compile(r"\s*<(?:!doctype|html|head|body|pre|div|table|p)\b", re.IGNORECASE)
_LINE_TAG = re.compile(
    r"<(?:br|hr|/?(?:p|div|tr|pre|li|h\d|table|title|head|body))\b[^<>]{0,200}>[^\S\n]{0,20}\n?", re.IGNORECASE
)
_CELL_TAG = re.compile(r"</t[dh]\s{0,9}>\s{0,99}(?=<t[dh]\b)", re.IGNORECASE)
_EMPTY_LINES = re.compile(r"\n(?:[^\S\n]*+\n)+")
_ELEMENTS = (
    "html|head|body|title|meta|link|style|script|noscript|base|main|header|footer|nav|section|article|aside|div|span|p|pre"
    "|br|hr|h[1-6]|table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|ul|ol|li|dl|dt|dd|a|b|i|u|s|em|strong|small|big"
    "|sub|sup|tt|code|kbd|samp|var|font|center|blockquote|q|cite|abbr|mark|img|figure|figcaption|form|input|label|button"
    "|select|option|textarea|iframe|nobr|wbr|strike|del|ins|o:p"
)
_TAG = re.compile(rf"<(?:!|/?(?:{_ELEMENTS})(?=[\s/>]))[^<>]{{0,2000}}>", re.IGNORECASE)
"""What a page of the web begins with, ends a line and a cell with, and what else it has between its words."""
_PRE = re.compile(r"\s*+<pre\b[^<>]{0,200}>", re.IGNORECASE)
_PRE_END = re.compile(r"</pre\s{0,9}>", re.IGNORECASE)
_OF_PAGE = re.compile(
    rf"<(?:html|head|body|br|/(?!pre)(?:{_ELEMENTS}))\b|&(?:\#\w{{1,7}}|[a-z]\w{{1,7}});", re.IGNORECASE
)
"""What shows that a text that begins as preformatted is more of a page: another end of an element, or an entity."""
_QUOTED = re.compile(r"^(?:>[^\S\n]?)+", re.MULTILINE)


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8 or UTF-16, else what old programs wrote.

    Marks that show nothing are left out, and those of a mail that quotes the text.
    """
    text = _letters(data)
    if not text.isascii():
        text = text.translate(_INVISIBLE)
    return _QUOTED.sub("", text) if _is_quoted(text) else text


def _is_quoted(text: str) -> bool:
    """True if most lines begin as in the answer to a mail."""
    if not text.startswith(">") and "\n>" not in text:
        return False
    written = [line for line in text.split("\n") if line.strip()]
    return 2 * sum(line.startswith(">") for line in written) > len(written)


def _letters(data: bytes) -> str:
    marked = next((codec for mark, codec in _MARKS if data.startswith(mark)), None) or _decode_unmarked_wide(data)
    if marked is not None:
        return data.decode(marked, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="replace")
    damaged = text.count("\N{REPLACEMENT CHARACTER}")
    if sum(letter > "\x7f" for letter in text) > 2 * damaged:
        return text  # Cut off in the middle of a letter, or a few bytes are wrong.
    return _decode_old(data)


def _decode_unmarked_wide(data: bytes) -> str | None:
    """UTF-16 without its mark: nearly every second byte of a text in Latin letters is 0."""
    start = data[:4096]
    half = len(start) // 2
    zeros = start[0::2].count(0), start[1::2].count(0)
    if half < 16 or max(zeros) * 10 < half * 7 or min(zeros) * 20 > half:
        return None
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _decode_old(data: bytes) -> str:
    """One byte a letter: Windows-1252, unless names without a Latin letter beside them show another alphabet.

    Line ends are those of a Macintosh, or letters are none of Windows: then it was a Macintosh, or DOS.
    """
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        pass
    else:
        strange = sum(letter > "\x7f" for letter in text)
        if strange > 1 and sum(map(len, _JAPANESE.findall(text))) == strange:
            return text
    if any(byte in data for byte in _UNKNOWN):
        return data.decode("cp850")
    if b"\r" in data and b"\n" not in data and not data.translate(None, bytes(range(0xA0))):
        return data.decode("mac_roman")
    # A word of nothing but accented letters, four or more, is none of a Western language.
    return data.decode("cp1251" if _CYRILLIC.search(data) else "cp1252", errors="replace")


def squeeze_blanks(text: str) -> str:
    """The text with no more than 100 blanks in a row: columns are nearer, and what looks for words takes no longer."""
    return _MANY_BLANKS.sub(" " * _BLANKS, text)


def plain(data: bytes) -> str:
    """The text of a file with one kind of line end and of blank."""
    text = decode(data).rstrip("\0\x1a")
    if (pre := _PRE.match(text)) is not None and _OF_PAGE.search(text) is None:
        text = _PRE_END.sub("", text[pre.end() :])  # Nothing else is marked: what looks like a tag may be a name.
    elif _PAGE.match(text):
        text = _EMPTY_LINES.sub("\n\n", unescape(_TAG.sub("", _LINE_TAG.sub("\n", _CELL_TAG.sub("  ", text)))))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")


_MARK = r"(?:\[/?(?:code|pre|quote|tt|spoiler)\b[^\]\n]{0,60}\]|</?(?:pre|code|tt)>|(?:`{3}|~{3})\w{0,20})"
_OPENS = re.compile(rf"\s*+(?:{_MARK}\s*){{1,3}}", re.IGNORECASE)
_CLOSES = re.compile(rf"{_MARK}\s*$", re.IGNORECASE)
"""What a forum or Markdown has around a text."""


def unwrapped(line: str) -> str:
    """The line without marks of a forum or of Markdown at its ends."""
    if line.lstrip()[:1] not in ("[", "<", "`", "~") and not line.rstrip().endswith(("]", ">", "```")):
        return line
    if (opens := _OPENS.match(line)) is not None:
        line = line[opens.end() :]
    return _CLOSES.sub("", line)


def lines(data: bytes, longest: int = MAX_LINE) -> list[str]:
    """The lines of a text file; every usual end of a line counts. Raises FormatError beyond the limits."""
    all_lines = squeeze_blanks(plain(data)).split("\n")
    if len(all_lines) > MAX_LINES:
        raise FormatError(f"the text has {len(all_lines):,} lines; at most {MAX_LINES:,} are read")
    for number, line in enumerate(all_lines, 1):
        if len(line) > longest:
            raise FormatError(f"line {number} has {len(line):,} characters; no line of a match has over {longest:,}")
    return all_lines


_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\x1a"))


def is_text(data: bytes) -> bool:
    """True if the bytes can be written text: hardly any control characters (a few are damage)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _decode_unmarked_wide(data) is not None:
        return True
    start = data[: 1 << 16]
    return (len(start) - len(start.translate(None, _CONTROLS))) * 20 <= len(start)
