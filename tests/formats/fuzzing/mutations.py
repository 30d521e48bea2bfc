"""Damaged and made-up files: bytes changed, packed contents changed, values of our JSON changed, grammars."""

from __future__ import annotations

import json
import random
import struct
import zlib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from tests.formats.test_fuzz import HUGE, mutated
from tests.formats.xg_maker import container

from fullprime.formats import FormatError
from fullprime.formats.xg.container import unpack

LONGEST = 60_000
"""Bytes of a file that is tried: a longer one is cut to a part, so that many are tried in a second."""


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A damaged file; of packed files mostly what is packed in them."""
    if rng.random() < 0.8:
        if data.startswith(b"RGMH"):
            return _damaged_xg(data, rng)
        line, _, payload = data.partition(b"\n")
        if b"smile" in line[:200].lower():
            return line + b"\n" + mutated(_inflated(payload), rng)
        if data.startswith(b'{"format":"fullprime"'):
            return _damaged_json(data, rng)
    if len(data) > LONGEST:
        at = rng.choice((0, rng.randrange(len(data))))
        data = data[at : at + LONGEST]
    return mutated(data, rng)


def _inflated(payload: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=47).decompress(payload, 1 << 24)
    except zlib.error:
        return payload


def _damaged_xg(data: bytes, rng: random.Random) -> bytes:
    try:
        members = dict(unpack(data, []).members)
    except FormatError:
        return mutated(data, rng)
    for member, content in members.items():
        at = rng.randrange(len(content) + 1)
        at -= at % 2560
        part = slice(at, at + rng.choice((70, 300, 2560)))
        members[member] = content[: part.start] + mutated(content[part], rng) + content[part.stop :]
    records = members.get("temp.xg", b"")
    if len(records) > 2560 * 60:
        # A head and some games are enough.
        members["temp.xg"] = records[: 2560 * rng.randint(2, 60)]
    return container(members)


# -- our own JSON: whatever events and numbers a document can hold -------------------------------------------------
_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 5, 6, 7, 25, 26, 27, 64, 100, 1 << 31, 1 << 62, 0.5, -1.5, 1e308, "", "X", "O",
    "play", "roll", "over", "[x]", "]", ")", "\n", "\r\n", "\x00", "\u2028", "\ud83c\udfb2", "1) 31:", "; [a \"b\"]",
    "a" * 300, [], {}, [1, 1], [3, 1], [[1, 1]], [0] * 26,
)  # fmt: skip
_EVENTS: tuple[Any, ...] = (
    "double", "take", "drop", "beaver", "raccoon", "accept", "refuse", {"resign": 1}, {"resign": 3},
    {"opening": [3, 1]}, {"opening": [2, 2]}, {"roll": [6, 6]}, {"roll": [2, 1]},
    {"play": []}, {"choose": 4}, {"play": [[13, 7, 6]]},
)  # fmt: skip


def _damaged_json(data: bytes, rng: random.Random) -> bytes:
    try:
        whole = json.loads(data)
    except ValueError:
        return mutated(data, rng)
    for _ in range(rng.randint(1, 5)):
        _change(whole, rng)
    return json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace")


def _change(whole: Any, rng: random.Random) -> None:
    """One change somewhere in a tree of values."""
    place: Any = whole
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = rng.choice(keys)
        value = place[key]
        if isinstance(value, dict | list) and value and rng.random() < 0.85:
            place = value
            continue
        break
    if key in ("format", "version", "matches"):
        return
    if isinstance(place, list):
        _change_list(place, key, rng)
        return
    match rng.randrange(4):
        case 0 if len(place) > 1:
            del place[key]
        case 1 if isinstance(value, int) and not isinstance(value, bool):
            place[key] = value + rng.choice((-2, -1, 1, 2, 24, 1000))
        case _:
            place[key] = deepcopy(rng.choice(_ODD))  # a later change may go into it


def _change_list(place: list[Any], at: int, rng: random.Random) -> None:
    value = place[at]
    match rng.randrange(7):
        case 0:
            del place[at]
        case 1:
            place.insert(at, deepcopy(value))
        case 2:
            other = rng.randrange(len(place))
            place[at], place[other] = place[other], place[at]
        case 3 | 4 if isinstance(value, str | dict):
            place.insert(at, deepcopy(rng.choice(_EVENTS)))
        case 5 if isinstance(value, int) and not isinstance(value, bool):
            place[at] = value + rng.choice((-2, -1, 1, 2, 20))
        case _:
            place[at] = deepcopy(rng.choice(_ODD))


# -- grammars: texts of the words that a reader knows ---------------------------------------------------------------
_MAT = (
    " 5 point match\n", " 0 point match\n", "\n Game 1\n", "\n Game 2\n", " a : 0    b : 0\n", " a : 1    b : 4\n",
    "  1) 31: 8/5 6/5", "      ", "61: 13/7 8/7\n", "  2) Doubles => 2 ", " Takes\n", " Drops\n", " Beavers => 4",
    " Raccoons => 8", " 66: 24/18(2) 13/7(2)", " 55: bar/20* 8/3", " 11:", " 00: ????", " Wins 2 points\n",
    " Wins 1 point and the match\n", " Losses 4 points\n", "; [Variation \"Nackgammon\"]\n", "; [Jacoby \"On\"]\n",
    "; Set Pos=-a----E-C---eE---c-e----B-/2\n", " 42: illegal play (XGID)\n", " resigns", " 21: Cannot Move",
    "\n", "\t", "; a remark\n", " 63: 6/off 3/off", " 64: bar/off 25/0 7/7", "5 point match", ":", "*", "/", "(4)",
)  # fmt: skip
_SGF = (
    "(", ")", ";", "(;FF[4]GM[6]", "MI[length:5][game:0][ws:0][bs:0]", "MI[length:0][game:1]", "PW[a]PB[b]",
    "RU[Crawford]", "RU[Jacoby]", "RU[NackGammon]", "RU[NoCube]", ";W[31hehf]", ";B[61mgvs]", ";W[double]", ";B[take]",
    ";B[drop]", ";W[beaver]", ";PL[W]DI[31]", ";PL[B]DI[66]", ";AE[a:y]AW[a][a][b]AB[x][x][w]PL[B]", ";CV[4]CP[w]",
    ";CP[c]", "C[words \\] more]", "RE[W+2R]", "RE[B+1]", "RE[?]", "LU[0.1]",
    "A[0][hehf E ver 3 0.5 0 0 0 0 0.1 0C 0 1 0 1]", "DA[E ver 3 0C 1 0.0 1 0.5 0 0 0 0 0 0.1 0.5 0 0 0 0 0 0.2]",
    ";B[66]", ";W[11abbcabbc]", "GS[M:1 2 3]", "CV[64]",
    ";W[64yz]", ";B[resign:2]", ";W[accept]", "[", "]", "\\",
)  # fmt: skip
_CLIP = (
    "XGID=-a----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10\n", "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:1:2:3:5:10\n",
    "XGID=--------------------------:0:0:1:D:0:0:0:0:10\n", "Position ID: 4HPwATDgc/ABMA  Match ID: cAgAAAAAAAAA\n",
    "Position ID: 4HPwATDgc/ABMA\n", "Match ID: QQkAAAAAAAAA\n", "4HPwATDgc/ABMA:8IkuAAAAAAAE\n", "* a moves 8/5 6/5\n",
    "* b doubles\n", "* b accepts\n", "* a rejects\n", "* a cannot move\n", "a wins 2 points\n", "X:a   O:b\n",
    "    1. 2-ply       8/5 6/5                 eq: +0.159\n", "    0.550 0.150 0.010 - 0.450 0.120 0.010\n",
    "*    2. Cubeful 2-ply    24/23 13/10   Eq.: -0,012 ( -0,1)\n", "      Player:   55.10% (G:16.90% B:0.90%)\n",
    "      Opponent: 44.90% (G:12.00% B:0.60%)\n", "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:7:0\n",
    "board:You:opp:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0\n",
    "Equity: =+0.1, =-0.2\n", "1. No double  +0.1\n", "2. Double, take  +0.2\n", "3. Double, pass  +1.0\n", "\n",
)  # fmt: skip
_SITES = (
    "GMD-2\n", "Length: 5\n", "Rule: Crawford\n", "Player:W:a\n", "Game:\n", "Roll:-:: 3 1\n", "Roll:W:: 6 1\n",
    "Move:W:: 8/5 6/5\n", "Double:B:\n", "Take:W:\n", "Drop:W:\n", "Resign:B:: 2\n", "Accept:W:\n", "Beaver:W:\n",
    "BGF version 1\n", "Game 1 - a(X) vs. b(0)\n", "1.X:(4 2)8/4 6/4\n", "2.0:Doubles\n", "3.X:Accepts\n",
    "a wins 2 points\n", "i 1700000000 a b 5 0 0 1\n", "1 r 3-1 8/5 6/5\n", "2 d 2 1\n", "1 d 4 0\n", "1 t\n",
    "2 r 6-6-6 24/18\n",
    "JavaFIBS internal match representation\n", "1:a:5\n", "2:You:3 1\n", "4:b:8-5 6-5\n", "5:You:\n", "9:a:2\n",
    "10:x:a-0\n", "BOARDID=1\nCREATOR=2\n", "MATCHLENGTH=3\n",
    "GAME_1_GAMEPLAY=1 31 8/5 6/5#2 61 13/7 8/7#1 Double#2 Take\n",
    "GAME_1_PLAYER_1=a\n", "GAME_1_SCORE1=2\nGAME_1_SCORE2=0\n", "Score is 0-0 in a 5 point match.\n", "\n",
    "a: (3 1) 8-5 6-5\n", "b : Double\n", "bot    top\n", "  1) 31: 8/5 6/5   42: 8/4 6/4\n",
    "\t31  8/5 6/5\t62 24/18\n", "X: a  O: b\n", "a wins a 5 point match against b\n", "1\t31: 8/5\n", "a is rolling\n",
)  # fmt: skip
GRAMMARS: dict[str, tuple[str, ...]] = {"mat": _MAT, "sgf": _SGF, "clipboard": _CLIP, "sites": _SITES}


def grammar(rng: random.Random) -> tuple[str, bytes]:
    """A made-up text of one grammar; mostly with a beginning by which it is known."""
    name = rng.choice(list(GRAMMARS))
    words = GRAMMARS[name]
    parts = [rng.choice(words) for _ in range(rng.choice((3, 10, 40)))]
    if rng.random() < 0.8:
        parts = [*words[: rng.randint(1, 5)], *parts]
    text = "".join(parts)
    if rng.random() < 0.1:
        text = text.replace("\n", "\r")
    data = text.encode(rng.choice(("utf-8", "utf-8", "utf-8", "utf-16", "cp1252")))
    return name, mutated(data, rng) if rng.random() < 0.3 else data


def ogxm_chunks(rng: random.Random, data: bytes) -> bytes:
    """An OGXM file with one of its lengths or counts changed, which a random byte seldom meets."""
    content = bytearray(data)
    at = rng.randrange(max(1, len(content) - 8))
    struct.pack_into("<I", content, at, rng.choice((0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)))
    return bytes(content)


SPECIAL: dict[str, Callable[[random.Random, bytes], bytes]] = {"ogxm": ogxm_chunks}

__all__ = ["GRAMMARS", "HUGE", "SPECIAL", "damaged", "grammar"]
