"""Each vector operation against its plain twin and against a loop that anybody can read, at the edges as well.

An operation is what `vector` and `board_vector` choose by whether the JIT is on. The test of an operation is named
after it. With the JIT off the twins stand in for the operations, and are held to the loops alone.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullprime.engine.core.jit import JIT
from fullprime.engine.core.lanes import board_vector, plain_vector, vector
from fullprime.engine.core.lanes.plain_vector import LIMIT, SHORT
from fullprime.engine.core.lanes.vector import BLOCK, LANES, PAIR, PAIR_SPAN, SPAN, WORD
from fullprime.engine.core.pack import swap
from fullprime_lab.training.families import draw_rare_starts

SEEDS = st.integers(0, 2**32 - 1)
some_cases = settings(max_examples=25, derandomize=True)


@lru_cache
def called(operation: Callable[..., Any], arguments: int) -> Callable[..., Any]:
    """An operation as a function of Python: with the JIT on it is one only inside of kernels."""
    if not JIT:
        return operation
    names, place = ", ".join(f"a{number}" for number in range(arguments)), {"operation": operation}
    exec(f"def asked({names}):\n    return operation({names})", place)
    return numba.njit(place["asked"])  # type: ignore[no-any-return, call-overload]


def floats(chance: np.random.Generator, *shape: int) -> Any:
    """Numbers of all sizes, zeros of both signs among them."""
    values = chance.normal(0, 1, shape) * np.exp2(chance.integers(-12, 4, shape))
    values[chance.random(shape) < 0.2] = chance.choice([0.0, -0.0])
    return values.astype(np.float32)


def operations(module: ModuleType) -> set[str]:
    """The names that a module binds under ``if JIT``, which both branches must."""
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    (choice,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "JIT"]

    def bound(body: list[ast.stmt]) -> set[str]:
        stored = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)]
        return {node.id for node in stored if isinstance(node.ctx, ast.Store) and not node.id.startswith("_")}

    assert bound(choice.body) == bound(choice.orelse), "each operation has a twin"
    return bound(choice.body)


@pytest.mark.parametrize("module", [vector, board_vector], ids=["vector", "board_vector"])
def test_every_operation_has_a_test_of_its_name_and_stands_in_the_page(module: ModuleType) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "engine-vectors.md").read_text(encoding="utf-8")
    tested = {name for name in globals() if name.startswith("test_")}
    names = operations(module)
    assert len(names) >= 3
    for name in names:
        assert any(test.startswith(f"test_{name}_is_") for test in tested), name
        assert f"### `{name}`" in page, name


# -- the first layer --------------------------------------------------------------------------------------------
@some_cases
@given(SEEDS, st.integers(0, 40), st.sampled_from([0, SPAN, 2 * SPAN]))
def test_sum_rows_is_the_sum_of_rows(seed: int, count: int, linear: int) -> None:
    chance, width = np.random.default_rng(seed), 2 * SPAN
    start, table = floats(chance, width), floats(chance, 12, width)
    rows = chance.integers(0, 12, 50)  # the same row may come twice, and those behind ``count`` do not
    values = floats(chance, 3, width)
    plain, loop = values.copy(), values.copy()
    for column in range(width):
        total = start[column]
        for row in rows[:count]:
            total = np.float32(total + table[row, column])
        loop[1, column] = total if column < linear or total > 0 else 0
    called(vector.sum_rows, 7)(values, 1, start, table, rows, count, linear)
    plain_vector.sum_rows(plain, 1, start, table, rows, count, linear)
    assert values == pytest.approx(plain, abs=1e-4)
    if JIT:
        assert np.array_equal(values, loop), "in the order of the rows, to the last bit"
    assert np.array_equal(values[[0, 2]], loop[[0, 2]]), "other positions stay as they are"


@some_cases
@given(SEEDS, st.integers(0, 20), st.sampled_from([0, SPAN, 2 * SPAN]))
def test_sum_whole_rows_is_the_sum_of_rows_times_scale(seed: int, count: int, linear: int) -> None:
    chance, width = np.random.default_rng(seed), 2 * SPAN
    table = chance.integers(-900, 901, (20, width)).astype(np.int16)
    table[:3] = np.array([[30_000], [20_000], [-32_000]])  # 50,000 leaves 16 bits; 18,000 at the end does not
    rows = np.concatenate([np.arange(3), chance.integers(3, 20, 20)])
    count = 0 if count == 0 else max(3, min(count, 15))
    start, scale = floats(chance, width), np.exp2(chance.integers(-12, -8, width)).astype(np.float32)
    values = floats(chance, 3, width)
    plain, loop = values.copy(), values.copy()
    for column in range(width):
        total = float(start[column]) + float(scale[column]) * sum(int(table[row, column]) for row in rows[:count])
        loop[1, column] = total if column < linear or total > 0 else 0
    called(vector.sum_whole_rows, 8)(values, 1, start, table, scale, rows, count, linear)
    plain_vector.sum_whole_rows(plain, 1, start, table, scale, rows, count, linear)
    assert values == pytest.approx(loop, rel=1e-6, abs=1e-6)
    assert plain == pytest.approx(loop, rel=1e-6, abs=1e-5)
    assert np.array_equal(values[[0, 2]], loop[[0, 2]])


# -- layers above -----------------------------------------------------------------------------------------------
def dense_by_loop(x: Any, at: int, units: Any, weights: Any, y: Any, together: int, rectify: bool) -> Any:
    """``y`` with what the units of so many positions from ``at`` on say to every column."""
    after = y.astype(np.float64)
    for position in range(at, at + together):
        for column in range(weights.shape[1]):
            total = float(y[position, column])
            for unit in units:
                total += float(x[position, unit]) * float(weights[unit, column])
            after[position, column] = max(total, 0.0) if rectify else total
    return after


def held_to_the_loop(
    operation: Any, twin: Any, together: int, width: int, seed: int, *, whole: bool = True, rectify: bool = True
) -> None:
    chance = np.random.default_rng(seed)
    x = np.maximum(floats(chance, BLOCK, 64), 0)
    weights = chance.integers(-32767, 32768, (64, width)).astype(np.int16) if whole else floats(chance, 64, width)
    if whole:
        x /= 32767  # what the whole numbers are in units of stands in the first layer
    y = floats(chance, BLOCK, width)
    at = int(chance.integers(0, BLOCK // together)) * together
    units = np.flatnonzero((x[at : at + together] > 0).any(axis=0)).astype(np.int32)
    few, every, plain = y.copy(), y.copy(), y.copy()
    kernel, all_units = called(operation, 6), np.arange(64, dtype=np.int32)
    kernel(x, at, units, len(units), weights, few)
    kernel(x, at, all_units, 64, weights, every)
    twin(x, at, units, len(units), weights, plain)
    loop = dense_by_loop(x, at, units, weights, y, together, rectify=rectify)
    assert few == pytest.approx(loop, rel=1e-4, abs=1e-3)
    assert plain == pytest.approx(loop, rel=1e-4, abs=1e-3)
    if JIT:
        assert np.array_equal(few, every), "units that say nothing change no bit"
    nothing = y.copy()
    kernel(x, at, units, 0, weights, nothing)
    here = slice(at, at + together)
    assert np.array_equal(nothing[here], np.maximum(y[here], 0) if rectify else y[here])
    for after in (few, nothing):
        others = np.r_[0:at, at + together : BLOCK]
        assert np.array_equal(after[others], y[others]), "other positions stay as they are"


@some_cases
@given(SEEDS, st.sampled_from([2 * LANES, 4 * LANES]))
def test_dense_is_a_layer_of_whole_numbers_for_a_block(seed: int, width: int) -> None:
    held_to_the_loop(vector.dense, plain_vector.dense(BLOCK, rectify=True), BLOCK, width, seed)


@some_cases
@given(SEEDS)
def test_dense_pair_is_a_layer_of_whole_numbers_for_two(seed: int) -> None:
    held_to_the_loop(vector.dense_pair, plain_vector.dense(PAIR, rectify=True), PAIR, PAIR_SPAN, seed)


@some_cases
@given(SEEDS, st.sampled_from([2 * LANES, 4 * LANES]))
def test_dense_rectified_is_a_layer_of_floats_for_a_block(seed: int, width: int) -> None:
    held_to_the_loop(vector.dense_rectified, plain_vector.dense(BLOCK, rectify=True), BLOCK, width, seed, whole=False)


@some_cases
@given(SEEDS, st.sampled_from([LANES, 3 * LANES]))
def test_dense_linear_is_a_layer_of_floats_for_a_block(seed: int, width: int) -> None:
    twin = plain_vector.dense(BLOCK, rectify=False)
    held_to_the_loop(vector.dense_linear, twin, BLOCK, width, seed, whole=False, rectify=False)


@pytest.mark.skipif(not JIT, reason="the twins add in another order")
def test_two_at_a_time_give_the_same_bits_as_eight() -> None:
    chance = np.random.default_rng(3)
    x = np.maximum(floats(chance, BLOCK, 64), 0) / np.float32(32767)
    weights = chance.integers(-32767, 32768, (64, PAIR_SPAN)).astype(np.int16)
    pairs = floats(chance, BLOCK, PAIR_SPAN)
    block, units = pairs.copy(), np.arange(64, dtype=np.int32)
    called(vector.dense, 6)(x, 0, units, 64, weights, block)
    for at in range(0, BLOCK, PAIR):
        called(vector.dense_pair, 6)(x, at, units, 64, weights, pairs)
    assert np.array_equal(block, pairs)


# -- which units are active -------------------------------------------------------------------------------------
def check_list_of_active(operation: Any, together: int, seed: int, share: float) -> None:
    chance, width = np.random.default_rng(seed), 2 * WORD
    x = np.where(chance.random((BLOCK, width)) < share, floats(chance, BLOCK, width), np.float32(0))
    x[:, 0], x[0, width - 1] = -0.0, np.float32(1e-30)  # nothing, and something in the very last column
    at = int(chance.integers(0, BLOCK // together)) * together
    loop = [unit for unit in range(width) if any(x[at + position, unit] > 0 for position in range(together))]
    result, plain = (np.full(width + LANES, -1, np.int32) for _ in range(2))
    assert called(operation, 3)(x, at, result) == plain_vector.make_lister(together)(x, at, plain) == len(loop)
    assert result[: len(loop)].tolist() == plain[: len(loop)].tolist() == loop


@some_cases
@given(SEEDS, st.sampled_from([0.0, 0.05, 0.5, 1.0]))
def test_list_active_is_the_list_of_units_above_nothing_in_any_of_a_block(seed: int, share: float) -> None:
    check_list_of_active(vector.list_active, BLOCK, seed, share)


@some_cases
@given(SEEDS, st.sampled_from([0.0, 0.05, 0.5, 1.0]))
def test_list_active_pair_is_the_list_of_units_above_nothing_in_any_of_two(seed: int, share: float) -> None:
    check_list_of_active(vector.list_active_pair, PAIR, seed, share)


if JIT:
    from fullprime.engine.core.lanes.vector_code import make_bit_lister  # it imports Numba

    _BY_BITS = {together: make_bit_lister(together) for together in (BLOCK, PAIR)}


@pytest.mark.skipif(not JIT, reason="the JIT is off: there is one way alone")
@pytest.mark.parametrize("together", [BLOCK, PAIR])
def test_processors_without_packed_lanes_list_the_same(together: int) -> None:
    for seed, share in enumerate((0.0, 0.05, 0.5, 1.0)):
        check_list_of_active(_BY_BITS[together], together, seed, share)


# -- whole numbers above ----------------------------------------------------------------------------------------
@some_cases
@given(SEEDS, st.sampled_from([1.0, 64.0, 2048.0]))
def test_quantise_is_the_nearest_whole_number(seed: int, scale: float) -> None:
    chance = np.random.default_rng(seed)
    x = floats(chance, BLOCK, 2 * LANES)
    edges = [SHORT, SHORT + 1, -SHORT, -SHORT - 1, 1e30, -1e30, 0.5, 1.5, -0.5, -2.5]  # halves go to the even one
    x[0, : len(edges)] = np.array(edges, np.float32) / np.float32(scale)
    x[1, :2] = np.inf, -np.inf
    result, plain = (np.full(x.shape, 7, np.int16) for _ in range(2))
    called(vector.quantise, 3)(x, np.float32(scale), result)
    plain_vector.quantise(x, np.float32(scale), plain)
    loop = [[round(max(-SHORT, min(SHORT, float(value) * scale))) for value in row] for row in x]
    assert result.tolist() == plain.tolist() == loop


@some_cases
@given(SEEDS, st.booleans(), st.sampled_from([2 * LANES, 4 * LANES]))
def test_dense_quantised_is_a_layer_of_short_numbers(seed: int, squared: bool, columns: int) -> None:
    chance, units = np.random.default_rng(seed), 8
    x = chance.integers(-SHORT, SHORT + 1, (BLOCK, units)).astype(np.int16)
    x[0], x[1] = SHORT, -SHORT
    weights = chance.integers(-16383, 16384, (units // 2, 2 * columns)).astype(np.int16)
    weights[:, :8] = 32767 // 2  # eight of them times SHORT is just within 32 bits
    scale = np.exp2(chance.integers(-20, -8, columns)).astype(np.float32)
    y = floats(chance, BLOCK, columns + LANES)
    result, plain, loop = y.copy(), y.copy(), y.astype(np.float64)
    for position in range(BLOCK):
        for column in range(columns):
            expected = sum(
                int(x[position, unit]) * int(weights[unit // 2, 2 * column + unit % 2]) for unit in range(units)
            )
            total = max(float(y[position, column]) + expected * float(scale[column]), 0.0)
            loop[position, column] = total * total if squared else total
    called(vector.dense_quantised, 5)(x, weights, scale, result, squared)
    plain_vector.dense_quantised(x, weights, scale, plain, squared)
    assert result == pytest.approx(loop, rel=2e-6, abs=1e-5)
    assert plain == pytest.approx(loop, rel=2e-6, abs=1e-5)
    assert np.array_equal(result[:, columns:], y[:, columns:]), "the columns behind stay as they are"


# -- the last layer ---------------------------------------------------------------------------------------------
@some_cases
@given(SEEDS)
def test_logistic_is_the_logistic_function(seed: int) -> None:
    chance = np.random.default_rng(seed)
    x = (chance.normal(0, 12, (BLOCK, LANES))).astype(np.float32)
    x[0, :10] = 0.0, -0.0, LIMIT, -LIMIT, 1e30, -1e30, np.inf, -np.inf, 1e-30, -1e-30
    result, plain = x.copy(), x.copy()
    called(vector.logistic, 1)(result)
    plain_vector.logistic(plain)
    loop = [[1 / (1 + math.exp(-max(-LIMIT, min(LIMIT, float(value))))) for value in row] for row in x]
    assert result == pytest.approx(np.array(loop), rel=3e-6)
    assert plain == pytest.approx(np.array(loop), rel=3e-6)


# -- boards -----------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def boards() -> Any:
    edges = np.zeros((2, 32), np.int8)  # no positions: nobody is on the board, and every place is taken
    edges[1, :26] = np.tile([15, -15], 13)
    return np.concatenate([draw_rare_starts(200, seed=2), edges])


def test_places_is_the_mask_of_each_side(boards: Any) -> None:
    for at, row in enumerate(boards):
        own = sum(1 << place for place in range(1, 26) if row[place] > 0)
        other = sum(1 << place for place in range(25) if row[place] < 0)
        points_made = sum(1 << place for place in range(1, 25) if row[place] > 1)
        others = sum(1 << place for place in range(1, 25) if row[place] < -1)
        assert called(board_vector.places, 2)(boards, at) == (own, other, points_made, others)
        assert board_vector._plain_places(boards, at) == (own, other, points_made, others)


def test_turn_round_is_the_other_players_view(boards: Any) -> None:
    swapped = swap(boards[:-2])
    for at, row in enumerate(boards):
        result, plain, here = np.full(32, 9, np.int8), np.full(32, 9, np.int8), row.copy()
        called(board_vector.turn_round, 2)(row, result)
        board_vector._plain_turn_round(row, plain)
        called(board_vector.turn_round, 2)(here, here)  # in place
        loop = [-row[25 - place] for place in range(26)] + [row[place] for place in (27, 26, 29, 28, 31, 30)]
        assert result.tolist() == plain.tolist() == here.tolist() == loop
        assert at >= len(swapped) or loop == swapped[at].tolist()


@some_cases
@given(st.integers(0, 2**62))
def test_count_ones_is_the_number_of_bits(mask: int) -> None:
    for sample in (mask, 0, 2**63 - 1):
        count = sum(sample >> place & 1 for place in range(64))
        assert called(board_vector.count_ones, 1)(sample) == board_vector._plain_count_ones(sample) == count
