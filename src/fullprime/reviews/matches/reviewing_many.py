"""Reviews of many files: archives, folders and patterns, several matches at once, and the players' totals."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from glob import glob
from itertools import chain
from pathlib import Path

from fullprime.formats import Document, FormatError, read_each
from fullprime.formats.files import INPUT, count_files
from fullprime.reviews.decision import Decision, Thresholds
from fullprime.reviews.levels import review_level
from fullprime.reviews.matches.reviewing import (
    Progress,
    ReviewedMatch,
    ReviewingError,
    Unread,
    player_of,
    review_document,
)
from fullprime.reviews.totals import PlayerTotal, totals
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.score import Player

FILES = "files"
"""The name under which the progress of several files is reported, beside that of each match, by any thread."""


def review_files(
    paths: Sequence[Path | bytes],
    level: str = "standard",
    *,
    threads: int = 1,
    keep: bool = True,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[ReviewedMatch | Unread]:
    """Every match of files, archives, folders, bytes and patterns such as ``2026-*.mat``, in their order.

    All threads think about a single match; of several matches each is reviewed by one thread. With ``keep`` finished
    games are kept in the user's cache, and a review that was stopped goes on from there. A caller that stops iterating
    stops the reviews. Raises ReviewLevelError for an unknown level, ReviewingError without a thread.
    """
    level = review_level(level).name
    if threads < 1:
        raise ReviewingError(f"{threads} threads: at least one is needed")
    paths = expand_paths(paths)
    matches, several = _begin(_matches(paths))
    workers = threads if several else 1
    stopped = threading.Event()

    def review_one(match: _ReadMatch) -> ReviewedMatch | Unread:
        try:
            return review_document(
                match.document,
                match.name,
                level,
                threads=threads // workers,
                keep=keep,
                progress=progress,
                stop=lambda: stopped.is_set() or (stop is not None and stop()),
            )
        except FullprimeError as error:
            return Unread(match.name, str(error))

    there_are = count_files(paths) if progress is not None and several else 0
    waiting: deque[tuple[Future[ReviewedMatch | Unread] | Unread, int]] = deque()
    with ThreadPoolExecutor(workers, thread_name_prefix="review") as pool:
        try:
            for match in chain(matches, [None]):
                if match is not None:
                    waiting.append(
                        (pool.submit(review_one, match) if isinstance(match, _ReadMatch) else match, match.file)
                    )
                while waiting and (match is None or len(waiting) > 2 * workers or _is_done(waiting[0][0])):
                    job, file = waiting.popleft()
                    yield job.result() if isinstance(job, Future) else job
                    if there_are and progress is not None:
                        progress(FILES, file, there_are)
        finally:
            stopped.set()
            for job, _ in waiting:
                if isinstance(job, Future):
                    job.cancel()


def expand_paths(paths: Sequence[Path | bytes]) -> list[Path | bytes]:
    """The paths, patterns (``*``, ``?``, ``[a-z]``, ``**``) replaced by the files that match, each path once.

    A pattern that matches nothing stays as it is, to be reported like a file that is not there.
    """
    unique: dict[Path | bytes, Path | bytes] = {}
    for path in paths:
        if isinstance(path, bytes):
            unique.setdefault(path, path)
            continue
        pattern = str(path)
        matching: list[Path] = []
        if any(letter in pattern for letter in "*?[") and not path.exists():
            # Not Path.glob: a pattern may begin anywhere.
            matching = [Path(name) for name in sorted(glob(pattern, recursive=True))]  # noqa: PTH207
        for file in matching or [path]:
            unique.setdefault(file.resolve(), file)
    return list(unique.values())


@dataclass(frozen=True, slots=True)
class _ReadMatch:
    """A match that has been read, and which of the files it came from."""

    document: Document
    name: str
    file: int


def _matches(paths: Sequence[Path | bytes]) -> Iterator[_ReadMatch | Unread]:
    """The matches in the files, read as they are asked for."""
    file = 0
    for path in paths:
        before = file
        for name, documents in read_each(path, name=INPUT):
            file += 1
            if isinstance(documents, FormatError):
                yield Unread(name, str(documents), file)
                continue
            for number, document in enumerate(documents, 1):
                yield _ReadMatch(document, name if len(documents) == 1 else f"{name}, match {number}", file)
        if file == before:
            file += 1
            yield Unread(str(path) if isinstance(path, Path) else INPUT, "there is no file in it", file)


def _begin(matches: Iterator[_ReadMatch | Unread]) -> tuple[Iterator[_ReadMatch | Unread], bool]:
    """The same, and whether there are several matches among them."""
    begun: list[_ReadMatch | Unread] = []
    for match in matches:
        begun.append(match)
        if sum(isinstance(match, _ReadMatch) for match in begun) > 1:
            return chain(begun, matches), True
    return iter(begun), False


def _is_done(job: Future[ReviewedMatch | Unread] | Unread) -> bool:
    return isinstance(job, Unread) or job.done()


def worst_of(
    matches: Sequence[ReviewedMatch], most: int, thresholds: Thresholds, player: str | None = None
) -> list[tuple[ReviewedMatch, Player | None, Decision, Game]]:
    """The decisions that cost most in all these matches (of a player with that name), each with the game before it.

    With them the side that the named player has in the match.
    """
    bad = []
    for match in matches:
        side = player_of(match, player)
        if side is not None or player is None:
            bad += [(match, side, decision, game) for decision, game in match.worst(most, thresholds, side)]
    return sorted(bad, key=lambda row: -row[2].loss)[:most]


def totals_of(matches: Sequence[ReviewedMatch], thresholds: Thresholds) -> list[PlayerTotal]:
    """The play of each player in all these matches."""
    return totals(((match.document.match, match.review) for match in matches), thresholds)
