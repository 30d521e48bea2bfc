"""Cards made from the errors of reviewed matches; the learner becomes X whoever it was in the match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace

from fullprime.analysis.setups import DeskSetup
from fullprime.learn.flashcards.fields import CardBody, CardOption
from fullprime.learn.flashcards.schedule import CardError
from fullprime.learn.match_lesson_fields import LessonJson
from fullprime.learn.match_lessons import lessons
from fullprime.reviews.decision import Thresholds
from fullprime.reviews.matches.reviewing import ReviewedMatch
from fullprime.rules.position import slot_name
from fullprime.rules.score import Player
from fullprime.rules.words import in_game

KINDS = ("play", "double", "take")
"""The kinds of decisions that make cards."""
LEAST = 0.05
"""The least cost of an error that makes a card, unless another is said."""


def cards_of(
    reviewed: ReviewedMatch,
    thresholds: Thresholds,
    player: Player | None = None,
    *,
    least: float = LEAST,
    kinds: tuple[str, ...] = KINDS,
) -> Iterator[CardBody]:
    """A card for each error of a match that costs ``least`` or more, in the order in which they were made.

    Raises CardError for kinds that there are not.
    """
    checked_kinds(kinds)
    for found in lessons(reviewed, thresholds, player):
        made = found["options"][found["chosen"]]
        setup = found["board"].get("setup")
        if found["kind"] in kinds and isinstance(setup, DeskSetup) and made["loss"] >= least:
            yield card_of(found, setup, reviewed.name)


def checked_kinds(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """These kinds of decisions; raises CardError where one of them is none."""
    if not set(kinds) <= set(KINDS):
        raise CardError(f"{', '.join(sorted(set(kinds) - set(KINDS)))}: cards are made of {', '.join(KINDS)}")
    return kinds


def card_name(body: CardBody) -> str:
    """The name of a card: the same decision has it again, from whichever match."""
    told = json.dumps([body["kind"], asdict(body["setup"])], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def card_of(found: LessonJson, setup: DeskSetup, match: str) -> CardBody:
    """The card of a decision that was judged."""
    made = found["options"][found["chosen"]]
    game, _, roll = found["number"].partition(".")
    options: list[CardOption] = []
    for each in found["options"]:
        after = each.get("after")
        moves = [f"{slot_name(source)}/{slot_name(target)}" for source, target in each["arrows"]]
        options.append(
            {
                "text": each["text"],
                "loss": each["loss"],
                "after": after[0] if after else [],
                "moves": moves,
                "depth": each["depth"],
                "deviation": each["deviation"],
            }
        )
    return {
        "kind": found["kind"],
        "setup": setup if found["player"] == "X" else turned(setup),
        "options": options,
        "choices": found["choices"],
        "made": made["text"],
        "cost": made["loss"],
        "reason": found["reason"],
        "source": f"{match}, {in_game(int(game), int(roll))}",
    }


def turned(setup: DeskSetup) -> DeskSetup:
    """The same game with the players exchanged."""
    other = {"X": "O", "O": "X", None: None}
    return replace(
        setup, on_roll=str(other[setup.on_roll]), owner=other[setup.owner], score=(setup.score[1], setup.score[0])
    )
