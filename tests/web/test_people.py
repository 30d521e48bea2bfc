"""Accounts, tokens, ratings and profiles, over HTTP: who may do what, and what others may see."""

from __future__ import annotations

import json
import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from tests.web.conftest import Server
from tests.web.people import PASSWORD, Browser, guest, one_accepts, person, play_on, rated_match, resign
from tests.web.seat import Seat, create
from tests.web.test_endings import ends, resigns_a_game

from fullprime.accounts.glicko import GlickoRating, age_rating, initial_rating, rate_by_glicko
from fullprime.accounts.ratings import CLASSES, PLAYS, length_class, why_not_rated
from fullprime.accounts.service import Accounts, check_account_name, check_password
from fullprime.db.times import utc_now
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Settings
from fullprime.web.routes.callers import COOKIE


def test_an_account_is_made_left_and_entered_again(shared_server: Server) -> None:
    with guest(shared_server) as ann, guest(shared_server) as other:
        assert ann.asks("/api/account/sign-up", {"name": "Ann-1", "password": PASSWORD})["name"] == "Ann-1"
        assert ann.read("/api/account") == {"name": "Ann-1", "bot": False, "public": True, "scopes": None}
        ann.asks("/api/account/sign-out")
        assert ann.read("/api/account")["name"] is None
        assert other.refusal("/api/account/sign-up", {"name": "ANN-1", "password": PASSWORD})[0] == 409
        wrong = other.refusal("/api/account/sign-in", {"name": "Ann-1", "password": "tiger lilie"})
        nobody = other.refusal("/api/account/sign-in", {"name": "Nobody-1", "password": PASSWORD})
        assert wrong == nobody == (401, "the name or the password is wrong")
        assert other.asks("/api/account/sign-in", {"name": "ann-1", "password": PASSWORD})["name"] == "Ann-1"


def test_the_cookie_is_out_of_reach_and_nothing_secret_is_stored(client: Any, server: Server) -> None:
    with person(server, "Ann") as ann:
        answer = ann.post("/api/account/sign-in", json={"name": "Ann", "password": PASSWORD})
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age="))
        token = ann.asks("/api/account/tokens", {"name": "a program", "scopes": ["board:play"]})["token"]
        secrets = [PASSWORD, token, str(ann.cookies[COOKIE])]
        listed = ann.read("/api/account/tokens")["tokens"]
        assert [set(token) for token in listed] == [{"id", "name", "scopes", "created", "used"}]
    stored = b"".join(path.read_bytes() for path in server.database.parent.glob("games.db*"))
    assert [secret for secret in secrets if secret.encode() in stored] == []
    with sqlite3.connect(server.database) as database:
        (password,) = database.execute("SELECT password FROM accounts").fetchone()
    database.close()
    assert password.startswith("$argon2id$")


@pytest.mark.broad
def test_another_password_signs_other_browsers_out(shared_server: Server) -> None:
    with person(shared_server) as here, guest(shared_server) as there:
        there.asks("/api/account/sign-in", {"name": here.name, "password": PASSWORD})
        assert here.refusal("/api/account/password", {"old": "no idea at all", "new": "another one"})[0] == 401
        assert here.refusal("/api/account/password", {"old": PASSWORD, "new": "short"})[0] == 400
        here.asks("/api/account/password", {"old": PASSWORD, "new": "another one"})
        assert (here.read("/api/account")["name"], there.read("/api/account")["name"]) == (here.name, None)
        assert there.refusal("/api/account/sign-in", {"name": here.name, "password": PASSWORD})[0] == 401
        there.asks("/api/account/sign-in", {"name": here.name, "password": "another one"})
        there.asks("/api/account/sign-out", {"everywhere": True})
        assert here.read("/api/account")["name"] is None


def test_passwords_are_not_tried_without_end(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as eve:
        tries = [
            eve.refusal("/api/account/sign-in", {"name": ann.name, "password": f"try {n} and on"}) for n in range(11)
        ]
        assert {code for code, _ in tries[:9]} == {401}
        assert tries[-1] == (429, "too many tries: wait a minute")


def test_requests_of_other_sites_do_nothing_with_a_cookie(shared_server: Server) -> None:
    with person(shared_server) as ann:
        for header in ({"Origin": "https://evil.example"}, {"Origin": "null"}):
            answer = ann.post("/api/account/profile", json={"public": False}, headers=header)
            assert answer.status_code == 403
        assert ann.read("/api/account")["public"] is True


@pytest.mark.parametrize("name", ["a", "a" * 21, "Ann Bo", "Änn", "-ann", "admin", "You", "heuristic", "0-ply", ""])
def test_names_that_no_account_may_have(name: str) -> None:
    with pytest.raises(SettingsError):
        check_account_name(name)


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaa", "Annabella", "x" * 201])
def test_passwords_that_nobody_should_have(password: str) -> None:
    with pytest.raises(SettingsError):
        check_password(password, "Annabella")


def test_sign_in_asks_the_hash_for_unknown_names_as_well(tmp_path: Any) -> None:
    """What takes long is done for everybody, so that the time tells nobody which names there are."""
    from argon2 import PasswordHasher

    class Counting(PasswordHasher):
        verified = 0

        def verify(self, *more: Any) -> Any:
            Counting.verified += 1
            return super().verify(*more)

    people = Accounts(str(tmp_path / "games.db"), Counting(time_cost=1, memory_cost=8, parallelism=1))
    people.sign_up("Ann", PASSWORD)
    for name in ("Ann", "Nobody", "not a name at all"):
        before = Counting.verified
        with pytest.raises(Exception, match="the name or the password is wrong"):
            people.sign_in(name, "some password")
        assert Counting.verified == before + 1
    assert people.sign_in("ann", PASSWORD).name == "Ann"
    stronger = Accounts(str(tmp_path / "games.db"), PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))
    before = stronger.store.find_with_password("Ann")
    assert stronger.sign_in("Ann", PASSWORD) is not None
    assert before is not None
    assert stronger.store.find_with_password("Ann") != before, "hashed again as it is now done"
    people.close(), stronger.close()


# -- tokens ------------------------------------------------------------------------------------------------------
def test_tokens_open_what_they_are_for(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as program:
        token = ann.asks("/api/account/tokens", {"name": "reader", "scopes": ["challenge:read"]})
        assert token["token"].startswith("fpt_")
        assert token["token"] not in str(ann.read("/api/account/tokens"))
        program.headers["Authorization"] = f"Bearer {token['token']}"
        assert program.read("/api/account") == {
            "name": ann.name, "bot": False, "public": True, "scopes": ["challenge:read"],
        }  # fmt: skip
        assert program.read("/api/challenge") == {"incoming": [], "outgoing": []}
        assert program.refusal("/api/lobby", {"rules": {"length": 1}})[0] == 403
        assert program.refusal("/api/account/tokens", {"name": "more", "scopes": ["board:play"]})[0] == 403
        assert program.refusal("/api/account/password", {"old": PASSWORD, "new": "another one"})[0] == 403
        game = ann.asks("/api/games", {"rules": {"length": 1}})["id"]
        assert program.refusal(f"/api/games/{game}/seed", {"seed": "ab"})[0] == 403
        assert program.refusal(f"/api/board/game/{game}/seed", {"seed": "ab"})[0] == 403
        ann.asks(f"/api/account/tokens/{token['id']}/revoke")
        assert program.get("/api/account").status_code == 401
        assert ann.refusal(f"/api/account/tokens/{token['id']}/revoke")[0] == 404
        assert ann.refusal("/api/account/tokens", {"name": "bot", "scopes": ["bot:play"]})[0] == 400


@pytest.mark.broad
@pytest.mark.parametrize(
    ("path", "body"),
    [("sign-out", {"everywhere": True}), ("password", {"old": PASSWORD, "new": "another one"})],
)
def test_an_account_ends_its_tokens_with_its_browsers(shared_server: Server, path: str, body: dict[str, Any]) -> None:
    for bot in (False, True):
        with person(shared_server) as here, person(shared_server) as other, guest(shared_server) as there:
            if bot:
                here.asks("/api/account/bot")
            scopes = ["bot:play" if bot else "board:play", "challenge:read"]
            tokens = [here.asks("/api/account/tokens", {"name": "a program", "scopes": scopes})["token"] for _ in "ab"]
            token = other.asks("/api/account/tokens", {"name": "a program", "scopes": ["board:play"]})["token"]
            there.asks("/api/account/sign-in", {"name": here.name, "password": PASSWORD})
            there.asks(f"/api/account/{path}", body)
            assert here.read("/api/account")["name"] is None
            assert [status_with(shared_server, token) for token in tokens] == [200, 200], "programs go on"
            password = body.get("new", PASSWORD)
            here.asks("/api/account/sign-in", {"name": here.name, "password": password})
            again = {**body, "old": password} if "old" in body else body
            here.asks(f"/api/account/{path}", {**again, "tokens": True})
            assert there.read("/api/account")["name"] is None
            assert [status_with(shared_server, token) for token in tokens] == [401, 401]
            assert status_with(shared_server, token) == 200, "of this account alone"


def status_with(server: Server, token: str) -> int:
    """The status of an answer to a program with that token."""
    with guest(server) as program:
        return program.get("/api/account", headers={"Authorization": f"Bearer {token}"}).status_code


def test_nobody_revokes_the_tokens_of_others(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as eve:
        token = ann.asks("/api/account/tokens", {"name": "mine", "scopes": ["board:play"]})
        assert eve.refusal(f"/api/account/tokens/{token['id']}/revoke")[0] == 404
        assert len(ann.read("/api/account/tokens")["tokens"]) == 1


# -- games -------------------------------------------------------------------------------------------------------
def test_an_account_has_its_seat_on_every_device(shared_server: Server) -> None:
    with person(shared_server) as here, guest(shared_server) as there, guest(shared_server) as stranger:
        created = here.asks("/api/games", {"name": "ignored", "rules": {"length": 3}, "spectators": False})
        game = created["id"]
        there.asks("/api/account/sign-in", {"name": here.name, "password": PASSWORD})
        there.asks(f"/api/games/{game}/seed", {"seed": "ab"})
        state = there.seat(game).state
        assert (state["you"], state["names"][0]) == ("X", here.name)
        if "plays" in state:
            there.seat(game).does(state["plays"][0], sequence=state["sequence"])
        assert stranger.get(f"/api/games/{game}").status_code == 403
        assert [game["id"] for game in there.read(f"/api/users/{here.name}/games")["games"]] == [game]


def test_a_guest_claims_the_games_of_the_browser(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as eve, guest(shared_server) as unknown:
        seat, created = create(unknown, rules={"length": 1})
        claim = {"game": created["id"], "key": created["key"]}
        assert unknown.refusal("/api/account/claim", claim)[0] == 401
        assert ann.refusal("/api/account/claim", {**claim, "key": "wrong"})[0] == 403
        assert ann.refusal("/api/account/claim", {**claim, "game": "nothing"})[0] == 404
        assert ann.asks("/api/account/claim", claim) == {"side": "X"}
        assert ann.asks("/api/account/claim", claim) == {"side": "X"}
        assert eve.refusal("/api/account/claim", claim)[0] == 403, "it is somebody's already"
        assert ann.seat(created["id"]).state["you"] == "X"
        assert eve.seat(created["id"]).state["you"] is None
        assert seat.state["you"] == "X", "the key opens the seat as before"


def test_a_game_that_was_begun_as_a_guest_counts_neither_in_the_results_nor_for_the_pr(shared_server: Server) -> None:
    """Else one would keep the games that went well."""
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as unknown:
        host, created = create(unknown, opponent="friend", name="Ann", rules={"length": 1})
        bob.asks(f"/api/games/{host.game}/join", {"invitation": created["invitation"], "name": bob.name})
        bob.asks(f"/api/games/{host.game}/seed", {"seed": "beef"})
        resigns_a_game(bob.seat(host.game), host)
        ann.asks("/api/account/claim", {"game": host.game, "key": host.key})
        assert [game["id"] for game in ann.read(f"/api/users/{ann.name}/games")["games"]] == [host.game]
        assert ann.read(f"/api/users/{ann.name}")["tallies"] == []
        (lost,) = bob.read(f"/api/users/{bob.name}")["tallies"]
        assert (lost["games"], lost["lost"]) == (1, 1), "who sat there with an account has played it"


def test_guests_do_not_take_the_names_of_accounts(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as eve:
        assert eve.refusal("/api/games", {"name": ann.name.upper()})[0] == 403
        created = ann.asks("/api/games", {"opponent": "friend", "rules": {"length": 1}})
        joining = {"invitation": created["invitation"], "name": ann.name}
        assert eve.refusal(f"/api/games/{created['id']}/join", joining)[0] == 403
        assert ann.refusal(f"/api/games/{created['id']}/join", {**joining, "name": "other"})[0] == 403
        eve.asks(f"/api/games/{created['id']}/join", {**joining, "name": "Eve"})
        assert ann.read(f"/api/users/{ann.name}/games")["games"][0]["names"] == [ann.name, "Eve"]


def test_an_account_that_is_removed_leaves_its_games(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob)
        resign(game, bob, ann)
        assert bob.read(f"/api/users/{bob.name}/games")["games"][0]["change"]["before"] == 1500
        assert ann.refusal("/api/account/remove", {"password": "wrong password"})[0] == 401
        ann.asks("/api/account/remove", {"password": PASSWORD})
        assert ann.read("/api/account")["name"] is None
        assert bob.get(f"/api/users/{ann.name}").status_code == 404
        assert bob.read(f"/api/users/{bob.name}/games")["games"][0]["names"] == [ann.name, bob.name]


@pytest.mark.broad
def test_a_loser_does_not_save_the_winner_s_points_by_removing_the_account(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob, rules={"length": 3})
        play_on(game, ann, bob, PLAYS)
        challenge = ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})
        ann.asks("/api/account/remove", {"password": PASSWORD})
        state = bob.seat(game).state
        assert (state["status"], state["match_winner"], state["ending"]["how"]) == ("over", "O", "left")
        assert bob.read(f"/api/users/{bob.name}/games")["games"][0]["change"] == {"before": 1500, "after": 1516}
        joining = {"invitation": challenge["invitation"], "name": "x"}
        assert bob.refusal(f"/api/games/{challenge['challenge']['game']}/join", joining)[0] == 404


def test_an_account_that_is_removed_leaves_a_rated_match_that_has_not_begun(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        created = ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})
        game = created["challenge"]["game"]
        bob.asks(f"/api/games/{game}/join", {"invitation": created["invitation"], "name": "x"})
        ann.asks("/api/account/remove", {"password": PASSWORD})
        assert bob.seat(game).state["ending"]["how"] == "aborted"
        assert "ratings" in bob.read(f"/api/users/{bob.name}")


# -- ratings and profiles -----------------------------------------------------------------------------------------
def test_a_rated_match_counts_once_and_stands_in_both_profiles(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as anybody:
        game = rated_match(ann, bob)
        resign(game, bob, ann)
        for _ in range(3):
            of_ann, of_bob = (anybody.read(f"/api/users/{person_.name}") for person_ in (ann, bob))
        (kind,) = of_ann["ratings"]
        assert kind == "backgammon:single"
        up, down = of_ann["ratings"][kind], of_bob["ratings"][kind]
        assert (up["matches"], down["matches"]) == (1, 1)
        assert up["rating"] - 1500 == 1500 - down["rating"] == 16, "a tenth of Glicko-2's 162 from 1500 ± 350"
        assert up["deviation"] == down["deviation"] == 344
        assert up["provisional"]
        assert [(change["game"], change["before"], change["after"]) for change in of_ann["changes"]] == [
            (game, 1500, 1516)
        ]
        assert of_ann["tallies"] == [
            {"variant": "backgammon", "title": "Backgammon", "games": 1, "won": 1, "lost": 0, "points": 1}
        ]
        assert (of_ann["reviewed"], of_ann["pr"]) == (0, None), "a dash is never a zero"
        (listed_game,) = anybody.read(f"/api/users/{bob.name}/games")["games"]
        assert (listed_game["winner"], listed_game["side"], listed_game["points"]) == ("X", "O", [1, 0])
        assert listed_game["change"] == {"before": 1500, "after": 1484}


def test_casual_matches_and_money_change_no_rating(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob, rated=False)
        resign(game, bob, ann)
        assert ann.read(f"/api/users/{ann.name}")["ratings"] == {}
        for options in ({"rules": {"length": 0}}, {"rules": {"length": 3, "crawford": False}}):
            assert ann.refusal("/api/lobby", {"rated": True, "clock": "usbgf", **options})[0] == 400


def test_a_rematch_is_between_the_same_accounts_and_rated_again(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as program:
        scopes = ["challenge:read", "board:play"]
        token = bob.asks("/api/account/tokens", {"name": "listener", "scopes": scopes})["token"]
        program.headers["Authorization"] = f"Bearer {token}"
        game = rated_match(ann, bob)
        resign(game, bob, ann)
        assert ann.asks(f"/api/games/{game}/rematch") == {"game": None}
        with program.stream("GET", "/api/stream/event") as stream:
            lines = (json.loads(line) for line in stream.iter_lines() if line)
            rematch = bob.asks(f"/api/games/{game}/rematch")["game"]
            event = next(line for line in lines if line["type"] == "gameStart")
            assert (event["game"]["id"], event["game"]["rated"]) == (rematch, True)
        assert [browser.seat(rematch).state["you"] for browser in (ann, bob)] == ["X", "O"]
        assert [game["id"] for game in ann.read(f"/api/users/{ann.name}/games")["games"]] == [rematch, game]


@pytest.mark.broad
def test_games_are_found_by_player_variant_and_date(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server, "Bob-the-first") as bob, guest(shared_server) as anybody:
        rated_match(ann, bob)
        ann.asks("/api/games", {"variant": "hypergammon", "rules": {"length": 1}, "spectators": False})

        def found(browser: Browser, **conditions: Any) -> list[str]:
            listed = browser.read(f"/api/users/{ann.name}/games", params=conditions)
            assert listed["found"] == len(listed["games"])
            return [game["variant"] for game in listed["games"]]

        assert found(ann) == ["hypergammon", "backgammon"]
        assert found(anybody) == ["backgammon"], "what is private stays private"
        assert found(ann, opponent="bob-THE") == ["backgammon"]
        assert found(ann, opponent=ann.name) == [], "one's own name is in every game"
        assert found(ann, variant="hypergammon") == ["hypergammon"]
        assert found(ann, rated=True) == ["backgammon"]
        assert found(ann, ended=True) == []
        today = utc_now()
        assert found(ann, since=f"{today:%Y-%m-%d}", until=f"{today + timedelta(days=1):%Y-%m-%d}") != []
        assert found(ann, until=f"{today - timedelta(days=1):%Y-%m-%d}") == []
        assert ann.get(f"/api/users/{ann.name}/games?since=yesterday").status_code == 400


def test_a_rated_match_that_nobody_may_watch_is_not_told_by_the_changes_of_ratings(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as anybody:
        watched, private = (rated_match(ann, bob, spectators=spectators) for spectators in (True, False))
        for game in (watched, private):
            ends(bob.seat(game), "leave")

        def changed(browser: Browser) -> list[str]:
            return [change["game"] for change in browser.read(f"/api/users/{bob.name}")["changes"]]

        assert changed(bob) == [private, watched]
        assert changed(anybody) == changed(ann) == [watched]


def test_a_profile_may_be_kept_private(shared_server: Server) -> None:
    with person(shared_server) as ann, guest(shared_server) as anybody:
        assert anybody.read(f"/api/users/{ann.name}")["public"] is True
        ann.asks("/api/account/profile", {"public": False})
        for path in (f"/api/users/{ann.name}", f"/api/users/{ann.name}/games"):
            assert anybody.get(path).status_code == 403
            assert ann.get(path).status_code == 200
        assert anybody.get("/api/users/Nobody-at-all").status_code == 404


@pytest.mark.broad
def test_provisional_ratings_do_not_stand_among_the_best(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        for _ in range(3):
            resign(rated_match(ann, bob, variant="longgammon"), bob, ann)
        rating = ann.read(f"/api/users/{ann.name}")["ratings"]["longgammon:single"]
        assert (rating["matches"], rating["provisional"]) == (3, True)
        assert ann.read("/api/ratings", params={"kind": "longgammon:single"})["best"] == []
        assert ann.get("/api/ratings?kind=chess:long").status_code == 404


def test_the_numbers_are_those_of_glickmans_example() -> None:
    """The worked example of "Example of the Glicko-2 system" (2012), one match after the other not being its point: the
    library is held to it as a whole, our calls of it to the case of one opponent.
    """
    from glicko2.math import mu_to_rating, phi_to_rd, rating_to_mu, rd_to_phi, update_rating

    games = [
        (rating_to_mu(rating), rd_to_phi(deviation), score)
        for rating, deviation, score in ((1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0))
    ]
    new = update_rating(rating_to_mu(1500), rd_to_phi(200), 0.06, games, 0.5)
    assert round(mu_to_rating(new.mu), 2) == 1464.05  # 1464.06 there, from rounded steps
    assert round(phi_to_rd(new.phi), 2) == 151.52
    assert round(new.sigma, 5) == 0.06
    at = utc_now()
    one, other = rate_by_glicko(GlickoRating(1500, 200, 0.06, 4, at), GlickoRating(1400, 30, 0.06, 9, at), 0, at)
    alone = update_rating(rating_to_mu(1500), rd_to_phi(200), 0.06, games[:1], 0.5)
    assert (one.rating, one.deviation) == (mu_to_rating(alone.mu), phi_to_rd(alone.phi))
    assert (one.matches, other.matches) == (5, 10)
    assert other.rating < 1400


def test_a_rating_is_less_certain_after_a_long_time() -> None:
    at = utc_now()
    settled_rating = GlickoRating(1600, 60, 0.06, 40, at)
    assert age_rating(settled_rating, at + timedelta(days=6)) == settled_rating
    deviations = [age_rating(settled_rating, at + timedelta(weeks=weeks)).deviation for weeks in (0, 4, 52, 10_000)]
    assert deviations == sorted(deviations)
    assert 95 < deviations[2] < 97, "60² + 52 · (0.06 · 173.7178)², the root of it"
    assert deviations[-1] == 350.0
    assert age_rating(initial_rating(at), at + timedelta(weeks=5)).deviation == 350.0


def test_classes_of_lengths_have_no_gaps() -> None:
    assert [length_class(length) for length in (0, 1, 2, 5, 6, 11, 12, 25)] == [
        None, "single", "short", "short", "medium", "medium", "long", "long",
    ]  # fmt: skip
    assert all(length_class(length) in CLASSES for length in range(1, 10_001))
    for clock in ("usbgf", "3d"):
        assert why_not_rated(Settings(length=5), None, clock) is None
    assert why_not_rated(Settings(length=5), None, None) == (
        "a rated match has a clock: choose one, or days for each turn such as 3d"
    )
    assert why_not_rated(Settings(length=5), "start", "usbgf") is not None
    assert why_not_rated(Settings(length=0), None, "usbgf") is not None


def test_a_link_still_needs_no_account(shared_server: Server) -> None:
    with guest(shared_server) as ann, guest(shared_server) as bob:
        created = ann.asks("/api/lobby", {"name": "Guest Ann", "rules": {"length": 1}})
        game = one_accepts(bob, created)
        seats = [Seat(ann, game["game"], created["key"]), Seat(bob, game["game"], game["key"])]
        for seat in seats:
            assert seat.post("seed", {"seed": "ab"}).status_code == 204
        assert [seat.state["status"] for seat in seats] == ["playing", "playing"]
        assert [seat.state["you"] for seat in seats] == ["X", "O"]


def test_the_board_has_the_ratings_of_its_people_and_their_change_at_the_end(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as eve:
        game = rated_match(ann, bob)
        at = f"/api/games/{game}/people"
        assert eve.read(at)["x"] == {"name": ann.name, "bot": False, "rating": None, "change": None}
        resign(game, bob, ann)
        first = eve.read(at)
        assert (first["x"]["change"], first["o"]["change"]) == (
            {"before": 1500, "after": 1516}, {"before": 1500, "after": 1484}
        )  # fmt: skip
        assert (first["x"]["rating"]["rating"], first["x"]["rating"]["provisional"]) == (1516, True)
        bob.asks("/api/account/profile", {"public": False})
        assert eve.read(at)["o"] == {"name": bob.name, "bot": False, "rating": None, "change": None}
        assert ann.read(at)["o"]["rating"]["rating"] == 1484, "an opponent sees it at the board"
        _, created = create(eve)
        assert eve.read(f"/api/games/{created['id']}/people") == {"x": None, "o": None}
