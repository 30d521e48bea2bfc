"""Reviews of files: read, judged, kept, and given as tables, JSON values or pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from platformdirs import user_cache_path

from fullprime.common.atomic_write import atomic_write
from fullprime.common.json_values import JsonError, JsonFields, from_json, json_names, to_json
from fullprime.engine import shared
from fullprime.formats import Document, write, write_file
from fullprime.reviews.decision import THRESHOLDS, Decision, ReviewError, Thresholds, Verdict
from fullprime.reviews.explain import explanation
from fullprime.reviews.file_analysis import file_analysis
from fullprime.reviews.levels import review_level
from fullprime.reviews.rating import MatchResult, PlayerRating, adjusted_result, rating
from fullprime.reviews.report import render_page, rest_of
from fullprime.reviews.review import JUDGED, JudgedMatch, Review, is_dated, program_of, review
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game
from fullprime.rules.score import Player


class ReviewingError(FullprimeError):
    """Files that cannot be reviewed as asked."""


@dataclass(frozen=True, slots=True)
class ReviewedMatch:
    """One match of a file and the engine's verdicts on it."""

    document: Document
    review: Review
    name: str
    """The file, and which of its matches where it holds several."""

    def ratings(self, thresholds: Thresholds) -> tuple[PlayerRating, PlayerRating]:
        """X's and O's."""
        return rating(self.review, Player.X, thresholds), rating(self.review, Player.O, thresholds)

    def write_file(self, format: str, *, analysis: bool = True) -> tuple[bytes, str]:  # noqa: A002
        """The match in a format, with or without our review, and the extension of its file; raises FormatError."""
        return write_file(replace(self.document, review=file_analysis(self.review)), format, analysis=analysis)

    @property
    def result(self) -> MatchResult | None:
        """The result, and the result without luck."""
        return adjusted_result(self.document.match, self.review)

    def worst(self, most: int, thresholds: Thresholds, player: Player | None = None) -> list[tuple[Decision, Game]]:
        """The decisions that cost most, each with the game before it; those too close to call are none of them."""
        bad = (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER)
        decisions = [
            decision
            for decision in self.review.decisions
            if decision.verdict(thresholds) in bad and player in (None, decision.player)
        ]
        decisions = sorted(decisions, key=lambda decision: -decision.loss)[:most]
        return [(decision, self.game_at(decision.game, decision.event)) for decision in decisions]

    def game_at(self, game: int, event: int) -> Game:
        """The game before an event."""
        for number, entry in enumerate(self.document.match.games[game].entries()):
            if number == event:
                return entry.before
        raise ReviewingError(f"game {game + 1} ends before this decision")

    @property
    def moves(self) -> dict[tuple[int, int], int]:
        """The number of the move of every event, by game and event as reviews count them."""
        games = self.document.match.games[: self.review.games]
        return {(game, event): move for game, record in enumerate(games) for event, move in enumerate(record.moves)}

    def rate(self, thresholds: Thresholds) -> RatedMatch:
        """The match with its ratings by these thresholds."""
        match = self.document.match
        return RatedMatch(
            name=self.name,
            names=match.names,
            length=match.settings.length,
            variant=match.settings.variant.name,
            thresholds=thresholds.name,
            ratings={rating.player.name: rating for rating in self.ratings(thresholds)},
            result=self.result,
            problems=tuple(str(problem) for problem in self.document.report),
            review=self.review,
        )

    @property
    def summary(self) -> MatchSummary:
        """The match in a few values."""
        match, review = self.document.match, self.review
        return MatchSummary(
            name=self.name,
            players=match.names,
            variant=match.settings.variant.title,
            length=match.settings.length,
            level=review.level,
            program=review.program,
            dated=is_dated(review),
            games=review.games,
            of=len(match.games),
            complete=review.complete,
            decisions=len(review.decisions),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """A reviewed match in a few values."""

    name: str
    """The file, and which of its matches where it holds several."""
    players: tuple[str, str]
    """The names of X and O."""
    variant: str
    """The game, in words."""
    length: int
    """Points of the match; 0 for money."""
    level: str
    """The level of the review."""
    program: str
    """The engine and its nets that judged."""
    dated: bool
    """True if these nets have been replaced since: the match may be judged again, and otherwise."""
    games: int
    """Games that were reviewed."""
    of: int
    """Games that there are."""
    complete: bool
    """True if all was reviewed."""
    decisions: int
    """The number of decisions judged."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The progress of the review of a file."""

    match: int
    """The number of the match under way, from 1."""
    name: str
    """Its file."""
    games: int
    """Games of it that are done."""
    of: int
    """Games that it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMatch:
    """A match and the engine's verdicts on it, as ``fullprime review --json`` has it."""

    name: str
    """The file, and which of its matches where it holds several."""
    names: tuple[str, str]
    """The names of X and O."""
    length: int
    """Points of the match; 0 for money."""
    variant: str
    """The game."""
    thresholds: str
    """The thresholds in use: ``xg``, ``gnubg``, or those that were given."""
    ratings: dict[str, PlayerRating]
    """The ratings of ``X`` and ``O``."""
    result: MatchResult | None
    """The result; None while the match goes on, and where a roll could not be judged."""
    problems: tuple[str, ...]
    """The faults of the file."""
    review: Review
    """Every decision and every roll."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of which nothing could be reviewed."""

    __json__: ClassVar[JsonFields] = json_names("name", "why")

    name: str
    """The name of the file."""
    why: str
    """The reason."""
    file: int = 0
    """The number of its file among the files, from 1."""


Progress = Callable[[str, int, int], None]
"""Called with the name of a match, its games that are done and those there are."""


def thresholds_named(name: str) -> Thresholds:
    """The thresholds of that name, or those that are given: ``0.03/0.06/0.12`` (doubtful, error, blunder), or two.

    Raises ReviewingError.
    """
    thresholds = THRESHOLDS.get(name.strip().lower())
    if thresholds is not None:
        return thresholds
    try:
        marks = [float(part) for part in re.split(r"[/,;]", name)]
    except ValueError:
        marks = []
    if len(marks) not in (2, 3) or not 0 < marks[0] <= marks[-2] <= marks[-1] <= 10:
        wanted = f"{', '.join(THRESHOLDS)}, or rising losses such as 0.03/0.06/0.12 (doubtful, error, blunder)"
        raise ReviewingError(f"there are no thresholds {name[:40]!r}; there are {wanted}")
    return Thresholds(name.strip()[:40], marks[0], marks[-2], marks[-1])


def review_document(
    document: Document,
    name: str,
    level: str = "standard",
    *,
    threads: int = 1,
    keep: bool = True,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    ahead: JudgedMatch | None = None,
) -> ReviewedMatch:
    """One match that has been read; what was judged ``ahead`` is not judged again.

    With ``keep`` finished games are kept in the user's cache, and a review that was stopped goes on from there. Raises
    ReviewLevelError, ReviewError, NetError, RulesError.
    """
    review = _review(document, name, review_level(level).name, threads, keep, progress, stop, ahead)
    return ReviewedMatch(document, review, name)


def _review(
    document: Document,
    name: str,
    level: str,
    threads: int,
    keep: bool,
    progress: Progress | None,
    stop: Callable[[], bool] | None,
    ahead: JudgedMatch | None,
) -> Review:
    engine = shared.engine_for(document.match.settings.variant, threads)
    place = _place(document, level, program_of(engine)) if keep else None
    so_far = _cached_review(place)
    report = (lambda done, there_are: progress(name, done, there_are)) if progress is not None else None
    done = (lambda review: _keep(place, review)) if place is not None else None
    if so_far is not None and so_far.complete:
        return so_far
    try:
        fresh = review(document.match, engine, level, progress=report, stop=stop, so_far=so_far, ahead=ahead, done=done)
    except ReviewError:
        if so_far is None:
            raise
        fresh = review(document.match, engine, level, progress=report, stop=stop, ahead=ahead, done=done)
    _keep(place, fresh)
    # As it is kept, so that it reads the same today and tomorrow.
    return from_json(Review, to_json(fresh))


def _place(document: Document, level: str, program: str) -> Path:
    """The cache file of the review of this match at this level by this engine: by content, not by name."""
    content, _ = write(Document(document.match), "json")
    key = hashlib.sha256(content + f"{level} {program} {JUDGED}".encode()).hexdigest()[:32]
    return user_cache_path("fullprime") / "reviews" / f"{key}.json"


def _cached_review(place: Path | None) -> Review | None:
    if place is None:
        return None
    try:
        return from_json(Review, json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, JsonError):
        return None


def _keep(place: Path | None, review: Review) -> None:
    """Write it whole or not at all; a cache that cannot be written is no reason to stop."""
    if place is None:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(place, json.dumps(to_json(review)))
    except OSError:
        return


def player_of(reviewed: ReviewedMatch, name: str | None) -> Player | None:
    """The side of the match that has that name, or begins with it; None where no side or both fit, or for no name."""
    if name is None:
        return None
    wanted = name.strip().casefold()
    names = [side_name.casefold() for side_name in reviewed.document.match.names]
    exact = [player for player in Player if names[player] == wanted]
    near = exact or [player for player in Player if names[player].startswith(wanted)]
    return near[0] if len(near) == 1 else None


def page(
    reviewed: ReviewedMatch,
    thresholds: Thresholds,
    player: Player | None = None,
    *,
    head: str = "",
    top: str = "",
    more: str = "",
    rest: str = "",
) -> str:
    """The HTML report; ``head``, ``top`` and ``more`` are markup that a server puts into its head, above it and below
    its first figures; ``rest`` is the address at which it gives what :func:`rest_of_page` makes.
    """
    document, review = reviewed.document, reviewed.review
    return render_page(
        document.match, review, thresholds=thresholds, player=player, other=document.review,
        head=head, top=top, more=more, rest=rest,
    )  # fmt: skip


def rest_of_page(reviewed: ReviewedMatch, thresholds: Thresholds, player: Player | None = None) -> str:
    """The decisions that were right, as markup that a page with an address of its rest fetches."""
    document, review = reviewed.document, reviewed.review
    return rest_of(document.match, review, thresholds=thresholds, player=player, other=document.review)


def write_pages(
    matches: Sequence[ReviewedMatch], where: Path, thresholds: Thresholds, player: str | None = None
) -> list[Path]:
    """One report into a file, several into a folder. Raises ReviewingError when they cannot be written."""
    if len(matches) > 1:
        names = [f"{number:03d}-{_slug(reviewed.name)}.html" for number, reviewed in enumerate(matches, 1)]
        places = [where / name for name in names]
    else:
        places = [where]
    try:
        if len(matches) > 1:
            where.mkdir(exist_ok=True)
        for reviewed, place in zip(matches, places, strict=True):
            atomic_write(place, page(reviewed, thresholds, player_of(reviewed, player)), follow_links=True)
    except OSError as error:
        raise ReviewingError(f"{where} cannot be written: {error.strerror or error}") from error
    return places


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)[:60]


def reasons_of(decision: Decision, game: Game) -> list[str]:
    """The reasons for the best option, sentence by sentence, the main one first; none where nothing is sure."""
    reasons = explanation(decision, game)
    return [reasons.first, *reasons.more] if reasons.first else []
