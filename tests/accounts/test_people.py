"""What is kept of people, on SQLite and PostgreSQL: names once, secrets never, matches counted once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from queue import Empty, Queue
from typing import cast

import pytest
from sqlalchemy import insert, update
from tests.library.test_library import review_of

from fullprime.accounts.lobby import Lobby
from fullprime.accounts.profiles import LEAST_MATCHES, Profiles
from fullprime.accounts.ratings import DAY, MOST_OF_PAIR, Results, after_match, seated_game, start
from fullprime.accounts.service import People
from fullprime.accounts.store.accounts import PeopleStore
from fullprime.accounts.store.played import End, GamesWanted, OfPair, PlayedStore
from fullprime.analysis import at_table
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.db.schema.tables import played as played_table
from fullprime.db.schema.tables import ratings
from fullprime.db.times import utc_now
from fullprime.formats import read
from fullprime.library.played_games import keep_played_game
from fullprime.play.server import news
from fullprime.play.server.rooms import Rooms
from fullprime.reviews.matches.reviewing import ReviewedMatch

NEARLY_WON = "5 3 off:13 / 24:15"


@pytest.fixture
def people(any_database: str) -> Iterator[People]:
    kept = People(any_database)
    yield kept
    kept.close()


def room_of(url: str, x: int, o: int, people: People, *, rated: bool = True) -> str:
    """A match to 1 point between two accounts, that is over."""
    rooms, results = Rooms(url), Results(people)
    room, _, invitation = rooms.create(
        opponent="friend", name="Ann", rules={"length": 1}, position=NEARLY_WON, automatic=True
    )
    assert invitation is not None
    results.played.sit(seated_game(room.session), "X", x, rated=rated)
    room.join(invitation, "Bob")
    results.played.sit(seated_game(room.session), "O", o)
    for seat in ("X", "O"):
        room.add_seed(seat, "ab")
    for _ in range(100):
        if room.is_closed:
            break
        state = room.frame("X")["state"]
        seat = state["turn"] or "X"
        state = room.frame(seat)["state"]
        room.act(seat, (state["plays"][0] or "no play") if state["phase"] == "play" else "roll")
    assert room.is_closed
    rooms.close()
    return room.id


def test_a_name_is_given_once(people: People) -> None:
    store = people.store
    ann = store.create("Ann", "hash")
    with pytest.raises(StoreError, match="taken"):
        store.create("ANN", "hash")
    assert store.named("aNN") == ann
    assert store.named("Bob") is None
    assert store.by_number([ann.id, 10**6]) == {ann.id: ann}
    store.remove(ann.id)
    assert store.named("Ann") is None


def test_sessions_end_with_time_and_with_the_password(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    store = people.store
    ann = store.create("Ann", "hash")
    for digest, days in (("one", 1), ("two", 3), ("three", 3)):
        store.open_session(ann.id, digest, timedelta(days=days))
    store.set_password(ann.id, "other", keep_session="two")
    assert [store.of_session(each) == ann for each in ("one", "two", "three")] == [False, True, False]
    store.open_session(ann.id, "four", timedelta(days=9))
    later = utc_now() + timedelta(days=4)
    monkeypatch.setattr("fullprime.accounts.store.accounts.utc_now", lambda: later)
    assert [store.of_session(each) == ann for each in ("two", "four")] == [False, True]


def test_sessions_and_tokens_of_one_account_end_together(people: People) -> None:
    store = people.store
    ann, bob = store.create("Ann", "hash"), store.create("Bob", "hash")
    for owner, letter in ((ann, "a"), (bob, "b")):
        store.open_session(owner.id, f"session {letter}", timedelta(days=1))
        store.add_token(owner.id, "bot", f"token {letter}", ("board:play",))
    store.close_sessions(bob.id, digest="session a", revoke=True)
    assert (store.of_session("session a"), store.of_token("token b")) == (ann, None), "each account ends its own"
    store.close_sessions(ann.id)
    assert (store.of_session("session a"), store.of_token("token a")) == (None, (ann, ("board:play",)))
    store.set_password(ann.id, "other", revoke=True)
    assert (store.of_session("session b"), store.of_token("token a")) == (bob, None)


def test_tokens_are_noted_by_the_day(people: People) -> None:
    store: PeopleStore = people.store
    ann = store.create("Ann", "hash")
    made = store.add_token(ann.id, "bot", "digest", ("board:play", "challenge:read"))
    assert made.used is None
    assert store.of_token("digest") == (ann, ("board:play", "challenge:read"))
    assert store.of_token("another") is None
    (kept,) = store.tokens(ann.id)
    assert kept.used == utc_now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert not store.revoke_token(ann.id + 1, made.id)
    assert store.revoke_token(ann.id, made.id)
    assert store.of_token("digest") is None


def test_a_match_counts_once_however_often_its_end_is_noted(people: People, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    room = room_of(any_database, ann.id, bob.id, people)
    results = Results(people)
    found: list[object] = []
    begin = threading.Barrier(6)

    def settle() -> None:
        begin.wait()
        found.extend(Results(people).settle())

    threads = [threading.Thread(target=settle) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1
    assert results.settle() == []
    ratings = [results.played.ratings(each.id)["backgammon:single"] for each in (ann, bob)]
    assert sorted(round(each.rating) for each in ratings) == [1484, 1516], "a tenth of what a known opponent moves"
    assert [each.matches for each in ratings] == [1, 1]
    (change,) = results.played.changes(ann.id, 10)
    assert (change.game, change.before) == (room, 1500.0)
    game = results.played.one(room)
    assert game is not None
    assert game.winner is not None
    assert game.points is not None
    assert game.points[game.winner] >= 1


def test_matches_of_one_player_that_end_together_all_count(people: People, any_database: str) -> None:
    """Two processes that note two matches at once must not overwrite each other's ratings."""
    store, results = people.store, Results(people)
    ann, *others = (store.create(name, "hash") for name in ("Ann", "Bob", "Cyd", "Dan"))
    rooms = Rooms(any_database)
    games = []
    for other in others:
        room, _, _ = rooms.create(opponent="friend", name="Ann", other_name=other.name, rules={"length": 1})
        results.played.sit(seated_game(room.session), "X", ann.id, rated=True)
        results.played.sit(seated_game(room.session), "O", other.id)
        games.append(room.id)
    rooms.close()
    at = utc_now()
    begin = threading.Barrier(len(games))

    def finish(room: str) -> None:
        begin.wait()
        end = End(points=(1, 0), winner=0, at=at, names=("Ann", "x"), facts=None)
        results.played.finish(room, end, "backgammon:single", start(at), after_match)

    threads = [threading.Thread(target=finish, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rating = results.played.ratings(ann.id)["backgammon:single"]
    assert rating.matches == len(games)
    expected = start(at)
    for _ in games:
        expected, _ = after_match(expected, start(at), 0, at)
    assert rating.rating == pytest.approx(expected.rating)
    assert [tally.won for tally in results.played.tallies(ann.id)] == [len(games)]


def test_the_best_are_those_whose_strength_is_known(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provisional rating does not stand in the list, also where only time has made it so, on whichever page it is."""
    at = utc_now()
    found = {
        "Known": (1700.0, 60.0, 30, at),
        "Unsure": (1900.0, 110.5, 30, at),
        "Rested": (1800.0, 109.9, 30, at - timedelta(weeks=104)),
        "Lucky": (1850.0, 60.0, LEAST_MATCHES - 1, at),
        "Hidden": (1950.0, 60.0, 30, at),
        "Best": (1750.0, 109.9, LEAST_MATCHES, at),
    }
    for name, (rating, deviation, matches, updated) in found.items():
        account = people.store.create(name, "hash")
        people.store.set_public(account.id, public=name != "Hidden")
        values = {"rating": rating, "deviation": deviation, "volatility": 0.06, "matches": matches, "updated": updated}
        with people.engine.begin() as connection:
            connection.execute(insert(ratings).values(account_id=account.id, kind="backgammon:short", **values))
    for most in (100, 1):
        monkeypatch.setattr("fullprime.accounts.profiles.MOST", most)
        best = Profiles(Results(people), cast("Lobby", None)).best("backgammon:short")
        assert [row["name"] for row in best] == ["Best", "Known"][:most]


def begun_match(url: str, people: People, accounts: tuple[int, int], at: datetime) -> str:
    """A rated match of two accounts that began then."""
    with closing(Rooms(url)) as rooms:
        room, _, _ = rooms.create(opponent="friend", name="Ann", rules={"length": 1})
    played = PlayedStore(people.engine)
    for side, account in zip("XO", accounts, strict=True):
        played.sit(seated_game(room.session), side, account, rated=True)
    with people.engine.begin() as connection:
        connection.execute(update(played_table).where(played_table.c.room_id == room.id).values(begun=at))
    return room.id


def test_matches_of_a_pair_beyond_its_share_move_no_rating(people: People, any_database: str) -> None:
    """In whatever order they end, and whoever sits on which side: the refusal before them may be raced."""
    ann, bob, cyd = (people.store.create(name, "hash").id for name in ("Ann", "Bob", "Cyd"))
    results, at = Results(people), utc_now()
    minutes = [at + timedelta(minutes=number) for number in range(4)]
    names = [begun_match(any_database, people, (ann, bob) if k % 2 else (bob, ann), at) for k, at in enumerate(minutes)]
    other = begun_match(any_database, people, (ann, cyd), minutes[3])
    later = begun_match(any_database, people, (ann, bob), minutes[3] + DAY)
    for name in (later, other, *reversed(names)):
        end = End(points=(1, 0), winner=0, at=at, names=("Ann", "x"), facts=None)
        done = results.played.finish(name, end, "backgammon:single", start(at), after_match, OfPair(3, DAY))
        assert done is not None
        assert done.ended is not None
    moved = {change.game for change in results.played.changes(ann, 10)}
    assert moved == {later, other, *names[:3]}


def test_a_pair_that_has_had_its_share_is_told_so(people: People, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash").id for name in ("Ann", "Bob"))
    results, at = Results(people), utc_now()
    games = [begun_match(any_database, people, (ann, bob), at) for _ in range(MOST_OF_PAIR)]
    begun_match(any_database, people, (bob, ann), at - DAY)
    with pytest.raises(Refusal, match="10 rated matches within a day: play an unrated one, or wait") as told:
        results.may_rate(bob, ann)
    assert told.value.code == "busy"
    end = End(points=(0, 0), winner=None, at=at, names=("Ann", "Bob"), facts=None)
    results.played.finish(games[0], end, "backgammon:single", start(at), after_match)
    results.may_rate(bob, ann)  # one that ended without a result is none


def test_the_pr_of_an_account_comes_from_its_reviewed_games(people: People, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    rooms, results = Rooms(any_database), Results(people)
    room = rooms.room(room_of(any_database, ann.id, bob.id, people))
    profiles = Profiles(results, Lobby(rooms, people, results))
    assert profiles.profile(ann, None)["pr"] is None
    record, name = room.record("json")
    (document,) = read(record).documents
    review = review_of(document.match, [0.1])
    keep_played_game(profiles, room.id, record, name, ReviewedMatch(document, replace(review, complete=False), name))
    assert profiles.profile(ann, None)["reviewed"] == 0, "half a review is none"
    for _ in range(2):
        keep_played_game(profiles, room.id, record, name, ReviewedMatch(document, review, name))
    mover, other = (ann, bob) if review.decisions[0].player == 0 else (bob, ann)
    found = profiles.profile(mover, None)
    assert (found["reviewed"], found["decisions"], found["pr"]) == (1, 1, 50.0)
    assert profiles.profile(other, None)["decisions"] == 0
    profiles.lobby.close()
    rooms.close()


@pytest.mark.parametrize(
    ("help_", "counts"), [("none", True), ("word", False), ("hint", False), ("tutor", False), ("takeback", False)]
)
def test_a_game_with_help_makes_no_pr(
    people: People, any_database: str, monkeypatch: pytest.MonkeyPatch, help_: str, *, counts: bool
) -> None:
    for name in ("advise", "judge"):
        monkeypatch.setattr(f"fullprime.analysis.tutor.{name}", lambda *_: None)
    ann = people.store.create("Ann", "hash")
    rooms, results = Rooms(any_database), Results(people)
    room, _, _ = rooms.create(opponent="screen", name="Ann", other_name="Bob", rules={"length": 1})
    results.played.sit(seated_game(room.session), "X", ann.id)
    room.add_seed("both", "ab")
    for _ in range(2):
        room.act("both", room.frame("both")["state"]["plays"][0])
    helps = {
        "none": lambda: None,
        "word": lambda: room.act("both", "hint heuristic"),
        "hint": lambda: at_table.advise(room, "both", "0-ply"),
        "tutor": lambda: at_table.judge(room, "both", "roll", (), "0-ply"),
        "takeback": lambda: room.take_back("both"),
    }
    helps[help_]()
    for line in ("resign", "accept"):
        room.act("both", line)
    record, name = room.record("json")
    (document,) = read(record).documents
    review = review_of(document.match, [0.0] * 2)
    profiles = Profiles(results, Lobby(rooms, people, results))
    keep_played_game(profiles, room.id, record, name, ReviewedMatch(document, review, name))
    found = profiles.profile(ann, None)
    assert (found["reviewed"], found["pr"]) == ((1, 0.0) if counts else (0, None))
    profiles.lobby.close()
    rooms.close()


def test_a_seat_is_one_accounts(people: People, any_database: str) -> None:
    ann, bob = (people.store.create(name, "hash") for name in ("Ann", "Bob"))
    rooms, results = Rooms(any_database), Results(people)
    room, _, invitation = rooms.create(opponent="friend", name="Ann", rules={"length": 1}, spectators=False)
    results.played.sit(seated_game(room.session), "X", ann.id)
    results.played.sit(seated_game(room.session), "X", ann.id)
    with pytest.raises(StoreError, match="somebody else"):
        results.played.sit(seated_game(room.session), "X", bob.id)
    assert results.played.find(GamesWanted(account=ann.id), 10) == [], "no game while nobody else has come"
    room.join(str(invitation), "Guest")
    found = results.played.find(GamesWanted(account=ann.id), 10)
    assert [(game.accounts, game.rated, game.public) for game in found] == [((ann.id, None), False, False)]
    assert results.played.find(GamesWanted(account=ann.id, public=True), 10) == []
    people.store.remove(ann.id)
    assert results.played.one(room.id).accounts == (None, None)  # type: ignore[union-attr]
    rooms.close()


def test_what_is_told_in_one_process_is_heard_in_another(any_database: str) -> None:
    """Two processes have a ``News`` each; on SQLite, which one process serves, there is nobody else to tell."""
    one, other = People(any_database), People(any_database)
    here, there = news.Newsroom(one.engine), news.Newsroom(other.engine)
    heard: Queue[tuple[str, object]] = Queue()
    for name, place in (("here", here), ("there", there)):
        place.listen("account:7", lambda message, name=name: heard.put((name, message)))  # type: ignore[misc]
    there.listen("account:8", lambda message: heard.put(("nobody", message)))
    told = {"type": "challenge", "challenge": {"name": "Änn 1", "id": "x" * 40}}
    shared = here.is_shared
    assert shared == any_database.startswith("postgresql")
    try:
        # A process that has just begun may not listen yet: what it has not heard by then is told again.
        found: set[str] = set()
        for _ in range(20 if shared else 1):
            here.tell("account:7", told)
            while found != {"here", "there"}:
                try:
                    name, message = heard.get(timeout=1.0 if shared else 0.1)
                except Empty:
                    break
                assert message == told
                found.add(name)
            if found == {"here", "there"}:
                break
        assert found == ({"here", "there"} if shared else {"here"})
    finally:
        for each in (here, there, one, other):
            each.close()
