"""Progress of a learner: how far each lesson has been followed, and how its quiz went."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from fullprime.rules.errors import FullprimeError

_MOST = 500
"""The greatest number of lessons in one progress."""


class ProgressError(FullprimeError):
    """Progress that cannot be: a number that is none, or too many lessons."""


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """One lesson: the number of steps done, if it was finished, and the best result of its quiz."""

    step: int = 0
    done: bool = False
    right: int = 0
    asked: int = 0
    """Quiz questions answered in the run with that result; 0 while none has been finished."""

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 <= value <= 1000:
                raise ProgressError(f"{name} is {value}: a lesson has not that many steps")
        if self.right > self.asked:
            raise ProgressError(f"{self.right} right of {self.asked} asked")

    def merged(self, other: LessonProgress) -> LessonProgress:
        """The better of both in everything; of two quizzes the one with the greater share right."""
        best = max(self, other, key=lambda each: (each.right / each.asked if each.asked else -1.0, each.asked))
        return LessonProgress(max(self.step, other.step), self.done or other.done, best.right, best.asked)


Progress = Mapping[str, LessonProgress]
"""Progress by the name of the lesson."""


def merged(first: Progress, second: Progress) -> dict[str, LessonProgress]:
    """Two people's progress who turn out to be one, such as a guest's and an account's; nothing is lost."""
    found = dict(first)
    for name, each in second.items():
        found[name] = found[name].merged(each) if name in found else each
    if len(found) > _MOST:
        raise ProgressError(f"{len(found)} lessons: at most {_MOST} are kept")
    return found


def progress_text(progress: Progress) -> str:
    """Progress as JSON."""
    return json.dumps({name: asdict(each) for name, each in sorted(progress.items())}, indent=1) + "\n"


def read_progress(text: str) -> dict[str, LessonProgress]:
    """The inverse of :func:`progress_text`; raises ProgressError."""
    try:
        data = json.loads(text)
        return {
            str(name): LessonProgress(int(each["step"]), bool(each["done"]), int(each["right"]), int(each["asked"]))
            for name, each in data.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProgressError(f"this is no progress of a learner ({error!r:.80})") from None
