"""What is kept of people, on SQLite and PostgreSQL: names once, secrets never, matches counted once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import permutations
from queue import Empty, Queue
from random import Random
from typing import cast

import pytest
from sqlalchemy import insert, update
from tests.accounts import club
from tests.library.test_library import review_of
from tests.play.seen import frame_of

from fullprime.accounts.glicko import GlickoRating, initial_rating, rate_by_glicko
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.ratings import DAY, LIMITS, MOST_OF_PAIR, RatingService, rate_rated_match, to_seated_game
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.accounts import AccountStore
from fullprime.accounts.store.games import AccountDice, GameFilter, SessionEnd
from fullprime.accounts.store.played import PlayedStore
from fullprime.accounts.store.ratings import Meetings, RatingLimits, count_meetings
from fullprime.analysis import at_table
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.db.schema.tables import played as played_table
from fullprime.db.schema.tables import ratings
from fullprime.db.times import utc_now
from fullprime.formats import read
from fullprime.library.played_games import keep_played_game
from fullprime.library.storage import Storage, StorageLimits
from fullprime.play.dice_counts import DiceCounts, SideDice
from fullprime.play.server import pubsub
from fullprime.play.server.game_server import GameServer
from fullprime.reviews.matches.reviewing import ReviewedMatch

NEARLY_WON = "5 3 off:13 / 24:15"


@pytest.fixture
def people(any_database: str) -> Iterator[Accounts]:
    accounts = Accounts(any_database)
    yield accounts
    accounts.close()


def rate(x: GlickoRating, o: GlickoRating, winner: int, at: datetime, gains: bool) -> tuple[GlickoRating, GlickoRating]:
    """Rate without regard to what is known of the opponent."""
    assert gains
    return rate_by_glicko(x, o, winner, at)


def room_of(url: str, x: int, o: int, people: Accounts, *, rated: bool = True) -> str:
    """A match to 1 point between two accounts, that is over."""
    game_server, rating_service = GameServer(url), RatingService(people)
    handle, _, invitation = game_server.create(
        opponent="friend", name="Ann", rules={"length": 1}, position=NEARLY_WON, automatic=True
    )
    assert invitation is not None
    rating_service.played.add_seat(to_seated_game(handle.session), "X", x, rated=rated)
    handle.join(invitation, "Bob")
    rating_service.played.add_seat(to_seated_game(handle.session), "O", o)
    for seat in ("X", "O"):
        handle.add_seed(seat, "ab")
    for _ in range(100):
        if handle.is_closed:
            break
        state = frame_of(handle, "X")["state"]
        seat = state["turn"] or "X"
        state = frame_of(handle, seat)["state"]
        handle.act(seat, (state["plays"][0] or "no play") if state["phase"] == "play" else "roll")
    assert handle.is_closed
    game_server.close()
    return handle.id


def test_a_name_is_given_once(people: Accounts) -> None:
    store = people.store
    ann = store.create("Ann", "hash")
    with pytest.raises(StoreError, match="taken"):
        store.create("ANN", "hash")
    assert store.find_by_name("aNN") == ann
    assert store.find_by_name("Bob") is None
    assert store.find_many([ann.id, 10**6]) == {ann.id: ann}
    store.delete(ann.id)
    assert store.find_by_name("Ann") is None


def test_sessions_end_with_time_and_with_the_password(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    store = people.store
    ann = store.create("Ann", "hash")
    for digest, days in (("one", 1), ("two", 3), ("three", 3)):
        store.open_session(ann.id, digest, timedelta(days=days))
    store.set_password(ann.id, "other", keep_session="two")
    assert [store.find_by_session(digest) == ann for digest in ("one", "two", "three")] == [False, True, False]
    store.open_session(ann.id, "four", timedelta(days=9))
    later = utc_now() + timedelta(days=4)
    monkeypatch.setattr("fullprime.accounts.store.accounts.utc_now", lambda: later)
    assert [store.find_by_session(digest) == ann for digest in ("two", "four")] == [False, True]


def test_sessions_and_tokens_of_one_account_end_together(people: Accounts) -> None:
    store = people.store
    ann, bob = store.create("Ann", "hash"), store.create("Bob", "hash")
    for owner, letter in ((ann, "a"), (bob, "b")):
        store.open_session(owner.id, f"session {letter}", timedelta(days=1))
        store.add_token(owner.id, "bot", f"token {letter}", ("board:play",))
    store.close_sessions(bob.id, digest="session a", revoke=True)
    assert (store.find_by_session("session a"), store.find_by_token("token b")) == (ann, None), (
        "each account ends its own"
    )
    store.close_sessions(ann.id)
    assert (store.find_by_session("session a"), store.find_by_token("token a")) == (None, (ann, ("board:play",)))
    store.set_password(ann.id, "other", revoke=True)
    assert (store.find_by_session("session b"), store.find_by_token("token a")) == (bob, None)


def test_tokens_are_noted_by_the_day(people: Accounts) -> None:
    store: AccountStore = people.store
    ann = store.create("Ann", "hash")
    token = store.add_token(ann.id, "bot", "digest", ("board:play", "challenge:read"))
    assert token.used is None
    assert store.find_by_token("digest") == (ann, ("board:play", "challenge:read"))
    assert store.find_by_token("another") is None
    (listed,) = store.list_tokens(ann.id)
    assert listed.used == utc_now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert not store.revoke_token(ann.id + 1, token.id)
    assert store.revoke_token(ann.id, token.id)
    assert store.find_by_token("digest") is None


def test_a_match_counts_once_however_often_its_end_is_noted(people: Accounts, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    handle = room_of(any_database, ann.id, bob.id, people)
    rating_service = RatingService(people)
    settled: list[object] = []
    begin = threading.Barrier(6)

    def settle() -> None:
        begin.wait()
        settled.extend(RatingService(people).settle())

    threads = [threading.Thread(target=settle) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(settled) == 1
    assert rating_service.settle() == []
    ratings = [rating_service.played.get_ratings(account.id)["backgammon:single"] for account in (ann, bob)]
    assert sorted(round(rating.rating) for rating in ratings) == [1484, 1516], "a tenth of what a known opponent moves"
    assert [rating.matches for rating in ratings] == [1, 1]
    (change,) = rating_service.played.list_rating_changes(ann.id, 10)
    assert (change.game, change.moved.before) == (handle, 1500.0)
    game = rating_service.played.find(handle)
    assert game is not None
    assert game.winner is not None
    assert game.points is not None
    assert game.points[game.winner] >= 1


def test_matches_of_one_player_that_end_together_all_count(people: Accounts, any_database: str) -> None:
    """Two processes that note two matches at once must not overwrite each other's ratings."""
    store, rating_service = people.store, RatingService(people)
    ann, *others = (store.create(name, "hash") for name in ("Ann", "Bob", "Cyd", "Dan"))
    game_server = GameServer(any_database)
    games = []
    for other in others:
        handle, _, _ = game_server.create(opponent="friend", name="Ann", other_name=other.name, rules={"length": 1})
        rating_service.played.add_seat(to_seated_game(handle.session), "X", ann.id, rated=True)
        rating_service.played.add_seat(to_seated_game(handle.session), "O", other.id)
        games.append(handle.id)
    game_server.close()
    at = utc_now()
    begin = threading.Barrier(len(games))

    def finish(handle: str) -> None:
        begin.wait()
        end = SessionEnd(points=(1, 0), winner=0, at=at, names=("Ann", "x"), facts=None)
        rating_service.played.finish(handle, end, "backgammon:single", initial_rating(at), rate)

    threads = [threading.Thread(target=finish, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rating = rating_service.played.get_ratings(ann.id)["backgammon:single"]
    assert rating.matches == len(games)
    expected = initial_rating(at)
    for _ in games:
        expected, _ = rate_by_glicko(expected, initial_rating(at), 0, at)
    assert rating.rating == pytest.approx(expected.rating)
    assert [tally.won for tally in rating_service.played.list_tallies(ann.id)] == [len(games)]


def test_the_best_are_those_whose_strength_is_known(people: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provisional rating does not stand in the list, also where only time has made it so, on whichever page it is."""
    at = utc_now()
    players = {
        "Known": (1700.0, 60.0, at, at),
        "Unsure": (1900.0, 110.5, at, at),
        "Rested": (1800.0, 109.9, at - timedelta(weeks=104), at),
        "Farmed": (1850.0, 60.0, at, None),
        "Hidden": (1950.0, 60.0, at, at),
        "Best": (1750.0, 109.9, at, at),
    }
    for name, (rating, deviation, updated, established) in players.items():
        account = people.store.create(name, "hash")
        people.store.set_public(account.id, public=name != "Hidden")
        values = {
            "rating": rating, "deviation": deviation, "volatility": 0.06, "matches": 30, "updated": updated,
            "established": established,
        }  # fmt: skip
        with people.engine.begin() as connection:
            connection.execute(insert(ratings).values(account_id=account.id, kind="backgammon:short", **values))
    for most in (100, 1):
        monkeypatch.setattr("fullprime.accounts.profiles.MOST", most)
        best = Profiles(RatingService(people), cast("Lobby", None)).list_best("backgammon:short")
        assert [row.name for row in best] == ["Best", "Known"][:most]


def begun_match(url: str, people: Accounts, accounts: tuple[int, int], at: datetime) -> str:
    """A rated match of two accounts that began then."""
    with closing(GameServer(url)) as game_server:
        handle, _, _ = game_server.create(opponent="friend", name="Ann", rules={"length": 1})
    played = PlayedStore(people.engine)
    for side, account in zip("XO", accounts, strict=True):
        played.add_seat(to_seated_game(handle.session), side, account, rated=True)
    with people.engine.begin() as connection:
        connection.execute(update(played_table).where(played_table.c.session_id == handle.id).values(begun=at))
    return handle.id


def test_matches_of_a_pair_beyond_its_share_move_no_rating(people: Accounts, any_database: str) -> None:
    """In whatever order they end, and whoever sits on which side: the refusal before them may be raced."""
    ann, bob, cyd = (people.store.create(name, "hash").id for name in ("Ann", "Bob", "Cyd"))
    rating_service, at = RatingService(people), utc_now()
    minutes = [at + timedelta(minutes=number) for number in range(4)]
    names = [begun_match(any_database, people, (ann, bob) if k % 2 else (bob, ann), at) for k, at in enumerate(minutes)]
    other = begun_match(any_database, people, (ann, cyd), minutes[3])
    later = begun_match(any_database, people, (ann, bob), minutes[3] + DAY)
    for name in (later, other, *reversed(names)):
        end = SessionEnd(points=(1, 0), winner=0, at=at, names=("Ann", "x"), facts=None)
        done = rating_service.played.finish(
            name, end, "backgammon:single", initial_rating(at), rate, replace(LIMITS, of_pair=3)
        )
        assert done is not None
        assert done.ended is not None
    moved = {change.game for change in rating_service.played.list_rating_changes(ann, 10)}
    assert moved == {later, other, *names[:3]}


def seated_matches(url: str, people: Accounts, pairs: list[tuple[int, int]]) -> list[str]:
    """Rated matches of these pairs that are not over."""
    played, names = PlayedStore(people.engine), []
    with closing(GameServer(url)) as game_server:
        for pair in pairs:
            handle, _, _ = game_server.create(opponent="friend", name="Ann", rules={"length": 1})
            for side, account in zip("XO", pair, strict=True):
                played.add_seat(to_seated_game(handle.session), side, account, rated=True)
            names.append(handle.id)
    return names


def won(at: datetime, *, contested: bool = True) -> SessionEnd:
    """A match that X has won."""
    return SessionEnd(points=(1, 0), winner=0, at=at, names=("Ann", "x"), facts=None, contested=contested)


def is_established_soon(meetings: Meetings) -> bool:
    known = meetings.days_with_known >= 2 and meetings.known_opponents >= 2
    return known or (meetings.days >= 3 and meetings.opponents >= 2)


LESS = replace(LIMITS, over_new=1, certain=335.0, is_established=is_established_soon)


def finish(people: Accounts, session: str, end: SessionEnd, limits: RatingLimits = LESS) -> None:
    start = initial_rating(club.BEGUN)
    PlayedStore(people.engine).finish(session, end, "backgammon:single", start, rate_rated_match, limits)


def test_ratings_become_what_the_rules_say(
    people: Accounts, any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store counts days, opponents and wins over new accounts as a club in memory does, match by match."""
    monkeypatch.setattr(club, "LIMITS", LESS)
    chance, numbers = Random(1), [people.store.create(f"Member-{number}", "hash").id for number in range(6)]
    members = {number: club.Member() for number in numbers}
    pairs = [(one, other) for one, other in permutations(numbers, 2) if other != numbers[5] or one == numbers[0]] * 2
    chance.shuffle(pairs)
    for count, (session, pair) in enumerate(zip(seated_matches(any_database, people, pairs), pairs, strict=True)):
        at, contested = club.BEGUN + count // 8 * DAY, chance.random() < 0.9
        finish(people, session, won(at, contested=contested))
        club.play_match(members[pair[0]], members[pair[1]], at, contested=contested)
        stored = PlayedStore(people.engine).find_ratings(pair, "backgammon:single")
        assert all(stored.get(number) in (members[number].rating, None) for number in pair), count
    stored = PlayedStore(people.engine).find_ratings(numbers, "backgammon:single")
    assert stored == {number: member.rating for number, member in members.items()}
    with people.engine.begin() as connection:
        for number, member in members.items():
            assert count_meetings(connection, number, "backgammon:single", LESS) == member.meetings
    assert len({member.meetings.days_with_known for member in members.values()}) > 2
    assert len({member.rating.established for member in members.values()}) > 1


def test_wins_over_accounts_that_are_removed_count_among_those_over_new_ones(
    people: Accounts, any_database: str
) -> None:
    farmer, *others = (people.store.create(f"Farm-{number}", "hash").id for number in range(6))
    ratings_then = []
    for session, other in zip(
        seated_matches(any_database, people, [(farmer, other) for other in others]), others, strict=True
    ):
        finish(people, session, won(club.BEGUN), replace(LESS, over_new=2))
        people.store.delete(other)
        ratings_then.append(PlayedStore(people.engine).get_ratings(farmer)["backgammon:single"].rating)
    assert ratings_then[0] < ratings_then[1] == ratings_then[-1]


def test_wins_over_established_opponents_leave_those_over_new_ones(people: Accounts, any_database: str) -> None:
    ann, bob, cyd = (people.store.create(name, "hash").id for name in ("Ann", "Bob", "Cyd"))
    first, second = seated_matches(any_database, people, [(ann, bob), (ann, cyd)])
    finish(people, first, won(club.BEGUN))
    with people.engine.begin() as connection:
        connection.execute(update(ratings).where(ratings.c.account_id == bob).values(established=club.BEGUN))
    before = PlayedStore(people.engine).get_ratings(ann)["backgammon:single"]
    finish(people, second, won(club.BEGUN))
    after = PlayedStore(people.engine).get_ratings(ann)["backgammon:single"]
    assert after.rating > before.rating
    assert after.matches == 2


def test_the_dice_of_an_account_are_those_of_its_finished_games(people: Accounts, any_database: str) -> None:
    """The own side stands first; dice that were not counted, and games begun without the account, are left out."""
    ann, bob = (people.store.create(name, "hash").id for name in ("Ann", "Bob"))
    played, at = PlayedStore(people.engine), utc_now()
    six, five = SideDice(rolls=6, doubles=2, pips=50), SideDice(rolls=5, pips=30, hitting=2, hits=1, chances=40)
    own, other, uncounted, private, adopted = (
        begun_match(any_database, people, pair, at)
        for pair in ((ann, bob), (bob, ann), (ann, bob), (ann, bob), (ann, bob))
    )
    with people.engine.begin() as connection:
        for handle, values in ((private, {"public": False}), (adopted, {"kept": 1})):
            connection.execute(update(played_table).where(played_table.c.session_id == handle).values(values))
    assert played.get_dice(ann) == AccountDice(0, SideDice(), SideDice())
    for handle in (own, other, uncounted, private, adopted):
        dice = None if handle == uncounted else DiceCounts(six, five)
        end = SessionEnd(points=(1, 0), winner=None, at=at, names=("Ann", "Bob"), facts=None, dice=dice)
        played.finish(handle, end, "backgammon:single", initial_rating(at), rate)
    assert played.get_dice(ann, public=True) == AccountDice(2, six + five, five + six)
    assert played.get_dice(ann) == AccountDice(3, six + five + six, five + six + five)
    assert played.get_dice(bob) == AccountDice(4, five + six + five + five, six + five + six + six)


def test_a_pair_that_has_had_its_share_is_told_so(people: Accounts, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash").id for name in ("Ann", "Bob"))
    rating_service, at = RatingService(people), utc_now()
    games = [begun_match(any_database, people, (ann, bob), at) for _ in range(MOST_OF_PAIR)]
    begun_match(any_database, people, (bob, ann), at - DAY)
    with pytest.raises(Refusal, match="10 rated matches within a day: play an unrated one, or wait") as refusal:
        rating_service.check_may_rate(bob, ann)
    assert refusal.value.code == "busy"
    end = SessionEnd(points=(0, 0), winner=None, at=at, names=("Ann", "Bob"), facts=None)
    rating_service.played.finish(games[0], end, "backgammon:single", initial_rating(at), rate)
    rating_service.check_may_rate(bob, ann)  # one that ended without a result is none


def test_the_pr_of_an_account_comes_from_its_reviewed_games(people: Accounts, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    game_server, rating_service = GameServer(any_database), RatingService(people)
    handle = game_server.get_handle(room_of(any_database, ann.id, bob.id, people))
    profiles = Profiles(rating_service, Lobby(game_server, people, rating_service))
    assert profiles.get_profile(ann, None).pr is None
    record, name = handle.record("json")
    (document,) = read(record).documents
    review = review_of(document.match, [0.1])
    keep_played_game(
        profiles, None, handle.id, record, name, ReviewedMatch(document, replace(review, complete=False), name)
    )
    full = Storage(people.engine, StorageLimits(budget=1)).check_growth
    keep_played_game(profiles, full, handle.id, record, name, ReviewedMatch(document, review, name))
    assert profiles.get_profile(ann, None).reviewed == 0, "half a review is none, nor is one without room"
    for _ in range(2):
        keep_played_game(profiles, None, handle.id, record, name, ReviewedMatch(document, review, name))
    mover, other = (ann, bob) if review.decisions[0].player == 0 else (bob, ann)
    profile = profiles.get_profile(mover, None)
    assert (profile.reviewed, profile.decisions, profile.pr) == (1, 1, 50.0)
    assert profiles.get_profile(other, None).decisions == 0
    profiles.lobby.close()
    game_server.close()


@pytest.mark.parametrize(
    ("help_", "counts"), [("none", True), ("word", False), ("hint", False), ("tutor", False), ("takeback", False)]
)
def test_a_game_with_help_makes_no_pr(
    people: Accounts, any_database: str, monkeypatch: pytest.MonkeyPatch, help_: str, *, counts: bool
) -> None:
    for name in ("advise", "judge"):
        monkeypatch.setattr(f"fullprime.analysis.tutor.{name}", lambda *_: None)
    ann = people.store.create("Ann", "hash")
    game_server, rating_service = GameServer(any_database), RatingService(people)
    handle, _, _ = game_server.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 1})
    rating_service.played.add_seat(to_seated_game(handle.session), "X", ann.id)
    handle.add_seed("both", "ab")
    for _ in range(2):
        handle.act("both", frame_of(handle, "both")["state"]["plays"][0])
    helps = {
        "none": lambda: None,
        "word": lambda: handle.act("both", "hint heuristic"),
        "hint": lambda: at_table.advise(handle, "both", "0-ply"),
        "tutor": lambda: at_table.judge(handle, "both", "roll", (), "0-ply"),
        "takeback": lambda: handle.take_back("both"),
    }
    helps[help_]()
    for line in ("resign", "accept"):
        handle.act("both", line)
    record, name = handle.record("json")
    (document,) = read(record).documents
    review = review_of(document.match, [0.0] * 2)
    profiles = Profiles(rating_service, Lobby(game_server, people, rating_service))
    keep_played_game(profiles, None, handle.id, record, name, ReviewedMatch(document, review, name))
    profile = profiles.get_profile(ann, None)
    assert (profile.reviewed, profile.pr) == ((1, 0.0) if counts else (0, None))
    profiles.lobby.close()
    game_server.close()


def test_a_seat_is_one_accounts(people: Accounts, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    game_server, rating_service = GameServer(any_database), RatingService(people)
    handle, _, invitation = game_server.create(opponent="friend", name="Ann", rules={"length": 1}, spectators=False)
    rating_service.played.add_seat(to_seated_game(handle.session), "X", ann.id)
    rating_service.played.add_seat(to_seated_game(handle.session), "X", ann.id)
    with pytest.raises(StoreError, match="somebody else"):
        rating_service.played.add_seat(to_seated_game(handle.session), "X", bob.id)
    assert rating_service.played.list_games(GameFilter(account=ann.id), 10) == [], "no game while nobody else has come"
    handle.join(str(invitation), "Guest")
    games = rating_service.played.list_games(GameFilter(account=ann.id), 10)
    assert [(game.accounts, game.rated, game.public) for game in games] == [((ann.id, None), False, False)]
    assert rating_service.played.list_games(GameFilter(account=ann.id, public=True), 10) == []
    people.store.delete(ann.id)
    assert rating_service.played.find(handle.id).accounts == (None, None)  # type: ignore[union-attr]
    game_server.close()


def test_what_is_told_in_one_process_is_heard_in_another(any_database: str) -> None:
    """Two processes have a ``News`` each; on SQLite, which one process serves, there is nobody else to tell."""
    one, other = Accounts(any_database), Accounts(any_database)
    here, elsewhere = pubsub.PubSub(one.engine), pubsub.PubSub(other.engine)
    heard: Queue[tuple[str, object]] = Queue()
    for name, place in (("here", here), ("there", elsewhere)):
        place.subscribe("account:7", lambda message, name=name: heard.put((name, message)))  # type: ignore[misc]
    elsewhere.subscribe("account:8", lambda message: heard.put(("nobody", message)))
    event = {"type": "challenge", "challenge": {"name": "Änn 1", "id": "x" * 40}}
    shared = here.is_shared
    assert shared == any_database.startswith("postgresql")
    try:
        # A process that has just begun may not listen yet: what it has not heard by then is told again.
        places: set[str] = set()
        for _ in range(20 if shared else 1):
            here.publish("account:7", event)
            while places != {"here", "there"}:
                try:
                    name, message = heard.get(timeout=1.0 if shared else 0.1)
                except Empty:
                    break
                assert message == event
                places.add(name)
            if places == {"here", "there"}:
                break
        assert places == ({"here", "there"} if shared else {"here"})
    finally:
        for opened in (here, elsewhere, one, other):
            opened.close()
