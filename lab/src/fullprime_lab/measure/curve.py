"""Strength for time: PR against the time for a decision, for our levels and for other programs, in one run.

Everybody decides the same decisions in the same order, one at a time on one thread, and has the same time for it: who
is slow decides fewer of them. Times are those of the processor.
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
"""Decisions that even the slowest programs are asked, however long they take."""


@dataclass(frozen=True, slots=True)
class Point:
    """One level of one program."""

    program: str
    level: str
    pr: float
    error: float
    """Standard error of the PR."""
    milliseconds: float
    """Median for a decision."""
    decisions: int


def curve(
    decisions: Decisions,
    names: Sequence[str] = LEVELS + PEERS,
    seconds: float = 60.0,
    progress: Callable[[str], None] | None = None,
) -> list[Point]:
    """Measure everybody named for about so many processor seconds each; peers that are not installed are left out."""
    found: list[Point] = []
    for name in names:
        try:
            player = player_named(name, BACKGAMMON)
        except PlayerError as error:
            if name not in PEERS:
                raise
            if progress is not None:
                progress(str(error))
            continue
        point = measure(player, decisions, seconds)
        found.append(point)
        if progress is not None:
            progress(f"{name}: PR {point.pr:.2f} ± {point.error:.2f} in {point.milliseconds:.3g} ms")
    return found


def measure(player: BatchPlayer, decisions: Decisions, seconds: float) -> Point:
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
    return Point(
        program if level else "fullprime",
        level or program,
        statistics.fmean(losses),
        error,
        1000 * statistics.median(times),
        len(losses),
    )
