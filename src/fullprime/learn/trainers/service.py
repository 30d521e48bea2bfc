"""Trainers for a page or a terminal: questions with their boards, answers marked and stored, progress."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Engine

from fullprime.analysis.setups import DeskSetup, game_of, scene
from fullprime.db.times import utc_now
from fullprime.learn.learners import HERE, SLOWEST, Learners, Who
from fullprime.learn.trainers.fields import DrillAnswer, DrillQuestion, HistoryJson, TrainerJson, TrainersJson
from fullprime.learn.trainers.match_scores import CHOSEN, CRAWFORD, FARTHEST, MatchScore
from fullprime.learn.trainers.question import Ask, DrillError, Question, Trainer
from fullprime.learn.trainers.registry import TRAINERS, checked_seed, trainer_named
from fullprime.learn.trainers.store import Sum, Try, TryStore
from fullprime.rules.game import Game

LATEST = 60
"""Answers of the past that are shown."""
_LONGEST = 200
"""Letters of an answer."""


def question_of(trainer: str, seed: int) -> Question:
    """A question by its number; raises DrillError."""
    return trainer_named(trainer).ask(checked_seed(seed))


def new_seed() -> int:
    """The number of a question that is asked now, about a score drawn by chance."""
    return secrets.randbelow(CHOSEN)


def chosen_seed(trainer: str, away: str, cube: int = 1, crawford: str | None = None) -> int:
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
    given = [each for each in CRAWFORD if crawford is None or each == crawford]
    if not given:
        raise DrillError(f"{str(crawford)[:40]!r}: the Crawford game is {' or '.join(filter(None, CRAWFORD))}")
    asked = [
        MatchScore(you=int(needs[1]), opponent=int(needs[2]), cube=cube, crawford=each)
        for each in given
    ]  # fmt: skip
    fits = next((each for each in asked if scores.why_not(each) is None), _nearest(asked))
    return scores.seed_of(fits, secrets.randbelow(CHOSEN))


def _nearest(asked: list[MatchScore]) -> MatchScore:
    """The score whose refusal says most: with a word about the Crawford game only where one side needs one point."""
    told = [each for each in asked if (min(each.you, each.opponent) == 1 < max(each.you, each.opponent)) == bool(
        each.crawford)]  # fmt: skip
    return (told or asked)[-1]


def has_board(trainer: str) -> bool:
    """False for a trainer whose questions are words alone; True also for a name that no trainer has."""
    known = TRAINERS.get(trainer)
    return known is None or known.has_board


def game_at(question: Question) -> Game | None:
    """The game of a question's board, the learner being X; None without a board."""
    if question.position is None:
        return None
    owner = {None: None, True: "X", False: "O"}[question.mine]
    dice = None if question.dice is None else (question.dice.high, question.dice.low)
    return game_of(
        DeskSetup(
            variant=question.variant.name, position=question.position.text, cube=question.cube, owner=owner, dice=dice
        )
    )


def question_json(trainer: str, question: Question) -> DrillQuestion:
    """A question for a page."""
    game = game_at(question)
    board = None if game is None else scene(game)
    if board is not None:
        if question.ask is not Ask.PLAY:
            board.pop("tree", None)
        if trainer == "pips":
            # The answer is not told.
            board["pips"] = {"X": 0, "O": 0}
    return {
        "trainer": trainer,
        "seed": question.seed,
        "ask": str(question.ask),
        "words": question.words,
        "choices": list(question.choices),
        "board": board,
    }


def trainer_json(trainer: Trainer, done: Sum | None) -> TrainerJson:
    """A trainer with what was done in it."""
    return {
        "name": trainer.name,
        "title": trainer.title,
        "about": trainer.about,
        "teaches": list(trainer.teaches),
        "unit": trainer.unit,
        "digits": trainer.digits,
        "tries": 0 if done is None else done.tries,
        "right": 0 if done is None else done.right,
        "seconds": None if done is None else round(done.seconds, 2),
        "error": None if done is None else round(done.error, 5),
        "farthest": FARTHEST if trainer.scores else 0,
        "cubes": list(trainer.scores.cubes) if trainer.scores else [],
    }


class Training:
    """The trainers, and what the learners of one database have done in them."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        self.learners = Learners(engine)
        self._tries, self._clock = TryStore(engine), clock

    def trainers(self, who: Who) -> TrainersJson:
        """All trainers with what somebody has done in them."""
        learner = self.learners.known(who)
        sums = {} if learner is None else self._tries.sums(learner)
        return {"trainers": [trainer_json(each, sums.get(name)) for name, each in TRAINERS.items()]}

    def history(self, who: Who, name: str) -> HistoryJson:
        """The last answers of somebody to a trainer's questions; raises DrillError."""
        trainer, learner = trainer_named(name), self.learners.known(who)
        if learner is None:
            return {"trainer": trainer_json(trainer, None), "tries": []}
        return {
            "trainer": trainer_json(trainer, self._tries.sums(learner).get(name)),
            "tries": [
                {"at": each.at.isoformat(), "seconds": each.seconds, "right": each.right, "error": each.error}
                for each in self._tries.latest(learner, name, LATEST)
            ],
        }

    def answer(self, who: Who, name: str, seed: int, text: str, seconds: float) -> DrillAnswer:
        """Mark an answer and store it; stored when this returns.

        Raises DrillError, or an error of the rules, for what is no answer; then nothing is stored.
        """
        if len(text) > _LONGEST:
            raise DrillError(f"an answer has at most {_LONGEST} letters, not {len(text)}")
        trainer = trainer_named(name)
        marked = trainer.mark(question_of(name, seed), text)
        learner = self.learners.sure(who)
        found = Try(
            trainer=name, seed=seed, at=self._clock(), seconds=round(min(max(seconds, 0.0), SLOWEST), 2),
            right=marked.right, error=marked.error,
        )  # fmt: skip
        counted = self._tries.add(learner, found)
        return {
            "right": marked.right,
            "answer": marked.answer,
            "error": marked.error,
            "best": marked.best,
            "lines": list(marked.lines),
            "moves": list(marked.moves),
            "best_moves": list(marked.best_moves),
            "counted": counted,
            "trainer": trainer_json(trainer, self._tries.sums(learner).get(name)),
        }


__all__ = [
    "HERE", "TRAINERS", "Ask", "DrillError", "Question", "Trainer", "Training", "Who", "chosen_seed", "game_at",
    "has_board",
    "new_seed", "question_json", "question_of", "trainer_named",
]  # fmt: skip
