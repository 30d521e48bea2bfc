"""Trainers for a page or a terminal: questions with their boards, answers marked and stored, progress."""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Engine

from fullprime.analysis.setups import AnalysisSetup, game_of, scene
from fullprime.db.times import utc_now
from fullprime.learn.learners import HERE, SLOWEST, LearnerId, Learners
from fullprime.learn.trainers.match_scores import CHOSEN, CRAWFORD, MatchScore
from fullprime.learn.trainers.model import (
    DrillAnswer,
    DrillQuestion,
    Trainer,
    TrainerHistory,
    TrainerList,
    TrainerProgress,
    TrainerTotals,
    TrainerTry,
)
from fullprime.learn.trainers.question import Ask, DrillError, TrainerQuestion
from fullprime.learn.trainers.registry import TRAINERS, check_seed, trainer_named
from fullprime.learn.trainers.store import TrainerStore
from fullprime.play.table.table_events import Side
from fullprime.rules.game import Game

LATEST = 60
"""The number of past answers that are shown."""
_LONGEST = 200
"""The most letters of an answer."""


def question_of(trainer: str, seed: int) -> TrainerQuestion:
    """A question by its number; raises DrillError."""
    return trainer_named(trainer).ask(check_seed(seed))


def new_seed() -> int:
    """The number of a question that is asked now, about a score drawn by chance."""
    return secrets.randbelow(CHOSEN)


def choose_seed(trainer: str, away: str, cube: int = 1, crawford: str | None = None) -> int:
    """The number of a question about a score that the learner chose; another one each time. Raises DrillError.

    ``away``: points that the learner and the opponent need, such as ``3-5``. ``crawford``: ``now`` or ``played``; left
    out, the first that goes with the score.
    """
    scores = trainer_named(trainer).scores
    if scores is None:
        raise DrillError(f"{trainer} asks about no score")
    needs = re.fullmatch(r"([0-9]{1,3})\s*-\s*([0-9]{1,3})", away.strip())
    if needs is None:
        raise DrillError(f"{away.strip()[:40]!r} is no score: write the points that you and the opponent need, 3-5")
    rules = [rule for rule in CRAWFORD if crawford is None or rule == crawford]
    if not rules:
        raise DrillError(f"{str(crawford)[:40]!r}: the Crawford game is {' or '.join(filter(None, CRAWFORD))}")
    candidates = [
        MatchScore(you=int(needs[1]), opponent=int(needs[2]), cube=cube, crawford=rule)
        for rule in rules
    ]  # fmt: skip
    fits = next((score for score in candidates if scores.why_not(score) is None), _nearest_score(candidates))
    return scores.seed_of(fits, secrets.randbelow(CHOSEN))


def _is_one_away(score: MatchScore) -> bool:
    """True if one side needs one point and the other more."""
    return min(score.you, score.opponent) == 1 < max(score.you, score.opponent)


def _nearest_score(candidates: list[MatchScore]) -> MatchScore:
    """The score with the most helpful refusal, which names the Crawford game only where one side needs one point."""
    closest = [score for score in candidates if _is_one_away(score) == bool(score.crawford)]
    return (closest or candidates)[-1]


def has_board(trainer: str) -> bool:
    """False for a trainer whose questions are words alone; True also for a name that no trainer has."""
    entry = TRAINERS.get(trainer)
    return entry is None or entry.has_board


def game_at(question: TrainerQuestion) -> Game | None:
    """The game of a question's board, the learner being X; None without a board."""
    if question.position is None:
        return None
    owners: dict[bool | None, Side | None] = {None: None, True: "X", False: "O"}
    dice = None if question.dice is None else (question.dice.high, question.dice.low)
    return game_of(
        AnalysisSetup(
            variant=question.variant.name,
            position=question.position.text,
            cube=question.cube,
            owner=owners[question.mine],
            dice=dice,
        )
    )


def shown_question(trainer: str, question: TrainerQuestion) -> DrillQuestion:
    """A question for a page."""
    game = game_at(question)
    board = None if game is None else scene(game, tree=question.ask is Ask.PLAY)
    if board is not None and trainer == "pips":
        # Without the answer.
        board = replace(board, pips={"X": 0, "O": 0})
    return DrillQuestion(trainer, question, board)


class Training:
    """The trainers, and what the learners of one database have done in them."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        self.learners = Learners(engine)
        self._tries, self._clock = TrainerStore(engine), clock

    def list_trainers(self, learner_id: LearnerId) -> TrainerList:
        """All trainers with what a learner has done in them."""
        totals = self._totals(self.learners.find(learner_id))
        return TrainerList(tuple(TrainerProgress(trainer, totals[name]) for name, trainer in TRAINERS.items()))

    def get_history(self, learner_id: LearnerId, name: str) -> TrainerHistory:
        """The last answers of a learner to a trainer's questions; raises DrillError."""
        trainer, learner = trainer_named(name), self.learners.find(learner_id)
        progress = TrainerProgress(trainer, self._totals(learner)[name])
        return TrainerHistory(progress, () if learner is None else self._tries.list_latest(learner, name, LATEST))

    def _totals(self, learner: int | None) -> Mapping[str, TrainerTotals]:
        """What a learner has done, by the name of the trainer."""
        return defaultdict(TrainerTotals, {} if learner is None else self._tries.count_answers(learner))

    def answer(self, learner_id: LearnerId, name: str, seed: int, text: str, seconds: float) -> DrillAnswer:
        """Mark an answer and store it; stored when this returns.

        Raises DrillError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise DrillError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        trainer = trainer_named(name)
        marked = trainer.mark(question_of(name, seed), text)
        learner = self.learners.get_or_create(learner_id)
        counted = self._tries.add(
            learner,
            TrainerTry(
                trainer=name, seed=seed, at=self._clock(), seconds=round(min(max(seconds, 0.0), SLOWEST), 2),
                right=marked.right, error=marked.error,
            ),
        )  # fmt: skip
        return DrillAnswer(marked, counted, TrainerProgress(trainer, self._totals(learner)[name]))


__all__ = [
    "HERE",
    "TRAINERS",
    "Ask",
    "DrillError",
    "LearnerId",
    "Trainer",
    "TrainerQuestion",
    "Training",
    "choose_seed",
    "game_at",
    "has_board",
    "new_seed",
    "question_of",
    "shown_question",
    "trainer_named",
]  # fmt: skip
