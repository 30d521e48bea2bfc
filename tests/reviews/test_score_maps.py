"""Maps by score held equal to a hint in a game that was set up at each score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.reviews.matches import small_engine

from fullprime.analysis.setups import AnalysisSetup, game_of
from fullprime.engine import api, shared
from fullprime.engine.engine import Engine
from fullprime.reviews.score_maps import OWNERS, SAME_DEPTH, CubePlace, MapError, ScoreMap, score_map
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON

START = BACKGAMMON.starting_position
BLITZ = "24 13:4 8:4 6:5 4 / bar 24 13:5 8:3 6:5"
RACE = "6:5 5:5 4:3 3:2 / 6:6 5:5 4:3 3"
MONEY_RULES = {"jacoby": "yes", "beavers": "yes"}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    engine = small_engine()
    monkeypatch.setattr(shared, "engine_for", lambda *_: engine)
    return engine


def setups(position: str, length: int, **more: Any) -> Iterator[tuple[CubePlace, tuple[int, int] | None, api.Hint]]:
    """What a hint says in a game for money and at every score, with the cube at each place."""
    level = more.pop("level")
    for place in OWNERS:
        cube = {"cube": 1} if place == "middle" else {"cube": 2, "owner": "X" if place == "mine" else "O"}
        scores = [(mine, theirs) for mine in range(1, length + 1) for theirs in range(1, length + 1)]
        for away in [None, *scores]:
            at: dict[str, Any] = {"rules": MONEY_RULES}
            if away is not None:
                at = {
                    "rules": {"length": str(length)},
                    "score": (length - away[0], length - away[1]),
                    "crawford": False if 1 in away else None,
                }
            game = game_of(AnalysisSetup(position=position, **cube, **at, **more))
            yield place, away, api.hint(game, level, same_depth=SAME_DEPTH if game.dice else 1)


@pytest.mark.parametrize("level", ["0-ply", "1-ply"])
def test_plays_are_those_of_a_hint_at_each_score(engine: Engine, level: str) -> None:
    game = game_of(AnalysisSetup(position=BLITZ, dice=(6, 2), rules=MONEY_RULES))
    score_map_found = score_map(engine, game, length=3, level=level)
    assert (score_map_found.done, score_map_found.asked, str(score_map_found.dice)) == (30, 30, "62")
    for place, away, hint in setups(BLITZ, 3, dice=(6, 2), level=level):
        cell = score_map_found.cell(place, away)
        assert hint.ranking is not None
        plays = [play for play in hint.ranking if play.depth == hint.ranking.best.depth][: len(cell.options)]
        assert [option.text for option in cell.options] == [play.text for play in plays]
        assert [option.equity for option in cell.options] == pytest.approx([play.equity for play in plays])
        assert len({option.depth for option in cell.options}) == 1
        assert cell.margin == pytest.approx(plays[1].loss)
        assert (cell.best, cell.equity) == (plays[0].text, pytest.approx(plays[0].equity))
    signs = {(cell.sign, cell.best) for cell in score_map_found.cells}
    assert len(signs) == len({best for _, best in signs}) == len({sign for sign, _ in signs})


@pytest.mark.parametrize("level", ["0-ply", "2-ply"])
def test_cube_actions_are_those_of_a_hint_at_each_score(engine: Engine, level: str) -> None:
    score_map_found = score_map(engine, game_of(AnalysisSetup(position=RACE, rules=MONEY_RULES)), length=2, level=level)
    assert score_map_found.done == 15
    for place, away, hint in setups(RACE, 2, level=level):
        cell = score_map_found.cell(place, away)
        assert hint.cube is not None
        assert (cell.best, cell.equity) == (hint.short, pytest.approx(hint.cube.equity))
        assert cell.options[0].equity == pytest.approx(hint.cube.no_double)
    assert {cell.sign for cell in score_map_found.cells if cell.cube == "theirs"} == {"-"}


def test_the_smallest_wrong_choice_is_what_the_margin_says(engine: Engine) -> None:
    for cell in score_map(engine, Position.from_text(RACE), length=4, level="0-ply").cells:
        if cell.margin is None:
            continue
        rolling, taken, dropped = (option.equity for option in cell.options)
        doubling = abs(rolling - min(taken, dropped))
        right = {"DT": min(doubling, 1.0 - taken), "DP": min(doubling, taken - 1.0)}
        assert cell.margin == pytest.approx(right.get(cell.sign, doubling))


def test_what_is_known_is_told_and_stands_when_the_search_is_stopped(engine: Engine) -> None:
    """A deep level looks at all cells statically before it looks further."""
    maps: list[ScoreMap] = []
    options = {"length": 2, "level": "2-ply"}
    score_map_found = score_map(engine, START, (3, 1), progress=maps.append, stop=lambda: len(maps) == 17, **options)  # type: ignore[arg-type]
    assert score_map_found == maps[-1]
    assert [len(partial.cells) for partial in maps] == [*range(1, 16), 15, 15]
    assert (maps[14].done, score_map_found.done, score_map_found.asked) == (0, 2, 15)
    assert [cell.level for cell in score_map_found.cells[:3]] == ["2-ply", "2-ply", "0-ply"]
    assert "2 of 15 cells are known" in score_map_found.text
    assert score_map(engine, START, (3, 1), seconds=0, **options).cells == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", [None, (3, 1)])
@pytest.mark.parametrize("length", [7, 9, 25])
def test_the_table_has_every_cell_in_80_columns(engine: Engine, dice: tuple[int, int] | None, length: int) -> None:
    score_map_found = score_map(engine, START, dice, length=1, level="0-ply")
    numbers = range(1, length + 1)
    cells = tuple(
        replace(score_map_found.cell(place, (1, 1)), away=(mine, theirs), equity=-1.5, margin=0.5)
        for place in OWNERS
        for mine in numbers
        for theirs in numbers
    )
    lines = replace(
        score_map_found, length=length, cells=(*(score_map_found.cell(place, None) for place in OWNERS), *cells)
    ).text
    assert max(map(len, lines.splitlines())) <= 80
    for number in numbers:
        assert sum(line.startswith(f"{number:>4} ") for line in lines.splitlines()) == 3


def test_maps_that_cannot_be(engine: Engine) -> None:
    with pytest.raises(MapError, match="1 to 25 points"):
        score_map(engine, START, length=0)
    with pytest.raises(MapError, match="without a cube"):
        score_map(small_engine(ACEY_DEUCEY), ACEY_DEUCEY.starting_position)
    with pytest.raises(MapError, match="nothing is known"):
        score_map(engine, START, length=2, seconds=0).cell("middle", None)
