"""Places of a report: the number by which a decision is called everywhere on the page, and its game."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.reviews.decision import Decision, Verdict
from fullprime.reviews.review import Review
from fullprime.rules.game import Game
from fullprime.rules.record import Match

CLASSES = {
    Verdict.BLUNDER: "blunder",
    Verdict.ERROR: "error",
    Verdict.DOUBTFUL: "doubtful",
    Verdict.UNCLEAR: "unclear",
    Verdict.OK: "ok",
}
"""Class names of the verdicts."""
MISTAKES = (Verdict.ERROR, Verdict.BLUNDER, Verdict.DOUBTFUL)


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """The place of a decision in its match: game and roll, both from 1.

    A double and its answer belong to the roll before which they are made, so that they are called as the play after it.
    """

    game: int
    roll: int
    anchor: str
    """The name of the decision on the page: that of its place, and of what is decided when it is no play."""
    before: Game

    @property
    def number(self) -> str:
        """The one number of the decision, in the list and above its board."""
        return f"{self.game}.{self.roll}"


def places_of(match: Match, review: Review, game: int | None = None) -> dict[tuple[int, int], ReportPlace]:
    """The place of every decision, and of every event that was left out, by game and event as reviews count them.

    ``game``: of that game alone, which is followed without the others.
    """
    kinds = {(decision.game, decision.event): decision.kind.name.lower() for decision in review.decisions}
    wanted = kinds.keys() | {(omission.game, omission.event) for omission in review.left_out}
    places: dict[tuple[int, int], ReportPlace] = {}
    taken: set[str] = set()
    for number, record in enumerate(match.games[: review.games]):
        if game not in (None, number):
            continue
        for event, entry in enumerate(record.entries()):
            if (number, event) not in wanted:
                continue
            kind = kinds.get((number, event), "event")
            name = stem = f"d{number + 1}-{entry.move}" + ("" if kind == "play" else f"-{kind}")
            again = 1
            while name in taken:
                again += 1
                name = f"{stem}-{again}"
            taken.add(name)
            places[number, event] = ReportPlace(number + 1, entry.move, name, entry.before)
    return places


def played_words(decision: Decision) -> str:
    """What was done, in a few words."""
    return f"{decision.dice.words}: {decision.played.text}" if decision.dice is not None else decision.played.text
