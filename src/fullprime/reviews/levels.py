"""Review levels by name: the depth of a review, and the engine's possible error at each depth."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.engine.search.levels import Deepening, DeepeningStep, Roller, Sieve
from fullprime.reviews.decision import XG
from fullprime.rules.errors import FullprimeError
from fullprime.rules.taking import short_value


class ReviewLevelError(FullprimeError):
    """A level of reviews that does not exist."""


@dataclass(frozen=True, slots=True)
class ReviewLevel:
    """The depth of a review. ``sieves[k]`` chooses the plays that go from k plies to k + 1.

    The play that was made always goes along. A decision is close when another option stands within ``close`` of the
    best, or when it lost something; it is then judged at ``close_ply``, and joined with rollouts by ``roller`` where it
    is still unclear, or only the verdict on it is. A cube action that seems wrong is judged at ``wrong_ply`` before it
    is called so.
    """

    name: str
    ply: int
    sieves: tuple[Sieve, ...] = ()
    close_ply: int = 0
    close: float = 0.0
    close_most: int = 3
    roller: Roller | None = None
    wrong_ply: int = 2
    about: str = ""
    joint: bool = False
    """Without look-ahead the wide nets judge, as at the engine's level ``0-ply``."""

    @property
    def deepening(self) -> Deepening:
        """How far plays are looked at."""
        steps = [DeepeningStep(depth, sieve) for depth, sieve in enumerate(self.sieves, start=1)]
        if self.close_ply > self.ply:
            steps.append(DeepeningStep(self.close_ply, Sieve(self.close_most, self.close), several=True))
        return Deepening(tuple(steps), self.joint)


LEVELS: dict[str, ReviewLevel] = {
    level.name: level
    for level in (
        ReviewLevel("fast", 0, about="static"),
        ReviewLevel("standard", 1, (Sieve(6, 0.16),), 2, 0.03, about="1-ply, close decisions 2-ply"),
        ReviewLevel(
            "deep",
            2,
            (Sieve(8, 0.16), Sieve(4, 0.10)),
            2,
            0.03,
            roller=Roller(trials=144, least_gain=0.0002),
            about="2-ply, unclear ones rolled out",
        ),
    )
}

MARKS = (XG.error, XG.blunder)
"""Losses in points at which a verdict changes: with a roller, the side on which a loss lies is settled, too."""

UNCERTAINTY = {0: 0.024, 1: 0.016, 2: 0.010}
"""Root mean square change of the difference of two good plays from this depth to 3-ply: see ``docs/review.md``."""

CUBE_UNCERTAINTY = {0: 0.034, 1: 0.026, 2: 0.021}
"""Root mean square distance of the difference of two cube actions, near a decision, from eXtreme Gammon's deeper
judgement: look-ahead of more plies shares what is wrong with it. See ``docs/review.md``.
"""


def review_level(name: str | ReviewLevel) -> ReviewLevel:
    """The level of that name; raises ReviewLevelError."""
    if isinstance(name, ReviewLevel):
        return name
    value: object = name
    key = value.strip().lower() if isinstance(value, str) else ""
    if key not in LEVELS:
        raise ReviewLevelError(f"there is no level {short_value(name)} of reviews; there are {', '.join(LEVELS)}")
    return LEVELS[key]
