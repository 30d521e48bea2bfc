"""What is stored of a game of the terminal is there again, and only one program plays a game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import text

from fullprime.db import database
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.db.times import utc_now
from fullprime.play.commands import Act, BeginNextGame, TakeBack, ThrowDice
from fullprime.play.evolve import fold
from fullprime.play.store import SessionStore
from fullprime.play.table.seating import new_table, resume_table
from fullprime.play.table.table import Table
from fullprime.play.table.terminal_store import TerminalStore
from fullprime.rules import game as acts
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.db'}"


def random_action(game: Game, chance: random.Random) -> Action:
    kind = chance.choice(game.actions())
    if kind is ActionKind.RESIGN and chance.random() < 0.95:
        kind = game.actions()[0]
    match kind:
        case ActionKind.PLAY:
            return acts.play(chance.choice(game.legal_plays))
        case ActionKind.CHOOSE:
            return acts.choose(chance.randint(1, 6))
        case ActionKind.RESIGN:
            return acts.resign(chance.choice(game.resignation_levels))
        case _:
            return Action(kind)


def step_by_chance(table: Table, chance: random.Random) -> None:
    """One action of the people at the table, now and then a takeback."""
    if table.game.is_over:
        table.perform(BeginNextGame())
        return
    if table.session.stands is not None and table.session.stands.choices and chance.random() < 0.1:
        table.perform(TakeBack())
        return
    kinds = (ActionKind.OPENING, ActionKind.ROLL)
    action = Action(ActionKind.ROLL) if table.game.actions()[0] in kinds else random_action(table.game, chance)
    table.perform(ThrowDice() if action.kind in kinds else Act(action))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_session_comes_back_as_it_was_left(url: str, name: str) -> None:
    chance = random.Random(name)
    cube = VARIANTS[name].cube
    settings = Settings(variant=VARIANTS[name], jacoby=cube, beavers=cube, raccoons=cube, automatic_doubles=0)
    store = TerminalStore(url)
    table = new_table(settings, bot=None, names=("Ann", "Bob"), seed=name, store=store, automatic=chance.random() < 0.5)
    for _ in range(40):
        step_by_chance(table, chance)
    assert table.number is not None
    stored = TerminalStore(url).load(table.number)
    assert stored.session == table.session == fold(stored.log)
    assert stored.secret == name


def test_the_same_event_is_not_stored_twice(url: str) -> None:
    store = TerminalStore(url)
    first = new_table(Settings(), bot=None, seed="1", store=store)
    second = resume_table(TerminalStore(url), first.number)
    first.advance()
    with pytest.raises(StoreConflict, match="game 1 is being played somewhere else"):
        second.advance()
    assert resume_table(store).session == first.session


def test_the_last_unfinished_game(url: str) -> None:
    store = TerminalStore(url)
    assert (store.find_last_unfinished(), store.count()) == (None, 0)
    first, second = (new_table(Settings(length=1), bot=None, store=store) for _ in range(2))
    assert (first.number, second.number) == (1, 2)
    assert (store.find_last_unfinished(), store.count()) == (2, 2)
    second.advance()
    while not second.is_over:
        step_by_chance(second, random.Random(1))
    assert store.find_last_unfinished() == first.number
    with pytest.raises(StoreError, match="no stored game 3"):
        store.load(3)


def test_a_server_leaves_the_games_of_the_terminal_alone(url: str) -> None:
    """A server on the same database moves no bot of theirs, and lists none of them."""
    store = TerminalStore(url)
    table = new_table(Settings(length=1), bot="random", seed="7", store=store)
    table.advance()
    while not table.session.is_over:
        step_by_chance(table, random.Random(2))
    waiting = new_table(Settings(length=1), bot="random", seed="8", store=store)
    waiting._take(ThrowDice(), "X")
    sessions = SessionStore(database.open_database(url))
    assert sessions.list_finished() == []
    assert sessions.list_overdue(utc_now().replace(year=9999)) == []
    assert sessions.delete_unbegun(utc_now().replace(year=9999)) == []
    assert store.count() == 2


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
            TerminalStore(bad)


def test_the_environment_names_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(database.ENVIRONMENT, str(tmp_path / "mine.db"))
    store = TerminalStore()
    assert "mine.db" in store.url
    store.close()
    monkeypatch.delenv(database.ENVIRONMENT)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database.default_url().endswith("games.db")
