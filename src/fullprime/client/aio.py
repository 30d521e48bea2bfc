"""The asynchronous client: the methods of ``plain``, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

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


class AsyncTransport:
    """The connection to a server: runs steps, and reads streams line by line."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        import httpx  # noqa: PLC0415 - an extra

        self.url, self._token, self._timeout = url, token, timeout
        with translate_errors(url):
            self._http: httpx.AsyncClient = httpx.AsyncClient(timeout=timeout)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def run(self, steps: Steps[T]) -> T:
        """Run the steps and give their result; raises the errors that they raise."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = await self._do(step)
                except ClientError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _do(self, step: WireRequest | Pause) -> WireAnswer | None:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        url, headers = self.url + step.path, authorization(step.key or self._token)
        with translate_errors(url):
            response = await self._http.request(step.method, url, json=step.body, headers=headers)
            return WireAnswer(url, response.status_code, response.content)

    async def lines(self, path: str, key: str | None) -> AsyncGenerator[str, None]:
        """The lines of a stream as they come; raises ClientError when it is refused or breaks."""
        url, headers = self.url + path, authorization(key or self._token)
        stream = self._http.stream("GET", url, headers=headers, timeout=stream_timeout(self._timeout))
        with translate_errors(url):
            async with stream as response:
                if not response.is_success:
                    raise to_client_error(WireAnswer(url, response.status_code, await response.aread()))
                async for line in response.aiter_lines():
                    yield line


class AsyncRemoteGame:
    """A game on a server. A loop over it gives its states as they come, until nothing more is played: the first at
    once, then one after each event, even if the connection is lost meanwhile. The next game of a match, or of a session
    for money, begins when the loop goes on.
    """

    def __init__(self, client: AsyncClient, steps: GameSteps) -> None:
        self.client, self._steps, self._transport = client, steps, client.transport

    def __repr__(self) -> str:
        return f"<AsyncRemoteGame {self.url}>"

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

    async def __aiter__(self) -> AsyncIterator[RemoteState]:
        steps, run = self._steps, self._transport.run
        while True:
            failure: ClientError | None = None
            steps.note_connected()
            try:
                async with aclosing(self._transport.lines(steps.stream, steps.key)) as lines:
                    async for line in lines:
                        state = await run(steps.handle_line(line))
                        if state is not None:
                            yield state
                            if state.is_over:
                                return
                            await run(steps.begin_next_game())
            except ClientError as error:
                failure = error
            await run(steps.wait_to_reconnect(failure))

    async def decisions(self) -> AsyncIterator[RemoteState]:
        """The states in which this player must act, until the game is over; :attr:`state` is then the last one."""
        async for state in self:
            if state.is_mine:
                yield state

    async def read(self) -> RemoteState:
        """Ask for the game as it stands now."""
        return await self._transport.run(self._steps.read())

    async def act(self, action: Doing, on: RemoteState | None = None) -> tuple[RemoteEvent, ...]:
        """Do something: a text (``roll``, ``take``, ``8/5 6/5``), a Play, or an Action. Gives the events.

        It is done once, and only if nothing has happened since ``on`` (the latest state): else StaleAction is raised.
        An action that the server has done by itself, such as a forced play, is no error. Raises ClientError with the
        rule that it breaks.
        """
        return await self._transport.run(self._steps.act(action, on))

    async def resign(self, level: int = 1) -> tuple[RemoteEvent, ...]:
        """Offer to lose a single game (1), a gammon (2) or a backgammon (3)."""
        return await self._transport.run(self._steps.resign(level))

    async def close(self, how: str = "end") -> None:
        """End a game that is not played out; the server shows the secret of the dice once it is over.

        ``how``: ``end`` a session between two games; ``abort`` in the first moves; ``agree`` to end without a result,
        which takes both players; ``leave`` at once, and lose the match, or the game of a session.
        """
        await self._transport.run(self._steps.close(how))

    async def claim(self) -> None:
        """Have the server see whether a flag has fallen, or the other player has been away for too long."""
        await self._transport.run(self._steps.do("claim"))

    async def say(self, text: str | None = None, *, phrase: str | None = None) -> None:
        """Say something to the other player: a text, or a canned phrase by its name, such as ``luck``."""
        await self._transport.run(self._steps.say(text, phrase))

    async def talk(self) -> tuple[RemoteChatLine, ...]:
        """The talk of the two players."""
        return await self._transport.run(self._steps.talk())

    async def rematch(self) -> AsyncRemoteGame | None:
        """Offer to play the same again; gives the new game once both have."""
        rematch = await self._transport.run(self._steps.rematch())
        if rematch is None:
            return None
        return AsyncRemoteGame(self.client, await self._transport.run(self.client.steps.take_seat(rematch)))

    async def record(self, format: str = "mat") -> bytes:  # noqa: A002
        """The record so far as a file: match text, or another format that Fullprime writes."""
        return await self._transport.run(self._steps.record(format))

    async def verify(self) -> DiceVerdict:
        """Throw every die of the game again, by the documented formula."""
        return await self._transport.run(self._steps.verify())


class AsyncClient:
    """A server, as one player uses it. Close it, or use it in an ``async with`` statement."""

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
        """See :func:`connect_async`."""
        check_arguments(url, token=token, name=name, timeout=timeout, patience=patience, seed=seed)
        load_httpx(url)
        self.steps = ServerSteps(url, name=name, has_token=token is not None, patience=patience, seed=seed)
        self.transport = AsyncTransport(self.steps.url, token, float(timeout))
        self._patience = patience

    def __await__(self) -> Generator[Any, None, Self]:
        return self._connect().__await__()

    async def _connect(self) -> Self:
        try:
            await self.transport.run(self.steps.connect())
        except BaseException:
            await self.close()
            raise
        return self

    async def __aenter__(self) -> Self:
        return self if self.steps.is_connected else await self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncClient {self.url}>"

    async def close(self) -> None:
        """Close the connections."""
        await self.transport.close()

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.steps.url

    @property
    def account(self) -> ServerAccount:
        """Your account on the server."""
        return self.steps.account

    async def options(self) -> ServerOptions:
        """The choices for a new game: variants with the bots that play them, presets, rules."""
        return await self.transport.run(self.steps.options())

    async def create(self, **options: Unpack[NewGameOptions]) -> AsyncRemoteGame:
        """A new game: against a ``bot``, or with a free seat for the first who opens its ``url``.

        The options are those of :class:`~fullprime.client.listing.NewGameOptions`.
        """
        return AsyncRemoteGame(self, await self.transport.run(self.steps.create(**options)))

    async def challenge(self, name: str | None = None, **options: Unpack[NewGameOptions]) -> AsyncRemoteGame:
        """Challenge an account by its ``name``, a ``bot`` of the server, or (with neither) everybody.

        The game waits until the challenge is accepted; a bot begins at once.
        """
        return AsyncRemoteGame(self, await self.transport.run(self.steps.challenge(name, **options)))

    async def accept(self, challenge: RemoteChallenge | str) -> AsyncRemoteGame:
        """Take up a challenge (or its id) and sit down."""
        return AsyncRemoteGame(self, await self.transport.run(self.steps.accept(challenge)))

    async def join(self, link: str) -> AsyncRemoteGame:
        """Take the free seat of a game by the link that its creator has sent."""
        return AsyncRemoteGame(self, await self.transport.run(self.steps.join(link)))

    async def game(self, game: ListedGame | str, key: str | None = None) -> AsyncRemoteGame:
        """A game by its id: your own, as the account or by the ``key`` of the seat, or one to watch."""
        return AsyncRemoteGame(self, await self.transport.run(self.steps.game(game, key)))

    async def games(self) -> tuple[ListedGame, ...]:
        """The games of the account that are under way."""
        return await self.transport.run(self.steps.games())

    async def challenges(self) -> tuple[RemoteChallenge, ...]:
        """Challenges to you, then those to everybody, at last your own."""
        return await self.transport.run(self.steps.challenges())

    async def decline(self, challenge: RemoteChallenge | str) -> None:
        """Say no to a challenge that is meant for the account."""
        await self.transport.run(self.steps.decline(challenge))

    async def cancel(self, challenge: RemoteChallenge | str) -> None:
        """Withdraw a challenge of the account."""
        await self.transport.run(self.steps.cancel(challenge))

    async def friends(self) -> tuple[RemoteFriend, ...]:
        """The accounts that you follow, those who are here first."""
        return await self.transport.run(self.steps.friends())

    async def follow(self, name: str) -> None:
        """Follow an account, which is not told of it."""
        await self.transport.run(self.steps.follow(name))

    async def unfollow(self, name: str) -> None:
        """Follow an account no more."""
        await self.transport.run(self.steps.unfollow(name))

    async def news(self) -> AsyncIterator[AccountNews]:
        """The news of the account as it comes, without end: first its games and the challenges to it."""
        steps = NewsSteps(self._patience)
        while True:
            failure: ClientError | None = None
            try:
                async with aclosing(self.transport.lines(NEWS, None)) as lines:
                    async for line in lines:
                        news = steps.handle_line(line)
                        if news is not None:
                            yield news
            except ClientError as error:
                failure = error
            await self.transport.run(steps.wait_to_reconnect(failure))


def connect_async(
    url: str,
    token: str | None = None,
    *,
    name: str = "Guest",
    timeout: float = 30.0,
    patience: float = 60.0,
    seed: str | None = None,
) -> AsyncClient:
    """Join a running server asynchronously: the twin of :func:`~fullprime.client.plain.connect`.

    It connects, and may raise, when it is entered (``async with``) or awaited.
    """
    return AsyncClient(url, token, name=name, timeout=timeout, patience=patience, seed=seed)
