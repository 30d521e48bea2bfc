"""Progress of a learner: the steps done of each lesson, and the result of its quiz."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from fullprime.common.bounds import Bounds
from fullprime.common.json_values import JsonError, from_json, to_json
from fullprime.rules.errors import FullprimeError

_MOST = 500
"""The greatest number of lessons in one progress."""
_Steps = Annotated[int, Bounds(ge=0, le=60)]


class ProgressError(FullprimeError):
    """Progress that is not possible: a bad number, or too many lessons."""


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """A learner's progress in one lesson."""

    step: _Steps = 0
    """The number of steps done."""
    done: bool = False
    """True once the lesson was finished."""
    right: _Steps = 0
    """Quiz questions answered right at the first try, in the best run."""
    asked: _Steps = 0
    """Quiz questions of that run; 0 before the first."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 <= value <= 1000:
                raise ProgressError(f"{name} is {value}: a lesson has not that many steps")
        if self.right > self.asked:
            raise ProgressError(f"{self.right} right of {self.asked} asked")

    @property
    def passed(self) -> bool:
        """True for a lesson that was finished, and of whose quiz at least half was right."""
        return self.done and 2 * self.right >= self.asked

    def merge(self, other: LessonProgress) -> LessonProgress:
        """The better of both in everything; of two quizzes the one with the greater share right."""
        best = max(
            self,
            other,
            key=lambda progress: (progress.right / progress.asked if progress.asked else -1.0, progress.asked),
        )
        return LessonProgress(max(self.step, other.step), self.done or other.done, best.right, best.asked)


Progress = Mapping[str, LessonProgress]
"""Progress by the name of the lesson."""


@dataclass(frozen=True, slots=True)
class LearnerProgress:
    """A learner's progress."""

    lessons: Annotated[Progress, Bounds(max_length=200)]
    """By the name of the lesson."""


def merge_progress(first: Progress, second: Progress) -> dict[str, LessonProgress]:
    """Merge the progress of two learners into one, such as a guest's and an account's; nothing is lost."""
    progress = dict(first)
    for name, after in second.items():
        progress[name] = progress[name].merge(after) if name in progress else after
    if len(progress) > _MOST:
        raise ProgressError(f"{len(progress)} lessons: at most {_MOST} are kept")
    return progress


def progress_text(progress: Progress) -> str:
    """Progress as JSON."""
    return json.dumps(to_json(dict(sorted(progress.items()))), indent=1) + "\n"


def read_progress(text: str) -> dict[str, LessonProgress]:
    """The inverse of :func:`progress_text`; raises ProgressError."""
    try:
        return from_json(dict[str, LessonProgress], json.loads(text))
    except (ValueError, RecursionError, JsonError) as error:
        raise ProgressError(f"this is no progress of a learner ({error!r:.80})") from None
