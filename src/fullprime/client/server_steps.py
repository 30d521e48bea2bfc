"""The requests of a client to a server besides the games: its account, new games, challenges, friends, news."""

from __future__ import annotations

import secrets
from typing import Unpack
from urllib.parse import parse_qs, quote, urlsplit

from fullprime.client.errors import ClientError, ServerGone
from fullprime.client.game_steps import GameSteps
from fullprime.client.listing import (
    AccountNews,
    ListedGame,
    NewGameOptions,
    RemoteChallenge,
    RemoteFriend,
    ServerAccount,
    ServerOptions,
    new_game_body,
    read_account,
    read_challenge,
    read_friend,
    read_news,
    read_options,
)
from fullprime.client.wire import Backoff, Steps, fetch, get, is_transient, post, read_json
from fullprime.rules.taking import real_number, short_path, short_value

NEWS = "/api/stream/event"
_CHALLENGES = "challenge:read"


MOST_SECONDS = 1e6


class ServerSteps:
    """A server as one player uses it. ``name`` is the name of a guest; an account keeps its own."""

    def __init__(self, url: str, *, name: str, has_token: bool, patience: float, seed: str | None = None) -> None:
        self.url = check_url(url)
        self._seed = seed if seed is not None else secrets.token_hex(32)
        self._name, self._has_token, self._patience = name, has_token, patience
        self._account: ServerAccount | None = None

    @property
    def is_connected(self) -> bool:
        """True if the server has been asked for the account."""
        return self._account is not None

    @property
    def account(self) -> ServerAccount:
        """The account of this client; raises ClientError before it has connected."""
        if self._account is None:
            raise ClientError("not connected yet", url=self.url)
        return self._account

    def link(self, game: GameSteps) -> str:
        """The address of a game's page, with the invitation if there is one to give away."""
        address = f"{self.url}/game/{quote(game.id, safe='')}"
        return address if game.invitation is None else f"{address}#invite={game.invitation}"

    def connect(self) -> Steps[None]:
        """Ask for the account; raises ClientError when the token is not good, or no Fullprime server is there."""
        answer = yield from fetch(get("/api/account"))
        self._account = read_account(answer.json)

    def options(self) -> Steps[ServerOptions]:
        """The choices for a new game."""
        answer = yield from fetch(get("/api/options"), self._patience)
        return read_options(answer.json)

    # -- games --------------------------------------------------------------------------------------------
    def create(self, **options: Unpack[NewGameOptions]) -> Steps[GameSteps]:
        """A game against a bot, or with a free seat for the first who opens the link."""
        body = {"name": self._name, **new_game_body(options), "opponent": "bot" if "bot" in options else "friend"}
        fields = (yield from fetch(post("/api/games", body))).json
        game = self._game(
            fields.text("id"),
            fields.text("key"),
            commitment=fields.text("commitment"),
            invitation=fields.maybe_text("invitation"),
            automatic=options.get("automatic", True),
        )
        return (yield from self.take_seat(game))

    def challenge(self, name: str | None = None, **options: Unpack[NewGameOptions]) -> Steps[GameSteps]:
        """A game with an account, a bot of the server, or the first visitor who takes up the challenge."""
        if "bot" in options:
            if name is not None:
                raise ClientError(f"a challenge is for {name!r} or for a bot, not for both", url=self.url)
            return (yield from self.create(**options))
        path = "/api/lobby" if name is None else f"/api/challenge/{quote(name, safe='')}"
        fields = (yield from fetch(post(path, {"name": self._name, **new_game_body(options)}))).json
        game = self._game(
            fields.part("challenge").text("game"),
            fields.text("key"),
            commitment=fields.text("commitment"),
            invitation=fields.text("invitation"),
            automatic=options.get("automatic", True),
        )
        return (yield from self.take_seat(game))

    def accept(self, challenge: RemoteChallenge | str) -> Steps[GameSteps]:
        """Take up a challenge."""
        fields = (yield from fetch(post(f"{_challenge_path(challenge)}/accept", {"name": self._name}))).json
        game = self._game(fields.text("game"), fields.text("key"), commitment=fields.text("commitment"))
        return (yield from self.take_seat(game))

    def join(self, link: str) -> Steps[GameSteps]:
        """Take the free seat of a game by its link."""
        game, invitation = self._read_link(link)
        steps = self._game(game, None)
        answer = yield from fetch(post(f"{steps.path}/join", {"invitation": invitation, "name": self._name}))
        if not self._has_token:
            steps.key = answer.json.text("key")
        return (yield from self.take_seat(steps))

    def game(self, game: ListedGame | str, key: str | None = None) -> Steps[GameSteps]:
        """A game by its id: one's own, by the key of the seat or by the account, or one to watch."""
        name = game if isinstance(game, str) else game.id
        steps = GameSteps(name, key, patience=self._patience, seed=self._seed)
        return (yield from self.take_seat(steps))

    def _game(
        self,
        game: str,
        key: str | None,
        *,
        commitment: str | None = None,
        invitation: str | None = None,
        automatic: bool | None = None,
    ) -> GameSteps:
        return GameSteps(
            game,
            None if self._has_token else key,
            patience=self._patience,
            commitment=commitment,
            invitation=invitation,
            automatic=automatic,
            seed=self._seed,
        )

    def take_seat(self, game: GameSteps) -> Steps[GameSteps]:
        """The game with its state known, and one's share of the dice added."""
        state = yield from game.read(is_delivered=False)
        if state.you is not None and state.you in state.missing_seeds:
            yield from game.add_seed()
            yield from game.read(is_delivered=False)
        return game

    def _read_link(self, link: str) -> tuple[str, str]:
        parts = urlsplit(link.strip())
        if f"{parts.scheme}://{parts.netloc}" != self.url and (parts.scheme or parts.netloc):
            raise ClientError(f"the link {link!r} leads to another server", url=self.url)
        invitation = parse_qs(parts.fragment).get("invite")
        folder, _, game = parts.path.rpartition("/")
        if not folder.endswith("/game") or not game or not invitation:
            raise ClientError(f"{link!r} is no invitation: {self.url}/game/ID#invite=…", url=self.url)
        return game, invitation[0]

    # -- lists --------------------------------------------------------------------------------------------
    def games(self) -> Steps[tuple[ListedGame, ...]]:
        """The games of the account that are not over."""
        answer = yield from fetch(get("/api/board/playing"), self._patience)
        return tuple(game.value(ListedGame) for game in answer.json.parts("playing"))

    def challenges(self) -> Steps[tuple[RemoteChallenge, ...]]:
        """The challenges that can be taken up: to the account, then to everybody; at last those it has made."""
        answer = yield from fetch(get("/api/lobby"), self._patience)
        open_challenges = [read_challenge(challenge) for challenge in answer.json.parts("challenges")]
        if not self._has_token or _CHALLENGES not in self.account.scopes:
            return tuple(open_challenges)
        mine = (yield from fetch(get("/api/challenge"), self._patience)).json
        incoming, outgoing = (
            [read_challenge(challenge) for challenge in mine.parts(name)] for name in ("incoming", "outgoing")
        )
        own = {challenge.id for challenge in outgoing}
        return (*incoming, *(challenge for challenge in open_challenges if challenge.id not in own), *outgoing)

    def decline(self, challenge: RemoteChallenge | str) -> Steps[None]:
        """Say no to a challenge to the account."""
        yield from fetch(post(f"{_challenge_path(challenge)}/decline"))

    def cancel(self, challenge: RemoteChallenge | str) -> Steps[None]:
        """Withdraw a challenge of one's own."""
        yield from fetch(post(f"{_challenge_path(challenge)}/cancel"))

    # -- friends ------------------------------------------------------------------------------------------
    def friends(self) -> Steps[tuple[RemoteFriend, ...]]:
        """The accounts that the account follows, those who are here first."""
        answer = yield from fetch(get("/api/friends"), self._patience)
        return tuple(read_friend(friend) for friend in answer.json.parts("friends"))

    def follow(self, name: str) -> Steps[None]:
        """Follow an account."""
        yield from fetch(post(f"/api/friends/{quote(name, safe='')}/follow"))

    def unfollow(self, name: str) -> Steps[None]:
        """Follow an account no more."""
        yield from fetch(post(f"/api/friends/{quote(name, safe='')}/unfollow"))


class NewsSteps:
    """The news of the account, each given once although the stream begins anew with the games and offers in being."""

    def __init__(self, patience: float) -> None:
        self._backoff = Backoff(patience)
        self._delivered: set[tuple[str, str]] = set()

    def handle_line(self, line: str) -> AccountNews | None:
        """Handle a line of the stream; gives its news, or None where nothing is new."""
        self._backoff.reset()
        if not line.strip():
            return None
        news = read_news(read_json(line, NEWS))
        about = news.game.id if news.game is not None else news.challenge.id if news.challenge is not None else ""
        if (news.kind, about) in self._delivered:
            return None
        self._delivered.add((news.kind, about))
        return news

    def wait_to_reconnect(self, error: ClientError | None = None) -> Steps[None]:
        """Wait before the stream is requested again, because it has ended; or raise the error."""
        if error is not None and not is_transient(error):
            raise error
        yield from self._backoff.wait(error or ServerGone("the stream ended", url=NEWS))


def check_arguments(url: object, *, timeout: object, patience: object, **texts: object) -> None:
    """Raise ClientError for what no client can be made of; all texts but the name may be None."""
    address = check_url(url)
    for name, value in texts.items():
        if not isinstance(value, str) and (value is not None or name == "name"):
            raise ClientError(f"{name}: {short_value(value)} is no text", url=address)
    for name, value in (("timeout", timeout), ("patience", patience)):
        seconds = real_number(value)
        if seconds is None or not 0 <= seconds <= MOST_SECONDS:
            raise ClientError(f"{name}: {short_value(value)} is no number of seconds", url=address)


def check_url(url: object) -> str:
    """The address of a server without a slash at its end; raises ClientError."""
    address = url.strip() if isinstance(url, str) else ""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        printable = short_path(url) if isinstance(url, str) else short_value(url)
        raise ClientError("this is no address of a server, such as http://127.0.0.1:8000", url=printable)
    return address.rstrip("/")


def _challenge_path(challenge: RemoteChallenge | str) -> str:
    return f"/api/challenge/{quote(challenge if isinstance(challenge, str) else challenge.id, safe='')}"
