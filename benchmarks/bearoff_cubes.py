"""Cube equities of bear-offs: how far each level is from the untruncated solution, and the time of a decision.

    python benchmarks/bearoff_cubes.py [--positions 60] [--fewest 6] [--most 8] [--file FILE] [--level NAME ...]

The reference looks at every play of every roll and leaves no position out (some seconds a position; above eight
checkers a side at plays within ``--near`` mean rolls). The contexts are those of ``tests/data/race_cubes.json``; with
``--file`` the reference is what that file says, which plays by the fewest expected rolls. Times are of the processor.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from fullprime.engine.boards.conversion import position_of
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.engine import Engine
from fullprime.engine.tables import cubes

MINE = CubeOwner.MOVER
CONTEXTS = (
    CubeContext(),
    CubeContext(cube=2, owner=MINE),
    CubeContext(cube=2, owner=MINE, away=(5, 6)),
    CubeContext(away=(4, 4)),
    CubeContext(away=(7, 7)),
    CubeContext(away=(2, 4)),
    CubeContext(cube=2, owner=MINE, away=(3, 5)),
)
Question = tuple[np.ndarray, CubeContext]


def row(own: list[int], other: list[int]) -> np.ndarray:
    """A packed position from the checkers of both sides on their points 1 to 6."""
    packed = np.zeros(32, np.int8)
    packed[1:7] = own
    packed[24:18:-1] = [-count for count in other]
    packed[26], packed[27] = 15 - sum(own), 15 - sum(other)
    return packed


def drawn(positions: int, fewest: int, most: int) -> list[Question]:
    """Positions drawn at random, in every context, where neither side has more than 95 % (else there is no cube)."""
    draws = np.random.default_rng(20261122)
    questions: list[Question] = []
    while len(questions) < positions * len(CONTEXTS):
        own, other = (np.bincount(draws.integers(0, 6, draws.integers(fewest, most + 1)), minlength=6) for _ in "ab")
        pips = [int((side * np.arange(1, 7)).sum()) for side in (own, other)]
        if -8 <= pips[1] - pips[0] <= 12:
            questions += [(row(own.tolist(), other.tolist()), context) for context in CONTEXTS]
    return questions


def both(live: cubes.LiveCubes, board: np.ndarray, context: CubeContext, most: int = cubes.WORK) -> tuple[float, float]:
    """Equities of no double and of double, take."""
    rolling = float(live.equities(board[np.newaxis], context, most=most)[0])
    taken = float(live.equities(board[np.newaxis], context.doubled, most=most)[0])
    return rolling, float(context.equity(context.doubled.value(taken)))


def cubes_of(engine: Engine) -> cubes.LiveCubes:
    """The cubes of races that the engine knows by its tables."""
    live = engine.searcher.cubes
    assert live is not None
    return live


def untruncated(engine: Engine, questions: list[Question], near: float) -> list[tuple[float, float]]:
    """The equities when plays within ``near`` mean rolls of the fewest count, and every position."""
    original = cubes._PRECISIONS, cubes._FEW_WORK
    cubes._PRECISIONS, cubes._FEW_WORK = {15: (cubes.SolverPrecision(near, 99.0 if near > 1 else 0.4),)}, 10**10
    live = cubes.LiveCubes(cubes_of(engine).bearoff, 15)
    try:
        return [both(live, board, context, 10**10) for board, context in questions]
    finally:
        cubes._PRECISIONS, cubes._FEW_WORK = original


def from_file(path: Path) -> tuple[list[Question], list[tuple[float, float]]]:
    """Questions and answers of a file such as ``tests/data/race_cubes.json``."""
    questions, answers = [], []
    for position in json.loads(path.read_text("utf-8")):
        for context in position["contexts"]:
            away = tuple(context["away"]) if context["away"] else None
            owner = MINE if context["owner"] else None
            questions.append(
                (
                    row(position["mover"], position["opponent"]),
                    CubeContext(cube=context["cube"], owner=owner, away=away),
                )
            )
            answers.append((context["nd"], context["dt"]))
    return questions, answers


def measure(engine: Engine, level: str, questions: list[Question], answers: list[tuple[float, float]]) -> None:
    """Print the mean and the largest error of a level, and its times."""
    errors, times = [], []
    for (board, context), (no_double, take) in zip(questions, answers, strict=True):
        cubes_of(engine)._solved.clear()
        start = time.process_time()
        decision = engine.cube_decision(position_of(board), context, level=level)
        times.append(time.process_time() - start)
        errors.append((abs(decision.no_double - no_double), abs((decision.double_take or 0.0) - take)))
    off = np.array(errors)
    money = np.array([not context.is_match for _, context in questions])
    parts = [("money", money), ("match", ~money), ("all", np.ones(len(off), bool))]
    words = [f"{name} {off[part, 0].mean():.4f} {off[part, 1].mean():.4f}" for name, part in parts]
    ordered = np.sort(times)
    print(
        f"{level:6} mean error (no double, double/take): {'; '.join(words)}; largest {off.max():.4f};"
        f" seconds: median {ordered[len(ordered) // 2]:.3f}, most {ordered[-1]:.3f}",
        flush=True,
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--fewest", type=int, default=6)
    parser.add_argument("--most", type=int, default=8)
    parser.add_argument("--near", type=float, default=99.0)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--level", action="append")
    wanted = parser.parse_args()
    engine = Engine.open("backgammon", level="1-ply")
    first = (row([1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0]), CubeContext(away=(3, 3)))
    engine.cube_decision(position_of(first[0]), first[1])  # compiled
    if wanted.file is None:
        questions = drawn(wanted.positions, wanted.fewest, wanted.most)
        answers = untruncated(engine, questions, wanted.near)
    else:
        questions, answers = from_file(wanted.file)
    print(f"{len(questions)} decisions")
    for level in wanted.level or ("0-ply", "1-ply", "2-ply"):
        measure(engine, level, questions, answers)


if __name__ == "__main__":
    main()
