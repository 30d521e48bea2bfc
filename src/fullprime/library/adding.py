"""Files added to a library by a page, and its matches reviewed: jobs that report their progress and can be stopped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from fullprime.common.jobs import Job
from fullprime.library.service import FileReport, LibraryStore, Wanted, review_library, update_figures
from fullprime.reviews.matches.sandbox import ReadFile, files_apart
from fullprime.reviews.matches.uploads import LIMITS, UploadLimits
from fullprime.rules.errors import FullprimeError

ADDING = replace(LIMITS, most_matches=500, cpu_seconds=90, seconds=300.0, most_output=256 << 20)
"""The limits of one file or archive that is added. A review takes far longer than reading, so that more is taken."""


@dataclass(frozen=True, slots=True)
class AddProgress:
    """The progress of files that are being added and reviewed."""

    doing: str
    """``reading``, ``storing`` or ``reviewing``."""
    done: int
    """Files or matches that are done."""
    of: int
    """The number of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedFiles:
    """The result of files that were added, or of matches that were reviewed."""

    kind: Literal["library"] = "library"
    """The kind of work."""
    files: tuple[FileReport, ...]
    """What became of each file."""
    reviewed: int
    """Matches that were reviewed."""
    failed: tuple[str, ...]
    """The reasons why matches could not be reviewed."""
    matches: int
    """The number of matches in the library now."""


@dataclass(slots=True)
class _Work:
    store: LibraryStore
    job: Job
    files: list[FileReport] = field(default_factory=list)
    reviewed: int = 0
    failed: list[str] = field(default_factory=list)

    def report(self, doing: str, done: int, of: int) -> None:
        self.job.report(AddProgress(doing, done, of))

    def result(self) -> AddedFiles:
        return AddedFiles(
            files=tuple(self.files), reviewed=self.reviewed, failed=tuple(self.failed), matches=self.store.count()
        )


def add_upload(
    store: LibraryStore, data: bytes, name: str, level: str | None, job: Job, *, limits: UploadLimits = ADDING
) -> AddedFiles:
    """Add a file, or every file of an archive, and review the new matches at a level where one is named.

    Each file is read by a process of its own (``apart``) and stored in one transaction; a job that is stopped keeps
    the files and the games that were done.
    """
    work = _Work(store, job)
    work.report("reading", 0, 1)
    files = list(files_apart(data, name, lambda: job.stopped, limits))
    for done, file in enumerate(files):
        if job.stopped:
            break
        work.report("storing", done, len(files))
        work.files.append(_add(store, file))
    numbers = tuple(number for report in work.files for number in report.new)
    if level is not None and numbers and not job.stopped:
        _review(work, Wanted(numbers=numbers), level)
    return work.result()


def review_matches(store: LibraryStore, wanted: Wanted, level: str, job: Job) -> AddedFiles:
    """Review the matches that have no review of that level yet; a job that is stopped keeps every game that is done."""
    work = _Work(store, job)
    update_figures(store, lambda: job.stopped)
    _review(work, wanted, level)
    return work.result()


def _add(store: LibraryStore, file: ReadFile) -> FileReport:
    name = file.name.encode("utf-8", "replace").decode()[-200:]
    if file.problems or not file.documents:
        reasons = tuple(problem.removeprefix(file.name).lstrip(": ") for problem in file.problems) or (
            "it holds no match",
        )
        return FileReport(name, "failed", problems=reasons)
    try:
        added = store.add(file.content, name, file.documents)
    except FullprimeError as error:
        return FileReport(name, "failed", problems=(str(error),))
    if added.file_known:
        return FileReport(name, "seen")
    return FileReport(name, "new" if added.new else "known", added.new, added.known, added.problems)


def _review(work: _Work, wanted: Wanted, level: str) -> None:
    stop = lambda: work.job.stopped  # noqa: E731 - a name for what is asked often
    reviews = review_library(
        work.store, wanted, level, progress=lambda done, of: work.report("reviewing", done, of), stop=stop
    )
    for review in reviews:
        if review.why is None:
            work.reviewed += 1
        else:
            work.failed.append(f"match {review.match}: {review.why}")
        if work.job.stopped:
            break
