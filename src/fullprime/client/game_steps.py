"""One game as a client follows it: its state, the meaning of messages, and the requests to the server.

Nothing here reads or writes: ``plain`` and ``aio`` do, with these steps. States that are old news when they arrive (of
before one's own action, or of a throw that the server makes by itself) are passed over, and their events come
with the next state.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from urllib.parse import quote

from fullprime.client.dice_proof import DiceVerdict, OwnShare, Throw
from fullprime.client.errors import ClientError, ServerGone, StaleAction
from fullprime.client.links_proof import OwnChains, OwnLinks, check_links, double_error
from fullprime.client.listing import RemoteChatLine, read_talk
from fullprime.client.state import STORED_KINDS, RemoteEvent, RemoteLinks, RemoteState, read_event, read_state
from fullprime.client.wire import (
    UNCERTAIN,
    Backoff,
    JsonFields,
    Steps,
    WireAnswer,
    WireRequest,
    fetch,
    get,
    is_transient,
    post,
    read_json,
)
from fullprime.client.words import to_command_line
from fullprime.rules.game import Phase, resign
from fullprime.rules.score import Player

_NO_LONGER = ("stale", "illegal", "invalid")
"""The codes of refusals of what another process, or the other player, may have done before."""
_THROWN = ("opening", "tie", "roll")


class GameSteps:
    """A client's knowledge of one game. ``key`` opens its seat; None: the token of the client does."""

    def __init__(
        self,
        game: str,
        key: str | None = None,
        *,
        patience: float,
        commitment: str | None = None,
        invitation: str | None = None,
        automatic: bool | None = None,
        seed: str | None = None,
    ) -> None:
        self.id, self.key, self.invitation = game, key, invitation
        self.path = f"/api/games/{quote(game, safe='')}"
        self.known: RemoteState | None = None
        """The latest state, with the events since the one that was handed on."""
        self.backoff = Backoff(patience)
        self._patience = patience
        self._commitment = commitment
        self._automatic = automatic
        self._acted = -1
        self._undelivered: tuple[RemoteEvent, ...] = ()
        self._thrown: list[tuple[str, Throw]] = []
        self._takebacks = 0
        self._highest_next_throw: int | None = 1
        """The highest number that the next throw may have; None after a gap in what has been heard."""
        self._last_chat_number = 0
        self._is_fresh = False
        self._seed, self._has_added = "", False
        self._all_links = seed if seed is not None else secrets.token_hex(32)
        self._links = OwnLinks(game, self._all_links)

    @property
    def stream(self) -> str:
        """The address at which the game is followed."""
        return f"{self.path}/stream?tree=false"

    @property
    def state(self) -> RemoteState:
        """The latest state; raises ClientError before there is one."""
        if self.known is None:
            raise ClientError("nothing is known of this game yet: read it first", url=self.path)
        return self.known

    # -- the stream ---------------------------------------------------------------------------------------
    def note_connected(self) -> None:
        """Note that a stream begins, whose first message has all events again."""
        self._is_fresh = True

    def handle_line(self, line: str) -> Steps[RemoteState | None]:
        """Handle a line of the stream; gives the state after it, or None where nothing is new."""
        self.backoff.reset()
        if not line.strip():
            return None
        is_whole, self._is_fresh = self._is_fresh, False
        state = self._take(read_json(line, self.stream), is_whole=is_whole)
        if state.you is not None and state.you in state.missing_seeds:
            yield from self.add_seed()
        yield from self.give_link()
        is_old = state.sequence < self.state.sequence
        if is_old or (state.is_mine and (state.sequence <= self._acted or (self._automatic and state.is_forced))):
            self._undelivered = state.events
            return None
        self._undelivered = ()
        return state

    def begin_next_game(self) -> Steps[None]:
        """Begin the next game of the match where that is due; both players may try."""
        state = self.state
        if not state.is_between_games or state.you is None:
            return
        request = post(f"{self.path}/act", {"line": "next", "sequence": state.sequence}, self.key)
        try:
            yield from self._fetch_repeatedly(request)
        except ClientError as error:
            if error.code not in _NO_LONGER:
                raise

    def wait_to_reconnect(self, error: ClientError | None = None) -> Steps[None]:
        """Wait before the stream is requested again, because it ended before the game; or raise the error."""
        if error is not None and not is_transient(error):
            raise error
        yield from self.backoff.wait(error or ServerGone("the stream ended before the game", url=self.stream))

    def read(self, *, is_delivered: bool = True) -> Steps[RemoteState]:
        """The game as it stands now. With ``is_delivered`` false the next state holds its new events again."""
        answer = yield from fetch(get(self.path, self.key), self._patience)
        state = self._take(answer.json, is_whole=True)
        self._undelivered = () if is_delivered else state.events
        return state

    def _take(self, message: JsonFields, *, is_whole: bool) -> RemoteState:
        """The state of a message with its new events; ``is_whole``: the message tells all events so far."""
        state = read_state(message)
        new = self._find_new_in_whole(state) if is_whole else self._find_new(state)
        self._last_chat_number = max((event.number for event in new if event.number), default=self._last_chat_number)
        for event in new:
            if event.kind in _THROWN:
                self._thrown.append((event.kind, event.dice))
                self._highest_next_throw = None if self._highest_next_throw is None else self._highest_next_throw + 1
            self._takebacks += event.kind == "takeback"
        if self._commitment is None:
            self._commitment = state.commitment
        state = replace(state, events=(*self._undelivered, *new))
        if is_whole or self.known is None or state.sequence >= self.known.sequence:
            self.known = state
        return state

    def _find_new(self, state: RemoteState) -> tuple[RemoteEvent, ...]:
        """The new events in a message that tells the latest ones: it may have been read already."""
        if self.known is None or state.sequence > self.known.sequence:
            return state.events
        return tuple(
            event
            for event in state.events
            if (event.number > self._last_chat_number if event.number is not None else event.kind not in STORED_KINDS)
        )

    def _find_new_in_whole(self, state: RemoteState) -> tuple[RemoteEvent, ...]:
        """The new events in a message that tells all (or the last few hundred things): the events of the match are
        counted by ``sequence``, and the lines of talk have numbers.
        """
        events = state.events
        if self.known is None:
            if state.sequence > sum(event.kind in STORED_KINDS for event in events):
                self._highest_next_throw = None
            return events
        new = state.sequence - self.known.sequence
        stored = [index for index, event in enumerate(events) if event.kind in STORED_KINDS]
        if new > len(stored):
            self._thrown.clear()  # the message leaves events out: the list of throws has a gap
            self._highest_next_throw = None
        first = len(events) if new <= 0 else stored[-new] if new <= len(stored) else 0
        if 0 < first < len(events) and events[first - 1].kind == "new_game":
            first -= 1
        return tuple(
            event
            for index, event in enumerate(events)
            if (event.number > self._last_chat_number if event.number is not None else index >= first)
        )

    # -- doing --------------------------------------------------------------------------------------------
    def add_seed(self) -> Steps[None]:
        """Add to the dice; it is no error where this seat has done so already."""
        had_asked, self._has_added = self._has_added, True
        self._seed = self._links.chain(self._giver).anchor
        body: dict[str, object] = {"seed": self._seed, "links": True}
        try:
            yield from self._fetch_repeatedly(post(f"{self.path}/seed", body, self.key))
        except ClientError as error:
            if error.code != "forbidden":
                self._has_added = False
                raise
            self._has_added = had_asked
        if self._has_added:
            self._links.note(self._seed)

    @property
    def _giver(self) -> Player:
        """The side whose links this client gives."""
        state = self.state
        return state.you if state.you is not None and not state.gives_for_both else Player.X

    def give_link(self) -> Steps[None]:
        """Tell the link that is awaited of this side, if there is one; that it is no longer awaited is no error."""
        links = self.state.links
        if links is None or self.state.you is None or self._giver not in links.awaits:
            return
        link = yield from self._link(links, takes_over=False)
        if link is None:
            return
        try:
            yield from self._fetch_repeatedly(
                post(f"{self.path}/link", {"number": links.number, "link": link}, self.key)
            )
        except ClientError as error:
            if error.code not in _NO_LONGER:
                raise

    def _link(self, links: RemoteLinks, *, takes_over: bool) -> Steps[str | None]:
        """The link for the next throw.

        Where this client has no chain that serves it a new one is begun; but where the seat's links have gone over to
        another program meanwhile, only if this one ``takes_over``, and None is given otherwise.
        """
        if self._highest_next_throw is not None and links.number > self._highest_next_throw:
            # A link gives away all those before it: the server would know the throws until then.
            asked_for = (
                f"the server asks for the link of throw {links.number}, when {self._highest_next_throw} is the next"
            )
            raise ClientError(asked_for, url=self.path)
        chain = self._links.serving(self._giver, links)
        if chain is None:
            if not takes_over and self._links.begun and links.chain_of(self._giver)[1] not in self._links.begun:
                return None
            chain = self._links.chain(self._giver, links.number)
            if links.chain_of(self._giver) != (links.number, chain.anchor):
                body: dict[str, object] = {"number": links.number, "anchor": chain.anchor}
                try:
                    yield from self._fetch_repeatedly(post(f"{self.path}/chain", body, self.key))
                except ClientError as error:
                    if error.code not in _NO_LONGER:
                        raise
                    return None
            self._links.note(chain.anchor)
        self._highest_next_throw = links.number if self._highest_next_throw is None else self._highest_next_throw
        self._links.given[links.number] = chain.link(links.number)
        return self._links.given[links.number]

    def act(self, action: object, on: RemoteState | None = None) -> Steps[tuple[RemoteEvent, ...]]:
        """Act once, and give the events that follow.

        Where an answer was lost the action is sent again: the ``sequence`` keeps it from being done twice. Raises
        StaleAction when the game has gone on since that state, ClientError with the rule that it breaks.
        """
        line, state = to_command_line(action), on if on is not None else self.state
        tries: list[ClientError] = []
        try:
            body: dict[str, object] = {"line": line, "sequence": state.sequence}
            links = state.links
            if links is not None and line == "double" and links.number in self._links.given:
                raise double_error(self.path)
            if links is not None and line == "roll" and self._giver in links.needed and not state.is_between_games:
                body["link"] = yield from self._link(links, takes_over=True)
            answer = yield from self._fetch_repeatedly(post(f"{self.path}/act", body, self.key), tries)
        except ClientError as error:
            if error.code != "stale":
                raise
            events = (yield from self._fetch_events_since(state)) if tries else ()
            if events and (events[0].player is state.you or state.phase is Phase.OPENING_ROLL):
                self._acted = max(self._acted, state.sequence)
                return events  # it was done at the first try, whose answer was lost
            may_be_done = state.is_mine and state.is_forced and self._automatic is not False
            if may_be_done and not tries and not line.startswith("resign"):
                # The server throws and plays by itself where there is nothing to decide: it is done.
                self._automatic, self._acted = True, max(self._acted, state.sequence)
                return ()
            raise StaleAction(
                error.reason, url=error.url, status=error.status, code=error.code, facts=error.facts
            ) from error
        return self._read_events(answer, line, state)

    def _fetch_repeatedly(self, request: WireRequest, tries: list[ClientError] | None = None) -> Steps[WireAnswer]:
        """The answer to a request that may be made again: when the answer is lost, it is. ``tries``: those in vain."""
        backoff = Backoff(self._patience)
        while True:
            try:
                return (yield from fetch(request, self._patience))
            except ClientError as error:
                if not isinstance(error, ServerGone) and error.status not in UNCERTAIN:
                    raise
                if tries is not None:
                    tries.append(error)
                yield from backoff.wait(error)

    def _read_events(self, answer: WireAnswer, line: str, state: RemoteState) -> tuple[RemoteEvent, ...]:
        fields = answer.json
        if fields.texts("moves"):
            raise ClientError(f"{line!r} is not the whole play: a play is made at once", url=answer.url)
        events = tuple(read_event(event) for event in fields.parts("events"))
        if any(event.kind in STORED_KINDS for event in events):
            self._acted = max(self._acted, state.sequence)
            if state.is_forced:
                self._automatic = False
        return events

    def _fetch_events_since(self, state: RemoteState) -> Steps[tuple[RemoteEvent, ...]]:
        """The events of the match since a state."""
        answer = yield from fetch(get(self.path, self.key), self._patience)
        now = read_state(answer.json)
        stored = [event for event in now.events if event.kind in STORED_KINDS]
        count = now.sequence - state.sequence
        return tuple(stored[-count:]) if 0 < count <= len(stored) else ()

    def resign(self, level: int = 1) -> Steps[tuple[RemoteEvent, ...]]:
        """Offer to lose a single game (1), a gammon (2) or a backgammon (3)."""
        return self.act(resign(level))

    def do(self, command: str, body: dict[str, object] | None = None) -> Steps[WireAnswer]:
        """Something else that is done at a table."""
        return fetch(post(f"{self.path}/{command}", body, self.key))

    def close(self, how: str) -> Steps[WireAnswer]:
        """End a game that is not played out, in one of the ways of the API."""
        return self.do("close", {"how": how})

    def say(self, text: str | None, phrase: str | None) -> Steps[WireAnswer]:
        """Say a text or a phrase."""
        return self.do("chat", {"text": text} if phrase is None else {"phrase": phrase})

    # -- asking -------------------------------------------------------------------------------------------
    def record(self, name: str) -> Steps[bytes]:
        """The record as a file."""
        answer = yield from fetch(get(f"{self.path}/record?format={quote(name, safe='')}", self.key), self._patience)
        return answer.content

    def talk(self) -> Steps[tuple[RemoteChatLine, ...]]:
        """The talk so far."""
        answer = yield from fetch(get(f"{self.path}/chat", self.key), self._patience)
        return read_talk(answer.json)

    def rematch(self) -> Steps[GameSteps | None]:
        """Offer to play the same again; the new game once both have."""
        answer = yield from self.do("rematch")
        game = answer.json.maybe_text("game")
        if game is None:
            return None
        automatic, seed = self._automatic, self._all_links
        return GameSteps(game, self.key, patience=self._patience, automatic=automatic, seed=seed)

    def verify(self) -> Steps[DiceVerdict]:
        """Throw every die again."""
        state = yield from self.read(is_delivered=False)
        answer = yield from fetch(get(f"{self.path}/proof", self.key), self._patience)
        seed = self._seed if self._has_added else None
        own = OwnShare(self._commitment or "", state.you, seed, tuple(self._thrown), self._takebacks)
        return check_links(answer.json, own, OwnChains(self._giver, tuple(self._links.begun), self._links.given))
