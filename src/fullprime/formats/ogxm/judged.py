"""The analysis block of an OGXM file as it is written: one run of one program, decision by decision."""

from __future__ import annotations

import hashlib
import math
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.ogxm.games import BLACK
from fullprime.formats.ogxm.packing import packed, text, varint
from fullprime.formats.recording.units import difference_in_chances, to_mwc, to_points
from fullprime.rules.game import Game
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR
from fullprime.rules.score import Player

CHECKER, CUBE, ROLL = 0, 1, 3
"""Kinds of decisions."""
POINTS_CURRENCY, MATCH_CURRENCY = 1, 2
"""Cubeful equities, and match winning chances."""
_NO_DOUBLE, _DOUBLE, _TAKE, _PASS = range(4)
"""The right actions about a cube."""
_MOST = 255
"""Candidates of one decision."""
_WIDEST = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision as it is written: its kind, and its record without the number of the step."""

    kind: int
    fixed: bytes
    fields: dict[int, bytes]

    def at(self, ply: int) -> bytes:
        """The record of a decision at a step, numbered through the match."""
        return packed(varint(ply) + varint(self.kind) + self.fixed, self.fields)


def step(move: CheckerMove, player: Player) -> int:
    """A checker move: the start in five bits, the pips in three."""
    return (move.source if player is BLACK else 25 - move.source) | move.die << 5


class JudgedWriter:
    """Writes the opinions of one program; ``losses`` gets what the format has no place for."""

    def __init__(self, analysis: FileAnalysis, losses: list[str]) -> None:
        self.analysis, self._losses = analysis, losses
        units = {each.unit for event in analysis.events.values() for each in (event.play, event.cube) if each}
        self._in_chances = "mwc" in units
        if len(units) > 1:
            losses.append("equities of the analysis in points are written as match winning chances")
        if analysis.figures:
            losses.append("further figures of the analysis are not written")
        self.decisions: dict[int, list[Judged]] = {}
        """By the number of the step in the match, from 0."""

    def sections(self) -> list[tuple[bytes, bytes]]:
        """The block and its decisions; none where there are no decisions."""
        rows = b"".join(
            each.at(ply) for ply in sorted(self.decisions) for each in sorted(self.decisions[ply], key=lambda j: j.kind)
        )
        if not rows:
            return []
        currency = varint(MATCH_CURRENCY if self._in_chances else POINTS_CURRENCY)
        name = text(self.analysis.program or "unknown", self._losses)
        run = hashlib.sha256(rows).digest()[:16]
        return [(b"ANAL", packed(run, {6: name, 9: currency})), (b"DECS", rows)]

    def note(self, ply: int, judged: Sequence[Judged]) -> None:
        """Keep the decisions of a step."""
        if judged:
            self.decisions.setdefault(ply, []).extend(judged)

    def take_back(self, ply: int) -> list[Judged]:
        """The decisions of a step, which is not written after all."""
        return self.decisions.pop(ply, [])

    def judged(self, found: EventAnalysis, before: Game) -> list[Judged]:
        """The decisions about an event of a game."""
        made: list[Judged] = []
        if found.error is not None:
            self._losses.append("losses that the analysis states are not written: they follow from its equities")
        if found.luck is not None:
            luck = difference_in_chances(found.luck, before) if self._in_chances else found.luck
            if (equity := _equity(luck)) is not None:
                made.append(Judged(ROLL, equity, {}))
        if found.cube is not None:
            made.append(self._cube(found.cube, before))
        if found.play is not None and (play := self._play(found.play, before)) is not None:
            made.append(play)
        return made

    def _value(self, value: float | None, unit: str, game: Game) -> float | None:
        if value is None or (unit == "mwc") == self._in_chances:
            return value
        return to_mwc(value, game) if self._in_chances else to_points(value, game)

    def _cube(self, cube: CubeAnalysis, before: Game) -> Judged:
        stay, take, drop = (
            self._value(each, cube.unit, before) for each in (cube.no_double, cube.double_take, cube.double_pass)
        )
        if any(each is not None for each in (cube.double_chances, cube.cubeless, cube.deviation)):
            self._losses.append("chances after a double, cubeless equities and errors of cubes are not written")
        doubled = min((each for each in (take, drop) if each is not None), default=None)
        if before.turn is before.on_roll:
            right = _DOUBLE if stay is not None and doubled is not None and doubled > stay else _NO_DOUBLE
        else:
            right = _PASS if take is not None and drop is not None and take > drop else _TAKE
        fields = {bit: equity for bit, each in enumerate((stay, take, drop)) if (equity := _equity(each)) is not None}
        if cube.chances is not None:
            fields[3] = _chances(cube.chances)
        if cube.level:
            fields[7] = self._level(cube.level)
        return Judged(CUBE, varint(right), fields)

    def _play(self, found: PlayAnalysis, before: Game) -> Judged | None:
        rows, boards = [], set()
        values = [self._value(each.equity, found.unit, before) for each in found.candidates]
        levels = list(dict.fromkeys(each.level for each in found.candidates))

        def place(index: int) -> tuple[int, float]:
            """Those of one level stand together, the best first: readers refuse another order."""
            value = values[index]
            return levels.index(found.candidates[index].level), math.inf if value is None else -value

        for index in sorted(range(len(values)), key=place)[:_MOST]:
            each, equity = found.candidates[index], _equity(values[index])
            # A file may name a play from the hand in a game that has none: the format has no place for it.
            if each.moves is None or equity is None or any(move.source > BAR for move in each.moves):
                self._losses.append("candidates without a play or an equity are not written")
                continue
            if (board := _board_after(each.moves)) in boards:
                self._losses.append("of candidates that come to the same board the first is written")
                continue
            boards.add(board)
            rows.append(self._candidate(each, each.moves, equity, before.on_roll, is_played=index == found.played))
        return Judged(CHECKER, b"", {0: varint(len(rows)) + b"".join(rows)}) if rows else None

    def _candidate(
        self, each: CandidatePlay, moves: tuple[CheckerMove, ...], equity: bytes, player: Player, *, is_played: bool
    ) -> bytes:
        steps = bytes(step(move, player) for move in moves)
        fields: dict[int, bytes] = {2: b""} if is_played else {}
        if each.chances is not None:
            fields[0] = _chances(each.chances)
        if each.level:
            fields[1] = self._level(each.level)
        if (deviation := _equity(each.deviation)) is not None:
            fields[3] = deviation
        return packed(varint(len(steps)) + steps + equity, fields)

    def _level(self, level: str) -> bytes:
        return packed(b"", {0: text(level, self._losses)})


def _board_after(moves: tuple[CheckerMove, ...]) -> tuple[frozenset[tuple[int, int]], frozenset[int]]:
    """What a play changes: checkers more or fewer on each point, and the points on which it hits."""
    change = Counter(move.target for move in moves)
    change.subtract(move.source for move in moves)
    return frozenset(each for each in change.items() if each[1]), frozenset(m.target for m in moves if m.hit)


def _equity(value: float | None) -> bytes | None:
    """A signed number in millionths; None for one that is none, or too large."""
    if value is None or not abs(value) * 1e6 <= _WIDEST:
        return None
    return struct.pack("<i", round(value * 1e6))


def _chances(chances: Chances) -> bytes:
    """Five shares in ten-thousandths."""
    return struct.pack("<5H", *(round(min(1.0, max(0.0, each)) * 1e4) for each in chances))
