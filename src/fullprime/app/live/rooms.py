"""All rooms of one database, as one process serves them: those in memory, their bots, and news of other processes."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from weakref import WeakValueDictionary

from sqlalchemy import Engine

from fullprime.app.choices.opponents import bots_for, name_of, usual_bot_for
from fullprime.app.choices.options import make_settings
from fullprime.app.choices.positions import game_from_id
from fullprime.app.live.room import Keeper, Room
from fullprime.app.live.room_copy import RoomCopy, RoomPart
from fullprime.app.live.room_parts import GRACE, PARTS
from fullprime.app.live.room_view import ACCOUNTS, BOT, FRIEND, OPPONENTS, SCREEN
from fullprime.app.sessions.keys import hashed, new_id, new_key
from fullprime.app.sessions.upkeep import UNBEGUN
from fullprime.app.sessions.view import BOTH
from fullprime.app.table import proof
from fullprime.app.table.naming import UNNAMED, checked_name, seat_name
from fullprime.app.table.table import HUMAN
from fullprime.common.refusals import Refusal
from fullprime.play.clocks import time_control
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.score import Settings
from fullprime.store.database import may_be_shared, open_database
from fullprime.store.errors import StoreError, StoreFailed, StoreMissing
from fullprime.store.games.games import GameStore
from fullprime.store.games.notices import Notices, open_notices
from fullprime.store.games.rooms import RoomStore, SavedRoom
from fullprime.store.games.writing import EventWriter, SingleWriter
from fullprime.store.probe import try_to_store
from fullprime.store.times import share_clock, utc_now

_KEPT = 500
"""Rooms in memory beyond those that somebody watches."""
_KEPT_ENDED = 50
"""Of these, rooms in which nothing more is played: a quarter of a megabyte each."""
_BOTS = 2
"""Bots that think at once."""
_FLAGS = 100
"""Games that are ended at one look at the clocks; the others wait for the next."""
_LOOKS_FOR_OLD = 1000
"""One of so many looks at the clocks is for games that have never begun, too."""
_SERVED = 10.0
"""Seconds for which a game is followed here after a player acted in it here."""
_LOOK, _LOOKS = 5.0, 20
"""Seconds in which each watched room is looked at once, and the looks in that time: a thousand rooms looked at together
hold up those who play in them."""
_FOLLOWING = 4
"""Rooms that are brought up to date at once when other processes have gone on."""

log = logging.getLogger(__name__)


class Rooms:
    """All rooms of one database. Rooms are loaded when somebody asks for them.

    Several processes may serve one PostgreSQL database. ``parts`` make the parts that each room stores besides its
    match (see ``room``); ``writer`` makes the object that puts the events of games on the disk.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        parts: tuple[Callable[[Room], RoomPart], ...] = PARTS,
        writer: Callable[[Engine], EventWriter] = SingleWriter,
    ) -> None:
        self._engine = open_database(url, pooled=True)
        self._games, self._rooms = GameStore(self._engine, writer), RoomStore(self._engine)
        self._told_of_ends: list[Callable[[str], None]] = []
        self._told_of_turns: list[Callable[[RoomCopy], None]] = []
        self._lock = threading.Lock()
        self._open: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._recent: OrderedDict[str, Room] = OrderedDict()
        self._ended_rooms: OrderedDict[str, Room] = OrderedDict()
        self._thinking: set[str] = set()
        self._put_off: dict[str, Room] = {}
        self._look = 0
        self._ended = False
        self._closing = threading.Event()
        self._clocks: threading.Thread | None = None
        self._bots = ThreadPoolExecutor(_BOTS, "bot")
        self._followers = ThreadPoolExecutor(_FOLLOWING, "follow")
        self._home = Keeper(
            rooms=self._rooms,
            games=self._games,
            shared=self._engine.dialect.name == "postgresql",
            announce=self._announce,
            ask_bot=self._ask_bot,
            ended=self._tell_end,
            turned=self._tell_turn,
            parts=parts,
        )
        self._notices: Notices | None = None

    @property
    def engine(self) -> Engine:
        """The database."""
        return self._engine

    def try_to_store(self) -> None:
        """See that the database takes something; raises StoreError."""
        try_to_store(self._engine)

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self._games.url

    @property
    def is_shared(self) -> bool:
        """True if other processes may serve the same rooms."""
        return self._home.shared

    def close(self) -> None:
        """Stop the bots (they go on when somebody asks for the room again) and let go of the database."""
        with self._lock:
            self._ended = True
        self._closing.set()
        if self._clocks is not None:
            self._clocks.join(5.0)
        self._bots.shutdown(cancel_futures=True)
        self._followers.shutdown(cancel_futures=True)
        if self._notices is not None:
            self._notices.close()
        self._games.close()

    def create(
        self,
        *,
        opponent: str = BOT,
        bot: str | None = None,
        name: str = UNNAMED,
        other_name: str = "Friend",
        variant: str = "backgammon",
        preset: str | None = None,
        rules: Mapping[str, object] | None = None,
        automatic: bool = True,
        spectators: bool = True,
        position: str | None = None,
        clock: str | None = None,
        grace: int = GRACE,
        late: int = 0,
        rated: bool = False,
        house: str | None = None,
        account: bool = False,
    ) -> tuple[Room, str, str | None]:
        """A new room, with the creator's key and (for a friend) the invitation; raises SettingsError, IdError.

        Without ``bot`` the usual one plays. ``clock`` is a text that :func:`fullprime.play.clocks.time_control`
        reads; ``grace`` the seconds after which a player who has gone may lose (0: never); ``late`` the seconds after
        which spectators see an event; ``rated`` says that the match counts, which its caller sees to; ``house`` names
        the rules of a house, for people; ``account`` says that its creator has one.
        """
        settings = _agreed(opponent, variant, preset, rules, position, clock)
        playing = _checked_bot(bot or usual_bot_for(variant), settings) if opponent == BOT else None
        names = _checked_names(name, other_name, playing)
        key, invitation, keys = _new_keys(opponent)
        secret = proof.new_secret()
        options = {
            **proof.new_options(secret),
            "opponent": opponent,
            "automatic": automatic,
            "spectators": spectators,
            "position": position,
            "clock": clock,
            "grace": grace,
            "late": late,
            "rated": rated,
            ACCOUNTS: ["X"] if account else [],
            **({} if house is None else {"house": checked_name(house)}),
        }
        saved = SavedRoom(
            id=new_id(),
            settings=settings,
            names=names,
            seats=(HUMAN, playing or HUMAN),
            keys=keys,
            options=options,
            secret=secret,
        )
        return self.add(saved), key, invitation

    def add(self, saved: SavedRoom) -> Room:
        """Store a room that is made already; raises StoreError."""
        self._rooms.create(saved)
        room = Room(saved.id, self._home, saved)
        with self._lock:
            self._open[saved.id] = room
        self._remember(room)
        return room

    def room(self, room_id: str, key: str | None = None) -> Room:
        """The room of that id; raises Refusal ("missing") when there is none.

        With a ``key`` that opens no seat the database is asked again: its holder may have sat down elsewhere.
        """
        with self._lock:
            room = self._open.get(room_id)
            if room is None:
                room = self._open[room_id] = Room(room_id, self._home)
        if not room.is_loaded:
            try:
                room.load()
            except StoreMissing as error:
                raise Refusal(str(error), "missing") from error
            self._remember(room)
            self._later(self._bots, partial(self._wake, room))
        elif room.stale or (key is not None and not room.knows(key)):
            room.refresh()
        self._remember(room)
        return room

    def in_memory(self, room_id: str) -> Room | None:
        """The room for somebody who acts, if this process has a copy, though perhaps one that is behind."""
        room = self._open.get(room_id)
        if room is None or not room.is_loaded:
            return None
        room.served = time.monotonic()
        self._remember(room)
        return room

    def at_hand(self, room_id: str, key: str | None = None) -> Room | None:
        """The room if it can be had without asking the database."""
        room = self._open.get(room_id)
        if room is None or not room.is_loaded or room.stale or (key is not None and not room.knows(key)):
            return None
        self._remember(room)
        return room

    def names_at(self, room_id: str) -> tuple[str, ...]:
        """The names of the people at a table, X's first, if this process has its room."""
        room = self._open.get(room_id)
        return room.saved.names if room is not None and room.is_loaded else ()

    def forget(self, room_id: str) -> None:
        """Remove a room for which no second player has been found; one in which somebody has sat down stays."""
        if self._rooms.remove_waiting(room_id):
            with self._lock:
                self._let_go(room_id)
            self._announce(room_id)

    def census(self) -> dict[str, int]:
        """The games in memory (``open``) and not over (``live``), and the people and programs that watch, counted."""
        with self._lock:
            found = [room for room in self._open.values() if room.is_loaded]
        return {
            "open": len(found),
            "live": sum(not room.is_closed for room in found),
            "watchers": sum(len(room.listeners) for room in found),
        }

    def followed(self, most: int) -> list[Room]:
        """The rooms in which a game is played and that somebody looks at here; none where more are looked at."""
        with self._lock:
            found = [room for room in self._open.values() if room.is_loaded and room.listeners]
        if len(found) > most:
            return []  # to ask each of a thousand for its score takes as long as ten of their actions
        return [room for room in found if room.table is not None and not room.is_closed]

    @property
    def bots_think(self) -> bool:
        """True while a bot of this process chooses."""
        return bool(self._thinking)

    def verify(self, name: str) -> proof.ProofCheck:
        """Check the dice and the bots of a game, by the id of its room or the number of its match."""
        by_number = name.isascii() and name.isdigit() and len(name) < 10
        saved = self._rooms.of_match(int(name)) if by_number else self._rooms.load(name)
        if saved.number is None:
            raise SettingsError(f"game {name} has not begun")
        return proof.verify(saved, self._games.load(saved.number))

    def finished(self) -> list[str]:
        """The ids of all rooms in which nothing more is played, the oldest first."""
        return self._rooms.finished()

    def tell_ends(self, to: Callable[[str], None]) -> None:
        """From now on tell the id of each room in which nothing more is played, by another thread; perhaps twice."""
        self._told_of_ends.append(to)

    def tell_turns(self, to: Callable[[RoomCopy], None]) -> None:
        """From now on tell each room in which another one must act than before, or nobody: at once, so be quick."""
        self._told_of_turns.append(to)

    # -- clocks -------------------------------------------------------------------------------------------
    def keep_time(self, seconds: float = 2.0) -> None:
        """From now on look every so often whether a flag has fallen or a game can go on again, until :meth:`close`.

        The first of several processes to look ends the game; the others find that it is over.
        """

        def look_once(count: int) -> None:
            self.drop_flags()
            self.go_on()
            if count % _LOOKS_FOR_OLD == 0:
                self.forget_unbegun()

        def look() -> None:
            count = 0
            while not self._closing.wait(seconds):
                _logged(partial(look_once, count))
                count += 1

        self._clocks = threading.Thread(target=look, name="clocks", daemon=True)
        self._clocks.start()

    def drop_flags(self) -> int:
        """End the games in which a player's time is used up, even if nobody looks; gives their number."""
        ended = 0
        for room_id in self._rooms.fallen(utc_now(), _FLAGS):
            try:
                room = self.room(room_id)
                room.refresh()
                ended += room.enforce()
            except (Refusal, StoreError) as error:
                log.info("a flag has fallen elsewhere: %s", error)
        return ended

    def forget_unbegun(self) -> int:
        """Forget the games that have not begun within ``UNBEGUN``; gives their number."""
        gone = self._rooms.remove_unbegun(utc_now() - UNBEGUN)
        with self._lock:
            for room_id in gone:
                self._let_go(room_id)
        return len(gone)

    def _let_go(self, room_id: str) -> None:
        for held in (self._open, self._recent, self._ended_rooms):
            held.pop(room_id, None)

    def go_on(self) -> int:
        """Go on, soon, with the games that could not because nothing could be stored; gives their number."""
        with self._lock:
            waiting, self._put_off = list(self._put_off.values()), {}
        for room in waiting:
            self._later(self._bots, partial(self._wake, room))
        return len(waiting)

    def _wake(self, room: Room, *, is_fresh: bool = False) -> None:
        """Have a room go on with everything that needs no person, now or when something can be stored again.

        One that has just been compared with the database (``is_fresh``) is not read again.
        """
        try:
            if room.stale or not is_fresh:
                room.refresh()
            room.wake()
        except (Refusal, StoreMissing):
            return  # it is gone
        except StoreError as error:
            log.info("a room goes on later: %s", error)
            self._wait_for_database(room)

    def _wait_for_database(self, room: Room) -> None:
        with self._lock:
            self._put_off[room.id] = room

    # -- in memory ----------------------------------------------------------------------------------------
    def _remember(self, room: Room) -> None:
        ended = room.is_loaded and room.is_closed
        held, most = (self._ended_rooms, _KEPT_ENDED) if ended else (self._recent, _KEPT)
        with self._lock:
            if self._notices is None and not self._ended:
                self._notices = open_notices(self._engine, self._heard, self._look_around, _LOOK / _LOOKS)
            held[room.id] = room
            held.move_to_end(room.id)
            if ended:
                self._recent.pop(room.id, None)
            if len(held) > most:
                held.popitem(last=False)  # it stays open as long as somebody watches

    def _later(self, pool: ThreadPoolExecutor, do: Callable[[], object]) -> None:
        with self._lock:
            if not self._ended:
                pool.submit(_logged, do)

    def _tell_end(self, room_id: str) -> None:
        room = self._open.get(room_id)
        if room is not None:
            self._remember(room)  # among those that have ended
        for tell in self._told_of_ends:
            self._later(self._followers, partial(tell, room_id))

    def _tell_turn(self, room: RoomCopy) -> None:
        for tell in self._told_of_turns:
            tell(room)

    # -- bots ---------------------------------------------------------------------------------------------
    def _ask_bot(self, room: Room) -> None:
        """Let a bot choose in that room, if it is not being asked there already."""
        with self._lock:
            if room.id in self._thinking or self._ended:
                return
            self._thinking.add(room.id)
            self._bots.submit(_logged, lambda: self._play_bot(room))

    def _play_bot(self, room: Room) -> None:
        """One choice of a bot; the next one waits until other rooms have had theirs."""
        try:
            room.bot_acts()
        except StoreError:
            self._wait_for_database(room)
            raise
        finally:
            with self._lock:
                self._thinking.discard(room.id)
        if room.bot_is_due:
            self._ask_bot(room)

    # -- other processes ----------------------------------------------------------------------------------
    def _announce(self, room_id: str) -> None:
        if self._notices is not None:
            self._notices.send(room_id)

    def _heard(self, names: frozenset[str] | None) -> None:
        """Another process has changed these rooms (or nobody knows which)."""
        with self._lock:
            rooms = list(self._open.values()) if names is None else [self._open.get(each) for each in names]
        behind = []
        served = time.monotonic() - _SERVED
        for room in rooms:
            if room is not None and room.is_loaded:
                room.stale = True
                if room.listeners or room.served > served:
                    behind.append(room)
        if behind:
            self._later(self._followers, partial(self._bring_up, behind))

    def _bring_up(self, rooms: list[Room]) -> None:
        """Bring rooms up to date, with one journey to the database for all of them in which the match has begun."""
        asked = {room.id: progress for room in rooms if (progress := room.progress) is not None}
        found = self._games.later_of_many(asked) if asked else {}
        for room in rooms:
            after = asked[room.id][0] if room.id in asked else 0
            _logged(partial(room.follow, after, found.get(room.id)))

    def _look_around(self) -> None:
        """Catch up where no notice has come: watched rooms are brought up to date, and go on where nobody acts.

        Each call is for some of the rooms, and so many as there are looks for all of them.
        """
        self._look = (self._look + 1) % _LOOKS
        with self._lock:
            watched = [
                room
                for room in self._open.values()
                if hash(room.id) % _LOOKS == self._look and room.is_loaded and room.listeners
            ]
        if watched:
            self._later(self._followers, lambda: self._look_at(watched))

    def _look_at(self, rooms: list[Room]) -> None:
        pulses = self._rooms.pulses(room.id for room in rooms)
        behind = []
        for room in rooms:
            pulse = pulses.get(room.id)
            if pulse is None:
                continue
            if room.is_behind(pulse):
                room.stale = True
                behind.append(room)
            elif room.rests_at(pulse):
                self._later(self._bots, partial(self._wake, room, is_fresh=True))
        if behind:
            self._bring_up(behind)


def _agreed(
    opponent: str,
    variant: str,
    preset: str | None,
    rules: Mapping[str, object] | None,
    position: str | None,
    clock: str | None,
) -> Settings:
    """The settings of a new room; raises SettingsError or IdError for a game that cannot be played."""
    if opponent not in OPPONENTS:
        raise SettingsError(f"there is no opponent {opponent[:40]!r}; there are {', '.join(OPPONENTS)}")
    chosen = [f"{rule}={_text(value)}" for rule, value in (rules or {}).items()]
    settings = make_settings(variant, preset=preset, rules=chosen)
    if position is not None:
        with FullprimeError.about("position"):
            game_from_id(position, settings, override=True)
    if clock is not None:
        if opponent != FRIEND:
            raise SettingsError("a clock is for a game between two people who are not at one screen")
        with SettingsError.about("clock"):
            time_control(clock, settings)
    return settings


def _checked_names(name: str, other_name: str, bot: str | None) -> tuple[str, str]:
    """The names at the board; raises SettingsError, about the field that is wrong."""
    with SettingsError.about("name"):
        own_name = seat_name(name)
    with SettingsError.about("other_name"):
        names = (own_name, name_of(bot) if bot else seat_name(other_name))
        if names[0] == names[1]:
            raise SettingsError(f"both players are called {names[0]!r}: nobody could tell them apart")
    return names


def _new_keys(opponent: str) -> tuple[str, str | None, dict[str, str]]:
    """The creator's key, the invitation (for a friend), and what is kept of them."""
    key, invitation = new_key(), new_key() if opponent == FRIEND else None
    kept = {"X": hashed(key)}
    if opponent == SCREEN:
        kept["O"] = kept["X"]
    if invitation is not None:
        kept["invite"] = hashed(invitation)
    return key, invitation, kept


def _checked_bot(bot: str, settings: Settings) -> str:
    """The bot of that name; raises SettingsError where it does not play the game."""
    known = bots_for(settings.variant.name)
    if bot not in known:
        raise SettingsError(f"there is no bot {bot[:40]!r} for {settings.variant.title}; there are {', '.join(known)}")
    return bot


def _logged(do: Callable[[], object]) -> None:
    try:
        do()
    except FullprimeError as error:
        log.warning("a room could not go on: %s", error)
    except Exception:
        log.exception("a room could not go on")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


__all__ = [
    "BOT",
    "BOTH",
    "FRIEND",
    "OPPONENTS",
    "SCREEN",
    "Room",
    "Rooms",
    "StoreError",
    "StoreFailed",
    "may_be_shared",
    "share_clock",
]
