"""Tasks of rollouts: the candidates, the way their trials are played, and the sums kept of the trials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.common.json_values import JsonFields, json_names
from fullprime.engine.cube.equity import CubeContext

Floats = npt.NDArray[np.float64]

COLUMNS = 7
"""Of a trial's result: five outputs, cubeless equity, value with the cube (points or match chances; NaN without)."""


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a candidate's trials.

    ``name``: its name in results; ``action``: its cube action, None for a candidate without one.
    ``row``: the packed position of the player on roll; ``theirs``: that is the opponent of the player whose rollout
    it is. ``context``: cube and score seen by the player on roll, after the candidate's cube action.
    ``settled``: he has done with the cube and rolls; else he may still double.
    """

    name: str
    action: str | None
    row: bytes
    theirs: bool
    context: CubeContext
    settled: bool


@dataclass(frozen=True, slots=True)
class TrialPolicy:
    """How trials are played. ``truncate``: plies after which the net's value ends a trial; None for to the end.

    ``ply`` and ``cube_ply``: look-ahead behind plays and cube decisions within trials; ``opening``: behind those of the
    first plies, one after the other, instead.
    ``joint``: the wide nets of the game value a trial that is cut, and the usual nets the throws, not the small one:
    less noise for more time.
    """

    __json__: ClassVar[JsonFields] = json_names(
        "seed", "truncate", "ply", "cube_ply", "opening", "joint", "variance_reduction"
    )

    seed: int = 0
    """The dice follow from it."""
    cubeful: bool = True
    variance_reduction: bool = True
    """True if the luck of the dice is taken out."""
    stratified: bool = True
    truncate: int | None = None
    """The plies after which a trial is cut and judged; None for trials to the end of the game."""
    ply: int = 0
    """The plies that plays within trials look ahead."""
    cube_ply: int = 0
    """The plies that cube decisions within trials look ahead."""
    opening: tuple[int, ...] = ()
    """Look-ahead behind the plays and the cube decisions of the first plies of a trial, where it is another one."""
    joint: bool = False
    """True where all nets of the game judge a trial that is cut."""


@dataclass(frozen=True, slots=True)
class Task:
    """The inputs that decide the results of a rollout. ``context`` is that of the player whose rollout it is."""

    starts: tuple[Start, ...]
    context: CubeContext
    policy: TrialPolicy


class Sums(NamedTuple):
    """The sums of one group of 36 trials, in the view of the player whose rollout it is.

    ``first`` (candidates, COLUMNS): means; ``second``: sums of squares about them; ``cross`` (candidates, candidates):
    sums of products about the means of the decisive results: those with the cube, or the cubeless equities.
    """

    first: Floats
    second: Floats
    cross: Floats
