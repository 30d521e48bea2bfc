"""The inputs of the nets against slow oracles."""

import itertools

import numpy as np
import pytest

from fullprime.engine.core.nets import features, network, training
from fullprime.engine.core.pack import pack, swap, unpack
from fullprime.engine.nets import encoding
from fullprime.rules.position import Position, is_full_prime, longest_prime, mirror
from fullprime_lab.training.families import draw_rare_starts

FEATURE = {name: index for index, name in enumerate(encoding.HAND_FEATURES)}


@pytest.fixture(scope="module")
def boards():
    start = Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    hand = Position.from_text("hand:9 bar 22:2 6:3 / hand:3 24:2 13:5 4:5")
    return np.concatenate([pack([start, hand]), draw_rare_starts(60, seed=5)])


def hand_features(boards):
    out = np.zeros((len(boards), encoding.FEATURES), np.float32)
    network.hand_feature_batch(boards, out)
    return out


@pytest.mark.compiles
def test_masks_say_who_stands_where(boards):
    for row, words in zip(boards, boards.view(np.int64), strict=True):
        expected = [0, 0, 0, 0]
        for place in range(26):
            count = int(row[place])
            expected[0] |= (count > 0) << place
            expected[1] |= (count < 0) << place
            if 1 <= place <= 24:
                expected[2] |= (count > 1) << place
                expected[3] |= (count < -1) << place
        assert list(features.masks_of(words[None], 0)) == expected


@pytest.mark.compiles
def test_mirrored_masks():
    for place in range(26):
        assert features.mirror(1 << place) == 1 << (25 - place)


@pytest.mark.compiles
def test_table_rows_name_every_occupied_slot(boards):
    rows = np.zeros(features.MAX_ROWS, np.int64)
    for row, words, position in zip(boards, boards.view(np.int64), unpack(boards), strict=True):
        own, other, _, _ = features.masks_of(words[None], 0)
        count = features.list_table_rows(row[None], 0, own, other, rows)
        expected = {
            (side * encoding.SLOTS + slot) * encoding.COUNTS + checkers
            for side, counts in enumerate((position.player, position.opponent))
            for slot, checkers in enumerate(counts)
            if checkers
        }
        assert set(rows[:count].tolist()) == expected
        assert count == len(expected)


def test_table_is_the_sum_of_its_units():
    rng = np.random.default_rng(2)
    units = rng.normal(size=(encoding.SLOT_GROUPS, encoding.UNITS, 128)).astype(np.float32)
    values = encoding.unit_values()
    steps = np.zeros_like(values)
    steps[:, 1:] = values[:, 1:] - values[:, :-1]
    table = np.zeros((encoding.SLOT_GROUPS * encoding.COUNTS, 128), np.float32)
    training.build_table(units, steps, np.full(encoding.SLOT_GROUPS, 15), table)
    assert np.allclose(table, encoding.table_of(units), atol=1e-5)
    assert not table[:: encoding.COUNTS].any()


def test_features_of_the_other_side_are_the_other_half(boards):
    own_view, other_view = hand_features(boards), hand_features(swap(boards))
    half = encoding.FEATURES // 2
    assert np.array_equal(own_view[:, :half], other_view[:, half:])
    assert np.array_equal(own_view[:, half:], other_view[:, :half])
    assert np.isfinite(own_view).all()


def test_features_count_what_they_say(boards):
    features = hand_features(boards)
    for row, position in zip(features, unpack(boards), strict=True):
        own = position.player
        occupied = [point for point in range(1, 26) if own[point]]
        assert row[FEATURE["pips / 167"]] * 167 == pytest.approx(position.pips[0], abs=1e-3)
        assert row[FEATURE["rearmost checker / 24"]] * 24 == pytest.approx(max(occupied, default=0), abs=1e-4)
        assert row[FEATURE["longest prime / 6"]] * 6 == pytest.approx(longest_prime(own), abs=1e-4)
        assert row[FEATURE["blots / 6"]] * 6 == pytest.approx(own[1:25].count(1), abs=1e-4)
        closed = sum(own[point] >= 2 for point in range(1, 7))
        assert row[FEATURE["points closed in our home / 6"]] * 6 == pytest.approx(closed, abs=1e-4)
        outside = sum(max(point - 6, 0) * own[point] for point in range(1, 26))
        assert row[FEATURE["pips needed to bring everything home / 100"]] * 100 == pytest.approx(outside, abs=1e-3)


def test_chance_to_escape(boards):
    features = hand_features(boards)
    for row, position in zip(features, unpack(boards), strict=True):
        back = max((point for point in range(1, 26) if position.player[point]), default=0)
        if not back:
            continue
        blocked = {point for point in range(1, 25) if position.opponent[mirror(point)] >= 2}
        ways = sum(
            back - first - second not in blocked and not {back - first, back - second} <= blocked
            for first, second in itertools.product(range(1, 7), repeat=2)
        )
        assert row[FEATURE["chance to escape of the rearmost checker"]] * 36 == pytest.approx(ways, abs=1e-3)
    full_prime = Position.from_text("24:2 12:13 / 15:3 7:2 6:2 5:2 4:2 3:2 2:2")
    assert is_full_prime(full_prime.opponent)
    assert hand_features(pack([full_prime]))[0, FEATURE["chance to escape of the rearmost checker"]] == 0


def test_shots_of_many_positions(boards):
    features = hand_features(boards)
    for row, position in zip(features, unpack(boards), strict=True):
        assert row[FEATURE["rolls that hit / 36"]] * 36 == pytest.approx(brute_shots(position), abs=1e-3)


def brute_shots(position):
    """Rolls with which some checker can reach a blot: bar first, two checkers for different dice, four for doubles."""
    blots = {mirror(point) for point in range(1, 25) if position.opponent[point] == 1}
    blocked = {mirror(point) for point in range(1, 25) if position.opponent[point] >= 2}
    return sum(
        _hits(position, blots, blocked, first, second) for first, second in itertools.product(range(1, 7), repeat=2)
    )


def _hits(position, blots, blocked, first, second):
    own = {point for point in range(1, 25) if position.player[point]}
    bar = position.player[25]

    def open_(point):
        return point >= 1 and point not in blocked

    if first == second:
        reached = set()
        steps = 4
        frontier = own
        if bar:
            entry = 25 - first
            if not open_(entry):
                return False
            reached, frontier, steps = {entry}, own | {entry}, 4 - bar
        for _ in range(max(steps, 0)):
            frontier = {point - first for point in frontier if open_(point - first)}
            reached |= frontier
        return bool(reached & blots)
    reached = set()
    for one, two in ((first, second), (second, first)):
        if bar:
            entry = 25 - one
            if open_(entry):
                reached.add(entry)
                if bar == 1:
                    reached |= {point - two for point in own | {entry} if open_(point - two)}
        else:
            stops = {point - one for point in own if open_(point - one)}
            reached |= stops | {point - two for point in stops if open_(point - two)}
    return bool(reached & blots)


def test_the_largest_sums_are_those_of_fifteen_checkers_a_side():
    rng = np.random.default_rng(3)
    table = np.zeros((encoding.SLOT_GROUPS, encoding.COUNTS, 4), np.float32)
    mine, yours = (5, 19), (encoding.SLOTS + 2, encoding.SLOTS + 25)
    for slot in (*mine, *yours, 2 * encoding.SLOTS):
        table[slot, 1:] = rng.normal(0, 1, (encoding.COUNTS - 1, 4))
    total = {}
    for side in (mine, yours):
        ways = [(a, b) for a in range(16) for b in range(16 - a)]
        total[side] = np.array([table[side[0], a] + table[side[1], b] for a, b in ways])
    licences = table[2 * encoding.SLOTS, [0, 1]]
    high = sum(sums.max(axis=0) for sums in total.values()) + licences.max(axis=0)
    low = sum(sums.min(axis=0) for sums in total.values()) + licences.min(axis=0)
    sums = encoding.largest_sums(table.reshape(-1, 4))
    assert sums == pytest.approx(np.maximum(high, -low), rel=1e-5)
