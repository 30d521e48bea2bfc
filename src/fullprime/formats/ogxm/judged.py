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
from fullprime.formats.ogxm.packing import pack_record, text, write_varint
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
class JudgedPly:
    """A decision as it is written: its kind, and its record without the number of the step."""

    kind: int
    fixed: bytes
    fields: dict[int, bytes]

    def at(self, ply: int) -> bytes:
        """The record of a decision at a step, numbered through the match."""
        return pack_record(write_varint(ply) + write_varint(self.kind) + self.fixed, self.fields)


def step(move: CheckerMove, player: Player) -> int:
    """Write a checker move: the start in five bits, the pips in three."""
    return (move.source if player is BLACK else 25 - move.source) | move.die << 5


class JudgedWriter:
    """Writes the opinions of one program; ``losses`` gets what the format has no place for."""

    def __init__(self, analysis: FileAnalysis, losses: list[str]) -> None:
        self.analysis, self._losses = analysis, losses
        units = {judged.unit for event in analysis.events.values() for judged in (event.play, event.cube) if judged}
        self._in_chances = "mwc" in units
        if len(units) > 1:
            losses.append("equities of the analysis in points are written as match winning chances")
        if analysis.figures:
            losses.append("further figures of the analysis are not written")
        self.decisions: dict[int, list[JudgedPly]] = {}
        """By the number of the step in the match, from 0."""

    def sections(self) -> list[tuple[bytes, bytes]]:
        """The block and its decisions; none where there are no decisions."""
        rows = b"".join(
            decision.at(ply)
            for ply, decisions in sorted(self.decisions.items())
            for decision in sorted(decisions, key=lambda decision: decision.kind)
        )
        if not rows:
            return []
        currency = write_varint(MATCH_CURRENCY if self._in_chances else POINTS_CURRENCY)
        name = text(self.analysis.program or "unknown", self._losses)
        run = hashlib.sha256(rows).digest()[:16]
        return [(b"ANAL", pack_record(run, {6: name, 9: currency})), (b"DECS", rows)]

    def note(self, ply: int, judged: Sequence[JudgedPly]) -> None:
        """Keep the decisions of a step."""
        if judged:
            self.decisions.setdefault(ply, []).extend(judged)

    def take_back(self, ply: int) -> list[JudgedPly]:
        """Take back the decisions of a step that is not written after all; gives them."""
        return self.decisions.pop(ply, [])

    def judged(self, analysis: EventAnalysis, before: Game) -> list[JudgedPly]:
        """The decisions about an event of a game."""
        decisions: list[JudgedPly] = []
        if analysis.error is not None:
            self._losses.append("losses that the analysis states are not written: they follow from its equities")
        if analysis.luck is not None:
            luck = difference_in_chances(analysis.luck, before) if self._in_chances else analysis.luck
            if (equity := _equity(luck)) is not None:
                decisions.append(JudgedPly(ROLL, equity, {}))
        if analysis.cube is not None:
            decisions.append(self._cube(analysis.cube, before))
        if analysis.play is not None and (play := self._play(analysis.play, before)) is not None:
            decisions.append(play)
        return decisions

    def _value(self, value: float | None, unit: str, game: Game) -> float | None:
        if value is None or (unit == "mwc") == self._in_chances:
            return value
        return to_mwc(value, game) if self._in_chances else to_points(value, game)

    def _cube(self, cube: CubeAnalysis, before: Game) -> JudgedPly:
        stay, take, drop = (
            self._value(equity, cube.unit, before) for equity in (cube.no_double, cube.double_take, cube.double_pass)
        )
        if any(figure is not None for figure in (cube.double_chances, cube.cubeless, cube.deviation)):
            self._losses.append("chances after a double, cubeless equities and errors of cubes are not written")
        doubled = min((equity for equity in (take, drop) if equity is not None), default=None)
        if before.turn is before.on_roll:
            right = _DOUBLE if stay is not None and doubled is not None and doubled > stay else _NO_DOUBLE
        else:
            right = _PASS if take is not None and drop is not None and take > drop else _TAKE
        fields = {bit: equity for bit, value in enumerate((stay, take, drop)) if (equity := _equity(value)) is not None}
        if cube.chances is not None:
            fields[3] = _chances(cube.chances)
        if cube.level:
            fields[7] = self._level(cube.level)
        return JudgedPly(CUBE, write_varint(right), fields)

    def _play(self, analysis: PlayAnalysis, before: Game) -> JudgedPly | None:
        rows, boards = [], set()
        values = [self._value(candidate.equity, analysis.unit, before) for candidate in analysis.candidates]
        levels = list(dict.fromkeys(candidate.level for candidate in analysis.candidates))

        def place(index: int) -> tuple[int, float]:
            """Those of one level stand together, the best first: readers refuse another order."""
            value = values[index]
            return levels.index(analysis.candidates[index].level), math.inf if value is None else -value

        for index in sorted(range(len(values)), key=place)[:_MOST]:
            candidate, equity = analysis.candidates[index], _equity(values[index])
            # A file may name a play from the hand in a game that has none: the format has no place for it.
            if candidate.moves is None or equity is None or any(move.source > BAR for move in candidate.moves):
                self._losses.append("candidates without a play or an equity are not written")
                continue
            if (board := _find_changes(candidate.moves)) in boards:
                self._losses.append("of candidates that come to the same board the first is written")
                continue
            boards.add(board)
            is_played = index == analysis.played
            rows.append(self._candidate(candidate, candidate.moves, equity, before.on_roll, is_played=is_played))
        return JudgedPly(CHECKER, b"", {0: write_varint(len(rows)) + b"".join(rows)}) if rows else None

    def _candidate(
        self,
        candidate: CandidatePlay,
        moves: tuple[CheckerMove, ...],
        equity: bytes,
        player: Player,
        *,
        is_played: bool,
    ) -> bytes:
        steps = bytes(step(move, player) for move in moves)
        fields: dict[int, bytes] = {2: b""} if is_played else {}
        if candidate.chances is not None:
            fields[0] = _chances(candidate.chances)
        if candidate.level:
            fields[1] = self._level(candidate.level)
        if (deviation := _equity(candidate.deviation)) is not None:
            fields[3] = deviation
        return pack_record(write_varint(len(steps)) + steps + equity, fields)

    def _level(self, level: str) -> bytes:
        return pack_record(b"", {0: text(level, self._losses)})


def _find_changes(moves: tuple[CheckerMove, ...]) -> tuple[frozenset[tuple[int, int]], frozenset[int]]:
    """What a play changes: checkers more or fewer on each point, and the points on which it hits."""
    change = Counter(move.target for move in moves)
    change.subtract(move.source for move in moves)
    return frozenset(item for item in change.items() if item[1]), frozenset(m.target for m in moves if m.hit)


def _equity(value: float | None) -> bytes | None:
    """A signed number in millionths; None for one that is none, or too large."""
    if value is None or not abs(value) * 1e6 <= _WIDEST:
        return None
    return struct.pack("<i", round(value * 1e6))


def _chances(chances: Chances) -> bytes:
    """Five shares in ten-thousandths."""
    return struct.pack("<5H", *(round(min(1.0, max(0.0, share)) * 1e4) for share in chances))
