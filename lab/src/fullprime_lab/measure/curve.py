"""Strength for time: PR against the time for a decision, for our levels and for other programs, in one run.

Every program decides the same decisions in the same order, one at a time on one thread, and has the same time for it:
a slow one decides fewer of them. Times are those of the processor.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fullprime.engine.bots.batch import BatchPlayer, PlayerError
from fullprime.engine.bots.players import player_named
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime_lab.measure.decisions import PR, Decisions

LEVELS = ("0-ply", "1-ply", "2-ply", "3-ply")
PEERS = ("gnubg-nn:0", "gnubg-nn:1", "gnubg-nn:2", "bgsage:1ply", "bgsage:2ply", "bgsage:3ply")
LEAST = 20
"""Decisions that even the slowest programs answer, however long they take."""


@dataclass(frozen=True, slots=True)
class StrengthPoint:
    """The strength of one level of one program, and its time for a decision."""

    program: str
    """Ours, or a peer."""
    level: str
    """The level that it was asked to play."""
    pr: float
    """500 times the mean loss of a decision."""
    error: float
    """Standard error of the PR."""
    milliseconds: float
    """Median for a decision."""
    decisions: int
    """The number of decisions played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthCurve:
    """PR against the time for a decision."""

    file: str
    """The file of decisions."""
    decisions: int
    """The number of decisions it holds."""
    seconds: float
    """Processor time for each level."""
    versions: dict[str, str | None]
    """The versions by program."""
    points: tuple[StrengthPoint, ...]
    """One for each level."""
    pictures: tuple[str, ...]
    """The files in which it was drawn."""


def measure_curve(
    decisions: Decisions,
    names: Sequence[str] = LEVELS + PEERS,
    seconds: float = 60.0,
    progress: Callable[[str], None] | None = None,
) -> list[StrengthPoint]:
    """Measure each player named for about ``seconds`` of processor time; peers that are not installed are left out."""
    points: list[StrengthPoint] = []
    for name in names:
        try:
            player = player_named(name, BACKGAMMON)
        except PlayerError as error:
            if name not in PEERS:
                raise
            if progress is not None:
                progress(str(error))
            continue
        point = measure_player(player, decisions, seconds)
        points.append(point)
        if progress is not None:
            progress(f"{name}: PR {point.pr:.2f} ± {point.error:.2f} in {point.milliseconds:.3g} ms")
    return points


def measure_player(player: BatchPlayer, decisions: Decisions, seconds: float) -> StrengthPoint:
    """PR and median time of one player."""
    order = np.random.default_rng(1).permutation(len(decisions)).tolist()
    losses, times = [], []
    spent = 0.0
    player.choose(decisions.before[order[:1]], decisions.dice[order[:1]])
    for index in order:
        row, pair = decisions.before[index : index + 1], decisions.dice[index : index + 1]
        begun = time.process_time()
        after = player.choose(row, pair)
        times.append(time.process_time() - begun)
        losses.append(PR * decisions.loss(index, after.boards[0]))
        spent += times[-1]
        if spent > seconds and len(losses) >= LEAST:
            break
    program, _, level = player.name.partition(":")
    error = statistics.stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else float("nan")
    return StrengthPoint(
        program if level else "fullprime",
        level or program,
        statistics.fmean(losses),
        error,
        1000 * statistics.median(times),
        len(losses),
    )
