"""Reviews for a page: matches that were sent to be reviewed, within limits; and lessons from the errors in them."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

from platformdirs import user_cache_path

from fullprime.analysis.model import play_on_board
from fullprime.analysis.previews import Preview
from fullprime.analysis.service import ready
from fullprime.analysis.setups import BoardJson, SceneJson, board, scene, setup_of
from fullprime.common.atomic_write import atomic_write
from fullprime.common.jobs import Job
from fullprime.formats import FORMATS, Document, FormatError, Problem, read, writable, write
from fullprime.learn.match_lesson_fields import LessonJson, LessonOption
from fullprime.reviews.decision import Decision, Kind, Option, Thresholds, Verdict
from fullprime.reviews.explain import explanation
from fullprime.reviews.file_analysis import file_analysis
from fullprime.reviews.levels import LEVELS
from fullprime.reviews.matches.fields import MatchSummary, ReviewProgress, ReviewsJson
from fullprime.reviews.matches.reviewing import ReviewedMatch, Unread, review_document
from fullprime.reviews.matches.sandbox import read_apart
from fullprime.reviews.matches.uploads import LIMITS, UploadLimits, documents
from fullprime.reviews.report.places import Place, places_of
from fullprime.reviews.review import Ahead, ReviewError, is_dated
from fullprime.reviews.stored import review_from_json, review_json
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Game
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR, Position
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import versus

log = logging.getLogger(__name__)

MOST_KEPT, KEPT_SECONDS = 200, 86_400
"""Reviews that are kept on the disk, and for how long."""
MOST_KEPT_BYTES = 512 << 20
"""Bytes of them all; the latest one is kept in any case."""

LESSONS = (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER)
"""The verdicts to learn from; a choice that is too close to call teaches nothing."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """The result for a file: matches with their reviews, and the parts that could not be reviewed."""

    name: str
    matches: tuple[ReviewedMatch, ...] = ()
    unread: tuple[Unread, ...] = ()

    def match(self, number: int) -> ReviewedMatch:
        """The match of that number, from 1; raises FormatError."""
        if not 1 <= number <= len(self.matches):
            raise FormatError(f"{self.name} has no match {number}")
        return self.matches[number - 1]


def review_upload(data: bytes, name: str, level: str, job: Job, *, limits: UploadLimits = LIMITS) -> Reviews:
    """Review every match of a file or archive that somebody sent; a process of its own reads it (``apart``).

    A review that is stopped gives the part of it that was finished. Raises FormatError when nothing can be read at all.
    """
    return _review_all(read_apart(data, name, lambda: job.stopped, limits), name, level, job, keep=False)


def review_record(data: bytes, name: str, level: str, job: Job, ahead: Ahead | None = None) -> Reviews:
    """The same for a record that this server wrote; its finished games are kept in the cache.

    What was judged ``ahead``, while it was played, is not judged again.
    """
    return _review_all(documents(data, name), name, level, job, keep=True, ahead=ahead)


def review_again(reviewed: ReviewedMatch, level: str, job: Job) -> Reviews:
    """The same match judged again by the nets of today, at that level; raises FormatError."""
    return _review_all([(reviewed.name, reviewed.document)], reviewed.name, level, job, keep=False)


def dated_words(reviewed: ReviewedMatch) -> str:
    """A sentence for a review whose nets have been replaced since; empty for one by the nets of today."""
    review = reviewed.review
    return f"Judged at level {review.level} by nets that have been replaced since." if is_dated(review) else ""


def review_levels() -> dict[str, str]:
    """The levels of reviews, with what each does in words."""
    return {name: each.about for name, each in LEVELS.items()}


def _review_all(
    parts: Iterable[tuple[str, Document | str]],
    name: str,
    level: str,
    job: Job,
    *,
    keep: bool,
    ahead: Ahead | None = None,
) -> Reviews:
    found: list[ReviewedMatch] = []
    unread: list[Unread] = []
    for shown, document in parts:
        if isinstance(document, str):
            unread.append(Unread(shown, document))
        elif job.stopped:
            break
        else:
            _review(document, shown, level, job, found, unread, keep=keep, ahead=ahead)
    if not found and not job.stopped:
        raise FormatError(f"{unread[0].name}: {unread[0].why}" if unread else f"{name} holds no match")
    return Reviews(name, tuple(found), tuple(unread))


def _review(
    document: Document,
    name: str,
    level: str,
    job: Job,
    found: list[ReviewedMatch],
    unread: list[Unread],
    *,
    keep: bool,
    ahead: Ahead | None,
) -> None:
    number = len(found) + 1

    def progress(shown: str, games: int, there_are: int) -> None:
        done: ReviewProgress = {"match": number, "name": shown, "games": games, "of": there_are}
        job.report(done)

    try:
        if number == 1:
            ready(document.match.settings.variant, job)
        reviewed = review_document(
            document, name, level, keep=keep, progress=progress, stop=lambda: job.stopped, ahead=ahead
        )
    except FullprimeError as error:
        unread.append(Unread(name, str(error)))
        return
    if reviewed.review.games:
        found.append(reviewed)


# -- kept on the disk, for other processes and after a restart ----------------------------------------------------
def keep(found: Reviews, name: str) -> None:
    """Keep reviews for a day under a name that nobody guesses; a disk that cannot be written is no reason to stop."""
    place = _shelf() / f"{name}.json"
    matches = [
        {
            "name": each.name,
            "document": write(each.document, "json")[0].decode(),
            "problems": [str(problem) for problem in each.document.report],
            "review": review_json(each.review),
        }
        for each in found.matches
    ]
    whole = {"name": found.name, "matches": matches, "unread": [[each.name, each.why] for each in found.unread]}
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic_write(place, json.dumps(whole))
        old = sorted(place.parent.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
        size = 0
        for number, path in enumerate(old):
            facts = path.stat()
            size += facts.st_size
            is_old = time.time() - facts.st_mtime > KEPT_SECONDS
            if number >= MOST_KEPT or is_old or (size > MOST_KEPT_BYTES and path != place):
                path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("a review is not kept: %s", error)


@lru_cache(maxsize=8)
def kept(name: str) -> Reviews:
    """Reviews that were kept under a name; raises FormatError where there are none."""
    try:
        if not re.fullmatch(r"[A-Za-z0-9_-]{16,40}", name):
            raise FormatError("there is no such review")
        whole = json.loads((_shelf() / f"{name}.json").read_text(encoding="utf-8"))
        matches = []
        for each in whole["matches"]:
            (document,) = read(each["document"].encode()).documents
            document = replace(document, report=tuple(Problem(words) for words in each["problems"]))
            matches.append(ReviewedMatch(document, review_from_json(each["review"]), each["name"]))
        return Reviews(whole["name"], tuple(matches), tuple(Unread(*each) for each in whole["unread"]))
    except (OSError, ValueError, KeyError, TypeError, ReviewError) as error:
        raise FormatError("there is no such review, or it is no longer kept") from error


def _shelf() -> Path:
    return user_cache_path("fullprime") / "served-reviews"


# -- as JSON -----------------------------------------------------------------------------------------------------
def reviews_json(found: Reviews) -> ReviewsJson:
    """The result for a file, in short."""
    return {
        "kind": "review",
        "name": found.name,
        "matches": [summary(each) for each in found.matches],
        "unread": [{"name": each.name, "why": each.why} for each in found.unread],
        "formats": export_formats(),
    }


def summary(reviewed: ReviewedMatch) -> MatchSummary:
    """One match in a few values."""
    match, review = reviewed.document.match, reviewed.review
    return {
        "name": reviewed.name,
        "players": list(match.names),
        "variant": match.settings.variant.title,
        "length": match.settings.length,
        "level": review.level,
        "program": review.program,
        "dated": is_dated(review),
        "games": review.games,
        "of": len(match.games),
        "complete": review.complete,
        "decisions": len(review.decisions),
    }


def preview(reviewed: ReviewedMatch, thresholds: Thresholds) -> Preview:
    """What stands for a review elsewhere: the position of the costliest decision, and both ratings."""
    match, worst = reviewed.document.match, reviewed.worst(1, thresholds)
    facts = [
        f"{match.names[each.player]}: PR {each.pr:.1f}" for each in reviewed.ratings(thresholds) if each.pr is not None
    ]
    game, bottom = match.games[0].start, Player.X
    if worst:
        decision, game = worst[0]
        bottom = decision.player
        facts.append(f"{match.names[bottom]}: {decision.played.text}? Best {decision.best.text}")
    return Preview(game, versus(match.names), tuple(facts), match.names, bottom)


def export_formats() -> dict[str, str]:
    """Names and titles of the formats in which a reviewed match can be saved."""
    return {name: FORMATS[name].title for name in writable(matches=True)}


def exported(reviewed: ReviewedMatch, name: str) -> tuple[bytes, str]:
    """The match with our analysis in a format, and the extension of its file; raises FormatError."""
    document = reviewed.document
    document = Document(document.match, file_analysis(reviewed.review), document.report, document.format)
    data, _ = write(document, name)
    known = FORMATS.get(name)
    return data, known.extensions[0] if known is not None and known.extensions else _EXTENSIONS.get(name, ".txt")


_EXTENSIONS = {"csv": ".csv"}
"""Endings of files in formats that are written and never read, where the ending is not that of a text."""


def lessons(reviewed: ReviewedMatch, thresholds: Thresholds, player: Player | None = None) -> list[LessonJson]:
    """The errors of a match in the order in which they were made: the board before each, the options, the
    cost of each option, and the reasons for the best.
    """
    match = reviewed.document.match
    wanted = {
        (each.game, each.event): each
        for each in reviewed.review.decisions
        if each.verdict(thresholds) in LESSONS and player in (None, each.player)
    }
    places = places_of(match, reviewed.review)
    return [_lesson(each, match, thresholds, places[key]) for key, each in wanted.items()]


def lesson_at(reviewed: ReviewedMatch, thresholds: Thresholds, game: int, event: int) -> LessonJson | None:
    """The decision at an event, right or wrong (both count from 0); None where nothing was judged."""
    match = reviewed.document.match
    found = next((each for each in reviewed.review.decisions if (each.game, each.event) == (game, event)), None)
    if found is None:
        return None
    return _lesson(found, match, thresholds, places_of(match, reviewed.review)[game, event])


def lesson_of(decision: Decision, match: Match, thresholds: Thresholds, before: Game) -> LessonJson:
    """A decision by itself, for a card: without its place on the page of a report, and of its board the setup alone.

    ``before`` is the game in which it was made. Raises IllegalAction where the analysis board has no place for it.
    """
    view = cast("BoardJson", {"setup": setup_of(before)})
    return _lesson(decision, match, thresholds, Place(decision.game + 1, 0, "", before), view)


def _view(game: Game) -> BoardJson | SceneJson:
    """The board of a lesson, with its setup where the analysis board has a place for it."""
    try:
        return board(game)
    except IllegalAction:
        return scene(game)


_KINDS = {
    Kind.PLAY: "play", Kind.DOUBLE: "double", Kind.TAKE: "take", Kind.CHOICE: "choice",
    Kind.RESIGNATION: "resignation",
}  # fmt: skip
_ORDER = ("no double", "no redouble", "double", "redouble", "take", "beaver", "drop")
"""Actions with the cube are offered in this order, wherever the right one stands."""


def _lesson(
    each: Decision, match: Match, thresholds: Thresholds, place: Place, view: BoardJson | None = None
) -> LessonJson:
    before = place.before
    names, reasons = [option.text for option in each.options], explanation(each, before)
    if each.kind in (Kind.DOUBLE, Kind.TAKE):
        names.sort(key=lambda text: next((n for n, word in enumerate(_ORDER) if text.startswith(word)), len(_ORDER)))
    return {
        "game": each.game + 1,
        "event": each.event + 1,
        "number": place.number,
        "anchor": place.anchor,
        "player": each.player.name,
        "name": match.names[each.player],
        "kind": _KINDS[each.kind],
        "verdict": str(each.verdict(thresholds)),
        "words": each.words,
        "reason": reasons.first,
        "more": list(reasons.more),
        "mistake": each.mistake,
        "proper": each.cube.proper if each.cube is not None else None,
        "chosen": each.chosen,
        "choices": [] if each.kind is Kind.PLAY else names,
        "legal": each.legal,
        "options": [_choice(option, each, thresholds, before) for option in each.options],
        "board": _view(before) if view is None else view,
    }


def _choice(option: Option, decision: Decision, thresholds: Thresholds, before: Game) -> LessonOption:
    drawn = play_on_board(option.moves or (), option.loss)
    found: LessonOption = {
        "text": option.text,
        "equity": option.equity,
        "loss": option.loss,
        "value": option.value,
        "verdict": str(thresholds.verdict(option.loss)),
        "chances": None if option.chances is None else list(option.chances),
        "depth": option.depth,
        "deviation": option.deviation,
        "arrows": drawn["arrows"],
        "mark": drawn["mark"],
    }
    if decision.kind is Kind.PLAY:
        # By the rows after each play a page knows what somebody has played.
        found["after"] = _after(before.position_of(decision.player), option.moves or ())
    return found


def _after(position: Position, moves: Sequence[CheckerMove]) -> list[list[int]]:
    mine, theirs = list(position.player), list(position.opponent)
    for move in moves:
        mine[move.source] -= 1
        mine[move.target] += 1
        if move.hit:
            theirs[25 - move.target] -= 1
            theirs[BAR] += 1
    return [mine, theirs]
