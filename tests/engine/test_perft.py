"""The counts of plays: published by the sources where there are any, golden, and counted again by brute force."""

from __future__ import annotations

import pytest
from tests.reference import brute_force
from tests.reference.perft_golden import FOLDER, golden

from fullprime.engine.boards.perft import perft, perft_by_roll
from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, VARIANTS

EVERY_VARIANT = pytest.mark.parametrize("name", VARIANTS)
QUICK = [name for name in VARIANTS if name not in ("backgammon", "nackgammon")]


def test_known_counts() -> None:
    assert perft(BACKGAMMON, 2) == (447, 202_782)
    assert perft(NACKGAMMON, 2) == (547, 324_161)
    assert perft(HYPERGAMMON, 2) == (195, 38_017)


def test_the_opening_rolls_of_backgammon() -> None:
    words = (
        "11:42 21:15 31:16 41:14 51:8 61:10 22:75 32:17 42:18 52:8 62:14 33:73 43:17 53:9 63:14 44:52 54:9 64:14 55:4 "
        "65:7 66:11"
    )
    expected = {roll: int(count) for roll, count in (word.split(":") for word in words.split())}
    assert perft_by_roll(BACKGAMMON) == expected


@EVERY_VARIANT
def test_golden(name: str) -> None:
    expected = golden(name)
    depth = 3 if name in QUICK else 2
    assert list(perft(VARIANTS[name], depth)) == expected["perft"][:depth]
    assert perft_by_roll(VARIANTS[name]) == expected["first_ply_by_roll"]


def test_there_is_a_golden_file_for_every_variant_and_no_other() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(VARIANTS)


@EVERY_VARIANT
def test_brute_force_counts_the_same_at_the_first_ply(name: str) -> None:
    assert list(brute_force.perft(VARIANTS[name], 1)) == golden(name)["perft"][:1]


@pytest.mark.parametrize("name", QUICK)
def test_brute_force_counts_the_same_at_two_plies(name: str) -> None:
    assert list(brute_force.perft(VARIANTS[name], 2)) == golden(name)["perft"][:2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["backgammon", "nackgammon"])
def test_brute_force_counts_the_same_at_two_plies_slowly(name: str) -> None:
    assert list(brute_force.perft(VARIANTS[name], 2)) == golden(name)["perft"][:2]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", QUICK)
def test_brute_force_counts_the_same_at_three_plies(name: str) -> None:
    assert list(brute_force.perft(VARIANTS[name], 3)) == golden(name)["perft"]


@pytest.mark.slow
@EVERY_VARIANT
def test_golden_to_the_end(name: str) -> None:
    assert list(perft(VARIANTS[name], 3)) == golden(name)["perft"]


@pytest.mark.parametrize("depth", [0, -1, 7])
def test_a_depth_nobody_can_wait_for_is_refused(depth: int) -> None:
    with pytest.raises(SettingsError, match="1 to 6"):
        perft(BACKGAMMON, depth)
