"""The exact endgames against slow oracles and against published figures."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.reference import bearoff_solver as slow
from tests.reference.tables import shared_bearoff

from fullprime.engine.core.jit import JIT
from fullprime.engine.tables import bearoff
from fullprime.engine.tables.bearoff import Bearoff, BearoffError
from fullprime.rules.variants import BACKGAMMON, VARIANTS

pytestmark = pytest.mark.skipif(not JIT, reason="the tables take too long without compiled kernels")


@pytest.fixture(scope="module")
def tables():
    return shared_bearoff()


def row(own, other, off=None):
    """A packed row: {own point: checkers}, {other's point: checkers} in each side's own numbering."""
    packed = np.zeros(32, dtype=np.int8)
    for point, count in own.items():
        packed[point] += count
    for point, count in other.items():
        packed[25 - point] -= count
    packed[26], packed[27] = off or (15 - sum(own.values()), 15 - sum(other.values()))
    return packed


def rows(*pairs):
    return np.array([row(own, other) for own, other in pairs])


def by_point(home):
    return {point: count for point, count in enumerate(home, start=1) if count}


def counts(**points):
    return [points.get(f"p{point}", 0) for point in range(1, 7)]


# -- one side -------------------------------------------------------------------------------------------------
ACES = [1, 1, 1.8333333, 1.8333333, 2.6944444, 2.6944444, 3.5509259, 3.5509259, 4.4081790, 4.4081790]
ACES += [5.2653035, 5.2653035, 6.1224494, 6.1224494, 6.9795917638]
DEUCES = [1, 1.2777778, 1.8611111, 2.2623457, 2.7629458, 3.2587020, 3.6751996, 4.2221209, 4.6011883, 5.1700423]
PAIRS = [1, 1.2777778, 1.5277778, 1.7098765, 1.9145233, 2.1096108]


@pytest.mark.broad
def test_rolls_to_clear_a_stack_on_the_ace_or_the_deuce_point(tables):
    for number, expected in enumerate(ACES, start=1):
        assert tables.mean[tables.rank(counts(p1=number))] == pytest.approx(expected, abs=1e-7)
    for number, expected in enumerate(DEUCES, start=1):
        assert tables.mean[tables.rank(counts(p2=number))] == pytest.approx(expected, abs=1e-7)


@pytest.mark.broad
def test_rolls_to_bear_off_two_checkers_from_one_point(tables):
    for point, expected in enumerate(PAIRS, start=1):
        assert tables.mean[tables.rank(counts(**{f"p{point}": 2}))] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("home", "rolls", "epc"),
    [
        ((2, 2, 2, 2, 2, 2), 6.3603169, 51.943),
        ((1, 1, 1, 1, 1, 1), 3.4636484, None),
        ((0, 0, 0, 5, 5, 5), 10.0737590, 82.27),
        ((0, 0, 0, 3, 5, 7), 10.5390549, 86.07),
        ((0, 0, 0, 0, 0, 15), 12.2661872, 100.17),
        ((13, 0, 0, 0, 0, 0), 6.1224494, 50.000004),
    ],
)
def test_published_bearoff_lengths(tables, home, rolls, epc):
    assert tables.mean[tables.rank(home)] == pytest.approx(rolls, abs=1e-7)
    if epc is not None:
        assert tables.epc(home) == pytest.approx(epc, abs=0.006)


def test_one_checker_is_off_at_once_with_the_known_chances(tables):
    chances = [36, 36, 36, 34, 31, 27]
    for point, of_36 in enumerate(chances, start=1):
        assert tables.distribution(counts(**{f"p{point}": 1}))[1] == pytest.approx(of_36 / 36, abs=1e-7)


def test_distributions_are_those_of_a_slow_search_through_the_rules(tables):
    for home in [(1, 1, 0, 2, 0, 1), (0, 0, 2, 0, 0, 2), (3, 0, 1, 0, 1, 0), (0, 2, 0, 0, 3, 0), (1, 0, 0, 0, 0, 4)]:
        rank = tables.rank(home)
        assert tables.mean[rank] == pytest.approx(slow.mean_rolls(home), abs=1e-12)
        np.testing.assert_allclose(tables.rolls[rank], slow.distribution(home)[:32], atol=1e-7)
        expected = slow.distribution(home, first_only=True)[:32]
        np.testing.assert_allclose(tables.first_off[rank], expected, atol=1e-7)


def test_every_distribution_adds_up_and_agrees_with_its_mean(tables):
    for table in (tables.rolls, tables.first_off, tables.escape):
        np.testing.assert_allclose(table.sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(tables.rolls @ np.arange(32), tables.mean, atol=1e-5)
    assert tables.rolls.shape[0] == 54_264


def test_impossible_counts_are_refused(tables):
    for home in ((16, 0, 0, 0, 0, 0), (-1, 0, 0, 0, 0, 0), (1, 2, 3)):
        with pytest.raises(BearoffError, match="six counts"):
            tables.rank(home)


# -- two sides ------------------------------------------------------------------------------------------------
@pytest.mark.broad
def test_all_positions_of_up_to_three_checkers_a_side_against_the_slow_solver(tables):
    solver = slow.TwoSided()
    homes = [home for home in slow.homes(3) if home != slow.OVER]
    pairs = list(product(homes, homes))
    covered, values = tables.equities(rows(*[(by_point(own), by_point(other)) for own, other in pairs]))
    assert covered.all()
    assert len(pairs) == 83 * 83
    expected = [[solver.rolling(own, other, who) for who in ("nobody", "mover", None, "other")] for own, other in pairs]
    np.testing.assert_allclose(values, expected, atol=2e-7)


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [(n, n, w) for n, w in zip(range(2, 8), [0.86111, 0.78781, 0.74526, 0.71745, 0.69753, 0.68233], strict=True)]
    + [(2, 1, 1 / 6), (3, 2, 0.25463), (4, 3, 0.30105), (5, 4, 0.32877)],
)
def test_roll_endings_have_their_exact_winning_chances(tables, own, other, wins):
    _, values = tables.probabilities(rows(({1: 2 * own}, {1: 2 * other})))
    assert values[0, 0] == pytest.approx(wins, abs=5e-6)


def test_eight_rolls_against_eight_need_more_than_fifteen_checkers_and_are_convolved(tables):
    chances = np.zeros(40)
    chances[0] = 1.0
    left = {8: 1.0}  # rolls still needed -> chance; a double counts twice
    ends = []
    for _ in range(8):
        nxt: dict[int, float] = {}
        for need, chance in left.items():
            nxt[need - 1] = nxt.get(need - 1, 0.0) + chance * 5 / 6
            nxt[need - 2] = nxt.get(need - 2, 0.0) + chance / 6
        ends.append(sum(chance for need, chance in nxt.items() if need <= 0))
        left = {need: chance for need, chance in nxt.items() if need > 0}
    wins = sum(end * (1 - sum(ends[:k])) for k, end in enumerate(ends))
    assert wins == pytest.approx(0.67022, abs=5e-6)
    np.testing.assert_allclose(tables.distribution(counts(p1=15))[1:9], ends, atol=1e-6)


def test_two_rolls_against_one_is_a_beaver(tables):
    # Won one time in six: rolling costs 2/3, doubling twice that, a beaver four times (timothychow.net).
    _, values = tables.equities(rows(({1: 4}, {1: 2})))
    np.testing.assert_allclose(values[0], [-2 / 3] * 4, atol=1e-7)


def test_one_sided_play_costs_little(tables):
    """Hurrying as if alone is not quite best play against an opponent; the difference is small and bounded."""
    generator = np.random.default_rng(1)
    homes = [home for home in slow.homes(6) if home != slow.OVER]
    picks = generator.integers(0, len(homes), (4000, 2))
    batch = rows(*[(by_point(homes[a]), by_point(homes[b])) for a, b in picks])
    _, exact = tables.probabilities(batch)
    difference = np.abs(exact[:, 0] - _one_sided_wins(tables, batch))
    assert difference.mean() < 2e-3
    assert difference.max() < 0.02


def _one_sided_wins(tables, batch):
    from fullprime.engine.core.tables import bearoff as core

    covered, out = np.zeros(len(batch), dtype=bool), np.zeros((len(batch), 5))
    core.home_probabilities(batch, tables.rolls, tables.first_off, tables.two_sided, 0, covered, out)
    return out[:, 0]


# -- gammons and backgammons ------------------------------------------------------------------------------------
def _not_later(mine, theirs, ahead):
    """Two distributions compared entry by entry."""
    return sum(m * t for k, m in enumerate(mine) for j, t in enumerate(theirs) if j >= k + ahead)


def test_gammons_of_two_home_boards(tables):
    own, other = (4, 0, 0, 0, 0, 0), (0, 0, 0, 0, 5, 10)
    _, values = tables.probabilities(rows((by_point(own), by_point(other)), (by_point(other), by_point(own))))
    mine, theirs = slow.distribution(own), tables.first_off[tables.rank(other)]
    assert values[0, 1] == pytest.approx(_not_later(mine, theirs, 0), abs=1e-6)
    assert values[1, 3] == pytest.approx(_not_later(mine, theirs, 1), abs=1e-6)
    assert 0.3 < values[0, 1] < 0.4
    assert values[1, 3] < values[0, 1]
    np.testing.assert_array_equal(values[:, [2, 4]], 0.0)


def test_no_gammon_once_a_checker_is_off(tables):
    _, values = tables.probabilities(rows(({1: 2}, {6: 14}), ({6: 14}, {1: 2})))
    np.testing.assert_array_equal(values[:, 1:], 0.0)


def test_a_finished_game_is_lost_with_the_gammon_it_is(tables):
    _, values = tables.probabilities(rows(({6: 15}, {}), ({6: 14}, {})))
    np.testing.assert_allclose(values, [[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]])


def test_a_short_game_can_be_a_gammon_and_is_left_out_of_the_cube_table(tables):
    hyper = np.array([row({1: 2}, {6: 3}, off=(1, 0))])
    covered, _ = tables.equities(hyper)
    assert not covered.any()
    covered, values = tables.probabilities(hyper)
    assert covered.all()
    assert values[0, 1] == pytest.approx(values[0, 0])


def test_positions_outside_the_home_boards_are_not_covered(tables):
    outside = row({7: 1}, {1: 3})
    bar = row({1: 1}, {1: 3})
    bar[25] = 1
    hand = row({1: 1}, {1: 3})
    hand[28] = 1
    contact = row({1: 1, 24: 1}, {2: 3})
    for function in (tables.probabilities, tables.equities, tables.mean_rolls):
        covered, values = function(np.array([outside, bar, hand, contact]))
        assert not covered.any()
        assert np.isnan(values).all()


def test_backgammon_needs_the_last_checker_to_stay_in_the_winners_home(tables):
    # One checker left on the winner's ace point and one on the loser's 24-point: it never gets a roll.
    certain = row({1: 2}, {22: 1, 6: 14})
    # The winner needs two rolls: the loser has one, and leaves his opponent's home from the 22-point with 4, 5 or 6.
    escape = row({1: 3}, {22: 1, 6: 14})
    mirrored = row({22: 1, 6: 14}, {1: 3})
    safe = row({1: 3}, {22: 1, 6: 13})
    covered, values = tables.backgammons(np.array([certain, escape, mirrored, safe]))
    assert covered.all()
    assert values[0] == pytest.approx([1.0, 0.0])
    # Leaving the 22-point takes four pips: all rolls but 1-2 (2-1, 1-1 is four pips, too).
    stays = 2 / 36
    assert values[1, 0] == pytest.approx(1 / 6 + 5 / 6 * stays, abs=1e-6)
    # On roll himself the loser has a roll more: two before the winner's second.
    assert values[2, 1] == pytest.approx(1 / 6 * stays, abs=1e-6)
    assert values[3] == pytest.approx([0.0, 0.0])


def test_backgammons_are_not_given_for_contact(tables):
    covered, values = tables.backgammons(np.array([row({1: 1, 20: 2}, {10: 3})]))
    assert not covered.any()
    assert np.isnan(values).all()


# -- the files ------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def reports():
    return []


@pytest.fixture(scope="module")
def built(reports):
    return bearoff.build_tables(2, progress=lambda part, word: reports.append((part, word)))


@pytest.fixture
def quick(built, monkeypatch):
    """Counts the builds, which cost nothing here."""
    calls = []
    monkeypatch.setattr(bearoff, "build_tables", lambda *arguments: calls.append(arguments) or built)
    return calls


@pytest.mark.broad
def test_a_second_opening_reads_the_same_tables_from_the_disk(tables, quick, tmp_path):
    Bearoff.open(tmp_path, checkers=2)
    again = Bearoff.open(tmp_path, checkers=2)
    assert len(quick) == 1
    assert again.two_sided.shape == (28, 28, 4)
    np.testing.assert_array_equal(again.rolls, tables.rolls)


@pytest.mark.broad
def test_damaged_outdated_and_missing_files_are_built_again(quick, tmp_path):
    Bearoff.build(tmp_path, checkers=2)
    good = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    damage = {
        "mean.npy": good["mean.npy"][:-1] + b"?",
        "rolls.npy": good["rolls.npy"][:1000],
        "two_sided_2.npy": None,
        "bearoff_2.json": json.dumps({"version": 0, "crc32": {}}).encode(),
    }
    for number, (name, content) in enumerate(damage.items(), start=2):
        if content is None:
            (tmp_path / name).unlink()
        else:
            (tmp_path / name).write_bytes(content)
        Bearoff.open(tmp_path, checkers=2)
        assert len(quick) == number
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == good


@pytest.mark.broad
def test_without_a_writable_folder_the_tables_go_to_the_fallback_or_stay_in_memory(quick, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    fallback = tmp_path / "fallback"
    monkeypatch.setattr(bearoff, "cache_folder", lambda: blocked)
    monkeypatch.setattr(bearoff, "fallback_folder", lambda: fallback)
    Bearoff.open(checkers=2)
    assert (fallback / "bearoff_2.json").exists()
    monkeypatch.setattr(bearoff, "fallback_folder", lambda: blocked)
    in_memory = Bearoff.open(checkers=2)
    assert len(quick) == 2
    assert in_memory.epc((15, 0, 0, 0, 0, 0)) == pytest.approx(57, abs=1e-5)
    assert not in_memory.rolls.flags.writeable


@pytest.mark.broad
def test_progress_runs_from_nothing_to_all(built, reports):
    parts = [part for part, _ in reports]
    assert parts == sorted(parts)
    assert parts[0] == 0.0
    assert parts[-1] == 1.0
    assert all(word for _, word in reports)


@pytest.mark.broad
def test_building_twice_gives_the_same_bytes(built, tables):
    for name in ("mean", "rolls", "first_off", "escape"):
        np.testing.assert_array_equal(built[name], getattr(tables, name))


def test_what_is_known_replaces_what_a_net_guessed(tables):
    home, race, contact = row({1: 2}, {6: 14}), row({1: 3}, {22: 1, 6: 14}), row({20: 1, 1: 2}, {10: 3})
    guess = np.tile(np.array([0.9, 0.5, 0.4, 0.05, 0.04], dtype=np.float32), (3, 1))
    values = guess.copy()
    tables.correct(np.array([home, race, contact]), values)
    np.testing.assert_array_equal(values[0], tables.probabilities(home[np.newaxis])[1][0].astype(np.float32))
    np.testing.assert_allclose(values[1], [0.9, 0.5, 1 / 6 + 5 / 6 * 2 / 36, 0.05, 0.0], atol=1e-6)
    np.testing.assert_array_equal(values[2], guess[2])
    # A chance of a backgammon that is known is a chance of a gammon, too.
    low = np.array([[0.9, 0.1, 0.0, 0.05, 0.0]], dtype=np.float32)
    tables.correct(race[np.newaxis], low)
    assert low[0, 1] == low[0, 2] > 0.2


def test_wrong_requests_are_refused(tables, tmp_path):
    with pytest.raises(BearoffError, match="9 checkers a side"):
        Bearoff.open(tmp_path, checkers=9)
    with pytest.raises(BearoffError, match="int8"):
        tables.probabilities(np.zeros((2, 32), dtype=np.int64))
    with pytest.raises(BearoffError, match=r"\(32,\)"):
        tables.probabilities(np.zeros(32, dtype=np.int8))


def test_the_tables_hold_for_games_with_an_ordinary_bearoff():
    served = {name: Bearoff.serves(variant) for name, variant in VARIANTS.items()}
    assert served["backgammon"]
    assert served["nackgammon"]
    assert not any(served[name] for name in served if name.startswith("acey"))
    assert not Bearoff.serves(replace(BACKGAMMON, exact_bearoff=True))
