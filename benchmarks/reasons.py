"""Fit the weights by which explanations order their facts: ``reviews/reasons/data/weights.json``.

    python benchmarks/reasons.py --write --variant backgammon --decisions 3000

Games of the 0-ply level against itself, many with noise in the choice of plays, so that boards come up that people
reach. Of two decisions in five the best play is compared with up to three others that lose 0.02 to 0.40 at 0-ply, drawn
at random from the best twelve: the errors that people make. For every phase of the game a least-squares fit of the
differences in equity, with no weight of the wrong sign. The games with odd numbers tell how much of the differences the
fit of the others explains; the weights that are written are those of all games.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.probabilities import points_unit
from fullprime.engine.engine import Engine
from fullprime.reviews.reasons.counts import Counts, count_board
from fullprime.reviews.reasons.features import FEATURES, LESS_IS_BETTER, RACE_FEATURES, FitPhase, phase_of
from fullprime.reviews.reasons.weights import PLACE, WEIGHTS
from fullprime.rules.dice import Roll
from fullprime.rules.variants import VARIANTS, Settlement, Variant

ASKED, CANDIDATES, OTHERS = 0.4, 12, 3
CLOSE, FAR = 0.02, 0.4
"""The losses of the plays that are compared with the best one, in points."""
NOISE = (0.0, 0.03, 0.08)
"""Standard deviations of the noise in the choice of plays, drawn for each game."""
PLIES = 200
LEAST, LEAST_RACES = 1500, 100
"""Comparisons that a phase with contact, and the race, need for a fit of their own."""
RIDGE, ROUNDS = 0.003, 400

Comparison = tuple[int, list[float], float]
"""The number of the game, the differences of the features, that of the equities."""


def comparisons(variant: Variant, decisions: int, seed: int) -> dict[str, list[Comparison]]:
    """The comparisons of each phase."""
    engine, rng, unit = (
        Engine.open(variant),
        random.Random(seed),
        points_unit(variant.settlement is not Settlement.GAMES),
    )
    collected: dict[str, list[Comparison]] = defaultdict(list)
    compared = game = 0
    while compared < decisions:
        position, noise = variant.starting_position, rng.choice(NOISE) * unit
        game += 1
        for _ in range(PLIES):
            roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
            ranked = engine.rank_plays(position, roll, level="0-ply", cubeful=False).plays
            if len(ranked) > 1 and rng.random() < ASKED:
                losses = [ranked[0].equity - play.equity for play in ranked[1:CANDIDATES]]
                near = [ranked[1 + at] for at, loss in enumerate(losses) if CLOSE * unit < loss < FAR * unit]
                if near:
                    compared += 1
                    others = rng.sample(near, min(OTHERS, len(near)))
                    boards = [count_board(play.play.after, variant) for play in (ranked[0], *others)]
                    for board, play in zip(boards[1:], others, strict=True):
                        race = boards[0].position.is_race and board.position.is_race
                        gap = ranked[0].equity - play.equity
                        row = _differences(boards[0], board, race=race)
                        collected[phase_of(position, race=race)].append((game, row, gap))
            pick = max(ranked[:8], key=lambda play: play.equity + rng.gauss(0, noise)) if noise else ranked[0]
            position = pick.play.after.swapped
            if position.is_over:
                break
    return collected


def _differences(best: Counts, other: Counts, *, race: bool) -> list[float]:
    features = [value for part in (RACE_FEATURES if race else FEATURES).values() for value in part.values()]
    return [float(value(best)) - float(value(other)) for value in features]


Matrix = npt.NDArray[np.float64]


def fit(x: Matrix, y: Matrix, signs: Matrix) -> Matrix:
    """The weights of the least squares with the given signs, by coordinate descent."""
    scale = x.std(axis=0) + 1e-9
    z = x / scale * signs
    products, targets = z.T @ z / len(y) + RIDGE * np.eye(z.shape[1]), z.T @ y / len(y)
    solved = np.zeros(len(targets))
    for _ in range(ROUNDS):
        for at in range(len(targets)):
            rest = targets[at] - products[at] @ solved + products[at, at] * solved[at]
            solved[at] = max(0.0, rest / products[at, at])
    return np.asarray(solved * signs / scale)


def fit_phase(phase: str, rows: list[Comparison]) -> tuple[dict[str, float], str]:
    """The weights of a phase by the names of the features, and how good they are in words."""
    parts = RACE_FEATURES if phase == FitPhase.RACE else FEATURES
    names = [name for part in parts.values() for name in part]
    signs = np.array([-1.0 if name in LESS_IS_BETTER else 1.0 for name in names])
    x, y = np.array([row for _, row, _ in rows]), np.array([gap for _, _, gap in rows])
    odd = np.array([game % 2 == 1 for game, _, _ in rows])
    guess = x[odd] @ fit(x[~odd], y[~odd], signs)
    explained = 1 - ((y[odd] - guess) ** 2).sum() / (y[odd] ** 2).sum()
    words = f"{len(rows)} comparisons, explained {explained:.2f}, right sign {(guess > 0).mean():.2f}"
    return {name: round(float(value), 5) for name, value in zip(names, fit(x, y, signs), strict=True)}, words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--variant", nargs="*", default=list(VARIANTS))
    parser.add_argument("--write", action="store_true", help="write the file of the weights")
    chosen = parser.parse_args()
    begun = time.process_time()
    for variant in chosen.variant:
        by_phase = comparisons(VARIANTS[variant], chosen.decisions, chosen.seed)
        contact = [row for phase, rows in by_phase.items() if phase != FitPhase.RACE for row in rows]
        fitted = {}
        for phase, rows in {"contact": contact, **by_phase}.items():
            if phase != "contact" and len(rows) < (LEAST_RACES if phase == FitPhase.RACE else LEAST):
                continue
            fitted[str(phase)], words = fit_phase(phase, rows)
            print(f"{variant}, {phase}: {words}, {time.process_time() - begun:.0f} s", flush=True)
        if chosen.write:
            WEIGHTS[variant] = {
                phase: {name: weight for name, weight in features.items() if weight}
                for phase, features in fitted.items()
            }
            Path(str(PLACE)).write_text(json.dumps(WEIGHTS, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
