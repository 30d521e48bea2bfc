"""Everything that one process needs to serve sessions, begun and closed together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fullprime.db.database import open_database
from fullprime.db.times import utc_now
from fullprime.play.server.bot_moves import BotMover
from fullprime.play.server.presence import AWAY_SECONDS, Presence
from fullprime.play.server.service import SessionService
from fullprime.play.server.upkeep import SessionUpkeep


class SessionServices:
    """The service of one database, its bots, its upkeep, and the presence of its players."""

    def __init__(
        self,
        url: str | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
        away_seconds: float = AWAY_SECONDS,
    ) -> None:
        self.engine = open_database(url, pooled=True)
        self.service = SessionService(self.engine, clock=clock)
        self.bots = BotMover(self.service)
        self.upkeep = SessionUpkeep(self.service, self.bots)
        self.presence = Presence(self.service, self.upkeep.announce, away_seconds=away_seconds)

    def begin(self) -> None:
        """Begin the work in the background, on the running event loop."""
        self.upkeep.begin()
        self.presence.begin()

    async def close(self) -> None:
        """Finish what is under way, and let go of the database."""
        await self.upkeep.rest()
        self.bots.close()
        await self.presence.close()
        await self.service.close()
        await self.upkeep.close()
        self.engine.dispose()
