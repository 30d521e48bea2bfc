"""Reviews of uploaded matches, within limits, and lessons from the errors in them."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

from platformdirs import user_cache_path

from fullprime.analysis.model import play_on_board
from fullprime.analysis.previews import Preview
from fullprime.analysis.service import open_engine
from fullprime.analysis.setups import AnalysisBoard, BoardScene, board, scene
from fullprime.common.atomic_write import atomic_write
from fullprime.common.jobs import Job
from fullprime.common.json_values import JsonError, JsonFields, from_json, json_names, to_json
from fullprime.formats import FORMATS, Document, FormatError, Problem, read, writable, write
from fullprime.learn.match_lesson import LessonDecision, LessonOption, MatchLesson
from fullprime.reviews.decision import Decision, Kind, Option, Thresholds, Verdict
from fullprime.reviews.explain import explanation
from fullprime.reviews.levels import LEVELS
from fullprime.reviews.matches.reviewing import MatchSummary, ReviewedMatch, ReviewProgress, Unread, review_document
from fullprime.reviews.matches.sandbox import read_apart
from fullprime.reviews.matches.uploads import LIMITS, UploadLimits, documents
from fullprime.reviews.report.places import ReportPlace, places_of
from fullprime.reviews.review import JudgedMatch, Review, is_dated
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Game
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import BAR, Position
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

log = logging.getLogger(__name__)

MOST_KEPT, KEPT_SECONDS = 200, 86_400
"""The most reviews that are kept on the disk, and the seconds for which they are."""
MOST_KEPT_BYTES = 512 << 20
"""Bytes of them all; the latest one is kept in any case."""

LESSONS = (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER)
"""The verdicts to learn from; a choice that is too close to call teaches nothing."""


@dataclass(frozen=True, slots=True)
class UploadedReviews:
    """The result for a file that was sent to be reviewed."""

    __json__: ClassVar[JsonFields] = json_names("kind", "name", "matches", "unread", "formats", matches="summaries")

    name: str
    """The name of the file."""
    matches: tuple[ReviewedMatch, ...] = ()
    unread: tuple[Unread, ...] = ()
    """The files that could not be reviewed."""
    kind: Literal["review"] = "review"
    """The kind of this answer."""

    @property
    def summaries(self) -> tuple[MatchSummary, ...]:
        """The matches that could be reviewed."""
        return tuple(reviewed.summary for reviewed in self.matches)

    @property
    def formats(self) -> dict[str, str]:
        """The formats in which a reviewed match can be saved, by name."""
        return export_formats()


def review_upload(data: bytes, name: str, level: str, job: Job, *, limits: UploadLimits = LIMITS) -> UploadedReviews:
    """Review every match of a file or archive from a visitor, which another process reads.

    A review that is stopped gives the part of it that was finished. Raises FormatError when nothing can be read at all.
    """
    return _review_all(read_apart(data, name, lambda: job.stopped, limits), name, level, job, keep=False)


def review_record(data: bytes, name: str, level: str, job: Job, ahead: JudgedMatch | None = None) -> UploadedReviews:
    """Review a record that this server wrote; its finished games are kept in the cache.

    Decisions that were judged ``ahead``, during the match, are not judged again.
    """
    return _review_all(documents(data, name), name, level, job, keep=True, ahead=ahead)


def review_again(reviewed: ReviewedMatch, level: str, job: Job) -> UploadedReviews:
    """Review a match again by the nets of today, at that level; raises FormatError."""
    return _review_all([(reviewed.name, reviewed.document)], reviewed.name, level, job, keep=False)


def dated_words(reviewed: ReviewedMatch) -> str:
    """A sentence for a review whose nets have been replaced since; empty for one by the nets of today."""
    review = reviewed.review
    return f"Judged at level {review.level} by nets that have been replaced since." if is_dated(review) else ""


def review_levels() -> dict[str, str]:
    """The levels of reviews, with what each does in words."""
    return {name: level.about for name, level in LEVELS.items()}


def _review_all(
    parts: Iterable[tuple[str, Document | str]],
    name: str,
    level: str,
    job: Job,
    *,
    keep: bool,
    ahead: JudgedMatch | None = None,
) -> UploadedReviews:
    reviewed: list[ReviewedMatch] = []
    unread: list[Unread] = []
    for title, document in parts:
        if isinstance(document, str):
            unread.append(Unread(title, document))
        elif job.stopped:
            break
        else:
            _review(document, title, level, job, reviewed, unread, keep=keep, ahead=ahead)
    if not reviewed and not job.stopped:
        raise FormatError(f"{unread[0].name}: {unread[0].why}" if unread else f"{name} holds no match")
    return UploadedReviews(name, tuple(reviewed), tuple(unread))


def _review(
    document: Document,
    name: str,
    level: str,
    job: Job,
    matches: list[ReviewedMatch],
    unread: list[Unread],
    *,
    keep: bool,
    ahead: JudgedMatch | None,
) -> None:
    number = len(matches) + 1

    def progress(title: str, games: int, there_are: int) -> None:
        job.report(ReviewProgress(number, title, games, there_are))

    try:
        if number == 1:
            open_engine(document.match.settings.variant, job)
        reviewed = review_document(
            document, name, level, keep=keep, progress=progress, stop=lambda: job.stopped, ahead=ahead
        )
    except FullprimeError as error:
        unread.append(Unread(name, str(error)))
        return
    if reviewed.review.games:
        matches.append(reviewed)


# -- kept on the disk, for other processes and after a restart ----------------------------------------------------
def store_reviews(reviews: UploadedReviews, name: str) -> None:
    """Store reviews for a day under a name that cannot be guessed; a disk that cannot be written is only logged."""
    place = _shelf() / f"{name}.json"
    matches = [
        {
            "name": match.name,
            "document": write(match.document, "json")[0].decode(),
            "problems": [str(problem) for problem in match.document.report],
            "review": to_json(match.review),
        }
        for match in reviews.matches
    ]
    fields = {
        "name": reviews.name,
        "matches": matches,
        "unread": [[upload.name, upload.why] for upload in reviews.unread],
    }
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic_write(place, json.dumps(fields))
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
def load_reviews(name: str) -> UploadedReviews:
    """Reviews that were kept under a name; raises FormatError where there are none."""
    try:
        if not re.fullmatch(r"[A-Za-z0-9_-]{16,40}", name):
            raise FormatError("there is no such review")
        fields = json.loads((_shelf() / f"{name}.json").read_text(encoding="utf-8"))
        matches = []
        for match in fields["matches"]:
            (document,) = read(match["document"].encode()).documents
            document = replace(document, report=tuple(Problem(words) for words in match["problems"]))
            matches.append(ReviewedMatch(document, from_json(Review, match["review"]), match["name"]))
        return UploadedReviews(fields["name"], tuple(matches), tuple(Unread(*unread) for unread in fields["unread"]))
    except (OSError, ValueError, KeyError, TypeError, JsonError) as error:
        raise FormatError("there is no such review, or it is no longer kept") from error


def _shelf() -> Path:
    return user_cache_path("fullprime") / "served-reviews"


# -- what a review is shown as ------------------------------------------------------------------------------------
def preview(reviewed: ReviewedMatch, thresholds: Thresholds) -> Preview:
    """The preview of a review on other sites: the position of the costliest decision, and both ratings."""
    match, worst = reviewed.document.match, reviewed.worst(1, thresholds)
    facts = [
        f"{match.names[rating.player]}: PR {rating.pr:.1f}"
        for rating in reviewed.ratings(thresholds)
        if rating.pr is not None
    ]
    game, bottom = match.games[0].start, Player.X
    if worst:
        decision, game = worst[0]
        bottom = decision.player
        facts.append(f"{match.names[bottom]}: {decision.played.text}? Best {decision.best.text}")
    return Preview(game, format_players(match.names), tuple(facts), match.names, bottom)


def export_formats() -> dict[str, str]:
    """Names and titles of the formats in which a reviewed match can be saved."""
    return {name: FORMATS[name].title for name in writable(matches=True)}


def lessons(reviewed: ReviewedMatch, thresholds: Thresholds, player: Player | None = None) -> list[MatchLesson]:
    """The errors of a match in the order in which they were made: the board before each, the options, the
    cost of each option, and the reasons for the best.
    """
    match = reviewed.document.match
    errors = {
        (decision.game, decision.event): decision
        for decision in reviewed.review.decisions
        if decision.verdict(thresholds) in LESSONS and player in (None, decision.player)
    }
    places = places_of(match, reviewed.review)
    return [_lesson(decision, match, thresholds, places[key]) for key, decision in errors.items()]


def lesson_at(reviewed: ReviewedMatch, thresholds: Thresholds, game: int, event: int) -> LessonDecision | None:
    """The lesson of the decision at an event (both numbers count from 0); None where nothing was judged."""
    match = reviewed.document.match
    decision = next((item for item in reviewed.review.decisions if (item.game, item.event) == (game, event)), None)
    if decision is None:
        return None
    return _decision(decision, match, thresholds, places_of(match, reviewed.review, game)[game, event])


def lesson_of(decision: Decision, match: Match, thresholds: Thresholds, before: Game) -> LessonDecision:
    """A decision by itself, for a card, without its place on the page of a report.

    ``before`` is the game in which it was made.
    """
    return _decision(decision, match, thresholds, ReportPlace(decision.game + 1, 0, "", before))


def view_of(game: Game) -> AnalysisBoard | BoardScene:
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


def _lesson(decision: Decision, match: Match, thresholds: Thresholds, place: ReportPlace) -> MatchLesson:
    return MatchLesson(_decision(decision, match, thresholds, place), view_of(place.before))


def _decision(decision: Decision, match: Match, thresholds: Thresholds, place: ReportPlace) -> LessonDecision:
    names, reasons = [option.text for option in decision.options], explanation(decision, place.before)
    if decision.kind in (Kind.DOUBLE, Kind.TAKE):
        names.sort(key=lambda text: next((n for n, word in enumerate(_ORDER) if text.startswith(word)), len(_ORDER)))
    return LessonDecision(
        game=decision.game + 1,
        event=decision.event + 1,
        number=place.number,
        anchor=place.anchor,
        player=decision.player.name,
        name=match.names[decision.player],
        kind=_KINDS[decision.kind],
        verdict=str(decision.verdict(thresholds)),
        words=decision.words,
        reason=reasons.first,
        reasons=reasons.reasons,
        more=tuple(reasons.more),
        mistake=decision.mistake,
        proper=decision.cube.proper if decision.cube is not None else None,
        chosen=decision.chosen,
        choices=() if decision.kind is Kind.PLAY else tuple(names),
        legal=decision.legal,
        options=tuple(_option(option, decision, thresholds, place.before) for option in decision.options),
    )


def _option(option: Option, decision: Decision, thresholds: Thresholds, before: Game) -> LessonOption:
    moves = option.moves or ()
    return LessonOption(
        text=option.text,
        equity=option.equity,
        loss=option.loss,
        value=option.value,
        verdict=str(thresholds.verdict(option.loss)),
        chances=option.chances,
        depth=option.depth,
        deviation=option.deviation,
        drawn=play_on_board(moves, option.loss),
        # A page finds the play that was made by the rows after each play.
        after=_apply_moves(before.position_of(decision.player), moves) if decision.kind is Kind.PLAY else None,
    )


def _apply_moves(position: Position, moves: Sequence[CheckerMove]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    mine, theirs = list(position.player), list(position.opponent)
    for move in moves:
        mine[move.source] -= 1
        mine[move.target] += 1
        if move.hit:
            theirs[25 - move.target] -= 1
            theirs[BAR] += 1
    return tuple(mine), tuple(theirs)
