"""Hostile files, made at any size: ordinary to look at, they cost a careless reader minutes or gigabytes."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from collections.abc import Callable

from tests.formats.makers import smile
from tests.formats.xg_maker import container

_MAT = b" 5 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: "


def _roots(size: int) -> bytes:
    return b"(;GM[6])" * (size // 8)


def _rolls(size: int) -> bytes:
    return b" 0 point match\n\n Game 1\n a : 0    b : 0\n" + b"  1) 11:  11:\n" * (size // 14)


TEXTS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "one line of hits": ("a.mat", lambda size: _MAT + b"8/5*" * (size // 4)),
    "one line of brackets": ("b.mat", lambda size: _MAT + b"(" * size),
    "brackets alone": ("c.sgf", lambda size: b"(" * size),
    "nested games": ("d.sgf", lambda size: b"(;GM[6]" + b"(;W[31]" * (size // 7)),
    "games of nothing": ("e.sgf", _roots),
    "values without an end": ("f.sgf", lambda size: b"(;GM[6]" + b"A[" * (size // 2)),
    "blank lines": ("g.mat", lambda size: b" 5 point match\n" + b"\n" * size),
    "blanks after a word": ("h.txt", lambda size: b"Position ID" + b" " * size + b"Match ID"),
    "lines of hits": ("i.mat", lambda size: _MAT + b"\n  2) 31: ".join([b"8/5*" * 4000] * (size // 16_000))),
    "matches of nothing": ("j.mat", lambda size: b" 5 point match\n" * (size // 15)),
    "nested lists": ("k.json", lambda size: b'{"format":"fullprime","version":1,"matches":' + b"[" * size),
    "a play read in many ways": ("l.txt", lambda size: _analysed(b"8/55" + b"/55" * min(size, 60))),
    "an hour of dances": ("m.mat", _rolls),
}
"""What it is: a name, and the bytes for about that size."""


def _analysed(play: bytes) -> bytes:
    return b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\n    1. 2-ply " + play + b" \x01\n"


def archive(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return stream.getvalue()


# -- valid bombs: small files, sound by their check sums, that unpack to much more ------------------------------------
def zip_of_blanks(size: int) -> bytes:
    """A zip archive of files of 4 MiB each."""
    part = b" 5 point match\n" + b"\n" * (4 << 20)
    return archive({f"{number}.mat": part for number in range(size // len(part))})


def xg_of_nothing(size: int) -> bytes:
    """An eXtreme Gammon file of many members of 32 MiB, each with its right size and check sum."""
    return container({f"temp{number}.xg": bytes(32 << 20) for number in range(max(1, size >> 25))})


def bgf_of_lists(size: int) -> bytes:
    """A BGBlitz match whose Smile is one list of small numbers."""
    head = b'{"version":"1","compression":"gzip","encoding":"smile"}\n'
    return head + gzip.compress(b":)\n\0" + b"\xf8" + b"\xc2" * size + b"\xf9", mtime=0)


def bgf_of_text(size: int) -> bytes:
    """A BGBlitz match with a name of that size."""
    head = b'{"version":"1","compression":"gzip","encoding":"smile"}\n'
    return head + gzip.compress(smile({"matchlen": 5, "nameRed": "a" * size, "games": []}), mtime=0)


def ogxm_of_counts(_: int) -> bytes:
    """An OGXM file whose game states that it has as many steps as numbers go."""
    game = b"\xff" * 8 + b"\x7f"
    content = struct.pack("<4sIB", b"GAME", len(game), 0) + game
    return struct.pack("<4sHHHHI", b"OGXM", 2, 0, 2, 0, 16 + len(content)) + content


BOMBS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "zip": ("a.zip", zip_of_blanks),
    "xg": ("b.xg", xg_of_nothing),
    "bgf, many values": ("c.bgf", bgf_of_lists),
    "bgf, a long text": ("d.bgf", bgf_of_text),
    "ogxm": ("e.ogxm", ogxm_of_counts),
}
