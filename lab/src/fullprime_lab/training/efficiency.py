"""How live the cube is: learnt from what look-ahead with a live cube finds of positions of self-play.

A cubeful equity is ``dead + x (live - dead)`` (``engine/cube/model.py``). Look-ahead says what it is for a cube in the
middle, with the player on roll and with the opponent; a small net learns the x that comes nearest to it, from its own
chances and the position (``engine/cube/learnt.py``). Look-ahead with what was learnt can teach again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from fullprime.engine.bots.engine_bot import EngineBot
from fullprime.engine.core.pack import pack
from fullprime.engine.cube.efficiency import in_contact
from fullprime.engine.cube.equity import CubeContext, CubeOwner, cube_equities, no_double_equities
from fullprime.engine.cube.learnt import INPUTS, LearntEfficiency, inputs, run_layers
from fullprime.engine.engine import Engine
from fullprime.engine.search.tree import value_weights
from fullprime.rules import actions as acts
from fullprime.rules.dice import Roll, SeededDice
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.score import Score, Settings
from fullprime_lab.training.errors import TrainingError

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int8]
Report = Callable[[str], None]

CUBES = (CubeContext(), CubeContext(cube=2, owner=CubeOwner.MOVER), CubeContext(cube=2, owner=CubeOwner.OPPONENT))
"""Cubes in the middle, with the player on roll, with the opponent."""

_NEAR, _SURE = 0.2, 1.15
"""A decision is near when double and no double differ by less than the first, and no double is below the second."""
_OF_NEAR, _OF_OTHERS = 0.7, 0.05
"""Shares of the positions that are kept: those of near decisions and one turn after, and the others."""
_SHARD, _TOGETHER = 400, 16
_HELD = 5
"""Every fifth run of ``_RUN`` positions, which are of few games, is held back to judge by."""
_RUN = 40
_HIDDEN = (128, 32)


class Examples(NamedTuple):
    """Positions (n, 32), static outputs (n, 5), and by look-ahead outputs (n, 5) and equities (n, 3) with a cube."""

    rows: Rows
    static: Floats
    outputs: Floats
    equities: Floats

    def select(self, chosen: npt.NDArray[np.bool_]) -> Examples:
        """Select some of them, by a mask (n,)."""
        return Examples(self.rows[chosen], self.static[chosen], self.outputs[chosen], self.equities[chosen])


@dataclass(frozen=True, slots=True)
class Fit:
    """What was learnt from all positions, and mean errors against look-ahead on those that are held back: with one
    figure, and with what the others look_ahead.
    """

    efficiency: LearntEfficiency
    positions: int
    before: tuple[float, float, float]
    after: tuple[float, float, float]

    def __str__(self) -> str:
        places = ("in the middle", "with the player", "with the opponent")
        lines = [f"{self.positions} positions in contact; mean error of equities, the cube"]
        lines += [
            f"  {place:<18} {before:.4f} -> {after:.4f}"
            for place, before, after in zip(places, self.before, self.after, strict=True)
        ]
        return "\n".join(lines)


def collect(engine: Engine, folder: Path, positions: int, seed: int, ply: int, report: Report) -> None:
    """Write shards of positions of self-play, looked ``ply`` plies ahead, until ``folder`` holds ``positions``."""
    folder.mkdir(parents=True, exist_ok=True)
    have = sum(len(shard.rows) for shard in map(_read, sorted(folder.glob("*.npz"))))
    number = len(list(folder.glob("*.npz")))
    source = positions_of_play(engine, seed + 1_000_003 * number)
    while have < positions:
        parts: list[Examples] = []
        while sum(len(part.rows) for part in parts) < _SHARD:
            rows = np.concatenate([next(source) for _ in range(_TOGETHER)])
            parts.append(look_ahead(engine, rows, ply))
        shard = Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        _write(folder / f"{number:05d}.npz", shard)
        number, have = number + 1, have + len(shard.rows)
        report(f"{have} of {positions} positions")


def look_ahead(engine: Engine, rows: Rows, ply: int) -> Examples:
    """What look-ahead finds of those of the positions that no table knows."""
    searcher = engine.searcher
    static, exact, has_exact_outcome = searcher.evaluate(rows)
    open_ = np.flatnonzero(~has_exact_outcome & np.isnan(exact[:, 0]))
    tree = searcher.tree(rows, ply, value_weights(CubeContext(cap=1), False))
    equities = np.stack([tree.evaluate_roll(context, searcher.efficiency) / context.cube for context in CUBES], axis=1)
    return Examples(rows[open_], static[open_], tree.outputs[open_], equities[open_])


def positions_of_play(engine: Engine, seed: int) -> Iterator[Rows]:
    """Positions (1, 32) before the roll, of money games by 0-ply in which no player doubles."""
    settings, bot = Settings(variant=engine.variant, length=0), EngineBot("0-ply")
    chance = random.Random(seed)
    for number in count():
        game, dice, after = Game.new(settings, Score.start(settings)), SeededDice(f"cube {seed} {number}"), False
        while not game.is_over:
            if game.turn is None:
                action = acts.opening(dice.die(), dice.die())
            elif game.phase is Phase.CUBE_DECISION:
                row = pack([game.position])
                near = _is_near(engine, row)
                if chance.random() < (_OF_NEAR if near or after else _OF_OTHERS):
                    yield row
                after, action = near, acts.roll(Roll(dice.die(), dice.die()))
            else:
                action = bot.choose(game)
                if action.kind is ActionKind.ROLL:
                    action = acts.roll(Roll(dice.die(), dice.die()))
            game = game.act(action)


def _is_near(engine: Engine, row: Rows) -> bool:
    outputs = engine.searcher.evaluate(row)[0]
    no_double, take, drop = cube_equities(outputs, CUBES[0], engine.searcher.efficiency(row, outputs))[0, :3]
    return bool(abs(min(take, drop) - no_double) < _NEAR and no_double < _SURE)


def fit(folder: Path, seed: int = 1, epochs: int = 50) -> Fit:
    """Learn from the shards of a folder. Raises TrainingError where there are none."""
    shards = [_read(path) for path in sorted(folder.glob("*.npz"))]
    if not shards:
        raise TrainingError(f"{folder}: no shards of positions")
    examples = Examples(*(np.concatenate(column) for column in zip(*shards, strict=True)))
    examples = examples.select(in_contact(examples.rows))
    held = np.arange(len(examples.rows)) // _RUN % _HELD == 0
    if held.all():
        raise TrainingError(f"{folder}: {len(held)} positions in contact are too few to learn from")
    judged, learnt = examples.select(held), LearntEfficiency(_learn(examples.select(~held), seed, epochs))
    efficiency = LearntEfficiency(_learn(examples, seed, epochs))
    return Fit(efficiency, len(held), _errors(judged, None), _errors(judged, learnt))


def _errors(judged: Examples, efficiency: LearntEfficiency | None) -> tuple[float, float, float]:
    power = np.full((len(judged.rows), 3), 0.68) if efficiency is None else efficiency(judged.rows, judged.static)
    equities = [no_double_equities(judged.static, context, power) for context in CUBES]
    first, second, third = np.abs(np.stack(equities, axis=1) - judged.equities).mean(axis=0).tolist()
    return first, second, third


def _learn(examples: Examples, seed: int, epochs: int, rate: float = 2e-3, batch: int = 128) -> tuple[Floats, ...]:
    """Weights by Adam, the rate falling along half a cosine; errors beyond 0.05 count in proportion only."""
    dead = np.stack([no_double_equities(examples.outputs, context, 0.0) for context in CUBES], axis=1)
    live = np.stack([no_double_equities(examples.outputs, context, 1.0) for context in CUBES], axis=1)
    features, span = inputs(examples.rows, examples.static), live - dead
    chance = np.random.default_rng(seed)
    sizes = (INPUTS, *_HIDDEN, 3)
    weights: list[Floats] = []
    for before, after in pairwise(sizes):
        last = after == 3
        weights.append(chance.normal(0.0, (0.1 if last else 1.0) / np.sqrt(before), (before, after)))
        weights.append(np.full(after, 0.7 if last else 0.0))
    mean, square = [np.zeros_like(array) for array in weights], [np.zeros_like(array) for array in weights]
    step = 0
    for epoch in range(epochs):
        now = rate * 0.5 * (1.0 + np.cos(np.pi * epoch / epochs))
        order = chance.permutation(len(features))
        for start in range(0, len(order), batch):
            part, step = order[start : start + batch], step + 1
            outputs = run_layers(tuple(weights), features[part])
            error = dead[part] + outputs[-1] * span[part] - examples.equities[part]
            slope = np.clip(error, -0.05, 0.05) * span[part] * (50.0 / len(part))
            for place in range(len(weights) - 2, -1, -2):
                below = outputs[place // 2]
                slopes = below.T @ slope + 3e-4 * weights[place], slope.sum(axis=0)
                slope = (slope @ weights[place].T) * (below > 0.0)
                for at, gradient in zip((place, place + 1), slopes, strict=True):
                    mean[at] += 0.1 * (gradient - mean[at])
                    square[at] += 0.001 * (gradient * gradient - square[at])
                    scale = np.sqrt(square[at] / (1.0 - 0.999**step)) + 1e-8
                    weights[at] -= now * mean[at] / (1.0 - 0.9**step) / scale
    return tuple(weights)


def _write(path: Path, shard: Examples) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **dict(shard._asdict()))
    part.replace(path)


def _read(path: Path) -> Examples:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return Examples(*(file[name] for name in Examples._fields))
    except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
        raise TrainingError(f"{path}: no shard of positions: {error}") from None
