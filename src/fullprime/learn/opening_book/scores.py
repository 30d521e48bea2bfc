"""Scores of the book: the ways of scoring for which nodes are rolled out, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullprime.rules.errors import FullprimeError

if TYPE_CHECKING:
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.rules.variants.variant import Variant


class BookError(FullprimeError):
    """The book cannot be read or written, or does not know a question."""


@dataclass(frozen=True, slots=True)
class BookScore:
    """A way of scoring. ``away``: points that the player on roll and the opponent still need; None is money."""

    name: str
    title: str
    away: tuple[int, int] | None
    crawford: bool
    about: str
    swapped: str
    """The name of the same score seen by the opponent."""

    @property
    def cube(self) -> bool:
        """False where neither side may or need double: in the Crawford game, and where both need one point."""
        return not self.crawford and self.away != (1, 1)

    @property
    def context(self) -> CubeContext:
        """The score with the cube in the middle, as the engine takes it."""
        from fullprime.engine.cube.equity import CubeContext

        return CubeContext(away=self.away, crawford=self.crawford)


SCORES: dict[str, BookScore] = {
    score.name: score
    for score in (
        BookScore("money", "Money", None, False, "No limit, the cube in the middle, no Jacoby rule.", "money"),
        BookScore("dmp", "Double match point", (1, 1), False, "Both need one point: gammons count nothing.", "dmp"),
        BookScore(
            "gammon-go", "Gammon-go", (2, 1), True,
            "Crawford game, two points to go against one: your gammon wins the match.", "gammon-save",
        ),
        BookScore(
            "gammon-save", "Gammon-save", (1, 2), True,
            "Crawford game, one point to go against two: a gammon against you loses the match.", "gammon-go",
        ),
        BookScore("2-away", "2-away, 2-away", (2, 2), False, "Both need two points, the cube in the middle.", "2-away"),
    )
}  # fmt: skip
"""All scores, by name."""


def score_named(name: str) -> BookScore:
    """The score of that name. Raises BookError."""
    score = SCORES.get(name.strip().lower().replace("_", "-").replace(" ", "-"))
    if score is None:
        raise BookError(f"there is no score {name[:40]!r} in the book; there are {', '.join(SCORES)}")
    return score


def scores_of(variant: Variant) -> tuple[BookScore, ...]:
    """The scores at which a game is rolled out: all, or money alone where it is played without a cube."""
    return tuple(SCORES.values()) if variant.cube else (SCORES["money"],)
