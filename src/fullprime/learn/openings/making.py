"""Extending the book for a command: its games, scores and rolls, and the folder of the trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from fullprime.learn.opening_book.extending import UNTIL, BookProgress, Stage, extend_book
from fullprime.learn.opening_book.files import DATA, Book, own_folder, read
from fullprime.learn.opening_book.scores import BookError, score_named, scores_of
from fullprime.learn.opening_book.tree import DEEPEST
from fullprime.learn.teaching.computing import roller_in_use
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant


def stages_of(game: str, scores: Sequence[str], rolls: int, until: float | None) -> list[Stage]:
    """The plan: openings at all scores, then replies, then third rolls. Raises BookError for unknown ones."""
    if not 1 <= rolls <= DEEPEST:
        raise BookError(f"a line of the book has 1 to {DEEPEST} rolls, not {rolls}")
    if until is not None and not 0 < until <= 1:
        raise BookError(f"an interval of ± {until:g} is none; give more than 0 and at most 1 point")
    offered = scores_of(variant_named(game))
    chosen = [score_named(score) for score in scores] or [score for score in offered if score.name in ("money", "dmp")]
    for score in chosen:
        if score not in offered:
            raise BookError(f"{variant_named(game).title} is played without a cube: the book has it for money alone")
    return [
        Stage(game, score.name, number, UNTIL[number] if until is None else until)
        for number in range(1, rolls + 1)
        for score in chosen
    ]


def extend(
    game: str,
    scores: Sequence[str] = (),
    *,
    rolls: int = 2,
    until: float | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
    report: Callable[[BookProgress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
) -> Book:
    """Extend the book of a game, in the user's own folder beside that of the package, unless another is named."""
    variant = variant_named(game)
    stages = stages_of(variant.name, scores, rolls, until)
    base = read(variant, DATA) if folder is None else None
    return extend_book(
        variant,
        stages,
        folder or own_folder(),
        lambda score: roller_at(variant, score),
        base=base,
        report=report,
        stop=stop,
        seconds=seconds,
    )


def roller_at(variant: Variant, score: str) -> str:
    """A hash of all that rolls out a game at a score of the book; the cube is left out where it is not in use."""
    return roller_in_use(variant.name, cube=variant.cube and score_named(score).cube)


def list_stale(games: Sequence[str]) -> dict[str, str]:
    """The games whose book in the package other nets have judged, each with the reason."""
    reasons = {}
    for name in games:
        variant = variant_named(name)
        others = sum(node.nets != roller_at(variant, node.key.score) for node in read(variant, DATA))
        if others:
            reasons[name] = f"{others} nodes are judged by other nets"
    return reasons
