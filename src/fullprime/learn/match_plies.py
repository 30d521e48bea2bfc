"""A reviewed match ply by ply: every play, forced plays and dances included, with the board before it."""

from __future__ import annotations

from fullprime.learn.match_lesson import MatchLesson
from fullprime.learn.match_lessons import LESSONS, lesson_at, view_of
from fullprime.learn.match_ply import MatchPlies, MatchPly, PlyBoard
from fullprime.play.plies import is_ply, ply_game, record_ply
from fullprime.reviews.decision import Decision, Thresholds
from fullprime.reviews.luck import RollLuck
from fullprime.reviews.matches.reviewing import ReviewedMatch, ReviewingError
from fullprime.reviews.report.places import CLASSES
from fullprime.rules.record import Entry
from fullprime.rules.score import Player


def plies(reviewed: ReviewedMatch, thresholds: Thresholds) -> MatchPlies:
    """Every ply of the games that were reviewed. A throw counts as a ply where a double was missed before it."""
    match, review = reviewed.document.match, reviewed.review
    settings, games = match.settings, match.games[: review.games]
    decisions = {(decision.game, decision.event): decision for decision in review.decisions}
    lucks = {(roll.game, roll.event): roll for roll in review.rolls}
    match_plies: list[MatchPly] = []
    for number, record in enumerate(games):
        luck: RollLuck | None = None
        for event, entry in enumerate(record.entries()):
            luck = lucks.get((number, event), luck)
            decision = decisions.get((number, event))
            if _is_shown(entry, decision, thresholds):
                match_plies.append(_ply(entry, (number, event), decision, thresholds, luck))
            luck = None if entry.ends_a_move else luck
    return MatchPlies(
        reviewed.summary,
        cube=bool(settings.cube) and settings.length != 1,
        hand=settings.variant.has_hand,
        ratings={rating.player.name: rating for rating in reviewed.ratings(thresholds)},
        rounds=tuple(ply_game(number, record) for number, record in enumerate(games)),
        plies=tuple(match_plies),
    )


def ply_board(reviewed: ReviewedMatch, thresholds: Thresholds, game: int, event: int) -> PlyBoard:
    """The board before an event and the judgement of it; both numbers count from 0. Raises ReviewingError."""
    if not 0 <= game < reviewed.review.games:
        raise ReviewingError(f"this review has no game {game + 1}")
    before = reviewed.game_at(game, event)
    decision = lesson_at(reviewed, thresholds, game, event)
    board = view_of(before)
    return PlyBoard(board, None if decision is None else MatchLesson(decision, board))


def _is_shown(entry: Entry, decision: Decision | None, thresholds: Thresholds) -> bool:
    """True for every ply, and for the throw of a player who should have doubled."""
    return is_ply(entry) or (decision is not None and decision.verdict(thresholds) in LESSONS)


def _ply(
    entry: Entry,
    place: tuple[int, int],
    decision: Decision | None,
    thresholds: Thresholds,
    luck: RollLuck | None,
) -> MatchPly:
    ply = record_ply(entry, *place, None if decision is None else decision.played.text)
    return MatchPly(
        ply,
        verdict=None if decision is None else CLASSES[decision.verdict(thresholds)],
        loss=None if decision is None else decision.loss,
        luck=None if luck is None or ply.dice is None else luck.luck,
        standing=None if luck is None else _standing(luck, is_match=entry.before.settings.is_match),
    )


def _standing(luck: RollLuck, *, is_match: bool) -> float:
    """The standing of X before a roll of either side."""
    if luck.player is Player.X:
        return luck.before
    return 1 - luck.before if is_match else -luck.before
