"""Vector operations against the plain loops that stand in for them, at their extremes, too."""

import numba
import numpy as np
import pytest

from fullprime.engine.core.jit import JIT
from fullprime.engine.core.lanes import board_vector, plain_vector, vector
from fullprime.engine.core.lanes.plain_vector import LIMIT, SHORT
from fullprime.engine.core.lanes.vector import BLOCK, LANES, PAIR
from fullprime.engine.core.pack import swap
from fullprime.training.families import rare_starts

pytestmark = pytest.mark.skipif(not JIT, reason="the JIT is off: there is nothing to compare")
RNG = np.random.default_rng(1)


@pytest.fixture(scope="module")
def boards():
    return rare_starts(200, seed=2)


def test_boards_as_vectors(boards):
    places, turn_round, ones = board_vector.places, board_vector.turn_round, board_vector.ones

    @numba.njit
    def asked(boards, at, out):
        turn_round(boards[at], out)
        found = places(boards, at)
        return found, ones(found[0])

    out = np.empty(32, np.int8)
    swapped = swap(boards)
    for at, row in enumerate(boards):
        found, count = asked(boards, at, out)
        assert found == board_vector._plain_places(boards, at)
        assert np.array_equal(out, swapped[at])
        assert count == found[0].bit_count()
        board_vector._plain_turn_round(row, out)
        assert np.array_equal(out, swapped[at])


@pytest.mark.parametrize("squared", [False, True])
def test_whole_numbers_are_exact_at_their_extremes(squared):
    shortened, short_dense = vector.shortened, vector.short_dense

    @numba.njit
    def asked(x, short, weights, scale, y):
        shortened(x, np.float32(2048), short)
        short_dense(short, weights, scale, y, squared)

    x = RNG.normal(0, 2, (BLOCK, 8)).astype(np.float32)
    x[0], x[1] = 100, -100  # more than may be: held to SHORT
    short = np.zeros((BLOCK, 8), np.int16)
    weights = RNG.integers(-32767, 32768, (4, 2 * 64)).astype(np.int16)
    weights[:, :8] = 32767 // 2  # eight of them times SHORT is just within 32 bits
    scale = np.exp2(RNG.integers(-20, -8, 64)).astype(np.float32)
    y = RNG.normal(0, 1, (BLOCK, 128)).astype(np.float32)
    expected, kept = y.copy(), np.zeros_like(short)
    plain_vector.shortened(x, np.float32(2048), kept)
    plain_vector.short_dense(kept, weights, scale, expected, squared)
    asked(x, short, weights, scale, y)
    assert np.array_equal(short, kept)
    assert (short.min(), short.max()) == (-SHORT, SHORT)
    assert y == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("dense", "speaking", "together", "width"),
    [
        (vector.dense, vector.speaking, BLOCK, 32),
        (vector.dense, vector.speaking, BLOCK, 64),
        (vector.dense, vector.listed_by_bits(BLOCK), BLOCK, 64),
        (vector.dense_pair, vector.listed_by_bits(PAIR), PAIR, 128),
        (vector.dense_pair, vector.speaking_pair, PAIR, 128),
        (vector.dense_pair, vector.speaking_pair, PAIR, 256),
    ],
)
def test_the_second_layer_adds_up_what_is_not_nothing(dense, speaking, together, width):
    @numba.njit
    def asked(x, at, units, weights, y, found):
        dense(x, at, units, len(units), weights, y)
        return speaking(x, at, found)

    x = np.maximum(RNG.normal(-1, 1, (BLOCK, 128)), 0).astype(np.float32)
    weights = RNG.integers(-32767, 32768, (128, width)).astype(np.int16)
    x /= 32767  # what the whole numbers are in units of stands in the first layer
    y = RNG.normal(0, 1, (BLOCK, width)).astype(np.float32)
    few, every, plain = y.copy(), y.copy(), y.copy()
    for at in range(0, BLOCK, together):
        active = np.flatnonzero((x[at : at + together] > 0).any(axis=0))
        active = active.astype(np.int32)
        found, known = np.full(128 + LANES, -1, np.int32), np.full(128 + LANES, -1, np.int32)
        assert asked(x, at, active, weights, few, found) == len(active)
        assert plain_vector.speaking(together)(x, at, known) == len(active)
        assert np.array_equal(found[: len(active)], active)
        assert np.array_equal(known[: len(active)], active)
        asked(x, at, np.arange(128, dtype=np.int32), weights, every, found)
        plain_vector.dense(together, rectify=True)(x, at, active, len(active), weights, plain)
    assert np.array_equal(few, every), "zeros change no bit"
    assert few == pytest.approx(plain, abs=1e-4)
    assert few == pytest.approx(np.maximum(y + x @ weights, 0), abs=1e-4)
    assert asked(np.ones_like(x), 0, active, weights, few, found) == 128


def test_sums_of_rows_may_leave_sixteen_bits_on_the_way():
    sum_whole_rows = vector.sum_whole_rows

    @numba.njit
    def asked(out, bias, table, scale, rows, count):
        sum_whole_rows(out, 1, bias, table, scale, rows, count, 128)

    table = RNG.integers(-900, 900, (40, 256)).astype(np.int16)
    table[:3] = np.array([[30_000], [20_000], [-32_000]])  # 50,000 after the second row, 18,000 after the third
    rows = np.arange(12)
    bias, scale = RNG.normal(0, 1, 256).astype(np.float32), np.exp2(RNG.integers(-12, -8, 256)).astype(np.float32)
    found, plain = np.zeros((2, 256), np.float32), np.zeros((2, 256), np.float32)
    asked(found, bias, table, scale, rows, len(rows))
    plain_vector.sum_whole_rows(plain, 1, bias, table, scale, rows, len(rows), 128)
    expected = bias + scale * table[:12].sum(axis=0, dtype=np.int64)
    expected[128:] = np.maximum(expected[128:], 0)
    assert found[1] == pytest.approx(expected, rel=1e-6)
    assert plain[1] == pytest.approx(expected, rel=1e-6)


def test_the_logistic_function():
    logistic = vector.logistic

    @numba.njit
    def asked(x):
        logistic(x)

    x = np.linspace(-40, 40, BLOCK * LANES).astype(np.float32).reshape(BLOCK, LANES)
    expected = 1 / (1 + np.exp(-np.clip(x.astype(np.float64), -LIMIT, LIMIT)))
    plain = x.copy()
    plain_vector.logistic(plain)
    asked(x)
    assert x == pytest.approx(expected, rel=3e-6)
    assert plain == pytest.approx(expected, rel=3e-6)
