"""The plain client, whose methods wait for their answers.

Written by scripts/write_client.py from aio.py: change that, then run it again.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar, Unpack

from fullprime.client.dice_proof import DiceVerdict
from fullprime.client.errors import ClientError
from fullprime.client.game_steps import GameSteps
from fullprime.client.listing import (
    AccountNews,
    ListedGame,
    NewGameOptions,
    RemoteChallenge,
    RemoteChatLine,
    RemoteFriend,
    ServerAccount,
    ServerOptions,
)
from fullprime.client.server_steps import NEWS, NewsSteps, ServerSteps, check_arguments
from fullprime.client.state import RemoteEvent, RemoteState
from fullprime.client.transport import authorization, load_httpx, stream_timeout, translate_errors
from fullprime.client.wire import Pause, Steps, WireAnswer, WireRequest, to_client_error
from fullprime.client.words import Doing

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")


class PlainTransport:
    """The connection to a server: runs steps, and reads streams line by line."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        import httpx  # noqa: PLC0415 - an extra

        self.url, self._token, self._timeout = url, token, timeout
        with translate_errors(url):
            self._http: httpx.Client = httpx.Client(timeout=timeout)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def run(self, steps: Steps[T]) -> T:
        """Run the steps and give their result; raises the errors that they raise."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = self._do(step)
                except ClientError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result

    def _do(self, step: WireRequest | Pause) -> WireAnswer | None:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        url, headers = self.url + step.path, authorization(step.key or self._token)
        with translate_errors(url):
            response = self._http.request(step.method, url, json=step.body, headers=headers)
            return WireAnswer(url, response.status_code, response.content)

    def lines(self, path: str, key: str | None) -> Generator[str, None, None]:
        """The lines of a stream as they come; raises ClientError when it is refused or breaks."""
        url, headers = self.url + path, authorization(key or self._token)
        stream = self._http.stream("GET", url, headers=headers, timeout=stream_timeout(self._timeout))
        with translate_errors(url):
            with stream as response:
                if not response.is_success:
                    raise to_client_error(WireAnswer(url, response.status_code, response.read()))
                for line in response.iter_lines():
                    yield line


class RemoteGame:
    """A game on a server. A loop over it gives its states as they come, until nothing more is played: the first at
    once, then one after each event, even if the connection is lost meanwhile. The next game of a match, or of a session
    for money, begins when the loop goes on.
    """

    def __init__(self, client: Client, steps: GameSteps) -> None:
        self.client, self._steps, self._transport = client, steps, client.transport

    def __repr__(self) -> str:
        return f"<RemoteGame {self.url}>"

    def __str__(self) -> str:
        return str(self.state)

    @property
    def id(self) -> str:
        """The game's id on its server."""
        return self._steps.id

    @property
    def url(self) -> str:
        """The page of the game; with the invitation for a friend, if it has a free seat of yours to give away."""
        return self.client.steps.link(self._steps)

    @property
    def key(self) -> str | None:
        """The key that opens your seat when you have no account: keep it to come back to the game."""
        return self._steps.key

    @property
    def state(self) -> RemoteState:
        """The latest state that has been heard of; :meth:`read` asks for it."""
        return self._steps.state

    def __iter__(self) -> Iterator[RemoteState]:
        steps, run = self._steps, self._transport.run
        while True:
            failure: ClientError | None = None
            steps.note_connected()
            try:
                with closing(self._transport.lines(steps.stream, steps.key)) as lines:
                    for line in lines:
                        state = run(steps.handle_line(line))
                        if state is not None:
                            yield state
                            if state.is_over:
                                return
                            run(steps.begin_next_game())
            except ClientError as error:
                failure = error
            run(steps.wait_to_reconnect(failure))

    def decisions(self) -> Iterator[RemoteState]:
        """The states in which this player must act, until the game is over; :attr:`state` is then the last one."""
        for state in self:
            if state.is_mine:
                yield state

    def read(self) -> RemoteState:
        """Ask for the game as it stands now."""
        return self._transport.run(self._steps.read())

    def act(self, action: Doing, on: RemoteState | None = None) -> tuple[RemoteEvent, ...]:
        """Do something: a text (``roll``, ``take``, ``8/5 6/5``), a Play, or an Action. Gives the events.

        It is done once, and only if nothing has happened since ``on`` (the latest state): else StaleAction is raised.
        An action that the server has done by itself, such as a forced play, is no error. Raises ClientError with the
        rule that it breaks.
        """
        return self._transport.run(self._steps.act(action, on))

    def resign(self, level: int = 1) -> tuple[RemoteEvent, ...]:
        """Offer to lose a single game (1), a gammon (2) or a backgammon (3)."""
        return self._transport.run(self._steps.resign(level))

    def close(self, how: str = "end") -> None:
        """End a game that is not played out; the server shows the secret of the dice once it is over.

        ``how``: ``end`` a session between two games; ``abort`` in the first moves; ``agree`` to end without a result,
        which takes both players; ``leave`` at once, and lose the match, or the game of a session.
        """
        self._transport.run(self._steps.close(how))

    def claim(self) -> None:
        """Have the server see whether a flag has fallen, or the other player has been away for too long."""
        self._transport.run(self._steps.do("claim"))

    def say(self, text: str | None = None, *, phrase: str | None = None) -> None:
        """Say something to the other player: a text, or a canned phrase by its name, such as ``luck``."""
        self._transport.run(self._steps.say(text, phrase))

    def talk(self) -> tuple[RemoteChatLine, ...]:
        """The talk of the two players."""
        return self._transport.run(self._steps.talk())

    def rematch(self) -> RemoteGame | None:
        """Offer to play the same again; gives the new game once both have."""
        rematch = self._transport.run(self._steps.rematch())
        if rematch is None:
            return None
        return RemoteGame(self.client, self._transport.run(self.client.steps.take_seat(rematch)))

    def record(self, format: str = "mat") -> bytes:  # noqa: A002
        """The record so far as a file: match text, or another format that Fullprime writes."""
        return self._transport.run(self._steps.record(format))

    def verify(self) -> DiceVerdict:
        """Throw every die of the game again, by the documented formula."""
        return self._transport.run(self._steps.verify())


class Client:
    """A server, as one player uses it. Close it, or use it in a ``with`` statement."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        name: str = "Guest",
        timeout: float = 30.0,
        patience: float = 60.0,
        seed: str | None = None,
    ) -> None:
        """See :func:`connect`."""
        check_arguments(url, token=token, name=name, timeout=timeout, patience=patience, seed=seed)
        load_httpx(url)
        self.steps = ServerSteps(url, name=name, has_token=token is not None, patience=patience, seed=seed)
        self.transport = PlainTransport(self.steps.url, token, float(timeout))
        self._patience = patience
        try:
            self.transport.run(self.steps.connect())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client {self.url}>"

    def close(self) -> None:
        """Close the connections."""
        self.transport.close()

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.steps.url

    @property
    def account(self) -> ServerAccount:
        """Your account on the server."""
        return self.steps.account

    def options(self) -> ServerOptions:
        """The choices for a new game: variants with the bots that play them, presets, rules."""
        return self.transport.run(self.steps.options())

    def create(self, **options: Unpack[NewGameOptions]) -> RemoteGame:
        """A new game: against a ``bot``, or with a free seat for the first who opens its ``url``.

        The options are those of :class:`~fullprime.client.listing.NewGameOptions`.
        """
        return RemoteGame(self, self.transport.run(self.steps.create(**options)))

    def challenge(self, name: str | None = None, **options: Unpack[NewGameOptions]) -> RemoteGame:
        """Challenge an account by its ``name``, a ``bot`` of the server, or (with neither) everybody.

        The game waits until the challenge is accepted; a bot begins at once.
        """
        return RemoteGame(self, self.transport.run(self.steps.challenge(name, **options)))

    def accept(self, challenge: RemoteChallenge | str) -> RemoteGame:
        """Take up a challenge (or its id) and sit down."""
        return RemoteGame(self, self.transport.run(self.steps.accept(challenge)))

    def join(self, link: str) -> RemoteGame:
        """Take the free seat of a game by the link that its creator has sent."""
        return RemoteGame(self, self.transport.run(self.steps.join(link)))

    def game(self, game: ListedGame | str, key: str | None = None) -> RemoteGame:
        """A game by its id: your own, as the account or by the ``key`` of the seat, or one to watch."""
        return RemoteGame(self, self.transport.run(self.steps.game(game, key)))

    def games(self) -> tuple[ListedGame, ...]:
        """The games of the account that are under way."""
        return self.transport.run(self.steps.games())

    def challenges(self) -> tuple[RemoteChallenge, ...]:
        """Challenges to you, then those to everybody, at last your own."""
        return self.transport.run(self.steps.challenges())

    def decline(self, challenge: RemoteChallenge | str) -> None:
        """Say no to a challenge that is meant for the account."""
        self.transport.run(self.steps.decline(challenge))

    def cancel(self, challenge: RemoteChallenge | str) -> None:
        """Withdraw a challenge of the account."""
        self.transport.run(self.steps.cancel(challenge))

    def friends(self) -> tuple[RemoteFriend, ...]:
        """The accounts that you follow, those who are here first."""
        return self.transport.run(self.steps.friends())

    def follow(self, name: str) -> None:
        """Follow an account, which is not told of it."""
        self.transport.run(self.steps.follow(name))

    def unfollow(self, name: str) -> None:
        """Follow an account no more."""
        self.transport.run(self.steps.unfollow(name))

    def news(self) -> Iterator[AccountNews]:
        """The news of the account as it comes, without end: first its games and the challenges to it."""
        steps = NewsSteps(self._patience)
        while True:
            failure: ClientError | None = None
            try:
                with closing(self.transport.lines(NEWS, None)) as lines:
                    for line in lines:
                        news = steps.handle_line(line)
                        if news is not None:
                            yield news
            except ClientError as error:
                failure = error
            self.transport.run(steps.wait_to_reconnect(failure))


def connect(
    url: str,
    token: str | None = None,
    *,
    name: str = "Guest",
    timeout: float = 30.0,
    patience: float = 60.0,
    seed: str | None = None,
) -> Client:
    """Join a running server, as an account by its ``token`` or as a guest of that ``name``.

    ``timeout`` is in seconds, for one request. A connection that breaks in the middle of a game is made again for
    ``patience`` seconds. The client's links for the dice follow from ``seed``, a secret text: to come back to a game in
    another process, give the same; by default it is drawn anew. Raises ServerGone when the server does not answer at
    ``url``, ClientError when the token is not good.
    """
    return Client(url, token, name=name, timeout=timeout, patience=patience, seed=seed)
