"""All trainers by name."""

from __future__ import annotations

from fullprime.learn.trainers.counting import PIPS, SHOTS
from fullprime.learn.trainers.model import Trainer
from fullprime.learn.trainers.playing import ACE_POINT, OPENINGS, SECOND
from fullprime.learn.trainers.question import LARGEST_SEED, DrillError
from fullprime.learn.trainers.races import BEAROFF, RACE_CUBE
from fullprime.learn.trainers.scores import EQUITIES, GAMMONS, TAKES

TRAINERS: dict[str, Trainer] = {
    trainer.name: trainer
    for trainer in (PIPS, RACE_CUBE, BEAROFF, OPENINGS, SECOND, ACE_POINT, SHOTS, TAKES, GAMMONS, EQUITIES)
}
"""The trainers, in the order in which they are listed."""


def trainer_named(name: str) -> Trainer:
    """The trainer of that name; raises DrillError."""
    if name not in TRAINERS:
        raise DrillError(f"there is no trainer {name[:40]!r}; there are {', '.join(TRAINERS)}")
    return TRAINERS[name]


def check_seed(seed: int) -> int:
    """A number of a question; raises DrillError for one that cannot be."""
    if not 0 <= seed < LARGEST_SEED:
        raise DrillError(f"questions are numbered from 0 to {LARGEST_SEED - 1}, not {seed}")
    return seed
