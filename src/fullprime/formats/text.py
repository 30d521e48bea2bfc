"""Bytes of text files: which letters they mean."""

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
    """The lines of a text file, whatever ends them."""
    return decode(data).replace("\r\n", "\n").replace("\r", "\n").split("\n")
