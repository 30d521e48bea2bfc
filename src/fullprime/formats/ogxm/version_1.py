"""OGXM version 1, which HedgeHog and GammonView wrote until 2026: chunks of fixed records, boards by replaying.

Follows the published description (OGXM_FORMAT_SPEC.md 1.3 of the HedgeHog project and GammonView's additions, kept in
its chunk ``GVAN``). Chances and equities are whole numbers of ten-thousandths.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from fullprime.formats.analysis import Chances, CubeAnalysis
from fullprime.formats.document import FormatError, Problem
from fullprime.formats.ogxm.games import (
    DICE,
    SEATS,
    SET_POSITION,
    Alternative,
    OgxmContents,
    Ply,
    StepAnalysis,
    Steps,
    hops_of,
)
from fullprime.formats.recording.tags import NO_LIMIT
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, Variant

_HEADER = 20
_CHUNK = struct.Struct("<4sIHH")
_MATCH = struct.Struct("<HBBHHBBIHH")
_GAME = struct.Struct("<BHBBBBB")
_EVAL = struct.Struct("<BH5HhHBBB")
_ALT = struct.Struct("<4sh5HB")
_CUBE = struct.Struct("<BHB3h5HHBBB3x")
_BOARD = struct.Struct("<26b")
_WITH_DICE = 0x40
_MISSED, _RESIGNATION, _LIVE = 2, 3, 4
_GVAN_RECORD = {3: 3, 2: 7}
"""Bytes that ``GVAN`` of a version keeps for a checker play; the last two are the luck of its roll."""


def settings_of(length: int, rules: int, limit: int, problems: list[Problem], variant: Variant) -> Settings:
    """The settings from the flags of both versions: Crawford 1, Jacoby 2, beavers 4, raccoons 8."""
    if length > 10_000:
        problems.append(Problem(f"a match to {length} is taken as money play"))
        length = 0
    money = length == 0
    cube = limit != 1
    return Settings(
        variant=variant,
        length=length,
        cube=cube,
        cube_cap=limit if cube and 2 <= limit < NO_LIMIT and not limit & (limit - 1) else None,
        crawford=money or length == 1 or bool(rules & 1),
        jacoby=money and cube and bool(rules & 2),
        beavers=money and cube and bool(rules & 12),
        raccoons=money and cube and bool(rules & 8),
    )


def date_of(seconds: int, info: dict[str, str]) -> None:
    """Note a time in seconds since 1970, when it can be one."""
    if 0 < seconds < 1 << 33:
        info["EventDate"] = datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")


def read_contents(data: bytes, problems: list[Problem]) -> OgxmContents:
    """The contents of the file; raises FormatError when it holds no match."""
    contents = OgxmContents(program="")
    reader = _Blocks()
    first: list[int] = []
    plies = 0
    for kind, at, content in _chunks(data, problems):
        try:
            if kind == b"MHDR":
                _match(content, contents, problems)
            elif kind == b"GAME":
                first.append(plies)
                contents.games.append(_game(content))
                plies += len(contents.games[-1].plies)
            elif kind == b"CSUM":
                _check(data, at, content, problems)
            else:
                reader.chunk(kind, content, contents)
        except (FormatError, struct.error, IndexError) as error:
            problems.append(Problem(f"chunk {kind.decode('latin-1')}: {error}", offset=at))
    if contents.settings is None:
        raise FormatError("the file holds no match")
    reader.tell(contents, first)
    return contents


def _chunks(data: bytes, problems: list[Problem]) -> Iterator[tuple[bytes, int, bytes]]:
    at = _HEADER
    while at + _CHUNK.size <= len(data):
        kind, length, _, _ = _CHUNK.unpack_from(data, at)
        if kind == b"END!":
            return
        start = at + _CHUNK.size
        if start + length > len(data):
            problems.append(Problem(f"the chunk {kind.decode('latin-1')!r:.12} is cut off", offset=at))
        yield kind, at, data[start : start + length]
        at = start + length
    if data[at : at + 4] != b"END!":
        problems.append(Problem("the file ends in the middle", offset=min(at, len(data))))


def _check(data: bytes, at: int, content: bytes, problems: list[Problem]) -> None:
    if content[:1] == b"\0" and len(content) >= 8 and struct.unpack_from("<I", content, 4)[0] != zlib.crc32(data[:at]):
        problems.append(Problem("the check sum does not fit: the file was changed or damaged", offset=at))


def _text(content: bytes, at: int) -> tuple[str, int]:
    """A text with its length before it (none at the end of the chunk), and where it ends."""
    if at >= len(content):
        return "", at
    end = at + 1 + content[at]
    return content[at + 1 : end].decode("utf-8", errors="replace"), end


def _match(content: bytes, contents: OgxmContents, problems: list[Problem]) -> None:
    length, _, rules, _, _, _, _, seconds, _, limit = _MATCH.unpack_from(content)
    white, at = _text(content, 24)
    black, at = _text(content, at)
    contents.names = black, white
    for key in ("Event", "Site"):
        words, at = _text(content, at)
        if words:
            contents.info[key] = words
    date_of(seconds, contents.info)
    contents.settings = settings_of(length, rules, limit, problems, BACKGAMMON)


def _game(content: bytes) -> Steps:
    _, count, winner, points, _, _, _ = _GAME.unpack_from(content)
    game = Steps(winner, points)
    at = _GAME.size
    if content[at] == 0xFF and content[at + 1] == 0xFF:
        at += 2
    else:
        game.board = _BOARD.unpack_from(content, at)
        at += _BOARD.size + 1
    for _ in range(count):
        if at >= len(content):
            break
        ply, at = _ply(content, at)
        game.plies.append(ply)
    return game


def _ply(content: bytes, at: int) -> tuple[Ply, int]:
    first = content[at]
    # Here 1 is White, although the winner of a game is 0 for White.
    ply = Ply(first & 0x1F, SEATS[1 - (first >> 5 & 1)])
    at += 1
    if ply.action == SET_POSITION:
        if first & _WITH_DICE:
            ply.dice = content[at] & 15, content[at] >> 4
            at += 1
        ply.board = _BOARD.unpack_from(content, at)
        at += _BOARD.size
    elif ply.action <= 20:
        low, high = DICE[ply.action]
        count = 4 if low == high else 2
        ply.hops = hops_of(ply.action, content[at : at + count], ply.player)
        at += count
    return ply, at


class _Blocks:
    """The chunks of the first analysis."""

    def __init__(self) -> None:
        self.blocks = 0
        self.evals: list[tuple[int, ...]] = []
        self.alternatives: list[tuple[bytes, Alternative, bool]] = []
        self.cubes: list[tuple[int, ...]] = []
        self.lucks: list[float | None] = []

    def chunk(self, kind: bytes, content: bytes, contents: OgxmContents) -> None:
        """Read one chunk."""
        if kind == b"ANAL":
            self.blocks += 1
            if self.blocks == 1:
                contents.program = _text(content, 24)[0] or "OGXM"
                contents.level = f"{content[0]}-ply"
        elif self.blocks != 1:
            return
        elif kind == b"EVAL":
            self.evals = list(_EVAL.iter_unpack(content[: len(content) // _EVAL.size * _EVAL.size]))
        elif kind == b"ALTS":
            records = content[: len(content) // _ALT.size * _ALT.size]
            for steps, equity, *chances, flags in _ALT.iter_unpack(records):
                used = steps.partition(b"\0")[0]
                self.alternatives.append((used, Alternative(used, equity / 1e4, _chances(chances)), bool(flags & 1)))
        elif kind == b"CUBE":
            self.cubes = list(_CUBE.iter_unpack(content[: len(content) // _CUBE.size * _CUBE.size]))
        elif kind == b"GVAN" and content[0] in _GVAN_RECORD and content[2] & 1:
            size = _GVAN_RECORD[content[0]]
            for index in range(min(len(self.evals), (len(content) - 4) // size)):
                record = content[4 + index * size : 4 + (index + 1) * size]
                luck = struct.unpack_from("<h", record, size - 2)[0] / 1e4
                self.lucks.append(luck if record[0] & 2 else None)

    def tell(self, contents: OgxmContents, first: list[int]) -> None:
        """Put everything to the steps it is about; ``first`` are the numbers of the games' first steps."""
        at = 0
        for index, (game, ply, *_, loss, count, depth, _) in enumerate(self.evals):
            mine = self.alternatives[at : at + count]
            at += count
            if game >= len(first):
                continue
            judged = contents.judged.setdefault(first[game] + ply, StepAnalysis())
            judged.alternatives = tuple(replace(alternative, level=_level(depth)) for _, alternative, _ in mine)
            judged.played = next((number for number, (_, _, is_played) in enumerate(mine) if is_played), None)
            judged.luck = self.lucks[index] if index < len(self.lucks) else None
            judged.error = loss / 1e4
        for game, ply, kind, stay, take, drop, *chances, loss, _, _, depth in self.cubes:
            if game >= len(first) or kind == _RESIGNATION:
                continue
            judged = contents.judged.setdefault(first[game] + ply, StepAnalysis())
            judged.cube = CubeAnalysis(stay / 1e4, take / 1e4, drop / 1e4, _chances(chances), level=_level(depth))
            if kind not in (_MISSED, _LIVE):
                judged.error = loss / 1e4
        # A drop costs one point, so that figures in which it does not are chances to win the match.
        if (
            contents.settings is not None
            and contents.settings.is_match
            and any(abs(cube[5] - 10_000) > 1 for cube in self.cubes)
        ):
            contents.cube_unit = "mwc"


def _level(depth: int) -> str:
    return f"{depth}-ply" if depth else ""


def _chances(numbers: list[int]) -> Chances | None:
    if not any(numbers):
        return None
    win, gammon, backgammon, lose_gammon, lose_backgammon = (number / 1e4 for number in numbers)
    return win, gammon, backgammon, lose_gammon, lose_backgammon
