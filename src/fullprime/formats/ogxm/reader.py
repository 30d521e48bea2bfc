"""OGXM (``.ogxm``, ``.gvab``), the format of OpenGammon and HedgeHog: version 2, and by ``ogxm1`` version 1."""

from __future__ import annotations

from collections.abc import Callable

from fullprime.formats.analysis import Chances, CubeAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.ogxm import version_1 as ogxm1
from fullprime.formats.ogxm.bytes import MAGIC, Cursor, sections, version
from fullprime.formats.ogxm.games import (
    DICE,
    ESCAPE,
    SEATS,
    Alternative,
    OgxmContents,
    Ply,
    StepAnalysis,
    Steps,
    follow,
    hops_of,
)
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON

_CHECKER, _CUBE, _ROLL = 0, 1, 3
_MATCH_CURRENCY = 2
VARIANTS = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON, 3: LONGGAMMON}


def recognises(head: bytes) -> bool:
    """True if the file begins with the magic word."""
    return head.startswith(MAGIC)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match; raises FormatError when there is none."""
    problems: list[Problem] = []
    try:
        contents = ogxm1.read_contents(data, problems) if version(data) == 1 else _tell(data, problems)
    except FormatError as error:
        raise FormatError(f"{name or 'the file'}: {error}") from error
    return (follow(contents, problems, name),)


def _tell(data: bytes, problems: list[Problem]) -> OgxmContents:
    reader = _Reader(problems)
    at = 0
    try:
        for kind, at, content in sections(data):
            try:
                reader.section(kind, content)
            except FormatError as error:
                problems.append(Problem(f"section {kind.decode('latin-1')}: {error}", offset=at))
    except FormatError as error:
        if not reader.contents.games:
            raise
        problems.append(Problem(str(error), offset=at))
    return reader.contents


class _Reader:
    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.contents = OgxmContents()

    def section(self, kind: bytes, content: Cursor) -> None:
        """Read one section."""
        contents = self.contents
        if kind == b"MTCH":
            self._match(content)
        elif kind == b"GAME":
            contents.games.append(_game(content))
        elif kind == b"ANAL" and not contents.program:
            self._analysis(content)
        elif kind == b"DECS" and not contents.judged:
            while content.more:
                body, has = content.record()
                ply, decision = body.number(), body.number()
                _decision(contents.judged.setdefault(ply, StepAnalysis()), decision, body, has)
        elif kind == b"ANNO":
            while content.more:
                body, has = content.record()
                scope, ref, words = body.number(), body.number(), body.text()
                key = body.text() if has(0) else ""
                if not key.startswith("x-") and words:
                    contents.remark(scope, ref, words)

    def _match(self, content: Cursor) -> None:
        contents = self.contents
        body, has = content.record()
        length, variant = body.number(), body.number()
        white = body.text() if has(0) else ""
        black = body.text() if has(1) else ""
        contents.names = black, white
        rules = body.number() if has(2) else 1
        limit = body.number() if has(3) else 0
        if has(4):
            points = body.number(), body.number()
            contents.start = points[1], points[0]
        if has(5):
            body.number(), body.number()
        for bit in (6, 7):
            if has(bit):
                body.number()
        if has(8):
            ogxm1.date_of(body.number() // 1000, contents.info)
        for bit in (9, 10):
            if has(bit):
                body.number()
        contents.after_crawford = has(11)
        if has(12):
            contents.info["Event"] = body.text()
        if variant not in VARIANTS:
            self.problems.append(Problem(f"variant {variant} is not known; read as Backgammon"))
        contents.settings = ogxm1.settings_of(length, rules, limit, self.problems, VARIANTS.get(variant, BACKGAMMON))

    def _analysis(self, content: Cursor) -> None:
        contents = self.contents
        body, has = content.record()
        body.take(16)
        if has(0):
            body.take(32)
        if has(1):
            body.number()
        if has(2):
            contents.level = _level(body)
        if has(4):
            for _ in range(min(body.number(), 1 << 16)):
                body.number()
        model = body.text() if has(5) else ""
        title = body.text() if has(6) else ""
        if has(7):
            body.take(32)
        build = body.text() if has(8) else ""
        if has(9) and body.number() == _MATCH_CURRENCY:
            contents.unit = contents.cube_unit = "mwc"
        contents.program = " ".join(filter(None, (title or model, build))) or "OGXM"


def _game(content: Cursor) -> Steps:
    body, has = content.record()
    game = Steps()
    if has(0):
        game.winner = body.number()
    if has(1):
        game.points = body.number()
    if has(3):
        game.board = body.board()
    if has(4):
        game.cube = body.number()
    if has(5):
        game.owner = body.number() + 1  # A seat.
    if has(6):
        game.automatic = body.number()
    while content.more:
        game.plies.append(_ply(content))
    return game


def _ply(cursor: Cursor) -> Ply:
    first = cursor.byte()
    ply = Ply(first & 0x3F, SEATS[first >> 6 & 1])
    if ply.action <= 20:
        low, high = DICE[ply.action]
        steps = bytearray()
        for _ in range(4 if low == high else 2):
            step = cursor.byte()
            if not step:
                break
            steps.append(step)
        ply.hops = hops_of(ply.action, bytes(steps), ply.player)
    if first & 0x80:
        body, has = cursor.record()
        if has(0):
            ply.dice = body.byte(), body.byte()
        if has(1):
            body.number()
        if has(2):
            ply.value = body.number()
        if has(4):
            body.equity()
        if has(5):
            body.take(body.number())
        if has(6):
            ply.board = body.board()
        if has(7):
            ply.action = body.number() if ply.action == ESCAPE else ply.action
        if has(8):
            ply.owner = body.number() + 1
    return ply


def _chances(body: Cursor) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (body.chance() for _ in range(5))
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _decision(judged: StepAnalysis, kind: int, body: Cursor, has: Callable[[int], bool]) -> None:
    """Read one analysed decision; of several about the same thing the first is kept."""
    if kind == _ROLL and judged.luck is None:
        judged.luck = body.equity()
    elif kind == _CUBE and judged.cube is None:
        body.number()
        stay, take, drop = (body.equity() if has(bit) else None for bit in range(3))
        chances = _chances(body) if has(3) else None
        if has(4):
            body.equity()
        level = _level(body) if has(7) and not (has(5) or has(6)) else ""
        judged.cube = CubeAnalysis(stay, take, drop, chances, level=level)
    elif kind == _CHECKER and not judged.alternatives and has(0):
        judged.alternatives, judged.played = _alternatives(body)


def _alternatives(body: Cursor) -> tuple[tuple[Alternative, ...], int | None]:
    alternatives, played = [], None
    for index in range(min(body.number(), 4096)):
        entry, has = body.record()
        steps = bytes(entry.byte() for _ in range(min(entry.number(), 8)))
        equity = entry.equity()
        chances = _chances(entry) if has(0) else None
        level = _level(entry) if has(1) else ""
        if has(2):
            played = index
        alternatives.append(Alternative(steps, equity, chances, level, entry.equity() if has(3) else None))
    return tuple(alternatives), played


def _level(cursor: Cursor) -> str:
    body, has = cursor.record()
    preset = body.text() if has(0) else ""
    ply = body.number() if has(1) else None
    return preset or ("" if ply is None else f"{ply}-ply")
