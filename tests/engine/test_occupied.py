"""Places as bits, beside the same questions asked byte by byte."""

from __future__ import annotations

import numpy as np

from fullprime.engine.tables.occupied import find_occupied


def _rows() -> np.ndarray:
    rng = np.random.default_rng(11)
    rows = np.zeros((4000, 32), np.int8)
    for row in rows:  # few checkers, so that every answer is given often
        for _ in range(rng.integers(0, 5)):
            row[rng.integers(1, 26) if rng.random() < 0.4 else rng.integers(1, 7)] = rng.integers(1, 4)
        for _ in range(rng.integers(0, 5)):
            place = rng.integers(0, 25) if rng.random() < 0.4 else rng.integers(19, 25)
            row[place] = -rng.integers(1, 4)
        row[26:28] = rng.integers(0, 16, 2)
        row[28:30] = rng.integers(0, 3, 2) * (rng.random(2) < 0.2)
        row[30:32] = rng.integers(0, 2, 2)
    return rows


def test_the_answers_are_those_of_every_byte() -> None:
    rows = _rows()
    occupied = find_occupied(rows)
    for index, row in enumerate(rows.tolist()):
        own_left = any(row[place] > 0 for place in (*range(1, 26), 28))
        other_left = any(row[place] < 0 for place in range(25)) or row[29] > 0
        assert occupied.finished[index] == (not (own_left and other_left))
        assert occupied.home[index] == all(row[place] <= 0 for place in range(7, 26))
        assert occupied.they_are_home[index] == all(row[place] >= 0 for place in range(19))
        assert occupied.nothing_in_hand[index] == (row[28] == row[29] == 0)
        assert occupied.bars_empty[index] == (row[0] >= 0 and row[25] <= 0)
    masks = occupied.finished, occupied.home, occupied.they_are_home, occupied.nothing_in_hand, occupied.bars_empty
    for answers in masks:
        assert 0.05 < answers.mean() < 0.95


def test_rows_may_lie_anywhere_in_memory() -> None:
    rows = _rows()
    turned = np.asfortranarray(rows)
    assert np.array_equal(find_occupied(turned).above, find_occupied(rows).above)
    assert np.array_equal(find_occupied(rows[::3]).below, find_occupied(rows).below[::3])
    assert not len(find_occupied(rows[:0]).finished)
