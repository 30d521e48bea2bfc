"""Room for what people store: of the disk, of the database, and of an account by its age; games go on without it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Table, select, update
from tests.accounts.test_limits import done_at_once
from tests.library.test_library import add, file_of, match_of, review_of
from tests.web.inside import TestClient
from tests.web.seat import create
from tests.web.test_guard import application, at

from fullprime.accounts.store.accounts import AccountStore
from fullprime.db.database import open_database
from fullprime.db.errors import LibraryError, LibraryFull
from fullprime.db.schema.library import library_matches, library_reviews, library_shelves, library_sources
from fullprime.db.schema.shelves import (
    library_collections,
    library_items,
    library_marks,
    library_searches,
    library_tags,
)
from fullprime.db.schema.tables import accounts
from fullprime.db.times import utc_now
from fullprime.formats import Document, read
from fullprime.learn import match_lessons
from fullprime.library import storage as storage_module
from fullprime.library.service import Wanted, review_library
from fullprime.library.storage import Storage, StorageLimits, quota_at
from fullprime.library.store.collections import Collections
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import LibraryMarks, MarkPlace
from fullprime.library.store.room import ShelfUse, use_of

UPLOADS = ("/api/reviews", "/api/library/files", "/api/drills/cards/import")
STORED_AT_ONCE = {
    *UPLOADS,
    "/api/daily/answer",
    "/api/daily/solution",
    "/api/drills/cards/{card}/answer",
    "/api/drills/lessons/{lesson}/steps/{step}/card",
    "/api/drills/puzzles/{puzzle}/answer",
    "/api/drills/reviews/{job}/{match}/cards",
    "/api/drills/trainers/{trainer}/answer",
    "/api/learn/progress",
    "/api/library/cards",
    "/api/library/cards/latest",
    "/api/library/review",
    "/api/reviews/{job}/{match}/again",
}
"""The routes that ask for room before they do anything."""
POSITION = {"dice": [3, 1]}
IN_A_LIBRARY: dict[str, tuple[dict[str, Any], ...]] = {
    "/api/library/marks": ({"position": POSITION, "note": "a note"}, {"position": POSITION, "tags": ["prime"]}),
    "/api/library/collections": ({"name": "Endings"}, {"name": "Primes", "about": "six points in a row"}),
    "/api/library/collections/change": ({"name": "Openings", "about": "the first rolls"},),
    "/api/library/collections/add": ({"name": "Openings", "position": POSITION},),
    "/api/library/collections/position": ({"name": "Openings", "number": 1, "comment": "a comment", "arrows": []},),
    "/api/library/searches": ({"name": "Doubles", "question": {"kind": "double"}},),
}
"""The routes of a library that ask where it grows, with what makes it grow; less of it is always stored."""
GAMES = (
    "/api/games", "/api/board/game/", "/api/lobby", "/api/challenge/", "/api/friends/", "/api/account/", "/api/push/",
)  # fmt: skip
"""Games, and the few rows of players who want to meet: these go on. A review of a game is kept where there is room."""
STORES_NOTHING = {
    "/api/analysis/act",
    "/api/analysis/board",
    "/api/analysis/jobs",
    "/api/analysis/jobs/{job}/stop",
    "/api/analysis/picture",
    "/api/analysis/read",
    "/api/drills/cards/{card}/remove",
    "/api/house/lab",
    "/api/learn/lessons/{lesson}/steps/{step}/answer",
    "/api/library/collections/remove",
    "/api/library/marks/at",
    "/api/library/matches/remove",
    "/api/library/players/merge",
    "/api/library/players/split",
    "/api/real/boards",
    "/api/real/record",
    "/api/share/code",
    "/api/studies/{link}/answer",
}
"""The routes that answer, take away, or change a row for another."""


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return application(tmp_path)


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    with at(app) as client:
        credentials = {"name": "Ann", "password": "a long enough password"}
        assert client.post("/api/account/sign-up", json=credentials).status_code == 201
        yield client


def uploaded(client: TestClient) -> dict[str, int]:
    """The status of each route that takes a file."""
    return {path: client.post(path, content=b"no match").status_code for path in UPLOADS}


def test_uploads_end_below_a_free_share_of_the_disk_and_games_go_on(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 503 not in uploaded(client).values()
    with monkeypatch.context() as full:
        full.setattr(storage_module.shutil, "disk_usage", lambda _: Usage(1000, 901, 99))
        assert set(uploaded(client).values()) == {503}
        refused = client.post(UPLOADS[0], content=b"no match").json()["error"]
        assert refused == "the disk of this server is nearly full: games go on, but nothing else is stored now"
        seat, _ = create(client, opponent="screen", automatic=False)  # type: ignore[arg-type]
        assert seat.act("roll").status_code == 200
        full.setattr(storage_module.shutil, "disk_usage", lambda _: Usage(1000, 900, 100))
        assert 503 not in uploaded(client).values()
    assert shutil.disk_usage("/").total > 0


def test_uploads_end_above_the_budget_of_all_accounts_together(client: TestClient, app: Any) -> None:
    app.state.storage.limits = StorageLimits(budget=1)
    assert set(uploaded(client).values()) == {503}
    app.state.storage.limits = StorageLimits()
    assert 503 not in uploaded(client).values()


def test_every_route_that_takes_something_is_known_to_ask_or_to_store_nothing(app: Any) -> None:
    paths = {route.path for route in app.routes if (getattr(route, "methods", None) or set()) - {"GET", "HEAD"}}
    games = {path for path in paths if path.startswith(GAMES)}
    known = [STORED_AT_ONCE, set(IN_A_LIBRARY), STORES_NOTHING, games]
    assert paths == set().union(*known), "say of a new route when it may store something"
    assert sum(map(len, known)) == len(paths)


def test_routes_that_store_something_ask_for_room_first(client: TestClient, app: Any) -> None:
    app.state.storage.limits = StorageLimits(budget=1)
    values = {"card": 1, "lesson": "x", "step": 1, "puzzle": 1, "job": "x", "match": 1, "trainer": "pips"}
    answers = {path: client.post(path.format(**values), json={}) for path in sorted(STORED_AT_ONCE)}
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(answers, 503)
    assert {answer.json()["error"] for answer in answers.values()} == {
        "this server keeps as much as it may: games go on, but nothing else is stored now"
    }


def make_collection(client: TestClient) -> None:
    """Give Ann's library a collection with a position."""
    for path, body in (
        ("/api/library/collections", {"name": "Openings"}),
        ("/api/library/collections/add", {"name": "Openings", "position": POSITION}),
    ):
        assert client.post(path, json=body).status_code == 200


def grow_library(client: TestClient) -> list[int]:
    """The status of everything that makes a library grow."""
    return [client.post(path, json=body).status_code for path, bodies in IN_A_LIBRARY.items() for body in bodies]


@pytest.mark.parametrize("bound", ["budget", "disk", "quota"])
def test_a_library_without_room_takes_nothing_more_and_lets_go(
    client: TestClient, app: Any, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    make_collection(client)
    note = {"position": {"dice": [6, 5]}, "note": "a longer note"}
    assert client.post("/api/library/marks", json=note).status_code == 200
    use = partial(read_use, app)
    before = use()
    if bound == "budget":
        app.state.storage.limits = StorageLimits(budget=1)
    elif bound == "disk":
        monkeypatch.setattr(storage_module.shutil, "disk_usage", lambda _: Usage(1000, 901, 99))
    else:
        monkeypatch.setattr(storage_module, "FIRST_BYTES", before.size)
    refused = 400 if bound == "quota" else 503
    assert set(grow_library(client)) == {refused}
    assert use().size == before.size
    assert client.post("/api/library/marks", json={**note, "note": "a note"}).status_code == 200
    assert client.post("/api/library/collections/remove", json={"name": "Openings"}).status_code == 200
    assert use().size < before.size
    monkeypatch.undo()
    app.state.storage.limits = StorageLimits()
    make_collection(client)
    assert set(grow_library(client)) == {200}


def test_a_library_goes_with_its_account(client: TestClient, app: Any) -> None:
    make_collection(client)
    assert client.post("/api/library/marks", json={"position": POSITION, "note": "a note"}).status_code == 200
    shelf = 1
    LibraryStore(app.state.accounts.engine, shelf).add(*match_of_file(1))
    assert client.post("/api/account/remove", json={"password": "a long enough password"}).status_code == 204
    with app.state.accounts.engine.begin() as connection:
        for table in (library_matches, library_sources, library_marks, library_collections, library_shelves):
            assert connection.execute(select(table).where(table.c.shelf == shelf)).all() == [], table.name


def read_use(app: Any) -> ShelfUse:
    """The room that Ann's library takes."""
    engine = app.state.accounts.engine
    with engine.begin() as connection:
        shelf = connection.execute(select(accounts.c.id).where(accounts.c.name == "Ann")).scalar_one()
        return use_of(connection, shelf)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2), st.text("aä€", max_size=20)), max_size=25))
def test_the_bytes_of_a_library_are_counted(steps: list[tuple[int, int, str]]) -> None:
    engine = open_database("sqlite://", pooled=True)
    library = LibraryStore(engine, AccountStore(engine).create("Ann", "no hash").id)
    for kind, which, text in steps:
        with suppress(LibraryError):
            change_library(library, kind, which, text)
        with engine.begin() as connection:
            assert use_of(connection, library.shelf).size == recount(connection, library.shelf)
    engine.dispose()


def test_reviews_count_until_their_match_goes(any_database: str) -> None:
    engine = open_database(any_database, pooled=True)
    library = LibraryStore(engine, AccountStore(engine).create("Ann", "no hash").id)

    def use() -> int:
        with engine.begin() as connection:
            return use_of(connection, library.shelf).size

    file = file_of(match_of(5), "json")
    (number,) = add(library, file)
    for level in ("fast", "fast", "deep"):
        library.add_review(number, review_of(match_of(5), [0.3] * (2 if level == "fast" else 1), level=level))
        with engine.begin() as connection:
            reviews = list(connection.execute(select(library_reviews.c.review)).scalars())
        assert use() == len(file) + sum(map(len, reviews))
    library.delete([number])
    assert use() == 0
    engine.dispose()


def test_a_library_that_is_full_is_not_reviewed(any_database: str) -> None:
    engine = open_database(any_database, pooled=True)
    storage = Storage(engine)
    library = LibraryStore(engine, AccountStore(engine).create("Ann", "no hash").id, storage.check_growth)
    for number in range(2):
        library.add(*match_of_file(number))
    storage.limits = StorageLimits(budget=1)
    reviews = list(review_library(library, Wanted(), "fast"))
    assert [review.why for review in reviews] == [
        "this server keeps as much as it may: games go on, but nothing else is stored now"
    ], "no time is spent on the second"
    storage.limits = StorageLimits()
    assert len(list(review_library(library, Wanted(), "fast"))) == 2
    storage.limits = StorageLimits(budget=1)
    assert list(review_library(library, Wanted(), "fast")) == [], "what is reviewed needs no room"
    engine.dispose()


def change_library(library: LibraryStore, kind: int, which: int, text: str) -> None:
    """One change of a library; raises LibraryError where there is nothing to change."""
    collections, marks, name = Collections(library), LibraryMarks(library), f"c{which}"
    place = MarkPlace(position=f"p{which}") if kind else MarkPlace(match=which + 1)
    match kind:
        case 0 | 1:
            marks.change(place, note=text, tags=[text] if len(text) > 9 else None)
        case 2:
            collections.create(name, text)
        case 3:
            collections.change(name, new_name=f"c{len(text) % 3}", about=text)
        case 4:
            collections.add_item(name, "{}" + text, comment=text, arrows=["13/7"])
        case 5:
            collections.change_item(name, which + 1, text, [])
        case 6:
            collections.delete_item(name, which + 1) if text else collections.delete(name)
        case 7:
            collections.store_search(name, {"player": text}) if text else collections.delete_search(name)
        case _:
            library.add(*match_of_file(which)) if text else library.delete([which + 1])


def recount(connection: Connection, shelf: int) -> int:
    """The bytes of a library, counted one by one."""
    tables = (library_marks, library_collections, library_searches)
    texts: list[Any] = [text for table in tables for text in rows_of(connection, table, table.c.shelf == shelf)]
    in_collection = library_items.c.collection_id.in_(
        select(library_collections.c.id).where(library_collections.c.shelf == shelf)
    )
    marked = library_tags.c.mark_id.in_(select(library_marks.c.id).where(library_marks.c.shelf == shelf))
    texts += [*rows_of(connection, library_items, in_collection), *rows_of(connection, library_tags, marked)]
    sizes = select(library_sources.c.size).where(library_sources.c.shelf == shelf)
    return sum(len(text.encode()) for text in texts) + sum(connection.execute(sizes).scalars())


def rows_of(connection: Connection, table: Table, condition: Any) -> list[str]:
    """The texts that people wrote into rows of a table: not the place of a mark, which says its position again."""
    rows = connection.execute(select(table).where(condition)).mappings()
    return [value for row in rows for name, value in row.items() if isinstance(value, str) and name != "place"]


def test_a_quota_grows_with_the_age_of_the_account_and_has_an_end() -> None:
    quotas = [quota_at(timedelta(days=days)) for days in range(100)]
    assert quotas[0] == storage_module.Quota(storage_module.FIRST_MATCHES, storage_module.FIRST_BYTES)
    assert all(new.size >= old.size and new.matches >= old.matches for old, new in pairwise(quotas))
    assert quotas[1] == quota_at(timedelta(days=1, hours=23))
    assert (
        quotas[-1]
        == storage_module.Quota(storage_module.MOST_MATCHES, storage_module.MOST_BYTES)
        == quota_at(timedelta.max)
    )
    assert quota_at(timedelta(days=-1)) == quotas[0], "a clock that was set back"


def match_text(number: int) -> tuple[bytes, list[Document]]:
    content = f" 3 point match\n\n Game 1\n Ann{number} : 0   Bob : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n".encode()
    return content, list(read(content, name="a.mat").documents)


def match_of_file(number: int) -> tuple[bytes, str, list[Document]]:
    content, documents = match_text(number)
    return content, f"{number}.mat", documents


@pytest.mark.broad
def test_of_files_at_once_no_more_than_an_account_may_have_are_kept(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(any_database, pooled=True)
    ann = AccountStore(engine).create("Ann", "no hash")
    library = LibraryStore(engine, ann.id, Storage(engine).check_growth)
    monkeypatch.setattr(storage_module, "FIRST_MATCHES", 3)
    monkeypatch.setattr(storage_module, "MATCHES_A_DAY", 2)

    def add(number: int) -> None:
        content, documents = match_text(number)
        library.add(content, f"{number}.mat", documents)

    assert done_at_once(add) == 3
    with engine.begin() as connection:
        connection.execute(update(accounts).values(created=utc_now() - timedelta(days=1)))
    assert done_at_once(lambda number: add(20 + number)) == 2
    assert library.count() == 5
    engine.dispose()


def test_a_file_beyond_the_budget_is_refused_in_words(any_database: str) -> None:
    engine = open_database(any_database, pooled=True)
    storage = Storage(engine, StorageLimits(budget=1))
    library = LibraryStore(engine, AccountStore(engine).create("Ann", "no hash").id, storage.check_growth)
    content, documents = match_text(1)
    with pytest.raises(LibraryFull, match="this server keeps as much as it may"):
        library.add(content, "1.mat", documents)
    storage.limits = StorageLimits()
    large = content + b"; " + b"a" * storage_module.FIRST_BYTES
    with pytest.raises(LibraryFull, match=r"500 matches and 32 MiB are kept; an account may keep more"):
        library.add(large, "1.mat", documents)
    assert library.count_files() == 0
    engine.dispose()


def test_reviews_that_are_kept_have_a_bound_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = [f"a-name-of-a-review-{number}" for number in range(4)]
    match_lessons.store_reviews(match_lessons.UploadedReviews(names[0]), names[0])
    (file,) = tmp_path.rglob("*.json")
    monkeypatch.setattr(match_lessons, "MOST_KEPT_BYTES", 2 * file.stat().st_size)
    for name in names[1:]:
        match_lessons.store_reviews(match_lessons.UploadedReviews(name), name)
    assert len(list(tmp_path.rglob("*.json"))) == 2
    assert match_lessons.load_reviews(names[-1]).name == names[-1]
