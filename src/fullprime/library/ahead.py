"""Games in play judged ahead, so that the review of their end is there at once.

A thread of low priority judges what has been played, while nobody else wants the engine: no hint, no bot, no job waits,
and few games are played here. The judgements stay in this process and are told to nobody: a review takes them over
when the game is over.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from fullprime.common.refusals import Refusal
from fullprime.engine import shared
from fullprime.engine.nets.net import manifest
from fullprime.engine.search.budget import Stopped
from fullprime.library.idle_thread import IdleThread
from fullprime.play.options.compiling import compiling
from fullprime.play.server.rooms import Room, Rooms
from fullprime.reviews.review import Ahead, judge_ahead

LEVEL = "fast"
"""The level at which the page of an ended game asks for its review."""
EVERY = 2.0
"""Seconds between two looks at what has been played."""
MOST_LIVE = 30
"""Games that are looked at here beyond which the server has no free place for this."""
STEP = 12
"""Events that are judged in one go: what is broken off is judged again."""
_LEAST = 4
"""Events that a look waits for: each begins with a walk through the game."""
_KEPT = 60


class GamesAhead:
    """The ``thread``, and what it has judged. ``busy`` says whether somebody else wants the engine."""

    def __init__(self, rooms: Rooms, busy: Callable[[], bool], *, every: float = EVERY) -> None:
        self._rooms, self._busy = rooms, busy
        self._judged: OrderedDict[str, Ahead] = OrderedDict()
        self._seen: dict[str, int] = {}
        self.thread = IdleThread("games ahead", self.work, every)

    def of(self, room: str) -> Ahead | None:
        """The judgements of a game, for its review: of a game that is not over they are nobody's business."""
        return self._judged.get(room)

    def _wanted_elsewhere(self) -> bool:
        return self.thread.is_closed or self._busy() or self._rooms.bots_think

    def work(self) -> int:
        """Judge what has been played since the last time, as long as nobody else wants the engine; gives the games."""
        if compiling() is not None:
            return 0
        games = self._rooms.followed(MOST_LIVE)
        self._seen = {room.id: self._seen.get(room.id, 0) for room in games}
        done = 0
        for room in games:
            if self._wanted_elsewhere():
                break
            done += self._judge(room)
        return done

    def _judge(self, room: Room) -> bool:
        played = room.session.board_version
        if played - self._seen[room.id] < _LEAST or room.session.terms.settings.variant.name not in manifest():
            return False
        try:
            match = room.match
        except Refusal:
            return False  # it has not begun
        engine = shared.engine_for(match.settings.variant)
        try:
            while not self._wanted_elsewhere():
                ahead = judge_ahead(match, engine, LEVEL, self.of(room.id), self._wanted_elsewhere, STEP)
                self._keep(room.id, ahead)
                if all(
                    len(done.events) == len(each.events) for done, each in zip(ahead.games, match.games, strict=True)
                ):
                    self._seen[room.id] = played
                    return True
        except Stopped:
            pass
        return False

    def _keep(self, room: str, ahead: Ahead) -> None:
        self._judged[room] = ahead
        self._judged.move_to_end(room)
        if len(self._judged) > _KEPT:
            self._judged.popitem(last=False)
