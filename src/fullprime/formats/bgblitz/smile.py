"""Smile, the binary form of JSON (FasterXML's specification), as far as files use it; bounded in size and depth."""

from __future__ import annotations

import struct
from typing import Any

from fullprime.formats.document import FormatError

MAGIC = b":)\n"
_MAX_DEPTH = 64
_MAX_VALUES = 4_000_000
_END = object()


def loads(data: bytes) -> Any:
    """The value that the bytes hold; raises FormatError."""
    if len(data) < 4 or not data.startswith(MAGIC):
        raise FormatError("this is not Smile: its magic word is missing")
    try:
        return _Decoder(data).value(0)
    except (IndexError, struct.error) as error:
        raise FormatError("the Smile data are cut off") from error


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.count = data, 4, 0
        self.shares_names, self.shares_values = bool(data[3] & 1), bool(data[3] & 2)
        self.names: list[str] = []
        self.values: list[str] = []

    def _take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise FormatError(f"the Smile data are cut off at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def _byte(self) -> int:
        return self._take(1)[0]

    def _until_end(self) -> bytes:
        end = self.data.find(b"\xfc", self.at)
        if end < 0:
            raise FormatError(f"a text at byte {self.at} does not end")
        text = self.data[self.at : end]
        self.at = end + 1
        return text

    def _zigzag(self) -> int:
        value = 0
        for _ in range(11):
            byte = self._byte()
            if byte & 0x80:
                value = value << 6 | byte & 0x3F
                return (value >> 1) ^ -(value & 1)
            value = value << 7 | byte
        raise FormatError(f"a number at byte {self.at} has too many digits")

    def _float(self, count: int, bits: int, form: str) -> float:
        value = 0
        for byte in self._take(count):
            value = value << 7 | byte & 0x7F
        packed = (value & ((1 << bits) - 1)).to_bytes(bits // 8, "big")
        return float(struct.unpack(form, packed)[0])

    def _find_shared(self, index: int, table: list[str]) -> str:
        if index >= len(table):
            raise FormatError(f"byte {self.at} refers to a name that was not given")
        return table[index]

    def _keep(self, text: str, table: list[str], shares: bool, size: int) -> str:
        if shares and size <= 64:
            if len(table) == 1024:
                table.clear()
            table.append(text)
        return text

    def value(self, depth: int) -> Any:
        """The next value, or the mark of an array's end."""
        self.count += 1
        if depth > _MAX_DEPTH or self.count > _MAX_VALUES:
            raise FormatError("the Smile data are nested too deeply or too long")
        token = self._byte()
        if token <= 0x1F and token:
            return self._find_shared(token - 1, self.values)
        if 0x20 <= token <= 0x23:
            return ("", None, False, True)[token - 0x20]
        if token in (0x24, 0x25):
            return self._zigzag()
        if token == 0x28:
            return self._float(5, 32, ">f")
        if token == 0x29:
            return self._float(10, 64, ">d")
        if 0x40 <= token <= 0xBF:
            return self._short_text(token)
        if 0xC0 <= token <= 0xDF:
            small = token & 0x1F
            return (small >> 1) ^ -(small & 1)
        if token in (0xE0, 0xE4):
            return self._until_end().decode("utf-8", errors="replace")
        if 0xEC <= token <= 0xEF:
            return self._find_shared((token & 3) << 8 | self._byte(), self.values)
        if token == 0xF8:
            return self._array(depth)
        if token in (0xF9, 0xFF):
            return _END
        if token == 0xFA:
            return self._object(depth)
        raise FormatError(f"the Smile token {token:#04x} at byte {self.at - 1} is not known")

    def _short_text(self, token: int) -> str:
        size = {2: 1, 3: 33, 4: 2, 5: 34}[token >> 5] + (token & 0x1F)
        return self._keep(self._take(size).decode("utf-8", errors="replace"), self.values, self.shares_values, size)

    def _array(self, depth: int) -> list[Any]:
        values = []
        while (value := self.value(depth + 1)) is not _END:
            values.append(value)
        return values

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while (name := self._name()) is not None:
            value = self.value(depth + 1)
            if value is _END:
                raise FormatError(f"a value is missing at byte {self.at}")
            members[name] = value
        return members

    def _name(self) -> str | None:
        token = self._byte()
        if token in (0xFB, 0xFF):
            return None
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self._find_shared((token & 3) << 8 | self._byte(), self.names)
        if token == 0x34:
            return self._until_end().decode("utf-8", errors="replace")
        if 0x40 <= token <= 0x7F:
            return self._find_shared(token - 0x40, self.names)
        if 0x80 <= token <= 0xF7:
            size = (token & 0x3F) + 1 if token < 0xC0 else (token & 0x3F) + 2
            return self._keep(self._take(size).decode("utf-8", errors="replace"), self.names, self.shares_names, size)
        raise FormatError(f"the Smile name token {token:#04x} at byte {self.at - 1} is not known")
