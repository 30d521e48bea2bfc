"""The answers of learners to the positions of the days, which only the server judges and counts.

The first answer to the position of a day counts; asking for the best play is an answer. A learner sees what others
played after that.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from sqlalchemy import Engine

from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.learn.learners import LearnerId, Learners, streak
from fullprime.learn.lessons.daily_store import DailyStore, SavedDaily
from fullprime.learn.teaching import daily
from fullprime.learn.teaching.model import DailyAnswered, DailyOutcome, DailyPlay, DailyRecord, LessonAnswer
from fullprime.messages import Message

MOST_PLAYS = 5
"""Plays of others that are shown."""


class DailyRecords:
    """The answers of the learners of one database to the positions of the days."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = utc_now) -> None:
        self._learners, self._store, self._clock = Learners(engine), DailyStore(engine), clock

    def answer(self, learner_id: LearnerId, day: date, text: str) -> DailyAnswered:
        """Judge a play; the first one of a learner is stored when this returns. Raises Refusal for a day to come."""
        self._check(day)
        answer = daily.answer(day, text)
        if answer.verdict.refused:
            return DailyAnswered(answer)
        return self._store_answer(learner_id, day, answer, daily.name_of(day, answer.verdict.play))

    def get_solution(self, learner_id: LearnerId, day: date) -> DailyAnswered:
        """The best play, which counts as the answer of a learner without one. Raises Refusal as `answer` does."""
        self._check(day)
        return self._store_answer(learner_id, day, daily.solution(day), "")

    def get_record(self, learner_id: LearnerId, today: date) -> DailyRecord:
        """The record of a learner; the streak ends today, or yesterday while today has no answer."""
        learner = self._learners.find(learner_id)
        answers = [] if learner is None else self._store.list_answers(learner)
        return DailyRecord(
            streak=streak(tuple(day_answer.day for day_answer in answers if day_answer.in_time), today),
            answered=sum(bool(day_answer.answer) for day_answer in answers),
            right=sum(day_answer.right for day_answer in answers),
            days=tuple(map(_outcome, answers)),
        )

    def _store_answer(self, learner_id: LearnerId, day: date, answer: LessonAnswer, play: str) -> DailyAnswered:
        learner = self._learners.get_or_create(learner_id)
        right = bool(play) and answer.verdict.right
        counted = self._store.add(learner, SavedDaily(day=day, answer=play, right=right, at=self._clock()))
        plays = self._store.count_plays_of_others(learner, day)
        return DailyAnswered(
            answer,
            counted,
            sum(count for _, count in plays),
            tuple(DailyPlay(text, count) for text, count in plays[:MOST_PLAYS]),
        )

    def _check(self, day: date) -> None:
        """Raise Refusal for a day that has not begun anywhere, so that answers are not known before its morning."""
        if day > (self._clock() + timedelta(hours=14)).date():
            raise Refusal(Message("the position of {day} is played from that day on", day=day.isoformat()), "missing")


def _outcome(saved: SavedDaily) -> DailyOutcome:
    return DailyOutcome(saved.day.isoformat(), saved.answer, saved.right)
