"""Reviews of files: read, judged, kept, and given as tables, JSON values or pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from fullprime.common.atomic_write import atomic_write
from fullprime.engine import shared
from fullprime.engine.cube.context import uncounted
from fullprime.formats import Document, write
from fullprime.reviews.decision import THRESHOLDS, Decision, Thresholds, Verdict
from fullprime.reviews.explain import explanation
from fullprime.reviews.levels import review_level
from fullprime.reviews.matches.fields import PartJson, RatingJson, ReviewedJson, TallyJson
from fullprime.reviews.rating import DecisionTally, MatchResult, PlayerRating, adjusted_result, rating
from fullprime.reviews.report import html, rest_of
from fullprime.reviews.review import JUDGED, Ahead, Review, ReviewError, program_of, review
from fullprime.reviews.stored import review_from_json, review_json
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

    @property
    def result(self) -> MatchResult | None:
        """The result, and the result without luck."""
        return adjusted_result(self.document.match, self.review)

    @property
    def uncounted(self) -> tuple[str, ...]:
        """House rules of the match that no judgement counts."""
        return uncounted(self.document.match.settings)

    def worst(self, most: int, thresholds: Thresholds, player: Player | None = None) -> list[tuple[Decision, Game]]:
        """The decisions that cost most, each with the game before it; those too close to call are none of them."""
        bad = (Verdict.DOUBTFUL, Verdict.ERROR, Verdict.BLUNDER)
        found = [
            each for each in self.review.decisions if each.verdict(thresholds) in bad and player in (None, each.player)
        ]
        found = sorted(found, key=lambda each: -each.loss)[:most]
        return [(each, self.game_at(each.game, each.event)) for each in found]

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
        return {(game, event): move for game, each in enumerate(games) for event, move in enumerate(each.moves)}


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of which nothing could be reviewed, and why."""

    name: str
    why: str
    file: int = 0
    """The number of its file among the files, from 1."""


Progress = Callable[[str, int, int], None]
"""Called with the name of a match, its games that are done and those there are."""


def thresholds_named(name: str) -> Thresholds:
    """The thresholds of that name, or those that are given: ``0.03/0.06/0.12`` (doubtful, error, blunder), or two.

    Raises ReviewingError.
    """
    known = THRESHOLDS.get(name.strip().lower())
    if known is not None:
        return known
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
    ahead: Ahead | None = None,
) -> ReviewedMatch:
    """One match that has been read; what was judged ``ahead`` is not judged again.

    With ``keep`` finished games are kept in the user's cache, and a review that was stopped goes on from there. Raises
    ReviewLevelError, ReviewError, NetError, RulesError.
    """
    found = _review(document, name, review_level(level).name, threads, keep, progress, stop, ahead)
    return ReviewedMatch(document, found, name)


def _review(
    document: Document,
    name: str,
    level: str,
    threads: int,
    keep: bool,
    progress: Progress | None,
    stop: Callable[[], bool] | None,
    ahead: Ahead | None,
) -> Review:
    engine = shared.engine_for(document.match.settings.variant, threads)
    place = _place(document, level, program_of(engine)) if keep else None
    so_far = _kept(place)
    told = (lambda done, there_are: progress(name, done, there_are)) if progress is not None else None
    done = (lambda each: _keep(place, each)) if place is not None else None
    if so_far is not None and so_far.complete:
        return so_far
    try:
        found = review(document.match, engine, level, progress=told, stop=stop, so_far=so_far, ahead=ahead, done=done)
    except ReviewError:
        if so_far is None:
            raise
        found = review(document.match, engine, level, progress=told, stop=stop, ahead=ahead, done=done)
    _keep(place, found)
    # As it is kept, so that it reads the same today and tomorrow.
    return review_from_json(review_json(found))


def _place(document: Document, level: str, program: str) -> Path:
    """The cache file of the review of this match at this level by this engine: by content, not by name."""
    content, _ = write(Document(document.match), "json")
    key = hashlib.sha256(content + f"{level} {program} {JUDGED}".encode()).hexdigest()[:32]
    return user_cache_path("fullprime") / "reviews" / f"{key}.json"


def _kept(place: Path | None) -> Review | None:
    if place is None:
        return None
    try:
        return review_from_json(json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, ReviewError):
        return None


def _keep(place: Path | None, found: Review) -> None:
    """Write it whole or not at all; a cache that cannot be written is no reason to stop."""
    if place is None:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(place, json.dumps(review_json(found)))
    except OSError:
        return


def player_of(reviewed: ReviewedMatch, name: str | None) -> Player | None:
    """The side of the match that has that name, or begins with it; None for nobody or when no name was given."""
    if name is None:
        return None
    wanted = name.strip().casefold()
    names = [each.casefold() for each in reviewed.document.match.names]
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
    return html(
        document.match, review, thresholds=thresholds, player=player, other=document.review,
        head=head, top=top, more=more, rest=rest,
    )  # fmt: skip


def rest_of_page(reviewed: ReviewedMatch, thresholds: Thresholds, player: Player | None = None) -> str:
    """The decisions that were right, as markup that a page with an address of its rest fetches."""
    document, review = reviewed.document, reviewed.review
    return rest_of(document.match, review, thresholds=thresholds, player=player, other=document.review)


def write_pages(
    found: Sequence[ReviewedMatch], where: Path, thresholds: Thresholds, player: str | None = None
) -> list[Path]:
    """One report into a file, several into a folder. Raises ReviewingError when they cannot be written."""
    if len(found) > 1:
        names = [f"{number:03d}-{_slug(each.name)}.html" for number, each in enumerate(found, 1)]
        places = [where / name for name in names]
    else:
        places = [where]
    try:
        if len(found) > 1:
            where.mkdir(parents=True, exist_ok=True)
        for each, place in zip(found, places, strict=True):
            atomic_write(place, page(each, thresholds, player_of(each, player)), follow_links=True)
    except OSError as error:
        raise ReviewingError(f"{where} cannot be written: {error.strerror or error}") from error
    return places


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)[:60]


def reviewed_json(reviewed: ReviewedMatch, thresholds: Thresholds) -> ReviewedJson:
    """One match as JSON values: ratings first, then the whole review."""
    match = reviewed.document.match
    result = reviewed.result
    return {
        "name": reviewed.name,
        "names": list(match.names),
        "length": match.settings.length,
        "variant": match.settings.variant.name,
        "thresholds": thresholds.name,
        "ratings": {each.player.name: rating_json(each) for each in reviewed.ratings(thresholds)},
        "result": None
        if result is None
        else {"actual": result.actual, "adjusted": result.adjusted, "luck": result.luck},
        "problems": [str(each) for each in reviewed.document.report],
        "uncounted": list(reviewed.uncounted),
        "review": review_json(reviewed.review),
    }


def rating_json(found: PlayerRating) -> RatingJson:
    """A player's ratings; a figure that is not known is null."""

    def tallies(parts: Mapping[str, DecisionTally]) -> dict[str, PartJson]:
        return {
            name: {"pr": each.pr, "counted": each.counted, "loss": each.loss, "value_loss": each.value_loss}
            for name, each in parts.items()
        }

    return {
        **tally_json(found.overall),
        "title": found.title,
        "gnu_rate": found.gnu_rate,
        "gnu_counted": found.gnu_counted,
        "luck": found.luck,
        "luck_value": found.luck_value,
        "parts": tallies(found.parts),
        "stages": tallies(found.stages),
        "games": tallies({str(number + 1): each for number, each in found.games.items()}),
        "mistakes": tallies(found.mistakes),
    }


def tally_json(found: DecisionTally) -> TallyJson:
    """Decisions added up; a figure that is not known is null."""
    return {
        "pr": found.pr,
        "interval": None if found.interval is None else list(found.interval),
        "band": found.band,
        "counted": found.counted,
        "loss": found.loss,
        "value_loss": found.value_loss,
        "errors": found.errors,
        "blunders": found.blunders,
        "unclear": found.unclear,
    }


def reasons_of(decision: Decision, game: Game) -> list[str]:
    """The reasons for the best option, sentence by sentence, the main one first; none where nothing is sure."""
    found = explanation(decision, game)
    return [found.first, *found.more] if found.first else []
