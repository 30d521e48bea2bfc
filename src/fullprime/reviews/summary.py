"""A review in a few lines: each player's rating, luck, and the decisions that cost most."""

from __future__ import annotations

from fullprime.engine.cube.context import uncounted
from fullprime.reviews.rating import PlayerRating, rating
from fullprime.reviews.review import Review
from fullprime.rules.score import Player
from fullprime.rules.words import signed

WORST = 5
"""The number of decisions that are shown."""


def summary(review: Review) -> str:
    """The table that a player reads."""
    names = review.match.names if review.match is not None else ("X", "O")
    match = f"match to {review.length}" if review.length else "money play"
    head = f"{review.name or 'Review'}: {review.variant}, {match}, judged at {review.level}"
    width = max(len(name) for name in (*names, "player"))
    lines = [head, f"  {'player':<{width}}     PR  decisions  errors  blunders    luck"]
    lines += [f"  {names[player]:<{width}} {_row(rating(review, player))}" for player in Player]
    rules = () if review.match is None else uncounted(review.match.settings)
    lines += [f"  Not counted: {'; '.join(rules)}"] if rules else []
    worst = sorted(review.findings, key=lambda each: -each.loss)[:WORST]
    return "\n".join([*lines, *(f"  {each}" for each in worst if each.loss >= 0.02)])


def _row(found: PlayerRating) -> str:
    whole = found.overall
    pr = "     -" if whole.pr is None else f"{whole.pr:6.2f}"
    luck = "      -" if found.luck is None else f"{signed(found.luck, 2):>7}"
    return f"{pr}  {whole.counted:>9}  {whole.errors:>6}  {whole.blunders:>8} {luck}"
