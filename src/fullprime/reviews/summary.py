"""A review in a few lines: each player's rating, luck, and the decisions that cost most."""

from __future__ import annotations

from fullprime.reviews.rating import PlayerRating, rating
from fullprime.reviews.review import Review
from fullprime.rules.score import Player
from fullprime.rules.words import format_signed

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
    worst = sorted(review.reviewed_decisions, key=lambda decision: -decision.loss)[:WORST]
    return "\n".join([*lines, *(f"  {decision}" for decision in worst if decision.loss >= 0.02)])


def _row(player_rating: PlayerRating) -> str:
    overall = player_rating.overall
    pr = "     -" if overall.pr is None else f"{overall.pr:6.2f}"
    luck = "      -" if player_rating.luck is None else f"{format_signed(player_rating.luck, 2):>7}"
    return f"{pr}  {overall.counted:>9}  {overall.errors:>6}  {overall.blunders:>8} {luck}"
