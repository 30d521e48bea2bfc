"""A decision of a review with the game before it: all that is needed to show and to explain it."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.reviews.decision import XG, Decision, Thresholds, Verdict
from fullprime.reviews.explain import explanation
from fullprime.rules.game import Game
from fullprime.rules.printing import Record
from fullprime.rules.words import in_game


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """One decision, the game in which it was made, and the name of the player."""

    decision: Decision
    game: Game
    name: str
    move: int
    """The number of the move in its game, from 1."""
    match: str = ""
    """The file or match it is from."""

    @property
    def loss(self) -> float:
        """Points of equity given away."""
        return self.decision.loss

    @property
    def sentence(self) -> str:
        """The reason for the best option, in a sentence; empty when nothing was lost, or nothing is sure."""
        return explanation(self.decision, self.game).first

    @property
    def reasons(self) -> tuple[str, ...]:
        """Further sentences about it: the rolls that decide, smaller facts, gammons at this score, the chances."""
        return explanation(self.decision, self.game).more

    def verdict(self, thresholds: Thresholds = XG) -> Verdict:
        """The quality of the decision, by eXtreme Gammon's marks unless others are given."""
        return self.decision.verdict(thresholds)

    def record(self) -> Record:
        """One row of a table; games, events and moves count from 1."""
        decision = self.decision
        return {
            "match": self.match,
            "game": decision.game + 1,
            "event": decision.event + 1,
            "move": self.move,
            "player": str(decision.player),
            "name": self.name,
            "kind": str(decision.kind),
            "stage": str(decision.stage),
            "position": self.game.position.text,
            "dice": None if decision.dice is None else str(decision.dice),
            "played": decision.played.text,
            "best": decision.best.text,
            "loss": decision.loss,
            "equity": decision.best.equity,
            "verdict": str(self.verdict()),
            "mistake": decision.mistake or None,
            "counts": decision.counts,
        }

    def _repr_svg_(self) -> str:
        """The board in a notebook."""
        return self.game._repr_svg_()

    def __str__(self) -> str:
        decision = self.decision
        played = f"{decision.dice.words}: {decision.played.text}" if decision.dice is not None else decision.played.text
        where = f"{in_game(decision.game + 1, self.move).capitalize()}, {self.name}"
        if not decision.loss:
            return f"{where}: {played} is best."
        words = f"{where}: {played} loses {decision.loss:.3f} ({self.verdict()}); best is {decision.best.text}."
        return f"{words} {self.sentence}".rstrip()
