"""What moves a rating: matches that were played, and opponents whose strength is known; and who stands in the list."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest
from tests.accounts.club import BEGUN, Member, expected_score, known_member, play_match, play_ring

from fullprime.accounts.glicko import GlickoRating, initial_rating, rate_by_glicko
from fullprime.accounts.ratings import (
    CERTAIN,
    DAY,
    DAYS,
    LIMITS,
    PLAYS,
    gives_standing,
    opponent_weight,
    rate_rated_match,
    was_contested,
)
from fullprime.accounts.store.ratings import Meetings
from fullprime.db.times import utc_now
from fullprime.play.events import ForfeitWay
from fullprime.play.rulings import forfeit
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


def left(match: Match, how: ForfeitWay = "by leaving") -> Match:
    """The match as a session gives it once O has lost it otherwise than by an action."""
    *games, last = match.games
    return replace(match, games=(*games, replace(last, stated=forfeit(match.game, Player.O, how).result)))


@pytest.mark.parametrize("how", get_args(ForfeitWay))
def test_a_match_that_is_left_counts_for_the_winner_after_ten_plays_of_each_side(how: ForfeitWay) -> None:
    assert not was_contested(left(played(0), how))
    assert not was_contested(left(played(PLAYS - 1), how))
    assert was_contested(left(played(PLAYS), how))


def test_resigning_at_once_is_leaving() -> None:
    for plays, counts in ((1, False), (PLAYS, True)):
        assert was_contested(played(plays, length=1).resign().accept()) is counts


def test_drops_count_after_ten_plays_of_each_side() -> None:
    """A match that is dropped or left before is given away: nobody gains by it."""
    match = played(1).double().drop()
    assert not was_contested(match)
    assert not was_contested(left(match.next_game().opening(6, 1))), "the first game is over, and nothing was played"
    for _ in range(2):
        match = match.next_game().opening(6, 1)
        match = match.play(match.game.legal_plays[0])
        match = match.double().drop() if match.game.may_double else match.resign().accept()
    assert not was_contested(match), "three games given away"
    assert was_contested(played(PLAYS).double().drop())


def test_a_game_that_was_borne_off_counts() -> None:
    match = played(1, length=1)
    chance = random.Random(3)
    while not match.is_over:
        match = match.roll((chance.randint(1, 6), chance.randint(1, 6)))
        if match.game.phase is Phase.PLAY:
            match = match.play(min(match.game.legal_plays, key=lambda play: sum(play.after.player[7:])))
    assert was_contested(match)


def test_who_leaves_at_once_loses_and_who_is_left_gains_nothing() -> None:
    certain = GlickoRating(1600.0, 60.0, 0.06, 40, AT)
    x, o = rate_rated_match(certain, certain, 0, AT, gains=False)
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


# -- who stands in the list ---------------------------------------------------------------------------------------
def test_matches_that_are_given_away_by_drops_make_no_rating() -> None:
    """The first farm: twelve accounts double, drop and leave, ten times each."""
    given = left(played(1).double().drop().next_game().opening(6, 1))
    farmer, contested = Member(), was_contested(given)
    for account in [Member() for _ in range(12)]:
        for _ in range(LIMITS.of_pair):
            play_match(farmer, account, BEGUN, contested=contested)
        assert account.rating.rating < 1400, "who gives matches away loses"
    assert farmer.rating == initial_rating(BEGUN)


@pytest.mark.parametrize("spare", [False, True], ids=["all that a pair may play", "all that count"])
def test_a_ring_of_accounts_lifts_nobody_into_the_list(spare: bool) -> None:
    """The second farm: twelve accounts play each other to be certain, and then lose to the farmer, day after day."""
    chance, ring, farmer = random.Random(1), [Member() for _ in range(12)], Member()
    veteran, friend = known_member(1700), known_member(1700)
    for day in range(DAYS - 1):
        at = BEGUN + day * DAY
        play_ring(ring, chance, at, spare=spare)
        for account in ring:
            for winner in (farmer, veteran):
                for _ in range(LIMITS.of_pair):
                    play_match(winner, account, at)
        for member in (farmer, *ring):
            assert not member.is_listed(at), f"day {day + 1}"
        assert veteran.rating.rating < 1700 + 30 * (day + 1), "one whose rating is known gains little"
        if not day:
            chosen = min(account.rating.deviation for account in ring)
            assert (chosen < CERTAIN) is not spare, "the ring made itself certain, which says nothing"
    assert friend.is_listed(at)


def test_a_known_player_gains_little_by_new_accounts() -> None:
    veteran = known_member(1700)
    for account in [Member() for _ in range(12)]:
        for _ in range(LIMITS.of_pair):
            play_match(veteran, account, BEGUN)
    assert 1700 < veteran.rating.rating < 1710


@pytest.mark.parametrize("matches", [4, 8])
def test_an_honest_newcomer_is_in_the_list_within_a_week(matches: int) -> None:
    """Among players who are known, with so many matches a day; sooner with more of them."""
    chance, strengths = random.Random(1), range(1300, 1900, 60)
    others = [known_member(strength) for strength in strengths]
    newcomer, days = Member(), 0
    while not newcomer.is_known:
        for _ in range(matches):
            strength, other = chance.choice(list(zip(strengths, others, strict=True)))
            pair = (newcomer, other) if chance.random() < expected_score(1600, strength) else (other, newcomer)
            play_match(*pair, BEGUN + days * DAY)
        days += 1
    assert 3 <= days <= 7
    assert abs(newcomer.rating.rating - 1600) < 2 * CERTAIN


def test_a_new_club_gets_a_list() -> None:
    """Nobody is known at first: ten players of different strength with some four matches each a day."""
    chance, strengths = random.Random(1), [1500 + 60 * (number - 4.5) for number in range(10)]
    members, days = [Member() for _ in strengths], 0
    while not all(member.is_known for member in members):
        for _ in range(20):
            one, other = chance.sample(range(10), 2)
            wins = chance.random() < expected_score(strengths[one], strengths[other])
            play_match(*(members[number] for number in ((one, other) if wins else (other, one))), BEGUN + days * DAY)
        days += 1
    assert DAYS <= days <= 21


def test_standing_asks_for_days_and_opponents_both() -> None:
    assert gives_standing(Meetings(7, 5, 0, 0))
    assert gives_standing(Meetings(3, 3, 3, 3))
    for few in (Meetings(6, 500, 0, 0), Meetings(700, 4, 0, 0), Meetings(6, 9, 2, 9), Meetings(6, 4, 6, 2)):
        assert not gives_standing(few)
