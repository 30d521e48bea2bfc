"""Reasons beside those of coaches: what a coach would name is named, what a coach would concede is no merit.

``tests/data/coach.jsonl`` has decisions of self-play in which a weaker player errs by 0.035 to 0.35 (1-ply). Each was
labelled twice, independently, by language models in the part of a coach, from board, roll and the two plays alone:
the concepts that carry the difference, the most important first, and what one would concede. Features and forms of
words were looked at with half of the decisions; the others are held back, and only they are asked here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fullprime.reviews.explain import why_better
from fullprime.rules.dice import Roll
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.variants import VARIANTS

DECISIONS = Path(__file__).parents[1] / "data" / "coach.jsonl"
BACKGAMMON = VARIANTS["backgammon"]
PLACE = r"(?:the [\w']+ point|the bar point|the opponent's bar point)"
CONCEPTS = {
    "hit": r"\bhits on|sends .*back|hits \w+ more|pips? from the opponent by a hit|dance|shuts out|on the bar with",
    "tempo": r"\bhits on|sends .*back|hits \w+ more|pips? from the opponent by a hit|for a good point, \d+ fewer",
    "point": rf"\b(?:makes|takes|keeps|holds|closes|does not break) (?!the (?:19|2[0-4]) )(?!the opponent's){PLACE}",
    "anchor": r"anchor|stays on|(?:makes|takes|keeps|holds) the (?:opponent's bar|19|2[0-4]) point",
    "prime": r"in a row|a prime of",
    "block": r"in a row|a prime of|past the block|the opponent (?:\d+ rolls that )?escapes?\b",
    "safety": r"that hits? instead|is hit by|can be hit|shots?\b(?! next)|nothing to hit|is safe|to a hit|a hit costs|"
    r"lose two|hits? two|rolls that hit from",
    "structure": r"out of play|in play that|down to|two lowest points|spreads|unstacks",
    "escape": r"\bescapes? next|that escapes? next|behind instead|opponent's home board instead|"
    r"past the opponent's block|checker (?:in|out of) the opponent's home board",
    "builders": r"free checkers?|makes? (?:a good|the [\w ]*) ?point next|makes? a good point|prepares better",
    "attack": r"attack|\bhits? next|aims",
    "later-safety": r"clears more easily|comes home more safely",
    "timing": r"before a point must go|more time",
    "race": r"more off\b|crossovers?|gap on|fills|bears off|ends the game|wins on the next",
}
"""What words of a reason are about, by the concepts of the labels."""


@dataclass(frozen=True)
class Labelled:
    """A decision with its two labels."""

    position: Position
    roll: Roll
    best: str
    other: str
    loss: float
    held: bool
    agreed: frozenset[str]
    """Concepts that both coaches name."""
    named: frozenset[str]
    """Those that one of them names."""
    conceded: frozenset[str]
    """Those that both concede."""

    def reasons(self) -> str:
        """The reasons for the better play, without what is conceded."""
        plays = [read_play(text, self.position, self.roll, BACKGAMMON) for text in (self.best, self.other)]
        words = why_better(self.position, plays[0], plays[1], BACKGAMMON, self.loss)
        words = re.sub(r"^Although .*?, (?=[0-9b])", "", words)
        words = re.sub(r"^.*, but it ", "", words)
        return re.sub(r", although .*", "", words)


def labelled() -> Iterator[Labelled]:
    """The decisions on which both coaches agree in a concept."""
    for line in DECISIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        first, second = row["labels"]
        agreed = frozenset(first["for"]) & frozenset(second["for"])
        if agreed:
            yield Labelled(
                Position.from_text(row["position"]), Roll(*row["roll"]), row["best"], row["other"], row["loss"],
                row["held"], agreed, frozenset(first["for"] + second["for"]),
                frozenset(first["against"]) & frozenset(second["against"]),
            )  # fmt: skip


def concepts(words: str) -> set[str]:
    """The concepts of which words speak."""
    return {concept for concept, pattern in CONCEPTS.items() if re.search(pattern, words)}


def test_reasons_name_what_coaches_agree_on_and_seldom_what_they_concede() -> None:
    held = [decision for decision in labelled() if decision.held]
    assert len(held) >= 60
    spoken = [(decision, concepts(decision.reasons())) for decision in held]
    naming = sum(bool(features & decision.agreed) for decision, features in spoken)
    against = sum(bool(features & decision.conceded - decision.named) for decision, features in spoken)
    assert naming >= 0.7 * len(held), f"{naming} of {len(held)}"
    assert against <= 0.05 * len(held), f"{against} of {len(held)}"


def test_every_reason_speaks_of_a_concept() -> None:
    """Words that the patterns do not know would count as silence."""
    for decision in labelled():
        words = decision.reasons()
        assert not words or concepts(words), words
