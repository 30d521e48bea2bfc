"""Push messages: a browser is told of its turn, of a challenge, and of its acceptance, while no page of ours is open.

Nobody is told who has not asked for it, on the device itself. A message is made and sent outside of requests, by
threads of its own, after what it tells is stored: it never delays an action, and a server that is killed forgets it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_path
from sqlalchemy import Engine

from fullprime.accounts.fields import OpenChallenge
from fullprime.accounts.push_delivery import (
    DEADLINE,
    SHORT_DEADLINE,
    Carriers,
    NotDelivered,
    checked_endpoint,
    deliver,
)
from fullprime.accounts.push_messages import ServerKey, checked_address, encrypted
from fullprime.accounts.push_queue import Delivery
from fullprime.accounts.service import digest
from fullprime.accounts.store.played import PlayedStore
from fullprime.accounts.store.pushes import PushAddress, PushOwner, PushStore, PushSubscription
from fullprime.common.refusals import Refusal
from fullprime.db.database import sqlite_file
from fullprime.messages import ENGLISH, Message, label, render
from fullprime.play.options.rulebook import in_short
from fullprime.play.server.rooms import Room, Rooms
from fullprime.play.session import GameSession, StandingResignation
from fullprime.play.table.events import SIDES, Side
from fullprime.play.table.naming import as_messages
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game, Phase

MOST_BROWSERS = 10
"""Browsers of one account that are told; of more the oldest ones are told no more."""
MOST_AT_SEAT = 3
"""Browsers at one seat of a game without an account."""
MOST_FAILURES = 20
"""Messages in a row that cannot be delivered, after which a browser is forgotten."""
_AGAIN = (10.0, 120.0)
"""Seconds after which a message that could not be delivered is tried again."""
_DAY = 86_400
_LONGEST_KEPT = 28 * _DAY
"""Seconds that a push service keeps a message at most, as far as we ask for it."""
_REMEMBERED = 2000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOptions:
    """The choices of an operator about push messages."""

    enabled: bool = True
    contact: str | None = None
    """An address (``mailto:`` or ``https:``) by which push services reach the operator; without one it is the address
    of the pages."""
    allowed: tuple[str, ...] = ()
    """Hosts of push services in a private network that may be called all the same: ``host`` or ``host:port``."""
    key_file: Path | None = None
    """The file of the server's key; None for one beside the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """A message. A newer one with the same ``tag`` takes the place of one that has not been seen."""

    kind: str
    """``turn``, ``over``, ``challenge`` or ``accepted``."""
    title: str
    body: str
    tag: str
    path: str
    """The page that it opens."""
    kept: int
    """Seconds after which nobody needs it any more."""
    urgent: bool = False

    def text(self, language: str) -> bytes:
        """As the service worker of the pages reads it, in a language."""
        said = {
            "kind": self.kind, "title": render(self.title, language), "body": render(self.body, language),
            "tag": self.tag, "path": self.path, "off": render(Message("No more messages"), language),
        }  # fmt: skip
        return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


class Pushes:
    """The push messages of one server. Its methods may be called from any thread; those that tell return at once."""

    def __init__(
        self,
        rooms: Rooms,
        engine: Engine,
        options: PushOptions | None = None,
    ) -> None:
        """Raises SettingsError for options that cannot be."""
        options = options or PushOptions()
        if options.contact is not None and not options.contact.startswith(("mailto:", "https:")):
            raise SettingsError(
                Message(
                    "the contact of push services is mailto:… or https:…, not {contact}", contact=repr(options.contact)
                )
            )
        self._rooms, self._options = rooms, options
        self._store, self._played = PushStore(engine), PlayedStore(engine)
        self._file = options.key_file or _key_file(engine)
        self._allowed = frozenset(options.allowed)
        self._carriers = Carriers()
        self._key: ServerKey | None = None
        self._trust: ssl.SSLContext | None = None
        self._making = threading.Lock()
        self._told: OrderedDict[str, tuple[int, int, int]] = OrderedDict()

    def close(self, *, wait: bool = False) -> None:
        """Send nothing more; with ``wait``, return when what is being sent has ended."""
        self._carriers.close(wait=wait)

    @property
    def waiting(self) -> int:
        """Messages that wait."""
        return self._carriers.waiting

    @property
    def public_key(self) -> str | None:
        """The key that browsers subscribe with; None where the operator has switched messages off."""
        return self._server_key().public if self._options.enabled else None

    # -- those who want to be told ------------------------------------------------------------------------
    def subscribe(
        self,
        owner: PushOwner,
        endpoint: str,
        p256dh: str,
        auth: str,
        origin: str | None,
        language: str | None = None,
    ) -> None:
        """A browser wants to be told. Stored when this returns; raises SettingsError, Refusal where it cannot be."""
        if not self._options.enabled:
            raise Refusal(Message("this server sends no push messages"), "forbidden")
        checked_endpoint(endpoint, self._allowed)
        address = checked_address(endpoint, p256dh, auth)
        self._store.add(owner, address, origin, MOST_BROWSERS if owner.room is None else MOST_AT_SEAT, language)

    def is_told(self, owner: PushOwner, address: PushAddress, language: str | None = None) -> bool:
        """True if that browser gets the messages of that owner; from now on in that language, if one is named."""
        return self._store.has(owner, address, language)

    def unsubscribe(self, address: PushAddress) -> None:
        """A browser wants to be told nothing more."""
        self._store.remove_browser(address)

    def renew(self, old: PushAddress, endpoint: str, p256dh: str, auth: str) -> None:
        """The push service has given a browser another address; raises SettingsError."""
        checked_endpoint(endpoint, self._allowed)
        self._store.renew(old, checked_address(endpoint, p256dh, auth))

    def owner(self, room: Room | None, side: Side | None, account: int | None, session: str | None) -> PushOwner:
        """Whose messages a browser asks for: the account's that is signed in, or those of a seat.

        In a ``room`` the account counts if it sits on that ``side``. Raises Refusal for nobody's.
        """
        sits = None
        if room is not None and side is not None:
            game = self._played.one(room.id)
            sits = None if game is None else game.accounts[SIDES.index(side)]
        if account is not None and session is not None and (room is None or sits == account):
            return PushOwner(account=account, session=digest(session))
        if room is None or side is None:
            raise Refusal(Message("sign in, or ask at a game in which you sit"), "unknown")
        return PushOwner(room=room.id, side=side)

    # -- news ---------------------------------------------------------------------------------------------
    def turned(self, session: GameSession) -> None:
        """Another one must act in a session than before: of interest by correspondence."""
        if self._options.enabled and _days(session) is not None:
            self._carriers.add(partial(self._tell_turn, session.session_id))

    def accepted(self, room: Room) -> None:
        """Somebody has sat down in a room in which X waits."""
        if self._options.enabled:
            self._carriers.add(partial(self._tell_accepted, room))

    def challenged(self, account: int, challenge: OpenChallenge) -> None:
        """An account has been challenged."""
        if self._options.enabled:
            self._carriers.add(partial(self._tell_challenge, account, challenge))

    def _tell_turn(self, room_id: str) -> None:
        session = self._rooms.room(room_id).session
        days, game, offer = _days(session), session.game, _standing_offer(session)
        if days is None or game is None:
            return
        told = (session.board_version, session.throws, 0 if offer is None else offer.level)
        if self._told.get(room_id) == told or (session.closed is not None and not game.is_over):
            return
        self._told[room_id] = told
        self._told.move_to_end(room_id)
        if len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        for side, message in _turn_messages(session, game, days):
            self._send(f"{room_id} {side}", self._browsers(room_id, side), message)

    def _tell_accepted(self, room: Room) -> None:
        names = as_messages(room.session.names)
        message = PushMessage(
            kind="accepted", title=Message("{name} plays with you", name=names[1]),
            body=Message("The game waits for you."), tag=f"game-{room.id}",
            path=f"/game/{room.id}", kept=_DAY, urgent=True,
        )  # fmt: skip
        self._send(f"{room.id} X", self._browsers(room.id, "X"), message)

    def _tell_challenge(self, account: int, challenge: OpenChallenge) -> None:
        facts = {"game": label(challenge["title"]), "played_for": challenge["played_for"]}
        body = Message("{game}, {played_for}", **facts)
        if challenge["rated"]:
            body = Message("{game}, {played_for}, rated", **facts)
        message = PushMessage(
            kind="challenge", title=Message("{name} challenges you", name=challenge["name"]), body=body,
            tag=f"challenge-{challenge['id']}", path="/lobby", urgent=True,
            kept=max(60, int(challenge["expires"] - time.time())),
        )  # fmt: skip
        self._send(f"account {account}", self._store.of(PushOwner(account=account)), message)

    def _browsers(self, room: str, side: Side) -> list[PushSubscription]:
        """Those who are told about a seat: with an account its browsers, and those that hold the seat's key."""
        game = self._played.one(room)
        account = None if game is None else game.accounts[SIDES.index(side)]
        found = self._store.of(PushOwner(room=room, side=side))
        found += [] if account is None else self._store.of(PushOwner(account=account))
        return list({each.address.endpoint: each for each in found}.values())

    # -- sending ------------------------------------------------------------------------------------------
    def _send(self, owner: str, to: Iterable[PushSubscription], message: PushMessage) -> None:
        for browser in to:
            self._try(owner, browser, message, 0)

    def _try(self, owner: str, to: PushSubscription, message: PushMessage, number: int, after: float = 0.0) -> None:
        delivery = Delivery(
            owner=owner,
            browser=to.address.endpoint,
            host=_host(to.address),
            tag=message.tag,
            send=partial(self._deliver, owner, to, message, number),
            ready=time.monotonic() + after,
            tries=number,
        )
        if not self._carriers.send(delivery):
            log.info("a push message is dropped: too many wait, or %s does not answer", delivery.host)

    def _deliver(self, owner: str, to: PushSubscription, message: PushMessage, number: int) -> bool:
        """Send a message once; what the push service says decides about the subscription. True if it says anything.

        A push service that has never answered has less time, and no message is sent to it once more.
        """
        known = self._carriers.has_answered(_host(to.address))
        try:
            parts = checked_endpoint(to.address.endpoint, self._allowed)
            audience = f"https://{parts.netloc}"
            headers = {
                "Authorization": self._server_key().authorization(
                    audience, self._options.contact or to.origin, time.time()
                ),
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "TTL": str(min(message.kept, _LONGEST_KEPT)),
                "Urgency": "high" if message.urgent else "normal",
                "Topic": hashlib.sha256(message.tag.encode()).hexdigest()[:32],
            }
            body = encrypted(message.text(to.language or ENGLISH), to.address)
            deadline = DEADLINE if known else SHORT_DEADLINE
            status = deliver(
                to.address.endpoint, headers, body, allowed=self._allowed, trust=self._trusted(), deadline=deadline
            )
        except NotDelivered as error:
            log.info("%s", error)
            status = 0
        if status in (404, 410):
            self._store.remove_endpoint(to.address.endpoint)
        elif 200 <= status < 300:
            self._store.delivered(to.id)
        elif (status in (0, 429) or status >= 500) and number < len(_AGAIN) and (status or known):
            self._try(owner, to, message, number + 1, _AGAIN[number])
        else:
            self._store.failed(to.id, MOST_FAILURES)
        return status != 0

    def _trusted(self) -> ssl.SSLContext:
        """The certificates that the system trusts, or those in the file that ``SSL_CERT_FILE`` names; read once."""
        with self._making:
            if self._trust is None:
                self._trust = ssl.create_default_context()
            return self._trust

    def _server_key(self) -> ServerKey:
        with self._making:
            if self._key is None:
                self._key = ServerKey.kept_in(self._file)
            return self._key


def _host(address: PushAddress) -> str:
    parts = urlsplit(address.endpoint)
    return f"{parts.hostname}:{parts.port or 443}"


def _days(session: GameSession) -> int | None:
    """The days for a turn in a game by correspondence; None in any other game."""
    control = session.terms.time_control if session.is_between_people else None
    return None if control is None else control.days


def _standing_offer(session: GameSession) -> StandingResignation | None:
    """The offer to lose that waits for its answer beside the game."""
    offer = session.resignation
    return None if offer is None or offer.is_refused or session.is_over else offer


def _turn_messages(session: GameSession, game: Game, days: int) -> list[tuple[Side, PushMessage]]:
    """The messages about a game by correspondence as it stands: to the player who must act, or to both at its end."""
    settings, names = session.terms.settings, as_messages(session.names)
    if game.is_over:
        kind, title = "over", Message("The match is over") if session.is_over else Message("The game is over")
        score = " : ".join(f"{name} {points}" for name, points in zip(names, session.score.points, strict=True))
        return [(side, _about(session, kind, title, score, days)) for side in SIDES]
    offer = _standing_offer(session)
    turn = session.turn if offer is None else offer.side.other
    messages = []
    for player in session.awaited if turn is None else (turn,):
        other = names[player.other]
        words = {
            Phase.DOUBLE_OFFERED: Message("{name} offers you the cube", name=other),
            Phase.BEAVER_OFFERED: Message("{name} beavers", name=other),
            Phase.RACCOON_OFFERED: Message("{name} raccoons", name=other),
            Phase.RESIGNATION_OFFERED: Message("{name} resigns", name=other),
        }
        title = words.get(game.phase, Message("Your turn against {name}", name=other))
        if offer is not None:
            title = words[Phase.RESIGNATION_OFFERED]
        body = Message("{game}, {played_for}", game=label(settings.variant.title), played_for=in_short(settings))
        messages.append((SIDES[player], _about(session, "turn", title, body, days)))
    return messages


def _about(session: GameSession, kind: str, title: str, body: str, days: int) -> PushMessage:
    return PushMessage(
        kind=kind, title=title, body=body, tag=f"game-{session.session_id}", path=f"/game/{session.session_id}",
        kept=days * _DAY,
    )  # fmt: skip


def _key_file(engine: Engine) -> Path | None:
    """The file of the key of a server on that database; None for a database that is kept nowhere."""
    if engine.dialect.name != "sqlite":
        return user_data_path("fullprime", appauthor=False) / "push.pem"
    file = sqlite_file(engine.url.render_as_string(hide_password=False))
    return None if file is None else file.with_name(f"{file.stem}.push.pem")


__all__ = ["PushAddress", "PushMessage", "PushOptions", "PushOwner", "Pushes"]
