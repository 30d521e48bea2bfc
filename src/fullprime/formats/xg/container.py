"""The container of eXtreme Gammon files (``.xg``, ``.xgp``): a header, a picture, and an archive of members.

Layout: the published description (extremegammon.com/xgformat.aspx). Sizes that the file states are never believed:
everything is bounded before it is unpacked.
"""

from __future__ import annotations

import codecs
import re
import struct
import zlib
from dataclasses import dataclass

from fullprime.formats.document import FormatError, Problem

MAGIC = b"RGMH"
_HEADER = 8232
_TRAILER = struct.Struct("<Iiiiii12x")
_ENTRY = 532
_NUMBERS = struct.Struct("<iiiIBB")
_MAX_MEMBERS = 64
_MAX_MEMBER = 64 << 20
_MAX_ALL = 96 << 20
"""Bytes of all members together."""

RECORDS, ROLLOUTS, COMMENTS = "temp.xg", "temp.xgr", "temp.xgc"


@dataclass(frozen=True, slots=True)
class Container:
    """The texts of the header and the members by name."""

    title: str
    comment: str
    members: dict[str, bytes]


def wide(data: bytes, offset: int, characters: int) -> str:
    """Read a UTF-16 text that ends at the first zero."""
    text = data[offset : offset + 2 * characters].decode("utf-16-le", errors="replace")
    return text.partition("\0")[0]


def short(data: bytes, offset: int, size: int) -> str:
    """Read a text of one byte a letter, with its length before it."""
    length = min(data[offset], size) if offset < len(data) else 0
    return data[offset + 1 : offset + 1 + length].decode("cp1252", errors="replace")


def unpack(data: bytes, problems: list[Problem]) -> Container:
    """Unpack a file into its members; raises FormatError when there are none."""
    if not data.startswith(MAGIC) or len(data) < _HEADER + _TRAILER.size:
        raise FormatError("this is no eXtreme Gammon file, or only its beginning")
    _, count, _, index_size, data_size, packed = _TRAILER.unpack_from(data, len(data) - _TRAILER.size)
    index_start = len(data) - _TRAILER.size - index_size
    start = index_start - data_size
    if not (0 < count <= _MAX_MEMBERS and index_size > 0 and data_size > 0 and start >= _HEADER):
        raise FormatError("the archive at the end of this eXtreme Gammon file is damaged or cut off")
    stated = struct.unpack_from("<I", data, len(data) - _TRAILER.size)[0]
    if zlib.crc32(data[start : len(data) - _TRAILER.size]) != stated:
        problems.append(Problem("the file's check sum is wrong: something in it was changed", offset=len(data) - 36))
    raw = data[index_start : index_start + index_size]
    index = _inflate(raw, count * _ENTRY, index_start) if packed else raw
    members: dict[str, bytes] = {}
    left = _MAX_ALL
    for number in range(count):
        entry = index[number * _ENTRY : (number + 1) * _ENTRY]
        if len(entry) < _ENTRY:
            problems.append(Problem("the table of members is cut off", offset=index_start))
            break
        name = short(entry, 0, 255).lower()
        size, packed_size, offset, crc, stored, _ = _NUMBERS.unpack_from(entry, 512)
        begin = start + offset
        if offset < 0 or packed_size < 0 or begin + packed_size > index_start or not 0 <= size <= _MAX_MEMBER:
            problems.append(Problem(f"{name!r:.30} lies outside the file or is too large", offset=index_start))
            continue
        blob = data[begin : begin + packed_size]
        try:
            content = blob if stored == 1 else _inflate(blob, size, begin)
            left -= len(content)
            if left < 0:
                raise FormatError(f"the members of the archive unpack to more than {_MAX_ALL:,} bytes")
        except FormatError as error:
            problems.append(Problem(str(error), offset=begin))
            continue
        if zlib.crc32(content) != crc:
            problems.append(Problem(f"the check sum of {name!r:.30} is wrong", offset=begin))
        members[name] = content
    if not members:
        raise FormatError("no member of this eXtreme Gammon file can be unpacked")
    return Container(wide(data, 40, 1024), wide(data, 40 + 3 * 2048, 1024), members)


_GUID = bytes.fromhex("e1f55a2f21e03248a423ef480ec58a0b")
"""The same in every file of eXtreme Gammon."""


def pack(title: str, members: dict[str, bytes]) -> bytes:
    """Pack members into a file without a picture; ``title`` is the name that lists of files show."""
    index = blobs = b""
    for name, content in members.items():
        packed = zlib.compress(content)
        entry = bytearray(_ENTRY)
        entry[: 1 + len(name)] = bytes([len(name)]) + name.encode("ascii")
        _NUMBERS.pack_into(entry, 512, len(content), len(packed), len(blobs), zlib.crc32(content), 0, 2)
        index += bytes(entry)
        blobs += packed
    packed_index = zlib.compress(index)
    header = bytearray(_HEADER)
    struct.pack_into("<4sIIqI16s", header, 0, MAGIC, 1, _HEADER, 0, 0, _GUID)
    text = title.encode("utf-16-le", errors="replace")[: 2 * 1023]
    header[40 + 2048 : 40 + 2048 + len(text)] = text
    check = zlib.crc32(blobs + packed_index)
    trailer = _TRAILER.pack(check, len(members), 1, len(packed_index), len(blobs), 1)
    return bytes(header) + blobs + packed_index + trailer


def _inflate(blob: bytes, size: int, offset: int) -> bytes:
    """Unpack at most ``size`` bytes (and never more than the limit); the readable part of a damaged stream is kept."""
    limit = min(size, _MAX_MEMBER)
    decoder = zlib.decompressobj()
    content = bytearray()
    try:
        for part in range(0, len(blob), 4096):
            content += decoder.decompress(blob[part : part + 4096], limit + 1 - len(content))
            if len(content) > limit:
                raise FormatError(f"the archive at byte {offset} unpacks to more than the {size:,} bytes it states")
            if decoder.eof:
                break
    except zlib.error as error:
        if not content:
            raise FormatError(f"the archive at byte {offset} cannot be unpacked: {error!s:.60}") from error
    return bytes(content)


_RTF_WORD = re.compile(
    r"\\u(?P<unit>-?\d{1,6}) ?(?:\\'[0-9a-fA-F]{2}|\??)"
    r"|(?P<bytes>(?:\\'[0-9a-fA-F]{2})++)"
    r"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?"
    r"|\\(?P<sign>[^a-zA-Z0-9])|[{}]|[^\\{}]+"
)
_RTF_SKIPPED = {"fonttbl", "colortbl", "stylesheet", "info", "generator", "pict", "object"}
_RTF_PAGE = re.compile(r"\\ansicpg(\d{3,5})")
_RTF_FONT = re.compile(r"\\f(\d{1,5})(?:\\[a-z]{1,20}(?!\d))*\\fcharset(\d{1,3})")
_PAGES = {
    128: "cp932",
    129: "cp949",
    134: "cp936",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    238: "cp1250",
}
"""The letters of a font, by the number of its set."""


def _page(number: int) -> str:
    """The name of a page of letters that Python knows, else that of Western Europe."""
    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "cp1252"


def plain_text(rtf: str) -> str:
    """The words of a remark in Rich Text Format."""
    if not rtf.lstrip().startswith("{\\rtf"):
        return rtf.strip()
    usual = page = _page(int(named[1])) if (named := _RTF_PAGE.search(rtf)) else "cp1252"
    fonts = {int(match[1]): _PAGES.get(int(match[2]), usual) for match in _RTF_FONT.finditer(rtf)}
    depth = skip = 0
    words: list[str] = []
    for token in _RTF_WORD.finditer(rtf):
        text, word = token[0], token["word"]
        if text == "{":
            depth += 1
        elif text == "}":
            skip = 0 if skip == depth else skip
            depth -= 1
        elif word in _RTF_SKIPPED or token["sign"] == "*":
            skip = skip or depth
        elif skip:
            continue
        elif token["unit"] is not None:
            words.append(chr(int(token["unit"]) % 65536))
        elif token["bytes"] is not None:
            words.append(bytes.fromhex(token["bytes"].replace("\\'", "")).decode(page, errors="replace"))
        elif word in ("par", "line"):
            words.append("\n")
        elif word == "tab":
            words.append("\t")
        elif word == "f" and token["number"] is not None:
            page = fonts.get(int(token["number"]), usual)
        elif token["sign"] is not None:
            words.append(" " if token["sign"] == "~" else token["sign"] if token["sign"] in "\\{}" else "")
        elif word is None:
            words.append(text.replace("\r", "").replace("\n", ""))
    remark = "".join(words).encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
    return remark.strip("\x00 \n\t")


def rich_text(words: str) -> str:
    """A remark as Rich Text, in letters that every code page has."""
    parts = []
    for letter in words:
        if letter in "\\{}":
            parts.append("\\" + letter)
        elif letter == "\n":
            parts.append("\\par\x01\x02")
        elif letter == "\t":
            parts.append("\\tab ")
        elif " " <= letter <= "~":
            parts.append(letter)
        elif letter > "~":
            units = letter.encode("utf-16-le", errors="replace")
            parts += [f"\\u{unit}?" for unit in struct.unpack(f"<{len(units) // 2}h", units)]
    head = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}}"
    return head + "\x01\x02" + r"\viewkind4\uc1\pard\fs20 " + "".join(parts) + "\\par\x01\x02}"


def remarks(content: bytes) -> list[str]:
    """The comments of a file, in the order of their numbers."""
    lines = content.decode("cp1252", errors="replace").split("\r\n")
    return [plain_text(line.replace("\x01", "\r").replace("\x02", "\n")) for line in lines]
