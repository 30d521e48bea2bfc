"""The share of backgammons that end with a checker on the bar: learnt from the engine's own games.

Games are played at a glance, first from the start, then from positions in which a backgammon is likely. Every position
of a game that ended as a backgammon says whether a checker of the loser stood on the bar then; a logistic function of a
few counts (``engine/cube/bar_share.py``) learns that. ``python -m fullprime_lab.training.bar_share`` prints it.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.cube.bar_share import BAR, FEATURES, OFF, features
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.efficiency import in_contact
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import Boards, starting_boards
from fullprime.engine.search.tree import value_weights
from fullprime.engine.tables.exact import is_finished
from fullprime.rules.variants import BACKGAMMON

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

LIKELY = 0.08
"""The chance of a backgammon from which on games are begun at a position."""
_LONGEST = 2000
_TOGETHER = 4000
_HELD = 5
"""Every fifth batch of games is held back to judge by."""


class Endings(NamedTuple):
    """Boards (n, 32) of games that ended as backgammons, seen by their players on roll; whether these were the losers
    (n,), whether a checker of the loser was on the bar at the end (n,).
    """

    boards: Boards
    lost: Bools
    on_bar: Bools


def play_games(engine: Engine, boards: Boards, seed: int) -> tuple[list[Boards], list[npt.NDArray[np.int64]], Endings]:
    """Play a game from each board: all boards met, the games they belong to, and those of backgammons."""
    rng, searcher = np.random.default_rng(seed), engine.searcher
    weights = value_weights(CUBELESS, per_checker=False)
    live, met, games, sides = np.arange(len(boards)), [], [], []
    boards = boards.copy()
    mine = np.ones(len(boards), bool)
    loser_is_first, level = np.zeros(len(boards), bool), np.zeros(len(boards), np.int64)
    on_bar = np.zeros(len(boards), bool)
    for _ in range(_LONGEST):
        over = is_finished(boards[live])
        ended = live[over]
        loser = boards[ended]
        behind = loser[:, BAR] > 0
        level[ended] = np.where((loser[:, OFF] == 0) & (behind | (loser[:, 19:25] > 0).any(axis=1)), 3, 1)
        on_bar[ended], loser_is_first[ended] = behind, mine[ended]
        live = live[~over]
        if not len(live):
            break
        met.append(boards[live].copy())
        games.append(live.copy())
        sides.append(mine[live].copy())
        boards[live] = searcher.best_boards(met[-1], rng.integers(1, 7, (len(live), 2)), weights).boards
        mine[live] ^= True
    rows, game, side = np.concatenate(met), np.concatenate(games), np.concatenate(sides)
    backgammons = level[game] == 3
    return (
        met,
        games,
        Endings(rows[backgammons], (side == loser_is_first[game])[backgammons], on_bar[game][backgammons]),
    )


def play_all(engine: Engine, usual: int, starts: int, repeats: int, seed: int) -> tuple[list[Endings], Boards]:
    """Endings of ``usual`` games from the start and of ``repeats`` games from each of ``starts`` likely positions."""
    endings, likely = [], []
    for number, first in enumerate(range(0, usual, _TOGETHER)):
        count = min(_TOGETHER, usual - first)
        met, games, ends = play_games(engine, starting_boards(BACKGAMMON, count), seed + number)
        endings.append(ends)
        likely.append(find_likely_positions(engine, np.concatenate(met), np.concatenate(games), seed + number))
    chosen = np.concatenate(likely)
    chosen = np.random.default_rng(seed).permutation(chosen)[:starts]
    for number, first in enumerate(range(0, len(chosen), _TOGETHER // repeats)):
        part = np.repeat(chosen[first : first + _TOGETHER // repeats], repeats, axis=0)
        endings.append(play_games(engine, part, seed + 1000 + number)[2])
    return endings, chosen


def find_likely_positions(engine: Engine, boards: Boards, games: npt.NDArray[np.int64], seed: int) -> Boards:
    """One position of each game in which a backgammon was likely."""
    outputs = engine.searcher.evaluate(boards)[0]
    places = np.random.default_rng(seed).permutation(np.flatnonzero(outputs[:, [2, 4]].max(axis=1) >= LIKELY))
    _, first = np.unique(games[places], return_index=True)
    chosen: Boards = boards[places[first]]
    return chosen


def collect_examples(endings: list[Endings]) -> tuple[Floats, Bools, Bools]:
    """Features (n, FEATURES) of the loser to be, whether he ended on the bar (n,), and what is held back (n,)."""
    inputs, labels, held = [], [], []
    for number, ends in enumerate(endings):
        met = in_contact(ends.boards)
        won, lost = features(ends.boards[met])
        inputs.append(np.where(ends.lost[met, np.newaxis], lost, won))
        labels.append(ends.on_bar[met])
        held.append(np.full(len(won), number % _HELD == 0))
    return np.concatenate(inputs), np.concatenate(labels), np.concatenate(held)


def fit(inputs: Floats, labels: Bools, steps: int = 30) -> Floats:
    """The weights (FEATURES,) of a logistic function, by Newton's method with a little weight decay."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        chances = 1.0 / (1.0 + np.exp(-inputs @ weights))
        slope = inputs.T @ (labels - chances) - weights
        curve = (inputs * (chances * (1.0 - chances))[:, np.newaxis]).T @ inputs + np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def loss(chances: Floats, labels: Bools) -> float:
    """The mean logarithmic loss of chances."""
    clipped = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-np.where(labels, np.log(clipped), np.log(1 - clipped)).mean())


def write_line(line: str) -> None:
    """Write a line for the person who runs this."""
    sys.stdout.write(line + "\n")


def main() -> None:
    """Play, learn, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--usual", type=int, default=60_000, help="games from the start")
    parser.add_argument("--starts", type=int, default=2_000, help="likely positions that games are begun at")
    parser.add_argument("--repeats", type=int, default=20, help="games from each of them")
    parser.add_argument("--seed", type=int, default=39)
    options = parser.parse_args()
    endings, _ = play_all(Engine.open(level="0-ply"), options.usual, options.starts, options.repeats, options.seed)
    inputs, labels, held = collect_examples(endings)
    weights = fit(inputs[~held], labels[~held])
    write_line(f"{len(labels)} positions of backgammons, {labels.mean():.3f} with a checker on the bar")
    mean = np.full(int(held.sum()), labels[~held].mean())
    judged = 1.0 / (1.0 + np.exp(-inputs[held] @ weights))
    write_line(f"held back: loss {loss(judged, labels[held]):.4f}, of the mean alone {loss(mean, labels[held]):.4f}")
    write_line(f"{FEATURES} weights: ({', '.join(f'{weight:.4f}' for weight in weights)})")


if __name__ == "__main__":
    main()
