"""Sessions for callers in threads."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fullprime.play.server.game_server import GameServer


def test_a_thread_that_has_an_event_loop_of_its_own_uses_them(tmp_path: Path) -> None:
    """Such as one in which a browser is driven."""

    async def use(*, creates: bool) -> None:
        game_server = GameServer(str(tmp_path / "games.db"))
        if creates:
            handle, _, _ = game_server.create(opponent="screen")
            assert game_server.get_handle(handle.id).live is handle.live
        assert game_server.list_finished() == []
        game_server.close()
        game_server.close()

    for creates in (False, True):
        asyncio.run(use(creates=creates))
