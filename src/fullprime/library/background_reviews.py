"""Games in play judged ahead, so that the review of their end is there at once.

A thread of low priority judges what has been played while the engine is idle: no hint, no bot, no job waits, and few
games are played here. The judgements stay in this process, where no player sees them: a review takes them over when
the game is over.
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
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.reviews.review import JudgedMatch, judge_ahead

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


class BackgroundReviews:
    """The ``thread``, and what it has judged. ``busy`` says whether a request wants the engine."""

    def __init__(self, game_server: GameServer, busy: Callable[[], bool], *, every: float = EVERY) -> None:
        self._game_server, self._busy = game_server, busy
        self._judged: OrderedDict[str, JudgedMatch] = OrderedDict()
        self._judged_versions: dict[str, int] = {}
        self.thread = IdleThread("games ahead", self.work, every)

    def find(self, session_id: str) -> JudgedMatch | None:
        """The judgements of a game, for its review; while the game goes on no player may see them."""
        return self._judged.get(session_id)

    def _should_pause(self) -> bool:
        return self.thread.is_closed or self._busy() or self._game_server.bots_think

    def work(self) -> int:
        """Judge what has been played since the last time, as long as the engine is idle; gives the number of games."""
        if compiling() is not None:
            return 0
        games = self._game_server.list_followed(MOST_LIVE)
        self._judged_versions = {handle.id: self._judged_versions.get(handle.id, 0) for handle in games}
        done = 0
        for handle in games:
            if self._should_pause():
                break
            done += self._judge(handle)
        return done

    def _judge(self, handle: SessionHandle) -> bool:
        played = handle.session.board_version
        if (
            played - self._judged_versions[handle.id] < _LEAST
            or handle.session.terms.settings.variant.name not in manifest()
        ):
            return False
        try:
            match = handle.match
        except Refusal:
            return False  # it has not begun
        engine = shared.engine_for(match.settings.variant)
        try:
            while not self._should_pause():
                ahead = judge_ahead(match, engine, LEVEL, self.find(handle.id), self._should_pause, STEP)
                self._keep(handle.id, ahead)
                if all(
                    len(done.events) == len(record.events)
                    for done, record in zip(ahead.games, match.games, strict=True)
                ):
                    self._judged_versions[handle.id] = played
                    return True
        except Stopped:
            pass
        return False

    def _keep(self, session_id: str, ahead: JudgedMatch) -> None:
        self._judged[session_id] = ahead
        self._judged.move_to_end(session_id)
        if len(self._judged) > _KEPT:
            self._judged.popitem(last=False)
