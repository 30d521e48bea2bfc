"""Fit the weights by which explanations order their facts: ``analysis/reasons/weights.py``.

    python benchmarks/reasons.py --write --variant backgammon --games 80

Games of the 0-ply level against itself; of each decision the best play and some others drawn at random, with the
engine's equities at 0-ply. Half of the games fit, the other half tell how much of the differences the weights explain.
"""

from __future__ import annotations

import argparse
import random
import textwrap
import time
from pathlib import Path

import numpy as np

from fullprime.engine.engine import Engine
from fullprime.reviews.reasons import weights
from fullprime.reviews.reasons.counts import count
from fullprime.reviews.reasons.features import FEATURES, RACE_FEATURES
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import VARIANTS, Variant

OTHERS = 5
LEAST = 4
"""Games that a fit needs."""
Pair = tuple[list[float], float]


def pairs(variant: Variant, games: int, seed: int, level: str) -> tuple[list[list[Pair]], list[list[Pair]]]:
    """Differences of features and of equities, game by game: with contact, and in races."""
    engine, rng = Engine.open(variant), random.Random(seed)
    contact: list[list[Pair]] = []
    race: list[list[Pair]] = []
    for _ in range(games):
        position, found = variant.starting_position, ([], [])
        while not position.is_over:
            roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
            ranked = engine.rank_plays(position, roll, level="0-ply", cubeful=False).plays
            if len(ranked) > 1 and (rng.random() < 0.5 or position.is_race):
                _compare(engine, position, roll, level, rng, found)
            position = ranked[0].play.after.swapped
        contact.append(found[0])
        race.append(found[1])
    return contact, race


def _compare(
    engine: Engine, position: Position, roll: Roll, level: str, rng: random.Random, found: tuple[list[Pair], list[Pair]]
) -> None:
    ranked = engine.rank_plays(position, roll, level=level, cubeful=False).plays
    some = [ranked[0], *rng.sample(ranked[1:], min(OTHERS, len(ranked) - 1))]
    race = position.is_race
    features = [value for part in (RACE_FEATURES if race else FEATURES).values() for value in part.values()]
    counted = [count(each.play.after, engine.variant) for each in some]
    rows = [[float(value(each)) for value in features] for each in counted]
    for i in range(len(some)):
        for j in range(i):
            gap = some[j].equity - some[i].equity
            found[race].append(([a - b for a, b in zip(rows[j], rows[i], strict=True)], gap))


def fit(games: list[list[Pair]], ridge: float = 0.001) -> tuple[list[float], float, float]:
    """The weights, and on the half of the games that did not fit: the share explained, the share of right signs."""

    def arrays(some: list[list[Pair]]) -> tuple[np.ndarray, np.ndarray]:
        listed = [pair for game in some for pair in game]
        return np.array([row for row, _ in listed]), np.array([gap for _, gap in listed])

    def solved(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        scale = x.std(axis=0) + 1e-9
        z = x / scale
        return np.linalg.solve(z.T @ z + ridge * len(y) * np.eye(z.shape[1]), z.T @ y) / scale

    half = len(games) // 2
    x, y = arrays(games[half:])
    guess = x @ solved(*arrays(games[:half]))
    clear = np.abs(y) > 0.02
    explained = 1 - ((y - guess) ** 2).sum() / (y**2).sum()
    return solved(*arrays(games)).tolist(), float(explained), float((np.sign(guess) == np.sign(y))[clear].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="0-ply")
    parser.add_argument("--variant", nargs="*", default=list(VARIANTS))
    parser.add_argument("--write", action="store_true", help="write the module of the weights")
    chosen = parser.parse_args()
    begun = time.perf_counter()
    kept = {"CONTACT": dict(weights.CONTACT), "RACE": dict(weights.RACE)}
    for variant in chosen.variant:
        parts = pairs(VARIANTS[variant], chosen.games, chosen.seed, chosen.level)
        for name, played, features in zip(("CONTACT", "RACE"), parts, (FEATURES, RACE_FEATURES), strict=True):
            names = [each for part in features.values() for each in part]
            games = [each for each in played if each]
            if len(games) < LEAST:
                print(f"{variant} {name}: only {len(games)} games have any such plays: left out")
                continue
            found, explained, signs = fit(games)
            there_are = sum(map(len, games))
            print(
                f"{variant} {name}: {there_are} pairs, explained {explained:.3f}, right sign {signs:.3f} of those "
                f"over 0.02, {time.perf_counter() - begun:.0f} s",
                flush=True,
            )
            kept[name][variant] = {each: round(weight, 5) for each, weight in zip(names, found, strict=True)}
        if chosen.write:
            text = _HEAD + "\n".join(map(_table, kept.items()))
            Path(weights.__file__).write_text(text, encoding="utf-8")


_HEAD = '''"""Weights of the features of boards, by game: made by ``benchmarks/reasons.py --write``."""

# fmt: off
'''


def _table(named: tuple[str, dict[str, dict[str, float]]]) -> str:
    lines = [f"{named[0]}: dict[str, dict[str, float]] = {{"]
    for variant, found in named[1].items():
        lines.append(f'    "{variant}": {{')
        # A no-break space holds names and their numbers together while the lines are cut.
        pairs = ", ".join(f'"{each}": {weight}'.replace(" ", "\u00a0") for each, weight in found.items()) + ","
        cut = textwrap.wrap(pairs, 112, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)
        lines += [line.replace("\u00a0", " ") for line in cut]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    main()
