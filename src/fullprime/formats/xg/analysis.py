"""Analyses in records of eXtreme Gammon: of plays, of the cube, and the rollouts behind them (``temp.xgr``)."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, PlayAnalysis
from fullprime.formats.recording import walk
from fullprime.formats.recording.units import NORMAL_95
from fullprime.rules.game import Game
from fullprime.rules.position import BAR, OFF

ROLLED_OUT = 100
NEVER = -100
"""The level of an analysis that was asked for at most."""
_LEVELS = {
    **{level: f"{level + 1}-ply" for level in range(7)},
    12: "3-ply red",
    100: "rollout",
    998: "opening book",
    999: "opening book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_FLOATS = struct.Struct("<7f")
ROLLOUT = 2184
"""Bytes of one rollout."""


def level_number(level: str) -> int | None:
    """The number of a level by the words that a reader of these files gives it; None when it has none.

    Levels of other programs count plies from 0 (``0-ply`` looks at no roll); eXtreme Gammon calls the same ``1-ply``.
    """
    if level.startswith("rollout"):
        return ROLLED_OUT if re.fullmatch(r"rollout \d{1,9}", level) else None
    if match := re.fullmatch(r"level (-?\d{1,4})", level):
        return int(match[1])
    return next((number for number, words in _LEVELS.items() if words == level), None)


@dataclass(frozen=True, slots=True)
class XgRollout:
    """A rollout: the number of games, and the standard error of its result (the play, or no double)."""

    trials: int
    deviation: float | None

    @property
    def level(self) -> str:
        """The rollout in words, as the level of a candidate."""
        return f"rollout {self.trials}"


Rollouts = Sequence[XgRollout | None]


def rollouts(data: bytes) -> Rollouts:
    """The rollouts of a file in their order; None in the place of an empty one."""
    return [_rollout(data[at : at + ROLLOUT]) for at in range(0, len(data) - ROLLOUT + 1, ROLLOUT)]


def _rollout(record: bytes) -> XgRollout | None:
    trials = i32(record, 84)
    if not 0 < trials < 10**9:
        return None
    return XgRollout(trials, _error(record, 2020))


def _error(record: bytes, offset: int) -> float | None:
    """The standard error, of which XG keeps half of the 95 % interval."""
    value = f32(record, offset)
    return value / NORMAL_95 if value is not None and 0 < value < 6 else None


def _which(record: bytes, offset: int, level: int, rolled: Rollouts) -> XgRollout | None:
    index = i32(record, offset)
    return rolled[index] if level == ROLLED_OUT and 0 <= index < len(rolled) else None


def i32(record: bytes, offset: int) -> int:
    """Read a whole number of four bytes."""
    return int(struct.unpack_from("<i", record, offset)[0])


def f64(record: bytes, offset: int) -> float | None:
    """Read a float of eight bytes; None for a value that stands for none."""
    value = float(struct.unpack_from("<d", record, offset)[0])
    return value if math.isfinite(value) and abs(value) < 900 else None


def f32(record: bytes, offset: int) -> float | None:
    """Read a float of four bytes; None for a value that stands for none."""
    value = float(struct.unpack_from("<f", record, offset)[0])
    return value if math.isfinite(value) and abs(value) < 900 else None


def counts(record: bytes, offset: int) -> tuple[int, ...]:
    """Read a board: 26 signed counts."""
    return struct.unpack_from("<26b", record, offset)


def _evaluation(record: bytes, offset: int) -> tuple[Chances, float] | None:
    """Chances and equity from XG's seven numbers: lose backgammon, gammon, all; win all, gammon, backgammon; equity."""
    values = _FLOATS.unpack_from(record, offset)
    if not all(math.isfinite(value) for value in values) or abs(values[6]) > 900 or not any(values):
        return None
    lose_backgammon, lose_gammon, _, win, win_gammon, win_backgammon, equity = values
    return (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon), equity


def cube_analysis(record: bytes, rolled: Rollouts) -> CubeAnalysis | None:
    """The decision's analysis in a cube record; None when nothing was analysed."""
    if i32(record, 16) == -2 or i32(record, 92) == NEVER or not any(record[152:164]):
        return None
    stay, taken = _evaluation(record, 124), _evaluation(record, 168)
    no_double, double_take, double_pass = (f32(record, offset) for offset in (152, 156, 160))
    if stay is None or no_double is None:
        return None
    level = i32(record, 92)
    rollout = _which(record, 224, level, rolled)
    return CubeAnalysis(
        no_double,
        double_take,
        double_pass,
        stay[0],
        taken[0] if taken else None,
        stay[1],
        rollout.level if rollout is not None else _LEVELS.get(level, f"level {level}"),
        deviation=rollout.deviation if rollout is not None else None,
    )


def play_analysis(record: bytes, game: Game, rolled: Rollouts) -> PlayAnalysis | None:
    """The candidates of a move record for the roll of this game."""
    count = min(max(i32(record, 188), 0), 32)
    candidates = []
    played = None
    after = list(counts(record, 35))
    for i in range(count):
        evaluation = _evaluation(record, 1408 + 28 * i)
        hops = hops_of(struct.unpack_from("<8b", record, 1024 + 8 * i))
        board = list(counts(record, 192 + 26 * i))
        play = walk.find_play(game, hops) if hops is not None else None
        moves = play.moves if play is not None else None
        level = struct.unpack_from("<h", record, 1280 + 4 * i)[0]
        text = " ".join(map(str, moves)) if moves is not None else ""
        chances, equity = evaluation if evaluation is not None else (None, None)
        rollout = _which(record, 2344 + 4 * i, level, rolled)
        words = rollout.level if rollout is not None else _LEVELS.get(level, f"level {level}")
        deviation = rollout.deviation if rollout is not None else None
        candidates.append(CandidatePlay(moves, text, equity, chances, words, deviation))
        if played is None and board == after:
            played = i
    return PlayAnalysis(tuple(candidates), played) if candidates else None


def hops_of(numbers: tuple[int, ...]) -> tuple[walk.Hop, ...] | None:
    """Moves from XG's pairs (0-based: 0 the ace point, 24 the bar; a negative target is off), or None."""
    hops = []
    for i in range(0, 8, 2):
        source, target = numbers[i], numbers[i + 1]
        if source < 0:
            break
        if source > 24 or target > 23:
            return None
        hops.append((BAR if source == 24 else source + 1, OFF if target < 0 else target + 1))
    return tuple(hops)
