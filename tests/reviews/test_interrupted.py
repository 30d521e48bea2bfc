"""Reviews and rollouts that are killed at any moment go on; games whose clock jumps do, too."""

from __future__ import annotations

import json
import random
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.cutting import Killed, at_every_change
from tests.formats.generate import random_match
from tests.play.seen import frame_of

from fullprime import formats
from fullprime.analysis.rollouts import Keeping
from fullprime.common.json_values import from_json
from fullprime.db import times
from fullprime.engine import shared
from fullprime.engine.rollouts.result import RolloutError, RolloutState
from fullprime.library import service
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.search import Wanted
from fullprime.play.server.game_server import GameServer
from fullprime.reviews import review as analysis
from fullprime.reviews.matches import reviewing
from fullprime.reviews.matches.reviewing_many import review_files
from fullprime.reviews.review import Review
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON

KEPT = Path(__file__).parents[1] / "data" / "version_0_1" / "rollout.json"


@pytest.fixture
def matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two matches of two games, and an engine that has nothing to say: what is kept is looked at, not judged."""

    def judged(_judge: object, _depth: object, number: int, game: Any, _earlier: object = None) -> analysis.JudgedGame:
        return analysis.JudgedGame(game.start, left_out=(analysis.LeftOut(number, 0, "not looked at"),))

    monkeypatch.setattr(reviewing, "user_cache_path", lambda _: tmp_path / "cache")
    monkeypatch.setattr(shared, "engine_for", lambda *_: SimpleNamespace(variant=BACKGAMMON))
    monkeypatch.setattr(analysis, "Judge", lambda *_: None)
    monkeypatch.setattr(analysis, "_game", judged)
    for module in (analysis, reviewing):
        monkeypatch.setattr(module, "program_of", lambda _: "nobody")
    folder = tmp_path / "matches"
    folder.mkdir()
    for number in range(2):
        match = random_match(random.Random(number), Settings(length=25), games=2, resignations=0.1)
        (folder / f"{number}.json").write_bytes(formats.write(formats.Document(match), "json")[0])
    return folder


def test_reviews_killed_at_every_write_go_on(matches: Path, tmp_path: Path) -> None:
    counts: dict[str, int] = {}
    ended: list[list[Any]] = []

    def progress(name: str, done: int, _all: int) -> None:
        counts[name] = max(counts.get(name, 0), done)

    def work() -> None:
        ended.append([result.review for result in review_files([matches], "fast", progress=progress)])  # type: ignore[union-attr]

    def kept() -> None:
        places = (tmp_path / "cache" / "reviews").glob("*.json")
        found = [from_json(Review, json.loads(place.read_text())).games for place in places]
        games = [number for name, number in counts.items() if name != "files"]
        assert sum(found) >= sum(games), "a game that was told as done is kept"

    assert at_every_change(tmp_path / "cache", work, kept) >= 2
    assert [review.games for review in ended[0]] == [2, 2]
    assert all(review.complete for review in ended[0])


def test_reviews_of_the_library_killed_in_any_game_go_on(
    matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = analysis._game
    with closing(LibraryStore(f"sqlite:///{tmp_path / 'service.db'}")) as store:
        list(service.import_files(store, [matches]))
        for done in range(4):
            left = [1]

            def dies(*arguments: Any, left: list[int] = left) -> Any:
                if not left:
                    raise Killed
                left.pop()
                return judged(*arguments)

            monkeypatch.setattr(analysis, "_game", dies)
            with pytest.raises(Killed) if done < 3 else closing(SimpleNamespace(close=lambda: None)):
                list(service.review_library(store, Wanted(), "fast"))
            games = [sum(review.games for review in store.list_reviews(number)) for number in (1, 2)]
            assert sum(games) == done + 1, "each game is kept as soon as it is judged"
        assert list(service.review_library(store, Wanted(), "fast")) == []


def test_a_rollout_is_kept_before_it_is_told(tmp_path: Path) -> None:
    state = RolloutState.load(KEPT)
    counts: list[int] = []
    times = iter(range(100))
    keeping = Keeping(tmp_path / "rollout.json", lambda now: counts.append(now.trials), lambda: float(next(times)))
    for trials in range(1, 31):
        result: Any = SimpleNamespace(trials=trials, state=state)
        keeping(result)
        assert RolloutState.load(tmp_path / "rollout.json").trials == state.trials
    assert counts == list(range(1, 31))
    assert next(times) <= 34, "where keeping takes a second, it is done every twenty"


def test_a_rollout_killed_at_every_write_is_whole(tmp_path: Path) -> None:
    state, path = RolloutState.load(KEPT), tmp_path / "rollout.json"
    state.save(path)

    def is_whole() -> None:
        assert RolloutState.load(path).trials == state.trials

    assert at_every_change(tmp_path, lambda: state.save(path), is_whole)
    with pytest.raises(RolloutError, match="cannot be written"):
        state.save(tmp_path / "nowhere" / "rollout.json")


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0])
def test_no_flag_falls_when_the_clock_of_the_machine_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    with closing(GameServer(str(tmp_path / "games.db"))) as game_server:
        handle, key, invitation = game_server.create(opponent="friend", clock="2+60", rules={"length": 3})
        other = handle.join(str(invitation), "Bob")
        for side in (key, other):
            handle.add_seed(handle.seat_of(side), "ab")
        begun = frame_of(handle, None)
        monkeypatch.setattr(times._clock, "_wall", lambda: time.time() + jump)
        now = frame_of(handle, None)
        assert game_server.enforce_deadlines() == 0
        assert handle.enforce_deadline() is False
        assert 0 <= now["now"] - begun["now"] < 30, "pages are told the same time"
        assert now["state"]["clock"]["left"] == begun["state"]["clock"]["left"]  # type: ignore[index]
        # A server that is started anew takes the time as it is then.
        monkeypatch.setattr(times, "_clock", times.SteadyClock(lambda: time.time() + jump))
        assert game_server.enforce_deadlines() == (1 if jump > 0 else 0)
        assert game_server.verify(handle.id).faults == ()
