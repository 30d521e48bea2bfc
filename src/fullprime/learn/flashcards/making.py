"""Cards made from the errors of reviewed matches. The learner is always X on them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace

from fullprime.analysis.setups import AnalysisBoard, AnalysisSetup
from fullprime.common.json_values import to_json
from fullprime.learn.flashcards.model import CardBody, CardOption
from fullprime.learn.flashcards.schedule import CardError
from fullprime.learn.match_lesson import LessonDecision, LessonOption
from fullprime.learn.match_lessons import lessons
from fullprime.play.table.table_events import Side
from fullprime.reviews.decision import Thresholds
from fullprime.reviews.matches.reviewing import ReviewedMatch
from fullprime.rules.position import slot_name
from fullprime.rules.score import Player
from fullprime.rules.words import in_game

KINDS = ("play", "double", "take")
"""The kinds of decisions that make cards."""
LEAST = 0.05
"""The least cost of an error that makes a card, unless another is given."""


def cards_of(
    reviewed: ReviewedMatch,
    thresholds: Thresholds,
    player: Player | None = None,
    *,
    least: float = LEAST,
    kinds: tuple[str, ...] = KINDS,
) -> Iterator[CardBody]:
    """A card for each error of a match that costs ``least`` or more, in the order in which they were made.

    Raises CardError for unknown kinds.
    """
    check_kinds(kinds)
    for lesson in lessons(reviewed, thresholds, player):
        decision, board = lesson.decision, lesson.board
        is_wanted = decision.kind in kinds and decision.options[decision.chosen].loss >= least
        if is_wanted and isinstance(board, AnalysisBoard):
            yield card_of(decision, board.setup, reviewed.name)


def check_kinds(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Check kinds of decisions; raises CardError for an unknown one."""
    if not set(kinds) <= set(KINDS):
        raise CardError(f"{', '.join(sorted(set(kinds) - set(KINDS)))}: cards are made of {', '.join(KINDS)}")
    return kinds


def card_name(body: CardBody) -> str:
    """The name of a card, which is the same for the same decision in any match."""
    identity = json.dumps([body.kind, to_json(body.setup)], sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def card_of(decision: LessonDecision, setup: AnalysisSetup, match: str) -> CardBody:
    """The card of a decision that was judged."""
    chosen = decision.options[decision.chosen]
    game, _, roll = decision.number.partition(".")
    return CardBody(
        kind=decision.kind,
        setup=setup if decision.player == "X" else swap_players(setup),
        options=tuple(map(_option, decision.options)),
        choices=decision.choices,
        made=chosen.text,
        cost=chosen.loss,
        reason=decision.reason,
        source=f"{match}, {in_game(int(game), int(roll))}",
    )


def _option(option: LessonOption) -> CardOption:
    return CardOption(
        text=option.text,
        loss=option.loss,
        after=option.after[0] if option.after else (),
        moves=tuple(f"{slot_name(source)}/{slot_name(target)}" for source, target in option.drawn.arrows),
        depth=option.depth,
        deviation=option.deviation,
    )


def swap_players(setup: AnalysisSetup) -> AnalysisSetup:
    """The same game with the players exchanged."""
    other: dict[Side, Side] = {"X": "O", "O": "X"}
    owner = None if setup.owner is None else other[setup.owner]
    return replace(setup, on_roll=other[setup.on_roll], owner=owner, score=(setup.score[1], setup.score[0]))
