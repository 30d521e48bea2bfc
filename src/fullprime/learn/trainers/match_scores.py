"""The scores that trainers ask about: all up to 15 points, drawn by chance or chosen by the learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from fullprime.learn.trainers.question import LARGEST_SEED, DrillError, dice_of

FARTHEST = 15
"""The most points that a side needs, which is the size of Woolsey's table."""
CUBES = (1, 2, 4, 8)
"""The cubes that are asked about."""
CHOSEN = LARGEST_SEED // 2
"""Questions with this number or a larger one are about a score that the learner chose."""

Crawford = Literal["", "now", "played"]
"""Where one side needs one point: this is the Crawford game, or it has been played."""
CRAWFORD: tuple[Crawford, ...] = ("", "now", "played")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """Points that both sides need, the cube as it lies, and the Crawford game."""

    you: int
    opponent: int
    cube: int = 1
    crawford: Crawford = ""

    @property
    def text(self) -> str:
        """The score in words."""
        note = {"": "", "now": ", the Crawford game", "played": ", after the Crawford game"}[self.crawford]
        cube = f", the cube at {self.cube}" if self.cube > 1 else ""
        return f"{self.you}-away {self.opponent}-away{note}{cube}"

    @property
    def crawford_words(self) -> str:
        """The sentence about the Crawford game, with a space before it; empty where there is nothing to say."""
        if self.crawford == "now":
            return " This is the Crawford game."
        return " The Crawford game has been played." if self.crawford == "played" else ""


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one trainer. ``why_not``: the reason why a score is none of them; None for one that is.

    ``dull``: scores that may be chosen and are never drawn.
    """

    trainer: str
    cubes: tuple[int, ...]
    why_not: Callable[[MatchScore], str | None]
    dull: Callable[[MatchScore], bool] = lambda _: False

    @property
    def farthest(self) -> int:
        """The most points that a side may need."""
        return FARTHEST

    def all(self) -> tuple[MatchScore, ...]:
        """All of them, in order."""
        return _list_scores(self)

    def at(self, seed: int) -> MatchScore:
        """The score of a question."""
        if seed >= CHOSEN:
            scores = self.all()
            return scores[(seed - CHOSEN) % len(scores)]
        dice = dice_of(self.trainer, seed)
        # Low cubes are met more often.
        cube = dice.choice([cube for place, cube in enumerate(self.cubes) for _ in range(len(self.cubes) - place)])
        return dice.choice([score for score in self.all() if score.cube == cube and not self.dull(score)])

    def seed_of(self, score: MatchScore, again: int = 0) -> int:
        """The number of a question about a score; every ``again`` gives another one. Raises DrillError."""
        if max(score.you, score.opponent) > FARTHEST or min(score.you, score.opponent) < 1:
            raise DrillError(f"each side needs 1 to {FARTHEST} points, not {score.you} and {score.opponent}")
        if score.cube not in self.cubes:
            raise DrillError(f"the cube is at {', '.join(map(str, self.cubes))}, not at {score.cube}")
        reason = self.why_not(score)
        if reason is not None:
            raise DrillError(f"{score.text}: {reason}")
        scores = self.all()
        rounds = (LARGEST_SEED - CHOSEN) // len(scores)
        return CHOSEN + (again % rounds) * len(scores) + scores.index(score)


@cache
def _list_scores(scores: Scores) -> tuple[MatchScore, ...]:
    away = range(1, FARTHEST + 1)
    possible = (
        MatchScore(you=you, opponent=opponent, cube=cube, crawford=crawford)
        for cube in scores.cubes
        for you in away
        for opponent in away
        for crawford in CRAWFORD
    )
    return tuple(score for score in possible if scores.why_not(score) is None)


def crawford_why_not(score: MatchScore) -> str | None:
    """The reason why a score cannot have its Crawford state; None where it can."""
    if min(score.you, score.opponent) > 1 and score.crawford:
        return "the Crawford game comes when one side needs one point"
    if score.you == score.opponent == 1 and score.crawford:
        return "where both need one point, the Crawford game has been played"
    if min(score.you, score.opponent) == 1 < max(score.you, score.opponent) and not score.crawford:
        return "say if this is the Crawford game or if it has been played"
    return None


def no_cube_yet(cube: int, owner_needs: int, other_needs: int) -> str | None:
    """The reason why sensible play cannot lead to this cube; None where it can.

    The other side made the last double, the owner the one before, and so on.
    """
    turned, needs, other = cube, other_needs, owner_needs
    while turned > 1:
        turned //= 2
        if needs <= turned:
            return f"nobody turns the cube from {turned} to {2 * turned} who needs {needs}"
        needs, other = other, needs
    return None
