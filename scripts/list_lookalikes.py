#!/usr/bin/env python3
"""Writes the letters of all scripts that look like Latin ones, from the confusables of Unicode in the system's ICU.

Small capitals, letters in frames and letters with strokes, which are no confusables, are those that Unicode names so.

    python3 scripts/list_lookalikes.py libicui18n.so.72 72

The data are those of https://www.unicode.org/Public/security/ (confusables.txt), under the licence of Unicode.
"""

from __future__ import annotations

import ctypes
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

TABLE = Path(__file__).parents[1] / "src/fullprime/common/lookalikes.txt"
NAMED = re.compile(r"(?:LATIN (?:CAPITAL |SMALL )?LETTER (?:SMALL CAPITAL )?|SYMBOL LETTER )([A-Z])(?: WITH .*)?$")
HEAD = """\
# Letters that look like Latin letters and digits, by what they look like.
# From confusables.txt of Unicode Technical Standard 39, Unicode {version}; see scripts/list_lookalikes.py.
# Copyright © 1991-2022 Unicode, Inc. Unicode License V3, https://www.unicode.org/license.txt
"""


def main(library: str, number: str) -> None:
    """Ask ICU for the skeleton of every character."""
    icu, buffer, error = ctypes.CDLL(library), ctypes.create_string_buffer(256), ctypes.c_int(0)
    version = (ctypes.c_uint8 * 4)()
    ctypes.CDLL(library.replace("i18n", "uc"))[f"u_getUnicodeVersion_{number}"](version)
    opened = icu[f"uspoof_open_{number}"]
    opened.restype = ctypes.c_void_p
    checker = ctypes.c_void_p(opened(ctypes.byref(error)))
    lookalikes: dict[str, list[str]] = defaultdict(list)
    for letter in map(chr, range(0x80, 0x110000)):
        if not letter.isprintable() or unicodedata.normalize("NFKD", letter) != letter:
            continue
        data = letter.encode()
        length = icu[f"uspoof_getSkeletonUTF8_{number}"](
            checker, 0, data, len(data), buffer, len(buffer), ctypes.byref(error)
        )
        skeleton = unicodedata.normalize("NFKD", buffer.raw[:length].decode())
        plain = "".join(mark for mark in skeleton if not unicodedata.category(mark).startswith("M")).lower()
        if plain.isascii() and plain.isalnum():
            lookalikes[plain].append(letter)
        elif match := NAMED.search(unicodedata.name(letter, "")):
            lookalikes[match[1].lower()].append(letter)
    lines = [f"{plain} {''.join(letters)}" for plain, letters in sorted(lookalikes.items())]
    head = HEAD.format(version=".".join(map(str, version[:2])))
    TABLE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
