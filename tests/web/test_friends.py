"""Friends over HTTP: who may follow, what is refused, who reads the list, and how often one may change it."""

from __future__ import annotations

from tests.web.conftest import Server
from tests.web.people import PASSWORD, guest, person

from fullprime.web.routes import friends as routes


def test_an_account_follows_another_one_and_reads_who_is_here(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as visitor:
        ann.asks(f"/api/friends/{bob.name}/follow")
        ann.asks(f"/api/friends/{bob.name}/follow")
        (friend,) = ann.read("/api/friends")["friends"]
        assert friend.pop("since") > 0
        assert friend == {"name": bob.name, "bot": False, "is_here": False, "short_rating": None}
        assert bob.read("/api/friends") == {"friends": []}
        assert bob.name not in str(visitor.read(f"/api/users/{ann.name}")), (
            "the friends of an account are its own affair"
        )
        assert ann.name not in str(bob.read(f"/api/users/{bob.name}")), "no profile says who follows an account"
        ann.asks(f"/api/friends/{bob.name}/unfollow")
        ann.asks(f"/api/friends/{bob.name}/unfollow")
        assert ann.read("/api/friends") == {"friends": []}


def test_what_cannot_be_followed_is_refused(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as hidden, guest(shared_server) as visitor:
        hidden.asks("/api/account/profile", {"public": False})
        assert visitor.get("/api/friends").status_code == 401
        assert visitor.refusal(f"/api/friends/{ann.name}/follow") == (401, "sign in first, or send a token")
        assert ann.refusal(f"/api/friends/{ann.name}/follow") == (400, "you cannot follow yourself")
        assert ann.refusal(f"/api/friends/{hidden.name}/follow")[0] == 403
        for path in ("/api/friends/Nobody-at-all/follow", "/api/friends/Nobody-at-all/unfollow"):
            assert ann.refusal(path)[0] == 404
        assert ann.read("/api/friends") == {"friends": []}


def test_a_friend_who_hides_the_profile_shows_nothing_and_one_who_is_removed_is_gone(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, person(shared_server) as cyd:
        for friend in (bob, cyd):
            ann.asks(f"/api/friends/{friend.name}/follow")
        bob.asks("/api/account/profile", {"public": False})
        cyd.asks("/api/account/remove", {"password": PASSWORD})
        (left,) = ann.read("/api/friends")["friends"]
        assert (left["name"], left["is_here"], left["short_rating"]) == (bob.name, None, None)
        ann.asks(f"/api/friends/{bob.name}/unfollow")
        assert ann.read("/api/friends") == {"friends": []}


def test_nobody_follows_and_unfollows_without_end(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        for number in range(routes.CHANGES.burst):
            ann.asks(f"/api/friends/{bob.name}/{'unfollow' if number % 2 else 'follow'}")
        answer = ann.post(f"/api/friends/{bob.name}/follow")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
        assert answer.json()["error"] == "you have followed and unfollowed often: wait a minute"
        bob.asks(f"/api/friends/{ann.name}/follow")
