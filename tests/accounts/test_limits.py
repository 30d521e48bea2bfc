"""Limits hold when many come at once: what is counted cannot change before the row that it allows is stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import update

from fullprime.accounts import friends
from fullprime.accounts import lobby as lobbies
from fullprime.accounts import service as peoples
from fullprime.accounts.friends import Friends
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.ratings import RatingService, to_seated_game
from fullprime.accounts.service import Account, Accounts
from fullprime.accounts.store.pushes import PushAddress, PushOwner, PushStore
from fullprime.analysis import at_table
from fullprime.db.schema.tables import played
from fullprime.db.times import utc_now
from fullprime.learn.flashcards.store import CardStore, SavedCard
from fullprime.learn.learner_store import LearnerStore
from fullprime.library.store import collections, marks
from fullprime.library.store.collections import Collections
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.marks import LibraryMarks, MarkPlace
from fullprime.play.server import chat
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.rules.errors import FullprimeError

AT_ONCE = 9
PATIENCE = 120.0
"""Seconds after which those who are to begin together give up; none of these tests waits that long."""


class Server:
    """What a process has of a database, without the process."""

    def __init__(self, url: str) -> None:
        self.game_server, self.people = GameServer(url), Accounts(url)
        self.engine = self.people.engine
        self.rating_service = RatingService(self.people)
        self.lobby = Lobby(self.game_server, self.people, self.rating_service)

    def close(self) -> None:
        self.lobby.close()
        self.game_server.close()
        self.people.close()


@pytest.fixture
def server(any_database: str) -> Iterator[Server]:
    with closing(Server(any_database)) as running:
        yield running


def done_at_once(do: Callable[[int], object], count: int = AT_ONCE) -> int:
    """Have so many threads do the same at one moment; gives the number of those who were not refused."""
    together = threading.Barrier(count)

    def one(number: int) -> bool:
        together.wait(PATIENCE)
        try:
            return do(number) is not False
        except FullprimeError:
            return False

    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(one, range(count)))


def account(server: Server, name: str) -> Account:
    return server.people.store.create(name, "no hash")


def rated_match(server: Server, host: Account, guest: Account) -> SessionHandle:
    created, _, _ = server.lobby.challenge(
        host, name=host.name, rated=True, rules={"length": 3}, clock="8+120", automatic=False
    )
    handle, _ = server.lobby.accept(created.challenge.id, guest, guest.name)
    handle.add_seed("X", "ab")
    handle.add_seed("O", "cd")
    return handle


@pytest.mark.broad
def test_of_aborts_at_once_no_more_than_allowed_are_done(server: Server) -> None:
    ann, bob = account(server, "Ann"), account(server, "Bob")
    handles = [rated_match(server, ann, bob) for _ in range(AT_ONCE)]
    assert done_at_once(lambda number: server.lobby.close_game(handles[number], "X", "abort")) == lobbies.MOST_ABORTED
    assert sum(handle.is_closed for handle in handles) == lobbies.MOST_ABORTED
    server.lobby.settle(account=ann)
    assert done_at_once(lambda number: server.lobby.close_game(handles[number], "O", "abort")) >= lobbies.MOST_ABORTED
    assert sum(handle.is_closed for handle in handles) == 2 * lobbies.MOST_ABORTED


def test_an_abort_that_is_refused_counts_for_nothing(server: Server) -> None:
    ann, bob = account(server, "Ann"), account(server, "Bob")
    handle = rated_match(server, ann, bob)
    for _ in range(lobbies.MOST_ABORTED):
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(handle, "close", refuse)
            with pytest.raises(FullprimeError, match="not now"):
                server.lobby.close_game(handle, "X", "abort")
    game = server.rating_service.played.find(handle.id)
    assert game is not None
    assert (game.ending, game.ended_by) == (None, None)
    server.lobby.close_game(handle, "X", "abort")
    assert handle.is_closed


def refuse(*_: object) -> None:
    raise FullprimeError("not now")


def test_of_tokens_at_once_no_more_than_allowed_are_made(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peoples, "MOST_TOKENS", 4)
    ann = account(server, "Ann")
    assert done_at_once(lambda number: server.people.create_token(ann, f"token {number}", ["games:read"])) == 4
    assert len(server.people.store.list_tokens(ann.id)) == 4


def test_an_account_that_takes_a_seat_at_the_same_moment_does_not_become_a_bot(server: Server) -> None:
    ann, bob = account(server, "Ann"), account(server, "Bob")
    handle, _, _ = server.game_server.create(opponent="friend", name="Ann")
    server.rating_service.played.add_seat(to_seated_game(handle.session), "O", bob.id)
    with ThreadPoolExecutor(1) as pool:
        with server.engine.begin() as connection:
            seat = update(played).where(played.c.session_id == handle.id)
            connection.execute(seat.values(x_account=ann.id))
            marking = pool.submit(server.people.mark_as_bot, ann)
            wait_until(lambda: marking.done() or waits_for_lock(server))
        with pytest.raises(FullprimeError, match="does not become a bot"):
            marking.result(PATIENCE)
    assert not server.people.get_by_name("Ann").bot


def waits_for_lock(server: Server) -> bool:
    """True when something waits for another transaction; on SQLite, which has one at a time, always."""
    if server.engine.dialect.name != "postgresql":
        return True
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with server.engine.begin() as connection:
        return bool(connection.exec_driver_sql(query).scalar_one())


def wait_until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_of_accounts_followed_at_once_no_more_than_allowed_are_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(friends, "MOST_FRIENDS", 4)
    ann, followed = account(server, "Ann"), [account(server, f"Friend-{number}") for number in range(AT_ONCE)]
    service = Friends(server.people, server.rating_service)
    assert done_at_once(lambda number: service.follow(ann, followed[number].name)) == 4
    names = [friend.name for friend in service.list_friends(ann).friends]
    assert len(names) == 4
    service.unfollow(ann, names[0])
    assert done_at_once(lambda _: service.follow(ann, names[0])) == AT_ONCE, "the same one again is no refusal"
    assert len(service.list_friends(ann).friends) == 4


def test_of_reports_at_once_no_more_than_allowed_are_kept(server: Server) -> None:
    handle, _, invitation = server.game_server.create(opponent="friend", name="Ann")
    assert invitation is not None
    handle.join(invitation, "Bob")
    assert done_at_once(lambda number: at_table.report(handle, "X", f"reason {number}")) == chat.REPORTS


def test_of_collections_searches_and_items_at_once_no_more_than_allowed_are_kept(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("MOST_COLLECTIONS", "MOST_ITEMS", "MOST_SEARCHES"):
        monkeypatch.setattr(collections, limit, 3)
    mine = Collections(LibraryStore(server.engine, shelf=account(server, "Ann").id))
    assert done_at_once(lambda number: mine.create(f"collection {number}")) == 3
    assert done_at_once(lambda number: mine.store_search(f"search {number}", {})) == 3
    name = mine.list_all()[0].name
    assert done_at_once(lambda number: mine.add_item(name, f"body {number}")) == 3


def test_of_marks_at_once_no_more_than_allowed_are_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST_MARKS", 3)
    mine = LibraryMarks(LibraryStore(server.engine, shelf=account(server, "Ann").id))
    assert done_at_once(lambda number: mine.change(MarkPlace(position=f"position {number}"), star=True)) == 3


def test_of_cards_at_once_no_more_than_allowed_are_kept(server: Server) -> None:
    store, now = CardStore(server.engine), utc_now()
    learner = LearnerStore(server.engine).get_or_create(account=account(server, "Ann").id)

    def add(number: int) -> bool:
        card = SavedCard(name=f"card {number}", body="{}", schedule="{}", due=now, created=now)
        return store.add(learner, [card], 3) == 1

    assert done_at_once(add) == 3
    assert len(store.list_all(learner)) == 3


def test_of_browsers_at_once_no_more_than_allowed_are_told(server: Server) -> None:
    store = PushStore(server.engine)
    ann = account(server, "Ann")
    server.people.store.open_session(ann.id, "session", timedelta(days=1))
    owner = PushOwner(session="session", account=ann.id)
    done_at_once(lambda number: store.add(owner, PushAddress(f"https://push.example/{number}", "p", "a"), None, 3))
    assert len(store.list_for_owner(owner)) == 3
