"""The opponent's replies in words: which of his next rolls make the difference between two plays."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.reviews.decision import Decision
from fullprime.reviews.reasons.facts import Pair
from fullprime.rules.dice import ALL_ROLLS, Roll

MOST, ENOUGH = 4, 0.5
"""So many rolls are named at most, and they must make up this share of the difference."""
LIKE = 2.0
"""The replies speak only where their sum is the loss within this factor."""


@dataclass(frozen=True, slots=True)
class Turning:
    """The rolls of the opponent that make most of the difference, and their share of it."""

    rolls: tuple[Roll, ...]
    share: float
    hitting: bool
    """True if each of them hits after the play that was made, and none after the better one."""


def turning_rolls(decision: Decision, pair: Pair) -> Turning | None:
    """The few rolls that decide; None where none stand out, or where nobody looked."""
    if decision.replies is None:
        return None
    best, played = decision.replies
    parts = {roll: roll.weight / 36 * (a - b) for roll, a, b in zip(ALL_ROLLS, best, played, strict=True)}
    whole = sum(parts.values())
    if not decision.loss / LIKE <= whole <= decision.loss * LIKE:
        return None
    order = sorted(parts, key=lambda roll: -parts[roll])
    chosen: list[Roll] = []
    while len(chosen) < MOST and sum(parts[roll] for roll in chosen) < ENOUGH * whole:
        chosen.append(order[len(chosen)])
    share = sum(parts[roll] for roll in chosen) / whole
    # Rolls that stand out say more than their number of throws.
    if share < ENOUGH or share < 2 * sum(roll.weight for roll in chosen) / 36:
        return None
    hitting = all(roll in pair.played.shots.rolls and roll not in pair.best.hits.rolls for roll in chosen)
    return Turning(tuple(chosen), share, hitting)


def said(turning: Turning, best: str, other: str, turn: int) -> str:
    """The rolls in a sentence."""
    one = len(turning.rolls) == 1
    rolls = _listed([roll.words for roll in turning.rolls])
    share = f"{100 * turning.share:.0f} %" if turning.share < 1 else "all"
    if turning.hitting:
        verb = "hits" if one else "hit"
        return f"The opponent's {rolls} {verb} only after {other}, not after {best}: {share} of the difference."
    forms = (
        f"{best} fares better against {rolls}: {share} of the difference.",
        f"The opponent's {rolls} {'is' if one else 'are'} worse after {best}: {share} of the difference.",
        f"Most depends on {rolls} of the opponent, which {'makes' if one else 'make'} {share} of the difference.",
    )
    return forms[turn % len(forms)]


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


__all__ = ["Turning", "said", "turning_rolls"]
