"""Sessions for callers in threads."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fullprime.play.server.rooms import Rooms


def test_a_thread_that_has_an_event_loop_of_its_own_uses_them(tmp_path: Path) -> None:
    """Such as one in which a browser is driven."""

    async def use(*, creates: bool) -> None:
        rooms = Rooms(str(tmp_path / "games.db"))
        if creates:
            room, _, _ = rooms.create(opponent="screen")
            assert rooms.room(room.id).live is room.live
        assert rooms.finished() == []
        rooms.close()
        rooms.close()

    for creates in (False, True):
        asyncio.run(use(creates=creates))
