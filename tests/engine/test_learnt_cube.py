"""The learnt efficiency of the cube: its inputs by slow code, its bits, its file, and what it is worth."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tests.engine.test_engine import some_positions

from fullprime.engine.core.pack import pack
from fullprime.engine.cube.efficiency import PhaseEfficiency, in_contact, select_efficiency
from fullprime.engine.cube.equity import CubeContext, CubeOwner, cube_equities, no_double_equities
from fullprime.engine.cube.learnt import INPUTS, MOST, EfficiencyError, LearntEfficiency, efficiency_for, inputs
from fullprime.engine.engine import Engine
from fullprime.engine.search.tree import value_weights
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, NACKGAMMON
from fullprime_lab.training.efficiency import positions_of_play

CUBES = (CubeContext(), CubeContext(cube=2, owner=CubeOwner.MOVER), CubeContext(cube=2, owner=CubeOwner.OPPONENT))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(BACKGAMMON)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return pack([position for position, _ in some_positions(BACKGAMMON, 120, 11)])


def side(position: Position) -> list[float]:
    """What is said of the player on roll, one checker after the other."""
    points = position.player[:26]
    run = longest = 0
    for point in range(1, 13):
        run = run + 1 if points[point] >= 2 else 0
        longest = max(longest, run)
    return [
        sum(slot * points[slot] for slot in range(26)) / 100,
        sum(points[19:]) / 3,
        sum(count >= 2 for count in points[1:7]) / 3,
        points[25],
        sum(count == 1 for count in points[1:25]) / 3,
        sum(count == 1 for count in points[1:7]) / 2,
        any(count >= 2 for count in points[19:25]),
        max((slot for slot in range(26) if points[slot]), default=0) / 12,
        longest / 3,
        (15 - sum(points)) / 5,
        0,
    ]


def test_the_inputs_are_what_slow_code_counts() -> None:
    positions = [position for position, _ in some_positions(BACKGAMMON, 60, 3)]
    outputs = np.tile([0.6, 0.2, 0.01, 0.1, 0.005], (len(positions), 1))
    features = inputs(pack(positions), outputs)
    assert features.shape == (len(positions), INPUTS)
    for position, row in zip(positions, features, strict=True):
        mine, theirs = side(position), side(position.swapped)
        chances = [0.6, 0.04, 0.3, 0.9, 0.2, 0.01, 0.1, 0.005, 1 / 3, 0.25]
        np.testing.assert_allclose(row, [*chances, *mine, *theirs, mine[0] - theirs[0]], atol=1e-12)


def test_a_position_has_the_same_bits_in_any_batch(engine: Engine, rows: np.ndarray) -> None:
    outputs = engine.searcher.evaluate(rows)[0]
    together = engine.searcher.efficiency(rows, outputs)
    for place in range(len(rows)):
        alone = engine.searcher.efficiency(rows[place : place + 1], outputs[place : place + 1])
        assert (alone[0] == together[place]).all()
    assert (together >= 0).all()
    assert (together <= MOST).all()


def test_a_race_keeps_its_efficiency_by_length(engine: Engine) -> None:
    row = pack([Position.from_text("11:3 9:3 8:2 6:3 5:2 4:2 / 12:2 11:2 9:2 8:3 6:3 5:2 3")])
    assert not in_contact(row)[0]
    learnt = engine.searcher.efficiency(row, engine.searcher.evaluate(row)[0])
    assert learnt.tolist() == [[PhaseEfficiency().of(row)[0]] * 3]


def test_each_place_of_the_cube_has_its_column(rows: np.ndarray, engine: Engine) -> None:
    outputs = engine.searcher.evaluate(rows)[0]
    power = np.column_stack([np.full(len(rows), share) for share in (0.2, 0.5, 0.9)])
    for context, share in zip(CUBES, (0.2, 0.5, 0.9), strict=True):
        assert (select_efficiency(power, context) == share).all()
        for away in (None, (5, 5)):
            cube_context = context if away is None else CubeContext(cube=context.cube, owner=context.owner, away=away)
            expected = no_double_equities(outputs, cube_context, share)
            np.testing.assert_array_equal(no_double_equities(outputs, cube_context, power), expected)
    both = cube_equities(outputs, CUBES[0], power)
    np.testing.assert_array_equal(both[:, 0], cube_equities(outputs, CUBES[0], 0.2)[:, 0])
    np.testing.assert_array_equal(both[:, 1], cube_equities(outputs, CUBES[0], 0.9)[:, 1])


@pytest.mark.broad
def test_static_equities_are_nearer_to_look_ahead_than_with_one_figure(engine: Engine) -> None:
    searcher, constant = engine.searcher, PhaseEfficiency()
    rows = np.concatenate(list(islice(positions_of_play(engine, 4711), 120)))
    contact = np.ascontiguousarray(rows[in_contact(rows)])
    deep = searcher.tree(contact, 2, value_weights(CubeContext(cap=1), False)).evaluate_roll(CUBES[0], constant)
    outputs = searcher.evaluate(contact)[0]
    learnt, plain = (
        np.abs(no_double_equities(outputs, CUBES[0], power(contact, outputs)) - deep).mean()
        for power in (searcher.efficiency, constant)
    )
    assert learnt < 0.95 * plain, "also where the look-ahead itself has the one figure at its ends"


def test_a_game_that_backgammons_nets_judge_has_its_cube_too(engine: Engine) -> None:
    assert Engine.open(NACKGAMMON).searcher.efficiency == engine.searcher.efficiency == efficiency_for("backgammon")


def test_it_comes_back_from_its_file(tmp_path: Path, rows: np.ndarray, engine: Engine) -> None:
    shipped = efficiency_for("backgammon")
    assert isinstance(shipped, LearntEfficiency)
    path = tmp_path / "cube.npz"
    shipped.save(path, "again")
    again = LearntEfficiency.load(path)
    assert again == shipped
    assert len({shipped, again}) == 1
    outputs = engine.searcher.evaluate(rows)[0]
    assert (again(rows, outputs) == shipped(rows, outputs)).all()
    assert again != LearntEfficiency(tuple(2 * weight for weight in shipped.weights))
    assert efficiency_for(ACEY_DEUCEY.name) == PhaseEfficiency()


@pytest.mark.parametrize("content", [b"", b"no file of arrays", b"PK\x03\x04 cut"])
def test_another_file_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cube.npz"
    path.write_bytes(content)
    with pytest.raises(EfficiencyError, match=r"cube\.npz"):
        LearntEfficiency.load(path)


def test_layers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cube.npz"
    shapes = ((5, 4), (4,), (4, 3), (3,), (3, 3), (3,))
    LearntEfficiency(tuple(np.zeros(shape) for shape in shapes)).save(path, "")
    with pytest.raises(EfficiencyError, match="do not lead from 33 inputs"):
        LearntEfficiency.load(path)
