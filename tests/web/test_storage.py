"""Room for uploads: of the disk, of the database, and of an account by its age; games go on without it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import update
from tests.accounts.test_limits import done_at_once
from tests.web.inside import TestClient
from tests.web.seat import create
from tests.web.test_guard import application, at

from fullprime.accounts.store.accounts import AccountStore
from fullprime.db.database import open_database
from fullprime.db.schema.tables import accounts
from fullprime.db.times import utc_now
from fullprime.formats import Document, read
from fullprime.learn import match_lessons
from fullprime.library import storage
from fullprime.library.storage import StorageLimits, check_room, quota_at
from fullprime.library.store.library import LibraryStore
from fullprime.rules.errors import FullprimeError

LARGE = StorageLimits()
UPLOADS = ("/api/reviews", "/api/library/files", "/api/drills/cards/import")


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
        full.setattr(storage.shutil, "disk_usage", lambda _: Usage(1000, 901, 99))
        assert set(uploaded(client).values()) == {503}
        refused = client.post(UPLOADS[0], content=b"no match").json()["error"]
        assert refused == "the disk of this server is nearly full: games go on, but nothing is uploaded now"
        seat, _ = create(client, opponent="screen", automatic=False)  # type: ignore[arg-type]
        assert seat.act("roll").status_code == 200
        full.setattr(storage.shutil, "disk_usage", lambda _: Usage(1000, 900, 100))
        assert 503 not in uploaded(client).values()
    assert shutil.disk_usage("/").total > 0


def test_uploads_end_above_the_budget_of_all_accounts_together(client: TestClient, app: Any) -> None:
    app.state.storage.limits = StorageLimits(budget=1)
    assert set(uploaded(client).values()) == {503}
    app.state.storage.limits = StorageLimits()
    assert 503 not in uploaded(client).values()


def test_a_quota_grows_with_the_age_of_the_account_and_has_an_end() -> None:
    quotas = [quota_at(timedelta(days=days)) for days in range(100)]
    assert quotas[0] == storage.Quota(storage.FIRST_MATCHES, storage.FIRST_BYTES)
    assert all(new.size >= old.size and new.matches >= old.matches for old, new in pairwise(quotas))
    assert quotas[1] == quota_at(timedelta(days=1, hours=23))
    assert quotas[-1] == storage.Quota(storage.MOST_MATCHES, storage.MOST_BYTES) == quota_at(timedelta.max)
    assert quota_at(timedelta(days=-1)) == quotas[0], "a clock that was set back"


def match_text(number: int) -> tuple[bytes, list[Document]]:
    content = f" 3 point match\n\n Game 1\n Ann{number} : 0   Bob : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n".encode()
    return content, list(read(content, name="a.mat").documents)


@pytest.mark.broad
def test_of_files_at_once_no_more_than_an_account_may_have_are_kept(
    any_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(any_database, pooled=True)
    ann = AccountStore(engine).create("Ann", "no hash")
    library = LibraryStore(engine, shelf=ann.id)
    monkeypatch.setattr(storage, "FIRST_MATCHES", 3)
    monkeypatch.setattr(storage, "MATCHES_A_DAY", 2)

    def add(number: int) -> None:
        content, documents = match_text(number)
        library.add(content, f"{number}.mat", documents, lambda use: check_room(use, len(content), LARGE))

    assert done_at_once(add) == 3
    with engine.begin() as connection:
        connection.execute(update(accounts).values(created=utc_now() - timedelta(days=1)))
    assert done_at_once(lambda number: add(20 + number)) == 2
    assert library.count() == 5
    engine.dispose()


def test_a_file_beyond_the_budget_is_refused_in_words(any_database: str) -> None:
    engine = open_database(any_database, pooled=True)
    library = LibraryStore(engine, shelf=AccountStore(engine).create("Ann", "no hash").id)
    content, documents = match_text(1)
    with pytest.raises(FullprimeError, match="this server keeps as much as it may"):
        library.add(content, "1.mat", documents, lambda use: check_room(use, len(content), StorageLimits(budget=1)))
    with pytest.raises(FullprimeError, match=r"500 matches and 32 MiB of files are kept; an account may keep more"):
        library.add(content, "1.mat", documents, lambda use: check_room(use, 1 << 30, LARGE))
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
