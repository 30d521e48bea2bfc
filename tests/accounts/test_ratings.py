"""What moves a rating: matches that were played, and opponents whose strength is known."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from fullprime.accounts.ratings import (
    CERTAIN,
    PLAYS,
    initial_rating,
    opponent_weight,
    rate_by_glicko,
    rate_rated_match,
    was_contested,
)
from fullprime.accounts.store.ratings import GlickoRating
from fullprime.db.times import utc_now
from fullprime.play.rulings import BY_ABSENCE, BY_LEAVING, ON_TIME, StandingEvents, forfeit
from fullprime.rules.game import Phase
from fullprime.rules.record import Match
from fullprime.rules.score import Player

AT = utc_now()


def played(plays: int, *, length: int = 3, seed: int = 1) -> Match:
    """A match in whose first game each side has made so many plays."""
    chance = random.Random(seed)
    match = Match.new(length).opening(6, 1)
    for number in range(2 * plays):
        if number:
            match = match.roll((chance.randint(1, 6), chance.randint(1, 6)))
        match = match.play(match.game.legal_plays[0])
    return match


def left(match: Match, how: str = BY_LEAVING) -> Match:
    return match.with_event(forfeit(match.game, Player.O, how))


@pytest.mark.parametrize("how", [BY_LEAVING, BY_ABSENCE, ON_TIME])
def test_a_match_that_is_left_counts_for_the_winner_after_ten_plays_of_each_side(how: str) -> None:
    assert not was_contested(left(played(0), how))
    assert not was_contested(left(played(PLAYS - 1), how))
    assert was_contested(left(played(PLAYS), how))


def test_plays_that_were_taken_back_are_none() -> None:
    match = played(PLAYS)
    assert not was_contested(left(match.with_event(StandingEvents.of(match.games[0]).set_back(3))))


def test_resigning_at_once_is_leaving() -> None:
    for plays, counts in ((1, False), (PLAYS, True)):
        assert was_contested(played(plays, length=1).resign().accept()) is counts


def test_a_game_that_was_dropped_or_played_out_counts() -> None:
    dropped = played(1).double().drop()
    assert was_contested(dropped)
    assert was_contested(left(dropped.next_game().opening(6, 1))), "the first game is over"
    match = played(1, length=1)
    chance = random.Random(3)
    while not match.is_over:
        match = match.roll((chance.randint(1, 6), chance.randint(1, 6)))
        if match.game.phase is Phase.PLAY:
            match = match.play(min(match.game.legal_plays, key=lambda play: sum(play.after.player[7:])))
    assert was_contested(match)


def test_who_leaves_at_once_loses_and_who_is_left_gains_nothing() -> None:
    certain = GlickoRating(1600.0, 60.0, 0.06, 40, AT)
    x, o = rate_rated_match(certain, certain, 0, AT, contested=False)
    assert x == certain
    assert o == rate_by_glicko(certain, certain, 0, AT)[1]
    assert o.rating < certain.rating


def test_an_opponent_of_unknown_strength_moves_a_rating_little() -> None:
    certain, unsure = GlickoRating(1600.0, 60.0, 0.06, 40, AT), initial_rating(AT)
    usual, x = rate_by_glicko(certain, unsure, 1, AT)[0], rate_rated_match(certain, unsure, 1, AT)
    assert 0 < certain.rating - x[0].rating < 0.11 * (certain.rating - usual.rating)
    assert x[1] == rate_by_glicko(certain, unsure, 1, AT)[1], "whose own rating a known opponent moves in full"
    same = GlickoRating(1550.0, CERTAIN, 0.06, 20, AT)
    assert rate_rated_match(certain, same, 0, AT) == rate_by_glicko(certain, same, 0, AT)
    aged_now = AT + timedelta(weeks=300)
    assert rate_rated_match(certain, same, 0, aged_now) != rate_by_glicko(certain, same, 0, aged_now), "as it is today"
    assert [round(opponent_weight(deviation), 2) for deviation in (30, 110, 155.5, 220, 350)] == [1, 1, 0.5, 0.25, 0.1]


def test_new_players_come_to_known_ratings_among_themselves() -> None:
    """The damping must not keep a new club provisional for ever."""
    chance = random.Random(1)
    strengths = [1500 + 60 * (number - 4.5) for number in range(10)]
    ratings = [initial_rating(AT)] * 10
    for _ in range(500):
        a, b = chance.sample(range(10), 2)
        winner = int(chance.random() > 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400)))
        ratings[a], ratings[b] = rate_rated_match(ratings[a], ratings[b], winner, AT)
    assert max(rating.deviation for rating in ratings) < CERTAIN, "after a hundred matches each"
    assert min(rating.rating for rating in ratings[7:]) > max(rating.rating for rating in ratings[:3])
