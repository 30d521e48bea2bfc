"""Progress of learners, stored in a file of the user's data folder, or on a server in the database."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy import Engine

from fullprime.common.atomic_write import atomic_write
from fullprime.learn.lessons.course import course
from fullprime.learn.lessons.progress import (
    LessonProgress,
    Progress,
    ProgressError,
    merge_progress,
    progress_text,
    read_progress,
)
from fullprime.learn.lessons.store import LessonStore


def progress_file() -> Path:
    """The file in which the terminal keeps the progress of its user."""
    return user_data_path("fullprime", appauthor=False) / "learning.json"


def load(file: Path) -> dict[str, LessonProgress]:
    """The progress so far, empty where there is no file; raises ProgressError for one that cannot be read."""
    try:
        return read_progress(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, ProgressError) as error:
        raise ProgressError(f"{file}: {error}") from None


def save(file: Path, progress: Progress) -> None:
    """Write the progress atomically; raises ProgressError where that is impossible."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, progress_text(progress), private=True)
    except OSError as error:
        raise ProgressError(f"{file}: it cannot be written ({error.strerror or error})") from None


def note(file: Path, lesson: str, mark: LessonProgress) -> None:
    """Merge the progress of a lesson into the stored one; nothing that was reached before is lost."""
    save(file, merge_progress(load(file), {lesson: mark}))


class AccountProgress:
    """The progress of the accounts of a server."""

    def __init__(self, engine: Engine) -> None:
        """``engine`` leads to the database of the accounts."""
        self._store = LessonStore(engine)

    def get(self, account: int) -> dict[str, LessonProgress]:
        """The progress of an account."""
        return self._store.get_progress(account)

    def add(self, account: int, more: Progress) -> dict[str, LessonProgress]:
        """Merge progress into that of an account: what a browser kept for a guest, or a step just done.

        Raises ProgressError for impossible progress. Lessons that are not in the course are left out, because a browser
        may remember one that is gone.
        """
        names = {lesson.name for lesson in course()}
        in_course = {name: progress for name, progress in more.items() if name in names}
        return self._store.change(account, lambda before: merge_progress(before, in_course))
