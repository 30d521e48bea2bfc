"""What is stored is there again, on every kind of event, and only one program plays a game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import text

from fullprime.db import database
from fullprime.db.errors import StoreError
from fullprime.play.table.games import GameStore
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.record import Match, Setup
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS

SEATS = ("human", "heuristic")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


def random_action(game: Game, chance: random.Random) -> Action:
    kind = chance.choice(game.actions())
    if kind is ActionKind.RESIGN and chance.random() < 0.95:
        kind = game.actions()[0]
    match kind:
        case ActionKind.OPENING:
            return acts.opening(chance.randint(1, 6), chance.randint(1, 6))
        case ActionKind.ROLL:
            return acts.roll(Roll(chance.randint(1, 6), chance.randint(1, 6)))
        case ActionKind.PLAY:
            return acts.play(chance.choice(game.legal_plays))
        case ActionKind.CHOOSE:
            return acts.choose(chance.randint(1, 6))
        case ActionKind.RESIGN:
            return acts.resign(chance.choice(game.resignation_levels))
        case _:
            return Action(kind)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_session_comes_back_as_it_was_left(url: str, name: str) -> None:
    chance = random.Random(name)
    cube = VARIANTS[name].cube
    settings = Settings(variant=VARIANTS[name], jacoby=cube, beavers=cube, raccoons=cube, automatic_doubles=0)
    match = Match(settings, ("Ann", "Bob")).next_game()
    store = GameStore(url)
    number = store.create(match, SEATS, '{"seed": "1"}')
    game = match.game
    for seq in range(1, 41):
        if game.is_over:
            match = match.next_game()
            game = match.game
        action = random_action(game, chance)
        match, game = match.with_event(action), game.act(action)
        store.append(number, seq, len(match.games), action, drawn=2 * seq)
    saved = GameStore(url).load(number)
    assert saved.match == match
    assert (saved.seats, saved.drawn, saved.events, saved.status) == (SEATS, 80, 40, "playing")


def test_a_board_set_by_hand_is_kept(url: str) -> None:
    match = Match(Settings(length=3)).next_game()
    store = GameStore(url)
    number = store.create(match, SEATS, "{}")
    other = match.game.act(acts.opening(6, 5))
    store.append(number, 1, 1, Setup(other, "typed wrongly"), 0)
    assert store.load(number).match.games[0].events == (Setup(other, "typed wrongly"),)
    assert store.load(number).match.game.phase is Phase.PLAY


def test_the_same_event_is_not_stored_twice(url: str) -> None:
    store = GameStore(url)
    number = store.create(Match(Settings()).next_game(), SEATS, "{}")
    store.append(number, 1, 1, acts.opening(3, 1), 2)
    with pytest.raises(StoreError, match="somewhere else"):
        GameStore(url).append(number, 1, 1, acts.opening(4, 1), 2)
    assert store.load(number).match.games[0].events == (acts.opening(3, 1),)


def test_the_last_unfinished_game(url: str) -> None:
    store = GameStore(url)
    assert store.find_last_unfinished() is None
    first, second = (store.create(Match(Settings(length=1)).next_game(), SEATS, "{}") for _ in range(2))
    assert (store.find_last_unfinished(), store.count(), list(store.list_numbers())) == (second, 2, [first, second])
    store.append(second, 1, 1, acts.opening(3, 1), 2, over=True)
    assert store.find_last_unfinished() == first
    store.delete(first)
    assert store.find_last_unfinished() is None
    for missing in (lambda: store.load(first), lambda: store.delete(first)):
        with pytest.raises(StoreError, match="no stored game 1"):
            missing()


def test_what_is_committed_is_on_the_disk(url: str) -> None:
    with database.open_database(url).begin() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1


# -- places -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "address",
    ["nonsense://ann:secret@host/db", "postgresql://ann:secret@[host/db", "postgresql://ann:secret@h:port/db"],
)
def test_no_password_is_told(address: str) -> None:
    with pytest.raises(StoreError) as refused:
        database.open_database(address)
    assert "secret" not in str(refused.value)
    assert refused.value.__suppress_context__, "nor in a traceback"


def test_places_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    (tmp_path / "text.db").write_text("no database " * 100, encoding="utf-8")
    for bad in (f"sqlite:///{tmp_path}/file/games.db", str(tmp_path / "text.db"), "nonsense://x/y"):
        with pytest.raises(StoreError):
            GameStore(bad)


def test_the_environment_names_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(database.ENVIRONMENT, str(tmp_path / "mine.db"))
    store = GameStore()
    assert "mine.db" in store.url
    store.close()
    monkeypatch.delenv(database.ENVIRONMENT)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database.default_url().endswith("games.db")
