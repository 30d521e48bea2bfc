"""The pieces of which OGXM version 2 is made, as they are written."""

from __future__ import annotations

import struct

LONGEST = 4096
"""Bytes of a text that readers take."""


def write_varint(value: int) -> bytes:
    """Write a whole number: seven bits a byte, the lowest first."""
    octets = bytearray()
    while value > 0x7F:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])


def text(words: str, losses: list[str]) -> bytes:
    """Write a text with its length before it; ``losses`` gets a line for one that is too long."""
    data = words.encode("utf-8", errors="replace")
    if len(data) > LONGEST:
        losses.append(f"a text is cut to {LONGEST} bytes")
        data = data[:LONGEST].decode("utf-8", errors="ignore").encode()
    return write_varint(len(data)) + data


def pack_record(fixed: bytes, fields: dict[int, bytes]) -> bytes:
    """Write a record after its length: the mask of its optional fields, the fixed part, the fields by their bits."""
    mask = sum(1 << bit for bit in fields)
    body = write_varint(mask) + fixed + b"".join(fields[bit] for bit in sorted(fields))
    return write_varint(len(body)) + body


def section(name: bytes, content: bytes, critical: bool = True) -> bytes:
    """Write a section of a file."""
    return struct.pack("<4sIB", name, len(content), critical) + content
