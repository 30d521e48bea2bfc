"""Rooms: games played through a server, who may act in them, and who watches.

A seat is opened by a key that only its holder has; the server keeps a hash. Whatever is done is stored before it is
told, and told to all who watch. What people do is a line of text in the grammar of ``commands``.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from fullprime.app import happenings, proof
from fullprime.app.commands import find_word, obey
from fullprime.app.dice import TableDice
from fullprime.app.happenings import Happening
from fullprime.app.options import make_settings
from fullprime.app.positions import game_from_id
from fullprime.app.rulebook import in_short
from fullprime.app.seating import checked_name, new_table
from fullprime.app.table import HUMAN, Table
from fullprime.app.view import play_tree, table_view
from fullprime.rules.errors import FullprimeError, IllegalAction, NotationError, SettingsError
from fullprime.rules.game import Action, Game, Phase
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.store.errors import StoreError
from fullprime.store.games import GameStore
from fullprime.store.rooms import RoomStore, SavedRoom

BOT, FRIEND, SCREEN = "bot", "friend", "screen"
OPPONENTS = {BOT: "a bot", FRIEND: "a friend who gets a link", SCREEN: "two people at one screen"}
BOTH = "both"
"""The seat of two people at one screen."""

QUESTIONS = ("board", "plays", "pip", "score", "rules", "help", "hint", "save", "quit")
"""Words that change nothing: whoever has a seat may say them at any time."""

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""What ids of rooms are made of: nothing that looks alike."""

_LOG = 300
"""How many happenings a newcomer is told."""
_KEPT = 500
"""Rooms in memory beyond those that somebody watches."""

Listener = Callable[[Mapping[str, Any]], None]


class RoomError(FullprimeError):
    """Something that this person may not do, or that comes too late. ``code``: forbidden, stale, missing."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class Room:
    """One match between two seats. Its methods may be called from any thread, and one at a time does something."""

    def __init__(self, saved: SavedRoom, rooms: RoomStore, games: GameStore) -> None:
        self.saved = saved
        self.listeners: set[Listener] = set()
        self._rooms, self._games = rooms, games
        self._lock = threading.RLock()
        self._table: Table | None = None
        self._told = 0
        self._published: Game | None = None
        self._log: list[dict[str, Any]] = []
        self._latest: dict[str, Any] = {}
        self._version = 0
        self._load()

    # -- reading ------------------------------------------------------------------------------------------
    def seat_of(self, key: str | None) -> str | None:
        """``X``, ``O``, ``both``, or None for somebody who only watches; raises RoomError where nobody may watch."""
        seats = [side for side in "XO" if key and _opens(key, self.saved.keys.get(side))]
        if not seats and not self.saved.options["spectators"]:
            raise RoomError("this game is private", "forbidden")
        return None if not seats else BOTH if len(seats) == 2 else seats[0]

    def frame(self, seat: str | None, events: Iterable[Mapping[str, Any]] | None = None) -> dict[str, Any]:
        """The state as somebody in that seat sees it; without ``events``, all that has happened."""
        return for_seat(self._latest, seat, list(self._log) if events is None else list(events))

    @property
    def version(self) -> int:
        """How often there has been news; a watcher leaves out what its first frame has told already."""
        return self._version

    @property
    def proof(self) -> dict[str, Any]:
        """What proves the dice: the secret is None until the game is closed."""
        saved = self.saved
        over = self._is_closed
        return {
            "formula": proof.FORMULA,
            "commitment": proof.commitment(saved.secret),
            "seeds": {side: saved.seeds.get(side, "") for side in "XO"},
            "secret": saved.secret if over else None,
            "throws": [list(dice) for dice in self._throws()] if over else None,
        }

    def record(self, name: str = "mat") -> tuple[bytes, str]:
        """What has happened in the format of that name, and what a file of it is called.

        Raises RoomError before the game has begun, FormatError for a format that cannot carry it.
        """
        from fullprime.formats import FORMATS, Document, write

        data, _ = write(Document(self._match), name)
        known = FORMATS.get(name)
        extension = known.extensions[0] if known is not None and known.extensions else f".{name}"
        return data, f"fullprime-{self.saved.id}{extension}"

    # -- sitting down -------------------------------------------------------------------------------------
    def join(self, invitation: str, name: str) -> str:
        """Sit down in the free seat; gives its key. An invitation is good for one person."""
        with self._lock:
            saved = self.saved
            if not _opens(invitation, saved.keys.get("invite")):
                taken = "the seat is taken" if "invite" not in saved.keys else "this is no invitation to this game"
                raise RoomError(taken, "forbidden")
            name = checked_name(name)
            if name == saved.names[0]:
                raise SettingsError(f"both players would be called {name!r}: nobody could tell them apart")
            key = _new_key()
            keys = {**{k: v for k, v in saved.keys.items() if k != "invite"}, "O": _hash(key)}
            self._save(replace(saved, keys=keys, names=(saved.names[0], name)))
            self._publish([{"kind": "info", "player": "O", "text": f"{name} has joined"}])
            return key

    def add_seed(self, seat: str | None, seed: str) -> None:
        """A player adds to the seed of the dice; when all have, the game begins."""
        with self._lock:
            side = "X" if seat == BOTH else seat
            if side is None or side not in self._missing():
                raise RoomError("your seed has been added" if side else "you have no seat here", "forbidden")
            self._save(replace(self.saved, seeds={**self.saved.seeds, side: proof.checked_seed(seed)}))
            if self._missing():
                self._publish([])
            else:
                self._begin()

    # -- playing ------------------------------------------------------------------------------------------
    def act(self, seat: str | None, line: str, *, moves: Iterable[str] = (), sequence: int | None = None) -> list[Any]:
        """Do what a line says; gives what happened, and the checker moves of a play that is not complete.

        ``moves`` are those already made of it on this person's board. With ``sequence``, RoomError ("stale") is
        raised when anything has happened that the person has not seen.
        """
        with self._lock:
            table = self._table
            if seat is None:
                raise RoomError("you are watching: only players act", "forbidden")
            if table is None:
                raise RoomError("the game has not begun", "stale")
            if sequence is not None and sequence != table.actions_kept:
                raise RoomError(f"the game has gone on: {table.actions_kept} events, not {sequence}", "stale")
            word = _word(table, line)
            if word not in QUESTIONS:
                self._may_act(table, seat)
            elif word == "hint" and table.seats == (HUMAN, HUMAN) and seat != BOTH:
                raise RoomError("there are no hints in a game between two people", "forbidden")
            table.moves = ()
            try:
                for made in moves:
                    table.step(made)
                happened = obey(table, line)
            except StoreError:
                self._load()
                raise
            finally:
                left = list(map(str, table.moves))
                table.moves, self._told = (), 0
            if self._published is not table.game:
                self._publish([each.json for each in happened])
            return [[each.json for each in happened], left]

    def close(self, seat: str | None) -> None:
        """End a money session (or a match nobody will finish) between two games; the secret of the dice is told."""
        with self._lock:
            if seat is None:
                raise RoomError("you are watching: only players act", "forbidden")
            table = self._table
            if table is None or not (table.game.is_over or table.game.phase is Phase.OPENING_ROLL):
                raise IllegalAction("a session is ended between two games")
            if not self.saved.closed:
                self._save(replace(self.saved, closed=True))
                self._publish([{"kind": "closed", "player": None, "text": "The session is over"}])

    def wake(self) -> None:
        """Go on where a stopped server left off: a bot may have to act."""
        with self._lock:
            table = self._table
            if table is not None and not table.game.is_over and not self.saved.closed:
                table.go_on()
                self._told = 0

    # -- inside -------------------------------------------------------------------------------------------
    @property
    def _match(self) -> Match:
        if self._table is None:
            raise RoomError("the game has not begun", "missing")
        return self._table.match

    @property
    def _is_closed(self) -> bool:
        return self.saved.closed or (self._table is not None and self._table.is_over)

    def _may_act(self, table: Table, seat: str) -> None:
        if self.saved.closed:
            raise IllegalAction("the session is over")
        turn = table.turn
        if turn is not None and seat not in (BOTH, turn.name):
            raise RoomError(f"it is {table.names[turn]} who must act now", "forbidden")

    def _missing(self) -> list[str]:
        """The sides whose seed is awaited."""
        people = [side for side, seat in zip("XO", self.saved.seats, strict=True) if seat == HUMAN]
        if self.saved.options["opponent"] == SCREEN:
            people = ["X"]
        return [side for side in people if side not in self.saved.seeds]

    def _begin(self) -> None:
        saved = self.saved
        begun_at = saved.options.get("position")
        game = game_from_id(begun_at, saved.settings, override=True)[0] if begun_at else None
        seed = proof.dice_seed(saved.secret, saved.seeds.get("X", ""), saved.seeds.get("O", ""))
        table = new_table(
            saved.settings,
            bot=None if saved.seats[1] == HUMAN else saved.seats[1],
            names=saved.names,
            game=game,
            dice=TableDice(seed=seed),
            store=self._games,
            automatic=saved.options["automatic"],
            confirm=True,
        )
        self._save(replace(saved, number=table.number))
        self._sit_down(table)
        self._publish([{"kind": "info", "player": None, "text": f"{saved.settings.variant.title} begins"}])
        self.wake()

    def _load(self) -> None:
        self.saved = saved = self._rooms.load(self.saved.id)
        if saved.number is not None:
            match = self._games.load(saved.number)
            table = Table.resume(match, self._games, automatic=saved.options["automatic"], confirm=True)
            self._log = [each.json for each in history(table.match)][-_LOG:]
            self._sit_down(table)
        self._publish([])

    def _sit_down(self, table: Table) -> None:
        table.bot_seed = self.saved.id
        table.on_change = self._changed
        self._table, self._told = table, 0

    def _save(self, saved: SavedRoom) -> None:
        self._rooms.save(saved, self.saved)
        self.saved = saved

    def _changed(self, table: Table) -> None:
        news = [each.json for each in table.news[self._told :]]
        self._told = len(table.news)
        self._publish(news)

    def _publish(self, events: list[dict[str, Any]]) -> None:
        self._version += 1
        self._log = [*self._log, *events][-_LOG:]
        self._latest = self._view()
        self._published = self._table.game if self._table is not None else None
        message = {"latest": self._latest, "events": events, "version": self._version}
        for listener in tuple(self.listeners):
            listener(message)

    def _view(self) -> dict[str, Any]:
        saved, table = self.saved, self._table
        settings = saved.settings
        status = "waiting" if table is None else "over" if self._is_closed else "playing"
        view: dict[str, Any] = {
            "id": saved.id,
            "status": status,
            "opponent": saved.options["opponent"],
            "variant": settings.variant.name,
            "title": settings.variant.title,
            "played_for": in_short(settings),
            "names": list(saved.names),
            "seats": list(saved.seats),
            "free_seat": "invite" in saved.keys,
            "missing_seeds": self._missing(),
            "commitment": proof.commitment(saved.secret),
            "sequence": 0,
            "number": saved.number,
        }
        if table is None:
            return view
        view |= table_view(table)
        if saved.closed:
            view["legal_actions"] = []
        if table.game.phase is Phase.PLAY and table.is_human(table.turn):
            view["tree"] = play_tree(table.ways)
        return view

    def _throws(self) -> Iterable[tuple[int, int]]:
        for record in self._match.games:
            yield from (event.dice for event in record.events if isinstance(event, Action) and event.dice is not None)


class Rooms:
    """All rooms of one database. Rooms are loaded when somebody asks for them."""

    def __init__(self, url: str | None = None) -> None:
        self._games, self._rooms = GameStore(url), RoomStore(url)
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self._games.url

    def close(self) -> None:
        """Let go of the database."""
        self._games.close()
        self._rooms.close()

    def create(
        self,
        *,
        opponent: str = BOT,
        bot: str = "heuristic",
        name: str = "You",
        other_name: str = "Friend",
        variant: str = "backgammon",
        preset: str | None = None,
        rules: Mapping[str, object] | None = None,
        automatic: bool = True,
        spectators: bool = True,
        position: str | None = None,
    ) -> tuple[Room, str, str | None]:
        """A new room, with the creator's key and (for a friend) the invitation; raises SettingsError, IdError."""
        if opponent not in OPPONENTS:
            raise SettingsError(f"there is no opponent {opponent[:40]!r}; there are {', '.join(OPPONENTS)}")
        chosen = [f"{rule}={_text(value)}" for rule, value in (rules or {}).items()]
        settings = make_settings(variant, preset=preset, rules=chosen)
        if position is not None:
            game_from_id(position, settings, override=True)
        if opponent == BOT and bot not in bots_for(settings.variant.name):
            known = ", ".join(bots_for(settings.variant.name))
            raise SettingsError(f"there is no bot {bot[:40]!r} for {settings.variant.title}; there are {known}")
        other = bot if opponent == BOT else checked_name(other_name)
        names = (checked_name(name), other)
        if names[0] == names[1]:
            raise SettingsError(f"both players are called {names[0]!r}: nobody could tell them apart")
        key = _new_key()
        invitation = _new_key() if opponent == FRIEND else None
        keys = {"X": _hash(key)}
        if opponent == SCREEN:
            keys["O"] = keys["X"]
        if invitation is not None:
            keys["invite"] = _hash(invitation)
        saved = SavedRoom(
            id="".join(secrets.choice(_LETTERS) for _ in range(12)),
            settings=settings,
            names=names,
            seats=(HUMAN, bot if opponent == BOT else HUMAN),
            keys=keys,
            options={
                "opponent": opponent,
                "automatic": automatic,
                "spectators": spectators,
                "position": position,
            },
            secret=proof.new_secret(),
        )
        self._rooms.create(saved)
        return self.room(saved.id), key, invitation

    def room(self, room_id: str) -> Room:
        """The room of that id; raises RoomError ("missing") when there is none."""
        with self._lock:
            room = self._open.get(room_id)
            if room is None:
                try:
                    saved = self._rooms.load(room_id)
                except StoreError as error:
                    raise RoomError(str(error), "missing") from error
                room = self._open[room_id] = Room(saved, self._rooms, self._games)
                self._forget_idle()
                threading.Thread(target=room.wake, name=f"wake {room_id}", daemon=True).start()
            self._open.move_to_end(room_id)
        return room

    def census(self) -> dict[str, int]:
        """How many games are in memory (``open``) and not over (``live``), and how many people and programs watch."""
        with self._lock:
            found = list(self._open.values())
        return {
            "open": len(found),
            "live": sum(not room._is_closed for room in found),
            "watchers": sum(len(room.listeners) for room in found),
        }

    def verify(self, name: str) -> proof.Verdict:
        """Check the dice and the bots of a game, by the id of its room or the number of its match."""
        by_number = name.isascii() and name.isdigit() and len(name) < 10
        saved = self._rooms.of_match(int(name)) if by_number else self._rooms.load(name)
        if saved.number is None:
            raise SettingsError(f"game {name} has not begun")
        return proof.verify(saved, self._games.load(saved.number))

    def _forget_idle(self) -> None:
        idle = [name for name, room in self._open.items() if not room.listeners]
        for name in idle[: max(0, len(idle) - _KEPT)]:
            del self._open[name]


def for_seat(latest: Mapping[str, Any], seat: str | None, events: list[Any]) -> dict[str, Any]:
    """A message for one person: the ways to play go only to whoever must play."""
    mine = seat == BOTH or (seat is not None and latest.get("turn") in (None, seat))
    state = {name: value for name, value in latest.items() if mine or name not in ("tree", "plays")}
    if not mine and "legal_actions" in state:
        state["legal_actions"] = []
    return {"type": "state", "events": events, "state": {**state, "you": seat}}


def history(match: Match) -> list[Happening]:
    """What has happened in a match, told again."""
    told: list[Happening] = []
    for number, record in enumerate(match.games, 1):
        if number > 1:
            told.append(Happening("new_game", f"Game {number}", None, {"game": number}))
        told += [
            happenings.describe(entry.before, entry.event, entry.after, match.names)
            for entry in record.entries()
            if isinstance(entry.event, Action)
        ]
        final = record.final
        if final.result is not None:
            score = final.score.after(final.result, match.settings)
            told.append(happenings.game_over(final.result, match.settings, score.points, match.names))
            winner = score.match_winner(match.settings)
            if winner is not None:
                told.append(happenings.match_over(Player(winner), score.points, match.names))
    return told


def bots_for(variant: str) -> tuple[str, ...]:
    """The bots that play a variant: the levels of the engine need nets for it."""
    from fullprime.engine.bots import BOTS
    from fullprime.engine.levels import LEVELS
    from fullprime.engine.nets import manifest

    return tuple(bot for bot in BOTS if bot not in LEVELS or variant in manifest())


def _word(table: Table, line: str) -> str | None:
    """The command that a line gives, or None for a play or nonsense."""
    words = line.split()
    try:
        return find_word(words[0], table) if words else None
    except NotationError:
        return None


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _new_key() -> str:
    return secrets.token_urlsafe(24)


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _opens(key: str, kept: str | None) -> bool:
    return kept is not None and hmac.compare_digest(_hash(key), kept)
