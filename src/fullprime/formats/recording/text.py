"""Text files: their bytes as letters and lines."""

from __future__ import annotations


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else Windows-1252 (what old programs wrote)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def lines(data: bytes) -> list[str]:
    """The lines of a text file; every usual end of a line counts."""
    return decode(data).replace("\r\n", "\n").replace("\r", "\n").split("\n")


_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\x1a"))


def is_text(data: bytes) -> bool:
    """True if the bytes can be text that somebody wrote: hardly any control characters (a few are damage)."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    start = data[: 1 << 16]
    return (len(start) - len(start.translate(None, _CONTROLS))) * 20 <= len(start)
