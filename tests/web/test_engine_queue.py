"""The queue of questions to the engine: limited in length, fair by address and by account."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.web.test_guard import application, at

from fullprime.analysis import at_table
from fullprime.web.routes.engine_queue import EngineBusy, EngineQueue


class Engine:
    """Questions that end when they are told to; ``begun`` has them in the order of their turns."""

    def __init__(self, **limits: int) -> None:
        self.now = 0.0
        self.queue = EngineQueue(clock=lambda: self.now, **limits)
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, name: str, *owners: str) -> None:
        self._ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._question(name, owners or (name[0],)))
        await settled()

    async def end(self, name: str, seconds: float = 1.0) -> None:
        self.now += seconds
        self._ends[name].set()
        await settled()

    async def _question(self, name: str, owners: tuple[str, ...]) -> None:
        async with self.queue.take_turn(name, owners):
            self.begun.append(name)
            await self._ends[name].wait()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def with_engine(**limits: int) -> Callable[[Callable[[Engine], Coroutine[Any, Any, None]]], Callable[[], None]]:
    def made(test: Callable[[Engine], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        def run() -> None:
            async def whole() -> None:
                engine = Engine(**limits)
                await test(engine)
                for task in engine.tasks.values():
                    task.cancel()
                await asyncio.gather(*engine.tasks.values(), return_exceptions=True)
                assert engine.queue.count_questions() == {"waiting": 0, "running": 0}

            asyncio.run(whole())

        run.__name__ = test.__name__
        return run

    return made


@with_engine(at_once=1)
async def test_who_asked_once_does_not_wait_for_all_of_who_asked_often(engine: Engine) -> None:
    for name in ("a1", "a2", "a3", "b1"):
        await engine.ask(name)
    assert [engine.queue.count_ahead(name) for name in ("a2", "a3", "b1")] == [1, 2, 0]
    assert engine.queue.count_ahead("a1") is None, "it is thought about"
    for name in ("a1", "b1", "a2"):
        await engine.end(name)
    assert engine.begun == ["a1", "b1", "a2", "a3"]


@with_engine(at_once=1)
async def test_next_is_the_one_for_whom_the_engine_has_thought_least(engine: Engine) -> None:
    await engine.ask("a1")
    await engine.ask("b1")
    await engine.end("a1", 10)
    await engine.ask("c1")
    await engine.ask("a2")
    await engine.end("b1", 1)
    await engine.end("c1", 1)
    await engine.ask("b2")
    assert engine.begun == ["a1", "b1", "c1", "a2"]
    await engine.ask("d1")
    await engine.end("a2", 1)
    assert engine.begun[-1] == "d1"


@with_engine(at_once=1, each=3)
async def test_one_address_and_one_account_have_so_many_questions(engine: Engine) -> None:
    for number in range(3):
        await engine.ask(f"a{number}", "address 1", "account")
    for name, owner in (("x1", "address 1"), ("x2", "account")):
        with pytest.raises(EngineBusy, match="3 questions of yours") as refused:
            await engine.queue.take_turn(name, [owner]).__aenter__()
        assert refused.value.code == "busy"
    await engine.ask("y", "address 2")
    assert engine.queue.count_ahead("y") == 0


@with_engine(at_once=1, waiting=3, each=9)
async def test_a_full_queue_makes_room_for_who_has_nothing_in_it(engine: Engine) -> None:
    for name in ("a1", "a2", "a3", "a4"):
        await engine.ask(name)
    with pytest.raises(EngineBusy) as refused:
        await engine.queue.take_turn("a5", ["a"]).__aenter__()
    assert (refused.value.code, refused.value.retry_after) == ("full", 15)
    await engine.ask("b1")
    assert engine.queue.count_ahead("b1") == 0
    with pytest.raises(EngineBusy, match="others have waited for less"):
        await engine.tasks["a4"]
    await engine.ask("c1")
    await engine.ask("d1")
    with pytest.raises(EngineBusy):
        await engine.tasks["d1"]
    assert engine.queue.count_questions() == {"waiting": 3, "running": 1}


@with_engine(at_once=1)
async def test_who_goes_away_leaves_the_queue(engine: Engine) -> None:
    for name in ("a1", "b1", "c1"):
        await engine.ask(name)
    engine.tasks["b1"].cancel()
    await settled()
    assert engine.queue.count_ahead("c1") == 0
    await engine.end("a1")
    assert engine.begun == ["a1", "c1"]
    await engine.ask("d1")
    engine.tasks["c1"].cancel()
    engine.tasks["d1"].cancel()
    await settled()
    await engine.ask("e1")
    assert engine.begun[-1] == "e1"


def test_hints_are_refused_with_a_time_when_the_queue_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        at_table, "advise", lambda _handle, _seat, level: {"kind": "words", "level": level, "text": "roll"}
    )
    app = application(tmp_path)
    with at(app) as client:
        created = client.post("/api/games", json={"bot": "heuristic"}).json()
        path, headers = f"/api/games/{created['id']}", {"Authorization": f"Bearer {created['key']}"}
        assert client.post(f"{path}/seed", json={"seed": "ab"}, headers=headers).status_code == 204
        assert client.post(f"{path}/hint", json={}, headers=headers).json()["text"] == "roll"
        assert client.get(f"{path}/queue", headers=headers).json() == {"ahead": None, "waiting": 0}
        assert client.get(f"{path}/queue").status_code == 403
        for limits, status in (({"each": 0}, 429), ({"at_once": 0, "waiting": 0}, 503)):
            app.state.engine_queue = EngineQueue(**limits)
            refused = client.post(f"{path}/hint", json={}, headers=headers)
            assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (status, True)
