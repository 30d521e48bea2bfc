"""Push messages: they tell a browser of a turn, a challenge or its acceptance while no page of ours is open.

A notification goes only to devices whose users asked for it. Threads of its own make and send it after its event is
stored, so it never delays an action. A server that is killed forgets the messages that wait.
"""

from __future__ import annotations

import hashlib
import json
import logging
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_path
from sqlalchemy import Engine

from fullprime.accounts.push_delivery import (
    DEADLINE,
    SHORT_DEADLINE,
    DeliveryError,
    PushWorkers,
    check_endpoint,
    post_message,
)
from fullprime.accounts.push_encryption import ServerKey, check_address, encrypt
from fullprime.accounts.push_queue import Delivery, DropReason
from fullprime.accounts.service import digest
from fullprime.accounts.store.challenges import Challenge
from fullprime.accounts.store.played import PlayedStore
from fullprime.accounts.store.pushes import PushAddress, PushOwner, PushStore, PushSubscription
from fullprime.common.refusals import Refusal
from fullprime.db.database import sqlite_file
from fullprime.db.times import utc_now
from fullprime.messages import ENGLISH, Message, label, render
from fullprime.play.naming import to_messages
from fullprime.play.options.rulebook import describe_length
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.session import GameSession, StandingResignation
from fullprime.play.table.table_events import SIDES, Side
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game, Phase

MOST_BROWSERS = 10
"""The most browsers of one account that get messages; a further one takes the place of the oldest."""
MOST_AT_SEAT = 3
"""The most browsers at one seat of a game without an account."""
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
    """The operator's options for push messages."""

    enabled: bool = True
    contact: str | None = None
    """An address (``mailto:`` or ``https:``) by which push services reach the operator; without one it is the address
    of the pages."""
    allowed: tuple[str, ...] = ()
    """Hosts of push services in a private network that may be called all the same: ``host`` or ``host:port``."""
    key_file: Path | None = None
    """The file of the server's key; None for one beside the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A message. A newer one with the same ``tag`` replaces one that has not been seen."""

    kind: str
    """``turn``, ``over``, ``challenge`` or ``accepted``."""
    title: str
    body: str
    tag: str
    path: str
    """The page that it opens."""
    lifetime: int
    """Seconds after which it is no longer of use."""
    urgent: bool = False

    def text(self, language: str) -> bytes:
        """The JSON that the service worker of the pages reads, in a language."""
        fields = {
            "kind": self.kind, "title": render(self.title, language), "body": render(self.body, language),
            "tag": self.tag, "path": self.path, "off": render(Message("No more messages"), language),
        }  # fmt: skip
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


class Notifications:
    """The push messages of one server. Its methods may be called from any thread; those that notify return at once."""

    def __init__(
        self,
        game_server: GameServer,
        engine: Engine,
        options: PushOptions | None = None,
        count_dropped: Callable[[DropReason], None] = lambda _why: None,
    ) -> None:
        """``count_dropped`` counts a message that is dropped. Raises SettingsError for options that cannot be used."""
        options = options or PushOptions()
        if options.contact is not None and not options.contact.startswith(("mailto:", "https:")):
            raise SettingsError(
                Message(
                    "the contact of push services is mailto:… or https:…, not {contact}", contact=repr(options.contact)
                )
            )
        self._game_server, self._options = game_server, options
        self._store, self._played = PushStore(engine), PlayedStore(engine)
        self._file = options.key_file or _key_file(engine)
        self._allowed = frozenset(options.allowed)
        self._workers = PushWorkers(count_dropped=count_dropped)
        self._key: ServerKey | None = None
        self._trust: ssl.SSLContext | None = None
        self._making = threading.Lock()
        self._notified_turns: OrderedDict[str, tuple[int, int, int]] = OrderedDict()

    def close(self, *, wait: bool = False) -> None:
        """Send nothing more; with ``wait``, return when what is being sent has ended."""
        self._workers.close(wait=wait)

    @property
    def waiting(self) -> int:
        """The number of messages that wait."""
        return self._workers.waiting

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
        """Subscribe a browser, which is stored when this returns; raises SettingsError, Refusal where it cannot be."""
        if not self._options.enabled:
            raise Refusal(Message("this server sends no push messages"), "forbidden")
        check_endpoint(endpoint, self._allowed)
        address = check_address(endpoint, p256dh, auth)
        self._store.add(owner, address, origin, MOST_BROWSERS if owner.session_id is None else MOST_AT_SEAT, language)

    def is_subscribed(self, owner: PushOwner, address: PushAddress, language: str | None = None) -> bool:
        """True if that browser gets the messages of that owner; a ``language`` that is named holds from now on."""
        return self._store.has(owner, address, language)

    def unsubscribe(self, address: PushAddress) -> None:
        """Send a browser no more messages."""
        self._store.delete_browser(address)

    def replace_address(self, old: PushAddress, endpoint: str, p256dh: str, auth: str) -> None:
        """Replace the address of a browser, which its push service has changed; raises SettingsError."""
        check_endpoint(endpoint, self._allowed)
        self._store.replace_address(old, check_address(endpoint, p256dh, auth))

    def get_owner(
        self, handle: SessionHandle | None, side: Side | None, account: int | None, session: str | None
    ) -> PushOwner:
        """The owner of the messages that a browser asks for: the account that is signed in, or a seat.

        In a session the account counts if it sits on that ``side``. Raises Refusal where there is no owner.
        """
        sits = None
        if handle is not None and side is not None:
            game = self._played.find(handle.id)
            sits = None if game is None else game.accounts[SIDES.index(side)]
        if account is not None and session is not None and (handle is None or sits == account):
            return PushOwner(account=account, session=digest(session))
        if handle is None or side is None:
            raise Refusal(Message("sign in, or ask at a game in which you sit"), "unknown")
        return PushOwner(session_id=handle.id, side=side)

    # -- news ---------------------------------------------------------------------------------------------
    def notify_turn(self, session: GameSession) -> None:
        """Tell the players of a correspondence game that the turn has changed, or that it is over."""
        if self._options.enabled and _days(session) is not None:
            self._workers.run_later(partial(self._queue_turn, session.session_id))

    def notify_accepted(self, handle: SessionHandle) -> None:
        """Tell X, who waits in a session, that a second player has sat down."""
        if self._options.enabled:
            self._workers.run_later(partial(self._queue_accepted, handle))

    def notify_challenged(self, account: int, challenge: Challenge) -> None:
        """Tell an account that it has been challenged."""
        if self._options.enabled:
            self._workers.run_later(partial(self._queue_challenge, account, challenge))

    def _queue_turn(self, session_id: str) -> None:
        session = self._game_server.get_handle(session_id).session
        days, game, offer = _days(session), session.game, _standing_offer(session)
        if days is None or game is None:
            return
        turn = (session.board_version, session.throws, 0 if offer is None else offer.level)
        if self._notified_turns.get(session_id) == turn or (session.closed is not None and not game.is_over):
            return
        self._notified_turns[session_id] = turn
        self._notified_turns.move_to_end(session_id)
        if len(self._notified_turns) > _REMEMBERED:
            self._notified_turns.popitem(last=False)
        for side, message in _turn_messages(session, game, days):
            self._queue_for_browsers(f"{session_id} {side}", self._browsers(session_id, side), message)

    def _queue_accepted(self, handle: SessionHandle) -> None:
        names = to_messages(handle.session.names)
        message = Notification(
            kind="accepted", title=Message("{name} plays with you", name=names[1]),
            body=Message("The game waits for you."), tag=f"game-{handle.id}",
            path=f"/game/{handle.id}", lifetime=_DAY, urgent=True,
        )  # fmt: skip
        self._queue_for_browsers(f"{handle.id} X", self._browsers(handle.id, "X"), message)

    def _queue_challenge(self, account: int, challenge: Challenge) -> None:
        facts = {"game": label(challenge.terms.title), "played_for": challenge.terms.played_for}
        body = Message("{game}, {played_for}", **facts)
        if challenge.rated:
            body = Message("{game}, {played_for}, rated", **facts)
        message = Notification(
            kind="challenge", title=Message("{name} challenges you", name=challenge.name), body=body,
            tag=f"challenge-{challenge.id}", path="/lobby", urgent=True,
            lifetime=max(60, int((challenge.expires - utc_now()).total_seconds())),
        )  # fmt: skip
        self._queue_for_browsers(f"account {account}", self._store.list_for_owner(PushOwner(account=account)), message)

    def _browsers(self, session_id: str, side: Side) -> list[PushSubscription]:
        """The browsers that get messages about a seat: those of its account, and those that hold the seat's key."""
        game = self._played.find(session_id)
        account = None if game is None else game.accounts[SIDES.index(side)]
        subscriptions = self._store.list_for_owner(PushOwner(session_id=session_id, side=side))
        subscriptions += [] if account is None else self._store.list_for_owner(PushOwner(account=account))
        return list({subscription.address.endpoint: subscription for subscription in subscriptions}.values())

    # -- sending ------------------------------------------------------------------------------------------
    def _queue_for_browsers(self, owner: str, to: Iterable[PushSubscription], message: Notification) -> None:
        for browser in to:
            self._queue_delivery(owner, browser, message, 0)

    def _queue_delivery(
        self, owner: str, to: PushSubscription, message: Notification, number: int, after: float = 0.0
    ) -> None:
        delivery = Delivery(
            owner=owner,
            browser=to.address.endpoint,
            host=_host(to.address),
            tag=message.tag,
            send=partial(self._deliver, owner, to, message, number),
            ready=time.monotonic() + after,
            tries=number,
        )
        self._workers.send(delivery)

    def _deliver(self, owner: str, to: PushSubscription, message: Notification, number: int) -> bool:
        """Send a message once; True if the push service answers. Its answer decides whether the subscription stays.

        A push service that has never answered has less time, and no second try.
        """
        has_answered = self._workers.has_answered(_host(to.address))
        try:
            parts = check_endpoint(to.address.endpoint, self._allowed)
            audience = f"https://{parts.netloc}"
            headers = {
                "Authorization": self._server_key().authorization(
                    audience, self._options.contact or to.origin, time.time()
                ),
                "Content-Type": "application/octet-stream",
                "Content-Encoding": "aes128gcm",
                "TTL": str(min(message.lifetime, _LONGEST_KEPT)),
                "Urgency": "high" if message.urgent else "normal",
                "Topic": hashlib.sha256(message.tag.encode()).hexdigest()[:32],
            }
            body = encrypt(message.text(to.language or ENGLISH), to.address)
            deadline = DEADLINE if has_answered else SHORT_DEADLINE
            status = post_message(
                to.address.endpoint,
                headers,
                body,
                allowed=self._allowed,
                trust=self._load_certificates(),
                deadline=deadline,
            )
        except DeliveryError as error:
            log.info("%s", error)
            status = 0
        if status in (404, 410):
            self._store.delete_endpoint(to.address.endpoint)
        elif 200 <= status < 300:
            self._store.note_delivered(to.id)
        elif (status in (0, 429) or status >= 500) and number < len(_AGAIN) and (status or has_answered):
            self._queue_delivery(owner, to, message, number + 1, _AGAIN[number])
        else:
            self._store.note_failed(to.id, MOST_FAILURES)
        return status != 0

    def _load_certificates(self) -> ssl.SSLContext:
        """The certificates that the system trusts, or those in the file that ``SSL_CERT_FILE`` names; read once."""
        with self._making:
            if self._trust is None:
                self._trust = ssl.create_default_context()
            return self._trust

    def _server_key(self) -> ServerKey:
        with self._making:
            if self._key is None:
                self._key = ServerKey.load_or_create(self._file)
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


def _turn_messages(session: GameSession, game: Game, days: int) -> list[tuple[Side, Notification]]:
    """The messages about a game by correspondence as it stands: to the player who must act, or to both at its end."""
    settings, names = session.terms.settings, to_messages(session.names)
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
        body = Message("{game}, {played_for}", game=label(settings.variant.title), played_for=describe_length(settings))
        messages.append((SIDES[player], _about(session, "turn", title, body, days)))
    return messages


def _about(session: GameSession, kind: str, title: str, body: str, days: int) -> Notification:
    return Notification(
        kind=kind, title=title, body=body, tag=f"game-{session.session_id}", path=f"/game/{session.session_id}",
        lifetime=days * _DAY,
    )  # fmt: skip


def _key_file(engine: Engine) -> Path | None:
    """The file of the key of a server on that database; None for a database that is kept nowhere."""
    if engine.dialect.name != "sqlite":
        return user_data_path("fullprime", appauthor=False) / "push.pem"
    file = sqlite_file(engine.url.render_as_string(hide_password=False))
    return None if file is None else file.with_name(f"{file.stem}.push.pem")


__all__ = ["Notification", "Notifications", "PushAddress", "PushOptions", "PushOwner"]
