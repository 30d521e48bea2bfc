"""The bytes of OGXM version 2: sections, records with presence masks, numbers of seven bits a byte.

Follows the published description (OGXM_FORMAT_SPEC.md of the HedgeHog project, CC BY 4.0).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from fullprime.formats.document import FormatError

MAGIC = b"OGXM"
_HEADER = 16
_LATEST_ONE = 9
"""Of version 1; 1.3 was the last that changed the form for readers."""
_SECTION = struct.Struct("<4sIB")
_END = b"END!"


class Cursor:
    """Reads forwards through a part of a file; raises FormatError at its end."""

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at, self.end = data, at, len(data) if end is None else end

    @property
    def more(self) -> bool:
        """True if anything is left."""
        return self.at < self.end

    def take(self, count: int) -> bytes:
        """Read the next bytes."""
        if count < 0 or self.at + count > self.end:
            raise FormatError(f"the file is cut off at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        """Read one byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """Read a whole number: seven bits a byte, the lowest first."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return value
            shift += 7
            if shift > 63:
                raise FormatError(f"a number at byte {self.at} has too many digits")

    def text(self) -> str:
        """Read a text with its length before it."""
        return self.take(self.number()).decode("utf-8", errors="replace")

    def equity(self) -> float:
        """Read a signed number in millionths."""
        return float(struct.unpack("<i", self.take(4))[0]) / 1e6

    def chance(self) -> float:
        """Read a share in ten-thousandths."""
        return float(struct.unpack("<H", self.take(2))[0]) / 1e4

    def board(self) -> tuple[int, ...]:
        """Read a board: 26 signed counts."""
        return struct.unpack("<26b", self.take(26))

    def record(self) -> tuple[Cursor, Callable[[int], bool]]:
        """Read a record with its length before it: its contents, and the optional fields that it holds."""
        length = self.number()
        start = self.at
        self.take(length)
        body = Cursor(self.data, start, start + length)
        mask = body.number()
        return body, lambda bit: bool(mask >> bit & 1)


def version(data: bytes) -> int:
    """The major version of a file; raises FormatError for one that we do not read."""
    if len(data) < _HEADER:
        raise FormatError("the file ends in its head")
    major, minor, needed, needed_minor = struct.unpack_from("<HHHH", data, 4)
    if (major, needed) not in ((1, 1), (2, 2), (2, 0), (2, 1)) or (major == 1 and needed_minor > _LATEST_ONE):
        raise FormatError(f"this is OGXM version {major}.{minor}; versions 1 and 2 are read")
    return int(major)


def sections(data: bytes) -> Iterator[tuple[bytes, int, Cursor]]:
    """Name, place and content of each section of version 2; raises FormatError for a damaged frame."""
    (size,) = struct.unpack_from("<I", data, 12)
    end = min(len(data), size)
    if data[end - 4 : end] == _END:
        end -= 4
    at = _HEADER
    while at + _SECTION.size <= end:
        name, length, _ = _SECTION.unpack_from(data, at)
        start = at + _SECTION.size
        if start + length > end:
            raise FormatError(f"the section {name.decode('latin-1')!r} at byte {at} is cut off")
        yield name, at, Cursor(data, start, start + length)
        at = start + length
