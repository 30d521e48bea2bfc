"""Explanations in words: one sentence with the reason why the best option is better, and more on demand.

Everything that is said has been counted by the rules of the game or comes from the engine's figures of the decision.
The reasons are those counted facts that point the way of the difference (``reasons.features`` has their usual worth);
the greatest fact that points the other way is conceded. Where nothing is sure, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.reviews.decision import NOTHING, Decision, Kind
from fullprime.reviews.reasons import cubes, plays
from fullprime.reviews.reasons.reason import Reason, Sentence
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants.variant import Variant


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reason in a sentence, and further sentences for those who want more; both may be empty.

    ``reasons`` are the facts and figures that the first sentence names, as values.
    """

    first: str = ""
    more: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


def explanation(decision: Decision, game: Game) -> Explanation:
    """The reasons why the best option is better than the chosen one; empty for no loss."""
    if decision.loss <= NOTHING:
        return Explanation()
    if decision.kind in (Kind.DOUBLE, Kind.TAKE):
        case = cubes.case_of(decision, game)
        return Explanation() if case is None else _explanation(*cubes.sentences(decision, game, case))
    pair = plays.pair_of(decision, game)
    return Explanation() if pair is None else _explanation(*plays.sentences(decision, game, pair))


def _explanation(first: Sentence, more: Sequence[str]) -> Explanation:
    """Further sentences stand behind a first one, never alone."""
    if not first.text:
        return Explanation()
    return Explanation(first.text, tuple(sentence for sentence in more if sentence), first.reasons)


def why_better(before: Position, best: Play, other: Play, variant: Variant, loss: float) -> str:
    """Why ``best`` is better than ``other``, which loses ``loss``: a sentence of facts that the rules can count.

    For plays whose chances are not at hand, as those of puzzles and lessons. Empty where nothing is sure, and where the
    roll goes on after one of the plays.
    """
    if (
        loss <= NOTHING
        or best.after == other.after
        or _leaves_more_to_play(best, variant)
        or _leaves_more_to_play(other, variant)
    ):
        return ""
    pair = plays.pair_of_plays(before, best, other, variant)
    return plays.counted_reason(pair, format_play(best), format_play(other), loss)


def _leaves_more_to_play(play: Play, variant: Variant) -> bool:
    """True if the roll gives more once this play is made: then the opponent is not next."""
    dice = sorted(move.die for move in play.moves)
    if dice == [1, 2]:
        return bool(variant.after_acey_deucey)
    return len(dice) == 4 and len(set(dice)) == 1 and bool(variant.after_double)
